/*
 * like.h - assay in the place of another program: what it scores, and its
 * printed tables from our verdicts.
 */
#ifndef ASSAY_EVALUATORS_LIKE_H
#define ASSAY_EVALUATORS_LIKE_H

#include "report/report.h"
#include "table/verdict.h"

typedef enum like_id {
#define LIKE(constant, ...) LIKE_##constant,
#include "evaluators/like.def"
#undef LIKE
    LIKE_COUNT,
} like_id;

// The metrics string and edit as a program computes them.
typedef verdict like_text(str gold, str pred, arena *a, arena scratch);

typedef struct like_texts {
    like_text *string;
    like_text *edit;
} like_texts;

struct like_run;  // see like_table.h

// A row of like.def.
typedef struct like_program {
    str word;
    str rules;  // words with commas, as --rules and --metrics take them
    str metrics;
    void (*print)(const struct like_run *r);
    void (*print_case)(buf *out, const case_line *line);
    const like_texts *texts;  // NULL: it has none of its own
    bool names_runs;
} like_program;

const like_program *like_of(like_id l);
str like_word(like_id v);
bool like_from_word(str word, like_id *out);

// The table that the program prints, one for each run; what assay does not
// compute is left out.
void like_print(buf *out, const tally *t, like_id l, arena scratch);

// What it prints of a case before its table.
void like_print_case(buf *out, const case_line *line, like_id l);

#endif  // ASSAY_EVALUATORS_LIKE_H
