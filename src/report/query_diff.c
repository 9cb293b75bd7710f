/*
 * query_diff.c - two queries word by word.
 *
 * Method      The table of longest common subsequences from the end, then one
 *             walk from the start. What is common at both ends is taken off
 *             first: most predictions differ from their gold in a few words.
 *
 * Cost        The product of the words between the common ends, at most
 *             CELLS_MAX; beyond that nothing is marked.
 */
#include "report/query_diff.h"

#include "base/utf8.h"

#include <assert.h>

enum {
    CELLS_MAX = 4 << 20,
};

static bool same_word(const query_words *x,
                      ptrdiff_t i,
                      const query_words *y,
                      ptrdiff_t k)
{
    str one = token_text(x->text, x->tokens[i]);
    str two = token_text(y->text, y->tokens[k]);
    return token_is_word(x->tokens[i]) && token_is_word(y->tokens[k])
               ? str_equal_fold(one, two)
               : str_equal(one, two);
}

static query_words words_of(str text, dialect d, arena *a)
{
    token_list list = lex_all(a, text, d, LEX_DROP_COMMENTS);
    assert(list.len > 0 && list.ptr[list.len - 1].kind == TOKEN_END);
    ptrdiff_t n = list.len - 1;
    while (n > 0 && str_equal(token_text(text, list.ptr[n - 1]), S(";"))) {
        n--;
    }
    return (query_words){.text = text,
                         .tokens = list.ptr,
                         .is_other = arena_new(a, bool, n + 1),
                         .n = n};
}

// Marks what is between the ends; `left` and `right` are the sets to fill.
static void align(const query_diff *q,
                  ptrdiff_t from,
                  ptrdiff_t end_left,
                  ptrdiff_t end_right,
                  bool *left,
                  bool *right,
                  arena scratch)
{
    ptrdiff_t width = end_right - from + 1;
    ptrdiff_t height = end_left - from + 1;
    int32_t *best = arena_new(&scratch, int32_t, width * height);
    for (ptrdiff_t i = height - 2; i >= 0; i--) {
        for (ptrdiff_t k = width - 2; k >= 0; k--) {
            int32_t down = best[(i + 1) * width + k];
            int32_t along = best[i * width + k + 1];
            best[i * width + k] =
                same_word(&q->left, from + i, &q->right, from + k)
                    ? best[(i + 1) * width + k + 1] + 1
                : down > along ? down
                               : along;
        }
    }
    ptrdiff_t i = 0;
    ptrdiff_t k = 0;
    while (i < height - 1 || k < width - 1) {
        if (i < height - 1 && k < width - 1
            && same_word(&q->left, from + i, &q->right, from + k)) {
            i++;
            k++;
        } else if (k == width - 1
                   || (i < height - 1
                       && best[(i + 1) * width + k]
                              >= best[i * width + k + 1])) {
            left[from + i++] = true;
        } else {
            right[from + k++] = true;
        }
    }
}

query_diff query_diff_of(str left, str right, dialect d, arena *a)
{
    query_diff q = {.left = words_of(left, d, a),
                    .right = words_of(right, d, a)};
    ptrdiff_t n = q.left.n < q.right.n ? q.left.n : q.right.n;
    ptrdiff_t from = 0;
    while (from < n && same_word(&q.left, from, &q.right, from)) {
        from++;
    }
    ptrdiff_t end_left = q.left.n;
    ptrdiff_t end_right = q.right.n;
    while (end_left > from && end_right > from
           && same_word(&q.left, end_left - 1, &q.right, end_right - 1)) {
        end_left--;
        end_right--;
    }
    assert(end_left >= from && end_right >= from);
    q.is_cut = (end_left - from + 1) > CELLS_MAX / (end_right - from + 1);
    if (!q.is_cut) {
        bool *marks_left = arena_new(a, bool, q.left.n + 1);
        bool *marks_right = arena_new(a, bool, q.right.n + 1);
        align(&q, from, end_left, end_right, marks_left, marks_right, *a);
        q.left.is_other = marks_left;
        q.right.is_other = marks_right;
    }
    return q;
}

/* --- printing ------------------------------------------------------------ */

// The words of one line of the text, [word, end) among the tokens that touch
// the bytes [from, to).
typedef struct text_line {
    ptrdiff_t from;
    ptrdiff_t to;
    ptrdiff_t word;
    ptrdiff_t end;
    bool has_mark;
} text_line;

static text_line line_at(const query_words *w, ptrdiff_t from, ptrdiff_t word)
{
    ptrdiff_t to = str_find(w->text, S("\n"), from);
    text_line l = {.from = from, .to = to < 0 ? w->text.len : to, .word = word};
    // A string may have begun on a line before.
    while (l.word > 0
           && w->tokens[l.word - 1].pos + w->tokens[l.word - 1].len > from) {
        l.word--;
    }
    for (l.end = l.word; l.end < w->n && w->tokens[l.end].pos < l.to; l.end++) {
        l.has_mark |= w->is_other[l.end];
    }
    return l;
}

static bool is_marked(const query_words *w, const text_line *l, ptrdiff_t at)
{
    for (ptrdiff_t i = l->word; i < l->end && w->tokens[i].pos <= at; i++) {
        if (w->is_other[i] && at < w->tokens[i].pos + w->tokens[i].len) {
            return true;
        }
    }
    return false;
}

// One character, harmless on a terminal. `mark` is what stands below a marked
// one, 0: the text itself is written.
static ptrdiff_t add_char(buf *out, str text, ptrdiff_t at, char mark)
{
    char memory[64];
    arena small = {.next = memory, .end = memory + sizeof memory};
    ptrdiff_t size = utf8_size_at(text, at);
    str c = str_sub(text, at, at + (size > 0 ? size : 1));
    str shown = size > 0 ? utf8_visible(&small, c) : S("?");
    if (mark == 0) {
        buf_add(out, shown);
    } else {
        buf_repeat(out, mark, utf8_width(shown));
    }
    return c.len;
}

static void print_words(buf *out,
                        const query_words *w,
                        const text_line *l,
                        str color)
{
    bool was_marked = false;
    for (ptrdiff_t at = l->from; at < l->to;) {
        bool marked = color.len > 0 && is_marked(w, l, at);
        if (marked != was_marked) {
            buf_add(out, marked ? color : S("\033[0m"));
            was_marked = marked;
        }
        at += add_char(out, w->text, at, 0);
    }
    buf_add(out, was_marked ? S("\033[0m\n") : S("\n"));
}

static void print_carets(buf *out, const query_words *w, const text_line *l)
{
    ptrdiff_t last = l->from;
    for (ptrdiff_t i = l->word; i < l->end; i++) {
        ptrdiff_t end = w->tokens[i].pos + w->tokens[i].len;
        last = w->is_other[i] ? (end < l->to ? end : l->to) : last;
    }
    for (ptrdiff_t at = l->from; at < last;) {
        at += add_char(out, w->text, at, is_marked(w, l, at) ? '^' : ' ');
    }
    buf_char(out, '\n');
}

void query_diff_print(buf *out, const query_words *w, char sign, str color)
{
    ptrdiff_t word = 0;
    for (ptrdiff_t from = 0; from <= w->text.len;) {
        text_line l = line_at(w, from, word);
        buf_printf(out, "  %c ", l.has_mark ? sign : ' ');
        print_words(out, w, &l, color);
        if (l.has_mark) {
            buf_add(out, S("    "));
            print_carets(out, w, &l);
        }
        word = l.end;
        from = l.to + 1;
    }
}
