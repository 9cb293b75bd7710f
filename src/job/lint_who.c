/*
 * lint_who.c - see lint_who.h.
 *
 * Method      Proofs first (a tenth of a millisecond a pair), then results. Of
 *             the largest class that is left the first text in byte order is
 *             compared with the gold by the search of `assay check`, in the
 *             realistic world: if it is equivalent after all, the next class is
 *             taken; else its witness is evidence.
 *
 *             A gold that stands for several queries agrees with whatever one
 *             of them agrees with; what speaks against it is read off the one
 *             that is nearest to what stands against it.
 *
 * Cost        A run of each text; proofs of each pair of texts, of which there
 *             are at most TEXTS_MOST and VARIANTS_MOST golds; a search of each
 *             of these, or a few.
 */
#include "job/lint_who.h"

#include "base/edit_distance.h"
#include "base/json_write.h"
#include "evaluators/evaluator.h"
#include "metric/pragmatic.h"
#include "schema/bind_text.h"
#include "score/score_equiv.h"
#include "score/score_run.h"
#include "sql/name.h"

enum {
    TEXTS_MOST = 32,      // of one case; the rest has no vote
    VARIANTS_MOST = 8,    // of one gold; with the rest nothing agrees
    SEARCHES_MOST = 4,    // of one case
    TABLES_LOOKED = 200,  // for rows
    SEARCH_WORK = 1000,   // to the watch, beside the metrics
};

// A text of a prediction, or the gold.
typedef struct said {
    str sql;
    int32_t no;        // of the prediction; -1: the gold
    ptrdiff_t n_runs;  // that say it
    const binding *b;  // NULL: it cannot be read
    execution run;     // where there are data
    ptrdiff_t leader;  // the first of its class
} said;

typedef struct hearing {
    judging *j;
    said golds[VARIANTS_MOST];  // all that the gold stands for
    ptrdiff_t n_golds;
    ptrdiff_t variant;         // of these, which is looked at
    said all[TEXTS_MOST + 1];  // the gold first
    ptrdiff_t n;
    bool has_data;
} hearing;

static bool has_rows(judging *j)
{
    const schema *s = engine_schema(j->db);
    buf sql = buf_new(j->e.a);
    buf_add(&sql, S("SELECT 1 WHERE 1 = 0"));
    for (ptrdiff_t i = 0; i < s->n_tables && i < TABLES_LOOKED; i++) {
        buf_add(&sql, S(" OR EXISTS (SELECT 1 FROM "));
        name_add_quoted(&sql, s->tables[i].name, s->dialect);
        buf_char(&sql, ')');
    }
    execution x = score_run_text(j, buf_str(&sql), ENGINE_READ_ALL, WATCH_GOLD);
    return x.status == REASON_NONE && x.result.n_rows > 0;
}

static const schema *schema_of(const judging *j)
{
    bool has = j->db && engine_schema_error(j->db).len == 0;
    return j->task->keys ? j->task->keys : has ? engine_schema(j->db) : NULL;
}

static const binding *read_text(const judging *j, str sql)
{
    const schema *s = schema_of(j);
    return s ? bind_text(j->e.a, sql, s, j->s->options->dialect, j->s->scratch)
             : NULL;
}

// The texts in byte order, so that the order of the runs is no matter.
static void add_text(hearing *h, int32_t no, ptrdiff_t n_runs)
{
    str sql = h->j->task->preds[no].sql;
    ptrdiff_t at = h->n;
    bool is_full = h->n == countof(h->all);
    while (at > 1 && str_compare(sql, h->all[at - 1].sql) < 0) {
        if (at < countof(h->all)) {
            h->all[at] = h->all[at - 1];
        }
        at--;
    }
    if (at < countof(h->all)) {
        h->all[at] = (said){.sql = sql, .no = no, .n_runs = n_runs};
        h->n += !is_full;
    }
}

