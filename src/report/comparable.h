/*
 * comparable.h - were two runs made under the same conditions?
 *
 * Verdicts can be compared when the golds, the databases, the rules and the
 * limits were the same. All of it stands in the first line of a journal
 * (docs/formats/journal.md). So does the clock: where it differs, the cases
 * that read it are left out (versus.h).
 */
#ifndef ASSAY_REPORT_COMPARABLE_H
#define ASSAY_REPORT_COMPARABLE_H

#include "report/journals.h"

// What bears on the verdicts that are compared.
typedef struct comparable_need {
    bool suite;      // they are of the test suite
    bool pragmatic;  // they are of the metric pragmatic
    bool clock;      // queries run for them, and may read it
} comparable_need;

// What the metric of that key needs.
typedef comparable_need comparable_need_of(str key);

// True when each of them agrees with the first. Else false, with a message that
// names the file that does not say how it was made, or the member and both
// values.
bool comparable_journals(const journals *all,
                         comparable_need need,
                         diag *d,
                         arena scratch);

#endif  // ASSAY_REPORT_COMPARABLE_H
