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
 * Invariant   The facts of one kind stand together: clauses_block.c sorts
 *             them.
 *
 * Cost        quadratic in the facts of a clause, of which at most DIFF_MOST
 *             are looked at; LISTED_MAX are named.
 */
#include "relation/clauses.h"
#include "relation/relation_diff.h"

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
            assert(&c->facts[i] == r.ptr + r.n);  // the invariant
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
                            STR_ARG(clause_words[kind]), STR_ARG(what));
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

typedef struct clause_sides {
    range gold;
    range pred;
    bool is_full;  // as it is said
} clause_sides;

// Passes of the search. The same words without an equal key are another use of
// a table that is there more than once.
enum {
    BY_WHOLE,
    BY_KEY,
    BY_TEXT,
    PASSES,
};

static bool is_same_fact(const void *context,
                         diff_side side,
                         ptrdiff_t one,
                         ptrdiff_t other,
                         int pass)
{
    const clause_sides *s = context;
    (void)side;  // lists of facts are no sets
    assert(side == DIFF_GOLD);
    const clause_fact *g = &s->gold.ptr[one];
    const clause_fact *p = &s->pred.ptr[other];
    if (pass == BY_TEXT) {
        return s->is_full ? str_equal(g->text.full, p->text.full)
                          : str_equal(g->text.bare, p->text.bare);
    }
    return str_equal(g->key, p->key)
           && (pass == BY_KEY || str_equal(g->whole, p->whole));
}

// The first that has the same key but other constants.
static void say_constants(diff *d,
                          clause_kind kind,
                          range gold,
                          range pred,
                          const relation_diff *found)
{
    for (ptrdiff_t i = 0; i < gold.n; i++) {
        const clause_fact *p = &pred.ptr[found->partner[DIFF_GOLD][i]];
        if (found->pass[DIFF_GOLD][i] == BY_KEY) {
            say(d, kind,
                arena_printf(d->a, "%.*s instead of %.*s",
                             STR_ARG(text_of(d, p)),
                             STR_ARG(text_of(d, &gold.ptr[i]))));
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

// What only one side has.
static str list_unmatched(const diff *d,
                          range gold,
                          range pred,
                          const relation_diff *found)
{
    buf b = buf_new(d->a);
    int n = 0;
    for (ptrdiff_t i = 0; i < gold.n; i++) {
        bool is_alone = found->partner[DIFF_GOLD][i] < 0;
        if (is_alone || found->pass[DIFF_GOLD][i] == BY_TEXT) {
            const clause_text *text = &gold.ptr[i].text;
            bool has_table = d->is_full && !str_equal(text->full, text->bare);
            list_one(&b, n++, text_of(d, &gold.ptr[i]),
                     is_alone    ? "is missing"
                     : has_table ? "is about another use of its table"
                                 : "is about other tables");
        }
    }
    n = 0;
    for (ptrdiff_t i = -1;
         (i = relation_diff_next(found, DIFF_PRED, i)) >= 0;) {
        list_one(&b, n++, text_of(d, &pred.ptr[i]), "is too much");
    }
    return buf_str(&b);
}

static ptrdiff_t count_matched(const relation_diff *found)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < found->n[DIFF_GOLD]; i++) {
        n += found->partner[DIFF_GOLD][i] >= 0
             && found->pass[DIFF_GOLD][i] != BY_TEXT;
    }
    return n;
}

static void compare_clause(diff *d,
                           const clauses *gold,
                           const clauses *pred,
                           clause_kind kind)
{
    range g = facts_of(gold, kind);
    range p = facts_of(pred, kind);
    part_count *part = &d->out.parts[kind];
    part->gold += g.n;
    part->pred += p.n;
    bool in_order = same_sequence(g, p);
    if (g.n > DIFF_MOST || p.n > DIFF_MOST) {
        part->matched += in_order ? g.n : 0;  // they are sorted
        if (!in_order) {
            say(d, kind, S("too many to be listed"));
        }
        return;
    }
    relation_diff found = relation_diff_of(
        d->a, &(diff_question){.is_same = is_same_fact,
                               .context = &(clause_sides){g, p, d->is_full},
                               .n = {g.n, p.n},
                               .passes = PASSES});
    ptrdiff_t n = count_matched(&found);
    bool is_same = n == g.n && n == p.n;
    bool is_moved = is_same && kind == CLAUSE_ORDER && !in_order;
    part->matched += is_moved ? 0 : n;
    if (is_moved) {
        say(d, kind, S("the same keys in another order"));
    } else if (is_same) {
        say_constants(d, kind, g, p, &found);
    } else {
        say(d, kind, list_unmatched(d, g, p, &found));
    }
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
