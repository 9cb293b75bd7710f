/*
 * column.h - the columns of a file: what the members of its records are called,
 * and what they hold.
 *
 * Names lie: `query` is SQL in one file and a question in the next, `output` a
 * gold here and an answer there. So a first pass over all records counts what
 * stands in each member, and file_reading.h decides from that, once for the
 * file.
 */
#ifndef ASSAY_READ_COLUMN_H
#define ASSAY_READ_COLUMN_H

#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "read/field.h"

typedef struct file_column {
    str path;     // names with dots between them: "reward_model.ground_truth"
    field named;  // what the user says it is, or its name

    // Records whose value is …
    ptrdiff_t n;            // not blank
    ptrdiff_t n_query;      // a query, wrapped or not, or a list with one in it
    ptrdiff_t n_sql;        // the same with other statements
    ptrdiff_t n_text;       // other text
    ptrdiff_t n_mixed;      // a list of which only some texts are SQL
    ptrdiff_t n_inner;      // ... with a query in it that no name tells
    ptrdiff_t n_tokens;     // a list of words that make a query
    ptrdiff_t n_whole;      // an integer, as text or number: "7", 7, "7.0"
    ptrdiff_t n_float;      // of these the ones written "7.0"
    ptrdiff_t n_asked;      // a conversation in which somebody asks
    ptrdiff_t n_told;       // a conversation with an answer
    ptrdiff_t n_open;       // that ends in a question
    ptrdiff_t n_word;       // a text, number or truth value
    ptrdiff_t n_number;     // a number, as text or number
    ptrdiff_t n_no_figure;  // of these the ones that are no count, cost or time
    ptrdiff_t n_first;      // the same word as the first
    hash128 first;          // that one
    hash128 sum;            // of the words, whatever their order
    uint64_t sql_sum;       // the same of the texts that may be SQL
    ptrdiff_t n_select;     // of the other texts the ones that say SELECT
    ptrdiff_t n_asking;     // ... the questions
    str asking;             // the first of them
} file_column;

typedef struct file_columns {
    vec_of(file_column) list;  // in order of appearance
    map paths;
    ptrdiff_t n_records;
} file_columns;

// Adds what the record j holds: an object, or a bare value whose path is empty.
// Of a session (`is_head`) only what belongs to all its turns.
void columns_add(file_columns *c,
                 arena *a,
                 field_aliases own,
                 const json *j,
                 bool is_head,
                 arena scratch);

// The same of one member whose meaning is known, and of the members of an
// object that stands at the path `above` in a record.
void columns_add_value(file_columns *c,
                       arena *a,
                       str path,
                       field meaning,
                       const json *v,
                       arena scratch);
void columns_add_inside(file_columns *c,
                        arena *a,
                        field_aliases own,
                        str above,
                        const json *object,
                        arena scratch);

// A word as words are compared: 7.0 is 7.
str column_word(str word);

// Holds it SQL in most records that have a value?
bool column_is_sql(const file_column *c);

// The same for queries, which give rows: no CREATE TABLE.
bool column_is_queries(const file_column *c);

// Are there texts in it, none of which has a query anywhere?
bool column_is_prose(const file_column *c);

// Most values are lists or objects in which there is a query, and no name that
// says so.
bool column_hides_queries(const file_column *c);

// Do both hold the same SQL? Then it does not matter which one is read.
bool column_is_same_sql(const file_column *c, const file_column *other);

// All values are numbers that a member of that kind can have.
bool column_is_figure(const file_column *c, field_kind kind);

// Says it the same in all records, of which there are several?
bool column_is_constant(const file_column *c);

// All values are integers, and some of them are written as reals.
bool column_is_floats(const file_column *c);

#endif  // ASSAY_READ_COLUMN_H
