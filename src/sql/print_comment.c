/*
 * print_comment.c - comments, written near to what they stood at.
 *
 * Method      Trees are printed in the order of the text, nearly; so one
 *             cursor runs over the comments, and before a node is written all
 *             comments that stood before it are. Which side of a line break or
 *             a keyword they belong to is asked of the text itself.
 *             A trial (print_fits) works on a copy of the cursor.
 *
 * Invariant   Each comment is written exactly once, whatever is printed: what
 *             no node came for is left to print_script.
 */
#include "sql/print_internal.h"

#include <assert.h>

static ptrdiff_t comment_end(const parse_comment *c)
{
    return (ptrdiff_t)c->pos + c->len;
}

static bool is_pending(const printer *p, ptrdiff_t end)
{
    return p->comment < p->comments_end && p->comment->pos < end;
}

static str comment_text(const printer *p, const parse_comment *c)
{
    return str_trim(str_sub(p->sql, c->pos, comment_end(c)));
}

// Whether the rest of the line is the comment: `-- x`, `# x`, `// x`.
static bool takes_line(str text)
{
    return !str_starts(text, S("/*"));
}

// Whether code stands on the line before the comment.
static bool follows_code(const printer *p, const parse_comment *c)
{
    ptrdiff_t at = c->pos;
    while (at > 0 && p->sql.ptr[at - 1] != '\n'
           && is_space(p->sql.ptr[at - 1])) {
        at--;
    }
    return at > 0 && p->sql.ptr[at - 1] != '\n';
}

// Whether words stand between the next comment and the node: a comment before
// WHERE is not one before its condition.
static bool is_before_words(const printer *p, const ast *n)
{
    assert(p->comment < p->comments_end);
    const parse_comment *c = p->comment;
    for (ptrdiff_t at = c->pos; at < n->pos; at++) {
        if (c < p->comments_end && at == c->pos) {
            at = comment_end(c++) - 1;
        } else if (!is_space(p->sql.ptr[at]) && p->sql.ptr[at] != '(') {
            return true;
        }
    }
    return false;
}

static bool is_due(const printer *p, const ast *n, print_place place)
{
    return is_pending(p, n->pos)
           && (place == PRINT_BEFORE_ITEM || is_before_words(p, n));
}

// `-- x` as a comment that ends before its line does.
static void print_closed(printer *p, str text)
{
    ptrdiff_t from = 0;
    while (from < text.len
           && (text.ptr[from] == '-' || text.ptr[from] == '#'
               || text.ptr[from] == '/')) {
        from++;
    }
    buf_add(p->out, S("/*"));
    str rest = str_trim(str_skip(text, from));
    char last = ' ';
    buf_char(p->out, last);
    for (ptrdiff_t i = 0; i < rest.len; i++) {
        char c = rest.ptr[i];
        bool mark = (c == '/' && last == '*') || (c == '*' && last == '/');
        buf_add(p->out, mark ? S(" ") : S(""));
        buf_char(p->out, c);
        last = c;
    }
    buf_add(p->out, S(" */"));
}

// The next comment; whether the line must end after it.
static bool print_one(printer *p)
{
    assert(p->comment < p->comments_end);
    str text = comment_text(p, p->comment++);
    bool line = takes_line(text);
    p->needs_lines |= line || str_find(text, S("\n"), 0) >= 0;
    if (line && p->layout == PRINT_ONE_LINE) {
        print_closed(p, text);
        return false;
    }
    for (ptrdiff_t i = 0; i < text.len; i++) {
        bool flat = p->layout == PRINT_ONE_LINE && text.ptr[i] == '\n';
        buf_char(p->out, flat ? ' ' : text.ptr[i]);
    }
    // SQLite allows one that is never closed, at the end of the text.
    bool closed = text.len >= 4 && str_ends(text, S("*/"));
    buf_add(p->out, line || closed ? S("") : S(" */"));
    return line;
}

static bool at_blank(const printer *p)
{
    char last = p->out->len > 0 ? p->out->ptr[p->out->len - 1] : '\n';
    return is_space(last) || last == '(';
}

void print_comments(printer *p, const ast *n)
{
    while (is_pending(p, n->pos)) {
        buf_add(p->out, at_blank(p) ? S("") : S(" "));
        if (print_one(p)) {
            print_break(p);
        } else {
            buf_char(p->out, ' ');
        }
    }
}

void print_break_before(printer *p, const ast *n, print_place place)
{
    bool ends = false;
    while (!ends && is_due(p, n, place) && follows_code(p, p->comment)) {
        buf_char(p->out, ' ');
        ends = print_one(p);
    }
    print_break(p);
    while (is_due(p, n, place)) {
        print_one(p);
        print_break(p);
    }
}

void print_gap_before(printer *p, const ast *n)
{
    if (is_due(p, n, PRINT_BEFORE_CLAUSE)) {
        print_break_before(p, n, PRINT_BEFORE_CLAUSE);
    } else {
        buf_char(p->out, ' ');
    }
}

void print_trailing_comments(printer *p, ptrdiff_t end)
{
    bool ends = false;
    while (!ends && is_pending(p, end) && follows_code(p, p->comment)) {
        buf_char(p->out, ' ');
        ends = print_one(p);
    }
}

void print_last_comments(printer *p)
{
    while (p->comment < p->comments_end) {
        bool begun = p->out->len > 0 && p->out->ptr[p->out->len - 1] != '\n';
        if (begun) {
            print_break(p);
        }
        print_one(p);
    }
}

void print_own_comments(printer *p, ptrdiff_t end)
{
    while (is_pending(p, end)) {
        print_one(p);
        print_break(p);
    }
}
