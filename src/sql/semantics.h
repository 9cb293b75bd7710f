// semantics.h - what a dialect's queries mean where systems do not agree.
#ifndef ASSAY_SQL_SEMANTICS_H
#define ASSAY_SQL_SEMANTICS_H

#include "sql/dialect.h"

typedef enum semantics_escape {
    ESCAPE_NOTHING,
    ESCAPE_BACKSLASH,
    ESCAPE_BRACKETS,
} semantics_escape;

// Each place has those before it, too.
typedef enum semantics_alias {
    ALIAS_ORDER,
    ALIAS_GROUP,
    ALIAS_HAVING,
    ALIAS_WHERE,
} semantics_alias;

// What digits a quotient of exact numbers has.
typedef enum semantics_decimals {
    DECIMALS_FLOATS,  // there are none: it is a float
    DECIMALS_ENOUGH,
    DECIMALS_FOUR,
    DECIMALS_SIX,
    DECIMALS_OTHERS,
} semantics_decimals;

typedef enum semantics_values {
    VALUES_DYNAMIC,
    VALUES_CONVERTS,
    VALUES_STRICT,
} semantics_values;

typedef enum semantics_bare {
    BARE_PICKED,
    BARE_TOLD,
    BARE_KEY,
    BARE_REFUSED,
} semantics_bare;

// How names without quotes are read.
typedef enum semantics_names {
    NAMES_ALIKE,
    NAMES_LOWER,
    NAMES_UPPER,
} semantics_names;

// In each pair SQLite's choice is false, but for concat.
typedef struct semantics {
    bool like_is_sensitive;
    semantics_escape escape;
    bool texts_are_folded;
    bool chars_drop_blanks;
    bool nulls_are_greatest;
    bool division_is_real;
    bool zero_is_other;
    bool concat_is_null;
    semantics_decimals decimals;
    bool cast_rounds;
    semantics_values values;
    bool truths_are_typed;
    bool days_are_digits;
    bool bits_are_unsigned;
    semantics_bare bare;
    semantics_alias alias;
    bool key_is_open;
    semantics_names names;
} semantics;

semantics dialect_semantics(dialect d);

// Is the dialect's letter among them, be it a large or a small one: PostgreSQL,
// MySQL, BigQuery, T-SQL, Snowflake, DuckDB?
bool dialect_is_among(dialect d, str letters, bool is_large);

// What is known of an argument.
typedef enum semantics_argument {
    ARGUMENT_ANY,
    ARGUMENT_EXACT,  // a number: an integer or a decimal
    ARGUMENT_REAL,
    ARGUMENT_PLAIN,  // a text of letters of ASCII
    ARGUMENT_TEXT,
    ARGUMENT_TRUTH,
    ARGUMENT_OTHER,  // a time, bytes
} semantics_argument;

// What a dialect makes of a function.
typedef enum semantics_call {
    CALL_UNKNOWN,  // it does not exist, or nobody knows
    CALL_OWN,      // something that SQLite has no function for
    CALL_OTHER,    // something else
    CALL_SAME,
} semantics_call;

semantics_call dialect_call(dialect d,
                            str name,
                            int n_args,
                            semantics_argument first);

// Is the node a call that gives one value for many rows? Over a window it does
// not, nor does SQLite's min(a, b).
struct ast;
bool dialect_aggregates(dialect d, const struct ast *n);

// Has a text letters of ASCII only? SQLite knows no case of others.
bool text_is_plain(str s);

// Has it a blank at its end, a sign that is less than one, or other letters?
// Collations that fold case may fold these, too; SQLite's NOCASE does not.
bool text_may_fold_more(str s);

// Has it a sign between Z and a? What folds letters to large ones has it behind
// them, what folds to small ones before.
bool text_has_sign_before_a(str s);

#endif  // ASSAY_SQL_SEMANTICS_H
