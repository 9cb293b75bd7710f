/*
 * defog_percent.h - what Defog's program makes of the % signs in a query for
 * PostgreSQL [definitions/defog.md#percent-signs].
 *
 * It hands the text to a driver that takes % for the beginning of a parameter,
 * after it doubled the signs between the first LIKE and the last quote.
 */
#ifndef ASSAY_EVALUATORS_DEFOG_PERCENT_H
#define ASSAY_EVALUATORS_DEFOG_PERCENT_H

#include "base/arena.h"

#endif  // ASSAY_EVALUATORS_DEFOG_PERCENT_H
