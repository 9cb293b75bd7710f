/*
 * like.c - the tables of the reference programs, from our verdicts.
 *
 * Why         Whoever swaps the command wants to lay the two outputs side by
 *             side. The layouts are theirs (definitions/bird.md#report,
 *             definitions/defog.md#report, definitions/sql_eval.md); a row that
 *             assay did not compute is left out.
 */
#include "evaluators/like.h"

#include "base/utf8.h"
#include "base/words.h"
#include "evaluators/like_table.h"
#include "evaluators/sql_eval.h"

#include <assert.h>

static const tally_metric *find_metric(const like_run *r, str word, str rules)
{
    return tally_metric_at(r->t, r->run, report_find_metric(r->t, word, rules));
}

const tally_run *like_counts(const like_run *r)
{
    return &r->t->by_run.ptr[r->run];
}

double like_share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Spider and BIRD: cells of 20 columns, left-justified, blanks at the end. */

enum {
    CELL = 20
};

static void add_cell(buf *b, str text)
{
    ptrdiff_t width = utf8_width(text);
    buf_add(b, text);
    buf_repeat(b, ' ', width < CELL ? CELL - width : 0);
}

void like_names(const like_run *r, const char *const *names, ptrdiff_t n)
{
    add_cell(r->out, S(""));
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_char(r->out, ' ');
        add_cell(r->out, str_from(names[i]));
    }
    buf_char(r->out, '\n');
}

void like_row(const like_run *r,
              str label,
              const double *values,
              ptrdiff_t n,
              int decimals)
{
    add_cell(r->out, label);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_char(r->out, ' ');
        add_cell(r->out, arena_printf(r->a, "%.*f", decimals, values[i]));
    }
    buf_char(r->out, '\n');
}

ptrdiff_t like_level(const like_run *r, const char *level)
{
    return map_find(&r->t->groups[TALLY_BY_HARDNESS], str_from(level));
}

int64_t like_level_cases(const like_run *r, const char *level)
{
    ptrdiff_t id = like_level(r, level);
    const tally_run *run = like_counts(r);
    return id < 0 ? 0 : tally_number_at(&run->n_by[TALLY_BY_HARDNESS], id);
}

tally_count like_level_count(const like_run *r,
                             const tally_metric *m,
                             const char *level)
{
    ptrdiff_t id = like_level(r, level);
    return id < 0 ? (tally_count){0}
                  : tally_count_at(&m->by[TALLY_BY_HARDNESS], id);
}

enum {
    BIRD_LEVELS = 3
};

static const char *const bird_levels[] = {"simple", "moderate", "challenging",
                                          "total"};

static void add_bird_metric(const like_run *r,
                            const tally_metric *m,
                            const char *label)
{
    double values[countof(bird_levels)];
    for (ptrdiff_t i = 0; m && i < BIRD_LEVELS; i++) {
        tally_count count = like_level_count(r, m, bird_levels[i]);
        values[i] = tally_value(m, &count);
    }
    if (m) {
        values[BIRD_LEVELS] = tally_value(m, &m->all);
        like_row(r, str_from(label), values, countof(values), 2);
    }
}

static void like_print_bird(const like_run *r)
{
    double cases[countof(bird_levels)];
    for (ptrdiff_t i = 0; i < BIRD_LEVELS; i++) {
        cases[i] = (double)like_level_cases(r, bird_levels[i]);
    }
    cases[BIRD_LEVELS] = (double)like_counts(r)->n_cases;
    like_names(r, bird_levels, countof(bird_levels));
    like_row(r, S("count"), cases, countof(cases), 0);
    add_bird_metric(r, find_metric(r, S("exec"), S("bird")), "EX");
    add_bird_metric(r, find_metric(r, S("soft_f1"), S("bird")), "Soft-F1");
}

/* Defog: a category a line, then the average. */

// A name with a line break is one line all the same.
static str category(const like_run *r, ptrdiff_t id)
{
    return utf8_visible(r->a, map_key_at(&r->t->groups[TALLY_BY_CATEGORY], id));
}

