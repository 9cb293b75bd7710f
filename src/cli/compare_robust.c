/*
 * compare_robust.c - see compare_robust.h.
 *
 * Method      All lines are kept: an original may stand behind its change. If a
 *             line names its original (`of`), pairs are sought in its run; else
 *             the files are pairs, before and after.
 */
#include "cli/compare_robust.h"

#include "base/apart.h"
#include "cli/doc_out.h"
#include "report/journals.h"
#include "report/robust.h"

typedef struct robust_job {
    const cli *c;
    robust_lines lines;
    bool has_of;
} robust_job;

static bool read_files(robust_job *job, const journals *all)
{
    for (ptrdiff_t i = 0; i < all->files.len; i++) {
        case_lines l = case_lines_of(all->files.ptr[i].file, job->c->d);
        while (case_lines_next_case(&l, *job->c->room)) {
            *job->c->room = l.a;
            *vec_push(job->c->room, &job->lines) = (robust_line){l.line, i};
            job->has_of |= l.line.of.len > 0;
        }
    }
    return job->c->d->count == 0;
}

// The name of the file after, with as much of its path as tells it from others.
static const str *kinds_of(const str_list *files, arena *a, arena scratch)
{
    ptrdiff_t n = files->len / 2;
    str *names = arena_new(&scratch, str, n);
    str *paths = arena_new(&scratch, str, n);
    str *kinds = arena_new(a, str, files->len);
    for (ptrdiff_t i = 0; i < n; i++) {
        paths[i] = files->ptr[2 * i + 1];
        names[i] = path_stem(paths[i]);
    }
    names_tell_apart(names, paths, n, a, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        kinds[2 * i + 1] = names[i];
    }
    return kinds;
}

versus compare_versus(const cli *c, arena *a, versus_clock_use clock)
{
    versus_cluster cluster = VERSUS_CLUSTER_AUTO;
    versus_cluster_from_word(opt_text(c->o, OPT_CLUSTER), &cluster);
    return versus_new(a, opt_text(c->o, OPT_METRIC), cluster, clock);
}

static bool find_pairs(robust_job *job, robust_runs *out, arena scratch)
{
    const cli *c = job->c;
    const str_list *files = &c->o->operands;
    versus like = compare_versus(c, job->c->room, VERSUS_CLOCK_IGNORED);
    if (!job->has_of && files->len % 2 != 0) {
        return diag_add(
            job->c->d, (diag_place){0},
            "no case names its original ('of'); without it, journals come in "
            "pairs BEFORE AFTER, but there are %td",
            files->len);
    }
    const str *kinds =
        job->has_of ? NULL : kinds_of(files, job->c->room, scratch);
    return robust_of(out, &job->lines, kinds, &like, job->c->room, job->c->d,
                     scratch);
}

static bool print_runs(const robust_job *job, const robust_runs *runs)
{
    if (opt_is(job->c->o, OPT_RENDER, S("json"))) {
        buf text = buf_new(job->c->room);
        robust_json(&text, runs);
        return cli_print(job->c, buf_str(&text));
    }
    doc d = doc_out_new(job->c, job->c->room, 100);
    robust_doc(&d, runs);
    return opt_flag(job->c->o, OPT_QUIET) || doc_out_print(job->c, &d, stdout);
}

bool compare_robust(cli *c, arena *a, arena scratch)
{
    robust_job job = {.c = c};
    journals all = {0};
    robust_runs runs = {0};
    bool ok = journals_open(&all, a, &c->o->operands, c->d)
              && read_files(&job, &all) && find_pairs(&job, &runs, scratch)
              && print_runs(&job, &runs);
    journals_close(&all);
    return ok;
}
