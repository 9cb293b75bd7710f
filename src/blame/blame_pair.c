/*
 * blame_pair.c - signals that show only beside another query: what one of them
 * does and the other, by the words of the question, should.
 *
 * Method      Both are about values: which does one query compare with that the
 *             other does not, and do the words name it? blame_judge.c asks both
 *             ways round.
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
static bool has_value(const blame_query *q, const blame_value *x)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->values.len && !found; i++) {
        const blame_value *own = &q->values.ptr[i];
        found = str_equal_fold(own->text, x->text)
                || asked_words_find(&own->words, &x->words, 0) >= 0
                || (are_numbers(&x->words)
                    && asked_words_find(&x->words, &own->words, 0) >= 0);
    }
    for (ptrdiff_t i = 0; i < q->spans.len && !found; i++) {
        found = asked_words_find(&q->spans.ptr[i], &x->words, 0) >= 0;
    }
    return found;
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

// What a question calls a value need not be what the data call it: the other
// query has found the value when it returns something.
bool blame_missing_value(const blame_view *v, str *detail)
{
    const table *found = v->other->side->result;
    bool is_vain = found && found->n_rows == 0;
    for (ptrdiff_t i = 0; v->q->b && !is_vain && i < v->other->values.len;
         i++) {
        const blame_value *x = &v->other->values.ptr[i];
        bool is_small = x->is_number && x->text.len < 2;
        if (!is_small && !has_value(v->q, x) && is_named(v, x)) {
            *detail = arena_printf(v->a, "'%.*s'", STR_ARG(x->text));
            return true;
        }
    }
    return false;
}

bool blame_unnamed_value(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->values.len; i++) {
        const blame_value *x = &v->q->values.ptr[i];
        bool is_sign = x->text.len < 2;  // 'F', 1
        if (!is_sign && !has_value(v->other, x) && !is_named(v, x)) {
            *detail = arena_printf(v->a, "'%.*s'", STR_ARG(x->text));
            return true;
        }
    }
    return false;
}
