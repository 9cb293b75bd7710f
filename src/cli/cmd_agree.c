/*
 * cmd_agree.c - `assay agree`: journals and judge files against a reference
 * metric or against people's labels.
 */
#include "base/file.h"
#include "cli/agree_score.h"
#include "cli/doc_out.h"
#include "cli/out_file.h"
#include "job/label_set.h"
#include "metric/metric.h"
#include "report/journals.h"
#include "report/report_agree.h"

#include <math.h>

typedef struct agree_job {
    const cli *c;
    agree t;
    label_set labels;
    map keys;      // of all verdicts in the lines
    str first_id;  // of the lines
    journals journals;
    diag notes;      // on labels: what is left is compared all the same
    bool is_joined;  // a file holds several journals: nothing is told of it
} agree_job;

static void say_unanimity(const agree_job *job, str id, const label_case *c)
{
    ptrdiff_t n_yes = 0;
    for (ptrdiff_t i = 0; i < c->opinions.len; i++) {
        n_yes += c->opinions.ptr[i].answer == ANSWER_YES;
    }
    ptrdiff_t n_no = c->opinions.len - n_yes;
    if (opt_flag(job->c->o, OPT_VERBOSE) && n_yes > 0 && n_no > 0) {
        cli_say(job->c, "people disagree about '%.*s': %td yes, %td no",
                STR_ARG(id), n_yes, n_no);
    }
}

static void read_labels(agree_job *job, str path)
{
    label_set_open(&job->labels, job->c->room, path,
                   opt_text(job->c->o, OPT_ENCODING), job->c->d, &job->notes,
                   arena_store_clear(job->c->lines));
    for (ptrdiff_t i = 0; i < map_count(&job->labels.ids); i++) {
        str id = map_key_at(&job->labels.ids, i);
        for (ptrdiff_t k = job->labels.first.ptr[i]; k >= 0;
             k = job->labels.cases.ptr[k].next) {
            const label_case *c = &job->labels.cases.ptr[k];
            agree_add_opinions(&job->t, c->opinions.ptr, c->opinions.len);
            say_unanimity(job, id, c);
        }
    }
}

// People's label counts as one more verdict of the line.
static const label_case *add_label(const agree_job *job,
                                   arena *a,
                                   case_line *line)
{
    const label_case *c = label_set_find(
        &job->labels,
        (label_place){.id = line->id, .run = line->run, .db = line->db});
    if (c) {
        *vec_push(a, &line->verdicts) =
            (line_verdict){.key = S("label"),
                           .v = label_case_answer(c),
                           .score = NAN,
                           .confidence = NAN};
    }
    return c;
}

static void take_case(agree_job *job, ptrdiff_t journal, case_lines *l)
{
    case_line *c = &l->line;
    c->run = journals_run_name(&job->journals, journal, c->run);
    job->first_id =
        job->first_id.len > 0 ? job->first_id : arena_str(job->c->room, c->id);
    const label_case *label = add_label(job, &l->a, c);
    for (ptrdiff_t i = 0; i < c->verdicts.len; i++) {
        map_add(&job->keys, job->c->room, c->verdicts.ptr[i].key);
    }
    agree_add(&job->t, c);
    if (label && str_equal(job->t.reference, S("label"))) {
        agree_add_beside(&job->t, c, label->opinions.ptr, label->opinions.len);
    }
}

static void read_journal(agree_job *job, ptrdiff_t i)
{
    const journal_file *f = &job->journals.files.ptr[i];
    case_lines l = case_lines_of(f->file, job->c->d);
    str norm = json_get_text(f->head, S("norm"));
    job->t.norm = norm.len > 0 ? norm : job->t.norm;
    while (case_lines_next(&l, arena_store_clear(job->c->lines))
           || l.kind == CASE_LINE_BROKEN) {
        if (l.kind == CASE_LINE_CASE) {
            take_case(job, i, &l);
        }
    }
    job->is_joined |= l.text.len > 0;
}

static void read_journals(agree_job *job)
{
    str_list paths = job->c->o->operands;
    if (opt_has(job->c->o, OPT_GOLD)) {
        *vec_push(job->c->room, &paths) = opt_text(job->c->o, OPT_OUT);
    }
    journals_open(&job->journals, job->c->room, &paths, job->c->d);
    journals_name_runs(&job->journals, job->c->room, job->c->lines);
    for (ptrdiff_t i = 0; i < job->journals.files.len && !job->is_joined; i++) {
        read_journal(job, i);
    }
}

// The fraction of neighbors alive by databases tried [003 figure 5], of the
// suite's manifest; nothing where there is none.
static void add_curve(agree_job *job, plot_list *list)
{
    str folder = opt_text(job->c->o, OPT_SUITE);
    str path =
        arena_printf(job->c->room, "%.*s/manifest.json", STR_ARG(folder));
    str text;
    diag ignored = diag_new(job->c->room);
    if (folder.len == 0 || !file_text(&text, job->c->room, path, &ignored)) {
        return;
    }
    const json *curve =
        json_get(json_parse(job->c->room, text, NULL), S("curve"));
    plot p = {.title = S("neighbors alive"),
              .x_title = S("databases tried"),
              .y_title = S("alive, %"),
              .is_line = true,
              .x_max = 1};
    plot_point *points = arena_new(job->c->room, plot_point,
                                   curve && curve->n > 0 ? curve->n : 1);
    for (const json *at = curve ? curve->child : NULL; at; at = at->next) {
        if (at->kind == JSON_KIND_ARRAY && at->n == 2) {
            double x = at->child->real;
            double y = at->child->next->real * 100;
            points[p.n++] = (plot_point){.x = x, .y = y};
            p.x_max = x > p.x_max ? x : p.x_max;
            p.y_max = y > p.y_max ? y : p.y_max;
        }
    }
    p.points = points;
    p.y_max = p.y_max > 0 ? p.y_max : 1;
    if (p.n > 0) {
        *vec_push(job->c->room, list) = p;
    }
}

