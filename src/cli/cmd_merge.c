/*
 * cmd_merge.c - `assay merge`: the shards of a run, joined.
 */
#include "base/file_atomic.h"
#include "cli/cli.h"
#include "cli/output_files.h"
#include "journal/merge.h"

#include <errno.h>
#include <string.h>

static const ptrdiff_t RESULT_BYTES = (ptrdiff_t)64 << 30;
static const ptrdiff_t SCRATCH_BYTES = (ptrdiff_t)8 << 30;

static bool write_to(const cli *c, const merge *m, FILE *to, arena scratch)
{
    bool ok = cli_write(c, to, m->head);
    for (ptrdiff_t i = 0; ok && i < m->lines.len; i++) {
        arena local = scratch;
        ok = cli_write(c, to, merge_line_text(m, i, &local));
    }
    return ok && fflush(to) == 0;
}

static bool write_whole(const cli *c, const merge *m, arena *a, arena scratch)
{
    str path = opt_text(c->o, OPT_OUT);
    bool is_stdout = path.len == 0 || str_equal(path, S("-"));
    file_atomic part = {0};
    bool ok = is_stdout || file_atomic_open(&part, a, path);
    ok = ok && write_to(c, m, is_stdout ? stdout : part.file, scratch);
    int why = errno;
    if (!is_stdout && ok) {
        ok = file_atomic_close(&part);
        why = errno;
    } else if (!is_stdout) {
        file_atomic_discard(&part);
    }
    if (!ok) {
        cli_say(c, "%.*s: cannot write: %s",
                STR_ARG(is_stdout ? S("standard output") : path),
                strerror(why));
    }
    return ok;
}

static exit_code merge_shards(cli *c, arena *a, arena scratch)
{
    const str_list *paths = &c->o->operands;
    arena messages = arena_half(&scratch);
    diag d = diag_new(&messages);
    merge m;
    bool ok = merge_open(&m, a, paths->ptr, paths->len, &d, scratch);
    cli_say_all(c, &d, scratch);
    ok = ok && write_whole(c, &m, a, scratch);
    merge_close(&m);
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

exit_code cmd_merge(cli *c)
{
    if (c->o->operands.len == 0) {
        return cli_wrong_use(c, "no shards given");
    }
    return output_files_are_apart(c)
               ? cli_with_room(c, RESULT_BYTES, SCRATCH_BYTES, merge_shards)
               : EXIT_CODE_USAGE;
}
