/*
 * api.c - include/assay/assay.h on top of src/score; api_check.c has the rest.
 *
 * Method      An assay_db is a scorer with one database and the arena that
 *             cases are judged in. A verdict is copied out of that arena into
 *             one block of its own, so that it outlives the next call.
 */
#include "api_call.h"
#include "base/clock.h"
#include "base/version.h"
#include "engine/url.h"
#include "evaluators/evaluator.h"
#include "journal/journal_line.h"
#include "score/scorer.h"
#include "table/explain_results.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEFAULT_TIMEOUT_MS = 30000,
    DEFAULT_MAX_ROWS = 1000000,
    MOST_PATH = 1 << 18,  // a longer one is no URL
};

static const int64_t DEFAULT_MAX_BYTES = (int64_t)1 << 30;

// More of either does not fit into one process: who asks for more wants no
// limit.
static const uint64_t MOST_BYTES = (uint64_t)1 << 35;
static const uint64_t MOST_ROWS = (uint64_t)1 << 40;

// Address space for two results that are compared, and cells that fit in.
static const ptrdiff_t COMPARE_BYTES = (ptrdiff_t)8 << 30;
static const size_t MOST_CELLS = (size_t)1 << 28;

// Not suite, which needs one, nor pragmatic, which needs a profile.
static const uint32_t PUBLIC_METRICS =
    (uint32_t)ASSAY_STRING | ASSAY_EDIT | ASSAY_SET | ASSAY_EXEC | ASSAY_SUBSET
    | ASSAY_SOFT_F1 | ASSAY_CELL_F1 | ASSAY_EQUIV;

static const rules public_rules[] = {
    [ASSAY_RULES_ASSAY] = RULES_ASSAY,
    [ASSAY_RULES_STRICT] = RULES_STRICT,
    [ASSAY_RULES_SPIDER] = RULES_SPIDER,
    [ASSAY_RULES_BIRD] = RULES_BIRD,
    [ASSAY_RULES_SPIDER2] = RULES_SPIDER2,
    [ASSAY_RULES_DEFOG] = RULES_DEFOG,
    [ASSAY_RULES_SQL_EVAL] = RULES_SQL_EVAL,
};

_Static_assert(countof(public_rules) <= RULES_COUNT,
               "a public rule set has its row");
_Static_assert(ASSAY_STRING == METRIC_BIT(METRIC_STRING)
                   && ASSAY_EDIT == METRIC_BIT(METRIC_EDIT)
                   && ASSAY_SET == METRIC_BIT(METRIC_SET)
                   && ASSAY_EXEC == METRIC_BIT(METRIC_EXEC)
                   && ASSAY_SUBSET == METRIC_BIT(METRIC_SUBSET)
                   && ASSAY_SOFT_F1 == METRIC_BIT(METRIC_SOFT_F1)
                   && ASSAY_CELL_F1 == METRIC_BIT(METRIC_CELL_F1)
                   && ASSAY_EQUIV == METRIC_BIT(METRIC_EQUIV),
               "public metric bits are the scorer's");

struct assay_db {
    score_options options;
    scorer_engines engines;
    scorer scorer;
    arena_store cases;
    char *path;
};

typedef struct public_verdict {
    assay_answer answer;
    assay_str reason;
    assay_str detail;
    double score;
    ptrdiff_t variant;
    assay_str results[2];  // of gold and prediction
} public_verdict;

struct assay_verdict {
    assay_str json;
    public_verdict by_metric[METRIC_COUNT];
};

const char *assay_version(void)
{
    return version_text().ptr;
}

static int64_t limit(uint64_t wanted, int64_t fallback, uint64_t most)
{
    return wanted == 0 ? fallback : (int64_t)(wanted < most ? wanted : most);
}

static engine_options options_from(const assay_limits *limits)
{
    assay_limits none = {0};
    const assay_limits *l = limits ? limits : &none;
    engine_options o = {0};
    o.limits.timeout_ms = l->timeout_ms ? l->timeout_ms : DEFAULT_TIMEOUT_MS;
    o.limits.max_bytes = limit(l->max_bytes, DEFAULT_MAX_BYTES, MOST_BYTES);
    o.limits.max_rows = limit(l->max_rows, DEFAULT_MAX_ROWS, MOST_ROWS);
    o.clock_ms =
        clock_bound(l->clock_ms ? l->clock_ms : (int64_t)time(NULL) * 1000);
    return o;
}

// What a call works with, and how it ends.
typedef struct open_call {
    assay_db *db;
    assay_error *err;
    assay_status status;
} open_call;

