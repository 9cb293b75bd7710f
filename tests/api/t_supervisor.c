/*
 * t_supervisor.c - workers that answer, crash, hang, grow, are stopped; parents
 * that die; system calls that fail. What an item does is its number.
 */
#define _GNU_SOURCE
#include "base/clock.h"
#include "base/cores.h"
#include "check.h"
#include "process/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CRASHES = 1000,
    HANGS,
    COMPUTES,
    WAITS,
    GROWS,
    STOPS,
    EXITS,
    FILLS,
    TELLS,
    SCRIBBLES,
    SPEAKS,
    UNSETS,
    KILLS = 5000,  // and all above
    PLAIN_MOST = 200,
    LIMIT_MS = 300,
    MB = 1 << 20,
};

/* System calls that fail. */

// Of all calls that are counted, the one that fails; 0: none.
static int fails_at;
static int n_calls;

static bool fails_now(void)
{
    bool fails = ++n_calls == fails_at;
    errno = fails ? ENOMEM : errno;
    return fails;
}

pid_t __real_fork(void);
int __real_socketpair(int domain, int type, int protocol, int *pair);
int __real_signalfd(int fd, const sigset_t *mask, int flags);
ssize_t __real_send(int fd, const void *bytes, size_t n, int flags);
ssize_t __real_recv(int fd, void *bytes, size_t n, int flags);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
void *__real_mmap(void *at, size_t n, int rights, int flags, int fd, off_t o);

pid_t __wrap_fork(void);
int __wrap_socketpair(int domain, int type, int protocol, int *pair);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);
ssize_t __wrap_send(int fd, const void *bytes, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *bytes, size_t n, int flags);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
void *__wrap_mmap(void *at, size_t n, int rights, int flags, int fd, off_t o);

static int n_forks;

pid_t __wrap_fork(void)
{
    n_forks++;
    return fails_now() ? -1 : __real_fork();
}

int __wrap_socketpair(int domain, int type, int protocol, int *pair)
{
    return fails_now() ? -1 : __real_socketpair(domain, type, protocol, pair);
}

int __wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
    return fails_now() ? -1 : __real_signalfd(fd, mask, flags);
}

ssize_t __wrap_send(int fd, const void *bytes, size_t n, int flags)
{
    return fails_now() ? -1 : __real_send(fd, bytes, n, flags);
}

ssize_t __wrap_recv(int fd, void *bytes, size_t n, int flags)
{
    return fails_now() ? -1 : __real_recv(fd, bytes, n, flags);
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    return fails_now() ? -1 : __real_poll(fds, n, timeout);
}

void *__wrap_mmap(void *at, size_t n, int rights, int flags, int fd, off_t o)
{
    return fails_now() ? MAP_FAILED : __real_mmap(at, n, rights, flags, fd, o);
}

/* A job. */

typedef struct job_state {
    arena_store stores[2];
    arena a;
    arena scratch;
    diag d;
    int n_answers[PLAIN_MOST];
    int n_wrong;
    int n_deaths;
    work_death death;  // the last one
    bool asks_again;
    int64_t continue_at_ns;  // when a stopped worker is to go on
    pid_t *stopped;          // shared with the workers
} job_state;

