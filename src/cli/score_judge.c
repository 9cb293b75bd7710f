/*
 * score_judge.c - the journal read again, and written with opinions.
 *
 * Method      Lines that are no case are copied; each case goes to the judge
 *             and comes back, in its order, with a verdict more. The new
 *             journal replaces the old one only when it is complete.
 *
 * Cost        One pass over the journal, and the calls of the model.
 */
#include "cli/score_judge.h"

#include "base/file.h"
#include "cli/model_setup.h"
#include "cli/out_file.h"
#include "cli/output_files.h"

typedef struct judging_job {
    model_setup m;
    const file_map *journal;
    str rest;  // of it
    out_file file;
} judging_job;

bool score_judge_check(const cli *c)
{
    if (!output_can_be_read(c, OPT_OUT)) {
        return cli_refuse(c, "metric judge needs a journal: --out FILE");
    }
    if (!opt_has(c->o, OPT_MODEL) && !opt_has(c->o, OPT_REPLAY)) {
        return cli_refuse(c, "metric judge needs --model or --replay");
    }
    return true;
}

// Lines that are no case go to the new journal as they are: there is only its
// head.
static bool next_case(void *context, judge_pair *p, arena *a)
{
    judging_job *job = context;
    for (str line; file_line(job->journal, &job->rest, &line);) {
        const json *j = json_parse(a, line, NULL);
        if (judge_pair_from_json(p, a, j) && p->verdicts) {
            p->line = line;
            return true;
        }
        fprintf(job->file.file, "%.*s\n", STR_ARG(line));
    }
    return false;
}

static void take_case(void *context,
                      const judge_pair *p,
                      const judge_result *r,
                      arena scratch)
{
    judging_job *job = context;
    arena rest = arena_half(&scratch);
    buf line = buf_new(&scratch);
    judge_insert(&line, p->line, r, rest);
    fwrite(line.ptr, 1, (size_t)line.len, job->file.file);
}

static bool rewrite(judging_job *job, file_map *lines, arena *a, arena scratch)
{
    const cli *c = job->m.c;
    str path = opt_text(c->o, OPT_OUT);
    if (!out_file_open(&job->file, c, path)) {
        return false;
    }
    job->journal = lines;
    job->rest = lines->bytes;
    judge_totals totals;
    judge_ports ports = {
        .context = job,
        .next = next_case,
        .take = take_case,
    };
    bool ok = judge_run(&job->m.run, &ports, &totals, a, scratch);
    bool is_written = out_file_end(&job->file, true);
    file_close(lines);
    is_written = file_open(lines, a, path, c->d) && is_written;
    return model_setup_say(&job->m, &totals) && ok && is_written;
}

bool score_judge(const cli *c, run_outcome *run, arena *a, arena scratch)
{
    judging_job job = {0};
    bool is_always = opt_is(c->o, OPT_JUDGE_WHEN, S("always"));
    bool ok = model_setup_open(&job.m, c, S("cot"), S("."), a, scratch);
    cli_say_all(c, &job.m.d, scratch);
    job.m.run.votes = 1;
    job.m.run.ask = is_always ? ASK_ALL : ASK_DOUBT;
    ok = ok && rewrite(&job, &run->journal, a, scratch);
    model_setup_close(&job.m);
    return ok;
}
