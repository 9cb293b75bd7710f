/*
 * extract_scan.h - where SQL begins and ends in a text that is not all SQL;
 * private to the extractor and the detection of formats.
 *
 * These are guesses about prose, not a parser: a text that is SQL must never
 * be taken for prose, the other way round costs only a syntax error.
 */
#ifndef ASSAY_READ_EXTRACT_SCAN_H
#define ASSAY_READ_EXTRACT_SCAN_H

#include "base/arena.h"

// Whether the text begins with a statement, after white space, comments and
// opening parentheses: SELECT, WITH x AS, VALUES (, DELETE FROM, PRAGMA, ...
// "With the schema given" and "Update: it works" do not.
bool extract_starts_sql(str text);

// The same for statements that give rows: SELECT, WITH, VALUES.
bool extract_starts_query(str text);

typedef enum extract_place {
    EXTRACT_WHOLE,  // the text began with SQL: only certain prose ends it
    EXTRACT_INNER,  // prose came before: whatever follows a `;` is prose too
} extract_place;

typedef enum extract_end {
    EXTRACT_END_TEXT,    // all of it is SQL
    EXTRACT_END_MARKER,  // a closing fence or tag
    EXTRACT_END_PROSE,   // words that explain
} extract_end;

// The length of the SQL at the start of `text`, and what ended it.
ptrdiff_t extract_sql_size(str text, extract_place place, extract_end *why);

// Whether the text reads as the rest of a SELECT: a list of columns, FROM and
// a table.
bool extract_continues_select(str text);

// Letters, digits, underscore and all bytes beyond ASCII.
bool extract_is_word(char c);

// The word at text[at], empty when there is none.
str extract_word_at(str text, ptrdiff_t at);

// The first offset at or after `at` that is neither white space nor comment.
ptrdiff_t extract_skip(str text, ptrdiff_t at);

// Past what the scanner takes in one go from text[i]: white space, a comment, a
// quoted text, or one byte.
ptrdiff_t extract_step(str text, ptrdiff_t i);

#endif  // ASSAY_READ_EXTRACT_SCAN_H
