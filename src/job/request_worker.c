/*
 * request_worker.c - see request_worker.h.
 *
 * Method      The line is parsed, and all but its id is hashed: what was asked
 *             before is answered from the cache. Else its object is read as a
 *             file of one record is, and judged. Before something is judged
 *             that may take long, the answers that are ready go out.
 *
 * Invariants  (1) A line that cannot be read, or lacks something, is answered
 *                 with an error and costs nothing else.
 *             (2) No answer is kept that hangs on a database or a server that
 *                 could not be reached, or on the clock.
 */
#include "job/request_worker.h"

#include "base/json_write.h"
#include "job/answer_cache.h"
#include "job/message.h"
#include "job/request_queue.h"

#include <assert.h>

// Address space for a line: its tree, the record of it, and what both take.
static const ptrdiff_t READING_BYTES = (ptrdiff_t)4 << 30;

typedef struct request_worker {
    const request_context *context;
    worker *port;
    score_seat seat;
    answer_cache known;
} request_worker;

// A line on its way to an answer.
typedef struct asked {
    int64_t line;
    str text;
    const json *object;
    int64_t timeout_ms;  // 0: as for all
    arena *a;
    arena scratch;
} asked;

// {"id":17, as the request has it; without one, {"line":3.
static buf begin_answer(const asked *q)
{
    buf b = buf_new(q->a);
    const json *id = json_get(q->object, S("id"));
    buf_char(&b, '{');
    if (id) {
        json_key(&b, S("id"));
        json_add(&b, id);
    } else {
        json_write(&b, member_int(S("line"), q->line));
    }
    return b;
}

static str error_answer(const asked *q, str what)
{
    buf b = begin_answer(q);
    if (json_get(q->object, S("id"))) {
        json_write(&b, member_int(S("line"), q->line));
    }
    json_write(&b, member_text(S("error"), what), json_end("}\n"));
    return buf_str(&b);
}

// `said` is an object without its end.
static str answer_of(const asked *q, str said)
{
    buf b = begin_answer(q);
    buf_char(&b, ',');
    buf_add(&b, str_skip(said, 1));
    buf_add(&b, S("}\n"));
    return buf_str(&b);
}

// Of all members but the id and the time that it may take: what that decides is
// not remembered.
static hash128 key_of(const asked *q)
{
    buf b = buf_new(q->a);
    buf_char(&b, '{');
    for (const json *m = q->object->child; m; m = m->next) {
        if (!str_equal(m->key, S("id")) && !str_equal(m->key, S("timeout"))) {
            json_key(&b, m->key);
            json_add(&b, m);
        }
    }
    return hash_bytes(buf_str(&b));
}

// The record that the line is. False with what is wrong.
static bool read_record(const request_worker *w,
                        const asked *q,
                        record *out,
                        str *error)
{
    dataset set;
    diag d = diag_new(q->a);
    file_map bytes = {.path = S("request"), .bytes = q->text};
    dataset_options options = {.role = DATASET_GOLD,
                               .format = FORMAT_JSONL,
                               .names = w->context->names};
    bool ok = dataset_open_bytes(&set, q->a, bytes, options, &d, q->scratch);
    *error = !ok && d.count > 0     ? d.messages.ptr[0].text
             : !ok                  ? S("it is not a request")
             : set.entries.len != 1 ? S("it is more than one request")
             : set.no_gold >= 0     ? S("it has no gold")
             : set.no_pred >= 0
                 ? S("it has no pred; null means that there is no prediction")
             : map_count(&set.models) > 0
                 ? S("pred contains the predictions of several models")
                 : (str){0};
    if (error->len > 0) {
        return false;
    }
    *out = dataset_record(&set, 0, q->a);
    if (out->id.len == 0) {
        out->id = arena_printf(q->a, "%lld", (long long)q->line);
    }
    return true;
}

