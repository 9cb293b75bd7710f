/*
 * parse_expr.c - operators, by a loop over priorities (Pratt's method).
 *
 * Method      parse_expr_above reads an operand and then, as long as the next
 *             operator binds at least as tightly as asked for, takes it and its
 *             right side. The priorities are those of operator.def, one column
 *             for each dialect; 0 means that the dialect lacks the operator.
 *             The right side is asked for with a priority one higher, so all
 *             operators group to the left.
 *
 * Invariants  (1) The loop takes an operator in each turn.
 *             (2) Each turn makes the tree higher without the C stack growing;
 *                 parse_grow counts these levels (invariant 2 of parse.c).
 *
 * Cost        Linear in the tokens.
 */
#include "sql/parse_internal.h"

#include <assert.h>

static const uint8_t operator_of_op[] = {
#define SIGN(constant, text, op, lite, pg, my, bq, ts) \
    [OP_##op] = OPERATOR_##constant,
#include "sql/operator.def"
};

static const uint8_t operator_of_key[] = {
#define VERB(constant, text, keyword, lite, pg, my, bq, ts) \
    [KEYWORD_##keyword] = OPERATOR_##constant,
#include "sql/operator.def"
};

// The operator that begins with keyword token `t`.
static sql_operator verb_at(const token *t)
{
    return t->id < countof(operator_of_key) ? operator_of_key[t->id]
                                            : OPERATOR_NONE;
}

static bool is_negatable(sql_operator o)
{
    return o == OPERATOR_IN || o == OPERATOR_BETWEEN
           || (o >= OPERATOR_LIKE && o <= OPERATOR_RLIKE);
}

// The operator at the current token, NOT before it included.
static sql_operator operator_at(const parser *p)
{
    const token *t = p->at;
    const token *named = operator_name(p);
    if (named) {
        sql_operator o = named->id < countof(operator_of_op)
                             ? operator_of_op[named->id]
                             : OPERATOR_NONE;
        return o < OPERATOR_CAST ? o : OPERATOR_NONE;
    }
    if (t->kind == TOKEN_OP) {
        return t->id < countof(operator_of_op) ? operator_of_op[t->id]
                                               : OPERATOR_NONE;
    }
    if (t->kind != TOKEN_KEYWORD && t->kind != TOKEN_WORD) {
        return OPERATOR_NONE;
    }
    if (t->id == KEYWORD_NOT) {
        if (token_is_key(t + 1, KEYWORD_NULL)) {
            return OPERATOR_NOTNULL;
        }
        sql_operator o = key_of(t + 1) ? verb_at(t + 1) : OPERATOR_NONE;
        return is_negatable(o) ? o : OPERATOR_NONE;
    }
    sql_operator o = verb_at(t);
    bool whole = o == OPERATOR_AT        ? token_is_key(t + 1, KEYWORD_TIME)
                 : o == OPERATOR_SIMILAR ? token_is_key(t + 1, KEYWORD_TO)
                 : o == OPERATOR_SOUNDS  ? token_is_key(t + 1, KEYWORD_LIKE)
                                         : true;
    return whole ? o : OPERATOR_NONE;
}

static ast *binary(parser *p, sql_operator o, ast *left)
{
    assert(o != OPERATOR_NONE && left);
    ast *n = node_around(p, AST_BINARY, BINARY_LEFT, left);
    n->form = (uint8_t)o;
    return n;
}

// quantified -> (ANY | SOME | ALL) ( query | expr )
static ast *parse_quantified(parser *p)
{
    assert(token_is_op(peek(p), OP_PAREN_OPEN));
    ast *n = node_begin(p, AST_QUANTIFIED);
    n->form = at_key(p, KEYWORD_ANY)    ? QUANTIFIED_FORM_ANY
              : at_key(p, KEYWORD_SOME) ? QUANTIFIED_FORM_SOME
                                        : QUANTIFIED_FORM_ALL;
    parse_skip(p);
    parse_skip(p);
    if (query_follows(p)) {
        n->kid[QUANTIFIED_EXPR] = parse_query(p);
    } else {
        n->kid[QUANTIFIED_EXPR] = parse_exprs(p);
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

static ast *parse_right(parser *p, int priority)
{
    bool word = at_key(p, KEYWORD_ANY) || at_key(p, KEYWORD_SOME)
                || at_key(p, KEYWORD_ALL);
    return word && token_is_op(peek(p), OP_PAREN_OPEN)
               ? parse_quantified(p)
               : parse_expr_above(p, priority + 1);
}

// is -> expr IS [NOT] [DISTINCT FROM] expr
static ast *parse_is(parser *p, ast *left, int priority)
{
    assert(at_key(p, KEYWORD_IS));
    ast *n = binary(p, OPERATOR_IS, left);
    parse_skip(p);
    if (parse_take_key(p, KEYWORD_NOT)) {
        n->flags |= AST_FLAG_NOT;
    }
    if (at_key(p, KEYWORD_DISTINCT)) {
        parse_skip(p);
        parse_need_key(p, KEYWORD_FROM);
        n->form = OPERATOR_IS_DISTINCT;
    }
    int normal = str_among_fold(token_text(p->sql, *p->at), "nfc nfd nfkc nfkd")
                         && dialect_follows_postgres(p->dialect)
                     ? 2
                     : 0;
    if (normal > 0) {
        n->kid[BINARY_RIGHT] = parse_n_words(p, normal);
    } else if (n->form == OPERATOR_IS && at_key(p, KEYWORD_UNKNOWN)) {
        ast *word = node_begin(p, AST_WORD);
        take_typed(p, word);
        n->kid[BINARY_RIGHT] = node_end(p, word);
    } else {
        n->kid[BINARY_RIGHT] = parse_expr_above(p, priority + 1);
    }
    return n;
}

// is_null -> expr ISNULL | expr NOTNULL | expr NOT NULL
static ast *parse_is_null(parser *p, sql_operator o, ast *left)
{
    ast *n = binary(p, OPERATOR_IS, left);
    n->flags = o == OPERATOR_NOTNULL ? AST_FLAG_NOT : 0;
    if (at_key(p, KEYWORD_NOT)) {
        parse_skip(p);
    }
    n->kid[BINARY_RIGHT] = node_begin(p, AST_NULL);
    parse_skip(p);
    node_end(p, n->kid[BINARY_RIGHT]);
    return n;
}

// between -> expr [NOT] BETWEEN [SYMMETRIC] expr AND expr
static ast *parse_between(parser *p, ast *left, int priority)
{
    assert(at_key(p, KEYWORD_BETWEEN));
    ast *n = node_around(p, AST_BETWEEN, BETWEEN_EXPR, left);
    parse_skip(p);
    if (!token_is_key(peek(p), KEYWORD_AND)
        && parse_take_key(p, KEYWORD_SYMMETRIC)) {
        n->flags |= AST_FLAG_SYMMETRIC;
    }
    int above_and = p->priority[OPERATOR_AND] + 1;
    n->kid[BETWEEN_LOW] = parse_expr_above(p, above_and);
    if (!p->lost && !parse_take_key(p, KEYWORD_AND)) {
        parse_expected(p, "AND in BETWEEN");
    }
    n->kid[BETWEEN_HIGH] = parse_expr_above(p, priority + 1);
    return n;
}

// in -> expr [NOT] IN ( query | [expr { , expr }] ) | expr [NOT] IN source
static ast *parse_in(parser *p, ast *left)
{
    assert(at_key(p, KEYWORD_IN));
    ast *n = node_around(p, AST_IN, IN_EXPR, left);
    parse_skip(p);
    if (!at_op(p, OP_PAREN_OPEN)) {
        n->kid[IN_SOURCE] = parse_operand(p);
        return n;
    }
    parse_skip(p);
    if (query_follows(p)) {
        n->kid[IN_SOURCE] = parse_query(p);
    } else if (!at_op(p, OP_PAREN_CLOSE)) {
        n->kid[IN_LIST] = parse_exprs(p);
        ast *only = n->kid[IN_LIST];
        bool more = only->kind == AST_SUBQUERY && !only->next;
        if (more && !p->lost && !at_op(p, OP_PAREN_CLOSE)) {
            ast *query = only->kid[SUBQUERY_QUERY];
            n->kid[IN_LIST] = NULL;
            n->kid[IN_SOURCE] = parse_query_after(p, query);
        }
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return n;
}

// like -> expr [NOT] (LIKE | GLOB | ...) expr [ESCAPE expr]
static ast *parse_like(parser *p, sql_operator o, ast *left, int priority)
{
    ast *n = binary(p, o, left);
    parse_skip(p);
    if (o == OPERATOR_SIMILAR) {
        parse_skip(p);
    }
    n->kid[BINARY_RIGHT] = parse_right(p, priority);
    if (parse_take_key(p, KEYWORD_ESCAPE)) {
        n->kid[BINARY_ESCAPE] = parse_expr_above(p, priority + 1);
    }
    return n;
}

// collate -> expr COLLATE name
static ast *parse_collate(parser *p, ast *left)
{
    assert(at_key(p, KEYWORD_COLLATE));
    ast *n = node_around(p, AST_COLLATE, COLLATE_EXPR, left);
    parse_skip(p);
    bool string = p->at->kind == TOKEN_STRING;
    if (p->lost || (!word_follows(p) && !string)) {
        parse_expected(p, "the name of a collation");
        return n;
    }
    ast_list path = {0};
    while (token_is_op(peek(p), OP_DOT) && token_is_word(peek(p)[1])) {
        ast *name = node_begin(p, AST_NAME);
        take_name(p, name);
        list_add(&path, node_end(p, name));
        parse_skip(p);
    }
    n->kid[COLLATE_PATH] = path.first;
    take_name(p, n);
    return n;
}

// subscript -> expr [ expr ] | expr [ [expr] : [expr] ]
static ast *parse_subscript(parser *p, ast *left)
{
    assert(at_op(p, OP_BRACKET_OPEN));
    ast *n = node_around(p, AST_SUBSCRIPT, SUBSCRIPT_EXPR, left);
    parse_skip(p);
    if (!at_op(p, OP_COLON)) {
        n->kid[SUBSCRIPT_FROM] = parse_expr(p);
    }
    if (parse_take_op(p, OP_COLON)) {
        n->flags |= AST_FLAG_COLON;
        if (!at_op(p, OP_BRACKET_CLOSE)) {
            n->kid[SUBSCRIPT_TO] = parse_expr(p);
        }
    }
    parse_need_op(p, OP_BRACKET_CLOSE);
    return n;
}

// member -> expr . name | expr . * | expr : name
static ast *parse_member(parser *p, ast *left)
{
    assert(at_op(p, OP_DOT) || at_op(p, OP_COLON));
    bool colon = at_op(p, OP_COLON);
    parse_skip(p);
    if (!colon && at_op(p, OP_STAR)) {
        ast *star = node_around(p, AST_STAR, STAR_PATH, left);
        parse_skip(p);
        return star;
    }
    ast *n = node_around(p, AST_MEMBER, MEMBER_EXPR, left);
    n->flags = colon ? AST_FLAG_COLON : 0;
    if (!word_follows(p)) {
        return parse_expected(p, "the name of a field");
    }
    take_name(p, n);
    return n;
}

static ast *parse_colons(parser *p, ast *left)
{
    assert(at_op(p, OP_CAST));
    ast *n = node_around(p, AST_CAST, CAST_EXPR, left);
    n->form = CAST_FORM_COLONS;
    parse_skip(p);
    n->kid[CAST_TYPE] = parse_type(p);
    return n;
}

static ast *parse_special_right(parser *p,
                                sql_operator o,
                                ast *left,
                                int priority)
{
    switch ((int)o) {
    case OPERATOR_IS: return parse_is(p, left, priority);
    case OPERATOR_IN: return parse_in(p, left);
    case OPERATOR_BETWEEN: return parse_between(p, left, priority);
    case OPERATOR_COLLATE: return parse_collate(p, left);
    case OPERATOR_SUBSCRIPT: return parse_subscript(p, left);
    case OPERATOR_CAST: return parse_colons(p, left);
    case OPERATOR_MEMBER:
    case OPERATOR_COLON: return parse_member(p, left);
    default: return parse_like(p, o, left, priority);
    }
}

// The operators whose right side is no plain expression.
static ast *parse_special(parser *p, sql_operator o, ast *left, int priority)
{
    if (o == OPERATOR_ISNULL || o == OPERATOR_NOTNULL) {
        return parse_is_null(p, o, left);
    }
    bool negated = at_key(p, KEYWORD_NOT);
    p->at += negated;
    ast *n = parse_special_right(p, o, left, priority);
    n->flags |= negated ? AST_FLAG_NOT : 0;
    return n;
}

static bool is_special(sql_operator o)
{
    return o == OPERATOR_IS || o == OPERATOR_ISNULL || o == OPERATOR_NOTNULL
           || o == OPERATOR_COLLATE || o >= OPERATOR_CAST || is_negatable(o);
}

static ast *parse_binary(parser *p, sql_operator o, ast *left, int priority)
{
    assert(priority > 0);
    ast *n = binary(p, o, left);
    const token *named = operator_name(p);
    if (named) {
        n->flags |= AST_FLAG_WORD;
        n->text = parse_n_words(p, (int)(named - p->at) + 2)->text;
    } else {
        parse_skip(p);
    }
    if (o == OPERATOR_SOUNDS) {
        parse_need_key(p, KEYWORD_LIKE);
    }
    if (o == OPERATOR_AT) {
        parse_need_key(p, KEYWORD_TIME);
        parse_need_key(p, KEYWORD_ZONE);
    }
    n->kid[BINARY_RIGHT] = parse_right(p, priority);
    return n;
}

static sql_operator prefix_at(const parser *p)
{
    if (p->at->kind != TOKEN_OP) {
        bool binary = at_key(p, KEYWORD_BINARY) && p->dialect == DIALECT_MYSQL
                      && !token_is_op(peek(p), OP_PAREN_OPEN);
        return at_key(p, KEYWORD_NOT) ? OPERATOR_NOT
               : binary               ? OPERATOR_BINARY
                                      : OPERATOR_NONE;
    }
    switch (p->at->id) {
    case OP_MINUS: return OPERATOR_NEGATE;
    case OP_PLUS: return OPERATOR_POSITIVE;
    case OP_TILDE: return OPERATOR_INVERT;
    case OP_BANG: return OPERATOR_BANG;
    case OP_ROOT: return OPERATOR_ROOT;
    case OP_CUBE_ROOT: return OPERATOR_CUBE_ROOT;
    case OP_AT: return OPERATOR_ABSOLUTE;
    case OP_BANG_BANG: return OPERATOR_FACTORIAL;
    default: return OPERATOR_NONE;
    }
}

// prefix -> (NOT | - | + | ~ | ! | ...) expr | operand
static ast *parse_prefix(parser *p)
{
    sql_operator o = prefix_at(p);
    if (o == OPERATOR_NONE) {
        return parse_operand(p);
    }
    ast *n = node_begin(p, AST_UNARY);
    n->form = (uint8_t)o;
    parse_skip(p);
    n->kid[UNARY_EXPR] = parse_expr_above(p, p->priority[o] + 1);
    return node_end(p, n);
}

static int priority_at(const parser *p, sql_operator *o)
{
    *o = operator_at(p);
    int priority = p->priority[*o];
    if (priority > 0 && operator_name(p)) {
        return p->priority[OPERATOR_CONCAT];  // whatever the sign
    }
    if (*o == OPERATOR_COLON && p->dialect == DIALECT_SNOWFLAKE) {
        return token_is_word(*peek(p)) || peek(p)->kind == TOKEN_QUOTED_NAME
                   ? p->priority[OPERATOR_MEMBER]
                   : 0;
    }
    bool foreign = *o == OPERATOR_ILIKE || *o == OPERATOR_RLIKE;
    if (foreign && word_falls_back(p)) {
        return 0;
    }
    bool is_not_null = *o == OPERATOR_NOTNULL && at_key(p, KEYWORD_NOT);
    return is_not_null ? p->priority[OPERATOR_IS] : priority;
}

ast *parse_expr_above(parser *p, int priority)
{
    int height;
    bool deep = !parse_enter(p, &height);
    ast *left = deep ? parse_expected(p, "an expression") : parse_prefix(p);
    while (!p->lost) {
        sql_operator o;
        int here = priority_at(p, &o);
        if (here == 0 || here < priority || !parse_grow(p)) {
            break;
        }
        left = is_special(o) ? parse_special(p, o, left, here)
                             : parse_binary(p, o, left, here);
        node_end(p, left);
    }
    parse_leave(p, height);
    return left;
}

// expr -> prefix { operator prefix }
ast *parse_expr(parser *p)
{
    return parse_expr_above(p, 1);
}

// exprs -> expr { , expr }
ast *parse_exprs(parser *p)
{
    return parse_list(p, parse_expr);
}

ast *parse_exprs_or_none(parser *p)
{
    return p->lost || at_op(p, OP_PAREN_CLOSE) ? NULL : parse_exprs(p);
}
