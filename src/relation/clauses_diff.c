/*
 * clauses_diff.c - in which clauses two queries differ, in words.
 *
 * Method      The facts of each clause are matched by key, those that also
 *             agree in their constants first, so that `a > 1` finds `a > 1`
 *             before `a > 2`. What has no partner on one side is missing, on
 *             the other too much; equal words without an equal key are the same
 *             condition about another use of a table. Set operations are
 *             compared side by side, or, where only one query has one, with its
 *             left side.
 *
 * Invariants  (1) The facts of one kind stand together (clauses_block.c sorts
 *                 them).
 *             (2) A fact has at most one partner.
 *
 * Cost        quadratic in the facts of a clause, of which at most FACTS_MAX
 *             are looked at; LISTED_MAX are named.
 */
#include "relation/clauses.h"

#include <assert.h>

typedef struct diff {
    arena *a;
    clause_diff out;
    str before;    // "left of UNION: "
    bool is_full;  // tables are named, in both queries
    int depth;
} diff;

typedef struct range {
    const clause_fact *ptr;
    ptrdiff_t n;
} range;

static range facts_of(const clauses *c, clause_kind kind)
{
    range r = {0};
    for (ptrdiff_t i = 0; i < c->n; i++) {
        if (c->facts[i].kind == kind) {
            r.ptr = r.n == 0 ? &c->facts[i] : r.ptr;
            assert(&c->facts[i] == r.ptr + r.n);  // invariant 1
            r.n++;
        }
    }
    return r;
}

static str text_of(const diff *d, const clause_fact *f)
{
    return d->is_full ? f->text.full : f->text.bare;
}

static void say(diff *d, clause_kind kind, str what)
{
    if (d->out.words.len >= CLAUSE_WORDS_MAX) {
        return;
    }
    str text = arena_printf(d->a, "%.*s%.*s: %.*s", STR_ARG(d->before),
                            STR_ARG(clause_word(kind)), STR_ARG(what));
    str *place = vec_push(d->a, &d->out.words);
    *place = text;
}

enum {
    LISTED_MAX = 3,  // facts of a clause that are named
};

static void list_one(buf *b, int n, str text, const char *how)
{
    if (n < LISTED_MAX) {
        buf_printf(b, "%s%.*s %s", b->len > 0 ? ", " : "", STR_ARG(text), how);
    } else if (n == LISTED_MAX) {
        buf_add(b, S(", and more"));
    }
}

// Marks a partner for gold fact `i`, if there is one that has none yet.
static bool match_one(range gold,
                      range pred,
                      ptrdiff_t i,
                      bool by_whole,
                      bool *marks)
{
    for (ptrdiff_t j = 0; j < pred.n && !marks[i]; j++) {
        bool is_same =
            !marks[gold.n + j] && str_equal(gold.ptr[i].key, pred.ptr[j].key)
            && (!by_whole || str_equal(gold.ptr[i].whole, pred.ptr[j].whole));
        if (is_same) {
            assert(!marks[i] && !marks[gold.n + j]);  // invariant 2
            marks[i] = true;
            marks[gold.n + j] = true;
            return true;
        }
    }
    return false;
}

// Marks what both have; keys may repeat. False when there are too many.
static bool match(diff *d,
                  range gold,
                  range pred,
                  bool **in_both,
                  ptrdiff_t *n_matched)
{
    enum {
        FACTS_MAX = 1000
    };
    if (gold.n > FACTS_MAX || pred.n > FACTS_MAX) {
        return false;
    }
    bool *marks = arena_new(d->a, bool, gold.n + pred.n + 1);
    *n_matched = 0;
    for (int by_whole = 1; by_whole >= 0; by_whole--) {
        for (ptrdiff_t i = 0; i < gold.n; i++) {
            *n_matched += match_one(gold, pred, i, by_whole == 1, marks);
        }
    }
    assert(*n_matched <= gold.n && *n_matched <= pred.n);
    *in_both = marks;
    return true;
}

// What has the same key but other constants.
static void say_constants(diff *d, clause_kind kind, range gold, range pred)
{
    ptrdiff_t j = 0;
    for (ptrdiff_t i = 0; i < gold.n && gold.n == pred.n; i++, j++) {
        const clause_fact *g = &gold.ptr[i];
        const clause_fact *p = &pred.ptr[j];
        if (str_equal(g->key, p->key) && !str_equal(g->whole, p->whole)) {
            say(d, kind,
                arena_printf(d->a, "%.*s instead of %.*s",
                             STR_ARG(text_of(d, p)), STR_ARG(text_of(d, g))));
            return;
        }
    }
}

