/*
 * t_sandbox.c - what a locked-in process can still do. Each attempt is made in
 * a child, which says by its exit status how it went.
 */
#define _DEFAULT_SOURCE  // syscall numbers through <sys/socket.h>, mmap flags
#include "check.h"
#include "process/sandbox.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DONE = 0,
    REFUSED = 1
};

static int outcome_of(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
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

static int in_sandbox(const char *readable,
                      int (*attempt)(const char *),
                      const char *argument)
{
    pid_t child = fork();
    if (child == 0) {
        sandbox_enter((sandbox_rights){.readable = readable});
        _exit(attempt(argument));
    }
    return outcome_of(child);
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
static bool has_landlock(void)
{
    return in_sandbox(NULL, read_file, "/etc/passwd") == REFUSED;
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
    if (in_sandbox("/", open_socket, NULL) == DONE) {
        skip();  // built without libseccomp
    }
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

int main(void)
{
    temporary_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_databases_can_be_read),
        cmocka_unit_test(nothing_can_be_written),
        cmocka_unit_test(no_socket_no_program),
        cmocka_unit_test(memory_is_limited_but_for_what_is_mapped_on_purpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
