/*
 * versus.c - collects verdicts of several runs by case, and pairs them.
 *
 * Method      A case is known by its id; what is the same for all runs
 *             (database, hardness, features, question) is taken from the first
 *             line that has it. A run keeps four bytes a case.
 *
 * Invariants  (1) ids and cases have the same length.
 *             (2) A case stands in a run at most once.
 *
 * Cost        Linear in lines; a pair is linear in cases.
 */
#include "report/versus.h"

#include "base/buf.h"
#include "base/words.h"

#include <assert.h>
#include <math.h>

enum {
    FEATURES_MAX = 64,
    SEED = 1,  // of the bootstrap: the same journals give the same bytes
};

str versus_group_word(versus_group by)
{
    static const str words[] = {
        [VERSUS_BY_DB] = S_INIT("db"),
        [VERSUS_BY_HARDNESS] = S_INIT("hardness"),
        [VERSUS_BY_CATEGORY] = S_INIT("category"),
        [VERSUS_BY_FEATURE] = S_INIT("feature"),
    };
    assert(by < VERSUS_GROUP_COUNT);
    return words[by];
}

static const struct {
    str word;
} cluster_words[] = {
    [VERSUS_CLUSTER_AUTO] = {S_INIT("auto")},
    [VERSUS_CLUSTER_DB] = {S_INIT("db")},
    [VERSUS_CLUSTER_CASE] = {S_INIT("none")},
};

WORDS_OF(versus_cluster, versus_cluster, cluster_words)

versus versus_new(arena *a,
                  str metric,
                  versus_cluster cluster,
                  versus_clock_use clock_use)
{
    versus v = {
        .a = a, .metric = metric, .cluster = cluster, .clock_use = clock_use};
    map_add(&v.reasons, a, S(""));
    return v;
}

void versus_begin_file(versus *v, str file, str clock)
{
    v->file = file;
    v->clock = clock;
    v->first_run = v->runs.len;
}

/* --- reading -------------------------------------------------------------- */

static uint64_t feature_bits(versus *v, const case_line *line)
{
    uint64_t bits = 0;
    for (ptrdiff_t i = 0; i < line->features.len; i++) {
        const line_feature *f = &line->features.ptr[i];
        ptrdiff_t id = map_add_below(&v->names[VERSUS_BY_FEATURE], v->a,
                                     f->word, FEATURES_MAX);
        bits |= id >= 0 && f->n > 0 ? (uint64_t)1 << id : 0;
    }
    return bits;
}

static ptrdiff_t case_of(versus *v, const case_line *line)
{
    ptrdiff_t id = map_add(&v->ids, v->a, line->id);
    if (id < v->cases.len) {
        return id;
    }
    str question = line->question.len > 0 ? line->question : line->gold;
    versus_case c = {.question = arena_str(v->a, question),
                     .features = feature_bits(v, line)};
    for (int by = 0; by < VERSUS_BY_FEATURE; by++) {
        str word = versus_group_word((versus_group)by);
        c.groups[by] =
            (int32_t)map_add(&v->names[by], v->a, case_line_text(line, word));
    }
    *vec_push(v->a, &v->cases) = c;
    return id;
}

// Of the file that is read: one file may hold several runs.
static versus_run *run_of(versus *v, str name)
{
    for (ptrdiff_t i = v->first_run; i < v->runs.len; i++) {
        if (str_equal(v->runs.ptr[i].name, name)) {
            return &v->runs.ptr[i];
        }
    }
    versus_run *run = vec_push(v->a, &v->runs);
    run->name = arena_str(v->a, name);
    run->file = v->file;
    run->clock = v->clock;
    return run;
}

static versus_outcome outcome_of(versus *v, const line_verdict *said)
{
    if (!said) {
        return (versus_outcome){.answer = VERSUS_ABSENT};
    }
    ptrdiff_t why = map_add_below(&v->reasons, v->a, said->reason, UINT16_MAX);
    return (versus_outcome){(uint8_t)(VERSUS_SAID + said->v),
                            (uint16_t)(why < 0 ? 0 : why)};
}

bool versus_add(versus *v, const case_line *line, diag_place place, diag *d)
{
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        map_add(&v->metrics, v->a, line->verdicts.ptr[i].key);
    }
    ptrdiff_t id = case_of(v, line);
    v->cases.ptr[id].reads_clock |=
        case_text_reads_clock(line->gold) || case_text_reads_clock(line->pred);
    versus_run *run = run_of(v, line->run);
    versus_outcome *known = vec_at(v->a, &run->outcomes, id);
    versus_outcome o = outcome_of(v, case_line_verdict(line, v->metric));
    if (known->answer != VERSUS_ABSENT) {
        return diag_add(d, place, "case '%.*s' occurs twice in run '%.*s'",
                        STR_ARG(line->id), STR_ARG(run->name));
    }
    ptrdiff_t ids[BILL_METRICS_MAX];
    ptrdiff_t n = 0;
    for (; n < line->verdicts.len && n < BILL_METRICS_MAX; n++) {
        ids[n] = str_equal(line->verdicts.ptr[n].key, v->metric) ? 0 : -1;
    }
    bill_add(&run->answers, v->a, line, ids, n);
    *known = o;
    run->counts[o.answer]++;
    return true;
}

