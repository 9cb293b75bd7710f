// journal_line.h - one judged prediction as a line of the journal, or as the
// answer to a request.
#ifndef ASSAY_JOURNAL_JOURNAL_LINE_H
#define ASSAY_JOURNAL_JOURNAL_LINE_H

#include "score/score.h"

typedef enum journal_times {
    JOURNAL_WITH_TIMES,
    JOURNAL_WITHOUT_TIMES,  // null in their place: the same input, the same
                            // bytes
} journal_times;

// All predictions that the run has for the case.
typedef struct journal_samples {
    const score_samples *samples;
    const score_vote *vote;  // NULL: none was held
} journal_samples;

// Appends the line, newline and all. The fields are docs/formats/journal.md's.
void journal_line_add(buf *b,
                      str run,
                      const record *gold,
                      const record_pred *pred,
                      const scored_case *scored,
                      const scored_pred *judged,
                      const journal_samples *samples,
                      journal_times times);

// What became of the case as members of an object that the caller has begun,
// and ends: "verdicts", "gold_status", "pred_status", then what else there is
// to say (docs/cli/worker.md). The same members as in a line.
void journal_answer_add(buf *b,
                        const record *gold,
                        const record_pred *pred,
                        const scored_case *scored,
                        const scored_pred *judged,
                        const journal_samples *samples,
                        journal_times times);

#endif  // ASSAY_JOURNAL_JOURNAL_LINE_H
