/*
 * kind_report.c - kind `report`: lines of a journal in, the bytes of one
 * report out; kind `gate`: do the lines pass, and what is said if not.
 */
#include "evaluators/like.h"
#include "kind.h"
#include "report/gate.h"

// Counts all lines of `text`, each broken one out loud.
static tally tally_text(arena *a, str text, buf *broken, arena scratch)
{
    tally t = tally_new(a);
    t.feature = S("join");
    int64_t number = 0;
    while (text.len > 0) {
        arena inner = scratch;
        case_line line;
        str row = str_cut(&text, '\n');
        case_line_kind kind = case_line_read(&line, &inner, row);
        number++;
        if (kind == CASE_LINE_CASE) {
            tally_add(&t, &line);
        } else if (kind == CASE_LINE_BROKEN) {
            buf_printf(broken, "line %lld is broken\n", (long long)number);
        }
    }
    return t;
}

static void add_csv(buf *out, const tally *t, str text, arena scratch)
{
    const str *keys = NULL;
    ptrdiff_t n = map_count(&t->metrics);
    str *names = arena_new(&scratch, str, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        names[i] = map_key_at(&t->metrics, i);
    }
    keys = names;
    report_csv_header(out, keys, n);
    while (text.len > 0) {
        arena inner = scratch;
        case_line line;
        str row = str_cut(&text, '\n');
        if (case_line_read(&line, &inner, row) == CASE_LINE_CASE) {
            report_csv_row(out, &line, keys, n);
        }
    }
}

// CR is shown, so that a golden file can hold it.
static str show_returns(arena *a, str text)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\r') {
            buf_add(&b, S("\\r"));
        } else {
            buf_char(&b, text.ptr[i]);
        }
    }
    return buf_str(&b);
}

static report_look look_of(test_case *c)
{
    str words = case_key(c, "look");
    bool by_feature = str_find(words, S("by-feature"), 0) >= 0;
    bool by_join = str_find(words, S("by-join"), 0) >= 0;
    return (report_look){
        .width = case_key_int(c, "width", 100),
        .has_color = str_find(words, S("color"), 0) >= 0,
        .has_unicode = str_find(words, S("unicode"), 0) >= 0,
        .is_verbose = str_find(words, S("verbose"), 0) >= 0,
        .has_by = by_feature || by_join,
        .by = by_feature ? TALLY_BY_FEATURE : TALLY_BY_NUMBER,
        .by_title = by_feature ? S("by feature") : S("by join"),
    };
}

static void add_like_cases(buf *out, str text, like_id program, arena scratch)
{
    while (text.len > 0) {
        arena inner = scratch;
        case_line line;
        str row = str_cut(&text, '\n');
        if (case_line_read(&line, &inner, row) == CASE_LINE_CASE) {
            like_print_case(out, &line, program);
        }
    }
}

static void run_report(test_case *c)
{
    arena scratch = case_scratch(c);
    arena *a = case_arena(c);
    buf out = buf_new(a);
    str lines = case_section(c, "run");
    tally t = tally_text(a, lines, &out, scratch);
    str format = case_key(c, "format");
    report_look look = look_of(c);
    like_id program = LIKE_SPIDER;
    if (str_equal(format, S("text"))) {
        doc d = doc_new(&scratch, look);
        report_text(&d, &t);
        doc_write(&d, &out);
    } else if (str_equal(format, S("summary"))) {
        report_summary(&out, &t, S(""), 1.5, scratch);
    } else if (str_equal(format, S("csv"))) {
        add_csv(&out, &t, lines, scratch);
    } else if (str_starts(format, S("like-"))
               && like_from_word(str_skip(format, 5), &program)) {
        if (look.is_verbose) {
            add_like_cases(&out, lines, program, scratch);
        }
        like_print(&out, &t, program, scratch);
    } else {
        case_broken(c, "unknown format '%.*s'", STR_ARG(format));
        return;
    }
    case_output(c, "", show_returns(a, buf_str(&out)));
}

const test_kind kind_report = {
    .name = "report",
    .sections = "run",
    .keys = "format width look",
    .run = run_report,
};

static void add_messages(buf *out, arena *a, const diag *d)
{
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        buf_add(out, diag_format(a, d->messages.ptr[i]));
        buf_char(out, '\n');
    }
}

static bool check_floors(test_case *c, const tally *t, diag *d, arena scratch)
{
    str names[BASELINE_METRICS_MAX];
    ptrdiff_t n = map_count(&t->metrics);
    for (ptrdiff_t i = 0; i < n && i < countof(names); i++) {
        names[i] = map_key_at(&t->metrics, i);
    }
    bool passes = true;
    str floors = case_key(c, "fail-under");
    while (floors.len > 0) {
        gate g;
        str text = str_trim(str_cut(&floors, ' '));
        passes = gate_parse(&g, text, names, n, d, scratch)
                 && gate_check(&g, t, d) && passes;
    }
    return passes;
}

static bool check_baseline(test_case *c, diag *d, buf *out, arena scratch)
{
    baseline b;
    const file_map old = {.path = S("old.jsonl"),
                          .bytes = case_section(c, "baseline")};
    bool ok = baseline_read(&b, case_arena(c), old, d, scratch);
    str lines = ok ? case_section(c, "run") : (str){0};
    while (lines.len > 0) {
        arena inner = scratch;
        case_line line;
        str text = str_cut(&lines, '\n');
        if (case_line_read(&line, &inner, text) == CASE_LINE_CASE) {
            baseline_add(&b, &line);
        }
    }
    for (ptrdiff_t m = 0; ok && m < map_count(&b.metrics); m++) {
        buf_printf(out, "%.*s: %lld worse, %lld better\n",
                   STR_ARG(map_key_at(&b.metrics, m)),
                   (long long)b.changes[m].n_worse,
                   (long long)b.changes[m].n_better);
    }
    return ok
           && baseline_check(&b, case_key_int(c, "max-regressions", 0), d,
                             scratch);
}

static void run_gate(test_case *c)
{
    arena scratch = case_scratch(c);
    arena *a = case_arena(c);
    diag d = diag_new(a);
    buf out = buf_new(a);
    tally t = tally_text(a, case_section(c, "run"), &out, scratch);
    bool passes = check_floors(c, &t, &d, scratch);
    if (case_has_section(c, "baseline")) {
        passes = check_baseline(c, &d, &out, scratch) && passes;
    }
    buf_add(&out, passes ? S("passes\n") : S("fails\n"));
    add_messages(&out, a, &d);
    case_output(c, "", buf_str(&out));
}

const test_kind kind_gate = {
    .name = "gate",
    .sections = "run baseline",
    .keys = "fail-under max-regressions",
    .run = run_gate,
};
