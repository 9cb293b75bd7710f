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
    REGOLD_TEXT,     // other texts with the same results
    REGOLD_RESULT,   // another result
    REGOLD_UNKNOWN,  // one of the two does not run
    REGOLD_CHANGE_COUNT,
} regold_change;

typedef struct regold_case {
    uint64_t texts[2];  // hashes of the old golds and the new ones; 0: there
                        // are none
    bool is_wrong;      // a gold of one version, by the other
    bool is_unknown;    // likewise
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

// A line of a journal, all by the old golds first. In one of a run of golds
// the prediction is a gold of the other version.
bool regold_add(regold *g,
                const case_line *line,
                bool is_new,
                bool is_gold,
                diag_place p,
                diag *d);

// All lines are there: what became of each gold.
void regold_end(regold *g);

// Verdicts of run `run`, or of all (-1), that move to yes or away from it; the
// cases of one cause only, or of all (-1).
typedef struct regold_moves {
    int64_t golds;
    int64_t gained;
    int64_t lost;
} regold_moves;

regold_moves regold_count(const regold *g, ptrdiff_t run, ptrdiff_t cause);

void regold_doc(doc *d, const regold *g);
void regold_json(buf *out, const regold *g, arena scratch);

#endif  // ASSAY_REPORT_REGOLD_H
