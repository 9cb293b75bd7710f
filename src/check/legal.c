/*
 * legal.c - constraints that are tested row by row.
 *
 * Method      The assumed schema is the declared one with parts left out, so
 *             that everything after it needs to know of no assumptions. What a
 *             generated column holds only the engine knows, which then has to
 *             refuse what does not fit the type.
 *
 * Cost        Quadratic in the rows of a table, of which a witness has few.
 */
#include "check/legal.h"

#include "schema/schema_ddl.h"
#include "schema/schema_draft.h"

#include <assert.h>

// Is it a generated column that SQLite lets hold values of any type?
static bool may_go_off_type(const schema *s, const schema_column *c)
{
    return s->dialect == DIALECT_SQLITE && c->generated && !c->is_off_type
           && schema_may_misfit(c);
}

static bool has_free_column(const schema *s)
{
    bool has = false;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t c = 0; !has && c < s->tables[t].n_columns; c++) {
            has = may_go_off_type(s, &s->tables[t].columns[c]);
        }
    }
    return has;
}

static void assume_table(schema_draft *d,
                         const schema *s,
                         ptrdiff_t t,
                         unsigned assume)
{
    schema_table *own = &d->tables[t];
    if (!(assume & ASSUME_KEYS)) {
        own->n_uniques = 0;
        own->n_indexes = 0;
        own->n_checks = 0;
    }
    for (ptrdiff_t i = 0; i < own->n_columns; i++) {
        schema_column *c = &d->columns[t][i];
        c->is_not_null &= (assume & ASSUME_NOT_NULL) != 0;
        c->is_rowid &= (assume & ASSUME_KEYS) != 0;
        c->is_held_to_type = (assume & ASSUME_TYPES)
                             && may_go_off_type(s, &s->tables[t].columns[i]);
    }
}

static void enforce_table(schema_draft *d, ptrdiff_t t)
{
    const schema_table *own = &d->tables[t];
    if (!schema_primary(own) || !own->has_rowid) {
        return;
    }
    for (ptrdiff_t c = 0; c < own->n_columns; c++) {
        d->columns[t][c].is_not_null |= own->columns[c].is_rowid;
    }
    for (ptrdiff_t u = 0; u < own->n_uniques; u++) {
        d->uniques[t][u].is_primary = false;
    }
}

const schema *legal_enforced(arena *a, const schema *s)
{
    assert(s->dialect == DIALECT_SQLITE);
    schema_draft *d = schema_draft_of(a, s, 0);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        enforce_table(d, t);
    }
    d->s.n_keys = 0;
    return &d->s;
}

const schema *legal_schema(arena *a, const schema *s, unsigned assume)
{
    unsigned all = ASSUME_KEYS | ASSUME_NOT_NULL | ASSUME_FOREIGN_KEYS;
    bool has_types = !(assume & ASSUME_TYPES) || !has_free_column(s);
    if ((assume & all) == all && has_types) {
        return s;
    }
    schema_draft *d = schema_draft_of(a, s, 0);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        assume_table(d, s, t, assume);
    }
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        d->keys[k].is_sound &= (assume & ASSUME_KEYS) != 0;
    }
    d->s.n_keys = assume & ASSUME_FOREIGN_KEYS ? s->n_keys : 0;
    return &d->s;
}

static bool has_null(const instance *i, int32_t t, int32_t c)
{
    for (ptrdiff_t r = 0; r < i->tables[t].n_rows; r++) {
        if (value_is_null(instance_at(i, t, r, c))) {
            return true;
        }
    }
    return false;
}

static bool has_forbidden_null(const instance *i, const schema *s)
{
    for (int32_t t = 0; t < s->n_tables; t++) {
        const schema_table *from = &s->tables[t];
        for (int32_t c = 0; c < from->n_columns; c++) {
            if (schema_never_null(from, c) && has_null(i, t, c)) {
                return true;
            }
        }
    }
    return false;
}

// Does a row find no parent? `all`: by keys that the engine tests, too.
static bool has_orphan(const instance *i, const schema *s, bool all)
{
    bool found = false;
    for (ptrdiff_t k = 0; !found && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        found = (all || !key->is_sound) && !key->is_unenforced
                && schema_key_is_complete(key) && instance_has_orphan(i, key);
    }
    return found;
}

bool legal_instance(const instance *i, unsigned assume)
{
    bool has_null =
        (assume & ASSUME_NOT_NULL) && has_forbidden_null(i, i->schema);
    // DuckDB's tables lack one key of each cycle, see schema_to_ddl().
    bool all = i->schema->dialect == DIALECT_DUCKDB;
    return !has_null && !has_orphan(i, i->schema, all);
}

// Two rows with the same key, no part of which is NULL.
static bool repeats(const instance *i, int32_t t, const schema_unique *u)
{
    for (ptrdiff_t r = 1; r < i->tables[t].n_rows; r++) {
        for (ptrdiff_t other = 0; other < r; other++) {
            if (instance_agrees(i, t, u->columns, u->n, r, other)) {
                return true;
            }
        }
    }
    return false;
}

bool legal_breaks(const instance *i, const schema *s)
{
    if (has_forbidden_null(i, s)) {
        return true;
    }
    for (int32_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t u = 0; u < s->tables[t].n_uniques; u++) {
            if (repeats(i, t, &s->tables[t].uniques[u])) {
                return true;
            }
        }
    }
    return has_orphan(i, s, true);
}
