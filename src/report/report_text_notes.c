/*
 * report_text_notes.c - what stands above the main table: gold that fails, what
 * became of the predictions, reasons.
 */
#include "base/utf8.h"
#include "report/report_text.h"

enum {
    CAUSE_BYTES = 200,  // of what a gold's failure says
    LEAST_ALIKE = 3,    // predictions that fail alike and are spoken of
};

// "no_such_table 3, timeout 1"; left out is word 0, which is ok.
static str list_words(const text_report *r, const tally_numbers *numbers)
{
    buf b = buf_new(r->a);
    for (ptrdiff_t word = 1; word < numbers->len; word++) {
        if (numbers->ptr[word] > 0) {
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, map_key_at(&r->t->words, word));
            buf_printf(&b, " %lld", (long long)numbers->ptr[word]);
        }
    }
    return buf_str(&b);
}

static str list_ids(const text_report *r,
                    const str *ids,
                    ptrdiff_t n_ids,
                    int64_t n)
{
    buf b = buf_new(r->a);
    for (ptrdiff_t i = 0; i < n_ids; i++) {
        buf_add(&b, i > 0 ? S(", ") : S(""));
        str id = utf8_visible(r->a, ids[i]);
        buf_add(&b, id);
    }
    if (n > n_ids) {
        buf_add(&b, S(", ..."));
    }
    return buf_str(&b);
}

// "  no_such_table 3: no such table: t", a line a cause.
static void add_gold_causes(const text_report *r, const tally_run *run)
{
    for (ptrdiff_t i = 0; i < run->gold_causes.len; i++) {
        const tally_cause *c = &run->gold_causes.ptr[i];
        str word = map_key_at(&r->t->words, c->word);
        str said = utf8_visible(r->a, str_sub(c->example, 0, CAUSE_BYTES));
        buf_printf(r->out, "  %.*s %lld%s%.*s%s\n", STR_ARG(word),
                   (long long)c->n, said.len > 0 ? ": " : "", STR_ARG(said),
                   c->example.len > CAUSE_BYTES ? "..." : "");
    }
}

// The best that any prediction can reach.
static void add_gold_ceiling(const text_report *r, ptrdiff_t run)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    int64_t ok = tally_gold_ok(r->t, run);
    int64_t failed = counts->n_cases - ok;
    if (failed == 0) {
        buf_printf(r->out, "gold ceiling 100 %%: all golds run (%lld)\n",
                   (long long)ok);
        return;
    }
    str ids =
        list_ids(r, counts->gold_failed.ptr, counts->gold_failed.len, failed);
    buf_printf(r->out, "gold ceiling %.1f %%: %lld of %lld gold%s failed\n",
               100 * (double)ok / (double)counts->n_cases, (long long)failed,
               (long long)counts->n_cases, counts->n_cases == 1 ? "" : "s");
    add_gold_causes(r, counts);
    buf_printf(r->out, "  cases: %.*s\n", STR_ARG(ids));
}

// Golds with more than one right result, of which a file shows one.
static void add_gold_unstable(const text_report *r)
{
    const tally_run *run = &r->t->by_run.ptr[0];
    if (run->n_unstable > 0) {
        str ids = list_ids(r, run->gold_unstable.ptr, run->gold_unstable.len,
                           run->n_unstable);
        buf_printf(r->out, "gold unstable: %lld of %lld\n  cases: %.*s\n",
                   (long long)run->n_unstable, (long long)run->n_cases,
                   STR_ARG(ids));
    }
}

static void add_gold_ceilings(const text_report *r)
{
    add_gold_ceiling(r, 0);
    add_gold_unstable(r);
    for (ptrdiff_t run = 1; run < r->n_runs; run++) {
        const tally_run *counts = &r->t->by_run.ptr[run];
        if (counts->n_cases != r->t->by_run.ptr[0].n_cases
            || tally_gold_ok(r->t, run) != tally_gold_ok(r->t, 0)) {
            str name = utf8_visible(r->a, text_run(r, run));
            buf_printf(r->out, "%.*s: ", STR_ARG(name));
            add_gold_ceiling(r, run);
        }
    }
}

