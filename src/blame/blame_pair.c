/*
 * blame_pair.c - signals that show only beside another query: what one of them
 * does and the other, by the words of the question, should.
 *
 * Method      Each signal is a function from a pair of queries that were read
 *             (blame_read.h) and the words of the question to "this query
 *             shows it"; blame_judge.c asks for it both ways round. None of
 *             them runs anything, and each passes over what it cannot tell.
 */
#include "blame/blame_internal.h"
#include "relation/relation_condition.h"

bool blame_no_number(const blame_view *v, str *detail)
{
    (void)detail;
    return asked_words_counted(v->asked) >= 0 && v->q->b && v->q->calls.len == 0
           && v->other->calls.len > 0;
}

bool blame_no_average(const blame_view *v, str *detail)
{
    (void)detail;
    bool is_asked = asked_words_have(v->asked, "average")
                    || asked_words_have(v->asked, "mean");
    return is_asked && v->q->b && !blame_find_call(v->q, "avg")
           && !v->q->read.has_operator[OPERATOR_DIVIDE]
           && blame_find_call(v->other, "avg");
}

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

// '1989-12-31' where the words have 1989.
static bool is_end_of_year(const blame_value *x)
{
    const str_list *w = &x->words;
    bool is_date = w->len >= 3 && w->ptr[0].len == 4;
    return is_date
           && ((str_equal(w->ptr[1], S("1")) && str_equal(w->ptr[2], S("1")))
               || (str_equal(w->ptr[1], S("12"))
                   && str_equal(w->ptr[2], S("31"))));
}

// Is the value among the words; a year's first or last day is, with the year.
static bool blame_is_named(const blame_view *v, const blame_value *x)
{
    str_list year = {x->words.ptr, 1, 1};
    if (x->words.len > 0) {
        return asked_words_find(v->told, &x->words, 0) >= 0
               || (is_end_of_year(x)
                   && asked_words_find(v->told, &year, 0) >= 0);
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
        if (!is_small && !has_value(v->q, x) && blame_is_named(v, x)) {
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
        if (!is_sign && !has_value(v->other, x) && !blame_is_named(v, x)) {
            *detail = arena_printf(v->a, "'%.*s'", STR_ARG(x->text));
            return true;
        }
    }
    return false;
}

static bool compares_extreme(const blame_query *q)
{
    return (blame_find_call(q, "max") || blame_find_call(q, "min"))
           && q->read.blocks.len > 1 && blame_limit(q->tree) < 0;
}

bool blame_tie_lost(const blame_view *v, str *detail)
{
    (void)detail;
    return blame_takes_one(v->q) && compares_extreme(v->other);
}

// A query that shows or counts a key of the table's speaks of its things.
static bool speaks_of(const blame_query *q, int32_t no)
{
    const schema *s = q->schema;
    bool found = blame_reads(q, no);
    for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
        const schema_key *k = &s->keys[i];
        for (ptrdiff_t c = 0; c < q->calls.len && !found; c++) {
            bound_place p = q->calls.ptr[c].arg;
            found = k->parent == no && k->n == 1 && k->child == p.table
                    && k->columns[0] == p.column;
        }
    }
    return found;
}

bool blame_unread_table(const blame_view *v, str *detail)
{
    for (int32_t t = 0; v->q->b && t < v->q->schema->n_tables; t++) {
        str name = v->q->schema->tables[t].name;
        if (blame_reads(v->other, t) && !speaks_of(v->q, t)
            && asked_words_name(v->asked, name, v->scratch) >= 0) {
            *detail = arena_str(v->a, name);
            return true;
        }
    }
    return false;
}

// Does the query use a column of the source beyond its joins?
static bool uses(const blame_query *q, const bound_source *s)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->read.used.len && !found; i++) {
        found = q->read.used.ptr[i] == s;
    }
    return found;
}

bool blame_idle_table(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->read.blocks.len; i++) {
        const bound_block *b = v->q->read.blocks.ptr[i];
        for (ptrdiff_t k = 0; b->n_sources > 1 && k < b->n_sources; k++) {
            const bound_source *s = b->sources[k];
            str name = s->kind == SOURCE_TABLE
                           ? v->q->schema->tables[s->table].name
                           : (str){0};
            if (name.len > 0 && !blame_reads(v->other, s->table)
                && !uses(v->q, s)
                && asked_words_name(v->asked, name, v->scratch) < 0) {
                *detail = arena_str(v->a, name);
                return true;
            }
        }
    }
    return false;
}

