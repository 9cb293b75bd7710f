/*
 * fuzz_journal.c - the lines of any journal are counted, reported in each form
 * and compared run against run; whoever edited it, sums stay sums.
 */
#include "evaluators/like.h"
#include "fuzz.h"
#include "report/report.h"
#include "report/report_versus.h"

static void report_all(const tally *t, arena a, arena scratch)
{
    buf out = buf_new(&a);
    report_look look = {.width = 100, .is_verbose = true};
    doc d = doc_new(&scratch, look);
    report_text(&d, t);
    doc_write(&d, &out);
    report_summary(&out, t, S(""), 1.5, scratch);
    for (int l = 0; l < LIKE_COUNT; l++) {
        like_print(&out, t, (like_id)l, scratch);
    }
    fuzz_must(out.len > 0);
}

static void count_lines(str text, arena a, arena scratch)
{
    tally t = tally_new(&a);
    t.feature = S("join");
    while (text.len > 0) {
        arena local = scratch;
        case_line line;
        str row = str_cut(&text, '\n');
        if (case_line_read(&line, &local, row) == CASE_LINE_CASE) {
            tally_add(&t, &line);
        }
    }
    report_all(&t, a, scratch);
}

// The journals are parted by empty lines.
static void compare_runs(str text,
                         versus_cluster cluster,
                         arena a,
                         arena scratch)
{
    diag d = diag_new(&a);
    versus v = versus_new(&a, S("exec"), cluster, VERSUS_CLOCK_MATTERS);
    versus_begin_file(&v, S("a"), S("now"));
    for (int64_t no = 1; text.len > 0; no++) {
        case_line *line = arena_new(&a, case_line, 1);
        str row = str_cut(&text, '\n');
        if (row.len == 0) {
            versus_begin_file(&v, S("b"), S("later"));
        }
        if (case_line_read(line, &a, row) == CASE_LINE_CASE) {
            versus_add(&v, line, (diag_place){S("x"), no, 1}, &d);
        }
    }
    if (!versus_end(&v, &d, scratch)) {
        fuzz_must(d.count > 0);
        return;
    }
    const versus_pair *pairs = versus_all(&v, &a, scratch);
    report_look look = {.width = 100, .is_verbose = true, .show = 3};
    buf out = buf_new(&a);
    doc shown = doc_new(&scratch, look);
    versus_doc(&shown, &v, pairs);
    doc_write(&shown, &out);
    versus_json(&out, &v, pairs, true, scratch);
    fuzz_must(out.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    count_lines(text, a, scratch);
    compare_runs(text, VERSUS_CLUSTER_CASE, a, scratch);
    compare_runs(text, VERSUS_CLUSTER_AUTO, a, scratch);
    return 0;
}