static void add_both_empty(const text_report *r)
{
    bool is_first = true;
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        const tally_metric *metric = text_tally(r, 0, m);
        if (!metric || metric->n_both_empty == 0) {
            continue;
        }
        buf_printf(r->out, "%s%.*s %lld",
                   is_first ? "yes with both results empty: " : ", ",
                   STR_ARG(text_metric(r, m)), (long long)metric->n_both_empty);
        is_first = false;
    }
    buf_add(r->out, is_first ? S("") : S("\n"));
}

static void add_statuses(const text_report *r)
{
    const tally_run *run = &r->t->by_run.ptr[0];
    int64_t ok = tally_number_at(&run->pred_status, 0);
    buf_printf(r->out, "predictions: %lld run", (long long)ok);
    if (ok < run->n_cases) {
        str words = list_words(r, &run->pred_status);
        buf_printf(r->out, ", %.*s", STR_ARG(words));
    }
    buf_char(r->out, '\n');
}

// What would help, by how predictions fail.
static const char *remedy_of(str word)
{
    return str_starts(word, S("no_such_"))
               ? "is this the database that they were written for?"
           : str_equal(word, S("no_prediction"))
               ? "name the member that holds them: --field pred=NAME"
               : "is this the SQL that the model wrote? --dry-run shows how "
                 "the "
                 "file is read, --field pred=NAME names another member";
}

// Most predictions of a run that fail in one way were misread, or run on
// another database, more often than a model writes them.
static void add_alike(const text_report *r, ptrdiff_t run)
{
    const tally_run *counts = &r->t->by_run.ptr[run];
    for (ptrdiff_t i = 0; i < counts->pred_causes.len; i++) {
        const tally_cause *c = &counts->pred_causes.ptr[i];
        str word = map_key_at(&r->t->words, c->word);
        if (c->n < LEAST_ALIKE || c->n * 2 <= counts->n_cases
            || str_among(word, "not_run timeout memory crash")) {
            continue;
        }
        str begin = utf8_visible(r->a, c->example);
        buf_printf(r->out, "%.*s: %lld of %lld predictions fail alike: %.*s",
                   STR_ARG(text_run(r, run)), (long long)c->n,
                   (long long)counts->n_cases, STR_ARG(word));
        if (begin.len > 0) {
            buf_printf(r->out, "; the first begins: %.*s", STR_ARG(begin));
        }
        buf_printf(r->out, "\n");
        if (run < r->look->read.len) {
            buf_printf(r->out, "  read as %.*s\n",
                       STR_ARG(r->look->read.ptr[run]));
        }
        buf_printf(r->out, "  %s\n", remedy_of(word));
    }
}

void text_add_execution(const text_report *r)
{
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        add_alike(r, run);
    }
    add_gold_ceilings(r);
    if (r->n_runs == 1) {
        add_statuses(r);
        add_both_empty(r);
    }
}

// How often a word is the reason of a no in what the table shows.
static int64_t reason_total(const text_report *r, ptrdiff_t word)
{
    int64_t n = 0;
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            const tally_metric *metric = text_tally(r, run, m);
            bool counts = r->n_runs == 1 || m == r->main_metric;
            if (metric && counts) {
                n += tally_number_at(&metric->reasons[LINE_ANSWER_NO], word);
            }
        }
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
    word_list list = {.ptr = arena_new(r->a, ptrdiff_t, n)};
    int64_t *totals = arena_new(r->a, int64_t, n);
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

static void add_reason_cell(const text_report *r,
                            grid *g,
                            const tally_metric *m,
                            ptrdiff_t word)
{
    int64_t n = m ? tally_number_at(&m->reasons[LINE_ANSWER_NO], word) : 0;
    grid_cell(g, n > 0 ? text_int(r, n) : (str){0});
}

// One run: reasons down, metrics across.
static void add_reasons_one(const text_report *r, word_list words)
{
    grid g = text_grid(r, r->n_metrics + 1);
    grid_cell(&g, S("reasons of no"));
    for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
        grid_cell(&g, text_metric(r, m));
    }
    for (ptrdiff_t i = 0; i < words.len; i++) {
        grid_cell(&g, map_key_at(&r->t->words, words.ptr[i]));
        for (ptrdiff_t m = 0; m < r->n_metrics; m++) {
            add_reason_cell(r, &g, text_tally(r, 0, m), words.ptr[i]);
        }
    }
    text_print(r, &g);
}

