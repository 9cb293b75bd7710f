/*
 * normal_compare.c - comparisons, IN and literals; see normal.h.
 *
 * Method      SQLite converts the operands of a comparison by their affinity:
 *             a side with numeric affinity makes a number of a text on the
 *             other side, a TEXT side makes text of a number without
 *             affinity. So a literal beside a column can be written as what it
 *             becomes, and other ways of writing it become equal. Which
 *             collation compares is the left side's business unless it has
 *             none, hence the care about exchanging sides.
 */
#include "relation/known.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "relation/relation_block.h"
#include "relation/relation_class.h"
#include "relation/relation_type.h"

#include <assert.h>
#include <math.h>

bool terms_exchange(const term *a, const term *b)
{
    schema_collation left;
    schema_collation right;
    return !term_collation(a, &left) || !term_collation(b, &right)
           || left == right;
}

// What a comparison does: how it converts both values, and what equal means.
typedef struct comparing {
    schema_affinity affinity;  // NUMERIC, TEXT, or BLOB: as they are
    schema_collation collation;
} comparing;

static comparing comparing_of(term_type a, term_type b)
{
    schema_affinity affinity = a.has_affinity ? a.affinity : b.affinity;
    if (a.has_affinity && b.has_affinity) {
        affinity = schema_affinity_is_number(a.affinity)
                           || schema_affinity_is_number(b.affinity)
                       ? AFFINITY_NUMERIC
                       : AFFINITY_BLOB;
    }
    return (comparing){
        .affinity =
            schema_affinity_is_number(affinity) ? AFFINITY_NUMERIC : affinity,
        .collation = a.has_collation ? a.collation : b.collation,
    };
}

// Whether no value on either side is converted.
static bool converts_none(prover *p,
                          const term *const *bare,
                          const term_type *types)
{
    return known_stays(p, bare[0], types[0].affinity, types[1].affinity)
           && known_stays(p, bare[1], types[1].affinity, types[0].affinity);
}

// Whether two values of these types compare as they do with the other types.
static bool compare_alike(prover *p,
                          const term *const *bare,
                          const term_type *now,
                          term_type left,
                          term_type right)
{
    const term_type types[] = {left, right};
    comparing one = comparing_of(now[0], now[1]);
    comparing other = comparing_of(left, right);
    unsigned touched = p->touched;
    bool alike =
        one.collation == other.collation
        && (one.affinity == other.affinity
            || (converts_none(p, bare, now) && converts_none(p, bare, types)
                && prover_takes_types(p, touched)));
    p->touched = alike ? p->touched : touched;
    return alike;
}

void terms_bare(prover *p, const term **a, const term **b)
{
    const term_type now[] = {term_type_of(*a), term_type_of(*b)};
    const term *bare[] = {term_bare(*a), term_bare(*b)};
    term_type left = term_type_of(bare[0]);
    term_type right = term_type_of(bare[1]);
    if (now[0].is_unlike || now[1].is_unlike
        || (bare[0] == *a && bare[1] == *b)) {
        return;
    }
    if (compare_alike(p, bare, now, left, right)) {
        *a = bare[0];
        *b = bare[1];
    } else if (compare_alike(p, bare, now, left, now[1])) {
        *a = bare[0];
    } else if (compare_alike(p, bare, now, now[0], right)) {
        *b = bare[1];
    }
}

// x of `x IN (items)`, without its sign or collation if it compares alike with
// each item; these have no type, whatever they are.
static const term *listed_bare(prover *p, const term *const *args, int32_t n)
{
    const term_type now[] = {term_type_of(args[0]), {0}};
    const term *bare = term_bare(args[0]);
    bool alike = !now[0].is_unlike;
    for (int32_t i = 1; alike && bare != args[0] && i < n; i++) {
        const term *both[] = {bare, term_bare(args[i])};
        alike = compare_alike(p, both, now, term_type_of(bare), now[1]);
    }
    return alike ? bare : args[0];
}

// -12 or 12.50, nothing else.
static bool is_plain_decimal(str s)
{
    ptrdiff_t at = s.len > 0 && s.ptr[0] == '-';
    ptrdiff_t digits = 0;
    bool has_point = false;
    for (; at < s.len; at++) {
        if (s.ptr[at] == '.' && digits > 0 && !has_point) {
            has_point = true;
        } else if (is_digit(s.ptr[at])) {
            digits++;
        } else {
            return false;
        }
    }
    return digits > 0 && s.ptr[s.len - 1] != '.';
}

