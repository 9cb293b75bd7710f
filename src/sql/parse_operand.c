/*
 * parse_operand.c - literals, names, CASE, CAST, INTERVAL and parentheses.
 *
 * Method      The kind of the current token decides; for words, what follows
 *             decides too: MATCH ( ... ) AGAINST, INTERVAL '1', DATE '...' are
 *             constructs, all else that is not reserved is a name. A
 *             parenthesis is a query when SELECT, WITH or VALUES follows it.
 *             `((SELECT 1) UNION ...)` shows only after its first operand that
 *             it is a query; the SUBQUERY that was read becomes its left side
 *             then.
 *
 * Cost        Linear in the tokens; against_follows looks ahead to the next
 *             `)`.
 */
#include "sql/parse_internal.h"

#include <assert.h>

static ast *take_leaf(parser *p, ast_kind kind)
{
    ast *n = node_begin(p, kind);
    take_typed(p, n);
    return node_end(p, n);
}

static ast *take_constant(parser *p, ast_kind kind)
{
    ast *n = node_begin(p, kind);
    parse_skip(p);
    return node_end(p, n);
}

// string -> STRING { STRING }; some dialects join adjacent strings
static ast *parse_string(parser *p)
{
    bool glues =
        p->dialect == DIALECT_MYSQL || dialect_follows_postgres(p->dialect);
    if (!glues || peek(p)->kind != TOKEN_STRING) {
        return take_leaf(p, AST_STRING);
    }
    const token *first = p->at;
    ast *n = node_begin(p, AST_STRING);
    do {
        parse_skip(p);
    } while (p->at->kind == TOKEN_STRING);
    node_end(p, n);
    n->text = str_sub(p->sql, first->pos, first->pos + n->len);
    return n;
}

// case -> CASE [expr] { WHEN expr THEN expr } [ELSE expr] END
static ast *parse_case(parser *p)
{
    assert(at_key(p, KEYWORD_CASE));
    ast *n = node_begin(p, AST_CASE);
    parse_skip(p);
    if (!at_key(p, KEYWORD_WHEN)) {
        n->kid[CASE_EXPR] = parse_expr(p);
    }
    ast_list whens = {0};
    do {
        ast *when = node_begin(p, AST_WHEN);
        parse_need_key(p, KEYWORD_WHEN);
        when->kid[WHEN_IF] = parse_expr(p);
        parse_need_key(p, KEYWORD_THEN);
        when->kid[WHEN_THEN] = parse_expr(p);
        list_add(&whens, node_end(p, when));
    } while (!p->lost && at_key(p, KEYWORD_WHEN));
    n->kid[CASE_WHENS] = whens.first;
    if (parse_take_key(p, KEYWORD_ELSE)) {
        n->kid[CASE_ELSE] = parse_expr(p);
    }
    if (!p->lost && !parse_take_key(p, KEYWORD_END)) {
        parse_expected(p, "END of CASE");
    }
    return node_end(p, n);
}

