/*
 * build.c - SELECTs and set operations as blocks; see build.h.
 */
#include "relation/build_internal.h"
#include "relation/fragment.h"
#include "relation/known.h"
#include "relation/relation_told.h"

#include <assert.h>

// Without what is none: LIMIT -1, OFFSET 0.
static void take_limit(builder *b, block *out, const ast *limit)
{
    if (!limit) {
        return;
    }
    if (limit->kind != AST_LIMIT
        || (limit->flags & (AST_FLAG_PERCENT | AST_FLAG_TIES))) {
        prover_stop(b->p, S("a LIMIT in per cent or with ties"));
        return;
    }
    const ast *rows = limit->kid[LIMIT_COUNT];
    const ast *skip = limit->kid[LIMIT_OFFSET];
    out->limit = rows ? build_term(b, rows) : NULL;
    out->offset = skip ? build_term(b, skip) : NULL;
    // Others than SQLite fail where a number is negative.
    bool is_typed = prover_is_typed(b->p);
    if (out->limit && out->limit->kind == TERM_INTEGER && out->limit->number < 0
        && !is_typed) {
        out->limit = NULL;
    }
    if (b->p->proving && !out->set && out->limit && !out->offset
        && term_is_number(out->limit, 0)) {
        // No rows, in whatever order.
        out->limit = NULL;
        out->order.len = 0;
        term_list_push(b->p, out->is_grouped ? &out->having : &out->where,
                       term_boolean(b->p, false));
    }
    if (out->offset && out->offset->kind == TERM_INTEGER
        && (out->offset->number == 0
            || (out->offset->number < 0 && !is_typed))) {
        out->offset = NULL;
    }
}

sort_term build_sort(const builder *b, const ast *n, const term *t)
{
    bool is_sort = n->kind == AST_SORT;
    sort_term key = {
        .term = term_key(b->p, t),
        .is_descending = is_sort && n->form == SORT_FORM_DESC,
    };
    key.nulls_last = sort_puts_nulls_last(b->p, key.is_descending);
    if (is_sort && (n->flags & AST_FLAG_NULLS_FIRST)) {
        key.nulls_last = false;
    } else if (is_sort && (n->flags & AST_FLAG_NULLS_LAST)) {
        key.nulls_last = true;
    }
    return key;
}

// Of a test of NULL what is tested, and whether NULL comes last by it.
static const term *sorted_null(const sort_term *key, bool *is_last)
{
    const term *t = key->term;
    bool is_case = t->kind == TERM_CASE && t->n == 3;
    bool falls = is_case && term_is_number(t->args[1], 0)
                 && term_is_number(t->args[2], 1);
    bool rises = is_case && term_is_number(t->args[1], 1)
                 && term_is_number(t->args[2], 0);
    t = falls || rises ? t->args[0] : t;
    const term *x = term_tested_null(t);
    *is_last = (x != NULL) != (falls != key->is_descending);
    return x ? x : term_tested_not_null(t);
}

// ORDER BY x IS NULL, x says where NULL stands: NULLS LAST.
static void take_sort(prover *p, block *out, sort_term key)
{
    sort_term *before =
        out->order.len > 0 ? &out->order.ptr[out->order.len - 1] : NULL;
    bool is_last = false;
    if (before && sorted_null(before, &is_last) == key.term) {
        key.nulls_last = is_last;
        out->order.len--;
    }
    *vec_push(p->a, &out->order) = key;
}

static void take_order(builder *b, block *out, const ast *list)
{
    for (const ast *n = list; n && !prover_stopped(b->p); n = n->next) {
        const ast *expr = ast_unaliased(n);
        const term *t = build_term(b, expr);
        if (t) {
            take_sort(b->p, out, build_sort(b, n, t));
        }
    }
}

static void take_group(builder *b, block *out, const ast *select)
{
    const ast *list = select->kid[SELECT_GROUP];
    out->has_group = list != NULL;
    if (select->flags & AST_FLAG_ROLLUP) {
        prover_stop(b->p, S("GROUP BY WITH ROLLUP"));
    }
    for (const ast *n = list; n && !prover_stopped(b->p); n = n->next) {
        const term *t = build_term(b, n);
        if (t) {
            term_list_add(b->p, &out->group, term_key(b->p, t));
        }
    }
}

