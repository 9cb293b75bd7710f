/*
 * normal.c - AND, OR and NOT, and which conditions never hold; see normal.h.
 */
#include "relation/normal.h"

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
    bool is_late = late & local_bit(rule);
    if (prover_may_not(p, words[rule])
        || (is_late && !prover_takes_types(p, p->touched))) {
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
        never = term_is_test(t, i) || t->args[i]->kind == TERM_NULL
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

// Does the comparison of a CASE on side `k` hold where its result is that one?
// -1: it cannot be told.
static int result_holds(prover *p, const term *t, int k, const term *result)
{
    const term *other = t->args[1 - k];
    literal_order order =
        result->kind == TERM_NULL || !type_keeps(p, t->args[k], result)
            ? LITERAL_OPEN
            : type_order(p, t->args[k], result, other);
    bool is_known = order <= LITERAL_GREATER
                    || (order == LITERAL_OTHER
                        && (t->kind == TERM_EQUAL || t->kind == TERM_UNEQUAL));
    int sign = order == LITERAL_OTHER ? 1 : (int)order;
    return result->kind == TERM_NULL ? 0
           : !is_known
               ? -1
               : term_order_holds((term_kind)t->kind, k == 0 ? sign : -sign);
}

// p of CASE WHEN p THEN 1 ELSE 0 END = 1: what leads to the results of which
// the comparison holds, where these are the first or the last ones. NULL: it is
// nothing of the kind.
static const term *asked_branches(prover *p, const term *t, int k)
{
    const term *choice = t->args[k];
    term_list some = {0};  // one of the first tests is true
    term_list none = {0};
    int first = -1;  // does it hold of the first result?
    bool changes = false;
    for (int32_t i = 0; i <= choice->n; i += 2) {
        bool is_test = i + 1 < choice->n;
        const term *result = is_test         ? choice->args[i + 1]
                             : i < choice->n ? choice->args[i]
                                             : NULL;
        int holds = result ? result_holds(p, t, k, result) : 0;
        first = i == 0 ? holds : first;
        if (holds < 0 || (changes && holds == first)) {
            return NULL;
        }
        changes |= holds != first;
        if (is_test && !changes) {
            const term *test = choice->args[i];
            const term *either[] = {term_not(p, test),
                                    term_is(p, test, term_null(p))};
            term_list_push(p, &some, test);
            term_list_push(p, &none, term_all(p, TERM_OR, either, 2));
        }
    }
    const term_list *all = first ? &some : &none;
    return changes ? term_all(p, first ? TERM_OR : TERM_AND, all->ptr,
                              (int32_t)all->len)
           : first ? NULL
                   : term_boolean(p, false);
}

// COALESCE(x, 5) > 3 as x > 3 OR x IS NULL, > 7 as x > 7; NULL: nothing of the
// kind.
static const term *asked_or_null(prover *p, const term *t, int k)
{
    const term *either = t->args[k];
    int holds = term_is_literal(either->args[1])
                    ? result_holds(p, t, k, either->args[1])
                    : -1;
    const term *x = either->args[0];
    // Of a group that is not there 0 is what its COUNT would be.
    bool is_shown = x->kind == TERM_COLUMN && x->source->body;
    if (holds < 0 || is_shown
        || (prover_is_typed(p) && !type_same(p, x, either))) {
        return NULL;
    }
    const term *args[] = {t->args[0], t->args[1]};
    args[k] = term_untyped(p, x);
    const term *both[] = {term_compare(p, (term_kind)t->kind, args[0], args[1]),
                          term_is(p, x, term_null(p))};
    return holds ? term_all(p, TERM_OR, both, 2) : both[0];
}

// Which branch of a CASE, or of COALESCE with a literal, the comparison asks
// for; NULL: it asks for something else.
static const term *asked_choice(prover *p, const term *t)
{
    const term *asked = NULL;
    for (int k = 0; term_compares(t) && !asked && k < 2; k++) {
        const term *x = t->args[k];
        bool is_case = x->kind == TERM_CASE;
        bool is_either = x->kind == TERM_CALL && x->n == 2
                         && str_equal(x->text, S("coalesce"));
        asked = !term_is_literal(t->args[1 - k]) ? NULL
                : is_case                        ? asked_branches(p, t, k)
                : is_either                      ? asked_or_null(p, t, k)
                                                 : NULL;
    }
    return asked && local_allowed(p, LOCAL_IIF) ? asked : NULL;
}

// The same of the branches of OR; NULL: none is such a comparison.
static const term *asked_choices(prover *p, const term *t)
{
    if (t->kind != TERM_OR) {
        return asked_choice(p, t);
    }
    bool changed = false;
    term_list all = {0};
    for (int32_t i = 0; i < t->n; i++) {
        const term *asked = asked_choice(p, t->args[i]);
        term_list_push(p, &all, asked ? asked : t->args[i]);
        changed |= asked != NULL;
    }
    return changed ? term_all(p, TERM_OR, all.ptr, (int32_t)all.len) : NULL;
}

const term *term_condition(prover *p, const term *t)
{
    t = term_bare(t);
    const term *asked = asked_choices(p, t);
    if (asked) {
        return term_condition(p, asked);
    }
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
    if (t->kind == TERM_EQUAL && t->args[0] == t->args[1]
        && t->args[0]->kind != TERM_ROW) {
        return term_not(p, term_is(p, t->args[0], term_null(p)));
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
