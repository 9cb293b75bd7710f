/*
 * metric_abstain.c - abstain: gives a right answer, or none where there is
 * none. (definitions/abstention.md)
 */
#include "metric/exec_rules.h"
#include "metric/text.h"
#include "metric/text_variants.h"
#include "read/abstention.h"

// Where there is no database only the gold's own text is known to be right.
static bool is_same_text(judging *j, const metric_call *call)
{
    return text_over_variants(j, call, metric_string, NULL).v == ANSWER_YES;
}

// Who withholds an answer to a broken gold is not judged, as who gives one.
verdict metric_judge_abstain(judging *j, const metric_call *call)
{
    verdict v = exec_by_rules(j, COMPARE_EXEC, call);
    bool is_undecided = v.v == ANSWER_UNKNOWN && !j->db;
    bool is_known = v.v != ANSWER_UNKNOWN || is_undecided;
    if (is_known && !call->pred->is_missing
        && abstention_is_given(call->pred->sql, j->s->scratch)) {
        return verdict_no(REASON_ABSTAINED, (str){0});
    }
    return is_undecided && is_same_text(j, call) ? verdict_yes() : v;
}
