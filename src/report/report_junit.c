/*
 * report_junit.c - journals as JUnit XML: a test suite a run and metric, a test
 * case a case; a no is a failure with its evidence, an unknown is skipped.
 *
 * Method      Lines come case by case, suites are written one after the other:
 *             the cases of each wait in a text of their own until all lines
 *             were read. Beside a baseline the message of a failure begins with
 *             its standing: "known: ...", "regression: ...". The evidence is what `assay show` prints, cut where it
 *             is very long: a CI server keeps all of it.
 *
 * Invariant   The file validates against tests/schema/junit.xsd: the elements
 *             and attributes that Jenkins, GitLab and Surefire have in common.
 */
#include "report/render.h"
#include "report/report_show.h"
#include "report/xml.h"

enum {
    EVIDENCE_MAX = 64 << 10,
    WIDTH = 100,
};

typedef struct junit_suite {
    buf cases;
    double seconds;
} junit_suite;

// state: one a run and metric, metrics of a run one after the other.
static junit_suite *suite_at(render *r, ptrdiff_t run, ptrdiff_t metric)
{
    junit_suite *suites = r->state;
    return &suites[run * r->keys.len + metric];
}

static void add_count(buf *out, const char *name, int64_t n)
{
    buf_printf(out, " %s=\"%lld\"", name, (long long)n);
}

static int64_t answers(const render *r, answer v)
{
    int64_t n = 0;
    for (ptrdiff_t run = 0; run < map_count(&r->tally.runs); run++) {
        for (ptrdiff_t m = 0; m < r->keys.len; m++) {
            const tally_metric *metric = tally_metric_at(&r->tally, run, m);
            n += metric ? metric->all.answers[v] : 0;
        }
    }
    return n;
}

void junit_head(render *r, buf *out, arena scratch)
{
    ptrdiff_t n = map_count(&r->tally.runs) * r->keys.len;
    junit_suite *suites = arena_new(r->a, junit_suite, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        suites[i].cases = buf_new(r->a);
    }
    r->state = suites;
    int64_t no = answers(r, ANSWER_NO);
    buf_add(out, S("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"));
    xml_attribute(out, "name", render_title(r, &scratch));
    add_count(out, "tests",
              no + answers(r, ANSWER_YES) + answers(r, ANSWER_UNKNOWN));
    add_count(out, "failures", no);
    add_count(out, "errors", 0);
    buf_add(out, S(">\n"));
}

static double seconds_of(const json *j)
{
    const json *ms = json_get(j, S("pred_ms"));
    bool is_number =
        ms && (ms->kind == JSON_KIND_REAL || ms->kind == JSON_KIND_INT);
    return is_number ? ms->real / 1000 : 0;
}

static str message_of(arena *a, const line_verdict *v)
{
    return v->detail.len == 0 ? v->reason
           : v->reason.len == 0
               ? v->detail
               : arena_printf(a, "%.*s: %.*s", STR_ARG(v->reason),
                              STR_ARG(v->detail));
}

static void add_failure(const render *r,
                        buf *b,
                        const render_line *l,
                        const line_verdict *v,
                        arena scratch)
{
    arena rest = arena_half(&scratch);
    doc d = doc_new(&scratch, (report_look){.width = WIDTH});
    buf shown = buf_new(&rest);
    report_show(&d, l->j, l->journal->head, r->o.dialect, v->key);
    doc_write(&d, &shown);
    str text = buf_str(&shown);
    ptrdiff_t end = text.len < EVIDENCE_MAX ? text.len : EVIDENCE_MAX;
    while (end < text.len && ((unsigned char)text.ptr[end] & 0xc0) == 0x80) {
        end--;
    }
    str message = message_of(&rest, v);
    if (r->o.before) {
        str word =
            baseline_standing_word(baseline_stands(r->o.before, l->c, v->key));
        message =
            arena_printf(&rest, "%.*s: %.*s", STR_ARG(word), STR_ARG(message));
    }
    buf_add(b, S("<failure"));
    xml_attribute(b, "type", v->reason.len > 0 ? v->reason : S("no"));
    xml_attribute(b, "message", message);
    buf_char(b, '>');
    xml_add(b, str_sub(text, 0, end));
    if (end < text.len) {
        buf_printf(b, "\n... and %td more bytes", text.len - end);
    }
    buf_add(b, S("</failure>"));
}

static void add_case(const render *r,
                     junit_suite *s,
                     const render_line *l,
                     const line_verdict *v,
                     arena scratch)
{
    double seconds = seconds_of(l->j);
    s->seconds += seconds;
    str place = arena_printf(&scratch, "%.*s.%.*s", STR_ARG(l->c->run),
                             STR_ARG(v->key));
    buf_add(&s->cases, S("    <testcase"));
    xml_attribute(&s->cases, "name", l->c->id);
    xml_attribute(&s->cases, "classname", place);
    buf_printf(&s->cases, " time=\"%.3f\"", seconds);
    if (v->v == ANSWER_YES) {
        buf_add(&s->cases, S("/>\n"));
        return;
    }
    buf_char(&s->cases, '>');
    if (v->v == ANSWER_NO) {
        add_failure(r, &s->cases, l, v, scratch);
    } else {
        buf_add(&s->cases, S("<skipped"));
        xml_attribute(&s->cases, "message", message_of(&scratch, v));
        buf_add(&s->cases, S("/>"));
    }
    buf_add(&s->cases, S("</testcase>\n"));
}

void junit_line(render *r, buf *out, const render_line *l, arena scratch)
{
    (void)out;
    ptrdiff_t run = map_find(&r->tally.runs, l->c->run);
    for (ptrdiff_t m = 0; m < r->keys.len; m++) {
        const line_verdict *v = case_line_verdict(l->c, r->keys.ptr[m]);
        if (v) {
            add_case(r, suite_at(r, run, m), l, v, scratch);
        }
    }
}

static void add_suite(render *r, buf *out, ptrdiff_t run, ptrdiff_t m)
{
    const tally_metric *metric = tally_metric_at(&r->tally, run, m);
    if (!metric || tally_total(&metric->all) == 0) {
        return;
    }
    const junit_suite *s = suite_at(r, run, m);
    arena *a = r->a;
    str name =
        arena_printf(a, "%.*s: %.*s", STR_ARG(map_key_at(&r->tally.runs, run)),
                     STR_ARG(r->keys.ptr[m]));
    buf_add(out, S("  <testsuite"));
    xml_attribute(out, "name", name);
    add_count(out, "tests", tally_total(&metric->all));
    add_count(out, "failures", metric->all.answers[ANSWER_NO]);
    add_count(out, "errors", 0);
    add_count(out, "skipped", metric->all.answers[ANSWER_UNKNOWN]);
    buf_printf(out, " time=\"%.3f\">\n", s->seconds);
    buf_add(out, buf_str(&s->cases));
    buf_add(out, S("  </testsuite>\n"));
}

void junit_tail(render *r, buf *out, arena scratch)
{
    (void)scratch;
    for (ptrdiff_t run = 0; run < map_count(&r->tally.runs); run++) {
        for (ptrdiff_t m = 0; m < r->keys.len; m++) {
            add_suite(r, out, run, m);
        }
    }
    buf_add(out, S("</testsuites>\n"));
}
