/*
 * cmd_agree.c - `assay agree`: journals and judge files against a reference
 * metric or against people's labels.
 */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "metric/metric.h"
#include "model/judge_pair.h"
#include "report/report_agree.h"

#include <unistd.h>

static const ptrdiff_t RESULT_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t LINE_BYTES = (ptrdiff_t)4 << 30;

typedef struct agree_job {
    const cli *c;
    agree t;
    map label_ids;
    struct {
        line_answer *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } labels;  // by id; unknown at a tie
    arena_store line_store;
    arena *a;
    diag d;
} agree_job;

typedef void (*line_taker)(agree_job *job, str line, diag_place place);

static bool each_line(agree_job *job, str path, line_taker take)
{
    file_map file;
    if (!file_open(&file, job->a, path, &job->d)) {
        return false;
    }
    diag_place place = {.file = path};
    for (str rest = file.bytes; rest.len > 0;) {
        str line = str_trim(str_cut(&rest, '\n'));
        place.line++;
        if (line.len > 0) {
            take(job, line, place);
        }
    }
    file_close(&file);
    return true;
}

static void take_label(agree_job *job, str line, diag_place place)
{
    arena a = arena_store_clear(&job->line_store);
    judge_pair p;
    json *j = json_parse(&a, line, NULL);
    if (!judge_pair_from_json(&p, &a, j) || p.id.len == 0) {
        diag_add(&job->d, place, "expected {id, label}");
        return;
    }
    ptrdiff_t id = map_add(&job->label_ids, job->a, p.id);
    if (id < job->labels.len) {
        diag_add(&job->d, place, "'%.*s' has a label already", STR_ARG(p.id));
        return;
    }
    people_add(&job->t.people, p.n_yes, p.n_no);
    if (opt_flag(job->c->o, OPT_VERBOSE) && p.n_yes > 0 && p.n_no > 0) {
        cli_say(job->c, "'%.*s' is not unanimous: %td yes, %td no",
                STR_ARG(p.id), p.n_yes, p.n_no);
    }
    *vec_push(job->a, &job->labels) =
        str_equal(p.label, S("yes"))  ? LINE_ANSWER_YES
        : str_equal(p.label, S("no")) ? LINE_ANSWER_NO
                                      : LINE_ANSWER_UNKNOWN;
}

// People's label counts as one more verdict of the line.
static void add_label(const agree_job *job, arena *a, case_line *line)
{
    ptrdiff_t id = map_find(&job->label_ids, line->id);
    if (id >= 0) {
        *vec_push(a, &line->verdicts) =
            (line_verdict){.key = S("label"), .v = job->labels.ptr[id]};
    }
}

static void take_case(agree_job *job, str line, diag_place place)
{
    arena a = arena_store_clear(&job->line_store);
    case_line c;
    case_line_kind kind = case_line_read(&c, &a, line);
    if (kind == CASE_LINE_BROKEN) {
        diag_add(&job->d, place, "no line of a journal");
    } else if (kind == CASE_LINE_CASE) {
        add_label(job, &a, &c);
        agree_add(&job->t, &c);
    }
}

static bool print_tables(agree_job *job)
{
    const cli *c = job->c;
    arena scratch = arena_store_clear(&job->line_store);
    report_look look = {
        .width = terminal_width(STDOUT_FILENO, 100),
        .has_color = c->out_has_color,
        .has_unicode = c->out_is_terminal,
    };
    buf text = buf_new(job->a);
    agree_text(&text, &job->t, &look, scratch);
    return cli_print(c, buf_str(&text));
}

static exit_code compare_all(agree_job *job)
{
    const cli *c = job->c;
    bool has_labels = opt_has(c->o, OPT_LABELS);
    str reference = opt_text(c->o, OPT_REFERENCE);
    if (reference.len == 0) {
        reference = has_labels ? S("label") : metric_leading_word();
    }
    job->t = agree_new(job->a, reference);
    agree_group_by(&job->t, opt_text(c->o, OPT_BY));
    job->d = diag_new(job->a);
    if (has_labels) {
        each_line(job, opt_text(c->o, OPT_LABELS), take_label);
    }
    for (ptrdiff_t i = 0; i < c->o->operands.len; i++) {
        each_line(job, c->o->operands.ptr[i], take_case);
    }
    cli_say_all(c, &job->d, arena_store_clear(&job->line_store));
    if (map_count(&job->t.metrics) == 0) {
        cli_say(c, "nothing to compare: no line has '%.*s' and another verdict",
                STR_ARG(reference));
        return EXIT_CODE_INPUT;
    }
    bool ok = print_tables(job) && job->d.count == 0;
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

exit_code cmd_agree(cli *c)
{
    if (c->o->operands.len == 0) {
        return cli_wrong_use(c, "no journal given");
    }
    if (opt_has(c->o, OPT_BY)
        && !agree_group_by(&(agree){0}, opt_text(c->o, OPT_BY))) {
        return cli_wrong_use(c, "--by: run, db, category or hardness");
    }
    agree_job job = {.c = c};
    arena_store store;
    if (!arena_store_open(&store, RESULT_BYTES)
        || !arena_store_open(&job.line_store, LINE_BYTES)) {
        cli_say(c, "no address space");
        return EXIT_CODE_INPUT;
    }
    arena a = arena_store_clear(&store);
    job.a = &a;
    exit_code code = compare_all(&job);
    arena_store_close(&job.line_store);
    arena_store_close(&store);
    return code;
}
