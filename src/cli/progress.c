/*
 * progress.c - see progress.h.
 *
 * Method      A step costs one look at the clock; the line is drawn again when
 *             the last drawing is a tenth of a second old. The rate is the
 *             mean since the begin: it is steady, and the time left that
 *             follows from it does not jump.
 */
#include "cli/progress.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "cli/terminal.h"
#include "job/run.h"

#include <stdio.h>
#include <unistd.h>

enum {
    REDRAW_NS = 100 * 1000 * 1000,
    BAR_WIDTH = 20,
    TEXT_BYTES = 2048,
    WIDTH_FALLBACK = 80,
};

static void add_grouped(buf *b, int64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)n);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) {
            buf_char(b, ',');
        }
        buf_char(b, digits[i]);
    }
}

static void add_duration(buf *b, double seconds)
{
    int64_t s = (int64_t)(seconds + 0.5);
    if (s >= 3600) {
        buf_printf(b, "%lld:%02d:%02d", (long long)(s / 3600),
                   (int)(s / 60 % 60), (int)(s % 60));
        return;
    }
    buf_printf(b, "%d:%02d", (int)(s / 60), (int)(s % 60));
}

static void add_rate(buf *b, double rate)
{
    if (rate < 1) {
        buf_printf(b, "%.1f s each", 1 / rate);
        return;
    }
    if (rate >= 10) {
        add_grouped(b, (int64_t)(rate + 0.5));
    } else {
        buf_printf(b, "%.1f", rate);
    }
    buf_add(b, S("/s"));
}

// What the rate says is left; once that has passed without a step it was
// wrong, and how long nothing ended is all that is known.
static void add_rest(buf *b, const progress *p, double left, int64_t now_ns)
{
    double waited = (double)(now_ns - p->step_ns) / 1e9;
    if (p->step_ns > 0 && waited >= 1 && waited > left) {
        buf_add(b, S("waiting "));
        add_duration(b, waited);
        return;
    }
    add_duration(b, left);
    buf_add(b, S(" left"));
}

str progress_text(arena *a,
                  const progress *p,
                  int64_t done,
                  int64_t now_ns,
                  ptrdiff_t width)
{
    double part = p->total > 0 ? (double)done / (double)p->total : 1;
    double seconds = (double)(now_ns - p->start_ns) / 1e9;
    double rate = seconds > 0 ? (double)(done - p->first) / seconds : 0;
    buf b = buf_new(a);
    buf_printf(&b, "%3d %% ", (int)(part * 100));
    ptrdiff_t full = (ptrdiff_t)(part * BAR_WIDTH);
    buf_repeat(&b, '#', full);
    buf_repeat(&b, '-', BAR_WIDTH - full);
    buf_char(&b, ' ');
    add_grouped(&b, done);
    buf_add(&b, S(" of "));
    add_grouped(&b, p->total);
    if (rate > 0) {
        buf_add(&b, S(", "));
        add_rate(&b, rate);
        buf_add(&b, S(", "));
        add_rest(&b, p, (double)(p->total - done) / rate, now_ns);
    }
    str text = buf_str(&b);
    return str_sub(text, 0, utf8_prefix(text, width));
}

static void draw(progress *p, int64_t done, int64_t now_ns)
{
    arena a = arena_on_stack(TEXT_BYTES);
    ptrdiff_t width = terminal_width(STDERR_FILENO, WIDTH_FALLBACK);
    str text = progress_text(&a, p, done, now_ns, width - 1);
    fprintf(stderr, "\r%.*s\033[K", STR_ARG(text));
    fflush(stderr);
    p->drawn_ns = now_ns;
}

void progress_show(void *context, int64_t done, int64_t total)
{
    progress *p = context;
    int64_t now_ns = clock_ns();
    if (p->start_ns == 0) {
        *p = (progress){
            .c = p->c, .total = total, .first = done, .start_ns = now_ns};
    }
    if (done != p->done || p->step_ns == 0) {
        p->done = done;
        p->step_ns = now_ns;
    }
    bool is_shown = p->c->err_is_terminal && !opt_flag(p->c->o, OPT_QUIET);
    int64_t last_ns = p->drawn_ns > 0 ? p->drawn_ns : p->start_ns;
    if (is_shown && now_ns - last_ns >= REDRAW_NS) {
        draw(p, done, now_ns);
    }
}

void progress_clear(progress *p)
{
    if (p->drawn_ns > 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        p->drawn_ns = 0;
    }
}

bool progress_run(progress *p,
                  run_options *run,
                  run_outcome *out,
                  arena *a,
                  diag *d,
                  diag *notes,
                  arena scratch)
{
    run->context = p;
    run->progress = progress_show;
    bool ok = run_score(run, out, a, d, notes, scratch);
    progress_clear(p);
    return ok;
}
