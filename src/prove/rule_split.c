/*
 * rule_split.c - EXISTS of tables that are not joined with each other, and of
 * conditions that are of none of them.
 *
 * Method      Columns that equal one of the query around by identity are
 *             written as that one, and each still has to equal it. Tables that
 *             no condition joins then have a partner each by itself; what is
 *             of the query around alone stands there.
 */
#include "prove/rule_common.h"

#include <assert.h>

// Tables of a block and what joins them.
typedef struct parts {
    prover *p;
    const block *b;
    class_list classes;
    int32_t part[SOURCES_MAX];  // of each source
    int32_t joined;             // the part that the condition at hand uses; -1
} parts;

// The column around the block that is identical with its own one; NULL: none.
static const term *outward(prover *p, const parts *f, const term *t)
{
    ptrdiff_t i = 0;
    while (i < f->classes.len
           && !term_list_has(&f->classes.ptr[i].members, t)) {
        i++;
    }
    for (ptrdiff_t k = 0;
         i < f->classes.len && k < f->classes.ptr[i].members.len; k++) {
        const term *other = f->classes.ptr[i].members.ptr[k];
        const term *same = term_of(p, TERM_EQUAL, t, other);
        if (!block_owns(f->b, other->source)
            && know_identifies(p, f->b, same)) {
            return other;
        }
    }
    return NULL;
}

static int32_t part_of(const parts *f, const instance *s)
{
    for (int32_t i = 0; i < (int32_t)f->b->sources.len; i++) {
        if (f->b->sources.ptr[i] == s) {
            return f->part[i];
        }
    }
    return -1;
}

static walk_step search_parts(void *context, const term *t)
{
    parts *f = context;
    int32_t part = outward(f->p, f, t) ? -1 : part_of(f, t->source);
    for (ptrdiff_t i = 0; part >= 0 && i < f->b->sources.len; i++) {
        if (f->part[i] == part) {
            f->part[i] = f->joined < 0 ? part : f->joined;
        }
    }
    f->joined = f->joined < 0 ? part : f->joined;
    return WALK_ON;
}

// Whether there is more than one part, or a condition of none.
static bool find_parts(parts *f)
{
    ptrdiff_t n = f->b->sources.len;
    assert(n <= SOURCES_MAX);
    f->classes = know_classes(f->p, f->b);
    for (ptrdiff_t i = 0; i < n; i++) {
        f->part[i] = (int32_t)i;
    }
    bool splits = false;
    for (ptrdiff_t i = 0; i < f->b->where.len; i++) {
        const term *t = f->b->where.ptr[i];
        f->joined = -1;
        term_walk(t, search_parts, f);
        splits |= f->joined < 0 && !know_identifies(f->p, f->b, t);
    }
    for (ptrdiff_t i = 1; i < n; i++) {
        splits |= f->part[i] != f->part[0];
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
    for (ptrdiff_t i = 0; !uses && i < f->b->sources.len; i++) {
        uses = f->part[i] == part && term_uses(t, f->b->sources.ptr[i]);
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
    for (ptrdiff_t i = 0; i < f->b->sources.len; i++) {
        if (f->part[i] == part) {
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
        if (f.part[i] == i) {
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
