/*
 * normal_date.c - beginnings of texts, and dates as texts; see normal.h.
 *
 * Method      The year of a date is its first four characters, so what asks
 *             for parts of dates asks for parts of texts. What compares the
 *             beginning of a text with as many characters compares the text.
 *
 *             A column declared DATE or TIMESTAMP holds a date of the calendar
 *             as YYYY-MM-DD, a TIMESTAMP perhaps with a time after it and
 *             without a zone: assumption types. What asks for one year, month
 *             or day asks for the values from its first day to before the
 *             next; of a DATE one day is equality. What counts days is in
 *             normal_days.c.
 */
#include "base/clock.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "sql/semantics.h"

#include <assert.h>
#include <string.h>

bool term_is_date(prover *p, const term *t)
{
    const schema_column *c = term_declared(t);
    return c && (c->kind == KIND_DATE || c->kind == KIND_TIMESTAMP)
           && !prover_is_typed(p) && prover_assumes_type(p, c);
}

static const term *part(prover *p, const term *t, int64_t from, int64_t n)
{
    const term *args[] = {t, term_integer(p, from), term_integer(p, n)};
    return term_make(
        p,
        (term){.kind = TERM_CALL, .text = S("substr"), .n = 3, .args = args});
}

// SUBSTR(d, 1, 10) of a DATE is all of it.
static bool is_all_of_day(str name, const term *const *args, int32_t n)
{
    return str_equal(name, S("substr")) && n == 3 && term_is_number(args[1], 1)
           && args[2]->kind == TERM_INTEGER && args[2]->number >= 10;
}

// What STRFTIME makes of a day by a format that begins with a part of it, and
// has nothing but signs after that; NULL: it has more.
static const term *formatted(prover *p, str format, const term *d)
{
    static const struct {
        str format;
        int64_t from;
        int64_t n;
    } parts[] = {
        {S_INIT("%Y-%m-%d"), 1, 10}, {S_INIT("%Y-%m"), 1, 7},
        {S_INIT("%Y"), 1, 4},        {S_INIT("%m"), 6, 2},
        {S_INIT("%d"), 9, 2},
    };
    ptrdiff_t i = 0;
    while (i < countof(parts) && !str_starts(format, parts[i].format)) {
        i++;
    }
    str rest =
        i < countof(parts) ? str_skip(format, parts[i].format.len) : format;
    if (i == countof(parts) || str_find(rest, S("%"), 0) >= 0
        || !local_allowed(p, LOCAL_DATE_PART)) {
        return NULL;
    }
    bool is_all = i == 0 && term_declared(d)->kind == KIND_DATE;
    const term *begin =
        is_all ? term_untyped(p, d) : part(p, d, parts[i].from, parts[i].n);
    return rest.len == 0 ? begin : term_concat(p, begin, term_text(p, rest));
}

const term *term_date_part(prover *p, const term *call)
{
    bool is_day = str_equal(call->text, S("date")) && call->n == 1;
    bool is_format = str_equal(call->text, S("strftime")) && call->n == 2
                     && call->args[0]->kind == TERM_TEXT;
    const term *d = is_day || is_format ? call->args[call->n - 1] : NULL;
    if (is_all_of_day(call->text, call->args, call->n)
        && term_is_date(p, call->args[0])
        && term_declared(call->args[0])->kind == KIND_DATE
        && local_allowed(p, LOCAL_DATE_PART)) {
        return term_untyped(p, call->args[0]);
    }
    return d && term_is_date(p, d)
               ? formatted(p, is_day ? S("%Y-%m-%d") : call->args[0]->text, d)
               : NULL;
}

static bool has_letters(str s)
{
    bool has = false;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        has |= to_lower(s.ptr[i]) != to_upper(s.ptr[i]);
    }
    return has;
}

