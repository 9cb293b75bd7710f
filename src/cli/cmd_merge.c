/*
 * cmd_merge.c - `assay merge`: the shards of a run, joined.
 */
#include "cli/out_file.h"
#include "journal/merge.h"

static bool write_whole(const cli *c, const merge *m, arena scratch)
{
    out_file out;
    if (!out_file_open(&out, c, opt_text(c->o, OPT_OUT))) {
        return false;
    }
    bool ok = out_file_write(&out, m->head);
    for (ptrdiff_t i = 0; ok && i < m->lines.len; i++) {
        arena local = scratch;
        ok = out_file_write(&out, merge_line_text(m, i, &local));
    }
    return out_file_end(&out, ok);
}

exit_code cmd_merge(cli *c, arena *a, arena_store *lines)
{
    const str_list *paths = &c->o->operands;
    arena scratch = arena_store_clear(lines);
    merge m;
    bool ok = merge_open(&m, a, paths->ptr, paths->len, c->d, scratch);
    ok = ok && write_whole(c, &m, scratch);
    merge_close(&m);
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}
