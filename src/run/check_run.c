/*
 * check_run.c - see check_run.h.
 *
 * Method      Worker k of n takes the blocks k, k + n, ... of pairs, in order,
 *             and writes its answers to a file without a name. When all are
 *             done the files are read side by side. A worker that died left
 *             the pairs before the deadly one answered: that one becomes
 *             unknown, and a successor goes on behind it.
 */
#define _DEFAULT_SOURCE  // P_tmpdir
#include "run/check_run.h"

#include "base/file.h"
#include "prove/solver.h"
#include "run/sandbox.h"
#include "table/verdict.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BLOCK = 8,          // pairs that go to one worker together
    MAX_CHECKERS = 64,  // schemas that a worker holds open
    MAX_WORKERS = 256,
    PAIR_SECONDS = 120,  // wall clock, a safety net behind all limits
};

static const ptrdiff_t CHECKER_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t LASTING_BYTES = (ptrdiff_t)1 << 20;
static const ptrdiff_t PAIR_BYTES = (ptrdiff_t)4 << 30;

// What stands before each text in a worker's file.
typedef struct answer_head {
    int64_t item;
    int64_t size;
    int32_t answer;
    int32_t is_broken;
} answer_head;

// What a worker process holds.
typedef struct check_worker {
    const check_job *job;
    check_options options;
    FILE *out;
    arena_store lasting;
    arena_store store;  // of the checkers
    arena a;
    checker **checkers;  // by schema
    str *problems;       // why there is none
    ptrdiff_t n_open;
    arena_store results;
    arena_store scratch;
} check_worker;

static void forget_checkers(check_worker *w)
{
    ptrdiff_t n = w->job->pairs->schemas.len;
    for (ptrdiff_t i = 0; w->checkers && i < n; i++) {
        checker_close(w->checkers[i]);
    }
    w->a = arena_store_clear(&w->store);
    w->checkers = arena_new(&w->a, checker *, n);
    w->problems = arena_new(&w->a, str, n);
    w->n_open = 0;
}

static checker *checker_of(check_worker *w, int32_t no, arena scratch)
{
    if (!w->checkers[no] && w->problems[no].len == 0) {
        if (w->n_open == MAX_CHECKERS) {
            forget_checkers(w);
        }
        diag d = diag_new(&w->a);
        const check_schema *s = &w->job->pairs->schemas.ptr[no];
        check_options options = w->options;
        options.scratch_url = s->url;
        w->checkers[no] = checker_open(&w->a, s->schema, &options, &d, scratch);
        w->n_open++;
        if (!w->checkers[no]) {
            w->problems[no] = d.messages.len > 0 ? d.messages.ptr[0].text
                                                 : S("it cannot be used");
        }
    }
    return w->checkers[no];
}

static check_verdict broken(reason why, str detail)
{
    return (check_verdict){
        .answer = CHECK_UNKNOWN,
        .evidence = EVIDENCE_BOUND,
        .reason = reason_word(why),
        .detail = detail,
    };
}

static bool write_answer(FILE *out,
                         int64_t no,
                         const check_verdict *v,
                         bool is_broken,
                         str text)
{
    answer_head head = {no, text.len, (int32_t)v->answer, is_broken};
    return fwrite(&head, sizeof head, 1, out) == 1
           && fwrite(text.ptr, 1, (size_t)text.len, out) == (size_t)text.len
           && fflush(out) == 0;
}

static void check_one(check_worker *w, ptrdiff_t no)
{
    const check_item *item = &w->job->pairs->items.ptr[no];
    arena a = arena_store_clear(&w->results);
    arena scratch = arena_store_clear(&w->scratch);
    alarm(PAIR_SECONDS);
    str problem = item->problem;
    checker *c = problem.len == 0 ? checker_of(w, item->schema, scratch) : NULL;
    problem = c || problem.len > 0 ? problem : w->problems[item->schema];
    check_verdict v =
        c ? checker_pair(c, item->left, item->right, item->dialect, &a, scratch)
          : broken(REASON_NO_DATABASE, problem);
    buf text = buf_new(&a);
    w->job->format(w->job->context, item, &v, &text, scratch);
    if (!write_answer(w->out, no, &v, !c, buf_str(&text))) {
        _exit(1);
    }
}

// Where a worker goes on behind pair `no`; the number of pairs at the end.
static ptrdiff_t item_after(const check_job *job, ptrdiff_t no)
{
    ptrdiff_t next = no + 1;
    if (next % BLOCK == 0) {
        next += BLOCK * (job->n_workers - 1);
    }
    return next < job->pairs->items.len ? next : job->pairs->items.len;
}

static bool asks_server(const check_pairs *pairs)
{
    bool asks = false;
    for (ptrdiff_t i = 0; i < pairs->schemas.len; i++) {
        asks |= pairs->schemas.ptr[i].url.len > 0;
    }
    return asks;
}

// A worker reads no file but the libraries that a solver needs.
static void lock_in(const check_job *job)
{
    const char *const libraries[] = {
        "/usr/lib",         "/usr/local/lib", "/lib", "/lib64",
        "/etc/ld.so.cache", solver_file(),    NULL,
    };
    sandbox_enter((sandbox_rights){
        .may_connect = asks_server(job->pairs),
        .also = job->uses_solver ? libraries : NULL,
    });
}