/* --- the clock ------------------------------------------------------------ */

static bool clocks_differ(const versus *v)
{
    for (ptrdiff_t i = 1; i < v->runs.len; i++) {
        if (!str_equal(v->runs.ptr[i].clock, v->runs.ptr[0].clock)) {
            return true;
        }
    }
    return false;
}

// Takes the case from every run, so that all are judged by the same cases.
static void leave_out(versus *v, ptrdiff_t id)
{
    bool was_there = false;
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        versus_run *run = &v->runs.ptr[i];
        uint8_t said = versus_outcome_at(v, i, id).answer;
        if (said != VERSUS_ABSENT) {
            run->counts[said]--;
            run->outcomes.ptr[id] = (versus_outcome){0};
            was_there = true;
        }
    }
    v->n_clock += was_there;
}

static void leave_out_clock(versus *v)
{
    if (v->clock_use == VERSUS_CLOCK_IGNORED || !clocks_differ(v)) {
        return;
    }
    for (ptrdiff_t i = 0; i < v->cases.len; i++) {
        if (v->cases.ptr[i].reads_clock) {
            leave_out(v, i);
        }
    }
}

/* --- the end -------------------------------------------------------------- */

static bool no_metric(const versus *v, const versus_run *run, diag *d, arena s)
{
    buf b = buf_new(&s);
    for (ptrdiff_t i = 0; i < map_count(&v->metrics); i++) {
        buf_list(&b, map_key_at(&v->metrics, i));
    }
    return diag_add(
        d, (diag_place){0}, "run '%.*s' has no verdict of %.*s; it has: %.*s",
        STR_ARG(run->name), STR_ARG(v->metric), STR_ARG(buf_str(&b)));
}

bool versus_end(versus *v, diag *d, arena scratch)
{
    if (v->runs.len < 2) {
        return diag_add(d, (diag_place){0},
                        "two runs are needed to compare, found %td",
                        v->runs.len);
    }
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[i];
        if (run->counts[VERSUS_UNKNOWN] + run->counts[VERSUS_NO]
                + run->counts[VERSUS_YES]
            == 0) {
            return no_metric(v, run, d, scratch);
        }
    }
    leave_out_clock(v);
    return true;
}

/* --- pairs ---------------------------------------------------------------- */

versus_outcome versus_outcome_at(const versus *v, ptrdiff_t run, ptrdiff_t at)
{
    assert(run >= 0 && run < v->runs.len && at >= 0);
    const versus_run *r = &v->runs.ptr[run];
    return at < r->outcomes.len ? r->outcomes.ptr[at]
                                : (versus_outcome){.answer = VERSUS_ABSENT};
}

static bool is_known(versus_outcome o)
{
    return o.answer == VERSUS_YES || o.answer == VERSUS_NO;
}

static void count_case(paired_counts *c, bool a_is_right, bool b_is_right)
{
    c->both += a_is_right && b_is_right;
    c->only_a += a_is_right && !b_is_right;
    c->only_b += !a_is_right && b_is_right;
    c->neither += !a_is_right && !b_is_right;
}

static ptrdiff_t n_groups(const versus *v, versus_group by)
{
    assert(by <= VERSUS_BY_CASE);
    return by == VERSUS_BY_CASE ? v->cases.len : map_count(&v->names[by]);
}

static void count_not_compared(const versus *v,
                               ptrdiff_t a,
                               ptrdiff_t b,
                               versus_pair *pair)
{
    for (ptrdiff_t i = 0; i < v->cases.len; i++) {
        versus_outcome x = versus_outcome_at(v, a, i);
        versus_outcome y = versus_outcome_at(v, b, i);
        bool in_a = x.answer != VERSUS_ABSENT;
        bool in_b = y.answer != VERSUS_ABSENT;
        pair->n_unknown += in_a && in_b && !(is_known(x) && is_known(y));
        pair->n_only_in[0] += in_a && !in_b;
        pair->n_only_in[1] += in_b && !in_a;
    }
}

static versus_pair versus_compare(const versus *v,
                                  ptrdiff_t a,
                                  ptrdiff_t b,
                                  arena scratch)
{
    versus_group by = VERSUS_BY_DB;
    const paired_counts *clusters = versus_counts(v, a, b, by, &scratch);
    versus_pair pair = {
        .p_holm = NAN,
        .d = paired_compare(clusters, n_groups(v, by)),
    };
    pair.n_dbs = pair.d.n_clusters;
    pair.as_dbs = pair.n_dbs > 1 ? pair.d.freedom + 1 : pair.n_dbs;
    pair.is_by_db = v->cluster == VERSUS_CLUSTER_DB
                    || (v->cluster == VERSUS_CLUSTER_AUTO
                        && pair.as_dbs >= PAIRED_CLUSTERS_MIN);
    if (!pair.is_by_db) {
        by = VERSUS_BY_CASE;
        clusters = versus_counts(v, a, b, by, &scratch);
        pair.d = paired_compare(clusters, n_groups(v, by));
    }
    pair.bootstrap = paired_bootstrap(clusters, n_groups(v, by), SEED, scratch);
    count_not_compared(v, a, b, &pair);
    return pair;
}

