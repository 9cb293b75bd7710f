/*
 * tally.c - see tally.h.
 *
 * Invariants  (1) Ids of runs, metrics, groups and words are those of the
 *                 maps; every array by such an id may be shorter than its map:
 *                 what lies beyond its end is zero.
 *             (2) A verdict is counted once in `all` and once in each grouping
 *                 that the case has a name for.
 *             (3) Lines of one session follow each other within a run.
 *
 * Cost        A line costs a look-up a name, well under a microsecond beside
 *             reading it.
 */
#include "report/tally.h"

#include "base/utf8.h"
#include "table/verdict.h"

#include <assert.h>
#include <math.h>

tally tally_new(arena *a)
{
    tally t = {.a = a};
    map_add(&t.words, a, S("ok"));
    return t;
}

// The id of a name; when there are too many the last one is shared.
static ptrdiff_t bounded_id(map *m, arena *a, str name, ptrdiff_t max)
{
    ptrdiff_t id = map_add_below(m, a, name, max - 1);
    return id >= 0 ? id : map_add(m, a, S("(others)"));
}

static void count_one(tally_count *c, const line_verdict *v)
{
    c->answers[v->v]++;
    c->score += isnan(v->score) ? 0 : v->score;
}

static void add_parts(tally_parts *sums, const line_parts *parts)
{
    for (int i = 0; i < LINE_PARTS; i++) {
        int64_t right = parts->right >> i & 1;
        int64_t in_gold = parts->in_gold >> i & 1;
        int64_t in_pred = parts->in_pred >> i & 1;
        tally_part *sum = &sums->at[i];
        sum->n_gold += in_gold;
        sum->n_pred += in_pred;
        sum->n_gold_right += in_gold & right;
        sum->n_pred_right += in_pred & right;
    }
}

// `hardness` is -1 where the case has none.
static void count_parts(tally *t,
                        tally_metric *m,
                        ptrdiff_t hardness,
                        const line_parts *parts)
{
    if (!parts->is_there) {
        return;
    }
    m->has_parts = true;
    add_parts(&m->parts, parts);
    if (hardness < 0) {
        return;
    }
    add_parts(vec_at(t->a, &m->parts_by_hardness, hardness), parts);
}

static ptrdiff_t turn_slot(int64_t turn)
{
    assert(turn >= 0);
    return turn < TALLY_TURNS ? (ptrdiff_t)turn : TALLY_TURNS - 1;
}

static void count_session(tally_metric *m,
                          const line_verdict *v,
                          const case_line *line)
{
    if (line->interaction < 0) {
        return;
    }
    if (line->turn >= 0) {
        count_one(&m->turns[turn_slot(line->turn)], v);
    }
    if (v->v != ANSWER_YES && m->last_failed != line->interaction + 1) {
        m->last_failed = line->interaction + 1;
        m->sessions_failed++;
    }
}

static tally_metric *metric_slot(tally *t, tally_run *run, str key)
{
    ptrdiff_t id = bounded_id(&t->metrics, t->a, key, TALLY_WORDS_MAX);
    return vec_at(t->a, &run->metrics, id);
}

enum {
    LINE_FEATURES_MAX = 64,
    BEGIN_SHOWN = 60,  // characters of a prediction that did not run
};

typedef struct line_group {
    tally_by by;
    ptrdiff_t id;
} line_group;

// The groups of a case: one of each kind that it has a name for, and one of
// each feature.
typedef struct line_groups {
    line_group at[TALLY_BY_COUNT + LINE_FEATURES_MAX];
    ptrdiff_t n;
    ptrdiff_t hardness;  // -1: it has none
} line_groups;