// ASCII of which LIKE, or GLOB, takes each sign for itself, but for letters.
static bool is_literal_pattern(str s, bool is_glob)
{
    bool is = s.len > 0 && s.ptr[s.len - 1] != ' ';
    for (ptrdiff_t i = 0; is && i < s.len; i++) {
        char c = s.ptr[i];
        is = c >= ' ' && c <= '~' && !strchr(is_glob ? "*?[" : "%_", c);
    }
    return is;
}

// YYYY, YYYY-MM or YYYY-MM-DD
static bool has_form_of_date(str s)
{
    static const char form[] = "0000-00-00";
    if (s.len != 4 && s.len != 7 && s.len != 10) {
        return false;
    }
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if (form[i] == '0' ? !is_digit(s.ptr[i]) : s.ptr[i] != form[i]) {
            return false;
        }
    }
    return true;
}

// Whether LIKE folds the letters that LOWER folds: SQLite's, or ILIKE of where
// LIKE itself folds none.
static bool folds_as_lower(const prover *p)
{
    return p->elsewhere == DIALECT_SQLITE
           || dialect_semantics(p->elsewhere).like_is_sensitive;
}

// A text whose blanks LIKE takes as = takes them.
static bool keeps_blanks(const prover *p, const schema_column *c)
{
    return !dialect_semantics(p->elsewhere).chars_drop_blanks
           || !schema_type_is_char(c->type);
}

// x = '<' of x LIKE '<', LOWER(x) = 'a' of x LIKE 'A', x = 'A' of x GLOB 'A';
// NULL: a text that is equal may be another.
static const term *like_equal(prover *p,
                              bool is_glob,
                              const term *x,
                              const term *pattern)
{
    const schema_column *c = term_declared(x);
    bool folds = !is_glob && has_letters(pattern->text);
    bool is_whole = c && c->affinity == AFFINITY_TEXT && term_is_binary(x)
                    && is_literal_pattern(pattern->text, is_glob)
                    && (!folds || folds_as_lower(p)) && keeps_blanks(p, c);
    if (!is_whole || !prover_assumes_type(p, c)
        || !local_allowed(p, LOCAL_LIKE_PREFIX)) {
        return NULL;
    }
    return term_compare(
        p, TERM_EQUAL, folds ? term_call(p, S("lower"), &x, 1) : x,
        folds ? term_text(p, arena_lower(p->a, pattern->text)) : pattern);
}

const term *term_like_prefix(prover *p, const term *call)
{
    const term *x = call->args[0];
    const term *pattern = call->args[1];
    // In SQLite's words it is LIKE where that tells letters apart.
    bool is_glob =
        str_equal(call->text, S("glob")) && p->elsewhere != DIALECT_SQLITE;
    if (!(is_glob || str_equal(call->text, S("like")))
        || pattern->kind != TERM_TEXT || prover_is_typed(p)) {
        return NULL;
    }
    const schema_column *c = term_declared(x);
    str text = pattern->text;
    const term *equal = like_equal(p, is_glob, x, pattern);
    if (equal) {
        return equal;
    }
    str begin = str_sub(text, 0, text.len > 0 ? text.len - 1 : 0);
    bool is_prefix = str_ends(text, is_glob ? S("*") : S("%")) && c
                     && c->affinity != AFFINITY_BLOB && c->kind != KIND_BYTES
                     && is_literal_pattern(begin, is_glob)
                     && (is_glob || !has_letters(begin));
    if (!is_prefix || !prover_assumes_type(p, c)
        || !local_allowed(p, LOCAL_LIKE_PREFIX)) {
        return NULL;
    }
    ptrdiff_t n = text.len - 1;
    // After the year and the month of a date there is a hyphen.
    bool has_more = n == 5 || n == 8;
    if (has_more && text.ptr[n - 1] == '-' && term_is_date(p, x)
        && has_form_of_date(str_sub(text, 0, n - 1))) {
        n--;
    }
    return term_compare(p, TERM_EQUAL, part(p, x, 1, n),
                        term_text(p, str_sub(text, 0, n)));
}