static plot_list plots_of(agree_job *job)
{
    plot_list list = agree_plots(&job->t, job->c->room);
    add_curve(job, &list);
    return list;
}

static bool print_tables(agree_job *job)
{
    const cli *c = job->c;
    doc d = doc_out_new(c, job->c->room, 100);
    agree_doc(&d, &job->t);
    agree_class_doc(&d, &job->t);
    arena scratch = arena_store_clear(job->c->lines);
    buf profile = buf_new(&scratch);
    bool ok = true;
    if (job->t.fits) {
        agree_fit_doc(&d, &profile, &job->t);
        ok = out_file_put(c, opt_text(c->o, OPT_WRITE_PROFILE),
                          buf_str(&profile));
    }
    agree_people_doc(&d, &job->t, &job->labels.people);
    if (opt_flag(c->o, OPT_OVER_RUNS) || opt_has(c->o, OPT_GOLD)) {
        agree_runs_doc(&d, &job->t);
    }
    if (str_equal(opt_text(c->o, OPT_PLOT), S("-"))) {
        plot_list list = plots_of(job);
        for (ptrdiff_t i = 0; i < list.len; i++) {
            doc_plot(&d, &list.ptr[i]);
        }
    }
    return doc_out_print(c, &d, stdout) && ok;
}

static bool write_plots(agree_job *job)
{
    const cli *c = job->c;
    str path = opt_text(c->o, OPT_PLOT);
    if (path.len == 0 || str_equal(path, S("-"))) {
        return true;
    }
    plot_list list = plots_of(job);
    buf svg = buf_new(job->c->room);
    str title =
        arena_printf(job->c->room, "%td runs against %.*s",
                     map_count(&job->t.runs), STR_ARG(job->t.reference));
    plot_svg(&svg, list.ptr, list.len, list.n_columns, title);
    return out_file_put(c, path, buf_str(&svg));
}

// "; --reference may be: label, judge", of what the lines have.
static const char *other_references(const agree_job *job)
{
    buf b = buf_new(job->c->room);
    for (ptrdiff_t i = 0; i < map_count(&job->keys); i++) {
        buf_add(&b, i > 0 ? S(", ") : S("; --reference may be: "));
        buf_add(&b, map_key_at(&job->keys, i));
    }
    buf_char(&b, '\0');
    return b.ptr;
}

static bool say_nothing_to_compare(const agree_job *job, str reference)
{
    const label_set *l = &job->labels;
    if (map_count(&l->ids) > 0 && map_find(&job->keys, S("label")) < 0) {
        label_place first = l->cases.ptr[0].at;
        return cli_say(
            job->c,
            "no label matches a case: the first label has the id '%.*s', "
            "the first case '%.*s'",
            STR_ARG(first.id), STR_ARG(job->first_id));
    }
    return cli_say(
        job->c, "nothing to compare: no line has '%.*s' and another verdict%s",
        STR_ARG(reference), other_references(job));
}

static bool compare_all(agree_job *job)
{
    const cli *c = job->c;
    bool has_labels = opt_has(c->o, OPT_LABELS);
    str reference = opt_text(c->o, OPT_REFERENCE);
    if (reference.len == 0) {
        reference = has_labels                ? S("label")
                    : opt_has(c->o, OPT_GOLD) ? S("suite")
                                              : metric_leading_word();
    }
    job->t = agree_new(job->c->room, reference);
    agree_group_by(&job->t, opt_text(c->o, OPT_BY));
    job->t.fits = opt_has(c->o, OPT_WRITE_PROFILE);
    job->notes = diag_new(job->c->room);
    if (has_labels) {
        read_labels(job, opt_text(c->o, OPT_LABELS));
    }
    read_journals(job);
    cli_say_all(c, &job->notes, arena_store_clear(job->c->lines));
    if (job->is_joined) {
        return false;
    }
    if (map_count(&job->t.metrics) == 0) {
        return say_nothing_to_compare(job, reference);
    }
    if (map_find(&job->keys, S("label")) >= 0 && !opt_has(c->o, OPT_REFERENCE)
        && !has_labels) {
        cli_say(c,
                "the reference is %.*s; the lines also contain people's "
                "labels: --reference label",
                STR_ARG(reference));
    }
    return print_tables(job) && write_plots(job) && job->c->d->count == 0;
}

// Is what is asked for about people, and are they not the reference?
static bool lacks_people(const cli *c)
{
    bool is_label = opt_has(c->o, OPT_REFERENCE)
                        ? str_equal(opt_text(c->o, OPT_REFERENCE), S("label"))
                        : opt_has(c->o, OPT_LABELS);
    bool is_about_people =
        opt_has(c->o, OPT_WRITE_PROFILE)
        || str_among(opt_text(c->o, OPT_BY), "class leniency norm");
    return is_about_people && !is_label;
}

// --gold: from prediction files; else from journals.
bool cmd_agree(cli *c)
{
    if (lacks_people(c)) {
        return cli_refuse(
            c, "--write-profile and --by class, leniency or norm need people's "
               "labels: give --labels FILE, or --reference label");
    }
    agree_job job = {.c = c};
    bool ok = (!opt_has(c->o, OPT_GOLD) || agree_score(c)) && compare_all(&job);
    journals_close(&job.journals);
    return ok;
}
