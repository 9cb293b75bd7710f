/*
 * sandbox.c - rlimits, landlock and seccomp.
 *
 * Method      Landlock (Linux 5.13) by its system calls, for glibc has no
 *             wrappers; what later versions of it can refuse is asked for
 *             where the kernel knows it. seccomp lets the calls pass that a
 *             worker needs, and no others. Each of the three stands alone:
 *             where a kernel or a container forbids one, the others remain.
 *
 *             Landlock judges a file by where it lies, not by the link that
 *             leads to it. Whoever puts a link to a database into the folder
 *             means that database to be read: so the ends of such links may be
 *             read, too.
 */
#define _GNU_SOURCE  // syscall, O_PATH, DT_LNK
#include "process/sandbox.h"

#include "process/sandbox_seccomp.h"
#include "process/worker_exit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    // By the numbers of the kernel, for headers may be older than it.
    REFER = 1 << 13,      // version 2: moving files between folders
    TRUNCATE = 1 << 14,   // version 3
    IOCTL_DEV = 1 << 15,  // version 5
};

// What this kernel can refuse; 0 when it has no landlock.
static uint64_t known_rights(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
                           LANDLOCK_CREATE_RULESET_VERSION);
    return version < 1 ? 0
                       : ALL_RIGHTS | (version >= 2 ? REFER : 0)
                             | (version >= 3 ? TRUNCATE : 0)
                             | (version >= 5 ? IOCTL_DEV : 0);
}

enum {
    DATABASE_DEPTH = 2,  // FOLDER/DB/DB.sqlite
};

// A folder or a database: what a link may lead to.
static bool is_database(str name)
{
    static const str suffixes[] = {
        S_INIT(".sqlite"), S_INIT(".sqlite3"), S_INIT(".db"),
        S_INIT(".sql"),    S_INIT(".duckdb"),
    };
    bool is_known = str_find(name, S("."), 0) < 0;
    for (ptrdiff_t i = 0; i < countof(suffixes); i++) {
        is_known |= str_ends_fold(name, suffixes[i]);
    }
    return is_known;
}

static void allow_links(int ruleset, int folder, int depth);

// Allows reading what `fd`, an O_PATH, stands for; closes it.
static void allow_open(int ruleset, int fd, int depth)
{
    struct stat st;
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
        struct landlock_path_beneath_attr below = {
            .allowed_access = S_ISDIR(st.st_mode) ? FOLDER_RIGHTS : FILE_RIGHTS,
            .parent_fd = fd,
        };
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                &below, 0);
        if (S_ISDIR(st.st_mode) && depth > 0) {
            allow_links(ruleset, fd, depth);
        }
    }
    close(fd);
}

// The ends of links to databases in the folder, and in those below it.
static void allow_links(int ruleset, int folder, int depth)
{
    enum {
        LOOK = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
        POINT = O_PATH | O_CLOEXEC,
    };
    int list = openat(folder, ".", LOOK);
    DIR *entries = list >= 0 ? fdopendir(list) : NULL;
    const struct dirent *e = NULL;
    while (entries && (e = readdir(entries))) {
        bool is_hidden = e->d_name[0] == '.';
        bool is_unknown = e->d_type == DT_UNKNOWN;
        if (!is_hidden && (e->d_type == DT_LNK || is_unknown)
            && is_database(str_from(e->d_name))) {
            allow_open(ruleset, openat(folder, e->d_name, POINT), depth - 1);
        } else if (!is_hidden && e->d_type == DT_DIR && depth > 1) {
            int below = openat(folder, e->d_name, POINT);
            allow_links(ruleset, below, depth - 1);
            close(below);
        }
    }
    if (entries) {
        closedir(entries);
    } else if (list >= 0) {
        close(list);
    }
}

// -1 when it is not there. A worker that may not read what it must for want of
// descriptors or memory would call every database unreadable: it ends.
static int point_at(const char *path)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
        _exit(WORKER_EXIT_SETUP);
    }
    return fd;
}

static void allow_reading(int ruleset, const char *path)
{
    allow_open(ruleset, point_at(path), 0);
}

static void allow_databases(int ruleset, const char *path)
{
    allow_open(ruleset, point_at(path), DATABASE_DEPTH);
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

static bool enter_landlock(sandbox_rights rights)
{
    struct landlock_ruleset_attr rules = {.handled_access_fs = known_rights()};
    int fd =
        rules.handled_access_fs != 0
            ? (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0)
            : -1;
    if (fd < 0) {
        return false;
    }
    if (rights.readable) {
        allow_databases(fd, rights.readable);
    }
    for (const char *const *file = rights.also; file && *file; file++) {
        allow_reading(fd, *file);
    }
    if (rights.golds) {
        allow_databases(fd, rights.golds);
    }
    for (const char *const *file = rights.also_golds; file && *file; file++) {
        allow_reading(fd, *file);
    }
    if (rights.suite) {
        allow_databases(fd, rights.suite);
    }
    if (rights.may_connect) {
        allow_client_files(fd);
    }
    bool ok = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}

unsigned sandbox_enter(sandbox_rights rights)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    unsigned missing = enter_landlock(rights) ? 0 : SANDBOX_LANDLOCK;
    seccomp_rights calls = {.may_connect = rights.may_connect,
                            .may_load = rights.may_load};
    return missing | (sandbox_enter_seccomp(calls) ? 0 : SANDBOX_SECCOMP);
}

static unsigned try_out(void)
{
    enum {
        ALL = SANDBOX_LANDLOCK | SANDBOX_SECCOMP
    };
    pid_t child = fork();
    if (child == 0) {
        _exit((int)sandbox_enter((sandbox_rights){0}));
    }
    int status = 0;
    pid_t ended = child;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0
           && errno == EINTR) {
    }
    bool is_told = child > 0 && ended == child && WIFEXITED(status);
    return is_told ? (unsigned)WEXITSTATUS(status) & ALL : ALL;
}

unsigned sandbox_missing(bool tries)
{
    return tries ? try_out()
                 : (known_rights() != 0 ? 0 : SANDBOX_LANDLOCK)
                       | (sandbox_has_seccomp() ? 0 : SANDBOX_SECCOMP);
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
