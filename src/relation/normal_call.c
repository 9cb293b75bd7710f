/*
 * normal_call.c - calls and aggregates; see normal.h.
 *
 * Method      Names are small, other names of one function are one name, and
 *             an argument loses what the function does not look at: its type,
 *             but for the collation where it compares.
 */
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "relation/relation_type.h"

#include <assert.h>

// DATE of literals; NULL: what it gives is left to the engine.
static const term *date_literal(prover *p, const term *call)
{
    int64_t days = 0;
    bool is_known = !prover_is_typed(p) && (call->n == 1 || call->n == 2)
                    && call->args[0]->kind == TERM_TEXT
                    && (call->n == 1 || term_read_days(call->args[1], &days));
    const term *day = is_known ? term_days_later(p, call->args[0], days) : NULL;
    return day && local_allowed(p, LOCAL_DATE_LITERAL) ? day : NULL;
}

// Whether the term is the time of the query, or its day; SQLite.
static bool is_clock(const term *t, bool *is_day)
{
    bool is_date =
        t->kind == TERM_CALL && t->n == 1 && str_equal(t->text, S("date"));
    const term *time = is_date ? t->args[0] : t;
    *is_day |= is_date;
    if (time->kind == TERM_TEXT) {
        return str_equal_fold(time->text, S("now"));
    }
    if (time->kind != TERM_OPAQUE) {
        return false;
    }
    *is_day |= str_equal_fold(time->text, S("current_date"));
    return str_among_fold(time->text, "current_date current_timestamp");
}

// Year, month and day only?
static bool asks_day(const term *format)
{
    bool ok = format->kind == TERM_TEXT;
    for (ptrdiff_t i = 0; ok && i < format->text.len; i++) {
        if (format->text.ptr[i] == '%') {
            i++;
            ok = i < format->text.len
                 && str_find(S("YmdjwW%"), str_sub(format->text, i, i + 1), 0)
                        >= 0;
        }
    }
    return ok;
}

// STRFTIME('%Y', DATE('now')) with 'now' in it; NULL: it is none.
static const term *strftime_now(prover *p, const term *call)
{
    bool is_day = false;
    if (call->n != 2 || prover_is_typed(p) || !is_clock(call->args[1], &is_day)
        || (is_day && !asks_day(call->args[0]))
        || !local_allowed(p, LOCAL_NOW)) {
        return NULL;
    }
    const term *both[] = {call->args[0], term_text(p, S("now"))};
    return term_make(
        p,
        (term){.kind = TERM_CALL, .text = S("strftime"), .n = 2, .args = both});
}

// Functions of one row that compare their arguments.
static bool calls_collation(str name)
{
    return str_among(name, "min max nullif");
}

// The arguments without what the function does not look at.
const term *const *term_args(prover *p,
                             bool compares,
                             const term *const *args,
                             int32_t n)
{
    assert(args || n == 0);
    const term **out = arena_new(p->a, const term *, n + 1);
    for (int32_t i = 0; i < n; i++) {
        out[i] = compares ? term_key(p, args[i]) : term_bare(args[i]);
    }
    return out;
}

static bool is_ascii(const term *t)
{
    bool ok = t->kind == TERM_TEXT;
    for (ptrdiff_t i = 0; ok && i < t->text.len; i++) {
        ok = t->text.ptr[i] > 0;
    }
    return ok;
}

