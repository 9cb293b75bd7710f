/*
 * str.c - questions asked of runs of bytes.
 *
 * Method      ASCII only, independent of the locale: the C library's ctype
 *             would change with it. An empty str may have a NULL pointer, so
 *             every call of memcmp and memchr is guarded by the length.
 *
 * Cost        Linear. str_find is memchr and memcmp: at worst |s| * |needle|,
 *             fine for the short needles that are searched for here.
 */
#include "base/str.h"

#include "base/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

str str_from(const char *nul_terminated)
{
    if (!nul_terminated) {
        return (str){0};
    }
    return (str){nul_terminated, (ptrdiff_t)strlen(nul_terminated)};
}

int hex_digit(char c)
{
    c = to_lower(c);
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool str_equal_fold(str a, str b)
{
    if (a.len != b.len) {
        return false;
    }
    assert(a.len == 0 || (a.ptr && b.ptr));
    for (ptrdiff_t i = 0; i < a.len; i++) {
        if (to_lower(a.ptr[i]) != to_lower(b.ptr[i])) {
            return false;
        }
    }
    return true;
}

int str_compare(str a, str b)
{
    ptrdiff_t n = a.len < b.len ? a.len : b.len;
    int order = n > 0 ? memcmp(a.ptr, b.ptr, (size_t)n) : 0;
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

ORDER(by_bytes, str, str_compare(*a, *b))

void str_sort(str *list, ptrdiff_t n)
{
    if (n > 1) {
        qsort(list, (size_t)n, sizeof *list, by_bytes);
    }
}

bool str_starts(str s, str prefix)
{
    return s.len >= prefix.len && str_equal(str_sub(s, 0, prefix.len), prefix);
}

bool str_starts_fold(str s, str prefix)
{
    return s.len >= prefix.len
           && str_equal_fold(str_sub(s, 0, prefix.len), prefix);
}

bool str_ends(str s, str suffix)
{
    return s.len >= suffix.len
           && str_equal(str_skip(s, s.len - suffix.len), suffix);
}

bool str_ends_fold(str s, str suffix)
{
    return s.len >= suffix.len
           && str_equal_fold(str_skip(s, s.len - suffix.len), suffix);
}

// Most words of a list begin with another letter, and are passed by that.
static bool is_among(str word, const char *list, bool (*equal)(str, str))
{
    if (word.len == 0) {
        return false;
    }
    char first = to_lower(word.ptr[0]);
    while (*list) {
        ptrdiff_t len = 0;
        while (list[len] && list[len] != ' ') {
            len++;
        }
        if (to_lower(*list) == first && equal(word, (str){list, len})) {
            return true;
        }
        list += len + (list[len] == ' ');
    }
    return false;
}

bool str_among(str word, const char *list)
{
    return is_among(word, list, str_equal);
}

bool str_among_fold(str word, const char *list)
{
    return is_among(word, list, str_equal_fold);
}

ptrdiff_t str_find(str s, str needle, ptrdiff_t from)
{
    assert(from >= 0);
    if (needle.len == 0) {
        return from <= s.len ? from : -1;
    }
    ptrdiff_t last = s.len - needle.len;
    for (ptrdiff_t at = from; at <= last; at++) {
        const char *hit =
            memchr(s.ptr + at, needle.ptr[0], (size_t)(last - at + 1));
        if (!hit) {
            return -1;
        }
        at = hit - s.ptr;
        if (memcmp(hit, needle.ptr, (size_t)needle.len) == 0) {
            return at;
        }
    }
    return -1;
}

ptrdiff_t str_find_fold(str s, str needle, ptrdiff_t from)
{
    assert(from >= 0);
    char first = needle.len > 0 ? to_lower(needle.ptr[0]) : '\0';
    for (ptrdiff_t at = from; at <= s.len - needle.len; at++) {
        bool begins = needle.len == 0 || to_lower(s.ptr[at]) == first;
        if (begins && str_equal_fold(str_sub(s, at, at + needle.len), needle)) {
            return at;
        }
    }
    return -1;
}

ptrdiff_t str_find_end(str s, str needle, ptrdiff_t from)
{
    ptrdiff_t at = str_find(s, needle, from);
    return at < 0 ? s.len : at;
}

ptrdiff_t str_find_close(str s, char quote, ptrdiff_t from)
{
    str one = {&quote, 1};
    ptrdiff_t at = str_find(s, one, from);
    while (at >= 0 && at + 1 < s.len && s.ptr[at + 1] == quote) {
        at = str_find(s, one, at + 2);
    }
    return at;
}

ptrdiff_t str_run(str s, ptrdiff_t from, bool (*is)(char c))
{
    assert(from >= 0);
    while (from < s.len && is(s.ptr[from])) {
        from++;
    }
    return from;
}

ptrdiff_t str_run_before(str s, ptrdiff_t end, bool (*is)(char c))
{
    assert(end <= s.len);
    while (end > 0 && is(s.ptr[end - 1])) {
        end--;
    }
    return end;
}

str_counted str_around_number(str s)
{
    ptrdiff_t from = 0;
    while (from < s.len && !is_digit(s.ptr[from])) {
        from++;
    }
    ptrdiff_t to = str_run(s, from, is_digit);
    return (str_counted){str_sub(s, 0, from), str_sub(s, from, to),
                         str_skip(s, to)};
}

str str_trim(str s)
{
    while (s.len > 0 && is_space(s.ptr[0])) {
        s = str_skip(s, 1);
    }
    while (s.len > 0 && is_space(s.ptr[s.len - 1])) {
        s.len--;
    }
    return s;
}

static bool is_in(char c, const char *list)
{
    return c != '\0' && strchr(list, c);
}

str str_strip(str s, const char *before, const char *behind)
{
    while (s.len > 0 && is_in(s.ptr[0], before)) {
        s = str_skip(s, 1);
    }
    while (s.len > 0 && is_in(s.ptr[s.len - 1], behind)) {
        s.len--;
    }
    return s;
}

str str_last(str s, char separator)
{
    ptrdiff_t at = s.len;
    while (at > 0 && s.ptr[at - 1] != separator) {
        at--;
    }
    return str_skip(s, at);
}

str str_cut(str *rest, char separator)
{
    assert(rest->len >= 0);
    const char *hit =
        rest->len > 0 ? memchr(rest->ptr, separator, (size_t)rest->len) : NULL;
    if (!hit) {
        str all = *rest;
        *rest = (str){0};
        return all;
    }
    str front = {rest->ptr, hit - rest->ptr};
    *rest = str_skip(*rest, front.len + 1);
    return front;
}

bool str_to_int(str s, int64_t *out)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    ptrdiff_t i = negative ? 1 : 0;
    if (i == s.len) {
        return false;
    }
    int64_t n = 0;
    for (; i < s.len; i++) {
        int digit = s.ptr[i] - '0';
        if (!is_digit(s.ptr[i]) || __builtin_mul_overflow(n, 10, &n)
            || __builtin_sub_overflow(n, digit, &n)) {
            return false;
        }
    }
    // Built downwards, so that INT64_MIN has a place.
    if (!negative && n == INT64_MIN) {
        return false;
    }
    if (out) {
        *out = negative ? n : -n;
    }
    return true;
}

// May it be a number, by its signs and marks alone? A day is none, and days are
// what is asked about most.
static bool is_like_number(str s)
{
    bool is_like = true;
    for (ptrdiff_t i = 0; is_like && i < s.len; i++) {
        char c = s.ptr[i];
        bool is_sign = c == '-' || c == '+';
        char before = i > 0 ? to_lower(s.ptr[i - 1]) : 'e';
        is_like = c != ' ' && c != ':' && c != '/'
                  && (!is_sign || before == 'e' || before == 'p');
    }
    return is_like;
}

bool str_to_double(str s, double *out)
{
    char text[128];
    if (s.len == 0 || s.len >= countof(text) || is_space(s.ptr[0])
        || !is_like_number(s)) {
        return false;
    }
    memcpy(text, s.ptr, (size_t)s.len);
    text[s.len] = '\0';
    char *end = NULL;
    double d = strtod(text, &end);
    if (out) {
        *out = d;
    }
    return end == text + s.len;
}

const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}
