/*
 * cmd_judge.c - `assay judge`: is the prediction what the gold asks for, in the
 * opinion of a language model?
 */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/judge_live.h"
#include "cli/judge_output.h"

typedef struct judge_job {
    const cli *c;
    judge_output out;
    arena scratch;
    int64_t n_broken;  // lines of the file at hand that are no answer
    bool has_broken;   // any file has such lines
} judge_job;

// One line of a file with answers in it.
static void replay_line(judge_job *job, str line)
{
    arena a = arena_store_clear(job->c->lines);
    judge_pair pair;
    json *j = json_parse(&a, line, NULL);
    if (!judge_pair_from_json(&pair, &a, j) || !pair.has_response) {
        job->n_broken++;
        return;
    }
    judge_result result =
        judge_read(&pair, pair.response, REPLY_END_WHOLE, &a, job->scratch);
    judge_output_add(&job->out, &pair, &result, job->scratch);
}

static bool replay_file(judge_job *job, str path, arena *a)
{
    file_map file;
    if (!file_open(&file, a, path, job->c->d)) {
        return false;
    }
    job->n_broken = 0;
    for (str line, rest = file.bytes; file_line(&file, &rest, &line);) {
        line = str_trim(line);
        if (line.len > 0) {
            replay_line(job, line);
        }
    }
    file_close(&file);
    if (job->n_broken > 0) {
        cli_say(job->c, "%.*s: lines without an answer: %lld", STR_ARG(path),
                (long long)job->n_broken);
    }
    job->has_broken |= job->n_broken > 0;
    return true;
}

static bool replay(judge_job *job, arena *a)
{
    const str_list *paths = opt_texts(job->c->o, OPT_REPLAY);
    for (ptrdiff_t i = 0; i < paths->len; i++) {
        if (!replay_file(job, paths->ptr[i], a)) {
            out_file_end(&job->out.lines, false);
            return false;
        }
    }
    return judge_output_close(&job->out, job->scratch) && !job->has_broken;
}

bool cmd_judge(cli *c)
{
    judge_job job = {.c = c, .scratch = arena_half(c->room)};
    if (!judge_output_open(&job.out, c, c->room)) {
        return false;
    }
    str path = opt_has(c->o, OPT_RUN) ? opt_text(c->o, OPT_RUN)
                                      : opt_text(c->o, OPT_PAIRS);
    return path.len > 0 ? judge_live(&job.out, path, c->room, job.scratch)
                        : replay(&job, c->room);
}
