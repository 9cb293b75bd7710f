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

// What a value may be; it may be several of these.
typedef enum column_trait {
    TRAIT_QUERY,      // a query, wrapped or not, or a list with one in it
    TRAIT_SQL,        // the same with other statements
    TRAIT_TEXT,       // other text
    TRAIT_MIXED,      // a list of which only some texts are SQL
    TRAIT_INNER,      // ... with a query in it that no name tells
    TRAIT_TOKENS,     // a list of words that make a query
    TRAIT_WHOLE,      // an integer, as text or number: "7", 7, "7.0"
    TRAIT_FLOAT,      // one that is written "7.0"
    TRAIT_ASKED,      // a conversation in which somebody asks
    TRAIT_TOLD,       // a conversation with an answer
    TRAIT_OPEN,       // that ends in a question
    TRAIT_WORD,       // a text, number or truth value
    TRAIT_NUMBER,     // a number, as text or number
    TRAIT_NO_FIGURE,  // one that is no count, cost or time
    TRAIT_FIRST,      // the same word as the first
    TRAIT_SELECT,     // a text that says SELECT, but is no SQL
    TRAIT_ASKING,     // a text that asks
    COLUMN_TRAITS,
} column_trait;

typedef struct file_column {
    str path;     // names with dots between them: "reward_model.ground_truth"
    field named;  // what the user says it is, or its name
    ptrdiff_t n;  // records whose value is not blank
    ptrdiff_t has[COLUMN_TRAITS];  // of these
    hash128 first;                 // its word
    hash128 sum;                   // of the words, whatever their order
    uint64_t sql_sum;              // the same of the texts that may be SQL
    str asking;                    // the first text that asks
} file_column;

typedef struct file_columns {
    vec_of(file_column) list;  // in order of appearance
    file_column keys;          // what the records themselves are called
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

#endif  // ASSAY_READ_COLUMN_H
