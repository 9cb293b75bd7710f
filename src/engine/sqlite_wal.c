/*
 * sqlite_wal.c - a database file and its write-ahead log, read as one.
 *
 * Why         SQLite's own backup opens the database as one: it takes locks,
 *             and makes and writes -shm. We write nothing beside a file that is
 *             only to be read, and trust no code of SQLite with its bytes here,
 *             in the parent.
 *
 * Method      The log is a header and frames, each a page with its number and
 *             a running checksum; a frame that ends a transaction says how many
 *             pages the database has. First the file is read, then the log: who
 *             writes meanwhile copies into the file only pages of transactions
 *             that the log already has, so that the file with all of the log's
 *             transactions over it is the database after the last of them. Only
 *             when the log starts anew does it lose pages; its salts change
 *             then, and we begin again. A log that is shorter than its header
 *             holds nothing, as for SQLite; one whose header is none is
 *             refused, though SQLite takes it for empty: who knows what it was.
 *
 * Source      https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
#define _GNU_SOURCE  // memfd_create
#include "engine/sqlite_wal.h"

#include "base/file.h"
#include "engine/engine_sqlite.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAL_HEADER = 32,
    FRAME_HEADER = 24,
    PAGE_LEAST = 512,
    PAGE_MOST = 1 << 16,
    TRIES = 16,
};

static const uint32_t MAGIC = 0x377f0682;  // the last bit: big-endian sums

typedef struct wal {
    int fd;
    int memory;  // a file without a name: the database that is made
    unsigned char header[WAL_HEADER];  // zeros where the log is shorter
    int64_t page_size;
    unsigned char *page;  // room for a frame
    int64_t n_committed;  // frames up to the last that ends a transaction
    int64_t n_pages;      // of the database after that
} wal;

typedef struct checksum {
    uint32_t a;
    uint32_t b;
} checksum;

static uint32_t get_big(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8
           | p[3];
}

static uint32_t get_little(const unsigned char *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8
           | p[0];
}

// The sums of eight bytes after eight bytes; `n` is a multiple of 8.
static checksum add_bytes(checksum s,
                          const unsigned char *p,
                          int64_t n,
                          bool is_big)
{
    assert(n % 8 == 0);
    for (int64_t i = 0; i < n; i += 8) {
        s.a += (is_big ? get_big(p + i) : get_little(p + i)) + s.b;
        s.b += (is_big ? get_big(p + i + 4) : get_little(p + i + 4)) + s.a;
    }
    return s;
}

// How many bytes there were; -1: they could not be read.
static int64_t read_some(int fd, void *to, int64_t n, int64_t at)
{
    char *next = to;
    int64_t left = n;
    while (left > 0) {
        ssize_t got = pread(fd, next, (size_t)left, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? -1 : n - left;
        }
        next += got;
        left -= got;
        at += got;
    }
    return n;
}

// All of `n` bytes; false with errno 0 when there are fewer.
static bool read_at(int fd, void *to, int64_t n, int64_t at)
{
    int64_t got = read_some(fd, to, n, at);
    errno = got >= 0 ? 0 : errno;
    return got == n;
}

// How the log begins; empty when nothing does.
static int64_t read_beginning(int fd, unsigned char *header)
{
    memset(header, 0, WAL_HEADER);
    return read_some(fd, header, WAL_HEADER, 0);
}

static bool look_at_header(wal *w)
{
    const unsigned char *h = w->header;
    bool is_big = get_big(h) & 1;
    checksum s = add_bytes((checksum){0, 0}, h, 24, is_big);
    w->page_size = get_big(h + 8);
    return (get_big(h) & ~1u) == MAGIC && s.a == get_big(h + 24)
           && s.b == get_big(h + 28) && w->page_size >= PAGE_LEAST
           && w->page_size <= PAGE_MOST
           && (w->page_size & (w->page_size - 1)) == 0;
}

static bool read_frame(wal *w, int64_t i)
{
    assert(w->page_size >= PAGE_LEAST
           && w->page_size <= PAGE_MOST);  // see page
    int64_t size = FRAME_HEADER + w->page_size;
    return read_at(w->fd, w->page, size, WAL_HEADER + i * size);
}

// Looks for the last transaction that is whole.
static void find_committed(wal *w)
{
    bool is_big = get_big(w->header) & 1;
    checksum s = {get_big(w->header + 24), get_big(w->header + 28)};
    w->n_committed = 0;
    for (int64_t i = 0; read_frame(w, i); i++) {
        const unsigned char *f = w->page;
        s = add_bytes(s, f, 8, is_big);
        s = add_bytes(s, f + FRAME_HEADER, w->page_size, is_big);
        if (get_big(f) == 0 || memcmp(f + 8, w->header + 16, 8) != 0
            || get_big(f + 16) != s.a || get_big(f + 20) != s.b) {
            return;
        }
        if (get_big(f + 4) > 0) {
            w->n_committed = i + 1;
            w->n_pages = get_big(f + 4);
        }
    }
}

// Ours, though str is const for its readers.
static void *writable(str memory)
{
    return (void *)(uintptr_t)memory.ptr;
}

static bool apply(wal *w, str image)
{
    for (int64_t i = 0; i < w->n_committed; i++) {
        if (!read_frame(w, i)) {
            return false;
        }
        int64_t number = get_big(w->page);
        // The log may have changed since find_committed() read it.
        if (number >= 1 && number <= w->n_pages) {
            memcpy((char *)writable(image) + (number - 1) * w->page_size,
                   w->page + FRAME_HEADER, (size_t)w->page_size);
        }
    }
    return true;
}

// The log as it is now: does it begin as it did when we read it?
static bool is_same_log(const wal *w, const char *path)
{
    unsigned char now[WAL_HEADER];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_same = fd >= 0 && read_beginning(fd, now) >= 0
                   && memcmp(now, w->header, WAL_HEADER) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return is_same;
}

// `n` bytes of that memory, to be filled; or to be read, when what is written
// there stays with who writes.
static str map_memory(const wal *w, int64_t n, bool to_read)
{
    void *p =
        mmap(NULL, (size_t)n, to_read ? PROT_READ : PROT_READ | PROT_WRITE,
             to_read ? MAP_PRIVATE : MAP_SHARED, w->memory, 0);
    return p == MAP_FAILED ? (str){0} : (str){p, (ptrdiff_t)n};
}

static str new_memory(wal *w, int64_t n)
{
    w->memory = memfd_create("assay database", MFD_CLOEXEC);
    return w->memory >= 0 && ftruncate(w->memory, (off_t)n) == 0
               ? map_memory(w, n, false)
               : (str){0};
}

static void drop(str memory)
{
    if (memory.len > 0) {
        munmap(writable(memory), (size_t)memory.len);
    }
}

// The bytes of the file, with room for `least` bytes behind its beginning.
static str read_file(wal *w, int fd, int64_t least)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return (str){0};
    }
    if (!S_ISREG(st.st_mode)) {
        errno = EINVAL;
        return (str){0};
    }
    int64_t size = (int64_t)st.st_size;
    str all = new_memory(w, size > least ? size : least);
    if (all.len > 0 && size > 0 && !read_at(fd, writable(all), size, 0)) {
        drop(all);
        all.len = 0;
    }
    return all;
}

// As large as the database is after the log's transactions.
static bool resize(const wal *w, str *image, int64_t n)
{
    if (n > image->len) {
        drop(*image);
        *image = ftruncate(w->memory, (off_t)n) == 0 ? map_memory(w, n, false)
                                                     : (str){0};
    } else {
        image->len = (ptrdiff_t)n;
    }
    return image->len > 0;
}

static bool keep(const wal *w, str *image)
{
    sqlite_image_end_log(writable(*image));
    drop(*image);
    *image = map_memory(w, image->len, true);
    return image->len > 0;
}

typedef enum attempt {
    COPIED,
    NO_LOG,
    WRONG_LOG,
    AGAIN,
    FAILED,
} attempt;

static attempt copy_once(wal *w, int fd, const char *log, str *image)
{
    int64_t n = read_beginning(w->fd, w->header);
    if (n <= 0) {
        return n < 0 ? FAILED : NO_LOG;
    }
    if (n == WAL_HEADER && !look_at_header(w)) {
        return WRONG_LOG;
    }
    *image = read_file(w, fd, PAGE_LEAST);
    if (image->len == 0) {  // errno 0: it was cut while we read it
        return errno == 0 ? AGAIN : FAILED;
    }
    w->n_committed = 0;
    if (n == WAL_HEADER) {
        find_committed(w);
    }
    bool ok =
        w->n_committed == 0
        || (resize(w, image, w->n_pages * w->page_size) && apply(w, *image));
    if (image->len == 0) {
        return FAILED;
    }
    if (ok && is_same_log(w, log)) {
        return keep(w, image) ? COPIED : FAILED;
    }
    drop(*image);
    return AGAIN;
}

static attempt copy(wal *w, const char *path, const char *log, str *image)
{
    attempt result = AGAIN;
    for (int i = 0; i < TRIES && result == AGAIN; i++) {
        w->fd = open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (w->fd < 0) {
            return errno == ENOENT ? NO_LOG : FAILED;
        }
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        w->memory = -1;
        result = fd >= 0 ? copy_once(w, fd, log, image) : FAILED;
        int why = errno;
        close(w->fd);
        if (w->memory >= 0) {
            close(w->memory);
        }
        if (fd >= 0) {
            close(fd);
        }
        errno = why;
    }
    return result;
}

bool sqlite_wal_copy(str path, str *out, diag *d, arena scratch)
{
    *out = (str){0};
    const char *name = arena_cstr(&scratch, path);
    str log = arena_printf(&scratch, "%s-wal", file_target(&scratch, path));
    wal w = {.page = arena_alloc(&scratch, 1, 8, FRAME_HEADER + PAGE_MOST)};
    diag_place place = {.file = path};
    switch (copy(&w, name, log.ptr, out)) {
    case NO_LOG: return true;
    case WRONG_LOG:
        return diag_add(d, place,
                        "'%.*s' is not a write-ahead log: open the database "
                        "once with sqlite3, which repairs it",
                        STR_ARG(log));
    case COPIED: return true;
    case AGAIN:
        return diag_add(d, place,
                        "its log was restarted %d times during the copy: try "
                        "again when there are fewer writes",
                        TRIES);
    case FAILED: break;
    }
    return diag_add(d, place, "cannot copy: %s", strerror(errno));
}
