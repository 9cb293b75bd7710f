/*
 * normal_exact.c - functions of a CASE, and numbers that are computed exactly.
 *
 * Method      What is NULL of NULL moves into the branches of a CASE, so that
 *             a CASE stands outside, and what it chooses among is computed
 *             alone. A sum of products of one number is that number times one
 *             literal, where a system takes 0.76 for a decimal.
 */
#include "base/words.h"
#include "relation/known.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "relation/relation_block.h"
#include "sql/semantics.h"

#include <assert.h>

enum {
    BRANCHES_MAX = 40,  // of a CASE that something moves into
    DIGITS_MAX = 15,    // of a decimal, which a double holds
};

// Is 0.5 a decimal there, and a quotient of whole numbers one, too? Then ROUND
// of what is whole is whole.
static bool has_decimals(const prover *p)
{
    return !prover_is_typed(p)
           && dialect_semantics(p->elsewhere).decimals == DECIMALS_FOUR;
}

typedef struct decimal {
    int64_t n;
    int scale;  // n / 10^scale
} decimal;

static bool read_decimal(const term *t, decimal *out)
{
    *out = (decimal){.n = t->number};
    if (t->kind == TERM_INTEGER) {
        return t->number < INT32_MAX && t->number > -INT32_MAX;
    }
    str s = t->text;
    bool is_negative = s.len > 0 && s.ptr[0] == '-';
    bool has_point = false;
    bool ok = t->kind == TERM_REAL && s.len <= DIGITS_MAX;
    for (ptrdiff_t i = is_negative; ok && i < s.len; i++) {
        ok = is_digit(s.ptr[i]) || (s.ptr[i] == '.' && !has_point);
        if (ok && s.ptr[i] != '.') {
            out->n = out->n * 10 + (s.ptr[i] - '0');
            out->scale += has_point;
        }
        has_point |= s.ptr[i] == '.';
    }
    out->n = is_negative ? -out->n : out->n;
    return ok;
}

// Both with as many digits behind the point.
static bool align(decimal *a, decimal *b)
{
    while (a->scale != b->scale) {
        decimal *less = a->scale < b->scale ? a : b;
        less->scale++;
        if (__builtin_mul_overflow(less->n, (int64_t)10, &less->n)) {
            return false;
        }
    }
    return true;
}

static bool add_decimals(term_kind kind, decimal a, decimal b, decimal *out)
{
    assert(kind == TERM_ADD || kind == TERM_SUBTRACT);
    if (!align(&a, &b)) {
        return false;
    }
    out->scale = a.scale;
    bool overflows = kind == TERM_ADD
                         ? __builtin_add_overflow(a.n, b.n, &out->n)
                         : __builtin_sub_overflow(a.n, b.n, &out->n);
    while (!overflows && out->scale > 0 && out->n % 10 == 0) {
        out->n /= 10;
        out->scale--;
    }
    int64_t exact = (int64_t)1 << 53;
    return !overflows && out->n < exact && out->n > -exact;
}

static const term *literal_of(prover *p, decimal d)
{
    if (d.scale == 0) {
        return term_integer(p, d.n);
    }
    double by = 1;
    for (int i = 0; i < d.scale; i++) {
        by *= 10;  // exactly, up to 10^22
    }
    return term_real(p, (double)d.n / by);
}

// Is it computed without rounding where decimals are exact: whole numbers,
// decimals, their sums and products?
static bool is_exact(prover *p, const term *t)
{
    decimal ignored;
    const schema_column *c = term_stored(t);
    bool is_all =
        (t->kind >= TERM_ADD && t->kind <= TERM_MULTIPLY)
        || t->kind == TERM_NEGATE || t->kind == TERM_AS
        || (t->kind == TERM_AGGREGATE && str_among(t->text, "min max sum"))
        || (t->kind == TERM_CALL && str_among(t->text, "round abs"));
    bool is = t->kind == TERM_NULL || read_decimal(t, &ignored)
              || (c && c->kind == KIND_DECIMAL)
              || known_is(p, t, KNOWN_INTEGER, ASSUME_DEFAULT) || is_all;
    for (int32_t i = 0; is && is_all && i < t->n; i++) {
        is = is_exact(p, t->args[i]);
    }
    return is;
}

// t as a literal times something else.
typedef struct product {
    decimal by;
    const term *of;
} product;

static product product_of(const term *t)
{
    product out = {.by = {.n = 1}, .of = t};
    for (int i = 0; t->kind == TERM_MULTIPLY && i < 2; i++) {
        if (read_decimal(t->args[i], &out.by)) {
            out.of = t->args[1 - i];
            return out;
        }
    }
    out.by = (decimal){.n = 1};
    return out;
}

