/*
 * normal_number.c - arithmetic, signs and casts; see normal.h.
 *
 * Method      Of literals it is computed where all systems give the same; sides
 *             of + and * are sorted. REAL arithmetic is known as such, so that
 *             1.0 * a / b and CAST(a AS REAL) / b are one.
 */
#include "relation/known.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "relation/relation_block.h"
#include "relation/relation_type.h"

#include <assert.h>

// Two such have a sum or product that is no INTEGER of 32 bits.
static bool is_wide(const term *t)
{
    return t->number > INT16_MAX || t->number < -INT16_MAX;
}

static const term *compute(prover *p,
                           term_kind kind,
                           const term *a,
                           const term *b)
{
    int64_t n = 0;
    bool overflows = true;
    if (a->kind != TERM_INTEGER || b->kind != TERM_INTEGER) {
        return NULL;
    }
    if (prover_is_typed(p) && (is_wide(a) || is_wide(b))) {
        return NULL;
    }
    if (kind == TERM_ADD) {
        overflows = __builtin_add_overflow(a->number, b->number, &n);
    } else if (kind == TERM_SUBTRACT) {
        overflows = __builtin_sub_overflow(a->number, b->number, &n);
    } else if (kind == TERM_MULTIPLY) {
        overflows = __builtin_mul_overflow(a->number, b->number, &n);
    } else if (kind == TERM_DIVIDE && b->number > 0) {
        n = a->number / b->number;
        overflows = false;
    }
    return overflows ? NULL : term_integer(p, n);
}

// Whether the value is a REAL or NULL, whatever the row.
static bool is_number(prover *p, const term *t, known_kind kind)
{
    unsigned touched = p->touched;
    return known_is(p, t, kind,
                    p->uses_types ? ASSUME_DEFAULT
                                  : ASSUME_DEFAULT & ~ASSUME_TYPES)
           || (!p->uses_types && !p->wants_types
               && known_is(p, t, kind, ASSUME_DEFAULT)
               && prover_takes_types(p, touched));
}

static bool is_real(prover *p, const term *t)
{
    return is_number(p, t, KNOWN_REAL);
}

// Of a product that is too large for a whole number SQLite makes a REAL.
static bool is_whole(prover *p, const term *t)
{
    return is_number(p, t, KNOWN_INTEGER);
}

// A SUM of fractions and of 0, which may be whole, perhaps times a whole number
// or divided: a fraction, or 0, of which only a number is made that is 0, too.
static bool is_share(prover *p, const term *t)
{
    if (t->kind == TERM_DIVIDE && !t->flag) {
        return is_share(p, t->args[0]);
    }
    bool multiplies = t->kind == TERM_MULTIPLY && !t->flag;
    for (int i = 0; multiplies && i < 2; i++) {
        if (t->args[i]->kind == TERM_INTEGER) {
            return is_share(p, t->args[1 - i]);
        }
    }
    bool adds = t->kind == TERM_AGGREGATE && t->n == 1 && !t->flag
                && str_equal(t->text, S("sum")) && !prover_is_typed(p);
    const term *x = adds ? t->args[0] : NULL;
    bool is_case = x && x->kind == TERM_CASE && x->n == 3;
    return is_case
           && ((x->args[1]->kind == TERM_REAL && term_is_number(x->args[2], 0))
               || (x->args[2]->kind == TERM_REAL
                   && term_is_number(x->args[1], 0)));
}

static const term *as_real(prover *p, const term *t);

// x of what SUM adds up, where only the sum as REAL counts.
static const term *as_addend(prover *p, const term *t)
{
    double d = 0;
    t = as_real(p, term_bare(t));
    if (t->kind == TERM_REAL && str_to_double(t->text, &d) && d >= -1e6
        && d <= 1e6 && d == (double)(int64_t)d) {
        return term_integer(p, (int64_t)d);
    }
    if (t->kind != TERM_CASE) {
        return t;
    }
    const term **args = arena_new(p->a, const term *, t->n);
    for (int32_t i = 0; i < t->n; i++) {
        args[i] = term_is_test(t, i) ? t->args[i] : as_addend(p, t->args[i]);
    }
    return term_case(p, args, t->n);
}

