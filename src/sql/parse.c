/*
 * parse.c - tokens, mistakes and recovery: what all of the grammar stands on.
 *
 * Method      Recursive descent over the array of all tokens, so that any
 *             look-ahead is an index. Operators are read by a loop over
 *             priorities (parse_expr.c).
 *
 * Invariants  (1) Every loop takes a token or stops: a broken text ends.
 *             (2) depth bounds the C stack; height bounds the tree, which
 *                 grows in loops too (1+1+1+...), for those who walk it.
 *
 * Cost        Linear in the tokens.
 */
#include "sql/parse_internal.h"

#include <assert.h>
#include <string.h>

static const uint8_t priorities[DIALECT_COUNT][OPERATOR_COUNT] = {
#define SIGN(constant, text, op, lite, pg, my, bq, ts) \
    [DIALECT_SQLITE][OPERATOR_##constant] = lite,      \
    [DIALECT_POSTGRES][OPERATOR_##constant] = pg,      \
    [DIALECT_MYSQL][OPERATOR_##constant] = my,         \
    [DIALECT_BIGQUERY][OPERATOR_##constant] = bq,      \
    [DIALECT_TSQL][OPERATOR_##constant] = ts,          \
    [DIALECT_SNOWFLAKE][OPERATOR_##constant] = pg,     \
    [DIALECT_DUCKDB][OPERATOR_##constant] = pg,
#define VERB(constant, text, keyword, lite, pg, my, bq, ts) \
    SIGN(constant, text, keyword, lite, pg, my, bq, ts)
#define PREFIX(constant, text, lite, pg, my, bq, ts) \
    SIGN(constant, text, , lite, pg, my, bq, ts)
#define POSTFIX(constant, lite, pg, my, bq, ts) \
    SIGN(constant, , , lite, pg, my, bq, ts)
#include "sql/operator.def"
};

int operator_priority(sql_operator o, dialect d)
{
    assert(o < OPERATOR_COUNT && d < DIALECT_COUNT);
    return priorities[d][o];
}

void list_add(ast_list *list, ast *n)
{
    assert(n && !n->next);
    if (list->last) {
        list->last->next = n;
    } else {
        list->first = n;
    }
    list->last = n;
}

void parse_skip(parser *p)
{
    if (p->at->kind != TOKEN_END) {
        p->at++;
    }
}

bool parse_take_op(parser *p, op o)
{
    assert(o != OP_NONE);
    bool is = !p->lost && at_op(p, o);
    p->at += is;
    return is;
}

bool parse_take_key(parser *p, keyword k)
{
    assert(k != KEYWORD_NONE);
    bool is = !p->lost && at_key(p, k);
    p->at += is;
    return is;
}

bool parse_take_keys(parser *p, keyword k, keyword next)
{
    bool are = !p->lost && at_key(p, k) && token_is_key(peek(p), next);
    p->at += 2 * are;
    return are;
}

bool at_word(const parser *p, const char *text)
{
    return token_is_word(*p->at)
           && str_equal_fold(token_text(p->sql, *p->at), str_from(text));
}

bool parse_take_word(parser *p, const char *text)
{
    bool is = !p->lost && at_word(p, text);
    p->at += is;
    return is;
}

static str found(parser *p)
{
    token t = *p->at;
    str text = token_text(p->sql, t);
    if (t.kind == TOKEN_END) {
        return S("the end of the query");
    }
    if (t.kind == TOKEN_KEYWORD || t.kind == TOKEN_WORD) {
        return keyword_text((keyword)t.id);
    }
    bool quoted = t.kind == TOKEN_NAME || t.kind == TOKEN_OP;
    return quoted ? arena_printf(p->a, "'%.*s'", STR_ARG(text)) : text;
}

static void report(parser *p, str text)
{
    if (!p->lost && p->result->errors.len < PARSE_ERRORS_MAX) {
        *vec_push(p->a, &p->result->errors) =
            (parse_error){p->at->pos, p->at->len, text, false};
    }
    p->lost = true;
}

static void report_depth(parser *p)
{
    bool is_first = !p->lost && p->result->errors.len < PARSE_ERRORS_MAX;
    report(p, S("this is nested too deeply"));
    if (is_first) {
        p->result->errors.ptr[p->result->errors.len - 1].is_depth = true;
    }
}

static ast *error_node(parser *p)
{
    ast *n = node_begin(p, AST_ERROR);
    n->text = S("");
    return n;
}

ast *parse_refuse_pipe(parser *p)
{
    report(p, S("pipe syntax (FROM t |> WHERE ...) is not supported: write the "
                "query with SELECT"));
    return error_node(p);
}

ast *parse_expected(parser *p, const char *what)
{
    if (at_op(p, OP_PIPE)) {
        return parse_refuse_pipe(p);
    }
    if (!p->lost) {
        report(p, p->at->kind == TOKEN_ERROR
                      ? lex_error_text((lex_error)p->at->id)
                      : arena_printf(p->a, "expected %s, found %.*s", what,
                                     STR_ARG(found(p))));
    }
    return error_node(p);
}

enum {
    SHUT_MAX = 1000,  // tokens that are looked at for the end of parentheses
};

// After a mistake in parentheses: goes on after their `)`, if there is one.
static void leave_parentheses(parser *p)
{
    int open = 0;
    const token *t = p->at;
    for (int n = 0; n < SHUT_MAX && t->kind != TOKEN_END; n++, t++) {
        if (token_is_op(t, OP_SEMICOLON)) {
            return;
        }
        if (token_is_op(t, OP_PAREN_CLOSE) && open-- == 0) {
            p->at = t + 1;
            p->lost = false;
            return;
        }
        open += token_is_op(t, OP_PAREN_OPEN);
    }
}

void parse_need_op(parser *p, op o)
{
    if (parse_take_op(p, o)) {
        return;
    }
    if (!p->lost) {
        parse_expected(p, arena_cstr(p->a, arena_printf(p->a, "'%.*s'",
                                                        STR_ARG(op_text(o)))));
    }
    if (o == OP_PAREN_CLOSE) {
        leave_parentheses(p);
    }
}

void parse_need_key(parser *p, keyword k)
{
    if (!p->lost && !parse_take_key(p, k)) {
        parse_expected(p, arena_cstr(p->a, keyword_text(k)));
    }
}

static bool begins_clause(const token *t)
{
    // clang-format off
    static const bool begins[] = {
        [KEYWORD_FROM] = true, [KEYWORD_WHERE] = true, [KEYWORD_GROUP] = true,
        [KEYWORD_HAVING] = true, [KEYWORD_ORDER] = true,
        [KEYWORD_LIMIT] = true, [KEYWORD_UNION] = true,
        [KEYWORD_INTERSECT] = true, [KEYWORD_EXCEPT] = true,
        [KEYWORD_QUALIFY] = true, [KEYWORD_SET] = true,
        [KEYWORD_RETURNING] = true,
    };
    // clang-format on
    keyword k = key_of(t);
    return k < countof(begins) && begins[k];
}

void parse_recover(parser *p, keyword k)
{
    int open = 0;
    while (p->lost && p->at->kind != TOKEN_END) {
        bool shuts = at_op(p, OP_PAREN_CLOSE);
        bool begins = k ? at_key(p, k) : begins_clause(p->at);
        if (open == 0 && (shuts || at_op(p, OP_SEMICOLON) || begins)) {
            break;
        }
        open += at_op(p, OP_PAREN_OPEN) ? 1 : shuts ? -1 : 0;
        p->at++;
    }
    p->lost = false;
}

// Whether a query, or the next clause of one, may begin or end at the token.
static bool may_follow_clause(const parser *p)
{
    // clang-format off
    static const bool follows[] = {
        [KEYWORD_WINDOW] = true, [KEYWORD_OFFSET] = true,
        [KEYWORD_FETCH] = true, [KEYWORD_MINUS] = true, [KEYWORD_FOR] = true,
        [KEYWORD_LOCK] = true, [KEYWORD_INTO] = true, [KEYWORD_WITH] = true,
        [KEYWORD_ON] = true, [KEYWORD_RETURNING] = true, [KEYWORD_AS] = true,
        [KEYWORD_TOP] = true, [KEYWORD_VALUES] = true,
        [KEYWORD_SELECT] = true, [KEYWORD_IGNORE] = true,
        [KEYWORD_SEPARATOR] = true,
    };
    // clang-format on
    keyword k = key_of(p->at);
    return p->at->kind == TOKEN_END || at_op(p, OP_PAREN_CLOSE)
           || at_op(p, OP_SEMICOLON) || at_op(p, OP_COMMA)
           || begins_clause(p->at) || (k < countof(follows) && follows[k])
           || at_word(p, "option") || at_word(p, "respect");
}

bool parse_list_ends(const parser *p)
{
    return p->at->kind == TOKEN_END || at_op(p, OP_PAREN_CLOSE)
           || at_op(p, OP_SEMICOLON)
           || (p->at->kind == TOKEN_KEYWORD && begins_clause(p->at));
}

// one { , one }
static ast *list_of(parser *p, parse_one *one, bool may_trail)
{
    ast_list list = {0};
    do {
        list_add(&list, one(p));
    } while (parse_take_op(p, OP_COMMA) && !(may_trail && parse_list_ends(p)));
    return list.first;
}

ast *parse_trailed_list(parser *p, parse_one *one)
{
    return list_of(p, one,
                   p->dialect == DIALECT_BIGQUERY
                       || p->dialect == DIALECT_SNOWFLAKE
                       || p->dialect == DIALECT_DUCKDB);
}

ast *parse_list(parser *p, parse_one *one)
{
    return list_of(p, one, false);
}

ast *parse_parened(parser *p, parse_one *one)
{
    parse_need_op(p, OP_PAREN_OPEN);
    ast *n = one(p);
    parse_need_op(p, OP_PAREN_CLOSE);
    return n;
}

ast *parse_paren_list(parser *p, parse_one *one)
{
    parse_need_op(p, OP_PAREN_OPEN);
    ast *list = parse_list(p, one);
    parse_need_op(p, OP_PAREN_CLOSE);
    return list;
}

void parse_end_clause(parser *p, const char *what)
{
    if (what && !p->lost && !may_follow_clause(p)) {
        parse_expected(p, what);
    }
    if (p->lost) {
        parse_recover(p, KEYWORD_NONE);
    }
}

ast *parse_clause(parser *p, keyword k, parse_one *one, const char *what)
{
    if (!parse_take_key(p, k)) {
        return NULL;
    }
    ast *n = one(p);
    parse_end_clause(p, what);
    return n;
}

bool parse_enter(parser *p, int *height)
{
    *height = p->height;
    p->height = 0;
    if (++p->depth > PARSE_DEPTH_MAX) {
        report_depth(p);
    }
    return p->depth <= PARSE_DEPTH_MAX;
}

enum {
    NODES_A_LEVEL = 5,  // that a construct may put above its parts
};

void parse_leave(parser *p, int height)
{
    assert(p->depth > 0);
    p->depth--;
    p->height += NODES_A_LEVEL;
    if (p->height < height) {
        p->height = height;
    }
    if (p->height > AST_MAX_HEIGHT - NODES_A_LEVEL) {
        report_depth(p);
    }
}

bool parse_grow(parser *p)
{
    p->height += 2;
    if (p->height > AST_MAX_HEIGHT - NODES_A_LEVEL) {
        report_depth(p);
    }
    return !p->lost;
}

ast *node_begin(parser *p, ast_kind kind)
{
    ast *n = ast_new(p->a, kind);
    n->pos = p->at->pos;
    return n;
}

ast *node_from(parser *p, ast_kind kind, const ast *left)
{
    assert(left);
    ast *n = ast_new(p->a, kind);
    n->pos = left->pos;
    return n;
}

ast *node_around(parser *p, ast_kind kind, int field, ast *left)
{
    ast *n = node_from(p, kind, left);
    n->kid[field] = left;
    return n;
}

ast *node_end(parser *p, ast *n)
{
    if (p->at > p->first) {
        int32_t end = p->at[-1].pos + p->at[-1].len;
        n->len = end > n->pos ? end - n->pos : 0;
    }
    return n;
}

parser parser_begin(arena *a, str sql, dialect d, parse_result *result)
{
    assert(result && d < DIALECT_COUNT);
    return (parser){
        .a = a,
        .sql = sql,
        .priority = priorities[d],
        .result = result,
        .dialect = d,
    };
}

static ast *parse_statement(parser *p)
{
    if (p->reads_others && other_statement_follows(p)) {
        return parse_other_statement(p);
    }
    return dml_follows(p) ? parse_dml(p) : parse_query(p);
}

// statements -> { [statement] ; }
static void parse_statements(parser *p)
{
    ast_list list = {0};
    while (p->at->kind != TOKEN_END) {
        if (parse_take_op(p, OP_SEMICOLON)) {
            continue;
        }
        p->height = 0;
        list_add(&list, parse_statement(p));
        if (p->at->kind != TOKEN_END && !at_op(p, OP_SEMICOLON)) {
            parse_expected(p, "the end of the query");
        }
        while (p->at->kind != TOKEN_END && !at_op(p, OP_SEMICOLON)) {
            p->at++;
        }
        p->lost = false;
    }
    p->result->statements = list.first;
}

// All tokens but the comments, which go into the result.
static token_list read_tokens(parse_result *result,
                              arena *a,
                              str sql,
                              dialect d,
                              arena *scratch)
{
    enum {
        TOKEN_BYTES = 4,  // of text, about
    };
    lexer l = lex_begin(sql, d);
    token_list tokens = {.cap = l.text.len / TOKEN_BYTES + 1};
    tokens.ptr = arena_new(scratch, token, tokens.cap);
    token t;
    do {
        t = lex_next(&l);
        if (t.kind == TOKEN_COMMENT) {
            *vec_push(a, &result->comments) = (parse_comment){t.pos, t.len};
        } else {
            *vec_push(scratch, &tokens) = t;
        }
    } while (t.kind != TOKEN_END);
    return tokens;
}

// No system takes a NUL for a part of a text, wherever it stands: between its
// tokens the lexer says so, inside quotes and comments it reads on.
static void check_nul(parser *p)
{
    const char *nul =
        p->sql.len > 0 ? memchr(p->sql.ptr, '\0', (size_t)p->sql.len) : NULL;
    if (nul && p->result->errors.len == 0) {
        *vec_push(p->a, &p->result->errors) = (parse_error){
            .pos = (int32_t)(nul - p->sql.ptr),
            .len = 1,
            .text = lex_error_text(LEX_STRAY_BYTE),
        };
    }
}

static parse_result parse_text(arena *a,
                               str sql,
                               dialect d,
                               bool reads_others,
                               arena scratch)
{
    parse_result result = {0};
    token_list tokens = read_tokens(&result, a, sql, d, &scratch);
    parser p = parser_begin(a, sql, d, &result);
    assert(tokens.ptr[tokens.len - 1].kind == TOKEN_END);
    p.at = tokens.ptr;
    p.first = tokens.ptr;
    p.reads_others = reads_others;
    parse_statements(&p);
    assert(p.depth == 0 && p.at->kind == TOKEN_END);
    check_nul(&p);
    return result;
}

parse_result parse_sql(arena *a, str sql, dialect d, arena scratch)
{
    return parse_text(a, sql, d, false, scratch);
}

parse_result parse_file(arena *a, str sql, dialect d, arena scratch)
{
    return parse_text(a, sql, d, true, scratch);
}

enum {
    SHOWN_BEFORE = 60,
    SHOWN_MAX = 100,
};

str parse_error_show(arena *a, str file, str sql, parse_error e)
{
    assert(e.pos >= 0 && e.pos <= sql.len && e.len >= 0);
    diag_message m = {diag_locate(file, sql, e.pos), e.text, false};
    str head = diag_format(a, m);
    ptrdiff_t from = e.pos;
    while (from > 0 && e.pos - from < SHOWN_BEFORE
           && sql.ptr[from - 1] != '\n') {
        from--;
    }
    ptrdiff_t to = e.pos;
    while (to < sql.len && to - from < SHOWN_MAX && sql.ptr[to] != '\n') {
        to++;
    }
    buf out = buf_new(a);
    buf_printf(&out, "%.*s\n    %.*s\n    ", STR_ARG(head),
               STR_ARG(str_sub(sql, from, to)));
    for (ptrdiff_t i = from; i < e.pos; i++) {
        buf_char(&out, sql.ptr[i] == '\t' ? '\t' : ' ');
    }
    buf_char(&out, '^');
    ptrdiff_t marked = e.pos + e.len < to ? e.len : to - e.pos;
    buf_repeat(&out, '~', marked > 1 ? marked - 1 : 0);
    buf_char(&out, '\n');
    return buf_str(&out);
}
