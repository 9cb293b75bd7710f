/*
 * row_template.c - the cells and the rules of a query.
 *
 * Method      Blocks are taken apart recursively. Equations between cells that
 *             must hold are solved at once, by giving both one root; all other
 *             conditions become rules. Of an OR with subqueries one side is
 *             chosen.
 *
 * Invariant   What goes beyond SLOTS_MAX, RULES_MAX or DEPTH_MAX is left out:
 *             the template then asks for less.
 *
 * Cost        Linear in the query, times the depth of its derived tables.
 */
#include "sample/row_template.h"

#include "relation/relation_condition.h"
#include "relation/relation_select.h"
#include "relation/relation_values.h"

#include <assert.h>

enum {
    SLOTS_MAX = 24,
    RULES_MAX = 60,
    DEPTH_MAX = 40,
};

static const template_frame *open_query(row_template *t,
                                        const bound_query *q,
                                        const template_frame *outer);
static void require(row_template *t, const template_frame *f, condition c);

static int32_t add_slot(row_template *t, int32_t table)
{
    assert(table >= 0 && table < t->m->s->n_tables);
    int32_t slot = (int32_t)t->slots.len;
    *vec_push(t->a, &t->slots) = (template_slot){table, (int32_t)t->cells.len};
    for (int32_t c = 0; c < t->m->s->tables[table].n_columns; c++) {
        *vec_push(t->a, &t->cells) =
            (template_cell){.id = t->m->first[table] + c};
        partition_add(&t->roots, t->a);
    }
    return slot;
}

static const template_frame *frame_of(const template_frame *f,
                                      const bound_block *own)
{
    while (f && f->block != own) {
        f = f->outer;
    }
    return f;
}

static int32_t template_source_cell(const row_template *t,
                                    const template_frame *f,
                                    const bound_source *s,
                                    int32_t column)
{
    for (int depth = 0; s && depth < DEPTH_MAX; depth++) {
        f = frame_of(f, s->block);
        if (!f || column < 0 || column >= s->n_columns) {
            return -1;
        }
        assert(s->no >= 0 && s->no < f->block->n_sources);
        if (f->slots[s->no] >= 0) {
            return t->slots.ptr[f->slots[s->no]].first_cell + column;
        }
        f = f->inner[s->no];
        if (!f || column >= f->block->n_outputs) {
            return -1;
        }
        const bound_column *output = &f->block->outputs[column];
        s = output->source;
        column = output->column;
    }
    return -1;
}

static int32_t output_cell(const row_template *t,
                           const template_frame *f,
                           ptrdiff_t i)
{
    return f && i < f->block->n_outputs && f->block->outputs[i].source
               ? template_source_cell(t, f, f->block->outputs[i].source,
                                      f->block->outputs[i].column)
               : -1;
}

int32_t template_cell_of(const row_template *t,
                         const template_frame *f,
                         const ast *n)
{
    const bound_ref *ref = bind_ref(t->b, n);
    const bound_column *item = bind_item(t->b, n);
    return item ? template_source_cell(t, f, item->source, item->column)
           : ref && ref->kind == REF_COLUMN
               ? template_source_cell(t, f, ref->source, ref->column)
               : -1;
}

// What an alias stands for, and where its names are looked up; NULL: nothing.
const ast *template_expr_of(const row_template *t,
                            const template_frame **f,
                            const ast *n)
{
    const bound_ref *ref = bind_ref(t->b, n);
    const bound_column *item = bind_item(t->b, n);
    if (!item && ref && ref->kind == REF_COLUMN && ref->column >= 0
        && ref->source->kind == SOURCE_QUERY) {
        const template_frame *in = frame_of(*f, ref->source->block);
        *f = in ? in->inner[ref->source->no] : NULL;
        item = *f && ref->column < (*f)->block->n_outputs
                   ? &(*f)->block->outputs[ref->column]
                   : NULL;
    } else {
        *f = item ? frame_of(*f, ref->of) : *f;
    }
    return item && *f ? item->expr : NULL;
}

static void add_rule(row_template *t, const template_frame *f, condition c)
{
    if (t->rules.len < RULES_MAX) {
        *vec_push(t->a, &t->rules) =
            (template_rule){.expr = c.node, .frame = f, .want = !c.has_not};
    }
}

static bool has_query(const row_template *t, const ast *n)
{
    node_list all = relation_nodes_of(t->a, n, NODES_ALL);
    bool found = false;
    for (ptrdiff_t i = 0; i < all.len && !found; i++) {
        found = ast_is_query(all.ptr[i]);
    }
    return found;
}

static int32_t bare_cell(const row_template *t,
                         const template_frame *f,
                         const ast *n)
{
    n = operand_bare(n);
    return n && (n->kind == AST_COLUMN || n->kind == AST_DOUBT)
               ? template_cell_of(t, f, n)
               : -1;
}

