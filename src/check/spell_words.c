/*
 * spell_words.c - see spell_words.h.
 *
 * Method      tables      have their own name alone: public.t is t, where
 *                         nothing else is called so: no other schema's, no CTE.
 *                         A view that was written in the dialect is the query
 *                         it is of.
 *             constructs  IIF(x, y, z) is CASE WHEN x THEN y ELSE z END, x =
 *                         ANY (ARRAY[1, 2]) is x IN (1, 2), and so on:
 *                         otherwise.def.
 *             keys        GROUP BY ALL is by the items that aggregate nothing.
 *
 *             Both by the words alone: names that cannot be bound would be in
 *             the way of binding.
 */
#include "check/spell_words.h"

#include "base/map.h"
#include "sql/ast_rewrite.h"
#include "sql/otherwise.h"
#include "sql/semantics.h"

enum {
    VIEWS_MAX = 32,  // of a query; a view of views may double
};

typedef struct rewording {
    const schema *tables;
    const ast *query;
    otherwise words;
    int n_views;
} rewording;

static ast *reworded(void *context, const ast *n);

// The last of the names that a dotted one has: of `project.set.orders`.
static str last_name(str name)
{
    ptrdiff_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.') {
        dot--;
    }
    return str_skip(name, dot);
}

// A table of the schema, or what is of one, with the names of what it lies in?
static bool is_qualified(const schema *s, const ast *n)
{
    const ast *path = n->kind == AST_TABLE    ? n->kid[TABLE_PATH]
                      : n->kind == AST_COLUMN ? n->kid[COLUMN_PATH]
                      : n->kind == AST_STAR   ? n->kid[STAR_PATH]
                                              : NULL;
    const ast *last = ast_last(path);
    str name = last_name(n->text);
    return !s ? false
           : n->kind == AST_TABLE
               ? schema_find_table(s, name) >= 0
                     && (path || name.len < n->text.len)
               : path && path->next && schema_find_table(s, last->text) >= 0;
}

typedef struct table_paths {
    const schema *tables;
    const ast *query;
    str *of;  // the table, the longest path it was named by
    arena *a;
    bool is_open;
} table_paths;

// The names of what the table lies in, a dot behind each.
static str path_of(arena *a, const ast *n)
{
    buf path = buf_new(a);
    for (const ast *of = n->kid[TABLE_PATH]; of; of = of->next) {
        buf_add(&path, of->text);
        buf_char(&path, '.');
    }
    buf_add(&path, str_sub(n->text, 0, n->text.len - last_name(n->text).len));
    return buf_str(&path);
}

static bool is_named_query(const void *name, const ast *n)
{
    return n->kind == AST_CTE && str_equal_fold(n->text, *(const str *)name);
}

// The end of the longer one, from a dot on?
static bool ends_alike(str longer, str path)
{
    ptrdiff_t at = longer.len - path.len;
    return path.len == 0
           || (str_equal_fold(str_skip(longer, at), path)
               && (at == 0 || longer.ptr[at - 1] == '.'));
}

static bool look_at_path(void *context, const ast *n)
{
    table_paths *p = context;
    str name = n->kind == AST_TABLE ? last_name(n->text) : (str){0};
    int32_t at = name.len > 0 ? schema_find_table(p->tables, name) : -1;
    str path = at >= 0 ? path_of(p->a, n) : (str){0};
    if (path.len > 0) {
        bool is_longer = path.len > p->of[at].len;
        str longer = is_longer ? path : p->of[at];
        p->is_open |= !ends_alike(longer, is_longer ? p->of[at] : path)
                      || ast_find(p->query, is_named_query, &name);
        p->of[at] = longer;
    }
    return true;
}

typedef struct name_cases {
    semantics_names names;
    map of;             // names of the schema, in any case
    vec_of(str) heard;  // each as the system reads it; empty: not yet
    arena *a;
    bool is_open;
} name_cases;

// In quotes with a letter that no name without them has it is itself alone.
static str heard_as(const name_cases *c, str name, bool is_quoted)
{
    bool is_own = false;
    for (ptrdiff_t i = 0; is_quoted && i < name.len; i++) {
        char l = name.ptr[i];
        is_own |= l != (c->names == NAMES_LOWER ? to_lower(l) : to_upper(l));
    }
    return is_own ? arena_printf(c->a, "\"%.*s", STR_ARG(name))
                  : arena_lower(c->a, name);
}

static ptrdiff_t place_of(name_cases *c, str name)
{
    ptrdiff_t at = map_add(&c->of, c->a, name);
    if (at == c->heard.len) {
        *vec_push(c->a, &c->heard) = (str){0};
    }
    return at;
}

