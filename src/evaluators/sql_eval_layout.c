/*
 * sql_eval_layout.c - a statement as it is compared. [001
 * string match], definitions/sql_eval.md#text
 *
 * Why         The reference re-indents both texts and compares the results: it
 *             forgets what stood at the places where it breaks a line or wants
 *             no blank, and keeps everywhere else whether there was a blank.
 *             Columns matter too: a group that is wrapped is another text when
 *             it starts in another column.
 *
 * Method      Tokens are written one after the other, each with what comes
 *             before it. A stack of open frames (parentheses, CASE, WHERE,
 *             VALUES) knows how far lines are indented; lists wrap to the
 *             column of their first item, except in function calls and VALUES.
 *
 * Cost        Linear. A text that has grown past MOST_BYTES gets no more blanks
 *             of indentation: deep nesting would square it.
 */
#include "base/utf8.h"
#include "evaluators/sql_eval.h"

enum {
    STEP = 2,       // a query in parentheses, a condition of WHERE
    CASE_STEP = 9,  // from CASE to what stands after its WHEN
    WHEN_STEP = 5,  // from WHEN to what stands after it
    MOST_BYTES = 4 << 20,
};

typedef struct frame {
    ptrdiff_t last;  // its last token
    ptrdiff_t base;  // where its lines begin
    bool is_case;
    bool in_call;  // no list is wrapped here
    bool is_flat;  // no line begins, and blanks after commas count: VALUES
} frame;

typedef struct layout {
    const sql_eval_text *t;
    buf *b;
    ptrdiff_t column;
    ptrdiff_t line_before;  // length of the line before, when a list has just
                            // begun a line in column 0; else 0
    int32_t *starts;  // per token, the column it had before it began a line
    vec_of(frame) frames;
    arena scratch;
} layout;

static bool has(sql_eval_token t, sql_eval_mark m)
{
    return (t.marks & m) != 0;
}

static bool is_open(sql_eval_token t)
{
    return t.class == SQLPARSE_PUNCTUATION && str_equal(t.text, S("("));
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
    o->line_before = text.len > 0 ? 0 : o->line_before;
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
    if (f.is_case && i == f.last) {
        return f.base - CASE_STEP;
    }
    const bool is_branch = str_among_fold(t.text, "WHEN ELSE");
    return is_branch ? f.base - WHEN_STEP : f.base;
}

// What stood between two neighbors.
typedef struct gap {
    ptrdiff_t blanks;  // a comment counts as one
    bool is_kept;      // whatever stands after it
} gap;

static gap gap_before(const layout *o, ptrdiff_t i)
{
    gap g = {0};
    for (ptrdiff_t k = i - 1; k >= 0; k--) {
        const sql_eval_token t = o->t->ptr[k];
        if (t.class == SQLPARSE_COMMENT) {
            g.is_kept = g.is_kept || has(t, SQL_EVAL_KEEP);
            const bool is_glue =
                has(t, SQL_EVAL_GLUE) || (k > 0 && is_open(o->t->ptr[k - 1]));
            g.blanks += !is_glue;
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
    if (has(before, SQL_EVAL_PAIRED) && is_open(before)) {
        return has(before, SQL_EVAL_LOOSE) && g.blanks > 0;
    }
    if (has(after, SQL_EVAL_PAIRED) && str_equal(after.text, S(")"))) {
        return g.is_kept || (has(after, SQL_EVAL_LOOSE) && g.blanks > 0);
    }
    if (has(after, SQL_EVAL_LIST_COMMA)) {
        return g.is_kept || g.blanks > 1;
    }
    const bool fills =
        has(before, SQL_EVAL_LIST_COMMA) && !top_frame(o).is_flat;
    return fills || g.blanks > 0;
}

// Begins the line of the next item of a list. In column 0 the reference looks
// for the column of what follows in the line before, and a word that would
// begin a line of its own does not.
static void wrap_list(layout *o, ptrdiff_t start, ptrdiff_t after, gap g)
{
    const ptrdiff_t end = o->column + (g.blanks > 0);
    const sql_eval_token next = o->t->ptr[after];
    const bool breaks = has(next, SQL_EVAL_BREAK);
    if (start == 0 && breaks && !is_open(next)) {
        add_text(o, g.blanks > 0 ? S(" ") : S(""));
    } else {
        add_line(o, breaks ? indent_of(o, after) : start);
        o->line_before = start == 0 ? end : 0;
    }
}

// Writes what stands between two neighbors.
static void add_separator(layout *o, ptrdiff_t before, ptrdiff_t after)
{
    const sql_eval_token left = o->t->ptr[before];
    const sql_eval_token right = o->t->ptr[after];
    const frame f = top_frame(o);
    const gap g = gap_before(o, after);
    const bool wraps =
        has(left, SQL_EVAL_LIST_COMMA) && !f.in_call && !f.is_flat;
    const bool blank = keeps_blank(o, left, right, g);
    const bool is_row = has(left, SQL_EVAL_ROW_COMMA);
    const ptrdiff_t start =
        wraps || is_row ? o->starts[left.link] : o->column + blank;
    o->starts[after] = (int32_t)start;
    if (wraps) {
        wrap_list(o, start, after, g);
    } else if (is_row) {
        add_line(o, start);
    } else if (has(right, SQL_EVAL_BREAK) && !f.is_flat) {
        add_line(o, indent_of(o, after));
    } else {
        add_text(o, blank ? S(" ") : S(""));
    }
}

// Opens the frame that token i begins, which is about to be written.
static void open_frame(layout *o, ptrdiff_t i)
{
    const sql_eval_token t = o->t->ptr[i];
    const ptrdiff_t column = o->line_before > 0 ? o->line_before : o->column;
    frame f = top_frame(o);
    f.last = t.link;
    f.is_case = has(t, SQL_EVAL_CASE);
    if (has(t, SQL_EVAL_PAIRED) && t.link > i) {
        f.base = column + 1;
        f.in_call = f.in_call || has(t, SQL_EVAL_CALL);
    } else if (f.is_case) {
        f.base = column + CASE_STEP;
    } else if (has(t, SQL_EVAL_WHERE)) {
        f.base += STEP;
        f.is_flat = f.is_flat || has(t, SQL_EVAL_FLAT);
    } else if (has(t, SQL_EVAL_VALUES)) {
        f.is_flat = true;
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
        } else if (is_open(t->ptr[i]) && has(t->ptr[i], SQL_EVAL_BREAK)) {
            add_line(&o, indent_of(&o, i));
        }
        open_frame(&o, i);
        add_text(&o, t->ptr[i].text);
        before = i;
    }
}
