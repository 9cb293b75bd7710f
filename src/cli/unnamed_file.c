// unnamed_file.c - see unnamed_file.h.
#include "cli/unnamed_file.h"

#include "base/json_write.h"

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
    json_write(&line, json_begin('{'), member_text_if_any(S("id"), id),
               member_text(S("pred"), sql), json_end("}\n"));
    fwrite(line.ptr, 1, (size_t)line.len, file);
}

bool unnamed_file_end(FILE *file, diag *d)
{
    return (fflush(file) == 0 && !ferror(file)) || fail(d);
}
