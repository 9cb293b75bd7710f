// check_output.h - a verdict of `assay check` for people.
#ifndef ASSAY_CLI_CHECK_OUTPUT_H
#define ASSAY_CLI_CHECK_OUTPUT_H

#include "check/checker.h"

typedef struct check_look {
    bool explains;  // also the forms of the queries
    bool has_color;
    ptrdiff_t width;  // of the page
} check_look;

// The verdict with its evidence: a witness as SQL and as small tables with both
// results side by side, the rules of a proof, or what was tried.
void check_output_add(buf *out,
                      const check_verdict *v,
                      str left,
                      str right,
                      const check_look *look,
                      arena scratch);

#endif  // ASSAY_CLI_CHECK_OUTPUT_H
