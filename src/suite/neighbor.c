/*
 * neighbor.c - walks a query and changes one thing at a time.
 *
 * Method      For each node, parents first, the steps of its kind are taken
 *             (neighbor_step.def). What is known on the way down (the block,
 *             whether it is the condition of a join) goes along in the site. A
 *             change is made in the tree itself, the whole query is printed,
 *             and the change is taken back from a list of what was there; a
 *             text that was printed before is dropped. When there are more than
 *             `max`, that many are drawn at random, each with the same chance,
 *             in their order.
 *
 * Invariants  (1) When a step is taken, the tree is as it was.
 *             (2) The first text in `seen` is the gold's: no neighbor equals
 *                 it, and no two are equal.
 *             (3) New nodes live in `trees`, which walk() gives back: memory
 *                 for them is bounded by the changes of one node.
 *
 * Cost        one print of the query for each change, some dozens for each
 *             node; MOST_BYTES of printed text end it, so that a query of a
 *             megabyte comes to an end. Memory holds the texts that are kept.
 */
#include "suite/neighbor.h"

#include "base/words.h"
#include "sql/name.h"
#include "sql/print.h"
#include "suite/neighbor_change.h"

#include <assert.h>
#include <string.h>

enum {
    // Bytes of printed queries: one of a megabyte must come to an end.
    MOST_BYTES = 64 << 20
};

static const struct {
    str word;
} kinds[] = {
#define NEIGHBOR(constant, word, text) {S_INIT(word)},
#include "suite/neighbor.def"
};

_Static_assert(countof(kinds) == NEIGHBOR_KIND_COUNT, "each kind has a word");

WORDS_OF(neighbor, neighbor_kind, kinds)

static str print_root(changer *c, arena *a)
{
    return print_line(a, c->root, c->options->dialect, c->scratch);
}

struct changed {
    changed *next;
    void *at;
    str was;
};

static void remember(changer *c, void *at, ptrdiff_t size)
{
    changed *of = arena_new(&c->trees, changed, 1);
    *of = (changed){c->changed, at, arena_str(&c->trees, (str){at, size})};
    c->changed = of;
}

void changer_set(changer *c, ast **slot, ast *node)
{
    remember(c, slot, sizeof *slot);
    *slot = node;
}

ast *changer_edit(changer *c, ast *n)
{
    ptrdiff_t kids = ast_kid_count((ast_kind)n->kind);
    remember(c, n, (ptrdiff_t)sizeof *n + kids * (ptrdiff_t)sizeof(ast *));
    return n;
}

static void keep(changer *c, neighbor_kind kind)
{
    arena trees = c->trees;
    str sql = print_root(c, &trees);
    c->n_bytes += sql.len;
    ptrdiff_t n = map_count(&c->seen);
    if (map_add(&c->seen, c->a, sql) == n) {
        *vec_push(c->a, &c->out) =
            (neighbor){kind, map_key_at(&c->seen, n), c->spelled};
    }
}

void changer_emit(changer *c, neighbor_kind kind)
{
    assert(kind < NEIGHBOR_KIND_COUNT);
    if (c->n_bytes <= MOST_BYTES) {
        keep(c, kind);
    }
    for (; c->changed; c->changed = c->changed->next) {
        str was = c->changed->was;
        memcpy(c->changed->at, was.ptr, (size_t)was.len);
    }
}

void changer_child(changer *c, neighbor_kind kind, ast **slot, ast *node)
{
    changer_set(c, slot, node);
    changer_emit(c, kind);
}

void changer_put(changer *c, neighbor_kind kind, ast **slot, ast *node)
{
    assert(*slot && node);
    changer_set(c, &node->next, (*slot)->next);
    changer_child(c, kind, slot, node);
}

void changer_without(changer *c, neighbor_kind kind, ast **kid)
{
    if (*kid) {
        changer_child(c, kind, kid, NULL);
    }
}

void changer_drop_each(changer *c, neighbor_kind kind, ast **list)
{
    bool has_several = *list && (*list)->next;
    for (ast **slot = list; has_several && *slot; slot = &(*slot)->next) {
        changer_child(c, kind, slot, (*slot)->next);
    }
}

