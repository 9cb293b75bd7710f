/*
 * extract_end.h - where SQL ends and prose begins; private to the extractor.
 */
#ifndef ASSAY_READ_EXTRACT_END_H
#define ASSAY_READ_EXTRACT_END_H

#include "base/arena.h"

typedef enum extract_end {
    EXTRACT_END_TEXT,    // all of it is SQL
    EXTRACT_END_MARKER,  // a closing fence, tag or token
    EXTRACT_END_PROSE,   // words that explain
} extract_end;

// The length of the SQL at the start of `text`, and what ended it. Where prose
// came before it, `is_inner`, whatever follows a `;` and is no statement is
// prose, too.
ptrdiff_t extract_sql_size(str text,
                           bool is_inner,
                           extract_end *why,
                           arena scratch);

// The length of the text without tokens of a template behind it: names in
// brackets, before which it is a whole statement. What can be read with the
// token as the name of a table may, too, if nothing else names it so.
ptrdiff_t extract_before_tokens(str text, bool may_be_name, arena scratch);

// Whether the parser reads the text as statements to its end, in any dialect.
bool extract_is_whole(str text, arena scratch);

// The length of the whole query that a text of a sentence begins with: all of
// it, its first line, or, where the query could be no words of the sentence, as
// far as the parser gets. 0: none.
ptrdiff_t extract_whole_size(str text, arena scratch);

// Whether "SELECT " and the text are one whole query, and the text has no
// SELECT of its own but in parentheses or after UNION and the like.
bool extract_continues_select(str text, arena *a, arena scratch);

// Whether the text is words alone, as SQL never is: no operators, no words of
// SQL in capitals.
bool extract_is_words(str text);

// The label or heading that the line begins with: "Draft" of "### Draft",
// "Final query:" of "**Final query:**"; empty: none. *is_alone says whether it
// is all of the line.
str extract_label(str line, bool *is_alone);

// What a short line says without the signs around it, up to its colon:
// "Attempt 1" of "--- Attempt 1 ---".
str extract_title(str line);

// A line of signs alone, such as stands between two parts of a text or around
// the head of a table; *is_frame: some of them are more than dashes.
bool extract_is_rule(str line, bool *is_frame);

// extract_result.c: whether the lines behind a query are what it gave when it
// was run, and no others: rows of values, a number alone, a table, an error,
// below one line that says so at most. A program's own name for an error is
// enough.
bool extract_is_result(str text);

// Past the mark of a list or quotation: a sign, of any script, and a blank.
str extract_without_mark(str line);

// Whether a text in quotes after these bytes of its line is one of a program:
// `run(query="`, `sql = "`. Between two words of code stands a sign, unless the
// text is inside of something, where `return f("` may stand.
bool extract_is_code(str before, bool is_inside);

// Whether most words of the first line are in capitals, as in statements of
// administrators.
bool extract_is_in_capitals(str text);

// Whether one of the first lines is prose, and none is SQL.
bool extract_is_prose(str text);

#endif  // ASSAY_READ_EXTRACT_END_H