static void pause_ms(int ms)
{
    struct timespec t = {.tv_sec = ms / 1000,
                         .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

static const char *key;  // where the environment has its value

// Sleeps until its limit is past.
static void wait_too_long(const watch *page)
{
    int64_t since = atomic_load(&page->since_ns);
    while (atomic_load(&page->now_ns) - since
           < (int64_t)(LIMIT_MS + 50) * 1000000) {
        pause_ms(5);
    }
}

// Writes all over the memory that this process shares with others, but for its
// own page.
static void scribble(const watch *own)
{
    char line[256];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        str rest = str_from(line);
        char *from = (char *)(uintptr_t)strtoull(line, NULL, 16);
        str_cut(&rest, '-');
        char *to = (char *)(uintptr_t)strtoull(rest.ptr, NULL, 16);
        str_cut(&rest, ' ');
        bool is_shared = str_starts(rest, S("rw-s"));
        bool has_own = from <= (const char *)own && (const char *)own < to;
        for (char *at = from; is_shared && at < to; at++) {
            bool is_own = has_own && at >= (const char *)own
                          && at < (const char *)(own + 1);
            *at = is_own ? *at : 1;
        }
    }
    if (maps) {
        fclose(maps);
    }
    // So that its parent sees it.
    pause_ms(100);
}

// Says something to whom its parent speaks, listens to whom it listens to, and
// looks for its other files.
static void speak(int stream)
{
    char byte;
    for (int fd = STDERR_FILENO + 1; fd < 256; fd++) {
        if (fd != stream && fcntl(fd, F_GETFD) >= 0) {
            abort();
        }
    }
    if (write(STDOUT_FILENO, "lie", 3) != 3
        || read(STDIN_FILENO, &byte, 1) != 0) {
        abort();
    }
}

static void do_item(worker *w, const job_state *s, int32_t item)
{
    volatile bool always = true;
    watch_outer outer;
    switch (item) {
    case CRASHES: abort();
    case EXITS: _exit(1);
    // What it was told of the key: nothing, and it cannot look there.
    case TELLS:
        if (getenv("OPENAI_API_KEY") || key[0] != '\0') {
            abort();
        }
        break;
    case FILLS: worker_memory_is_full(); break;
    case HANGS:
        while (always) {
        }
        break;
    // The first query of the item is what the time goes to.
    case COMPUTES:
        watch_begin(w->watch, 0, WATCH_QUERY);
        while (always) {
        }
        break;
    case WAITS:
        outer = watch_begin(w->watch, 0, WATCH_QUERY);
        wait_too_long(w->watch);
        watch_end(w->watch, outer);
        break;
    case GROWS:
        while (always) {
            char *volatile more = malloc(MB);
            memset(more, 1, MB);
        }
        break;
    case SCRIBBLES: scribble(w->watch); break;
    case SPEAKS: speak(w->fd); break;
    // It is set up, whatever it says.
    case UNSETS: _exit(WORKER_EXIT_SETUP);
    case STOPS:
        *s->stopped = getpid();
        raise(SIGSTOP);
        break;
    default:
        if (item >= KILLS) {
            _exit(1);
        }
        break;
    }
}

typedef struct worker_state {
    const job_state *job;
    char text[32];
} worker_state;

static void *open_worker(const void *context, worker *w)
{
    worker_state *state = arena_new(&w->lasting, worker_state, 1);
    *state = (worker_state){.job = context};
    return state;
}

static void *open_nothing(const void *context, worker *w)
{
    (void)context;
    (void)w;
    return NULL;
}

static void *open_and_die(const void *context, worker *w)
{
    (void)context;
    (void)w;
    abort();
}

static void serve(worker *w, const work_request *r, void *reply)
{
    worker_state *state = w->state;
    const str *said = w->asked;
    str *out = reply;
    if (said && str_starts(*said, S("!"))) {
        abort();
    }
    if (said) {
        *out = *said;
        return;
    }
    do_item(w, state->job, r->item);
    int n = snprintf(state->text, sizeof state->text, "%d", r->item);
    *out = (str){state->text, n};
}

static bool take(void *context, int32_t item, const void *reply)
{
    str bytes = *(const str *)reply;
    job_state *s = context;
    char want[32];
    snprintf(want, sizeof want, "%d", item);
    s->n_wrong += !str_equal(bytes, str_from(want));
    if (item < PLAIN_MOST) {
        s->n_answers[item]++;
    }
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    job_state *s = context;
    s->n_deaths++;
    s->death = *death;
    return s->asks_again && supervisor_blame(r, death);
}

static void idle(void *context, int64_t progress)
{
    job_state *s = context;
    (void)progress;
    if (s->stopped && *s->stopped != 0) {
        int64_t now = clock_ns();
        s->continue_at_ns =
            s->continue_at_ns ? s->continue_at_ns : now + 800 * 1000000;
        if (now > s->continue_at_ns) {
            kill(*s->stopped, SIGCONT);
        }
    }
}

static void state_open(job_state *s)
{
    *s = (job_state){.asks_again = true};
    assert_true(arena_store_open(&s->stores[0], 64 * MB));
    assert_true(arena_store_open(&s->stores[1], 64 * MB));
    s->a = arena_store_clear(&s->stores[0]);
    s->scratch = arena_store_clear(&s->stores[1]);
    s->d = diag_new(&s->a);
}

static void state_close(job_state *s)
{
    arena_store_close(&s->stores[0]);
    arena_store_close(&s->stores[1]);
}

static supervisor_job job_of(job_state *s,
                             const int32_t *items,
                             ptrdiff_t n,
                             ptrdiff_t n_workers)
{
    return (supervisor_job){
        .call = {.context = s,
                 .answer = &codec_text,
                 .is_free = true,
                 .open = open_worker,
                 .serve = serve},
        .context = s,
        .n_items = n,
        .items = items,
        .n_workers = n_workers,
        .step_ms = LIMIT_MS,
        .item_ms = LIMIT_MS,
        .most_bytes = 64 * MB,  // sanitizers take a part of it
        .take = take,
        .died = died,
        .idle = idle,
    };
}

static bool all_answered(const job_state *s, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (s->n_answers[i] != 1) {
            return false;
        }
    }
    return s->n_wrong == 0;
}

