/*
 * report_text_notes.c - what stands below the main table of the summary: why
 * answers failed, and what limits the figures.
 */
#include "base/utf8.h"
#include "report/report_text.h"

enum {
    CAUSE_BYTES = 200,  // of what a gold's failure says
    LEAST_ALIKE = 3,    // predictions that fail alike and are spoken of
    GAP = 2,            // between the columns of a table
};

// "    cases: s26, s27, ...", as many as fit on a line.
static void add_ids(const text_report *r, const str_list *ids, int64_t n)
{
    buf b = buf_new(r->d->a);
    buf_add(&b, S("    cases: "));
    for (ptrdiff_t i = 0; i < ids->len; i++) {
        str id = utf8_visible(r->d->a, ids->ptr[i]);
        ptrdiff_t room = r->d->look.width - S(", ...").len - b.len;
        if (i > 0 && utf8_width(id) + S(", ").len > room) {
            break;
        }
        buf_add(&b, i > 0 ? S(", ") : S(""));
        buf_add(&b, id);
        n--;
    }
    buf_add(&b, n > 0 ? S(", ...\n") : S("\n"));
    doc_add(r->d, DOC_TEXT, buf_str(&b));
}

/* What limits the figures: lines below one heading. */

// "model_a: ", where it is not said of all runs.
static str run_prefix(const text_report *r, ptrdiff_t run, bool is_of_all)
{
    return is_of_all
               ? (str){0}
               : arena_printf(r->d->a, "%.*s: ", STR_ARG(text_run(r, run)));
}

// "    no_such_table 3: no such table: t", a line a cause.
static void add_gold_causes(const text_report *r, const tally_run *run)
{
    for (ptrdiff_t i = 0; i < run->gold_causes.len; i++) {
        const tally_cause *c = &run->gold_causes.ptr[i];
        str word = map_key_at(&r->t->words, c->word);
        str said = utf8_visible(r->d->a, str_sub(c->example, 0, CAUSE_BYTES));
        doc_say(r->d, "    %.*s %lld%s%.*s%s\n", STR_ARG(word), (long long)c->n,
                said.len > 0 ? ": " : "", STR_ARG(said),
                c->example.len > CAUSE_BYTES ? "..." : "");
    }
}

// The best that any prediction can reach, where that is not everything.
static void add_gold_failed(const text_report *r, ptrdiff_t run, bool is_of_all)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    int64_t ok = tally_gold_ok(r->t, run);
    int64_t n_golds =
        counts->n_cases - counts->n_unanswerable - counts->n_without_gold;
    int64_t failed = counts->n_cases - counts->n_without_gold - ok;
    if (failed == 0) {
        return;
    }
    str name = run_prefix(r, run, is_of_all);
    doc_say(
        r->d, "  %.*s%lld of %lld gold%s fail%s, so %.1f %% is the maximum\n",
        STR_ARG(name), (long long)failed, (long long)n_golds, plural(n_golds),
        failed == 1 ? "s" : "", 100 * (double)ok / (double)counts->n_cases);
    add_gold_causes(r, counts);
    add_ids(r, &counts->gold_failed, failed);
}

// Golds with more than one right result, of which a file shows one.
static void add_gold_unstable(const text_report *r)
{
    const tally_run *run = &r->t->by_run.ptr[0];
    if (run->n_unstable > 0) {
        doc_say(r->d, "  %lld of %lld golds %s more than one result\n",
                (long long)run->n_unstable, (long long)run->n_cases,
                run->n_unstable == 1 ? "has" : "have");
        add_ids(r, &run->gold_unstable, run->n_unstable);
    }
}

