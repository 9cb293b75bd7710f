/*
 * report_jsonl.c - the lines of journals without their heads: one table for
 * readers that take each line for a row.
 */
#include "report/render.h"

void jsonl_line(render *r, buf *out, const render_line *l, arena scratch)
{
    (void)r;
    (void)scratch;
    buf_char(out, '{');
    render_members(out, l);
    buf_add(out, S("}\n"));
}
