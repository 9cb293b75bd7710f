// run_bar.c - see run_bar.h.
#include "cli/run_bar.h"

#include "job/run.h"

void run_bar_show(void *context, int64_t done, int64_t total)
{
    run_bar *b = context;
    if (!b->has_begun) {
        bool shown = b->c->err_is_terminal && !opt_flag(b->c->o, OPT_QUIET);
        b->bar = progress_begin(shown ? PROGRESS_SHOWN : PROGRESS_HIDDEN, done,
                                total);
        b->has_begun = true;
    }
    progress_step(&b->bar, done);
}

void run_bar_clear(run_bar *b)
{
    if (b->has_begun) {
        progress_clear(&b->bar);
    }
}

void run_bar_end(run_bar *b)
{
    if (b->has_begun) {
        progress_end(&b->bar);
    }
}

bool run_bar_score(run_bar *b,
                   run_options *run,
                   run_outcome *out,
                   arena *a,
                   diag *d,
                   diag *notes,
                   arena scratch)
{
    run->context = b;
    run->progress = run_bar_show;
    bool ok = run_score(run, out, a, d, notes, scratch);
    run_bar_end(b);
    return ok;
}