static void open_db(void *context)
{
    open_call *call = context;
    assay_db *db = call->db;
    arena a = arena_store_clear(&db->cases);
    arena scratch = arena_half(&a);
    diag d = diag_new(&a);
    // The engine is opened for all metrics; assay_score picks.
    db->options.metrics = metrics_needing(NEEDS_DB);
    if (!scorer_open(&db->scorer, &db->options, &db->engines, &d)) {
        call->status = api_fail_diag(call->err, ASSAY_ERR_LIMIT, &d);
    } else if (!engine_database(db->scorer.engine, str_from(db->path), &d,
                                scratch)) {
        call->status = api_fail_diag(call->err, ASSAY_ERR_ENGINE, &d);
    }
}

// At first, and after a case that was left in the middle: what that held open
// went with its scorer.
static assay_status open_or_fail(assay_db *db, assay_error *err)
{
    open_call call = {.db = db, .err = err};
    if (!api_call(open_db, &call)) {
        scorer_close(&db->scorer);
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    return call.status;
}

// The path as engines know it; false without memory.
static bool set_path(assay_db *db, const char *path)
{
    if (!arena_store_open(&db->cases, scorer_arena_bytes(&db->engines))) {
        return false;
    }
    arena a = arena_store_clear(&db->cases);
    db->path = strdup(strlen(path) < MOST_PATH
                          ? arena_cstr(&a, url_own(&a, str_from(path)))
                          : path);
    db->engines.own.driver = engine_driver_of(str_from(db->path));
    if (db->engines.own.driver) {
        db->options.dialect = engine_driver_dialect(db->engines.own.driver);
    }
    return db->path != NULL;
}

assay_status assay_db_open(assay_db **out,
                           const char *path,
                           const assay_limits *limits,
                           assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !path) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("out and path must not be NULL"));
    }
    assay_db *db = calloc(1, sizeof *db);
    if (db) {
        db->options.n_rules = 1;
        db->engines.own = options_from(limits);
    }
    assay_status status =
        db && set_path(db, path)
            ? open_or_fail(db, err)
            : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    if (status != ASSAY_OK) {
        assay_db_close(db);
        return status;
    }
    *out = db;
    return ASSAY_OK;
}

void assay_db_close(assay_db *db)
{
    if (db) {
        scorer_close(&db->scorer);
        arena_store_close(&db->cases);
        free(db->path);
        free(db);
    }
}

static public_verdict publish(const verdict *v, api_texts *t)
{
    static const assay_answer answers[] = {
        [ANSWER_UNKNOWN] = ASSAY_UNKNOWN,
        [ANSWER_NO] = ASSAY_NO,
        [ANSWER_YES] = ASSAY_YES,
    };
    str reason_text = reason_word(v->reason);
    return (public_verdict){
        .answer = answers[v->v],
        .reason = {reason_text.ptr, (size_t)reason_text.len},
        .detail = api_keep(t, v->detail),
        .score = v->has_score ? v->score : v->v == ANSWER_YES,
        .variant = v->v == ANSWER_YES ? v->variant : -1,
        .results = {api_keep(t, v->results[0].rows),
                    api_keep(t, v->results[1].rows)},
    };
}

// What is judged, and its line in a journal; empty: there is none.
typedef struct judged_line {
    const scored_pred *judged;
    str line;
} judged_line;

static void fill(void *out, api_texts *t, const void *from)
{
    const judged_line *j = from;
    assay_verdict *v = out;
    for (int m = 0; m < METRIC_COUNT; m++) {
        v->by_metric[m].variant = -1;
    }
    v->json = api_keep(t, j->line);
    for (ptrdiff_t i = 0; i < j->judged->n_verdicts; i++) {
        str word = j->judged->verdicts[i].key;
        word = str_cut(&word, ':');
        metric_id m;
        // Of set:spider and set:adapted the first, the released one.
        if (metric_from_word(word, &m) && v->by_metric[m].reason.ptr == NULL) {
            v->by_metric[m] = publish(&j->judged->verdicts[i].verdict, t);
        }
    }
}

static assay_verdict *verdict_new(const scored_pred *judged, str line)
{
    judged_line from = {judged, line};
    return api_answer(sizeof(assay_verdict), fill, &from);
}

