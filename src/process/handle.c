/*
 * handle.c - see handle.h.
 *
 * Method      A worker asks the system to kill it when its parent dies, and
 *             looks whether the parent did before it asked; besides, the stream
 *             of a dead parent is at its end.
 */
#define _GNU_SOURCE  // close_range
#include "process/handle.h"

#include "base/clock.h"
#include "process/schedule.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// What no worker needs to know.
static const char *const secrets[] = {"OPENAI_API_KEY"};

void handle_stop_signals(sigset_t *out)
{
    sigemptyset(out);
    sigaddset(out, SIGINT);
    sigaddset(out, SIGTERM);
    sigaddset(out, SIGHUP);
}

// Of the parent's files the worker has its own stream and standard error. What
// comes in and goes out may be requests and answers. Returns the stream, or -1.
static int keep_only(int fd)
{
    int kept = dup2(fd, STDERR_FILENO + 1);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool ok = kept >= 0 && nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0
              && dup2(nowhere, STDOUT_FILENO) >= 0;
    close_range((unsigned)kept + 1, ~0u, 0);
    return ok ? kept : -1;
}

static _Noreturn void become_worker(const handle *w,
                                    const worker_call *call,
                                    int fd,
                                    pid_t parent)
{
    // The signals that stop a run reach the whole group: a worker that died of
    // them would look like one that its item had killed.
    sigset_t stop;
    handle_stop_signals(&stop);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(WORKER_EXIT_OK);
    }
    for (ptrdiff_t i = 0; i < countof(secrets); i++) {
        char *secret = getenv(secrets[i]);
        if (secret) {
            explicit_bzero(secret, strlen(secret));
            unsetenv(secrets[i]);
        }
    }
    watch_inherit(w->watch, false);
    int kept = keep_only(fd);
    if (kept < 0) {
        _exit(WORKER_EXIT_SETUP);
    }
    clock_follow(&w->watch->now_ns);
    worker_run(call, kept, w->watch);
}

static int open_statm(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void forget_output(handle *w)
{
    w->output_arena = arena_store_clear(&w->out_store);
    w->output = buf_new(&w->output_arena);
    w->sent = 0;
}

bool handle_start(handle *w, const worker_call *call, bool watches_size)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return false;
    }
    watch_reset(w->watch);
    watch_inherit(w->watch, true);
    pid_t parent = getpid();
    pid_t pid = fork();
    int why = errno;
    watch_inherit(w->watch, false);
    if (pid < 0) {
        close(pair[0]);
        close(pair[1]);
        errno = why;
        return false;
    }
    if (pid == 0) {
        become_worker(w, call, pair[1], parent);
    }
    close(pair[1]);
    *w = (handle){.pid = pid,
                  .fd = pair[0],
                  .queue = SCHEDULE_NO_QUEUE,
                  .watch = w->watch,
                  .store = w->store,
                  .out_store = w->out_store,
                  .statm = watches_size ? open_statm(pid) : -1};
    w->input_arena = arena_store_clear(&w->store);
    w->input = buf_new(&w->input_arena);
    forget_output(w);
    return true;
}

bool handle_has_output(const handle *w)
{
    return w->sent < w->output.len;
}

bool handle_send(handle *w)
{
    while (handle_has_output(w)) {
        str rest = str_skip(buf_str(&w->output), w->sent);
        ssize_t sent = send(w->fd, rest.ptr, (size_t)rest.len,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        w->sent += sent;
    }
    if (w->sent > 0) {
        forget_output(w);
    }
    return true;
}

void handle_forget(handle *w, ptrdiff_t at)
{
    assert(at >= 0 && at < w->n_held);
    w->n_held--;
    memmove(&w->held[at], &w->held[at + 1],
            (size_t)(w->n_held - at) * sizeof w->held[0]);
}

void handle_gather(const handle *workers, ptrdiff_t n)
{
    enum {
        PLENTY = 8,          // requests that a worker holds
        GATHER_NS = 500000,  // in which it will not have served all of them
    };
    bool is_plenty = n > 0;
    for (ptrdiff_t i = 0; is_plenty && i < n; i++) {
        is_plenty = workers[i].n_held >= PLENTY;
    }
    if (is_plenty) {
        nanosleep(&(struct timespec){.tv_nsec = GATHER_NS}, NULL);
    }
}

void handle_release(handle *w, int32_t item)
{
    for (ptrdiff_t i = 0; i < w->n_held; i++) {
        if (w->held[i].item == item) {
            watch_free(w->watch, w->held[i].slot);
            handle_forget(w, i);
            return;
        }
    }
}

reason handle_death(const handle *w, int status)
{
    // Somebody else's SIGKILL is the system's, out of memory.
    bool had_no_memory =
        (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_MEMORY)
        || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    switch (w->killed) {
    case KILLED_NOT: return had_no_memory ? REASON_MEMORY : REASON_CRASH;
    case KILLED_BIG: return REASON_MEMORY;
    case KILLED_LIED: return REASON_CRASH;
    case KILLED_LATE:
    case KILLED_DROPPED: break;
    }
    return REASON_TIMEOUT;
}

void handle_kill(handle *w, handle_kill_reason why)
{
    if (w->killed == KILLED_NOT || why == KILLED_LIED) {
        w->killed = why;
    }
    kill(w->pid, SIGKILL);
}

int64_t handle_cpu_ns(const handle *w)
{
    return clock_cpu_of_ns(w->pid);
}

int handle_reap(handle *w)
{
    int status = 0;
    assert(w->pid > 0);  // it was started, and not reaped yet
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(w->fd);
    if (w->statm >= 0) {
        close(w->statm);
    }
    w->pid = 0;
    return status;
}

void handle_look_for_stops(handle *w)
{
    siginfo_t found = {0};
    while (waitid(P_PID, (id_t)w->pid, &found, WSTOPPED | WCONTINUED | WNOHANG)
               == 0
           && found.si_pid == w->pid) {
        w->is_stopped = found.si_code == CLD_STOPPED;
        found.si_pid = 0;
    }
}

int64_t handle_bytes(const handle *w)
{
    char line[128];
    ssize_t n = pread(w->statm, line, sizeof line, 0);
    str rest = {line, n > 0 ? n : 0};
    int64_t resident = 0;
    int64_t shared = 0;
    str_cut(&rest, ' ');
    bool ok = str_to_int(str_cut(&rest, ' '), &resident)
              && str_to_int(str_cut(&rest, ' '), &shared);
    return ok ? (resident - shared) * sysconf(_SC_PAGESIZE) : 0;
}

bool handle_spares(work_request *r, const handle *w, int status)
{
    bool is_foreign = w->killed == KILLED_NOT && WIFSIGNALED(status)
                      && WTERMSIG(status) == SIGKILL;
    bool has_left = WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_OK;
    return (is_foreign || has_left) && r->n_spared++ == 0;
}
