/*
 * compare_golds.c - see compare_golds.h.
 *
 * Method      The predictions are scored twice, as assay score would, and the
 *             lines go into a regold. Beside them the golds of the other
 *             version are scored, as further runs, the first of all cases, the
 *             second, ...: what their verdicts say is why a gold changed.
 *             Suspects come from an audit (a file with labels) or from what
 *             assay lint wrote.
 */
#include "cli/compare_golds.h"

#include "base/json.h"
#include "cli/dataset_option.h"
#include "cli/doc_out.h"
#include "cli/pred_option.h"
#include "cli/progress.h"
#include "cli/score_setup.h"
#include "job/check_pairs.h"
#include "job/run.h"
#include "report/case_lines.h"
#include "report/regold.h"
#include "sql/template.h"

// Runs of golds of the other version, each with its number after it.
static const str self = S_INIT("(golds) ");

typedef struct golds_job {
    cli *c;
    arena scratch;
    regold g;
    plan_pred_list preds;  // the runs, then golds of the other version
    diag d;
    diag notes;
} golds_job;

// The lines of one version, which are kept no longer.
static bool add_lines(golds_job *job, file_map lines, bool is_new)
{
    lines.path = job->g.files[is_new];
    case_lines l = case_lines_of(lines, &job->d);
    versus_begin_file(&job->g.v, l.place.file, (str){0});
    while (job->d.count == 0 && case_lines_next_case(&l, job->scratch)) {
        regold_add(&job->g, &l.line, is_new, str_starts(l.line.run, self),
                   l.place, &job->d);
    }
    return job->d.count == 0;
}

static bool score_version(golds_job *job, bool is_new, run_options *run)
{
    int64_t clock_ms = run->engines.own.clock_ms;
    if (!score_setup_golds(run, job->c, job->g.files[is_new], job->preds)) {
        return false;
    }
    if (is_new) {
        run->has_clock = true;
        run->engines.own.clock_ms = clock_ms;
    }
    progress bar = {.c = job->c};
    run_outcome outcome;
    if (!progress_run(&bar, run, &outcome, job->c->room, &job->d, &job->notes,
                      job->scratch)) {
        return false;
    }
    bool ok = outcome.end == SUPERVISOR_INTERRUPTED
                  ? diag_add(&job->d, (diag_place){0}, "interrupted")
                  : add_lines(job, outcome.journal, is_new);
    run_close(&outcome);
    return ok;
}

/* --- files of predictions ------------------------------------------------- */

static bool open_golds(const golds_job *job, dataset *set, str path, diag *d)
{
    dataset_options files = dataset_option(job->c);
    return dataset_open(set, job->c->room, path, files, d, job->scratch);
}

// The run of this number, which is made here; the next one begins with it.
static plan_pred *made_run(golds_job *job, ptrdiff_t i, str name, str from)
{
    if (i == job->preds.len) {
        *vec_push(job->c->room, &job->preds) =
            (plan_pred){.name = arena_str(job->c->room, name),
                        .path = from,
                        .is_made = true,
                        .lines = buf_new(job->c->room)};
    }
    return &job->preds.ptr[i];
}

// The predictions that a journal keeps, a run for each that it has.
static bool add_journal(golds_job *job, case_lines *l)
{
    map runs = {0};
    ptrdiff_t first = job->preds.len;
    while (case_lines_next_case(l, job->scratch)) {
        str name = l->line.run;
        ptrdiff_t run = first + map_add(&runs, job->c->room, name);
        plan_pred_add(made_run(job, run, name, l->place.file), l->line.id,
                      l->line.pred);
    }
    return job->d.count == 0;
}

// A file of predictions, or a journal.
static bool add_run(golds_job *job, str operand)
{
    pred_option one = pred_option_split(operand, job->c->scratch);
    case_lines l;
    bool ok = case_lines_open(&l, job->c->room, one.path, &job->d);
    if (str_starts(l.rest, S("{\"journal\":"))) {
        ok = add_journal(job, &l);
    } else if (ok) {
        *vec_push(job->c->room, &job->preds) =
            (plan_pred){.name = one.name, .path = one.path};
    }
    case_lines_close(&l);
    return ok;
}

// The queries that the golds of a record accept.
static template_variants accepted(const golds_job *job,
                                  const record *r,
                                  arena *a)
{
    enum {
        MOST = 64
    };
    const template_options options = {
        .dialect = check_dialect_of(opt_text(job->c->o, OPT_DB)),
        .max = MOST,
        .keep_whole = r->golds_are_final};
    arena rest = arena_half(a);
    template_variants all =
        template_queries(a, r->golds, r->n_golds, options, rest);
    return all.n > 0 ? all : (template_variants){r->golds, r->n_golds};
}

// Predictions that are the golds of a version: the first of each case in one
// run, the second in another, ...
static bool add_golds(golds_job *job, bool is_new)
{
    dataset set;
    if (!open_golds(job, &set, job->g.files[is_new], &job->d)) {
        return false;
    }
    ptrdiff_t first = job->preds.len;
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena a = job->scratch;
        record r = dataset_record(&set, i, &a);
        template_variants golds = accepted(job, &r, &a);
        for (ptrdiff_t k = 0; k < golds.n; k++) {
            str name = arena_printf(&a, "%.*s%td", STR_ARG(self), k);
            plan_pred_add(made_run(job, first + k, name, self), r.id,
                          golds.sql[k]);
        }
    }
    dataset_close(&set);
    return true;
}

