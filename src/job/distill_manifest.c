/*
 * distill_manifest.c - counted from the suites as they were written.
 *
 * Method      Each suite file is read back and counted, also those of earlier
 *             runs; so the manifest is about the folder, not about this run.
 *
 * Cost        Linear in the files.
 */
#include "job/distill_manifest.h"

#include "base/file.h"
#include "base/json_write.h"
#include "base/version.h"
#include "job/suite_export.h"
#include "suite/suite.h"

#include <inttypes.h>

enum {
    // Where the curve [003 figure 5] is read off, in databases tried.
    CURVE_POINTS = 24
};

static const int64_t curve_tries[CURVE_POINTS] = {
    0,   1,   2,   3,   5,   7,   10,   15,   20,   30,    50,    70,
    100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10000, 20000, 50000,
};

typedef struct manifest {
    const distill_run_options *options;
    distill_outcome *out;
    buf schemas;                   // JSON, one object a schema
    int64_t killed[CURVE_POINTS];  // over all schemas
    diag *d;
    diag *notes;
} manifest;

// How many neighbors of a schema were dead after so many tries.
static int64_t killed_after(const suite *s, int64_t tries)
{
    int64_t killed = 0;
    for (ptrdiff_t i = 0; i < s->curve.len && s->curve.ptr[i].tries <= tries;
         i++) {
        killed = s->curve.ptr[i].killed;
    }
    return killed;
}

static void add_counts(buf *b, const suite_count *n)
{
    json_write(b, member_int(S("neighbors"), n->neighbors),
               member_int(S("killed"), n->killed),
               member_int(S("equivalent"), n->equivalent),
               member_int(S("alive"), n->alive));
}

static void suite_count_add(suite_count *to, suite_count n)
{
    to->neighbors += n.neighbors;
    to->killed += n.killed;
    to->equivalent += n.equivalent;
    to->alive += n.alive;
}

static suite_count count_suite(const suite *s, int64_t *n_unused)
{
    suite_count sum = {0};
    for (ptrdiff_t i = 0; i < s->n_golds; i++) {
        suite_count_add(&sum, suite_count_gold(&s->golds[i]));
        *n_unused += s->golds[i].error.len > 0;
    }
    return sum;
}

static int64_t count_strict(const suite *s)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < s->n_databases; i++) {
        n += suite_causes(s, i) != 0;
    }
    return n;
}

static void add_schema(manifest *m, const suite *s, int64_t bytes)
{
    buf *b = &m->schemas;
    distill_outcome *o = m->out;
    suite_count n = count_suite(s, &o->n_unused);
    int64_t rows = 0;
    json_next(b);
    buf_add(b, S("\n{"));
    json_write(b, member_text(S("db"), s->db),
               member_text(S("engine"), dialect_word(s->schema.dialect)),
               member_int(S("distinct_golds"), s->n_golds));
    add_counts(b, &n);
    for (ptrdiff_t i = 0; i < s->notes.len; i++) {
        diag_add(m->notes, (diag_place){.file = arena_str(m->notes->a, s->db)},
                 "%.*s", STR_ARG(s->notes.ptr[i]));
    }
    json_write(
        b, member_int(S("tries"), s->tries), member_int(S("bytes"), bytes),
        member_int(S("databases"), s->n_databases),
        member_int(S("strict"), count_strict(s)), member_open(S("rows"), '['));
    for (ptrdiff_t i = 0; i < s->n_databases; i++) {
        json_write(b, json_int(suite_rows(&s->databases[i])));
        rows += suite_rows(&s->databases[i]);
    }
    json_write(b, json_end("]"), member_open(S("golds"), '['));
    for (ptrdiff_t i = 0; i < s->n_golds; i++) {
        json_next(b);
        buf_char(b, '\n');
        suite_add_gold(b, &s->golds[i]);
    }
    buf_add(b, S("]}"));
    for (int i = 0; i < CURVE_POINTS; i++) {
        m->killed[i] += killed_after(s, curve_tries[i]);
    }
    o->n_schemas++;
    o->n_golds += s->n_golds;
    suite_count_add(&o->count, n);
    o->tries += s->tries;
    o->databases += s->n_databases;
    o->rows += rows;
    o->bytes += bytes;
    if (s->n_databases > o->most_databases) {
        o->most_databases = s->n_databases;
    }
}

