// relation_rows.c - rows and groups of one table; see relation_rows.h.
#include "relation/relation_rows.h"

#include "relation/normal.h"

static const term *visit_moved(rewrite *r, const term *t)
{
    if (t->kind != TERM_COLUMN) {
        return NULL;
    }
    // In a subquery that is copied its own sources are others, too.
    instance *to = t->source == r->from ? r->context : t->source->twin;
    return to ? term_column(r->p, to, t->column) : NULL;
}

const term *term_of_other(prover *p,
                          const term *t,
                          instance *from,
                          instance *to)
{
    rewrite r = {.p = p, .visit = visit_moved, .from = from, .context = to};
    r.copies = (t->has & HAS_BLOCK) != 0;
    return term_rewrite(&r, t);
}

const term *term_against(const term *t, const instance *other)
{
    bool is_pair = term_compares(t) && t->args[0]->kind == TERM_COLUMN
                   && t->args[1]->kind == TERM_COLUMN
                   && t->args[0]->column == t->args[1]->column
                   && t->args[0]->source->table == t->args[1]->source->table;
    int k = is_pair && t->args[0]->source == other;
    return is_pair && t->args[1 - k]->source == other ? t->args[k] : NULL;
}

static bool groups_table(const instance *g, const instance *table)
{
    const block *body = g->body;
    return body && table->table >= 0 && body->has_group
           && !block_has_limit(body) && !block_has(body, HAS_WINDOW)
           && body->sources.len == 1
           && body->sources.ptr[0]->table == table->table
           && !body->sources.ptr[0]->is_outer;
}

static const term *row_group_inside(prover *p,
                                    const row_group *g,
                                    const term *column)
{
    return term_column(p, g->groups->body->sources.ptr[0], column->column);
}

// Whether the comparison finds what groups take for equal to the column: it is
// of the column's type, or that is identical.
static bool compares_as_groups(prover *p, const term *t, const term *column)
{
    term_type type = term_type_of(column);
    return (term_types_equal(term_type_of(t->args[0]), type)
            && term_types_equal(term_type_of(t->args[1]), type))
           || know_exact(p, column) != EXACT_NOT;
}

bool know_extreme(prover *p, const term *item, const term *c)
{
    return item->kind == TERM_AGGREGATE && item->n == 1 && item->args[0] == c
           && str_among(item->text, "min max") && know_exact(p, c);
}

// The column of the row that conditions beside the group say is the same, or
// itself.
static const term *same_of_row(prover *p,
                               const term_list *conditions,
                               const row_group *g,
                               const term *t)
{
    block beside = {0};
    for (ptrdiff_t i = 0; t->source != g->row && i < conditions->len; i++) {
        if (!term_uses(conditions->ptr[i], g->groups)) {
            term_list_push(p, &beside.where, conditions->ptr[i]);
        }
    }
    const class_list l = know_classes(p, &beside);
    const term_list *all = know_class_of(&l, t);
    for (ptrdiff_t k = 0; k < all->len; k++) {
        t = all->ptr[k]->source == g->row ? all->ptr[k] : t;
    }
    return t;
}

// Takes the condition for a link, if it is one.
static bool read_link(prover *p,
                      const term_list *conditions,
                      row_group *g,
                      const term *t)
{
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *shown = term_bare(t->args[1 - k]);
        if (shown->source != g->groups) {
            continue;
        }
        const term *c = same_of_row(p, conditions, g, term_bare(t->args[k]));
        if (c->source != g->row || c->column < 0) {
            continue;
        }
        const block *body = g->groups->body;
        const term *item = term_bare(body->select.ptr[shown->column]);
        const term *own = row_group_inside(p, g, c);
        bool is_key = item == own && term_list_has(&body->group, own)
                      && compares_as_groups(p, t, own);
        if (is_key || (!g->extreme && know_extreme(p, item, own))) {
            g->extreme = is_key ? g->extreme : t;
            term_list_push(p, &g->links, t);
            term_list_push(p, &g->columns, c);
            term_list_push(p, &g->shown, shown);
            return true;
        }
    }
    return false;
}

bool know_row_group(prover *p,
                    const term_list *conditions,
                    instance *row,
                    instance *groups,
                    row_group *out)
{
    *out = (row_group){.row = row, .groups = groups};
    bool groups_it = groups_table(groups, row);
    for (ptrdiff_t i = 0; groups_it && i < conditions->len; i++) {
        if (!read_link(p, conditions, out, conditions->ptr[i])) {
            term_list_push(p, &out->rest, conditions->ptr[i]);
        }
    }
    return out->links.len > 0;
}

