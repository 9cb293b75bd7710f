/*
 * extract_line.h - what a line is by its form: prose, a label, a rule, SQL;
 * private to the extractor and to the detection of formats.
 */
#ifndef ASSAY_READ_EXTRACT_LINE_H
#define ASSAY_READ_EXTRACT_LINE_H

#include "base/str.h"

// What stands between SQL and what follows it, in the order of how much that
// separates.
typedef enum gap {
    GAP_NONE,
    GAP_LINE,
    GAP_PARAGRAPH,
    GAP_END,   // of a statement
    GAP_STOP,  // of a sentence
    GAP_TAG,
} gap;

// What the line says about itself.
typedef struct line_shape {
    int words;       // in a row from its start that SQL does not know
    int all_words;   // likewise, anywhere
    int n_words;     // known ones, too
    int n_capitals;  // words in capitals
    bool has_signs;  // operators, calls, names with a dot, numbers
    bool has_verbs;  // words of SQL in capitals
    bool has_heads;  // words by which SQL goes on, in any case
    bool has_number;
    bool is_sentence;  // ends with a full stop or the like
} line_shape;

line_shape line_shape_of(str line);

// The line that text[at] begins, or its first part, and the last one; without
// blanks around it.
str line_at(str text, ptrdiff_t at);
str line_last(str text);

// Full stops of other scripts, which no SQL has outside of quotes.
bool line_is_stop(int32_t c);

// Does it begin with a word by which SQL goes on?
bool line_goes_on(str line);

// Is its first word in capitals, as those of SQL are?
bool line_begins_in_capitals(str line);

// Whether no clause begins so that is spelt rightly: with a sign twice or a
// number, or with words of which SQL goes on with none.
bool line_is_no_clause(str line);

// Whether prose begins with the line. The less separates it from SQL, the more
// it has to show.
bool line_is_prose(str line, gap before);

// A heading or a label; no line of SQL looks like one, but for a comment that
// says of what follows that it is the answer.
bool line_is_heading(str line);

// Whether the text is words alone, as SQL never is: no operators, no words of
// SQL in capitals.
bool line_is_words(str text);

// What a line says up to its colon, without the signs around it: "Attempt 1" of
// "--- Attempt 1 ---". A label is three words at most with a colon behind them,
// or a heading: "Draft" of "### Draft", "Final query" of "**Final query:**".
typedef struct line_head {
    str title;
    str rest;  // behind the colon
    bool is_label;
    bool is_alone;  // that is all of the line
} line_head;

line_head line_head_of(str line);

// A line of signs alone, such as stands between two parts of a text or around
// the head of a table; *is_frame: some of them are more than dashes.
bool line_is_rule(str line, bool *is_frame);

// extract_result.c: whether the lines behind a query are what it gave when it
// was run, and no others: rows of values, a number alone, a table, an error,
// below one line that says so at most. A program's own name for an error is
// enough.
bool text_is_result(str text);

// Past the mark of a list or quotation: a sign, of any script, and a blank.
str line_without_mark(str line);

// Whether a text in quotes after these bytes of its line is one of a program:
// `run(query="`, `sql = "`. Between two words of code stands a sign, unless the
// text is inside of something, where `return f("` may stand.
bool line_is_code(str before, bool is_inside);

// Whether most words of the first line are in capitals, as in statements of
// administrators.
bool line_is_in_capitals(str text);

// Whether one of the first lines is prose, and none is SQL.
bool text_is_prose(str text);

#endif  // ASSAY_READ_EXTRACT_LINE_H