static assay_status check_call(const assay_db *db,
                               assay_str gold,
                               const assay_question *q,
                               uint32_t metrics,
                               assay_error *err)
{
    if (!db) {
        return api_fail(err, ASSAY_ERR_USAGE, S("db must not be NULL"));
    }
    if (gold.len == 0) {
        return api_fail(err, ASSAY_ERR_USAGE, S("the gold is empty"));
    }
    if (q && (unsigned)q->rules >= countof(public_rules)) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such rules"));
    }
    if (metrics == 0 || (metrics & ~PUBLIC_METRICS)) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such metrics"));
    }
    return ASSAY_OK;
}

// Judges one prediction.
typedef struct score_call {
    assay_db *db;
    const score_task *task;
    scored_case scored;
    str line;  // of a journal
} score_call;

static void score_case(void *context)
{
    score_call *call = context;
    arena a = arena_store_clear(&call->db->cases);
    call->scored = scorer_case(&call->db->scorer, call->task, &a);
    str sql = call->task->preds[0].sql;
    record_pred pred = {.sql = sql, .raw = sql};
    score_samples one = {.n = 1};
    journal_samples samples = {.samples = &one};
    buf line = buf_new(&a);
    journal_line_add(&line, S(""), call->task->gold, &pred, &call->scored,
                     &call->scored.preds[0], &samples, JOURNAL_WITHOUT_TIMES);
    call->line = str_trim(buf_str(&line));
}