static void count_verdict(tally *t,
                          tally_run *run,
                          const line_verdict *v,
                          const line_groups *groups,
                          const case_line *line)
{
    tally_metric *m = metric_slot(t, run, v->key);
    count_one(&m->all, v);
    for (ptrdiff_t i = 0; i < groups->n; i++) {
        line_group g = groups->at[i];
        count_one(vec_at(t->a, &m->by[g.by], g.id), v);
    }
    if (v->v != ANSWER_YES && v->reason.len > 0) {
        ptrdiff_t word =
            bounded_id(&t->words, t->a, v->reason, TALLY_WORDS_MAX);
        ++*vec_at(t->a, &m->reasons[v->v], word);
    }
    m->has_score |= !isnan(v->score);
    m->has_distance |= v->has_distance;
    m->distance += v->distance;
    m->n_both_empty += v->v == ANSWER_YES && v->is_both_empty;
    abstained_add(&m->abstained, v,
                  str_equal(line->gold_status, S("unanswerable")));
    count_parts(t, m, groups->hardness, &v->parts);
    count_session(m, v, line);
}

// How often the case uses the feature that was asked for; empty: not known.
static str number_of(const tally *t, const case_line *line, arena *a)
{
    if (t->feature.len == 0 || !line->has_features) {
        return (str){0};
    }
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < line->features.len; i++) {
        if (str_equal(line->features.ptr[i].word, t->feature)) {
            n = line->features.ptr[i].n;
        }
    }
    return arena_printf(a, "%lld", (long long)n);
}

static line_groups find_groups(tally *t, const case_line *line)
{
    arena numbers = arena_on_stack(64);
    const str names[TALLY_BY_COUNT] = {
        [TALLY_BY_DB] = line->db,
        [TALLY_BY_CATEGORY] = line->category,
        [TALLY_BY_HARDNESS] = line->hardness,
        [TALLY_BY_NUMBER] = number_of(t, line, &numbers),
    };
    line_groups groups = {.hardness = -1};
    for (int by = 0; by < TALLY_BY_COUNT; by++) {
        if (names[by].len > 0) {
            ptrdiff_t id =
                bounded_id(&t->groups[by], t->a, names[by], TALLY_GROUPS_MAX);
            groups.at[groups.n++] = (line_group){(tally_by)by, id};
            groups.hardness = by == TALLY_BY_HARDNESS ? id : groups.hardness;
        }
    }
    ptrdiff_t n = line->features.len;
    for (ptrdiff_t i = 0; i < n && i < LINE_FEATURES_MAX; i++) {
        groups.at[groups.n++] = (line_group){
            TALLY_BY_FEATURE,
            bounded_id(&t->groups[TALLY_BY_FEATURE], t->a,
                       line->features.ptr[i].word, TALLY_WORDS_MAX)};
    }
    return groups;
}

// A status that the line leaves out counts as ok.
static bool count_status(tally *t, tally_numbers *numbers, str status)
{
    str word = status.len > 0 ? status : S("ok");
    ptrdiff_t id = bounded_id(&t->words, t->a, word, TALLY_WORDS_MAX);
    ++*vec_at(t->a, numbers, id);
    return id == 0;
}

static bool has_reference_error(const case_line *line)
{
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        str word = line->verdicts.ptr[i].reason;
        if (str_among(word, "compare_error percent_sign")) {
            return true;
        }
    }
    return false;
}

static void count_clauses(tally *t, tally_run *run, const case_line *line)
{
    run->n_clauses += line->clauses.len > 0;
    for (ptrdiff_t i = 0; i < line->clauses.len; i++) {
        str text = line->clauses.ptr[i];
        bool is_constant = str_find(text, S(" instead of "), 0) >= 0
                           && str_find(text, S(" is missing"), 0) < 0
                           && str_find(text, S(" is too much"), 0) < 0;
        ptrdiff_t id = bounded_id(&t->clauses, t->a, case_line_clause(text),
                                  TALLY_WORDS_MAX);
        ++*vec_at(t->a, is_constant ? &run->constants : &run->clauses, id);
    }
}

static void count_cause(tally *t, tally_causes *causes, str word, str example)
{
    ptrdiff_t id = bounded_id(&t->words, t->a, word, TALLY_WORDS_MAX);
    for (ptrdiff_t i = 0; i < causes->len; i++) {
        if (causes->ptr[i].word == id) {
            causes->ptr[i].n++;
            return;
        }
    }
    *vec_push(t->a, causes) = (tally_cause){id, 1, arena_str(t->a, example)};
}

