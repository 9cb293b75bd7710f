/*
 * sandbox.c - rlimits, landlock and seccomp.
 *
 * Method      Landlock (Linux 5.13) by its system calls, for glibc has no
 *             wrappers; only rights of its first version are asked for, which
 *             every kernel that has it knows. seccomp refuses the few calls
 *             that lead out of the process. Each of the three stands alone:
 *             where a kernel or a container forbids one, the others remain.
 */
#define _GNU_SOURCE  // syscall, O_PATH
#include "process/sandbox.h"

#include "process/sandbox_seccomp.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FILE_RIGHTS = LANDLOCK_ACCESS_FS_READ_FILE,
    FOLDER_RIGHTS = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    ALL_RIGHTS = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE
                 | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR
                 | LANDLOCK_ACCESS_FS_REMOVE_DIR
                 | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR
                 | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
                 | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO
                 | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

static void allow_reading(int ruleset, const char *path)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0) {
        struct landlock_path_beneath_attr below = {
            .allowed_access = S_ISDIR(st.st_mode) ? FOLDER_RIGHTS : FILE_RIGHTS,
            .parent_fd = fd,
        };
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                &below, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
}

// What client libraries of servers read: resolv.conf and hosts, libraries that
// look up names, certificates; below the home folder their own files.
static const char *const client_files[] = {
    "/etc", "/usr", "/lib", "/lib64", "/run/systemd/resolve",
};
static const char *const client_home_files[] = {
    ".pgpass",
    ".postgresql",
    ".my.cnf",
    ".odbc.ini",
};

static void allow_client_files(int ruleset)
{
    for (ptrdiff_t i = 0; i < countof(client_files); i++) {
        allow_reading(ruleset, client_files[i]);
    }
    const char *pgpass = getenv("PGPASSFILE");
    if (pgpass) {
        allow_reading(ruleset, pgpass);
    }
    const char *home = getenv("HOME");
    for (ptrdiff_t i = 0; home && i < countof(client_home_files); i++) {
        char path[4096];
        int n =
            snprintf(path, sizeof path, "%s/%s", home, client_home_files[i]);
        if (n > 0 && n < (int)sizeof path) {
            allow_reading(ruleset, path);
        }
    }
}

static void enter_landlock(sandbox_rights rights)
{
    struct landlock_ruleset_attr rules = {.handled_access_fs = ALL_RIGHTS};
    int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (fd < 0) {
        return;
    }
    if (rights.readable) {
        allow_reading(fd, rights.readable);
    }
    for (const char *const *file = rights.also; file && *file; file++) {
        allow_reading(fd, *file);
    }
    if (rights.suite) {
        allow_reading(fd, rights.suite);
    }
    if (rights.may_connect) {
        allow_client_files(fd);
    }
    syscall(SYS_landlock_restrict_self, fd, 0);
    close(fd);
}

void sandbox_enter(sandbox_rights rights)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    enter_landlock(rights);
    sandbox_enter_seccomp(rights.may_connect);
}

// The address space of this process in bytes.
static int64_t used_bytes(void)
{
    long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f) {
        char line[64] = {0};
        int64_t n = 0;
        if (fgets(line, sizeof line, f)) {
            str rest = str_from(line);
            if (str_to_int(str_cut(&rest, ' '), &n)) {
                pages = n;
            }
        }
        fclose(f);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static void set_limit(rlim_t soft)
{
    struct rlimit now = {0};
    if (getrlimit(RLIMIT_AS, &now) == 0) {
        now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
        setrlimit(RLIMIT_AS, &now);
    }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum {
    CAN_LIMIT = 0
};
#elif defined(__has_feature)
enum {
    CAN_LIMIT =
        __has_feature(address_sanitizer) + __has_feature(thread_sanitizer) == 0
};
#else
enum {
    CAN_LIMIT = 1
};
#endif

void sandbox_limit_memory(sandbox *s, int64_t bytes)
{
    *s = (sandbox){.base_bytes = used_bytes()};
    if (CAN_LIMIT && s->base_bytes > 0) {
        s->limit_bytes = bytes;
        sandbox_restore_memory(s, 0);
    }
}

void sandbox_lift_memory(const sandbox *s)
{
    if (s->limit_bytes > 0) {
        set_limit(RLIM_INFINITY);
    }
}

void sandbox_restore_memory(const sandbox *s, int64_t mapped_bytes)
{
    if (s->limit_bytes > 0) {
        set_limit((rlim_t)(s->base_bytes + s->limit_bytes + mapped_bytes));
    }
}
