/*
 * pool.c - see pool.h.
 *
 * Method      One socket pair a worker. Up to WINDOW requests are under way to
 *             each, so that it never waits for us; an answer makes room for
 *             the next. The end of the stream means that the worker died:
 *             what its watch page says is added to the request as a death, and
 *             all that it held is asked again. A query is not run again, a
 *             metric not judged again. What kills twice all the same is
 *             given up; a case that kills without saying where is given up as
 *             a whole.
 */
#define _GNU_SOURCE  // close_range
#include "job/pool.h"

#include "base/clock.h"
#include "job/schedule.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WINDOW = WATCH_SLOTS,
    MAX_WORKERS = 256,
    POLL_MS = 20,
    READ_BYTES = 256 << 10,
};

static const ptrdiff_t INPUT_STORE_BYTES = (ptrdiff_t)8 << 30;

typedef struct pool_worker {
    pid_t pid;  // 0: not running
    int fd;
    int32_t queue;
    watch *watch;
    worker_request held[WINDOW];  // oldest first
    ptrdiff_t n_held;
    arena_store store;
    arena input_arena;
    buf input;  // answers, not yet complete
    bool was_killed;
} pool_worker;

typedef struct request_list {
    worker_request *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} request_list;

typedef struct pool {
    const pool_job *job;
    schedule schedule;
    request_list again;  // asked before, to be asked again: last first
    pool_worker *workers;
    ptrdiff_t n_workers;
    watch *watches;  // one page's worth, shared with the workers
    int signals;     // signalfd
    ptrdiff_t n_answered;
    ptrdiff_t n_lost;
    bool sink_refused;
    bool cannot_start;
    diag *d;
    arena *a;
} pool;

static bool worker_start(pool *p, pool_worker *w)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return diag_add(p->d, (diag_place){0}, "cannot make a socket pair: %s",
                        strerror(errno));
    }
    watch_reset(w->watch);
    pid_t pid = fork();
    if (pid < 0) {
        close(pair[0]);
        close(pair[1]);
        return diag_add(p->d, (diag_place){0}, "cannot start a worker: %s",
                        strerror(errno));
    }
    if (pid == 0) {
        // Nothing of the parent's is for the worker, but the plan in memory.
        int fd = dup2(pair[1], STDERR_FILENO + 1);
        close_range((unsigned)fd + 1, ~0u, 0);
        worker_serve(p->job->context, fd, w->watch);
    }
    close(pair[1]);
    w->pid = pid;
    w->fd = pair[0];
    w->queue = SCHEDULE_NO_QUEUE;
    w->was_killed = false;
    w->n_held = 0;
    w->input_arena = arena_store_clear(&w->store);
    w->input = buf_new(&w->input_arena);
    return true;
}

// There is work left.
static void take_request(pool *p, pool_worker *w, worker_request *out)
{
    *out = p->again.len > 0
               ? p->again.ptr[--p->again.len]
               : (worker_request){.case_no =
                                      schedule_next(&p->schedule, &w->queue)};
}

static ptrdiff_t work_left(const pool *p)
{
    return p->again.len + p->schedule.n_left;
}

// How many requests a worker may hold: fewer towards the end, so that all
// workers end together.
static ptrdiff_t window(const pool *p)
{
    ptrdiff_t share = work_left(p) / (2 * p->n_workers);
    return share < 1 ? 1 : share < WINDOW ? share : WINDOW;
}

// Fills the worker's window. A write that fails means that it died: its end of
// stream will be seen.
static void feed(pool *p, pool_worker *w)
{
    worker_request batch[WINDOW];
    ptrdiff_t n = 0;
    ptrdiff_t most = window(p);
    // A case that killed before goes alone: nobody waits behind it.
    while (w->n_held < most && work_left(p) > 0
           && !(w->n_held > 0 && w->held[w->n_held - 1].n_deaths > 0)) {
        int32_t slot = watch_send(w->watch);
        if (slot < 0) {
            break;
        }
        take_request(p, w, &batch[n]);
        batch[n].slot = slot;
        w->held[w->n_held++] = batch[n++];
    }
    str bytes = {(const char *)batch, n * (ptrdiff_t)sizeof *batch};
    while (bytes.len > 0) {
        ssize_t sent = send(w->fd, bytes.ptr, (size_t)bytes.len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return;
        }
        bytes = str_skip(bytes, sent);
    }
}

// When somebody has nothing to do, takes back what others hold and have not
// begun: it may wait there behind a query that runs for half a minute.
static void balance(pool *p)
{
    bool some_idle = false;
    for (ptrdiff_t i = 0; i < p->n_workers; i++) {
        some_idle |= p->workers[i].n_held == 0;
    }
    for (ptrdiff_t i = 0; work_left(p) == 0 && some_idle && i < p->n_workers;
         i++) {
        pool_worker *w = &p->workers[i];
        while (w->n_held > 1
               && watch_revoke(w->watch, w->held[w->n_held - 1].slot)) {
            *vec_push(p->a, &p->again) = w->held[--w->n_held];
        }
    }
}