static ptrdiff_t widest_category(const like_run *r)
{
    const map *groups = &r->t->groups[TALLY_BY_CATEGORY];
    ptrdiff_t widest = (ptrdiff_t)sizeof "query_category" - 1;
    for (ptrdiff_t i = 0; i < map_count(groups); i++) {
        ptrdiff_t width = utf8_width(category(r, i));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void add_category(const like_run *r,
                         const tally_metric *m,
                         ptrdiff_t id,
                         ptrdiff_t width)
{
    const tally_run *run = like_counts(r);
    str name = category(r, id);
    int64_t cases = tally_number_at(&run->n_by[TALLY_BY_CATEGORY], id);
    int64_t failed = tally_number_at(&run->n_failed_by[TALLY_BY_CATEGORY], id);
    tally_count count = tally_count_at(&m->by[TALLY_BY_CATEGORY], id);
    buf_add(r->out, name);
    buf_repeat(r->out, ' ', width - utf8_width(name));
    buf_printf(r->out, "  %8lld  %12.6f  %18.6f\n", (long long)cases,
               tally_percent(&count) / 100, like_share(failed, cases));
}

static void like_print_defog(const like_run *r)
{
    const tally_metric *m = find_metric(r, S("subset"), S("defog"));
    m = m ? m : find_metric(r, S("exec"), S("defog"));
    if (!m) {
        return;
    }
    ptrdiff_t n = map_count(&r->t->groups[TALLY_BY_CATEGORY]);
    const int32_t *order = report_group_order(r->t, TALLY_BY_CATEGORY, r->a);
    ptrdiff_t width = widest_category(r);
    if (n > 0) {
        buf_repeat(r->out, ' ', width);
        buf_add(r->out, S("  num_rows  mean_correct  mean_error_db_exec\n"));
        buf_add(r->out, S("query_category\n"));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        add_category(r, m, order[i], width);
    }
    buf_printf(r->out, "Average correct rate: %.2f\n",
               tally_percent(&m->all) / 100);
}

/* sql_eval: one block a metric. */

static void add_sql_eval_head(const like_run *r)
{
    buf_printf(r->out, "File: %.*s\nTotal Queries: %lld\n",
               STR_ARG(map_key_at(&r->t->runs, r->run)),
               (long long)like_counts(r)->n_cases);
}

static int64_t reason_count(const like_run *r, const tally_metric *m, str word)
{
    ptrdiff_t id = map_find(&r->t->words, word);
    return id < 0 ? 0 : tally_number_at(&m->reasons[ANSWER_NO], id);
}

static void add_sql_eval_edit(const like_run *r, const tally_metric *m)
{
    add_sql_eval_head(r);
    buf_printf(r->out,
               "Total Distance: %lld\n"
               "Skipped Count (empty generation): %lld\n"
               "Average Token-Level Edit Distance: %.2f\n",
               (long long)m->distance,
               (long long)reason_count(r, m, S("no_prediction")),
               like_share(m->distance, tally_total(&m->all)));
}

static void like_print_sql_eval(const like_run *r)
{
    const tally_metric *string = find_metric(r, S("string"), S("sql_eval"));
    const tally_metric *edit = find_metric(r, S("edit"), S("sql_eval"));
    const tally_metric *subset = find_metric(r, S("subset"), S("sql_eval"));
    if (string) {
        add_sql_eval_head(r);
        buf_printf(r->out, "Exact Matches: %lld\nAccuracy: %.2f%%\n",
                   (long long)string->all.answers[ANSWER_YES],
                   tally_percent(&string->all));
    }
    if (edit) {
        add_sql_eval_edit(r, edit);
    }
    if (subset) {
        buf_printf(r->out, "Execution Accuracy: %.2f%%\n",
                   tally_percent(&subset->all));
    }
}

static const like_texts sql_eval_texts = {metric_string_sql_eval,
                                          metric_edit_sql_eval};

static const like_program programs[] = {
#define LIKE(constant, word, rules, metrics, ...) \
    {S_INIT(word), S_INIT(rules), S_INIT(metrics), __VA_ARGS__},
#include "evaluators/like.def"
#undef LIKE
};

WORDS_OF(like, like_id, programs)

const like_program *like_of(like_id l)
{
    assert(l < LIKE_COUNT);
    return &programs[l];
}

void like_print_case(buf *out, const case_line *line, like_id l)
{
    if (like_of(l)->print_case) {
        like_of(l)->print_case(out, line);
    }
}

void like_print(buf *out, const tally *t, like_id l, arena scratch)
{
    ptrdiff_t n_runs = map_count(&t->runs);
    for (ptrdiff_t run = 0; run < n_runs; run++) {
        if (n_runs > 1 && like_of(l)->names_runs) {
            buf_printf(out, "%s%.*s\n", run > 0 ? "\n" : "",
                       STR_ARG(map_key_at(&t->runs, run)));
        }
        like_run r = {.out = out, .t = t, .run = run, .a = &scratch};
        like_of(l)->print(&r);
    }
}
