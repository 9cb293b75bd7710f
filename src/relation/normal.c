/*
 * normal.c - AND, OR, NOT and arithmetic; see normal.h.
 */
#include "relation/normal.h"

#include "relation/known.h"
#include "relation/normal_internal.h"
#include "relation/relation_type.h"

#include <assert.h>

static const str words[] = {
#define LOCAL(name, word, says, when) S_INIT(word),
#include "relation/local.def"

};

str local_word(local_rule rule)
{
    assert(rule < LOCAL_COUNT);
    return words[rule];
}

bool local_allowed(prover *p, local_rule rule)
{
    uint64_t late = local_bit(LOCAL_INTEGER_THRESHOLD)
                    | local_bit(LOCAL_DAY_THRESHOLD)
                    | local_bit(LOCAL_DATE_SPAN) | local_bit(LOCAL_DAY_COUNT)
                    | local_bit(LOCAL_GENERATED) | local_bit(LOCAL_FLAG);
    assert(rule < LOCAL_COUNT);
    bool is_late = (late & local_bit(rule)) && !p->uses_types;
    if (is_late || prover_may_not(p, words[rule])) {
        return false;
    }
    p->locals |= local_bit(rule);
    return true;
}

// Whether a comparison or a denial is NULL: one of its operands is.
static const term *is_unknown(prover *p, const term *t)
{
    bool compares = t->kind == TERM_NOT || term_compares(t);
    const term *is[2];
    for (int32_t i = 0; compares && i < t->n; i++) {
        compares = t->args[i]->kind != TERM_ROW;
        is[i] = compares ? term_is(p, t->args[i], term_null(p)) : NULL;
    }
    return compares ? term_all(p, TERM_OR, is, t->n) : NULL;
}

const term *term_is(prover *p, const term *a, const term *b)
{
    if (a->kind == TERM_NULL || b->kind == TERM_NULL) {
        a = term_bare(a);
        b = term_bare(b);
    } else {
        terms_bare(p, &a, &b);
    }
    if (a->kind == TERM_NULL && b->kind == TERM_NULL) {
        return term_boolean(p, true);
    }
    if (b->kind == TERM_NULL && term_is_some(a)) {
        return term_boolean(p, false);
    }
    const term *none = b->kind == TERM_NULL ? term_no_rows(p, a) : NULL;
    none = none || b->kind != TERM_NULL ? none : is_unknown(p, a);
    if (none) {
        return none;
    }
    bool swaps =
        a->kind == TERM_NULL
        || (b->kind != TERM_NULL && terms_exchange(a, b) && a->no > b->no);
    return swaps ? term_of(p, TERM_IS, b, a) : term_of(p, TERM_IS, a, b);
}

const term *term_and(prover *p, const term *a, const term *b)
{
    const term *both[] = {a, b};
    return term_all(p, TERM_AND, both, 2);
}

static const term *not_each(prover *p, const term *t)
{
    assert(t->kind == TERM_AND || t->kind == TERM_OR);
    const term **args = arena_new(p->a, const term *, t->n);
    for (int32_t i = 0; i < t->n; i++) {
        args[i] = term_not(p, t->args[i]);
    }
    return term_all(p, t->kind == TERM_AND ? TERM_OR : TERM_AND, args, t->n);
}

static bool lists_literals(const term *t)
{
    return term_args_all(t, 1, term_is_literal);
}

static const term *not_in_list(prover *p, const term *t)
{
    const term **args = arena_new(p->a, const term *, t->n);
    for (int32_t i = 1; i < t->n; i++) {
        args[i - 1] = term_compare(p, TERM_UNEQUAL, t->args[0], t->args[i]);
    }
    return term_all(p, TERM_AND, args, t->n - 1);
}

