/*
 * clauses_join.c - the conditions of a block: ON and WHERE of inner joins are
 * one; columns that they equate are one column.
 *
 * An ON of an outer join stays where it is, as part of what that join is; a
 * RIGHT JOIN is a LEFT JOIN written from the other side.
 */
#include "intent/clauses_internal.h"
#include "sql/print.h"

void key_add_fact(keyer *k,
                  fact_list *out,
                  clause_kind kind,
                  str key,
                  clause_text text)
{
    clause_fact *f = vec_push(k->a, out);
    *f = (clause_fact){.kind = kind, .key = key, .text = text};
}

void key_split(keyer *k, const ast *n, bool is_negated, condition_list *out)
{
    if (!n) {
        return;
    }
    bool is_not = n->kind == AST_UNARY && n->form == OPERATOR_NOT;
    int joint = is_negated ? OPERATOR_OR : OPERATOR_AND;
    if (is_not) {
        key_split(k, n->kid[UNARY_EXPR], !is_negated, out);
    } else if (n->kind == AST_BINARY && n->form == joint) {
        key_split(k, n->kid[BINARY_LEFT], is_negated, out);
        key_split(k, n->kid[BINARY_RIGHT], is_negated, out);
    } else {
        key_condition *c = vec_push(k->a, out);
        *c = (key_condition){.node = n, .is_negated = is_negated};
    }
}

typedef struct join_walk {
    keyer *k;
    const bound_block *block;
    key_joins joins;
    key_outer *within;  // the outer join on whose missing side this lies
} join_walk;

static const ast *below_names(const ast *n)
{
    while (n) {
        if (n->kind == AST_ALIAS) {
            n = n->kid[ALIAS_EXPR];
        } else if (n->kind == AST_SAMPLE) {
            n = n->kid[SAMPLE_SOURCE];
        } else if (n->kind == AST_LATERAL) {
            n = n->kid[LATERAL_SOURCE];
        } else {
            break;
        }
    }
    return n;
}

static void add_sources(join_walk *w, const ast *n, key_outer *o)
{
    n = below_names(n);
    if (!n) {
        return;
    }
    if (n->kind == AST_JOIN) {
        add_sources(w, n->kid[JOIN_LEFT], o);
        add_sources(w, n->kid[JOIN_RIGHT], o);
        return;
    }
    if (n->kind == AST_RESTRICTED) {
        add_sources(w, n->kid[RESTRICTED_SOURCE], o);
        return;
    }
    const bound_source *s = bind_source_at(w->k->b, n);
    if (s && s->block == w->block && o->n_sources < w->block->n_sources) {
        o->sources[o->n_sources++] = s;
        w->joins.is_missing[s->no] = true;
    }
}

