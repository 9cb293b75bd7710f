// lint_rank.h - the golds of `assay lint --rank`, the most suspect first.
#ifndef ASSAY_JOB_LINT_RANK_H
#define ASSAY_JOB_LINT_RANK_H

#include "base/diag.h"
#include "base/json.h"
#include "blame/blame.h"
#include "report/doc.h"

typedef struct ranked_case {
    blame_class who;
    int64_t suspicion;
    str id;       // as text and reasons: what a terminal may be shown
    str text;     // for people: the case, then the reasons
    str reasons;  // lines
    str view;     // for the page of a report, as JSON
} ranked_case;

typedef struct lint_rank {
    vec_of(ranked_case) cases;
    map names;                 // db and id
    vec_of(ptrdiff_t) firsts;  // by name: in `cases`, until they are sorted
    ptrdiff_t counts[BLAME_CLASS_COUNT];
} lint_rank;

// "case 3 (shop), variant 1": what a finding is about; a variant below 0: of all.
str lint_subject(arena *a, str id, str db, int64_t variant);

// Takes what a line of the output tells; nothing, where it does not say who is
// wrong.
void lint_rank_add(lint_rank *r, arena *a, const json *line);

// All lines of a file that `assay lint --out` wrote. False with a message when
// there is no such file, or it does not say who is wrong.
bool lint_rank_read(lint_rank *r,
                    arena *a,
                    str path,
                    arena_store *lines,
                    diag *d);

// What is known of a case; NULL: nothing.
const ranked_case *lint_rank_find(const lint_rank *r,
                                  str id,
                                  str db,
                                  arena scratch);

// The cases whose gold or question is suspect, or all, and how many there are
// of each class. Sorts them.
void lint_rank_doc(doc *d, lint_rank *r, bool all);

#endif  // ASSAY_JOB_LINT_RANK_H
