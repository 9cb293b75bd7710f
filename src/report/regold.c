/*
 * regold.c - see regold.h.
 *
 * Method      Both versions go into one versus, so that a run by the old golds
 *             and the same run by the new ones are two runs over the same
 *             cases. Why a gold changed is found out as for a prediction: each
 *             gold of a version is scored against those of the other, and what
 *             differs is what that verdict says, clause by clause.
 */
#include "report/regold.h"

#include "base/hash.h"

#include <math.h>

static regold_case *case_of(regold *g, const case_line *line)
{
    ptrdiff_t id = map_add(&g->v.ids, g->v.a, line->id);
    return vec_at(g->v.a, &g->cases, id);
}

static void add_cause(regold *g, regold_case *c, str word)
{
    ptrdiff_t id = map_add_below(&g->causes, g->v.a, word, 64);
    c->causes |= id >= 0 ? (uint64_t)1 << id : 0;
}

// The clauses in which both versions differ, else why their results do.
static void add_causes(regold *g, regold_case *c, const case_line *line)
{
    const line_verdict *v = case_line_verdict(line, g->v.metric);
    for (ptrdiff_t i = 0; i < line->clauses.len; i++) {
        add_cause(g, c, case_line_clause(line->clauses.ptr[i]));
    }
    if (c->causes == 0 && v) {
        add_cause(g, c, v->reason);
    }
}

bool regold_add(regold *g,
                const case_line *line,
                bool is_new,
                bool is_gold,
                diag_place p,
                diag *d)
{
    regold_case *c = case_of(g, line);
    const line_verdict *v = case_line_verdict(line, g->v.metric);
    c->texts[is_new] = hash64(line->gold) | 1;
    if (!is_gold) {
        return versus_add(&g->v, line, p, d);
    }
    if (line->pred.len == 0) {  // fewer golds than another case has
        return true;
    }
    if (v && v->v == ANSWER_NO) {
        c->is_wrong = true;
        add_causes(g, c, line);
    }
    c->is_unknown |= !v || v->v == ANSWER_UNKNOWN;
    return true;
}

void regold_end(regold *g)
{
    static const char *const words[REGOLD_CHANGE_COUNT] = {
        [REGOLD_SAME] = "gold unchanged",
        [REGOLD_TEXT] = "only rephrased",
        [REGOLD_UNKNOWN] = "unknown",
    };
    for (ptrdiff_t id = 0; id < g->cases.len; id++) {
        regold_case *c = &g->cases.ptr[id];
        c->change = c->texts[0] == 0 || c->texts[1] == 0 ? REGOLD_ABSENT
                    : c->texts[0] == c->texts[1]         ? REGOLD_SAME
                    : c->is_wrong                        ? REGOLD_RESULT
                    : c->is_unknown                      ? REGOLD_UNKNOWN
                                                         : REGOLD_TEXT;
        if (words[c->change]) {
            c->causes = 0;
            add_cause(g, c, str_from(words[c->change]));
        }
    }
}

regold_moves regold_count(const regold *g, ptrdiff_t run, ptrdiff_t cause)
{
    regold_moves m = {0};
    for (ptrdiff_t id = 0; id < g->cases.len; id++) {
        const regold_case *c = &g->cases.ptr[id];
        bool counts =
            c->change != REGOLD_ABSENT && (cause < 0 || c->causes >> cause & 1);
        m.golds += counts;
        for (ptrdiff_t i = 0; i < g->n_runs && counts; i++) {
            uint8_t old = versus_outcome_at(&g->v, i, id).answer;
            uint8_t new = versus_outcome_at(&g->v, g->n_runs + i, id).answer;
            bool is_known = old >= VERSUS_NO && new >= VERSUS_NO;
            if (is_known && (run < 0 || run == i)) {
                m.gained += old == VERSUS_NO && new == VERSUS_YES;
                m.lost += old == VERSUS_YES && new == VERSUS_NO;
            }
        }
    }
    return m;
}
