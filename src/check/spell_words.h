/*
 * spell_words.h - the words of another dialect that stand in the way of binding
 * a query, said otherwise in its own ones: see spell.h.
 */
#ifndef ASSAY_CHECK_SPELL_WORDS_H
#define ASSAY_CHECK_SPELL_WORDS_H

#include "schema/schema.h"
#include "sql/ast.h"

// The query so spelled; one that cannot be read as it is.
str spell_words(arena *a, str sql, const schema *s, dialect d, arena scratch);

// What the names of both queries tell apart and assay does not; empty: nothing.
// A schema before a table is dropped, which may not be where a.t is not b.t, or
// the table is not a WITH of its name; the case of letters is, which may not be
// where quotes keep it.
str spell_blurs(const str queries[2],
                const schema *s,
                dialect d,
                arena scratch);

// The text of a query.
str spell_printed(arena *a, const ast *n, dialect d, arena scratch);

#endif  // ASSAY_CHECK_SPELL_WORDS_H
