/*
 * abstention.h - questions that no query answers, and predictions that say so.
 *
 * Data sets write "null" for the gold of such a question, or null, or say it
 * beside the gold (is_impossible) [EHRSQL, TrustSQL]. A gold that is empty or
 * absent says nothing: such a case is without gold.
 */
#ifndef ASSAY_READ_ABSTENTION_H
#define ASSAY_READ_ABSTENTION_H

#include "read/record.h"

// The gold of a question that no query answers, as readers write it.
extern const str abstention_gold[1];

// What a record says of its question, beside the gold: "true", "1", "no", ...;
// empty where it says nothing. Then the gold is what that says.
void abstention_settle(record *r, str is_impossible, str is_answerable);

// null, "None", `unanswerable`; with what may end a statement.
bool abstention_is_word(str text);

// Does the gold say that no query answers the question?
bool abstention_is_right(const record *gold);

// Does a prediction give no query? `sql` is what was found in the answer: there
// is none, a word for none, or a text that does not begin as SQL does, not even
// with a misspelt SELECT.
bool abstention_is_given(str sql, arena scratch);

// Beside golds that are SQL: does this one say in words that there is none?
// "N/A", "Cannot be answered." A misspelt query is one that fails, and so is
// any other word, "42" or "TODO".
bool abstention_is_said(str gold, arena scratch);

// Is it a question, in words and with its mark?
bool abstention_is_question(str text);

#endif  // ASSAY_READ_ABSTENTION_H
