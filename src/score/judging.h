/*
 * judging.h - one case while it is judged: what is known of its gold, and the
 * prediction at hand.
 *
 * The struct is shared by all files that judge. What fills it:
 *   score_open_database()  db, db_error                 (score_run.h)
 *   score_expand()         families[].variants          (score_gold.h)
 *   score_run_gold()       families[].runs              (score_run.h)
 *   score_check_gold()     other_golds, unstable        (score_stable.h)
 *   score_read_golds()     set_golds, on demand         (score_hardness.h)
 *   score_gold_tree() and score_pred_tree(), on demand  (score_names.h)
 */
#ifndef ASSAY_SCORE_JUDGING_H
#define ASSAY_SCORE_JUDGING_H

#include "engine/script.h"
#include "evaluators/set_match.h"
#include "relation/clauses.h"
#include "score/result_gold.h"
#include "score/score.h"

// What the metrics asked for need of a case.
typedef enum score_need {
    NEEDS_TEXTS = 1 << 0,
    NEEDS_DB = 1 << 1,           // to run SQL
    NEEDS_TREES = 1 << 2,        // both queries, bound
    NEEDS_EXEC_ROWS = 1 << 3,    // results under each rule set, read as far as
    NEEDS_SUBSET_ROWS = 1 << 4,  // exec or subset needs them
    NEEDS_ALL_ROWS = 1 << 5,     // whole results
    NEEDS_SUITE = 1 << 6,        // the databases of a test suite
    NEEDS_CHECKER = 1 << 7,      // what is known of the database's schema
    NEEDS_SCHEMA = 1 << 8,       // of the database, or of tables.json alone
    NEEDS_FACTS = 1 << 9,        // what its rows show beyond that
    NEEDS_RULED_ROWS = NEEDS_EXEC_ROWS | NEEDS_SUBSET_ROWS,
    NEEDS_RESULTS = NEEDS_RULED_ROWS | NEEDS_ALL_ROWS | NEEDS_SUITE,
} score_need;

// The gold of a case as one family runs it.
typedef struct gold_set {
    const family_text *variants;
    const result_gold *results;  // by variant; NULL: queries, which are run
    execution *runs;             // by variant; NULL until they ran
    ptrdiff_t n;
    ptrdiff_t n_ran;  // variants that ran to their end
    str error;        // why the first that failed did
    int64_t ns;
    int64_t work;  // of the variant that took most; 0: not counted
} gold_set;

// A text as a bound tree, made when first needed.
typedef struct bound_text {
    bool is_tried;
    const binding *binding;  // NULL: it is not one query that can be read
    reason status;           // then: why
    str error;
    bool has_clauses;  // of a gold, once a prediction is compared with it
    clauses clauses;
} bound_text;

typedef struct judging {
    scorer *s;
    const score_task *task;
    uint32_t needs;  // bits of score_need: of all metrics asked for
    database *db;    // NULL: see db_error
    str db_error;
    reason db_status;  // NO_DATABASE, or SERVER_BUSY
    str question;      // empty: there is none, or its language is not known
    bool asks_order;   // the question, the category or an earlier turn does, or
                       // nobody knows (intent/order_asked.h)
    gold_set families[FAMILY_COUNT];
    const set_query **set_golds;  // by variant of FAMILY_PLAIN; NULL where
                                  // set_match.h does not read it
    bound_text *gold_trees;       // by variant of FAMILY_PLAIN
    execution *other_golds;       // by variant: what else it may return;
                                  // NULL: none does
    str unstable;                 // how they differ
    const score_pred *pred;       // that is judged
    bool is_proved;               // it was not run (metric/proved_run.h)
    const script_outcome *gold_script;  // NULL: none ran
    double time_ratio;                  // gold / prediction; 0: not timed
    int32_t work;       // the metric that judges it, for the watch
    int64_t most_work;  // of the queries that run now; 0: no limit
    bound_text pred_tree;
    const verdict *suite;  // by prediction; NULL: not asked for
    arena *a;
} judging;

// The schema of the database or, where that is not at hand, of tables.json;
// NULL, with why in *error, when neither can be read.
const schema *score_schema(const judging *j, str *error);

static inline bool score_needs(const judging *j, score_need needs)
{
    return j->needs & needs;
}

// Do queries of family f run; and is each prediction compared by its results?
bool score_uses_family(const judging *j, family_id f);
bool score_compares_family(const judging *j, family_id f);

// Forgets what was kept for the last case, and closes databases, suites and
// checkers where too many are open.
void score_begin_case(scorer *s);

void score_close_benches(scorer *s);
void score_close_checkers(scorer *s);

// The address space that does not count against the worker's limit.
int64_t score_mapped_bytes(const scorer *s);

#endif  // ASSAY_SCORE_JUDGING_H