// The first day of the year or month, or of the one after it; NULL: it has
// none.
static const term *first_day(prover *p, str s, bool is_after)
{
    assert(has_form_of_date(s) && s.len < 10);  // a year or a month
    int64_t year = 0;
    int64_t month = 1;
    if (!str_to_int(str_sub(s, 0, 4), &year)
        || (s.len == 7 && !str_to_int(str_sub(s, 5, 7), &month)) || year < 1000
        || year > 9998 || month < 1 || month > 12) {
        return NULL;
    }
    if (is_after && (s.len == 4 || month == 12)) {
        year++;
        month = 1;
    } else if (is_after) {
        month++;
    }
    return term_text(p,
                     arena_printf(p->a, "%04d-%02d-01", (int)year, (int)month));
}

const term *term_begun(const term *t, int64_t n)
{
    bool is_begin =
        t->kind == TERM_CALL && t->n == 3 && str_equal(t->text, S("substr"))
        && term_is_number(t->args[1], 1) && term_is_number(t->args[2], n);
    return is_begin ? t->args[0] : NULL;
}

static const term *next_day(prover *p, str day)
{
    int64_t ms = 0;
    if (day.len != 10 || !clock_parse(day, &ms)) {
        return NULL;
    }
    str next = str_sub(clock_format(p->a, ms + 86400000), 0, 10);
    // The year 10000 sorts before it.
    return str_compare(next, day) > 0 ? term_text(p, next) : NULL;
}

// With the beginning on the left.
static const term *compare_begin(prover *p,
                                 term_kind kind,
                                 const term *begin,
                                 const term *c)
{
    if (c->kind != TERM_TEXT || kind < TERM_LESS || kind > TERM_GREATER_EQUAL) {
        return NULL;
    }
    const term *x = term_begun(begin, c->text.len);
    const schema_column *column = x ? term_declared(x) : NULL;
    if (!column || !term_is_binary(x) || has_letters(c->text)
        || !is_literal_pattern(c->text, false)) {
        return NULL;
    }
    bool is_after = kind == TERM_GREATER || kind == TERM_LESS_EQUAL;
    const term *limit = c;
    if (term_is_date(p, x)) {
        bool is_whole = c->text.len == 10 && !is_after;
        limit = !has_form_of_date(c->text) ? NULL
                : is_whole                 ? c
                : c->text.len < 10         ? first_day(p, c->text, is_after)
                                           : next_day(p, c->text);
        kind = kind == TERM_GREATER      ? TERM_GREATER_EQUAL
               : kind == TERM_LESS_EQUAL ? TERM_LESS
                                         : kind;
    } else if (column->affinity != AFFINITY_TEXT || is_after) {
        return NULL;
    }
    return limit && local_allowed(p, LOCAL_BEGINNING)
               ? term_compare(p, kind, x, limit)
               : NULL;
}

// From the first day of the year, month or day to before the next one.
static const term *one_span(prover *p,
                            term_kind kind,
                            const term *begin,
                            const term *c)
{
    bool is_equal = kind == TERM_EQUAL;
    const term *x =
        c->kind == TERM_TEXT ? term_begun(begin, c->text.len) : NULL;
    if ((!is_equal && kind != TERM_UNEQUAL) || !x || !term_is_date(p, x)
        || !term_is_binary(x) || !has_form_of_date(c->text)) {
        return NULL;
    }
    bool is_day = c->text.len == 10;
    const term *first = is_day ? c : first_day(p, c->text, false);
    const term *after =
        is_day ? next_day(p, c->text) : first_day(p, c->text, true);
    if (!first || !after || !local_allowed(p, LOCAL_DATE_SPAN)) {
        return NULL;
    }
    const term *in[] = {term_compare(p, TERM_GREATER_EQUAL, x, first),
                        term_compare(p, TERM_LESS, x, after)};
    const term *out[] = {term_compare(p, TERM_LESS, x, first),
                         term_compare(p, TERM_GREATER_EQUAL, x, after)};
    return is_equal ? term_all(p, TERM_AND, in, 2)
                    : term_all(p, TERM_OR, out, 2);
}

