/*
 * score_output.c - one pass over the lines of a run.
 *
 * Method      Each line is read once and given to everything that was asked
 *             for: the tally, the comparison with a baseline, hints. Documents,
 *             and what --like prints of cases, read the journal themselves.
 *
 * Invariant   The summary counts lines of the journal and nothing else.
 *
 * Cost        Linear in the journal.
 */
#include "cli/score_output.h"

#include "base/utf8.h"
#include "base/words.h"
#include "cli/doc_out.h"
#include "cli/opt_value.h"
#include "cli/out_file.h"
#include "cli/output_files.h"
#include "cli/score_report.h"
#include "cli/score_switches.h"
#include "metric/metric.h"
#include "report/case_lines.h"

static const ptrdiff_t LINE_BYTES = (ptrdiff_t)4 << 30;

static bool parse_gates(score_output *out, arena scratch)
{
    const str_list *floors = opt_texts(out->c->o, OPT_FAIL_UNDER);
    diag d = diag_new(&scratch);
    for (ptrdiff_t i = 0; i < floors->len; i++) {
        if (!gate_parse(vec_push(out->a, &out->gates), floors->ptr[i],
                        out->keys.ptr, out->keys.len, &d, scratch)) {
            return cli_refuse(out->c, "%.*s", STR_ARG(d.messages.ptr[0].text));
        }
    }
    return true;
}

static bool open_files(score_output *out, arena scratch)
{
    str path = opt_text(out->c->o, OPT_BASELINE);
    out->has_baseline = path.len > 0;
    if (out->has_baseline
        && !baseline_open(&out->baseline, out->a, path, out->c->d, scratch)) {
        return false;
    }
    return score_report_can_write(out->c);
}

static const struct {
    str word;
    tally_by by;
    str title;
} groupings[] = {
    {S_INIT("db"), TALLY_BY_DB, S_INIT("by database")},
    {S_INIT("category"), TALLY_BY_CATEGORY, S_INIT("by category")},
    {S_INIT("hardness"), TALLY_BY_HARDNESS, S_INIT("by hardness")},
    {S_INIT("features"), TALLY_BY_FEATURE, S_INIT("by feature")},
};

static bool unknown_grouping(const cli *c, str word)
{
    str_list known = opt_value_words(c->a, OPT_BY, c->o->command);
    str near = diag_nearest(word, known.ptr, known.len, c->scratch);
    return cli_refuse(c, "--by: no field '%.*s'%.*s", STR_ARG(word),
                      STR_ARG(diag_did_you_mean(c->a, near)));
}

static bool parse_by(score_output *out)
{
    str word = filter_own_word(opt_text(out->c->o, OPT_BY));
    bool is_list = str_find(word, S(","), 0) >= 0;
    if (opt_texts(out->c->o, OPT_BY)->len > 1 || is_list) {
        return cli_refuse(out->c, "--by takes one field; assay report "
                                  "shows a run by several");
    }
    out->look.has_by = word.len > 0;
    ptrdiff_t i = words_at(groupings, word, word);
    if (i >= 0) {
        out->look.by = groupings[i].by;
        out->look.by_title = groupings[i].title;
        return true;
    }
    sql_feature f;
    if (!out->look.has_by || sql_feature_from_word(word, &f)) {
        out->look.by = TALLY_BY_NUMBER;
        out->by_feature = out->look.has_by ? sql_feature_word(f) : (str){0};
        out->look.by_title = arena_printf(out->a, "by %.*s", STR_ARG(word));
        return true;
    }
    return unknown_grouping(out->c, word);
}

// What samples add is known when the files are read; judge comes later still.
static void find_keys(score_output *out)
{
    out->keys = metrics_keys(&out->run->score, out->a);
    if (score_wants_judge(out->c)) {
        *vec_push(out->a, &out->keys) = S("judge");
    }
}

bool score_output_open(score_output *out,
                       const cli *c,
                       run_options *run,
                       progress *bar,
                       arena *a,
                       arena scratch)
{
    *out = (score_output){.c = c, .a = a, .run = run};
    out->shows_cases = opt_flag(c->o, OPT_VERBOSE) && !opt_flag(c->o, OPT_QUIET)
                       && !opt_has(c->o, OPT_LIKE);
    find_keys(out);
    if (!arena_store_open(&out->line_store, LINE_BYTES)) {
        return cli_no_space(c);
    }
    out->show = (score_show){
        .c = c, .bar = bar, .run = run, .lines = &out->line_store, .a = a};
    if (out->shows_cases) {
        run->reader = (journal_reader){&out->show, score_show_line};
    }
    return parse_by(out) && parse_gates(out, scratch)
           && open_files(out, scratch);
}

