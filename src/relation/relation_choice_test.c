/*
 * relation_choice_test.c - the queries that tell whether a choice matters.
 *
 * Method      A test is the query at hand with some of its clauses exchanged,
 *             or a text around a part of it. What stands in a WITH around it
 *             goes in front. An alias that is used where the test has none is
 *             spelled out.
 */
#include "relation/relation_choice_internal.h"
#include "sql/ast_rewrite.h"
#include "sql/print.h"

// A test that is made; its trees go with it.
typedef struct test {
    engine_choice_builder c;
    engine_choice out;
    vec_of(engine_choice_key) keys;
    bool has_other;  // a key is compared as we cannot
} test;

static test test_of(const engine_choice_builder *c, engine_choice_kind kind)
{
    return (test){.c = *c, .out = {.kind = kind}};
}

// Keys are compared by us, and we compare by bytes or without letter case.
static void add_key(test *t, int32_t column, schema_collation how)
{
    t->has_other |= how != COLLATION_BINARY && how != COLLATION_NOCASE;
    *vec_push(t->c.a, &t->keys) =
        (engine_choice_key){column, how != COLLATION_BINARY};
}

static str printed(const test *t, const ast *query)
{
    return print_line(t->c.a, query, t->c.b->dialect, t->c.trees);
}

static engine_choice made(test *t, str sql)
{
    t->out.keys = t->keys.ptr;
    t->out.n_keys = t->keys.len;
    t->out.sql = t->has_other ? (str){0} : sql;
    return t->out;
}

// The items of a SELECT in our words; NULL: with what it holds of the query it
// is nested too deeply to be read.
static ast *items_of(test *t, str sql)
{
    arena scratch = arena_half(&t->c.trees);
    parse_result r = parse_sql(&t->c.trees, sql, t->c.b->dialect, scratch);
    return r.errors.len == 0 ? r.statements->kid[SELECT_ITEMS] : NULL;
}

static ast **append(ast **end, ast *n)
{
    *end = n;
    return &n->next;
}

// Appends copies of the list's nodes; returns where the next one goes.
static ast **append_list(test *t, ast **end, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        end = append(end, ast_copy(&t->c.trees, n));
    }
    return end;
}

// All CTEs in reach, and those of the query itself.
static ast *merged_with(test *t, const ast *own)
{
    if (t->c.with.len == 0 && !own) {
        return NULL;
    }
    ast *with = ast_new(&t->c.trees, AST_WITH);
    ast **end = &with->kid[WITH_CTES];
    for (ptrdiff_t i = 0; i <= t->c.with.len; i++) {
        bool is_last = i == t->c.with.len;
        const ast *one = is_last ? own : t->c.with.ptr[i];
        if (one && (is_last || one != own)) {
            with->flags |= one->flags;
            end = append_list(t, end, one->kid[WITH_CTES]);
        }
    }
    return with;
}

// The query without its order and limit, with all CTEs in reach.
static ast *unsorted(test *t, const ast *query)
{
    ast *all = ast_copy(&t->c.trees, query);
    *ast_query_part(all, QUERY_WITH) =
        merged_with(t, ast_query_has(query, QUERY_WITH));
    *ast_query_part(all, QUERY_ORDER) = NULL;
    *ast_query_part(all, QUERY_LIMIT) = NULL;
    return all;
}

// SELECT items FROM ... WHERE ... of the SELECT, nothing else of it.
static ast *ungrouped(test *t, const ast *select, ast *items)
{
    ast *rows = ast_new(&t->c.trees, AST_SELECT);
    rows->kid[SELECT_WITH] = merged_with(t, select->kid[SELECT_WITH]);
    rows->kid[SELECT_ITEMS] = items;
    rows->kid[SELECT_FROM] = select->kid[SELECT_FROM];
    rows->kid[SELECT_WHERE] = select->kid[SELECT_WHERE];
    return rows;
}

typedef struct spelling {
    test *t;
    const bound_block *block;
} spelling;