assay_status assay_score(assay_verdict **out,
                         assay_db *db,
                         assay_str gold,
                         assay_str pred,
                         const assay_question *question,
                         uint32_t metrics,
                         assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    assay_status status = check_call(db, gold, question, metrics, err);
    if (status == ASSAY_OK && !db->scorer.engine) {
        status = open_or_fail(db, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    assay_question none = {0};
    const assay_question *q = question ? question : &none;
    db->options.metrics = metrics;
    db->options.rules[0] = public_rules[q->rules];
    str gold_sql = api_str(gold);
    str text = api_str(pred);
    score_pred one = {.sql = text, .raw = text, .line = text};
    record r = {.question = api_str(q->text),
                .category = api_str(q->category),
                .golds = &gold_sql,
                .n_golds = 1,
                .interaction = -1,
                .turn = -1};
    score_task task = {
        .gold = &r, .preds = &one, .n_preds = 1, .path = str_from(db->path)};
    score_call call = {.db = db, .task = &task};
    if (!api_call(score_case, &call)) {
        scorer_close(&db->scorer);
        return api_fail(err, ASSAY_ERR_LIMIT,
                        S("the results take more memory than a case may have"));
    }
    const scored_case *scored = &call.scored;
    if (scored->gold_status != REASON_NONE
        && scored->gold_status != REASON_GOLD_UNSTABLE
        && scored->gold_status != REASON_UNANSWERABLE) {
        return api_fail(err, ASSAY_ERR_ENGINE, scored->gold_message);
    }
    *out = verdict_new(&scored->preds[0], call.line);
    return *out ? ASSAY_OK : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
}

/* Two results. */

static const uint32_t COMPARED_METRICS =
    (uint32_t)ASSAY_EXEC | ASSAY_SUBSET | ASSAY_SOFT_F1 | ASSAY_CELL_F1;

typedef struct compare_call {
    const assay_table *sides[2];
    rules rules;
    compare_options options;
    uint32_t metrics;
} compare_call;

static value value_from(const assay_value *v)
{
    switch (v->type) {
    case ASSAY_INTEGER: return value_int(v->integer);
    case ASSAY_REAL: return value_real(v->real);
    case ASSAY_TEXT: return value_text(api_str(v->bytes));
    case ASSAY_BLOB: return value_blob(api_str(v->bytes));
    case ASSAY_NULL: break;
    }
    return value_null();
}

static table table_from(arena *a, const assay_table *t)
{
    ptrdiff_t n = (ptrdiff_t)(t->n_rows * t->n_columns);
    value *cells = arena_new(a, value, n);
    str *names = arena_new(a, str, (ptrdiff_t)t->n_columns);
    for (ptrdiff_t i = 0; i < n; i++) {
        cells[i] = value_from(&t->cells[i]);
    }
    for (size_t i = 0; t->names && i < t->n_columns; i++) {
        names[i] = api_str(t->names[i]);
    }
    return (table){.n_rows = (ptrdiff_t)t->n_rows,
                   .n_columns = (ptrdiff_t)t->n_columns,
                   .names = names,
                   .cells = cells};
}

static verdict compare_by(const compare_call *call,
                          metric_id m,
                          const table sides[2],
                          arena *a,
                          arena scratch)
{
    const table *gold = &sides[0];
    const table *pred = &sides[1];
    const compare_options *o = &call->options;
    verdict v = m == METRIC_SOFT_F1   ? compare_soft_f1(gold, pred, a, scratch)
                : m == METRIC_CELL_F1 ? compare_cell_f1(gold, pred, a, scratch)
                : m == METRIC_SUBSET
                    ? compare_subset(call->rules, gold, pred, o, a, scratch)
                    : compare_exec(call->rules, gold, pred, o, a, scratch);
    if (m == METRIC_EXEC && v.v == ANSWER_NO) {
        explain_results(gold, pred, v.results, a, scratch);
    }
    return v;
}

// Is the metric wanted, and does it mean something by the rules?
static bool is_asked(const compare_call *call, metric_id m)
{
    return (call->metrics & METRIC_BIT(m))
           && (m != METRIC_SUBSET || evaluator_has(call->rules, HAS_SUBSET));
}

static void *compare_tables(api_work *w)
{
    const compare_call *call = w->asked;
    arena *a = &w->memory[0];
    table sides[2];
    for (int i = 0; i < countof(sides); i++) {
        sides[i] = table_from(a, call->sides[i]);
        if (evaluator_has(call->rules, DROPS_BAD_TEXT)) {
            sides[i] = table_drop_invalid(a, &sides[i]);
        }
    }
    scored_verdict verdicts[METRIC_COUNT];
    scored_pred judged = {.verdicts = verdicts};
    for (int i = 0; i < METRIC_COUNT; i++) {
        metric_id m = (metric_id)i;
        if (is_asked(call, m)) {
            verdict v = compare_by(call, m, sides, a, w->memory[1]);
            verdicts[judged.n_verdicts++] =
                (scored_verdict){metrics_words(METRIC_BIT(m), a), v};
        }
    }
    return verdict_new(&judged, (str){0});
}

static bool is_table(const assay_table *t)
{
    if (!t || (t->n_columns == 0 && t->n_rows > 0)
        || (t->n_columns > 0 && t->n_rows > MOST_CELLS / t->n_columns)
        || (t->n_rows > 0 && !t->cells)) {
        return false;
    }
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        const assay_value *v = &t->cells[i];
        bool has_bytes = v->type == ASSAY_TEXT || v->type == ASSAY_BLOB;
        if ((unsigned)v->type > ASSAY_BLOB
            || (has_bytes && v->bytes.len > UINT32_MAX)) {
            return false;
        }
    }
    return true;
}

assay_status assay_compare(assay_verdict **out,
                           const assay_table *gold,
                           const assay_table *pred,
                           const assay_compare_options *options,
                           uint32_t metrics,
                           assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    assay_compare_options none = {0};
    const assay_compare_options *o = options ? options : &none;
    if (!is_table(gold) || !is_table(pred)) {
        return api_fail(err, ASSAY_ERR_USAGE, S("a table that cannot be"));
    }
    if ((unsigned)o->rules > ASSAY_RULES_SPIDER2) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("no such rules for results without queries"));
    }
    if (metrics == 0 || (metrics & ~COMPARED_METRICS)) {
        return api_fail(err, ASSAY_ERR_USAGE, S("no such metrics"));
    }
    compare_call call = {
        .sides = {gold, pred},
        .rules = public_rules[o->rules],
        .options = {.is_ordered = o->is_ordered != 0,
                    .same_column_order = o->same_column_order != 0},
        .metrics = metrics};
    api_work w = {.asked = &call, .err = err};
    *out = api_once(&w, compare_tables, COMPARE_BYTES);
    return w.status;
}

void assay_verdict_free(assay_verdict *v)
{
    free(v);
}

// The verdict of one metric bit; of no metric at all for any other number.
static const public_verdict *verdict_at(const assay_verdict *v,
                                        assay_metric metric)
{
    static const public_verdict nothing = {.variant = -1};
    for (int m = 0; m < METRIC_COUNT; m++) {
        if ((unsigned)metric == METRIC_BIT(m)) {
            return &v->by_metric[m];
        }
    }
    return &nothing;
}

assay_answer assay_verdict_answer(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->answer;
}

assay_str assay_verdict_reason(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->reason;
}

assay_str assay_verdict_detail(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->detail;
}

double assay_verdict_score(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->score;
}

ptrdiff_t assay_verdict_variant(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->variant;
}

assay_str assay_verdict_json(const assay_verdict *v)
{
    return v->json;
}

assay_str assay_verdict_gold_result(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->results[0];
}

assay_str assay_verdict_pred_result(const assay_verdict *v, assay_metric metric)
{
    return verdict_at(v, metric)->results[1];
}