/* Tests. */

static void every_item_is_answered_once(void **state)
{
    (void)state;
    for (ptrdiff_t workers = 1; workers <= 5; workers += 2) {
        job_state s;
        ptrdiff_t n_lost = 0;
        state_open(&s);
        supervisor_job job = job_of(&s, NULL, PLAIN_MOST, workers);
        assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                         SUPERVISOR_DONE);
        assert_true(all_answered(&s, PLAIN_MOST));
        assert_int_equal(n_lost, 0);
        state_close(&s);
    }
}

// Items that compute have no use for more workers than this process has cores;
// others, that wait for a server, do.
static void who_computes_has_a_core(void **state)
{
    (void)state;
    cpu_set_t before;
    cpu_set_t one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cores_usable(), 1);
    for (int computes = 0; computes < 2; computes++) {
        job_state s;
        ptrdiff_t n_lost = 0;
        state_open(&s);
        supervisor_job job = job_of(&s, NULL, PLAIN_MOST, 3);
        job.computes = computes != 0;
        job.window = 1;
        n_forks = 0;
        assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                         SUPERVISOR_DONE);
        assert_true(all_answered(&s, PLAIN_MOST));
        assert_int_equal(n_forks, computes ? 1 : 3);
        state_close(&s);
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

// One bad item among good ones: what it is called, and that the others are
// answered all the same.
static void one_bad(int32_t bad, reason why, int32_t pred_no)
{
    job_state s;
    ptrdiff_t n_lost = 0;
    int32_t items[PLAIN_MOST];
    for (int32_t i = 0; i < PLAIN_MOST; i++) {
        items[i] = i == 7 ? bad : i;
    }
    state_open(&s);
    s.n_answers[7] = 1;
    supervisor_job job = job_of(&s, items, PLAIN_MOST, 2);
    if (why == REASON_MEMORY) {
        // A busy machine must not run out of time first.
        job.item_ms = 60000;
        job.step_ms = 60000;
    }
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_DONE);
    assert_true(all_answered(&s, PLAIN_MOST));
    assert_int_equal(n_lost, 1);
    // Of what is known by its number, first the rest of it is tried, then the
    // rest of the item.
    assert_int_equal(s.n_deaths, pred_no == WATCH_ALL ? 2 : 4);
    assert_int_equal(s.death.why, why);
    assert_int_equal(s.death.pred_no, pred_no);
    state_close(&s);
}

static void who_dies_is_blamed(void **state)
{
    (void)state;
    one_bad(CRASHES, REASON_CRASH, WATCH_ALL);
    one_bad(EXITS, REASON_CRASH, WATCH_ALL);
    one_bad(UNSETS, REASON_CRASH, WATCH_ALL);
    one_bad(FILLS, REASON_MEMORY, WATCH_ALL);
    one_bad(HANGS, REASON_TIMEOUT, WATCH_ALL);
    one_bad(GROWS, REASON_MEMORY, WATCH_ALL);
    one_bad(COMPUTES, REASON_TIMEOUT, 0);
}

// It may be about to end: only who computes on is killed at once.
static void a_step_that_waits_has_some_grace(void **state)
{
    (void)state;
    job_state s;
    ptrdiff_t n_lost = 0;
    const int32_t items[] = {1, WAITS, 2};
    state_open(&s);
    supervisor_job job = job_of(&s, items, countof(items), 1);
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_DONE);
    assert_int_equal(s.n_deaths, 0);
    assert_int_equal(n_lost, 0);
    assert_int_equal(s.n_wrong, 0);
    state_close(&s);
}

