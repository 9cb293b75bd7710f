/*
 * sqlite_shown.c - the one file of the file system without files: the image
 * that a scratch database shows.
 *
 * Why         A database of some rows is queried in less time than it takes to
 *             fill it in. As an image it is filled in once, and shown to the
 *             statements of a connection as often as they like.
 *
 * Method      The connection believes that somebody else writes the file: from
 *             one image to the next the change counter in its header moves,
 *             and SQLite forgets the pages that it read. The tables stay the
 *             same, so prepared statements stay good. The first page is copied,
 *             with that counter in it; the others are read where they lie.
 *
 * Invariant   Nothing is ever written into an image.
 */
#include "engine/engine_sqlite.h"

#include <string.h>

enum {
    COUNTER_AT = 24,  // the change counter in the header of a database file
    COUNTER_SIZE = 4,
};

typedef struct shown_file {
    sqlite3_file base;
    const sqlite_engine *owner;
} shown_file;

static str bytes_of(sqlite3_file *file)
{
    return ((shown_file *)file)->owner->shown;
}

// To close it, and of sectors and traits: nothing.
static int shown_nothing(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int shown_read(sqlite3_file *file, void *out, int n, sqlite3_int64 from)
{
    str image = bytes_of(file);
    uint32_t no = ((shown_file *)file)->owner->n_shown;
    str part = str_sub(image, (ptrdiff_t)from, (ptrdiff_t)from + n);
    unsigned char *bytes = out;
    memset(bytes, 0, (size_t)n);
    if (part.len > 0) {
        memcpy(bytes, part.ptr, (size_t)part.len);
    }
    for (int i = 0; i < COUNTER_SIZE; i++) {
        sqlite3_int64 at = COUNTER_AT + i - from;
        if (at >= 0 && at < n) {
            bytes[at] = (unsigned char)(no >> (8 * (3 - i)));
        }
    }
    return part.len == n ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int shown_write(sqlite3_file *file,
                       const void *bytes,
                       int n,
                       sqlite3_int64 at)
{
    (void)file;
    (void)bytes;
    (void)n;
    (void)at;
    return SQLITE_READONLY;
}

static int shown_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    (void)file;
    (void)size;
    return SQLITE_READONLY;
}

// To write, to lock and to unlock: there is nothing to do.
static int shown_agrees(sqlite3_file *file, int how)
{
    (void)file;
    (void)how;
    return SQLITE_OK;
}

static int shown_size(sqlite3_file *file, sqlite3_int64 *out)
{
    *out = bytes_of(file).len;
    return SQLITE_OK;
}

static int shown_is_reserved(sqlite3_file *file, int *out)
{
    (void)file;
    *out = 0;
    return SQLITE_OK;
}

static int shown_control(sqlite3_file *file, int what, void *context)
{
    (void)file;
    (void)context;
    return what == SQLITE_FCNTL_MMAP_SIZE ? SQLITE_OK : SQLITE_NOTFOUND;
}

static int shown_fetch(sqlite3_file *file,
                       sqlite3_int64 from,
                       int n,
                       void **out)
{
    str part = str_sub(bytes_of(file), (ptrdiff_t)from, (ptrdiff_t)from + n);
    // SQLite does not write into what it fetches of a file that it only reads.
    memcpy(out, &part.ptr, sizeof *out);
    if (part.len < n) {
        *out = NULL;
    }
    return SQLITE_OK;
}

static int shown_unfetch(sqlite3_file *file, sqlite3_int64 from, void *page)
{
    (void)file;
    (void)from;
    (void)page;
    return SQLITE_OK;
}

int sqlite_shown_open(const sqlite_engine *e, sqlite3_file *file)
{
    static const sqlite3_io_methods methods = {
        .iVersion = 3,
        .xClose = shown_nothing,
        .xRead = shown_read,
        .xWrite = shown_write,
        .xTruncate = shown_truncate,
        .xSync = shown_agrees,
        .xFileSize = shown_size,
        .xLock = shown_agrees,
        .xUnlock = shown_agrees,
        .xCheckReservedLock = shown_is_reserved,
        .xFileControl = shown_control,
        .xSectorSize = shown_nothing,
        .xDeviceCharacteristics = shown_nothing,
        .xFetch = shown_fetch,
        .xUnfetch = shown_unfetch,
    };
    *(shown_file *)file = (shown_file){{&methods}, e};
    return SQLITE_OK;
}
