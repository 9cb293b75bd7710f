/*
 * worker.c - read a request, judge the case, answer; for ever.
 *
 * Method      Requests come in bursts; answers are collected and sent when no
 *             request is waiting or when there is much to send. A worker that
 *             is killed loses the answers it had not sent yet: the parent asks
 *             another worker for those cases again.
 */
#include "job/worker.h"

#include "base/clock.h"
#include "job/lint.h"
#include "score/score_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    FLUSH_BYTES = 64 << 10,
    FLUSH_NS = 50 * 1000 * 1000,
    FORGET_EVERY = 2048,  // cases
};

// Address space for answers: the longest line a case can have, many times.
static const ptrdiff_t ANSWER_STORE_BYTES = (ptrdiff_t)4 << 30;

static _Noreturn void worker_exit(int status)
{
    _exit(status);
}

static void memory_is_full(void)
{
    worker_exit(WORKER_EXIT_MEMORY);
}

// Answers on their way to the parent: whole cases only.
typedef struct answer_stream {
    int fd;
    buf out;
    int64_t sent_ns;  // when it was last empty
} answer_stream;

static void send_all(answer_stream *s)
{
    str rest = buf_str(&s->out);
    while (rest.len > 0) {
        ssize_t n = write(s->fd, rest.ptr, (size_t)rest.len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            worker_exit(WORKER_EXIT_OK);  // the parent is gone
        }
        rest = str_skip(rest, n);
    }
    s->out.len = 0;
    s->sent_ns = clock_ns();
}

// Also called while a query runs: what is finished is not to wait behind one
// that runs long.
static void send_late(void *context)
{
    answer_stream *s = context;
    if (s->out.len > FLUSH_BYTES
        || (s->out.len > 0 && clock_ns() - s->sent_ns > FLUSH_NS)) {
        send_all(s);
    }
}

// The evaluator of Spider reads a line as it is, up to the first TAB.
static score_pred pred_text(const plan_run *run, const record_pred *pred)
{
    if (!pred) {
        return (score_pred){0};
    }
    bool is_line = !run->is_in_gold
                   && (run->set.format == FORMAT_LINES
                       || run->set.format == FORMAT_SPIDER_TEXT);
    str rest = pred->raw;
    str line = is_line ? str_cut(&rest, '\t') : pred->sql;
    return (score_pred){.sql = pred->sql, .raw = pred->raw, .line = line};
}

// The predictions of a case as texts to judge, and which run has which.
typedef struct case_texts {
    struct {
        score_pred *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } preds;
    score_samples *runs;
} case_texts;

static bool is_same_text(const score_options *o,
                         const score_pred *one,
                         const score_pred *other)
{
    return str_equal(one->sql, other->sql) && str_equal(one->line, other->line)
           && (!o->text_as_sql_eval || str_equal(one->raw, other->raw));
}

// Equal samples of a run are one text.
static score_samples samples_of(const worker_context *c,
                                ptrdiff_t run,
                                const plan_preds *preds,
                                case_texts *texts,
                                arena *a)
{
    ptrdiff_t n = preds->n > 0 ? preds->n : 1;
    n = c->options->n_pass_at > 0 ? n : 1;
    ptrdiff_t first = texts->preds.len;
    int32_t *at = arena_new(a, int32_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        const record_pred *pred = i < preds->n ? &preds->ptr[i] : NULL;
        score_pred text = pred_text(&c->plan->runs[run], pred);
        ptrdiff_t k = first;
        while (k < texts->preds.len
               && !is_same_text(c->options, &texts->preds.ptr[k], &text)) {
            k++;
        }
        if (k == texts->preds.len) {
            *vec_push(a, &texts->preds) = text;
        }
        at[i] = (int32_t)k;
    }
    return (score_samples){at, n, preds->n == 0};
}

static case_texts texts_of(const worker_context *c,
                           const plan_case *it,
                           arena *a)
{
    ptrdiff_t n = c->plan->n_runs;
    case_texts texts = {.runs = arena_new(a, score_samples, n)};
    for (ptrdiff_t k = 0; k < n; k++) {
        texts.runs[k] = samples_of(c, k, &it->preds[k], &texts, a);
    }
    return texts;
}

