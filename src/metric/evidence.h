/*
 * evidence.h - all that is known of a case and of one prediction when it is
 * judged: what score/ makes and the metrics look at.
 *
 * A verdict is made of evidence and options, and of nothing else: metric/
 * includes no engine, no worker, no checker. A metric says in its row
 * (metric.def) what it needs; no more than that is made. What only a look at
 * the rest can tell is worth making is asked for: a query more, through
 * evidence_run(). It is a function of its text, as all the rest is.
 */
#ifndef ASSAY_METRIC_EVIDENCE_H
#define ASSAY_METRIC_EVIDENCE_H

#include "evaluators/set_match.h"
#include "metric/options.h"
#include "metric/result_gold.h"
#include "relation/clauses.h"
#include "schema/bind.h"
#include "table/execution.h"

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
    NEEDS_SCRIPTS = 1 << 10,     // what both leave behind
    NEEDS_TIMES = 1 << 11,       // of right predictions, where they are asked
    NEEDS_RULED_ROWS = NEEDS_EXEC_ROWS | NEEDS_SUBSET_ROWS,
    NEEDS_RESULTS = NEEDS_RULED_ROWS | NEEDS_ALL_ROWS | NEEDS_SUITE,
} score_need;

// In place of the number of a prediction.
enum {
    EVIDENCE_GOLD = -1,
};

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

typedef struct bound_texts {
    bound_text *golds;  // by variant of FAMILY_PLAIN; NULL: none was asked for
    bound_text pred;
} bound_texts;

// How long both took: gold / prediction.
typedef struct time_ratio {
    reason failed;
    double ratio;
} time_ratio;

// What is made when a metric asks for it; `of` is evidence.of.
typedef struct evidence_source {
    execution (*run)(void *of, str sql, engine_stop stop, int32_t who);
    void (*tried)(void *of);  // the time of the metric counts from here
    const schema *(*schema)(void *of, str *error);
    const schema *(*shown)(void *of, const schema *s);
    bool (*is_proved)(void *of, str gold, str pred, const schema *s);
} evidence_source;

typedef struct evidence {
    const score_options *options;
    uint32_t needs;  // bits of score_need: of all metrics asked for
    const record *gold;
    const schema *keys;  // foreign keys of the database (tables.json); NULL:
                         // the database's own
    bool has_db;         // else:
    str db_error;
    reason db_status;    // NO_DATABASE, or SERVER_BUSY
    dialect db_dialect;  // of the engine that has it open
    str path;            // of it, as people may see it
    bool asks_order;     // the question, the category or an earlier turn does,
                         // or nobody knows (intent/order_asked.h)
    gold_set families[FAMILY_COUNT];
    const set_query **set_golds;  // by variant of FAMILY_PLAIN; NULL where
                                  // set_match.h does not read it
    execution *other_golds;       // by variant: what else it may return;
                                  // NULL: none does
    const script_outcome *gold_script;  // NULL: none ran
    int64_t timeout_ms;                 // of one query
    int64_t most_work;  // of the queries that run now; 0: no limit

    // Of the prediction at hand.
    const score_pred *pred;
    int32_t pred_no;
    reason killed;  // what a worker died of that ran it
    execution runs[FAMILY_COUNT];
    bool is_proved;  // it was not run (score/proved_run.h)
    verdict suite;
    const verdict *checks;  // by variant of the gold, up to the first yes
    ptrdiff_t n_checks;
    verdict unchecked;  // where there is none: why
    const script_outcome *script;
    time_ratio times;

    bound_texts *trees;
    const evidence_source *source;
    void *of;
    arena *a;
    arena scratch;
} evidence;

static inline bool evidence_needs(const evidence *e, score_need needs)
{
    return e->needs & needs;
}

// Do queries of family f run; and is each prediction compared by its results?
bool evidence_uses_family(const evidence *e, family_id f);
bool evidence_compares_family(const evidence *e, family_id f);

// The schema of the database or, where that is not at hand, of tables.json;
// NULL, with why in *error, when neither can be read.
const schema *evidence_schema(const evidence *e, str *error);

// What a text returns on the database of the case; `who` asks for it: the
// number of a prediction, or EVIDENCE_GOLD. Each runs once.
execution evidence_run(const evidence *e,
                       str sql,
                       engine_stop stop,
                       int32_t who);

// A text with the schema of the case.
bound_text evidence_bind(const evidence *e, str sql);
bound_text *evidence_gold_tree(const evidence *e, ptrdiff_t variant);
const bound_text *evidence_pred_tree(const evidence *e);

// The verdict of a metric that cannot be computed because there is no result
// to compare; false when there are both.
bool evidence_settles(const evidence *e, family_id f, verdict *v);

// By what an engine would refuse a query with the problem.
reason evidence_reason_of(const bind_problem *p);

// What the families of texts are told.
family_options evidence_family_options(const score_options *o);

// The text of a prediction that family f reads.
str evidence_text_of(family_id f, const score_pred *pred);

#endif  // ASSAY_METRIC_EVIDENCE_H
