/*
 * sample_internal.h - what the files of the sampler share; for them alone.
 *
 * Columns of the schema are numbered through all tables: `id` is such a
 * number.
 */
#ifndef ASSAY_SAMPLE_SAMPLE_INTERNAL_H
#define ASSAY_SAMPLE_SAMPLE_INTERNAL_H

#include "base/partition.h"
#include "base/rng.h"
#include "facts/fact.h"
#include "sample/expr_eval.h"
#include "sample/sample.h"
#include "sample/type_value.h"
#include "schema/reading.h"
#include "schema/schema_build.h"
#include "sql/function.h"

#include <assert.h>

// What a query compares with a column, or with a part of its values.
typedef struct constant {
    value v;
    int32_t id;  // of the column; -1: none
    bool is_pattern;
    function_leaves part;  // OTHER: all of the value
} constant;

static inline function_leaves constant_part(function_leaves leaves)
{
    return leaves > LEAVES_COUNT ? leaves : LEAVES_OTHER;
}

typedef vec_of(value) value_list;

// What values of a column look like.
typedef enum value_shape {
    SHAPE_INTEGER,
    SHAPE_REAL,
    SHAPE_TEXT,
    SHAPE_DATE,
    SHAPE_TIMESTAMP,
    SHAPE_TIME,
    SHAPE_BOOLEAN,
    SHAPE_BYTES,
    SHAPE_FORM,  // see value_form.h
    SHAPE_COUNT,
} value_shape;

typedef struct column_facts {
    int32_t table;
    int32_t column;
    bool is_read;
    bool is_date;     // a query takes it for a date
    bool is_stepped;  // a query counts days from it, or to it
    bool is_numeral;  // a query takes its text for a number
    bool is_key;      // in a primary key or a unique one
    bool is_foreign;  // in a sound foreign key of its table
    bool is_target;   // a foreign key of its own table refers to it
    bool may_be_null;
    column_type type;
    value_shape shape;  // once all queries are read
    value_list near;    // made of the constants of its class
    value_list alike;   // that the class takes for the same, and are not
    value_list steps;   // of a day that is counted from: pairs of days
} column_facts;

// Of columns that queries compare, together.
typedef struct class_facts {
    bool has_number;
    bool has_numeral;            // a text in it is taken for a number
    bool is_stepped;             // see column_facts
    int32_t n_read;              // columns
    schema_collation collation;  // of one of its columns that has another one
                                 // than BINARY
} class_facts;

typedef struct sampled_query {
    const binding *binding;
    int64_t threshold;  // the largest number that COUNT is compared with
    int64_t limit;      // the largest LIMIT with its OFFSET
} sampled_query;

// What a table asks of its rows, once read (row_check.c).
typedef struct cell_code {
    int32_t column;
    const expr_code *code;
    bool is_indexed;
} cell_code;

typedef struct key_code {
    const expr_code *code;
    schema_collation collation;  // by which the index compares it
} key_code;

typedef struct index_code {
    const expr_code *where;  // NULL: it has all rows
    vec_of(key_code) keys;
} index_code;

typedef struct table_code {
    vec_of(cell_code) generated;
    vec_of(const expr_code *) checks;
    vec_of(index_code) indexes;
} table_code;

struct sampler {
    arena *a;
    const schema *s;
    sample_options o;
    int32_t given_rows;  // o.max_rows, unless sampler_shrink() says less
    int32_t *first;      // by table, the id of its first column
    int32_t n_columns;
    column_facts *columns;  // by id
    partition classes;      // of columns: what queries compare
    class_facts *of_class;  // by class
    table_code *code;       // by table
    reading reads;          // what the queries read
    const bool *is_read;    // by table
    bool *is_wanted;        // by table: read, or a parent of such a one
    table_order order;
    vec_of(sampled_query) queries;
    vec_of(constant) constants;
    fact_texts texts;                // among the constants
    value_list common[SHAPE_COUNT];  // of all constants, by shape
    struct common_fit **fits;        // by column, then by common value of its
                                     // shape; NULL: none was asked for
    int64_t threshold;  // the largest count that a query asks for; 0: none
    int64_t limit;      // the largest LIMIT with its OFFSET; 0: none
    bool is_ready;      // near and common are made
};

enum {
    THRESHOLD_MAX = 130,
    NEAR_MAX = 60,     // values near the constants of a class
    COMMON_MAX = 150,  // values of a shape
    ATTEMPTS = 8,      // at a legal row
};

// facts.c: reads queries into classes, constants, thresholds.
sampled_query facts_read(sampler *m, const binding *b, arena scratch);
void facts_read_check(sampler *m,
                      int32_t table,
                      const ast *check,
                      arena scratch);

