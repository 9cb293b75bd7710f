/*
 * judge_output.h - what becomes of the opinions of a judge: written as lines,
 * counted, held against labels and executions.
 *
 * Order of    judge_output_open()
 * calls         judge_output_add()  each pair
 *             judge_output_close()  prints the summary
 */
#ifndef ASSAY_CLI_JUDGE_OUTPUT_H
#define ASSAY_CLI_JUDGE_OUTPUT_H

#include "base/shard.h"
#include "cli/out_file.h"
#include "job/judge_run.h"
#include "report/report_agree.h"

typedef struct judge_output {
    const cli *c;
    out_file lines;  // no file in it: no lines are wanted
    shard shard;     // whose lines they are
    int64_t n;
    int64_t by_decision[DECISION_COUNT];
    map why;  // rules and reasons, and how often
    vec_of(int64_t) n_why;
    int64_t n_contradicting;
    agree exec;
    agree label;
    arena *a;
} judge_output;

// False when the file of --out cannot be written; the user was told.
bool judge_output_open(judge_output *out, const cli *c, arena *a);
void judge_output_add(judge_output *out,
                      const judge_pair *p,
                      const judge_result *r,
                      arena scratch);

// Prints the summary. The file appears under its name only now.
bool judge_output_close(judge_output *out, arena scratch);

#endif  // ASSAY_CLI_JUDGE_OUTPUT_H