// What an alias stands for. They do not reach into subqueries.
static ast *spelled(void *context, const ast *n)
{
    const spelling *s = context;
    const bound_column *item = bind_item(s->t->c.b, n);
    bool is_item = item && bind_ref(s->t->c.b, n)->of == s->block && item->expr;
    return is_item           ? ast_copy(&s->t->c.trees, item->expr)
           : ast_is_query(n) ? ast_copy(&s->t->c.trees, n)
                             : NULL;
}

static ast **append_spelled(test *t,
                            ast **end,
                            const ast *n,
                            const bound_block *of)
{
    return append(end,
                  ast_rewrite(&t->c.trees, n, spelled, &(spelling){t, of}));
}

// The output that a sort key is, or -1.
static int32_t output_of(const test *t, const bound_query *q, const ast *key)
{
    const bound_ref *ref = bind_ref(t->c.b, key);
    if (ref && (ref->kind == REF_OUTPUT || ref->kind == REF_POSITION)
        && ref->depth == 0) {
        return ref->output;
    }
    for (int32_t i = 0; i < q->n_outputs; i++) {
        const ast *item = ast_unaliased(q->outputs[i].expr);
        if (item && ast_equal(item, key)) {
            return i;
        }
    }
    return -1;
}

engine_choice engine_choice_test_limit(engine_choice_builder *c,
                                       const ast *query,
                                       row_range range)
{
    test t = test_of(c, CHOICE_LIMIT);
    const bound_query *q = bind_query_at(c->b, query);
    t.out.count = range.count;
    t.out.offset = range.offset;
    if (!q) {
        return t.out;
    }
    ast *all = unsorted(&t, query);
    const ast *order = ast_query_has(query, QUERY_ORDER);
    append_list(&t, ast_query_part(all, QUERY_ORDER), order);
    bool is_select = query->kind == AST_SELECT;
    bool can_append = is_select && !(query->flags & AST_FLAG_DISTINCT);
    ast **end = is_select ? &all->kid[SELECT_ITEMS] : NULL;
    while (end && *end) {
        end = &(*end)->next;
    }
    t.out.n_shown = q->n_outputs;
    t.out.n_columns = q->n_outputs;
    for (const ast *s = order; s && !t.has_other; s = s->next) {
        const ast *key = ast_unaliased(s);
        int32_t column = output_of(&t, q, key);
        schema_collation how = column >= 0 ? engine_choice_collation(q, column)
                                           : bind_type(c->b, key).collation;
        if (column < 0 && can_append) {
            column = (int32_t)t.out.n_columns++;
            end = append_spelled(&t, end, key, q->block);
        }
        add_key(&t, column, how);
        t.has_other |= column < 0;
    }
    return made(&t, printed(&t, all));
}

// The columns `bare` by the keys of the groups, and by `key` if there is one.
static engine_choice test_groups(engine_choice_builder *c,
                                 const ast *select,
                                 const ast *key,
                                 const node_list *bare,
                                 const ast *argument)
{
    test t = test_of(c, CHOICE_BARE);
    const bound_block *of = bind_block_at(c->b, select);
    ast *items = NULL;
    ast **end = &items;
    const ast *g = select->kid[SELECT_GROUP];
    for (int32_t i = 0; g || key; i++) {
        const ast *one = g ? g : key;
        end = append_spelled(&t, end, one, of);
        add_key(&t, i, bind_type(c->b, one).collation);
        key = g ? key : NULL;
        g = g ? g->next : NULL;
    }
    for (ptrdiff_t i = 0; i < bare->len; i++) {
        end = append_spelled(&t, end, bare->ptr[i], of);
    }
    if (argument) {
        append_spelled(&t, end, argument, of);
    }
    t.out.n_bare = bare->len;
    return made(&t, printed(&t, ungrouped(&t, select, items)));
}