/* What is shown. */

static ptrdiff_t n_shown(const blame_query *q)
{
    return q->b && q->b->query ? q->b->query->n_outputs : 0;
}

static bound_place shown(const blame_query *q, ptrdiff_t i)
{
    const bound_column *o = &q->b->query->outputs[i];
    return bind_stored(o->source, o->column);
}

static bool shows(const blame_query *q, bound_place p)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < n_shown(q) && !found; i++) {
        bound_place own = shown(q, i);
        found = own.table == p.table && own.column == p.column;
    }
    return found;
}

// Does the question say a word of the column's name?
static bool is_asked_for(const blame_view *v, bound_place p)
{
    arena scratch = v->scratch;
    str name = v->q->schema->tables[p.table].columns[p.column].name;
    str_list words = asked_words_of(&scratch, name);
    bool found = false;
    for (ptrdiff_t i = 0; i < words.len && !found; i++) {
        found = asked_words_name(v->asked, words.ptr[i], scratch) >= 0;
    }
    return found;
}

// A plain column of `of` that `in` does not show, and that is asked for or not.
static bool lacks_column(const blame_view *v,
                         const blame_query *of,
                         const blame_query *in,
                         bool is_asked,
                         str *detail)
{
    for (ptrdiff_t i = 0; i < n_shown(of); i++) {
        bound_place p = shown(of, i);
        if (p.table >= 0 && p.column >= 0 && !shows(in, p)
            && is_asked_for(v, p) == is_asked) {
            *detail = blame_show(v, p);
            return true;
        }
    }
    return false;
}

bool blame_unasked_column(const blame_view *v, str *detail)
{
    return v->c->question.len > 0 && n_shown(v->other) > 0
           && n_shown(v->q) > n_shown(v->other)
           && lacks_column(v, v->q, v->other, false, detail);
}

bool blame_missing_column(const blame_view *v, str *detail)
{
    return v->c->question.len > 0 && n_shown(v->q) > 0
           && n_shown(v->q) < n_shown(v->other)
           && lacks_column(v, v->other, v->q, true, detail);
}

static bool is_distinct(const blame_query *q)
{
    bool found = q->tree && q->tree->kind == AST_SETOP;
    for (ptrdiff_t i = 0; i < q->read.blocks.len && !found; i++) {
        const ast *n = q->read.blocks.ptr[i]->node;
        found = (n->flags & AST_FLAG_DISTINCT) != 0 || blame_group(n);
    }
    for (ptrdiff_t i = 0; i < q->calls.len && !found; i++) {
        found = q->calls.ptr[i].is_distinct;
    }
    return found;
}

bool blame_not_distinct(const blame_view *v, str *detail)
{
    (void)detail;
    bool is_asked = asked_words_have(v->asked, "different")
                    || asked_words_have(v->asked, "distinct")
                    || asked_words_have(v->asked, "unique");
    return is_asked && v->q->b && !is_distinct(v->q) && is_distinct(v->other);
}

/* Groups and NULL. */

static bool groups_by(const blame_query *q, bound_place p)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->read.blocks.len && !found; i++) {
        const ast *g = blame_group(q->read.blocks.ptr[i]->node);
        for (; g && !found && p.table >= 0; g = g->next) {
            bound_place own = blame_place(q, g);
            found = own.table == p.table && own.column == p.column;
        }
    }
    return found;
}

// SELECT college ... GROUP BY major_id, where the other groups by college.
bool blame_finer_group(const blame_view *v, str *detail)
{
    const ast *group = v->q->top ? blame_group(v->q->top->node) : NULL;
    for (ptrdiff_t i = 0; group && i < n_shown(v->q); i++) {
        bound_place p = shown(v->q, i);
        if (p.table >= 0 && !groups_by(v->q, p) && groups_by(v->other, p)
            && !blame_is_name(v->q, p)
            && blame_is_key(v->q, blame_place(v->q, group))) {
            *detail = blame_show(v, p);
            return true;
        }
    }
    return false;
}

