// value_decimal.h - exact numbers from the texts that servers send.
#ifndef ASSAY_TABLE_VALUE_DECIMAL_H
#define ASSAY_TABLE_VALUE_DECIMAL_H

#include "table/value.h"

// "12.50" is the DECIMAL 12.5, ".5" is 0.5; "NaN" and "Infinity" are REAL; what
// is no number is of kind OTHER.
value value_decimal(str text, arena *a);

#endif  // ASSAY_TABLE_VALUE_DECIMAL_H