static str main_title(const text_report *r)
{
    return arena_printf(r->a, "%.*s: reasons of no",
                        STR_ARG(text_metric(r, r->main_metric)));
}

enum {
    REASONS_ACROSS = 5
};

// How often the words from number `from` on are the reason of a no.
static int64_t count_rest(const tally_metric *m,
                          word_list words,
                          ptrdiff_t from)
{
    int64_t n = 0;
    for (ptrdiff_t i = from; m && i < words.len; i++) {
        n += tally_number_at(&m->reasons[LINE_ANSWER_NO], words.ptr[i]);
    }
    return n;
}

// Several runs, the main metric: runs down, reasons across; the rare ones
// together, unless all are asked for.
static void add_reasons_across(const text_report *r, word_list words)
{
    bool has_rest = !r->look->is_verbose && words.len > REASONS_ACROSS + 1;
    ptrdiff_t shown = has_rest ? REASONS_ACROSS : words.len;
    grid g = text_grid(r, shown + 1 + has_rest);
    grid_cell(&g, main_title(r));
    for (ptrdiff_t i = 0; i < shown; i++) {
        grid_cell(&g, map_key_at(&r->t->words, words.ptr[i]));
    }
    if (has_rest) {
        grid_cell(&g, S("others"));
    }
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_metric *m = text_tally(r, run, r->main_metric);
        grid_cell(&g, text_run(r, run));
        for (ptrdiff_t i = 0; i < shown; i++) {
            add_reason_cell(r, &g, m, words.ptr[i]);
        }
        int64_t rest = count_rest(m, words, shown);
        if (rest > 0) {
            grid_cell(&g, text_int(r, rest));
        }
        grid_end_row(&g);
    }
    text_print(r, &g);
}

// The same, reasons down and runs across.
static void add_reasons_down(const text_report *r, word_list words)
{
    grid g = text_grid(r, r->n_runs + 1);
    grid_cell(&g, main_title(r));
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        grid_cell(&g, text_run(r, run));
    }
    for (ptrdiff_t i = 0; i < words.len; i++) {
        grid_cell(&g, map_key_at(&r->t->words, words.ptr[i]));
        for (ptrdiff_t run = 0; run < r->n_runs; run++) {
            add_reason_cell(r, &g, text_tally(r, run, r->main_metric),
                            words.ptr[i]);
        }
    }
    text_print(r, &g);
}

void text_add_reasons(const text_report *r)
{
    word_list words = list_reasons(r);
    if (words.len == 0) {
        return;
    }
    if (r->n_runs == 1) {
        add_reasons_one(r, words);
    } else if (r->n_runs < words.len) {
        add_reasons_down(r, words);
    } else {
        add_reasons_across(r, words);
    }
}

static void add_clause_row(const text_report *r, grid *g, ptrdiff_t clause)
{
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        const tally_run *counts = &r->t->by_run.ptr[run];
        int64_t n = tally_number_at(&counts->clauses, clause);
        int64_t constants = tally_number_at(&counts->constants, clause);
        grid_cell(g, n > 0 ? text_int(r, n) : (str){0});
        grid_cell(g, constants > 0 ? text_int(r, constants) : (str){0});
    }
}

void text_add_clauses(const text_report *r)
{
    ptrdiff_t n = map_count(&r->t->clauses);
    if (n == 0) {
        return;
    }
    grid g = text_grid(r, 2 * r->n_runs + 1);
    grid_cell(&g, S("differing clauses"));
    for (ptrdiff_t run = 0; run < r->n_runs; run++) {
        grid_cell(&g, r->n_runs == 1 ? S("cases") : text_run(r, run));
        grid_cell(&g, S("constants only"));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(&g, map_key_at(&r->t->clauses, i));
        add_clause_row(r, &g, i);
    }
    text_print(r, &g);
}