// cast -> (CAST | TRY_CAST | SAFE_CAST) ( expr AS type [FORMAT expr] )
static ast *parse_cast(parser *p, int form)
{
    assert(form >= 0);
    ast *n = node_begin(p, AST_CAST);
    n->form = (uint8_t)form;
    parse_skip(p);
    parse_skip(p);
    n->kid[CAST_EXPR] = parse_expr(p);
    if (!p->lost && !parse_take_key(p, KEYWORD_AS)) {
        parse_expected(p, "AS in CAST");
    }
    n->kid[CAST_TYPE] = parse_cast_type(p);
    if (parse_take_word(p, "format")) {
        n->kid[CAST_FORMAT] = parse_expr(p);
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

static int cast_form(const parser *p)
{
    if (!token_is_op(peek(p), OP_PAREN_OPEN)) {
        return -1;
    }
    return at_key(p, KEYWORD_CAST)       ? CAST_FORM_CAST
           : at_key(p, KEYWORD_TRY_CAST) ? CAST_FORM_TRY
           : at_word(p, "safe_cast")     ? CAST_FORM_SAFE
                                         : -1;
}

// INTERVAL(x, 1, 2) of MySQL is a function: no unit stands behind its `)`.
static bool interval_is_call(const parser *p)
{
    const token *t = peek(p);
    if (p->dialect != DIALECT_MYSQL || !token_is_op(t, OP_PAREN_OPEN)) {
        return false;
    }
    int open = 0;
    bool comma = false;
    for (; t->kind != TOKEN_END; t++) {
        open += token_is_op(t, OP_PAREN_OPEN)    ? 1
                : token_is_op(t, OP_PAREN_CLOSE) ? -1
                                                 : 0;
        comma |= open == 1 && token_is_op(t, OP_COMMA);
        if (open == 0) {
            break;
        }
    }
    return comma;
}

static bool interval_follows(const parser *p)
{
    const token *next = peek(p);
    if (interval_is_call(p)) {
        return false;
    }
    if (next->kind == TOKEN_STRING || next->kind == TOKEN_NUMBER) {
        return true;
    }
    bool signs =
        token_is_op(next, OP_MINUS) || token_is_op(next, OP_PAREN_OPEN);
    bool names = next->kind == TOKEN_NAME || next->kind == TOKEN_PARAMETER
                 || next->kind == TOKEN_QUOTED_NAME;
    return p->at->kind == TOKEN_KEYWORD && (signs || names);
}

static bool unit_follows(const parser *p)
{
    static const char *const units[] = {
        "year",
        "years",
        "month",
        "months",
        "week",
        "weeks",
        "day",
        "days",
        "hour",
        "hours",
        "minute",
        "minutes",
        "second",
        "seconds",
        "quarter",
        "quarters",
        "microsecond",
        "millisecond",
        "day_hour",
        "day_minute",
        "day_second",
        "hour_minute",
        "hour_second",
        "minute_second",
        "year_month",
        "day_microsecond",
        "hour_microsecond",
        "minute_microsecond",
        "second_microsecond",
    };
    if (!token_is_word(*p->at)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        if (at_word(p, units[i])) {
            return true;
        }
    }
    return false;
}

static int word_with_size(const token *t)
{
    bool sized = token_is_op(t + 1, OP_PAREN_OPEN) && t[2].kind == TOKEN_NUMBER
                 && token_is_op(t + 3, OP_PAREN_CLOSE);
    return sized ? 4 : 1;
}

int unit_tokens(const parser *p)
{
    if (!unit_follows(p)) {
        return 0;
    }
    const token *t = p->at;
    int n = word_with_size(t);
    if (token_is_key(t + n, KEYWORD_TO) && token_is_word(t[n + 1])) {
        n += 1 + word_with_size(t + n + 1);
    }
    return n;
}

// interval -> INTERVAL (string | expr) [unit [( n )] [TO unit]]
static ast *parse_interval(parser *p)
{
    assert(at_key(p, KEYWORD_INTERVAL));
    ast *n = node_begin(p, AST_INTERVAL);
    bool reserved = p->at->kind == TOKEN_KEYWORD;
    parse_skip(p);
    bool string = p->at->kind == TOKEN_STRING;
    n->kid[INTERVAL_VALUE] =
        string || !reserved ? parse_operand(p)
                            : parse_expr_above(p, p->priority[OPERATOR_ADD]);
    if (!p->lost && unit_tokens(p) > 0) {
        n->text = parse_n_words(p, unit_tokens(p))->text;
    } else if (!p->lost && !string) {
        parse_expected(p, "a unit of time");
    }
    return node_end(p, n);
}

// typed -> (DATE | TIME | TIMESTAMP | DATETIME | ...) string
static ast *parse_typed(parser *p)
{
    ast *n = node_begin(p, AST_TYPED);
    int words = typed_words(p);
    if (words > 0) {
        n->text = parse_n_words(p, words)->text;
    } else {
        take_typed(p, n);
    }
    n->kid[TYPED_VALUE] = parse_operand(p);
    return node_end(p, n);
}

// The character set of a literal of MySQL: _utf8mb4 'x', _latin1 0x41.
static bool introduces_string(const parser *p)
{
    static const char sets[] =
        "_ascii _big5 _binary _cp1250 _cp1251 _cp1252 _cp1256 _cp1257 _cp850 "
        "_cp852 _cp866 _cp932 _eucjpms _euckr _gb18030 _gb2312 _gbk _geostd8 "
        "_greek _hebrew _koi8r _koi8u _latin1 _latin2 _latin5 _latin7 _sjis "
        "_swe7 _tis620 _ucs2 _ujis _utf16 _utf16le _utf32 _utf8 _utf8mb3 "
        "_utf8mb4";
    token_kind next = peek(p)->kind;
    return p->dialect == DIALECT_MYSQL && p->at->kind == TOKEN_NAME
           && (next == TOKEN_STRING || next == TOKEN_NUMBER)
           && str_among_fold(token_text(p->sql, *p->at), sets);
}

static bool typed_follows(const parser *p)
{
    if (typed_words(p) > 0) {
        return true;
    }
    if (introduces_string(p)) {
        return true;
    }
    if (peek(p)->kind != TOKEN_STRING || p->dialect == DIALECT_SQLITE) {
        return false;
    }
    if (dialect_follows_postgres(p->dialect) && p->at->kind == TOKEN_NAME
        && peek(p)->id == STRING_PLAIN) {
        return true;  // any type: inet '10.0.0.1'
    }
    bool word = at_key(p, KEYWORD_DATE) || at_key(p, KEYWORD_TIME)
                || at_key(p, KEYWORD_TIMESTAMP) || at_key(p, KEYWORD_DATETIME)
                || at_key(p, KEYWORD_NUMERIC) || at_key(p, KEYWORD_FLOAT);
    return word || at_word(p, "json") || at_word(p, "timestamptz")
           || at_word(p, "bignumeric") || at_word(p, "bool");
}

ast *parse_subquery(parser *p)
{
    ast *n = node_begin(p, AST_SUBQUERY);
    n->kid[SUBQUERY_QUERY] = parse_parened(p, parse_query);
    return node_end(p, n);
}

static bool goes_on_as_query(const parser *p)
{
    return at_key(p, KEYWORD_UNION) || at_key(p, KEYWORD_INTERSECT)
           || at_key(p, KEYWORD_EXCEPT) || at_key(p, KEYWORD_MINUS)
           || at_key(p, KEYWORD_ORDER) || at_key(p, KEYWORD_LIMIT);
}

// parens -> ( query ) | ( expr ) | ( [expr { , expr }] )
static ast *parse_parens(parser *p)
{
    assert(at_op(p, OP_PAREN_OPEN));
    const token *open = p->at;
    parse_skip(p);
    if (query_follows(p)) {
        p->at = open;
        return parse_subquery(p);
    }
    ast *row = ast_new(p->a, AST_ROW);
    row->pos = open->pos;
    if (parse_take_op(p, OP_PAREN_CLOSE)) {
        return node_end(p, row);
    }
    ast *first = parse_expr(p);
    if (first->kind == AST_SUBQUERY && !p->lost && goes_on_as_query(p)) {
        ast **query = &first->kid[SUBQUERY_QUERY];
        *query = parse_query_after(p, *query);
        first->pos = open->pos;
        parse_need_op(p, OP_PAREN_CLOSE);
        return node_end(p, first);
    }
    row->kid[ROW_ITEMS] = first;
    if (parse_take_op(p, OP_COMMA)) {
        first->next = parse_exprs(p);
    }
    bool is_row = first->next;
    parse_need_op(p, OP_PAREN_CLOSE);
    return is_row ? node_end(p, row) : first;
}

// row -> ROW ( [expr { , expr }] )
static ast *parse_row(parser *p)
{
    assert(at_key(p, KEYWORD_ROW));
    ast *row = node_begin(p, AST_ROW);
    row->flags = AST_FLAG_WORD;
    parse_skip(p);
    row->kid[ROW_ITEMS] = parse_parened(p, parse_exprs_or_none);
    return node_end(p, row);
}

// array -> [ARRAY [< type >]] [ [expr { , expr }] ]
static ast *parse_array(parser *p)
{
    ast *n = node_begin(p, AST_ARRAY);
    if (at_key(p, KEYWORD_ARRAY)) {
        n->flags = AST_FLAG_WORD;
        if (token_is_op(peek(p), OP_LESS)) {
            n->kid[ARRAY_TYPE] = parse_type_head(p);
        } else {
            parse_skip(p);
        }
    }
    parse_need_op(p, OP_BRACKET_OPEN);
    if (!at_op(p, OP_BRACKET_CLOSE) && !p->lost) {
        n->kid[ARRAY_ITEMS] = parse_exprs(p);
    }
    parse_need_op(p, OP_BRACKET_CLOSE);
    return node_end(p, n);
}

// exists -> EXISTS ( query )
static ast *parse_exists(parser *p)
{
    assert(at_key(p, KEYWORD_EXISTS));
    ast *n = node_begin(p, AST_EXISTS);
    parse_skip(p);
    n->kid[EXISTS_QUERY] = parse_parened(p, parse_query);
    return node_end(p, n);
}

// replaced -> expr AS name
static ast *parse_replaced(parser *p)
{
    ast *item = node_begin(p, AST_ALIAS);
    item->kid[ALIAS_EXPR] = parse_expr(p);
    parse_need_key(p, KEYWORD_AS);
    if (!p->lost && word_follows(p)) {
        take_name(p, item);
    } else {
        parse_expected(p, "a name");
    }
    return node_end(p, item);
}

// star_changes -> [EXCEPT ( names )] [REPLACE ( expr AS name, ... )]
static void parse_star_changes(parser *p, ast *star)
{
    bool except = at_key(p, KEYWORD_EXCEPT) || at_key(p, KEYWORD_EXCLUDE);
    const token *next = peek(p);
    bool names = token_is_op(next, OP_PAREN_OPEN)
                 && (next[1].kind == TOKEN_NAME || next[1].kind == TOKEN_WORD
                     || next[1].kind == TOKEN_QUOTED_NAME);
    if (except && names) {
        parse_skip(p);
        star->kid[STAR_EXCEPT] = parse_names(p);
    }
    if (at_key(p, KEYWORD_REPLACE) && token_is_op(peek(p), OP_PAREN_OPEN)) {
        parse_skip(p);
        star->kid[STAR_REPLACE] = parse_paren_list(p, parse_replaced);
    }
}

// star -> * | name . *
static ast *parse_star(parser *p, ast *star)
{
    assert(at_op(p, OP_STAR) && star->kind == AST_STAR);
    parse_skip(p);
    parse_star_changes(p, star);
    return node_end(p, star);
}

// The name as one more of the path before a dot.
static ast *path_name(parser *p, const ast *n)
{
    ast *name = ast_new(p->a, AST_NAME);
    name->form = n->form;
    name->text = n->text;
    name->pos = n->pos;
    return name;
}

// column -> name { . name } | name { . name } . *
static ast *parse_column(parser *p)
{
    bool doubt = p->at->kind == TOKEN_STRING_OR_NAME;
    bool with = at_key(p, KEYWORD_WITH);
    ast *n = node_begin(p, AST_COLUMN);
    take_name(p, n);
    if (with) {
        n->form = QUOTE_BRACKET;  // SQLite; after a `(` it would be a clause
    }
    ast_list path = {0};
    while (at_op(p, OP_DOT)) {
        ast *name = path_name(p, n);
        name->pos = p->at[-1].pos;
        name->len = p->at[-1].len;
        list_add(&path, name);
        parse_skip(p);
        if (at_op(p, OP_STAR)) {
            ast *star = node_from(p, AST_STAR, n);
            star->kid[STAR_PATH] = path.first;
            return parse_star(p, star);
        }
        bool string = p->at->kind == TOKEN_STRING;
        if (!word_follows(p) && !string) {
            return parse_expected(p, "the name of a column");
        }
        n->form = QUOTE_NONE;
        take_name(p, n);
    }
    n->kid[COLUMN_PATH] = path.first;
    if (at_op(p, OP_PAREN_OPEN)) {
        return parse_call(p, n);
    }
    if (doubt && !path.first) {
        n->kind = AST_DOUBT;
    }
    return node_end(p, n);
}

// Whether `MATCH ( columns ) AGAINST` stands here.
static bool against_follows(const parser *p)
{
    const token *t = p->at + 1;
    if (token_is_op(t, OP_PAREN_OPEN)) {
        while (t->kind != TOKEN_END && !token_is_op(t, OP_PAREN_CLOSE)) {
            t++;
        }
    } else if (!token_is_name(t)) {
        return false;
    }
    while (token_is_op(t + (t->kind != TOKEN_END), OP_DOT)
           || token_is_op(t + (t->kind != TOKEN_END), OP_COMMA)) {
        t += 2;
    }
    parser after = *p;
    after.at = t->kind == TOKEN_END ? t : t + 1;
    return at_word(&after, "against")
           && token_is_op(peek(&after), OP_PAREN_OPEN);
}

// against -> MATCH (( columns ) | columns) AGAINST ( expr [words] )
static ast *parse_against(parser *p)
{
    assert(against_follows(p));
    ast *n = node_begin(p, AST_AGAINST);
    parse_skip(p);
    bool parens = parse_take_op(p, OP_PAREN_OPEN);
    n->kid[AGAINST_COLUMNS] = parse_exprs(p);
    if (parens) {
        parse_need_op(p, OP_PAREN_CLOSE);
    }
    parse_skip(p);
    parse_need_op(p, OP_PAREN_OPEN);
    n->kid[AGAINST_EXPR] = parse_expr_above(p, p->priority[OPERATOR_IN] + 1);
    n->text =
        p->lost || at_op(p, OP_PAREN_CLOSE) ? S("") : parse_words(p)->text;
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

static bool moment_follows(const parser *p)
{
    const token *next = peek(p);
    if (token_is_op(next, OP_PAREN_OPEN) || token_is_op(next, OP_DOT)) {
        return false;
    }
    return at_key(p, KEYWORD_CURRENT_DATE) || at_key(p, KEYWORD_CURRENT_TIME)
           || at_key(p, KEYWORD_CURRENT_TIMESTAMP)
           || at_key(p, KEYWORD_CURRENT_USER) || at_key(p, KEYWORD_LOCALTIME)
           || at_key(p, KEYWORD_LOCALTIMESTAMP)
           || at_key(p, KEYWORD_SESSION_USER);
}

static ast *parse_bool(parser *p)
{
    bool path =
        token_is_op(peek(p), OP_DOT) || token_is_op(peek(p), OP_PAREN_OPEN);
    if (path) {
        return parse_column(p);
    }
    return take_constant(p, at_key(p, KEYWORD_TRUE) ? AST_TRUE : AST_FALSE);
}

static bool is_structure(keyword k)
{
    return k == KEYWORD_SELECT || k == KEYWORD_FROM || k == KEYWORD_WHERE
           || k == KEYWORD_GROUP || k == KEYWORD_ORDER || k == KEYWORD_HAVING
           || k == KEYWORD_ON || k == KEYWORD_AS || k == KEYWORD_AND
           || k == KEYWORD_OR || k == KEYWORD_IN || k == KEYWORD_WHEN
           || k == KEYWORD_THEN || k == KEYWORD_ELSE || k == KEYWORD_UNION
           || k == KEYWORD_INTERSECT || k == KEYWORD_EXCEPT
           || k == KEYWORD_USING || k == KEYWORD_LIMIT || k == KEYWORD_JOIN
           || k == KEYWORD_IS || k == KEYWORD_LIKE || k == KEYWORD_BETWEEN
           || k == KEYWORD_DISTINCT || k == KEYWORD_BY || k == KEYWORD_WITH
           || k == KEYWORD_END;
}

// A keyword or word: a construct of its own, else a name.
static ast *parse_word(parser *p)
{
    const token *next = peek(p);
    bool opens = token_is_op(next, OP_PAREN_OPEN);
    bool bracket = token_is_op(next, OP_BRACKET_OPEN);
    keyword k = (keyword)p->at->id;
    if (k == KEYWORD_CASE && p->at->kind == TOKEN_KEYWORD) {
        return parse_case(p);
    }
    if (k == KEYWORD_NULL) {
        return take_constant(p, AST_NULL);
    }
    if (k == KEYWORD_TRUE || k == KEYWORD_FALSE) {
        return parse_bool(p);
    }
    if (k == KEYWORD_EXISTS && opens) {
        return parse_exists(p);
    }
    if (k == KEYWORD_INTERVAL && interval_follows(p)) {
        return parse_interval(p);
    }
    if (k == KEYWORD_MATCH && against_follows(p)) {
        return parse_against(p);
    }
    if (k == KEYWORD_ROW && opens) {
        return parse_row(p);
    }
    if (k == KEYWORD_ARRAY && (bracket || token_is_op(next, OP_LESS))) {
        return parse_array(p);
    }
    if (moment_follows(p)
        || (k == KEYWORD_DEFAULT && p->at->kind == TOKEN_KEYWORD && !opens)) {
        return take_leaf(p, AST_WORD);
    }
    bool call = opens && !is_structure(k);
    if (p->at->kind == TOKEN_WORD || call) {
        return parse_column(p);
    }
    bool path = token_is_op(next, OP_DOT) && !is_structure(k);
    // Reserved here, a name in another dialect.
    bool name =
        k == KEYWORD_BOTH || k == KEYWORD_LEADING || k == KEYWORD_TRAILING;
    return path || name ? parse_column(p)
                        : parse_expected(p, "a column or an expression");
}

// operand -> literal | column | call | case | cast | ( ... ) | ...
ast *parse_operand(parser *p)
{
    if (p->lost) {
        return parse_expected(p, "");
    }
    switch (p->at->kind) {
    case TOKEN_NUMBER: return take_leaf(p, AST_NUMBER);
    case TOKEN_PARAMETER: return take_leaf(p, AST_PARAMETER);
    case TOKEN_STRING: {
        bool name = token_is_op(peek(p), OP_DOT)
                    || (token_is_op(peek(p), OP_PAREN_OPEN)
                        && p->dialect == DIALECT_SQLITE);
        return name ? parse_column(p) : parse_string(p);
    }
    case TOKEN_STRING_OR_NAME:
    case TOKEN_QUOTED_NAME: return parse_column(p);
    case TOKEN_NAME:
    case TOKEN_WORD:
    case TOKEN_KEYWORD: {
        int form = cast_form(p);
        if (form >= 0) {
            return parse_cast(p, form);
        }
        if (convert_follows(p)) {
            return parse_convert(p);
        }
        if (collation_follows(p)) {
            return parse_collation_for(p);
        }
        if (typed_follows(p)) {
            return parse_typed(p);
        }
        return p->at->kind == TOKEN_NAME ? parse_column(p) : parse_word(p);
    }
    case TOKEN_OP:
        if (p->at->id == OP_PAREN_OPEN) {
            return parse_parens(p);
        }
        if (p->at->id == OP_STAR) {
            return parse_star(p, node_begin(p, AST_STAR));
        }
        if (p->at->id == OP_BRACKET_OPEN) {
            return parse_array(p);
        }
        if (brace_follows(p)) {
            return parse_brace(p);
        }
        break;
    case TOKEN_END:
    case TOKEN_COMMENT:
    case TOKEN_ERROR: break;
    }
    return parse_expected(p, "a column or an expression");
}
