/*
 * report_versus.h - several runs side by side, for people and for programs.
 */
#ifndef ASSAY_REPORT_REPORT_VERSUS_H
#define ASSAY_REPORT_REPORT_VERSUS_H

#include "report/grid.h"
#include "report/report.h"
#include "report/versus.h"

typedef struct versus_look {
    ptrdiff_t width;
    bool has_color;
    bool is_markdown;
    bool is_verbose;  // also by database
    ptrdiff_t show;   // fixed and broken cases of a pair
} versus_look;

// A blank line, and the table.
void versus_end_grid(buf *out, const grid *g, const versus_look *look);

// Of two runs: shares, the two-by-two table, the difference, one sentence for
// a manager, what changed by group and reason, and the changed cases. Of more:
// a ranking and the differences of all pairs.
void versus_text(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 const versus_look *look,
                 arena scratch);

// The same as one JSON object; differences in points, all ids of changed cases.
void versus_json(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 arena scratch);

#endif  // ASSAY_REPORT_REPORT_VERSUS_H
