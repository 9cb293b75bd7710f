/*
 * stored.c - see stored.h.
 *
 * Method      Tables go, then those that refer to one that is gone, until none
 *             does: without its parent a child would have rows that no database
 *             has.
 *
 * Invariant   A key that stays has both its tables.
 *
 * Cost        Keys, once for each generation of children.
 */
#include "suite/stored.h"

#include "schema/schema_draft.h"

#include <assert.h>

// Why the table cannot be in a suite; NULL: it can.
static const char *why_not(const schema_table *t)
{
    return t->is_virtual
               ? "a view, or of columns that a suite cannot have; left out"
           : str_find(t->name, S("."), 0) >= 0
               ? "in a schema other than main, or with a point in its name; "
                 "left out"
               : NULL;
}

// Drops children of what is gone; false when there are none left.
static bool drop_children(const schema *s, const char **why)
{
    bool found = false;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        bool is_orphan = key->parent < 0 || why[key->parent];
        if (is_orphan && !why[key->child]) {
            why[key->child] =
                "refers to a table that is left out; left out, too";
            found = true;
        }
    }
    return found;
}

const schema *stored_schema(arena *a, const schema *s, diag *left_out)
{
    assert(left_out);
    const char **why = arena_new(a, const char *, s->n_tables);  // it goes
    bool *stays = arena_new(a, bool, s->n_tables);
    schema *out = arena_new(a, schema, 1);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        why[t] = why_not(&s->tables[t]);
    }
    bool drops = true;
    while (drops) {
        drops = drop_children(s, why);
    }
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        stays[t] = !why[t];
        if (why[t]) {
            diag_add(left_out, (diag_place){0}, "%.*s: %s",
                     STR_ARG(s->tables[t].name), why[t]);
        }
    }
    *out = schema_part(a, s, stays);
    return out;
}
