/*
 * check_run.c - see check_run.h.
 *
 * Method      Worker k of n takes the blocks k, k + n, ... of pairs, in order,
 *             writes its answers to a file without a name and rings a bell, a
 *             pipe that all share. The parent takes the answers out of the
 *             files in the order of the pairs as they come. A worker that died
 *             left the pairs before the deadly one answered: that one becomes
 *             unknown, and a successor goes on behind it.
 */
#define _DEFAULT_SOURCE  // P_tmpdir
#include "job/check_run.h"

#include "base/file.h"
#include "process/sandbox.h"
#include "prove/solver.h"
#include "table/verdict.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BLOCK = 8,          // pairs that go to one worker together
    MAX_CHECKERS = 64,  // schemas that a worker holds open
    MAX_WORKERS = 256,
    PAIR_SECONDS = 120,  // wall clock, a safety net behind all limits
    GRACE_SECONDS = 3,   // with --seconds, what it may take longer
    WAIT_MS = 100,
    BELL_BYTES = 4096,
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
    int bell;
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

// One call of one function of the engine can run on, whatever its limits say:
// then only the end of the process helps.
static unsigned seconds_for(const check_job *job)
{
    int64_t ms = job->options.timeout_ms;
    int64_t most = ms > 0 ? 2 * ms / 1000 + GRACE_SECONDS : PAIR_SECONDS;
    return (unsigned)(most < PAIR_SECONDS ? most : PAIR_SECONDS);
}