// What SQLite makes of literals; NULL: it is left to the engine.
static const term *fold_call(prover *p, const term *call)
{
    if (call->n < 1 || prover_is_typed(p)) {
        return NULL;
    }
    str s = is_ascii(call->args[0]) ? call->args[0]->text : (str){0};
    bool is_text = call->n == 1 && is_ascii(call->args[0]);
    bool is_part =
        call->n == 3 && is_ascii(call->args[0])
        && call->args[1]->kind == TERM_INTEGER && call->args[1]->number > 0
        && call->args[2]->kind == TERM_INTEGER && call->args[2]->number >= 0;
    if (is_part && str_equal(call->text, S("substr"))) {
        int64_t from = call->args[1]->number - 1 < s.len
                           ? call->args[1]->number - 1
                           : s.len;
        int64_t rest = s.len - from;
        int64_t len =
            call->args[2]->number < rest ? call->args[2]->number : rest;
        return term_text(p,
                         str_sub(s, (ptrdiff_t)from, (ptrdiff_t)(from + len)));
    }
    if (is_text && str_equal(call->text, S("lower"))) {
        return term_text(p, arena_lower(p->a, s));
    }
    if (is_text && str_equal(call->text, S("upper"))) {
        char *upper = arena_new(p->a, char, s.len + 1);
        for (ptrdiff_t i = 0; i < s.len; i++) {
            upper[i] = to_upper(s.ptr[i]);
        }
        return term_text(p, (str){upper, s.len});
    }
    if (is_text && str_equal(call->text, S("length"))) {
        return term_integer(p, s.len);
    }
    bool is_abs = call->n == 1 && str_equal(call->text, S("abs"))
                  && call->args[0]->kind == TERM_INTEGER
                  && call->args[0]->number > INT64_MIN;
    return is_abs ? term_integer(p, call->args[0]->number < 0
                                        ? -call->args[0]->number
                                        : call->args[0]->number)
                  : NULL;
}

static const term *fold_allowed(prover *p, const term *call)
{
    const term *value = fold_call(p, call);
    return value && local_allowed(p, LOCAL_ARITH) ? value : NULL;
}

// ROUND with a CASE outside, of what is whole, or of a quotient; NULL: of
// something else.
static const term *round_into(prover *p, const term *call)
{
    bool may =
        call->n == 1 || (call->n == 2 && call->args[1]->kind == TERM_INTEGER);
    const term *out = may ? term_into_case(p, call) : NULL;
    if (out || !may) {
        return out;
    }
    int64_t places = call->n == 1 ? 0 : call->args[1]->number;
    const term *both[] = {term_exact_ratio(p, call->args[0], places),
                          call->n == 1 ? NULL : call->args[1]};
    if (both[0] != call->args[0]) {
        return term_call(p, S("round"), both, call->n);
    }
    return call->n == 1 ? term_exact_round(p, call->args[0]) : NULL;
}

// How many arguments of COALESCE may count: up to one that is never NULL.
static int32_t until_some(prover *p, const term *const *args, int32_t n)
{
    for (int32_t i = 0; i + 1 < n && !prover_is_typed(p); i++) {
        if (term_is_some(args[i]) && local_allowed(p, LOCAL_NEVER)) {
            return i + 1;
        }
    }
    return n;
}

// Whether COALESCE(x, NULL) is x, of its type.
static bool adds_null(prover *p, const term *const *args)
{
    return args[1]->kind == TERM_NULL
           && (args[0]->kind == TERM_NULL
               || !str_equal(type_of(p, args[0]), S("unknown")));
}

// What the function compares: the value is not converted.
static const term *as_it_is(prover *p, const term *t)
{
    term_type type = term_type_of(t);
    type.has_affinity = false;
    type.affinity = AFFINITY_BLOB;
    return prover_is_typed(p) ? t : term_as(p, t, type);
}

// NULLIF(x, y) as CASE WHEN x = y THEN NULL ELSE x END; NULL: that has another
// type, or another collation.
static const term *null_if(prover *p, const term *call)
{
    if (!terms_exchange(call->args[0], call->args[1])) {
        return NULL;
    }
    const term *x = as_it_is(p, call->args[0]);
    const term *branches[] = {
        term_compare(p, TERM_EQUAL, x, as_it_is(p, call->args[1])),
        term_null(p), x};
    const term *t = term_case(p, branches, 3);
    bool is_same = !prover_is_typed(p) || type_same(p, t, term_make(p, *call));
    return is_same && local_allowed(p, LOCAL_IIF) ? t : NULL;
}

// What a call of `n` arguments (0: of any number) is in other words, in the
// order in which they are tried.
static const struct {
    str name;  // empty: any
    int32_t n;
    const term *(*form)(prover *p, const term *call);
} call_forms[] = {
    {S_INIT("date"), 0, date_literal},
    {S_INIT("strftime"), 0, strftime_now},
    {{0}, 2, term_like_prefix},
    {{0}, 0, term_date_part},
    {{0}, 0, fold_allowed},
    {S_INIT("substr"), 2, term_behind},
    {S_INIT("round"), 0, round_into},
    {{0}, 2, term_like_folded},
    {S_INIT("nullif"), 2, null_if},
};

