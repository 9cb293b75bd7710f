/*
 * outline.c - the shape of a query from its tokens alone.
 *
 * Method      One pass over the tokens. Parentheses that open a statement are
 *             transparent, as in `(SELECT a FROM t ORDER BY a) LIMIT 3`: what
 *             stands directly inside them is outermost, until a UNION or the
 *             like shows that it was one branch. All other parentheses
 *             (subqueries, CTEs, windows, aggregates) hide their ORDER BY.
 *
 * Invariant   0 <= opening <= depth.
 *
 * Cost        Linear in the text, whatever is broken in it.
 */
#include "sql/outline.h"

#include "sql/lex.h"

#include <assert.h>

// What is known about the first statement up to here.
typedef struct outline_state {
    ptrdiff_t depth;    // open parentheses
    ptrdiff_t opening;  // how many of them stand before the first word
    bool has_word;
    ptrdiff_t from;
    ptrdiff_t to;
    token last;
    token before;  // the one before `last`
} outline_state;

static bool is_op(token t, op o)
{
    return t.kind == TOKEN_OP && t.id == (int32_t)o;
}

static bool is_keyword(token t, keyword k)
{
    return (t.kind == TOKEN_KEYWORD || t.kind == TOKEN_WORD)
           && t.id == (int32_t)k;
}

// Whether a row count may begin with the token.
static bool begins_count(token t)
{
    return t.kind == TOKEN_NUMBER || t.kind == TOKEN_PARAMETER
           || is_op(t, OP_PAREN_OPEN) || is_op(t, OP_MINUS)
           || is_keyword(t, KEYWORD_ALL) || is_keyword(t, KEYWORD_NULL);
}

static void follow_parentheses(outline_state *s, token t)
{
    if (is_op(t, OP_PAREN_OPEN)) {
        s->opening += s->opening == s->depth && !s->has_word;
        s->depth++;
    } else if (is_op(t, OP_PAREN_CLOSE) && s->depth > 0) {
        s->depth--;
        s->opening = s->opening > s->depth ? s->depth : s->opening;
    }
}

static bool is_set_operator(token t)
{
    // `minus` is a name where it is not reserved.
    return is_keyword(t, KEYWORD_UNION) || is_keyword(t, KEYWORD_INTERSECT)
           || is_keyword(t, KEYWORD_EXCEPT)
           || (t.kind == TOKEN_KEYWORD && t.id == KEYWORD_MINUS);
}

// Whether `t` and the tokens before it limit the rows: LIMIT 3, FETCH FIRST,
// SELECT TOP 3.
static bool begins_limit(const outline_state *s, token t)
{
    if (is_keyword(s->last, KEYWORD_FETCH)) {
        return is_keyword(t, KEYWORD_FIRST) || is_keyword(t, KEYWORD_NEXT);
    }
    if (!begins_count(t)) {
        return false;
    }
    return is_keyword(s->last, KEYWORD_LIMIT)
           || (is_keyword(s->last, KEYWORD_TOP)
               && (is_keyword(s->before, KEYWORD_SELECT)
                   || is_keyword(s->before, KEYWORD_DISTINCT)
                   || is_keyword(s->before, KEYWORD_ALL)));
}

// Looks at the last two tokens, which stand outermost: `t` is the newest.
static void follow_clauses(sql_outline *o, const outline_state *s, token t)
{
    token last = s->last;
    if (is_set_operator(t)) {
        o->has_outer_order = false;
        o->has_limit = false;
    } else if (is_op(s->before, OP_DOT)) {
        return;  // t.order, t.limit: columns
    } else if (is_keyword(last, KEYWORD_ORDER) && is_keyword(t, KEYWORD_BY)) {
        o->has_outer_order = true;
    } else if (begins_limit(s, t)) {
        o->has_limit = true;
    }
}

static void follow(sql_outline *o, outline_state *s, str sql, token t)
{
    if (s->depth == s->opening) {
        follow_clauses(o, s, t);
    }
    follow_parentheses(s, t);
    if (!s->has_word && !is_op(t, OP_PAREN_OPEN)) {
        s->has_word = true;
        o->verb = token_is_word(t) ? token_text(sql, t) : (str){0};
    }
    s->to = (ptrdiff_t)t.pos + t.len;
    s->before = s->last;
    s->last = t;
}

sql_outline sql_outline_of(str sql, dialect d)
{
    sql_outline o = {0};
    outline_state s = {0};
    bool is_empty = true;
    lexer l = lex_begin(sql, d);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        if (is_op(t, OP_SEMICOLON)) {
            is_empty = true;
            continue;
        }
        if (is_empty) {
            is_empty = false;
            o.n_statements++;
            s.from = o.n_statements == 1 ? t.pos : s.from;
        }
        if (o.n_statements == 1) {
            follow(&o, &s, sql, t);
        }
    }
    assert(s.from <= s.to && s.opening <= s.depth);
    o.first = str_sub(sql, s.from, s.to);
    return o;
}

// Where what follows an unclosed quote at `at` may be read again.
static ptrdiff_t resume_at(str sql, ptrdiff_t at)
{
    ptrdiff_t hit = str_find(sql, S(";\n"), at);
    return hit < 0 ? sql.len : hit + 1;
}

ptrdiff_t sql_statement_end(str sql, ptrdiff_t from, dialect d)
{
    assert(from >= 0 && from <= sql.len);
    str rest = str_skip(sql, from);
    lexer l = lex_begin(rest, d);
    token t = lex_next_solid(&l);
    while (t.kind != TOKEN_END && !is_op(t, OP_SEMICOLON)) {
        bool open = t.kind == TOKEN_ERROR
                    && (t.id == LEX_UNCLOSED_STRING || t.id == LEX_UNCLOSED_NAME
                        || t.id == LEX_UNCLOSED_COMMENT);
        if (open) {
            return from + resume_at(rest, t.pos);
        }
        t = lex_next_solid(&l);
    }
    return from + t.pos + t.len;
}
