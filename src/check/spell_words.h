/*
 * spell_words.h - the words of another dialect that stand in the way of binding
 * a query, said otherwise in its own ones: see spell.h.
 */
#ifndef ASSAY_CHECK_SPELL_WORDS_H
#define ASSAY_CHECK_SPELL_WORDS_H

#include "check/read_query.h"
#include "schema/schema.h"

// The query so spelled; one that cannot be read as it is. Without a schema its
// tables keep the names they lie in.
read_query spell_words(arena *a,
                       read_query query,
                       const schema *s,
                       dialect d,
                       arena scratch);

// What the names of both queries tell apart and assay does not; empty: nothing.
// A schema before a table is dropped, which may not be where a.t is not b.t, or
// the table is not a WITH of its name; the case of letters is, which may not be
// where quotes keep it.
str spell_blurs(const read_query queries[2],
                const schema *s,
                dialect d,
                arena scratch);

#endif  // ASSAY_CHECK_SPELL_WORDS_H
