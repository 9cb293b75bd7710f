/*
 * fault.c - calls of the system and of the C library that fail on demand.
 *
 * Method      A library that stands before libc in the order of symbols, so
 *             that the program, SQLite and curl all call it. What is
 *             to fail stands in a file that is mapped and shared: its calls are
 *             counted across parent and workers. Without $ASSAY_FAULT nothing
 *             is counted and nothing fails.
 *
 *             Messages to standard error never fail: they are what is looked
 *             at. Inside libc (a read of stdio, a malloc of qsort) calls do not
 *             come by here; the functions of stdio that the program uses do.
 */
#define _GNU_SOURCE
// The checked forms of these functions are defined here, too.
#undef _FORTIFY_SOURCE
#include "fault_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static fault_state *state;

// What libc itself calls these.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("ASSAY_FAULT");
    int fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC)
                  : -1;
    if (fd >= 0) {
        long at = syscall(SYS_mmap, NULL, sizeof *state, PROT_READ | PROT_WRITE,
                          MAP_SHARED, fd, 0);
        state = at == -1 ? NULL : (fault_state *)at;
        syscall(SYS_close, fd);
    }
}

bool fault_hits(fault_kind kind)
{
    if (!state) {
        return false;
    }
    int64_t n = atomic_fetch_add(&state->counts[kind], 1) + 1;
    return state->kind == (int64_t)kind
           && (n == state->at || (n > state->at && state->goes_on));
}

static bool fails(fault_kind kind, int why)
{
    bool is_hit = fault_hits(kind);
    if (is_hit) {
        errno = why;
    }
    return is_hit;
}

// The function that would have been called without us.
#define NEXT(name) (__extension__((__typeof__(&name))dlsym(RTLD_NEXT, #name)))

/* Processes and streams. */

pid_t fork(void)
{
    return fails(FAULT_FORK, EAGAIN) ? -1 : NEXT(fork)();
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    return fails(FAULT_PIPE, EMFILE)
               ? -1
               : (int)syscall(SYS_socketpair, domain, type, protocol, pair);
}

int signalfd(int fd, const sigset_t *mask, int flags)
{
    return fails(FAULT_PIPE, EMFILE) ? -1 : NEXT(signalfd)(fd, mask, flags);
}

int dup(int fd)
{
    return fails(FAULT_PIPE, EMFILE) ? -1 : (int)syscall(SYS_dup, fd);
}

int dup2(int from, int to)
{
    return fails(FAULT_PIPE, EMFILE) ? -1 : (int)syscall(SYS_dup3, from, to, 0);
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    return fails(FAULT_POLL, ENOMEM) ? -1 : NEXT(poll)(fds, n, timeout);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room)
{
    (void)room;
    return poll(fds, n, timeout);
}

int connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t size)
{
    return fails(FAULT_CONNECT, ECONNREFUSED)
               ? -1
               : (int)syscall(SYS_connect, fd, to.__sockaddr__, size);
}

int socket(int domain, int type, int protocol)
{
    return fails(FAULT_CONNECT, EMFILE)
               ? -1
               : (int)syscall(SYS_socket, domain, type, protocol);
}

/* Reading. */

ssize_t read(int fd, void *bytes, size_t n)
{
    return fails(FAULT_READ, EIO) ? -1 : NEXT(read)(fd, bytes, n);
}

ssize_t __read_chk(int fd, void *bytes, size_t n, size_t room);
ssize_t __read_chk(int fd, void *bytes, size_t n, size_t room)
{
    (void)room;
    return read(fd, bytes, n);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
    return fails(FAULT_READ, EIO) ? -1 : syscall(SYS_pread64, fd, bytes, n, at);
}

ssize_t pread64(int fd, void *bytes, size_t n, off_t at)
{
    return pread(fd, bytes, n, at);
}

ssize_t recv(int fd, void *bytes, size_t n, int flags)
{
    return fails(FAULT_READ, ECONNRESET)
               ? -1
               : syscall(SYS_recvfrom, fd, bytes, n, flags, NULL, NULL);
}

ssize_t __recv_chk(int fd, void *bytes, size_t n, size_t room, int flags);
ssize_t __recv_chk(int fd, void *bytes, size_t n, size_t room, int flags)
{
    (void)room;
    return recv(fd, bytes, n, flags);
}

ssize_t getline(char **line, size_t *n, FILE *f)
{
    return fails(FAULT_READ, EIO) ? -1 : NEXT(getline)(line, n, f);
}