static void release_held(pool_worker *w, int32_t case_no)
{
    for (ptrdiff_t i = 0; i < w->n_held; i++) {
        if (w->held[i].case_no == case_no) {
            watch_free(w->watch, w->held[i].slot);
            w->n_held--;
            memmove(&w->held[i], &w->held[i + 1],
                    (size_t)(w->n_held - i) * sizeof w->held[0]);
            return;
        }
    }
}

// Hands every complete answer in the input on.
static void take_answers(pool *p, pool_worker *w)
{
    str rest = buf_str(&w->input);
    worker_answer head;
    while (rest.len >= (ptrdiff_t)sizeof head) {
        memcpy(&head, rest.ptr, sizeof head);
        str lines = str_skip(rest, (ptrdiff_t)sizeof head);
        if (lines.len < head.size) {
            break;
        }
        lines = str_sub(lines, 0, head.size);
        release_held(w, head.case_no);
        p->n_answered++;
        const pool_sink *sink = &p->job->sink;
        if (!p->sink_refused
            && !sink->take(sink->context, head.case_no, lines)) {
            p->sink_refused = true;
        }
        rest = str_skip(rest, (ptrdiff_t)sizeof head + head.size);
    }
    if (rest.len == 0) {
        // Also gives the pages of a huge answer back.
        w->input_arena = arena_store_clear(&w->store);
        w->input = buf_new(&w->input_arena);
    } else if (rest.len < w->input.len) {
        memmove(w->input.ptr, rest.ptr, (size_t)rest.len);
        w->input.len = rest.len;
    }
}

// Reads what is there; false at the end of the stream.
static bool read_answers(pool *p, pool_worker *w)
{
    char block[READ_BYTES];
    ssize_t n = recv(w->fd, block, sizeof block, MSG_DONTWAIT);
    if (n < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }
    buf_add(&w->input, (str){block, n});
    take_answers(p, w);
    return n > 0;
}

static reason death_reason(const pool_worker *w, int status)
{
    if (w->was_killed) {
        return REASON_TIMEOUT;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_MEMORY) {
        return REASON_MEMORY;
    }
    // Somebody else's SIGKILL is the system's, out of memory.
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        return REASON_MEMORY;
    }
    return REASON_CRASH;
}

// Notes what killed a worker in the request it was serving. False when the
// case has had its chances.
static bool add_death(worker_request *r,
                      int32_t pred_no,
                      int32_t work,
                      reason why)
{
    for (int32_t i = 0; i < r->n_deaths; i++) {
        if (r->deaths[i].pred_no == WATCH_ALL) {
            return false;
        }
        bool is_same =
            r->deaths[i].pred_no == pred_no && r->deaths[i].work == work;
        if (is_same && !r->deaths[i].is_total && pred_no != WATCH_GOLD) {
            r->deaths[i].is_total = true;
            return true;
        }
        if (is_same) {
            r->n_deaths = 0;
            pred_no = WATCH_ALL;
        }
    }
    if (r->n_deaths == WORKER_MAX_DEATHS) {
        r->n_deaths = 0;
        pred_no = WATCH_ALL;
    }
    r->deaths[r->n_deaths++] = (watch_death){.pred_no = pred_no,
                                             .work = work,
                                             .status = why,
                                             .is_total = pred_no == WATCH_ALL};
    return true;
}

// Somebody else's SIGKILL may have been meant for the machine, not for the
// case: it is tried again once before it is blamed.
static bool is_spared(worker_request *r, const pool_worker *w, int status)
{
    bool is_foreign =
        !w->was_killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return is_foreign && r->n_spared++ == 0;
}

static void worker_buried(pool *p, pool_worker *w)
{
    int status = 0;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(w->fd);
    w->pid = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_SETUP) {
        p->cannot_start = true;
        diag_add(p->d, (diag_place){0},
                 "a worker process could not be set up: too little memory or "
                 "address space");
        return;
    }
    if (w->queue >= 0) {
        p->schedule.queues[w->queue].n_workers--;
        w->queue = SCHEDULE_NO_QUEUE;
    }
    int32_t culprit = atomic_load(&w->watch->case_no);
    bool was_busy = atomic_load(&w->watch->since_ns) != 0;
    int32_t pred_no = was_busy ? atomic_load(&w->watch->pred_no) : WATCH_ALL;
    int32_t work = atomic_load(&w->watch->work);
    // Youngest first, so that the oldest is asked again first.
    for (ptrdiff_t i = w->n_held - 1; i >= 0; i--) {
        worker_request *r = &w->held[i];
        bool keep = r->case_no != culprit || is_spared(r, w, status)
                    || add_death(r, pred_no, work, death_reason(w, status));
        if (keep) {
            *vec_push(p->a, &p->again) = *r;
        } else {
            p->n_lost++;
        }
    }
    w->n_held = 0;
}

