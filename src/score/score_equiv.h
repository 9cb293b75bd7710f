// score_equiv.h - two queries over the schema of a case's database; for the
// metric equiv and whoever wants the witness itself.
#ifndef ASSAY_SCORE_SCORE_EQUIV_H
#define ASSAY_SCORE_SCORE_EQUIV_H

#include "score/judging.h"

// False when there is no checker for this database; `d` says why. Only where a
// metric that needs a checker is among the options.
bool equiv_check(check_verdict *out,
                 judging *j,
                 str gold,
                 str pred,
                 int32_t pred_no,
                 diag *d);

// Are both proved to return the same on every database that keeps `of`, the
// schema of the case's database, and does the proof stand small ones? As above.
bool equiv_proves(judging *j, str gold, str pred, const schema *of);

#endif  // ASSAY_SCORE_SCORE_EQUIV_H
