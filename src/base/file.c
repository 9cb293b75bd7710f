/*
 * file.c - files mapped into memory, and files replaced as a whole.
 *
 * Method      Reading: what cannot be mapped (a pipe, a terminal) is first
 *             copied to an unnamed file. Writing: to a name of its own beside
 *             the file (.partPID), then rename, which replaces at once; a
 *             symbolic link stays, since its target is written; a
 *             device or a pipe is written to directly.
 *
 * Invariants  After a failed write the old file is as it was, and the partial
 *             one is removed. Not promised: a mapped file that another program
 *             shortens raises SIGBUS where it is read.
 */
#define _GNU_SOURCE  // madvise, realpath, SEEK_DATA
#include "base/file.h"

#include "base/hash.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool file_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_make_folder(str path, diag *d, arena scratch)
{
    const char *name = arena_cstr(&scratch, path);
    if (mkdir(name, 0777) == 0 || (errno == EEXIST && file_is_folder(name))) {
        return true;
    }
    return diag_add(d, (diag_place){.file = path}, "cannot make the folder: %s",
                    strerror(errno));
}

// Copies all of `from` to an unnamed file and returns that, or -1 with errno.
static int spool(int from)
{
    FILE *copy = tmpfile();
    if (!copy) {
        return -1;
    }
    char block[1 << 16];
    ssize_t n = 0;
    while ((n = read(from, block, sizeof block)) != 0) {
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 || fwrite(block, 1, (size_t)n, copy) != (size_t)n) {
            fclose(copy);
            return -1;
        }
    }
    int fd = fflush(copy) == 0 ? dup(fileno(copy)) : -1;
    fclose(copy);
    return fd;
}

// A device that need not have an end, as /dev/zero; a terminal has one.
static bool is_endless(int fd, const struct stat *st)
{
    char byte;
    return S_ISBLK(st->st_mode)
           || (S_ISCHR(st->st_mode) && !isatty(fd)
               && read(fd, &byte, 1) != 0);  // /dev/null is at its end
}

// The descriptor of something that can be mapped, or -1 with errno.
static int open_mappable(const char *name)
{
    struct stat st;
    bool is_stdin = strcmp(name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    int found = -1;
    if (fd < 0 || fstat(fd, &st) != 0) {
        return -1;
    }
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
    } else if (!is_stdin && is_endless(fd, &st)) {
        errno = ENOTSUP;
    } else {
        found = S_ISREG(st.st_mode) && !is_stdin ? fd : spool(fd);
    }
    if (!is_stdin && found != fd) {
        close(fd);
    }
    return found;
}

bool file_map_of(file_map *f, int fd, diag *d)
{
    struct stat st = {0};
    void *p = NULL;
    if (fstat(fd, &st) != 0
        || (st.st_size > 0
            && (p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
                         0))
                   == MAP_FAILED)) {
        return diag_add(d, (diag_place){.file = f->path}, "cannot read: %s",
                        strerror(errno));
    }
    f->bytes = (str){p, st.st_size};
    f->is_mapped = true;
    return true;
}

bool file_open(file_map *f, arena *a, str path, diag *d)
{
    *f = (file_map){.path = arena_str(a, path)};
    int fd = open_mappable(f->path.ptr);
    if (fd < 0) {
        return diag_add(d, (diag_place){.file = path}, "cannot open: %s",
                        strerror(errno));
    }
    bool ok = file_map_of(f, fd, d);
    close(fd);
    return ok;
}

void file_close(file_map *f)
{
    if (f->is_mapped && f->bytes.len > 0) {
        // The mapping is ours; str is const only for its readers.
        munmap((void *)(uintptr_t)f->bytes.ptr, (size_t)f->bytes.len);
    }
    *f = (file_map){0};
}

bool file_text(str *out, arena *a, str path, diag *d)
{
    file_map f;
    bool ok = file_open(&f, a, path, d);
    *out = ok ? arena_str(a, f.bytes) : (str){0};
    if (ok) {
        file_close(&f);
    }
    return ok;
}

bool file_hash(uint64_t *hash, arena *a, str path, diag *d)
{
    file_map file;
    if (!file_open(&file, a, path, d)) {
        return false;
    }
    *hash = hash64(file.bytes);
    file_close(&file);
    return true;
}

void file_forget(const file_map *f, ptrdiff_t offset)
{
    assert(offset >= 0);
    ptrdiff_t page = sysconf(_SC_PAGESIZE);
    ptrdiff_t end = offset < f->bytes.len ? offset : f->bytes.len;
    ptrdiff_t whole = end / page * page;
    if (whole > 0 && f->is_mapped) {
        madvise((void *)(uintptr_t)f->bytes.ptr, (size_t)whole, MADV_DONTNEED);
    }
}