// The schema's own may have had quotes that it did not keep.
static void add_name(name_cases *c, str name)
{
    ptrdiff_t at = place_of(c, name);
    str heard = heard_as(c, name, true);
    if (!str_starts(heard, S("\""))) {
        c->heard.ptr[at] = heard;
    }
}

static void hear(name_cases *c, const ast *n, ptrdiff_t at)
{
    str heard = heard_as(c, n->text, n->form != QUOTE_NONE);
    str *before = &c->heard.ptr[at];
    c->is_open |= before->len > 0 && !str_equal(*before, heard);
    *before = heard;
}

static void hear_known(name_cases *c, const ast *n)
{
    ptrdiff_t at = n ? map_find(&c->of, n->text) : -1;
    if (at >= 0) {
        hear(c, n, at);
    }
}

static bool look_at_case(void *context, const ast *n)
{
    if (n->kind == AST_COLUMN || n->kind == AST_TABLE) {
        hear_known(context, n);
    }
    return true;
}

// What a query calls its columns and its CTEs.
typedef struct own_names {
    name_cases columns;
    name_cases tables;
} own_names;

// Not a column by its own name.
static bool look_at_own(void *context, const ast *n)
{
    own_names *own = context;
    if (n->kind == AST_CTE) {
        hear(&own->tables, n, place_of(&own->tables, n->text));
    }
    const ast *item = n->kind == AST_SELECT ? n->kid[SELECT_ITEMS] : NULL;
    for (; item; item = item->next) {
        const ast *of = ast_unaliased(item);
        if (item->kind == AST_ALIAS
            && !(of->kind == AST_COLUMN
                 && str_equal_fold(of->text, item->text))) {
            hear(&own->columns, item, place_of(&own->columns, item->text));
        }
    }
    return true;
}

static bool look_at_use(void *context, const ast *n)
{
    own_names *own = context;
    const ast *key = ast_query_has(n, QUERY_ORDER);
    for (; key; key = key->next) {
        const ast *of = ast_unaliased(key);
        bool is_bare = of->kind == AST_COLUMN && !of->kid[COLUMN_PATH];
        hear_known(&own->columns, is_bare ? of : NULL);
    }
    hear_known(&own->tables, n->kind == AST_TABLE ? n : NULL);
    return true;
}

static bool blurs_own(const ast *query, semantics_names names, arena scratch)
{
    name_cases none = {.names = names, .a = &scratch};
    none.of.ignores_case = true;
    own_names own = {none, none};
    ast_walk(query, look_at_own, &own);
    ast_walk(query, look_at_use, &own);
    return names != NAMES_ALIKE && (own.columns.is_open || own.tables.is_open);
}

str spell_blurs(const read_query queries[2],
                const schema *s,
                dialect d,
                arena scratch)
{
    table_paths p = {
        .tables = s,
        .of = arena_new(&scratch, str, s->n_tables),
        .a = &scratch,
    };
    name_cases c = {.names = dialect_semantics(d).names, .a = &scratch};
    c.of.ignores_case = true;
    for (ptrdiff_t t = 0; c.names != NAMES_ALIKE && t < s->n_tables; t++) {
        add_name(&c, s->tables[t].name);
        for (ptrdiff_t i = 0; i < s->tables[t].n_columns; i++) {
            add_name(&c, s->tables[t].columns[i].name);
        }
    }
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        // Who names such a view names what it reads.
        p.query = s->tables[t].view;
        if (s->tables[t].is_other_view) {
            ast_walk(p.query, look_at_path, &p);
        }
    }
    for (int i = 0; i < 2; i++) {
        p.query = queries[i].tree;
        if (p.query) {
            ast_walk(p.query, look_at_path, &p);
            ast_walk(p.query, look_at_case, &c);
            c.is_open |= blurs_own(p.query, c.names, scratch);
        }
    }
    return p.is_open   ? S("tables that differ only in their schemas")
           : c.is_open ? S("names that differ only in letter case")
                       : (str){0};
}

static ast *unqualified(rewording *s, const ast *n)
{
    ast *copy = ast_copy(s->words.a, n);
    if (n->kind == AST_TABLE) {
        copy->text = last_name(n->text);
        copy->kid[TABLE_PATH] = NULL;
        return copy;
    }
    ast **path =
        n->kind == AST_COLUMN ? &copy->kid[COLUMN_PATH] : &copy->kid[STAR_PATH];
    while ((*path)->next) {
        *path = (*path)->next;
    }
    return copy;
}

// NULL: it names none.
static const schema_table *view_of(const rewording *s, const ast *n)
{
    bool may = s->tables && n && n->kind == AST_TABLE;
    str name = may ? last_name(n->text) : (str){0};
    int32_t t = may ? schema_find_table(s->tables, name) : -1;
    return t >= 0 && s->tables->tables[t].is_other_view
                   && !ast_find(s->query, is_named_query, &name)
               ? &s->tables->tables[t]
               : NULL;
}