const term *term_call(prover *p, str name, const term *const *args, int32_t n)
{
    name = arena_lower(p->a, name);
    args = term_args(p, calls_collation(name), args, n);
    if (str_equal(name, S("ifnull")) && n == 2) {
        name = S("coalesce");
    } else if (str_equal(name, S("substring"))) {
        name = S("substr");
    } else if (str_among(name, "iif if") && n == 3) {
        return term_case(p, args, n);
    } else if (str_equal(name, S("round")) && n == 2
               && term_is_number(args[1], 0)
               && (!prover_is_typed(p)
                   || str_among(type_of(p, args[0]), "numeric float8"))) {
        // PostgreSQL's ROUND(1) is a float8, its ROUND(1, 0) a numeric.
        n = 1;
    }
    if (str_equal(name, S("coalesce"))) {
        n = until_some(p, args, n);
        if (n == 1 || (n == 2 && adds_null(p, args))) {
            return term_untyped(p, args[0]);
        }
    }
    term call = {.kind = TERM_CALL, .text = name, .n = n, .args = args};
    const term *now = NULL;
    for (ptrdiff_t i = 0; i < countof(call_forms) && !now; i++) {
        str of = call_forms[i].name;
        bool may = (of.len == 0 || str_equal(of, name))
                   && (call_forms[i].n == 0 || call_forms[i].n == n);
        now = may ? call_forms[i].form(p, &call) : NULL;
    }
    return now ? now : term_make(p, call);
}

// COUNT(CASE WHEN p THEN literal END) with 1 as its literal; x if p says that
// the column x is not NULL.
static const term *count_case(prover *p, const term *t)
{
    if (t->kind != TERM_CASE || t->n != 2 || !term_is_literal(t->args[1])) {
        return t;
    }
    const term *x = term_tested_not_null(t->args[0]);
    if (x && x->kind == TERM_COLUMN) {
        return x;
    }
    const term *args[] = {t->args[0], term_integer(p, 1)};
    return term_case(p, args, 2);
}

// AVG adds up float4 as float8, SUM as float4.
static bool adds_exactly(prover *p, const term *x)
{
    str type = type_of(p, x);
    return !prover_is_typed(p)
           || (type_is_known(type) && !str_equal(type, S("float4")));
}

const term *term_aggregate(prover *p,
                           str name,
                           bool is_distinct,
                           const term *const *args,
                           int32_t n)
{
    name = arena_lower(p->a, name);
    bool is_count = str_equal(name, S("count"));
    bool is_extreme = str_among(name, "min max");
    args = term_args(p, is_extreme || is_distinct, args, n);
    const term *first = n > 0 ? args[0] : NULL;
    if (is_extreme && is_distinct && n == 1 && type_looks_alike(p, first)
        && local_allowed(p, LOCAL_MINMAX_DISTINCT)) {
        is_distinct = false;
    }
    if (str_equal(name, S("avg")) && n == 1 && adds_exactly(p, first)
        && local_allowed(p, LOCAL_AVG)) {
        return term_real_arithmetic(
            p, TERM_DIVIDE, term_aggregate(p, S("sum"), is_distinct, args, n),
            term_aggregate(p, S("count"), is_distinct, args, n));
    }
    if (is_count && n == 1 && first->kind == TERM_NULL && !prover_is_typed(p)
        && local_allowed(p, LOCAL_NEVER)) {
        return term_integer(p, 0);
    }
    if (is_count && !is_distinct && n == 1) {
        while (first->kind == TERM_CAST && !prover_is_typed(p)
               && local_allowed(p, LOCAL_CAST_SAME)) {
            first = first->args[0];  // not NULL either
        }
        first = count_case(p, first);
        args = &first;
        n = term_is_literal(first) ? 0 : 1;
    }
    return term_make(p, (term){.kind = TERM_AGGREGATE,
                               .text = name,
                               .flag = is_distinct,
                               .n = n,
                               .args = args});
}
