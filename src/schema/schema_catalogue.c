/*
 * schema_catalogue.c - the one reader of catalogues.
 *
 * Method      Rows come sorted, so that a table and each key of it are a run of
 *             rows that agree in their first columns. Rows lie in memory of
 *             their own, which is used again for the next list; what the schema
 *             keeps of them is copied.
 *
 * Invariant   A list that could not be had is never an empty one: queries would
 *             be judged against a database without tables or keys.
 */
#include "schema/schema_catalogue.h"

#include "schema/schema_build.h"
#include "schema/schema_said.h"
#include "sql/query_text.h"

#include <assert.h>

static const ptrdiff_t ROWS_BYTES = (ptrdiff_t)256 << 20;
static const ptrdiff_t TREES_BYTES = (ptrdiff_t)64 << 20;

typedef struct reader {
    const catalogue *from;
    schema *s;
    schema_table *tables;  // of the schema
    catalogue_rows rows;   // of the part that is being read
    ptrdiff_t n;
    arena_store *memory;  // of these rows
    arena_store *trees;   // of what is parsed
    arena *a;
    diag *d;
} reader;

str *catalogue_add(catalogue_rows *rows, arena *a)
{
    for (int i = 0; i < CATALOGUE_MOST_COLUMNS; i++) {
        *vec_push(a, rows) = (str){0};
    }
    return rows->ptr + rows->len - CATALOGUE_MOST_COLUMNS;
}

static bool ask(reader *r, catalogue_part part)
{
    arena a = arena_store_clear(r->memory);
    r->rows = (catalogue_rows){0};
    bool ok = r->from->ask(r->from->context, part, &r->rows, &a, r->d);
    assert(r->rows.len % CATALOGUE_MOST_COLUMNS == 0);
    r->n = ok ? r->rows.len / CATALOGUE_MOST_COLUMNS : 0;
    return ok;
}

static str at(const reader *r, ptrdiff_t row, int column)
{
    return r->rows.ptr[row * CATALOGUE_MOST_COLUMNS + column];
}

static bool flag_at(const reader *r, ptrdiff_t row, int column)
{
    return str_equal(at(r, row, column), S("1"));
}

// The end of the rows that agree with row `from` in the first `n` columns.
static ptrdiff_t run_end(const reader *r, ptrdiff_t from, int n)
{
    ptrdiff_t to = from;
    for (bool same = true; same && to < r->n; to += same) {
        for (int c = 0; same && c < n; c++) {
            same = str_equal(at(r, to, c), at(r, from, c));
        }
    }
    return to;
}

static schema_table *table_at(const reader *r, ptrdiff_t row)
{
    int32_t t = schema_find_table(r->s, at(r, row, 0));
    return t < 0 ? NULL : &r->tables[t];
}

// The expression as a tree; NULL when it calls what nobody knows, or cannot be
// read.
static const ast *expression_of(const reader *r, str text, arena scratch)
{
    dialect own = r->from->checks;
    ast *condition = expression_text_of(r->a, text, own, scratch);
    return condition ? schema_said(r->a, NULL, condition, own, own, scratch)
                     : NULL;
}

static void read_tables(reader *r)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t row = 0; row < r->n; row = run_end(r, row, 1)) {
        n++;
    }
    r->tables = arena_new(r->a, schema_table, n);
    r->s->tables = r->tables;
    for (ptrdiff_t row = 0, end = 0; row < r->n; row = end) {
        end = run_end(r, row, 1);
        schema_column *columns = arena_new(r->a, schema_column, end - row);
        bool is_virtual = false;
        for (ptrdiff_t i = row; i < end; i++) {
            str name = arena_str(r->a, at(r, i, 1));
            str type = arena_str(r->a, at(r, i, 2));
            columns[i - row] = schema_column_in(name, type, r->from->types);
            columns[i - row].is_single =
                schema_type_is_single(type, r->from->checks);
            columns[i - row].is_not_null = flag_at(r, i, 3);
            columns[i - row].enum_name = arena_str(r->a, at(r, i, 6));
            if (at(r, i, 6).len > 0) {
                columns[i - row].kind = KIND_ANY;
            }
            is_virtual |= flag_at(r, i, 4);
            if (at(r, i, 5).len > 0) {
                columns[i - row].generated =
                    expression_of(r, at(r, i, 5), arena_store_clear(r->trees));
                is_virtual |= !columns[i - row].generated;
            }
        }
        schema_table *t = &r->tables[r->s->n_tables++];
        *t = (schema_table){
            .name = arena_str(r->a, at(r, row, 0)),
            .columns = columns,
            .n_columns = end - row,
            .is_virtual = is_virtual,
        };
        schema_index(t, r->a);
    }
}

// Places of the columns that rows [from, to) name in column 2; NULL when one is
// not there.
static const int32_t *places(const reader *r,
                             const schema_table *t,
                             ptrdiff_t from,
                             ptrdiff_t to)
{
    int32_t *list = arena_new(r->a, int32_t, to - from);
    for (ptrdiff_t i = from; i < to; i++) {
        list[i - from] = schema_find_column(t, at(r, i, 2));
        if (list[i - from] < 0) {
            return NULL;
        }
    }
    return list;
}

