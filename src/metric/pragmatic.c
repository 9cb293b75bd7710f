/*
 * pragmatic.c - see pragmatic.h.
 *
 * Method      Three questions, each with all leniencies that the profile
 *             accepts; a yes is then tried with one leniency less at a time, so
 *             that the verdict names those that it needs and no other.
 *             (1) Are the results the same?
 *             (2) Are they the same but for format (pragmatic_rows.c)?
 *             (3) Are both after the same (pragmatic_intent.c)? This is asked
 *                 also where results differ: which row a LIMIT picks at a tie,
 *                 or whether a key or a name is shown, changes every cell.
 *             Two empty results prove nothing: there only (3) is asked.
 */
#include "metric/pragmatic.h"

#include "base/buf.h"
#include "metric/pragmatic_cue.h"
#include "metric/pragmatic_internal.h"
#include "metric/pragmatic_rows.h"

typedef struct duel {
    pragmatic_side gold;
    pragmatic_side pred;
    const schema *s;
    dialect d;
    str_list question;  // none: not known
    arena *a;
    arena scratch;
    arena work;  // what is left of it while intents are compared
    str why;     // the first difference of intents that was found
} duel;

static bool accepts(uint32_t bits, uint32_t bit)
{
    return (bits & bit) != 0;
}

// The same texts on both sides; else the first that is missing is said.
static bool same_texts(duel *u,
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

static bool is_truth(str bare_value)
{
    static const char *const words[] = {"1", "t", "true", "y", "yes"};
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        if (str_equal(bare_value, str_from(words[i]))) {
            return true;
        }
    }
    return false;
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
    return str_equal(a, b) || (is_truth(a) && is_truth(b)) || is_short_for(a, b)
           || is_short_for(b, a);
}

// NULL, and the word for it that some data hold in its place.
static bool are_null_tests(const intent_kept *g, const intent_kept *p)
{
    return g->table >= 0 && g->table == p->table && g->column == p->column
           && str_equal_fold(g->value, S("null"))
           && str_equal_fold(p->value, S("null"));
}

// Two bounds of one thing, of which the prediction's alone is the question's.
static bool is_bound_asked(const duel *u,
                           const intent_kept *g,
                           const intent_kept *p,
                           uint32_t bits)
{
    return accepts(bits, LENIENCY_BIT(AS_ASKED)) && g->what.len > 0
           && str_equal(g->what, p->what)
           && cue_bounds(&u->question, p->said_relation, p->said_value, u->work)
           && !cue_bounds(&u->question, g->said_relation, g->said_value,
                          u->work);
}

// The gold takes either, the prediction both, and nothing asks for either.
static bool is_both_asked(const duel *u,
                          const intent_kept *g,
                          const intent_kept *p,
                          uint32_t bits)
{
    return accepts(bits, LENIENCY_BIT(AS_ASKED)) && g->is_any && !p->is_any
           && cue_wants_both(&u->question);
}

static bool same_kept(const duel *u,
                      const intent_kept *g,
                      const intent_kept *p,
                      uint32_t bits)
{
    if (g->is_absent != p->is_absent
        || (g->is_any != p->is_any && !is_both_asked(u, g, p, bits))) {
        return false;
    }
    if (str_equal(g->text, p->text)
        || (accepts(bits, LENIENCY_BIT(NULLS)) && are_null_tests(g, p))
        || is_bound_asked(u, g, p, bits)) {
        return true;
    }
    if (g->table < 0 || g->table != p->table
        || !str_equal(g->relation, p->relation)) {
        return false;
    }
    bool same_column = g->column == p->column
                       || (accepts(bits, LENIENCY_BIT(ENTITY_NAME))
                           && intent_is_identifying(u->s, g->table, g->column)
                           && intent_is_identifying(u->s, p->table, p->column));
    return same_column
           && (str_equal(g->value, p->value)
               || (accepts(bits, LENIENCY_BIT(VALUE_SPELLING))
                   && same_value(g->value, p->value, u->work)));
}

