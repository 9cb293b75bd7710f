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
#include "relation/relation_diff.h"
#include "schema/bind_text.h"

static const uint32_t ALL_LENIENCIES = (1U << LENIENCY_COUNT) - 1;

static bool accepts(uint32_t bits, uint32_t bit)
{
    return (bits & bit) != 0;
}

// Two intents side by side, and what is passed over.
typedef struct intent_sides {
    const intent *in[DIFF_SIDES];
    const schema *s;
    uint32_t bits;
    intent_kind kind;  // that is looked at
    arena scratch;
} intent_sides;

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

// Two spellings of one value. Numbers have one only; letter case is another
// leniency's matter.
static bool same_value(str x, str y, arena scratch)
{
    if ((str_to_double(x, NULL) && str_to_double(y, NULL))
        || str_equal_fold(x, y)) {
        return false;
    }
    str a = bare(&scratch, x);
    str b = bare(&scratch, y);
    return str_equal(a, b) || is_short_for(a, b) || is_short_for(b, a);
}

// Do two columns of one table say, each, which of its things a row is?
static bool are_names(const intent_sides *sides,
                      const intent_fact *g,
                      const intent_fact *p,
                      uint32_t bits)
{
    return accepts(bits, LENIENCY_BIT(ENTITY_NAME))
           && intent_is_identifying(sides->s, g->table, g->column)
           && intent_is_identifying(sides->s, p->table, p->column);
}

static bool same_kept(const intent_sides *sides,
                      const intent_fact *g,
                      const intent_fact *p)
{
    if (g->is_absent != p->is_absent || g->is_any != p->is_any) {
        return false;
    }
    if (str_equal(g->text, p->text)) {
        return true;
    }
    uint32_t bits = sides->bits;
    return g->table >= 0 && g->table == p->table
           && str_equal(g->relation, p->relation)
           && (g->column == p->column || are_names(sides, g, p, bits))
           && (str_equal(g->value, p->value)
               || (accepts(bits, LENIENCY_BIT(VALUE_SPELLING))
                   && same_value(g->value, p->value, sides->scratch)));
}

static bool same_output(const intent_sides *sides,
                        const intent_fact *g,
                        const intent_fact *p,
                        uint32_t bits)
{
    bool is_other_role =
        g->role.len > 0 && p->role.len > 0 && !str_equal(g->role, p->role);
    return !is_other_role
           && (str_equal(g->text, p->text)
               || (g->table >= 0 && g->table == p->table
                   && are_names(sides, g, p, bits)));
}

// Outputs that are the same to the letter find each other first.
static bool same_fact(const void *context,
                      diff_side side,
                      ptrdiff_t one,
                      ptrdiff_t other,
                      int pass)
{
    const intent_sides *sides = context;
    const intent_fact *x = &sides->in[side]->facts[sides->kind].ptr[one];
    const intent_fact *y =
        &sides->in[diff_other(side)]->facts[sides->kind].ptr[other];
    switch ((int)sides->kind) {
    case INTENT_KEEPS: return same_kept(sides, x, y);
    case INTENT_SHOWS:
        return same_output(sides, x, y, pass == 0 ? 0 : sides->bits);
    default: return x->is_absent == y->is_absent && str_equal(x->text, y->text);
    }
}

static relation_diff diff_of_part(const intent_sides *sides,
                                  intent_kind kind,
                                  arena *a)
{
    intent_sides part = *sides;
    part.kind = kind;
    bool are_shown = kind == INTENT_SHOWS;
    return relation_diff_of(
        a, &(diff_question){.is_same = same_fact,
                            .context = &part,
                            .n = {part.in[DIFF_GOLD]->facts[kind].len,
                                  part.in[DIFF_PRED]->facts[kind].len},
                            .passes = are_shown ? 2 : 1,
                            .are_sets = !are_shown});
}

/* What may differ. */

static bool is_kept_of(const intent_fact *f, const void *table_no)
{
    return f->table == *(const int32_t *)table_no && !f->is_absent;
}

// Does the query want anything of this table but that there is a row? What is
// shown is never absent.
static bool uses_table(const intent *in, int32_t table_no)
{
    return intent_any(&in->facts[INTENT_KEEPS], is_kept_of, &table_no)
           || intent_any(&in->facts[INTENT_SHOWS], is_kept_of, &table_no);
}

