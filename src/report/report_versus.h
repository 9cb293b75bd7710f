/*
 * report_versus.h - several runs side by side, for people and for programs.
 */
#ifndef ASSAY_REPORT_REPORT_VERSUS_H
#define ASSAY_REPORT_REPORT_VERSUS_H

#include "report/report.h"
#include "report/versus.h"

// Of two runs: shares, the two-by-two table, the difference, one sentence for
// a manager, what changed by group and reason, and the changed cases. Of more:
// a ranking and the differences of all pairs.
void versus_doc(doc *d, const versus *v, const versus_pair *pairs);

// The same as one JSON object; differences in points, and if asked for all ids
// of changed cases.
void versus_json(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 bool with_ids,
                 arena scratch);

#endif  // ASSAY_REPORT_REPORT_VERSUS_H
