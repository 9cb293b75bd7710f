/*
 * merge.h - the journals of all shards, joined into that of the whole run.
 *
 * What comes out is byte for byte what a run that is not cut writes with the
 * same options; of times, what each shard measured. A file may hold several
 * journals, one after the other. Not joined is what is not all there, once, of
 * one run: each reason has a message that names file and line.
 */
#ifndef ASSAY_JOURNAL_MERGE_H
#define ASSAY_JOURNAL_MERGE_H

#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "base/shard.h"

// One journal: from its head to the next one or the end of the file.
typedef struct merge_part {
    diag_place place;  // of its head
    const json *head;
    shard shard;
    int64_t n_cases;     // that it is to have
    int64_t n_all;       // that all shards are to have
    ptrdiff_t per_case;  // lines
    int64_t n_lines;     // that it has
    int64_t end;         // number of its last line
} merge_part;

// A line without its brace and its position.
typedef struct merge_line {
    int64_t position;
    str rest;
    int32_t part;  // a number that stays: the order in which they were read
} merge_line;

typedef struct merge {
    vec_of(merge_part) parts;
    vec_of(merge_line) lines;
    vec_of(file_map) files;
    str head;  // of the whole; empty: what was cut has none
    arena *a;
} merge;

// Reads the files at `paths` and checks that they are one whole run. False with
// messages. To be closed all the same.
bool merge_open(merge *m,
                arena *a,
                const str *paths,
                ptrdiff_t n,
                diag *d,
                arena scratch);

// Line `i` of m->lines, which are in their order now, with its newline.
str merge_line_text(const merge *m, ptrdiff_t i, arena *a);

void merge_close(merge *m);

#endif  // ASSAY_JOURNAL_MERGE_H