static bool is_of_none(const intent_fact *f, const void *about)
{
    (void)about;
    return f->is_absent;
}

// Those without something: the gold takes them from rows that refer to them,
// the prediction from the table that lists them all.
static bool lists_all(const intent_sides *sides, const relation_diff *d)
{
    const intent_facts *gold = &sides->in[DIFF_GOLD]->facts[INTENT_READS];
    const intent_facts *pred = &sides->in[DIFF_PRED]->facts[INTENT_READS];
    ptrdiff_t own = relation_diff_only(d, DIFF_GOLD);
    ptrdiff_t other = relation_diff_only(d, DIFF_PRED);
    if (own < 0 || other < 0 || !intent_any(gold, is_of_none, NULL)) {
        return false;
    }
    int32_t child = gold->ptr[own].table;
    int32_t parent = pred->ptr[other].table;
    return !is_of_none(&gold->ptr[own], NULL)
           && !is_of_none(&pred->ptr[other], NULL)
           && schema_references(sides->s, child, parent) > 0
           && !uses_table(sides->in[DIFF_GOLD], child);
}

// Is output i shown before already?
static bool is_repeated(const intent_facts *shows, ptrdiff_t i)
{
    const intent_facts before = {.ptr = shows->ptr, .len = i};
    return intent_has(&before, &shows->ptr[i]);
}

// Roles of columns that are only shown are as good as marks of the other side.
static bool has_role(const intent_fact *f, const void *mark)
{
    return str_equal(f->role, *(const str *)mark);
}

// May one side alone have this? A repeated output needs no second, where
// columns may change places.
static bool may_differ(const intent_sides *sides,
                       intent_kind kind,
                       const relation_diff *d,
                       diff_side side,
                       ptrdiff_t i)
{
    const intent_facts *own = sides->in[side]->facts;
    const intent_facts *other = sides->in[diff_other(side)]->facts;
    uint32_t bits = sides->bits;
    switch ((int)kind) {
    case INTENT_READS:
        return accepts(bits, LENIENCY_BIT(OUTER_JOIN)) && lists_all(sides, d);
    case INTENT_MARKS:
        return intent_any(&other[INTENT_SHOWS], has_role,
                          &own[kind].ptr[i].text);
    case INTENT_SHOWS:
        return side == DIFF_PRED
                   ? accepts(bits, LENIENCY_BIT(EXTRA_COLUMNS))
                   : accepts(bits, LENIENCY_BIT(MISSING_COLUMNS))
                         || (accepts(bits, LENIENCY_BIT(COLUMN_ORDER))
                             && is_repeated(&own[kind], i));
    default: return false;
    }
}

// Are some outputs of the gold there, in its order?
static bool are_in_order(const relation_diff *d, bool is_free)
{
    int32_t last = -1;
    bool in_order = true;
    for (ptrdiff_t i = 0; i < d->n[DIFF_GOLD]; i++) {
        int32_t at = d->partner[DIFF_GOLD][i];
        in_order = in_order && (at < 0 || at > last);
        last = at >= 0 ? at : last;
    }
    return last >= 0 && (in_order || is_free);
}

static void say(pragmatic_pair *u,
                intent_kind kind,
                diff_side side,
                const intent_fact *f)
{
    static const char *const verbs[] = {
        [INTENT_KEEPS] = "keeps",      [INTENT_RANKS] = "ranks by",
        [INTENT_GROUPS] = "groups by", [INTENT_READS] = "reads",
        [INTENT_MARKS] = "has",        [INTENT_GRAIN] = "counts",
        [INTENT_SHOWS] = "shows",      [INTENT_SORTS] = "sorts",
    };
    u->why =
        arena_printf(u->a, "only the %s %s %s%.*s%s%.*s",
                     side == DIFF_GOLD ? "gold" : "prediction", verbs[kind],
                     f->is_absent ? "none " : "", STR_ARG(f->text),
                     f->role.len > 0 ? " " : "", STR_ARG(f->role));
}

