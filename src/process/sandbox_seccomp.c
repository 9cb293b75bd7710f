/*
 * sandbox_seccomp.c - see sandbox_seccomp.h.
 *
 * Method      A list of what passes; everything else fails with EPERM, so that
 *             what a newer kernel adds is refused before anybody has heard of
 *             it. Calls are named, not numbered: the library knows the numbers
 *             of each machine, and leaves out what a machine does not have.
 *             Where a call does harm only with some arguments, the argument is
 *             part of the rule: files are opened to be read, limits are our
 *             own, the only signal is that of abort(), new tasks are threads.
 *
 *             clone3() hides its flags behind a pointer, where no filter can
 *             see them. It does not exist for a worker (ENOSYS): the C library
 *             then starts threads by clone(), whose flags are in a register.
 */
#define _GNU_SOURCE  // CLONE_*
#include "process/sandbox_seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))

// What every worker does: compute, read, answer, end.
static const int common[] = {
    // memory
    SCMP_SYS(brk),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(madvise),
    // files that are open, and those that landlock lets it read
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(stat),
    SCMP_SYS(fstat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64),
    SCMP_SYS(getcwd),
    SCMP_SYS(fadvise64),
    // waiting
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(sched_yield),
    SCMP_SYS(futex),
    // the time
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(alarm),
    SCMP_SYS(setitimer),
    SCMP_SYS(getitimer),
    // itself
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(getrandom),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

// Of libraries that are loaded later: code is mapped, threads are made.
static const int loading[] = {
    SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq), SCMP_SYS(statfs),   SCMP_SYS(fstatfs),
};

// What fcntl() may do. Not name whom the kernel sends signals for a file: that
// may be anybody's process, and any signal.
static const int file_commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
};
// Of DuckDB.
static const int lock_commands[] = {F_GETLK, F_SETLK};

static const int connecting[] = {
    SCMP_SYS(connect),    SCMP_SYS(getsockname), SCMP_SYS(getpeername),
    SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),  SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),    SCMP_SYS(sendmmsg),    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),    SCMP_SYS(shutdown),
};

// Names are looked up in the network and on this machine; no raw packets.
static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

static const uint64_t OPENING = O_ACCMODE | O_CREAT | O_TRUNC;
static const uint64_t TASK_KIND = CLONE_THREAD | CLONE_VFORK | CLONE_PARENT
                                  | CLONE_PTRACE | CLONE_NEWNS | CLONE_NEWUTS
                                  | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
                                  | CLONE_NEWNET | CLONE_NEWCGROUP;

// A call that the machine does not have is none that has to be allowed.
static bool is_added(int result)
{
    return result == 0 || result == -EDOM;
}

static bool allow(scmp_filter_ctx filter, const int *calls, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok
             && is_added(seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0));
    }
    return ok;
}

static bool allow_when(scmp_filter_ctx filter, int call, struct scmp_arg_cmp is)
{
    return is_added(
        seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &is));
}

static bool allow_fcntl(scmp_filter_ctx filter, const int *commands, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok
             && allow_when(filter, SCMP_SYS(fcntl),
                           SCMP_A1(SCMP_CMP_EQ, (uint64_t)commands[i], 0));
    }
    return ok;
}

// abort() strikes its own thread. No other signal: who stops himself is waited
// for.
static bool allow_abort(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp is[] = {
        SCMP_A0(SCMP_CMP_EQ, (uint64_t)getpid(), 0),
        SCMP_A2(SCMP_CMP_EQ, SIGABRT, 0),
    };
    return is_added(seccomp_rule_add_array(filter, SCMP_ACT_ALLOW,
                                           SCMP_SYS(tgkill), LENGTH(is), is));
}

static bool allow_with_arguments(scmp_filter_ctx filter)
{
    return allow_when(filter, SCMP_SYS(open),
                      SCMP_A1(SCMP_CMP_MASKED_EQ, OPENING, O_RDONLY))
           && allow_when(filter, SCMP_SYS(openat),
                         SCMP_A2(SCMP_CMP_MASKED_EQ, OPENING, O_RDONLY))
           && allow_when(filter, SCMP_SYS(prlimit64),
                         SCMP_A0(SCMP_CMP_EQ, 0, 0))
           && allow_fcntl(filter, file_commands, LENGTH(file_commands))
           && allow_abort(filter);
}

static bool allow_loading(scmp_filter_ctx filter)
{
    return allow(filter, loading, LENGTH(loading))
           && allow_fcntl(filter, lock_commands, LENGTH(lock_commands))
           && allow_when(filter, SCMP_SYS(clone),
                         SCMP_A0(SCMP_CMP_MASKED_EQ, TASK_KIND, CLONE_THREAD))
           && is_added(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
                                        SCMP_SYS(clone3), 0));
}

// Without libraries no page becomes code.
static bool allow_data_pages(scmp_filter_ctx filter)
{
    enum {
        CODE = 4  // PROT_EXEC
    };
    return allow_when(filter, SCMP_SYS(mmap),
                      SCMP_A2(SCMP_CMP_MASKED_EQ, CODE, 0))
           && allow_when(filter, SCMP_SYS(mprotect),
                         SCMP_A2(SCMP_CMP_MASKED_EQ, CODE, 0));
}

static bool allow_connecting(scmp_filter_ctx filter)
{
    bool ok = allow(filter, connecting, LENGTH(connecting))
              && allow_when(filter, SCMP_SYS(ioctl),
                            SCMP_A1(SCMP_CMP_EQ, FIONREAD, 0))
              && allow_when(filter, SCMP_SYS(ioctl),
                            SCMP_A1(SCMP_CMP_EQ, FIONBIO, 0));
    for (size_t i = 0; ok && i < LENGTH(families); i++) {
        ok = allow_when(filter, SCMP_SYS(socket),
                        SCMP_A0(SCMP_CMP_EQ, (uint64_t)families[i], 0));
    }
    return ok;
}

static scmp_filter_ctx filter_of(seccomp_rights rights)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool ok = filter != NULL;
    if (ok && rights.machine != 0 && rights.machine != seccomp_arch_native()) {
        ok = seccomp_arch_add(filter, rights.machine) == 0
             && seccomp_arch_remove(filter, seccomp_arch_native()) == 0;
    }
    bool has_libraries = rights.may_load || rights.may_connect;
    ok = ok && allow(filter, common, LENGTH(common))
         && allow_with_arguments(filter)
         && (has_libraries ? allow_loading(filter) : allow_data_pages(filter))
         && (!rights.may_connect || allow_connecting(filter));
    if (!ok && filter) {
        seccomp_release(filter);
    }
    return ok ? filter : NULL;
}

bool sandbox_enter_seccomp(seccomp_rights rights)
{
    scmp_filter_ctx filter = filter_of(rights);
    if (!filter) {
        return false;
    }
    bool ok = seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

bool sandbox_has_seccomp(void)
{
    uint32_t action = SCMP_ACT_ERRNO(0) & SECCOMP_RET_ACTION_FULL;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool sandbox_can_filter(seccomp_rights rights)
{
    scmp_filter_ctx filter = filter_of(rights);
    if (filter) {
        seccomp_release(filter);
    }
    return filter != NULL;
}