// The first condition of one side that the other does not have; NULL: it has
// all.
static const intent_kept *missing_kept(const duel *u,
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

static bool same_keeps(duel *u, const intent *g, const intent *p, uint32_t bits)
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

// The lowest, unless it is NULL, is another than the lowest.
static bool same_guards(duel *u, const intent *g, const intent *p)
{
    for (ptrdiff_t i = 0; i < g->guards.len && !p->skips_nulls; i++) {
        if (!intent_has(&p->guards, g->guards.ptr[i])) {
            u->why = arena_printf(u->a, "only the gold keeps %.*s is not null",
                                  STR_ARG(g->guards.ptr[i]));
            return false;
        }
    }
    return true;
}

/* Ranks and groups. */

// "1 max singer.age" and "1 min singer.age".
static bool are_opposite(str g, str p)
{
    ptrdiff_t max = str_find(p, intent_max, 0);
    ptrdiff_t min = str_find(g, intent_min, 0);
    return max >= 0 && max == min
           && str_equal(str_sub(g, 0, min), str_sub(p, 0, max))
           && str_equal(str_skip(g, min + intent_min.len),
                        str_skip(p, max + intent_max.len));
}

// The gold takes the first where nothing asks for it, or the wrong end.
static bool is_rank_asked(const duel *u, const intent *g, const intent *p)
{
    if (g->ranks.len != 1 || p->ranks.len > 1) {
        return false;
    }
    str first = g->ranks.ptr[0];
    if (p->ranks.len == 0) {
        return cue_ranks_nothing(&u->question);
    }
    str second = p->ranks.ptr[0];
    return (are_opposite(first, second)
            && cue_end(&u->question, second) == CUE_END_HIGHEST)
           || (are_opposite(second, first)
               && cue_end(&u->question, second) == CUE_END_LOWEST);
}

static bool same_ranks(duel *u, const intent *g, const intent *p, uint32_t bits)
{
    return same_texts(u, "ranks by", &g->ranks, &p->ranks)
           || (accepts(bits, LENIENCY_BIT(AS_ASKED)) && is_rank_asked(u, g, p));
}

// One side groups: is it the prediction, by what the question says "each" of,
// or the gold, where it asks for one number?
static bool is_group_asked(const duel *u, const intent *g, const intent *p)
{
    if (g->groups.len > 0) {
        return p->groups.len == 0 && cue_wants_one_number(&u->question);
    }
    bool all = p->groups.len > 0;
    for (ptrdiff_t i = 0; i < p->groups.len && all; i++) {
        all = cue_wants_each(&u->question, p->groups.ptr[i], u->work);
    }
    return all;
}

static bool same_groups(duel *u,
                        const intent *g,
                        const intent *p,
                        uint32_t bits)
{
    return same_texts(u, "groups by", &g->groups, &p->groups)
           || (accepts(bits, LENIENCY_BIT(AS_ASKED))
               && is_group_asked(u, g, p));
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
static bool lists_all(duel *u, const intent *g, const intent *p)
{
    bool has_absent = false;
    for (ptrdiff_t i = 0; i < g->reads.len && !has_absent; i++) {
        has_absent = str_starts(g->reads.ptr[i], intent_absent);
    }
    int32_t child = schema_find_table(u->s, only_extra(&g->reads, &p->reads));
    int32_t parent = schema_find_table(u->s, only_extra(&p->reads, &g->reads));
    return has_absent && child >= 0 && parent >= 0
           && refers(u->s, child, parent) && !uses_table(g, child);
}

static bool same_reads(duel *u, const intent *g, const intent *p, uint32_t bits)
{
    return same_texts(u, "reads", &g->reads, &p->reads)
           || (accepts(bits, LENIENCY_BIT(OUTER_JOIN)) && lists_all(u, g, p));
}

/* Outputs. */

// birth_city and birth_country: the words before the last underscore.
static bool share_stem(const schema *s,
                       const intent_output *a,
                       const intent_output *b)
{
    str x = s->tables[a->table].columns[a->column].name;
    str y = s->tables[b->table].columns[b->column].name;
    ptrdiff_t end = x.len;
    while (end > 0 && x.ptr[end - 1] != '_') {
        end--;
    }
    str stem = str_sub(x, 0, end);
    return stem.len > 1 && y.len > stem.len && str_starts_fold(y, stem)
           && str_find(str_skip(y, stem.len), S("_"), 0) < 0;
}

static bool same_output(const duel *u,
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
    if (accepts(bits, LENIENCY_BIT(ENTITY_NAME))
        && intent_is_identifying(u->s, g->table, g->column)
        && intent_is_identifying(u->s, p->table, p->column)) {
        return !cue_wants_name(&u->question, u->s, g, p);
    }
    return accepts(bits, LENIENCY_BIT(GRANULARITY)) && share_stem(u->s, g, p);
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
static void pair_outputs(const duel *u,
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
static bool may_miss(duel *u, const intent_output *o, uint32_t bits)
{
    u->why =
        arena_printf(u->a, "only the gold shows %.*s%s%.*s", STR_ARG(o->text),
                     o->role.len > 0 ? " " : "", STR_ARG(o->role));
    return accepts(bits, LENIENCY_BIT(MISSING_COLUMNS))
           || (accepts(bits, LENIENCY_BIT(UNASKED_COLUMNS))
               && !cue_asks_for(&u->question, u->s, o, u->work));
}

static bool same_outputs(duel *u,
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

static bool same_sorts(duel *u, const intent *g, const intent *p, uint32_t bits)
{
    bool is_free = g->sorts.len == 0 || accepts(bits, LENIENCY_BIT(ROW_ORDER));
    return is_free || same_texts(u, "sorts", &g->sorts, &p->sorts);
}

// Both intents as they read with these leniencies; false when one of them is
// not understood. They lie in `a`, what is left is u->work.
static bool read_intents(duel *u, uint32_t bits, intent both[2], arena *a)
{
    u->work = arena_half(a);
    both[0] = intent_of(a, u->gold.sql, u->s, u->d, bits, u->work);
    both[1] = intent_of(a, u->pred.sql, u->s, u->d, bits, u->work);
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

static bool same_marks(duel *u,
                       const intent *g,
                       const intent *p,
                       bool is_of_rows)
{
    const intent *sides[] = {g, p};
    for (int side = 0; side < 2; side++) {
        const str_list *marks = &sides[side]->marks;
        for (ptrdiff_t i = 0; i < marks->len; i++) {
            // Equal rows of pairs of everything are equal: only repeated.
            bool counts =
                !is_of_rows || !str_equal(marks->ptr[i], intent_unjoined);
            if (counts && !has_mark(sides[1 - side], marks->ptr[i])) {
                u->why = arena_printf(u->a, "only the %s has %.*s",
                                      side == 0 ? "gold" : "prediction",
                                      STR_ARG(marks->ptr[i]));
                return false;
            }
        }
    }
    return true;
}

static bool same_intent(duel *u, uint32_t bits)
{
    arena local = u->scratch;
    intent both[2];
    if (!u->s) {
        return false;
    }
    // `SELECT *` of no table shows nothing.
    if (!read_intents(u, bits, both, &local) || both[0].outputs.len == 0) {
        u->why = S("one of the queries is of a form that is not understood");
        return false;
    }
    const intent *g = &both[0];
    const intent *p = &both[1];
    return same_keeps(u, g, p, bits) && same_ranks(u, g, p, bits)
           && same_groups(u, g, p, bits) && same_guards(u, g, p)
           && same_reads(u, g, p, bits) && same_marks(u, g, p, false)
           && same_texts(u, "counts", &g->grain, &p->grain)
           && same_outputs(u, g, p, bits) && same_sorts(u, g, p, bits);
}

// One asks for either of two values where the other asks for both, or for other
// roles: then results that are alike but for format are so by luck.
static bool is_luck(duel *u, uint32_t bits)
{
    arena local = u->scratch;
    intent both[2];
    return u->s && read_intents(u, bits, both, &local)
           && !same_marks(u, &both[0], &both[1], true);
}

static bool same_rows(duel *u, uint32_t bits)
{
    return pragmatic_rows_match(u->gold.sql, u->gold.result, u->pred.result,
                                u->d, bits, u->scratch);
}

/* The verdict. */

typedef bool duel_test(duel *u, uint32_t bits);

// The fewest of the accepted leniencies with which the answer is still yes.
static uint32_t fewest(duel *u, duel_test *asks, uint32_t bits)
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

// The questions in their order: the leniencies of a yes are left in `bits`.
static bool is_content(duel *u, uint32_t *bits)
{
    const table *gold = u->gold.result;
    const table *pred = u->pred.result;
    bool can_tell = gold && pred && gold->n_rows + pred->n_rows > 0;
    if (can_tell && same_rows(u, 0)) {
        *bits = 0;
        return true;
    }
    duel_test *asks = can_tell && same_rows(u, *bits) && !is_luck(u, *bits)
                          ? same_rows
                      : same_intent(u, *bits) ? same_intent
                                              : NULL;
    *bits = asks ? fewest(u, asks, *bits) : *bits;
    return asks != NULL;
}

verdict pragmatic_verdict(pragmatic_side gold,
                          pragmatic_side pred,
                          const schema *s,
                          dialect d,
                          pragmatic_profile profile,
                          str question,
                          arena *a,
                          arena scratch)
{
    duel u = {.gold = gold,
              .pred = pred,
              .s = s,
              .d = d,
              .question = asked_words_of(&scratch, question),
              .a = a};
    u.scratch = scratch;
    uint32_t bits = profile.accepts;
    if (is_content(&u, &bits)) {
        verdict v = verdict_yes();
        v.detail = name_leniencies(a, "passed over: ", bits);
        return v;
    }
    str why = u.why;
    bits = profile.accepts | profile.asks;
    if (profile.asks != 0 && is_content(&u, &bits)) {
        return verdict_unknown(
            REASON_LEFT_TO_ASK,
            name_leniencies(a, "to be asked: ", bits & profile.asks));
    }
    bool are_empty = gold.result && pred.result && gold.result->n_rows == 0
                     && pred.result->n_rows == 0;
    if (are_empty && !s) {
        verdict v = verdict_yes();
        v.notes = NOTE_BIT(REASON_BOTH_EMPTY);
        return v;
    }
    return verdict_no(REASON_INTENT_DIFFERS, why);
}
