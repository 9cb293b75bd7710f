/*
 * bind_items.c - the columns of a result: the select list with `*` spelled out.
 *
 * Method      Of columns that USING or NATURAL joined, `*` shows one; `t.*`
 *             shows all of t. In SQLite a column that `*` stands for counts as
 *             an alias in ORDER BY; the others let ORDER BY name any column of
 *             the result.
 *
 * Invariant   The block's outputs are complete up to the item that is being
 *             bound, so an alias can be seen by the items after it (Snowflake).
 *
 * Cost        Linear in the columns shown, times the joined pairs. In SQLite
 *             times the sources, to find a second table of the same name.
 */
#include "schema/bind_internal.h"

#include <assert.h>

typedef vec_of(bound_column) output_list;

typedef vec_of(bool) alias_list;

typedef struct item_list {
    binder *b;
    bind_scope *s;
    output_list outputs;
    alias_list aliases;
} item_list;

static void add_output(item_list *l, bound_column c, bool is_alias)
{
    if (l->outputs.len >= BIND_COLUMNS_MAX) {
        return;
    }
    bound_column *output = vec_push(l->b->a, &l->outputs);
    *output = c;
    bool *alias = vec_push(l->b->a, &l->aliases);
    *alias = is_alias;
    assert(l->aliases.len == l->outputs.len);
    l->s->block.outputs = l->outputs.ptr;
    l->s->block.n_outputs = l->outputs.len;
    l->s->is_alias = l->aliases.ptr;
}

static bool is_left_out(const binder *b, const ast *star, str name)
{
    for (const ast *n = star->kid[STAR_EXCEPT]; n; n = n->next) {
        if (bind_name_is(b, name, n)) {
            return true;
        }
    }
    return false;
}

static const ast *replacement(const binder *b, const ast *star, str name)
{
    for (const ast *n = star->kid[STAR_REPLACE]; n; n = n->next) {
        if (n->kind == AST_ALIAS && bind_name_is(b, name, n)) {
            return n->kid[ALIAS_EXPR];
        }
    }
    return NULL;
}

static bound_column column_of(const bound_source *source, int32_t column)
{
    assert(column >= 0 && column < source->n_columns);
    bound_column c = source->columns[column];
    c.expr = NULL;
    c.source = source;
    c.column = column;
    return c;
}

// The joined column that stands where its left one does.
static bound_column shown_column(const bind_scope *s,
                                 const bound_source *source,
                                 int32_t column)
{
    bound_column c = column_of(source, column);
    for (ptrdiff_t i = 0; i < s->merges.len; i++) {
        const bound_merge *m = &s->merges.ptr[i];
        if (m->left != source || m->left_column != column) {
            continue;
        }
        if (m->join->form == JOIN_FORM_RIGHT) {
            c = column_of(m->right, m->right_column);
        }
        c = m->is_united ? bind_computed(c) : c;
    }
    return c;
}

// SQLite takes `*` for main.t.x, main.t.y, ...: of two tables of one name that
// have a column the second must be joined to the first.
static void check_twins(item_list *l,
                        const ast *star,
                        const bound_source *source,
                        str column)
{
    ast name = {
        .kind = AST_NAME, .text = column, .pos = star->pos, .len = star->len};
    const bound_source *first = NULL;
    const bound_merge *m;
    bool is_sqlite = l->b->b->dialect == DIALECT_SQLITE;
    for (ptrdiff_t i = 0; is_sqlite && i < l->s->sources.len; i++) {
        const bound_source *s = l->s->sources.ptr[i];
        bool has_name = source->name.len > 0 && s->kind == source->kind
                        && str_equal_fold(s->name, source->name);
        int32_t c = has_name ? bind_find_column(l->b, s, &name) : -1;
        if (c >= 0 && first && !bind_merged_away(l->s, s, c, &m)) {
            bind_is_ambiguous(l->b, &name, first, s);
            return;
        }
        first = c >= 0 && !first ? s : first;
    }
}

static void add_source(item_list *l,
                       const ast *star,
                       const bound_source *source,
                       bool is_all)
{
    for (ptrdiff_t i = 0; i < source->n_columns; i++) {
        const bound_merge *m;
        str name = source->columns[i].name;
        int32_t column = (int32_t)i;
        if ((is_all && bind_merged_away(l->s, source, column, &m))
            || is_left_out(l->b, star, name)) {
            continue;
        }
        check_twins(l, star, source, name);
        bound_column c = is_all ? shown_column(l->s, source, column)
                                : column_of(source, column);
        const ast *other = replacement(l->b, star, name);
        if (other) {
            bind_expr(l->b, l->s, other);
            c = bind_type(l->b->b, other);
            c.name = name;
        }
        add_output(l, c, true);
    }
    bool is_open = source->kind == SOURCE_UNKNOWN
                   || (source->query && source->query->is_open);
    l->s->is_open |= is_open;
}

static void add_star(item_list *l, const ast *star)
{
    assert(star->kind == AST_STAR);
    const ast *qualifier = ast_last(star->kid[STAR_PATH]);
    bool found = false;
    for (ptrdiff_t i = 0; i < l->s->sources.len; i++) {
        const bound_source *source = l->s->sources.ptr[i];
        if (bind_sees(l->s, source)
            && (!qualifier
                || bind_is_whole_source(l->b, l->s, source, i, qualifier))) {
            add_source(l, star, source, !qualifier);
            found = true;
        }
    }
    if (!found) {
        l->s->is_open = true;
        if (qualifier) {
            bind_no_table(l->b, l->s, qualifier);
        }
    }
}

static bool is_named_by_itself(const binder *b, const ast *expr)
{
    return expr->kind == AST_COLUMN
           || (expr->kind == AST_CALL
               && dialect_follows_postgres(b->b->dialect));
}

static void add_item(item_list *l, const ast *item)
{
    const ast *expr = ast_unaliased(item);
    if (expr->kind == AST_STAR) {
        add_star(l, expr);
        return;
    }
    bind_expr(l->b, l->s, expr);
    bound_column c = bind_type(l->b->b, expr);
    bool is_alias = item->kind == AST_ALIAS;
    if (is_alias) {
        c.name = item->text;
    } else if (c.source) {
        c.name = c.source->columns[c.column].name;
    } else if (is_named_by_itself(l->b, expr)) {
        c.name = expr->text;
    }
    bool is_shown = l->b->b->dialect != DIALECT_SQLITE && c.name.len > 0;
    add_output(l, c, is_alias || is_shown);
}

void bind_items(binder *b, bind_scope *s, const ast *items)
{
    item_list list = {.b = b, .s = s};
    s->clause = CLAUSE_ITEMS;
    for (const ast *n = items; n; n = n->next) {
        add_item(&list, n);
    }
}
