/*
 * file_atomic.c - a file that gets its name when it is whole.
 *
 * Method      Written under NAME.part, then renamed, which replaces the old
 *             file at once. A device or a pipe is written to as it is.
 */
#define _DEFAULT_SOURCE  // fdopen
#include "base/file_atomic.h"

#include "base/file.h"
#include "base/file_lock.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

// The names of those that are being written.
static const char *parts[8];

// Puts `now` where `was` stands; NULL is a place that is free.
static void change_part(const char *was, const char *now)
{
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (parts[i] == was) {
            parts[i] = now;
            return;
        }
    }
}

void file_atomic_abandon(void)
{
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (parts[i]) {
            unlink(parts[i]);
        }
    }
}

bool file_atomic_open(file_atomic *p, arena *a, str path)
{
    *p = (file_atomic){.name = file_target(a, path)};
    if (!file_is_special(p->name)) {
        p->part = arena_printf(a, "%s.part", p->name).ptr;
    }
    if (!p->part) {
        p->file = fopen(p->name, "wbe");
        return p->file != NULL;
    }
    int fd = file_create(p->part);
    p->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !p->file) {
        int why = errno;
        unlink(p->part);
        close(fd);
        errno = why;
    } else if (fd >= 0) {
        change_part(NULL, p->part);
    }
    return p->file != NULL;
}

bool file_atomic_close(file_atomic *p)
{
    bool ok = ferror(p->file) == 0;
    errno = ok ? 0 : EIO;
    ok = fclose(p->file) == 0 && ok;
    ok = ok && (!p->part || rename(p->part, p->name) == 0);
    int why = errno;
    if (!ok && p->part) {
        remove(p->part);
    }
    if (p->part) {
        change_part(p->part, NULL);
    }
    p->file = NULL;
    errno = why;
    return ok;
}

void file_atomic_discard(file_atomic *p)
{
    if (p->file) {
        fclose(p->file);
    }
    if (p->file && p->part) {
        remove(p->part);
        change_part(p->part, NULL);
    }
    p->file = NULL;
}
