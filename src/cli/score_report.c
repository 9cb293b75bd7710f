/*
 * score_report.c - see score_report.h.
 *
 * Method      Documents need all lines twice, and --out may be a pipe or not
 *             given: lines are kept in an unnamed file.
 */
#include "cli/score_report.h"

#include "base/file.h"
#include "base/file_atomic.h"
#include "cli/need_to_compare.h"
#include "cli/output_files.h"
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ptrdiff_t LINE_BYTES = (ptrdiff_t)8 << 30;

// Options that name a file, and the format of `assay report` that goes there.
static const struct {
    opt_id option;
    str format;
} documents[] = {
    {OPT_HTML, S_INIT("html")},
    {OPT_JUNIT, S_INIT("junit")},
};

static bool is_asked_for(const cli *c)
{
    bool is_asked = opt_flag(c->o, OPT_GITHUB);
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        is_asked |= opt_has(c->o, documents[i].option);
    }
    return is_asked;
}

// Found out before the cases run, not after.
static bool can_write(const cli *c, str path, arena scratch)
{
    file_atomic part = {0};
    if (path.len == 0 || str_equal(path, S("-"))) {
        return true;
    }
    if (!file_atomic_open(&part, &scratch, path)) {
        cli_say(c, "%.*s: cannot write: %s", STR_ARG(path), strerror(errno));
        return false;
    }
    file_atomic_discard(&part);
    return true;
}

bool score_report_open(score_report *r, const cli *c, arena *a)
{
    *r = (score_report){.c = c, .a = a};
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        if (!can_write(c, opt_text(c->o, documents[i].option), *a)) {
            return false;
        }
    }
    if (is_asked_for(c)) {
        r->lines = tmpfile();
        if (!r->lines) {
            cli_say(c, "cannot write a temporary file: %s", strerror(errno));
            return false;
        }
    }
    return true;
}

static void put(const score_report *r, str line)
{
    if (r->lines) {
        fwrite(line.ptr, 1, (size_t)line.len, r->lines);
    }
}

void score_report_head(score_report *r, str line)
{
    r->head = arena_str(r->a, line);
    put(r, r->head);
}

void score_report_line(score_report *r, str line)
{
    put(r, line);
}

// What goes wrong here shows when the file is read.
void score_report_restart(score_report *r)
{
    if (r->lines) {
        rewind(r->lines);
        if (ftruncate(fileno(r->lines), 0) == 0) {
            put(r, r->head);
        }
    }
}

typedef struct writing {
    score_report *r;
    file_map journal;
    dialect dialect;
    arena_store store;
    arena_store line_store;
    diag d;
} writing;

static bool render_to(writing *w, str format, FILE *to)
{
    arena a = arena_store_clear(&w->store);
    render_options options = {.format = render_format_from_word(format),
                              .dialect = w->dialect,
                              .is_for_terminal =
                                  to == stdout && w->r->c->out_is_terminal,
                              .need_of = need_to_compare,
                              .before = w->r->before};
    render made = render_new(&a, &options);
    // As `assay report` would be given it.
    bool has_file = output_can_be_read(w->r->c, OPT_OUT);
    file_map journal = w->journal;
    journal.path = has_file ? opt_text(w->r->c->o, OPT_OUT) : S("journal");
    render_add(&made, &journal);
    return render_count(&made, &w->line_store, &w->d)
           && render_write(&made, to, &w->line_store);
}

static bool cannot_write(writing *w, str path)
{
    return w->d.count > 0
           || diag_add(&w->d, (diag_place){.file = path}, "cannot write: %s",
                       strerror(errno));
}

static bool write_document(writing *w, str format, str path)
{
    if (str_equal(path, S("-"))) {
        return render_to(w, format, stdout) || cannot_write(w, path);
    }
    file_atomic part = {0};
    if (!file_atomic_open(&part, w->r->a, path)) {
        return cannot_write(w, path);
    }
    if (!render_to(w, format, part.file)) {
        file_atomic_discard(&part);
        cannot_write(w, path);
        return false;
    }
    return file_atomic_close(&part) || cannot_write(w, path);
}

// Annotations go to the log, figures to the page of the step, where there is
// one: a file that the steps of a job add to.
static bool write_github(writing *w)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    bool ok = render_to(w, S("github"), stdout) || cannot_write(w, S("-"));
    if (!path || !*path) {
        return ok;
    }
    FILE *page = fopen(path, "ae");
    if (!page) {
        return cannot_write(w, str_from(path));
    }
    bool is_written = render_to(w, S("markdown"), page);
    is_written = fclose(page) == 0 && is_written;
    return (is_written || cannot_write(w, str_from(path))) && ok;
}

static bool write_all(writing *w)
{
    const opt *o = w->r->c->o;
    bool ok = true;
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        str path = opt_text(o, documents[i].option);
        if (path.len > 0) {
            ok = write_document(w, documents[i].format, path) && ok;
        }
    }
    return (!opt_flag(o, OPT_GITHUB) || write_github(w)) && ok;
}

static bool write_from(writing *w, arena *a)
{
    bool ok = fflush(w->r->lines) == 0;
    str name = arena_printf(a, "/proc/self/fd/%d", fileno(w->r->lines));
    if (!ok || !file_open(&w->journal, a, name, &w->d)) {
        return cannot_write(w, S("temporary file"));
    }
    ok = write_all(w);
    file_close(&w->journal);
    return ok;
}

bool score_report_write(score_report *r, dialect d)
{
    if (!r->lines) {
        return true;
    }
    writing w = {.r = r, .dialect = d, .d = diag_new(r->a)};
    bool ok = arena_store_open(&w.store, LINE_BYTES)
              && arena_store_open(&w.line_store, LINE_BYTES);
    ok = ok && write_from(&w, r->a);
    cli_say_all(r->c, &w.d, arena_store_clear(&w.line_store));
    arena_store_close(&w.line_store);
    arena_store_close(&w.store);
    fclose(r->lines);
    r->lines = NULL;
    return ok;
}
