/*
 * parse_call.c - calls of functions, and the windows that follow them.
 *
 * Method      Arguments with words between them, as in SUBSTRING(x FROM 2) or
 *             TRIM(LEADING 'a' FROM x), are read by one rule for all functions:
 *             a word of tag_follows makes a TAGGED argument. That some function
 *             does not take the word is the engine's business.
 */
#include "sql/parse_internal.h"

#include <assert.h>

// The words that may stand before an argument or between two of them.
static bool tag_follows(const parser *p)
{
    keyword k = key_of(p->at);
    if (token_is_op(peek(p), OP_PAREN_CLOSE)
        || token_is_op(peek(p), OP_COMMA)) {
        return false;  // a name
    }
    bool tag = k == KEYWORD_FROM || k == KEYWORD_FOR || k == KEYWORD_PLACING
               || k == KEYWORD_USING || k == KEYWORD_LEADING
               || k == KEYWORD_TRAILING || k == KEYWORD_BOTH || k == KEYWORD_IN
               || k == KEYWORD_AS || k == KEYWORD_SEPARATOR
               || (dialect_follows_postgres(p->dialect)
                   && (k == KEYWORD_ESCAPE
                       || (k == KEYWORD_SIMILAR
                           && !token_is_key(peek(p), KEYWORD_TO))));
    if (k == KEYWORD_SEPARATOR || k == KEYWORD_LEADING || k == KEYWORD_TRAILING
        || k == KEYWORD_BOTH) {
        token_kind next = peek(p)->kind;
        return next == TOKEN_STRING || next == TOKEN_NAME
               || next == TOKEN_PARAMETER || next == TOKEN_QUOTED_NAME
               || next == TOKEN_STRING_OR_NAME
               || token_is_key(peek(p), KEYWORD_FROM);
    }
    return tag;
}

// tagged -> (FROM | FOR | PLACING | USING | BOTH | ...) [expr]
static ast *parse_tagged(parser *p)
{
    assert(tag_follows(p));
    ast *n = node_begin(p, AST_TAGGED);
    bool cast = at_key(p, KEYWORD_AS);
    take_typed(p, n);
    if (cast) {
        n->kid[TAGGED_EXPR] = parse_type(p);
    } else if (!at_key(p, KEYWORD_FROM)) {
        n->kid[TAGGED_EXPR] = parse_expr(p);
    }
    return node_end(p, n);
}

// argument -> query | expr [[AS] name]
static ast *parse_argument(parser *p, bool names_fields, int above)
{
    if (query_follows(p)) {
        return parse_query(p);
    }
    ast *expr = parse_expr_above(p, above);
    if (!names_fields || !parse_take_key(p, KEYWORD_AS)) {
        return expr;
    }
    ast *n = node_around(p, AST_ALIAS, ALIAS_EXPR, expr);
    if (!p->lost && word_follows(p)) {
        take_name(p, n);
    } else {
        parse_expected(p, "a name");
    }
    return node_end(p, n);
}

// nulls -> (IGNORE | RESPECT) NULLS
static void parse_nulls(parser *p, ast *call, int inside)
{
    bool ignore = at_key(p, KEYWORD_IGNORE);
    if ((ignore || at_key(p, KEYWORD_RESPECT))
        && token_is_key(peek(p), KEYWORD_NULLS)) {
        parse_skip(p);
        parse_skip(p);
        call->flags |= ignore ? AST_FLAG_NULLS_LAST : AST_FLAG_NULLS_FIRST;
        call->flags |= (uint16_t)inside;
    }
}

static void parse_all_or_distinct(parser *p, ast *call)
{
    if (parse_take_key(p, KEYWORD_DISTINCT)) {
        call->flags |= AST_FLAG_DISTINCT;
    } else if (at_key(p, KEYWORD_ALL)
               && (p->dialect == DIALECT_SQLITE
                   || !token_is_op(peek(p), OP_PAREN_CLOSE))) {
        parse_skip(p);
        call->flags |= AST_FLAG_ALL;
    }
}

// arguments -> [DISTINCT | ALL] [argument { (, | tag) argument }]
//              [ORDER BY ...] [SEPARATOR expr] [LIMIT ...]
static void parse_arguments(parser *p, ast *call)
{
    bool fields = str_equal_fold(call->text, S("struct"));
    bool search = str_equal_fold(call->text, S("position"));
    int above = search ? p->priority[OPERATOR_IN] + 1 : 1;
    ast_list args = {0};
    parse_all_or_distinct(p, call);
    bool more = !at_op(p, OP_PAREN_CLOSE) && !at_key(p, KEYWORD_ORDER);
    while (more && !p->lost) {
        ast *tag = parse_special_tag(p, call);
        if (tag && args.first) {
            tag->flags |= AST_FLAG_COMMA;
        }
        list_add(&args, tag              ? tag
                        : tag_follows(p) ? parse_tagged(p)
                                         : parse_argument(p, fields, above));
        tag = parse_special_tag(p, call);
        if (!tag) {
            tag = parse_table_columns(p);
        }
        if (tag) {
            list_add(&args, tag);
        }
        more = parse_take_op(p, OP_COMMA) || (!p->lost && tag_follows(p));
    }
    parse_nulls(p, call, AST_FLAG_NULLS_INSIDE);
    if (!p->lost && at_key(p, KEYWORD_ORDER)) {
        call->kid[CALL_ORDER] = parse_order(p);
    }
    while (!p->lost && tag_follows(p)) {
        list_add(&args, parse_tagged(p));
    }
    call->kid[CALL_ARGS] = args.first;
    if (!p->lost && at_key(p, KEYWORD_LIMIT)) {
        call->kid[CALL_LIMIT] = parse_limit(p);
    }
}

