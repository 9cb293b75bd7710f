// schema_draft.c - see schema_draft.h.
#include "schema/schema_draft.h"

#include <assert.h>

schema_draft *schema_draft_of(arena *a, const schema *s, ptrdiff_t more_keys)
{
    schema_draft *d = arena_new(a, schema_draft, 1);
    d->s = *s;
    d->tables = arena_copy(a, s->tables, s->n_tables, 0);
    d->columns = arena_new(a, schema_column *, s->n_tables);
    d->uniques = arena_new(a, schema_unique *, s->n_tables);
    d->keys = arena_copy(a, s->keys, s->n_keys, more_keys);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        schema_table *own = &d->tables[t];
        d->columns[t] = arena_copy(a, own->columns, own->n_columns, 0);
        d->uniques[t] = arena_copy(a, own->uniques, own->n_uniques, 0);
        own->columns = d->columns[t];
        own->uniques = d->uniques[t];
    }
    d->s.tables = d->tables;
    d->s.keys = d->keys;
    return d;
}

schema schema_part(arena *a, const schema *s, const bool *wanted)
{
    schema_draft *d = schema_draft_of(a, s, 0);
    int32_t *place = arena_new(a, int32_t, s->n_tables);
    d->s.n_tables = 0;
    d->s.n_keys = 0;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        place[t] = (int32_t)d->s.n_tables;
        d->tables[d->s.n_tables] = d->tables[t];
        d->s.n_tables += wanted[t];
    }
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        schema_key key = s->keys[k];
        if (wanted[key.child] && key.parent >= 0) {
            assert(wanted[key.parent]);
            key.child = place[key.child];
            key.parent = place[key.parent];
            d->keys[d->s.n_keys++] = key;
        }
    }
    return d->s;
}
