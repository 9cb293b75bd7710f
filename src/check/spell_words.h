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

// May the names that tables lie in be dropped? Not where they tell a.t from
// b.t, or the table from a WITH of its name.
bool spell_tells_tables(const str queries[2],
                        const schema *s,
                        dialect d,
                        arena scratch);

// The text of a query.
str spell_printed(arena *a, const ast *n, dialect d, arena scratch);

#endif  // ASSAY_CHECK_SPELL_WORDS_H
