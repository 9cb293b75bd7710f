/*
 * relation_choice_test.c - the queries that tell whether a choice matters.
 *
 * Method      A test is the query at hand with some of its clauses exchanged:
 *             a node of its own over the same children, printed as SQL. What
 *             stands in a WITH around it goes in front. An alias that is used
 *             where the test has none is spelled out.
 */
#include "relation/relation_choice_internal.h"
#include "sql/print.h"

// A node like n over the same children; nothing follows it.
static ast *like(engine_choice_builder *c, const ast *n)
{
    ast *copy = ast_new(&c->trees, (ast_kind)n->kind);
    int n_kids = ast_kid_count((ast_kind)n->kind);
    *copy = *n;
    for (int i = 0; i < n_kids; i++) {
        copy->kid[i] = n->kid[i];
    }
    copy->next = NULL;
    return copy;
}

// Appends copies of the list's nodes; returns where the next one goes.
static ast **append_list(engine_choice_builder *c, ast **end, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        *end = like(c, n);
        end = &(*end)->next;
    }
    return end;
}

static ast **append(ast **end, ast *n)
{
    *end = n;
    return &n->next;
}

// All CTEs in reach, and those of the query itself.
static ast *merged_with(engine_choice_builder *c, const ast *own)
{
    if (c->with.len == 0 && !own) {
        return NULL;
    }
    ast *with = ast_new(&c->trees, AST_WITH);
    ast **end = &with->kid[WITH_CTES];
    for (ptrdiff_t i = 0; i < c->with.len; i++) {
        if (c->with.ptr[i] != own) {
            with->flags |= c->with.ptr[i]->flags;
            end = append_list(c, end, c->with.ptr[i]->kid[WITH_CTES]);
        }
    }
    if (own) {
        with->flags |= own->flags;
        append_list(c, end, own->kid[WITH_CTES]);
    }
    return with;
}

static str printed(engine_choice_builder *c, const ast *query)
{
    buf b = buf_new(c->a);
    print_sql(&b, query, c->b->dialect, PRINT_ONE_LINE, c->trees);
    return buf_str(&b);
}

// Exchanges aliases below for what they stand for.
static void spell_below(engine_choice_builder *c,
                        ast *n,
                        const bound_block *in_block);

static ast *spell(engine_choice_builder *c,
                  const ast *n,
                  const bound_block *in_block)
{
    const bound_block *own = in_block;
    const bound_column *item = bind_item(c->b, &own, n);
    if (item && own == in_block && item->expr) {
        return ast_copy(&c->trees, ast_unaliased(item->expr));
    }
    ast *copy = like(c, n);
    spell_below(c, copy, in_block);
    return copy;
}

static void spell_below(engine_choice_builder *c,
                        ast *n,
                        const bound_block *in_block)
{
    if (ast_is_query(n)) {
        return;  // aliases do not reach into subqueries
    }
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        const ast *list = n->kid[i];
        ast **end = &n->kid[i];
        for (; list; list = list->next) {
            end = append(end, spell(c, list, in_block));
        }
    }
}

static bool ignores_case(const bound_column *column)
{
    return column->collation != COLLATION_BINARY;
}