// Opens the subquery in the place of a value.
static const template_frame *open_scalar(row_template *t,
                                         const template_frame *f,
                                         const ast *n)
{
    const ast *query = operand_query(operand_bare(n));
    return open_query(t, bind_query_at(t->b, query), f);
}

// The cell that a subquery gives: a column, or MIN, MAX, AVG of one.
static int32_t scalar_cell(const row_template *t, const template_frame *f)
{
    if (!f || f->block->n_outputs < 1) {
        return -1;
    }
    int32_t cell = output_cell(t, f, 0);
    const ast *in = relation_column_in(f->block->outputs[0].expr);
    return cell < 0 && in ? template_cell_of(t, f, in) : cell;
}

static void require_comparison(row_template *t,
                               const template_frame *f,
                               condition c)
{
    const ast *sides[] = {c.left, c.right};
    int32_t cells[2];
    bool has_inner = false;
    for (int i = 0; i < 2; i++) {
        const template_frame *inner = open_scalar(t, f, sides[i]);
        has_inner |= inner != NULL;
        cells[i] = inner ? scalar_cell(t, inner) : bare_cell(t, f, sides[i]);
    }
    bool both = cells[0] >= 0 && cells[1] >= 0;
    bool equates = (c.how == OPERATOR_EQUAL || c.how == OPERATOR_NULL_SAFE)
                   && !c.is_denied;
    if (both && (equates || (has_inner && chance(t->r, 0.3)))) {
        partition_join(&t->roots, cells[0], cells[1]);
    } else if (!has_inner) {
        add_rule(t, f, c);
    }
}

static void require_in(row_template *t, const template_frame *f, condition c)
{
    const bound_query *q =
        ast_is_query(c.right) ? bind_query_at(t->b, c.right) : NULL;
    if (!q || (c.is_denied && chance(t->r, 0.4))) {
        return;
    }
    const template_frame *inner = open_query(t, q, f);
    for (ptrdiff_t i = 0; !c.is_denied && row_item(c.left, i); i++) {
        partition_join(&t->roots, bare_cell(t, f, row_item(c.left, i)),
                       output_cell(t, inner, i));
    }
}

// Both sides of an AND; of an OR with queries one.
static void require_logic(row_template *t, const template_frame *f, condition c)
{
    condition left = {0};
    condition_next(&c, &left);
    condition right = left;
    condition_next(&c, &right);
    if (c.kind == CONDITION_ALL) {
        require(t, f, left);
        require(t, f, right);
    } else if (has_query(t, c.node)) {
        require(t, f, chance(t->r, 0.5) ? left : right);
    } else {
        add_rule(t, f, c);
    }
}

static void require(row_template *t, const template_frame *f, condition c)
{
    if (!f || ++t->depth > DEPTH_MAX) {
        t->depth -= f != NULL;
        return;
    }
    bool is_logic = c.kind == CONDITION_ALL || c.kind == CONDITION_ANY;
    if (is_logic && c.node->kind == AST_BINARY) {
        require_logic(t, f, c);
    } else if (c.kind == CONDITION_PAIR) {
        require_comparison(t, f, c);
    } else if (c.node->kind == AST_IN && c.right) {
        require_in(t, f, c);
    } else if (c.node->kind != AST_EXISTS) {
        add_rule(t, f, c);
    } else if (!c.is_denied) {
        open_query(t, bind_query_at(t->b, c.right), f);
    }
    t->depth--;
}

static void require_all(row_template *t, const template_frame *f, const ast *n)
{
    if (n) {
        require(t, f, condition_of(n, false));
    }
}

static void use_cell(row_template *t, int32_t cell)
{
    if (cell >= 0) {
        assert(t->cells.ptr);
        t->cells.ptr[cell].is_used = true;
    }
}

static void open_sources(row_template *t, template_frame *f)
{
    const bound_block *block = f->block;
    for (ptrdiff_t i = 0; i < block->n_sources; i++) {
        const bound_source *s = block->sources[i];
        f->slots[i] = -1;
        if (s->kind == SOURCE_TABLE && t->slots.len < SLOTS_MAX) {
            f->slots[i] = add_slot(t, s->table);
        } else if (s->query && !s->is_recursive) {
            f->inner[i] = open_query(t, s->query, f);
        }
    }
    for (ptrdiff_t i = 0; i < block->n_merges; i++) {
        const bound_merge *g = &block->merges[i];
        partition_join(&t->roots,
                       template_source_cell(t, f, g->left, g->left_column),
                       template_source_cell(t, f, g->right, g->right_column));
    }
}

// SELECT (SELECT ...) / (SELECT ...) has the rows of its subqueries alone.
static void open_items(row_template *t, const template_frame *f)
{
    for (const ast *i = select_parts_of(f->block->node).items; i; i = i->next) {
        node_list all = relation_nodes_of(t->a, i, NODES_OF_BLOCK);
        for (ptrdiff_t k = 0; k < all.len; k++) {
            open_scalar(t, f, all.ptr[k]);
        }
    }
}

