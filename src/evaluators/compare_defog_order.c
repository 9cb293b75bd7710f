/*
 * compare_defog_order.c - what the reference reads out of texts about order.
 *
 * Why         It never parses SQL. Whether order counts is decided by words of
 *             the question; the sort keys are what stands after the first
 *             ORDER BY of the text, wherever that is. The faults that follow
 *             (a window's ORDER BY counts, a line break hides the key, DESC is
 *             the default) are the published numbers.
 */
#include "base/utf8.h"
#include "evaluators/compare_defog.h"

// Where the key text that begins at `from` ends: at a `;`, `,`, `)`, the end,
// or a line break, which must be the last character.
static ptrdiff_t key_text_end(str text, ptrdiff_t from)
{
    for (ptrdiff_t i = from; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == ';' || c == ',' || c == ')' || c == '\n') {
            return i;
        }
    }
    return text.len;
}

// The words after the first ORDER BY that has any before a line break. False
// when there is no ORDER BY at all.
static bool find_key_text(str sql, str *out)
{
    const str order_by = S("ORDER BY");
    *out = (str){0};
    ptrdiff_t at = str_find_fold(sql, order_by, 0);
    bool found = at >= 0;
    while (at >= 0) {
        ptrdiff_t end = key_text_end(sql, at + order_by.len);
        if (end + 1 >= sql.len || sql.ptr[end] != '\n') {
            *out = str_sub(sql, at + order_by.len, end);
            break;
        }
        // Whatever stands before this line break fails at it, too.
        at = str_find_fold(sql, order_by, end);
    }
    return found;
}

static str cut_word(str *rest)
{
    ptrdiff_t i = 0;
    ptrdiff_t start = 0;
    while (i < rest->len) {
        ptrdiff_t size = 0;
        bool is_blank = utf8_is_blank(utf8_char_at(*rest, i, &size));
        if (is_blank && i > start) {
            break;
        }
        i += size;
        start = is_blank ? i : start;
    }
    str word = str_sub(*rest, start, i);
    *rest = str_skip(*rest, i);
    return word;
}

static str after_last_point(str word)
{
    for (ptrdiff_t i = word.len; i > 0; i--) {
        if (word.ptr[i - 1] == '.') {
            return str_skip(word, i);
        }
    }
    return word;
}

static str without_parentheses(arena *a, str word)
{
    if (str_find(word, S("("), 0) < 0) {
        return word;
    }
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < word.len; i++) {
        if (word.ptr[i] != '(') {
            buf_char(&b, word.ptr[i]);
        }
    }
    return buf_str(&b);
}

static bool is_order_word(str word)
{
    return str_among_fold(word, "desc asc nulls last first limit");
}

static int32_t find_column(const frame *f, str name)
{
    for (ptrdiff_t c = 0; c < f->n_columns; c++) {
        if (str_equal(f->columns[c].name, name)) {
            return (int32_t)c;
        }
    }
    return -1;
}

defog_keys defog_read_keys(arena *a, str sql, const frame *f)
{
    str rest = {0};
    defog_keys keys = {.has_order_by = find_key_text(sql, &rest)};
    bool has_asc = false;
    bool has_desc = false;
    for (str word = cut_word(&rest); word.len > 0; word = cut_word(&rest)) {
        word = after_last_point(word);
        has_asc = has_asc || str_equal_fold(word, S("asc"));
        has_desc = has_desc || str_equal_fold(word, S("desc"));
        word = without_parentheses(a, word);
        int32_t column = is_order_word(word) ? -1 : find_column(f, word);
        if (column >= 0) {
            *vec_push(a, &keys.columns) = column;
        }
    }
    keys.is_descending = has_desc || !has_asc;
    return keys;
}