// A number that compares as the decimal text does.
static const term *number_of(prover *p, const term *literal)
{
    assert(literal->kind == TERM_TEXT || literal->kind == TERM_REAL);
    int64_t n = 0;
    double d = 0;
    if (literal->kind == TERM_TEXT) {
        if (!is_plain_decimal(literal->text)) {
            return literal;
        }
        if (str_to_int(literal->text, &n)) {
            return term_integer(p, n);
        }
    }
    if (!str_to_double(literal->text, &d)) {
        return literal;
    }
    if (fabs(d) <= 9007199254740992.0 && floor(d) == d) {
        return term_integer(p, (int64_t)d);
    }
    return term_real(p, d);
}

// Where types are strict, a text beside a number must spell one of its type,
// and beside a text there are no numbers. 1.0 is 1.
static bool may_become(prover *p, const term *l, const term *other)
{
    return !prover_is_typed(p) || l->kind == TERM_REAL
           || (l->kind == TERM_TEXT && know_reads_number(other, l->text));
}

// What the literal is when compared with `other`.
static const term *literal_beside(prover *p, const term *l, const term *other)
{
    term_type type = term_type_of(other);
    if (!term_is_literal(l) || term_is_literal(other) || type.is_unlike
        || !may_become(p, l, other)) {
        return l;
    }
    schema_affinity affinity = type.affinity;
    const term *now = l;
    bool is_number = schema_affinity_is_number(affinity)
                     || (l->kind == TERM_REAL && affinity != AFFINITY_TEXT
                         && !prover_is_typed(p));
    if (is_number && l->kind != TERM_INTEGER) {
        now = number_of(p, l);
    } else if (affinity == AFFINITY_TEXT && l->kind == TERM_INTEGER) {
        now = term_text(p, arena_printf(p->a, "%lld", (long long)l->number));
    }
    return now == l || !local_allowed(p, LOCAL_LITERAL_AFFINITY) ? l : now;
}

bool term_order_holds(term_kind kind, int order)
{
    switch ((int)kind) {
    case TERM_EQUAL: return order == 0;
    case TERM_UNEQUAL: return order != 0;
    case TERM_LESS: return order < 0;
    case TERM_LESS_EQUAL: return order <= 0;
    case TERM_GREATER: return order > 0;
    default: return order >= 0;
    }
}

// Of two literals of one kind; NULL: not known.
static const term *fold(prover *p, term_kind kind, const term *a, const term *b)
{
    if ((a->kind == TERM_NULL || b->kind == TERM_NULL) && !prover_is_typed(p)) {
        return term_null(p);
    }
    bool is_order = kind != TERM_EQUAL && kind != TERM_UNEQUAL;
    bool is_read =
        a->kind == b->kind && (a->kind == TERM_INTEGER || a->kind == TERM_TEXT);
    literal_order order = is_read ? type_order(p, NULL, a, b) : LITERAL_OPEN;
    return order == LITERAL_OPEN || (is_order && order == LITERAL_OTHER)
               ? NULL
               : term_boolean(p, term_order_holds(kind, (int)order));
}

// Whether it is 0 or 1, also as a whole number.
static bool is_decided(const term *t)
{
    bool is_cast = t->kind == TERM_CAST && t->column == AFFINITY_INTEGER;
    return term_is_decided(is_cast ? t->args[0] : t);
}

// What the comparison of 0 and of 1 with a number says alike; NULL: nothing.
static const term *fold_decided(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b)
{
    bool is_left = is_decided(a);
    const term *number = is_left ? b : a;
    if (number->kind != TERM_INTEGER || prover_is_typed(p)
        || !is_decided(is_left ? a : b)) {
        return NULL;
    }
    bool holds[2];
    for (int64_t x = 0; x < 2; x++) {
        int order = (x > number->number) - (x < number->number);
        holds[x] = term_order_holds(kind, is_left ? order : -order);
    }
    return holds[0] == holds[1] && local_allowed(p, LOCAL_NEVER)
               ? term_boolean(p, holds[0])
               : NULL;
}

static bool is_integer(prover *p, const term *t)
{
    return known_is(p, t, KNOWN_INTEGER, ASSUME_DEFAULT);
}

// Whether < n may become <= n - 1 beside this term.
static bool is_whole(prover *p, const term *t)
{
    if (t->kind == TERM_INTEGER) {
        return false;
    }
    if (term_counts(t)) {
        return local_allowed(p, LOCAL_COUNT_THRESHOLD);
    }
    unsigned touched = p->touched;
    return is_integer(p, t) && prover_takes_types(p, touched)
           && local_allowed(p, LOCAL_INTEGER_THRESHOLD);
}