// False with a message where a line is broken: of a resumed run it may be.
static bool count_lines(score_output *out, file_map lines)
{
    case_lines l = case_lines_of(lines, out->c->d);
    out->tally = tally_new(out->a);
    out->tally.feature = out->by_feature;
    while (case_lines_next(&l, arena_store_clear(&out->line_store))) {
        if (l.kind == CASE_LINE_CASE) {
            tally_add(&out->tally, &l.line);
            hint_add(&out->hint, &l.line);
        }
        if (l.kind == CASE_LINE_CASE && out->has_baseline) {
            baseline_add(&out->baseline, &l.line);
        }
        if (out->shows_cases) {
            score_show_line(&out->show, l.text);
        }
    }
    return l.text.len == 0;
}

static void add_closing_line(doc *d,
                             const run_outcome *outcome,
                             shard s,
                             bool has_time)
{
    double wall_s = (double)outcome->wall_ns / 1e9;
    doc_say(d, "%td case%s", outcome->n_done, plural(outcome->n_done));
    if (outcome->n_runs > 1) {
        doc_say(d, " x %td run%s", outcome->n_runs, plural(outcome->n_runs));
    }
    if (has_time) {
        doc_say(d, " in %.*f s", wall_s < 9.95 ? 2 : 1, wall_s);
    }
    if (outcome->n_resumed > 0) {
        doc_say(d, " (%td of them resumed)", outcome->n_resumed);
    }
    doc_say(d, "\n");
    if (s.n > 0) {
        doc_say(d,
                "shard %lld/%lld of %td cases; join all %lld with assay "
                "merge\n",
                (long long)s.index, (long long)s.n, outcome->n_all,
                (long long)s.n);
    }
}

static void add_summary(score_output *out,
                        doc *d,
                        const run_outcome *outcome,
                        arena scratch)
{
    const opt *o = out->c->o;
    like_id like;
    if (like_from_word(opt_text(o, OPT_LIKE), &like)) {
        buf b = buf_new(d->a);
        like_print(&b, &out->tally, like, scratch);
        buf_char(&b, '\n');
        doc_add(d, DOC_TEXT, buf_str(&b));
    }
    d->look.has_by = out->look.has_by;
    d->look.by = out->look.by;
    d->look.by_title = out->look.by_title;
    if (outcome->read.len > 0) {
        d->look.read = outcome->read;  // but for the gold's, the first
        d->look.read.ptr++;
        d->look.read.len--;
    }
    report_text(d, &out->tally);
    if (out->has_baseline) {
        baseline_doc(d, &out->baseline);
    }
    add_closing_line(d, outcome, out->run->plan.choice.shard,
                     !opt_flag(o, OPT_NO_TIMES));
}

// What --like prints of each case. Cases of several runs would stand mixed: the
// program knows one run only.
static bool print_like_cases(score_output *out,
                             const run_outcome *outcome,
                             FILE *to)
{
    const cli *c = out->c;
    like_id like;
    bool ok = true;
    diag ignored = diag_new(out->a);  // what is wrong was found before
    case_lines l = case_lines_of(outcome->journal, &ignored);
    bool is_shown = like_from_word(opt_text(c->o, OPT_LIKE), &like)
                    && opt_flag(c->o, OPT_VERBOSE) && outcome->n_runs <= 1;
    while (is_shown && ok
           && case_lines_next_case(&l, arena_store_clear(&out->line_store))) {
        buf texts = buf_new(&l.a);
        like_print_case(&texts, &l.line, like);
        ok = cli_write(c, to, buf_str(&texts));
    }
    return ok && fflush(to) == 0;
}

static bool print_summary(score_output *out,
                          const run_outcome *outcome,
                          arena scratch)
{
    if (opt_flag(out->c->o, OPT_QUIET)) {
        return true;
    }
    doc d = doc_out_new(out->c, out->a, 80);
    add_summary(out, &d, outcome, scratch);
    bool is_taken =
        outputs_take_stdout(out->c) || opt_flag(out->c->o, OPT_GITHUB);
    if (!print_like_cases(out, outcome, is_taken ? stderr : stdout)) {
        return cli_say(out->c, "cannot write the cases of --like");
    }
    return doc_out_print(out->c, &d, is_taken ? stderr : stdout) || is_taken;
}

// The journal can be read again only where it is a file.
static void print_hint(score_output *out, arena scratch)
{
    const opt *o = out->c->o;
    if (opt_flag(o, OPT_QUIET)) {
        return;
    }
    hint_context context = {
        .plugs_values = opt_flag(o, OPT_PLUG_VALUES),
        .has_out = opt_has(o, OPT_OUT),
    };
    if (output_can_be_read(out->c, OPT_OUT)) {
        context.journal = opt_text(o, OPT_OUT);
    }
    str text = hint_text(&scratch, &out->hint, &out->tally, &context);
    if (text.len > 0) {
        cli_say(out->c, "hint: %.*s", STR_ARG(text));
    }
}