// The query of the view in parentheses, under the name of the table.
static ast *view_query(rewording *s, const ast *n, const schema_table *view)
{
    arena *a = s->words.a;
    ast *of = ast_new(a, AST_SUBQUERY);
    ast *named = ast_new(a, AST_ALIAS);
    bool may = s->n_views++ < VIEWS_MAX;
    of->kid[SUBQUERY_QUERY] =
        may ? ast_rewrite(a, view->view, reworded, s) : ast_copy(a, view->view);
    named->kid[ALIAS_EXPR] = of;
    named->text = last_name(n->text);
    named->form = n->form;
    ast **at = &named->kid[ALIAS_COLUMNS];
    for (ptrdiff_t c = 0; c < view->n_columns; c++) {
        *at = ast_new(a, AST_NAME);
        (*at)->text = view->columns[c].name;
        at = &(*at)->next;
    }
    return named;
}

// FROM v AS w: (SELECT * FROM (...) AS v) AS w
static ast *view_aliased(rewording *s, const ast *n)
{
    static const str all = S_INIT("(SELECT * FROM v)");
    const ast *table = n->kid[ALIAS_EXPR];
    ast *copy = ast_copy(s->words.a, n);
    copy->kid[ALIAS_EXPR] =
        ast_expression(s->words.a, all, s->words.from, NULL, s->words.scratch);
    copy->kid[ALIAS_EXPR]->kid[SUBQUERY_QUERY]->kid[SELECT_FROM] =
        view_query(s, table, view_of(s, table));
    return copy;
}

/* Keys. */

static bool is_total(const void *dialect_of, const ast *n)
{
    return dialect_aggregates(*(const dialect *)dialect_of, n);
}

static bool is_of_column(const void *ignored, const ast *n)
{
    (void)ignored;
    return n->kind == AST_COLUMN;
}

static bool is_beyond_rows(const void *ignored, const ast *n)
{
    (void)ignored;
    return ast_is_query(n) || (n->kind == AST_CALL && n->kid[CALL_OVER]);
}

// The items that GROUP BY ALL stands for; false: that is not known.
static bool keys_of(const rewording *s, const ast *items, ast **end)
{
    ast **begin = end;
    bool has_literal = false;
    for (const ast *i = items; i; i = i->next) {
        const ast *of = ast_unaliased(i);
        bool is_total_of = ast_find(of, is_total, &s->words.from);
        bool is_literal = !is_total_of && !ast_find(of, is_of_column, NULL);
        has_literal |= is_literal;
        if (of->kind == AST_STAR || ast_find(of, is_beyond_rows, NULL)) {
            return false;
        }
        if (!is_literal && !is_total_of) {
            *end = ast_copy(s->words.a, of);
            (*end)->next = NULL;
            end = &(*end)->next;
        }
    }
    return *begin || !has_literal;
}

static ast *grouped(rewording *s, const ast *n)
{
    const ast *key = n->kid[SELECT_GROUP];
    ast *keys = NULL;
    bool is_all = key && !key->next && key->kind == AST_WORD
                  && keys_of(s, n->kid[SELECT_ITEMS], &keys);
    if (!is_all) {
        return NULL;
    }
    ast *copy = ast_copy(s->words.a, n);
    copy->kid[SELECT_GROUP] = keys;
    return copy;
}

static ast *reworded(void *context, const ast *n)
{
    rewording *s = context;
    const schema_table *view = view_of(s, n);
    if (view) {
        return view_query(s, n, view);
    }
    if (n->kind == AST_ALIAS && view_of(s, n->kid[ALIAS_EXPR])) {
        return view_aliased(s, n);
    }
    if (is_qualified(s->tables, n)) {
        return unqualified(s, n);
    }
    ast *said = n->kind == AST_SELECT
                    ? grouped(s, n)
                    : otherwise_said(&s->words, SAID_IN_OWN, n);
    return said ? ast_rewrite(s->words.a, said, reworded, s) : NULL;
}

read_query spell_words(arena *a,
                       read_query query,
                       const schema *s,
                       dialect d,
                       arena scratch)
{
    arena trees = arena_half(&scratch);
    rewording words = {
        s, query.tree, {.a = &trees, .from = d, .scratch = scratch}, 0};
    bool may = query.tree && (s || d != DIALECT_SQLITE);  // see otherwise.def
    const ast *said =
        may ? ast_rewrite(&trees, query.tree, reworded, &words) : NULL;
    if (words.n_views > VIEWS_MAX) {
        return (read_query){0};
    }
    return said && !ast_equal(said, query.tree)
               ? read_query_printed(a, said, d, scratch)
               : query;
}
