/*
 * rule_source.c - rules about derived tables that group, and about what is
 * asked of them from outside.
 */
#include "prove/rule_sides.h"
#include "relation/relation_type.h"

#include <assert.h>
#include <string.h>

static const term *scalar_of(prover *p, const block *body, ptrdiff_t column)
{
    block *copy = block_copy(p, body);
    const term *item = copy->select.ptr[column];
    assert(column >= 0 && column < body->select.len);
    copy->select = (term_list){0};
    copy->is_source = false;
    copy->is_result = false;
    term_list_push(p, &copy->select, item);
    rules_settle(p, copy);
    return term_make(p, (term){.kind = TERM_SCALAR, .block = copy});
}

bool rule_one_row_source(prover *p, block *b, instance *s)
{
    if (!block_is_one_row(s->body) || shows_no_rows(p, b)) {
        return false;
    }
    block_remove_source(b, s);
    for (ptrdiff_t k = 0; k < s->body->select.len; k++) {
        term_type type = term_type_of_output(s->body, (int32_t)k);
        block_replace(p, b, s, (int32_t)k,
                      term_as(p, scalar_of(p, s->body, k), type));
    }
    return true;
}

static bool is_grouped_body(prover *p, const block *body)
{
    return body && body->is_grouped && !block_has_limit(body)
           && !block_has(body, HAS_WINDOW) && !know_results(p, body).is_loose
           && (body->repeats == REPEATS_KEPT || items_tell_groups(p, body));
}

static walk_step search_inside(void *context, const term *t)
{
    const instance *source = *(const instance **)context;
    return t->block && block_uses(t->block, source) ? WALK_END
           : t->has & HAS_BLOCK                     ? WALK_ON
                                                    : WALK_PAST;
}

// Whether subqueries of the block use the source.
static bool is_used_inside(const block *b, const instance *source)
{
    return block_walk(b, search_inside, &source);
}

// Whether terms tell the rows of the source apart.
static bool has_identity(const instance *s)
{
    const block *body = s->body;
    return !s->is_outer
           && (s->columns_of ? s->columns_of->has_rowid
               : body->set   ? !body->is_all
                           : body->repeats != REPEATS_KEPT || body->has_group);
}

// Adds these.
static void add_identity(prover *p, instance *s, term_list *out)
{
    block *body = s->body;
    if (!body) {
        term_list_push(p, out, term_rowid(p, s));
        return;
    }
    bool has_keys = body->repeats != REPEATS_DROPPED && body->has_group;
    ptrdiff_t n = has_keys ? body->group.len : instance_columns(s);
    for (ptrdiff_t k = 0; k < n; k++) {
        term_list_push(p, out,
                       has_keys ? instance_showing(p, s, body->group.ptr[k])
                                : term_column(p, s, (int32_t)k));
    }
}

bool add_identities(prover *p,
                    const block *b,
                    const instance *but,
                    term_list *out)
{
    bool all = true;
    for (ptrdiff_t i = 0; all && i < b->sources.len; i++) {
        all = b->sources.ptr[i] == but || has_identity(b->sources.ptr[i]);
    }
    for (ptrdiff_t i = 0; all && i < b->sources.len; i++) {
        if (b->sources.ptr[i] != but) {
            add_identity(p, b->sources.ptr[i], out);
        }
    }
    return all;
}

static bool merge_grouped(prover *p, block *b, instance *s)
{
    block *body = s->body;
    term_list group = {0};
    bool is_alone = b->sources.len == 1;
    if (!is_grouped_body(p, body) || (!body->has_group && !is_alone)
        || (!is_alone && block_has(body, HAS_BLOCK)) || is_used_inside(b, s)
        || !add_identities(p, b, s, &group)) {
        return false;
    }
    block_replace_outputs(p, b, s);
    block_remove_source(b, s);
    b->is_grouped = true;
    b->has_group = body->has_group;
    if (!b->has_group) {
        b->repeats = REPEATS_KEPT;  // of one row DISTINCT says nothing
    }
    b->having = body->having;
    b->extremes = body->extremes;
    b->group = body->group;
    for (ptrdiff_t i = 0; i < group.len; i++) {
        term_list_add(p, &b->group, group.ptr[i]);
    }
    term_list where = b->where;
    b->where = (term_list){0};
    for (ptrdiff_t i = 0; i < where.len; i++) {
        bool is_late = (where.ptr[i]->has & HAS_AGGREGATE) || !b->has_group;
        term_conjoin(p, is_late ? &b->having : &b->where, where.ptr[i]);
    }
    block_absorb(p, b, body);
    return true;
}

