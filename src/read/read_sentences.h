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

// JSON lines with a case for each sentence, the variables put in; empty: the
// object is no such record.
str read_sentences(str object, arena *a, arena scratch);

#endif  // ASSAY_READ_READ_SENTENCES_H