// Judges the case and returns its journal lines, one a run. They go out only
// when they are complete: while a query runs, what is in `out` may be sent.
static str lines_of(const worker_context *c,
                    scorer *s,
                    const plan_case *it,
                    const score_task *task,
                    int32_t case_no,
                    arena *a)
{
    buf lines = {0};
    if (c->options->audits_golds) {
        lint_list found = scorer_lint(s, task, a);
        int64_t line = c->plan->gold.entries.ptr[case_no].line;
        lines = buf_new(a);
        lint_line_add(&lines, &it->gold, line, &found);
        return buf_str(&lines);
    }
    scored_case scored = scorer_case(s, task, a);
    scored_pred *judged = arena_new(a, scored_pred, task->n_runs);
    for (ptrdiff_t k = 0; k < task->n_runs; k++) {
        judged[k] = score_with_samples(&scored, task, k, c->options, a);
    }
    lines = buf_new(a);
    for (ptrdiff_t k = 0; k < task->n_runs; k++) {
        const plan_preds *preds = &it->preds[k];
        journal_samples samples = {&task->runs[k],
                                   scored.votes ? &scored.votes[k] : NULL};
        journal_line_add(&lines, c->plan->runs[k].name, &it->gold,
                         preds->n > 0 ? &preds->ptr[0] : NULL, &scored,
                         &judged[k], &samples, c->times);
    }
    return buf_str(&lines);
}

static void judge(const worker_context *c,
                  scorer *s,
                  const worker_request *request,
                  buf *out,
                  arena *a)
{
    plan_case it = plan_case_at(c->plan, request->case_no, a);
    case_texts texts = texts_of(c, &it, a);
    score_task task = {
        .gold = &it.gold,
        .preds = texts.preds.ptr,
        .n_preds = texts.preds.len,
        .runs = texts.runs,
        .n_runs = c->plan->n_runs,
        .path = it.path,
        .path_error = it.path_error,
        .keys = it.keys,
        .suite = it.suite,
        .deaths = request->deaths,
        .n_deaths = request->n_deaths,
    };
    watch_case(s->watch, request->case_no);
    str lines = lines_of(c, s, &it, &task, request->case_no, a);
    worker_answer header = {request->case_no, (int32_t)lines.len};
    buf_add(out, (str){(const char *)&header, sizeof header});
    buf_add(out, lines);
}

// Reads at least one whole request into the buffer; false at the end.
static bool receive(int fd, char *buffer, ptrdiff_t size, ptrdiff_t *have)
{
    while (*have < (ptrdiff_t)sizeof(worker_request)) {
        ssize_t n = read(fd, buffer + *have, (size_t)(size - *have));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        *have += n;
    }
    return true;
}

static void serve_requests(const worker_context *c,
                           answer_stream *answers,
                           scorer *s,
                           arena_store *cases)
{
    enum {
        SIZE = 64 * (int)sizeof(worker_request)
    };
    char buffer[SIZE];
    ptrdiff_t have = 0;
    ptrdiff_t n_cases = 0;
    while (receive(answers->fd, buffer, SIZE, &have)) {
        ptrdiff_t at = 0;
        for (; have - at >= (ptrdiff_t)sizeof(worker_request);
             at += (ptrdiff_t)sizeof(worker_request)) {
            worker_request request;
            memcpy(&request, buffer + at, sizeof request);
            if (!watch_claim(s->watch, request.slot)) {
                continue;
            }
            arena a = arena_store_clear(cases);
            a.on_full = memory_is_full;
            judge(c, s, &request, &answers->out, &a);
            send_late(answers);
            if (++n_cases % FORGET_EVERY == 0) {
                plan_forget(c->plan);
            }
        }
        have -= at;
        memmove(buffer, buffer + at, (size_t)have);
        send_all(answers);
    }
}

_Noreturn void worker_serve(const worker_context *c, int fd, watch *w)
{
    signal(SIGPIPE, SIG_IGN);
    tzset();  // reads its file now, while files can be read
    arena_store cases = {0};
    arena_store answers = {0};
    scorer s = {0};
    char note[4096];
    arena note_arena = {.next = note, .end = note + sizeof note};
    diag d = diag_new(&note_arena);
    if (!arena_store_open(&cases, scorer_arena_bytes(c->options))
        || !arena_store_open(&answers, ANSWER_STORE_BYTES)
        || !scorer_open(&s, c->options, &d)) {
        worker_exit(WORKER_EXIT_SETUP);
    }
    const source *from = c->plan->has_source ? &c->plan->source : NULL;
    sandbox_rights rights = {
        .readable = from && from->readable.len > 0 ? from->readable.ptr : NULL,
        .also = from ? engine_driver_files(from->driver) : NULL,
        .suite = c->plan->has_suites ? c->plan->suites.folder.ptr : NULL,
        .may_connect = from && engine_driver_is_server(from->driver),
    };
    sandbox box = {0};
    sandbox_limit_memory(&box, c->options->engine.limits.max_bytes);
    sandbox_enter(rights);
    s.watch = w;
    s.sandbox = &box;
    s.on_full = memory_is_full;
    arena answer_arena = arena_store_clear(&answers);
    answer_arena.on_full = memory_is_full;
    answer_stream stream = {fd, buf_new(&answer_arena), clock_ns()};
    if (s.engine) {
        engine_set_tick(s.engine, send_late, &stream);
    }
    serve_requests(c, &stream, &s, &cases);
    worker_exit(WORKER_EXIT_OK);
}
