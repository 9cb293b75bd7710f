/*
 * pragmatic.c - see pragmatic.h.
 *
 * Method      Are the results the same, or the same but for format
 *             (pragmatic_rows.c)? Are both after the same (pragmatic_intent.c)?
 *             This is asked also where results differ: which row a LIMIT picks
 *             at a tie changes every cell. Each question is asked with all
 *             leniencies that the profile accepts, then with those that it
 *             leaves open, then with all there are: what the difference needs
 *             decides. A yes is tried with one leniency less at a time, so that
 *             the verdict names those that it needs and no other. Where intents
 *             differ, what came out may still tell that the prediction is
 *             wrong. Two empty results prove nothing: there only intents are
 *             compared.
 */
#include "metric/pragmatic.h"

#include "base/buf.h"
#include "evaluators/evaluator.h"
#include "metric/pragmatic_internal.h"
#include "metric/pragmatic_rows.h"
#include "schema/bind_text.h"

static const uint32_t ALL_LENIENCIES = (1U << LENIENCY_COUNT) - 1;

static bool accepts(uint32_t bits, uint32_t bit)
{
    return (bits & bit) != 0;
}

// The same texts on both sides; else the first that is missing is said.
static bool same_texts(pragmatic_pair *u,
                       const char *what,
                       const str_list *gold,
                       const str_list *pred)
{
    for (ptrdiff_t i = 0; i < gold->len; i++) {
        if (!intent_has(pred, gold->ptr[i])) {
            u->why = arena_printf(u->a, "only the gold %s %.*s", what,
                                  STR_ARG(gold->ptr[i]));
            return false;
        }
    }
    for (ptrdiff_t i = 0; i < pred->len; i++) {
        if (!intent_has(gold, pred->ptr[i])) {
            u->why = arena_printf(u->a, "only the prediction %s %.*s", what,
                                  STR_ARG(pred->ptr[i]));
            return false;
        }
    }
    return true;
}

/* Conditions. */

// Letters and digits of a value, in lower case.
static str bare(arena *a, str text)
{
    char *copy = arena_new(a, char, text.len + 1);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (is_alpha(c) || is_digit(c) || (unsigned char)c >= 0x80) {
            copy[n++] = to_lower(c);
        }
    }
    return (str){copy, n};
}

// f of female, hse of house: the letters of the short one, in order, the first
// ones the same. Numbers have no abbreviations.
static bool is_short_for(str small, str large)
{
    if (small.len == 0 || small.len >= large.len || small.ptr[0] != large.ptr[0]
        || is_digit(small.ptr[0])) {
        return false;
    }
    ptrdiff_t k = 0;
    for (ptrdiff_t i = 0; i < large.len && k < small.len; i++) {
        k += large.ptr[i] == small.ptr[k];
    }
    return k == small.len;
}

static bool is_numeric(str text)
{
    double x = 0;
    return str_to_double(text, &x);
}

// Two spellings of one value. Numbers have one only; letter case is another
// leniency's matter.
static bool same_value(str x, str y, arena scratch)
{
    if ((is_numeric(x) && is_numeric(y)) || str_equal_fold(x, y)) {
        return false;
    }
    str a = bare(&scratch, x);
    str b = bare(&scratch, y);
    return str_equal(a, b) || is_short_for(a, b) || is_short_for(b, a);
}

static bool same_kept(const pragmatic_pair *u,
                      const intent_kept *g,
                      const intent_kept *p,
                      uint32_t bits)
{
    if (g->is_absent != p->is_absent || g->is_any != p->is_any) {
        return false;
    }
    if (str_equal(g->text, p->text)) {
        return true;
    }
    if (g->table < 0 || g->table != p->table
        || !str_equal(g->relation, p->relation)) {
        return false;
    }
    bool same_column =
        g->column == p->column
        || (accepts(bits, LENIENCY_BIT(ENTITY_NAME))
            && intent_is_identifying(u->gold.b->schema, g->table, g->column)
            && intent_is_identifying(u->gold.b->schema, p->table, p->column));
    return same_column
           && (str_equal(g->value, p->value)
               || (accepts(bits, LENIENCY_BIT(VALUE_SPELLING))
                   && same_value(g->value, p->value, u->work)));
}