static bool same_sequence(range gold, range pred)
{
    for (ptrdiff_t i = 0; i < gold.n && i < pred.n; i++) {
        if (!str_equal(gold.ptr[i].key, pred.ptr[i].key)) {
            return false;
        }
    }
    return gold.n == pred.n;
}

// What only one side has. The same words on both sides mean another use of a
// table that is there more than once.
static void list_unmatched(const diff *d,
                           buf *b,
                           range gold,
                           range pred,
                           bool *marks)
{
    int n = 0;
    for (ptrdiff_t i = 0; i < gold.n; i++) {
        bool is_moved = false;
        for (ptrdiff_t j = 0; j < pred.n && !marks[i] && !is_moved; j++) {
            is_moved = !marks[gold.n + j]
                       && str_equal(text_of(d, &gold.ptr[i]),
                                    text_of(d, &pred.ptr[j]));
            marks[gold.n + j] |= is_moved;
        }
        if (!marks[i]) {
            const clause_text *text = &gold.ptr[i].text;
            bool has_table = d->is_full && !str_equal(text->full, text->bare);
            list_one(b, n++, text_of(d, &gold.ptr[i]),
                     !is_moved   ? "is missing"
                     : has_table ? "is about another use of its table"
                                 : "is about other tables");
        }
    }
    n = 0;
    for (ptrdiff_t i = 0; i < pred.n; i++) {
        if (!marks[gold.n + i]) {
            list_one(b, n++, text_of(d, &pred.ptr[i]), "is too much");
        }
    }
}

static void compare_clause(diff *d,
                           const clauses *gold,
                           const clauses *pred,
                           clause_kind kind)
{
    range g = facts_of(gold, kind);
    range p = facts_of(pred, kind);
    bool *marks;
    ptrdiff_t n_matched;
    clause_side *part = &d->out.parts[kind];
    part->gold += g.n;
    part->pred += p.n;
    if (!match(d, g, p, &marks, &n_matched)) {
        bool is_equal = same_sequence(g, p);  // they are sorted
        part->matched += is_equal ? g.n : 0;
        if (!is_equal) {
            say(d, kind, S("too many to be listed"));
        }
        return;
    }
    bool is_same = n_matched == g.n && n_matched == p.n;
    bool is_moved = is_same && kind == CLAUSE_ORDER && !same_sequence(g, p);
    part->matched += is_moved ? 0 : n_matched;
    if (is_moved) {
        say(d, kind, S("the same keys in another order"));
        return;
    }
    if (is_same) {
        say_constants(d, kind, g, p);
        return;
    }
    buf b = buf_new(d->a);
    list_unmatched(d, &b, g, p, marks);
    say(d, kind, buf_str(&b));
}

static void compare(diff *d, const clauses *gold, const clauses *pred);

static void compare_side(diff *d,
                         const clauses *gold,
                         const clauses *pred,
                         const char *side,
                         const clauses *top)
{
    str before = d->before;
    range op = facts_of(top, CLAUSE_SETOP);
    d->before = arena_printf(d->a, "%.*s%s of %.*s: ", STR_ARG(before), side,
                             op.n > 0 ? (int)op.ptr[0].text.bare.len : 0,
                             op.n > 0 ? op.ptr[0].text.bare.ptr : "");
    compare(d, gold, pred);
    d->before = before;
}

static void compare(diff *d, const clauses *gold, const clauses *pred)
{
    enum {
        DEPTH_MAX = 8
    };
    if (d->depth++ > DEPTH_MAX) {
        d->depth--;
        return;
    }
    // One side is a set operation: its left side is what there is to compare.
    const clauses *g = gold;
    const clauses *p = pred;
    if (gold->left && !pred->left) {
        compare_clause(d, gold, pred, CLAUSE_SETOP);
        g = gold->left;
    } else if (pred->left && !gold->left) {
        compare_clause(d, gold, pred, CLAUSE_SETOP);
        p = pred->left;
    }
    if (g != gold || p != pred) {
        compare(d, g, p);
    } else {
        for (int k = 0; k < CLAUSE_COUNT; k++) {
            compare_clause(d, gold, pred, (clause_kind)k);
        }
        if (gold->left && pred->left) {
            compare_side(d, gold->left, pred->left, "left", gold);
            compare_side(d, gold->right, pred->right, "right", gold);
        }
    }
    d->depth--;
}

clause_diff clauses_compare(arena *a, const clauses *gold, const clauses *pred)
{
    diff d = {.a = a, .is_full = gold->is_joined || pred->is_joined};
    if (gold->is_cut || pred->is_cut) {
        return d.out;
    }
    compare(&d, gold, pred);
    assert(d.depth == 0);
    d.out.is_same = str_equal(gold->key, pred->key);
    return d.out;
}
