/*
 * report_robust.c - before and after, by kind of change: text, Markdown, JSON.
 */
#include "base/json_write.h"
#include "report/doc.h"
#include "report/robust.h"

#include <math.h>

// Shares of the pairs.
static double before(const paired_counts *c)
{
    return (double)(c->both + c->only_a) / (double)paired_cases(c);
}

static double after(const paired_counts *c)
{
    return (double)(c->both + c->only_b) / (double)paired_cases(c);
}

static interval relative_interval(const paired_counts *c)
{
    return wilson_interval((double)c->both, c->both + c->only_a);
}

static void add_row(grid *g,
                    arena *a,
                    str name,
                    const paired_counts *c,
                    double p)
{
    interval i = relative_interval(c);
    double relative = robust_relative(c);
    grid_row(g, cell_name(name), cell_int(a, paired_cases(c)),
             cell_percent(a, before(c)), cell_percent(a, after(c)),
             cell_points(a, after(c) - before(c)), cell_percent(a, relative),
             isnan(relative) ? S("-") : cell_range(a, i.low, i.high),
             p < 0.001 ? S("< 0.001") : cell_decimal(a, p, 3));
}

static void add_run(doc *d, const robust_run *r)
{
    const map *kinds = &r->v.names[VERSUS_BY_CATEGORY];
    grid *g = doc_titled(d, r->name.len > 0 ? r->name : S("run"));
    grid_heads(g, S("pairs|before|after|points|relative|95 %|p"));
    for (ptrdiff_t i = 0; i < map_count(kinds); i++) {
        if (map_count(kinds) > 1 && paired_cases(&r->kinds[i]) > 0) {
            add_row(g, d->a, map_key_at(kinds, i), &r->kinds[i], r->p[i]);
        }
    }
    if (paired_cases(&r->pair->d.all) > 0) {
        add_row(g, d->a, map_count(kinds) > 1 ? S("all") : map_key_at(kinds, 0),
                &r->pair->d.all, r->pair->d.p);
    }
}

static void add_notes(doc *d, const robust_run *r)
{
    const versus_pair *p = r->pair;
    if (paired_cases(&p->d.all) > 0) {
        doc_say(d,
                "difference %+.1f points, 95 %% interval %+.1f to %+.1f "
                "(clustered by %s)\n",
                p->d.difference * 100, p->d.low * 100, p->d.high * 100,
                p->is_by_db ? "database" : "case");
    }
    if (p->n_unknown > 0) {
        doc_say(d, "not compared: %lld unknown in one of the runs\n",
                (long long)p->n_unknown);
    }
    if (r->n_unpaired > 0) {
        doc_say(d, "not compared: %lld changed case%s without original\n",
                (long long)r->n_unpaired, plural(r->n_unpaired));
    }
}

void robust_doc(doc *d, const robust_runs *runs)
{
    str metric = runs->ptr[0].v.metric;
    doc_say(d, "%.*s of changed questions compared with their originals\n",
            STR_ARG(metric));
    for (ptrdiff_t i = 0; i < runs->len; i++) {
        add_run(d, &runs->ptr[i]);
        add_notes(d, &runs->ptr[i]);
    }
    doc_say(d, "\nrelative: of the answers that were right before, the share "
               "that is right after; p: McNemar's exact test, of kinds "
               "adjusted by Holm's method\n");
}

static void json_counts(buf *out, const paired_counts *c, double p)
{
    interval i = relative_interval(c);
    bool has_right = c->both + c->only_a > 0;
    json_write(
        out, member_int(S("pairs"), paired_cases(c)),
        member_int(S("both"), c->both), member_int(S("only_before"), c->only_a),
        member_int(S("only_after"), c->only_b),
        member_double(S("before"), before(c) * 100),
        member_double(S("after"), after(c) * 100),
        member_double(S("relative"), robust_relative(c) * 100),
        member_double(S("relative_low"), has_right ? i.low * 100 : NAN),
        member_double(S("relative_high"), has_right ? i.high * 100 : NAN),
        member_double(S("p"), p));
}

void robust_json(buf *out, const robust_runs *runs)
{
    json_write(out, json_begin('{'),
               member_text(S("metric"), runs->ptr[0].v.metric),
               member_open(S("runs"), '['));
    for (ptrdiff_t k = 0; k < runs->len; k++) {
        const robust_run *r = &runs->ptr[k];
        const map *kinds = &r->v.names[VERSUS_BY_CATEGORY];
        json_write(out, json_begin('{'), member_text(S("run"), r->name));
        json_counts(out, &r->pair->d.all, r->pair->d.p);
        json_write(out,
                   member_double(S("difference"), r->pair->d.difference * 100),
                   member_double(S("low"), r->pair->d.low * 100),
                   member_double(S("high"), r->pair->d.high * 100),
                   member_int(S("unknown"), r->pair->n_unknown),
                   member_int(S("without_original"), r->n_unpaired),
                   member_open(S("kinds"), '{'));
        for (ptrdiff_t i = 0; i < map_count(kinds); i++) {
            json_write(out, member_open(map_key_at(kinds, i), '{'));
            json_counts(out, &r->kinds[i], r->p[i]);
            buf_char(out, '}');
        }
        buf_add(out, S("}}"));
    }
    buf_add(out, S("]}\n"));
}
