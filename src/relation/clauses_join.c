/*
 * clauses_join.c - the conditions of a block: ON and WHERE of inner joins are
 * one; columns that they equate are one column.
 *
 * An ON of an outer join stays where it is, as part of what that join is; a
 * RIGHT JOIN is a LEFT JOIN written from the other side.
 */
#include "relation/clauses_internal.h"
#include "relation/relation_select.h"
#include "sql/print.h"

#include <assert.h>

void key_add_fact(keyer *k,
                  fact_list *out,
                  clause_kind kind,
                  str key,
                  clause_text text)
{
    int no = (int)out->len;
    *vec_push(k->a, out) =
        (clause_fact){.kind = kind, .no = no, .key = key, .text = text};
}

static void split(keyer *k, condition c, condition_list *out)
{
    if (c.kind != CONDITION_ALL || c.node->kind != AST_BINARY) {
        *vec_push(k->a, out) = (key_condition){.c = c};
        return;
    }
    for (condition part = {0}; condition_next(&c, &part);) {
        split(k, part, out);
    }
}

void key_split(keyer *k, const ast *n, condition_list *out)
{
    if (n) {
        split(k, condition_of(n, false), out);
    }
}

typedef struct join_walk {
    keyer *k;
    const bound_block *block;
    key_joins joins;
    key_outer *within;  // the outer join on whose missing side this lies
    int32_t n_seen;     // sources
} join_walk;

static void add_on(join_walk *w,
                   const ast *join,
                   const ast *on,
                   condition_list *out)
{
    key_split(w->k, on, out);
    for (ptrdiff_t i = 0; i < w->block->n_merges; i++) {
        const bound_merge *m = &w->block->merges[i];
        if (m->join == join) {
            *vec_push(w->k->a, out) = (key_condition){.merge = m};
        }
    }
}

static bool is_outer(const ast *join)
{
    return join->form == JOIN_FORM_LEFT || join->form == JOIN_FORM_RIGHT
           || join->form == JOIN_FORM_FULL || join->form == JOIN_FORM_SEMI
           || join->form == JOIN_FORM_ANTI || join->form == JOIN_FORM_ASOF
           || join->form == JOIN_FORM_OUTER_APPLY;
}

static void walk(join_walk *w, const ast *n);

static void walk_outer(join_walk *w, const ast *n)
{
    bool left = n->form == JOIN_FORM_RIGHT || n->form == JOIN_FORM_FULL;
    bool right = n->form != JOIN_FORM_RIGHT;
    key_outer *o = arena_new(w->k->a, key_outer, 1);
    key_outer *around = w->within;
    int32_t first = w->n_seen;
    w->within = left ? o : around;
    walk(w, n->kid[JOIN_LEFT]);
    int32_t middle = w->n_seen;
    w->within = right ? o : around;
    walk(w, n->kid[JOIN_RIGHT]);
    w->within = around;
    o->join = n;
    o->from = left ? first : middle;
    o->to = right ? w->n_seen : middle;
    for (int32_t i = o->from; i < o->to; i++) {
        w->joins.is_missing[i] = true;
    }
    add_on(w, n, n->kid[JOIN_ON], &o->on);
    *vec_push(w->k->a, &w->joins.outer) = *o;
}

static void walk(join_walk *w, const ast *n)
{
    n = select_source_below(n);
    const bound_source *s = n ? bind_source_at(w->k->b, n) : NULL;
    condition_list *on = w->within ? &w->within->on : &w->joins.inner;
    if (s && s->block == w->block) {
        assert(s->no >= w->n_seen);
        w->n_seen = s->no + 1;
    } else if (n && n->kind == AST_RESTRICTED) {
        walk(w, n->kid[RESTRICTED_SOURCE]);
        add_on(w, n, n->kid[RESTRICTED_ON], on);
    } else if (n && n->kind == AST_JOIN && is_outer(n)) {
        walk_outer(w, n);
    } else if (n && n->kind == AST_JOIN) {
        walk(w, n->kid[JOIN_LEFT]);
        walk(w, n->kid[JOIN_RIGHT]);
        add_on(w, n, n->kid[JOIN_ON], on);
    }
}

