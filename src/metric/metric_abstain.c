/*
 * metric_abstain.c - abstain: gives a right answer, or none where there is
 * none. (definitions/abstention.md)
 */
#include "metric/exec_rules.h"
#include "metric/text.h"
#include "metric/text_variants.h"
#include "read/abstention.h"

// Where there is no database only the gold's own text is known to be right.
static bool is_same_text(const evidence *e)
{
    return text_over_variants(e, metric_string, NULL).v == ANSWER_YES;
}

// Who withholds an answer to a broken gold is not judged, as who gives one.
verdict metric_judge_abstain(const evidence *e, metric_key key)
{
    verdict v = exec_by_rules(e, COMPARE_EXEC, key.rules);
    bool is_undecided = v.v == ANSWER_UNKNOWN && !e->has_db;
    bool is_known = v.v != ANSWER_UNKNOWN || is_undecided;
    if (is_known && !e->pred->is_missing
        && abstention_is_given(e->pred->sql, e->scratch)) {
        return verdict_no(REASON_ABSTAINED, (str){0});
    }
    return is_undecided && is_same_text(e) ? verdict_yes() : v;
}
