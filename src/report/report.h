/*
 * report.h - what a tally looks like: for people and for programs. All are
 * pure functions that append to a text or a document. As the reference
 * programs print it: evaluators/like.h.
 */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "report/doc.h"

// The summary for people: each metric with passes, cases, percent and its
// Wilson interval, the main one first; why answers failed; what limits the
// figures; then by hardness or category.
void report_text(doc *d, const tally *t);

// The same numbers as JSON (--summary). `shard` is "I/N" where the cases are
// only those of a shard, else empty.
void report_summary(buf *out,
                    const tally *t,
                    str shard,
                    double wall_s,
                    arena scratch);

// Rows of CSV (RFC 4180): the heading, then one for each line of a journal.
// `keys` are the metrics that get columns, in this order.
void report_csv_header(buf *out, const str *keys, ptrdiff_t n);
void report_csv_row(buf *out,
                    const case_line *line,
                    const str *keys,
                    ptrdiff_t n);

// Ids of groups in the order in which reports show them: hardness from easy
// to hard, the rest by name.
const int32_t *report_group_order(const tally *t, tally_by by, arena *a);
const int32_t *report_hardness_order(const map *names, arena *a);

// "exec:bird" of a tally that has it, else "exec", else -1.
ptrdiff_t report_find_metric(const tally *t, str word, str rules);

#endif  // ASSAY_REPORT_REPORT_H
