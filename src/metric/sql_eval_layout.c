/*
 * sql_eval_layout.c - a statement as it is compared. [rules/evaluators.md 4.3]
 *
 * Why         The reference re-indents both texts and compares the results: it
 *             forgets what stood at the places where it breaks a line or wants
 *             no blank, and keeps everywhere else whether there was a blank.
 *             Columns matter too: a group that is wrapped is another text when
 *             it starts in another column.
 *
 * Method      Tokens are written one after the other, each with what comes
 *             before it. A stack of open frames (parentheses, CASE, WHERE)
 *             knows how far lines are indented; lists wrap to the column of
 *             their first item, except inside function calls and VALUES.
 *
 * Cost        Linear. A text that has grown past MOST_BYTES gets no more blanks
 *             of indentation: deep nesting would square it.
 */
#include "base/utf8.h"
#include "metric/sql_eval.h"

enum {
    STEP = 2,         // a query in parentheses, a condition of WHERE
    CASE_STEP = 9,    // from CASE to what stands behind its WHEN
    WHEN_STEP = 5,    // from WHEN to what stands behind it
    VALUES_STEP = 7,  // from VALUES to its first row
    MOST_BYTES = 4 << 20,
};

typedef struct frame {
    ptrdiff_t last;  // its last token
    ptrdiff_t base;  // where its lines begin
    bool in_call;    // no list is wrapped here
    bool in_row;     // of VALUES: as in_call, and blanks behind commas count
} frame;

typedef struct layout {
    const sql_eval_text *t;
    buf *b;
    ptrdiff_t column;
    int32_t *starts;  // per token, the column it had before it began a line
    struct {
        frame *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } frames;
    arena scratch;
} layout;

static bool has(sql_eval_token t, sql_eval_mark m)
{
    return (t.marks & m) != 0;
}

static void add_text(layout *o, str text)
{
    buf_add(o->b, text);
    ptrdiff_t line = text.len;
    while (line > 0 && text.ptr[line - 1] != '\n') {
        line--;
    }
    const ptrdiff_t n = utf8_count(str_skip(text, line));
    o->column = line > 0 ? n : o->column + n;
}

static void add_line(layout *o, ptrdiff_t indent)
{
    buf_char(o->b, '\n');
    if (o->b->len + indent < MOST_BYTES) {
        buf_repeat(o->b, ' ', indent);
    }
    o->column = indent;
}

static frame top_frame(const layout *o)
{
    return o->frames.ptr[o->frames.len - 1];
}

// Where the line of a token that begins one begins.
static ptrdiff_t indent_of(const layout *o, ptrdiff_t i)
{
    const sql_eval_token t = o->t->ptr[i];
    const frame f = top_frame(o);
    if (has(t, SQL_EVAL_PAIRED)) {
        return f.base + STEP;
    }
    if (t.class == SQLPARSE_KEYWORD && i == f.last) {
        return f.base - CASE_STEP;  // END
    }
    const bool is_case_word =
        str_equal_fold(t.text, S("WHEN")) || str_equal_fold(t.text, S("ELSE"));
    return is_case_word ? f.base - WHEN_STEP : f.base;
}

// What stood between two neighbors.
typedef struct gap {
    ptrdiff_t blanks;  // a comment counts as one
    bool is_kept;      // whatever stands behind it
} gap;

static gap gap_before(const layout *o, ptrdiff_t i)
{
    gap g = {0};
    for (ptrdiff_t k = i - 1; k >= 0; k--) {
        const sql_eval_token t = o->t->ptr[k];
        if (t.class == SQLPARSE_COMMENT) {
            g.is_kept = g.is_kept || has(t, SQL_EVAL_KEEP);
            g.blanks += !has(t, SQL_EVAL_GLUE);
        } else if (t.class == SQLPARSE_BLANK) {
            g.blanks += t.blanks;
        } else {
            break;
        }
    }
    return g;
}

// Whether a blank is written between two neighbors.
static bool keeps_blank(const layout *o,
                        sql_eval_token before,
                        sql_eval_token after,
                        gap g)
{
    if (has(before, SQL_EVAL_PAIRED) && str_equal(before.text, S("("))) {
        return false;
    }
    if (has(after, SQL_EVAL_PAIRED) && str_equal(after.text, S(")"))) {
        return g.is_kept || (has(after, SQL_EVAL_LOOSE) && g.blanks > 0);
    }
    if (has(after, SQL_EVAL_LIST_COMMA)) {
        return g.is_kept || g.blanks > 1;
    }
    const bool fills = has(before, SQL_EVAL_LIST_COMMA) && !top_frame(o).in_row;
    return fills || g.blanks > 0;
}

// Writes what stands between two neighbors.
static void add_separator(layout *o, ptrdiff_t before, ptrdiff_t after)
{
    const sql_eval_token left = o->t->ptr[before];
    const sql_eval_token right = o->t->ptr[after];
    const frame f = top_frame(o);
    const bool wraps =
        has(left, SQL_EVAL_LIST_COMMA) && !f.in_call && !f.in_row;
    const bool blank = keeps_blank(o, left, right, gap_before(o, after));
    const ptrdiff_t start = wraps ? o->starts[left.link] : o->column + blank;
    o->starts[after] = (int32_t)start;
    if (has(right, SQL_EVAL_BREAK)) {
        add_line(o, indent_of(o, after));
    } else if (wraps) {
        add_line(o, start);
    } else if (has(left, SQL_EVAL_ROW_COMMA)) {
        add_line(o, o->starts[left.link] + VALUES_STEP);
    } else {
        add_text(o, blank ? S(" ") : S(""));
    }
}

// Opens the frame that token i begins, which is about to be written.
static void open_frame(layout *o, ptrdiff_t i)
{
    const sql_eval_token t = o->t->ptr[i];
    frame f = top_frame(o);
    f.last = t.link;
    if (has(t, SQL_EVAL_PAIRED) && t.link > i) {
        f.base = o->column + 1;
        f.in_row =
            (f.in_row || has(t, SQL_EVAL_VALUES)) && !has(t, SQL_EVAL_CALL);
        f.in_call = f.in_call || has(t, SQL_EVAL_CALL);
    } else if (has(t, SQL_EVAL_CASE)) {
        f.base = o->column + CASE_STEP;
    } else if (has(t, SQL_EVAL_WHERE)) {
        f.base += STEP;
    } else {
        return;
    }
    *vec_push(&o->scratch, &o->frames) = f;
}

void sql_eval_layout(buf *b, const sql_eval_text *t, arena scratch)
{
    layout o = {.t = t, .b = b};
    o.starts = arena_new(&scratch, int32_t, t->len + 1);
    o.scratch = scratch;
    *vec_push(&o.scratch, &o.frames) = (frame){.last = t->len};
    ptrdiff_t before = -1;
    for (ptrdiff_t i = 0; i < t->len; i++) {
        while (top_frame(&o).last < i) {
            o.frames.len--;
        }
        if (t->ptr[i].class == SQLPARSE_BLANK
            || t->ptr[i].class == SQLPARSE_COMMENT) {
            continue;
        }
        if (before >= 0) {
            add_separator(&o, before, i);
        }
        open_frame(&o, i);
        add_text(&o, t->ptr[i].text);
        before = i;
    }
}
