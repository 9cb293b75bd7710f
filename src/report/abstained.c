// abstained.c - see abstained.h.
#include "report/abstained.h"

#include "report/wilson.h"

#include <math.h>

void abstained_add(abstained *c, const line_verdict *v, bool is_unanswerable)
{
    str key = v->key;
    if (!str_equal(str_cut(&key, ':'), S("abstain"))) {
        return;
    }
    bool is_withheld = str_equal(v->reason, S("abstained"));
    int64_t *slot = v->v == ANSWER_UNKNOWN ? &c->unknown
                    : is_unanswerable
                        ? (v->v == ANSWER_YES ? &c->declined : &c->answered)
                    : v->v == ANSWER_YES ? &c->right
                    : is_withheld        ? &c->withheld
                                         : &c->wrong;
    ++*slot;
}

int64_t abstained_cases(const abstained *c)
{
    return c->right + c->wrong + c->withheld + c->answered + c->declined;
}

double abstained_coverage(const abstained *c)
{
    return part_share(c->right + c->wrong + c->answered, abstained_cases(c));
}

double abstained_risk(const abstained *c)
{
    int64_t n_wrong = c->wrong + c->answered;
    return part_share(n_wrong, n_wrong + c->right);
}

double abstained_score(const abstained *c, double penalty)
{
    double points = (double)(c->right + c->declined)
                    - penalty * (double)(c->wrong + c->answered);
    int64_t n = abstained_cases(c);
    return n > 0 ? points / (double)n : NAN;
}
