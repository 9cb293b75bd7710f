/*
 * score_case.h - what the files that judge one case share. Internal to
 * src/score*.c.
 */
#ifndef ASSAY_SCORE_SCORE_CASE_H
#define ASSAY_SCORE_SCORE_CASE_H

#include "evaluators/spider_set.h"
#include "evaluators/spider_text.h"
#include "intent/clauses.h"
#include "score/score.h"

// Rule sets that send the same texts to the engine.
typedef enum gold_family {
    FAMILY_PLAIN,   // queries as written, golds expanded by our rules
    FAMILY_SPIDER,  // both texts edited first (spider_text.h)
    FAMILY_DEFOG,   // golds expanded as Defog's program does
    FAMILY_COUNT,
} gold_family;

typedef struct gold_variant {
    str sql;
    bool has_order;        // its result is a list, as the family sees it
    bool returns_nothing;  // not run: its result is empty (spider)
    str prepared;          // what its values are taken from (spider)
} gold_variant;

// The gold of a case as one family runs it.
typedef struct gold_set {
    const gold_variant *variants;
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
    const spider_query **set_golds;  // by variant of FAMILY_PLAIN; NULL where
                                     // Spider's grammar does not read it
    bound_text *gold_trees;          // by variant of FAMILY_PLAIN
    execution *other_golds;          // by variant: what else it may return;
                                     // NULL: none does
    str unstable;                    // how they differ
    const score_pred *pred;          // that is judged
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
gold_family score_family_of(rules r);
bool score_uses_family(const judging *j, gold_family f);
bool score_compares_family(const judging *j, gold_family f);  // all predictions

// score_gold.c: a text as Spider's evaluator prepares it under these options;
// the variants of family f, or an error text in the set.
spider_text score_spider_text(const judging *j, str sql, spider_side side);
void score_expand(judging *j, gold_family f);
gold_variant score_variant_of(const judging *j, gold_family f, str sql);

// score_run.c
void score_run_gold(judging *j, gold_family f);
execution score_run_pred(judging *j, gold_family f, ptrdiff_t pred_no);
execution score_run_pred_whole(judging *j, gold_family f, ptrdiff_t pred_no);
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
engine_stop score_stop_for(const judging *j, gold_family f, str pred_sql);
verdict score_exec(judging *j, rules r, const execution *pred, str pred_sql);
verdict score_exec_variant(judging *j,
                           rules r,
                           ptrdiff_t variant,
                           const execution *pred,
                           str pred_sql);
verdict score_subset(judging *j, rules r, const execution *pred, str pred_sql);
verdict score_f1(judging *j, score_metric m, const execution *pred);
bool score_has_subset(rules r);

// score_pragmatic.c
verdict score_pragmatic(judging *j, const execution *pred, str pred_sql);

// score_plug.c: exec of rules spider with the gold's values plugged in. `plain`
// is the verdict of the prediction as it stands.
verdict score_plugged(judging *j, const score_pred *pred, verdict plain);

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
                                  const gold_variant *variant,
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
    SET_SPIDER,   // as released
    SET_ADAPTED,  // and the ON conditions are the same
} score_set_kind;

void score_read_golds(judging *j);
str score_hardness(judging *j, bool *is_ours);  // see scored_case
verdict score_set(judging *j, score_set_kind kind, const score_pred *pred);

// score_vote.c: which samples of each run have equal results.
const score_vote *score_votes(judging *j, const scored_pred *preds);

// score_texts.c: metrics of texts.
verdict score_text(judging *j, score_metric m, const score_pred *pred);

#endif  // ASSAY_SCORE_SCORE_CASE_H