static build_scope *open_scope(builder *b, const bound_block *bound, block *out)
{
    arena *a = b->p->a;
    build_scope *s = arena_new(a, build_scope, 1);
    s->outer = b->scope;
    s->bound = bound;
    s->block = out;
    s->columns = arena_new(a, const term *const *, bound->n_sources);
    s->rowids = arena_new(a, const term *, bound->n_sources);
    s->outputs = arena_new(a, const term *, bound->n_outputs);
    return s;
}

const term *build_column(builder *b, const bound_source *s, int32_t column)
{
    assert(column >= -1 && column < s->n_columns);  // -1: the rowid
    for (const build_scope *at = b->scope; at; at = at->outer) {
        if (at->bound == s->block) {
            assert(s->no >= 0 && s->no < at->bound->n_sources);
            if (!at->columns[s->no]) {
                return prover_stop(b->p, S("a lateral reference"));
            }
            return column >= 0 ? build_generated(b, at->columns[s->no][column])
                               : at->rowids[s->no];
        }
    }
    return prover_stop(b->p, S("a name from elsewhere"));
}

const term *build_output(builder *b, int32_t output)
{
    const build_scope *s = b->scope;
    assert(output >= 0 && output < s->bound->n_outputs);
    const bound_column *c = &s->bound->outputs[output];
    if (!s->outputs[output]) {
        s->outputs[output] = c->expr ? build_term(b, c->expr)
                             : c->source
                                 ? build_column(b, c->source, c->column)
                                 : prover_stop(b->p, S("an item of unknown "
                                                       "meaning"));
    }
    return s->outputs[output];
}

static void take_select(builder *b, block *out)
{
    ptrdiff_t n = b->scope->bound->n_outputs;
    for (ptrdiff_t i = 0; i < n && !prover_stopped(b->p); i++) {
        const term *t = build_output(b, (int32_t)i);
        if (t) {
            term_list_push(b->p, &out->select, term_item(b->p, t));
        }
    }
}

static bool is_plain_select(builder *b, const ast *n)
{
    if (n->kid[SELECT_ON]) {
        prover_stop(b->p, S("DISTINCT ON"));
    } else if (n->kid[SELECT_QUALIFY]) {
        prover_stop(b->p, S("QUALIFY"));
    }
    return !prover_stopped(b->p);
}

void build_conditions(builder *b, term_list *set, const ast *n)
{
    const term *t = n ? build_term(b, n) : NULL;
    if (t) {
        term_conjoin(b->p, set, t);
    }
}

static walk_step look_for_converted(void *context, const term *t)
{
    prover *p = context;
    if (t->kind == TERM_COLUMN && t->source->body && known_converts(p, t)) {
        prover_stop(p, S("a column that SQLite may convert"));
    }
    return prover_stopped(p) ? WALK_END : WALK_ON;
}

// A derived table that is read once, row by row, from where it stands. Any
// other SQLite may keep, in a table or an index of its own, and one with LIMIT,
// be it -1, it computes by itself; its plan says which.
static bool is_read_once(const builder *b, const ast *from)
{
    const ast *s = ast_unaliased(from);
    return s->kind == AST_SUBQUERY && b->n_terms == 0
           && !ast_query_has(s->kid[SUBQUERY_QUERY], QUERY_LIMIT);
}

static void look_at_kept(builder *b, const block *out, const ast *from)
{
    if (from && !prover_is_typed(b->p) && !is_read_once(b, from)) {
        block_walk(out, look_for_converted, b->p);
    }
}

static void build_select(builder *b, block *out, const bound_block *bound)
{
    const ast *n = bound->node;
    if (!is_plain_select(b, n)) {
        return;
    }
    build_scope *scope = open_scope(b, bound, out);
    b->scope = scope;
    if (n->kid[SELECT_FROM]) {
        build_from(b, n->kid[SELECT_FROM]);
    }
    if (!prover_stopped(b->p)) {
        out->is_grouped = bound->is_grouped;
        bool is_distinct = (n->flags & AST_FLAG_DISTINCT) != 0;
        out->repeats = is_distinct ? REPEATS_DROPPED : REPEATS_KEPT;
        build_conditions(b, &out->where, n->kid[SELECT_WHERE]);
        build_turn(b, out);
        term_list outside = b->p->extremes;
        b->p->extremes = (term_list){0};
        take_select(b, out);
        take_group(b, out, n);
        build_conditions(b, &out->having, n->kid[SELECT_HAVING]);
        take_order(b, out, n->kid[SELECT_ORDER]);
        out->extremes = b->p->extremes;
        b->p->extremes = outside;
        take_limit(b, out,
                   n->kid[SELECT_LIMIT] ? n->kid[SELECT_LIMIT]
                                        : n->kid[SELECT_TOP]);
        look_at_kept(b, out, n->kid[SELECT_FROM]);
        b->p->picks |= know_picks(b->p, out);
    }
    if (!prover_stopped(b->p)) {
        build_unnest(b, out);
    }
    assert(b->scope == scope);  // whatever was built inside closed its own
    b->scope = scope->outer;
}