bool rule_grouped_merge(prover *p, block *b, instance *s)
{
    block rows = *b;
    if (b->sources.len == 1 && b->repeats != REPEATS_DROPPED) {
        rows.limit = NULL;
        rows.offset = NULL;
    }
    return !moves_up(b) && block_is_plain(&rows) && merge_grouped(p, b, s);
}

// A condition of the derived table as one on its columns. `context`: what its
// groups tell, if it groups.
static const term *visit_lift(rewrite *r, const term *t)
{
    const closure *group = r->context;
    const block *body = r->from->body;
    assert(body && !body->set);
    if (t->block) {
        r->fails = true;
        return t;
    }
    if (!block_owns(body, t->source)) {
        return NULL;
    }
    for (ptrdiff_t k = 0; k < body->select.len; k++) {
        if (body->select.ptr[k] == t
            && (group ? closure_has(group, t) : know_exact(r->p, t))) {
            return term_as(r->p, term_column(r->p, r->from, (int32_t)k),
                           term_type_of(t));
        }
    }
    r->fails = true;
    return t;
}

static bool may_lift(const block *body)
{
    return !block_has_limit(body) && !block_has(body, HAS_WINDOW)
           && !block_is_one_group(body);
}

bool rule_source_where(prover *p, block *b, instance *s)
{
    block *body = s->body;
    if (!may_lift(body)) {
        return false;
    }
    closure c = closure_of(p, body, &body->group);
    for (ptrdiff_t i = 0; i < body->where.len; i++) {
        rewrite r = {
            .p = p,
            .visit = visit_lift,
            .from = s,
            .context = body->is_grouped ? &c : NULL,
        };
        const term *t = body->where.ptr[i];
        if (know_identifies(p, body, t) || (t->has & HAS_COLUMN) == 0) {
            continue;
        }
        const term *outside = term_rewrite(&r, t);
        if (!r.fails) {
            term_list_remove(&body->where, i);
            term_conjoin(p, &b->where, outside);
            return true;
        }
    }
    return false;
}

typedef struct other_search {
    const block *b;
    const instance *source;
    bool has_late;  // a column that is an aggregate inside
} other_search;

static walk_step search_others(void *context, const term *t)
{
    other_search *o = context;
    if (t->source == o->source) {
        assert(t->column >= 0 && t->column < o->source->body->select.len);
        const term *is = o->source->body->select.ptr[t->column];
        o->has_late |= (is->has & HAS_AGGREGATE) != 0;
        return WALK_ON;
    }
    return t->block || block_owns(o->b, t->source) ? WALK_END : WALK_ON;
}

bool rule_source_having(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    for (ptrdiff_t k = 0; k < b->sources.len; k++) {
        instance *s = b->sources.ptr[k];
        if (s->is_outer || !is_grouped_body(p, s->body)
            || block_has(s->body, HAS_BLOCK)) {
            continue;
        }
        other_search o = {.b = b, .source = s};
        if (!term_walk(t, search_others, &o) && o.has_late
            && move_inside(p, b, at, s, &s->body->having, OF_SIDE_AND_OTHERS)) {
            return true;
        }
    }
    return false;
}

bool rule_scalar_itself(prover *p, block *b)
{
    (void)p;
    bool is_bare = block_is_plain(b) && b->sources.len == 0 && b->where.len == 0
                   && b->select.len == 1;
    const term *item = is_bare ? b->select.ptr[0] : NULL;
    // Of the query itself nobody asks for the type.
    item = item && b->is_result ? term_bare(item) : item;
    if (!item || item->kind != TERM_SCALAR || !block_is_one_row(item->block)) {
        return false;
    }
    block outer = *b;
    *b = *item->block;
    b->is_source = outer.is_source;
    b->no = outer.no;
    b->pos = outer.pos;
    b->len = outer.len;
    return true;
}