static void add_curve(manifest *m, buf *b)
{
    int64_t all = m->out->count.neighbors - m->out->count.equivalent;
    json_write(b, member_open(S("curve"), '['));
    for (int i = 0; i < CURVE_POINTS && all > 0; i++) {
        bool is_last = m->killed[i] >= m->out->count.killed;
        json_next(b);
        buf_printf(b, "[%" PRId64 ",%.6f]", curve_tries[i],
                   (double)(all - m->killed[i]) / (double)all);
        if (is_last) {
            break;
        }
    }
    buf_char(b, ']');
}

static void add_totals(manifest *m, buf *b)
{
    const distill_outcome *o = m->out;
    const struct {
        str key;
        int64_t n;
    } numbers[] = {
        {S("golds"), o->n_cases},
        {S("distinct_golds"), o->n_golds},
        {S("unused_golds"), o->n_unused},
        {S("neighbors"), o->count.neighbors},
        {S("killed"), o->count.killed},
        {S("equivalent"), o->count.equivalent},
        {S("alive"), o->count.alive},
        {S("schemas"), o->n_schemas},
        {S("databases"), o->databases},
        {S("most_databases"), o->most_databases},
        {S("rows"), o->rows},
        {S("bytes"), o->bytes},
        {S("tries"), o->tries},
    };
    for (ptrdiff_t i = 0; i < countof(numbers); i++) {
        json_write(b, member_int(numbers[i].key, numbers[i].n));
    }
    if (!m->options->leaves_out_times) {
        json_write(b, member_fixed(S("wall_s"), (double)o->wall_ns / 1e9, 1));
    }
    add_curve(m, b);
}

static bool add_group(manifest *m, const gold_group *g, arena a, arena scratch)
{
    const distill_run_options *o = m->options;
    str path =
        arena_printf(&a, "%.*s/%.*s.suite", STR_ARG(o->out), STR_ARG(g->db));
    if (!file_exists(arena_cstr(&scratch, path))) {
        m->out->n_failed++;
        return false;
    }
    file_map file;
    suite s;
    if (!file_open(&file, &a, path, m->d)) {
        return false;
    }
    bool ok = suite_from_text(&s, &a, path, file.bytes, m->d, scratch);
    int64_t bytes = file.bytes.len;
    if (ok && o->writes_sqlite) {
        ok = suite_export(&s, o->out, g->path, &bytes, m->d, a, scratch);
    }
    if (ok) {
        add_schema(m, &s, bytes);
    }
    file_close(&file);
    return ok;
}

bool distill_write_manifest(const distill_run_options *o,
                            const gold_groups *groups,
                            distill_outcome *out,
                            arena *a,
                            diag *d,
                            diag *notes,
                            arena scratch)
{
    manifest m = {.options = o, .out = out, .d = d, .notes = notes};
    arena of_schemas = arena_half(&scratch);
    arena of_scratch = arena_half(&scratch);
    m.schemas = buf_new(&of_schemas);
    bool ok = true;
    for (ptrdiff_t i = 0; i < groups->len; i++) {
        ok &= add_group(&m, &groups->ptr[i], scratch, of_scratch);
    }
    if (o->golds.shard.n > 0) {
        return ok;  // it is about a whole suite
    }
    buf b = buf_new(a);
    json_write(&b, json_begin('{'), member_text(S("assay"), version_text()),
               member_int(S("seed"), (int64_t)o->seed),
               member_bool(S("private"), o->is_private));
    add_totals(&m, &b);
    json_write(&b, member_open(S("by_schema"), '['));
    buf_add(&b, buf_str(&m.schemas));
    buf_add(&b, S("]}\n"));
    str path = arena_printf(&scratch, "%.*s/manifest.json", STR_ARG(o->out));
    return file_write(path, buf_str(&b), d, of_scratch) && ok;
}
