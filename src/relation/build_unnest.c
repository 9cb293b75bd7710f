/*
 * build_unnest.c - a subquery that aggregates the rows equal to one outside is
 * a table of groups, joined.
 *
 * Method      (SELECT MAX(y) FROM t WHERE t.k = x) becomes a column of
 *             (SELECT MAX(y), k FROM t GROUP BY k), of which an outer join
 *             finds the group of x. Where there is none the subquery is of no
 *             rows, and NULL as what an outer join pads; a COUNT is 0, so that
 *             its column stands in COALESCE(..., 0).
 *
 * Invariants  (1) k = x says that both have one value, so that no two groups
 *                 are of one x.
 *             (2) All that the subquery asks of what is around it is k = x.
 */
#include "relation/build_internal.h"
#include "relation/relation_block.h"
#include "relation/relation_class.h"
#include "relation/relation_told.h"

typedef enum unnest_counts {
    COUNTS_STAY,    // EXISTS says it better
    COUNTS_SHOWN,   // 0 where there are no rows
    COUNTS_ABOVE_0  // of no rows what is asked is false, as of NULL
} unnest_counts;

typedef struct unnesting {
    rewrite r;  // first, so that it can be found from there
    builder *b;
    block *out;  // that the subqueries stand in
    unnest_counts counts;
    term_list scalars;
    term_list columns;  // what they have become, one by one
} unnesting;

// Does it use a source of a query around it?
static bool uses_outside(const unnesting *u, const block *in)
{
    bool found = false;
    for (const build_scope *at = u->b->scope; at; at = at->outer) {
        for (ptrdiff_t i = 0; i < at->block->sources.len && !found; i++) {
            found = block_uses(in, at->block->sources.ptr[i]);
        }
    }
    return found;
}

// The column of the subquery in k = x, and x; false: it asks something else.
static bool take_key(const block *in,
                     const term *t,
                     const term **k,
                     const term **x)
{
    for (int i = 0; t->kind == TERM_EQUAL && i < 2; i++) {
        *k = t->args[i];
        *x = t->args[1 - i];
        if ((*k)->kind == TERM_COLUMN && (*x)->kind == TERM_COLUMN
            && block_owns(in, (*k)->source) && !block_owns(in, (*x)->source)) {
            return true;
        }
    }
    return false;
}

// Is it a COUNT, where one may become a column?
static bool is_count(const unnesting *u, const block *in)
{
    return u->counts != COUNTS_STAY && term_counts(in->select.ptr[0]);
}

static bool may_unnest(unnesting *u, const block *in)
{
    prover *p = u->b->p;
    return block_is_one_group(in) && !in->having.len && !in->limit
           && !in->offset && in->select.len == 1
           && !block_has(in, HAS_WINDOW | HAS_BLOCK)
           && (know_null_of_none(p, in->select.ptr[0]) || is_count(u, in))
           && !know_results(p, in).is_bare
           && u->out->sources.len + 1 < SOURCES_MAX;
}

// The source of the groups; NULL: it cannot be one.
static instance *groups_of(unnesting *u, const block *in)
{
    prover *p = u->b->p;
    block *body = block_copy(p, in);
    instance *made = instance_of(p, body);
    term_list where = body->where;
    made->is_outer = true;
    body->where = (term_list){0};
    body->order.len = 0;
    body->repeats = REPEATS_KEPT;
    for (ptrdiff_t i = 0; i < where.len; i++) {
        const term *k = NULL;
        const term *x = NULL;
        if (!take_key(body, where.ptr[i], &k, &x)) {
            term_list_push(p, &body->where, where.ptr[i]);
            continue;
        }
        term_list_push(p, &body->select, term_item(p, k));
        term_list_add(p, &body->group, term_key(p, k));
        const term *column =
            term_column(p, made, (int32_t)body->select.len - 1);
        if (!know_equates(p, term_of(p, TERM_EQUAL, k, x))) {
            return NULL;
        }
        term_conjoin(p, &made->on, term_compare(p, TERM_EQUAL, column, x));
    }
    body->has_group = true;
    return made->on.len > 0 && !uses_outside(u, body) ? made : NULL;
}

