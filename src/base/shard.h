/*
 * shard.h - a run split into N parts that can be run separately and joined
 * again.
 *
 * Which part a case is of depends on its id and database alone: on every
 * machine the same, whatever else is in the file. The cases of one database
 * are spread over all parts, so that no part gets all that are slow.
 *
 * The lines of a part say where their record stands in the file of cases:
 *
 *     {"position":17,"run":...
 *
 * in front of what the line would say in a run that is not cut. So joining is
 * to take that away again and to put the lines in order (journal/merge.h).
 */
#ifndef ASSAY_BASE_SHARD_H
#define ASSAY_BASE_SHARD_H

#include "base/buf.h"

typedef struct shard {
    int64_t index;  // from 0
    int64_t n;      // 0: the run is not cut
} shard;

// Reads "I/N", I from 0 to N-1; false for anything else.
bool shard_parse(shard *s, str text);

// Is the case of this shard? Every case is of a run that is not cut.
bool shard_has(shard s, str id, str db);

// The members of a head that say which part this is of how many cases. Nothing
// for a run that is not cut.
void shard_add_counts(buf *b, shard s, ptrdiff_t n_cases, ptrdiff_t n_all);

// The lines, JSON objects with a newline each, marked with their position; in a
// run that is not cut the lines themselves.
str shard_mark(shard s, str lines, int64_t position, arena *a);

// What stands before the rest of a line: {"position":17, for `rest` without its
// brace. False where it does not begin so.
bool shard_unmark(str line, int64_t *position, str *rest);

#endif  // ASSAY_BASE_SHARD_H
