/*
 * str.h - a borrowed run of bytes, and the small questions asked of it.
 *
 * A str never owns memory and is never NUL-terminated by contract. Functions
 * named _fold ignore the case of ASCII letters only: SQL keywords, option
 * names and file suffixes are ASCII; text that users compare goes through
 * utf8.h.
 */
#ifndef ASSAY_BASE_STR_H
#define ASSAY_BASE_STR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct str {
    const char *ptr;
    ptrdiff_t len;
} str;

#define S(lit) ((str){(lit), (ptrdiff_t)sizeof(lit) - 1})

// The same for the initialiser of a static table.
#define S_INIT(lit)                        \
    {                                      \
        (lit), (ptrdiff_t)sizeof(lit) - 1, \
    }

// The `%.*s` argument pair of a str.
#define STR_ARG(s) ((int)(s).len), ((s).ptr ? (s).ptr : "")

#define countof(array) ((ptrdiff_t)(sizeof(array) / sizeof *(array)))

str str_from(const char *nul_terminated);  // NULL gives the empty str

static inline bool str_equal(str a, str b)
{
    assert(a.len >= 0 && b.len >= 0);
    return a.len == b.len
           && (a.len == 0 || memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

bool str_equal_fold(str a, str b);
int str_compare(str a, str b);  // by bytes; a prefix sorts first
void str_sort(str *list, ptrdiff_t n);
bool str_starts(str s, str prefix);
bool str_starts_fold(str s, str prefix);
bool str_ends(str s, str suffix);
bool str_ends_fold(str s, str suffix);

// Is `word` one of those that `list` names, with a blank between two?
bool str_among(str word, const char *list);
bool str_among_fold(str word, const char *list);

// The first offset of `needle` in `s` at or after `from`, or -1.
ptrdiff_t str_find(str s, str needle, ptrdiff_t from);
ptrdiff_t str_find_fold(str s, str needle, ptrdiff_t from);

// The same, but the end where it is not found.
ptrdiff_t str_find_end(str s, str needle, ptrdiff_t from);

// The offset of the quote that closes the text at s[from]: the first that is
// not doubled; -1: none.
ptrdiff_t str_find_close(str s, char quote, ptrdiff_t from);

// [from, to), clamped.
static inline str str_sub(str s, ptrdiff_t from, ptrdiff_t to)
{
    from = from < 0 ? 0 : from > s.len ? s.len : from;
    to = to < from ? from : to > s.len ? s.len : to;
    return (str){s.ptr ? s.ptr + from : NULL, to - from};
}

// Without the first n bytes.
static inline str str_skip(str s, ptrdiff_t n)
{
    return str_sub(s, n, s.len);
}

str str_trim(str s);  // white space at both ends

// Without the bytes of these lists at its begin and at its end.
str str_strip(str s, const char *before, const char *behind);

// The offset past the run of bytes from s[from] on that are all of the kind,
// and where the run begins that ends at `end`.
ptrdiff_t str_run(str s, ptrdiff_t from, bool (*is)(char c));
ptrdiff_t str_run_before(str s, ptrdiff_t end, bool (*is)(char c));

// A word around its first number: "Q", "12", "b".
typedef struct str_counted {
    str before;
    str number;  // digits; empty: there is none
    str after;
} str_counted;

str_counted str_around_number(str s);

// Cuts the text up to (not with) `separator` off the front of *rest. When
// there is none, takes all and leaves *rest empty with a NULL ptr.
str str_cut(str *rest, char separator);

// What stands behind the last separator; all of it where there is none.
str str_last(str s, char separator);

// The whole of `s` as a number; false when it is anything else. `out`: or NULL.
bool str_to_int(str s, int64_t *out);
bool str_to_double(str s, double *out);

// Of ASCII only.
static inline char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline char to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c & ~0x20) : c;
}

static inline bool is_alpha(char c)
{
    char lower = to_lower(c);
    return lower >= 'a' && lower <= 'z';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Blank, \t \n \v \f \r.
static inline bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int hex_digit(char c);  // 0 to 15, -1 for anything else

// What a noun has at its end after such a count: "s", nothing after 1.
const char *plural(int64_t n);

#endif  // ASSAY_BASE_STR_H
