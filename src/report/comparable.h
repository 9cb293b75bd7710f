/*
 * comparable.h - were two runs made under the same conditions?
 *
 * Verdicts can be compared when the golds, the databases, the rules, the limits
 * and the clock were the same. All of it stands in the first line of a journal
 * (docs/formats/journal.md).
 */
#ifndef ASSAY_REPORT_COMPARABLE_H
#define ASSAY_REPORT_COMPARABLE_H

#include "base/diag.h"
#include "base/json.h"

// What bears on the verdicts that are compared.
typedef struct comparable_need {
    bool suite;      // they are of the test suite
    bool pragmatic;  // they are of the metric pragmatic
    bool clock;      // a query reads the clock
} comparable_need;

// True when both heads agree. Else false, with a message that names the member
// and both values; `a` and `b` are the files.
bool comparable_heads(const json *head_a,
                      str a,
                      const json *head_b,
                      str b,
                      comparable_need need,
                      diag *d,
                      arena scratch);

#endif  // ASSAY_REPORT_COMPARABLE_H
