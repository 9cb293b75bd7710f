/*
 * cell_text.h - typed values from the texts in which servers send them.
 *
 * Equal values get equal bytes: JSON is written anew with the keys of objects
 * in order. Decimals are the matter of value_decimal.h.
 */
#ifndef ASSAY_ENGINE_CELL_TEXT_H
#define ASSAY_ENGINE_CELL_TEXT_H

#include "table/value.h"

value cell_json(str text, arena *a);

// A value that is its text, and no text value.
value cell_other(str text, arena *a);

#endif  // ASSAY_ENGINE_CELL_TEXT_H