static const term *push_not(prover *p, const term *a)
{
    if (term_compares(a)) {
        return term_compare(p, term_denied((term_kind)a->kind), a->args[0],
                            a->args[1]);
    }
    switch (a->kind) {
    case TERM_AND:
    case TERM_OR: return not_each(p, a);
    case TERM_IN_LIST:
        return lists_literals(a)
                       && type_lists_as_compared(p, a->args[0], a->args + 1,
                                                 a->n - 1)
                   ? not_in_list(p, a)
                   : NULL;
    case TERM_NOT: return term_is_truth(a->args[0]) ? a->args[0] : NULL;
    case TERM_INTEGER: return term_boolean(p, a->number == 0);
    case TERM_NULL: return a;
    default: return NULL;
    }
}

const term *term_not(prover *p, const term *a)
{
    a = term_of_flag(p, term_bare(a));
    const term *pushed =
        local_allowed(p, LOCAL_NOT_PUSH) ? push_not(p, a) : NULL;
    return pushed ? pushed : term_of(p, TERM_NOT, a, NULL);
}

// What is true, false or NULL when `t` is.
static const term *term_truth_part(const term *t)
{
    t = term_bare(t);
    bool is_one = (t->kind == TERM_AND || t->kind == TERM_OR) && t->n == 1;
    return is_one ? t->args[0] : t;
}

// The arguments of nested ANDs (ORs) as one set.
static bool flatten(prover *p, term_kind kind, const term *t, term_list *out)
{
    t = term_truth_part(t);
    if (p->work++ > WORK_MAX) {
        prover_stop(p, S("a query that is too large"));
        return false;
    }
    if (t->kind == kind) {
        for (int32_t i = 0; i < t->n; i++) {
            if (!flatten(p, kind, t->args[i], out)) {
                return false;
            }
        }
        return true;
    }
    term_list_add(p, out, term_of_flag(p, t));
    return out->len < LIST_MAX
           || prover_stop(p, S("a condition that is too long"));
}

void term_list_sort(term_list *l)
{
    for (ptrdiff_t i = 1; i < l->len; i++) {
        const term *t = l->ptr[i];
        ptrdiff_t at = i;
        for (; at > 0 && l->ptr[at - 1]->no > t->no; at--) {
            l->ptr[at] = l->ptr[at - 1];
        }
        l->ptr[at] = t;
    }
}

// x of `x = literal` and of `x IN {literals}`; NULL for others.
static const term *listed(const term *t)
{
    if (t->kind == TERM_EQUAL) {
        return term_is_literal(t->args[1])   ? t->args[0]
               : term_is_literal(t->args[0]) ? t->args[1]
                                             : NULL;
    }
    return t->kind == TERM_IN_LIST && lists_literals(t) ? t->args[0] : NULL;
}

static void add_literals(prover *p, term_list *items, const term *t)
{
    for (int32_t i = t->kind == TERM_IN_LIST ? 1 : 0; i < t->n; i++) {
        if (term_is_literal(t->args[i])) {
            term_list_push(p, items, t->args[i]);
        }
    }
}

// Whether a later branch asks the same term for literals.
static bool has_like(const term_list *branches, ptrdiff_t i)
{
    bool found = false;
    for (ptrdiff_t k = i + 1; k < branches->len; k++) {
        found |= listed(branches->ptr[k]) == listed(branches->ptr[i]);
    }
    return found;
}

// Of the branches of an OR those that ask the same term for literals are one.
static void merge_lists(prover *p, term_list *branches)
{
    for (ptrdiff_t i = 0; i < branches->len; i++) {
        const term *x = listed(branches->ptr[i]);
        term_list all = {0};
        term_list_push(p, &all, x);
        for (ptrdiff_t k = i; x && k < branches->len; k++) {
            if (listed(branches->ptr[k]) == x) {
                add_literals(p, &all, branches->ptr[k]);
            }
        }
        if (!x || !has_like(branches, i)
            || !type_lists_as_compared(p, x, all.ptr + 1, all.len - 1)
            || !local_allowed(p, LOCAL_OR_IN)) {
            continue;
        }
        for (ptrdiff_t k = branches->len - 1; k > i; k--) {
            if (listed(branches->ptr[k]) == x) {
                term_list_remove(branches, k);
            }
        }
        branches->ptr[i] = term_in_list(p, all.ptr, (int32_t)all.len);
    }
}

