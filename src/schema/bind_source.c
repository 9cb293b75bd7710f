/*
 * bind_source.c - what one entry of a FROM is: a CTE, a table, a view, a
 * derived table, or something unknown.
 *
 * Method      A CTE is bound when it is first used and has one binding for all
 *             its uses. While it is being bound, a use of it is a recursive
 *             one: its columns are those of its first part. A view is a copy
 *             of its query, bound once; names of the query around mean nothing
 *             in it.
 */
#include "schema/bind_internal.h"

#include <assert.h>

bind_with *bind_with_of(binder *b, const ast *with, bind_place place)
{
    if (!with) {
        return place.with;
    }
    bind_with *w = arena_new(b->a, bind_with, 1);
    dialect d = b->b->dialect;
    bool is_recursive = with->flags & AST_FLAG_RECURSIVE;
    *w = (bind_with){
        .outer = place.with,
        .scope = place.outer,
        .around = place.around,
        .sees_all = bind_is_sqlite(b) || is_recursive,
        .sees_self = bind_is_sqlite(b) || is_recursive || d == DIALECT_TSQL
                     || d == DIALECT_SNOWFLAKE,
    };
    for (const ast *n = with->kid[WITH_CTES]; n; n = n->next) {
        w->n += n->kind == AST_CTE;
    }
    w->ctes = arena_new(b->a, bind_cte, w->n);
    ptrdiff_t k = 0;
    for (const ast *n = with->kid[WITH_CTES]; n; n = n->next) {
        if (n->kind == AST_CTE) {
            w->ctes[k++] = (bind_cte){.node = n, .home = w};
        }
    }
    assert(k == w->n);
    enum {
        CHECKED_MAX = 200
    };
    for (ptrdiff_t i = 1; i < w->n && i < CHECKED_MAX; i++) {
        for (ptrdiff_t j = 0; j < i; j++) {
            if (bind_name_is(b, w->ctes[j].node->text, w->ctes[i].node)) {
                bind_problem_add(b, BIND_DUPLICATE_NAME, w->ctes[i].node,
                                 "two tables of WITH are called '%.*s'",
                                 STR_ARG(w->ctes[i].node->text));
                break;
            }
        }
    }
    return w;
}

// Has output i of the query a name of its own, by AS?
static bool has_alias(const bound_query *q, ptrdiff_t i)
{
    const bound_block *first = bind_leftmost(q);
    const bind_scope *s = first ? bind_scope_of(first) : NULL;
    return s && s->is_alias && i < s->block.n_outputs && s->is_alias[i];
}

static bool is_taken(const bound_column *columns, ptrdiff_t i)
{
    for (ptrdiff_t j = 0; columns[i].name.len > 0 && j < i; j++) {
        if (str_equal_fold(columns[j].name, columns[i].name)) {
            return true;
        }
    }
    return false;
}

// A column under another name; in SQLite a name comes only once.
static void name_column(const binder *b,
                        const bound_query *q,
                        bound_column *columns,
                        ptrdiff_t i,
                        const ast *name)
{
    enum {
        CHECKED_MAX = 200
    };
    const ast *expr = columns[i].expr;
    if (name) {
        columns[i].name = name->text;
    } else if (bind_is_sqlite(b) && expr
               && (expr->kind == AST_COLUMN || expr->kind == AST_DOUBT)
               && !has_alias(q, i)) {
        columns[i].name = expr->text;  // as typed, rowid too
    }
    str wanted = columns[i].name;
    for (int n = 1; bind_is_sqlite(b) && i < CHECKED_MAX && n < CHECKED_MAX
                    && is_taken(columns, i);
         n++) {
        columns[i].name = arena_printf(b->a, "%.*s:%d", STR_ARG(wanted), n);
    }
}

// The columns of a query as a source has them, with the names that an alias, a
// CTE or a view gives.
static const bound_column *columns_of(binder *b,
                                      const ast *at,
                                      const bound_query *q,
                                      const ast *names,
                                      ptrdiff_t *n)
{
    bound_column *columns = arena_new(b->a, bound_column, q->n_outputs);
    ptrdiff_t n_names = ast_list_len(names);
    const ast *name = names;
    for (ptrdiff_t i = 0; i < q->n_outputs; i++) {
        columns[i] = q->outputs[i];
        name_column(b, q, columns, i, name);
        name = name ? name->next : NULL;
    }
    bool is_short =
        bind_is_sqlite(b) ? n_names != q->n_outputs : n_names > q->n_outputs;
    if (names && is_short && !q->is_open) {
        bind_problem_add(b, BIND_COLUMN_COUNT, at,
                         "'%.*s' has %td columns, but names for %td",
                         STR_ARG(at->text), q->n_outputs, n_names);
    }
    *n = q->n_outputs;
    return columns;
}

// Its first part is known: what a recursive use of it looks like.
void bind_anchor(binder *b, bind_cte *cte, const bound_query *query)
{
    if (cte->has_columns) {
        return;
    }
    b->quiet++;  // said once the whole is known
    cte->columns = columns_of(b, cte->node, query, cte->node->kid[CTE_COLUMNS],
                              &cte->n_columns);
    b->quiet--;
    cte->has_columns = true;
}

