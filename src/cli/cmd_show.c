/*
 * cmd_show.c - `assay show`: the cases of a run for a person.
 *
 * Without ids the cases that the metric calls wrong are shown, or those that
 * --verdict, --reason, --filter and --run choose; with ids those cases. With
 * --lint FILE what lint found out about who is wrong stands below those that
 * are not right.
 */
#include "base/file.h"
#include "cli/doc_out.h"
#include "job/line_filter.h"
#include "job/lint_rank.h"
#include "read/choice.h"
#include "report/case_lines.h"
#include "report/report_show.h"

enum {
    LIMIT_DEFAULT = 20,
    WIDTH_DEFAULT = 100,
};

typedef struct show_job {
    const cli *c;
    dialect dialect;
    filter_list filters;
    lint_rank rank;    // of --lint
    const json *head;  // the first line of the journal; NULL: it has none
    int64_t n_chosen;
    int64_t n_shown;
    id_choice ids;  // on the command line
} show_job;

// The verdict that --metric names, else exec's, else the first.
static const line_verdict *chosen_verdict(const show_job *job,
                                          const case_line *line)
{
    if (opt_has(job->c->o, OPT_METRIC)) {
        return case_line_verdict(line, opt_text(job->c->o, OPT_METRIC));
    }
    return case_line_main(line);
}

static bool is_chosen(show_job *job, const case_line *line)
{
    const opt *o = job->c->o;
    str run = opt_text(o, OPT_SHOW_RUN);
    if ((run.len > 0 && !str_equal(run, line->run))
        || (job->ids.n > 0 && !id_choice_sees(&job->ids, line->id))
        || !line_passes(&job->filters, line)) {
        return false;
    }
    const line_verdict *v = chosen_verdict(job, line);
    bool asks_verdict = job->ids.n == 0 || opt_has(o, OPT_VERDICT);
    if (asks_verdict && (!v || !opt_is(o, OPT_VERDICT, answer_word(v->v)))) {
        return false;
    }
    str why = opt_text(o, OPT_REASON);
    return why.len == 0 || (v && str_equal(why, v->reason));
}

// Below a case that is not right: is it the gold that is wrong?
static void add_who(const show_job *job,
                    doc *d,
                    const case_line *line,
                    const line_verdict *v,
                    arena scratch)
{
    const ranked_case *it =
        v && v->v == ANSWER_YES
            ? NULL
            : lint_rank_find(&job->rank, line->id, line->db, scratch);
    if (it && it->reasons.len > 0) {
        doc_say(d, "\n\nwho is wrong: %.*s, suspicion of the gold %lld",
                STR_ARG(blame_class_text(it->who)), (long long)it->suspicion);
        for (str rest = it->reasons; rest.len > 0;) {
            str one = str_cut(&rest, '\n');
            doc_say(d, "\n%.*s", STR_ARG(one));
        }
    }
}

static bool show_case(show_job *job,
                      str line,
                      const case_line *read,
                      const line_verdict *v,
                      arena scratch)
{
    const cli *c = job->c;
    const json *j = json_parse(&scratch, line, NULL);
    doc d = doc_out_new(c, job->c->room, WIDTH_DEFAULT);
    if (job->n_shown > 0) {
        doc_say(&d, "\n\n");
    }
    report_show(&d, j, job->head, job->dialect, v ? v->key : (str){0});
    add_who(job, &d, read, v, scratch);
    buf text = buf_new(job->c->room);
    doc_write(&d, &text);
    job->n_shown++;
    return cli_print_colored(c, buf_str(&text));
}

static bool take_case(show_job *job, const case_lines *l)
{
    int64_t limit = opt_has(job->c->o, OPT_LIMIT)
                        ? opt_int(job->c->o, OPT_LIMIT)
                        : LIMIT_DEFAULT;
    if (!is_chosen(job, &l->line) || job->n_chosen++ >= limit) {
        return true;
    }
    const line_verdict *v = chosen_verdict(job, &l->line);
    return show_case(job, l->text, &l->line, v, l->a);
}

static bool read_journal(show_job *job, str path)
{
    case_lines l;
    bool ok = case_lines_open(&l, job->c->room, path, job->c->d);
    while (ok && case_lines_next(&l, arena_store_clear(job->c->lines))) {
        if (l.kind == CASE_LINE_CASE) {
            arena kept = *job->c->room;
            ok = take_case(job, &l);
            *job->c->room = kept;
        } else if (l.place.line == 1) {
            job->head = json_parse(job->c->room, l.text, NULL);
        }
    }
    case_lines_close(&l);
    return ok && job->c->d->count == 0;
}

// What --lint names; true without it.
static bool read_lint(show_job *job, str path)
{
    return path.len == 0
           || lint_rank_read(&job->rank, job->c->room, path, job->c->lines,
                             job->c->d);
}

// Says which ids are of no case.
static bool has_ids(const show_job *job)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < job->ids.n; i++) {
        if (!job->ids.is_seen[i]) {
            ok = cli_say(job->c, "there is no case '%.*s'",
                         STR_ARG(job->ids.ids[i]));
        }
    }
    return ok;
}

static void say_rest(const show_job *job)
{
    if (job->n_chosen == 0) {
        cli_say(job->c, "no such case");
    } else if (job->n_shown < job->n_chosen) {
        cli_say(job->c, "%lld of %lld cases; --limit %lld shows all",
                (long long)job->n_shown, (long long)job->n_chosen,
                (long long)job->n_chosen);
    }
}

static bool show_all(show_job *job)
{
    const cli *c = job->c;
    const str_list *operands = &c->o->operands;
    job->ids =
        id_choice_new(job->c->room, operands->ptr + 1, operands->len - 1);
    if (!filters_parse(&job->filters, job->c->room, opt_texts(c->o, OPT_FILTER),
                       job->c->d, arena_store_clear(job->c->lines))) {
        return cli_ends(c, EXIT_CODE_USAGE);
    }
    bool ok = read_lint(job, opt_text(c->o, OPT_LINT))
              && read_journal(job, c->o->operands.ptr[0]) && has_ids(job);
    if (ok && !opt_flag(c->o, OPT_QUIET)) {
        say_rest(job);
    }
    return ok;
}

bool cmd_show(cli *c)
{
    show_job job = {.c = c};
    dialect_from_word(opt_text(c->o, OPT_DIALECT), &job.dialect);
    return show_all(&job);
}