// A driver that blocks cannot say that the server goes on with what it was told
// to stop; who is killed for it leaves it there.
static void queries_left_to_a_server_end_the_job(void **state)
{
    (void)state;
    const int32_t items[] = {COMPUTES, COMPUTES, COMPUTES, 1};
    for (int ends = 0; ends < 2; ends++) {
        job_state s;
        ptrdiff_t n_lost = 0;
        state_open(&s);
        s.asks_again = false;
        supervisor_job job = job_of(&s, items, countof(items), 4);
        job.waits_in_steps = true;
        job.ends_when_stuck = ends != 0;
        assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                         ends ? SUPERVISOR_FAILED : SUPERVISOR_DONE);
        assert_int_equal(n_lost, ends ? 2 : 3);
        assert_int_equal(s.d.count, ends);
        assert_true(
            !ends || str_find(s.d.messages.ptr[0].text, S("--resume"), 0) > 0);
        state_close(&s);
    }
}

static void a_stopped_worker_is_waited_for(void **state)
{
    (void)state;
    job_state s;
    ptrdiff_t n_lost = 0;
    const int32_t items[] = {1, STOPS, 2};
    state_open(&s);
    s.stopped = mmap(NULL, sizeof *s.stopped, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s.stopped != MAP_FAILED);
    supervisor_job job = job_of(&s, items, countof(items), 1);
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_DONE);
    assert_int_equal(s.n_deaths, 0);
    assert_int_equal(n_lost, 0);
    munmap(s.stopped, sizeof *s.stopped);
    state_close(&s);
}

static void workers_that_only_die_end_the_job(void **state)
{
    (void)state;
    void *(*const opens[])(const void *, worker *) = {open_nothing,
                                                      open_and_die};
    for (int i = 0; i < countof(opens); i++) {
        job_state s;
        ptrdiff_t n_lost = 0;
        state_open(&s);
        supervisor_job job = job_of(&s, NULL, PLAIN_MOST, 2);
        job.call.open = opens[i];
        assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                         SUPERVISOR_FAILED);
        assert_int_equal(s.d.count, 1);
        assert_true(
            str_find(s.d.messages.ptr[0].text, S("could not be set up"), 0)
            >= 0);
        state_close(&s);
    }
}

// Each of so many items kills its worker, and none is answered.
static void so_do_items_that_all_kill(void **state)
{
    (void)state;
    enum {
        MANY = 100
    };
    job_state s;
    ptrdiff_t n_lost = 0;
    int32_t items[MANY];
    for (int i = 0; i < MANY; i++) {
        items[i] = KILLS + i;
    }
    state_open(&s);
    s.asks_again = false;
    supervisor_job job = job_of(&s, items, MANY, 2);
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_FAILED);
    assert_in_range(n_lost, 10, MANY - 1);
    assert_int_equal(s.d.count, 1);
    assert_true(str_find(s.d.messages.ptr[0].text, S("keep dying"), 0) >= 0);
    state_close(&s);
}

static void requests_one_by_one(void **state)
{
    (void)state;
    job_state s;
    state_open(&s);
    supervisor_job job = job_of(&s, NULL, 0, 1);
    job.call.asked = &codec_text;
    job.item_ms = 60000;  // limits are not what this is about
    job.step_ms = 60000;
    job.most_bytes = 0;
    supervisor *v = supervisor_open(&job, &s.d, &s.a);
    assert_non_null(v);
    char *big = arena_new(&s.a, char, MB);
    memset(big, 'x', MB);
    const str requests[] = {S("a"), S("!"), {big, MB}, S("!"), S("b")};
    for (int i = 0; i < countof(requests); i++) {
        str got = {0};
        work_death death = {0};
        bool ok = supervisor_ask(v, &requests[i], &got, &death, &s.a);
        assert_int_equal(ok, requests[i].ptr[0] != '!');
        assert_true(ok ? str_equal(got, requests[i])
                       : death.why == REASON_CRASH);
    }
    supervisor_close(v);
    state_close(&s);
}

static void a_worker_does_not_know_the_key(void **state)
{
    (void)state;
    job_state s;
    ptrdiff_t n_lost = 0;
    const int32_t items[] = {TELLS};
    setenv("OPENAI_API_KEY", "secret", 1);
    key = getenv("OPENAI_API_KEY");
    state_open(&s);
    supervisor_job job = job_of(&s, items, 1, 1);
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_DONE);
    assert_int_equal(s.n_deaths, 0);
    assert_string_equal(key, "secret");
    state_close(&s);
}