static bool has_conjunct(const term *t, const term *wanted)
{
    for (int32_t i = 0; t->kind == TERM_AND && i < t->n; i++) {
        if (t->args[i] == wanted) {
            return true;
        }
    }
    return t == wanted;
}

static const term *without_conjuncts(prover *p,
                                     const term *t,
                                     const term_list *gone)
{
    term_list rest = {0};
    for (int32_t i = 0; t->kind == TERM_AND && i < t->n; i++) {
        if (!term_list_has(gone, t->args[i])) {
            term_list_push(p, &rest, t->args[i]);
        }
    }
    return term_all(p, TERM_AND, rest.ptr, (int32_t)rest.len);
}

// (q AND a) OR (q AND b); NULL: the branches have nothing in common.
static const term *factor(prover *p, const term_list *branches)
{
    assert(branches->len > 1);  // one branch has nothing to share
    const term *first = branches->ptr[0];
    term_list common = {0};
    for (int32_t i = 0; i < (first->kind == TERM_AND ? first->n : 1); i++) {
        const term *t = first->kind == TERM_AND ? first->args[i] : first;
        bool in_all = term_is_truth(t);
        for (ptrdiff_t k = 1; in_all && k < branches->len; k++) {
            in_all = has_conjunct(branches->ptr[k], t);
        }
        if (in_all) {
            term_list_push(p, &common, t);
        }
    }
    if (common.len == 0 || !local_allowed(p, LOCAL_OR_FACTOR)) {
        return NULL;
    }
    term_list rest = {0};
    for (ptrdiff_t k = 0; k < branches->len; k++) {
        const term *t = branches->ptr[k];
        term_list_push(p, &rest, without_conjuncts(p, t, &common));
    }
    term_list_push(p, &common,
                   term_all(p, TERM_OR, rest.ptr, (int32_t)rest.len));
    return term_all(p, TERM_AND, common.ptr, (int32_t)common.len);
}

// Leaves out what is neutral; true when something decides alone.
static bool drop_neutral(term_kind kind, term_list *l)
{
    for (ptrdiff_t i = l->len - 1; i >= 0; i--) {
        const term *t = l->ptr[i];
        if (t->kind == TERM_INTEGER) {
            if ((t->number == 0) == (kind == TERM_AND)) {
                return true;
            }
            term_list_remove(l, i);
        }
    }
    return false;
}

const term *term_all(prover *p,
                     term_kind kind,
                     const term *const *args,
                     int32_t n)
{
    assert(kind == TERM_AND || kind == TERM_OR);
    term_list list = {0};
    for (int32_t i = 0; i < n; i++) {
        if (!flatten(p, kind, args[i], &list)) {
            return term_null(p);
        }
    }
    local_allowed(p, LOCAL_CONJ_SORT);
    bool is_and = kind == TERM_AND;
    if (drop_neutral(kind, &list)) {
        return term_boolean(p, !is_and);
    }
    if (list.len == 0) {
        return term_boolean(p, is_and);
    }
    if (is_and) {
        term_join_dates(p, &list);
    }
    term_list_sort(&list);
    if (!is_and && list.len > 1) {
        merge_lists(p, &list);
        const term *factored = list.len > 1 ? factor(p, &list) : NULL;
        if (factored) {
            return factored;
        }
        term_list_sort(&list);
    }
    if (list.len == 1 && term_is_truth(list.ptr[0])) {
        return list.ptr[0];
    }
    // x AND x is 0, 1 or NULL, whatever x is.
    kind = list.len == 1 ? TERM_AND : kind;
    return term_make(p, (term){.kind = (uint8_t)kind,
                               .n = (int32_t)list.len,
                               .args = list.ptr});
}

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
    unsigned types = p->uses_types ? 0 : ASSUME_TYPES;
    return known_is(p, t, kind, ASSUME_DEFAULT & ~types);
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
        bool is_test = i % 2 == 0 && i + 1 < t->n;
        args[i] = is_test ? t->args[i] : as_addend(p, t->args[i]);
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
        buf text = buf_new(p->a);
        buf_double(&text, (double)t->number);
        return term_make(p, (term){.kind = TERM_REAL, .text = buf_str(&text)});
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
    buf text = buf_new(p->a);
    buf_double(&text, n);
    bool is_plain = n == n && n - n == 0
                    && (kind != TERM_DIVIDE || p->elsewhere == DIALECT_SQLITE
                        || is_short(a->text, b->text, buf_str(&text)));
    return is_plain
               ? term_make(p, (term){.kind = TERM_REAL, .text = buf_str(&text)})
               : NULL;
}

