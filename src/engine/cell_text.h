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

// What does not read as its type says (infinity, a zero date) is such a value.
value cell_time(str text, arena *a);
value cell_real(str text, bool is_single, arena *a);

// Blanks at the end do not count.
value cell_padded(str text, arena *a);

#endif  // ASSAY_ENGINE_CELL_TEXT_H
