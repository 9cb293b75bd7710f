/*
 * cmd_selftest.c - `assay selftest`: how strict is each metric on these data,
 * and is the set-up sound? Predictors whose score is known are scored.
 *
 * Method      The golds are read, each control makes its predictions, with the
 *             near misses that `assay neighbors` would list, and all are
 *             scored as `assay score` does. What a control does not say of a
 *             case is left out.
 */
#include "base/hash.h"
#include "base/json_write.h"
#include "cli/dataset_option.h"
#include "cli/doc_out.h"
#include "cli/progress.h"
#include "cli/score_output.h"
#include "cli/score_setup.h"
#include "job/check_pairs.h"
#include "job/control.h"
#include "job/neighbor_run.h"
#include "metric/metric.h"
#include "read/abstention.h"
#include "report/case_lines.h"
#include "report/tally.h"
#include "sql/template.h"

// A case as the controls see it.
typedef struct selftest_case {
    str id;  // as the journal has it
    str db;
    str gold;  // empty: there is no query, the case is left out
    bool says[CONTROL_COUNT];
} selftest_case;

typedef struct selftest {
    const cli *c;
    dataset gold;
    selftest_case *cases;
    ptrdiff_t n_cases;
    ptrdiff_t n_left_out;
    map ids;
    map neighbors;  // "database, newline, gold"
    str_list neighbor_sql;
    tally tally;                  // a run for each control
    tally scored;                 // with what it does not say
    str main;                     // the metric that a case is named for
    str_list odd[CONTROL_COUNT];  // cases in which it is not as it should be
} selftest;

/* The cases. */

static dialect dialect_of(const selftest *t)
{
    return check_dialect_of(opt_text(t->c->o, OPT_DB));
}

// The first query that the gold stands for; empty: none.
static str gold_query(const selftest *t, const record *r, arena scratch)
{
    if (r->n_results > 0 || abstention_is_right(r)) {
        return (str){0};
    }
    template_variants texts =
        template_queries(t->c->room, r->golds, r->n_golds,
                         (template_options){.dialect = dialect_of(t),
                                            .keep_whole = r->golds_are_final},
                         scratch);
    return texts.n > 0 ? texts.sql[0] : (str){0};
}

static void read_cases(selftest *t)
{
    t->n_cases = t->gold.entries.len;
    t->cases = arena_new(t->c->room, selftest_case, t->n_cases);
    for (ptrdiff_t i = 0; i < t->n_cases; i++) {
        arena scratch = arena_store_clear(t->c->lines);
        arena own = arena_half(&scratch);
        record r = dataset_record(&t->gold, i, &own);
        str id = record_id(&r, i, &own);
        t->cases[i] = (selftest_case){.id = arena_str(t->c->room, id),
                                      .db = arena_str(t->c->room, r.db)};
        str gold = gold_query(t, &r, scratch);
        t->cases[i].gold = arena_str(t->c->room, gold);
        t->n_left_out += gold.len == 0;
        map_add(&t->ids, t->c->room, t->cases[i].id);
    }
}

// The gold of the next case on the same database.
static str other_gold(const selftest *t, ptrdiff_t i)
{
    for (ptrdiff_t k = 1; k < t->n_cases; k++) {
        const selftest_case *it = &t->cases[(i + k) % t->n_cases];
        if (it->gold.len > 0 && str_equal(it->db, t->cases[i].db)
            && !str_equal(it->gold, t->cases[i].gold)) {
            return it->gold;
        }
    }
    return (str){0};
}

/* Near misses. */

static str neighbor_key(arena *a, str db, str gold)
{
    return arena_printf(a, "%.*s\n%.*s", STR_ARG(db), STR_ARG(gold));
}

// Of all near misses of a gold one is kept, drawn by its text.
static void keep_neighbor(selftest *t, str key, str sql)
{
    ptrdiff_t i = sql.len > 0 ? map_add(&t->neighbors, t->c->room, key) : -1;
    if (i == t->neighbor_sql.len) {
        *vec_push(t->c->room, &t->neighbor_sql) = arena_str(t->c->room, sql);
    } else if (i >= 0 && hash64(sql) < hash64(t->neighbor_sql.ptr[i])) {
        t->neighbor_sql.ptr[i] = arena_str(t->c->room, sql);
    }
}