// value_pool.c: what values of the column look like, by what is read so far.
value_shape pool_read_shape(const sampler *m, int32_t id);

static inline value_shape pool_shape(const sampler *m, int32_t id)
{
    assert(id >= 0 && id < m->n_columns);
    return m->columns[id].shape;
}

static inline class_facts *sampler_class(const sampler *m, int32_t id)
{
    return &m->of_class[partition_root(&m->classes, id)];
}

void pool_prepare(sampler *m);

// The value as the column would hold it; false when it holds none like it.
bool pool_fit(const sampler *m, int32_t id, value *v, arena *a);

// Common value `i` of its shape as the column would hold it: it is looked at
// once. NULL: it cannot hold it.
const value *pool_common(const sampler *m, int32_t id, ptrdiff_t i);

// The value as SQLite would compare it with one of the column.
value pool_as(const sampler *m, int32_t id, value v, arena *a);

// A plain value of the column, the i-th of an endless list of different ones.
value pool_plain(const sampler *m, int32_t id, int64_t i, arena *a);

// The constant and what lies near, as the column would hold it.
void pool_add_near(const sampler *m,
                   int32_t id,
                   const constant *c,
                   value_list *out,
                   arena *a);

// Texts of a column of text that are parts of dates, or look like dates, and
// are none: '2014-05', '2014/05/05'.
void pool_add_odd(const sampler *m, int32_t id, value_list *out, arena *a);

// row_check.c: reads m->code of the table, and what its checks say of columns.
void rules_read(sampler *m, int32_t table_no, arena scratch);

// Can the row not be (some check is false)? `row` are the
// cells of all columns of the table; computed ones are filled in.
bool row_breaks_check(const sampler *m, int32_t table, value *row, arena *a);

// Do two rows of the table, the second of which may be made up, break a unique
// index that is no key, or may they?
bool rows_break_index(const sampler *m,
                      int32_t table,
                      const value *a,
                      const value *b,
                      arena *temp);

// Can no row hold this value in the column, whatever else it holds?
bool value_breaks_check(const sampler *m, int32_t id, value v, arena *a);

// Is it, in a column that spells each text in one way, another spelling of a
// constant than any query has?
bool value_is_misspelled(const sampler *m, int32_t id, value v);

// Are they one value as the column compares them?
bool values_equal(const sampler *m, int32_t id, value a, value b);

// rows.c: instances under construction. A wanted row has some cells that it
// should hold; the others are left open.
typedef struct wanted_row {
    value *cells;  // of all columns of the table
    bool *is_set;  // which of them are wanted
} wanted_row;

typedef vec_of(wanted_row) wanted_table;

// A foreign key of a row that is settled when all rows are there.
typedef struct open_key {
    const schema_key *key;
    ptrdiff_t row;
} open_key;

typedef struct row_builder {
    const sampler *m;
    arena *a;
    rng r;
    wanted_table *wanted;    // by table
    instance_table *tables;  // by table: the rows that are made
    ptrdiff_t *room;         // by table: for how many rows
    value_list *pools;       // by id: the working pool of this instance
    value_list *shared;      // by class: what its columns have in common
    bool is_dense;           // few values, many alike
    double nulls;            // share of NULL in columns that may hold it
    ptrdiff_t max_rows;      // of a table
    double from_pool;        // share of keys drawn from the pool
    bool is_skewed;          // a few parents, some alike, many children
    bool is_uneven;          // most children to some of them
    bool has_spellings;      // numbers in texts are also written '03'
    bool has_odd;            // texts may be no dates, see pool_add_odd()
    bool is_alike;           // columns hold values alike, where there are such
    int32_t lacks;           // the table that has no rows; -1: none
    vec_of(open_key) open;   // keys that wait for the rows of their parents
} row_builder;

row_builder builder_new(const sampler *m, uint64_t seed, arena *a);
wanted_row *builder_want(row_builder *b, int32_t table);

// False when the column holds no such value.
void builder_want_cell(row_builder *b, wanted_row *row, int32_t id, value v);
instance builder_finish(row_builder *b);

bool chance(rng *r, double share);

// aim.c: rows for one query; by chance, and on purpose.
void template_want(row_builder *b, const sampled_query *q, int64_t no);
void aim_want(row_builder *b, const sampled_query *q, int64_t no);

// Groups of unlike sizes, some of them alike but for their keys.
void skew_want(row_builder *b, const sampled_query *q);

#endif  // ASSAY_SAMPLE_SAMPLE_INTERNAL_H