// What stands for the subquery; the subquery itself where nothing does.
static const term *column_of(unnesting *u, const term *t)
{
    prover *p = u->b->p;
    // A COUNT that WHERE holds above 0 is no NULL in any row that is left.
    for (ptrdiff_t i = 0; i < u->scalars.len; i++) {
        if (u->scalars.ptr[i] == t) {
            return u->columns.ptr[i];
        }
    }
    instance *made = may_unnest(u, t->block) ? groups_of(u, t->block) : NULL;
    if (!made || !prover_assumes(p, p->n_failing ? ASSUME_NO_OVERFLOW : 0)
        || !local_allowed(p, LOCAL_UNNEST)) {
        return t;
    }
    block_add_source(p, u->out, made);
    const term *column = term_column(p, made, 0);
    if (u->counts == COUNTS_SHOWN && is_count(u, t->block)) {
        const term *args[] = {column, term_integer(p, 0)};
        column = term_call(p, S("coalesce"), args, 2);
    }
    column = term_as(p, column, term_type_of(t));
    term_list_push(p, &u->scalars, t);
    term_list_push(p, &u->columns, column);
    return column;
}

// x of a subquery that gives COALESCE(x, 0) of its one row; NULL: it does not.
static const term *padded_in(const block *in)
{
    const term *t = in->select.len == 1 ? in->select.ptr[0] : NULL;
    bool pads = t && block_is_one_row(in) && t->n == 2
                && str_equal(t->text, S("coalesce"))
                && term_is_literal(t->args[1]);
    return pads ? t->args[0] : NULL;
}

// COALESCE of the subquery that gives x.
static const term *pad_outside(unnesting *u, const term *t, const term *x)
{
    prover *p = u->b->p;
    block *in = block_copy(p, t->block);
    in->select.ptr[0] = in->select.ptr[0]->args[0];
    const term *of = term_make(p, (term){.kind = TERM_SCALAR, .block = in});
    const term *column = know_null_of_none(p, x) ? column_of(u, of) : of;
    const term *args[] = {column, t->block->select.ptr[0]->args[1]};
    return column == of ? t
                        : term_as(p, term_call(p, S("coalesce"), args, 2),
                                  term_type_of(t));
}

static unnest_counts counts_of(const term *t);

// Not what lies in queries and aggregates.
static const term *visit_scalar(rewrite *r, const term *t)
{
    unnesting *u = (unnesting *)r;
    if (u->counts == COUNTS_SHOWN && term_compares(t)
        && counts_of(t) == COUNTS_STAY) {
        u->counts = COUNTS_STAY;
        t = term_rewrite(r, t);
        u->counts = COUNTS_SHOWN;
        return t;
    }
    bool is_end = t->block || t->kind == TERM_AGGREGATE
                  || t->kind == TERM_WINDOW || !(t->has & HAS_BLOCK);
    const term *x = t->kind == TERM_SCALAR ? padded_in(t->block) : NULL;
    return x                        ? pad_outside(u, t, x)
           : t->kind == TERM_SCALAR ? column_of(u, t)
           : is_end                 ? t
                                    : NULL;
}

// Of 2 <= (SELECT COUNT(*) ...), and of = 1; 1 <= asks whether there are any,
// as = 0 does.
static unnest_counts counts_of(const term *t)
{
    int side = term_compares(t) && t->args[1]->kind == TERM_INTEGER;
    const term *n = term_compares(t) ? t->args[side] : NULL;
    if (!n || term_bare(t->args[!side])->kind != TERM_SCALAR) {
        return n ? COUNTS_SHOWN : COUNTS_STAY;
    }
    bool is_above =
        n->kind == TERM_INTEGER
        && ((t->kind == TERM_EQUAL && n->number > 0)
            || (t->kind == TERM_LESS_EQUAL && side == 0 && n->number > 1));
    bool asks_for_any =
        n->kind == TERM_INTEGER && n->number >= 0 && n->number <= 1;
    return is_above       ? COUNTS_ABOVE_0
           : asks_for_any ? COUNTS_STAY
                          : COUNTS_SHOWN;
}

void build_unnest(builder *b, block *out)
{
    prover *p = b->p;
    unnesting u = {{.p = p, .visit = visit_scalar}, .b = b, .out = out};
    if (!p->proving) {
        return;  // of the query as it is
    }
    term_list where = out->where;
    out->where = (term_list){0};
    for (ptrdiff_t i = 0; i < where.len; i++) {
        u.counts = counts_of(where.ptr[i]);
        term_conjoin(p, &out->where, term_rewrite(&u.r, where.ptr[i]));
    }
    u.counts = COUNTS_SHOWN;
    for (ptrdiff_t i = 0; !out->is_grouped && i < out->select.len; i++) {
        out->select.ptr[i] =
            term_item(p, term_rewrite(&u.r, out->select.ptr[i]));
    }
    for (ptrdiff_t i = 0; !out->is_grouped && i < out->order.len; i++) {
        sort_term *key = &out->order.ptr[i];
        key->term = term_key(p, term_rewrite(&u.r, key->term));
    }
}
