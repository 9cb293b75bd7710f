/*
 * unmodelled.c - names that lead to what no witness holds, and names that only
 * the system can tell apart.
 *
 * Method      The first node of a kind is looked for. A name is taken for an
 *             alias by its letters alone: an alias that is never meant costs a
 *             proof, and no verdict is wrong.
 *
 * Cost        Linear in the tree; names in HAVING and ORDER BY times aliases.
 */
#include "relation/unmodelled.h"

#include <assert.h>

typedef struct look {
    const schema *s;
    dialect d;
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

// A witness of DuckDB has the schemas of its tables and no other databases.
static bool is_elsewhere(const look *l, const ast *table)
{
    const ast *path = table->kid[TABLE_PATH];
    return l->d == DIALECT_DUCKDB && path
           && (path->next
               || (!str_equal_fold(path->text, S("main"))
                   && schema_find_qualified(l->s, path->text, table->text)
                          < 0));
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
           : t < 0 && is_other(l->s, n->text)
               ? "view, or a table made from another"
           : t >= 0 && l->s->tables[t].is_ambiguous ? "name of several tables"
           : t >= 0 && l->s->tables[t].is_altered
               ? "table that was altered after it was created"
           : !is_virtual ? NULL
           : dialect_follows_postgres(l->d)
               ? "view, or a table with computed, nested, collated or "
                 "copied columns"
           : l->d == DIALECT_SQLITE ? "virtual table"
                                    : "table with collated columns";
}

// What the name is that leads elsewhere; NULL: it does not.
static const char *kind_of(const look *l, const ast *n)
{
    return n->kind == AST_TABLE ? kind_of_table(l, n)
           : n->kind == AST_COLUMN && is_system_column(l->d, n->text)
               ? "system column"
               : NULL;
}

static bool leads_elsewhere(const void *about, const ast *n)
{
    return kind_of(about, n);
}

str unmodelled(const ast *query, const schema *s, dialect d, arena *a)
{
    look l = {s, d};
    const ast *n = ast_find(query, leads_elsewhere, &l);
    return n ? arena_printf(a,
                            "%.*s is a %s, whose content assay does not model",
                            STR_ARG(n->text), kind_of(&l, n))
             : (str){0};
}

static bool is_alias_of(const void *items, const ast *n)
{
    bool is_bare = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH];
    const ast *i = is_bare ? items : NULL;
    while (i && !(i->kind == AST_ALIAS && str_equal_fold(i->text, n->text))) {
        i = i->next;
    }
    return i;
}

static bool is_two_ways(const void *about, const ast *n)
{
    (void)about;
    if (n->kind != AST_SELECT) {
        return false;
    }
    const ast *items = n->kid[SELECT_ITEMS];
    const ast *others[] = {n->kid[SELECT_HAVING], n->kid[SELECT_QUALIFY],
                           n->kid[SELECT_WINDOWS]};
    bool found = false;
    for (int i = 0; i < countof(others); i++) {
        for (const ast *one = others[i]; one && !found; one = one->next) {
            found = ast_find(one, is_alias_of, items);
        }
    }
    // A whole key of ORDER BY is an alias first, as everywhere.
    for (const ast *key = n->kid[SELECT_ORDER]; key && !found;
         key = key->next) {
        const ast *expr = ast_unaliased(key);
        found = expr->kind != AST_COLUMN && ast_find(expr, is_alias_of, items);
    }
    return found;
}

bool names_two_ways(const ast *query, dialect d)
{
    return d == DIALECT_DUCKDB && ast_find(query, is_two_ways, NULL);
}

static bool is_row_in(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_IN && n->kid[IN_EXPR]->kind == AST_ROW;
}

bool looks_rows_up(const ast *left, const ast *right)
{
    return ast_find(left, is_row_in, NULL) || ast_find(right, is_row_in, NULL);
}

static bool is_rowid(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_COLUMN
           && str_among_fold(n->text, "rowid oid _rowid_");
}

bool reads_rowid(const ast *left, const ast *right)
{
    return ast_find(left, is_rowid, NULL) || ast_find(right, is_rowid, NULL);
}