static bool same_part(pragmatic_pair *u,
                      const intent_sides *sides,
                      intent_kind kind)
{
    arena memory = u->work;
    intent_sides s = *sides;
    s.scratch = arena_half(&memory);
    relation_diff d = diff_of_part(&s, kind, &memory);
    for (int side = 0; side < DIFF_SIDES; side++) {
        for (ptrdiff_t i = -1;
             (i = relation_diff_next(&d, (diff_side)side, i)) >= 0;) {
            if (!may_differ(&s, kind, &d, (diff_side)side, i)) {
                say(u, kind, (diff_side)side, &s.in[side]->facts[kind].ptr[i]);
                return false;
            }
        }
    }
    return kind != INTENT_SHOWS
           || are_in_order(&d, accepts(s.bits, LENIENCY_BIT(COLUMN_ORDER)));
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

static intent_sides sides_of(const pragmatic_pair *u,
                             const intent both[2],
                             uint32_t bits)
{
    return (intent_sides){
        .in = {&both[0], &both[1]}, .bits = bits, .s = u->gold.b->schema};
}

static bool same_intent(pragmatic_pair *u, uint32_t bits)
{
    arena local = u->scratch;
    intent both[2];
    if (!u->has_schema) {
        return false;
    }
    // `SELECT *` of no table shows nothing.
    u->is_read = read_intents(u, bits, both, &local)
                 && both[0].facts[INTENT_SHOWS].len > 0;
    if (!u->is_read) {
        u->why = S("assay does not understand the form of one of the queries");
        return false;
    }
    intent_sides sides = sides_of(u, both, bits);
    bool is_free = both[0].facts[INTENT_SORTS].len == 0
                   || accepts(bits, LENIENCY_BIT(ROW_ORDER));
    bool same = true;
    for (int k = 0; k < (is_free ? INTENT_SORTS : INTENT_KINDS) && same; k++) {
        same = same_part(u, &sides, (intent_kind)k);
    }
    return same;
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
static verdict_class wrong_rows(pragmatic_pair *u)
{
    if (!has_rows(u)) {
        return CLASS_NONE;
    }
    return is_one_value(u->gold.result) && is_one_value(u->pred.result)
                   && !same_rows(u, ALL_LENIENCIES)
               ? CLASS_OTHER_VALUE
           : has_more_rows(u) ? CLASS_MORE_ROWS
                              : CLASS_NONE;
}

/* The verdict. */

verdict pragmatic_classed(verdict v, verdict_class c)
{
    v.class = c;
    return v;
}

static verdict differs(verdict_class c, str why)
{
    bool is_open = c == CLASS_OPEN || c == CLASS_ALIKE;
    return pragmatic_classed(is_open
                                 ? verdict_unknown(REASON_INTENT_DIFFERS, why)
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
    verdict v = pragmatic_classed(verdict_yes(), c);
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
                 ? S("the rows differ, and nothing in the queries explains it")
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
    verdict_class rows = wrong_rows(u);
    uint32_t bits = p->accepts | p->asks;
    verdict_class class =
        rows != CLASS_OTHER_VALUE ? content(u, &bits) : CLASS_NONE;
    if (class != CLASS_NONE && (bits & p->asks) == 0) {
        return is_in_vain(u, class, bits, p->norm) ? differs(CLASS_OPEN, u->why)
                                                   : agrees(u, class, bits);
    }
    if (class != CLASS_NONE) {
        return pragmatic_classed(
            verdict_unknown(
                REASON_LEFT_TO_ASK,
                name_leniencies(u->a, "to be asked: ", bits & p->asks)),
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
        verdict v = pragmatic_classed(verdict_yes(), CLASS_EQUAL_ROWS);
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
    intent_sides sides = sides_of(u, both, 0);
    relation_diff d = diff_of_part(&sides, INTENT_GROUPS, &local);
    ptrdiff_t own = relation_diff_only(&d, DIFF_GOLD);
    ptrdiff_t other = relation_diff_only(&d, DIFF_PRED);
    if (own < 0 || other < 0) {
        return false;
    }
    str key = both[0].facts[INTENT_GROUPS].ptr[own].text;
    str name = both[1].facts[INTENT_GROUPS].ptr[other].text;
    return key.len > 0 && str_starts(name, key)
           && str_starts(str_skip(name, key.len), S("."));
}
