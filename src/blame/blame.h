/*
 * blame.h - a gold and a prediction differ: who is wrong?
 *
 * A list of small signals (signal.def), each of which speaks against a query:
 * it contradicts a word of the question, it hangs on chance, other runs say
 * otherwise. What speaks against both decides nothing. The weights are summed,
 * and that is all: no model, no chance, the reasons are the verdict.
 *
 * It sees values only: texts, a schema, results that somebody else computed.
 *
 * Source      definitions/people.md#who-is-wrong
 */
#ifndef ASSAY_BLAME_BLAME_H
#define ASSAY_BLAME_BLAME_H

#include "schema/schema.h"
#include "sql/dialect.h"
#include "table/table.h"
#include "table/verdict.h"

typedef enum blame_signal {
#define SIGNAL(constant, word, sides, weight, text) BLAME_##constant,
#include "blame/signal.def"
#undef SIGNAL
    BLAME_SIGNAL_COUNT,
} blame_signal;

enum {
    BLAME_WEIGHT_MOST = 3,
};

str blame_signal_word(blame_signal v);
bool blame_signal_from_word(str word, blame_signal *out);
str blame_signal_text(blame_signal s);
int blame_signal_weight(blame_signal s);  // 0: only where a case counts it

#define BLAME_BIT(s) (1u << (s))

typedef enum blame_class {
    BLAME_NO_EVIDENCE,
    BLAME_QUESTION,  // as much speaks against one as against the other
    BLAME_PREDICTION,
    BLAME_GOLD,
    BLAME_CLASS_COUNT,
} blame_class;

str blame_class_word(blame_class v);
bool blame_class_from_word(str word, blame_class *out);
str blame_class_text(blame_class c);  // "gold suspect"

// A query, and what is known of it.
typedef struct blame_side {
    str sql;              // empty: there is none
    const table *result;  // on the data; NULL: not known
    str error;       // why it cannot be run; empty: it can, or nobody knows
    bool is_chosen;  // by the engine, on the data: ties at LIMIT and such
    const table *witness;  // on a small database that shows the difference
    ptrdiff_t n_runs;      // of predictions that are equivalent to it
} blame_side;

typedef struct blame_case {
    str question;
    str evidence;
    dialect d;
    const schema *schema;  // NULL: not known
    uint32_t also;         // BLAME_BIT of what counts beside what has a weight
    bool is_apart;  // whoever asked would mind the difference of the results
    blame_side gold;
    blame_side pred;  // of all that differ from the gold, what most runs say
} blame_case;

typedef enum blame_on {
    BLAME_ON_GOLD = 1,
    BLAME_ON_PRED = 2,
    BLAME_ON_BOTH = 3,
} blame_on;

str blame_on_word(blame_on on);  // "gold", "prediction", "both"

typedef struct blame_reason {
    blame_signal signal;
    blame_on on;
    int weight;
    str detail;  // what exactly; empty: the text says it
} blame_reason;

typedef struct blame_verdict {
    blame_class who;
    int suspicion;  // the weights of all that speaks against the gold, to rank
                    // golds by
    vec_of(blame_reason) reasons;  // the weightiest first
} blame_verdict;

// Without a prediction: what speaks against the gold alone.
blame_verdict blame_case_judge(const blame_case *c, arena *a, arena scratch);

#endif  // ASSAY_BLAME_BLAME_H
