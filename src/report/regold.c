/*
 * regold.c - see regold.h.
 *
 * Method      Both versions go into one versus, so that a run by the old golds
 *             and the same run by the new ones are two runs over the same
 *             cases. Why a gold changed is found out as for a prediction: the
 *             old gold is scored against the new one, and what differs is what
 *             that verdict says, clause by clause.
 */
#include "report/regold.h"

#include "base/hash.h"

#include <math.h>

static regold_case *case_of(regold *g, const case_line *line)
{
    ptrdiff_t id = map_add(&g->v.ids, g->v.a, line->id);
    while (g->cases.len <= id) {
        *vec_push(g->v.a, &g->cases) = (regold_case){0};
    }
    return &g->cases.ptr[id];
}

bool regold_add_old(regold *g, const case_line *line, diag_place p, diag *d)
{
    bool ok = versus_add(&g->v, line, p, d);
    case_of(g, line)->old_text = hash64(line->gold) | 1;
    return ok;
}

static void add_cause(regold *g, regold_case *c, str word)
{
    ptrdiff_t id = map_find(&g->causes, word);
    if (id < 0 && map_count(&g->causes) < 64) {
        id = map_add(&g->causes, g->v.a, arena_str(g->v.a, word));
    }
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

static void set_change(regold *g, regold_case *c, const case_line *line)
{
    const line_verdict *v = case_line_verdict(line, g->v.metric);
    bool is_same = (hash64(line->gold) | 1) == c->old_text;
    c->change = c->old_text == 0                    ? REGOLD_ABSENT
                : is_same                           ? REGOLD_SAME
                : !v || v->v == LINE_ANSWER_UNKNOWN ? REGOLD_UNKNOWN
                : v->v == LINE_ANSWER_YES           ? REGOLD_TEXT
                                                    : REGOLD_RESULT;
    if (c->change == REGOLD_RESULT) {
        add_causes(g, c, line);
    } else if (c->change == REGOLD_TEXT) {
        add_cause(g, c, S("only written anew"));
    } else if (c->change == REGOLD_UNKNOWN) {
        add_cause(g, c, S("not known"));
    } else if (c->change == REGOLD_SAME) {
        add_cause(g, c, S("gold unchanged"));
    }
}

bool regold_add_new(regold *g,
                    const case_line *line,
                    str self,
                    diag_place p,
                    diag *d)
{
    if (str_equal(line->run, self)) {
        set_change(g, case_of(g, line), line);
        return true;
    }
    return versus_add(&g->v, line, p, d);
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
