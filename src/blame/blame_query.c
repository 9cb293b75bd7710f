/*
 * blame_query.c - signals that one query and the words are enough for.
 *
 * Method      As in blame_pair.c; only the query itself is looked at. Where a
 *             signal holds of both queries of a pair, it says nothing of which
 *             is wrong: blame_judge.c weighs that.
 */
#include "blame/blame_internal.h"
#include "relation/relation_told.h"

str blame_show(const blame_view *v, bound_place p)
{
    const schema_column *c = blame_column(v->q, p);
    return c ? arena_printf(v->a, "%.*s.%.*s",
                            STR_ARG(v->q->schema->tables[p.table].name),
                            STR_ARG(c->name))
             : (str){0};
}

const blame_call *blame_find_call(const blame_query *q, const char *name)
{
    for (ptrdiff_t i = 0; i < q->calls.len; i++) {
        if (blame_is_call(q->calls.ptr[i].node, name)) {
            return &q->calls.ptr[i];
        }
    }
    return NULL;
}

bool blame_takes_one(const blame_query *q)
{
    bool found = blame_limit(q->tree) == 1 && blame_order(q->tree);
    for (ptrdiff_t i = 0; i < q->read.blocks.len && !found; i++) {
        const ast *n = q->read.blocks.ptr[i]->node;
        found = blame_limit(n) == 1 && blame_order(n);
    }
    return found;
}

bool blame_wrong_bound(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->values.len; i++) {
        const blame_value *x = &v->q->values.ptr[i];
        bool is_upper =
            x->relation == OPERATOR_LESS || x->relation == OPERATOR_LESS_EQUAL;
        bool is_lower = x->relation == OPERATOR_GREATER
                        || x->relation == OPERATOR_GREATER_EQUAL;
        bool is_strict =
            x->relation == OPERATOR_LESS || x->relation == OPERATOR_GREATER;
        asked_bound want = is_upper || is_lower
                               ? asked_words_bound(v->told, &x->words, is_upper)
                               : BOUND_OPEN;
        if (want != BOUND_OPEN && (want == BOUND_STRICT) != is_strict) {
            *detail = arena_printf(v->a, "%s bound %.*s",
                                   is_strict ? "strict" : "inclusive",
                                   STR_ARG(x->text));
            return true;
        }
    }
    return false;
}

static bool is_moment(str name)
{
    return str_find_fold(name, S("date"), 0) >= 0
           || str_find_fold(name, S("time"), 0) >= 0
           || str_find_fold(name, S("year"), 0) >= 0
           || str_find_fold(name, S("name"), 0) >= 0
           || str_find_fold(name, S("birth"), 0) >= 0;
}

// A column of texts, none of them dates, as far as its name tells.
static bool is_text(const blame_view *v, const ast *e, str *detail)
{
    bound_place p = blame_place(v->q, e);
    const schema_column *c = blame_column(v->q, p);
    bool found = c && c->affinity == AFFINITY_TEXT && !is_moment(c->name);
    *detail = found ? blame_show(v, p) : *detail;
    return found;
}

bool blame_text_ranked(const blame_view *v, str *detail)
{
    bool found = false;
    if (!asked_words_rank_quantity(v->asked)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < v->q->read.blocks.len && !found; i++) {
        const ast *n = v->q->read.blocks.ptr[i]->node;
        const ast *sort = blame_limit(n) >= 0 ? blame_order(n) : NULL;
        found = sort && is_text(v, sort->kid[SORT_EXPR], detail);
    }
    for (ptrdiff_t i = 0; i < v->q->calls.len && !found; i++) {
        const ast *n = v->q->calls.ptr[i].node;
        found = (blame_is_call(n, "max") || blame_is_call(n, "min"))
                && is_text(v, n->kid[CALL_ARGS], detail);
    }
    return found;
}

// Does "how many" ask for things of this table?
static bool counts_things_of(const blame_view *v, int32_t no)
{
    ptrdiff_t at = asked_words_counted(v->asked);
    ptrdiff_t name =
        asked_words_name(v->asked, v->q->schema->tables[no].name, v->scratch);
    return at >= 0 && name >= at && name <= at + 2;
}

// COUNT(patient.id) FROM patient JOIN laboratory counts laboratory's rows.
static const term *repeated_argument(prover *p, const block *b)
{
    term_list all = know_results(p, b).aggregates;
    for (ptrdiff_t i = 0; !b->has_group && i < all.len; i++) {
        const term *t = all.ptr[i];
        const term *arg = t->n == 1 ? term_bare(t->args[0]) : NULL;
        if (arg && arg->kind == TERM_COLUMN && arg->source->columns_of
            && arg->column >= 0 && !t->flag
            && str_among(t->text, "count sum avg") && block_owns(b, arg->source)
            && know_repeats(p, b, arg->source)) {
            return arg;
        }
    }
    return NULL;
}

