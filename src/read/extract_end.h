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

// The length of the text without the marks behind it, before which it is a
// whole statement: names in brackets, words between signs, signs. Of a text
// that may end in a name (an answer, no gold) also what can be read, if it says
// nothing: the name of a table that nothing else names so, a comment.
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

#endif  // ASSAY_READ_EXTRACT_END_H
