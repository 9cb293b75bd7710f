/*
 * score_case.h - what the files that judge one case share. Internal to
 * src/score*.c.
 */
#ifndef ASSAY_SCORE_SCORE_CASE_H
#define ASSAY_SCORE_SCORE_CASE_H

#include "evaluators/set_match.h"
#include "intent/clauses.h"
#include "score/score.h"

// The gold of a case as one family runs it.
typedef struct gold_set {
    const family_text *variants;
    execution *runs;  // by variant; NULL until they ran
    ptrdiff_t n;
    ptrdiff_t n_ran;  // variants that ran to their end
    str error;        // why the first that failed did
    int64_t ns;
} gold_set;

// A text as a bound tree, made when first needed.
typedef struct bound_text {
    bool is_tried;
    const binding *binding;  // NULL: it is not one query that can be read
    reason status;           // then: why
    str error;
    clauses clauses;
} bound_text;

typedef struct judging {
    scorer *s;
    const score_task *task;
    database *db;  // NULL: see db_error
    str db_error;
    bool asks_order;  // the question or the category does, or there is neither
    gold_set families[FAMILY_COUNT];
    const set_query **set_golds;  // by variant of FAMILY_PLAIN; NULL where
                                  // set_match.h does not read it
    bound_text *gold_trees;       // by variant of FAMILY_PLAIN
    execution *other_golds;       // by variant: what else it may return;
                                  // NULL: none does
    str unstable;                 // how they differ
    const score_pred *pred;       // that is judged
    bound_text pred_tree;
    const verdict *suite;  // by prediction; NULL: not asked for
    arena *a;
} judging;

// score.c: what was kept for the last case is forgotten; database and gold of
// this one are made ready, and the gold is run.
void score_begin_case(scorer *s);
void score_prepare_gold(judging *j);

bool score_wants(const judging *j, score_metric m);
bool score_wants_all_rows(const judging *j);  // a metric of whole results
bool score_uses_family(const judging *j, family_id f);
bool score_compares_family(const judging *j, family_id f);  // all predictions

// score_gold.c: what the families of texts are told; the variants of family f,
// or an error text in the set; the text of a prediction that family f reads.
family_options score_family_options(const judging *j);
void score_expand(judging *j, family_id f);
str score_text_of(family_id f, const score_pred *pred);

// score_run.c
void score_run_gold(judging *j, family_id f);
execution score_run_pred(judging *j, family_id f, ptrdiff_t pred_no);
execution score_run_pred_whole(judging *j, family_id f, ptrdiff_t pred_no);
execution score_run_text(judging *j,
                         str sql,
                         engine_stop stop,
                         int32_t pred_no);
execution score_run_reversed(judging *j, str sql);
// Runs a text whatever is known of it.
execution score_run_once(judging *j, str sql, int32_t pred_no);
// What is known to kill: the query of a prediction (or all of it), or the
// judging of a metric; NULL: nothing.
const watch_death *score_death_of(const score_task *task, int32_t pred_no);
const watch_death *score_work_death(const score_task *task,
                                    int32_t pred_no,
                                    int32_t work);

// score_rows.c: metrics of results. `pred` ran to its end or to its stop.
engine_stop score_stop_for(const judging *j, family_id f, str pred_sql);
verdict score_exec(judging *j, rules r, const execution *pred, str pred_sql);
verdict score_exec_variant(judging *j,
                           rules r,
                           ptrdiff_t variant,
                           const execution *pred,
                           str pred_sql);
verdict score_subset(judging *j, rules r, const execution *pred, str pred_sql);
verdict score_f1(judging *j, score_metric m, const execution *pred);

// score_pragmatic.c
verdict score_pragmatic(judging *j, const execution *pred, str pred_sql);

// score_plug.c: exec of rules r with the gold's values plugged into the text.
// `plain` is the verdict of the prediction as it stands.
verdict score_plugged(judging *j,
                      rules r,
                      const score_pred *pred,
                      verdict plain);

// score_plug_tree.c: the same for rules under which queries run as written.
verdict score_plugged_tree(judging *j,
                           score_metric m,
                           rules r,
                           const execution *pred,
                           verdict plain);

// score_stable.c: fills other_golds; `no`, or yes when the prediction returns
// what one of them does.
void score_check_gold(judging *j);
verdict score_other_golds(judging *j,
                          score_metric m,
                          const execution *pred,
                          str pred_sql,
                          verdict no);

// score_equiv.c
verdict score_equiv(judging *j, const score_pred *pred);

// score_ties.c: `no`, or yes when the prediction differs from a gold variant
// only by what its ORDER BY and LIMIT leave open.
verdict score_ties(judging *j,
                   ptrdiff_t variant,
                   const execution *pred,
                   const compare_options *c,
                   verdict no);

// score_names.c: the trees of gold and prediction, NULL without a schema; and
// why a name stopped the prediction, in the binder's words where it has some.
const bound_text *score_gold_tree(judging *j, ptrdiff_t variant);
const bound_text *score_pred_tree(judging *j);
str score_failure(judging *j, const execution *pred);

// score_clauses.c: assay's own set match, and in which clauses the prediction
// differs from the nearest variant of the gold.
verdict score_own_set(judging *j);
const str *score_clause_words(judging *j, ptrdiff_t *n);

// The comparison options of rule set r for one gold variant.
compare_options score_options_for(const judging *j,
                                  rules r,
                                  const family_text *variant,
                                  str pred_sql);

// score.c: the address space that does not count against the worker's limit.
int64_t score_mapped_bytes(const scorer *s);

// The database of the task at hand, into db or db_error.
void score_open_database(judging *j);

// score_suite.c: the verdicts of all predictions on the suite.
void score_suite(judging *j);

// score_set.c: metrics of clauses.
typedef enum score_set_kind {
    SET_OWN,
    SET_RELEASED,  // that of an evaluator
    SET_ADAPTED,   // and the ON conditions are the same
} score_set_kind;

void score_read_golds(judging *j);
str score_hardness(judging *j, bool *is_ours);  // see scored_case
verdict score_set(judging *j, score_set_kind kind, const score_pred *pred);

// score_vote.c: which samples of each run have equal results.
const score_vote *score_votes(judging *j, const scored_pred *preds);

// score_texts.c: metrics of texts.
verdict score_text(judging *j, score_metric m, const score_pred *pred);

#endif  // ASSAY_SCORE_SCORE_CASE_H
