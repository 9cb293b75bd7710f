/*
 * query_diff.c - two queries word by word.
 *
 * Method      The table of longest common subsequences from the end, then one
 *             walk from the start. What is common at both ends is taken off
 *             first: most predictions differ from their gold in a few words.
 *
 *             Words that only name tables stand aside, and columns are held
 *             against each other with the tables that they are of
 *             (query_names.h). Where a table is used several times, that
 *             pairing of its uses is taken which leaves most in common.
 *
 * Cost        The product of the words between the common ends, at most
 *             CELLS_MAX; beyond that nothing is marked. Once more for each
 *             exchange of two uses of a table that is tried.
 */
#include "report/query_diff.h"

#include "base/utf8.h"
#include "report/query_names.h"

#include <assert.h>

enum {
    CELLS_MAX = 4 << 20,
};

// A text as words to be aligned: those that only name stand aside.
typedef struct side {
    query_words w;
    query_names names;
    bool *marks;       // becomes w.is_other
    ptrdiff_t *words;  // tokens that are aligned
    ptrdiff_t n;
} side;

static bool same_text(const side *x, ptrdiff_t i, const side *y, ptrdiff_t k)
{
    token one = x->w.tokens[i];
    token two = y->w.tokens[k];
    str left = token_text(x->w.text, one);
    str right = token_text(y->w.text, two);
    return token_is_word(one) && token_is_word(two)
               ? str_equal_fold(left, right)
               : str_equal(left, right);
}

// Where one of them does not say its table, that of the other will do.
static bool same_source(const side *x, ptrdiff_t i, const side *y, ptrdiff_t k)
{
    int32_t left = x->names.words[i].source;
    int32_t right = y->names.words[k].source;
    if (left < 0 || right < 0) {
        return true;
    }
    const named_source *one = &x->names.sources.ptr[left];
    const named_source *two = &y->names.sources.ptr[right];
    return str_equal_fold(one->base, two->base) && one->depth == two->depth
           && one->no == two->no;
}

static bool same_output(const side *x, ptrdiff_t i, const side *y, ptrdiff_t k)
{
    int32_t output = x->names.words[i].output;
    return output >= 0 && output == y->names.words[k].output;
}

static bool same_word(const side *x, ptrdiff_t i, const side *y, ptrdiff_t k)
{
    i = x->words[i];
    k = y->words[k];
    return (same_text(x, i, y, k) || same_output(x, i, y, k))
           && same_source(x, i, y, k);
}

static side side_of(str text, dialect d, arena *a, arena scratch)
{
    token_list list = lex_all(a, text, d, LEX_DROP_COMMENTS);
    assert(list.len > 0 && list.ptr[list.len - 1].kind == TOKEN_END);
    ptrdiff_t n = list.len - 1;
    while (n > 0 && str_equal(token_text(text, list.ptr[n - 1]), S(";"))) {
        n--;
    }
    side s = {.marks = arena_new(a, bool, n + 1),
              .words = arena_new(a, ptrdiff_t, n + 1)};
    s.w = (query_words){
        .text = text, .tokens = list.ptr, .is_other = s.marks, .n = n};
    s.names = query_names_of(a, text, list.ptr, n, d, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!s.names.words[i].is_aside) {
            s.words[s.n++] = i;
        }
    }
    return s;
}

// What is between the ends that both have in common.
typedef struct middle {
    ptrdiff_t from;
    ptrdiff_t height;  // words of the left, and one more
    ptrdiff_t width;
} middle;

static middle middle_of(const side *x, const side *y)
{
    ptrdiff_t n = x->n < y->n ? x->n : y->n;
    ptrdiff_t from = 0;
    while (from < n && same_word(x, from, y, from)) {
        from++;
    }
    ptrdiff_t left = x->n;
    ptrdiff_t right = y->n;
    while (left > from && right > from
           && same_word(x, left - 1, y, right - 1)) {
        left--;
        right--;
    }
    return (middle){from, left - from + 1, right - from + 1};
}

// The longest common subsequence from each pair of words on.
static const int32_t *lengths_of(const side *x,
                                 const side *y,
                                 const middle *m,
                                 arena *a)
{
    int32_t *best = arena_new(a, int32_t, m->width * m->height);
    for (ptrdiff_t i = m->height - 2; i >= 0; i--) {
        for (ptrdiff_t k = m->width - 2; k >= 0; k--) {
            int32_t down = best[(i + 1) * m->width + k];
            int32_t along = best[i * m->width + k + 1];
            best[i * m->width + k] = same_word(x, m->from + i, y, m->from + k)
                                         ? best[(i + 1) * m->width + k + 1] + 1
                                     : down > along ? down
                                                    : along;
        }
    }
    return best;
}

