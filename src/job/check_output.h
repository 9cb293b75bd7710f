// check_output.h - a verdict of `assay check` for people.
#ifndef ASSAY_JOB_CHECK_OUTPUT_H
#define ASSAY_JOB_CHECK_OUTPUT_H

#include "check/checker.h"
#include "job/check_pairs.h"
#include "report/doc.h"

// The verdict with its evidence: a witness as SQL and as small tables with both
// results side by side, the rules of a proof, with the forms of the queries
// where it `explains`, or what was tried.
void check_output_doc(doc *d,
                      const check_verdict *v,
                      str left,
                      str right,
                      bool explains);

// Of a pair of a file one line, with its position where it is of a shard.
typedef struct check_line_look {
    bool with_times;
    shard shard;
} check_line_look;

void check_output_line(buf *out,
                       const check_item *item,
                       const check_verdict *v,
                       check_line_look look,
                       arena scratch);

// Does the text look like such a line?
bool check_output_is_line(const check_item *item,
                          str text,
                          check_line_look look,
                          arena scratch);

#endif  // ASSAY_JOB_CHECK_OUTPUT_H