// What a prediction is to do where there is no query to compare it with.
static void add_without_query(const text_report *r,
                              ptrdiff_t run,
                              bool is_of_all)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    str name = run_prefix(r, run, is_of_all);
    if (counts->n_unanswerable > 0) {
        doc_say(r->d,
                "  %.*s%lld of %lld question%s cannot be answered; the "
                "model abstained on %lld\n",
                STR_ARG(name), (long long)counts->n_unanswerable,
                (long long)counts->n_cases, plural(counts->n_cases),
                (long long)counts->n_abstained);
    }
    if (counts->n_without_gold > 0) {
        doc_say(r->d,
                "  %.*s%lld of %lld question%s without a gold, not scored\n",
                STR_ARG(name), (long long)counts->n_without_gold,
                (long long)counts->n_cases, plural(counts->n_cases));
    }
}

static bool fared_otherwise(const text_report *r, ptrdiff_t run)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    const tally_run *first = &r->t->by_run.ptr[0];
    return counts->n_cases != first->n_cases
           || counts->n_abstained != first->n_abstained
           || tally_gold_ok(r->t, run) != tally_gold_ok(r->t, 0);
}

// The golds of all runs are the same, and mostly fare alike.
static void add_golds(const text_report *r)
{
    bool is_of_all = true;
    for (ptrdiff_t run = 1; run < r->n_runs; run++) {
        is_of_all = is_of_all && !fared_otherwise(r, run);
    }
    for (ptrdiff_t run = 0; run < (is_of_all ? 1 : r->n_runs); run++) {
        add_gold_failed(r, run, is_of_all);
        add_without_query(r, run, is_of_all);
    }
    add_gold_unstable(r);
}

// By the main metric, as all that follows.
static void add_both_empty(const text_report *r, ptrdiff_t run)
{
    const tally_metric *m = text_tally(r, run, 0);
    if (m && m->n_both_empty > 0) {
        str name = run_prefix(r, run, r->n_runs == 1);
        doc_say(
            r->d,
            "  %.*s%lld of %lld passed, but both results were empty or NULL\n",
            STR_ARG(name), (long long)m->n_both_empty,
            (long long)m->all.answers[ANSWER_YES]);
    }
}

// Why the main metric is unknown, but for what other lines say. An unknown
// counts as not passed.
static void add_unknown(const text_report *r, ptrdiff_t run)
{
    buf found = buf_new(r->d->a);
    int64_t total = 0;
    for (ptrdiff_t word = 0; word < map_count(&r->t->words); word++) {
        int64_t n =
            tally_reasons(r->t, run, r->metrics[0], ANSWER_UNKNOWN, word);
        str name = map_key_at(&r->t->words, word);
        if (n > 0
            && !str_among(name,
                          "gold_failed no_gold no_database not_understood")) {
            buf_printf(&found, "%s%.*s %lld", total > 0 ? ", " : "",
                       STR_ARG(name), (long long)n);
            total += n;
        }
    }
    if (total > 0) {
        doc_say(r->d,
                "  %.*s%.*s is unknown in %lld case%s, which count%s as not "
                "passed: %.*s\n",
                STR_ARG(run_prefix(r, run, r->n_runs == 1)),
                STR_ARG(text_metric(r, 0)), (long long)total, plural(total),
                total == 1 ? "s" : "", STR_ARG(buf_str(&found)));
    }
}

// What would help, by how predictions fail.
static const char *remedy_of(str word)
{
    return str_starts(word, S("no_such_"))
               ? "is this the database that they were written for?"
           : str_equal(word, S("no_prediction"))
               ? "name the member that contains them: --field pred=NAME"
               : "is this the SQL that the model wrote? --dry-run shows how "
                 "the file is read, --field pred=NAME names another member";
}