// What gives the same number where numbers are computed as REAL.
static const term *as_real(prover *p, const term *t)
{
    while (t->kind == TERM_CAST && t->column == AFFINITY_REAL) {
        t = t->args[0];
    }
    bool adds = t->kind == TERM_AGGREGATE && t->n == 1 && !t->flag
                && str_equal(t->text, S("sum")) && !prover_is_typed(p);
    if (adds) {
        const term *x = as_addend(p, t->args[0]);
        return x == t->args[0] ? t : term_aggregate(p, S("sum"), false, &x, 1);
    }
    int64_t exact = (int64_t)1 << 53;
    if (t->kind == TERM_INTEGER && t->number <= exact && t->number >= -exact) {
        return term_real(p, (double)t->number);
    }
    bool computes = (t->kind == TERM_MULTIPLY || t->kind == TERM_DIVIDE)
                    && !t->flag && !prover_is_typed(p);
    bool is_product = computes && t->kind == TERM_MULTIPLY
                      && is_whole(p, t->args[0]) && is_whole(p, t->args[1]);
    if (is_product || (computes && is_share(p, t))) {
        return term_real_arithmetic(p, (term_kind)t->kind, t->args[0],
                                    t->args[1]);
    }
    bool is_one = t->kind == TERM_MULTIPLY && t->flag;
    for (int i = 0; is_one && i < 2; i++) {
        const term *one = t->args[i];
        if (one->kind == TERM_REAL && str_equal(one->text, S("1.0"))) {
            return as_real(p, t->args[1 - i]);
        }
    }
    return t;
}

const term *term_share(prover *p, const term *t)
{
    const term *x = term_bare(t);
    bool computes = x->kind == TERM_MULTIPLY || x->kind == TERM_DIVIDE;
    return computes && is_share(p, x) && local_allowed(p, LOCAL_RATIO)
               ? term_as(p, as_real(p, x), term_type_of(t))
               : t;
}

// Whether a quotient is one of decimals, too: MySQL keeps four digits of it.
static bool is_short(str x, str y, str quotient)
{
    enum {
        DIGITS_MAX = 6  // of 0.1234
    };
    return x.len <= DIGITS_MAX && y.len <= DIGITS_MAX
           && quotient.len <= DIGITS_MAX;
}

// As SQLite computes it; dividing by 0 gives NULL.
static const term *compute_real(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b)
{
    double x = 0;
    double y = 0;
    if (a->kind != TERM_REAL || b->kind != TERM_REAL
        || prover_is_typed(p)  // there they are decimals
        || !str_to_double(a->text, &x) || !str_to_double(b->text, &y)) {
        return NULL;
    }
    double n = kind == TERM_ADD        ? x + y
               : kind == TERM_SUBTRACT ? x - y
               : kind == TERM_MULTIPLY ? x * y
                                       : x / y;
    bool is_finite = n == n && n - n == 0;
    const term *real = is_finite ? term_real(p, n) : NULL;
    bool is_plain = real
                    && (kind != TERM_DIVIDE || p->elsewhere == DIALECT_SQLITE
                        || is_short(a->text, b->text, real->text));
    return is_plain ? real : NULL;
}

static bool is_zero(const term *t)
{
    double zero = 1;
    return term_is_number(t, 0)
           || (t->kind == TERM_REAL && str_to_double(t->text, &zero)
               && zero == 0);
}

// Whether it is a number of rows.
static bool is_count(const term *t)
{
    t = t->kind == TERM_SCALAR && block_is_one_row(t->block)
            ? t->block->select.ptr[0]
            : t;
    return term_counts(t);
}

bool term_is_not_zero(const term *t, const term *y)
{
    bool found = t->kind == TERM_LESS_EQUAL && term_is_number(t->args[0], 1)
                 && t->args[1] == y && is_count(y);
    for (int k = 0; t->kind == TERM_UNEQUAL && !found && k < 2; k++) {
        found = is_zero(t->args[k]) && term_bare(t->args[1 - k]) == y;
    }
    return found;
}

// y of x / CASE WHEN y <> 0 THEN y END, which NULLIF(y, 0) is, too.
static const term *divisor(prover *p, term_kind kind, const term *t)
{
    bool is_idle = kind == TERM_DIVIDE && t->kind == TERM_CASE && t->n == 2
                   && !prover_is_typed(p)
                   && term_is_not_zero(t->args[0], t->args[1]);
    return is_idle && local_allowed(p, LOCAL_DIVISOR) ? t->args[1] : t;
}

// x of x * 1; of whole numbers also of x + 0 and x - 0: -0.0 + 0 is another.
static const term *unchanged(prover *p,
                             term_kind kind,
                             const term *a,
                             const term *b)
{
    bool scales = kind == TERM_MULTIPLY;
    const term *x = term_is_number(b, scales)                            ? a
                    : kind != TERM_SUBTRACT && term_is_number(a, scales) ? b
                                                                         : NULL;
    bool stays = x && !prover_is_typed(p)
                 && (is_number(p, x, KNOWN_INTEGER)
                     || (scales
                         && (is_number(p, x, KNOWN_REAL)
                             || is_number(p, x, KNOWN_NUMBER))));
    return stays && local_allowed(p, LOCAL_ARITH) ? term_untyped(p, x) : NULL;
}