engine_choice engine_choice_test_bare(engine_choice_builder *c,
                                      const ast *select,
                                      const node_list *bare,
                                      engine_choice_extreme extreme,
                                      const ast *argument)
{
    engine_choice out = test_groups(c, select, NULL, bare, argument);
    out.extreme = extreme;
    return out;
}

engine_choice engine_choice_test_extreme(engine_choice_builder *c,
                                         const ast *select,
                                         const ast *argument)
{
    node_list spelled = {0};
    *vec_push(c->a, &spelled) = argument;
    return test_groups(c, select, argument, &spelled, NULL);
}

engine_choice engine_choice_test_distinct(engine_choice_builder *c,
                                          const ast *select)
{
    test t = test_of(c, CHOICE_BARE);
    const bound_query *q = bind_query_at(c->b, select);
    ast *all = unsorted(&t, select);
    all->flags &= (uint16_t)~AST_FLAG_DISTINCT;
    all->kid[SELECT_ITEMS] = NULL;
    ast **end =
        append_list(&t, &all->kid[SELECT_ITEMS], select->kid[SELECT_ITEMS]);
    append_list(&t, end, select->kid[SELECT_ITEMS]);
    for (int32_t i = 0; i < q->n_outputs; i++) {
        add_key(&t, i, q->outputs[i].collation);
    }
    t.out.n_bare = q->n_outputs;
    return made(&t, printed(&t, all));
}

// All rows of both sides, once as keys and once as what is shown of them.
engine_choice engine_choice_test_set(engine_choice_builder *c, const ast *query)
{
    test t = test_of(c, CHOICE_BARE);
    const bound_query *q = bind_query_at(c->b, query);
    ast *all = unsorted(&t, query);
    all->form = SETOP_FORM_UNION;
    all->flags |= AST_FLAG_ALL;
    for (int32_t i = 0; i < q->n_outputs; i++) {
        add_key(&t, i, engine_choice_collation(q, i));
    }
    t.out.n_bare = q->n_outputs;
    str rows = printed(&t, all);
    return made(&t,
                arena_printf(c->a, "SELECT *, * FROM (%.*s)", STR_ARG(rows)));
}

// Are there rows of which the first item, n, is more than one?
static engine_choice more_than_one(test *t, const ast *query)
{
    str rows = printed(t, query);
    return made(t, arena_printf(t->c.a, "SELECT 1 FROM (%.*s) WHERE n > 1",
                                STR_ARG(rows)));
}

engine_choice engine_choice_test_window(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *window)
{
    test t = test_of(c, CHOICE_ROWS);
    const bound_block *of = bind_block_at(c->b, select);
    ast *items = items_of(&t, S("SELECT count(*) OVER () AS n"));
    ast *over = items->kid[ALIAS_EXPR]->kid[CALL_OVER];
    ast **end = &over->kid[WINDOW_PARTITION];
    for (const ast *p = window->kid[WINDOW_PARTITION]; p; p = p->next) {
        end = append_spelled(&t, end, p, of);
    }
    for (const ast *o = window->kid[WINDOW_ORDER]; o; o = o->next) {
        end = append_spelled(&t, end, ast_unaliased(o), of);
    }
    return more_than_one(&t, ungrouped(&t, select, items));
}

engine_choice engine_choice_test_single(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *query)
{
    test t = test_of(c, CHOICE_ROWS);
    ast *all = ast_copy(&t.c.trees, query);
    *ast_query_part(all, QUERY_LIMIT) = NULL;
    *ast_query_part(all, QUERY_ORDER) = NULL;
    str rows = printed(&t, all);
    str counts = arena_printf(c->a, "SELECT (SELECT count(*) FROM (%.*s)) AS n",
                              STR_ARG(rows));
    ast *items = items_of(&t, counts);
    if (!items) {
        return made(&t, (str){0});
    }
    ast *each = ungrouped(&t, select, items);
    each->kid[SELECT_WHERE] = NULL;
    return more_than_one(&t, each);
}
