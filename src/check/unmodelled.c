/*
 * unmodelled.c - names that lead to what no witness holds, and names that only
 * the system can tell apart.
 *
 * Method      Both walk the tree once and stop at the first that they find.
 *             A name is taken for an alias by its letters alone: an alias that
 *             is never meant costs a proof, and no verdict is wrong.
 *
 * Cost        Linear in the tree; names in HAVING and ORDER BY times aliases.
 */
#include "check/unmodelled.h"

#include <assert.h>

typedef struct look {
    const schema *s;
    dialect d;
    const ast *found;
    const char *what;  // that is
} look;

// By dialect; SQLite's rowid is modelled.
static const char *const system_columns[DIALECT_COUNT] = {
    [DIALECT_POSTGRES] = "ctid xmin xmax cmin cmax tableoid",
    [DIALECT_DUCKDB] = "rowid",
};

static bool is_system_column(dialect d, str name)
{
    assert(d < DIALECT_COUNT);
    return system_columns[d] && str_among_fold(name, system_columns[d]);
}

static bool has_table(const schema *s, str first, str second)
{
    bool found = false;
    for (ptrdiff_t t = 0; !found && t < s->n_tables; t++) {
        str rest = s->tables[t].name;
        found = str_equal_fold(str_cut(&rest, '.'), first)
                && str_equal_fold(rest, second);
    }
    return found;
}

// A witness of DuckDB has the schemas of its tables and no other databases.
static bool is_elsewhere(const look *l, const ast *table)
{
    const ast *path = table->kid[TABLE_PATH];
    return l->d == DIALECT_DUCKDB && path
           && (path->next
               || (!str_equal_fold(path->text, S("main"))
                   && !has_table(l->s, path->text, table->text)));
}

static bool is_other(const schema *s, str name)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < s->n_others; i++) {
        found = str_equal_fold(s->others[i], name);
    }
    return found;
}

static const char *kind_of_table(const look *l, const ast *n)
{
    int32_t t = schema_find_table(l->s, n->text);
    bool is_virtual = t >= 0 && l->s->tables[t].is_virtual;
    return is_elsewhere(l, n) ? "table of another database or schema"
           : t < 0 && is_other(l->s, n->text) ? "view, or a part of a table"
           : !is_virtual                      ? NULL
           : dialect_follows_postgres(l->d)
               ? "view, or a table with computed, nested or collated columns"
               : "virtual table";
}

static bool look_at(void *context, const ast *n)
{
    look *l = context;
    if (l->found) {
        return false;
    }
    l->what = n->kind == AST_TABLE ? kind_of_table(l, n)
              : n->kind == AST_COLUMN && is_system_column(l->d, n->text)
                  ? "system column"
                  : NULL;
    l->found = l->what ? n : NULL;
    return !l->found;
}

str unmodelled(const ast *query, const schema *s, dialect d, arena *a)
{
    look l = {.s = s, .d = d};
    ast_walk(query, look_at, &l);
    if (!l.found) {
        return (str){0};
    }
    return arena_printf(a, "%.*s is a %s, whose content assay does not model",
                        STR_ARG(l.found->text), l.what);
}

typedef struct alias_look {
    const ast *items;
    bool found;
} alias_look;

static bool look_for_alias(void *context, const ast *n)
{
    alias_look *l = context;
    bool is_bare = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH];
    for (const ast *i = l->items; is_bare && i; i = i->next) {
        l->found |= i->kind == AST_ALIAS && str_equal_fold(i->text, n->text);
    }
    return !l->found;
}

static bool look_at_select(void *context, const ast *n)
{
    bool *found = context;
    if (n->kind != AST_SELECT) {
        return !*found;
    }
    alias_look l = {.items = n->kid[SELECT_ITEMS]};
    const ast *others[] = {n->kid[SELECT_HAVING], n->kid[SELECT_QUALIFY],
                           n->kid[SELECT_WINDOWS]};
    for (int i = 0; i < countof(others); i++) {
        for (const ast *one = others[i]; one; one = one->next) {
            ast_walk(one, look_for_alias, &l);
        }
    }
    // A whole key of ORDER BY is an alias first, as everywhere.
    for (const ast *key = n->kid[SELECT_ORDER]; key; key = key->next) {
        const ast *expr = key->kind == AST_SORT ? key->kid[SORT_EXPR] : key;
        if (expr->kind != AST_COLUMN) {
            ast_walk(expr, look_for_alias, &l);
        }
    }
    *found |= l.found;
    return !*found;
}

bool names_two_ways(const ast *query, dialect d)
{
    bool found = false;
    if (d == DIALECT_DUCKDB) {
        ast_walk(query, look_at_select, &found);
    }
    return found;
}

static bool look_for_row(void *context, const ast *n)
{
    bool *found = context;
    *found |= n->kind == AST_IN && n->kid[IN_EXPR]->kind == AST_ROW;
    return !*found;
}

bool looks_rows_up(const ast *left, const ast *right)
{
    bool found = false;
    ast_walk(left, look_for_row, &found);
    ast_walk(right, look_for_row, &found);
    return found;
}

static bool look_for_rowid(void *context, const ast *n)
{
    bool *found = context;
    *found |=
        n->kind == AST_COLUMN && str_among_fold(n->text, "rowid oid _rowid_");
    return !*found;
}

bool reads_rowid(const ast *left, const ast *right)
{
    bool found = false;
    ast_walk(left, look_for_rowid, &found);
    ast_walk(right, look_for_rowid, &found);
    return found;
}
