// out_file.c - see out_file.h.
#include "cli/out_file.h"

#include <errno.h>
#include <string.h>

static bool say_why(const out_file *o, int why)
{
    if (o->path.len > 0) {
        cli_say(o->c, "%.*s: cannot write: %s", STR_ARG(o->path),
                strerror(why));
    } else {
        cli_say(o->c, "cannot write to standard output: %s", strerror(why));
    }
    return false;
}

bool out_file_open(out_file *o, const cli *c, str path)
{
    *o = (out_file){.c = c, .file = stdout};
    if (path.len == 0 || str_equal(path, S("-"))) {
        return true;
    }
    o->path = path;
    bool ok = file_atomic_open(&o->part, c->a, path);
    o->file = o->part.file;
    return ok || say_why(o, errno);
}

bool out_file_write(out_file *o, str text)
{
    bool ok = cli_write(o->c, o->file, text);
    o->error = ok || o->error != 0 ? o->error : errno;
    return ok;
}

bool out_file_end(out_file *o, bool ok)
{
    bool is_file = o->part.file != NULL;
    int why = errno;
    if (!o->file) {
        return ok;
    }
    if (o->error == 0 && ferror(o->file)) {
        o->error = why != 0 ? why : EIO;
    } else if (ok && o->error == 0
               && (is_file ? !file_atomic_close(&o->part)
                           : fflush(o->file) != 0)) {
        o->error = errno;
    }
    file_atomic_discard(&o->part);
    o->file = NULL;
    return o->error == 0 ? ok : say_why(o, o->error);
}

bool out_file_put(const cli *c, str path, str text)
{
    out_file o;
    if (!out_file_open(&o, c, path)) {
        return false;
    }
    out_file_write(&o, text);
    return out_file_end(&o, true);
}
