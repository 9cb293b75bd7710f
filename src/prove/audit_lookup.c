/*
 * audit_lookup.c - a subquery that became an outer join; see need.def.
 *
 * Method      The one source that is new is the table of a subquery that was an
 *             item. What the block would be, had that item become a column of
 *             the new source and nothing else changed, is made here once more
 *             and compared with what it is.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"

// Of a subquery that only selects a column of its one table, of which its
// conditions leave one row at most; NULL: it is none.
static const block *looks_up(const need_step *s, const term *t)
{
    const block *in = t->kind == TERM_SCALAR ? t->block : NULL;
    if (!in || !block_is_plain(in) || in->sources.len != 1
        || in->sources.ptr[0]->is_outer || in->sources.ptr[0]->table < 0
        || in->select.len != 1 || in->select.ptr[0]->kind != TERM_COLUMN
        || in->select.ptr[0]->source != in->sources.ptr[0]) {
        return NULL;
    }
    stage inner = stage_of(s->p, in);
    term_list none = {0};
    fixed f = fact_fixed(s->p, &inner, &none, false);
    return fixed_rows(s->p, &f) ? in : NULL;
}

static const term *visit_column(rewrite *r, const term *t)
{
    bool is_own = t->kind == TERM_COLUMN && t->source == r->from;
    return !is_own           ? NULL
           : t->column == -1 ? term_rowid(r->p, r->to->source)
                             : term_column(r->p, r->to->source, t->column);
}

// Are the conditions of the subquery the ON of the source, column for column?
static bool is_its_on(const need_step *s, const block *in, instance *added)
{
    rewrite r = {.p = s->p,
                 .visit = visit_column,
                 .from = in->sources.ptr[0],
                 .to = term_column(s->p, added, 0)};
    block conditions = {.where = stage_of(s->p, in).b.where};
    block_rewrite(&r, &conditions);
    return added->is_outer && added->table == r.from->table
           && term_lists_equal(&conditions.where, &added->on);
}

// Is all else as it was, the item but for the column?
static bool is_else_same(const need_step *s, const term *item, const term *c)
{
    rewrite r = {.p = s->p,
                 .visit = rewrite_wanted,
                 .wanted = item,
                 .to = term_as(s->p, c, term_type_of(item))};
    return same_rewritten(s, &r, NULL, NULL);
}

bool need_item_looks_up(const need_step *s)
{
    instance *added = stage_new_source(s->was, s->is);
    bool is_more = s->is->sources.len == s->was->n + 1;
    for (ptrdiff_t i = 0; added && is_more && i < s->was->b.select.len; i++) {
        const term *item = s->was->b.select.ptr[i];
        const block *in = looks_up(s, item);
        if (in && is_its_on(s, in, added)
            && is_else_same(
                s, item, term_column(s->p, added, in->select.ptr[0]->column))) {
            return true;
        }
    }
    return false;
}
