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

#include <assert.h>

typedef struct stored_table {
    const char *why;  // it goes; NULL: it stays
    int32_t place;    // among those that stay
} stored_table;

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
static bool drop_children(const schema *s, stored_table *tables)
{
    bool found = false;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        bool is_orphan = key->parent < 0 || tables[key->parent].why;
        if (is_orphan && !tables[key->child].why) {
            tables[key->child].why = "refers to a table that is left out; "
                                     "left out, too";
            found = true;
        }
    }
    return found;
}

static void keep_tables(schema *out,
                        arena *a,
                        const schema *s,
                        stored_table *tables,
                        diag *left_out)
{
    schema_table *kept = arena_new(a, schema_table, s->n_tables);
    out->tables = kept;
    out->n_tables = 0;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (tables[t].why) {
            diag_add(left_out, (diag_place){0}, "%.*s: %s",
                     STR_ARG(s->tables[t].name), tables[t].why);
        } else {
            tables[t].place = (int32_t)out->n_tables;
            kept[out->n_tables++] = s->tables[t];
        }
    }
}

static void keep_keys(schema *out,
                      arena *a,
                      const schema *s,
                      const stored_table *tables)
{
    schema_key *kept = arena_new(a, schema_key, s->n_keys);
    out->keys = kept;
    out->n_keys = 0;
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        schema_key key = s->keys[k];
        if (!tables[key.child].why) {
            assert(key.parent >= 0 && !tables[key.parent].why);
            key.child = tables[key.child].place;
            key.parent = tables[key.parent].place;
            kept[out->n_keys++] = key;
        }
    }
}

const schema *stored_schema(arena *a, const schema *s, diag *left_out)
{
    assert(left_out);
    stored_table *tables = arena_new(a, stored_table, s->n_tables);
    schema *out = arena_new(a, schema, 1);
    *out = *s;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        tables[t].why = why_not(&s->tables[t]);
    }
    bool drops = true;
    while (drops) {
        drops = drop_children(s, tables);
    }
    keep_tables(out, a, s, tables, left_out);
    keep_keys(out, a, s, tables);
    return out;
}