// Most predictions of a run that fail in one way were misread, or run on
// another database, more often than a model writes them.
static void add_alike_of(const text_report *r, ptrdiff_t run)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    for (ptrdiff_t i = 0; i < counts->pred_causes.len; i++) {
        const tally_cause *c = &counts->pred_causes.ptr[i];
        str word = map_key_at(&r->t->words, c->word);
        if (c->n < LEAST_ALIKE || c->n * 2 <= counts->n_cases
            || str_among(word, "not_run timeout memory crash")) {
            continue;
        }
        str begin = utf8_visible(r->d->a, c->example);
        doc_say(r->d, "%.*s: %lld of %lld predictions fail alike: %.*s",
                STR_ARG(text_run(r, run)), (long long)c->n,
                (long long)counts->n_cases, STR_ARG(word));
        if (begin.len > 0) {
            doc_say(r->d, "; the first begins: %.*s", STR_ARG(begin));
        }
        doc_say(r->d, "\n");
        if (run < r->d->look.read.len) {
            doc_say(r->d, "  read as %.*s\n",
                    STR_ARG(r->d->look.read.ptr[run]));
        }
        doc_say(r->d, "  %s\n", remedy_of(word));
    }
}

void text_add_alike(const text_report *r)
{
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        add_alike_of(r, run);
    }
}

// Queries that may be right, and count as neither.
static void add_not_understood(const text_report *r, ptrdiff_t run)
{
    ptrdiff_t word = map_find(&r->t->words, S("not_understood"));
    const tally_run *counts = &r->t->by_run.ptr[run];
    int64_t n = word < 0 ? 0 : tally_number_at(&counts->pred_status, word);
    if (n > 0) {
        doc_say(r->d,
                "  %.*s%lld prediction%s not understood: assay cannot read %s, "
                "but the engine can; unknown, not wrong\n",
                STR_ARG(run_prefix(r, run, r->n_runs == 1)), (long long)n,
                plural(n), n == 1 ? "it" : "them");
    }
}

void text_add_limits(const text_report *r)
{
    ptrdiff_t at = r->d->nodes.len;
    doc_add(r->d, DOC_HEADING, S("what limits these figures"));
    add_golds(r);
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        add_both_empty(r, run);
        add_not_understood(r, run);
        add_unknown(r, run);
    }
    if (r->d->nodes.len == at + 1) {
        r->d->nodes.len = at;  // nothing does
    }
}

// How often a word is why an answer failed, in what the table shows; the main
// metric comes before all others.
static int64_t reason_total(const text_report *r, ptrdiff_t word)
{
    int64_t n = 0;
    for (ptrdiff_t m = 0; m < (r->n_runs == 1 ? r->n_metrics : 1); m++) {
        n += (m == 0 ? INT32_MAX : 1)
             * tally_reasons(r->t, -1, r->metrics[m], ANSWER_NO, word);
    }
    return n;
}

typedef struct word_list {
    ptrdiff_t *ptr;
    ptrdiff_t len;
} word_list;

// The words that are reasons, the most frequent first.
static word_list list_reasons(const text_report *r)
{
    ptrdiff_t n = map_count(&r->t->words);
    word_list list = {.ptr = arena_new(r->d->a, ptrdiff_t, n)};
    int64_t *totals = arena_new(r->d->a, int64_t, n);
    for (ptrdiff_t word = 0; word < n; word++) {
        totals[word] = reason_total(r, word);
        if (totals[word] == 0) {
            continue;
        }
        ptrdiff_t at = list.len++;
        while (at > 0 && totals[list.ptr[at - 1]] < totals[word]) {
            list.ptr[at] = list.ptr[at - 1];
            at--;
        }
        list.ptr[at] = word;
    }
    return list;
}

enum {
    REASONS_SHOWN = 8  // the rare ones together, unless all are asked for
};

typedef struct reason_cells {
    const text_report *r;
    word_list words;
    ptrdiff_t shown;
} reason_cells;

// Answers that failed for one word, or for any that is not shown (-1).
static str reason_cell(const void *what, arena *a, cell_at p)
{
    const reason_cells *c = what;
    const text_report *r = c->r;
    ptrdiff_t word = p.at[AXIS_ITEM];
    ptrdiff_t end = word < 0 ? c->words.len : word + 1;
    int64_t n = 0;
    for (ptrdiff_t i = word < 0 ? c->shown : word; i < end; i++) {
        n += tally_reasons(r->t, p.at[AXIS_RUN], r->metrics[p.at[AXIS_METRIC]],
                           ANSWER_NO, c->words.ptr[i]);
    }
    return cell_count(a, n);
}