// What the verdicts say of a gold that did not run: "no_such_table: no such
// table: t". The reason is their first word, or the status itself.
static void count_gold_cause(tally *t, tally_run *run, const case_line *line)
{
    str word = line->gold_status;
    str said = {0};
    for (ptrdiff_t i = 0; said.len == 0 && i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        said = str_equal(v->reason, word) ? v->detail : said;
    }
    str rest = said;
    str first = str_cut(&rest, ':');
    reason known;
    if (reason_from_word(first, &known)) {
        word = first;
        said = str_trim(rest);
    }
    count_cause(t, &run->gold_causes, word, said);
}

static void count_pred_cause(tally *t, tally_run *run, const case_line *line)
{
    str begin = str_trim(line->pred);
    begin = str_sub(begin, 0, utf8_prefix(begin, BEGIN_SHOWN));
    count_cause(t, &run->pred_causes, line->pred_status, begin);
}

// Where no query answers the question none is run, right or wrong.
static bool count_pred_status(tally *t, tally_run *run, const case_line *line)
{
    bool is_answer = !str_equal(line->gold_status, S("unanswerable"));
    bool has_abstained = !is_answer && str_among(line->pred_status, "ok");
    run->n_unanswerable += !is_answer;
    run->n_abstained += has_abstained;
    return has_abstained
           || count_status(t, &run->pred_status, line->pred_status)
           || !is_answer;
}

static void note_id(tally *t, str_list *ids, const case_line *line)
{
    if (ids->len < TALLY_GOLD_FAILED_MAX) {
        *vec_push(t->a, ids) = arena_str(t->a, line->id);
    }
}

// Can the gold be used: it ran, or says that there is no answer?
static bool count_gold_status(tally *t, tally_run *run, const case_line *line)
{
    str status = line->gold_status;
    if (count_status(t, &run->gold_status, status)
        || str_equal(status, S("unanswerable"))) {
        return true;
    }
    if (str_equal(status, S("gold_unstable"))) {
        run->n_unstable++;
        note_id(t, &run->gold_unstable, line);
        return true;
    }
    if (str_equal(status, S("no_gold"))) {
        run->n_without_gold++;
        return false;
    }
    count_gold_cause(t, run, line);
    note_id(t, &run->gold_failed, line);
    return false;
}

static void count_case(tally *t,
                       tally_run *run,
                       const line_groups *groups,
                       const case_line *line)
{
    run->n_cases++;
    run->n_hardness_ours += line->hardness_is_ours;
    count_clauses(t, run, line);
    bool pred_ok = count_pred_status(t, run, line);
    bool gold_ok = count_gold_status(t, run, line);
    if (!pred_ok) {
        count_pred_cause(t, run, line);
    }
    bool failed = !pred_ok || !gold_ok || has_reference_error(line);
    for (ptrdiff_t i = 0; i < groups->n; i++) {
        line_group g = groups->at[i];
        ++*vec_at(t->a, &run->n_by[g.by], g.id);
        *vec_at(t->a, &run->n_failed_by[g.by], g.id) += failed;
    }
    if (line->interaction >= 0 && run->last_session != line->interaction + 1) {
        run->last_session = line->interaction + 1;
        run->n_sessions++;
    }
    if (line->interaction >= 0 && line->turn >= 0) {
        run->turns[turn_slot(line->turn)]++;
    }
}

void tally_add(tally *t, const case_line *line)
{
    ptrdiff_t id = map_add(&t->runs, t->a, line->run);
    tally_run *run = vec_at(t->a, &t->by_run, id);
    line_groups groups = find_groups(t, line);
    count_case(t, run, &groups, line);
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        count_verdict(t, run, &line->verdicts.ptr[i], &groups, line);
    }
    ptrdiff_t ids[BILL_METRICS_MAX];
    ptrdiff_t n_ids = line->verdicts.len < BILL_METRICS_MAX ? line->verdicts.len
                                                            : BILL_METRICS_MAX;
    for (ptrdiff_t i = 0; i < n_ids; i++) {
        ids[i] = map_find(&t->metrics, line->verdicts.ptr[i].key);
    }
    bill_add(&run->answers, t->a, line, ids, n_ids);
}

