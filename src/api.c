/*
 * api.c - include/assay/assay.h on top of src/score; api_check.c has the rest.
 *
 * Method      An assay_db is a scorer with one database and the arena that
 *             cases are judged in. A verdict is copied out of that arena into
 *             one block of its own, so that it outlives the next call.
 */
#include "base/clock.h"
#include "base/version.h"
#include "metric/scorer.h"

#include <assay/assay.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEFAULT_TIMEOUT_MS = 30000,
    DEFAULT_MAX_ROWS = 1000000,
    MESSAGE_BYTES = 1 << 20,
};

static const int64_t DEFAULT_MAX_BYTES = (int64_t)1 << 30;

// More of either does not fit into one process: who asks for more wants no
// limit.
static const uint64_t MOST_BYTES = (uint64_t)1 << 35;
static const uint64_t MOST_ROWS = (uint64_t)1 << 40;

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
} public_verdict;

struct assay_verdict {
    public_verdict by_metric[METRIC_COUNT];
};

static assay_status fail(assay_error *err, assay_status status, str message)
{
    if (err) {
        *err = (assay_error){.status = status};
        snprintf(err->message, sizeof err->message, "%.*s", STR_ARG(message));
    }
    return status;
}

static assay_status fail_diag(assay_error *err,
                              assay_status status,
                              const diag *d)
{
    str message =
        d->messages.len > 0 ? d->messages.ptr[0].text : S("out of memory");
    return fail(err, status, message);
}

const char *assay_version(void)
{
    return version_text().ptr;
}

static int64_t limit(uint64_t wanted, int64_t fallback, uint64_t most)
{
    return wanted == 0 ? fallback : (int64_t)(wanted < most ? wanted : most);
}

static score_options options_from(const assay_limits *limits)
{
    assay_limits none = {0};
    const assay_limits *l = limits ? limits : &none;
    score_options o = {.n_rules = 1};
    engine_options *e = &o.engine;
    e->limits.timeout_ms = l->timeout_ms ? l->timeout_ms : DEFAULT_TIMEOUT_MS;
    e->limits.max_bytes = limit(l->max_bytes, DEFAULT_MAX_BYTES, MOST_BYTES);
    e->limits.max_rows = limit(l->max_rows, DEFAULT_MAX_ROWS, MOST_ROWS);
    e->clock_ms = l->clock_ms ? l->clock_ms : (int64_t)time(NULL) * 1000;
    return o;
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
        return fail(err, ASSAY_ERR_USAGE, S("out and path must not be NULL"));
    }
    assay_db *db = calloc(1, sizeof *db);
    arena_store messages = {0};
    if (!db || !arena_store_open(&messages, MESSAGE_BYTES)) {
        free(db);
        return fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    arena a = arena_store_clear(&messages);
    diag d = diag_new(&a);
    db->options = options_from(limits);
    // The engine is opened for all metrics; assay_score picks.
    db->options.metrics = metrics_needing(NEEDS_DB);
    db->options.engine.driver = engine_driver_of(str_from(path));
    if (db->options.engine.driver) {
        db->options.dialect = engine_driver_dialect(db->options.engine.driver);
    }
    db->path = strdup(path);
    assay_status status = ASSAY_OK;
    if (!db->path
        || !arena_store_open(&db->cases, scorer_arena_bytes(&db->options))
        || !scorer_open(&db->scorer, &db->options, &d)) {
        status = fail_diag(err, ASSAY_ERR_LIMIT, &d);
    } else if (!engine_database(db->scorer.engine, str_from(path), &d,
                                arena_store_clear(&db->cases))) {
        status = fail_diag(err, ASSAY_ERR_ENGINE, &d);
    }
    arena_store_close(&messages);
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

// Appends a copy of `s` after the verdicts.
static assay_str keep(char **end, str s)
{
    assay_str kept = {*end, (size_t)s.len};
    if (s.len > 0) {
        memcpy(*end, s.ptr, (size_t)s.len);
    }
    *end += s.len;
    return kept;
}

static public_verdict publish(const verdict *v, char **end)
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
        .detail = keep(end, v->detail),
        .score = v->has_score ? v->score : v->v == ANSWER_YES,
        .variant = v->v == ANSWER_YES ? v->variant : -1,
    };
}