// The first condition of one side that the other does not have; NULL: it has
// all.
static const intent_kept *missing_kept(const pragmatic_pair *u,
                                       const intent *g,
                                       const intent *p,
                                       bool of_gold,
                                       uint32_t bits)
{
    const intent *of = of_gold ? g : p;
    const intent *in = of_gold ? p : g;
    for (ptrdiff_t i = 0; i < of->keeps.len; i++) {
        const intent_kept *one = &of->keeps.ptr[i];
        bool is_there = false;
        for (ptrdiff_t k = 0; k < in->keeps.len && !is_there; k++) {
            const intent_kept *other = &in->keeps.ptr[k];
            is_there = same_kept(u, of_gold ? one : other,
                                 of_gold ? other : one, bits);
        }
        if (!is_there) {
            return one;
        }
    }
    return NULL;
}

static bool same_keeps(pragmatic_pair *u,
                       const intent *g,
                       const intent *p,
                       uint32_t bits)
{
    const intent_kept *only = missing_kept(u, g, p, true, bits);
    bool is_golds = only != NULL;
    only = only ? only : missing_kept(u, g, p, false, bits);
    if (only) {
        u->why = arena_printf(
            u->a, "only the %s keeps %s%.*s", is_golds ? "gold" : "prediction",
            only->is_absent ? "none " : "", STR_ARG(only->text));
    }
    return !only;
}

/* Tables. */

// The only text of `of` that `in` has not; empty: there is none, or are more.
static str only_extra(const str_list *of, const str_list *in)
{
    str extra = {0};
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < of->len; i++) {
        bool is_extra = !intent_has(in, of->ptr[i]);
        extra = is_extra ? of->ptr[i] : extra;
        n += is_extra;
    }
    return n == 1 ? extra : (str){0};
}

// Does the query want anything of this table but that there is a row?
static bool uses_table(const intent *in, int32_t table_no)
{
    bool uses = false;
    for (ptrdiff_t i = 0; i < in->keeps.len && !uses; i++) {
        const intent_kept *k = &in->keeps.ptr[i];
        uses = k->table == table_no && !k->is_absent;
    }
    for (ptrdiff_t i = 0; i < in->outputs.len && !uses; i++) {
        uses = in->outputs.ptr[i].table == table_no;
    }
    return uses;
}

static bool refers(const schema *s, int32_t child, int32_t parent)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
        found = s->keys[i].child == child && s->keys[i].parent == parent;
    }
    return found;
}

// Those without something: the gold takes them from rows that refer to them,
// the prediction from the table that lists them all.
static bool lists_all(pragmatic_pair *u, const intent *g, const intent *p)
{
    bool has_absent = false;
    for (ptrdiff_t i = 0; i < g->reads.len && !has_absent; i++) {
        has_absent = str_starts(g->reads.ptr[i], intent_absent);
    }
    int32_t child =
        schema_find_table(u->gold.b->schema, only_extra(&g->reads, &p->reads));
    int32_t parent =
        schema_find_table(u->gold.b->schema, only_extra(&p->reads, &g->reads));
    return has_absent && child >= 0 && parent >= 0
           && refers(u->gold.b->schema, child, parent) && !uses_table(g, child);
}

static bool same_reads(pragmatic_pair *u,
                       const intent *g,
                       const intent *p,
                       uint32_t bits)
{
    return same_texts(u, "reads", &g->reads, &p->reads)
           || (accepts(bits, LENIENCY_BIT(OUTER_JOIN)) && lists_all(u, g, p));
}

/* Outputs. */

static bool same_output(const pragmatic_pair *u,
                        const intent_output *g,
                        const intent_output *p,
                        uint32_t bits)
{
    if (g->role.len > 0 && p->role.len > 0 && !str_equal(g->role, p->role)) {
        return false;
    }
    if (str_equal(g->text, p->text)) {
        return true;
    }
    if (g->table < 0 || g->table != p->table) {
        return false;
    }
    return accepts(bits, LENIENCY_BIT(ENTITY_NAME))
           && intent_is_identifying(u->gold.b->schema, g->table, g->column)
           && intent_is_identifying(u->gold.b->schema, p->table, p->column);
}

enum {
    OUTPUTS_MAX = 64
};

// Is output i shown before already?
static bool is_repeated(const intent *g, ptrdiff_t i)
{
    for (ptrdiff_t k = 0; k < i; k++) {
        if (str_equal(g->outputs.ptr[k].text, g->outputs.ptr[i].text)) {
            return true;
        }
    }
    return false;
}

static ptrdiff_t at_most(ptrdiff_t n, ptrdiff_t most)
{
    return n < most ? n : most;
}