int fstat64(int fd, struct stat64 *st)
{
    return fails(FAULT_READ, EIO) ? -1 : NEXT(fstat64)(fd, st);
}

/* Writing. */

ssize_t write(int fd, const void *bytes, size_t n)
{
    return fd != STDERR_FILENO && fails(FAULT_WRITE, ENOSPC)
               ? -1
               : syscall(SYS_write, fd, bytes, n);
}

ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
    return fails(FAULT_WRITE, ECONNRESET)
               ? -1
               : syscall(SYS_sendto, fd, bytes, n, flags, NULL, 0);
}

// As stdio has it: the stream remembers that a write failed.
static bool stream_fails(FILE *f)
{
    enum {
        ERROR_SEEN = 0x20  // of glibc
    };
    bool is_hit = f && f != stderr && fails(FAULT_WRITE, ENOSPC);
    if (is_hit) {
        f->_flags |= ERROR_SEEN;
    }
    return is_hit;
}

size_t fwrite(const void *bytes, size_t size, size_t n, FILE *f)
{
    return stream_fails(f) ? 0 : NEXT(fwrite)(bytes, size, n, f);
}

int fputs(const char *text, FILE *f)
{
    return stream_fails(f) ? EOF : NEXT(fputs)(text, f);
}

int fputc(int c, FILE *f)
{
    return stream_fails(f) ? EOF : NEXT(fputc)(c, f);
}

int fflush(FILE *f)
{
    return stream_fails(f) ? EOF : NEXT(fflush)(f);
}

int fclose(FILE *f)
{
    bool is_hit = stream_fails(f);
    int rc = NEXT(fclose)(f);
    errno = is_hit ? ENOSPC : errno;
    return is_hit ? EOF : rc;
}

int ftruncate64(int fd, off64_t size)
{
    return fails(FAULT_WRITE, EIO) ? -1 : NEXT(ftruncate64)(fd, size);
}

/* Names. */

int rename(const char *from, const char *to)
{
    return fails(FAULT_RENAME, EACCES) ? -1 : NEXT(rename)(from, to);
}

int mkdir(const char *name, mode_t mode)
{
    return fails(FAULT_RENAME, ENOSPC)
               ? -1
               : (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
}

int open(const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return fails(FAULT_OPEN, EMFILE)
               ? -1
               : (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return fails(FAULT_OPEN, EMFILE)
               ? -1
               : (int)syscall(SYS_openat, folder, name, flags, mode);
}

int open64(const char *name, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *name, int flags, ...)
    __attribute__((alias("openat")));

FILE *fopen(const char *name, const char *how)
{
    return fails(FAULT_OPEN, EMFILE) ? NULL : NEXT(fopen)(name, how);
}

FILE *fopen64(const char *name, const char *how)
    __attribute__((alias("fopen")));

FILE *fdopen(int fd, const char *how)
{
    return fails(FAULT_OPEN, ENOMEM) ? NULL : NEXT(fdopen)(fd, how);
}

FILE *tmpfile64(void)
{
    return fails(FAULT_OPEN, ENOSPC) ? NULL : NEXT(tmpfile64)();
}

/* Memory. */

void *mmap(void *at, size_t n, int rights, int flags, int fd, off_t o)
{
    return fails(FAULT_MMAP, ENOMEM)
               ? MAP_FAILED
               : (void *)syscall(SYS_mmap, at, n, rights, flags, fd, o);
}

void *mmap64(void *at, size_t n, int rights, int flags, int fd, off_t o)
    __attribute__((alias("mmap")));

void *malloc(size_t n)
{
    return fails(FAULT_MALLOC, ENOMEM) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails(FAULT_MALLOC, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails(FAULT_MALLOC, ENOMEM) ? NULL : __libc_realloc(p, n);
}

/* Clocks: the one of the day jumps, and the one that runs leaps ahead. */

int clock_gettime(clockid_t which, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, which, t);
    bool counts = which == CLOCK_REALTIME || which == CLOCK_MONOTONIC;
    if (counts && fault_hits(FAULT_CLOCK)
        && (which == CLOCK_REALTIME || state->jump_s > 0)) {
        t->tv_sec += state->jump_s;
    }
    return rc;
}

time_t time(time_t *out)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) {
        *out = t.tv_sec;
    }
    return t.tv_sec;
}