void changer_flags(changer *c, neighbor_kind kind, ast *n, uint16_t flags)
{
    changer_edit(c, n)->flags = flags;
    changer_emit(c, kind);
}

void changer_form(changer *c, neighbor_kind kind, ast *n, int form)
{
    assert(form >= 0 && form <= UINT8_MAX);
    changer_edit(c, n)->form = (uint8_t)form;
    changer_emit(c, kind);
}

void changer_swap(changer *c, neighbor_kind kind, ast **slot, ast **other)
{
    ast *node = *slot;
    changer_set(c, slot, *other);
    changer_child(c, kind, other, node);
}

ast *changer_new(changer *c, node_draft d)
{
    ast *n = ast_new(&c->trees, d.kind);
    assert(d.form >= 0 && d.form <= UINT8_MAX);
    assert(ast_kid_count(d.kind) <= countof(d.kids));
    n->form = (uint8_t)d.form;
    n->flags = (uint16_t)d.flags;
    n->text = d.text;
    memcpy(n->kid, d.kids, (size_t)ast_kid_count(d.kind) * sizeof *d.kids);
    return n;
}

static ast *unary(changer *c, sql_operator o, ast *n)
{
    return changer_new(c, (node_draft){.kind = AST_UNARY,
                                       .form = (int)o,
                                       .kids = {[UNARY_EXPR] = n}});
}

ast *changer_not(changer *c, ast *n)
{
    return unary(c, OPERATOR_NOT, n);
}

ast *changer_number(changer *c, str text)
{
    if (str_starts(text, S("-"))) {
        return unary(c, OPERATOR_NEGATE, changer_number(c, str_skip(text, 1)));
    }
    return changer_new(c, (node_draft){.kind = AST_NUMBER, .text = text});
}

ast *changer_string(changer *c, str content)
{
    return changer_new(c,
                       (node_draft){.kind = AST_STRING,
                                    .text = name_literal(&c->trees, content)});
}

ast *changer_binary(changer *c, sql_operator o, ast *left, ast *right)
{
    return changer_new(
        c,
        (node_draft){.kind = AST_BINARY,
                     .form = (int)o,
                     .kids = {[BINARY_LEFT] = left, [BINARY_RIGHT] = right}});
}

ast *changer_is_null(changer *c, const ast *n)
{
    return changer_binary(c, OPERATOR_IS, ast_copy(&c->trees, n),
                          changer_new(c, (node_draft){.kind = AST_NULL}));
}

ast *changer_call(changer *c, str name, ast *argument)
{
    return changer_new(c, (node_draft){.kind = AST_CALL,
                                       .text = name,
                                       .kids = {[CALL_ARGS] = argument}});
}

ast *changer_count(changer *c)
{
    return changer_call(c, S("COUNT"),
                        changer_new(c, (node_draft){.kind = AST_STAR}));
}

ast *changer_subquery(changer *c, ast *query)
{
    return changer_new(c, (node_draft){.kind = AST_SUBQUERY,
                                       .kids = {[SUBQUERY_QUERY] = query}});
}

ast *changer_first(changer *c)
{
    return changer_new(
        c, (node_draft){.kind = AST_LIMIT,
                        .kids = {[LIMIT_COUNT] = changer_number(c, S("1"))}});
}

// What can be changed at nodes of a kind.
typedef struct step {
    ast_kind node;
    enum {
        WITHOUT_CHILD,
        FEWER_CHILDREN,
        CHILD_ALONE,
        CALL_CHANGE,
    } how;
    int child;
    neighbor_kind kind;
    change *call;
} step;

