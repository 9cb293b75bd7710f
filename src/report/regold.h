/*
 * regold.h - the same predictions against two versions of the golds: which
 * verdicts move and why, and what becomes of the order of the runs.
 * (definitions/difference.md#golds-that-change)
 */
#ifndef ASSAY_REPORT_REGOLD_H
#define ASSAY_REPORT_REGOLD_H

#include "report/rank_draws.h"
#include "report/report_versus.h"

// What became of the gold of a case.
typedef enum regold_change {
    REGOLD_ABSENT,   // only one version has the case
    REGOLD_SAME,     // the text is the same
    REGOLD_TEXT,     // another text with the same result
    REGOLD_RESULT,   // another result
    REGOLD_UNKNOWN,  // one of the two does not run
    REGOLD_CHANGE_COUNT,
} regold_change;

typedef struct regold_case {
    uint64_t old_text;  // hash; 0: the old version lacks the case
    regold_change change;
    uint64_t causes;  // bit set of ids in regold.causes
} regold_case;

typedef struct regold {
    versus v;  // runs by the old golds, then as many by the new ones
    ptrdiff_t n_runs;
    map causes;                 // "where", "rows_differ"
    vec_of(regold_case) cases;  // by case of v
    str files[2];
    const bool *suspect;  // by case; NULL: nobody suspects any
    int64_t n_suspect;
} regold;

// Lines of a journal, all by the old golds first. A line of the run `self` has
// the old gold as its prediction.
bool regold_add_old(regold *g, const case_line *line, diag_place p, diag *d);
bool regold_add_new(regold *g,
                    const case_line *line,
                    str self,
                    diag_place p,
                    diag *d);

// Verdicts of run `run`, or of all (-1), that move to yes or away from it; the
// cases of one cause only, or of all (-1).
typedef struct regold_moves {
    int64_t golds;
    int64_t gained;
    int64_t lost;
} regold_moves;

regold_moves regold_count(const regold *g, ptrdiff_t run, ptrdiff_t cause);

void regold_text(buf *out, const regold *g, const report_look *look, arena a);
void regold_json(buf *out, const regold *g, arena scratch);

#endif  // ASSAY_REPORT_REGOLD_H
