/*
 * t_sandbox.c - what a locked-in process can still do. Each attempt is made in
 * a child, which says by its exit status how it went.
 */
#define _GNU_SOURCE  // syscall, CLONE_*, mmap flags
#include "check.h"
#include "process/sandbox.h"
#include "process/sandbox_seccomp.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#ifdef HAVE_SECCOMP
#    include <seccomp.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DONE = 0,
    REFUSED = 1
};

static int outcome_of(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return DONE;
    }
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int in_child(int (*attempt)(const char *), const char *argument)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(attempt(argument));
    }
    return outcome_of(child);
}

static int in_wider_sandbox(sandbox_rights rights,
                            int (*attempt)(const char *),
                            const char *argument)
{
    pid_t child = fork();
    if (child == 0) {
        sandbox_enter(rights);
        _exit(attempt(argument));
    }
    return outcome_of(child);
}

static int in_sandbox(const char *readable,
                      int (*attempt)(const char *),
                      const char *argument)
{
    return in_wider_sandbox((sandbox_rights){.readable = readable}, attempt,
                            argument);
}

// A fresh folder; `folder` ends in XXXXXX.
static void make_folder(char *folder, char *inside, size_t size)
{
    assert_non_null(mkdtemp(folder));
    snprintf(inside, size, "%s/a.sqlite", folder);
}

static int read_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? DONE : REFUSED;
}

static int write_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return fd >= 0 ? DONE : REFUSED;
}

static int open_socket(const char *ignored)
{
    (void)ignored;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? DONE : REFUSED;
}

static int start_program(const char *path)
{
    char name[] = "true";
    char *argv[] = {name, NULL};
    char *envp[] = {NULL};
    execve(path, argv, envp);
    return REFUSED;
}

// Kernels without landlock are taken as they are: then files stay readable.
// The kernel is asked, not the sandbox.
static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0,
                   LANDLOCK_CREATE_RULESET_VERSION)
           >= 1;
}

static bool has_seccomp(void)
{
#ifdef HAVE_SECCOMP
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return false;
#endif
}

static void only_the_databases_can_be_read(void **state)
{
    (void)state;
    if (!has_landlock()) {
        skip();
    }
    char folder[TEMPORARY_SIZE];
    char inside[TEMPORARY_SIZE + 16];
    temporary_pattern(folder, "");
    make_folder(folder, inside, sizeof inside);
    assert_int_equal(write_file(inside), DONE);
    assert_int_equal(in_sandbox(folder, read_file, inside), DONE);
    assert_int_equal(in_sandbox(inside, read_file, inside), DONE);
    assert_int_equal(in_sandbox(NULL, read_file, inside), REFUSED);
    assert_int_equal(in_sandbox(folder, read_file, "/etc/passwd"), REFUSED);
    unlink(inside);
    rmdir(folder);
}

static void nothing_can_be_written(void **state)
{
    (void)state;
    if (!has_landlock()) {
        skip();
    }
    char folder[TEMPORARY_SIZE];
    char inside[TEMPORARY_SIZE + 16];
    temporary_pattern(folder, "");
    make_folder(folder, inside, sizeof inside);
    assert_int_equal(in_sandbox(folder, write_file, inside), REFUSED);
    assert_int_equal(access(inside, F_OK), -1);
    rmdir(folder);
}

static void no_socket_no_program(void **state)
{
    (void)state;
    // Both work here, so that a refusal below means something.
    assert_int_equal(open_socket(NULL), DONE);
    if (!has_seccomp()) {
        skip();
    }
    assert_int_equal(in_sandbox("/", open_socket, NULL), REFUSED);
    assert_int_equal(in_sandbox("/", start_program, "/bin/true"), REFUSED);
}

