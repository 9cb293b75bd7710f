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

// Does it begin with SELECT, or nearly so? "SELEC name FROM t" is an answer that
// fails.
bool extract_is_misspelt(str text, arena scratch);

// Whether a character takes no room: blanks of any script, marks of byte order.
bool extract_is_blank(int32_t c);

// The text without such characters at both ends.
str extract_trim(str text);

// Letters, digits, underscore and all bytes beyond ASCII.
bool extract_is_word(char c);

// The word at text[at], empty when there is none.
str extract_word_at(str text, ptrdiff_t at);

// Does SQL know the word, in some dialect?
bool extract_is_keyword(str word);

// The first offset at or after `at` that is neither white space nor comment.
ptrdiff_t extract_skip(str text, ptrdiff_t at);

// Past what the scanner takes in one go from text[i]: white space, a comment, a
// quoted text, or one byte.
ptrdiff_t extract_step(str text, ptrdiff_t i);

// Where the semicolon of the statement at text[at] is, or the end.
ptrdiff_t extract_statement_end(str text, ptrdiff_t at);

// Whether the text has a fence, or begins with a tag.
bool extract_is_wrapped(str text);

// The one query that a script ends with which first makes tables for it and
// fills them; the text itself where it is no such script.
str extract_without_sample(str sql);

#endif  // ASSAY_READ_EXTRACT_SCAN_H
