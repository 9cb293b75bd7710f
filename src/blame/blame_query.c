/*
 * blame_query.c - signals that one query and the words are enough for.
 *
 * Method      As in blame_pair.c; only the query itself is looked at. Where a
 *             signal holds of both queries of a pair, it says nothing of which
 *             is wrong: blame_judge.c weighs that.
 */
#include "blame/blame_internal.h"
#include "relation/relation_told.h"

// "table.column"
static str blame_show(const blame_view *v, bound_place p)
{
    const schema_column *c = blame_column(v->q, p);
    return c ? arena_printf(v->a, "%.*s.%.*s",
                            STR_ARG(v->q->schema->tables[p.table].name),
                            STR_ARG(c->name))
             : (str){0};
}

bool blame_wrong_bound(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->values.len; i++) {
        const blame_value *x = &v->q->values.ptr[i];
        bool is_strict =
            x->relation == OPERATOR_LESS || x->relation == OPERATOR_GREATER;
        bool is_bound = is_strict || x->relation == OPERATOR_LESS_EQUAL
                        || x->relation == OPERATOR_GREATER_EQUAL;
        asked_bound want =
            is_bound ? asked_words_bound(v->told, &x->words) : BOUND_OPEN;
        if (want != BOUND_OPEN && (want == BOUND_STRICT) != is_strict) {
            *detail = arena_printf(v->a, "%s bound %.*s",
                                   is_strict ? "strict" : "inclusive",
                                   STR_ARG(x->text));
            return true;
        }
    }
    return false;
}

static bool takes_some(const select_parts *parts)
{
    return row_range_of(parts->limit).count >= 0;
}

// A column of texts.
static bool is_text(const blame_view *v, const ast *e, str *detail)
{
    bound_place p = bind_stored_at(v->q->b, e);
    const schema_column *c = blame_column(v->q, p);
    bool found = c && c->affinity == AFFINITY_TEXT;
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
        select_parts parts = select_parts_of(v->q->read.blocks.ptr[i]->node);
        const ast *sort = takes_some(&parts) ? parts.order : NULL;
        found = sort && is_text(v, ast_unaliased(sort), detail);
    }
    for (ptrdiff_t i = 0; i < v->q->read.aggregates.len && !found; i++) {
        met_call call = v->q->read.aggregates.ptr[i];
        found = ast_calls(call.node, "max min") && is_text(v, call.of, detail);
    }
    return found;
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

bool blame_counts_repeats(const blame_view *v, str *detail)
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

bool blame_any_rows(const blame_view *v, str *detail)
{
    (void)detail;
    select_parts parts = select_parts_of(v->q->tree);
    bool is_free = takes_some(&parts) && !parts.order && v->q->top
                   && !v->q->top->is_grouped;
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

// "How many ...?" has one answer; a GROUP BY gives as many as there are groups.
bool blame_several_numbers(const blame_view *v, str *detail)
{
    (void)detail;
    enum {
        HEAD = 6,  // words in which a question says what it is for
    };
    ptrdiff_t at = asked_words_counted(v->asked);
    select_parts parts = select_parts_of(
        v->q->top && v->q->top->node == v->q->tree ? v->q->tree : NULL);
    return at >= 0 && at <= HEAD && !asked_words_each(v->asked) && parts.group
           && v->q->read.aggregates.len > 0 && !takes_some(&parts);
}

/* Norms: what one audit minds and another does not. */

static bool sorts_by_key(const blame_query *q, const ast *sort)
{
    bool found = false;
    for (; sort && !found; sort = sort->next) {
        found = blame_is_key(q, bind_stored_at(q->b, ast_unaliased(sort)));
    }
    return found;
}

// Whether rows tie here or not: on other data they may.
bool blame_one_of_ties(const blame_view *v, str *detail)
{
    (void)detail;
    bool found = false;
    for (ptrdiff_t i = 0; i < v->q->read.blocks.len && !found; i++) {
        const bound_block *b = v->q->read.blocks.ptr[i];
        select_parts parts = select_parts_of(b->node);
        const ast *sort =
            row_range_of(parts.limit).count == 1 ? parts.order : NULL;
        found = sort && (b->n_sources > 1 || !sorts_by_key(v->q, sort));
    }
    return found;
}

// "How many concerts does each singer give?" A singer who gives none has a
// count, 0, which a join without LEFT leaves out.
bool blame_leaves_out_none(const blame_view *v, str *detail)
{
    select_parts parts = select_parts_of(
        v->q->top && v->q->top->node == v->q->tree ? v->q->tree : NULL);
    bool counts = false;
    for (ptrdiff_t i = 0; i < v->q->read.aggregates.len && !counts; i++) {
        counts = ast_calls(v->q->read.aggregates.ptr[i].node, "count");
    }
    bool asks_each = asked_words_have(v->asked, "each every");
    if (!asks_each || !parts.group || !counts || takes_some(&parts)
        || v->q->top->n_sources < 2) {
        return false;
    }
    bound_place by = bind_stored_at(v->q->b, parts.group);
    *detail = blame_show(v, by);
    return !v->q->read.has_outer && by.table >= 0;
}

// Who is not among those with something: one who has nothing is left out, too,
// where another one of the same name has.
bool blame_excludes_name(const blame_view *v, str *detail)
{
    for (ptrdiff_t i = 0; i < v->q->read.excluded.len; i++) {
        bound_place p = bind_stored_at(v->q->b, v->q->read.excluded.ptr[i]);
        if (blame_is_name(v->q, p)) {
            *detail = blame_show(v, p);
            return true;
        }
    }
    return false;
}