key_joins key_joins_of(keyer *k, const bound_block *block)
{
    join_walk w = {.k = k, .block = block};
    w.joins.is_missing = arena_new(k->a, bool, block->n_sources + 1);
    if (block->node->kind == AST_SELECT) {
        walk(&w, block->node->kid[SELECT_FROM]);
        key_split(k, block->node->kid[SELECT_WHERE], &w.joins.inner);
    }
    return w.joins;
}

static int32_t place_of(keyer *k, key_frame *f, equal_column c)
{
    int32_t at = key_find_equal(f, c.source, c.column);
    if (at >= 0) {
        return at;
    }
    *vec_push(k->a, &f->equals) = c;
    return partition_add(&f->classes, k->a);
}

// Is it x = y of two columns that this block names, both always there? Those
// that USING joins are.
static bool is_equality(const keyer *k,
                        const key_frame *f,
                        const key_joins *j,
                        const key_condition *c,
                        equal_column sides[2])
{
    const bound_merge *m = c->merge;
    const ast *operands[] = {c->c.left, c->c.right};
    if (m) {
        sides[0] = (equal_column){m->left, m->left_column};
        sides[1] = (equal_column){m->right, m->right_column};
        return true;
    }
    bool found = c->c.kind == CONDITION_PAIR && c->c.how == OPERATOR_EQUAL;
    for (int i = 0; i < 2 && found; i++) {
        const ast *n = operands[i];
        const bound_ref *ref =
            n && n->kind == AST_COLUMN ? bind_ref(k->b, n) : NULL;
        found = ref && ref->kind == REF_COLUMN && ref->depth == 0
                && ref->column >= 0 && ref->source->block == f->block
                && !ref->is_merged && !j->is_missing[ref->source->no];
        if (found) {
            sides[i] = (equal_column){ref->source, ref->column};
        }
    }
    return found;
}

// Equal columns of one affinity show equal values; '3' = 3 does not.
static bool makes_class(const equal_column sides[2])
{
    schema_affinity as[2];
    for (int i = 0; i < 2; i++) {
        as[i] = sides[i].source->columns[sides[i].column].affinity;
        as[i] = as[i] == AFFINITY_INTEGER || as[i] == AFFINITY_REAL
                    ? AFFINITY_NUMERIC
                    : as[i];
    }
    return as[0] == as[1];
}

void key_equate(keyer *k, key_frame *f, const key_joins *j)
{
    for (ptrdiff_t i = 0; i < j->inner.len; i++) {
        equal_column sides[2];
        if (is_equality(k, f, j, &j->inner.ptr[i], sides)
            && makes_class(sides)) {
            int32_t x = place_of(k, f, sides[0]);
            partition_join(&f->classes, x, place_of(k, f, sides[1]));
        }
    }
}

static str merge_key(keyer *k, key_frame *f, const bound_merge *m)
{
    key_list parts = {0};
    key_add(k, &parts, key_of_column(k, f, m->left, m->left_column, m->name));
    key_add(k, &parts, key_of_column(k, f, m->right, m->right_column, m->name));
    return key_join(k, "=", &parts, true);
}

static void add_keys(keyer *k,
                     key_frame *f,
                     const key_condition *c,
                     key_list *keys)
{
    if (c->merge) {
        key_add(k, keys, merge_key(k, f, c->merge));
    } else {
        key_conjuncts(k, f, c->c, keys);
    }
}

void key_add_conditions(keyer *k,
                        key_frame *f,
                        clause_kind kind,
                        const condition_list *list,
                        fact_list *out)
{
    for (ptrdiff_t i = 0; i < list->len; i++) {
        key_list keys = {0};
        const key_condition *c = &list->ptr[i];
        add_keys(k, f, c, &keys);
        clause_text text =
            c->merge ? key_same_text(c->merge->name) : key_print(k, c->c.node);
        if (c->c.has_not) {
            text.bare = arena_printf(k->a, "NOT %.*s", STR_ARG(text.bare));
            text.full = arena_printf(k->a, "NOT %.*s", STR_ARG(text.full));
        }
        for (ptrdiff_t n = 0; n < keys.len; n++) {
            key_add_fact(k, out, kind, keys.ptr[n], text);
        }
    }
}

