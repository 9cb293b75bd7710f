/*
 * extract.h - the SQL inside a model's answer.
 *
 * Think blocks, Markdown fences, "SQL:" prefixes, prose around one statement,
 * continuations of a prompt that ended in SELECT. The SQL itself is never
 * edited: the result is a run of bytes of `raw`, but for the SELECT that a
 * continuation lacks.
 */
#ifndef ASSAY_READ_EXTRACT_H
#define ASSAY_READ_EXTRACT_H

#include "base/arena.h"

// The SQL, trimmed. *note says what was cut ("think block, markdown fence"),
// empty when nothing but white space was. A text in which no SQL is found
// comes back whole, with the note "no SQL found": whoever runs it gets the
// error that the evaluators of the data sets get. Empty only when the answer
// is, or when the model thought and gave none.
str extract_sql(arena *a, str raw, str *note);

#endif  // ASSAY_READ_EXTRACT_H
