/*
 * file_reading.h - how the records of a file are read: which member or column
 * is what, decided once from the names and the contents of all of them.
 *
 * A reading is a list of rows, one a member that is used. Who wonders what
 * assay made of a file reads it as a sentence (reading_say).
 */
#ifndef ASSAY_READ_FILE_READING_H
#define ASSAY_READ_FILE_READING_H

#include "base/buf.h"
#include "base/diag.h"
#include "read/column.h"

typedef struct reading_row {
    field_kind kind;
    str path;
    field_why why;  // several golds that the user names are all accepted
} reading_row;

typedef struct reading {
    vec_of(reading_row) rows;  // the best of a kind first
    str_list unused;           // members that nothing is read from
    str_list spare;            // of these the ones that hold queries
    bool bare_is_pred;    // no member is called a prediction, where they are
    bool golds_are_sql;   // most of them: one that is not is meant so
    bool has_float_ids;   // written 7.0 for 7
    bool has_weak_ids;    // ids by their look: only if no two are equal
    bool has_format_ids;  // of another program: never two of one
    str structure;  // a member called SQL that holds a parse tree or numbers
} reading;

// `place` is of the file. False with a message where a member that is not used
// holds SQL and nothing tells which of them is the gold, or the prediction; and
// where a query comes as a list of its words.
bool reading_decide(reading *r,
                    arena *a,
                    const file_columns *c,
                    bool is_pred_file,
                    diag *d,
                    diag_place place,
                    arena scratch);

// "id=nr gold=truth pred=model_says; unused: note, score".
void reading_say(const reading *r, buf *out);

// "gold=ref_sql": the option --field that would read the member.
str reading_hint(arena *a, const char *word, str member);

#endif  // ASSAY_READ_FILE_READING_H
