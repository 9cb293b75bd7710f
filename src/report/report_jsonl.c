/*
 * report_jsonl.c - the lines of journals without their heads: one table for
 * readers that take each line for a row.
 */
#include "report/render.h"

// The name of the run is the report's: two journals may have one of that name.
void jsonl_line(render *r, buf *out, const render_line *l, arena scratch)
{
    (void)r;
    (void)scratch;
    buf_char(out, '{');
    for (const json *m = l->j->child; m; m = m->next) {
        json_key(out, m->key);
        if (str_equal(m->key, S("run"))) {
            json_add_text(out, l->c->run);
        } else {
            json_add(out, m);
        }
    }
    buf_add(out, S("}\n"));
}
