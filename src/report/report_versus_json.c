// report_versus_json.c - runs side by side as one JSON object.
#include "base/json_write.h"
#include "report/report_bill.h"
#include "report/report_versus.h"

#include <math.h>

static json_item points(str key, double share)
{
    return member_double(key, round(share * 1e6) / 1e4);
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
    json_write(out, member_open(fixed ? S("fixed") : S("broken"), '['));
    for (ptrdiff_t i = 0; i < n; i++) {
        json_write(out, json_text(map_key_at(&v->ids, cases[i])));
    }
    buf_char(out, ']');
}

static void json_pair(buf *out,
                      const versus *v,
                      const versus_pair *p,
                      ptrdiff_t x,
                      ptrdiff_t y,
                      bool with_ids,
                      arena scratch)
{
    static const str conclusions[] = {S_INIT("a_better"), S_INIT("no_evidence"),
                                      S_INIT("b_better")};
    const paired_counts *c = &p->d.all;
    json_write(
        out, json_begin('{'), member_text(S("a"), v->runs.ptr[x].name),
        member_text(S("b"), v->runs.ptr[y].name),
        member_int(S("cases"), paired_cases(c)), member_int(S("both"), c->both),
        member_int(S("only_a"), c->only_a), member_int(S("only_b"), c->only_b),
        member_int(S("neither"), c->neither),
        member_int(S("unknown"), p->n_unknown),
        member_int(S("missing_a"), p->n_only_in[1]),
        member_int(S("missing_b"), p->n_only_in[0]),
        points(S("difference"), p->d.difference), points(S("low"), p->d.low),
        points(S("high"), p->d.high),
        points(S("bootstrap_low"), p->bootstrap.low),
        points(S("bootstrap_high"), p->bootstrap.high),
        member_double(S("p"), p->d.p), member_double(S("p_holm"), p->p_holm),
        member_text(S("cluster"), p->is_by_db ? S("db") : S("none")),
        member_int(S("clusters"), p->d.n_clusters),
        member_int(S("databases"), p->n_dbs),
        points(S("detectable"), p->d.detectable),
        member_text(S("conclusion"), conclusions[versus_conclusion(p) + 1]));
    for (int fixed = 1; fixed >= 0 && with_ids; fixed--) {
        add_ids(out, v, x, y, fixed, scratch);
    }
    buf_char(out, '}');
}

static void json_runs(buf *out,
                      const versus *v,
                      const versus_pair *pairs,
                      arena scratch)
{
    const bill_run *bills = versus_bills(v, &scratch);
    json_write(out, member_open(S("runs"), '['));
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[i];
        json_write(out, json_begin('{'), member_text(S("run"), run->name),
                   member_text(S("file"), run->file),
                   member_int(S("yes"), run->counts[VERSUS_YES]),
                   member_int(S("no"), run->counts[VERSUS_NO]),
                   member_int(S("unknown"), run->counts[VERSUS_UNKNOWN]),
                   points(S("percent"), versus_share(v, i)),
                   member_int(S("rank"), versus_rank(v, pairs, i)));
        bill_json(out, &bills[i].bill);
        sureness_json(out, &bills[i].sureness);
        buf_char(out, '}');
    }
    buf_char(out, ']');
}

void versus_json(buf *out,
                 const versus *v,
                 const versus_pair *pairs,
                 bool with_ids,
                 arena scratch)
{
    json_write(out, json_begin('{'), member_text(S("metric"), v->metric));
    json_write(out, member_text(S("cluster"), versus_cluster_word(v->cluster)),
               member_int(S("reads_clock"), v->n_clock));
    json_runs(out, v, pairs, scratch);
    json_write(out, member_open(S("pairs"), '['));
    for (ptrdiff_t x = 0; x < v->runs.len; x++) {
        for (ptrdiff_t y = x + 1; y < v->runs.len; y++) {
            json_pair(out, v, &pairs[versus_pair_at(v, x, y)], x, y, with_ids,
                      scratch);
        }
    }
    buf_add(out, S("]}"));
}