// A case may name no database where there is only one.
static void take_neighbor(void *context, const neighbor_found *n)
{
    selftest *t = context;
    arena scratch = arena_store_clear(t->c->lines);
    keep_neighbor(t, neighbor_key(&scratch, n->db, n->gold), n->sql);
    keep_neighbor(t, neighbor_key(&scratch, (str){0}, n->gold), n->sql);
}

static bool read_neighbors(selftest *t, arena scratch)
{
    const neighbor_run_options options = {
        .golds = {.gold = opt_text(t->c->o, OPT_GOLD),
                  .db = opt_text(t->c->o, OPT_DB),
                  .dialect = DIALECT_SQLITE,
                  .file = dataset_option(t->c),
                  .limit = -1},
        .max = 20,
    };
    diag d = diag_new(t->c->room);
    neighbor_sink sink = {.context = t, .take = take_neighbor};
    supervisor_end end = neighbor_run(&options, sink, t->c->room, &d, scratch);
    cli_say_all(t->c, &d, scratch);
    if (end != SUPERVISOR_DONE && t->neighbor_sql.len > 0) {
        cli_say(t->c, "not all golds have near misses to test with");
    }
    return end != SUPERVISOR_INTERRUPTED;
}

/* The predictions. */

static plan_pred predict(selftest *t, control_id id)
{
    plan_pred made = {.name = control_word(id),
                      .path = control_word(id),
                      .is_made = true,
                      .lines = buf_new(t->c->room)};
    for (ptrdiff_t i = 0; i < t->n_cases; i++) {
        arena scratch = arena_store_clear(t->c->lines);
        arena own = arena_half(&scratch);
        selftest_case *it = &t->cases[i];
        ptrdiff_t near =
            map_find(&t->neighbors, neighbor_key(&own, it->db, it->gold));
        control_case c = {
            .gold = it->gold,
            .other = other_gold(t, i),
            .neighbor = near >= 0 ? t->neighbor_sql.ptr[near] : (str){0},
            .no = i,
            .dialect = dialect_of(t),
        };
        str sql = {0};
        it->says[id] =
            it->gold.len > 0 && control_predict(&sql, &own, id, &c, scratch);
        plan_pred_add(&made, t->gold.has_ids ? it->id : S(""),
                      it->says[id] ? sql : S(""));
    }
    return made;
}

/* The verdicts. */

// Names the case where its main verdict is not what it should be.
static void note_odd(selftest *t, control_id k, const case_line *line)
{
    const line_verdict *main = case_line_main(line);
    control_should should = control_should_be(k);
    answer wanted = should == CONTROL_SHOULD_ALL ? ANSWER_YES : ANSWER_NO;
    bool is_wrong =
        wanted == ANSWER_NO ? main->v == ANSWER_YES : main->v != ANSWER_YES;
    if (is_wrong && should != CONTROL_SHOULD_FEW) {
        bool has_reason = wanted == ANSWER_YES && main->reason.len > 0;
        *vec_push(t->c->room, &t->odd[k]) =
            arena_printf(t->c->room, has_reason ? "%.*s (%.*s)" : "%.*s",
                         STR_ARG(line->id), STR_ARG(main->reason));
        t->main = t->main.len > 0 ? t->main : arena_str(t->c->room, main->key);
    }
}

static void count_case(selftest *t, const case_line *line)
{
    ptrdiff_t i = map_find(&t->ids, line->id);
    tally_add(&t->scored, line);
    for (int k = 0; k < CONTROL_COUNT; k++) {
        if (i >= 0 && t->cases[i].says[k]
            && str_equal(line->run, control_word((control_id)k))
            && line->verdicts.len > 0) {
            note_odd(t, (control_id)k, line);
            tally_add(&t->tally, line);
        }
    }
}

static void count_lines(selftest *t, file_map lines)
{
    case_lines l = case_lines_of(lines, t->c->d);
    t->tally = tally_new(t->c->room);
    t->scored = tally_new(t->c->room);
    while (case_lines_next_case(&l, arena_store_clear(t->c->lines))) {
        count_case(t, &l.line);
    }
}

