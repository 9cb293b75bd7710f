/*
 * blame_pair.c - signals that show only beside another query: what one of them
 * does and the other, by the words of the question, should.
 *
 * Method      Both are about values: which does one query compare with that the
 *             other does not (relation_diff.h), and do the words name it?
 *             blame_judge.c asks both ways round.
 */
#include "blame/blame_internal.h"

static bool are_numbers(const str_list *w)
{
    bool are = true;
    for (ptrdiff_t i = 0; i < w->len && are; i++) {
        are = is_digit(w->ptr[i].ptr[0]);
    }
    return are;
}

// 2012 will do for '2012-01-01', 19 not for 'TR%_19', '-18 years' for 18.
static bool will_do(const void *context,
                    diff_side side,
                    ptrdiff_t one,
                    ptrdiff_t other,
                    int pass)
{
    (void)pass;
    const blame_query *queries = context;
    const blame_value *x = &queries[side].values.ptr[one];
    const blame_value *own = &queries[diff_other(side)].values.ptr[other];
    return (!own->is_span && str_equal_fold(own->text, x->text))
           || asked_words_find(&own->words, &x->words, 0) >= 0
           || (!own->is_span && are_numbers(&x->words)
               && asked_words_find(&x->words, &own->words, 0) >= 0);
}

relation_diff blame_compare_values(const blame_query queries[2], arena *a)
{
    return relation_diff_of(
        a, &(diff_question){
               .is_same = will_do,
               .context = queries,
               .n = {queries[0].values.len, queries[1].values.len},
               .passes = 1,
               .are_sets = true,
           });
}

static bool is_named(const blame_view *v, const blame_value *x)
{
    if (x->words.len > 0) {
        return asked_words_find(v->told, &x->words, 0) >= 0;
    }
    arena scratch = v->scratch;
    str quoted = arena_printf(&scratch, "'%.*s'", STR_ARG(x->text));
    return str_find(v->c->evidence, quoted, 0) >= 0
           || str_find(v->c->question, quoted, 0) >= 0;
}

// The first value that one side alone compares with, of at least two letters,
// that the words name, or do not.
static bool find_value(const blame_view *v,
                       const blame_query *of,
                       diff_side side,
                       bool are_named,
                       str *detail)
{
    for (ptrdiff_t i = -1; (i = relation_diff_next(v->values, side, i)) >= 0;) {
        const blame_value *x = &of->values.ptr[i];
        bool is_sign = x->text.len < 2 && (!are_named || x->is_number);
        if (!x->is_span && !is_sign && is_named(v, x) == are_named) {
            *detail = arena_printf(v->a, "'%.*s'", STR_ARG(x->text));
            return true;
        }
    }
    return false;
}

// What a question calls a value need not be what the data call it: the other
// query has found the value when it returns something.
bool blame_missing_value(const blame_view *v, str *detail)
{
    const table *found = v->other->side->result;
    bool is_vain = found && found->n_rows == 0;
    return v->q->b && !is_vain
           && find_value(v, v->other, diff_other(v->side), true, detail);
}

bool blame_unnamed_value(const blame_view *v, str *detail)
{
    return find_value(v, v->q, v->side, false, detail);
}
