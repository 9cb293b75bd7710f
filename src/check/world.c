/*
 * world.c - see world.h.
 *
 * Method      Which facts a proof needs is found by leaving them out: first all
 *             of one kind, then one by one, each time proving anew. What is
 *             left is a smallest set, though not always the only one.
 *
 * Cost        One proof a fact about the tables that are read.
 */
#include "check/world.h"

#include "relation/relation_values.h"
#include "schema/bind_text.h"

#include <assert.h>

fact_view world_view(arena *a,
                     const reading *reads,
                     const binding *const *queries,
                     ptrdiff_t n_queries)
{
    str_list texts = {0};
    for (ptrdiff_t i = 0; i < n_queries; i++) {
        relation_add_texts(a, queries[i]->query->node, &texts);
    }
    fact_view view = fact_view_of(&texts);
    view.tables = reads ? reads->tables : NULL;
    view.columns = reads ? reads->columns : NULL;
    return view;
}

static void say(str_list *out, const schema *s, const fact *f, arena *a)
{
    buf text = buf_new(a);
    fact_show(&text, s, f);
    *vec_push(a, out) = buf_str(&text);
}

void world_breaks(const instance *rows,
                  const facts *f,
                  const fact_view *view,
                  str_list *out,
                  arena *a)
{
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        if (fact_is_broken(rows, &f->list.ptr[i], view)) {
            say(out, f->schema, &f->list.ptr[i], a);
        }
    }
}

typedef struct trimming {
    const schema *base;
    const facts *all;
    bool *is_out;  // by fact: it is not demanded
    str sql[2];
    const prove_options *options;
    arena a;
    arena scratch;
} trimming;

// Are the queries the same where only the facts hold that are not out?
static bool is_proved(trimming *t)
{
    arena a = t->a;
    facts some = {.schema = t->all->schema};
    for (ptrdiff_t i = 0; i < t->all->list.len; i++) {
        if (!t->is_out[i]) {
            *vec_push(&a, &some.list) = t->all->list.ptr[i];
        }
    }
    const schema *s = facts_apply(&a, t->base, &some, FACTS_ALL, t->scratch);
    const binding *left = bind_text(&a, t->sql[0], s, s->dialect, t->scratch);
    const binding *right = bind_text(&a, t->sql[1], s, s->dialect, t->scratch);
    return left && right
           && prove_pair(&a, left, right, t->options, t->scratch).is_proved;
}

// Leaves facts out as long as the proof stands.
static void trim(trimming *t, ptrdiff_t from, ptrdiff_t to, int kind)
{
    bool any = false;
    assert(from >= 0 && from <= to && to <= t->all->list.len);
    for (ptrdiff_t i = from; i < to; i++) {
        bool is_meant = !t->is_out[i]
                        && (kind < 0 || (int)t->all->list.ptr[i].kind == kind);
        any |= is_meant;
        t->is_out[i] |= is_meant;
    }
    if (!any || is_proved(t)) {
        return;
    }
    for (ptrdiff_t i = from; i < to; i++) {
        t->is_out[i] &= kind >= 0 && (int)t->all->list.ptr[i].kind != kind;
    }
}

void world_needs(const schema *base,
                 const facts *f,
                 str left,
                 str right,
                 const prove_options *options,
                 str_list *out,
                 arena *a,
                 arena scratch)
{
    ptrdiff_t n = f->list.len;
    arena half = arena_half(&scratch);
    trimming t = {
        .base = base,
        .all = f,
        .sql = {left, right},
        .options = options,
        .is_out = arena_new(&half, bool, n),
        .scratch = scratch,
    };
    t.a = half;
    for (int kind = 0; kind < FACT_KIND_COUNT; kind++) {
        trim(&t, 0, n, kind);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        trim(&t, i, i + 1, -1);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!t.is_out[i]) {
            say(out, f->schema, &f->list.ptr[i], a);
        }
    }
}
