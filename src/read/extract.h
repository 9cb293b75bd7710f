/*
 * extract.h - the SQL inside a model's answer.
 *
 * Thoughts, channels, calls of tools, tags, Markdown fences, "SQL:" prefixes,
 * prose around one statement, continuations of a prompt that ended in SELECT:
 * docs/formats/inputs.md has the table. The SQL itself is never edited: the
 * result is a run of bytes of `raw`, but for the SELECT that a continuation
 * lacks and for escapes of JSON.
 */
#ifndef ASSAY_READ_EXTRACT_H
#define ASSAY_READ_EXTRACT_H

#include "base/arena.h"

// The SQL, trimmed. *note says what was cut ("think block, markdown fence"),
// empty when nothing but white space was. Empty when the answer is, when the
// model thought and gave none, and when it is prose that holds no SQL. Any
// other text in which no SQL is found comes back whole, with the note "no SQL
// found": whoever runs it gets the error that the evaluators of the data sets
// get.
str extract_sql(arena *a, str raw, str *note);

// The same where statements that write may be asked for: tables that are made
// and filled for a query at the end are sample data above, and stay here.
str extract_script(arena *a, str raw, str *note);

// The same for a gold: files for fine-tuning keep fences, thoughts, "SQL:" and
// tokens of templates. Where no wrapper holds SQL, what is found must be a
// whole statement. Else it comes back as it is, with an empty note, and so does
// a gold that begins as SQL and can be read.
str extract_gold(arena *a, str gold, str *note);

#endif  // ASSAY_READ_EXTRACT_H