static bool counts_rows(const blame_query *q)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->calls.len && !found; i++) {
        const blame_call *call = &q->calls.ptr[i];
        found = blame_is_call(call->node, "count")
                && (call->is_star || blame_is_key(q, call->arg));
    }
    return found;
}

// The last name before the bracket that closes: Name of COUNT(badges.Name).
static str argument_at(str text, ptrdiff_t from)
{
    ptrdiff_t end = str_find(text, S(")"), from);
    str inside = str_trim(str_sub(text, from, end < 0 ? text.len : end));
    ptrdiff_t dot = str_find(inside, S("."), 0);
    return dot >= 0 ? str_skip(inside, dot + 1) : inside;
}

// Does the evidence spell out the call itself?
static bool is_told(const blame_view *v, const blame_call *call)
{
    const schema_column *c = blame_column(v->q, call->arg);
    arena scratch = v->scratch;
    str open = arena_printf(&scratch, "%.*s(", STR_ARG(call->node->text));
    ptrdiff_t at = str_find_fold(v->c->evidence, open, 0);
    bool found = false;
    for (; c && at >= 0 && !found;
         at = str_find_fold(v->c->evidence, open, at + 1)) {
        found =
            str_equal_fold(argument_at(v->c->evidence, at + open.len), c->name);
    }
    return found;
}

bool blame_skips_null(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->calls.len; i++) {
        const blame_call *call = &v->q->calls.ptr[i];
        if (blame_is_call(call->node, "count") && !call->is_distinct
            && blame_may_be_null(v->q, call->arg) && !groups_by(v->q, call->arg)
            && !is_told(v, call) && !counts_rows(v->q)
            && counts_rows(v->other)) {
            *detail = blame_show(v, call->arg);
            return true;
        }
    }
    return false;
}

// GROUP BY c ORDER BY COUNT(*): most rows may have no c at all. COUNT(c) is 0
// for them.
bool blame_null_group(const blame_view *v, str *detail)
{
    const ast *group = v->q->top ? blame_group(v->q->top->node) : NULL;
    bound_place p = group ? blame_place(v->q, group) : (bound_place){-1, -1};
    bool counts_it = false;
    for (ptrdiff_t i = 0; i < v->other->calls.len && !counts_it; i++) {
        bound_place arg = v->other->calls.ptr[i].arg;
        counts_it = arg.table == p.table && arg.column == p.column;
    }
    bool found = blame_may_be_null(v->q, p) && counts_it
                 && groups_by(v->other, p) && counts_rows(v->q)
                 && blame_limit(v->q->tree) == 1;
    *detail = found ? blame_show(v, p) : *detail;
    return found;
}

// The outermost aggregate of a query that shows nothing else.
static const ast *shown_call(const blame_query *q)
{
    const ast *e =
        q->top && q->top->n_outputs == 1 && !blame_group(q->top->node)
            ? q->top->outputs[0].expr
            : NULL;
    return e && e->kind == AST_CALL ? e : NULL;
}

bool blame_null_for_zero(const blame_view *v, str *detail)
{
    (void)detail;
    return asked_words_counted(v->asked) >= 0
           && blame_is_call(shown_call(v->q), "sum")
           && blame_is_call(shown_call(v->other), "count");
}

// SUM(CASE WHEN id = 6 THEN score ELSE 0 END): the one row's score.
static bool sums_one_row(const blame_query *q, const blame_call *call)
{
    const ast *e = call->node->kid[CALL_ARGS];
    bool is_case = blame_is_call(call->node, "sum") && e && e->kind == AST_CASE
                   && e->kid[CASE_ELSE];
    const ast *test =
        is_case && e->kid[CASE_WHENS] ? e->kid[CASE_WHENS]->kid[WHEN_IF] : NULL;
    return test && test->kind == AST_BINARY && test->form == OPERATOR_EQUAL
           && blame_is_key(q, blame_place(q, condition_of(test, false).left));
}

bool blame_zero_for_none(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->calls.len; i++) {
        if (sums_one_row(v->q, &v->q->calls.ptr[i])) {
            *detail = arena_printf(v->a, "of one row");
            return v->other->b && !blame_find_call(v->other, "sum");
        }
    }
    return false;
}
