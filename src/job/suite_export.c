// suite_export.c - see suite_export.h.
#include "job/suite_export.h"

#include "base/file.h"
#include "engine/scratch.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool make_folder(str path, diag *d, arena scratch)
{
    const char *name = arena_cstr(&scratch, path);
    if (mkdir(name, 0777) == 0 || (errno == EEXIST && file_is_folder(name))) {
        return true;
    }
    return diag_add(d, (diag_place){.file = path}, "cannot make the folder: %s",
                    strerror(errno));
}

static bool copy_original(str from, str to, int64_t *bytes, diag *d, arena a)
{
    file_map file;
    // A dump stays a dump: the other evaluators would not read it.
    if (!str_ends(from, S("sqlite")) && !str_ends(from, S(".db"))
        && !str_ends(from, S("sqlite3"))) {
        return true;
    }
    if (!file_open(&file, &a, from, d)) {
        return false;
    }
    *bytes += file.bytes.len;
    bool ok = file_write(to, file.bytes, d, a);
    file_close(&file);
    return ok;
}

bool suite_export(const suite *s,
                  str out,
                  str original,
                  int64_t *bytes,
                  diag *d,
                  arena a,
                  arena scratch)
{
    static const engine_options engine_defaults = {
        .limits = {.timeout_ms = 60000, .max_rows = 1, .max_bytes = 1 << 28},
    };
    const scratch_limits limits = {1 << 20, 1, 1 << 28};
    str folder = arena_printf(&a, "%.*s/%.*s", STR_ARG(out), STR_ARG(s->db));
    str path =
        arena_printf(&a, "%.*s/%.*s.sqlite", STR_ARG(folder), STR_ARG(s->db));
    if (!make_folder(folder, d, scratch)
        || !copy_original(original, path, bytes, d, scratch)) {
        return false;
    }
    scratch_db *db =
        scratch_open(&a, &s->schema, s->ddl, &engine_defaults, limits, d);
    bool ok = db != NULL;
    for (ptrdiff_t i = 0; ok && i < s->n_databases; i++) {
        if (suite_causes(s, i) != 0) {
            continue;  // for others every file decides
        }
        arena memory = scratch;
        path = arena_printf(&memory, "%.*s/%.*sv%td.sqlite", STR_ARG(folder),
                            STR_ARG(s->db), i + 1);
        ok = scratch_fill(db, &s->databases[i], (scratch_order){0}, d);
        str image = ok ? scratch_image(db, &memory) : (str){0};
        *bytes += image.len;
        ok = ok && file_write(path, image, d, memory);
    }
    scratch_close(db);
    return ok;
}