static void read_uniques(reader *r,
                         schema_table *t,
                         ptrdiff_t row,
                         ptrdiff_t end)
{
    schema_unique *uniques = arena_new(r->a, schema_unique, end - row);
    t->uniques = uniques;
    t->n_uniques = 0;
    for (ptrdiff_t i = row, next = 0; i < end; i = next) {
        next = run_end(r, i, 2);
        const int32_t *columns = places(r, t, i, next);
        if (columns) {
            uniques[t->n_uniques++] =
                (schema_unique){columns, next - i, flag_at(r, i, 3), NULL};
        }
    }
}

// NULL: it cannot be read.
static ast *index_of(const reader *r, str text, arena scratch)
{
    str sql = arena_str(r->a, text);
    parse_result p = parse_ddl(r->a, sql, r->from->checks, scratch);
    ast *n = p.errors.len == 0 ? p.statements : NULL;
    bool is_one = n && !n->next && n->kind == AST_CREATE_INDEX;
    return is_one && n->kid[CREATE_INDEX_COLUMNS] ? n : NULL;
}

static void read_indexes(reader *r,
                         schema_table *t,
                         ptrdiff_t row,
                         ptrdiff_t end)
{
    schema_unique_index *indexes =
        arena_new(r->a, schema_unique_index, end - row);
    t->indexes = indexes;
    t->n_indexes = 0;
    for (ptrdiff_t i = row; i < end; i++) {
        dialect own = r->from->checks;
        arena scratch = arena_store_clear(r->trees);
        const ast *n = index_of(r, at(r, i, 1), scratch);
        t->n_indexes += n
                        && schema_index_said(&indexes[t->n_indexes], r->a, t, n,
                                             own, own, scratch);
    }
}

static void read_checks(reader *r,
                        schema_table *t,
                        ptrdiff_t row,
                        ptrdiff_t end)
{
    const ast **checks = (const ast **)arena_alloc(
        r->a, sizeof *checks, _Alignof(max_align_t), end - row);
    t->checks = checks;
    t->n_checks = 0;
    for (ptrdiff_t i = row; i < end; i++) {
        const ast *condition =
            expression_of(r, at(r, i, 1), arena_store_clear(r->trees));
        if (condition) {
            checks[t->n_checks++] = condition;
        }
    }
}

// What a part says of a table: rows [row, end).
typedef void table_part(reader *r,
                        schema_table *t,
                        ptrdiff_t row,
                        ptrdiff_t end);

static void each_table(reader *r, table_part *read)
{
    for (ptrdiff_t row = 0, end = 0; row < r->n; row = end) {
        end = run_end(r, row, 1);
        schema_table *t = table_at(r, row);
        if (t) {
            read(r, t, row, end);
        }
    }
}

static void read_keys(reader *r)
{
    key_draft *drafts = arena_new(r->a, key_draft, r->n);
    ptrdiff_t n = 0;
    for (ptrdiff_t row = 0, end = 0; row < r->n; row = end) {
        end = run_end(r, row, 2);
        const schema_table *t = table_at(r, row);
        const int32_t *columns = t ? places(r, t, row, end) : NULL;
        if (!columns) {
            continue;
        }
        str *targets = arena_new(r->a, str, end - row);
        for (ptrdiff_t i = row; i < end; i++) {
            targets[i - row] = arena_str(r->a, at(r, i, 4));
        }
        drafts[n++] = (key_draft){
            (int32_t)(t - r->tables),       columns, targets, end - row,
            arena_str(r->a, at(r, row, 3)), false};
    }
    schema_set_keys(r->s, r->a, drafts, n);
}

static void read_others(reader *r)
{
    str *names = arena_new(r->a, str, r->n);
    for (ptrdiff_t row = 0; row < r->n; row++) {
        names[row] = arena_str(r->a, at(r, row, 0));
    }
    r->s->others = names;
    r->s->n_others = r->n;
}

static bool read_all(reader *r)
{
    for (int part = 0; part < CATALOGUE_PARTS; part++) {
        if (!ask(r, (catalogue_part)part)) {
            return false;
        }
        switch ((catalogue_part)part) {
        case CATALOGUE_COLUMNS: read_tables(r); break;
        case CATALOGUE_UNIQUES: each_table(r, read_uniques); break;
        case CATALOGUE_INDEXES: each_table(r, read_indexes); break;
        case CATALOGUE_CHECKS: each_table(r, read_checks); break;
        case CATALOGUE_KEYS: read_keys(r); break;
        case CATALOGUE_OTHERS: read_others(r); break;
        case CATALOGUE_PARTS: break;
        }
    }
    return true;
}

bool schema_from_catalogue(schema *s, const catalogue *c, arena *a, diag *d)
{
    arena_store memory;
    arena_store trees;
    *s = (schema){0};
    if (!arena_store_open(&memory, ROWS_BYTES)) {
        return diag_add(d, (diag_place){0}, "no memory for a catalogue");
    }
    if (!arena_store_open(&trees, TREES_BYTES)) {
        arena_store_close(&memory);
        return diag_add(d, (diag_place){0}, "no memory for a catalogue");
    }
    reader r = {
        .from = c, .s = s, .memory = &memory, .trees = &trees, .a = a, .d = d};
    bool ok = read_all(&r);
    arena_store_close(&trees);
    arena_store_close(&memory);
    if (!ok) {
        *s = (schema){0};
    }
    return ok;
}