int64_t tally_total(const tally_count *c)
{
    return c->answers[ANSWER_YES] + c->answers[ANSWER_NO]
           + c->answers[ANSWER_UNKNOWN];
}

// 0 of nothing.
static double mean_of(double sum, int64_t n)
{
    return n > 0 ? sum / (double)n : 0;
}

double tally_percent(const tally_count *c)
{
    return mean_of((double)c->answers[ANSWER_YES] * 100, tally_total(c));
}

static int64_t decided(const tally_count *c)
{
    return c->answers[ANSWER_YES] + c->answers[ANSWER_NO];
}

double tally_decides(const tally_count *c)
{
    return mean_of(100 * (double)decided(c), tally_total(c));
}

double tally_of_decided(const tally_count *c)
{
    return mean_of(100 * (double)c->answers[ANSWER_YES], decided(c));
}

double tally_mean(const tally_count *c)
{
    return mean_of(c->score, tally_total(c));
}

double tally_value(const tally_metric *m, const tally_count *c)
{
    return m->has_score ? 100 * tally_mean(c) : tally_percent(c);
}

const tally_metric *tally_metric_at(const tally *t,
                                    ptrdiff_t run,
                                    ptrdiff_t metric)
{
    assert(run < t->by_run.len);
    const tally_run *r = &t->by_run.ptr[run];
    if (metric < 0 || metric >= r->metrics.len
        || tally_total(&r->metrics.ptr[metric].all) == 0) {
        return NULL;
    }
    return &r->metrics.ptr[metric];
}

int64_t tally_reasons(const tally *t,
                      ptrdiff_t run,
                      ptrdiff_t metric,
                      answer v,
                      ptrdiff_t word)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < t->by_run.len; i++) {
        const tally_metric *m = tally_metric_at(t, i, metric);
        bool counts = m && (run < 0 || i == run);
        n += counts ? tally_number_at(&m->reasons[v], word) : 0;
    }
    return n;
}

ptrdiff_t tally_main_metric(const tally *t)
{
    ptrdiff_t found = map_find(&t->metrics, S("exec"));
    ptrdiff_t n = map_count(&t->metrics);
    for (ptrdiff_t i = 0; found < 0 && i < n; i++) {
        found = str_starts(map_key_at(&t->metrics, i), S("exec:")) ? i : -1;
    }
    return found >= 0 || n == 0 ? found : 0;
}

interval tally_interval(const tally_metric *m)
{
    return wilson_interval(m->has_score ? m->all.score
                                        : (double)m->all.answers[ANSWER_YES],
                           tally_total(&m->all));
}

tally_count tally_count_at(const tally_counts *counts, ptrdiff_t i)
{
    return i < counts->len ? counts->ptr[i] : (tally_count){0};
}

tally_parts tally_parts_at(const tally_metric *m, ptrdiff_t hardness)
{
    return hardness >= 0 && hardness < m->parts_by_hardness.len
               ? m->parts_by_hardness.ptr[hardness]
               : (tally_parts){0};
}

int64_t tally_number_at(const tally_numbers *numbers, ptrdiff_t i)
{
    return i < numbers->len ? numbers->ptr[i] : 0;
}

int64_t tally_gold_ok(const tally *t, ptrdiff_t run)
{
    assert(run >= 0 && run < t->by_run.len);
    return tally_number_at(&t->by_run.ptr[run].gold_status, 0)
           + t->by_run.ptr[run].n_unstable + t->by_run.ptr[run].n_unanswerable;
}

const tally_cause *tally_gold_cause(const tally *t,
                                    ptrdiff_t run,
                                    ptrdiff_t word)
{
    assert(run >= 0 && run < t->by_run.len);
    const tally_cause *most = NULL;
    for (ptrdiff_t i = 0; i < t->by_run.ptr[run].gold_causes.len; i++) {
        const tally_cause *c = &t->by_run.ptr[run].gold_causes.ptr[i];
        bool is_candidate = word < 0 || c->word == word;
        most = is_candidate && !(most && most->n >= c->n) ? c : most;
    }
    return most;
}