static void hear(hearing *h)
{
    const score_task *task = h->j->task;
    const gold_set *set = &h->j->e.families[FAMILY_PLAIN];
    h->n_golds = set->n < VARIANTS_MOST ? set->n : VARIANTS_MOST;
    for (ptrdiff_t i = 0; i < h->n_golds; i++) {
        h->golds[i] = (said){
            .sql = set->variants[i].sql,
            .no = WATCH_GOLD,
            .b = read_text(h->j, set->variants[i].sql),
            .run = {.status = REASON_NOT_RUN},
        };
        if (h->has_data) {
            h->golds[i].run = set->runs[i];
        }
    }
    h->all[0] = h->golds[0];
    h->n = 1;
    for (int32_t i = 0; i < task->n_preds; i++) {
        ptrdiff_t n = 0;
        for (ptrdiff_t k = 0; k < task->n_runs; k++) {
            const score_samples *run = &task->runs[k];
            n += !run->is_missing && run->n > 0
                 && str_equal(task->preds[run->texts[0]].sql,
                              task->preds[i].sql);
        }
        bool is_first = task->preds[i].sql.len > 0 && n > 0;
        for (int32_t k = 0; k < i && is_first; k++) {
            is_first = !str_equal(task->preds[k].sql, task->preds[i].sql);
        }
        if (is_first) {
            add_text(h, i, n);
        }
    }
}

static void run_all(hearing *h)
{
    judging *j = h->j;
    for (ptrdiff_t i = 1; i < h->n; i++) {
        said *t = &h->all[i];
        t->b = read_text(j, t->sql);
        t->run.status = REASON_NOT_RUN;
        if (h->has_data) {
            t->run = score_run_pred(j, FAMILY_PLAIN, t->no, true);
        }
    }
}

static bool same_results(const hearing *h, const said *x, const said *y)
{
    compare_options o = {0};
    return x->run.status == REASON_NONE && y->run.status == REASON_NONE
           && compare_exec(RULES_ASSAY, &x->run.result, &y->run.result, &o,
                           h->j->e.a, h->j->s->scratch)
                      .v
                  == ANSWER_YES;
}

static bool is_proved(const hearing *h, const said *x, const said *y)
{
    return str_equal(x->sql, y->sql)
           || (x->b && y->b && x->b->problems.len + y->b->problems.len == 0
               && h->j->db
               && equiv_proves(h->j, x->sql, y->sql, engine_schema(h->j->db)));
}

// Nothing found and nothing counted is what many wrong queries return.
static bool says_something(value v)
{
    return !value_is_null(v) && !(v.kind == VALUE_INT && v.i == 0);
}

typedef bool is_alike(const hearing *h, const said *x, const said *y);

static bool is_like_gold(const hearing *h, const said *t, is_alike *alike)
{
    bool is = false;
    for (ptrdiff_t i = 0; i < h->n_golds && !is; i++) {
        is = alike(h, &h->golds[i], t);
    }
    return is;
}

// Equal results say little where they are the gold's: this data may hide the
// difference. Where both differ from the gold's they are no coincidence.
static void find_classes(hearing *h)
{
    for (ptrdiff_t i = 1; i < h->n; i++) {
        said *t = &h->all[i];
        bool is_apart = t->run.status == REASON_NONE
                        && table_has(&t->run.result, says_something)
                        && !is_like_gold(h, t, same_results);
        t->leader = is_like_gold(h, t, is_proved) ? 0 : i;
        for (ptrdiff_t k = 1; k < i && t->leader == i; k++) {
            const said *earlier = &h->all[k];
            bool is_same = earlier->leader == k
                           && (is_proved(h, earlier, t)
                               || (is_apart && same_results(h, earlier, t)));
            t->leader = is_same ? k : i;
        }
    }
}

static ptrdiff_t runs_of(const hearing *h, ptrdiff_t leader)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < h->n; i++) {
        n += h->all[i].leader == leader ? h->all[i].n_runs : 0;
    }
    return n;
}

