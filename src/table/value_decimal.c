/*
 * value_decimal.c - exact numbers from the texts that servers send.
 *
 * Method      Plain digits become canonical (no zeros at the end of a fraction,
 *             a digit before the point), so that equal numbers of one server
 *             are equal texts; what only a double can hold (NaN, Infinity,
 *             exponents) becomes a REAL; anything else stays the server's own
 *             text.
 */
#include "table/value_decimal.h"

static bool is_plain(str text)
{
    ptrdiff_t digits = 0;
    ptrdiff_t points = 0;
    text = str_skip(text, str_starts(text, S("-")));
    for (ptrdiff_t i = 0; i < text.len; i++) {
        digits += is_digit(text.ptr[i]);
        points += text.ptr[i] == '.';
    }
    return digits > 0 && points <= 1 && digits + points == text.len;
}

value value_decimal(str text, arena *a)
{
    double d = 0;
    value v;
    if (!is_plain(text)) {
        v = value_text(arena_str(a, text));
        v.kind = VALUE_OTHER;
        return str_to_double(text, &d) ? value_real(d) : v;
    }
    bool is_negative = str_starts(text, S("-"));
    text = str_skip(text, is_negative);
    if (str_find(text, S("."), 0) >= 0) {
        while (text.ptr[text.len - 1] == '0') {
            text.len--;
        }
        text.len -= text.ptr[text.len - 1] == '.';
    }
    bool has_whole = text.len > 0 && is_digit(text.ptr[0]);
    v = value_text(arena_printf(a, "%s%s%.*s", is_negative ? "-" : "",
                                has_whole ? "" : "0", STR_ARG(text)));
    v.kind = VALUE_DECIMAL;
    return v;
}