// Which of the gold's outputs each of the prediction's stands for, as
// gold + 1; 0: none. Those that are the same to the letter find each other
// first. A repeated one needs no second, where columns may change places.
static void pair_outputs(const pragmatic_pair *u,
                         const intent *g,
                         const intent *p,
                         uint32_t bits,
                         uint8_t of_pred[OUTPUTS_MAX])
{
    bool is_found[OUTPUTS_MAX] = {false};
    bool skips = accepts(bits, LENIENCY_BIT(COLUMN_ORDER));
    ptrdiff_t n_gold = at_most(g->outputs.len, OUTPUTS_MAX);
    ptrdiff_t n_pred = at_most(p->outputs.len, OUTPUTS_MAX);
    for (int pass = 0; pass < 2; pass++) {
        uint32_t allowed = pass == 0 ? 0 : bits;
        for (ptrdiff_t i = 0; i < n_gold; i++) {
            is_found[i] |= skips && is_repeated(g, i);
            for (ptrdiff_t k = 0; k < n_pred && !is_found[i]; k++) {
                is_found[i] = of_pred[k] == 0
                              && same_output(u, &g->outputs.ptr[i],
                                             &p->outputs.ptr[k], allowed);
                of_pred[k] = is_found[i] ? (uint8_t)(i + 1) : of_pred[k];
            }
        }
    }
}

// May the prediction leave this one out?
static bool may_miss(pragmatic_pair *u, const intent_output *o, uint32_t bits)
{
    u->why =
        arena_printf(u->a, "only the gold shows %.*s%s%.*s", STR_ARG(o->text),
                     o->role.len > 0 ? " " : "", STR_ARG(o->role));
    return accepts(bits, LENIENCY_BIT(MISSING_COLUMNS));
}

static bool same_outputs(pragmatic_pair *u,
                         const intent *g,
                         const intent *p,
                         uint32_t bits)
{
    uint8_t of_pred[OUTPUTS_MAX] = {0};
    pair_outputs(u, g, p, bits, of_pred);
    ptrdiff_t n_found = 0;
    bool in_order = true;
    ptrdiff_t last = -1;
    bool skips = accepts(bits, LENIENCY_BIT(COLUMN_ORDER));
    for (ptrdiff_t i = 0; i < g->outputs.len; i++) {
        ptrdiff_t at = 0;
        while (at < OUTPUTS_MAX && of_pred[at] != i + 1) {
            at++;
        }
        if (at < OUTPUTS_MAX) {
            in_order = in_order && at > last;
            last = at;
            n_found++;
        } else if (!(skips && is_repeated(g, i))
                   && !may_miss(u, &g->outputs.ptr[i], bits)) {
            return false;
        }
    }
    bool has_more = p->outputs.len > n_found;
    if (has_more && !accepts(bits, LENIENCY_BIT(EXTRA_COLUMNS))) {
        u->why = S("the prediction shows more columns");
        return false;
    }
    return n_found > 0
           && (in_order || accepts(bits, LENIENCY_BIT(COLUMN_ORDER)));
}

static bool same_sorts(pragmatic_pair *u,
                       const intent *g,
                       const intent *p,
                       uint32_t bits)
{
    bool is_free = g->sorts.len == 0 || accepts(bits, LENIENCY_BIT(ROW_ORDER));
    return is_free || same_texts(u, "sorts", &g->sorts, &p->sorts);
}

// Both intents as they read with these leniencies; false when one of them is
// not understood. They lie in `a`, what is left is u->work.
static bool read_intents(pragmatic_pair *u,
                         uint32_t bits,
                         intent both[2],
                         arena *a)
{
    u->work = arena_half(a);
    both[0] = intent_of(a, u->gold.b, bits, u->work);
    both[1] = intent_of(a, u->pred.b, bits, u->work);
    return both[0].is_known && both[1].is_known;
}

// Roles of columns that are only shown are as good as marks of the other side.
static bool has_mark(const intent *in, str mark)
{
    bool found = intent_has(&in->marks, mark);
    for (ptrdiff_t i = 0; i < in->outputs.len && !found; i++) {
        found = str_equal(in->outputs.ptr[i].role, mark);
    }
    return found;
}

static bool same_marks(pragmatic_pair *u, const intent *g, const intent *p)
{
    const intent *sides[] = {g, p};
    for (int side = 0; side < 2; side++) {
        const str_list *marks = &sides[side]->marks;
        for (ptrdiff_t i = 0; i < marks->len; i++) {
            if (!has_mark(sides[1 - side], marks->ptr[i])) {
                u->why = arena_printf(u->a, "only the %s has %.*s",
                                      side == 0 ? "gold" : "prediction",
                                      STR_ARG(marks->ptr[i]));
                return false;
            }
        }
    }
    return true;
}

