/*
 * compare_defog_order.c - what the reference reads out of texts about order.
 *
 * Why         It never parses SQL. Whether order counts is decided by words of
 *             the question; the sort keys are what stands after the first
 *             ORDER BY of the text, wherever that is. The faults that follow
 *             (a window's ORDER BY counts, a line break hides the key, DESC is
 *             the default) are the published numbers.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "base/words.h"
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

static bool is_order_word(str word)
{
    return str_among_fold(word, "desc asc nulls last first limit");
}

defog_keys defog_read_keys(arena *a, str sql, const frame *f)
{
    str rest = {0};
    defog_keys keys = {.has_order_by = find_key_text(sql, &rest)};
    bool has_asc = false;
    bool has_desc = false;
    for (str word = utf8_cut_word(&rest); word.len > 0;
         word = utf8_cut_word(&rest)) {
        word = str_last(word, '.');
        has_asc = has_asc || str_equal_fold(word, S("asc"));
        has_desc = has_desc || str_equal_fold(word, S("desc"));
        word = buf_replaced(a, word, S("("), S(""));
        ptrdiff_t column = is_order_word(word)
                               ? -1
                               : words_of(f->columns, f->n_columns, name, word);
        if (column >= 0) {
            *vec_push(a, &keys.columns) = (int32_t)column;
        }
    }
    keys.is_descending = has_desc || !has_asc;
    return keys;
}
