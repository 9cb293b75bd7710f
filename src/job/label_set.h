/*
 * label_set.h - a file with people's labels of cases.
 *
 * JSON lines, one array, an object from id to label, or CSV with a row of
 * names. A record has an id and a label, under their usual names; or the labels
 * of several people: a list, an object from person to label, a column each, or
 * records of one id that name the person.
 */
#ifndef ASSAY_JOB_LABEL_SET_H
#define ASSAY_JOB_LABEL_SET_H

#include "base/diag.h"
#include "base/map.h"
#include "report/report_agree.h"

// What a label is about: answers with this id, of this run to a question of
// this database. Where run or database is empty: of any.
typedef struct label_place {
    str id;
    str run;
    str db;
} label_place;

typedef struct label_case {
    label_place at;
    vec_of(agree_opinion) opinions;
    ptrdiff_t next;  // of the same id, about something else; -1: none
} label_case;

typedef struct label_set {
    arena *a;
    str path;
    map ids;                  // by it the first case
    vec_of(ptrdiff_t) first;  // by id
    vec_of(label_case) cases;
    map people;
    map odd;                // labels that cannot be read
    vec_of(int64_t) n_odd;  // by label
    int64_t n_none;         // records without any
    int64_t n_numbers;
    int64_t n_odd_numbers;
} label_set;

// False where the file cannot be opened or is no file of labels; records that
// are wrong have a message each. What cannot be read is counted, and said once,
// in the notes.
bool label_set_open(label_set *s,
                    arena *a,
                    str path,
                    str encoding,
                    diag *d,
                    diag *notes,
                    arena scratch);

// NULL: nobody says anything of it.
const label_case *label_set_find(const label_set *s, label_place at);

// The majority; unknown at a tie.
answer label_case_answer(const label_case *c);

#endif  // ASSAY_JOB_LABEL_SET_H
