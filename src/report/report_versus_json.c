// report_versus_json.c - runs side by side as one JSON object.
#include "base/json.h"
#include "report/report_bill.h"
#include "report/report_versus.h"

#include <math.h>

static void add_points(buf *out, str key, double share)
{
    json_member_double(out, key, round(share * 1e6) / 1e4);
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
    json_member_open(out, fixed ? S("fixed") : S("broken"), '[');
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
    json_member_text(out, S("a"), v->runs.ptr[x].name);
    json_member_text(out, S("b"), v->runs.ptr[y].name);
    json_member_int(out, S("cases"), paired_cases(c));
    json_member_int(out, S("both"), c->both);
    json_member_int(out, S("only_a"), c->only_a);
    json_member_int(out, S("only_b"), c->only_b);
    json_member_int(out, S("neither"), c->neither);
    json_member_int(out, S("unknown"), p->n_unknown);
    json_member_int(out, S("missing_a"), p->n_only_in[1]);
    json_member_int(out, S("missing_b"), p->n_only_in[0]);
    add_points(out, S("difference"), p->d.difference);
    add_points(out, S("low"), p->d.low);
    add_points(out, S("high"), p->d.high);
    add_points(out, S("bootstrap_low"), p->bootstrap.low);
    add_points(out, S("bootstrap_high"), p->bootstrap.high);
    json_member_double(out, S("p"), p->d.p);
    json_member_double(out, S("p_holm"), p->p_holm);
    json_member_text(out, S("cluster"), p->is_by_db ? S("db") : S("none"));
    json_member_int(out, S("clusters"), p->d.n_clusters);
    json_member_int(out, S("databases"), p->n_dbs);
    add_points(out, S("detectable"), p->d.detectable);
    json_member_text(out, S("conclusion"),
                     conclusions[versus_conclusion(p) + 1]);
    add_ids(out, v, x, y, true, scratch);
    add_ids(out, v, x, y, false, scratch);
    buf_char(out, '}');
}

static void json_runs(buf *out,
                      const versus *v,
                      const versus_pair *pairs,
                      arena scratch)
{
    const bill_run *bills = versus_bills(v, &scratch);
    json_member_open(out, S("runs"), '[');
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[i];
        json_next(out);
        buf_char(out, '{');
        json_member_text(out, S("run"), run->name);
        json_member_text(out, S("file"), run->file);
        json_member_int(out, S("yes"), run->counts[VERSUS_YES]);
        json_member_int(out, S("no"), run->counts[VERSUS_NO]);
        json_member_int(out, S("unknown"), run->counts[VERSUS_UNKNOWN]);
        add_points(out, S("percent"), versus_share(v, i));
        json_member_int(out, S("rank"), versus_rank(v, pairs, i));
        bill_json(out, &bills[i].bill);
        sureness_json(out, &bills[i].sureness);
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
    json_member_text(out, S("metric"), v->metric);
    static const str clusters[] = {
        [VERSUS_CLUSTER_AUTO] = S_INIT("auto"),
        [VERSUS_CLUSTER_DB] = S_INIT("db"),
        [VERSUS_CLUSTER_CASE] = S_INIT("none"),
    };
    json_member_text(out, S("cluster"), clusters[v->cluster]);
    json_member_int(out, S("reads_clock"), v->n_clock);
    json_runs(out, v, pairs, scratch);
    json_member_open(out, S("pairs"), '[');
    for (ptrdiff_t x = 0; x < v->runs.len; x++) {
        for (ptrdiff_t y = x + 1; y < v->runs.len; y++) {
            json_pair(out, v, &pairs[versus_pair_at(v, x, y)], x, y, scratch);
        }
    }
    buf_add(out, S("]}\n"));
}
