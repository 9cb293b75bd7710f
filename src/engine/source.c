/*
 * source.c - from --db to the file or URL of each database.
 *
 * Method      The scheme decides on the driver. In a folder the layouts are
 *             tried in the order of the table, the first regular file counts.
 *             Names of databases come from data files, so a name with a slash,
 *             a NUL or a dot in front never becomes a path.
 *
 * Invariant   What is shown to people (`shown`) holds no password.
 *
 * Cost        A few stat() for each database; the folder is read only for "did
 *             you mean".
 */
#include "engine/source.h"

#include "base/file.h"
#include "engine/engine_driver.h"
#include "engine/source_duckdb.h"
#include "engine/url.h"

#include <assert.h>
#include <dirent.h>

// How a database may be called inside a folder: %1 stands for its name.
static const struct {
    str folder;  // "%" for a folder of its own
    str suffix;
} layouts[] = {
    {S_INIT("%"), S_INIT(".sqlite")},  {S_INIT("%"), S_INIT(".db")},
    {S_INIT("%"), S_INIT(".sqlite3")}, {S_INIT(""), S_INIT(".sqlite")},
    {S_INIT(""), S_INIT(".db")},       {S_INIT(""), S_INIT(".sqlite3")},
    {S_INIT("%"), S_INIT(".sql")},     {S_INIT(""), S_INIT(".sql")},
};

// The folder that holds the file, or the files whose names hold {db}.
static str folder_of(str file, arena *a)
{
    ptrdiff_t braces = str_find(file, S("{db}"), 0);
    str head = braces < 0 ? file : str_sub(file, 0, braces);
    while (head.len > 0 && head.ptr[head.len - 1] != '/') {
        head.len--;
    }
    return arena_str(a, head.len > 0 ? head : S("./"));
}

// "oracle" of oracle://..., "jdbc:sqlserver" of jdbc:sqlserver://...
static str scheme_shown(str path)
{
    ptrdiff_t end = str_find(path, S("://"), 0);
    return str_sub(path, 0, end < 0 ? str_find(path, S(":"), 0) : end);
}

bool source_open(source *s, arena *a, str path, diag *d)
{
    path = url_own(a, path);
    *s = (source){.path = arena_str(a, path), .shown = path};
    s->driver = engine_driver_of(path);
    s->is_url = s->driver != &driver_sqlite;
    if (s->is_url) {
        bool has_secrets = !s->driver || s->driver->is_server;
        s->shown = has_secrets ? url_show(a, path) : s->path;
        s->readable =
            s->driver && !s->driver->is_server
                ? folder_of(str_skip(path, s->driver->schemes[0].len), a)
                : (str){0};
        return (s->driver && s->driver->run)
               || diag_add(
                   d, (diag_place){.file = s->shown},
                   "this build of assay has no engine for '%.*s'; for other "
                   "systems with an ODBC driver, use --db odbc:DSN=NAME",
                   STR_ARG(scheme_shown(path)));
    }
    if (!file_exists(s->path.ptr)) {
        return diag_add(d, (diag_place){.file = path},
                        "no such file or folder of databases");
    }
    s->is_folder = file_is_folder(s->path.ptr);
    if (!s->is_folder && !file_is_regular(s->path.ptr)) {
        // A device has no end, and a pipe may never begin.
        return diag_add(d, (diag_place){.file = path},
                        "neither a file nor a folder of databases");
    }
    arena rest = *a;
    arena scratch = arena_half(&rest);
    str as_duckdb = source_as_duckdb(a, s->path, s->is_folder, scratch);
    if (as_duckdb.len > 0) {
        return source_open(s, a, as_duckdb, d);
    }
    s->readable = s->path;
    return true;
}

