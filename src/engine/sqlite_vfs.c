/*
 * sqlite_vfs.c - a file system without files, and a clock that stands still.
 *
 * Why         Queries that read the clock must give the same answer for gold
 *             and prediction, today and next year. SQLite asks the VFS of a
 *             connection for the time, so a VFS of our own decides what now
 *             is, for date('now'), CURRENT_TIMESTAMP and all others alike.
 *             And since databases are images in memory, that VFS has no need
 *             to open a file: it refuses, whatever SQL asks for. There is but
 *             one, the image that a scratch database shows.
 */
#include "engine/engine_sqlite.h"

#include <stdio.h>

// Milliseconds from the Julian epoch, in which SQLite counts, to 1970.
static const int64_t JULIAN_1970_MS = 210866760000000;

static int open_none(sqlite3_vfs *vfs,
                     sqlite3_filename name,
                     sqlite3_file *file,
                     int flags,
                     int *out_flags)
{
    const sqlite_engine *e = vfs->pAppData;
    (void)name;
    if ((flags & SQLITE_OPEN_MAIN_DB) && e->shown.len > 0) {
        if (out_flags) {
            *out_flags = flags;
        }
        return sqlite_shown_open(e, file);
    }
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

// Neither journals nor logs lie beside what is shown. A folder that a dump
// names for temporary files will do: nothing is ever opened in it.
static int find_none(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    (void)name;
    *out = flags == SQLITE_ACCESS_READWRITE;
    return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
    (void)vfs;
    sqlite3_snprintf(n, out, "%s", name);
    return SQLITE_OK;
}

static int fixed_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *out)
{
    sqlite_engine *e = vfs->pAppData;
    e->is_clock_read = true;
    *out = JULIAN_1970_MS + e->base.options.clock_ms;
    return SQLITE_OK;
}

bool sqlite_vfs_register(sqlite_engine *e)
{
    const sqlite3_vfs *base = sqlite3_vfs_find(NULL);
    if (!base || base->iVersion < 2) {
        return false;
    }
    e->vfs = *base;
    snprintf(e->vfs_name, sizeof e->vfs_name, "assay-%p", (void *)e);
    e->vfs.zName = e->vfs_name;
    e->vfs.pAppData = e;
    e->vfs.pNext = NULL;
    e->vfs.xOpen = open_none;
    e->vfs.xAccess = find_none;
    e->vfs.xFullPathname = full_name;
    e->vfs.xCurrentTime = NULL;  // of the first version of this interface
    e->vfs.xCurrentTimeInt64 = fixed_time_int64;
    return sqlite3_vfs_register(&e->vfs, 0) == SQLITE_OK;
}

void sqlite_vfs_unregister(sqlite_engine *e)
{
    sqlite3_vfs_unregister(&e->vfs);
}
