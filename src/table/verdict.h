/*
 * verdict.h - what one metric found about one prediction, and why.
 *
 * A verdict is data: making one never fails and never prints. All text lies in
 * the arena of the case.
 */
#ifndef ASSAY_TABLE_VERDICT_H
#define ASSAY_TABLE_VERDICT_H

#include "base/arena.h"
#include "base/part_count.h"

typedef enum answer {
    ANSWER_UNKNOWN,
    ANSWER_NO,
    ANSWER_YES,
} answer;

enum {
    ANSWER_COUNT = ANSWER_YES + 1,
};

typedef enum reason {
    REASON_NONE,
#define REASON(constant, word, group, text) REASON_##constant,
#include "table/reason.def"
#undef REASON
    REASON_COUNT,
} reason;

// What a verdict of pragmatic rests on.
typedef enum verdict_class {
    CLASS_NONE,
#define CLASS(constant, word, text, ...) CLASS_##constant,
#include "table/verdict_class.def"
#undef CLASS
    CLASS_COUNT,
} verdict_class;

// A component of what was compared: of set, a clause.
typedef struct verdict_part {
    str word;  // "where"
    bool is_right;
    bool in_gold;  // the gold has something of it
    bool in_pred;
} verdict_part;

// A result for people: "(1, 'x') (2, 'y') and 3 more rows".
typedef struct shown_result {
    str rows;  // empty: there is nothing to show
    const str *columns;
    ptrdiff_t n_columns;  // fewer than there are where names are long
} shown_result;

typedef struct verdict {
    answer v;
    reason reason;           // of a no or unknown; REASON_NONE for a plain yes
    verdict_class class;     // of pragmatic
    uint64_t notes;          // bit set of NOTE_BIT(reason), said beside a yes
    str detail;              // one line for people: "row 3: 12 != 13"
    const int32_t *columns;  // pred column of each gold column, or NULL
    ptrdiff_t n_columns;
    ptrdiff_t variant;      // gold variant this is about; -1: none
    str plugged;            // of a yes: the text that passed in place of
                            // the prediction (--plug-values)
    bool has_score;         // score is set: soft_f1, cell_f1, similarity, ves
    double score;           // 0 to 1; ves: 0 and more
    ptrdiff_t distance;     // edit: the distance; -1: none
    str database;           // suite: where a no was found; empty: nowhere
    ptrdiff_t n_databases;  // so many were looked at
    str neighbor;  // which neighbor of the gold the database is kept for
    str rows;      // of the database, as INSERT statements
    shown_result results[2];    // of gold and prediction, for people
    const verdict_part *parts;  // set: its components, or NULL
    ptrdiff_t n_parts;
} verdict;

enum {
    NOTE_FIRST = REASON_GOLD_FAILED  // why a prediction did not run is no note
};
#define NOTE_BIT(r) ((uint64_t)1 << ((r)-NOTE_FIRST))

typedef struct reason_row {
    str word;   // "rows_differ"; "" for REASON_NONE
    str group;  // "pred", "gold", "rows", "note"
    str text;   // one sentence for people
} reason_row;

const reason_row *reason_row_of(reason r);
str reason_word(reason v);
bool reason_from_word(str word, reason *out);

// May the same query run another time? What it needs cannot be reached now.
bool reason_is_passing(reason r);

// How often people accepted something.
typedef struct people_counts {
    int yes;
    int no;
} people_counts;

enum {
    CLASS_SETS = 3
};

// Of what is in a class, set by set.
typedef struct class_figures {
    people_counts by_set[CLASS_SETS];
} class_figures;

typedef struct class_row {
    str word;  // "" for CLASS_NONE
    str text;
    class_figures people;
} class_row;

const class_row *verdict_class_of(verdict_class c);
str verdict_class_word(verdict_class v);
bool verdict_class_from_word(str word, verdict_class *out);
people_counts verdict_class_people(verdict_class c);  // of all sets
str class_set_name(int set);

str answer_word(answer v);  // "yes", "no", "unknown"
bool answer_from_word(str word, answer *out);

verdict verdict_yes(void);
verdict verdict_no(reason r, str detail);
verdict verdict_unknown(reason r, str detail);
// Of a prediction that did not run to its end: no, but unknown where that says
// nothing about it.
verdict verdict_failed(reason r, str detail);

verdict verdict_scored(verdict v, double score);

// Gives the verdict its components. Those that are not right: "select, where".
str verdict_take_parts(verdict *v,
                       const part_count *parts,
                       const str *words,
                       ptrdiff_t n,
                       arena *a);

#endif  // ASSAY_TABLE_VERDICT_H
