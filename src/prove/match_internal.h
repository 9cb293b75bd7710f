// match_internal.h - what the files that match blocks share.
#ifndef ASSAY_PROVE_MATCH_INTERNAL_H
#define ASSAY_PROVE_MATCH_INTERNAL_H

#include "prove/encode.h"
#include "prove/match.h"

typedef struct matcher {
    solver *s;
    prover *p[2];
    arena *a;
    unsigned parts;
    int depth;
} matcher;

// How the columns of two blocks must agree.
typedef enum match_items {
    MATCH_IN_ORDER,   // one by one
    MATCH_ANY_ORDER,  // as a set
    MATCH_ROWS_ONLY,  // not at all
} match_items;

// Two select blocks whose sources have been paired.
typedef struct pairing {
    matcher *m;
    const block *b[2];
    instance **order[2];  // sources; those at one place are the same
    term_list *checks;    // of the sources, as the left one's terms
    int32_t n;
    encoder e[2];
    match_items items;
    bool is_nested;    // what is shown is used further
    int32_t *columns;  // gets which column of the right is that of the left
} pairing;

// With the sources numbered and named.
bool match_selects(pairing *f);

bool match_nested(matcher *m,
                  const block *left,
                  const block *right,
                  int32_t first,
                  match_items items,
                  int32_t *columns);

// Whether both have one affinity and one collation.
bool match_type(const term *left, const term *right);

#endif  // ASSAY_PROVE_MATCH_INTERNAL_H
