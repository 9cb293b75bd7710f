/*
 * gate.h - is a run good enough? The checks that make assay end with 1.
 *
 * --fail-under METRIC=PERCENT  a floor for every run: of metrics with a score
 *                              (soft_f1, cell_f1, edit) for its mean
 * --baseline RUN.jsonl         an earlier journal; a case that was a yes there
 *                              and is a no now is a regression
 */
#ifndef ASSAY_REPORT_GATE_H
#define ASSAY_REPORT_GATE_H

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "report/doc.h"

typedef struct gate {
    str metric;      // "exec", "exec:bird"
    double percent;  // 0 to 100
} gate;

// "exec=75", "exec:bird=60.5 %". False with a message when it is neither that
// nor one of the `n` metrics that will be computed.
bool gate_parse(gate *g,
                str text,
                const str *metrics,
                ptrdiff_t n,
                diag *d,
                arena scratch);

// True when every run reaches the floor; else a message for each that does
// not: "exec of mine is 74.9 %, below 75 %".
bool gate_check(const gate *g, const tally *t, diag *d);

/*
 * Regressions against an earlier journal.
 *
 * Order of    baseline_open()   reads it, once
 * calls         baseline_add()  each line of the new run
 *             baseline_check()
 *
 * Cases are known by run and id. A baseline of one run stands for every new
 * run, whatever its name: models are compared with what was there before.
 */
enum {
    BASELINE_METRICS_MAX = 64,
    BASELINE_IDS_MAX = 10,
};

typedef struct baseline_change {
    int64_t n_worse;              // yes before, no now
    int64_t n_better;             // no or unknown before, yes now
    str worse[BASELINE_IDS_MAX];  // the first ones: "run id"
    str better[BASELINE_IDS_MAX];
} baseline_change;

typedef struct baseline {
    arena *a;
    str path;
    map runs;
    map metrics;
    map cases;             // hashes of run and id
    vec_of(uint64_t) yes;  // by case: bit set of metrics
    baseline_change changes[BASELINE_METRICS_MAX];  // by metric
    int64_t n_known;                                // new cases it holds too
} baseline;

// False with a message when the file cannot be read or is no journal. A last
// line that was cut off is passed over.
bool baseline_open(baseline *b, arena *a, str path, diag *d, arena scratch);

// The same for a journal that is open.
bool baseline_read(baseline *b,
                   arena *a,
                   file_map file,
                   diag *d,
                   arena scratch);
void baseline_add(baseline *b, const case_line *line);

// What a verdict that is no yes says beside that of the baseline.
typedef enum baseline_standing {
    BASELINE_LOST,   // it was a yes
    BASELINE_NEW,    // the baseline lacks the case, or the metric
    BASELINE_KNOWN,  // it was no yes either
    BASELINE_STANDING_COUNT,
} baseline_standing;

baseline_standing baseline_stands(const baseline *b,
                                  const case_line *line,
                                  str key);

// "regression", "new" or "known".
str baseline_standing_word(baseline_standing s);

// True when no metric has more than `max` regressions; else a message for each
// that has. Says so too (and is true) when no case is known to the baseline.
bool baseline_check(const baseline *b, int64_t max, diag *d, arena scratch);

// What changed, for the summary: a line a metric with how many cases are better
// and worse, and which. Nothing where no case is known to the baseline.
void baseline_doc(doc *d, const baseline *b);

#endif  // ASSAY_REPORT_GATE_H
