// crew.c - see crew.h.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "process/crew.h"

#include "base/buf.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_CREW = 256,
    READ_BYTES = 64 << 10,
    WAIT_MS = 100,
};

// Reserved for what one piece writes.
static const ptrdiff_t OUTPUT_BYTES = (ptrdiff_t)4 << 30;

typedef struct member {
    pid_t pid;  // 0: free
    int fd;
    ptrdiff_t piece;
    arena_store store;
    arena memory;
    buf output;
} member;

typedef struct crew {
    const crew_job *job;
    member *members;
    ptrdiff_t n_members;
    ptrdiff_t next;  // piece to begin
    ptrdiff_t n_ended;
    _Atomic int64_t *progress;
    int signals;
    bool failed;
    diag *d;
} crew;

static bool start(crew *c, member *m)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return diag_add(c->d, (diag_place){0}, "cannot make a pipe: %s",
                        strerror(errno));
    }
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return diag_add(c->d, (diag_place){0}, "cannot start a process: %s",
                        strerror(errno));
    }
    if (pid == 0) {
        close(ends[0]);
        bool ok = c->job->work(c->job->context, c->next, ends[1], c->progress);
        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    m->pid = pid;
    m->fd = ends[0];
    m->piece = c->next++;
    m->memory = arena_store_clear(&m->store);
    m->output = buf_new(&m->memory);
    return true;
}

// False when the process has ended.
static bool read_some(member *m)
{
    char bytes[READ_BYTES];
    ssize_t n = read(m->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) {
        return true;
    }
    if (n > 0) {
        buf_add(&m->output, (str){bytes, n});
    }
    return n > 0;
}

static void end(crew *c, member *m)
{
    int status = 0;
    close(m->fd);
    waitpid(m->pid, &status, 0);
    m->pid = 0;
    c->n_ended++;
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!c->job->take(c->job->context, m->piece, buf_str(&m->output), ok)) {
        c->failed = true;
    }
}

// One round; false when a signal asks to stop.
static bool turn(crew *c)
{
    struct pollfd fds[MAX_CREW + 1];
    member *who[MAX_CREW + 1];
    nfds_t n = 0;
    fds[n++] = (struct pollfd){.fd = c->signals, .events = POLLIN};
    assert(c->members || c->n_members == 0);
    for (ptrdiff_t i = 0; i < c->n_members; i++) {
        member *m = &c->members[i];
        if (!m->pid && c->next < c->job->n_pieces && !start(c, m)) {
            c->failed = true;
            return true;
        }
        if (m->pid) {
            who[n] = m;
            fds[n++] = (struct pollfd){.fd = m->fd, .events = POLLIN};
        }
    }
    poll(fds, n, WAIT_MS);
    for (nfds_t i = 1; i < n; i++) {
        if (fds[i].revents && !read_some(who[i])) {
            end(c, who[i]);
        }
    }
    c->job->idle(c->job->context, atomic_load(c->progress));
    return !(fds[0].revents & POLLIN);
}

static bool open_crew(crew *c, arena *a)
{
    void *shared = mmap(NULL, sizeof *c->progress, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return diag_add(c->d, (diag_place){0}, "no shared memory: %s",
                        strerror(errno));
    }
    c->progress = shared;
    c->members = arena_new(a, member, c->n_members);
    bool ok = true;
    for (ptrdiff_t i = 0; i < c->n_members; i++) {
        ok = ok && arena_store_open(&c->members[i].store, OUTPUT_BYTES);
    }
    return ok || diag_add(c->d, (diag_place){0}, "no address space");
}

static void close_crew(crew *c)
{
    assert(c->members || c->n_members == 0);
    for (ptrdiff_t i = 0; i < c->n_members; i++) {
        member *m = &c->members[i];
        if (m->pid) {
            kill(m->pid, SIGKILL);
            waitpid(m->pid, NULL, 0);
            close(m->fd);
        }
        arena_store_close(&m->store);
    }
    if (c->progress) {
        munmap(c->progress, sizeof *c->progress);
    }
}

crew_end crew_run(const crew_job *job, diag *d, arena *a)
{
    crew c = {.job = job, .d = d};
    c.n_members = job->n_workers < MAX_CREW ? job->n_workers : MAX_CREW;
    c.n_members = c.n_members < job->n_pieces ? c.n_members : job->n_pieces;
    sigset_t stop;
    sigset_t before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    c.signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    bool goes_on = open_crew(&c, a) || (c.failed = true);
    while (goes_on && !c.failed && c.n_ended < job->n_pieces) {
        goes_on = turn(&c);
    }
    close_crew(&c);
    close(c.signals);
    if (goes_on) {
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    return !goes_on ? CREW_INTERRUPTED : c.failed ? CREW_FAILED : CREW_DONE;
}