const term *term_date_digits(prover *p, const term *t, int *n)
{
    static const struct {
        int64_t from;
        int n;
    } parts[] = {{1, 4}, {6, 2}, {9, 2}};
    const term *of = t->kind == TERM_CAST && t->column == AFFINITY_INTEGER
                         ? t->args[0]
                         : NULL;
    for (int i = 0; of && i < countof(parts); i++) {
        *n = parts[i].n;
        if (of->kind == TERM_CALL && of->n == 3
            && str_equal(of->text, S("substr"))
            && term_is_number(of->args[1], parts[i].from)
            && term_is_number(of->args[2], *n) && term_is_date(p, of->args[0])
            && local_allowed(p, LOCAL_DATE_PART)) {
            return of;
        }
    }
    return NULL;
}

const term *term_digits(prover *p, const term *number, int n)
{
    assert(n == 2 || n == 4);
    bool fits = number->kind == TERM_INTEGER && number->number >= 0
                && number->number < (n == 2 ? 100 : 10000);
    return fits ? term_text(p,
                            arena_printf(p->a, "%0*d", n, (int)number->number))
                : NULL;
}

const term *term_compare_digits(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b)
{
    int n_left = 0;
    int n_right = 0;
    const term *l = term_date_digits(p, a, &n_left);
    const term *r = term_date_digits(p, b, &n_right);
    if (l && !r) {
        r = term_digits(p, b, n_left);
    } else if (r && !l) {
        l = term_digits(p, a, n_right);
    } else if (n_left != n_right) {
        return NULL;
    }
    return l && r ? term_compare(p, kind, l, r) : NULL;
}

// Of a part of a date and a literal after it, the part, which has always so
// many letters; NULL: it is none.
static const term *before_tail(prover *p, const term *t, str *tail)
{
    const term *begin = t->kind == TERM_CONCAT ? t->args[0] : NULL;
    bool is_part = begin && t->args[1]->kind == TERM_TEXT
                   && begin->kind == TERM_CALL && begin->n == 3
                   && str_equal(begin->text, S("substr"))
                   && term_is_date(p, begin->args[0])
                   && begin->args[2]->kind == TERM_INTEGER;
    *tail = is_part ? t->args[1]->text : (str){0};
    return is_part ? begin : NULL;
}

// What ends alike compares as what is before it.
static const term *compare_before(prover *p,
                                  term_kind kind,
                                  const term *a,
                                  const term *b)
{
    str tail;
    str other;
    const term *l = before_tail(p, a, &tail);
    const term *r = before_tail(p, b, &other);
    bool is_text = l && b->kind == TERM_TEXT && str_ends(b->text, tail)
                   && b->text.len - tail.len == l->args[2]->number;
    bool is_both = l && r && str_equal(tail, other) && l->args[1] == r->args[1]
                   && l->args[2] == r->args[2];
    if (is_text) {
        r = term_text(p, str_sub(b->text, 0, b->text.len - tail.len));
    }
    return (is_text || is_both) && local_allowed(p, LOCAL_DATE_PART)
               ? term_compare(p, kind, l, r)
               : NULL;
}

const term *term_compare_begin(prover *p,
                               term_kind kind,
                               const term *a,
                               const term *b)
{
    const term *out = compare_before(p, kind, a, b);
    out = out ? out : compare_before(p, term_turned(kind), b, a);
    out = out ? out : compare_begin(p, kind, a, b);
    out = out ? out : one_span(p, kind, a, b);
    out = out ? out : one_span(p, kind, b, a);
    return out ? out : compare_begin(p, term_turned(kind), b, a);
}

bool term_is_day(prover *p, const term *t)
{
    const schema_column *c = term_declared(t);
    return c && c->kind == KIND_DATE && prover_takes_types(p, p->touched)
           && (prover_is_typed(p)
               || (term_is_binary(t) && prover_assumes_type(p, c)));
}

