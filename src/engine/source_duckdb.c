/*
 * source_duckdb.c - see source_duckdb.h.
 *
 * Method      A file is asked for its first bytes, whatever it is called. A
 *             folder holds DuckDB files when some of its files are that, and
 *             none is a SQLite file or a dump: such a folder is read as it ever
 *             was. How they are called must be the same for all, DB.duckdb or
 *             DB/DB.duckdb, as it is in the pattern duckdb:FOLDER/{db}.duckdb.
 *
 * Cost        Of a folder of SQLite databases one file is looked at, of one of
 *             DuckDB files each.
 */
#include "engine/source_duckdb.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Where a database may lie; those of DuckDB in the order in which they are
// preferred, then what is read as SQLite's files or dumps.
static const struct {
    bool is_nested;  // DB/DB.duckdb
    str suffix;
} layouts[] = {
    {true, S_INIT(".duckdb")},   {true, S_INIT(".db")},
    {false, S_INIT(".duckdb")},  {false, S_INIT(".db")},
    {true, S_INIT(".sqlite")},   {true, S_INIT(".sqlite3")},
    {true, S_INIT(".sql")},      {false, S_INIT(".sqlite")},
    {false, S_INIT(".sqlite3")}, {false, S_INIT(".sql")},
};

enum {
    OURS = 4,  // of these
    NONE = countof(layouts),
    OTHERS = -1,
};

static bool is_duckdb(const char *path)
{
    static const char magic[4] = {'D', 'U', 'C', 'K'};
    enum {
        MAGIC_AT = 8,  // after the checksum of the header
    };
    char bytes[sizeof magic];
    int fd = file_is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) {
        return false;
    }
    ssize_t n = pread(fd, bytes, sizeof bytes, MAGIC_AT);
    close(fd);
    return n == (ssize_t)sizeof bytes
           && memcmp(bytes, magic, sizeof magic) == 0;
}

// The entry as a database of its own folder, or as a file with this ending;
// NULL when it is not called so.
static const char *file_of(str folder,
                           str entry,
                           bool is_nested,
                           str suffix,
                           arena *a)
{
    if (is_nested) {
        return arena_printf(a, "%.*s/%.*s/%.*s%.*s", STR_ARG(folder),
                            STR_ARG(entry), STR_ARG(entry), STR_ARG(suffix))
            .ptr;
    }
    return str_ends(entry, suffix)
               ? arena_printf(a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(entry))
                     .ptr
               : NULL;
}

// The best layout in which the entry is a DuckDB file; NONE, or OTHERS when it
// is a database of another kind.
static int layout_of(str folder, str entry, arena scratch)
{
    int best = NONE;
    for (int i = 0; i < NONE; i++) {
        const char *file = file_of(folder, entry, layouts[i].is_nested,
                                   layouts[i].suffix, &scratch);
        bool is_file = file && file_is_regular(file);
        bool is_ours = is_file && is_duckdb(file);
        if (is_file && !is_ours
            && !str_equal(layouts[i].suffix, S(".duckdb"))) {
            return OTHERS;
        }
        best = is_ours && i < OURS && i < best ? i : best;
    }
    return best;
}

// NONE: it is no folder of DuckDB files.
static int layout_of_folder(str path, arena scratch)
{
    int best = NONE;
    DIR *folder = opendir(arena_cstr(&scratch, path));
    const struct dirent *it = NULL;
    while (best != OTHERS && folder && (it = readdir(folder))) {
        int i = it->d_name[0] == '.'
                    ? NONE
                    : layout_of(path, str_from(it->d_name), scratch);
        best = i < best ? i : best;
    }
    if (folder) {
        closedir(folder);
    }
    return best == OTHERS ? NONE : best;
}

str source_as_duckdb(arena *a, str path, bool is_folder, arena scratch)
{
    if (!is_folder) {
        return is_duckdb(arena_cstr(&scratch, path))
                   ? arena_printf(a, "duckdb:%.*s", STR_ARG(path))
                   : (str){0};
    }
    int i = layout_of_folder(path, scratch);
    return i == NONE ? (str){0}
                     : arena_printf(a, "duckdb:%.*s%s%s{db}%.*s", STR_ARG(path),
                                    str_ends(path, S("/")) ? "" : "/",
                                    layouts[i].is_nested ? "{db}/" : "",
                                    STR_ARG(layouts[i].suffix));
}