/* --- suspects ------------------------------------------------------------ */

static void suspect(golds_job *job, bool *list, str id)
{
    ptrdiff_t at = map_find(&job->g.v.ids, id);
    if (at >= 0 && at < job->g.v.cases.len && !list[at]) {
        list[at] = true;
        job->g.n_suspect++;
    }
}

// What assay lint wrote: a gold with a finding that is no mere note.
static void add_linted(golds_job *job, bool *list, const file_map *file)
{
    for (str text, rest = file->bytes; file_line(file, &rest, &text);) {
        arena a = job->scratch;
        const json *line = json_parse(&a, text, NULL);
        const json *found = json_children(line, S("findings"));
        bool is_suspect = false;
        for (; found; found = found->next) {
            str level = json_get_text(found, S("level"));
            is_suspect |= str_among(level, "error warning");
        }
        if (is_suspect) {
            suspect(job, list, json_get_text(line, S("id")));
        }
    }
}

// What people said: a gold with the label no.
static bool add_audited(golds_job *job, bool *list, str path)
{
    dataset set;
    if (!open_golds(job, &set, path, &job->d)) {
        return false;
    }
    ptrdiff_t n_labels = 0;
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena a = job->scratch;
        str label = dataset_word(&set, i, S("label"), &a);
        n_labels += label.len > 0;
        if (str_among_fold(label, "no wrong gold_wrong incorrect false 0")) {
            suspect(job, list, dataset_record(&set, i, &a).id);
        }
    }
    dataset_close(&set);
    return n_labels > 0
           || diag_add(&job->d, (diag_place){.file = path},
                       "this does not say which golds are suspect: give lines "
                       "with a member 'label' that is yes or no, or the output "
                       "of assay lint --out");
}

static bool add_suspects(golds_job *job)
{
    str path = opt_text(job->c->o, OPT_SUSPECTS);
    file_map file;
    if (path.len == 0) {
        return true;
    }
    if (!file_open(&file, job->c->room, path, &job->d)) {
        return false;
    }
    bool *list = arena_new(job->c->room, bool, job->g.v.cases.len);
    job->g.suspect = list;
    bool is_lint = str_starts(file.bytes, S("{\"journal\":"));
    if (is_lint) {
        add_linted(job, list, &file);
    }
    file_close(&file);
    return is_lint || add_audited(job, list, path);
}

/* --- the command --------------------------------------------------------- */

static bool print_all(golds_job *job)
{
    if (opt_is(job->c->o, OPT_RENDER, S("json"))) {
        buf text = buf_new(job->c->room);
        regold_json(&text, &job->g, job->scratch);
        return cli_print(job->c, buf_str(&text));
    }
    doc d = doc_out_new(job->c, job->c->room, 100);
    regold_doc(&d, &job->g);
    return opt_flag(job->c->o, OPT_QUIET) || doc_out_print(job->c, &d, stdout);
}

static bool has_both(golds_job *job)
{
    return regold_count(&job->g, -1, -1).golds > 0
           || diag_add(&job->d, (diag_place){0},
                       "no case of '%.*s' is in '%.*s': their ids differ "
                       "(--field id=NAME names their member)",
                       STR_ARG(job->g.files[0]), STR_ARG(job->g.files[1]));
}

static bool run_both(golds_job *job)
{
    run_options run = {0};
    const str_list *operands = &job->c->o->operands;
    job->g.files[0] = operands->ptr[0];
    job->g.files[1] = operands->ptr[1];
    for (ptrdiff_t i = 2; i < operands->len; i++) {
        if (!add_run(job, operands->ptr[i])) {
            return false;
        }
    }
    ptrdiff_t n_preds = job->preds.len;
    bool ok = add_golds(job, true) && score_version(job, false, &run);
    job->g.n_runs = job->g.v.runs.len;
    job->preds.len = n_preds;
    if (!ok || !add_golds(job, false) || !score_version(job, true, &run)) {
        return false;
    }
    regold_end(&job->g);
    return has_both(job) && add_suspects(job);
}

// That old golds and new ones do not have the same cases the table says.
static void leave_out_golds(diag *d)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        const diag_message m = d->messages.ptr[i];
        if (!str_equal(m.place.file, self)) {
            d->messages.ptr[n++] = m;
        }
    }
    d->count -= d->messages.len - n;
    d->messages.len = n;
}

bool compare_golds(cli *c, arena *a, arena scratch)
{
    if (c->o->operands.len < 3) {
        return cli_refuse(c, "--golds needs the old golds, the new golds "
                             "and at least one file of predictions");
    }
    golds_job job = {
        .c = c, .scratch = scratch, .d = diag_new(a), .notes = diag_new(a)};
    job.g.v =
        versus_new(a, opt_text(c->o, OPT_METRIC),
                   opt_is(c->o, OPT_CLUSTER, S("db")) ? VERSUS_CLUSTER_DB
                                                      : VERSUS_CLUSTER_CASE,
                   VERSUS_CLOCK_IGNORED);
    bool ok = run_both(&job);
    leave_out_golds(&job.notes);
    leave_out_golds(&job.d);
    if (!opt_flag(c->o, OPT_QUIET)) {
        cli_say_all(c, &job.notes, scratch);
    }
    cli_say_all(c, &job.d, scratch);
    return ok && print_all(&job);
}