static bool fails(const hearing *h, const said *t)
{
    return h->has_data && t->run.status != REASON_NONE;
}

// Texts that fail are all alike, and say nothing but that they fail.
static bool leads(const hearing *h, ptrdiff_t i, ptrdiff_t best)
{
    bool one_fails = fails(h, &h->all[i]);
    bool best_fails = fails(h, &h->all[best]);
    return best == 0 || (best_fails && !one_fails)
           || (one_fails == best_fails && runs_of(h, i) > runs_of(h, best));
}

// The leader of the largest class that is not the gold's; 0: there is none.
static ptrdiff_t largest(const hearing *h)
{
    ptrdiff_t best = 0;
    for (ptrdiff_t i = 1; i < h->n; i++) {
        best = h->all[i].leader == i && leads(h, i, best) ? i : best;
    }
    return best;
}

static void join_gold(hearing *h, ptrdiff_t leader)
{
    for (ptrdiff_t i = 1; i < h->n; i++) {
        h->all[i].leader = h->all[i].leader == leader ? 0 : h->all[i].leader;
    }
}

// Which of the golds: of those that run the one whose text is nearest.
static ptrdiff_t nearest_gold(const hearing *h, const said *t)
{
    ptrdiff_t best = 0;
    ptrdiff_t least = PTRDIFF_MAX;
    for (ptrdiff_t i = 0; i < h->n_golds; i++) {
        const said *gold = &h->golds[i];
        ptrdiff_t far = edit_distance(gold->sql, t->sql, h->j->s->scratch);
        if (!fails(h, gold) && far < least) {
            best = i;
            least = far;
        }
    }
    return best;
}

// Is what stands against the gold equal to one of the golds after all? If not,
// the verdict is that on the nearest, which becomes the gold.
static bool is_refuted(hearing *h, const said *t, check_verdict *v)
{
    ptrdiff_t nearest = nearest_gold(h, t);
    h->variant = nearest;
    h->all[0] = h->golds[nearest];
    *v = (check_verdict){0};
    h->j->work = SEARCH_WORK;
    bool is_equal = false;
    for (ptrdiff_t i = 1; i <= h->n_golds && !is_equal; i++) {
        const said *gold = &h->golds[(nearest + i) % h->n_golds];
        diag d = diag_new(h->j->e.a);
        *v = (check_verdict){0};
        if (!score_work_death(h->j->task, t->no, SEARCH_WORK)) {
            equiv_check(v, h->j, gold->sql, t->sql, t->no, &d);
        }
        is_equal = v->answer == CHECK_EQUIVALENT;
    }
    return !is_equal;
}

// What stands against the gold, with the witness if one was found.
static ptrdiff_t find_opponent(hearing *h, check_verdict *v)
{
    for (int tries = 0; tries < SEARCHES_MOST; tries++) {
        ptrdiff_t at = largest(h);
        if (at == 0 || is_refuted(h, &h->all[at], v)) {
            return at;
        }
        join_gold(h, at);
    }
    *v = (check_verdict){0};
    return 0;
}

// Would whoever asked take the one for the other?
static bool will_do(const hearing *h, const said *gold, const said *pred)
{
    const judging *j = h->j;
    if (gold->run.status != REASON_NONE) {
        return false;
    }
    pragmatic_pair u = pragmatic_pair_of(
        (pragmatic_side){.sql = gold->sql, .result = &gold->run.result},
        (pragmatic_side){.sql = pred->sql, .result = &pred->run.result},
        schema_of(j), j->s->options->dialect, j->e.a, j->s->scratch);
    verdict v = pragmatic_verdict(&u, pragmatic_profile_of(NORM_DATA));
    return v.v == ANSWER_YES || v.reason == REASON_LEFT_TO_ASK;
}

