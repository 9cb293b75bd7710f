// merge_run.c - see merge_run.h.
#include "job/merge_run.h"

#include "journal/merge.h"

bool merge_run(merge_sink to,
               const str_list *paths,
               arena *a,
               diag *d,
               arena scratch)
{
    merge m;
    bool ok = merge_open(&m, a, paths->ptr, paths->len, d, scratch)
              && to.open(to.context) && to.put(to.context, m.head);
    for (ptrdiff_t i = 0; ok && i < m.lines.len; i++) {
        arena local = scratch;
        ok = to.put(to.context, merge_line_text(&m, i, &local));
    }
    merge_close(&m);
    return ok;
}
