// blame_internal.h - what the files of signals share; for them alone.
#ifndef ASSAY_BLAME_BLAME_INTERNAL_H
#define ASSAY_BLAME_BLAME_INTERNAL_H

#include "blame/blame_read.h"
#include "relation/relation_diff.h"

// One query as the signals look at it, and the one beside it.
typedef struct blame_view {
    const blame_case *c;
    const str_list *asked;  // the question
    const str_list *told;   // the question and its evidence
    const blame_query *q;
    const blame_query *other;     // NULL: there is none
    const relation_diff *values;  // of both
    diff_side side;               // of q in it
    arena *a;                     // of details
    arena scratch;
} blame_view;

// Which values one of two queries compares with, and the other does not.
relation_diff blame_compare_values(const blame_query queries[2], arena *a);

// Does this speak against v->q?
typedef bool blame_test(const blame_view *v, str *detail);

#define SIGNAL(constant, word, sides, weight, text) blame_test blame_##word;
#include "blame/signal.def"
#undef SIGNAL

#endif  // ASSAY_BLAME_BLAME_INTERNAL_H
