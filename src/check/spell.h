/*
 * spell.h - what a query of another dialect means by a type, in its own words.
 *
 * '2024-12-31' beside a TIMESTAMP is midnight there, and a DATE beside one its
 * midnight; in SQLite both are texts that differ from it. A translator that
 * knows no types cannot tell, so it is said before anybody reads the query.
 *
 * Source      definitions/equivalence.md#dialects
 */
#ifndef ASSAY_CHECK_SPELL_H
#define ASSAY_CHECK_SPELL_H

#include "check/read_query.h"
#include "schema/schema.h"

// The query so spelled; one that cannot be read or bound as it is. Empty: the
// queries in it are nested too deeply for it to be said.
read_query spell_types(arena *a,
                       read_query query,
                       const schema *s,
                       dialect d,
                       arena scratch);

// Does the comparison take this operand of it, a text that begins with a day,
// for the first moment that lies in, or the first that does not? What is cut
// off the end of a moment that is met so changes nothing.
bool spell_is_bound(const ast *comparison, const ast *text);

#endif  // ASSAY_CHECK_SPELL_H
