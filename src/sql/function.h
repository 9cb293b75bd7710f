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

// What makes a value larger than its arguments, or a number of them.
typedef enum function_growth {
    GROWTH_UNKNOWN,
    GROWTH_NONE,     // no longer and no larger than the arguments together
    GROWTH_TEXT,     // no longer; what is written in it may be read as a number
    GROWTH_COUNT,    // a number as large as the arguments are long
    GROWTH_REPEAT,   // the first as often as the second says
    GROWTH_FILL,     // the first to a length
    GROWTH_SPACE,    // a length
    GROWTH_REPLACE,  // the third for each of the second
    GROWTH_SEPARATE,  // the first, and the others between its parts
    GROWTH_SET,       // the others for each of 64 bits
    GROWTH_FORMAT,
    GROWTH_POWER,
    GROWTH_HASH,  // a number without a bound
} function_growth;

// What is left in its values of those of the column that it is of.
typedef enum function_leaves {
    LEAVES_OTHER,
    LEAVES_VALUE,  // they are of its size
    LEAVES_TOTAL,  // those of many rows together
    LEAVES_LENGTH,
    LEAVES_BEGINNING,  // of a date: its year
    LEAVES_MONTH,
    LEAVES_DAY,
} function_leaves;

// Systems are letters: S is SQLite, P PostgreSQL, M MariaDB or MySQL, D DuckDB,
// O any other.
typedef struct sql_function {
    str name;
    const char *systems;  // a query may call it there: function.def
    function_result result;
    bool aggregates;  // one value for many rows
    bool collects;    // and puts theirs together in the order of the rows
    bool skips_null;  // and forgets NULL
    bool picks;       // DuckDB: and that is the value of one of them
    bool is_strict;   // NULL when an argument is NULL
    bool is_firm;     // what is not NULL is of the kind of `result`, in SQLite
    bool
        is_of_text;  // all that is said of it; of a range, bytes, a list it may
                     // be another one
    bool compares;   // its arguments, by their collation
    bool chooses;    // one of its arguments is the value
    bool may_be_whole;   // and of which digits nothing is known
    bool is_frameless;   // over a window, whose frame does not count
    bool tells_ties;     // likewise: which of the rows that tie comes first
    bool reads_date;     // its argument is a date, or a text that is one
    bool tells_state;    // of what the session did before
    const char *random;  // asked twice at one time it answers otherwise there
    const char *clock;   // it tells the time there; NULL: nowhere
    int clock_below;     // if it is called with less arguments; 0: as a word
    function_growth growth;
    function_leaves leaves;
    const char *type;    // that PostgreSQL gives its values; NULL: it depends
    const char *duckdb;  // that DuckDB gives them; NULL: the same
    const char *takes;   // which arguments, and where: function.def
} sql_function;

const sql_function *function_of(str name);  // in any letter case

// May a query call it on one of the systems?
bool function_may_run(str name, const char *systems);

// Does it throw dice on one of them?
bool function_throws_dice(str name, const char *systems);

// Does the word of a text, or the call that it begins, tell the time there?
bool function_tells_time(str sql,
                         ptrdiff_t begin,
                         ptrdiff_t end,
                         const char *systems);

// The rows in the order of bytes; NULL: there are no more.
const sql_function *function_at(ptrdiff_t i);

#endif  // ASSAY_SQL_FUNCTION_H
