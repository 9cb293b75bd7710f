// report_versus_json.c - runs side by side as one JSON object.
#include "base/json.h"
#include "report/report_versus.h"

#include <math.h>

static void add_points(buf *out, str key, double share)
{
    json_key(out, key);
    json_add_double(out, round(share * 1e6) / 1e4);
}

static void add_count(buf *out, str key, int64_t n)
{
    json_key(out, key);
    buf_int(out, n);
}

static void add_ids(buf *out,
                    const versus *v,
                    ptrdiff_t x,
                    ptrdiff_t y,
                    bool fixed,
                    arena scratch)
{
    ptrdiff_t n = 0;
    const ptrdiff_t *cases = versus_changed(v, x, y, fixed, &n, &scratch);
    json_key(out, fixed ? S("fixed") : S("broken"));
    buf_char(out, '[');
    for (ptrdiff_t i = 0; i < n; i++) {
        json_next(out);
        json_add_text(out, map_key_at(&v->ids, cases[i]));
    }
    buf_char(out, ']');
}

static void json_pair(buf *out,
                      const versus *v,
                      const versus_pair *p,
                      ptrdiff_t x,
                      ptrdiff_t y,
                      arena scratch)
{
    static const str conclusions[] = {S_INIT("a_better"), S_INIT("no_evidence"),
                                      S_INIT("b_better")};
    const paired_counts *c = &p->d.all;
    json_next(out);
    buf_char(out, '{');
    json_key(out, S("a"));
    json_add_text(out, v->runs.ptr[x].name);
    json_key(out, S("b"));
    json_add_text(out, v->runs.ptr[y].name);
    add_count(out, S("cases"), paired_cases(c));
    add_count(out, S("both"), c->both);
    add_count(out, S("only_a"), c->only_a);
    add_count(out, S("only_b"), c->only_b);
    add_count(out, S("neither"), c->neither);
    add_count(out, S("unknown"), p->n_unknown);
    add_count(out, S("missing_a"), p->n_only_in[1]);
    add_count(out, S("missing_b"), p->n_only_in[0]);
    add_points(out, S("difference"), p->d.difference);
    add_points(out, S("low"), p->d.low);
    add_points(out, S("high"), p->d.high);
    add_points(out, S("bootstrap_low"), p->bootstrap.low);
    add_points(out, S("bootstrap_high"), p->bootstrap.high);
    json_key(out, S("p"));
    json_add_double(out, p->d.p);
    json_key(out, S("p_holm"));
    json_add_double(out, p->p_holm);
    add_count(out, S("clusters"), p->d.n_clusters);
    add_points(out, S("detectable"), p->d.detectable);
    json_key(out, S("conclusion"));
    json_add_text(out, conclusions[versus_conclusion(p) + 1]);
    add_ids(out, v, x, y, true, scratch);
    add_ids(out, v, x, y, false, scratch);
    buf_char(out, '}');
}

static void json_runs(buf *out, const versus *v, const versus_pair *pairs)
{
    json_key(out, S("runs"));
    buf_char(out, '[');
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[i];
        json_next(out);
        buf_char(out, '{');
        json_key(out, S("run"));
        json_add_text(out, run->name);
        json_key(out, S("file"));
        json_add_text(out, run->file);
        add_count(out, S("yes"), run->counts[VERSUS_YES]);
        add_count(out, S("no"), run->counts[VERSUS_NO]);
        add_count(out, S("unknown"), run->counts[VERSUS_UNKNOWN]);
        add_points(out, S("percent"), versus_share(v, i));
        add_count(out, S("rank"), versus_rank(v, pairs, i));
        buf_char(out, '}');
    }
    buf_char(out, ']');
}

void versus_json(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 arena scratch)
{
    buf_char(out, '{');
    json_key(out, S("metric"));
    json_add_text(out, v->metric);
    json_key(out, S("cluster"));
    json_add_text(out, v->is_clustered ? S("db") : S("none"));
    json_runs(out, v, pairs);
    json_key(out, S("pairs"));
    buf_char(out, '[');
    for (ptrdiff_t x = 0; x < v->runs.len; x++) {
        for (ptrdiff_t y = x + 1; y < v->runs.len; y++) {
            json_pair(out, v, &pairs[versus_pair_at(v, x, y)], x, y, scratch);
        }
    }
    buf_add(out, S("]}\n"));
}
