/*
 * temporary.c - see temporary.h.
 *
 * Method      A process of its own waits for the end of a pipe that only the
 *             program holds, and then removes the folder: so it is removed also
 *             when the program was killed. A program that ends as it should
 *             waits for that.
 *
 *             What the program forked without starting another program must
 *             not outlive it, or the pipe stays open: assay-test sees to that.
 */
#define _XOPEN_SOURCE 700  // nftw, mkdtemp, P_tmpdir
#include "temporary.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// One for the process, as its temporary folder is.
static struct {
    pid_t program;
    pid_t keeper;
    int pipe;
} keeping;

void temporary_pattern(char path[TEMPORARY_SIZE], const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, TEMPORARY_SIZE, "%s/assay-XXXXXX%s",
             folder ? folder : P_tmpdir, suffix);
}

static int remove_entry(const char *path,
                        const struct stat *s,
                        int type,
                        struct FTW *at)
{
    (void)s;
    (void)type;
    (void)at;
    remove(path);
    return 0;
}

void temporary_remove(const char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// In a process of its own, which no signal to the program's group reaches.
static void keep(int end_of_program, const char *folder)
{
    char nothing = 0;
    setsid();
    for (int fd = 0; fd <= 2; fd++) {
        close(fd);  // who waits for the program's output does not wait for us
    }
    while (read(end_of_program, &nothing, 1) > 0) {
    }
    temporary_remove(folder);
    _exit(0);
}

static void end(void)
{
    if (keeping.program == getpid()) {
        close(keeping.pipe);
        waitpid(keeping.keeper, NULL, 0);
    }
}

void temporary_begin(void)
{
    char folder[TEMPORARY_SIZE];
    int ends[2];
    temporary_pattern(folder, "");
    if (!mkdtemp(folder) || pipe(ends) != 0) {
        perror("no temporary folder");
        exit(2);
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    keeping.program = getpid();
    keeping.pipe = ends[1];
    keeping.keeper = fork();
    if (keeping.keeper == 0) {
        close(ends[1]);
        keep(ends[0], folder);
    }
    close(ends[0]);
    atexit(end);
    setenv("TMPDIR", folder, 1);
}