static bool repeats_argument(const blame_view *v, str *detail)
{
    relation *r = v->q->meaning;
    const term *arg = NULL;
    for (ptrdiff_t i = r && r->top ? r->p.read.len : 0; !arg && i > 0; i--) {
        const block *b = r->p.read.ptr[i - 1];
        arg = b->set ? NULL : repeated_argument(&r->p, b);
    }
    bound_place p = {arg ? arg->source->table : -1, arg ? arg->column : -1};
    *detail = arg ? blame_show(v, p) : *detail;
    return arg != NULL;
}

// "How many users ...": COUNT(id) FROM badges counts badges.
static bool counts_other_things(const blame_view *v, str *detail)
{
    const blame_call *call = blame_find_call(v->q, "count");
    if (!call || call->is_distinct || call->block->n_sources != 1
        || call->block->sources[0]->kind != SOURCE_TABLE
        || blame_group(call->block->node)) {
        return false;
    }
    const schema *s = v->q->schema;
    int32_t read = call->block->sources[0]->table;
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        bool is_asked = k->child == read && k->parent >= 0 && k->parent != read
                        && !blame_reads(v->q, k->parent)
                        && !counts_things_of(v, read)
                        && counts_things_of(v, k->parent);
        if (is_asked) {
            *detail = arena_printf(v->a, "%.*s in place of %.*s",
                                   STR_ARG(s->tables[read].name),
                                   STR_ARG(s->tables[k->parent].name));
            return true;
        }
    }
    return false;
}

bool blame_counts_repeats(const blame_view *v, str *detail)
{
    return repeats_argument(v, detail) || counts_other_things(v, detail);
}

bool blame_one_of_many(const blame_view *v, str *detail)
{
    (void)detail;
    return asked_words_want_several(v->asked) && blame_takes_one(v->q);
}

bool blame_any_rows(const blame_view *v, str *detail)
{
    (void)detail;
    bool is_free = blame_limit(v->q->tree) >= 0 && !blame_order(v->q->tree)
                   && v->q->top && !v->q->top->is_grouped;
    return is_free || v->q->side->is_chosen;
}

bool blame_text_compared(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->values.len; i++) {
        const blame_value *x = &v->q->values.ptr[i];
        const schema_column *c = blame_column(v->q, x->column);
        if (c && c->affinity == AFFINITY_TEXT && x->is_number && x->is_plain) {
            *detail = blame_show(v, x->column);
            return true;
        }
    }
    return false;
}

bool blame_unsorted(const blame_view *v, str *detail)
{
    (void)detail;
    bool is_one =
        v->q->top && v->q->top->is_grouped && !blame_group(v->q->top->node);
    return v->c->question.len > 0 && v->c->asks_order && v->q->tree && !is_one
           && !blame_order(v->q->tree);
}

// "How many ...?" has one answer; a GROUP BY gives as many as there are groups.
bool blame_several_numbers(const blame_view *v, str *detail)
{
    (void)detail;
    enum {
        HEAD = 6,  // words in which a question says what it is for
    };
    ptrdiff_t at = asked_words_counted(v->asked);
    const ast *n =
        v->q->top && v->q->top->node == v->q->tree ? v->q->tree : NULL;
    return at >= 0 && at <= HEAD && !asked_words_each(v->asked) && n
           && n->kind == AST_SELECT && blame_group(n) && v->q->calls.len > 0
           && blame_limit(n) < 0;
}

// "How many concerts does each singer give?" A singer who gives none has a
// count, 0, which a join without LEFT leaves out.
bool blame_leaves_out_none(const blame_view *v, str *detail)
{
    const ast *n =
        v->q->top && v->q->top->node == v->q->tree ? v->q->tree : NULL;
    const blame_call *call = blame_find_call(v->q, "count");
    bool asks_each = asked_words_have(v->asked, "each")
                     || asked_words_have(v->asked, "every");
    if (!asks_each || !n || n->kind != AST_SELECT || !blame_group(n) || !call
        || blame_limit(n) >= 0 || v->q->top->n_sources < 2) {
        return false;
    }
    bound_place by = blame_place(v->q, blame_group(n));
    *detail = blame_show(v, by);
    return !v->q->read.has_outer && by.table >= 0;
}

// Who is not among those with something: one who has nothing is left out, too,
// where another one of the same name has.
bool blame_excludes_name(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->read.excluded.len; i++) {
        bound_place p = blame_place(v->q, v->q->read.excluded.ptr[i]);
        if (blame_is_name(v->q, p)) {
            *detail = blame_show(v, p);
            return true;
        }
    }
    return false;
}
