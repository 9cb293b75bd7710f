/*
 * instance.c - small databases as data: copies, SQL.
 *
 * Method      Values and names are written as SQLite or PostgreSQL read them
 *             back exactly: NUL bytes, infinities and words that are reserved
 *             included.
 *
 * Invariant   A row has a cell for every column of its table, generated ones
 *             included.
 *
 * Cost        Linear in the cells.
 */
#include "engine/instance.h"

#include "sql/name.h"
#include "sql/semantics.h"
#include "table/value_key.h"

#include <assert.h>
#include <string.h>

value instance_at(const instance *i, int32_t t, ptrdiff_t row, int32_t column)
{
    assert(t >= 0 && t < i->schema->n_tables);
    assert(row >= 0 && row < i->tables[t].n_rows);
    assert(column >= 0 && column < i->schema->tables[t].n_columns);
    ptrdiff_t width = i->schema->tables[t].n_columns;
    return i->tables[t].cells[row * width + column];
}

bool instance_agrees(const instance *i,
                     int32_t t,
                     const int32_t *columns,
                     ptrdiff_t n,
                     ptrdiff_t one,
                     ptrdiff_t two)
{
    bool same = true;
    for (ptrdiff_t c = 0; same && c < n; c++) {
        value v = instance_at(i, t, one, columns[c]);
        same = !value_is_null(v)
               && value_equal(v, instance_at(i, t, two, columns[c]));
    }
    return same;
}

// The number that a text spells, or the value itself.
static value spelled_number(value v)
{
    int64_t i = 0;
    double d = 0;
    return v.kind != VALUE_TEXT                ? v
           : str_to_int(value_bytes(v), &i)    ? value_int(i)
           : str_to_double(value_bytes(v), &d) ? value_real(d)
                                               : v;
}

ptrdiff_t instance_parent(const instance *i,
                          const schema_key *key,
                          ptrdiff_t row)
{
    assert(key->parent >= 0 && row < i->tables[key->child].n_rows);
    ptrdiff_t found = -1;
    for (ptrdiff_t c = 0; c < key->n; c++) {
        value v = instance_at(i, key->child, row, key->columns[c]);
        found = value_is_null(v) ? -2 : found;
    }
    for (ptrdiff_t r = 0; found == -1 && r < i->tables[key->parent].n_rows;
         r++) {
        found = r;
        for (ptrdiff_t c = 0; found == r && c < key->n; c++) {
            value child = instance_at(i, key->child, row, key->columns[c]);
            value parent = instance_at(i, key->parent, r, key->targets[c]);
            bool same =
                value_equal(child, parent)
                || value_equal(spelled_number(child), spelled_number(parent));
            found = same ? r : -1;
        }
    }
    return found;
}

bool instance_has_orphan(const instance *i, const schema_key *key)
{
    bool found = false;
    for (ptrdiff_t r = 0; !found && r < i->tables[key->child].n_rows; r++) {
        found = instance_parent(i, key, r) == -1;
    }
    return found;
}

instance instance_copy(arena *a, const instance *i)
{
    instance copy = {.schema = i->schema};
    copy.tables = arena_new(a, instance_table, i->schema->n_tables);
    for (ptrdiff_t t = 0; t < i->schema->n_tables; t++) {
        const instance_table *from = &i->tables[t];
        ptrdiff_t n = from->n_rows * i->schema->tables[t].n_columns;
        copy.tables[t] =
            (instance_table){arena_copy(a, from->cells, n, 0), from->n_rows};
    }
    return copy;
}

instance instance_keep(arena *a, const instance *i)
{
    instance copy = instance_copy(a, i);
    for (ptrdiff_t t = 0; t < i->schema->n_tables; t++) {
        ptrdiff_t n = copy.tables[t].n_rows * i->schema->tables[t].n_columns;
        for (ptrdiff_t c = 0; c < n; c++) {
            value *v = &copy.tables[t].cells[c];
            if (value_has_bytes(*v)) {
                v->bytes = arena_str(a, value_bytes(*v)).ptr;
            }
        }
    }
    return copy;
}