// "timeout": seconds that a query may run, where that is less than for others.
static bool read_timeout(asked *q)
{
    const json *v = json_get(q->object, S("timeout"));
    bool is_number =
        v && (v->kind == JSON_KIND_INT || v->kind == JSON_KIND_REAL);
    bool is_limit = is_number && v->real >= 0.001 && v->real <= 1e6;
    q->timeout_ms = is_limit ? (int64_t)(v->real * 1000 + 0.5) : 0;
    return !v || is_limit;
}

// The context with the time limit of the request.
static const worker_context *limited(const asked *q, const worker_context *c)
{
    int64_t ms = q->timeout_ms;
    if (ms == 0 || ms >= c->engines->own.limits.timeout_ms) {
        return c;
    }
    worker_context *own = arena_new(q->a, worker_context, 1);
    scorer_engines *engines = arena_new(q->a, scorer_engines, 1);
    *engines = *c->engines;
    engines->own.limits.timeout_ms = ms;
    *own = *c;
    own->engines = engines;
    return own;
}

/* Pairs. */

// Two queries instead of a gold and a prediction, which may have such names
// beside them.
static bool is_pair(const json *object)
{
    return json_get(object, S("left")) && json_get(object, S("right"))
           && !json_get(object, S("gold")) && !json_get(object, S("pred"));
}

// The record with the left query as the gold, the right one as the prediction.
static bool read_pair(const asked *q, record *out, str *error)
{
    str sides[2] = {json_get_text(q->object, S("left")),
                    json_get_text(q->object, S("right"))};
    str *left = arena_new(q->a, str, 1);
    record_pred *right = arena_new(q->a, record_pred, 1);
    for (int i = 0; i < countof(sides); i++) {
        if (str_trim(sides[i]).len == 0) {
            *error = S("left and right must be two queries, each a string");
            return false;
        }
    }
    *left = sides[0];
    *right = (record_pred){.raw = sides[1], .sql = sides[1]};
    *out = (record){.id = arena_printf(q->a, "%lld", (long long)q->line),
                    .db = json_get_text(q->object, S("db")),
                    .golds = left,
                    .n_golds = 1,
                    .golds_are_final = true,
                    .preds = right,
                    .n_preds = 1,
                    .interaction = -1,
                    .turn = -1};
    return true;
}

static str answer_word_of(answer v)
{
    return v == ANSWER_YES  ? S("equivalent")
           : v == ANSWER_NO ? S("different")
                            : S("unknown");
}

// What is judged stays until the next case is.
static judged_case judge_case(request_worker *w,
                              const worker_context *c,
                              plan_case *it,
                              const work_request *request)
{
    arena a = arena_store_clear(&w->seat.cases);
    a.on_full = worker_memory_is_full;
    return score_seat_judge(&w->seat, c, it, request, &a);
}

// {"answer":"different","reason":...,"detail":...,"rows":...
static str pair_said(arena *a, const verdict *v)
{
    buf b = buf_new(a);
    json_write(&b, json_begin('{'),
               member_text(S("answer"), answer_word_of(v->v)),
               member_text_if_any(S("reason"), reason_word(v->reason)),
               member_text_if_any(S("detail"), v->detail),
               member_text_if_any(S("rows"), v->rows));
    return buf_str(&b);
}

static str check_pair(request_worker *w,
                      const asked *q,
                      const work_request *request,
                      hash128 key)
{
    record gold = {0};
    str error = {0};
    const worker_context *c = limited(q, &w->context->pair);
    if (!c->plan->has_source) {
        error = S("pairs need a database, and a metric that runs queries");
    }
    if (error.len > 0 || !read_pair(q, &gold, &error)) {
        return error_answer(q, error);
    }
    plan_case it = plan_case_of(c->plan, gold, q->a, q->scratch);
    judged_case judged = judge_case(w, c, &it, request);
    assert(judged.by_run[0].n_verdicts == 1);
    const verdict *v = &judged.by_run[0].verdicts[0].verdict;
    str said = pair_said(q->a, v);
    // What is unknown may be so for want of time.
    if (v->v != ANSWER_UNKNOWN) {
        answer_cache_add(&w->known, key, said);
    }
    return answer_of(q, said);
}