static void bind_cte_query(binder *b, bind_cte *cte)
{
    assert(cte->state == CTE_UNUSED);
    bind_with *w = cte->home;
    cte->state = CTE_OPEN;
    cte->query = arena_new(b->a, bound_query, 1);
    bind_place place = {
        .outer = w->scope, .around = w->around, .with = w, .cte = cte};
    if (cte->node->kid[CTE_QUERY]) {
        *cte->query = *bind_form(b, cte->node->kid[CTE_QUERY], place);
        b->b->queries[cte->node->kid[CTE_QUERY]->id] = cte->query;
    }
    cte->columns = columns_of(b, cte->node, cte->query,
                              cte->node->kid[CTE_COLUMNS], &cte->n_columns);
    cte->has_columns = true;
    cte->state = CTE_DONE;
}

// SQLite passes over the mistakes of a CTE that nobody uses.
void bind_unused(binder *b, bind_with *with)
{
    b->quiet += bind_is_sqlite(b);
    for (ptrdiff_t i = 0; i < with->n; i++) {
        if (with->ctes[i].state == CTE_UNUSED) {
            bind_cte_query(b, &with->ctes[i]);
        }
    }
    b->quiet -= bind_is_sqlite(b);
}

static bool can_see(const bind_with *w, const bind_cte *cte, ptrdiff_t open)
{
    ptrdiff_t place = cte - w->ctes;
    return open < 0 || w->sees_all || place < open
           || (w->sees_self && place == open);
}

// The innermost CTE of that name.
static bind_cte *find_cte(const binder *b,
                          const bind_with *with,
                          const ast *name)
{
    for (const bind_with *w = with; w; w = w->outer) {
        ptrdiff_t open = -1;
        for (ptrdiff_t i = 0; i < w->n; i++) {
            open = w->ctes[i].state == CTE_OPEN ? i : open;
        }
        for (ptrdiff_t i = 0; i < w->n; i++) {
            if (bind_name_is(b, w->ctes[i].node->text, name)
                && can_see(w, &w->ctes[i], open)) {
                return &w->ctes[i];
            }
        }
    }
    return NULL;
}

static void use_cte(binder *b, bound_source *s, bind_cte *cte)
{
    assert(cte->home && cte->node->kind == AST_CTE);
    if (cte->state == CTE_UNUSED) {
        bind_cte_query(b, cte);
    }
    s->is_recursive = cte->state == CTE_OPEN;
    if (!cte->has_columns) {
        bind_problem_add(b, BIND_NO_TABLE, s->node,
                         "'%.*s' is defined by itself", STR_ARG(s->node->text));
        return;
    }
    s->kind = SOURCE_QUERY;
    s->query = cte->query;
    s->columns = cte->columns;
    s->n_columns = cte->n_columns;
}

// The columns of a table; made once.
static const bound_column *table_columns(binder *b, int32_t table)
{
    assert(table >= 0 && table < b->b->schema->n_tables);
    const schema *all = b->b->schema;
    if (!b->tables) {
        b->tables = (const bound_column **)arena_alloc(
            b->a, sizeof *b->tables, _Alignof(max_align_t), all->n_tables);
    }
    if (!b->tables[table]) {
        const schema_table *t = &all->tables[table];
        bound_column *columns = arena_new(b->a, bound_column, t->n_columns);
        for (ptrdiff_t i = 0; i < t->n_columns; i++) {
            columns[i] = bind_column_of(&t->columns[i]);
        }
        b->tables[table] = columns;
    }
    return b->tables[table];
}

// A view is bound as if it stood alone. False when it contains itself.
static bool use_view(binder *b, bound_source *s, int32_t view)
{
    assert(view >= 0 && view < b->b->schema->n_tables);
    const schema_table *t = &b->b->schema->tables[view];
    if (!b->views) {
        ptrdiff_t n = b->b->schema->n_tables;
        b->views = (bound_query **)arena_alloc(b->a, sizeof *b->views,
                                               _Alignof(max_align_t), n);
        b->is_open_view = arena_new(b->a, bool, n);
    }
    if (b->is_open_view[view]) {
        return false;
    }
    if (!b->views[view]) {
        ast *copy = ast_copy(b->a, t->view);
        bind_number(b, copy);
        b->is_open_view[view] = true;
        b->quiet++;
        b->views[view] = bind_form(b, copy, (bind_place){0});
        b->quiet--;
        b->is_open_view[view] = false;
    }
    const bound_query *q = b->views[view];
    bound_column *columns = arena_new(b->a, bound_column, q->n_outputs);
    for (ptrdiff_t i = 0; i < q->n_outputs; i++) {
        columns[i] = q->outputs[i];
        if (i < t->n_columns) {
            columns[i].name = t->columns[i].name;
        } else {
            name_column(b, q, columns, i, NULL);
        }
    }
    s->kind = SOURCE_QUERY;
    s->query = q;
    s->columns = columns;
    s->n_columns = q->n_outputs;
    return true;
}