static bool same_intent(pragmatic_pair *u, uint32_t bits)
{
    arena local = u->scratch;
    intent both[2];
    if (!u->has_schema) {
        return false;
    }
    // `SELECT *` of no table shows nothing.
    u->is_read = read_intents(u, bits, both, &local) && both[0].outputs.len > 0;
    if (!u->is_read) {
        u->why = S("one of the queries is of a form that is not understood");
        return false;
    }
    const intent *g = &both[0];
    const intent *p = &both[1];
    return same_keeps(u, g, p, bits)
           && same_texts(u, "ranks by", &g->ranks, &p->ranks)
           && same_texts(u, "groups by", &g->groups, &p->groups)
           && same_reads(u, g, p, bits) && same_marks(u, g, p)
           && same_texts(u, "counts", &g->grain, &p->grain)
           && same_outputs(u, g, p, bits) && same_sorts(u, g, p, bits);
}

static bool same_rows(pragmatic_pair *u, uint32_t bits)
{
    return pragmatic_rows_match(u->gold.sql, u->gold.result, u->pred.result,
                                u->d, bits, u->scratch);
}

/* Content? */

typedef bool pair_test(pragmatic_pair *u, uint32_t bits);

// The fewest of the accepted leniencies with which the answer is still yes.
static uint32_t fewest(pragmatic_pair *u, pair_test *asks, uint32_t bits)
{
    for (int l = LENIENCY_COUNT - 1; l >= 0; l--) {
        uint32_t less = bits & ~(1U << l);
        if (less != bits && asks(u, less)) {
            bits = less;
        }
    }
    return bits;
}

static str name_leniencies(arena *a, const char *what, uint32_t bits)
{
    buf b = buf_new(a);
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        if (bits >> l & 1) {
            buf_add(&b, b.len > 0 ? S(", ") : str_from(what));
            buf_add(&b, leniency_word((leniency)l));
        }
    }
    return buf_str(&b);
}

// Both have rows to compare, not two empty results.
static bool has_rows(const pragmatic_pair *u)
{
    const table *gold = u->gold.result;
    const table *pred = u->pred.result;
    return gold && pred && gold->n_rows + pred->n_rows > 0;
}

// The class of a yes, CLASS_NONE when it is none; the leniencies that it needs
// are left in `bits`.
static verdict_class content(pragmatic_pair *u, uint32_t *bits)
{
    bool can_tell = has_rows(u);
    if (can_tell && same_rows(u, 0)) {
        *bits = 0;
        return CLASS_EQUAL_ROWS;
    }
    bool is_format = can_tell && same_rows(u, *bits);
    if (!is_format && !same_intent(u, *bits)) {
        return CLASS_NONE;
    }
    *bits = fewest(u, is_format ? same_rows : same_intent, *bits);
    return is_format ? CLASS_FORMAT : CLASS_INTENT;
}

/* What came out tells. */

static bool finds_nothing(const pragmatic_pair *u)
{
    return has_rows(u) && u->pred.result->n_rows == 0;
}

static bool gold_finds_nothing(const pragmatic_pair *u)
{
    return u->gold.result && u->gold.result->n_rows == 0 && has_rows(u);
}

static bool is_one_value(const table *t)
{
    return t->n_rows == 1 && t->n_columns == 1;
}

static bool has_more_rows(const pragmatic_pair *u)
{
    const table *gold = u->gold.result;
    const table *pred = u->pred.result;
    if (gold->n_rows == 0 || gold->n_columns != pred->n_columns || gold->is_cut
        || pred->is_cut) {
        return false;
    }
    arena a = u->scratch;
    arena rest = arena_half(&a);
    compare_options o = {.allows_extra_rows = true,
                         .rows_are_sets = true,
                         .gold_sql = u->gold.sql};
    return compare_subset(RULES_ASSAY, gold, pred, &o, &a, rest).v
           == ANSWER_YES;
}

// Of queries that are not after the same: why the prediction is wrong whatever
// the question is.
static verdict_class wrong_rows(pragmatic_pair *u, uint32_t all)
{
    if (!has_rows(u)) {
        return CLASS_NONE;
    }
    return is_one_value(u->gold.result) && is_one_value(u->pred.result)
                   && !same_rows(u, all)
               ? CLASS_OTHER_VALUE
           : has_more_rows(u) ? CLASS_MORE_ROWS
                              : CLASS_NONE;
}

/* The verdict. */

static verdict classed(verdict v, verdict_class c)
{
    v.class = c;
    return v;
}

static verdict differs(verdict_class c, str why)
{
    bool is_open = c == CLASS_OPEN || c == CLASS_ALIKE;
    return classed(is_open ? verdict_unknown(REASON_INTENT_DIFFERS, why)
                           : verdict_no(REASON_INTENT_DIFFERS, why),
                   c);
}

