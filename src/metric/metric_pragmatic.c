/*
 * metric_pragmatic.c - the metric pragmatic: results and trees of each gold
 * variant against the prediction's.
 */
#include "base/places.h"
#include "metric/exec_rows.h"
#include "metric/metric.h"
#include "metric/pragmatic.h"
#include "sql/name.h"

enum {
    FILTERS_MOST = 8,  // that are looked up for one prediction
};

static pragmatic_profile profile_of(const score_options *o)
{
    return o->profile ? *o->profile : pragmatic_profile_of(NORM_DATA);
}

// Of two variants of a gold: what is open with one of them is not settled by
// the other.
static bool says_more(const verdict *v, const verdict *than)
{
    return than->class == CLASS_NONE || v->reason == REASON_LEFT_TO_ASK
           || (v->v == ANSWER_UNKNOWN && than->v == ANSWER_NO);
}

// What is declared; NULL: there is none.
static const schema *schema_of(const evidence *e)
{
    str none;
    return e->keys ? e->keys : evidence_schema(e, &none);
}

static pragmatic_pair pair_of(const evidence *e,
                              ptrdiff_t variant,
                              const execution *pred,
                              str pred_sql,
                              const schema *s)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    return pragmatic_pair_of(
        (pragmatic_side){.sql = set->variants[variant].sql,
                         .result = &set->runs[variant].result},
        (pragmatic_side){.sql = pred_sql, .result = &pred->result}, s,
        e->options->dialect, e->a, e->scratch);
}

// A row among those that tie is the gold's as long as both rank the same
// things.
static verdict with_equal_rows(const evidence *e,
                               const verdict *exec,
                               const execution *pred,
                               str pred_sql)
{
    const schema *s = schema_of(e);
    pragmatic_pair shown =
        pair_of(e, exec->variant, pred, pred_sql, e->source->shown(e->of, s));
    verdict v = pragmatic_of_equal(&shown);
    bool is_tied = (exec->notes & NOTE_BIT(REASON_ORDER_TIED)) != 0;
    pragmatic_pair known = {0};
    if (v.v == ANSWER_YES && is_tied && s) {
        known = pair_of(e, exec->variant, pred, pred_sql, s);
    }
    if (known.has_schema && pragmatic_merges_groups(&known)) {
        v = pragmatic_classed(
            verdict_unknown(REASON_INTENT_DIFFERS,
                            S("rows tie, and the prediction may merge groups "
                              "that the gold separates by a key")),
            CLASS_ALIKE);
    }
    v.variant = exec->variant;
    v.notes = exec->notes;
    return v;
}

static verdict with_results(const evidence *e,
                            const execution *pred,
                            str pred_sql)
{
    verdict exec = exec_compare(e, COMPARE_EXEC, RULES_ASSAY, pred, pred_sql);
    const gold_set *set = &e->families[FAMILY_PLAIN];
    bool is_empty = pred->result.n_rows == 0;
    // A permutation of the gold's columns is what the profile says of it.
    bool is_in_order = places_stay(exec.columns, exec.n_columns);
    if (exec.v == ANSWER_YES && !is_empty && is_in_order) {
        verdict v = with_equal_rows(e, &exec, pred, pred_sql);
        if (v.v == ANSWER_YES || set->n == 1) {
            return v;
        }
    }
    str no_schema = {0};
    if (!e->keys && !evidence_schema(e, &no_schema)) {
        return verdict_unknown(REASON_NO_DATABASE, no_schema);
    }
    const schema *s = e->source->shown(e->of, schema_of(e));
    pragmatic_profile profile = profile_of(e->options);
    if (!e->asks_order) {
        profile.accepts |= LENIENCY_BIT(ROW_ORDER);
        profile.asks &= ~LENIENCY_BIT(ROW_ORDER);
    }
    verdict best = verdict_unknown(REASON_GOLD_FAILED, set->error);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status != REASON_NONE) {
            continue;
        }
        pragmatic_pair u = pair_of(e, i, pred, pred_sql, s);
        verdict v = pragmatic_verdict(&u, profile);
        v.variant = i;
        if (v.v == ANSWER_YES) {
            return v;
        }
        best = says_more(&v, &best) ? v : best;
    }
    return best;
}

// How many rows there are, and how many of them hold the text, however it is
// spelled; false when nobody can tell.
static bool count_rows(const evidence *e,
                       const schema *s,
                       const pragmatic_filter *f,
                       int32_t pred_no,
                       int64_t counts[2])
{
    const schema_table *t = &s->tables[f->table];
    const str names[] = {t->columns[f->column].name,
                         name_literal(e->a, f->value), t->name};
    str sql = name_statement(e->a,
                             "SELECT count(*), count(CASE WHEN lower(trim($0))"
                             " = lower(trim(#1)) THEN 1 END) FROM $2",
                             names, DIALECT_SQLITE);
    execution x = evidence_run(e, sql, ENGINE_READ_ALL, pred_no);
    bool ok = x.status == REASON_NONE && x.result.n_rows == 1
              && x.result.n_columns == 2;
    for (int i = 0; ok && i < 2; i++) {
        counts[i] = x.result.cells[i].i;
    }
    return ok;
}