// The first item is in the hands of one worker for a while, the others in those
// of another: what the first does to its memory is no business of theirs.
static void a_worker_writes_on_its_own_page_only(void **state)
{
    (void)state;
    job_state s;
    ptrdiff_t n_lost = 0;
    const int32_t items[] = {SCRIBBLES, 1, WAITS, 2, 3, 4};
    state_open(&s);
    supervisor_job job = job_of(&s, items, countof(items), 2);
    job.window = 1;
    assert_int_equal(supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch),
                     SUPERVISOR_DONE);
    assert_int_equal(s.n_deaths, 0);
    for (int i = 1; i <= 4; i++) {
        assert_int_equal(s.n_answers[i], 1);
    }
    state_close(&s);
}

// Its parent's standard input is a pipe with a request, its output one.
static void a_worker_has_none_of_its_parents_files(void **state)
{
    (void)state;
    job_state s;
    ptrdiff_t n_lost = 0;
    const int32_t items[] = {SPEAKS};
    int in[2];
    int out[2];
    char bytes[16];
    int before[2] = {dup(STDIN_FILENO), dup(STDOUT_FILENO)};
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    assert_int_equal(write(in[1], "asked", 5), 5);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    state_open(&s);
    supervisor_job job = job_of(&s, items, 1, 1);
    supervisor_end end = supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch);
    dup2(before[0], STDIN_FILENO);
    dup2(before[1], STDOUT_FILENO);
    close(out[1]);
    assert_int_equal(end, SUPERVISOR_DONE);
    assert_int_equal(s.n_deaths, 0);
    assert_int_equal(read(in[0], bytes, sizeof bytes), 5);
    assert_int_equal(read(out[0], bytes, sizeof bytes), 0);
    for (int i = 0; i < 2; i++) {
        close(in[i]);
        close(before[i]);
    }
    close(out[0]);
    state_close(&s);
}

// A parent that is killed while its worker hangs takes the worker along. The
// worker is then ours.
static void workers_die_with_their_parent(void **state)
{
    (void)state;
    int ends[2];
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        close(ends[0]);
        job_state s;
        ptrdiff_t n_lost = 0;
        const int32_t items[] = {HANGS};
        state_open(&s);
        supervisor_job job = job_of(&s, items, 1, 1);
        job.step_ms = 0;
        job.item_ms = 0;
        supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch);
        _exit(0);
    }
    close(ends[1]);
    pause_ms(200);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    // The worker closed its end when it began; the parent's is gone.
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    int status = 0;
    pid_t orphan = 0;
    for (int i = 0; orphan == 0 && i < 500; i++) {
        pause_ms(10);
        orphan = waitpid(-1, &status, WNOHANG);
    }
    assert_true(orphan > 0 && WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// Whichever call fails: the job ends, in time, with all its answers or with a
// message, and no process is left.
static void any_call_may_fail(void **state)
{
    (void)state;
    enum {
        N = 40
    };
    int n_failed = 0;
    int n_done = 0;
    bool has_reached_end = false;
    for (int n = 1; !has_reached_end && n < 400; n++) {
        job_state s;
        ptrdiff_t n_lost = 0;
        state_open(&s);
        supervisor_job job = job_of(&s, NULL, N, 2);
        n_calls = 0;
        fails_at = n;
        supervisor_end end =
            supervisor_run(&job, &n_lost, &s.d, &s.a, s.scratch);
        fails_at = 0;
        has_reached_end = n_calls < n;
        assert_int_not_equal(end, SUPERVISOR_INTERRUPTED);
        n_done += end == SUPERVISOR_DONE;
        n_failed += end == SUPERVISOR_FAILED;
        assert_true(end == SUPERVISOR_FAILED ? s.d.count > 0
                                             : all_answered(&s, N));
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
        state_close(&s);
    }
    assert_true(has_reached_end && n_failed > 3 && n_done > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_answered_once),
        cmocka_unit_test(who_computes_has_a_core),
        cmocka_unit_test(who_dies_is_blamed),
        cmocka_unit_test(a_step_that_waits_has_some_grace),
        cmocka_unit_test(queries_left_to_a_server_end_the_job),
        cmocka_unit_test(a_stopped_worker_is_waited_for),
        cmocka_unit_test(workers_that_only_die_end_the_job),
        cmocka_unit_test(so_do_items_that_all_kill),
        cmocka_unit_test(requests_one_by_one),
        cmocka_unit_test(workers_die_with_their_parent),
        cmocka_unit_test(a_worker_does_not_know_the_key),
        cmocka_unit_test(a_worker_writes_on_its_own_page_only),
        cmocka_unit_test(a_worker_has_none_of_its_parents_files),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