/* Predictions. */

// Did the clock, not the query, decide?
static bool is_late(const scored_pred *pred)
{
    bool is_late = pred->status == REASON_TIMEOUT;
    for (ptrdiff_t i = 0; i < pred->n_verdicts; i++) {
        is_late |= pred->verdicts[i].verdict.reason == REASON_TIMEOUT;
    }
    return is_late;
}

// Would it be the same another time?
static bool is_lasting(const judged_case *judged)
{
    reason gold = judged->scored.gold_status;
    reason pred = judged->by_run[0].status;
    bool lasts = gold != REASON_TIMEOUT && !reason_is_passing(gold)
                 && !reason_is_passing(pred);
    for (ptrdiff_t i = 0; lasts && i < judged->scored.n_preds; i++) {
        lasts = !is_late(&judged->scored.preds[i]);
    }
    return lasts && !is_late(&judged->by_run[0]);
}

static str judge(request_worker *w,
                 const asked *q,
                 const work_request *request,
                 hash128 key)
{
    record gold = {0};
    str error = {0};
    if (!read_record(w, q, &gold, &error)) {
        return error_answer(q, error);
    }
    const worker_context *c = limited(
        q, gold.n_preds > 1 ? &w->context->several : &w->context->single);
    plan_case it = plan_case_of(c->plan, gold, q->a, q->scratch);
    judged_case judged = judge_case(w, c, &it, request);
    journal_samples samples = judged_samples(&judged, 0);
    buf said = buf_new(q->a);
    buf_char(&said, '{');
    journal_answer_add(&said, &it.gold, it.preds[0].ptr, &judged.scored,
                       &judged.by_run[0], &samples, c->times);
    if (is_lasting(&judged)) {
        answer_cache_add(&w->known, key, buf_str(&said));
    }
    return answer_of(q, buf_str(&said));
}

static str answer_line(request_worker *w, const work_request *request, asked q)
{
    json_error error = {0};
    const json *object = json_parse(q.a, q.text, &error);
    if (!object) {
        return error_answer(&q, arena_printf(q.a, "column %td: %s",
                                             error.offset + 1, error.message));
    }
    if (object->kind != JSON_KIND_OBJECT) {
        return error_answer(&q, S("a request must be an object: {\"id\", "
                                  "\"db\", \"gold\", \"pred\"}"));
    }
    q.object = object;
    if (!read_timeout(&q)) {
        return error_answer(
            &q,
            S("timeout must be a number of seconds from 0.001 to a million"));
    }
    hash128 key = key_of(&q);
    str known =
        request->n_deaths == 0 ? answer_cache_find(&w->known, key) : (str){0};
    if (known.len > 0) {
        return answer_of(&q, known);
    }
    worker_send(w->port);
    return is_pair(object) ? check_pair(w, &q, request, key)
                           : judge(w, &q, request, key);
}

static void request_serve(worker *port,
                          const work_request *request,
                          void *reply)
{
    const request_line *it = port->asked;
    str *out = reply;
    arena a = port->memory[0];
    asked q = {.line = it->number,
               .text = it->text,
               .a = &a,
               .scratch = arena_half(&a)};
    *out = answer_line(port->state, request, q);
}

static void *request_open(const void *context, worker *port)
{
    request_worker *w = arena_new(&port->lasting, request_worker, 1);
    w->context = context;
    w->port = port;
    const worker_context *seat = w->context->single.plan->has_source
                                     ? &w->context->widest
                                     : &w->context->single;
    bool ok =
        answer_cache_open(&w->known) && score_seat_open(&w->seat, seat, port);
    return ok ? w : NULL;
}

worker_call request_worker_call(const request_context *c)
{
    return (worker_call){.context = c,
                         .asked = &message_request_line,
                         .answer = &codec_text,
                         .rights = score_seat_rights(c->single.plan),
                         .n_arenas = 1,
                         .arena_bytes = READING_BYTES,
                         .open = request_open,
                         .serve = request_serve};
}
