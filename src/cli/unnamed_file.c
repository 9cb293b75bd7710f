// unnamed_file.c - see unnamed_file.h.
#include "cli/unnamed_file.h"

#include "base/json.h"

#include <errno.h>
#include <string.h>

static bool fail(diag *d)
{
    return diag_add(d, (diag_place){0}, "cannot write a temporary file: %s",
                    strerror(errno));
}

FILE *unnamed_file_new(str *path, arena *a, diag *d)
{
    FILE *file = tmpfile();
    if (!file) {
        fail(d);
        return NULL;
    }
    *path = arena_printf(a, "/proc/self/fd/%d", fileno(file));
    return file;
}

void unnamed_file_add_pred(FILE *file, str id, str sql, arena scratch)
{
    buf line = buf_new(&scratch);
    buf_char(&line, '{');
    json_member_text_if_any(&line, S("id"), id);
    json_member_text(&line, S("pred"), sql);
    buf_add(&line, S("}\n"));
    fwrite(line.ptr, 1, (size_t)line.len, file);
}

bool unnamed_file_end(FILE *file, diag *d)
{
    return (fflush(file) == 0 && !ferror(file)) || fail(d);
}