// e of (SELECT e) that nothing stands around; NULL: it is none.
static const term *bare_item(const block *b, const term *t)
{
    const block *in = t->kind == TERM_SCALAR ? t->block : NULL;
    bool is_bare =
        in && block_is_plain(in) && in->sources.len == 0 && in->where.len == 0;
    const term *item = is_bare ? in->select.ptr[0] : NULL;
    // Which row of a group columns come from is the subquery's business.
    bool may = item && !(b->is_grouped && (item->has & HAS_COLUMN));
    return may ? item : NULL;
}

// Does the system take the item for what the subquery gives? A literal has the
// type of what it stands beside.
static bool is_taken_alike(prover *p, const term *item, const term *t)
{
    bool is_computed =
        item->kind == TERM_SCALAR
        || (item->kind >= TERM_ADD && item->kind <= TERM_REMAINDER);
    return !prover_is_typed(p) || (is_computed && type_same(p, item, t));
}

static const term *visit_item(rewrite *r, const term *t)
{
    const term *item = bare_item(r->b, t);
    return item && is_taken_alike(r->p, item, t)
               ? term_as(r->p, item, term_type_of(t))
           : t->block ? t
                      : NULL;
}

bool rule_scalar_item(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_item, .of = HAS_BLOCK, .b = b};
    return rewrite_terms(&r, b);
}

// Of no rows a type remains, which the other side of a set operation has, too.
bool rule_empty(prover *p, block *b)
{
    bool has_type = !b->is_result && !b->is_test;
    if (!has_no_rows(b) || (b->sources.len == 0 && !b->is_grouped)
        || (has_type && prover_is_typed(p))) {
        return false;
    }
    block nothing = {
        .no = b->no,
        .pos = b->pos,
        .len = b->len,
        .is_test = b->is_test,
        .is_source = b->is_source,
        .is_result = b->is_result,
    };
    term_list_push(p, &nothing.where, term_boolean(p, false));
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        const term *none = term_null(p);
        term_type type = term_type_of(b->select.ptr[i]);
        term_list_push(p, &nothing.select,
                       has_type ? term_as(p, none, type) : none);
    }
    *b = nothing;
    return true;
}

// `context`: aggregates, each before its subquery, which is one wherever it
// stands.
static const term *visit_split(rewrite *r, const term *t)
{
    term_list *split = r->context;
    if (t->kind != TERM_AGGREGATE) {
        return t->block ? t : NULL;
    }
    for (ptrdiff_t i = 0; i < split->len; i += 2) {
        if (split->ptr[i] == t) {
            return split->ptr[i + 1];
        }
    }
    block one = *r->b;
    one.len = 0;  // nowhere in the text: the query around it stands there
    one.select = (term_list){0};
    one.repeats = REPEATS_KEPT;
    term_list_push(r->p, &one.select, t);
    term_list_push(r->p, split, t);
    term_list_push(r->p, split, scalar_of(r->p, &one, 0));
    return split->ptr[split->len - 1];
}

bool rule_split_aggregates(prover *p, block *b)
{
    enum {
        ITEMS_MAX = 12
    };
    // Of one row DISTINCT says nothing. A derived table moves up first.
    if (!block_is_one_row(b) || b->is_source || b->order.len > 0
        || b->sources.len == 0 || b->select.len > ITEMS_MAX
        || (b->select.len == 1 && b->select.ptr[0]->kind == TERM_AGGREGATE)) {
        return false;
    }
    term_list split = {0};
    rewrite r = {.p = p,
                 .visit = visit_split,
                 .of = HAS_AGGREGATE,
                 .b = b,
                 .context = &split};
    b->select = term_list_rewritten(&r, &b->select);
    b->where = (term_list){0};
    memset(&b->sources, 0, sizeof b->sources);
    b->is_grouped = false;
    b->repeats = REPEATS_KEPT;
    return true;
}
