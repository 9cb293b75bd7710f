// blame_result.c - signals that results give: on the data, on a small database,
// and of other runs.
#include "blame/blame_internal.h"

bool blame_fails(const blame_view *v, str *detail)
{
    *detail = v->q->side->error;
    if (detail->len == 0 && v->c->schema && v->q->b
        && v->q->b->problems.len > 0) {
        *detail = v->q->b->problems.ptr[0].text;
    }
    return detail->len > 0;
}

bool blame_empty(const blame_view *v, str *detail)
{
    (void)detail;
    return v->q->side->result && table_is_null(v->q->side->result);
}

enum {
    VOTES_LEAST = 3,  // two models often have one ancestor
};

// Errors differ, what is right agrees. Where the data do not show the
// difference, nobody has voted on it.
bool blame_outvoted(const blame_view *v, str *detail)
{
    ptrdiff_t own = v->q->side->n_runs;
    ptrdiff_t others = v->other->side->n_runs;
    *detail = arena_printf(v->a, "%td runs against %td", others, own);
    return v->c->is_apart && others >= VOTES_LEAST && others > own;
}

// A question for a number has an answer whatever the data are.
bool blame_witness_empty(const blame_view *v, str *detail)
{
    (void)detail;
    const table *own = v->q->side->witness;
    const table *other = v->other->side->witness;
    return own && other && asked_words_counted(v->asked) >= 0
           && table_is_null(own) && !table_is_null(other);
}