static const step steps[] = {
#define WITHOUT(node, child, kind) \
    {AST_##node, WITHOUT_CHILD, node##_##child, NEIGHBOR_##kind, NULL},
#define FEWER(node, child, kind) \
    {AST_##node, FEWER_CHILDREN, node##_##child, NEIGHBOR_##kind, NULL},
#define ALONE(node, child, kind) \
    {AST_##node, CHILD_ALONE, node##_##child, NEIGHBOR_##kind, NULL},
#define CALL(node, function) {AST_##node, CALL_CHANGE, 0, 0, function},
#include "suite/neighbor_step.def"
};

static void take(changer *c, const step *to, const site *s, ast *n)
{
    ast **kid = &n->kid[to->child];
    switch (to->how) {
    case WITHOUT_CHILD: changer_without(c, to->kind, kid); break;
    case FEWER_CHILDREN: changer_drop_each(c, to->kind, kid); break;
    case CHILD_ALONE: changer_put(c, to->kind, s->slot, *kid); break;
    case CALL_CHANGE: to->call(c, s, n); break;
    }
}

bool changer_is_scalar(const site *s, const ast *n)
{
    return ast_is_query(n) && s->parent && s->parent->kind == AST_SUBQUERY
           && !s->is_set;
}

// What is known of a child, from what is known of its parent.
static site site_below(const site *s, int kid)
{
    ast *n = *s->slot;
    site below = *s;
    below.parent = n;
    below.kid = kid;
    below.is_pattern = false;
    below.is_set = false;
    if (n->kind == AST_SELECT) {
        below.block = s->own;
        below.select = n;
        below.in_on = false;
        below.in_limit = false;
    }
    bool is_like = n->kind == AST_BINARY
                   && (n->form == OPERATOR_LIKE || n->form == OPERATOR_ILIKE);
    below.is_pattern = is_like && kid == BINARY_RIGHT;
    below.in_on |= n->kind == AST_JOIN && kid == JOIN_ON;
    below.in_limit |= n->kind == AST_LIMIT;
    below.is_scalar = below.in_limit ? s->is_scalar : changer_is_scalar(s, n);
    bool is_union = n->kind == AST_SETOP && !(n->flags & AST_FLAG_ALL)
                    && (kid == SETOP_LEFT || kid == SETOP_RIGHT);
    below.is_set = is_union || n->kind == AST_EXISTS
                   || (n->kind == AST_IN && kid == IN_SOURCE)
                   || (s->is_set && n->kind == AST_SUBQUERY);
    return below;
}

static void walk(changer *c, const site *s)
{
    assert(*s->slot);
    ast *n = *s->slot;
    for (ptrdiff_t i = 0; i < countof(steps); i++) {
        if (steps[i].node == n->kind) {
            const ast before = *n;
            arena trees = c->trees;
            take(c, &steps[i], s, n);
            c->trees = trees;
            assert(!c->changed);
            assert(*s->slot == n && n->next == before.next);  // invariant 1
            assert(n->form == before.form && n->flags == before.flags);
            (void)before;  // a release asserts nothing
        }
    }
    for (int kid = 0; kid < ast_kid_count((ast_kind)n->kind); kid++) {
        site below = site_below(s, kid);
        for (ast **slot = &n->kid[kid]; *slot; slot = &(*slot)->next) {
            below.slot = slot;
            below.own = bind_block_at(c->binding, *slot);
            walk(c, &below);
        }
    }
}

// Draws `max` of them, in their order.
static void thin_out(changer *c, ptrdiff_t max)
{
    ptrdiff_t left = max;
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < c->out.len; i++) {
        if (rng_below(&c->rng, c->out.len - i) < left) {
            c->out.ptr[kept++] = c->out.ptr[i];
            left--;
        }
    }
    assert(left == 0 && kept == max);
    c->out.len = kept;
}

neighbor_list neighbors_of(arena *a,
                           ast *query,
                           const binding *b,
                           const neighbor_options *options,
                           arena scratch)
{
    changer c = {
        .a = a,
        .root = query,
        .binding = b,
        .options = options,
        .rng = {options->seed},
    };
    c.scratch = arena_half(&scratch);
    c.trees = scratch;
    ast *next = query->next;
    query->next = NULL;
    map_add(&c.seen, a, print_root(&c, &scratch));
    walk(&c, &(site){.slot = &c.root, .own = bind_block_at(b, query)});
    assert(c.root == query && !query->next);  // invariant 1
    query->next = next;
    if (options->max > 0 && c.out.len > options->max) {
        thin_out(&c, options->max);
    }
    return c.out;
}