static void check_one(check_worker *w, ptrdiff_t no)
{
    const check_item *item = &w->job->pairs->items.ptr[no];
    arena a = arena_store_clear(&w->results);
    arena scratch = arena_store_clear(&w->scratch);
    alarm(seconds_for(w->job));
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
    // A full bell is heard as well.
    ssize_t rung = write(w->bell, "", 1);
    (void)rung;
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

typedef struct check_process {
    FILE *file;
    pid_t pid;        // 0: not running
    ptrdiff_t first;  // its first pair
    ptrdiff_t next;   // the first pair without an answer
    off_t taken;      // bytes of the file that were handed on
} check_process;

// A run, in the parent.
typedef struct run_state {
    const check_job *job;
    check_process *processes;
    check_tally *tally;
    int bell[2];
    int signals;
    sigset_t before;     // signals that were blocked
    ptrdiff_t n_handed;  // pairs whose answers were handed on
    ptrdiff_t n_rung;    // answers that were heard of
    check_take *take;
    diag *d;
    arena a;
} run_state;

static _Noreturn void serve(const run_state *r, const check_process *p)
{
    check_worker w = {.job = r->job,
                      .out = p->file,
                      .bell = r->bell[1],
                      .options = r->job->options};
    // The signals that stop a run stay blocked: they reach the whole group, and
    // a worker that died of them would look like one that its pair had killed.
    close(r->signals);
    if (!arena_store_open(&w.store, CHECKER_BYTES)
        || !arena_store_open(&w.lasting, LASTING_BYTES)
        || !arena_store_open(&w.results, PAIR_BYTES)
        || !arena_store_open(&w.scratch, PAIR_BYTES)) {
        _exit(1);
    }
    arena lasting = arena_store_clear(&w.lasting);
    if (w.job->uses_solver) {
        w.options.solver = solver_new(&lasting, solver_default_limits());
    }
    lock_in(w.job);
    forget_checkers(&w);
    for (ptrdiff_t i = p->next; i < w.job->pairs->items.len;
         i = item_after(w.job, i)) {
        check_one(&w, i);
    }
    _exit(0);
}

static bool start(run_state *r, check_process *p)
{
    fflush(NULL);
    fseek(p->file, 0, SEEK_END);
    p->pid = fork();
    if (p->pid == 0) {
        serve(r, p);
    }
    return p->pid > 0
           || diag_add(r->d, (diag_place){0}, "cannot start a worker: %s",
                       strerror(errno));
}

// How far the answers in the worker's file reach.
static void find_end(const check_job *job, check_process *p)
{
    answer_head head;
    long end = 0;
    p->next = p->first;
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
static bool bury(run_state *r, check_process *p, int status)
{
    const check_job *job = r->job;
    bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    check_verdict v =
        broken(late ? REASON_TIMEOUT : REASON_CRASH,
               late ? S("one step of a query would not end")
                    : S("the process that checked the pair died"));
    const check_item *item = &job->pairs->items.ptr[p->next];
    arena scratch = r->a;
    char *room = arena_new(&scratch, char, 1 << 20);
    arena texts = {.next = room, .end = room + (1 << 20)};
    buf text = buf_new(&texts);
    job->format(job->context, item, &v, &text, scratch);
    bool ok = write_answer(p->file, p->next, &v, !late, buf_str(&text));
    p->next = item_after(job, p->next);
    return ok
           || diag_add(r->d, (diag_place){0}, "cannot write an answer: %s",
                       strerror(errno));
}

// Workers that ended; who died gets a successor.
static bool look_after(run_state *r)
{
    ptrdiff_t n = r->job->pairs->items.len;
    bool ok = true;
    for (ptrdiff_t k = 0; ok && k < r->job->n_workers; k++) {
        check_process *p = &r->processes[k];
        int status = 0;
        if (p->pid == 0 || waitpid(p->pid, &status, WNOHANG) != p->pid) {
            continue;
        }
        p->pid = 0;
        find_end(r->job, p);
        ok = p->next >= n || bury(r, p, status);
        ok = ok && (p->next >= n || start(r, p));
    }
    return ok;
}

static bool read_at(FILE *file, void *to, int64_t size, off_t from)
{
    for (int64_t done = 0; done < size;) {
        ssize_t n = pread(fileno(file), (char *)to + done,
                          (size_t)(size - done), from + done);
        if (n <= 0) {
            return false;
        }
        done += n;
    }
    return true;
}

// Hands on the next answer in the order of the pairs; false when it is not
// there yet, or with *ok false when nobody wants more.
static bool hand_on(run_state *r, bool *ok)
{
    ptrdiff_t no = r->n_handed;
    check_process *p = &r->processes[no / BLOCK % r->job->n_workers];
    answer_head head;
    arena scratch = r->a;
    if (!read_at(p->file, &head, sizeof head, p->taken)) {
        return false;
    }
    char *text = arena_new(&scratch, char, head.size);
    if (!read_at(p->file, text, head.size, p->taken + (off_t)sizeof head)) {
        return false;
    }
    p->taken += (off_t)sizeof head + head.size;
    r->n_handed++;
    r->tally->answers[head.answer]++;
    r->tally->n_broken += head.is_broken;
    r->tally->n_checked++;
    *ok = r->take(r->job->context, (str){text, head.size});
    return *ok;
}

// One round; false when a signal asks to stop.
static bool turn(run_state *r, bool *ok)
{
    char rings[BELL_BYTES];
    struct pollfd fds[] = {
        {.fd = r->signals, .events = POLLIN},
        {.fd = r->bell[0], .events = POLLIN},
    };
    poll(fds, countof(fds), WAIT_MS);
    if (fds[1].revents & POLLIN) {
        ssize_t n = read(r->bell[0], rings, sizeof rings);
        r->n_rung += n > 0 ? n : 0;
    }
    *ok = look_after(r);
    while (*ok && r->n_handed < r->job->pairs->items.len && hand_on(r, ok)) {
    }
    if (r->job->idle) {
        r->job->idle(r->job->context, r->n_rung, r->job->pairs->items.len);
    }
    return !(fds[0].revents & POLLIN);
}

static bool open_run(run_state *r)
{
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &r->before);
    r->signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    bool ok = pipe(r->bell) == 0
              || diag_add(r->d, (diag_place){0}, "cannot make a pipe: %s",
                          strerror(errno));
    for (int i = 0; ok && i < 2; i++) {
        fcntl(r->bell[i], F_SETFL, O_NONBLOCK);
    }
    for (ptrdiff_t k = 0; ok && k < r->job->n_workers; k++) {
        check_process *p = &r->processes[k];
        *p = (check_process){
            .file = tmpfile(), .first = k * BLOCK, .next = k * BLOCK};
        ok = p->file ? start(r, p)
                     : diag_add(r->d, (diag_place){0},
                                "cannot make a temporary file: %s",
                                strerror(errno));
    }
    return ok;
}

static void close_run(run_state *r, bool was_interrupted)
{
    for (ptrdiff_t k = 0; k < r->job->n_workers; k++) {
        check_process *p = &r->processes[k];
        if (p->pid > 0) {
            kill(p->pid, SIGKILL);
            waitpid(p->pid, NULL, 0);
        }
        if (p->file) {
            fclose(p->file);
        }
    }
    close(r->bell[0]);
    close(r->bell[1]);
    close(r->signals);
    // Who interrupts once may do so twice; what was checked is to be written.
    if (!was_interrupted) {
        sigprocmask(SIG_SETMASK, &r->before, NULL);
    }
}

check_end check_run(const check_job *job,
                    check_tally *tally,
                    check_take *take,
                    diag *d,
                    arena a)
{
    check_job own = *job;
    ptrdiff_t n = own.pairs->items.len;
    ptrdiff_t blocks = (n + BLOCK - 1) / BLOCK;
    ptrdiff_t most = blocks < MAX_WORKERS ? blocks : MAX_WORKERS;
    *tally = (check_tally){0};
    if (n == 0) {
        return CHECK_RUN_DONE;
    }
    own.n_workers = own.n_workers < most ? own.n_workers : most;
    own.n_workers = own.n_workers < 1 ? 1 : own.n_workers;
    run_state r = {
        .job = &own, .tally = tally, .bell = {-1, -1}, .take = take, .d = d};
    r.processes = arena_new(&a, check_process, own.n_workers);
    r.a = a;
    bool ok = open_run(&r);
    bool goes_on = true;
    while (ok && goes_on && r.n_handed < n) {
        goes_on = turn(&r, &ok);
    }
    close_run(&r, !goes_on);
    return !goes_on ? CHECK_RUN_INTERRUPTED
           : ok     ? CHECK_RUN_DONE
                    : CHECK_RUN_FAILED;
}
