// merge_head.h - the heads of shards, made one (merge.h).
#ifndef ASSAY_JOURNAL_MERGE_HEAD_H
#define ASSAY_JOURNAL_MERGE_HEAD_H

#include "journal/merge.h"

// Sets m->head. False with messages when the heads are not of one run.
bool merge_heads(merge *m, diag *d, arena scratch);

#endif  // ASSAY_JOURNAL_MERGE_HEAD_H
