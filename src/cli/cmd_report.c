/*
 * cmd_report.c - `assay report`: journals as HTML, Markdown, CSV, ...
 */
#include "base/apart.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/need_to_compare.h"
#include "cli/out_file.h"
#include "job/lint_rank.h"
#include "report/render.h"

typedef struct report_job {
    const cli *c;
    lint_rank rank;  // of --lint
} report_job;

static str who_of(const void *context, str id, str db, arena scratch)
{
    const report_job *job = context;
    const ranked_case *it = lint_rank_find(&job->rank, id, db, scratch);
    return it ? it->view : (str){0};
}

static bool write_report(report_job *job, render *r)
{
    out_file out;
    return out_file_open(&out, job->c, opt_text(job->c->o, OPT_OUT))
           && out_file_end(&out, render_write(r, out.file, job->c->lines));
}

static bool report_all(report_job *job, const render_options *options)
{
    render r = render_new(job->c->room, options);
    bool ok = journals_open(&r.journals, job->c->room, &job->c->o->operands,
                            job->c->d)
              && render_count(&r, job->c->lines, job->c->d)
              && write_report(job, &r);
    journals_close(&r.journals);
    return ok;
}

bool cmd_report(cli *c)
{
    const opt *o = c->o;
    bool is_page = opt_is(o, OPT_REPORT_FORMAT, S("html"));
    if (is_page && c->out_is_terminal && !opt_has(o, OPT_OUT)) {
        str name = path_stem(o->operands.ptr[0]);
        return cli_refuse(c,
                          "HTML is not printed on a terminal: write it with "
                          "-o %.*s.html, or print --format markdown",
                          STR_ARG(name));
    }
    str out = opt_text(o, OPT_OUT);
    render_options options = {
        .format = render_format_from_word(opt_text(o, OPT_REPORT_FORMAT)),
        .title = opt_text(o, OPT_TITLE),
        .redacts = opt_flag(o, OPT_REDACT),
        .is_for_terminal =
            c->out_is_terminal && (out.len == 0 || str_equal(out, S("-"))),
        .need_of = need_to_compare,
    };
    dialect_from_word(opt_text(o, OPT_DIALECT), &options.dialect);
    report_job job = {.c = c};
    str lint = opt_text(o, OPT_LINT);
    bool ok = lint.len == 0
              || lint_rank_read(&job.rank, c->room, lint, c->lines, c->d);
    if (lint.len > 0) {
        options.who_of = who_of;
        options.who = &job;
    }
    return ok && report_all(&job, &options);
}