// y of x / NULLIF(y, 0): dividing by 0 gives NULL anyway.
static const term *divisor(prover *p, term_kind kind, const term *t)
{
    double zero = 1;
    bool is_idle =
        kind == TERM_DIVIDE && t->kind == TERM_CALL && t->n == 2
        && str_equal(t->text, S("nullif")) && !prover_is_typed(p)
        && (term_is_number(t->args[1], 0)
            || (t->args[1]->kind == TERM_REAL
                && str_to_double(t->args[1]->text, &zero) && zero == 0));
    return is_idle && local_allowed(p, LOCAL_DIVISOR) ? term_bare(t->args[0])
                                                      : t;
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
    unsigned may = ASSUME_DEFAULT & ~(p->uses_types ? 0u : ASSUME_TYPES);
    bool is_number = x && !prover_is_typed(p)
                     && (known_is(p, x, KNOWN_INTEGER, may)
                         || (scales
                             && (known_is(p, x, KNOWN_REAL, may)
                                 || known_is(p, x, KNOWN_NUMBER, may))));
    return is_number && local_allowed(p, LOCAL_ARITH) ? term_untyped(p, x)
                                                      : NULL;
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

static bool lists_null(const term *t)
{
    bool found = false;
    for (int32_t i = 1; t->kind == TERM_IN_LIST && i < t->n; i++) {
        found |= t->args[i]->kind == TERM_NULL;
    }
    return found;
}

// CASE of NULL and 0 alone.
static bool is_never_case(const term *t)
{
    bool never = t->kind == TERM_CASE;
    for (int32_t i = 0; never && i < t->n; i++) {
        bool is_test = i % 2 == 0 && i + 1 < t->n;
        never = is_test || t->args[i]->kind == TERM_NULL
                || term_is_number(t->args[i], 0);
    }
    return never;
}

static bool is_never(const term *t);

// An OR, all of whose branches are.
static bool is_never_any(const term *t)
{
    return t->kind == TERM_OR && term_args_all(t, 0, is_never);
}

// COUNT(*) of a group, which has a row, as a column of a derived table.
static bool counts_group(const term *t)
{
    const block *b = t->kind == TERM_COLUMN ? t->source->body : NULL;
    bool shows = b && b->has_group && t->column < b->select.len;
    const term *item = shows ? b->select.ptr[t->column] : NULL;
    return item && item->kind == TERM_AGGREGATE && item->n == 0;
}

// Whether a count of 1 or more is equal to, or below, what is less than 1.
static bool is_never_counted(const term *t)
{
    bool is_equal = t->kind == TERM_EQUAL;
    bool is_below = t->kind == TERM_LESS || t->kind == TERM_LESS_EQUAL;
    int k = is_equal && counts_group(t->args[1]);
    int64_t least = t->kind == TERM_LESS ? 2 : 1;
    return (is_equal || is_below) && counts_group(t->args[k])
           && t->args[1 - k]->kind == TERM_INTEGER
           && t->args[1 - k]->number < least;
}

// Is it never true: x = NULL, x < x, x NOT IN (1, NULL)?
static bool is_never(const term *t)
{
    bool is_strict = t->kind == TERM_UNEQUAL || t->kind == TERM_LESS
                     || t->kind == TERM_GREATER;
    return is_never_counted(t)
           || (term_compares(t)
               && (t->args[0]->kind == TERM_NULL
                   || t->args[1]->kind == TERM_NULL
                   || (is_strict && t->args[0] == t->args[1])))
           || (t->kind == TERM_NOT && lists_null(t->args[0]))
           || is_never_case(t) || is_never_any(t);
}

const term *term_condition(prover *p, const term *t)
{
    t = term_bare(t);
    if (is_never(t) && local_allowed(p, LOCAL_NEVER)) {
        return term_boolean(p, false);
    }
    term_list some = {0};
    for (int32_t i = 0; t->kind == TERM_OR && i < t->n; i++) {
        if (!is_never(t->args[i])) {
            term_list_push(p, &some, t->args[i]);
        }
    }
    if (some.len > 0 && some.len < t->n && local_allowed(p, LOCAL_NEVER)) {
        return term_condition(
            p, term_all(p, TERM_OR, some.ptr, (int32_t)some.len));
    }
    if (t->kind == TERM_CASE && t->n <= 3 && t->args[1]->kind == TERM_INTEGER
        && t->args[1]->number != 0) {
        const term *other = t->n == 3 ? t->args[2] : NULL;
        if (!other || other->kind == TERM_NULL || term_is_number(other, 0)) {
            return term_condition(p, t->args[0]);
        }
    }
    if (t->kind == TERM_AND && t->n == 1) {
        return t->args[0];
    }
    return term_later_day(p, term_cut_concat(p, term_of_flag(p, t)));
}

void term_conjoin(prover *p, term_list *set, const term *t)
{
    t = term_condition(p, t);
    if (t->kind == TERM_AND) {
        for (int32_t i = 0; i < t->n; i++) {
            term_conjoin(p, set, t->args[i]);
        }
        return;
    }
    if (t->kind == TERM_NULL) {
        t = term_boolean(p, false);
    }
    bool is_true = t->kind == TERM_INTEGER && t->number != 0;
    if (!is_true) {
        term_list_add(p, set, t);
    }
}

void term_conjoin_all(prover *p, term_list *set, const term_list *l)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        term_conjoin(p, set, l->ptr[i]);
    }
}

