/*
 * original.c - real rows and real NULLs, asked of the database itself.
 *
 * Method      One SELECT ... LIMIT for each table, and one SELECT count(c), ...
 *             for all its columns. A table that cannot be read counts as empty:
 *             its rows are only a help for the sampler.
 *
 * Invariant   Values are what SQLite can store: other kinds become their text.
 *
 * Cost        ORIGINAL_ROWS rows, or one scan, for each table.
 */
#include "suite/original.h"

#include "base/utf8.h"
#include "schema/schema_draft.h"
#include "sql/name.h"

static str select_rows(arena *a, const schema_table *t, dialect d)
{
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT "));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        name_fill(&sql, c > 0 ? ", $0" : "$0", &t->columns[c].name, d);
    }
    name_fill(&sql, " FROM @0", &t->name, d);
    buf_printf(&sql, " LIMIT %d", ORIGINAL_ROWS);
    return buf_str(&sql);
}

// As SQLite would hold it: what a server says of a type, its column says, too.
static value plain_value(value v, arena *a)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL:
    case VALUE_INT:
    case VALUE_REAL:
    case VALUE_TEXT:
    case VALUE_BLOB: return v;
    case VALUE_BOOL: return value_int(v.i);
    case VALUE_DECIMAL:
    case VALUE_OTHER: return value_text(value_bytes(v));
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: break;
    }
    return value_text(value_shown(a, v, 0));
}

static void read_table(instance_table *out,
                       arena *a,
                       database *db,
                       const schema_table *t,
                       arena scratch)
{
    dialect d = engine_driver_dialect(engine_driver_at(db));
    execution x =
        engine_run(db, select_rows(&scratch, t, d), ENGINE_READ_ALL, a);
    if (x.status != REASON_NONE || x.result.n_columns != t->n_columns) {
        return;
    }
    ptrdiff_t n = x.result.n_rows * t->n_columns;
    value *cells = arena_new(a, value, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        value v = x.result.cells[i];
        bool is_broken = v.kind == VALUE_TEXT && !utf8_is_valid(value_bytes(v));
        cells[i] = is_broken ? value_null() : plain_value(v, a);
    }
    *out = (instance_table){cells, x.result.n_rows};
}

instance original_rows(arena *a, database *db, const schema *s, arena scratch)
{
    instance out = {s, arena_new(a, instance_table, s->n_tables)};
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (!s->tables[t].view) {
            read_table(&out.tables[t], a, db, &s->tables[t], scratch);
        }
    }
    return out;
}

// SELECT count(*), count(a), count(b), ...
static str select_counts(arena *a, const schema_table *t, dialect d)
{
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT count(*)"));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        name_fill(&sql, ", count($0)", &t->columns[c].name, d);
    }
    name_fill(&sql, " FROM @0", &t->name, d);
    return buf_str(&sql);
}

static void forbid_null(schema_draft *s,
                        ptrdiff_t no,
                        database *db,
                        arena scratch)
{
    const schema_table *t = &s->tables[no];
    dialect d = engine_driver_dialect(engine_driver_at(db));
    execution x = engine_run(db, select_counts(&scratch, t, d), ENGINE_READ_ALL,
                             &scratch);
    const table *n = &x.result;
    if (x.status != REASON_NONE || n->n_columns != t->n_columns + 1
        || n->n_rows != 1 || n->cells[0].i == 0) {
        return;
    }
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        s->columns[no][c].is_not_null |= n->cells[c + 1].i == n->cells[0].i;
    }
}

const schema *original_not_null(arena *a,
                                database *db,
                                const schema *from,
                                arena scratch)
{
    schema_draft *s = schema_draft_of(a, from, 0);
    for (ptrdiff_t t = 0; t < from->n_tables; t++) {
        if (!from->tables[t].view) {
            forbid_null(s, t, db, scratch);
        }
    }
    return &s->s;
}
