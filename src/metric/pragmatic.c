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
    str question;  // empty: not known
    arena *a;
    arena scratch;
    arena work;  // what is left of it while intents are compared
    str why;     // the first difference of intents that was found
} duel;

static bool accepts(uint32_t bits, uint32_t bit)
{
    return (bits & bit) != 0;
}

static bool has_text(const str_list *all, str text)
{
    for (ptrdiff_t i = 0; i < all->len; i++) {
        if (str_equal(all->ptr[i], text)) {
            return true;
        }
    }
    return false;
}

// The same texts on both sides; else the first that is missing is said.
static bool same_texts(duel *u,
                       const char *what,
                       const str_list *gold,
                       const str_list *pred)
{
    for (ptrdiff_t i = 0; i < gold->len; i++) {
        if (!has_text(pred, gold->ptr[i])) {
            u->why = arena_printf(u->a, "only the gold %s %.*s", what,
                                  STR_ARG(gold->ptr[i]));
            return false;
        }
    }
    for (ptrdiff_t i = 0; i < pred->len; i++) {
        if (!has_text(gold, pred->ptr[i])) {
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

static bool same_kept(const duel *u,
                      const intent_kept *g,
                      const intent_kept *p,
                      uint32_t bits)
{
    if (g->is_absent != p->is_absent || g->is_any != p->is_any) {
        return false;
    }
    if (str_equal(g->text, p->text)
        || (accepts(bits, LENIENCY_BIT(NULLS)) && are_null_tests(g, p))) {
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

// The first condition of `of` that `in` does not have; NULL: it has all.
static const intent_kept *missing_kept(const duel *u,
                                       const intent *of,
                                       const intent *in,
                                       uint32_t bits)
{
    for (ptrdiff_t i = 0; i < of->keeps.len; i++) {
        bool is_there = false;
        for (ptrdiff_t k = 0; k < in->keeps.len && !is_there; k++) {
            is_there = same_kept(u, &of->keeps.ptr[i], &in->keeps.ptr[k], bits);
        }
        if (!is_there) {
            return &of->keeps.ptr[i];
        }
    }
    return NULL;
}

static bool same_keeps(duel *u, const intent *g, const intent *p, uint32_t bits)
{
    const intent_kept *only = missing_kept(u, g, p, bits);
    bool is_golds = only != NULL;
    only = only ? only : missing_kept(u, p, g, bits);
    if (only) {
        u->why = arena_printf(
            u->a, "only the %s keeps %s%.*s", is_golds ? "gold" : "prediction",
            only->is_absent ? "none " : "", STR_ARG(only->text));
    }
    return !only;
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
        return !cue_wants_name(u->question, u->s, g, p);
    }
    return accepts(bits, LENIENCY_BIT(GRANULARITY)) && share_stem(u->s, g, p);
}

enum {
    OUTPUTS_MAX = 64
};

// The output of the prediction that stands for one of the gold; -1: none.
static ptrdiff_t find_output(const duel *u,
                             const intent_output *g,
                             const intent *p,
                             const bool *used,
                             uint32_t bits)
{
    ptrdiff_t n = p->outputs.len < OUTPUTS_MAX ? p->outputs.len : OUTPUTS_MAX;
    for (int pass = 0; pass < 2; pass++) {
        for (ptrdiff_t i = 0; i < n; i++) {
            // First those that are the same to the letter.
            uint32_t allowed = pass == 0 ? 0 : bits;
            if (!used[i] && same_output(u, g, &p->outputs.ptr[i], allowed)) {
                return i;
            }
        }
    }
    return -1;
}

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

static bool same_outputs(duel *u,
                         const intent *g,
                         const intent *p,
                         uint32_t bits)
{
    bool used[OUTPUTS_MAX] = {false};
    ptrdiff_t n_found = 0;
    ptrdiff_t last = -1;
    bool in_order = true;
    for (ptrdiff_t i = 0; i < g->outputs.len; i++) {
        if (is_repeated(g, i) && accepts(bits, LENIENCY_BIT(COLUMN_ORDER))) {
            continue;
        }
        ptrdiff_t at = find_output(u, &g->outputs.ptr[i], p, used, bits);
        if (at < 0) {
            const intent_output *o = &g->outputs.ptr[i];
            u->why = arena_printf(u->a, "only the gold shows %.*s%s%.*s",
                                  STR_ARG(o->text), o->role.len > 0 ? " " : "",
                                  STR_ARG(o->role));
            bool is_unasked = accepts(bits, LENIENCY_BIT(UNASKED_COLUMNS))
                              && !cue_asks_for(u->question, u->s, o);
            if (!is_unasked && !accepts(bits, LENIENCY_BIT(MISSING_COLUMNS))) {
                return false;
            }
            continue;
        }
        in_order = in_order && at > last;
        last = at;
        used[at] = true;
        n_found++;
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
    u->work = *a;
    u->work.next += (a->end - a->next) / 2;
    a->end = u->work.next;
    both[0] = intent_of(a, u->gold.sql, u->s, u->d, bits, u->work);
    both[1] = intent_of(a, u->pred.sql, u->s, u->d, bits, u->work);
    return both[0].is_known && both[1].is_known;
}

// Roles of columns that are only shown are as good as marks of the other side.
static bool has_mark(const intent *in, str mark)
{
    bool found = has_text(&in->marks, mark);
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
    if (!read_intents(u, bits, both, &local)) {
        u->why = S("one of the queries is of a form that is not understood");
        return false;
    }
    const intent *g = &both[0];
    const intent *p = &both[1];
    return same_keeps(u, g, p, bits)
           && same_texts(u, "ranks by", &g->ranks, &p->ranks)
           && same_texts(u, "groups by", &g->groups, &p->groups)
           && same_texts(u, "reads", &g->reads, &p->reads)
           && same_marks(u, g, p, false)
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
              .question = question,
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

static bool wants_column(const intent *in, const intent_kept *k)
{
    bool wants = false;
    for (ptrdiff_t i = 0; !wants && i < in->keeps.len; i++) {
        const intent_kept *other = &in->keeps.ptr[i];
        wants = other->table == k->table && other->column == k->column;
    }
    return wants;
}

bool pragmatic_own_filter(pragmatic_filter *out,
                          ptrdiff_t no,
                          str gold,
                          str pred,
                          const schema *s,
                          dialect d,
                          arena *a,
                          arena scratch)
{
    intent g = intent_of(a, gold, s, d, 0, scratch);
    intent p = intent_of(a, pred, s, d, 0, scratch);
    for (ptrdiff_t i = 0; g.is_known && p.is_known && i < p.keeps.len; i++) {
        const intent_kept *k = &p.keeps.ptr[i];
        double number = 0;
        bool is_own = k->table >= 0 && !k->is_absent && !k->is_any
                      && str_equal(k->relation, S("=")) && k->value.len > 0
                      && !str_to_double(k->value, &number)
                      && !str_equal_fold(k->value, S("null"))
                      && !wants_column(&g, k);
        if (is_own && no-- == 0) {
            *out = (pragmatic_filter){k->table, k->column, k->value};
            return true;
        }
    }
    return false;
}