instance instance_without(arena *a,
                          const instance *i,
                          ptrdiff_t no,
                          ptrdiff_t from,
                          ptrdiff_t n)
{
    const instance_table *old = &i->tables[no];
    assert(from >= 0 && n > 0 && from + n <= old->n_rows);
    instance out = *i;
    out.tables = arena_copy(a, i->tables, i->schema->n_tables, 0);
    ptrdiff_t width = i->schema->tables[no].n_columns;
    ptrdiff_t left = (old->n_rows - n) * width;
    value *cells = arena_new(a, value, left);
    for (ptrdiff_t c = 0; c < left; c++) {
        cells[c] = old->cells[c < from * width ? c : c + n * width];
    }
    out.tables[no] = (instance_table){cells, old->n_rows - n};
    return out;
}

hash128 instance_key(const instance *i)
{
    hash128 key = {0};
    for (ptrdiff_t t = 0; t < i->schema->n_tables; t++) {
        const instance_table *from = &i->tables[t];
        ptrdiff_t n = from->n_rows * i->schema->tables[t].n_columns;
        key = key_append(key, (hash128){(uint64_t)from->n_rows, 0});
        for (ptrdiff_t c = 0; c < n; c++) {
            value v = from->cells[c];
            hash128 cell = {value_is_null(v) ? 0 : (uint64_t)v.i, v.kind};
            if (value_has_bytes(v)) {
                cell = hash_bytes(value_bytes(v));
                cell.high += v.kind;
            }
            key = key_append(key, cell);
        }
    }
    return key;
}

static void add_text(buf *out, str s)
{
    name_add_between(out, s, '\'', '\'');
}

static void add_blob(buf *out, str s)
{
    buf_add(out, S("x'"));
    for (ptrdiff_t i = 0; i < s.len; i++) {
        buf_printf(out, "%02x", (unsigned)(unsigned char)s.ptr[i]);
    }
    buf_char(out, '\'');
}

void instance_add_value(buf *out, value v)
{
    if (v.kind == VALUE_TEXT) {
        // A NUL byte has no place in a literal.
        str s = value_bytes(v);
        bool is_plain = s.len == 0 || !memchr(s.ptr, '\0', (size_t)s.len);
        if (!is_plain) {
            buf_add(out, S("CAST("));
            add_blob(out, s);
            buf_add(out, S(" AS TEXT)"));
            return;
        }
        add_text(out, s);
    } else if (v.kind == VALUE_BLOB) {
        add_blob(out, value_bytes(v));
    } else if (v.kind == VALUE_REAL && v.real - v.real != 0) {
        buf_add(out, v.real > 0 ? S("9e999") : S("-9e999"));
    } else {
        value_show(out, v, 0);
    }
}

// DuckDB writes the sign before each byte, PostgreSQL before the first.
static void add_bytes(buf *out, str s, dialect d)
{
    buf_char(out, '\'');
    for (ptrdiff_t i = 0; i < s.len || i == 0; i++) {
        buf_add(out, i == 0 || d == DIALECT_DUCKDB ? S("\\x") : S(""));
        buf_printf(out, "%02x", (unsigned)(unsigned char)s.ptr[i]);
    }
    buf_char(out, '\'');
}

static bool is_truth(const schema_column *c, value v)
{
    return c->kind == KIND_BOOLEAN && v.kind == VALUE_INT
           && str_starts_fold(c->type, S("bool"));
}

// Literals without a type take that of their column.
static void add_typed(buf *out, const schema_column *c, value v, dialect d)
{
    bool is_number = schema_kind_is_number(c->kind);
    bool is_finite = v.kind != VALUE_REAL || v.real - v.real == 0;
    if (v.kind == VALUE_BLOB) {
        add_bytes(out, value_bytes(v), d);
    } else if (v.kind == VALUE_TEXT) {
        add_text(out, value_bytes(v));
    } else if (value_is_null(v) || (is_number && is_finite)) {
        value_show(out, v, 0);
    } else {
        buf_char(out, '\'');
        if (is_finite) {
            value_show(out, v, 0);
        } else {
            buf_add(out, v.real > 0 ? S("infinity") : S("-infinity"));
        }
        buf_char(out, '\'');
    }
}

static void add_cell(buf *out,
                     const schema_column *c,
                     value v,
                     bool has_truths,
                     dialect d)
{
    bool is_typed = dialect_follows_postgres(d);
    if ((has_truths || is_typed) && is_truth(c, v)) {
        buf_add(out, v.i != 0 ? S("true") : S("false"));
    } else if (is_typed) {
        add_typed(out, c, v, d);
    } else {
        instance_add_value(out, v);
    }
}