// With a CASE outside, or as one product; NULL: it is as simple as it can be.
static const term *simpler(prover *p,
                           term_kind kind,
                           bool is_real,
                           const term *a,
                           const term *b)
{
    const term *args[] = {a, b};
    term like = {.kind = (uint8_t)kind, .flag = is_real, .n = 2, .args = args};
    bool is_null =
        !prover_is_typed(p) && (a->kind == TERM_NULL || b->kind == TERM_NULL);
    if (is_null && local_allowed(p, LOCAL_ARITH)) {
        return term_null(p);
    }
    bool moves = kind >= TERM_ADD && kind <= TERM_MULTIPLY;
    const term *out = moves ? term_into_case(p, &like) : NULL;
    out = out ? out : term_exact_sum(p, kind, a, b);
    return out || !moves ? out : unchanged(p, kind, a, b);
}

const term *term_real_arithmetic(prover *p,
                                 term_kind kind,
                                 const term *a,
                                 const term *b)
{
    assert(kind >= TERM_ADD
           && kind <= TERM_DIVIDE);  // not %: its value is whole
    b = divisor(p, kind, term_bare(b));
    const term *args[] = {as_real(p, term_bare(a)), as_real(p, term_bare(b))};
    const term *n = simpler(p, kind, true, term_bare(a), b);
    n = n ? n : compute_real(p, kind, args[0], args[1]);
    if (n) {
        return n;
    }
    if ((kind == TERM_ADD || kind == TERM_MULTIPLY)
        && args[0]->no > args[1]->no) {
        const term *swap = args[0];
        args[0] = args[1];
        args[1] = swap;
    }
    return term_make(
        p, (term){.kind = (uint8_t)kind, .flag = true, .n = 2, .args = args});
}

// Where numbers have many types: whether both are computed in one, of which the
// sum of parts is that of the whole. A REAL of PostgreSQL is a float4: SUM adds
// them up as such, and a DOUBLE PRECISION beside them makes them one.
static bool keeps_number(prover *p, const term *plain, const term *real)
{
    str type = type_of(p, plain);
    return !prover_is_typed(p)
           || (type_is_known(type) && !str_equal(type, S("float4"))
               && str_equal(type, type_of(p, real)));
}

const term *term_arithmetic(prover *p,
                            term_kind kind,
                            const term *a,
                            const term *b)
{
    assert(kind >= TERM_ADD && kind <= TERM_REMAINDER);
    a = term_bare(a);
    b = divisor(p, kind, term_bare(b));
    const term *simple = simpler(p, kind, false, a, b);
    if (simple) {
        return simple;
    }
    if ((is_real(p, a) || is_real(p, b)) && kind != TERM_REMAINDER) {
        const term *plain = term_of(p, kind, a, b);
        const term *real = term_real_arithmetic(p, kind, a, b);
        if (keeps_number(p, plain, real) && local_allowed(p, LOCAL_RATIO)) {
            return real;
        }
    }
    const term *n = compute(p, kind, a, b);
    if (!local_allowed(p, LOCAL_ARITH)) {
        return term_of(p, kind, a, b);
    }
    bool swaps = (kind == TERM_ADD || kind == TERM_MULTIPLY) && a->no > b->no;
    return n ? n : swaps ? term_of(p, kind, b, a) : term_of(p, kind, a, b);
}

const term *term_negate(prover *p, const term *a)
{
    a = term_bare(a);
    if (a->kind == TERM_INTEGER && a->number > INT64_MIN) {
        return term_integer(p, -a->number);
    }
    if (a->kind == TERM_REAL) {
        assert(a->text.len > 0);
        str text = a->text.ptr[0] == '-'
                       ? str_skip(a->text, 1)
                       : arena_printf(p->a, "-%.*s", STR_ARG(a->text));
        return term_make(p, (term){.kind = TERM_REAL, .text = text});
    }
    return term_of(p, TERM_NEGATE, a, NULL);
}

const term *term_plus(prover *p, const term *a)
{
    term_type type = term_type_of(a);
    type.has_affinity = false;
    type.affinity = AFFINITY_BLOB;
    return term_as(p, a, type);
}

const term *term_cast(prover *p, const term *a, schema_affinity to)
{
    // Of the type of what is cast the collation remains.
    a = term_key(p, a);
    bool is_same = to == AFFINITY_INTEGER && a->kind == TERM_COLUMN
                   && term_affinity(a) == AFFINITY_INTEGER
                   && known_is(p, a, KNOWN_INTEGER, ASSUME_DEFAULT);
    if (is_same && local_allowed(p, LOCAL_CAST_SAME)) {
        return a;
    }
    if (to == AFFINITY_REAL && is_real(p, a)
        && local_allowed(p, LOCAL_CAST_SAME)) {
        term_type type = term_type_of(a);
        type.has_affinity = true;
        type.affinity = AFFINITY_REAL;
        return term_as(p, a, type);
    }
    const term *args[] = {a};
    return term_make(
        p,
        (term){.kind = TERM_CAST, .column = (int32_t)to, .n = 1, .args = args});
}