enum {
    VALUES_MAX = 50  // rows
};

// VALUES (1), (2) is SELECT 1 UNION ALL SELECT 2.
static block *build_values(builder *b, const ast *n)
{
    block *all = NULL;
    int rows = 0;
    for (const ast *row = n->kid[VALUES_ROWS]; row; row = row->next) {
        block *one = block_new(b->p);
        if (++rows > VALUES_MAX || row->kind != AST_ROW) {
            return prover_stop(b->p, S("VALUES of many rows"));
        }
        if (!build_terms(b, row->kid[ROW_ITEMS], &one->select)) {
            return NULL;
        }
        if (all && one->select.len != block_outputs(all)) {
            return prover_stop(b->p, S("VALUES of unlike rows"));
        }
        if (all && !build_agrees(b, all, one)) {
            return NULL;
        }
        block *both = all ? block_new(b->p) : one;
        if (all) {
            both->set = SET_UNION;
            both->is_all = true;
            both->left = all;
            both->right = one;
        }
        all = both;
    }
    if (all && (n->kid[VALUES_ORDER] || n->kid[VALUES_LIMIT])) {
        return prover_stop(b->p, S("VALUES with ORDER BY or LIMIT"));
    }
    return all ? all : prover_stop(b->p, S("VALUES without rows"));
}

static set_operator set_of(const ast *n)
{
    assert(n->kind == AST_SETOP);
    return n->form == SETOP_FORM_UNION       ? SET_UNION
           : n->form == SETOP_FORM_INTERSECT ? SET_INTERSECT
                                             : SET_EXCEPT;
}

// Keys of ORDER BY of a set operation are among its columns.
static void take_set_order(builder *b, block *out, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        const ast *expr = ast_unaliased(n);
        const bound_ref *ref = bind_ref(b->p->bound, expr);
        if (!ref || (ref->kind != REF_OUTPUT && ref->kind != REF_POSITION)) {
            prover_stop(b->p, S("ORDER BY an expression of a set operation"));
            return;
        }
        const term *t =
            term_make(b->p, (term){.kind = TERM_OUTPUT, .column = ref->output});
        *vec_push(b->p->a, &out->order) = build_sort(b, n, t);
    }
}

// Whether a SELECT of it reads a UNION ALL, perhaps from further within.
static bool reads_union_all(const block *b)
{
    if (b->left) {
        return reads_union_all(b->left) || reads_union_all(b->right);
    }
    bool found = false;
    for (ptrdiff_t i = 0; i < b->sources.len && !found; i++) {
        const block *body = b->sources.ptr[i]->body;
        found = body && (block_is_union_all(body) || reads_union_all(body));
    }
    return found;
}

// How the sides of a set operation compare a column.
enum {
    SIDE_COLLATES = 1,  // by a collation of its own that is not BINARY
    SIDE_TAKES = 2,     // by that of another side: it is computed, and rules
                        // may put what lends one in its place
};

static bool lends_output(const block *b, ptrdiff_t column);

// Has the term a collation of its own, however many of the queries that it
// comes from SQLite makes one of?
static bool lends(const term *t)
{
    schema_collation c = COLLATION_BINARY;
    bool is_derived = t->kind == TERM_COLUMN && t->source->body;
    return is_derived ? lends_output(t->source->body, t->column)
                      : t->kind != TERM_AS && term_collation(t, &c);
}

// Bounded by DEPTH_MAX, as the blocks are.
static bool lends_output(const block *b, ptrdiff_t column)
{
    return b->set
               ? lends_output(b->left, column) && lends_output(b->right, column)
               : lends(b->select.ptr[column]);
}

