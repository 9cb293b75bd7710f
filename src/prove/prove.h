/*
 * prove.h - are two queries the same on every legal database?
 *
 * Both are brought into a canonical form by rules that keep their meaning; if
 * the forms are equal, the queries are equivalent, and the rules are the proof.
 * No rule searches: what is not proved here is merely not known. The meaning
 * is SQLite's.
 *
 * Deterministic: the same queries, schema and options give the same proof, on
 * any machine. Time and memory are bounded for any tree; what would cost more
 * is not proved.
 *
 * Source      definitions/equivalence.md#possible-results, #proofs, #solver
 */
#ifndef ASSAY_PROVE_PROVE_H
#define ASSAY_PROVE_PROVE_H

#include "prove/proof.h"
#include "schema/bind.h"

// keys, not-null, foreign-keys, types, no-overflow; empty for other bits.
str assume_word(unsigned bit);

// Both bound with the same schema. Queries with problems are not proved.
proof prove_pair(arena *a,
                 const binding *left,
                 const binding *right,
                 const prove_options *options,
                 arena scratch);

// The same of one left query and many right ones: what is found out of the left
// one is kept, in `a`. Without solver and script; the options must outlive it.
typedef struct prove_left prove_left;
prove_left *prove_left_open(arena *a,
                            const binding *left,
                            const prove_options *options);
proof prove_beside(arena *a,
                   const prove_left *left,
                   const binding *right,
                   arena scratch);

// Do the steps of the proof, one after the other where they say, and no others
// bring both queries into one form, with no other assumptions? The options are
// those that it was found with.
bool prove_replay(const binding *left,
                  const binding *right,
                  const prove_options *options,
                  const proof *p,
                  arena a,
                  arena scratch);

// The canonical form as text: queries whose forms are equal, byte for byte, are
// equivalent, with columns in the same order. Empty: it has none. Finds fewer
// proofs than prove_pair, but each query is worked on only once; laws of the
// prover compare forms by it.
// `assumptions` gets what was used; may be NULL.
str prove_canonical(arena *a,
                    const binding *query,
                    const prove_options *options,
                    unsigned *assumptions,
                    arena scratch);

#endif  // ASSAY_PROVE_PROVE_H