static bool is_too_long(const middle *m)
{
    return m->height > CELLS_MAX / m->width;
}

// How many words both have in common.
static ptrdiff_t count_common(const side *x, const side *y, arena scratch)
{
    middle m = middle_of(x, y);
    ptrdiff_t ends = x->n - (m.height - 1);
    return is_too_long(&m) ? ends : ends + lengths_of(x, y, &m, &scratch)[0];
}

/* --- which use of a table is which ---------------------------------------- */

static void exchange(side *s, ptrdiff_t i, ptrdiff_t k)
{
    int32_t no = s->names.sources.ptr[i].no;
    s->names.sources.ptr[i].no = s->names.sources.ptr[k].no;
    s->names.sources.ptr[k].no = no;
}

// Uses of one table are exchanged where that leaves more in common.
static void pair_sources(const side *x, side *y, arena scratch)
{
    enum {
        TRIALS_MAX = 30
    };
    ptrdiff_t most = -1;
    int trials = 0;
    for (ptrdiff_t i = 0; i < y->names.sources.len; i++) {
        for (ptrdiff_t k = i + 1; k < y->names.sources.len; k++) {
            const named_source *one = &y->names.sources.ptr[i];
            const named_source *two = &y->names.sources.ptr[k];
            if (one->block != two->block
                || !str_equal_fold(one->base, two->base)
                || trials++ >= TRIALS_MAX) {
                continue;
            }
            most = most < 0 ? count_common(x, y, scratch) : most;
            exchange(y, i, k);
            ptrdiff_t n = count_common(x, y, scratch);
            if (n > most) {
                most = n;
            } else {
                exchange(y, i, k);
            }
        }
    }
}

/* --- marks ---------------------------------------------------------------- */

static void mark(side *s, ptrdiff_t at, bool qualifier, bool word)
{
    ptrdiff_t end = s->words[at];
    for (ptrdiff_t i = s->names.words[end].first; i < end; i++) {
        s->marks[i] = qualifier;
    }
    s->marks[end] = word;
}

// Words that stand for each other, and differ: a column of another table is
// marked in its qualifier, another column of the table in its name.
static void mark_gap(side *x, ptrdiff_t i, side *y, ptrdiff_t k, ptrdiff_t n[2])
{
    for (ptrdiff_t at = 0; at < n[0] || at < n[1]; at++) {
        bool are_paired = n[0] == n[1];
        bool text = true;
        bool source = true;
        if (are_paired) {
            ptrdiff_t one = x->words[i + at];
            ptrdiff_t two = y->words[k + at];
            text = !same_text(x, one, y, two);
            source = !text || !same_source(x, one, y, two);
        }
        if (at < n[0]) {
            mark(x, i + at, source, text);
        }
        if (at < n[1]) {
            mark(y, k + at, source, text);
        }
    }
}

static void align(side *x, side *y, const middle *m, arena scratch)
{
    const int32_t *best = lengths_of(x, y, m, &scratch);
    ptrdiff_t i = 0;
    ptrdiff_t k = 0;
    ptrdiff_t gap[2] = {0};
    while (i < m->height - 1 || k < m->width - 1) {
        bool has_both = i < m->height - 1 && k < m->width - 1;
        if (has_both && same_word(x, m->from + i, y, m->from + k)) {
            mark_gap(x, m->from + i - gap[0], y, m->from + k - gap[1], gap);
            gap[0] = gap[1] = 0;
            i++;
            k++;
        } else if (k == m->width - 1
                   || (i < m->height - 1
                       && best[(i + 1) * m->width + k]
                              >= best[i * m->width + k + 1])) {
            i++;
            gap[0]++;
        } else {
            k++;
            gap[1]++;
        }
    }
    mark_gap(x, m->from + i - gap[0], y, m->from + k - gap[1], gap);
}

query_diff query_diff_of(str left, str right, dialect d, arena *a)
{
    arena scratch = arena_half(a);
    side x = side_of(left, d, a, scratch);
    side y = side_of(right, d, a, scratch);
    pair_sources(&x, &y, scratch);
    middle m = middle_of(&x, &y);
    query_diff q = {.is_cut = is_too_long(&m)};
    if (!q.is_cut) {
        align(&x, &y, &m, scratch);
    }
    q.left = x.w;
    q.right = y.w;
    return q;
}

/* --- printing ------------------------------------------------------------- */

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
    arena small = arena_on_stack(64);
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