const term *term_exact_sum(prover *p,
                           term_kind kind,
                           const term *a,
                           const term *b)
{
    decimal sum;
    decimal one;
    decimal other;
    if ((kind != TERM_ADD && kind != TERM_SUBTRACT) || !has_decimals(p)) {
        return NULL;
    }
    if (read_decimal(a, &one) && read_decimal(b, &other)) {
        return add_decimals(kind, one, other, &sum)
                       && local_allowed(p, LOCAL_EXACT)
                   ? literal_of(p, sum)
                   : NULL;
    }
    product left = product_of(a);
    product right = product_of(b);
    bool is_one = left.of == right.of && (left.of->has & HAS_BLOCK) == 0
                  && is_exact(p, left.of)
                  && add_decimals(kind, left.by, right.by, &sum)
                  && local_allowed(p, LOCAL_EXACT);
    return is_one
               ? term_arithmetic(p, TERM_MULTIPLY, literal_of(p, sum), left.of)
               : NULL;
}

// m of 10^m; -1: it is no power of ten.
static int power_of_ten(const term *t)
{
    decimal d;
    int m = 0;
    if (!read_decimal(t, &d)) {
        return -1;
    }
    while (d.n > 0 && d.n % 10 == 0) {
        d.n /= 10;
        m++;
    }
    return d.n == 1 && m >= d.scale ? m - d.scale : -1;
}

// The factor that is no power of ten of a product with one, whose exponent is
// added; the term itself where there is none.
static const term *without_tens(const term *t, int *m)
{
    for (int i = 0; t->kind == TERM_MULTIPLY && i < 2; i++) {
        int more = power_of_ten(t->args[i]);
        if (more >= 0) {
            *m += more;
            return t->args[1 - i];
        }
    }
    return t;
}

// Behind the point of what is halfway between two numbers of these places,
// times 10^m, are places + m + 1 digits. A quotient is cut behind the ninth: so
// it is rounded as if it were exact, wherever the power of ten stands.
const term *term_exact_ratio(prover *p, const term *t, int64_t places)
{
    int m = 0;
    const term *ratio = without_tens(t, &m);
    bool divides = ratio->kind == TERM_DIVIDE && ratio->flag && has_decimals(p)
                   && places >= 0;
    const term *above = divides ? without_tens(ratio->args[0], &m) : NULL;
    if (!divides || m == 0 || places + m > 8 || !is_exact(p, above)
        || !is_exact(p, ratio->args[1]) || !local_allowed(p, LOCAL_EXACT)) {
        return t;
    }
    decimal tens = {.n = 1};
    for (int i = 0; i < m; i++) {
        tens.n *= 10;
    }
    return term_real_arithmetic(
        p, TERM_MULTIPLY, literal_of(p, tens),
        term_real_arithmetic(p, TERM_DIVIDE, above, ratio->args[1]));
}

const term *term_exact_round(prover *p, const term *x)
{
    bool is_whole = has_decimals(p)
                    && known_is(p, x, KNOWN_INTEGER, ASSUME_DEFAULT)
                    && local_allowed(p, LOCAL_EXACT);
    return is_whole ? term_untyped(p, x) : NULL;
}

static walk_step find_case(void *context, const term *t)
{
    (void)context;
    return t->kind == TERM_CASE ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

static bool has_case(const term *t)
{
    return term_walk(t, find_case, NULL);
}

// Which argument is the only CASE of them all; -1: none.
static int32_t only_case(const term *like)
{
    int32_t at = -1;
    for (int32_t i = 0; i < like->n; i++) {
        if (like->args[i]->kind == TERM_CASE && at < 0) {
            at = i;
        } else if (has_case(like->args[i])) {
            return -1;
        }
    }
    return at;
}

// A CASE has one type elsewhere, to which its branches convert.
static bool keeps_branches(prover *p, const term *t)
{
    bool keeps = t->n <= BRANCHES_MAX;
    for (int32_t i = 0; keeps && i < t->n; i++) {
        keeps = term_is_test(t, i) || p->elsewhere == DIALECT_SQLITE
                || (has_decimals(p) && is_exact(p, t->args[i]));
    }
    return keeps;
}

const term *term_into_case(prover *p, const term *like)
{
    int32_t at = prover_is_typed(p) ? -1 : only_case(like);
    if (at < 0 || !keeps_branches(p, like->args[at])
        || !local_allowed(p, LOCAL_INTO_CASE)) {
        return NULL;
    }
    const term *choice = like->args[at];
    const term **branches = arena_new(p->a, const term *, choice->n);
    for (int32_t i = 0; i < choice->n; i++) {
        branches[i] = choice->args[i];
        if (!term_is_test(choice, i)) {
            const term **args = arena_new(p->a, const term *, like->n);
            for (int32_t k = 0; k < like->n; k++) {
                args[k] = k == at ? choice->args[i] : like->args[k];
            }
            branches[i] = term_remake(p, like, args);
        }
    }
    return term_case(p, branches, choice->n);
}