void instance_add_insert(buf *out, const schema_table *t, dialect d)
{
    buf_add(out, S("INSERT INTO "));
    if (d == DIALECT_DUCKDB) {
        name_add_table(out, t->name, d);
    } else {
        name_add(out, t->name, d);
    }
}

// Must the column stand in the INSERT of this row?
static bool is_needed(const schema_column *c, value v)
{
    return !c->generated && (!value_is_null(v) || c->fallback);
}

// The columns that are stored; of a row those that it needs.
static void add_columns(buf *out,
                        const schema_table *t,
                        const value *row,
                        dialect d)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const schema_column *of = &t->columns[c];
        if (row ? is_needed(of, row[c]) : !of->generated) {
            buf_add(out, n++ == 0 ? S("(") : S(", "));
            name_add(out, of->name, d);
        }
    }
    buf_add(out, n > 0 ? S(")") : S(""));
}

static void add_values(buf *out,
                       const schema_table *t,
                       const value *row,
                       bool is_short,
                       bool has_truths,
                       dialect d)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        const schema_column *of = &t->columns[c];
        if (is_short ? is_needed(of, row[c]) : !of->generated) {
            buf_add(out, n++ == 0 ? S("(") : S(", "));
            add_cell(out, of, row[c], has_truths, d);
        }
    }
    buf_add(out, n > 0 ? S(")") : S("(DEFAULT)"));
}

void instance_add_columns(buf *out, const schema_table *t, dialect d)
{
    add_columns(out, t, NULL, d);
}

void instance_add_row(buf *out,
                      const schema_table *t,
                      const value *row,
                      dialect d)
{
    add_values(out, t, row, false, false, d);
}

static void add_row(buf *out,
                    const schema *s,
                    const schema_table *t,
                    const value *row)
{
    const dialect d = s->dialect;
    bool has_truths = dialect_semantics(s->stands_for).truths_are_typed;
    ptrdiff_t n_stored = 0;
    ptrdiff_t n_needed = 0;
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        n_stored += !t->columns[c].generated;
        n_needed += is_needed(&t->columns[c], row[c]);
    }
    // A few NULLs are shorter than all the names.
    bool is_short = n_stored > n_needed + 2;
    bool must =
        n_stored < t->n_columns
        && (dialect_follows_postgres(d) || s->stands_for != DIALECT_SQLITE);
    bool lists_columns = (is_short || must) && n_needed > 0;
    instance_add_insert(out, t, d);
    if (lists_columns) {
        add_columns(out, t, row, d);
    }
    buf_add(out, S(" VALUES "));
    add_values(out, t, row, lists_columns, has_truths, d);
    buf_add(out, S(";\n"));
}

void instance_to_sql(buf *out, const instance *i, arena scratch)
{
    table_order order = schema_order(&scratch, i->schema);
    for (ptrdiff_t k = 0; k < order.n; k++) {
        const schema_table *t = &i->schema->tables[order.tables[k]];
        const instance_table *rows = &i->tables[order.tables[k]];
        for (ptrdiff_t r = 0; r < rows->n_rows; r++) {
            add_row(out, i->schema, t, rows->cells + r * t->n_columns);
        }
    }
}

// Does a row refer to one of a table that is written after its own?
static bool refers_ahead(const instance *i,
                         const table_order *order,
                         const schema_key *k)
{
    bool refers = false;
    ptrdiff_t n = schema_key_is_late(order, k) ? i->tables[k->child].n_rows : 0;
    for (ptrdiff_t r = 0; !refers && r < n; r++) {
        refers = instance_parent(i, k, r) != -2;
    }
    return refers;
}

void instance_to_script(buf *out, const instance *i, arena scratch)
{
    table_order order = schema_order(&scratch, i->schema);
    bool is_one = false;
    for (ptrdiff_t k = 0; !is_one && k < i->schema->n_keys; k++) {
        is_one = refers_ahead(i, &order, &i->schema->keys[k]);
    }
    buf_add(out, is_one ? S("BEGIN;\n") : S(""));
    instance_to_sql(out, i, scratch);
    buf_add(out, is_one ? S("COMMIT;\n") : S(""));
}