static int take_memory(const char *ignored)
{
    (void)ignored;
    enum {
        MB = 1 << 20
    };
    sandbox box;
    sandbox_limit_memory(&box, 64 * (int64_t)MB);
    if (box.base_bytes == 0) {
        return REFUSED;
    }
    if (box.limit_bytes == 0) {
        return DONE;  // a sanitizer build
    }
    void *little =
        mmap(NULL, 16 * MB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *much = mmap(NULL, 256 * (size_t)MB, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sandbox_lift_memory(&box);
    void *lifted = mmap(NULL, 256 * (size_t)MB, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sandbox_restore_memory(&box, 256 * (int64_t)MB);
    void *again = mmap(NULL, 256 * (size_t)MB, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool ok = little != MAP_FAILED && much == MAP_FAILED && lifted != MAP_FAILED
              && again == MAP_FAILED;
    return ok ? DONE : REFUSED;
}

static void memory_is_limited_but_for_what_is_mapped_on_purpose(void **state)
{
    (void)state;
    assert_int_equal(in_child(take_memory, NULL), DONE);
}

// Workers of files, of DuckDB, of servers.
static const sandbox_rights kinds[] = {
    {.readable = "/"},
    {.readable = "/", .may_load = true},
    {.readable = "/", .may_connect = true},
};

// Each of these works, or fails for another reason than EPERM, before the
// process is locked in; none may pass afterwards.
static const struct {
    const char *name;
    long number;
    long arguments[5];
} led_out[] = {
    {"fork", SYS_clone, {SIGCHLD}},
    {"clone3", SYS_clone3, {0}},
    {"thread", SYS_clone, {CLONE_THREAD}},
    {"kill of the parent", SYS_kill, {1, 0}},
    {"tgkill of another", SYS_tgkill, {1, 1, 0}},
    {"tkill", SYS_tkill, {1, 0}},
    {"signals to another for a file", SYS_fcntl, {0, F_SETOWN, 1}},
    {"and to a thread of another", SYS_fcntl, {0, F_SETOWN_EX, 0}},
    {"any signal for a file", SYS_fcntl, {0, F_SETSIG, SIGKILL}},
    {"a signal for a folder", SYS_fcntl, {0, F_NOTIFY, DN_MULTISHOT}},
    {"a signal for a lease", SYS_fcntl, {0, F_SETLEASE, F_RDLCK}},
    {"ioctl that does the same", SYS_ioctl, {0, FIOSETOWN, 0}},
    {"the cores of another", SYS_sched_setaffinity, {1, 0, 0}},
    {"rt_sigqueueinfo", SYS_rt_sigqueueinfo, {1, 0, 0}},
    {"pidfd_open", SYS_pidfd_open, {1, 0}},
    {"pidfd_send_signal", SYS_pidfd_send_signal, {-1, 0, 0, 0}},
    {"pidfd_getfd", SYS_pidfd_getfd, {-1, 0, 0}},
    {"process_vm_readv", SYS_process_vm_readv, {1, 0, 0, 0, 0}},
    {"process_vm_writev", SYS_process_vm_writev, {1, 0, 0, 0, 0}},
    {"ptrace", SYS_ptrace, {0}},
    {"io_uring_setup", SYS_io_uring_setup, {1, 0}},
    {"unshare", SYS_unshare, {0}},
    {"setns", SYS_setns, {-1, 0}},
    {"chroot", SYS_chroot, {0}},
    {"fchmod", SYS_fchmod, {-1, 0600}},
    {"fchmodat", SYS_fchmodat, {-1, 0, 0600}},
    {"fchownat", SYS_fchownat, {-1, 0, 0, 0, 0}},
    {"setxattr", SYS_setxattr, {0}},
    {"fsetxattr", SYS_fsetxattr, {-1, 0}},
    {"utimensat", SYS_utimensat, {-1, 0}},
    {"unlinkat", SYS_unlinkat, {-1, 0}},
    {"renameat2", SYS_renameat2, {-1, 0, -1}},
    {"linkat", SYS_linkat, {-1, 0, -1}},
    {"symlinkat", SYS_symlinkat, {0, -1}},
    {"mkdirat", SYS_mkdirat, {-1, 0}},
    {"mknodat", SYS_mknodat, {-1, 0}},
    {"ftruncate", SYS_ftruncate, {-1, 0}},
    {"fallocate", SYS_fallocate, {-1, 0}},
    {"prlimit of the parent", SYS_prlimit64, {1, 0, 0, 0}},
    {"setpriority", SYS_setpriority, {0}},
    {"socketpair", SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0}},
    {"bind", SYS_bind, {-1, 0}},
    {"listen", SYS_listen, {-1}},
    {"accept4", SYS_accept4, {-1}},
    {"connect", SYS_connect, {-1, 0}},
    {"sendmsg", SYS_sendmsg, {-1, 0}},
    {"ioctl", SYS_ioctl, {0, TIOCSTI, 0}},
    {"memfd_create", SYS_memfd_create, {0, 0}},
    {"userfaultfd", SYS_userfaultfd, {0}},
    {"bpf", SYS_bpf, {-1}},
    {"perf_event_open", SYS_perf_event_open, {0}},
    {"keyctl", SYS_keyctl, {0}},
    {"mount", SYS_mount, {0}},
    {"execveat", SYS_execveat, {-1, 0, 0, 0, 0}},
    {"personality", SYS_personality, {0}},
    {"seccomp", SYS_seccomp, {0}},
    {"shmget", SYS_shmget, {0}},
    {"semget", SYS_semget, {0}},
    {"open_by_handle_at", SYS_open_by_handle_at, {-1, 0, 0}},
    {"name_to_handle_at", SYS_name_to_handle_at, {-1, 0, 0}},
    {"fanotify_init", SYS_fanotify_init, {0}},
    {"timer_create", SYS_timer_create, {0}},
    {"reboot", SYS_reboot, {0}},
    {"setuid", SYS_setuid, {0}},
    {"a call of the future", 1 << 20, {0}},
};

static int make_call(const char *no)
{
    long i = strtol(no, NULL, 10);
    const long *a = led_out[i].arguments;
    errno = 0;
    long result = syscall(led_out[i].number, a[0], a[1], a[2], a[3], a[4]);
    return result < 0 && errno == EPERM ? REFUSED : DONE;
}

// Threads, and connections to servers.
static bool may(sandbox_rights kind, ptrdiff_t i)
{
    long call = led_out[i].number;
    bool is_thread =
        call == SYS_clone3
        || (call == SYS_clone && led_out[i].arguments[0] == CLONE_THREAD);
    bool is_sent = call == SYS_connect || call == SYS_sendmsg;
    return (is_thread && (kind.may_load || kind.may_connect))
           || (is_sent && kind.may_connect);
}

static void nothing_else_passes(void **state)
{
    (void)state;
    if (!has_seccomp()) {
        skip();
    }
    for (ptrdiff_t i = 0; i < countof(led_out); i++) {
        char no[16];
        snprintf(no, sizeof no, "%d", (int)i);
        for (int k = 0; k < countof(kinds); k++) {
            if (!may(kinds[k], i)
                && in_wider_sandbox(kinds[k], make_call, no) != REFUSED) {
                fail_msg("%s passes, %d", led_out[i].name, k);
            }
        }
    }
}

// Who stops himself is waited for, for ever.
static int stop_itself(const char *ignored)
{
    (void)ignored;
    return raise(SIGSTOP) == 0 ? DONE : REFUSED;
}

static void no_worker_stops_itself(void **state)
{
    (void)state;
    if (!has_seccomp()) {
        skip();
    }
    for (int k = 0; k < countof(kinds); k++) {
        assert_int_equal(in_wider_sandbox(kinds[k], stop_itself, NULL),
                         REFUSED);
    }
}

static int map_code(const char *ignored)
{
    (void)ignored;
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED && mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0
               ? DONE
               : REFUSED;
}

static void no_data_becomes_code(void **state)
{
    (void)state;
    assert_int_equal(in_child(map_code, NULL), DONE);
    if (has_seccomp()) {
        assert_int_equal(in_sandbox(NULL, map_code, NULL), REFUSED);
    }
}

static int open_raw_socket(const char *ignored)
{
    (void)ignored;
    return socket(AF_PACKET, SOCK_RAW, 0) >= 0 || errno != EPERM ? DONE
                                                                 : REFUSED;
}

static int start_process(const char *ignored)
{
    (void)ignored;
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    return child > 0 ? DONE : REFUSED;
}

static void *do_nothing(void *nothing)
{
    return nothing;
}

static int start_thread(const char *ignored)
{
    (void)ignored;
    pthread_t thread;
    return pthread_create(&thread, NULL, do_nothing, NULL) == 0
                   && pthread_join(thread, NULL) == 0
               ? DONE
               : REFUSED;
}

static void wider_rights_are_no_wider_than_needed(void **state)
{
    (void)state;
    if (!has_seccomp()) {
        skip();
    }
    sandbox_rights server = {.may_connect = true};
    sandbox_rights library = {.may_load = true};
    assert_int_equal(in_wider_sandbox(server, open_socket, NULL), DONE);
    assert_int_equal(in_wider_sandbox(server, open_raw_socket, NULL), REFUSED);
    assert_int_equal(in_wider_sandbox(server, start_process, NULL), REFUSED);
    assert_int_equal(in_wider_sandbox(library, start_thread, NULL), DONE);
    assert_int_equal(in_wider_sandbox(library, open_socket, NULL), REFUSED);
    assert_int_equal(in_wider_sandbox(library, start_process, NULL), REFUSED);
    assert_int_equal(in_sandbox(NULL, start_thread, NULL), REFUSED);
}

#ifdef HAVE_SECCOMP
// The filter is made of names; they must be known of every machine.
static void filters_are_made_for_other_machines(void **state)
{
    (void)state;
    static const uint32_t machines[] = {SCMP_ARCH_X86_64, SCMP_ARCH_AARCH64,
                                        SCMP_ARCH_RISCV64};
    for (ptrdiff_t i = 0; i < countof(machines); i++) {
        for (int k = 0; k < 4; k++) {
            assert_true(sandbox_can_filter((seccomp_rights){
                .may_connect = (k & 1) != 0,
                .may_load = (k & 2) != 0,
                .machine = machines[i],
            }));
        }
    }
}

// Runs as on a kernel that was built without the call.
static void lack(int call)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
    seccomp_load(filter);
}

static int tell_missing(const char *ignored)
{
    (void)ignored;
    lack(SCMP_SYS(landlock_create_ruleset));
    unsigned missing = sandbox_missing(false);
    return missing == sandbox_missing(true) ? (int)missing : 99;
}

static int ask_for_all(const char *how)
{
    lack(SCMP_SYS(landlock_create_ruleset));
    char program[] = "assay";
    char check[] = "check";
    char schema[] = "--schema";
    char ddl[] = "examples/shop/shop.sql";
    char query[] = "SELECT 1";
    char option[32];
    snprintf(option, sizeof option, "%s", how);
    char *argv[] = {program, check, schema, ddl, query, query, option, NULL};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(getenv("ASSAY_BIN"), argv);
    return 99;
}

static void what_is_missing_is_told(void **state)
{
    (void)state;
    if (has_landlock()) {
        assert_int_equal(sandbox_missing(false), 0);
        assert_int_equal(sandbox_missing(true), 0);
    }
    assert_int_equal(in_child(tell_missing, NULL), SANDBOX_LANDLOCK);
    if (getenv("ASSAY_BIN")) {
        assert_int_equal(in_child(ask_for_all, "--quiet"), 0);
        assert_int_equal(in_child(ask_for_all, "--require-sandbox"), 3);
    }
}
#endif

static void links_to_databases_lead_out_of_the_folder(void **state)
{
    (void)state;
    if (!has_landlock()) {
        skip();
    }
    char folder[TEMPORARY_SIZE];
    char inside[TEMPORARY_SIZE + 16];
    char elsewhere[TEMPORARY_SIZE];
    char target[TEMPORARY_SIZE + 16];
    char other[TEMPORARY_SIZE + 16];
    temporary_pattern(folder, "");
    temporary_pattern(elsewhere, "");
    make_folder(folder, inside, sizeof inside);
    make_folder(elsewhere, target, sizeof target);
    snprintf(other, sizeof other, "%s/b.txt", folder);
    assert_int_equal(write_file(target), DONE);
    assert_int_equal(symlink(target, inside), 0);
    assert_int_equal(symlink("/etc/passwd", other), 0);
    assert_int_equal(in_sandbox(folder, read_file, inside), DONE);
    assert_int_equal(in_sandbox(folder, read_file, other), REFUSED);
    unlink(other);
    unlink(inside);
    unlink(target);
    rmdir(folder);
    rmdir(elsewhere);
}

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_databases_can_be_read),
        cmocka_unit_test(nothing_can_be_written),
        cmocka_unit_test(no_socket_no_program),
        cmocka_unit_test(nothing_else_passes),
        cmocka_unit_test(no_worker_stops_itself),
        cmocka_unit_test(no_data_becomes_code),
        cmocka_unit_test(wider_rights_are_no_wider_than_needed),
#ifdef HAVE_SECCOMP
        cmocka_unit_test(filters_are_made_for_other_machines),
        cmocka_unit_test(what_is_missing_is_told),
#endif
        cmocka_unit_test(links_to_databases_lead_out_of_the_folder),
        cmocka_unit_test(memory_is_limited_but_for_what_is_mapped_on_purpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