const term *term_remake(prover *p, const term *t, const term *const *args)
{
    if (term_compares(t)) {
        return term_compare(p, (term_kind)t->kind, args[0], args[1]);
    }
    switch (t->kind) {
    case TERM_IS: return term_is(p, args[0], args[1]);
    case TERM_NOT: return term_not(p, args[0]);
    case TERM_AND:
    case TERM_OR: return term_all(p, (term_kind)t->kind, args, t->n);
    case TERM_IN_LIST: return term_in_list(p, args, t->n);
    case TERM_CASE: return term_case(p, args, t->n);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
        return t->flag
                   ? term_real_arithmetic(p, (term_kind)t->kind, args[0],
                                          args[1])
                   : term_arithmetic(p, (term_kind)t->kind, args[0], args[1]);
    case TERM_NEGATE: return term_negate(p, args[0]);
    case TERM_AS: return term_as(p, args[0], term_type_of(t));
    case TERM_CONCAT: return term_concat(p, args[0], args[1]);
    case TERM_CAST: return term_cast(p, args[0], (schema_affinity)t->column);
    case TERM_CALL: return term_call(p, t->text, args, t->n);
    case TERM_LIST: {
        term other = *t;
        other.args = term_args(p, true, args, t->n);
        return term_make(p, other);
    }
    case TERM_AGGREGATE: return term_aggregate(p, t->text, t->flag, args, t->n);
    default: {
        term other = *t;
        other.args = args;
        return term_make(p, other);
    }
    }
}