const term *term_next_day(prover *p, const term *date, const term *literal)
{
    if (literal->kind != TERM_TEXT || !term_is_day(p, date)) {
        return NULL;
    }
    const term *next = next_day(p, literal->text);
    return next && local_allowed(p, LOCAL_DAY_THRESHOLD) ? next : NULL;
}

// x from the first day of a span to before the one after it.
static bool is_span(prover *p,
                    const term_list *all,
                    const term *from,
                    const term *after)
{
    const term *before =
        after ? term_of(p, TERM_LESS, from->args[1], after) : NULL;
    return before && term_list_has(all, before);
}

static void add_conjuncts(prover *p, term_list *all, const term *t)
{
    if (t->kind != TERM_AND) {
        term_list_add(p, all, t);
    }
    for (int32_t i = 0; t->kind == TERM_AND && i < t->n; i++) {
        term_list_add(p, all, t->args[i]);
    }
}

static void drop(term_list *all, const term *t)
{
    for (ptrdiff_t i = all->len - 1; i >= 0; i--) {
        if (all->ptr[i] == t) {
            term_list_remove(all, i);
        }
    }
}

// d >= a day AND d < the next one becomes an equation.
static bool join_day(prover *p, term_list *all, const term *from)
{
    const term *next = next_day(p, from->args[0]->text);
    if (!term_is_day(p, from->args[1]) || !is_span(p, all, from, next)
        || !local_allowed(p, LOCAL_DATE_SPAN)) {
        return false;
    }
    drop(all, from);
    drop(all, term_of(p, TERM_LESS, from->args[1], next));
    term_list_add(p, all,
                  term_compare(p, TERM_EQUAL, from->args[1], from->args[0]));
    return true;
}

// Of a condition on the month of x, or on the day: on the beginning of x that
// ends with it, where the text before it is known. NULL: it is none.
static const term *longer_begin(prover *p,
                                const term *t,
                                const term *x,
                                str before)
{
    bool compares = t->kind == TERM_LESS || t->kind == TERM_LESS_EQUAL
                    || t->kind == TERM_EQUAL;
    int literal = compares && t->args[1]->kind == TERM_TEXT;
    const term *two = compares ? t->args[literal] : NULL;
    if (!compares || two->kind != TERM_TEXT || two->text.len != 2
        || t->args[!literal] != part(p, x, before.len + 1, 2)
        || !local_allowed(p, LOCAL_DATE_SPAN)) {
        return NULL;
    }
    const term *both[2];
    both[literal] = term_text(
        p, arena_printf(p->a, "%.*s%.*s", STR_ARG(before), STR_ARG(two->text)));
    both[!literal] = part(p, x, 1, before.len + 2);
    return term_compare(p, (term_kind)t->kind, both[0], both[1]);
}

// Within a year a condition on the month, within a month one on the day.
static bool join_part(prover *p, term_list *all, const term *from)
{
    str text = from->args[0]->text;
    for (ptrdiff_t n = 4; n <= 7; n += 3) {
        str begin = str_sub(text, 0, n < text.len ? n : text.len);
        if (begin.len < n || !has_form_of_date(begin)
            || first_day(p, begin, false) != from->args[0]
            || !is_span(p, all, from, first_day(p, begin, true))) {
            continue;
        }
        for (ptrdiff_t k = 0; k < all->len; k++) {
            const term *longer = longer_begin(p, all->ptr[k], from->args[1],
                                              str_sub(text, 0, n + 1));
            if (longer) {
                term_list_remove(all, k);
                add_conjuncts(p, all, longer);
                return true;
            }
        }
    }
    return false;
}

void term_join_dates(prover *p, term_list *all)
{
    for (ptrdiff_t i = 0; i < all->len; i++) {
        const term *from = all->ptr[i];
        bool is_from = from->kind == TERM_LESS_EQUAL
                       && from->args[0]->kind == TERM_TEXT
                       && prover_takes_types(p, p->touched);
        if (is_from
            && (join_day(p, all, from)
                || (term_is_date(p, from->args[1])
                    && join_part(p, all, from)))) {
            i = -1;  // begin again: the list is another one
        }
    }
}