static bool score(selftest *t, arena scratch)
{
    run_options run;
    if (!score_setup(&run, t->c, t->c->room)) {
        return false;
    }
    for (int k = 0; k < CONTROL_COUNT; k++) {
        plan_pred made = predict(t, (control_id)k);
        *vec_push(t->c->room, &run.plan.preds) = made;
    }
    run.plan.allows_missing = true;
    run.verifies_unchanged = true;
    run.times = JOURNAL_WITHOUT_TIMES;
    progress bar = {.c = t->c};
    diag notes = diag_new(t->c->room);
    run_outcome outcome;
    bool ok = progress_run(&bar, &run, &outcome, t->c->room, t->c->d, &notes,
                           scratch);
    cli_say_all(t->c, &notes, scratch);
    if (!ok) {
        return false;
    }
    count_lines(t, outcome.journal);
    run_close(&outcome);
    score_say_lost(t->c, &run, &outcome);
    if (outcome.end == SUPERVISOR_INTERRUPTED) {
        return cli_ends(t->c, EXIT_CODE_INTERRUPTED);
    }
    return t->c->d->count == 0 && score_could_judge(t->c, &t->scored, scratch)
           && outcome.n_lost == 0 && outcome.n_changed == 0;
}

/* What is printed. */

static str should_text(control_should s)
{
    return s == CONTROL_SHOULD_ALL    ? S("100")
           : s == CONTROL_SHOULD_NONE ? S("0")
                                      : S("few");
}

static tally_count count_at(const selftest *t, int k, ptrdiff_t metric)
{
    ptrdiff_t run = map_find(&t->tally.runs, control_word((control_id)k));
    const tally_metric *m =
        run >= 0 ? tally_metric_at(&t->tally, run, metric) : NULL;
    return m ? m->all : (tally_count){0};
}

static bool is_decided(const tally_count *c)
{
    return tally_total(c) > c->answers[ANSWER_UNKNOWN];
}

// Percent of a metric; of no metric what should be, and how many cases.
static str control_cell(const void *what, arena *a, cell_at p)
{
    const selftest *t = what;
    int k = (int)p.at[AXIS_RUN];
    ptrdiff_t run = map_find(&t->tally.runs, control_word((control_id)k));
    if (p.at[AXIS_METRIC] < 0) {
        return p.at[AXIS_METRIC] == -2
                   ? should_text(control_should_be((control_id)k))
                   : cell_int(a,
                              run >= 0 ? t->tally.by_run.ptr[run].n_cases : 0);
    }
    tally_count c = count_at(t, k, p.at[AXIS_METRIC]);
    return is_decided(&c) ? cell_decimal(a, tally_percent(&c), 1) : S("?");
}

static void add_odd(doc *d, const selftest *t, control_id k)
{
    enum {
        SHOWN = 8
    };
    const str_list *odd = &t->odd[k];
    if (odd->len == 0) {
        return;
    }
    doc_say(d, "\n%.*s %s %.*s in ", STR_ARG(control_word(k)),
            control_should_be(k) == CONTROL_SHOULD_ALL ? "does not pass"
                                                       : "passes",
            STR_ARG(t->main));
    for (ptrdiff_t i = 0; i < odd->len && i < SHOWN; i++) {
        doc_say(d, "%s%.*s", i > 0 ? ", " : "", STR_ARG(odd->ptr[i]));
    }
    if (odd->len > SHOWN) {
        doc_say(d, " and %td more", odd->len - SHOWN);
    }
}

static void add_text(doc *d, const selftest *t)
{
    axis controls = {.of = AXIS_RUN};
    axis metrics = {.of = AXIS_METRIC};
    axis_add_words(&metrics, d->a, S("should|cases"), -2);
    axis_add_map(&metrics, d->a, &t->tally.metrics, NULL);
    for (int k = 0; k < CONTROL_COUNT; k++) {
        axis_add(&controls, d->a, control_word((control_id)k), k);
    }
    grid_cross(doc_table(d, S("predictor")), &controls, &metrics, (cell_at){0},
               control_cell, t);
    for (int k = 0; k < CONTROL_COUNT; k++) {
        add_odd(d, t, (control_id)k);
    }
    doc_say(d, "%s\npercent that passes; ?: the metric decides no case\n",
            t->main.len > 0 ? "\n" : "");
    for (int k = 0; k < CONTROL_COUNT; k++) {
        doc_say(d, "%-12.*s %.*s\n", STR_ARG(control_word((control_id)k)),
                STR_ARG(control_text((control_id)k)));
    }
}

