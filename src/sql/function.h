/*
 * function.h - what is known of a function, whoever asks: a row of the table
 * function.def.
 *
 *     if (function_of(call->text)->is_strict) ...
 *
 * A function that nobody knows has a row, too, with nothing in it.
 */
#ifndef ASSAY_SQL_FUNCTION_H
#define ASSAY_SQL_FUNCTION_H

#include "base/str.h"

// Of which kind its values are.
typedef enum function_result {
    RESULT_ANY,
    RESULT_INTEGER,
    RESULT_REAL,
    RESULT_TEXT,
    RESULT_BOOLEAN,
    RESULT_DATE,
    RESULT_TIME,
    RESULT_TIMESTAMP,
    RESULT_ARGUMENT,  // that of the first argument
    RESULT_CHOSEN,    // that of the second and the third
    RESULT_FRACTION,  // a REAL, or a DECIMAL of exact numbers where the system
                      // has decimals
} function_result;

typedef struct sql_function {
    str name;
    function_result result;
    bool aggregates;  // one value for many rows
    bool collects;    // and puts theirs together in the order of the rows
    bool skips_null;  // and forgets NULL
    bool picks;       // DuckDB: and that is the value of one of them
    bool is_strict;   // NULL when an argument is NULL
    bool is_firm;     // what is not NULL is of the kind of `result`, in SQLite
    bool compares;    // its arguments, by their collation
    bool chooses;     // one of its arguments is the value
    bool may_be_whole;   // and of which digits nothing is known
    bool is_frameless;   // over a window, whose frame does not count
    bool tells_ties;     // likewise: which of the rows that tie comes first
    bool tells_state;    // of what the session did before
    bool is_random;      // asked twice at one time it answers otherwise
    const char *type;    // that PostgreSQL gives its values; NULL: it depends
    const char *duckdb;  // that DuckDB gives them; NULL: the same
    const char *takes;   // which arguments, and where: function.def
} sql_function;

const sql_function *function_of(str name);  // in any letter case

// The rows in the order of bytes; NULL: there are no more.
const sql_function *function_at(ptrdiff_t i);

#endif  // ASSAY_SQL_FUNCTION_H