// Reasons and the metrics of one run, or the runs by the main metric.
static void add_reasons(const reason_cells *c, str title, bool is_across)
{
    const text_report *r = c->r;
    axis reasons = {.of = AXIS_ITEM};
    axis metrics = {.of = AXIS_METRIC};
    for (ptrdiff_t i = 0; i < c->shown; i++) {
        str word = map_key_at(&r->t->words, c->words.ptr[i]);
        axis_add(&reasons, r->d->a, word, i);
    }
    if (c->shown < c->words.len) {
        axis_add(&reasons, r->d->a, S("others"), -1);
    }
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        axis_add(&metrics, r->d->a, text_metric(r, m), m);
    }
    const axis *others = r->n_runs == 1 ? &metrics : &r->by_run;
    grid_cross(doc_titled(r->d, title), is_across ? others : &reasons,
               is_across ? &reasons : others, (cell_at){0}, reason_cell, c);
}

static ptrdiff_t widest_name(const text_report *r)
{
    ptrdiff_t widest = 0;
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        ptrdiff_t width = utf8_width(text_run(r, run));
        widest = width > widest ? width : widest;
    }
    return widest;
}

// As many reasons as fit beside a label of `used` columns, and at least one.
static ptrdiff_t reasons_that_fit(const text_report *r,
                                  word_list words,
                                  ptrdiff_t used)
{
    ptrdiff_t n = 0;
    used += GAP + S("others").len;
    while (n < words.len) {
        used += GAP + map_key_at(&r->t->words, words.ptr[n]).len;
        if (used > r->d->look.width && n > 0) {
            break;
        }
        n++;
    }
    return n;
}

void text_add_reasons(const text_report *r)
{
    word_list words = list_reasons(r);
    if (words.len == 0) {
        return;
    }
    str title = r->n_runs == 1
                    ? S("why answers failed")
                    : arena_printf(r->d->a, "why answers failed (%.*s)",
                                   STR_ARG(text_metric(r, 0)));
    reason_cells c = {.r = r, .words = words};
    bool shows_all = r->d->look.is_verbose;
    ptrdiff_t name = widest_name(r);
    bool fits = title.len + r->n_runs * (GAP + name) <= r->d->look.width;
    if (r->n_runs == 1 || (fits && r->n_runs < words.len)) {
        bool is_long = !shows_all && words.len > REASONS_SHOWN + 1;
        c.shown = is_long ? REASONS_SHOWN : words.len;
        add_reasons(&c, title, false);
    } else {
        ptrdiff_t label = name > title.len ? name : title.len;
        c.shown = shows_all ? words.len : reasons_that_fit(r, words, label);
        add_reasons(&c, title, true);
    }
}

// Cases that differ in a clause, and those that do so by a constant only: runs
// are counted twice.
static str clause_cell(const void *what, arena *a, cell_at p)
{
    const text_report *r = what;
    const tally_run *run = &r->t->by_run.ptr[p.at[AXIS_RUN] / 2];
    return cell_count(
        a, tally_number_at(p.at[AXIS_RUN] % 2 ? &run->constants : &run->clauses,
                           p.at[AXIS_ITEM]));
}

void text_add_clauses(const text_report *r)
{
    axis clauses = axis_of_map(AXIS_ITEM, &r->t->clauses, NULL, r->d->a);
    axis columns = {.of = AXIS_RUN};
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        axis_add(&columns, r->d->a,
                 r->n_runs == 1 ? S("cases") : text_run(r, run), 2 * run);
        axis_add(&columns, r->d->a, S("constants only"), 2 * run + 1);
    }
    grid_cross(doc_table(r->d, S("differing clauses")), &clauses, &columns,
               (cell_at){0}, clause_cell, r);
}