static assay_verdict *verdict_new(const scored_pred *judged)
{
    ptrdiff_t bytes = 0;
    for (ptrdiff_t i = 0; i < judged->n_verdicts; i++) {
        bytes += judged->verdicts[i].verdict.detail.len;
    }
    assay_verdict *v = calloc(1, sizeof *v + (size_t)bytes);
    if (!v) {
        return NULL;
    }
    for (int m = 0; m < METRIC_COUNT; m++) {
        v->by_metric[m].variant = -1;
    }
    char *end = (char *)(v + 1);
    for (ptrdiff_t i = 0; i < judged->n_verdicts; i++) {
        str word = judged->verdicts[i].key;
        word = str_cut(&word, ':');
        metric_id m;
        // Of set:spider and set:adapted the first, the released one.
        if (metric_from_word(word, &m) && v->by_metric[m].reason.ptr == NULL) {
            v->by_metric[m] = publish(&judged->verdicts[i].verdict, &end);
        }
    }
    return v;
}

static assay_status check_call(const assay_db *db,
                               assay_str gold,
                               const assay_question *q,
                               uint32_t metrics,
                               assay_error *err)
{
    if (!db) {
        return fail(err, ASSAY_ERR_USAGE, S("db must not be NULL"));
    }
    if (gold.len == 0) {
        return fail(err, ASSAY_ERR_USAGE, S("the gold is empty"));
    }
    if (q && (unsigned)q->rules >= countof(public_rules)) {
        return fail(err, ASSAY_ERR_USAGE, S("no such rules"));
    }
    if (metrics == 0 || (metrics & ~PUBLIC_METRICS)) {
        return fail(err, ASSAY_ERR_USAGE, S("no such metrics"));
    }
    return ASSAY_OK;
}

static str from_public(assay_str s)
{
    return (str){s.ptr, (ptrdiff_t)s.len};
}

// Where a call goes on when an arena of its thread is full.
static _Thread_local jmp_buf *way_out;

static void leave_call(void)
{
    longjmp(*way_out, 1);
}

// What a case that was left in the middle holds open goes with its scorer.
static assay_status start_anew(assay_db *db, assay_error *err)
{
    diag ignored = {0};
    scorer_close(&db->scorer);
    db->options.metrics = metrics_needing(NEEDS_DB);
    arena a = arena_store_clear(&db->cases);
    ignored = diag_new(&a);
    if (!scorer_open(&db->scorer, &db->options, &ignored)) {
        return fail_diag(err, ASSAY_ERR_LIMIT, &ignored);
    }
    return fail(err, ASSAY_ERR_LIMIT,
                S("the results take more memory than a case may have"));
}

// Judges one prediction. False when an arena was full.
static bool score_case(assay_db *db, const score_task *task, scored_case *out)
{
    jmp_buf here;
    jmp_buf *before = way_out;
    way_out = &here;
    bool ok = setjmp(here) == 0;
    if (ok) {
        arena a = arena_store_clear(&db->cases);
        a.on_full = leave_call;
        db->scorer.on_full = leave_call;
        *out = scorer_case(&db->scorer, task, &a);
    }
    way_out = before;
    return ok;
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
        return fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    assay_status status = check_call(db, gold, question, metrics, err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_question none = {0};
    const assay_question *q = question ? question : &none;
    db->options.metrics = metrics;
    db->options.rules[0] = public_rules[q->rules];
    str gold_sql = from_public(gold);
    str text = from_public(pred);
    score_pred one = {.sql = text, .raw = text, .line = text};
    record r = {.question = from_public(q->text),
                .category = from_public(q->category),
                .golds = &gold_sql,
                .n_golds = 1};
    score_task task = {
        .gold = &r, .preds = &one, .n_preds = 1, .path = str_from(db->path)};
    scored_case scored;
    if (!score_case(db, &task, &scored)) {
        return start_anew(db, err);
    }
    if (scored.gold_status != REASON_NONE
        && scored.gold_status != REASON_GOLD_UNSTABLE) {
        return fail(err, ASSAY_ERR_ENGINE, scored.gold_message);
    }
    *out = verdict_new(&scored.preds[0]);
    return *out ? ASSAY_OK : fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
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