static _Noreturn void serve(const check_job *job, FILE *out, ptrdiff_t first)
{
    check_worker w = {.job = job, .out = out, .options = job->options};
    if (!arena_store_open(&w.store, CHECKER_BYTES)
        || !arena_store_open(&w.lasting, LASTING_BYTES)
        || !arena_store_open(&w.results, PAIR_BYTES)
        || !arena_store_open(&w.scratch, PAIR_BYTES)) {
        _exit(1);
    }
    arena lasting = arena_store_clear(&w.lasting);
    if (job->uses_solver) {
        w.options.solver = solver_new(&lasting, solver_default_limits());
    }
    lock_in(job);
    forget_checkers(&w);
    for (ptrdiff_t i = first; i < job->pairs->items.len;
         i = item_after(job, i)) {
        check_one(&w, i);
    }
    _exit(0);
}

typedef struct check_process {
    FILE *file;
    pid_t pid;       // 0: not running
    ptrdiff_t next;  // the first pair without an answer
} check_process;

static bool start(const check_job *job, check_process *p, diag *d)
{
    fflush(NULL);
    fseek(p->file, 0, SEEK_END);
    p->pid = fork();
    if (p->pid == 0) {
        serve(job, p->file, p->next);
    }
    return p->pid > 0
           || diag_add(d, (diag_place){0}, "cannot start a worker: %s",
                       strerror(errno));
}

// How far the answers in the worker's file reach.
static void find_end(const check_job *job, check_process *p, ptrdiff_t first)
{
    answer_head head;
    long end = 0;
    p->next = first;
    rewind(p->file);
    while (fread(&head, sizeof head, 1, p->file) == 1
           && fseek(p->file, (long)head.size, SEEK_CUR) == 0) {
        long at = ftell(p->file);
        fseek(p->file, 0, SEEK_END);
        if (ftell(p->file) < at) {
            break;  // the last answer was cut off
        }
        fseek(p->file, at, SEEK_SET);
        end = at;
        p->next = item_after(job, head.item);
    }
    fflush(p->file);
    if (ftruncate(fileno(p->file), end) == 0) {
        fseek(p->file, 0, SEEK_END);
    }
}

// Gives the pair that killed a worker its answer.
static bool bury(const check_job *job, check_process *p, int status, arena a)
{
    bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    check_verdict v =
        broken(late ? REASON_TIMEOUT : REASON_CRASH,
               late ? S("the pair took more than two minutes")
                    : S("the process that checked the pair died"));
    const check_item *item = &job->pairs->items.ptr[p->next];
    arena scratch = a;
    char *room = arena_new(&scratch, char, 1 << 20);
    arena texts = {.next = room, .end = room + (1 << 20)};
    buf text = buf_new(&texts);
    job->format(job->context, item, &v, &text, scratch);
    bool ok = write_answer(p->file, p->next, &v, true, buf_str(&text));
    p->next = item_after(job, p->next);
    return ok;
}

// Runs one worker's share to its end.
static bool finish(const check_job *job,
                   check_process *p,
                   ptrdiff_t first,
                   diag *d,
                   arena a)
{
    for (;;) {
        int status = 0;
        while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
        }
        find_end(job, p, first);
        if (p->next >= job->pairs->items.len) {
            return true;
        }
        if (!bury(job, p, status, a)) {
            return diag_add(d, (diag_place){0}, "cannot write an answer: %s",
                            strerror(errno));
        }
        if (p->next >= job->pairs->items.len) {
            return true;
        }
        if (!start(job, p, d)) {
            return false;
        }
    }
}

// Hands the answers on in the order of the pairs.
static bool hand_on(const check_job *job,
                    check_process *processes,
                    check_tally *tally,
                    bool (*take)(void *context, str text),
                    arena a)
{
    for (ptrdiff_t k = 0; k < job->n_workers; k++) {
        rewind(processes[k].file);
    }
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < job->pairs->items.len; i++) {
        FILE *file = processes[i / BLOCK % job->n_workers].file;
        arena scratch = a;
        answer_head head;
        ok = fread(&head, sizeof head, 1, file) == 1;
        if (!ok) {
            break;
        }
        char *text = arena_new(&scratch, char, head.size);
        ok = fread(text, 1, (size_t)head.size, file) == (size_t)head.size
             && take(job->context, (str){text, head.size});
        tally->answers[head.answer]++;
        tally->n_broken += head.is_broken;
    }
    return ok;
}

bool check_run(const check_job *given,
               check_tally *tally,
               bool (*take)(void *context, str text),
               diag *d,
               arena a)
{
    check_job job = *given;
    ptrdiff_t blocks = (job.pairs->items.len + BLOCK - 1) / BLOCK;
    ptrdiff_t most = blocks < MAX_WORKERS ? blocks : MAX_WORKERS;
    job.n_workers = job.n_workers < most ? job.n_workers : most;
    job.n_workers = job.n_workers < 1 ? 1 : job.n_workers;
    check_process *processes = arena_new(&a, check_process, job.n_workers);
    bool ok = true;
    *tally = (check_tally){0};
    for (ptrdiff_t k = 0; ok && k < job.n_workers; k++) {
        processes[k] = (check_process){.file = tmpfile(), .next = k * BLOCK};
        ok = processes[k].file ? start(&job, &processes[k], d)
                               : diag_add(d, (diag_place){0},
                                          "cannot make a temporary file: %s",
                                          strerror(errno));
    }
    for (ptrdiff_t k = 0; ok && k < job.n_workers; k++) {
        ok = job.pairs->items.len == 0
             || finish(&job, &processes[k], k * BLOCK, d, a);
    }
    ok = ok && hand_on(&job, processes, tally, take, a);
    for (ptrdiff_t k = 0; k < job.n_workers; k++) {
        if (processes[k].file) {
            fclose(processes[k].file);
        }
    }
    return ok;
}