static unsigned collations_of(const block *b, ptrdiff_t column)
{
    if (b->left) {
        return collations_of(b->left, column) | collations_of(b->right, column);
    }
    const term *t = b->select.ptr[column];
    schema_collation c = COLLATION_BINARY;
    bool collates = term_collation(t, &c) && c != COLLATION_BINARY;
    return (collates ? SIDE_COLLATES : 0)
           | (!lends(t) && (t->has & (HAS_COLUMN | HAS_BLOCK)) ? SIDE_TAKES
                                                               : 0);
}

// SQLite makes one query of a SELECT and the UNION ALL that it reads, and then
// compares the rows of UNION, INTERSECT and EXCEPT without their collations.
static bool loses_collation(const prover *p, const block *b)
{
    bool reads_all = reads_union_all(b);
    bool loses = false;
    for (ptrdiff_t i = 0; i < block_outputs(b) && !loses; i++) {
        unsigned how = collations_of(b, i);
        loses = (how & SIDE_COLLATES) && (reads_all || (how & SIDE_TAKES));
    }
    return loses && p->bound->dialect == DIALECT_SQLITE
           && !block_is_union_all(b);
}

static block *build_set(builder *b, const bound_query *q)
{
    ast *const *kid = q->node->kid;
    block *out = block_new(b->p);
    out->set = set_of(q->node);
    out->is_all = (q->node->flags & AST_FLAG_ALL) != 0;
    out->left = build_any(b, q->left);
    out->right = out->left ? build_any(b, q->right) : NULL;
    if (!out->right) {
        return NULL;
    }
    if (block_outputs(out->left) != block_outputs(out->right)) {
        return prover_stop(b->p, S("sides with unlike numbers of columns"));
    }
    if (loses_collation(b->p, out)) {
        return prover_stop(b->p, S("a set operation that loses its collation"));
    }
    // What is picked of a group decides which rows are equal.
    if (!block_is_union_all(out)
        && (know_picks(b->p, out->left) || know_picks(b->p, out->right))) {
        return prover_stop(b->p, S(OBSTACLE_BARE));
    }
    take_set_order(b, out, kid[SETOP_ORDER]);
    take_limit(b, out, kid[SETOP_LIMIT]);
    return out;
}

// ( query ) with an ORDER BY or LIMIT of its own.
static block *build_nested(builder *b, const bound_query *q)
{
    block *body = build_any(b, q->body);
    const ast *order = q->node->kid[NESTED_ORDER];
    const ast *limit = q->node->kid[NESTED_LIMIT];
    if (body && (order || limit)) {
        return prover_stop(b->p, S("ORDER BY or LIMIT after parentheses"));
    }
    return body;
}

block *build_any(builder *b, const bound_query *q)
{
    block *out = NULL;
    if (b->depth >= DEPTH_MAX || prover_stopped(b->p)) {
        return prover_stop(b->p, S("queries that are nested too deeply"));
    }
    b->depth++;
    if (q->body) {
        out = build_nested(b, q);
    } else if (q->left) {
        out = q->right ? build_set(b, q) : NULL;
    } else if (q->block && q->block->node->kind == AST_SELECT) {
        out = block_new(b->p);
        build_select(b, out, q->block);
    } else if (q->block && q->block->node->kind == AST_VALUES) {
        out = build_values(b, q->block->node);
    } else {
        prover_stop(b->p, S("a query of unknown form"));
    }
    b->depth--;
    if (!out || prover_stopped(b->p)) {
        return prover_stop(b->p, S("a query of unknown form"));
    }
    out->pos = q->node->pos;
    out->len = q->node->len;
    out->node = q->node;
    *vec_push(b->p->a, &b->p->read) = out;
    return out;
}

block *build_subquery(builder *b, const ast *query)
{
    const bound_query *q = bind_query_at(b->p->bound, query);
    b->n_terms++;
    block *body = q ? build_settle(b, build_any(b, q))
                    : prover_stop(b->p, S("a subquery of unknown form"));
    b->n_terms--;
    return body;
}

block *build_query(prover *p)
{
    builder b = {.p = p};
    if (p->bound->problems.len > 0 || !p->bound->query) {
        return prover_stop(p, S("a name that is not known"));
    }
    str outside = fragment_obstacle(p->bound);
    if (outside.len > 0) {
        return prover_stop(p, outside);
    }
    return build_settle(&b, build_any(&b, p->bound->query));
}
