// unmodelled.c - see unmodelled.h.
#include "check/unmodelled.h"

typedef struct look {
    const schema *s;
    bool is_postgres;
    const ast *found;
} look;

static bool is_system_column(str name)
{
    return str_among_fold(name, "ctid xmin xmax cmin cmax tableoid");
}

static bool look_at(void *context, const ast *n)
{
    look *l = context;
    int32_t t = n->kind == AST_TABLE ? schema_find_table(l->s, n->text) : -1;
    bool is_virtual = t >= 0 && l->s->tables[t].is_virtual;
    bool is_system =
        l->is_postgres && n->kind == AST_COLUMN && is_system_column(n->text);
    if (!l->found && (is_virtual || is_system)) {
        l->found = n;
    }
    return !l->found;
}

str unmodelled(const ast *query, const schema *s, dialect d, arena *a)
{
    look l = {.s = s, .is_postgres = d == DIALECT_POSTGRES};
    ast_walk(query, look_at, &l);
    if (!l.found) {
        return (str){0};
    }
    return arena_printf(a, "%.*s is a %s, whose content assay does not model",
                        STR_ARG(l.found->text),
                        l.found->kind == AST_TABLE ? "virtual table"
                                                   : "system column");
}
