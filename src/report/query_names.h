/*
 * query_names.h - what the names in a query mean, as far as its text shows.
 *
 * How a query calls its tables does not change what it asks. So words that only
 * name, `AS T1` and the `T1.` before a column, stand aside when two queries are
 * compared, and a column knows the table that it is said to be of. There is no
 * schema here: of `year` alone the table is not known, and any will do.
 */
#ifndef ASSAY_REPORT_QUERY_NAMES_H
#define ASSAY_REPORT_QUERY_NAMES_H

#include "sql/lex.h"

// A table in a FROM.
typedef struct named_source {
    str base;       // the table's name; empty: a query
    str name;       // by which columns call it
    int32_t block;  // of the SELECT, in the order of the text
    int32_t depth;  // of it
    int32_t no;     // among those of its block with the same base, from 0
} named_source;

typedef struct word_name {
    bool is_aside;   // it only names
    int32_t source;  // of a column with a qualifier; else -1
    int32_t output;  // of a name that the query gave a result; else -1
    int32_t first;   // of a column: the word where its qualifier begins
} word_name;

typedef struct query_names {
    word_name *words;  // by token
    vec_of(named_source) sources;
} query_names;

// Of a text that is no single query: as if no name stood for anything.
query_names query_names_of(arena *a,
                           str text,
                           const token *tokens,
                           ptrdiff_t n,
                           dialect d,
                           arena scratch);

#endif  // ASSAY_REPORT_QUERY_NAMES_H