// Does the prediction compare a column, of which the gold wants nothing, with a
// text that it never holds? What it returns then is so by luck.
static bool has_vain_filter(const evidence *e,
                            ptrdiff_t variant,
                            const execution *pred,
                            str pred_sql,
                            str *why)
{
    str no_schema;
    const schema *s = evidence_schema(e, &no_schema);
    // Texts stand in quotes; without any the trees need not be looked at.
    bool has_text = str_find(pred_sql, S("'"), 0) >= 0
                    || str_find(pred_sql, S("\""), 0) >= 0;
    if (!has_text || e->db_dialect != DIALECT_SQLITE || no_schema.len > 0) {
        return false;
    }
    pragmatic_pair u = pair_of(e, variant, pred, pred_sql, s);
    pragmatic_filters own = pragmatic_own_filters(&u);
    for (ptrdiff_t i = 0; i < own.len && i < FILTERS_MOST; i++) {
        const pragmatic_filter *f = &own.ptr[i];
        const schema_table *t = &s->tables[f->table];
        int64_t counts[2] = {0};
        if (count_rows(e, s, f, e->pred_no, counts) && counts[0] > 0
            && counts[1] == 0) {
            *why = arena_printf(
                e->a, "no %.*s.%.*s is '%.*s'", STR_ARG(t->name),
                STR_ARG(t->columns[f->column].name), STR_ARG(f->value));
            return true;
        }
    }
    return false;
}

// One row that both pick, each by another measure.
static bool has_lucky_pick(const evidence *e,
                           ptrdiff_t variant,
                           const execution *pred,
                           str pred_sql,
                           str *why)
{
    const schema *s =
        pred->result.n_rows == 1 ? e->source->shown(e->of, schema_of(e)) : NULL;
    if (!s) {
        return false;
    }
    pragmatic_pair u = pair_of(e, variant, pred, pred_sql, s);
    return pragmatic_picks_by_luck(&u, profile_of(e->options), why);
}

// Rows that are alike by luck are worse than no evidence.
static verdict weigh_luck(const evidence *e,
                          verdict v,
                          const execution *pred,
                          str pred_sql)
{
    const gold_set *set = &e->families[FAMILY_PLAIN];
    bool is_alike = v.v == ANSWER_YES || v.class == CLASS_ALIKE;
    if (!is_alike || v.variant < 0 || v.variant >= set->n) {
        return v;
    }
    str why;
    bool is_luck = has_vain_filter(e, v.variant, pred, pred_sql, &why)
                   || has_lucky_pick(e, v.variant, pred, pred_sql, &why);
    return is_luck ? pragmatic_classed(verdict_no(REASON_INTENT_DIFFERS, why),
                                       CLASS_LUCK)
                   : v;
}

// Proved on every database that keeps the schema, whatever came out here.
static bool is_proved(const evidence *e,
                      const execution *pred,
                      str pred_sql,
                      verdict *out)
{
    verdict exec = exec_compare(e, COMPARE_EXEC, RULES_ASSAY, pred, pred_sql);
    const gold_set *set = &e->families[FAMILY_PLAIN];
    bool is_in_order = places_stay(exec.columns, exec.n_columns);
    uint32_t accepts = profile_of(e->options).accepts;
    bool may_be = exec.v == ANSWER_YES && exec.variant >= 0
                  && exec.variant < set->n && schema_of(e)
                  && (is_in_order || (accepts & LENIENCY_BIT(COLUMN_ORDER)));
    exec.class = CLASS_PROVED;
    exec.detail = is_in_order ? exec.detail : S("passed over: column_order");
    *out = exec;
    return may_be
           && e->source->is_proved(e->of, set->variants[exec.variant].sql,
                                   pred_sql, schema_of(e));
}

verdict metric_judge_pragmatic(const evidence *e, metric_key key)
{
    (void)key;
    const execution *pred = &e->runs[FAMILY_PLAIN];
    str pred_sql = e->pred->sql;
    verdict v;
    if (evidence_settles(e, FAMILY_PLAIN, &v)) {
        return pragmatic_classed(v,
                                 v.v == ANSWER_NO ? CLASS_FAILS : CLASS_NONE);
    }
    if (is_proved(e, pred, pred_sql, &v)) {
        return v;
    }
    return weigh_luck(e, with_results(e, pred, pred_sql), pred, pred_sql);
}
