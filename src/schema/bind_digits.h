// bind_digits.h - how many digits an exact number has behind its point.
#ifndef ASSAY_SCHEMA_BIND_DIGITS_H
#define ASSAY_SCHEMA_BIND_DIGITS_H

#include "schema/bind.h"
#include "sql/semantics.h"

enum {
    DIGITS_OPEN = -1,  // nobody knows
};

int digits_of(const binding *b, semantics_decimals decimals, const ast *n);

// Is a number whole, where that says how it is divided?
typedef enum wholeness {
    WHOLE_ALWAYS,
    WHOLE_PERHAPS,  // SQLite may keep it so, as 1 of a DECIMAL(10, 2), and the
                    // system may not
    WHOLE_NEVER,
} wholeness;

// Of a quotient, a product: what all of it makes.
wholeness bind_wholeness(const binding *b, const ast *n);

#endif  // ASSAY_SCHEMA_BIND_DIGITS_H