static void add_outer(keyer *k,
                      key_frame *f,
                      const key_outer *o,
                      fact_list *out)
{
    key_list parts = {0};
    for (int32_t i = o->from; i < o->to; i++) {
        key_add(k, &parts, f->labels[i]);
    }
    str missing = key_join(k, "", &parts, true);
    parts = (key_list){0};
    for (ptrdiff_t i = 0; i < o->on.len; i++) {
        add_keys(k, f, &o->on.ptr[i], &parts);
    }
    str on = key_join(k, "", &parts, true);
    str word = ast_form_word(AST_JOIN, o->join->form == JOIN_FORM_RIGHT
                                           ? JOIN_FORM_LEFT
                                           : o->join->form);
    str key = arena_printf(k->a, "%.*s%.*s on%.*s", STR_ARG(word),
                           STR_ARG(missing), STR_ARG(on));
    const ast *side =
        o->join->kid[o->join->form == JOIN_FORM_RIGHT ? JOIN_LEFT : JOIN_RIGHT];
    str written = ast_form_word(AST_JOIN, o->join->form);
    side = side->kind == AST_ALIAS && side->kid[ALIAS_EXPR]->kind == AST_TABLE
               ? side->kid[ALIAS_EXPR]
               : side;
    str text = key_print(k, side).full;
    str shown = o->join->kid[JOIN_ON] ? key_print(k, o->join->kid[JOIN_ON]).full
                                      : (str){0};
    text =
        arena_printf(k->a, "%.*s %.*s%s%.*s", STR_ARG(written), STR_ARG(text),
                     shown.len > 0 ? " ON " : "", STR_ARG(shown));
    key_add_fact(k, out, CLAUSE_JOIN, key, key_same_text(text));
}

// Another column of its class.
static int32_t partner_of(const key_frame *f, int32_t i)
{
    int32_t root = partition_root(&f->classes, i);
    int32_t other = 0;
    while (other == i || partition_root(&f->classes, other) != root) {
        other++;
    }
    return other;
}

// Does its class lie in more than one source?
static bool joins_sources(const key_frame *f, int32_t i)
{
    for (int32_t j = 0; j < f->equals.len; j++) {
        if (f->equals.ptr[j].source != f->equals.ptr[i].source
            && partition_root(&f->classes, j)
                   == partition_root(&f->classes, i)) {
            return true;
        }
    }
    return false;
}

// "a.x = b.y" for each pair of neighbors of a class, by their keys.
static void add_classes(keyer *k, key_frame *f, fact_list *out)
{
    for (int32_t i = 0; i < f->equals.len; i++) {
        const equal_column *e = &f->equals.ptr[i];
        str first = key_of_column(k, f, e->source, e->column, (str){0});
        key_frame bare = *f;
        bare.equals.len = 0;
        str own = key_of_column(k, &bare, e->source, e->column, (str){0});
        if (str_equal(first, own)) {
            continue;
        }
        str key = arena_printf(k->a, "%.*s=%.*s", STR_ARG(first), STR_ARG(own));
        const equal_column *o = &f->equals.ptr[partner_of(f, i)];
        str text = arena_printf(k->a, "%.*s.%.*s = %.*s.%.*s",
                                STR_ARG(key_source_name(o->source)),
                                STR_ARG(o->source->columns[o->column].name),
                                STR_ARG(key_source_name(e->source)),
                                STR_ARG(e->source->columns[e->column].name));
        key_add_fact(k, out, joins_sources(f, i) ? CLAUSE_JOIN : CLAUSE_WHERE,
                     key, key_same_text(text));
    }
}

void key_add_joins(keyer *k, key_frame *f, const key_joins *j, fact_list *out)
{
    condition_list joining = {0};
    condition_list rest = {0};
    add_classes(k, f, out);
    for (ptrdiff_t i = 0; i < j->inner.len; i++) {
        const key_condition *c = &j->inner.ptr[i];
        equal_column sides[2];
        bool equates = is_equality(k, f, j, c, sides);
        if (!equates || !makes_class(sides)) {
            bool joins =
                equates && (c->merge || sides[0].source != sides[1].source);
            *vec_push(k->a, joins ? &joining : &rest) = *c;
        }
    }
    key_add_conditions(k, f, CLAUSE_JOIN, &joining, out);
    key_add_conditions(k, f, CLAUSE_WHERE, &rest, out);
    for (ptrdiff_t i = 0; i < j->outer.len; i++) {
        add_outer(k, f, &j->outer.ptr[i], out);
    }
}
