/*
 * match.h - are two blocks the same but for what a solver must be asked?
 *
 * Both are in their final form. Their sources are paired, and of what stands in
 * the same places and reads differently the solver is asked whether it can
 * differ. No question is asked about blocks of different shape, and none about
 * what reads the same.
 *
 * Source      definitions/equivalence.md#solver
 */
#ifndef ASSAY_PROVE_MATCH_H
#define ASSAY_PROVE_MATCH_H

#include "prove/solver.h"
#include "relation/relation_block.h"

typedef enum match_part {
#define MATCH(name, word, says, when) MATCH_##name,
#include "prove/match.def"
    MATCH_PART_COUNT,
} match_part;

str match_word(match_part part);

typedef struct match_side {
    prover *p;
    block *b;
} match_side;

typedef struct match_result {
    bool is_same;
    unsigned parts;    // 1 << match_part: what the solver was needed for
    int32_t *columns;  // column i of the left is column columns[i] of the right
} match_result;

match_result match_blocks(solver *s,
                          match_side left,
                          match_side right,
                          bool may_permute,
                          arena *a);

#endif  // ASSAY_PROVE_MATCH_H
