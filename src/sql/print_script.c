/*
 * print_script.c - all statements of a file, with their comments.
 *
 * Method      A statement that is no query is printed from its tree only when
 *             the printed text has all of its tokens: trees of CREATE TABLE
 *             leave out what does not matter to the rows, and nobody who lays
 *             out a file wants to lose that. Otherwise it stays as it was
 *             written.
 *
 * Invariant   Each comment of the text is written exactly once.
 *
 * Cost        Linear, and a second lexing for statements that are no queries.
 */
#include "sql/lex.h"
#include "sql/print_internal.h"

#include <assert.h>

static str source_of(const printer *p, const ast *n)
{
    return str_sub(p->sql, n->pos, (ptrdiff_t)n->pos + n->len);
}

static bool same_token(str x, token t, str y, token u)
{
    return t.kind == u.kind
           && str_equal_fold(token_text(x, t), token_text(y, u));
}

// Whether `text` begins with the tokens of `source`.
static bool says_all(str source, str text, dialect d)
{
    lexer from = lex_begin(source, d);
    lexer to = lex_begin(text, d);
    token t = lex_next_solid(&from);
    while (t.kind != TOKEN_END) {
        if (!same_token(source, t, text, lex_next_solid(&to))) {
            return false;
        }
        t = lex_next_solid(&from);
    }
    return true;
}

// The query in a statement that makes something of it, or NULL.
static const ast *query_in(const ast *n)
{
    return n->kind == AST_CREATE_VIEW    ? n->kid[CREATE_VIEW_QUERY]
           : n->kind == AST_CREATE_TABLE ? n->kid[CREATE_TABLE_QUERY]
                                         : NULL;
}

static bool is_other(const ast *n)
{
    return n->kind == AST_WORDS || n->kind == AST_CREATE_TABLE
           || n->kind == AST_CREATE_VIEW || n->kind == AST_CREATE_TYPE
           || n->kind == AST_CREATE_INDEX || n->kind == AST_ALTER_TABLE;
}

// Over lines as it was typed; on one line its tokens, without the comments,
// which then follow the statement.
static void print_as_typed(printer *p, const ast *n)
{
    str source = source_of(p, n);
    if (p->layout == PRINT_PRETTY) {
        buf_add(p->out, source);
        ptrdiff_t end = (ptrdiff_t)n->pos + n->len;
        while (p->comment < p->comments_end && p->comment->pos < end) {
            p->comment++;
        }
        return;
    }
    lexer l = lex_begin(source, p->dialect);
    token before = lex_next_solid(&l);
    buf_add(p->out, token_text(source, before));
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        buf_add(p->out, before.pos + before.len < t.pos ? S(" ") : S(""));
        buf_add(p->out, token_text(source, t));
        before = t;
    }
}

static void print_other(printer *p, const ast *n)
{
    ptrdiff_t begin = p->out->len;
    const parse_comment *comment = p->comment;
    if (n->kind != AST_WORDS) {
        print_alone(p, n);
        const ast *query = query_in(n);
        ptrdiff_t end = query ? query->pos : (ptrdiff_t)n->pos + n->len;
        if (says_all(str_sub(p->sql, n->pos, end),
                     str_skip(buf_str(p->out), begin), p->dialect)) {
            return;
        }
    }
    p->out->len = begin;
    p->comment = comment;
    print_as_typed(p, n);
}

void print_script(buf *out,
                  str sql,
                  const parse_result *r,
                  dialect d,
                  print_layout layout,
                  arena scratch)
{
    printer p = {.out = out,
                 .scratch = scratch,
                 .dialect = d,
                 .layout = layout,
                 .sql = sql,
                 .comment = r->comments.ptr,
                 .comments_end = r->comments.ptr};
    if (r->comments.len > 0) {
        p.comments_end += r->comments.len;
    }
    for (const ast *n = r->statements; n; n = n->next) {
        print_own_comments(&p, n->pos);
        if (is_other(n)) {
            print_other(&p, n);
        } else {
            print_alone(&p, n);
        }
        buf_char(out, ';');
        print_trailing_comments(&p, n->next ? n->next->pos : sql.len);
        print_text(&p, !n->next                   ? ""
                       : layout == PRINT_ONE_LINE ? "\n"
                                                  : "\n\n");
    }
    print_last_comments(&p);
    assert(p.comment == p.comments_end);  // all are written
    buf_add(out, r->statements || r->comments.len > 0 ? S("\n") : S(""));
}

void print_trees(buf *out, const parse_result *r, arena scratch)
{
    for (const ast *n = r->statements; n; n = n->next) {
        ast_dump_pretty(out, n, scratch);
        buf_char(out, '\n');
    }
}