static const term *less(prover *p, const term *a, const term *b)
{
    if (b->kind == TERM_INTEGER && !b->flag && b->number > INT64_MIN
        && is_whole(p, a)) {
        return term_of(p, TERM_LESS_EQUAL, a, term_integer(p, b->number - 1));
    }
    if (a->kind == TERM_INTEGER && !a->flag && a->number < INT64_MAX
        && is_whole(p, b)) {
        return term_of(p, TERM_LESS_EQUAL, term_integer(p, a->number + 1), b);
    }
    const term *next = term_next_day(p, b, a);
    return next ? term_of(p, TERM_LESS_EQUAL, next, b)
                : term_of(p, TERM_LESS, a, b);
}

static const term *less_equal(prover *p, const term *a, const term *b)
{
    const term *next = term_next_day(p, a, b);
    return next ? term_of(p, TERM_LESS, a, next)
                : term_of(p, TERM_LESS_EQUAL, a, b);
}

// CAST(a AS INTEGER) of a whole number, compared with another one.
static const term *without_cast(prover *p, const term *t, const term *other)
{
    bool is_idle = t->kind == TERM_CAST && t->column == AFFINITY_INTEGER
                   && is_integer(p, t->args[0]) && is_integer(p, other)
                   && local_allowed(p, LOCAL_CAST_SAME);
    return is_idle ? t->args[0] : t;
}

// A column that holds 0, 1 and NULL.
static bool is_flag(prover *p, const term *t)
{
    const schema_column *c = term_declared(t);
    return !prover_is_typed(p) && c && c->kind == KIND_BOOLEAN
           && prover_takes_types(p, p->touched) && prover_assumes_type(p, c);
}

const term *term_of_flag(prover *p, const term *t)
{
    return is_flag(p, t) && local_allowed(p, LOCAL_FLAG)
               ? term_compare(p, TERM_EQUAL, t, term_integer(p, 1))
               : t;
}

// c = 1 for c <> 0, and c = 0 for c <> 1; NULL: it is nothing of the kind.
static const term *unequal_flag(prover *p, const term *a, const term *b)
{
    const term *literal = a->kind == TERM_INTEGER ? a : b;
    const term *flag = literal == a ? b : a;
    bool is_one = literal->kind == TERM_INTEGER && literal->number == 1;
    return (is_one || term_is_number(literal, 0)) && is_flag(p, flag)
                   && local_allowed(p, LOCAL_FLAG)
               ? term_compare(p, TERM_EQUAL, flag, term_integer(p, !is_one))
               : NULL;
}

static bool is_cast_text(const term *t)
{
    return t->kind == TERM_CALL && str_equal(t->text, S("cast text"))
           && t->args[0]->kind == TERM_TEXT;
}

// CAST('a' AS TEXT) beside what is text anyway.
static const term *text_beside(prover *p, const term *t, const term *other)
{
    bool is_idle = prover_is_typed(p) && is_cast_text(t)
                   && (other->kind == TERM_TEXT || is_cast_text(other)
                       || know_reads_text(other));
    return is_idle ? t->args[0] : t;
}

// (a, b) = (c, d) as a = c AND b = d. A DuckDB row is a value, in which NULL
// equals NULL.
static const term *rows_equal(prover *p, const term *a, const term *b)
{
    term_list same = {0};
    for (int32_t i = 0; i < a->n; i++) {
        term_list_push(
            p, &same, term_compare(p, TERM_EQUAL, a->args[i], term_part(b, i)));
    }
    return term_all(p, TERM_AND, same.ptr, a->n);
}

