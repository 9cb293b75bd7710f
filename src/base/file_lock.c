/*
 * file_lock.c - locks of flock(2), which end with the process that holds them.
 *
 * Invariant   A lock counts only when the name still leads to the locked file:
 *             a file that was renamed or removed in between is tried anew.
 */
#define _DEFAULT_SOURCE  // flock
#include "base/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TRIES = 10
};

static bool is_at(const char *name, int fd)
{
    struct stat there;
    struct stat here;
    return stat(name, &there) == 0 && fstat(fd, &here) == 0
           && there.st_ino == here.st_ino && there.st_dev == here.st_dev;
}

// Closes it when it cannot be locked. A file system without locks has none to
// respect.
static bool lock_or_close(int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
        return true;
    }
    close(fd);
    errno = EBUSY;
    return false;
}

int file_lock(const char *name)
{
    for (int i = 0; i < TRIES; i++) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0 || !lock_or_close(fd)) {
            return -1;
        }
        if (is_at(name, fd)) {
            return fd;
        }
        close(fd);
    }
    errno = EBUSY;
    return -1;
}

// Removes what a process that is gone left there.
static bool remove_left_over(const char *name)
{
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_free = fd < 0 || lock_or_close(fd);
    bool ok = is_free && (unlink(name) == 0 || errno == ENOENT);
    if (fd >= 0 && is_free) {
        close(fd);
    }
    return ok;
}

int file_create(const char *name)
{
    enum {
        FLAGS = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    };
    for (int i = 0; i < TRIES; i++) {
        int fd = open(name, FLAGS, 0666);
        if (fd >= 0) {
            return lock_or_close(fd) ? fd : -1;
        }
        if (errno != EEXIST || !remove_left_over(name)) {
            return -1;
        }
    }
    errno = EBUSY;
    return -1;
}