// Where the file has data next, from `offset` on; its end when the rest is a
// hole, which reads as zeros. `offset` where the system cannot tell.
static ptrdiff_t next_data(const file_map *f, ptrdiff_t offset)
{
    assert(offset >= 0 && offset <= f->bytes.len);
    int fd = f->path.len > 0
                 ? open(f->path.ptr, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                 : -1;
    if (fd < 0) {
        return offset;
    }
    struct stat st;
    off_t found = offset;
    // What was copied or unpacked is not the file under that name.
    if (fstat(fd, &st) == 0 && st.st_size == f->bytes.len) {
        off_t next = lseek(fd, offset, SEEK_DATA);
        found = next >= 0 ? next : errno == ENXIO ? st.st_size : offset;
    }
    close(fd);
    return (ptrdiff_t)found;
}

// Each piece is forgotten when it was read. Those within a hole are alike and
// read once: a file of terabytes may be nothing but holes.
uint64_t file_hash_pieces(const file_map *f)
{
    enum {
        PIECE = 8 << 20
    };
    uint64_t hash = 0;
    uint64_t hole = 0;
    bool has_hole = false;
    ptrdiff_t data = 0;
    for (ptrdiff_t at = 0; at < f->bytes.len; at += PIECE) {
        data = data <= at ? next_data(f, at) : data;
        bool is_hole = data - at >= PIECE;
        uint64_t piece = is_hole && has_hole
                             ? hole
                             : hash64(str_sub(f->bytes, at, at + PIECE));
        if (is_hole) {
            hole = piece;
            has_hole = true;
        } else {
            file_forget(f, at);
        }
        hash = hash_mix(hash, piece);
    }
    return hash;
}

void file_pass(const file_map *f, ptrdiff_t from, ptrdiff_t to)
{
    enum {
        STEP = 8 << 20
    };
    if (from / STEP < to / STEP) {
        file_forget(f, from);
    }
}

bool file_line(const file_map *f, str *rest, str *line)
{
    bool has_more = rest->len > 0;
    ptrdiff_t from = f->bytes.len - rest->len;
    *line = str_cut(rest, '\n');
    file_pass(f, from, f->bytes.len - rest->len);
    return has_more;
}

bool file_write_all(int fd, str text)
{
    assert(fd >= 0);
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, (size_t)text.len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        text = str_skip(text, n);
    }
    return true;
}

bool file_names(str_list *names, arena *a, str folder, diag *d)
{
    DIR *opened = opendir(arena_cstr(a, folder));
    if (!opened) {
        return diag_add(d, (diag_place){.file = folder}, "cannot list: %s",
                        strerror(errno));
    }
    for (struct dirent *e = readdir(opened); e; e = readdir(opened)) {
        if (e->d_name[0] != '.') {
            *vec_push(a, names) = arena_str(a, str_from(e->d_name));
        }
    }
    closedir(opened);
    str_sort(names->ptr, names->len);
    return true;
}

str file_in_folder(arena *a, str folder, str name)
{
    bool is_whole = name.len > 0 && name.ptr[0] == '/';
    return is_whole || folder.len == 0
               ? arena_str(a, name)
               : arena_printf(a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
}

bool file_below(str *found, arena *a, str folder, str name, diag *d)
{
    diag_place place = {.file = name};
    char top[PATH_MAX];
    char room[PATH_MAX];
    str near = file_in_folder(a, folder, name);
    if (!realpath(folder.len > 0 ? arena_cstr(a, folder) : ".", top)
        || !realpath(near.ptr, room)) {
        return diag_add(d, place, "cannot open: %s", strerror(errno));
    }
    str above = str_from(top);
    str rest = str_skip(str_from(room), above.len);
    bool is_below = str_starts(str_from(room), above)
                    && (above.len == 1 || str_starts(rest, S("/")));
    struct stat st;
    if (!is_below) {
        return diag_add(d, place,
                        "is outside the folder of the file that names it "
                        "(--any-path allows that)");
    }
    if (stat(room, &st) != 0 || !S_ISREG(st.st_mode)) {
        return diag_add(d, place, "not a regular file");
    }
    *found = near;
    return true;
}

bool file_is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool file_is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

char *file_target(arena *a, str path)
{
    char *name = arena_cstr(a, path);
    char room[PATH_MAX];
    struct stat st;
    bool is_link = lstat(name, &st) == 0 && S_ISLNK(st.st_mode);
    return is_link && realpath(name, room) ? arena_cstr(a, str_from(room))
                                           : name;
}

static bool write_to(const char *name, int flags, const struct stat *old, str s)
{
    int fd = open(name, flags | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) {
        return false;
    }
    bool ok = !old || fchmod(fd, old->st_mode & 07777) == 0;
    ok = ok && file_write_all(fd, s);
    return close(fd) == 0 && ok;
}

bool file_write(str path, str text, diag *d, arena scratch)
{
    char *name = file_target(&scratch, path);
    str part = arena_printf(&scratch, "%s.part%ld", name, (long)getpid());
    struct stat st;
    const struct stat *old = stat(name, &st) == 0 ? &st : NULL;
    bool ok = true;
    if (file_is_special(name)) {
        ok = write_to(name, 0, NULL, text);
    } else {
        unlink(part.ptr);
        ok = write_to(part.ptr, O_CREAT | O_EXCL | O_NOFOLLOW, old, text)
             && rename(part.ptr, name) == 0;
    }
    if (!ok) {
        int why = errno;
        unlink(part.ptr);
        return diag_add(d, (diag_place){.file = path}, "cannot write: %s",
                        strerror(why));
    }
    return true;
}
