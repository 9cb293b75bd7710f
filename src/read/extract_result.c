/*
 * extract_result.c - is what stands between two queries what the first gave?
 *
 * Method      A result is told by its form, line by line: values, a table, an
 *             error. Who shows one and goes on in words has given an answer and
 *             says what else could be asked; only where the next query follows
 *             at once was the first one a try.
 *
 * Cost        Linear in the text.
 */
#include "read/extract_line.h"
#include "read/extract_mark.h"

#include <string.h>

static bool is_one_of(char c, const char *signs)
{
    return c != '\0' && strchr(signs, c);
}

// "[(3,)]", "{'n': 3}", "3" and "3 rows"; no words in parentheses, no list.
static bool is_value(str line)
{
    str inner = str_strip(line, "[({", "");
    char c = inner.len > 0 ? inner.ptr[0] : '\0';
    bool is_text = c == '"' || c == '\'';
    ptrdiff_t n = is_text ? str_find(inner, str_sub(inner, 0, 1), 1) + 1 : 0;
    while (!is_text && n < inner.len
           && is_one_of(inner.ptr[n], "0123456789.,-")) {
        n++;
    }
    str rest = str_skip(inner, n);
    bool is_number = !is_text && n > 0 && (is_digit(c) || c == '-')
                     && inner.ptr[n - 1] != '.';
    bool is_over = is_number && (rest.len == 0 || str_starts(rest, S(" row")));
    if (inner.len == line.len) {
        return is_over;
    }
    char next = rest.len > 0 ? rest.ptr[0] : '\0';
    return is_one_of(line.ptr[line.len - 1], "])}")
           && (is_over || (n == 0 && is_one_of(c, "])}"))
               || ((is_number || (is_text && n > 0))
                   && is_one_of(next, ",:])}"))
               || (is_number && inner.ptr[n - 1] == ','));
}

// "Result: 3", in any language. A broken number under another name is no result
// but a mark that is given to the query: "Score: 0.9".
static bool is_titled_value(line_head h)
{
    bool is_broken =
        str_find(h.rest, S("."), 0) > 0 || str_find(h.rest, S(","), 0) > 0;
    return is_value(h.rest)
           && (!is_broken || !is_digit(h.rest.ptr[h.rest.len - 1])
               || mark_name_role(h.title) == MARK_SEEN);
}

// Without the marks around it: what is in a tag, whatever its name.
static str inside_of_marks(str line)
{
    line = mark_skip(line);
    ptrdiff_t close = line.len - str_last(line, '<').len - 1;
    bool closes = close >= 0 && mark_at(line, close).closes;
    return str_sub(line, 0, closes ? close : line.len);
}

bool text_is_result(str text)
{
    int n_lines = 0;
    int n_words = 0;
    bool is_fenced = false;
    bool has_result = false;
    bool is_mixed = false;
    while (text.len > 0) {
        str line = inside_of_marks(str_trim(str_cut(&text, '\n')));
        line_head h = line_head_of(line);
        bool is_frame = false;
        bool is_fence = str_starts(line, S("```"));
        // What a program calls an error: "OperationalError: no such column".
        bool is_named = h.title.len < line.len
                        && str_find(h.title, S(" "), 0) < 0
                        && str_find_fold(h.title, S("error"), 1) > 0;
        if (is_named || (n_lines == 0 && str_equal_fold(h.title, S("error")))) {
            return true;
        }
        bool is_result = (is_fence && mark_name_role(line) == MARK_SEEN)
                         || str_starts_fold(h.title, S("error"))
                         || is_value(line) || is_titled_value(h)
                         || (line_is_rule(line, &is_frame) && is_frame);
        bool is_part = is_result || is_fence || is_fenced || line.len == 0
                       || line.ptr[0] == '|';
        is_mixed |= !is_part && has_result;
        has_result |= is_result;
        n_words += !is_part;
        n_lines += line.len > 0;
        is_fenced ^= is_fence;
    }
    return has_result && !is_mixed && n_words < 2;
}