ptrdiff_t versus_pair_at(const versus *v, ptrdiff_t a, ptrdiff_t b)
{
    assert(a >= 0 && a < b && b < v->runs.len);
    return a * v->runs.len - a * (a + 1) / 2 + (b - a - 1);
}

const versus_pair *versus_all(const versus *v, arena *a, arena scratch)
{
    ptrdiff_t n = v->runs.len * (v->runs.len - 1) / 2;
    versus_pair *pairs = arena_new(a, versus_pair, n);
    double *p = arena_new(&scratch, double, n);
    double *adjusted = arena_new(&scratch, double, n);
    for (ptrdiff_t x = 0; x < v->runs.len; x++) {
        for (ptrdiff_t y = x + 1; y < v->runs.len; y++) {
            ptrdiff_t at = versus_pair_at(v, x, y);
            pairs[at] = versus_compare(v, x, y, scratch);
            p[at] = isnan(pairs[at].d.p) ? 1 : pairs[at].d.p;
        }
    }
    holm_adjust(p, n, adjusted, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        pairs[i].p_holm = adjusted[i];
    }
    return pairs;
}

int versus_conclusion(const versus_pair *p)
{
    if (!(p->p_holm < 0.05)) {
        return 0;
    }
    return p->d.low > 0 ? 1 : p->d.high < 0 ? -1 : 0;
}

const paired_counts *versus_counts(const versus *v,
                                   ptrdiff_t a,
                                   ptrdiff_t b,
                                   versus_group by,
                                   arena *out)
{
    ptrdiff_t n = n_groups(v, by);
    paired_counts *counts = arena_new(out, paired_counts, n);
    for (ptrdiff_t i = 0; i < v->cases.len; i++) {
        const versus_case *one = &v->cases.ptr[i];
        versus_outcome x = versus_outcome_at(v, a, i);
        versus_outcome y = versus_outcome_at(v, b, i);
        if (!is_known(x) || !is_known(y)) {
            continue;
        }
        bool a_is_right = x.answer == VERSUS_YES;
        bool b_is_right = y.answer == VERSUS_YES;
        if (by != VERSUS_BY_FEATURE) {
            ptrdiff_t at = by == VERSUS_BY_CASE ? i : one->groups[by];
            count_case(&counts[at], a_is_right, b_is_right);
            continue;
        }
        for (ptrdiff_t f = 0; f < n; f++) {
            if (one->features >> f & 1) {
                count_case(&counts[f], a_is_right, b_is_right);
            }
        }
    }
    return counts;
}

const ptrdiff_t *versus_changed(const versus *v,
                                ptrdiff_t a,
                                ptrdiff_t b,
                                bool fixed,
                                ptrdiff_t *n,
                                arena *out)
{
    ptrdiff_t *changed = arena_new(out, ptrdiff_t, v->cases.len);
    *n = 0;
    for (ptrdiff_t i = 0; i < v->cases.len; i++) {
        uint8_t before = versus_outcome_at(v, a, i).answer;
        uint8_t after = versus_outcome_at(v, b, i).answer;
        uint8_t wrong = fixed ? before : after;
        uint8_t right = fixed ? after : before;
        if (wrong == VERSUS_NO && right == VERSUS_YES) {
            changed[(*n)++] = i;
        }
    }
    return changed;
}

const bill_run *versus_bills(const versus *v, arena *a)
{
    bill_run *runs = arena_new(a, bill_run, v->runs.len);
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        const versus_run *run = &v->runs.ptr[i];
        runs[i] = (bill_run){
            .name = run->name,
            .right = versus_share(v, i),
            .bill = bill_of(&run->answers, 0, *a),
            .sureness = bill_sureness(&run->answers, 0, a),
        };
    }
    return runs;
}

double versus_share(const versus *v, ptrdiff_t run)
{
    assert(run >= 0 && run < v->runs.len);
    const versus_run *r = &v->runs.ptr[run];
    return part_share(r->counts[VERSUS_YES],
                      r->counts[VERSUS_YES] + r->counts[VERSUS_NO]);
}

ptrdiff_t versus_rank(const versus *v, const versus_pair *pairs, ptrdiff_t run)
{
    ptrdiff_t rank = 1;
    for (ptrdiff_t i = 0; i < v->runs.len; i++) {
        if (i == run) {
            continue;
        }
        const versus_pair *p = &pairs[i < run ? versus_pair_at(v, i, run)
                                              : versus_pair_at(v, run, i)];
        int conclusion = versus_conclusion(p);
        rank += i < run ? conclusion < 0 : conclusion > 0;
    }
    return rank;
}
