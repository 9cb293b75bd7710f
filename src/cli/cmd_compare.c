/*
 * cmd_compare.c - `assay compare`: is one run better than another?
 *
 * Method      All journals are read, line by line, into a versus. The first
 *             line of each says under what it was made; runs that were made
 *             under other conditions are not compared unless --force.
 */
#include "base/file.h"
#include "cli/compare_golds.h"
#include "cli/compare_robust.h"
#include "cli/doc_out.h"
#include "cli/need_to_compare.h"
#include "report/journals.h"
#include "report/report_versus.h"

typedef struct compare_job {
    const cli *c;
    versus v;
    journals journals;
} compare_job;

static void read_lines(compare_job *job, ptrdiff_t i)
{
    const journal_file *f = &job->journals.files.ptr[i];
    case_lines l = case_lines_of(f->file, job->c->d);
    versus_begin_file(&job->v, f->file.path,
                      json_get_text(f->head, S("clock")));
    while (job->c->d->count == 0
           && case_lines_next_case(&l, arena_store_clear(job->c->lines))) {
        l.line.run = journals_run_name(&job->journals, i, l.line.run);
        versus_add(&job->v, &l.line, l.place, job->c->d);
    }
}

static void read_files(compare_job *job)
{
    if (journals_open(&job->journals, job->c->room, &job->c->o->operands,
                      job->c->d)) {
        journals_name_runs(&job->journals, job->c->room, job->c->lines);
        for (ptrdiff_t i = 0; i < job->journals.files.len; i++) {
            read_lines(job, i);
        }
    }
}

static bool are_comparable(compare_job *job)
{
    return comparable_journals(&job->journals, need_to_compare(job->v.metric),
                               job->c->d, arena_store_clear(job->c->lines));
}

static bool print_all(compare_job *job, const versus_pair *pairs)
{
    const cli *c = job->c;
    if (opt_is(c->o, OPT_RENDER, S("json"))) {
        arena scratch = arena_store_clear(job->c->lines);
        buf text = buf_new(job->c->room);
        versus_json(&text, &job->v, pairs, true, scratch);
        buf_char(&text, '\n');
        return cli_print(c, buf_str(&text));
    }
    doc d = doc_out_new(c, job->c->room, 100);
    versus_doc(&d, &job->v, pairs);
    return opt_flag(c->o, OPT_QUIET) || doc_out_print(c, &d, stdout);
}

// Is a later run worse than the first by more than --fail-if-worse?
static bool is_worse(const compare_job *job, const versus_pair *pairs)
{
    const cli *c = job->c;
    bool worse = false;
    for (ptrdiff_t i = 1; i < job->v.runs.len; i++) {
        const versus_pair *p = &pairs[versus_pair_at(&job->v, 0, i)];
        double lost = -p->d.difference * 100;
        if (lost > opt_double(c->o, OPT_FAIL_IF_WORSE)) {
            str a = job->v.runs.ptr[0].name;
            str b = job->v.runs.ptr[i].name;
            cli_say(
                c,
                "%.*s is %.1f points worse than %.*s; at most %g are allowed",
                STR_ARG(b), lost, STR_ARG(a),
                opt_double(c->o, OPT_FAIL_IF_WORSE));
            worse = true;
        }
    }
    return worse;
}

static bool compare_all(compare_job *job)
{
    const cli *c = job->c;
    bool is_clock_used = need_to_compare(opt_text(c->o, OPT_METRIC)).clock
                         && !opt_flag(c->o, OPT_FORCE);
    job->v = compare_versus(c, job->c->room,
                            is_clock_used ? VERSUS_CLOCK_MATTERS
                                          : VERSUS_CLOCK_IGNORED);
    read_files(job);
    arena scratch = arena_store_clear(job->c->lines);
    bool ok = job->c->d->count == 0 && versus_end(&job->v, job->c->d, scratch);
    if (ok && !opt_flag(c->o, OPT_FORCE) && !are_comparable(job)) {
        ok = cli_say(c, "runs can only be compared under equal conditions; "
                        "--force compares them anyway");
    }
    if (!ok) {
        return false;
    }
    const versus_pair *pairs = versus_all(&job->v, job->c->room, scratch);
    return print_all(job, pairs)
           && (!opt_has(c->o, OPT_FAIL_IF_WORSE) || !is_worse(job, pairs)
               || cli_ends(c, EXIT_CODE_FAILED));
}

bool cmd_compare(cli *c)
{
    compare_job job = {.c = c};
    bool ok = opt_flag(c->o, OPT_GOLDS)
                  ? compare_golds(c, c->room, arena_store_clear(c->lines))
              : opt_flag(c->o, OPT_ROBUST)
                  ? compare_robust(c, c->room, arena_store_clear(c->lines))
                  : compare_all(&job);
    journals_close(&job.journals);
    return ok;
}