// Rows that are alike say little where the queries are after different things
// in the eyes of any norm: another database may tell them apart.
static verdict agrees(pragmatic_pair *u, verdict_class c, uint32_t bits)
{
    if (c != CLASS_INTENT && u->has_schema && !same_intent(u, ALL_LENIENCIES)
        && u->is_read) {
        return differs(CLASS_ALIKE, u->why);
    }
    verdict v = classed(verdict_yes(), c);
    v.detail = name_leniencies(u->a, "passed over: ", bits);
    return v;
}

// Both texts mean the same, and the rows must be right, but none come, or
// others for no reason that was read: then not all of the texts was.
static bool is_in_vain(pragmatic_pair *u,
                       verdict_class c,
                       uint32_t bits,
                       norm n)
{
    bool is_vain = c == CLASS_INTENT && n == NORM_DATA && has_rows(u)
                   && (bits == 0 || finds_nothing(u));
    u->why = is_vain && bits == 0
                 ? S("the rows differ, and nothing in the texts says why")
                 : u->why;
    return is_vain;
}

// Not a yes: by what the profile leaves open, or rejects, or by more?
static verdict weigh(pragmatic_pair *u, const pragmatic_profile *p)
{
    str why = u->why;
    if (p->norm == NORM_DATA && finds_nothing(u)) {
        return differs(CLASS_NOTHING, why);
    }
    verdict_class rows = wrong_rows(u, ALL_LENIENCIES);
    uint32_t bits = p->accepts | p->asks;
    verdict_class class =
        rows != CLASS_OTHER_VALUE ? content(u, &bits) : CLASS_NONE;
    if (class != CLASS_NONE && (bits & p->asks) == 0) {
        return is_in_vain(u, class, bits, p->norm) ? differs(CLASS_OPEN, u->why)
                                                   : agrees(u, class, bits);
    }
    if (class != CLASS_NONE) {
        return classed(verdict_unknown(REASON_LEFT_TO_ASK,
                                       name_leniencies(u->a, "to be asked: ",
                                                       bits & p->asks)),
                       CLASS_CONTESTED);
    }
    // A gold that finds nothing is no measure of what finds something.
    bits = ALL_LENIENCIES;
    bool is_same = content(u, &bits) != CLASS_NONE;
    bits &= ~(p->accepts | p->asks);
    if (is_same && bits != 0 && !gold_finds_nothing(u)) {
        return differs(CLASS_REJECTED,
                       name_leniencies(u->a, "rejected: ", bits));
    }
    return differs(rows != CLASS_NONE ? rows : CLASS_OPEN, why);
}

static const binding *bound(const pragmatic_side *side,
                            const schema *s,
                            dialect d,
                            arena *a,
                            arena scratch)
{
    return s ? bind_text(a, side->sql, s, d, scratch) : NULL;
}

pragmatic_pair pragmatic_pair_of(pragmatic_side gold,
                                 pragmatic_side pred,
                                 const schema *s,
                                 dialect d,
                                 arena *a,
                                 arena scratch)
{
    gold.b = bound(&gold, s, d, a, scratch);
    pred.b = bound(&pred, s, d, a, scratch);
    pragmatic_pair u = {.gold = gold, .pred = pred, .has_schema = s, .d = d};
    u.a = a;
    u.scratch = scratch;
    return u;
}

verdict pragmatic_verdict(pragmatic_pair *u, pragmatic_profile profile)
{
    uint32_t bits = profile.accepts;
    verdict_class class = content(u, &bits);
    if (class != CLASS_NONE && !is_in_vain(u, class, bits, profile.norm)) {
        return agrees(u, class, bits);
    }
    if (!u->has_schema && u->gold.result && u->pred.result && !has_rows(u)) {
        verdict v = classed(verdict_yes(), CLASS_EQUAL_ROWS);
        v.notes = NOTE_BIT(REASON_BOTH_EMPTY);
        return v;
    }
    return weigh(u, &profile);
}

verdict pragmatic_of_equal(pragmatic_pair *u)
{
    return agrees(u, CLASS_EQUAL_ROWS, 0);
}

bool pragmatic_merges_groups(pragmatic_pair *u)
{
    arena local = u->scratch;
    intent both[2];
    if (!read_intents(u, 0, both, &local)) {
        return false;
    }
    str key = only_extra(&both[0].groups, &both[1].groups);
    str name = only_extra(&both[1].groups, &both[0].groups);
    return key.len > 0 && str_starts(name, key)
           && str_starts(str_skip(name, key.len), S("."));
}