bool row_group_holds(prover *p, const row_group *g, const term *t)
{
    const block *body = g->groups->body;
    return term_uses(t, g->row)
           && term_list_has(&body->where,
                            term_of_other(p, t, g->row, body->sources.ptr[0]));
}

// Whether the condition holds in the block without its conjunct `but`.
static bool holds_without(prover *p,
                          const block *b,
                          const term *t,
                          const term *but)
{
    bool takes_equal = t->kind == TERM_EQUAL || t->kind == TERM_LESS_EQUAL
                       || t->kind == TERM_GREATER_EQUAL;
    return (t != but && term_list_has(&b->where, t))
           || (takes_equal && t->args[0] == t->args[1]
               && know_not_null_but(p, b, t->args[0], but));
}

bool know_rest_of_row(prover *p,
                      const block *of,
                      instance *row,
                      const block *b,
                      const term *but,
                      term_list *rest)
{
    *rest = (term_list){0};
    instance *s = of->sources.len == 1 ? of->sources.ptr[0] : NULL;
    bool is_own = s && s != row && !s->is_outer && row->table >= 0
                  && s->table == row->table;
    for (ptrdiff_t i = 0; is_own && i < of->where.len; i++) {
        const term *t = term_of_other(p, of->where.ptr[i], s, row);
        if (!holds_without(p, b, t, but)) {
            term_list_push(p, rest, t);
        }
    }
    return is_own;
}

bool know_takes_row(prover *p, const block *of, instance *row, const block *b)
{
    term_list rest;
    return know_rest_of_row(p, of, row, b, NULL, &rest) && rest.len == 0;
}

bool row_group_is_own(prover *p, const row_group *g)
{
    term_list keys = {0};
    for (ptrdiff_t i = 0; i < g->columns.len; i++) {
        if (g->links.ptr[i] != g->extreme) {
            term_list_push(p, &keys, row_group_inside(p, g, g->columns.ptr[i]));
        }
    }
    return term_list_has_all(&keys, &g->groups->body->group);
}

bool row_group_has_row(prover *p, const row_group *g)
{
    bool has = true;
    for (ptrdiff_t i = 0; has && i < g->columns.len; i++) {
        has = know_not_null(p, g->groups->body,
                            row_group_inside(p, g, g->columns.ptr[i]));
    }
    for (ptrdiff_t i = 0; has && i < g->rest.len; i++) {
        has = row_group_holds(p, g, g->rest.ptr[i]);
    }
    return has;
}

bool row_group_has_group(prover *p, const row_group *g, const block *b)
{
    bool has = !g->extreme && g->rest.len == 0
               && g->groups->body->having.len == 0
               && know_takes_row(p, g->groups->body, g->row, b);
    for (ptrdiff_t i = 0; has && i < g->columns.len; i++) {
        has = know_not_null(p, b, g->columns.ptr[i]);
    }
    return has;
}

// Columns of a key in which two rows differ that are the same in others.
static bool differ_by(prover *p,
                      instance *one,
                      instance *other,
                      const schema_unique *key,
                      const term_list *same,
                      term_list *out)
{
    const schema_table *table = one->columns_of;
    bool tells = key->n > 0;
    for (ptrdiff_t k = 0; tells && k < key->n; k++) {
        int32_t column = key->columns[k];
        const term *c = term_column(p, other, column);
        tells = know_never_null(p, table, column)
                && table->columns[column].collation
                       == schema_unique_collation(table, key, k);
        if (!term_list_has(same, c)) {
            term_list_push(
                p, out,
                term_compare(p, TERM_UNEQUAL, term_column(p, one, column), c));
        }
    }
    return tells && out->len > 0 && prover_assumes(p, ASSUME_KEYS);
}

const term *know_other_row(prover *p,
                           instance *one,
                           instance *other,
                           const term_list *same)
{
    const schema_table *table = one->columns_of;
    for (ptrdiff_t u = 0; table && u < table->n_uniques; u++) {
        term_list apart = {0};
        if (differ_by(p, one, other, &table->uniques[u], same, &apart)) {
            return term_all(p, TERM_OR, apart.ptr, (int32_t)apart.len);
        }
    }
    return table && table->has_rowid ? term_compare(
               p, TERM_UNEQUAL, term_rowid(p, one), term_rowid(p, other))
                                     : NULL;
}
