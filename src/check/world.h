/*
 * world.h - two worlds: what the schema allows, and what the data show.
 *
 * A witness that obeys the schema is legal. One that obeys the facts as well is
 * realistic: whoever asked may meet such data. What is told apart in the
 * realistic world is told apart in the declared one, and what is proved in the
 * declared world holds in the realistic one.
 *
 * Source      definitions/facts.md#worlds
 */
#ifndef ASSAY_CHECK_WORLD_H
#define ASSAY_CHECK_WORLD_H

#include "check/check_verdict.h"
#include "facts/fact.h"
#include "schema/reading.h"

// What of a database counts for facts: what the queries read, and the texts
// that they compare with. The reading may be NULL: all counts.
fact_view world_view(arena *a,
                     const reading *reads,
                     const binding *const *queries,
                     ptrdiff_t n_queries);

// As sentences, the facts that the rows break.
void world_breaks(const instance *rows,
                  const facts *f,
                  const fact_view *view,
                  str_list *out,
                  arena *a);

// The facts without which the queries, proved equivalent in the realistic world
// over `base`, would not be: as sentences. None of them can be left out.
void world_needs(const schema *base,
                 const facts *f,
                 str left,
                 str right,
                 const prove_options *options,
                 str_list *out,
                 arena *a,
                 arena scratch);

#endif  // ASSAY_CHECK_WORLD_H
