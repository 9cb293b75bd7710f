// bind_digits.h - how many digits an exact number has behind its point.
#ifndef ASSAY_SCHEMA_BIND_DIGITS_H
#define ASSAY_SCHEMA_BIND_DIGITS_H

#include "schema/bind.h"
#include "sql/semantics.h"

enum {
    DIGITS_OPEN = -1,  // nobody knows
};

int digits_of(const binding *b, semantics_decimals decimals, const ast *n);

// May SQLite keep this exact number as a whole one, as 1 of a DECIMAL(10, 2)?
bool may_be_whole(const binding *b, const ast *n);

#endif  // ASSAY_SCHEMA_BIND_DIGITS_H