static void kill_late(pool *p, int64_t now)
{
    int64_t most_ns = p->job->kill_after_ms * 1000000;
    for (ptrdiff_t i = 0; i < p->n_workers; i++) {
        pool_worker *w = &p->workers[i];
        int64_t since = w->pid ? atomic_load(&w->watch->since_ns) : 0;
        if (since != 0 && !w->was_killed && now - since > most_ns) {
            w->was_killed = true;
            kill(w->pid, SIGKILL);
        }
    }
}

static bool is_finished(const pool *p)
{
    return p->sink_refused || p->cannot_start
           || p->n_answered + p->n_lost >= p->job->n_cases;
}

// Takes the signal off, so that it does not strike when signals are let through
// again; the next one does.
static bool take_signal(const pool *p)
{
    struct signalfd_siginfo signal;
    return read(p->signals, &signal, sizeof signal) == sizeof signal;
}

// One round: wait for something to happen, deal with it. False when a signal
// asks to stop.
static bool turn(pool *p)
{
    struct pollfd fds[MAX_WORKERS + 1];
    pool_worker *who[MAX_WORKERS + 1];
    nfds_t n = 0;
    balance(p);
    fds[n++] = (struct pollfd){.fd = p->signals, .events = POLLIN};
    for (ptrdiff_t i = 0; i < p->n_workers; i++) {
        pool_worker *w = &p->workers[i];
        if (!w->pid && work_left(p) > 0 && !worker_start(p, w)) {
            p->cannot_start = true;
            return true;
        }
        if (w->pid) {
            feed(p, w);
            who[n] = w;
            fds[n++] = (struct pollfd){.fd = w->fd, .events = POLLIN};
        }
    }
    poll(fds, n, POLL_MS);
    for (nfds_t i = 1; i < n; i++) {
        if (fds[i].revents && !read_answers(p, who[i])) {
            worker_buried(p, who[i]);
        }
    }
    kill_late(p, clock_ns());
    p->job->sink.idle(p->job->sink.context);
    return !(fds[0].revents & POLLIN && take_signal(p));
}

static void stop_workers(pool *p)
{
    for (ptrdiff_t i = 0; i < p->n_workers; i++) {
        pool_worker *w = &p->workers[i];
        if (w->pid) {
            kill(w->pid, SIGKILL);
            waitpid(w->pid, NULL, 0);
            close(w->fd);
        }
        arena_store_close(&w->store);
    }
}

// The database numbers of the cases; those without a name come last.
static schedule schedule_cases(const pool_job *job, arena *a, arena scratch)
{
    const dataset *gold = &job->context->plan->gold;
    int32_t *db_of = arena_new(&scratch, int32_t, job->n_cases);
    int32_t n_dbs = (int32_t)map_count(&gold->dbs);
    for (ptrdiff_t i = 0; i < job->n_cases; i++) {
        int32_t db = gold->entries.ptr[job->cases[i]].db;
        db_of[i] = db >= 0 ? db : n_dbs;
    }
    return schedule_new(a, job->cases, db_of, job->n_cases, n_dbs + 1, scratch);
}

static bool pool_open(pool *p)
{
    size_t size = sizeof(watch) * (size_t)p->n_workers;
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return diag_add(p->d, (diag_place){0}, "no shared memory: %s",
                        strerror(errno));
    }
    p->watches = shared;
    p->workers = arena_new(p->a, pool_worker, p->n_workers);
    bool ok = true;
    for (ptrdiff_t i = 0; i < p->n_workers; i++) {
        p->workers[i].watch = &p->watches[i];
        ok = ok && arena_store_open(&p->workers[i].store, INPUT_STORE_BYTES);
    }
    return ok
           || diag_add(p->d, (diag_place){0}, "no address space for workers");
}

pool_end pool_run(const pool_job *job,
                  ptrdiff_t *n_lost,
                  diag *d,
                  arena *a,
                  arena scratch)
{
    pool p = {.job = job, .d = d, .a = a};
    p.n_workers = job->n_workers < MAX_WORKERS ? job->n_workers : MAX_WORKERS;
    p.n_workers = p.n_workers < job->n_cases ? p.n_workers : job->n_cases;
    p.schedule = schedule_cases(job, a, scratch);
    sigset_t stop;
    sigset_t before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    p.signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    pool_end end = POOL_FAILED;
    if (pool_open(&p)) {
        assert(p.workers);
        bool goes_on = true;
        while (goes_on && !is_finished(&p)) {
            goes_on = turn(&p);
        }
        end = !goes_on                           ? POOL_INTERRUPTED
              : p.sink_refused || p.cannot_start ? POOL_FAILED
                                                 : POOL_DONE;
        stop_workers(&p);
        munmap(p.watches, sizeof(watch) * (size_t)p.n_workers);
    }
    close(p.signals);
    // Who interrupts once may do so twice; what was finished is to be written
    // all the same, so signals stay blocked for the little that is left to do.
    if (end != POOL_INTERRUPTED) {
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    *n_lost = p.n_lost;
    return end;
}
