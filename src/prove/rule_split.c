/*
 * rule_split.c - EXISTS of tables that are not joined with each other, and of
 * conditions that are of none of them.
 *
 * Method      Columns that equal one of the query around by identity are
 *             written as that one, and each still has to equal it. Tables that
 *             no condition joins then have a partner each by itself; what is
 *             of the query around alone stands there.
 */
#include "base/partition.h"
#include "prove/rule_common.h"

// Tables of a block and what joins them.
typedef struct parts {
    prover *p;
    const block *b;
    class_list classes;
    partition joined;  // its sources, by the conditions
    int32_t used;      // a source that the condition at hand uses; -1
} parts;

// The column around the block that is identical with its own one; NULL: none.
static const term *outward(prover *p, const parts *f, const term *t)
{
    const term_list *all = know_class_of(&f->classes, t);
    for (ptrdiff_t k = 0; k < all->len; k++) {
        const term *other = all->ptr[k];
        const term *same = term_of(p, TERM_EQUAL, t, other);
        if (!block_owns(f->b, other->source)
            && know_identifies(p, f->b, same)) {
            return other;
        }
    }
    return NULL;
}

static walk_step search_parts(void *context, const term *t)
{
    parts *f = context;
    int32_t i = outward(f->p, f, t) ? -1 : block_place_of(f->b, t->source);
    partition_join(&f->joined, i, f->used);
    f->used = i < 0 ? f->used : i;
    return WALK_ON;
}

// Whether there is more than one part, or a condition of none.
static bool find_parts(parts *f)
{
    bool splits = false;
    f->classes = know_classes(f->p, f->b);
    for (ptrdiff_t i = 0; i < f->b->sources.len; i++) {
        partition_add(&f->joined, f->p->a);
    }
    for (ptrdiff_t i = 0; i < f->b->where.len; i++) {
        const term *t = f->b->where.ptr[i];
        f->used = -1;
        term_walk(t, search_parts, f);
        splits |= f->used < 0 && !know_identifies(f->p, f->b, t);
    }
    for (int32_t i = 1; i < f->b->sources.len; i++) {
        splits |= partition_root(&f->joined, i) != 0;
    }
    return splits;
}

typedef struct speaking {
    rewrite r;  // first, so that it can be found from there
    const parts *f;
    term_list same;  // what was written as columns around equals them
} speaking;

static const term *visit_own(rewrite *r, const term *t)
{
    speaking *s = (speaking *)r;
    const term *other =
        block_owns(s->f->b, t->source) ? outward(r->p, s->f, t) : NULL;
    if (other) {
        term_list_add(r->p, &s->same, term_compare(r->p, TERM_EQUAL, t, other));
    }
    return other;
}

// The conditions, of columns around the block wherever that may be. What ties
// one to itself then is among those that it still has to equal.
static term_list spoken_outward(prover *p, const parts *f)
{
    speaking s = {.r = {.p = p, .visit = visit_own}, .f = f};
    term_list all = {0};
    for (ptrdiff_t i = 0; i < f->b->where.len; i++) {
        const term *t = term_rewrite(&s.r, f->b->where.ptr[i]);
        if (t->kind != TERM_EQUAL || t->args[0] != t->args[1]) {
            term_conjoin(p, &all, t);
        }
    }
    term_conjoin_all(p, &all, &s.same);
    return all;
}

static bool uses_part(const parts *f, int32_t part, const term *t)
{
    bool uses = false;
    for (int32_t i = 0; !uses && i < f->b->sources.len; i++) {
        uses = partition_root(&f->joined, i) == part
               && term_uses(t, f->b->sources.ptr[i]);
    }
    return uses;
}

// EXISTS of one part; the conditions that it takes become NULL.
static const term *part_test(prover *p,
                             const parts *f,
                             int32_t part,
                             term_list *l)
{
    block *inner = block_new(p);
    inner->pos = f->b->pos;
    for (ptrdiff_t i = 0; i < l->len; i++) {
        if (l->ptr[i] && uses_part(f, part, l->ptr[i])) {
            term_conjoin(p, &inner->where, l->ptr[i]);
            l->ptr[i] = NULL;
        }
    }
    for (int32_t i = 0; i < f->b->sources.len; i++) {
        if (partition_root(&f->joined, i) == part) {
            block_add_source(p, inner, f->b->sources.ptr[i]);
        }
    }
    return term_exists(p, inner);
}

const term *rule_exists_split(rewrite *r, const term *t)
{
    parts f = {.p = r->p, .b = t->block};
    bool fits = t->kind == TERM_EXISTS && block_is_plain(f.b)
                && !block_has_outer(f.b) && f.b->sources.len > 0;
    if (!fits || !find_parts(&f)) {
        return NULL;
    }
    f.b = block_copy(r->p, f.b);
    f.classes = know_classes(r->p, f.b);
    term_list conditions = spoken_outward(r->p, &f);
    term_list tests = {0};
    for (int32_t i = 0; i < (int32_t)f.b->sources.len; i++) {
        if (partition_root(&f.joined, i) == i) {
            term_conjoin(r->p, &tests, part_test(r->p, &f, i, &conditions));
        }
    }
    for (ptrdiff_t i = 0; i < conditions.len; i++) {
        if (conditions.ptr[i]) {
            term_conjoin(r->p, &tests, conditions.ptr[i]);
        }
    }
    return term_all_of(r->p, &tests);
}