static void add_json(buf *out, const selftest *t)
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        json_write(out, json_begin('{'),
                   member_text(S("predictor"), control_word((control_id)k)),
                   member_text(S("should"),
                               should_text(control_should_be((control_id)k))),
                   member_open(S("metrics"), '{'));
        for (ptrdiff_t m = 0; m < map_count(&t->tally.metrics); m++) {
            tally_count c = count_at(t, k, m);
            json_write(out, member_open(map_key_at(&t->tally.metrics, m), '{'),
                       member_int(S("cases"), tally_total(&c)),
                       member_int(S("yes"), c.answers[ANSWER_YES]),
                       member_int(S("unknown"), c.answers[ANSWER_UNKNOWN]),
                       json_end("}"));
        }
        buf_add(out, S("}}\n"));
    }
}

static bool says_a_part(str key)
{
    metric_id m;
    return metric_from_word(str_cut(&key, ':'), &m)
           && (metric_at(m)->traits & SAYS_A_PART);
}

// Are all rates that should be 100 or 0 within so many points of it? A metric
// that decides no gold passes none.
static bool is_within(const selftest *t, double points)
{
    bool ok = true;
    for (int k = 0; k < CONTROL_COUNT; k++) {
        control_should should = control_should_be((control_id)k);
        for (ptrdiff_t m = 0; m < map_count(&t->tally.metrics); m++) {
            tally_count c = count_at(t, k, m);
            double is = is_decided(&c) ? tally_percent(&c) : 0;
            bool counts = should == CONTROL_SHOULD_ALL ? tally_total(&c) > 0
                                                       : is_decided(&c);
            str key = map_key_at(&t->tally.metrics, m);
            bool is_none = should == CONTROL_SHOULD_NONE && !says_a_part(key);
            double off = should == CONTROL_SHOULD_ALL ? 100 - is
                         : is_none                    ? is
                                                      : 0;
            if (counts && off > points) {
                cli_say(t->c, "%.*s: %.1f %% of %.*s pass, %.*s should",
                        STR_ARG(key), is, STR_ARG(control_word((control_id)k)),
                        STR_ARG(should == CONTROL_SHOULD_ALL ? S("all")
                                                             : S("none")));
                ok = false;
            }
        }
    }
    return ok;
}

static bool selftest_all(selftest *t, arena scratch)
{
    const cli *c = t->c;
    read_cases(t);
    if (t->n_left_out == t->n_cases) {
        return cli_say(c, "no case has a gold query that can be read");
    }
    if (map_count(&t->ids) < t->n_cases) {
        return cli_say(
            c,
            "%td of %td cases have an id that occurred before; give each "
            "case its own id (--field id=NAME takes another member)",
            t->n_cases - map_count(&t->ids), t->n_cases);
    }
    if (t->n_left_out > 0) {
        cli_say(c, "%td of %td cases left out: no gold query", t->n_left_out,
                t->n_cases);
    }
    if (!read_neighbors(t, scratch)) {
        return cli_ends(c, EXIT_CODE_INTERRUPTED);
    }
    if (!score(t, scratch)) {
        return false;
    }
    doc d = doc_out_new(c, t->c->room, 100);
    if (opt_flag(c->o, OPT_JSON)) {
        buf text = buf_new(t->c->room);
        add_json(&text, t);
        doc_add(&d, DOC_TEXT, buf_str(&text));
    } else if (!opt_flag(c->o, OPT_QUIET)) {
        add_text(&d, t);
    }
    return doc_out_print(c, &d, stdout)
           && (!opt_has(c->o, OPT_FAIL_OVER)
               || is_within(t, opt_double(c->o, OPT_FAIL_OVER))
               || cli_ends(c, EXIT_CODE_FAILED));
}

bool cmd_selftest(cli *c)
{
    arena scratch = arena_half(c->room);
    selftest t = {.c = c};
    dataset_options how = dataset_option(c);
    bool ok = dataset_open(&t.gold, c->room, opt_text(c->o, OPT_GOLD), how,
                           c->d, arena_store_clear(c->lines))
              && selftest_all(&t, scratch);
    dataset_close(&t.gold);
    return ok;
}
