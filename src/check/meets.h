/*
 * meets.h - which values of a query meet, and where: the sides of a comparison,
 * an operator and its operands, what one place of a result may hold.
 *
 * Seen this way, the differences between systems are few: each depends on the
 * place and on the types of the two values, and has a row in meaning.def.
 */
#ifndef ASSAY_CHECK_MEETS_H
#define ASSAY_CHECK_MEETS_H

#include "schema/bind.h"
#include "sql/semantics.h"

typedef enum meet_place {
    EQUATED = 1,          // x = y
    LIKENED = 1 << 1,     // x <> y, x IN (y), CASE x WHEN y
    ORDERED = 1 << 2,     // x < y, x BETWEEN y AND z, greatest(x, y)
    SOUGHT = 1 << 3,      // x IN (SELECT y), x < ANY (SELECT y)
    COMPUTED = 1 << 4,    // x + y, -x, ~x
    ADDED = 1 << 5,       // x + y
    DIVIDED = 1 << 6,     // x / y
    REMAINDER = 1 << 7,   // x % y
    BITS = 1 << 8,        // x & y, x | y, ~x
    SHIFTED = 1 << 9,     // x << y
    JOINED = 1 << 10,     // x || y, concat(x, y)
    MATCHED = 1 << 11,    // x LIKE y, x ILIKE y
    MOVED = 1 << 12,      // x + INTERVAL ...: the time, the span
    SPAN = 1 << 13,       // INTERVAL ...
    UNITED = 1 << 14,     // coalesce(x, y), CASE ... THEN x ELSE y
    COLUMNS = 1 << 15,    // SELECT x UNION SELECT y
    MERGED = 1 << 16,     // JOIN ... USING (x)
    CONVERTED = 1 << 17,  // CAST(x AS y)
    TESTED = 1 << 18,     // WHERE x
    SORTED = 1 << 19,     // ORDER BY x, min(x)
    CALLED = 1 << 20,     // f(y) itself
    ALIKE = EQUATED | LIKENED,
    COMPARED = ALIKE | ORDERED,
} meet_place;

// Sets of kinds.
enum {
    IS_ANY = 1 << KIND_ANY,
    IS_WHOLE = 1 << KIND_INTEGER,
    IS_REAL = 1 << KIND_REAL,
    IS_DECIMAL = 1 << KIND_DECIMAL,
    IS_TEXT = 1 << KIND_TEXT,
    IS_DAY = 1 << KIND_DATE,
    IS_MOMENT = 1 << KIND_TIMESTAMP,
    IS_TRUTH = 1 << KIND_BOOLEAN,
    IS_BYTES = 1 << KIND_BYTES,
    IS_NONE = 1 << (KIND_BYTES + 1),  // there is no value
    IS_FRACTION = IS_REAL | IS_DECIMAL,
    IS_NUMBER = IS_FRACTION | IS_WHOLE,
    IS_STRING = IS_TEXT | IS_BYTES,
    IS_TIME = IS_DAY | IS_MOMENT | 1 << KIND_TIME,
    ALL = 2 * IS_NONE - 1,
    SOME = ALL - IS_NONE,
};

typedef struct operand {
    const ast *node;  // NULL: a column of a query, or nothing
    bound_column type;
    unsigned kind;  // IS_*
} operand;

typedef void meet_visit(void *context,
                        meet_place place,  // one or more
                        const ast *n,      // the node in which they meet
                        const operand *one,
                        const operand *other);

typedef struct meeting {
    const binding *b;
    semantics means;  // of its dialect
    meet_visit *visit;
    void *context;
} meeting;

// What meets at the node, not below it; each pair from both sides, but where
// the place itself tells them apart.
void meet_at(const meeting *m, const ast *n);

operand meet_operand(const meeting *m, const ast *n);

bool meet_computes(int op);  // + - * / %

bool meet_has_hours(const ast *span);  // INTERVAL '3 hours'

// Does the operator or the call that compares ask which is less?
bool meet_orders(const ast *n);

#endif  // ASSAY_CHECK_MEETS_H