// Would whoever asked mind the difference? Nothing found is no vote, either.
static bool is_apart(const hearing *h, ptrdiff_t at)
{
    const said *pred = &h->all[at];
    if (!h->has_data) {
        return true;
    }
    if (h->all[0].run.status != REASON_NONE || pred->run.status != REASON_NONE
        || !table_has(&pred->run.result, says_something)) {
        return false;
    }
    return !is_like_gold(h, pred, will_do);
}

static blame_side side_of(const hearing *h, ptrdiff_t at)
{
    const said *t = &h->all[at];
    bool failed = h->has_data && t->run.status != REASON_NONE
                  && t->run.status != REASON_NOT_RUN;
    return (blame_side){
        .sql = t->sql,
        .result = t->run.status == REASON_NONE ? &t->run.result : NULL,
        .error = failed ? t->run.message : (str){0},
        .n_runs = runs_of(h, at),
    };
}

lint_who lint_who_is_wrong(judging *j, bool is_chosen)
{
    if (j->e.families[FAMILY_PLAIN].n == 0) {
        return (lint_who){0};
    }
    hearing h = {.j = j};
    const record *gold = j->task->gold;
    bool has_run = j->db && j->e.families[FAMILY_PLAIN].runs;
    h.has_data = has_run && schema_of(j) && has_rows(j);
    hear(&h);
    run_all(&h);
    find_classes(&h);
    check_verdict v = {0};
    ptrdiff_t at = find_opponent(&h, &v);
    // In a language that is not known a question still names values.
    str hints = j->question.len > 0 ? gold->evidence
                                    : arena_printf(j->e.a, "%.*s\n%.*s",
                                                   STR_ARG(gold->question),
                                                   STR_ARG(gold->evidence));
    blame_case c = {.question = j->question,
                    .evidence = hints,
                    .d = j->s->options->dialect,
                    .schema = schema_of(j),
                    .also = j->s->options->also_suspect,
                    .gold = side_of(&h, 0)};
    c.gold.is_chosen = is_chosen;
    if (at > 0) {
        c.pred = side_of(&h, at);
        c.is_apart = is_apart(&h, at);
        bool has_witness =
            v.answer == CHECK_DIFFERENT && v.evidence == EVIDENCE_WITNESS;
        c.gold.witness = has_witness ? &v.witness.left : NULL;
        c.pred.witness = has_witness ? &v.witness.right : NULL;
    }
    blame_verdict judged = blame_case_judge(&c, j->e.a, j->s->scratch);
    bool says = at > 0 || judged.reasons.len > 0;
    return (lint_who){
        .is_asked = true,
        .verdict = judged,
        .gold = says && h.n_golds > 1 ? c.gold.sql : (str){0},
        .variant = h.variant,
        .pred = c.pred.sql,
        .n_runs = c.pred.n_runs,
        .n_with_gold = c.gold.n_runs,
        .has_data = h.has_data,
    };
}

void lint_who_add(buf *b, const lint_who *w)
{
    json_write(b, member_text(S("who"), blame_class_word(w->verdict.who)),
               member_int(S("suspicion"), w->verdict.suspicion),
               member_bool(S("data"), w->has_data),
               member_int(S("with_gold"), w->n_with_gold));
    if (w->gold.len > 0) {
        json_write(b, member_int(S("variant"), w->variant),
                   member_text(S("variant_sql"), w->gold));
    }
    if (w->pred.len > 0) {
        json_write(b, member_int(S("against_gold"), w->n_runs),
                   member_text(S("prediction"), w->pred));
    }
    json_write(b, member_open(S("reasons"), '['));
    for (ptrdiff_t i = 0; i < w->verdict.reasons.len; i++) {
        const blame_reason *r = &w->verdict.reasons.ptr[i];
        json_write(b, json_begin('{'),
                   member_text(S("signal"), blame_signal_word(r->signal)),
                   member_text(S("on"), blame_on_word(r->on)),
                   member_int(S("weight"), r->weight));
        if (r->detail.len > 0) {
            json_write(b, member_text(S("detail"), r->detail));
        }
        buf_char(b, '}');
    }
    buf_char(b, ']');
}