static void add_merges(join_walk *w, const ast *join, condition_list *out)
{
    for (ptrdiff_t i = 0; i < w->block->n_merges; i++) {
        const bound_merge *m = &w->block->merges[i];
        if (m->join == join) {
            key_condition *c = vec_push(w->k->a, out);
            *c = (key_condition){.merge = m};
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
    o->join = n;
    o->sources = (const bound_source **)arena_alloc(w->k->a, sizeof *o->sources,
                                                    _Alignof(max_align_t),
                                                    w->block->n_sources);
    key_outer *around = w->within;
    w->within = left ? o : around;
    walk(w, n->kid[JOIN_LEFT]);
    w->within = right ? o : around;
    walk(w, n->kid[JOIN_RIGHT]);
    w->within = around;
    if (left) {
        add_sources(w, n->kid[JOIN_LEFT], o);
    }
    if (right) {
        add_sources(w, n->kid[JOIN_RIGHT], o);
    }
    key_split(w->k, n->kid[JOIN_ON], false, &o->on);
    add_merges(w, n, &o->on);
    key_outer *kept = vec_push(w->k->a, &w->joins.outer);
    *kept = *o;
}

static void walk(join_walk *w, const ast *n)
{
    n = below_names(n);
    if (!n) {
        return;
    }
    condition_list *on = w->within ? &w->within->on : &w->joins.inner;
    if (n->kind == AST_RESTRICTED) {
        walk(w, n->kid[RESTRICTED_SOURCE]);
        key_split(w->k, n->kid[RESTRICTED_ON], false, on);
    } else if (n->kind == AST_JOIN && is_outer(n)) {
        walk_outer(w, n);
    } else if (n->kind == AST_JOIN) {
        walk(w, n->kid[JOIN_LEFT]);
        walk(w, n->kid[JOIN_RIGHT]);
        key_split(w->k, n->kid[JOIN_ON], false, on);
        add_merges(w, n, on);
    }
}

key_joins key_joins_of(keyer *k, const bound_block *block)
{
    join_walk w = {.k = k, .block = block};
    w.joins.is_missing = arena_new(k->a, bool, block->n_sources + 1);
    if (block->node->kind == AST_SELECT) {
        walk(&w, block->node->kid[SELECT_FROM]);
        key_split(k, block->node->kid[SELECT_WHERE], false, &w.joins.inner);
    }
    return w.joins;
}

static int32_t place_of(keyer *k,
                        key_frame *f,
                        const bound_source *source,
                        int32_t column)
{
    int32_t at = key_find_equal(f, source, column);
    if (at >= 0) {
        return at;
    }
    *vec_push(k->a, &f->equals) = (equal_column){source, column};
    return partition_add(&f->classes, k->a);
}

static void equate(keyer *k,
                   key_frame *f,
                   const bound_source *left,
                   int32_t left_column,
                   const bound_source *right,
                   int32_t right_column)
{
    int32_t x = place_of(k, f, left, left_column);
    partition_join(&f->classes, x, place_of(k, f, right, right_column));
}

// A column of this block that is always there.
static const bound_ref *own_column(const keyer *k,
                                   const key_frame *f,
                                   const key_joins *j,
                                   const ast *n)
{
    const bound_ref *ref =
        n && n->kind == AST_COLUMN ? bind_ref(k->b, n) : NULL;
    bool is_own = ref && ref->kind == REF_COLUMN && ref->depth == 0
                  && ref->column >= 0 && ref->source->block == f->block
                  && !ref->is_merged;
    return is_own && !j->is_missing[ref->source->no] ? ref : NULL;
}

bool key_is_equality(const keyer *k,
                     const key_frame *f,
                     const key_joins *j,
                     const key_condition *c,
                     const bound_ref **left,
                     const bound_ref **right)
{
    const ast *n = c->node;
    bool is_equal =
        n && !c->is_negated && n->kind == AST_BINARY
        && (n->form == OPERATOR_EQUAL || n->form == OPERATOR_EQUAL_EQUAL);
    if (!is_equal) {
        return false;
    }
    *left = own_column(k, f, j, n->kid[BINARY_LEFT]);
    *right = own_column(k, f, j, n->kid[BINARY_RIGHT]);
    return *left && *right;
}

// Equal columns of one affinity show equal values; '3' = 3 does not.
static bool are_alike(const bound_source *left,
                      int32_t left_column,
                      const bound_source *right,
                      int32_t right_column)
{
    schema_affinity x = left->columns[left_column].affinity;
    schema_affinity y = right->columns[right_column].affinity;
    x = x == AFFINITY_INTEGER || x == AFFINITY_REAL ? AFFINITY_NUMERIC : x;
    y = y == AFFINITY_INTEGER || y == AFFINITY_REAL ? AFFINITY_NUMERIC : y;
    return x == y;
}

static bool makes_class(const keyer *k,
                        const key_frame *f,
                        const key_joins *j,
                        const key_condition *c)
{
    const bound_ref *left;
    const bound_ref *right;
    if (c->merge) {
        return are_alike(c->merge->left, c->merge->left_column, c->merge->right,
                         c->merge->right_column);
    }
    return key_is_equality(k, f, j, c, &left, &right)
           && are_alike(left->source, left->column, right->source,
                        right->column);
}

void key_equate(keyer *k, key_frame *f, const key_joins *j)
{
    const bound_ref *left;
    const bound_ref *right;
    for (ptrdiff_t i = 0; i < j->inner.len; i++) {
        const key_condition *c = &j->inner.ptr[i];
        if (!makes_class(k, f, j, c)) {
            continue;
        }
        if (c->merge) {
            equate(k, f, c->merge->left, c->merge->left_column, c->merge->right,
                   c->merge->right_column);
        } else if (key_is_equality(k, f, j, c, &left, &right)) {
            equate(k, f, left->source, left->column, right->source,
                   right->column);
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
        key_conjuncts(k, f, c->node, c->is_negated, keys);
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
        add_keys(k, f, &list->ptr[i], &keys);
        clause_text text = list->ptr[i].node
                               ? key_print(k, list->ptr[i].node)
                               : key_same_text(list->ptr[i].merge->name);
        if (list->ptr[i].is_negated) {
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
    for (ptrdiff_t i = 0; i < o->n_sources; i++) {
        key_add(k, &parts, f->labels[o->sources[i]->no]);
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
    const bound_ref *left;
    const bound_ref *right;
    condition_list joining = {0};
    condition_list rest = {0};
    add_classes(k, f, out);
    for (ptrdiff_t i = 0; i < j->inner.len; i++) {
        const key_condition *c = &j->inner.ptr[i];
        if (makes_class(k, f, j, c)) {
            continue;
        }
        bool joins = c->merge
                     || (key_is_equality(k, f, j, c, &left, &right)
                         && left->source != right->source);
        key_condition *kept = vec_push(k->a, joins ? &joining : &rest);
        *kept = *c;
    }
    key_add_conditions(k, f, CLAUSE_JOIN, &joining, out);
    key_add_conditions(k, f, CLAUSE_WHERE, &rest, out);
    for (ptrdiff_t i = 0; i < j->outer.len; i++) {
        add_outer(k, f, &j->outer.ptr[i], out);
    }
}