// The output that a sort key is, or -1.
static int32_t output_of(engine_choice_builder *c,
                         const bound_query *q,
                         const ast *key)
{
    const bound_ref *ref = bind_ref(c->b, key);
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

// Keys are compared by us, and we compare by bytes or without letter case.
static bool knows_collation(const bound_column *column)
{
    return column->collation == COLLATION_BINARY
           || column->collation == COLLATION_NOCASE;
}

engine_choice engine_choice_test_limit(engine_choice_builder *c,
                                       const ast *query,
                                       int64_t count,
                                       int64_t offset)
{
    engine_choice out = {
        .kind = CHOICE_LIMIT, .count = count, .offset = offset};
    const bound_query *q = bind_query_at(c->b, query);
    if (!q) {
        return out;
    }
    arena start = c->trees;
    ast *test = like(c, query);
    *ast_query_part(test, QUERY_WITH) =
        merged_with(c, *ast_query_part(test, QUERY_WITH));
    *ast_query_part(test, QUERY_LIMIT) = NULL;
    const ast *order = *ast_query_part(test, QUERY_ORDER);
    bool is_select = query->kind == AST_SELECT;
    ptrdiff_t n_keys = 0;
    for (const ast *s = order; s; s = s->next) {
        n_keys++;
    }
    engine_choice_key *keys = arena_new(c->a, engine_choice_key, n_keys);
    ast **end = NULL;
    if (is_select) {
        const ast *items = query->kid[SELECT_ITEMS];
        end = append_list(c, &test->kid[SELECT_ITEMS], items);
    }
    bool can_append = is_select && !(query->flags & AST_FLAG_DISTINCT);
    ptrdiff_t n_columns = q->n_outputs;
    bool ok = true;
    for (const ast *s = order; s && ok; s = s->next) {
        const ast *key = s->kind == AST_SORT ? s->kid[SORT_EXPR] : s;
        int32_t column = output_of(c, q, key);
        bound_column type =
            column >= 0 ? q->outputs[column] : bind_type(c->b, key);
        if (column >= 0) {
            type.collation = engine_choice_collation(q, column);
        }
        ok = (column >= 0 || can_append) && knows_collation(&type);
        if (ok && column < 0) {
            column = (int32_t)n_columns++;
            end = append(end, spell(c, key, q->block));
        }
        keys[out.n_keys++] = (engine_choice_key){column, ignores_case(&type)};
    }
    out.n_shown = q->n_outputs;
    out.n_columns = n_columns;
    out.keys = keys;
    out.sql = ok ? printed(c, test) : (str){0};
    c->trees = start;
    return out;
}

// SELECT items FROM ... WHERE ... of the SELECT, nothing else of it.
static ast *ungrouped(engine_choice_builder *c, const ast *select)
{
    ast *test = ast_new(&c->trees, AST_SELECT);
    test->kid[SELECT_WITH] = merged_with(c, select->kid[SELECT_WITH]);
    test->kid[SELECT_FROM] = select->kid[SELECT_FROM];
    test->kid[SELECT_WHERE] = select->kid[SELECT_WHERE];
    return test;
}

static ast *number(engine_choice_builder *c, str text)
{
    ast *n = ast_new(&c->trees, AST_NUMBER);
    n->text = text;
    return n;
}

// The columns `bare` by the keys of the groups, and by `key` if there is one.
static engine_choice test_groups(engine_choice_builder *c,
                                 const ast *select,
                                 const ast *key,
                                 const node_list *bare,
                                 const ast *argument)
{
    engine_choice out = {.kind = CHOICE_BARE};
    arena start = c->trees;
    const bound_block *in_block = bind_block_at(c->b, select);
    ptrdiff_t n_keys = key != NULL;
    for (const ast *g = select->kid[SELECT_GROUP]; g; g = g->next) {
        n_keys++;
    }
    engine_choice_key *keys = arena_new(c->a, engine_choice_key, n_keys);
    ast *test = ungrouped(c, select);
    ast **end = &test->kid[SELECT_ITEMS];
    const ast *g = select->kid[SELECT_GROUP];
    bool ok = true;
    while (out.n_keys < n_keys) {
        ast *spelled = spell(c, g ? g : key, in_block);
        bound_column type = bind_type(c->b, spelled);
        ok = ok && knows_collation(&type);
        keys[out.n_keys] =
            (engine_choice_key){(int32_t)out.n_keys, ignores_case(&type)};
        out.n_keys++;
        end = append(end, spelled);
        g = g ? g->next : NULL;
    }
    for (ptrdiff_t i = 0; i < bare->len; i++) {
        end = append(end, spell(c, bare->ptr[i], in_block));
    }
    if (argument) {
        append(end, spell(c, argument, in_block));
    }
    out.keys = keys;
    out.n_bare = bare->len;
    out.sql = ok ? printed(c, test) : (str){0};
    c->trees = start;
    return out;
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
    engine_choice out = {.kind = CHOICE_BARE};
    const bound_query *q = bind_query_at(c->b, select);
    arena start = c->trees;
    engine_choice_key *keys = arena_new(c->a, engine_choice_key, q->n_outputs);
    ast *test = like(c, select);
    bool ok = true;
    test->flags &= (uint16_t)~AST_FLAG_DISTINCT;
    test->kid[SELECT_WITH] = merged_with(c, test->kid[SELECT_WITH]);
    test->kid[SELECT_ORDER] = NULL;
    test->kid[SELECT_LIMIT] = NULL;
    ast **end =
        append_list(c, &test->kid[SELECT_ITEMS], select->kid[SELECT_ITEMS]);
    append_list(c, end, select->kid[SELECT_ITEMS]);
    for (int32_t i = 0; i < q->n_outputs; i++) {
        ok = ok && knows_collation(&q->outputs[i]);
        keys[i] = (engine_choice_key){i, ignores_case(&q->outputs[i])};
    }
    out.keys = keys;
    out.n_keys = q->n_outputs;
    out.n_bare = q->n_outputs;
    out.sql = ok ? printed(c, test) : (str){0};
    c->trees = start;
    return out;
}

// All rows of both sides, once as keys and once as what is shown of them.
engine_choice engine_choice_test_set(engine_choice_builder *c, const ast *query)
{
    engine_choice out = {.kind = CHOICE_BARE};
    const bound_query *q = bind_query_at(c->b, query);
    arena start = c->trees;
    engine_choice_key *keys = arena_new(c->a, engine_choice_key, q->n_outputs);
    ast *all = like(c, query);
    all->form = SETOP_FORM_UNION;
    all->flags |= AST_FLAG_ALL;
    all->kid[SETOP_WITH] = merged_with(c, all->kid[SETOP_WITH]);
    all->kid[SETOP_ORDER] = NULL;
    all->kid[SETOP_LIMIT] = NULL;
    ast *from = ast_new(&c->trees, AST_SUBQUERY);
    from->kid[SUBQUERY_QUERY] = all;
    ast *test = ast_new(&c->trees, AST_SELECT);
    ast **end = append(&test->kid[SELECT_ITEMS], ast_new(&c->trees, AST_STAR));
    append(end, ast_new(&c->trees, AST_STAR));
    test->kid[SELECT_FROM] = from;
    bool ok = true;
    for (int32_t i = 0; i < q->n_outputs; i++) {
        schema_collation how = engine_choice_collation(q, i);
        ok = ok && (how == COLLATION_BINARY || how == COLLATION_NOCASE);
        keys[i] = (engine_choice_key){i, how != COLLATION_BINARY};
    }
    out.keys = keys;
    out.n_keys = q->n_outputs;
    out.n_bare = q->n_outputs;
    out.sql = ok ? printed(c, test) : (str){0};
    c->trees = start;
    return out;
}

// SELECT 1 FROM (query) WHERE n > 1, with n the query's only column.
static ast *more_than_one(engine_choice_builder *c, ast *query, str column)
{
    ast *name = ast_new(&c->trees, AST_COLUMN);
    name->text = column;
    ast *more = ast_new(&c->trees, AST_BINARY);
    more->form = OPERATOR_GREATER;
    more->kid[BINARY_LEFT] = name;
    more->kid[BINARY_RIGHT] = number(c, S("1"));
    ast *from = ast_new(&c->trees, AST_SUBQUERY);
    from->kid[SUBQUERY_QUERY] = query;
    ast *select = ast_new(&c->trees, AST_SELECT);
    select->kid[SELECT_ITEMS] = number(c, S("1"));
    select->kid[SELECT_FROM] = from;
    select->kid[SELECT_WHERE] = more;
    return select;
}

static ast *count_all(engine_choice_builder *c)
{
    ast *count = ast_new(&c->trees, AST_CALL);
    count->text = S("count");
    count->kid[CALL_ARGS] = ast_new(&c->trees, AST_STAR);
    return count;
}

static ast *alias(engine_choice_builder *c, ast *expr, str name)
{
    ast *n = ast_new(&c->trees, AST_ALIAS);
    n->text = name;
    n->kid[ALIAS_EXPR] = expr;
    return n;
}

engine_choice engine_choice_test_window(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *window)
{
    engine_choice out = {.kind = CHOICE_ROWS};
    arena start = c->trees;
    const bound_block *in_block = bind_block_at(c->b, select);
    ast *over = ast_new(&c->trees, AST_WINDOW);
    ast **end = &over->kid[WINDOW_PARTITION];
    for (const ast *p = window->kid[WINDOW_PARTITION]; p; p = p->next) {
        end = append(end, spell(c, p, in_block));
    }
    for (const ast *o = window->kid[WINDOW_ORDER]; o; o = o->next) {
        const ast *key = o->kind == AST_SORT ? o->kid[SORT_EXPR] : o;
        end = append(end, spell(c, key, in_block));
    }
    ast *count = count_all(c);
    count->kid[CALL_OVER] = over;
    ast *inner = ungrouped(c, select);
    inner->kid[SELECT_ITEMS] = alias(c, count, S("n"));
    out.sql = printed(c, more_than_one(c, inner, S("n")));
    c->trees = start;
    return out;
}

engine_choice engine_choice_test_single(engine_choice_builder *c,
                                        const ast *select,
                                        const ast *query)
{
    engine_choice out = {.kind = CHOICE_ROWS};
    arena start = c->trees;
    ast *all = like(c, query);
    *ast_query_part(all, QUERY_LIMIT) = NULL;
    *ast_query_part(all, QUERY_ORDER) = NULL;
    ast *from = ast_new(&c->trees, AST_SUBQUERY);
    from->kid[SUBQUERY_QUERY] = all;
    ast *counting = ast_new(&c->trees, AST_SELECT);
    counting->kid[SELECT_ITEMS] = count_all(c);
    counting->kid[SELECT_FROM] = from;
    ast *value = ast_new(&c->trees, AST_SUBQUERY);
    value->kid[SUBQUERY_QUERY] = counting;
    ast *rows = ungrouped(c, select);
    rows->kid[SELECT_WHERE] = NULL;
    rows->kid[SELECT_ITEMS] = alias(c, value, S("n"));
    out.sql = printed(c, more_than_one(c, rows, S("n")));
    c->trees = start;
    return out;
}
