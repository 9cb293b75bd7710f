/*
 * choice.h - which records of a file a command takes.
 *
 * The records that are named, or all; of those the ones that pass a test; of
 * those the first `limit` ones or, with a seed, so many drawn at random; and of
 * those the ones of the shard, so that all shards together are what a command
 * without one takes.
 */
#ifndef ASSAY_READ_CHOICE_H
#define ASSAY_READ_CHOICE_H

#include "base/diag.h"
#include "base/shard.h"
#include "read/dataset.h"

// Ids that somebody asks for.
typedef struct id_choice {
    const str *ids;
    ptrdiff_t n;
    bool *is_seen;  // for each id: a record has it
} id_choice;

id_choice id_choice_new(arena *a, const str *ids, ptrdiff_t n);
// Is it one of them? If so, it counts as seen.
bool id_choice_sees(id_choice *c, str id);

typedef struct choice {
    const str *only;  // ids
    ptrdiff_t n_only;
    int64_t limit;  // -1: none
    bool has_seed;  // draw `limit` records instead of taking the first
    int64_t seed;
    shard shard;
} choice;

// Does record i pass? NULL in its place: all do.
typedef bool choice_test(void *context, ptrdiff_t i, record r, arena scratch);

// Indices of records, ascending.
typedef struct choice_result {
    int32_t *all;  // of all shards
    ptrdiff_t n_all;
    int32_t *own;  // of this one
    ptrdiff_t n;
} choice_result;

// False with messages when no record has one of the ids, or none passes.
bool choice_make(choice_result *out,
                 arena *a,
                 const choice *c,
                 const dataset *set,
                 choice_test *passes,
                 void *context,
                 diag *d,
                 arena scratch);

#endif  // ASSAY_READ_CHOICE_H
