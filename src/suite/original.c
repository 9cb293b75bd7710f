// original.c - see original.h.
#include "suite/original.h"

#include "base/utf8.h"

static str select_rows(arena *a, const schema_table *t)
{
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT "));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        buf_add(&sql, c > 0 ? S(", ") : S(""));
        instance_add_name(&sql, t->columns[c].name);
    }
    buf_add(&sql, S(" FROM "));
    instance_add_name(&sql, t->name);
    buf_printf(&sql, " LIMIT %d", ORIGINAL_ROWS);
    return buf_str(&sql);
}

static void read_table(instance_table *out,
                       arena *a,
                       database *db,
                       const schema_table *t,
                       arena scratch)
{
    execution x = engine_run(db, select_rows(&scratch, t), ENGINE_READ_ALL, a);
    if (x.status != REASON_NONE || x.result.n_columns != t->n_columns) {
        return;
    }
    ptrdiff_t n = x.result.n_rows * t->n_columns;
    value *cells = arena_new(a, value, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        value v = x.result.cells[i];
        bool is_broken = v.kind == VALUE_TEXT && !utf8_is_valid(value_bytes(v));
        cells[i] = is_broken ? value_null() : v;
    }
    *out = (instance_table){cells, x.result.n_rows};
}

instance original_rows(arena *a, database *db, arena scratch)
{
    const schema *s = engine_schema(db);
    instance out = {s, arena_new(a, instance_table, s->n_tables)};
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (!s->tables[t].view) {
            read_table(&out.tables[t], a, db, &s->tables[t], scratch);
        }
    }
    return out;
}

// SELECT count(*), count(a), count(b), ...
static str select_counts(arena *a, const schema_table *t)
{
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT count(*)"));
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        buf_add(&sql, S(", count("));
        instance_add_name(&sql, t->columns[c].name);
        buf_char(&sql, ')');
    }
    buf_add(&sql, S(" FROM "));
    instance_add_name(&sql, t->name);
    return buf_str(&sql);
}

static void forbid_null(schema_table *t, arena *a, database *db, arena scratch)
{
    execution x =
        engine_run(db, select_counts(&scratch, t), ENGINE_READ_ALL, &scratch);
    const table *n = &x.result;
    if (x.status != REASON_NONE || n->n_columns != t->n_columns + 1
        || n->n_rows != 1 || n->cells[0].i == 0) {
        return;
    }
    schema_column *columns = arena_new(a, schema_column, t->n_columns);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        columns[c] = t->columns[c];
        columns[c].is_not_null |= n->cells[c + 1].i == n->cells[0].i;
    }
    t->columns = columns;
}

const schema *original_not_null(arena *a,
                                database *db,
                                const schema *from,
                                arena scratch)
{
    schema *s = arena_new(a, schema, 1);
    schema_table *tables = arena_new(a, schema_table, from->n_tables);
    *s = *from;
    for (ptrdiff_t t = 0; t < from->n_tables; t++) {
        tables[t] = from->tables[t];
        if (!tables[t].view) {
            forbid_null(&tables[t], a, db, scratch);
        }
    }
    s->tables = tables;
    return s;
}
