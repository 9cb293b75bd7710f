/*
 * score_report.c - see score_report.h.
 *
 * Method      As `assay report` would be given the journal.
 */
#include "cli/score_report.h"

#include "base/file.h"
#include "cli/need_to_compare.h"
#include "cli/out_file.h"
#include "cli/output_files.h"
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const ptrdiff_t LINE_BYTES = (ptrdiff_t)8 << 30;

// Options that name a file, and the format of `assay report` that goes there.
static const struct {
    opt_id option;
    str format;
} documents[] = {
    {OPT_CSV, S_INIT("csv")},
    {OPT_HTML, S_INIT("html")},
    {OPT_JUNIT, S_INIT("junit")},
};

bool score_report_can_write(const cli *c)
{
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        out_file out = {0};
        // A pipe is opened once.
        if (output_can_be_read(c, documents[i].option)
            && !out_file_open(&out, c, opt_text(c->o, documents[i].option))) {
            return false;
        }
        out_file_end(&out, false);
    }
    return true;
}

typedef struct writing {
    const score_output *out;
    file_map journal;
    arena_store store;
    arena_store line_store;
    diag d;
} writing;

static bool render_to(writing *w, str format, FILE *to)
{
    arena a = arena_store_clear(&w->store);
    render_options options = {
        .format = render_format_from_word(format),
        .dialect = w->out->run->score.dialect,
        .is_for_terminal = to == stdout && w->out->c->out_is_terminal,
        .need_of = need_to_compare,
        .before = w->out->has_baseline ? &w->out->baseline : NULL};
    if (str_equal(format, S("csv"))) {
        options.keys = w->out->keys;
    }
    render made = render_new(&a, &options);
    journals_add(&made.journals, &a, w->journal);
    return render_count(&made, &w->line_store, &w->d)
           && render_write(&made, to, &w->line_store);
}

static bool write_document(writing *w, str format, str path)
{
    out_file out;
    return out_file_open(&out, w->out->c, path)
           && out_file_end(&out, render_to(w, format, out.file));
}

// Annotations go to the log, figures to the page of the step, where there is
// one: a file that the steps of a job add to.
static bool write_github(writing *w)
{
    str path = str_from(getenv("GITHUB_STEP_SUMMARY"));
    bool ok = write_document(w, S("github"), S("-"));
    if (path.len == 0) {
        return ok;
    }
    FILE *page = fopen(path.ptr, "ae");
    bool is_written = page && render_to(w, S("markdown"), page);
    is_written = page && fclose(page) == 0 && is_written;
    if (!is_written && w->d.count == 0) {
        diag_add(&w->d, (diag_place){.file = path}, "cannot write: %s",
                 strerror(errno));
    }
    return is_written && ok;
}

static bool write_all(writing *w)
{
    const opt *o = w->out->c->o;
    bool ok = true;
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        str path = opt_text(o, documents[i].option);
        ok = (path.len == 0 || write_document(w, documents[i].format, path))
             && ok;
    }
    return (!opt_flag(o, OPT_GITHUB) || write_github(w)) && ok;
}

static bool is_asked_for(const opt *o)
{
    bool is = opt_flag(o, OPT_GITHUB);
    for (ptrdiff_t i = 0; i < countof(documents); i++) {
        is |= opt_text(o, documents[i].option).len > 0;
    }
    return is;
}

bool score_report_write(const score_output *out, file_map lines)
{
    const cli *c = out->c;
    writing w = {.out = out, .journal = lines, .d = diag_new(out->a)};
    if (!is_asked_for(c->o)) {
        return true;
    }
    bool ok = arena_store_open(&w.store, LINE_BYTES)
              && arena_store_open(&w.line_store, LINE_BYTES);
    if (ok) {
        ok = write_all(&w);
    } else {
        cli_no_space(c);
    }
    cli_say_all(c, &w.d, c->scratch);
    arena_store_close(&w.line_store);
    arena_store_close(&w.store);
    return ok;
}