// The names of databases in the folder, for "did you mean".
static ptrdiff_t list_names(const source *s, arena *a, str **out)
{
    str_list names = {0};
    DIR *folder = opendir(s->path.ptr);
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        str name = str_from(entry->d_name);
        ptrdiff_t dot = str_find(name, S("."), 1);
        if (name.ptr[0] != '.') {
            *vec_push(a, &names) =
                arena_str(a, str_sub(name, 0, dot < 0 ? name.len : dot));
        }
    }
    if (folder) {
        closedir(folder);
    }
    *out = names.ptr;
    return names.len;
}

// A name that stays inside the folder: data files are not to choose paths.
static bool is_plain_name(str name)
{
    return name.len > 0 && name.ptr[0] != '.' && str_find(name, S("/"), 0) < 0
           && str_find(name, (str){"\0", 1}, 0) < 0;
}

// duckdb:FILE, of which {db} may be a part.
static bool find_file(const source *s,
                      arena *a,
                      str name,
                      str *path,
                      diag *d,
                      diag_place place)
{
    assert(s->driver && s->is_url);
    static const str BRACES = S_INIT("{db}");
    bool is_plain = is_plain_name(name);
    str rest = s->path;
    buf text = buf_new(a);
    for (ptrdiff_t at = 0; (at = str_find(rest, BRACES, 0)) >= 0;) {
        buf_add(&text, str_sub(rest, 0, at));
        buf_add(&text, is_plain ? name : BRACES);
        rest = str_skip(rest, at + BRACES.len);
    }
    buf_add(&text, rest);
    *path = str_from(arena_cstr(a, buf_str(&text)));
    str file = str_skip(*path, s->driver->schemes[0].len);
    return file_is_regular(file.ptr)
           || diag_add(d, place, "there is no database file %.*s",
                       STR_ARG(file));
}

bool source_database(const source *s,
                     arena *a,
                     str name,
                     str *path,
                     diag *d,
                     diag_place place,
                     arena scratch)
{
    bool is_file_url = s->is_url && !s->driver->is_server;
    bool needs_name =
        s->is_folder || (s->is_url && url_wants_database(s->path));
    if (!needs_name) {
        *path = s->path;
        return !is_file_url || find_file(s, a, name, path, d, place);
    }
    if (name.len == 0) {
        return diag_add(d, place, "the case names no database and '%.*s' %s",
                        STR_ARG(s->shown),
                        s->is_folder ? "is a folder" : "has {db} in it");
    }
    if (s->driver && s->driver->own_databases
        && str_among_fold(name, s->driver->own_databases)) {
        return diag_add(
            d, place,
            "the database '%.*s' is a system database: {db} may not name it",
            STR_ARG(name));
    }
    if (s->is_url) {
        *path = url_with_database(a, s->path, name);
        return !is_file_url || find_file(s, a, name, path, d, place);
    }
    for (ptrdiff_t i = 0; is_plain_name(name) && i < countof(layouts); i++) {
        bool nested = layouts[i].folder.len > 0;
        str candidate =
            arena_printf(&scratch, "%.*s/%.*s%s%.*s%.*s", STR_ARG(s->path),
                         STR_ARG(nested ? name : S("")), nested ? "/" : "",
                         STR_ARG(name), STR_ARG(layouts[i].suffix));
        if (file_is_regular(candidate.ptr)) {
            *path = arena_str(a, candidate);
            return true;
        }
    }
    str *names = NULL;
    ptrdiff_t n = list_names(s, &scratch, &names);
    str near = diag_nearest(name, names, n, scratch);
    if (near.len > 0 && !str_equal(near, name)) {
        return diag_add(d, place,
                        "no database '%.*s' in %.*s; did you mean '%.*s'?",
                        STR_ARG(name), STR_ARG(s->path), STR_ARG(near));
    }
    return diag_add(d, place, "no database '%.*s' in %.*s", STR_ARG(name),
                    STR_ARG(s->path));
}

str source_file(const source *s, str path)
{
    if (engine_driver_is_server(s->driver)) {
        return (str){0};
    }
    return s->is_url ? str_skip(path, s->driver->schemes[0].len) : path;
}
