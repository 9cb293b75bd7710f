/*
 * spell_lateral.h - a SELECT whose FROM asks a query for each row before it,
 * said without: see spell.h.
 */
#ifndef ASSAY_CHECK_SPELL_LATERAL_H
#define ASSAY_CHECK_SPELL_LATERAL_H

#include "schema/bind.h"
#include "sql/ast.h"

// The SELECT without the first LATERAL or APPLY that can be said otherwise;
// NULL: it has none.
ast *spell_lateral(arena *a,
                   const binding *b,
                   const ast *select,
                   arena scratch);

#endif  // ASSAY_CHECK_SPELL_LATERAL_H
