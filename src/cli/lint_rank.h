// lint_rank.h - the golds of `assay lint --rank`, the most suspect first.
#ifndef ASSAY_CLI_LINT_RANK_H
#define ASSAY_CLI_LINT_RANK_H

#include "base/json.h"
#include "blame/blame.h"

typedef struct ranked_case {
    blame_class who;
    int64_t suspicion;
    str id;
    str text;  // for people
} ranked_case;

typedef struct lint_rank {
    vec_of(ranked_case) cases;
    ptrdiff_t counts[BLAME_CLASS_COUNT];
} lint_rank;

// Takes what a line of the output tells; nothing, where it does not say who is
// wrong.
void lint_rank_add(lint_rank *r, arena *a, const json *line);

// The cases whose gold or question is suspect, or all, and how many there are
// of each class.
void lint_rank_print(lint_rank *r, buf *out, bool all);

#endif  // ASSAY_CLI_LINT_RANK_H