static const template_frame *open_block(row_template *t,
                                        const bound_block *block,
                                        const template_frame *outer)
{
    template_frame *f = arena_new(t->a, template_frame, 1);
    f->block = block;
    f->outer = outer;
    f->slots = arena_new(t->a, int32_t, block->n_sources + 1);
    f->inner = (const template_frame **)arena_alloc(
        t->a, sizeof *f->inner, _Alignof(max_align_t), block->n_sources + 1);
    open_sources(t, f);
    select_parts parts = select_parts_of(block->node);
    join_list joins = select_joins_of(t->a, parts.from);
    for (ptrdiff_t i = 0; i < joins.len; i++) {
        require_all(t, f, join_condition(joins.ptr[i]));
    }
    require_all(t, f, parts.where);
    require_all(t, f, parts.having);
    for (const ast *o = parts.order; o; o = o->next) {
        use_cell(t, bare_cell(t, f, ast_unaliased(o)));
    }
    for (const ast *g = parts.group; g; g = g->next) {
        int32_t cell = bare_cell(t, f, g);
        use_cell(t, cell);
        if (cell >= 0) {
            t->cells.ptr[cell].is_grouped = true;
        }
    }
    for (ptrdiff_t i = 0; i < block->n_outputs; i++) {
        use_cell(t, output_cell(t, f, i));
    }
    if (block->n_sources == 0) {
        open_items(t, f);
    }
    return f;
}

static const template_frame *open_query(row_template *t,
                                        const bound_query *q,
                                        const template_frame *outer)
{
    if (!q || ++t->depth > DEPTH_MAX) {
        t->depth -= q != NULL;
        return NULL;
    }
    const template_frame *f = NULL;
    if (q->block) {
        f = open_block(t, q->block, outer);
    } else if (q->body) {
        f = open_query(t, q->body, outer);
    } else {
        f = open_query(t, q->left, outer);
        const template_frame *right = open_query(t, q->right, outer);
        // Both sides of INTERSECT must agree, those of others may.
        bool agree = q->node->form == SETOP_FORM_INTERSECT || chance(t->r, 0.5);
        for (ptrdiff_t i = 0; agree && f && i < f->block->n_outputs; i++) {
            partition_join(&t->roots, output_cell(t, f, i),
                           output_cell(t, right, i));
        }
    }
    t->depth--;
    return f;
}

// The cells that a rule is about.
static void collect(row_template *t,
                    template_rule *rule,
                    const template_frame *f,
                    const ast *expr,
                    int depth)
{
    node_list all = relation_nodes_of(t->a, expr, NODES_WEIGHED);
    for (ptrdiff_t i = 0; i < all.len && depth < DEPTH_MAX / 4; i++) {
        const ast *n = all.ptr[i];
        if (n->kind != AST_COLUMN && n->kind != AST_DOUBT) {
            continue;
        }
        int32_t cell = template_cell_of(t, f, n);
        const template_frame *own = f;
        const ast *inner = cell < 0 ? template_expr_of(t, &own, n) : NULL;
        if (inner) {
            collect(t, rule, own, inner, depth + 1);
        }
        use_cell(t, cell);
        if (cell >= 0 && rule->n_roots < countof(rule->roots)) {
            rule->roots[rule->n_roots++] = template_root(t, cell);
        }
    }
}

// Roots get what is known of their cells. A key that only stands in a result
// is left to the rows, where no two may be alike; one that refers to another
// table is not, or all rows would have one parent.
static void settle(row_template *t)
{
    assert(t->depth == 0);
    int32_t *cells = arena_new(t->a, int32_t, t->cells.len);
    bool *has_rule = arena_new(t->a, bool, t->cells.len);
    for (ptrdiff_t i = 0; i < t->rules.len; i++) {
        template_rule *r = &t->rules.ptr[i];
        collect(t, r, r->frame, r->expr, 0);
        for (ptrdiff_t k = 0; k < r->n_roots; k++) {
            has_rule[r->roots[k]] = true;
        }
    }
    for (int32_t c = 0; c < t->cells.len; c++) {
        int32_t root = template_root(t, c);
        cells[root]++;
        t->cells.ptr[root].is_used |= t->cells.ptr[c].is_used;
        t->cells.ptr[root].is_grouped |= t->cells.ptr[c].is_grouped;
    }
    for (int32_t c = 0; c < t->cells.len; c++) {
        template_cell *cell = &t->cells.ptr[c];
        const column_facts *f = &t->m->columns[cell->id];
        if (template_root(t, c) == c) {
            cell->is_joined = cells[c] > 1;
            cell->is_used = cells[c] > 1 || has_rule[c]
                            || (cell->is_used && (!f->is_key || f->is_foreign));
        }
    }
}

row_template template_new(row_builder *b, const binding *q)
{
    row_template t = {.m = b->m, .b = q, .a = b->a, .r = &b->r, .count = 1};
    open_query(&t, q->query, NULL);
    settle(&t);
    template_read_rules(&t);
    t.values = arena_new(t.a, cell_values, t.cells.len);
    return t;
}
