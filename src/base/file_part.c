// file_part.c - see file_part.h.
#include "base/file_part.h"

#include "base/file.h"

#include <errno.h>

bool file_part_open(file_part *p, arena *a, str path)
{
    *p = (file_part){.name = file_target(a, path)};
    if (!file_is_special(p->name)) {
        p->part = arena_printf(a, "%s.part", p->name).ptr;
    }
    p->file = fopen(p->part ? p->part : p->name, "wbe");
    return p->file != NULL;
}

bool file_part_close(file_part *p)
{
    bool ok = ferror(p->file) == 0;
    errno = ok ? 0 : EIO;
    ok = fclose(p->file) == 0 && ok;
    ok = ok && (!p->part || rename(p->part, p->name) == 0);
    int why = errno;
    if (!ok && p->part) {
        remove(p->part);
    }
    p->file = NULL;
    errno = why;
    return ok;
}

void file_part_discard(file_part *p)
{
    if (p->file) {
        fclose(p->file);
    }
    if (p->file && p->part) {
        remove(p->part);
    }
    p->file = NULL;
}