const term *term_compare(prover *p,
                         term_kind kind,
                         const term *a,
                         const term *b)
{
    assert(kind >= TERM_EQUAL && kind <= TERM_GREATER_EQUAL);
    if (kind <= TERM_UNEQUAL && a->kind == TERM_ROW && b->kind == TERM_ROW
        && a->n == b->n && !prover_is_typed(p)) {
        const term *same = rows_equal(p, a, b);
        return kind == TERM_EQUAL ? same : term_not(p, same);
    }
    terms_bare(p, &a, &b);
    a = text_beside(p, a, b);
    b = text_beside(p, b, a);
    const term *folded = fold(p, kind, a, b);
    folded = folded ? folded : fold_decided(p, kind, a, b);
    if (folded) {
        return folded;
    }
    const term *begun = term_compare_begin(p, kind, a, b);
    const term *days = begun ? NULL : term_compare_days(p, kind, a, b);
    const term *letters = term_compare_folded(p, kind, a, b);
    if (begun || days || letters) {
        return begun ? begun : days ? days : letters;
    }
    a = without_cast(p, a, b);
    b = without_cast(p, b, a);
    const term *left = literal_beside(p, a, b);
    const term *right = literal_beside(p, b, a);
    const term *same =
        kind == TERM_UNEQUAL ? unequal_flag(p, left, right) : NULL;
    same = same ? same : term_compare_digits(p, kind, left, right);
    if (same) {
        return same;
    }
    const term *linear = term_compare_linear(p, &kind, left, &right);
    left = linear ? linear : left;
    if (!terms_exchange(left, right) || !local_allowed(p, LOCAL_FLIP)) {
        return term_of(p, kind, left, right);
    }
    switch ((int)kind) {
    case TERM_GREATER: return less(p, right, left);
    case TERM_GREATER_EQUAL: return less_equal(p, right, left);
    case TERM_LESS: return less(p, left, right);
    case TERM_LESS_EQUAL: return less_equal(p, left, right);
    default:
        return left->no < right->no ? term_of(p, kind, left, right)
                                    : term_of(p, kind, right, left);
    }
}

const term *term_between(prover *p,
                         const term *x,
                         const term *low,
                         const term *high)
{
    if (!local_allowed(p, LOCAL_BETWEEN)) {
        const term *args[] = {x, low, high};
        return term_call(p, S("between"), args, 3);
    }
    return term_and(p, term_compare(p, TERM_GREATER_EQUAL, x, low),
                    term_compare(p, TERM_LESS_EQUAL, x, high));
}

static bool may_be_listed(const term *t)
{
    return term_is_literal(t) || t->kind == TERM_NULL;
}

// STRFTIME('%Y', d) IN ('2020') for YEAR(d) IN (2020); `args` where it is
// nothing of the kind.
static const term *const *listed_digits(prover *p,
                                        const term *const *args,
                                        int32_t n)
{
    int digits = 0;
    const term **texts = arena_new(p->a, const term *, n);
    texts[0] = term_date_digits(p, args[0], &digits);
    for (int32_t i = 1; texts[0] && i < n; i++) {
        texts[i] = term_digits(p, args[i], digits);
        texts[0] = texts[i] ? texts[0] : NULL;
    }
    return texts[0] ? texts : args;
}

const term *term_in_list(prover *p, const term *const *args, int32_t n)
{
    assert(n >= 1);  // the first is looked for among the others
    if (n == 1) {
        return term_boolean(p, false);
    }
    args = listed_digits(p, args, n);
    const term *x = listed_bare(p, args, n);
    term_list items = {0};
    for (int32_t i = 1; i < n; i++) {
        const term *item = args[i];
        if (p->work++ > WORK_MAX) {
            prover_stop(p, S("a query that is too large"));
            break;
        }
        term_list_push(p, &items, literal_beside(p, term_bare(item), x));
    }
    term_list_sort(&items);
    bool is_as_compared =
        n == 2 || type_lists_as_compared(p, x, items.ptr, items.len);
    term_list all = {0};
    term_list_push(p, &all, x);
    for (ptrdiff_t i = 0; i < items.len; i++) {
        // Alone it would be compared as another type.
        if (i == 0 || items.ptr[i] != items.ptr[i - 1] || !is_as_compared) {
            term_list_push(p, &all, items.ptr[i]);
        }
    }
    if (all.len == 2 && may_be_listed(all.ptr[1])
        && local_allowed(p, LOCAL_OR_IN)) {
        return term_compare(p, TERM_EQUAL, x, all.ptr[1]);
    }
    return term_make(
        p,
        (term){.kind = TERM_IN_LIST, .n = (int32_t)all.len, .args = all.ptr});
}

const term *term_in_row(prover *p, const term *x, block *rows)
{
    if (x->kind == TERM_ROW || !block_is_one_row(rows)
        || !term_in_is_equal(x, rows->select.ptr[0])
        || !terms_exchange(x, rows->select.ptr[0])) {
        return NULL;
    }
    return term_compare(
        p, TERM_EQUAL, x,
        term_make(p, (term){.kind = TERM_SCALAR, .block = rows}));
}
