/*
 * read_sentences.h - questions with variables, each said in several ways, as
 * jkkummerfeld/text2sql-data keeps them; private to src/read.
 *
 *     {"sentences": [{"text": "older than age0", "variables": {"age0": "35"}}],
 *      "sql": ["SELECT name FROM t WHERE age > age0"], "variables": [...]}
 */
#ifndef ASSAY_READ_READ_SENTENCES_H
#define ASSAY_READ_READ_SENTENCES_H

#include "base/json.h"

// Is the first record of a file such a one?
bool read_sentences_is(str first_record);

// JSON lines with a case for each sentence, the variables put in, of an array
// or lines of such records; empty: one of them is broken.
str read_sentences(str text, arena *a, arena scratch);

#endif  // ASSAY_READ_READ_SENTENCES_H
