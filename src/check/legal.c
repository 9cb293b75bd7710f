/*
 * legal.c - constraints that are tested row by row.
 *
 * Method      The assumed schema is the declared one with parts left out, so
 *             that everything after it needs to know of no assumptions. What a
 *             generated column holds only the engine knows, which then has to
 *             refuse what does not fit the type. A key of numbers in TEXT
 *             refers to the number that it spells.
 *
 * Cost        Quadratic in the rows of a table, of which a witness has few.
 */
#include "check/legal.h"

#include "schema/schema_ddl.h"
#include "schema/schema_draft.h"
#include "table/value_key.h"

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

// The number that a text spells, or the value itself: a foreign key of TEXT may
// refer to a number.
static value spelled_number(value v)
{
    int64_t i = 0;
    double d = 0;
    if (v.kind != VALUE_TEXT) {
        return v;
    }
    return str_to_int(value_bytes(v), &i)      ? value_int(i)
           : str_to_double(value_bytes(v), &d) ? value_real(d)
                                               : v;
}

ptrdiff_t legal_parent(const instance *i, const schema_key *key, ptrdiff_t row)
{
    assert(key->parent >= 0 && row < i->tables[key->child].n_rows);
    for (ptrdiff_t c = 0; c < key->n; c++) {
        if (value_is_null(instance_at(i, key->child, row, key->columns[c]))) {
            return -2;
        }
    }
    for (ptrdiff_t r = 0; r < i->tables[key->parent].n_rows; r++) {
        bool same = true;
        for (ptrdiff_t c = 0; same && c < key->n; c++) {
            value child = instance_at(i, key->child, row, key->columns[c]);
            value parent = instance_at(i, key->parent, r, key->targets[c]);
            same =
                value_equal(child, parent)
                || value_equal(spelled_number(child), spelled_number(parent));
        }
        if (same) {
            return r;
        }
    }
    return -1;
}

static bool key_holds(const instance *i, const schema_key *key)
{
    bool holds = true;
    for (ptrdiff_t r = 0; holds && r < i->tables[key->child].n_rows; r++) {
        holds = legal_parent(i, key, r) != -1;
    }
    return holds;
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

bool legal_instance(const instance *i, unsigned assume)
{
    const schema *s = i->schema;
    if ((assume & ASSUME_NOT_NULL) && has_forbidden_null(i, s)) {
        return false;
    }
    bool legal = true;
    for (ptrdiff_t k = 0; legal && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        legal =
            key->is_sound || !schema_key_is_complete(key) || key_holds(i, key);
    }
    return legal;
}

// Two rows with the same key, no part of which is NULL.
static bool repeats(const instance *i, int32_t t, const schema_unique *u)
{
    for (ptrdiff_t r = 1; r < i->tables[t].n_rows; r++) {
        for (ptrdiff_t other = 0; other < r; other++) {
            bool same = true;
            for (ptrdiff_t c = 0; same && c < u->n; c++) {
                value v = instance_at(i, t, r, u->columns[c]);
                same =
                    !value_is_null(v)
                    && value_equal(v, instance_at(i, t, other, u->columns[c]));
            }
            if (same) {
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
    bool holds = true;
    for (ptrdiff_t k = 0; holds && k < s->n_keys; k++) {
        holds =
            !schema_key_is_complete(&s->keys[k]) || key_holds(i, &s->keys[k]);
    }
    return !holds;
}
