/*
 * plug.h - a prediction with the gold's values in the places of its own.
 *
 * Many models write no values, or placeholders; then execution says nothing
 * about the rest of the query. The trees say what belongs where: a constant
 * that is compared with a column takes the gold's constants for that column,
 * a bound takes a bound, a pattern of LIKE a pattern, a LIMIT a LIMIT. Only a
 * constant for whose place the gold has none takes what fits by type and has
 * no other place. Everything else stays as the model wrote it.
 *
 * Order of    plug_of()
 * calls         plug_next()   each text once, the likeliest first
 */
#ifndef ASSAY_RELATION_PLUG_H
#define ASSAY_RELATION_PLUG_H

#include "schema/bind.h"

enum {
    PLUG_MOST = 64,  // a good cap on the texts that are tried
};

typedef struct plug_slot {
    const ast *node;               // the constant, or an IN with a list of some
    const ast *const *candidates;  // nodes of the gold
    ptrdiff_t n;
    ptrdiff_t first;  // the candidate that it takes first
} plug_slot;

typedef struct plug {
    const binding *pred;
    const plug_slot *slots;  // those that have candidates
    ptrdiff_t n_slots;
    int64_t n_texts;  // of all choices together; at most INT32_MAX
    int64_t n_given;
    int64_t n_most;
    bool is_cut;  // not all constants have slots, or are candidates
} plug;

plug plug_of(arena *a,
             const binding *gold,
             const binding *pred,
             int64_t most,
             arena scratch);

// The next text, in `a`; false when there are no more, or `most` were given.
bool plug_next(plug *p, arena *a, str *out, arena scratch);

// Are there more than will ever be given?
bool plug_is_cut(const plug *p);

#endif  // ASSAY_RELATION_PLUG_H