static int bound_form(parser *p)
{
    if (at_key(p, KEYWORD_PRECEDING)) {
        return BOUND_FORM_BEFORE;
    }
    if (!at_key(p, KEYWORD_FOLLOWING)) {
        parse_expected(p, "PRECEDING or FOLLOWING");
    }
    return BOUND_FORM_AFTER;
}

// bound -> UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW
//          | expr (PRECEDING | FOLLOWING)
static ast *parse_bound(parser *p)
{
    ast *n = node_begin(p, AST_BOUND);
    if (at_key(p, KEYWORD_CURRENT) && token_is_key(peek(p), KEYWORD_ROW)) {
        n->form = BOUND_FORM_CURRENT;
        parse_skip(p);
    } else if (at_key(p, KEYWORD_UNBOUNDED)) {
        parse_skip(p);
        n->form = bound_form(p) == BOUND_FORM_BEFORE ? BOUND_FORM_FIRST
                                                     : BOUND_FORM_LAST;
    } else {
        n->kid[BOUND_EXPR] = parse_expr(p);
        n->form = p->lost ? 0 : (uint8_t)bound_form(p);
    }
    if (!p->lost) {
        parse_skip(p);
    }
    return node_end(p, n);
}

static bool frame_follows(const parser *p)
{
    return at_key(p, KEYWORD_ROWS) || at_key(p, KEYWORD_RANGE)
           || at_key(p, KEYWORD_GROUPS);
}

// frame -> (ROWS | RANGE | GROUPS) (bound | BETWEEN bound AND bound)
//          [EXCLUDE words]
static ast *parse_frame(parser *p)
{
    assert(frame_follows(p));
    ast *n = node_begin(p, AST_FRAME);
    n->form = at_key(p, KEYWORD_ROWS)    ? FRAME_FORM_ROWS
              : at_key(p, KEYWORD_RANGE) ? FRAME_FORM_RANGE
                                         : FRAME_FORM_GROUPS;
    parse_skip(p);
    if (parse_take_key(p, KEYWORD_BETWEEN)) {
        n->kid[FRAME_START] = parse_bound(p);
        parse_need_key(p, KEYWORD_AND);
        n->kid[FRAME_END] = parse_bound(p);
    } else {
        n->kid[FRAME_START] = parse_bound(p);
    }
    if (parse_take_key(p, KEYWORD_EXCLUDE)) {
        n->text = parse_words(p)->text;
    }
    return node_end(p, n);
}

// window -> ( [name] [PARTITION BY exprs] [ORDER BY ...] [frame] )
ast *parse_window(parser *p)
{
    ast *n = node_begin(p, AST_WINDOW);
    parse_need_op(p, OP_PAREN_OPEN);
    bool parts =
        at_key(p, KEYWORD_PARTITION) && token_is_key(peek(p), KEYWORD_BY);
    bool named = name_follows(p)
                 || (p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN);
    if (!p->lost && !parts && !frame_follows(p) && named) {
        n->kid[WINDOW_BASE] = parse_name(p);
    }
    if (parse_take_key(p, KEYWORD_PARTITION)) {
        parse_need_key(p, KEYWORD_BY);
        n->kid[WINDOW_PARTITION] = parse_exprs(p);
    }
    if (!p->lost && at_key(p, KEYWORD_ORDER)) {
        n->kid[WINDOW_ORDER] = parse_order(p);
    }
    if (!p->lost && frame_follows(p)) {
        n->kid[WINDOW_FRAME] = parse_frame(p);
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

// call_tail -> [WITHIN GROUP ( ORDER BY ... )] [FILTER ( WHERE expr )]
//              [(IGNORE | RESPECT) NULLS] [OVER (name | window)]
static void parse_call_tail(parser *p, ast *n)
{
    if (parse_take_keys(p, KEYWORD_WITHIN, KEYWORD_GROUP)) {
        n->kid[CALL_WITHIN] = parse_parened(p, parse_order);
    }
    if (at_key(p, KEYWORD_FILTER) && token_is_op(peek(p), OP_PAREN_OPEN)) {
        parse_skip(p);
        parse_skip(p);
        parse_need_key(p, KEYWORD_WHERE);
        n->kid[CALL_FILTER] = parse_expr(p);
        parse_need_op(p, OP_PAREN_CLOSE);
    }
    parse_nulls(p, n, 0);
    const token *next = peek(p);
    bool over = at_key(p, KEYWORD_OVER)
                && (token_is_op(next, OP_PAREN_OPEN) || token_is_name(next));
    if (over && !p->lost) {
        parse_skip(p);
        n->kid[CALL_OVER] =
            at_op(p, OP_PAREN_OPEN) ? parse_window(p) : parse_name(p);
    }
}

// call -> name ( [arguments] ) [call_tail]
ast *parse_call(parser *p, ast *name)
{
    assert(at_op(p, OP_PAREN_OPEN) && name->kind == AST_COLUMN);
    ast *n = node_from(p, AST_CALL, name);
    n->text = name->text;
    n->form = name->form;
    n->kid[CALL_PATH] = name->kid[COLUMN_PATH];
    parse_skip(p);
    parse_arguments(p, n);
    parse_need_op(p, OP_PAREN_CLOSE);
    if (!p->lost) {
        parse_call_tail(p, n);
    }
    return node_end(p, n);
}
