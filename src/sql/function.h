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

// The kind of its values.
typedef enum function_result {
    RESULT_ANY,
    RESULT_INTEGER,
    RESULT_REAL,
    RESULT_TEXT,
    RESULT_BOOLEAN,
    RESULT_DATE,
    RESULT_TIME,
    RESULT_TIMESTAMP,
    RESULT_ARGUMENT,  // the kind of the first argument
    RESULT_CHOSEN,    // that of the second and the third
    RESULT_FRACTION,  // a REAL; where the system has decimals, a DECIMAL of
                      // exact numbers
} function_result;

// How long its value may be, or how large a number, by its arguments.
typedef enum function_growth {
    GROWTH_UNKNOWN,
    GROWTH_NONE,      // no longer and no larger than the arguments together
    GROWTH_TEXT,      // no longer, but its text may be read as a number
    GROWTH_COUNT,     // a number as large as the arguments are long
    GROWTH_REPEAT,    // the first, as often as the second says
    GROWTH_FILL,      // the first, filled up to a length
    GROWTH_SPACE,     // blanks of a length
    GROWTH_REPLACE,   // the first, with the third for each of the second in it
    GROWTH_SEPARATE,  // the first, with the others between its parts
    GROWTH_SET,       // the others for each of 64 bits
    GROWTH_FORMAT,
    GROWTH_POWER,
    GROWTH_HASH,  // a number that nothing bounds
} function_growth;

// What its value still shows of a column that it is called with.
typedef enum function_leaves {
    LEAVES_OTHER,
    LEAVES_VALUE,  // a value of that size
    LEAVES_TOTAL,  // the values of many rows together
    LEAVES_COUNT,  // how many rows there are
    LEAVES_LENGTH,
    LEAVES_BEGINNING,  // of a date: its year
    LEAVES_MONTH,
    LEAVES_DAY,
} function_leaves;

// Systems are letters: S is SQLite, P PostgreSQL, M MariaDB or MySQL, D DuckDB,
// O any other.
typedef struct sql_function {
    str name;
    const char *systems;  // where a query may call it: function.def
    function_result result;
    bool aggregates;  // one value for many rows
    bool collects;    // and joins their values in the order of the rows
    bool skips_null;  // and leaves NULL out
    bool picks;       // DuckDB: and it is the value of one of them
    bool is_strict;   // NULL when an argument is NULL
    bool is_firm;     // what is not NULL is of the kind of `result`, in SQLite
    bool is_of_text;  // all of this is about texts: of a range, bytes or a list
                      // it may be another function
    bool compares;    // its arguments, by their collation
    bool chooses;     // one of its arguments is the value
    bool may_be_whole;   // and of which digits nothing is known
    bool is_frameless;   // over a window, whose frame does not count
    bool tells_ties;     // likewise: which of the rows that tie comes first
    bool reads_date;     // its argument is a date, or a text that is one
    bool tells_state;    // of what the session did before
    const char *random;  // where two calls at one time may differ
    const char *clock;   // where it tells the time; NULL: nowhere
    int clock_below;     // if it has fewer arguments; 0: also as a mere word
    function_growth growth;
    function_leaves leaves;
    const char *type;    // of its values in PostgreSQL; NULL: it depends
    const char *duckdb;  // of its values in DuckDB; NULL: the same
    const char *takes;   // which arguments it takes, and where: function.def
} sql_function;

const sql_function *function_of(str name);  // in any letter case

// May a query call it on one of the systems?
bool function_may_run(str name, const char *systems);

// Is it random on one of the systems?
bool function_throws_dice(str name, const char *systems);

// Does the word at sql[begin, end), or the call that begins with it, tell the
// time on one of the systems?
bool function_tells_time(str sql,
                         ptrdiff_t begin,
                         ptrdiff_t end,
                         const char *systems);

// The rows in the order of bytes; NULL: there are no more.
const sql_function *function_at(ptrdiff_t i);

#endif  // ASSAY_SQL_FUNCTION_H