static bool is_builtin(str name)
{
    return str_starts_fold(name, S("sqlite_"))
           || str_starts_fold(name, S("pragma_"))
           || str_among_fold(name, "json_each json_tree");
}

static int32_t find_table(const binder *b, const ast *node)
{
    const schema *s = b->b->schema;
    const ast *path = node->kid[TABLE_PATH];
    const ast *last = bind_is_sqlite(b) ? NULL : ast_last(path);
    int32_t qualified =
        last ? schema_find_qualified(s, last->text, node->text) : -1;
    if (qualified >= 0) {
        return qualified;
    }
    bool is_strange =
        path && bind_is_sqlite(b) && !str_equal_fold(path->text, S("main"));
    for (ptrdiff_t i = 0; !is_strange && i < s->n_tables; i++) {
        if (bind_name_is(b, s->tables[i].name, node)) {
            return (int32_t)i;
        }
    }
    return -1;
}

// FROM t, t.items: an array of the row, in BigQuery.
static bool is_array_of(const binder *b, const bind_scope *s, const ast *node)
{
    const ast *path = node->kid[TABLE_PATH];
    for (ptrdiff_t i = 0; path && !bind_is_sqlite(b) && i < s->sources.len;
         i++) {
        if (bind_name_is(b, s->sources.ptr[i]->name, path)) {
            return true;
        }
    }
    return false;
}

// A TABLE, or the COLUMN that `x IN t` has.
static void use_table(binder *b, bind_scope *s, bound_source *source)
{
    _Static_assert((int)TABLE_PATH == (int)COLUMN_PATH, "both have a path");
    const ast *node = source->node;
    source->name = node->text;
    bind_cte *cte = node->kid[TABLE_PATH] ? NULL : find_cte(b, s->with, node);
    if (cte) {
        use_cte(b, source, cte);
        return;
    }
    int32_t table = find_table(b, node);
    if (table < 0) {
        if (!is_array_of(b, s, node)
            && !(bind_is_sqlite(b) && is_builtin(node->text))) {
            bind_no_table(b, s, node);
        }
        return;
    }
    const schema_table *t = &b->b->schema->tables[table];
    if (t->view) {
        if (!use_view(b, source, table)) {
            bind_problem_add(b, BIND_NO_TABLE, node,
                             "the view '%.*s' is defined by itself",
                             STR_ARG(node->text));
        }
        return;
    }
    source->kind = SOURCE_TABLE;
    source->table = table;
    source->columns = table_columns(b, table);
    source->n_columns = t->n_columns;
}

static void use_query(binder *b, bind_scope *s, bound_source *source)
{
    const ast *query = source->node;
    if (query->kind == AST_SUBQUERY) {
        query = query->kid[SUBQUERY_QUERY];
    }
    if (!query || !ast_is_query(query)) {
        return;
    }
    bind_place place = {.outer = source->is_lateral ? s : s->outer,
                        .around = s,
                        .with = s->with};
    source->kind = SOURCE_QUERY;
    source->query = bind_form(b, query, place);
    b->b->sources[query->id] = source;
}

// Names for the columns, or for the whole.
static void apply_alias(binder *b, bound_source *s, const ast *alias)
{
    if (alias) {
        s->name = alias->text;
    }
    const ast *names = alias ? alias->kid[ALIAS_COLUMNS] : NULL;
    bool is_derived = s->kind == SOURCE_QUERY && !s->columns;
    if (s->kind == SOURCE_QUERY && (names || is_derived)) {
        s->columns = columns_of(b, alias ? alias : s->node, s->query, names,
                                &s->n_columns);
        return;
    }
    if (!names) {
        return;
    }
    bool is_table = s->kind == SOURCE_TABLE;
    ptrdiff_t all = is_table ? s->n_columns : ast_list_len(names);
    bound_column *columns = arena_new(b->a, bound_column, all);
    const ast *name = names;
    for (ptrdiff_t i = 0; i < all; i++) {
        columns[i] = is_table ? s->columns[i] : bind_column_of(NULL);
        columns[i].name = name ? name->text : columns[i].name;
        name = name ? name->next : NULL;
    }
    s->columns = columns;
    s->n_columns = all;
}

bound_source *bind_source(binder *b,
                          bind_scope *s,
                          const ast *node,
                          const ast *alias,
                          bool is_lateral)
{
    assert(node->id > 0 && node->id < b->b->n_nodes);
    bound_source *source = arena_new(b->a, bound_source, 1);
    *source = (bound_source){.kind = SOURCE_UNKNOWN,
                             .node = node,
                             .block = &s->block,
                             .no = (int32_t)s->sources.len,
                             .table = -1,
                             .is_lateral = is_lateral};
    b->b->sources[node->id] = source;
    if (node->kind == AST_TABLE || node->kind == AST_COLUMN) {
        use_table(b, s, source);
    } else if (node->kind == AST_SUBQUERY || ast_is_query(node)) {
        use_query(b, s, source);
    } else if (node->kind == AST_CALL) {
        source->name = node->text;
    }
    apply_alias(b, source, alias);
    return source;
}