static bool write_summary(score_output *out,
                          const run_outcome *outcome,
                          arena scratch)
{
    str path = opt_text(out->c->o, OPT_SUMMARY);
    if (path.len == 0) {
        return true;
    }
    buf b = buf_new(out->a);
    double wall_s =
        opt_flag(out->c->o, OPT_NO_TIMES) ? 0 : (double)outcome->wall_ns / 1e9;
    report_summary(&b, &out->tally, opt_text(out->c->o, OPT_SHARD), wall_s,
                   scratch);
    if (str_equal(path, S("-"))) {
        return cli_print(out->c, buf_str(&b));
    }
    return file_write(path, buf_str(&b), out->c->d, scratch);
}

static bool pass_gates(score_output *out, arena scratch)
{
    diag *d = out->c->d;
    bool ok = out->gates.len == 0 || map_count(&out->tally.runs) > 0
              || diag_add(d, (diag_place){0},
                          "no case was scored, so nothing passes --fail-under");
    for (ptrdiff_t i = 0; i < out->gates.len; i++) {
        ok = gate_check(&out->gates.ptr[i], &out->tally, d) && ok;
    }
    if (out->has_baseline) {
        ok = baseline_check(&out->baseline,
                            opt_int(out->c->o, OPT_MAX_REGRESSIONS), d, scratch)
             && ok;
    }
    return ok;
}

void score_say_lost(const cli *c, const run_options *run, const run_outcome *o)
{
    bool can_resume = run->out.len > 0 && opt_is_for(OPT_RESUME, c->o->command);
    if (o->end == SUPERVISOR_INTERRUPTED) {
        cli_say(c, "interrupted: %td of %td cases were scored%s", o->n_done,
                o->n_cases, can_resume ? "; continue with --resume" : "");
    }
    if (o->n_lost > 0) {
        cli_say(c,
                "%td case%s could not be scored: every worker that tried was "
                "killed",
                o->n_lost, plural(o->n_lost));
    }
}

static str cause_said(const tally_cause *c, arena *a)
{
    return utf8_visible(a, c->example);
}

// Verdicts that could not be given because a database is missing or broken.
static bool has_databases(const cli *c,
                          const tally *t,
                          ptrdiff_t word,
                          arena scratch)
{
    const tally_cause *first = NULL;
    int64_t n = 0;
    for (ptrdiff_t i = 0; word >= 0 && i < t->by_run.len; i++) {
        const tally_cause *known = tally_gold_cause(t, i, word);
        n += known ? known->n : 0;
        first = first ? first : known;
    }
    if (n > 0) {
        str said = cause_said(first, &scratch);
        cli_say(c,
                "%lld prediction%s not scored: the database is missing or "
                "cannot be read%s%.*s",
                (long long)n, n == 1 ? " was" : "s were",
                said.len > 0 ? ": " : "", STR_ARG(said));
    }
    return n == 0;
}

// Golds that fail, most of them for one known, are no wrong answers of a model:
// something is wrong with the golds, the databases or the rights on them.
static bool has_golds(const cli *c,
                      const tally *t,
                      ptrdiff_t no_db,
                      arena scratch)
{
    for (ptrdiff_t run = 0; run < t->by_run.len; run++) {
        int64_t n = t->by_run.ptr[run].n_cases;
        int64_t n_without = t->by_run.ptr[run].n_without_gold;
        if (2 * n_without > n) {
            return cli_say(c, "%lld of %lld cases have no gold",
                           (long long)n_without, (long long)n);
        }
        const tally_cause *known = tally_gold_cause(t, run, -1);
        if (!known || known->word == no_db
            || (tally_gold_ok(t, run) > 0 && 2 * known->n <= n)) {
            continue;
        }
        str said = cause_said(known, &scratch);
        str word = map_key_at(&t->words, known->word);
        return cli_say(c, "%lld of %lld gold%s failed: %.*s%s%.*s",
                       (long long)known->n, (long long)n, plural(n),
                       STR_ARG(word), said.len > 0 ? ": " : "", STR_ARG(said));
    }
    return true;
}

bool score_could_judge(const cli *c, const tally *t, arena scratch)
{
    ptrdiff_t no_db = map_find(&t->words, reason_word(REASON_NO_DATABASE));
    bool is_whole = has_databases(c, t, no_db, scratch);
    return has_golds(c, t, no_db, scratch) && is_whole;
}

bool score_output_finish(score_output *out,
                         const run_outcome *outcome,
                         arena scratch)
{
    if (!count_lines(out, outcome->journal)) {
        return false;
    }
    bool written = print_summary(out, outcome, scratch);
    written = write_summary(out, outcome, scratch) && written;
    find_keys(out);
    written = score_report_write(out, outcome->journal) && written;
    if (outcome->end == SUPERVISOR_INTERRUPTED) {
        return cli_ends(out->c, EXIT_CODE_INTERRUPTED);
    }
    print_hint(out, scratch);
    bool passed = pass_gates(out, scratch);
    bool is_whole = score_could_judge(out->c, &out->tally, scratch) && written
                    && outcome->n_lost == 0;
    return is_whole && (passed || cli_ends(out->c, EXIT_CODE_FAILED));
}
