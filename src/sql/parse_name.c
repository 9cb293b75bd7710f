/*
 * parse_name.c - names, aliases, types and clauses kept word by word.
 *
 * Method      Which words may be names depends on the place: any word that
 *             the dialect does not reserve is a name where only a name fits;
 *             as an alias without AS it must not begin what may follow.
 */
#include "sql/parse_internal.h"

#include <assert.h>

bool name_follows(const parser *p)
{
    return token_is_name(p->at);
}

bool word_follows(const parser *p)
{
    return name_follows(p) || p->at->kind == TOKEN_KEYWORD;
}

bool query_follows(const parser *p)
{
    return at_key(p, KEYWORD_SELECT)
           || (at_key(p, KEYWORD_VALUES) && token_is_op(peek(p), OP_PAREN_OPEN))
           || (at_key(p, KEYWORD_WITH)
               && (token_is_name(peek(p)) || peek(p)->kind == TOKEN_STRING));
}

// Words that are no alias although not every dialect reserves them.
static bool word_goes_on(keyword k)
{
    // clang-format off
    static const bool goes_on[] = {
        [KEYWORD_CROSS] = true, [KEYWORD_LEFT] = true, [KEYWORD_RIGHT] = true,
        [KEYWORD_FULL] = true, [KEYWORD_INNER] = true, [KEYWORD_OUTER] = true,
        [KEYWORD_NATURAL] = true, [KEYWORD_JOIN] = true,
        [KEYWORD_WINDOW] = true, [KEYWORD_OVER] = true,
        [KEYWORD_FILTER] = true, [KEYWORD_INDEXED] = true,
        [KEYWORD_LIKE] = true, [KEYWORD_GLOB] = true, [KEYWORD_MATCH] = true,
        [KEYWORD_REGEXP] = true, [KEYWORD_RLIKE] = true,
        [KEYWORD_ILIKE] = true, [KEYWORD_OFFSET] = true,
        [KEYWORD_FETCH] = true, [KEYWORD_FOR] = true,
        [KEYWORD_QUALIFY] = true, [KEYWORD_TABLESAMPLE] = true,
        [KEYWORD_LATERAL] = true, [KEYWORD_STRAIGHT_JOIN] = true,
        [KEYWORD_WITH] = true, [KEYWORD_ASOF] = true, [KEYWORD_ANTI] = true,
        [KEYWORD_SEMI] = true, [KEYWORD_ESCAPE] = true, [KEYWORD_ASC] = true,
        [KEYWORD_DESC] = true, [KEYWORD_LIMIT] = true,
        [KEYWORD_USING] = true, [KEYWORD_SEPARATOR] = true,
        [KEYWORD_FROM] = true, [KEYWORD_WHERE] = true, [KEYWORD_ROWS] = true,
        [KEYWORD_RANGE] = true, [KEYWORD_GROUPS] = true,
        [KEYWORD_SET] = true,
    };
    // clang-format on
    return k < countof(goes_on) && goes_on[k];
}

bool pivot_follows(const parser *p)
{
    if (!at_key(p, KEYWORD_PIVOT) && !at_key(p, KEYWORD_UNPIVOT)) {
        return false;
    }
    parser next = *p;
    next.at = peek(p);
    bool nulls = at_word(&next, "include") || at_word(&next, "exclude");
    bool opens = at_op(&next, OP_PAREN_OPEN);
    return (at_key(p, KEYWORD_PIVOT) && opens)
           || (at_key(p, KEYWORD_UNPIVOT) && (opens || nulls));
}

static bool is_join_word(keyword k)
{
    return k == KEYWORD_CROSS || k == KEYWORD_LEFT || k == KEYWORD_RIGHT
           || k == KEYWORD_FULL || k == KEYWORD_INNER || k == KEYWORD_OUTER
           || k == KEYWORD_NATURAL || k == KEYWORD_JOIN;
}

// Words of joins that the system does not have.
static bool is_foreign_join(const parser *p)
{
    bool lacks = p->dialect == DIALECT_POSTGRES || p->dialect == DIALECT_MYSQL
                 || p->dialect == DIALECT_TSQL || p->dialect == DIALECT_BIGQUERY
                 || p->dialect == DIALECT_SNOWFLAKE;
    return lacks && (at_key(p, KEYWORD_SEMI) || at_key(p, KEYWORD_ANTI));
}

// SQLite takes a word for a name where nothing else would do: FROM t desc
// WHERE. So it is one before what may follow an alias.
bool word_falls_back(const parser *p)
{
    const token *next = peek(p);
    keyword k = key_of(next);
    bool ends = next->kind == TOKEN_END || token_is_op(next, OP_COMMA)
                || token_is_op(next, OP_PAREN_CLOSE)
                || token_is_op(next, OP_SEMICOLON);
    bool clause =
        k == KEYWORD_FROM || k == KEYWORD_WHERE || k == KEYWORD_GROUP
        || k == KEYWORD_HAVING || k == KEYWORD_ORDER || k == KEYWORD_LIMIT
        || k == KEYWORD_UNION || k == KEYWORD_INTERSECT || k == KEYWORD_EXCEPT
        || k == KEYWORD_ON || k == KEYWORD_USING || k == KEYWORD_INDEXED
        || k == KEYWORD_NOT || k == KEYWORD_WINDOW;
    return (p->dialect == DIALECT_SQLITE || is_foreign_join(p))
           && !is_join_word(key_of(p->at))
           && (ends || clause || is_join_word(k));
}

bool alias_follows(const parser *p)
{
    if (p->lost) {
        return false;
    }
    if (p->at->kind == TOKEN_WORD) {
        keyword k = (keyword)p->at->id;
        bool minus =
            k == KEYWORD_MINUS && token_is_key(peek(p), KEYWORD_SELECT);
        bool goes_on = word_goes_on(k) && !word_falls_back(p);
        return !goes_on && !minus && !pivot_follows(p);
    }
    return name_follows(p)
           || (p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN);
}

void take_name(parser *p, ast *n)
{
    str typed = token_text(p->sql, *p->at);
    token_kind kind = p->at->kind;
    if (p->at->kind == TOKEN_STRING && p->at->id != STRING_PLAIN) {
        kind = TOKEN_NAME;
        n->form = QUOTE_AS_TYPED;
    }
    if (kind == TOKEN_QUOTED_NAME || kind == TOKEN_STRING_OR_NAME
        || kind == TOKEN_STRING) {
        char quote = typed.ptr[0];
        n->form = quote == '"'    ? QUOTE_DOUBLE
                  : quote == '`'  ? QUOTE_BACK
                  : quote == '['  ? QUOTE_BRACKET
                  : quote == '\'' ? QUOTE_SINGLE
                                  : QUOTE_AS_TYPED;
    }
    // A triple quote does not come back from its content.
    bool triple = p->dialect == DIALECT_BIGQUERY && kind == TOKEN_STRING;
    if (triple) {
        n->form = QUOTE_AS_TYPED;
    }
    n->text = n->form == QUOTE_AS_TYPED
                  ? typed
                  : token_content(p->a, p->sql, *p->at, p->dialect);
    if (at_key(p, KEYWORD_WINDOW) && p->dialect == DIALECT_SQLITE) {
        n->form =
            QUOTE_BRACKET;  // bare, before a word and AS, it is the clause
    }
    parse_skip(p);
}

void take_typed(parser *p, ast *n)
{
    keyword k = key_of(p->at);
    n->text = k == KEYWORD_NONE ? token_text(p->sql, *p->at) : keyword_text(k);
    parse_skip(p);
}

ast *parse_name(parser *p)
{
    if (p->lost
        || (!name_follows(p)
            && !(p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN))) {
        return parse_expected(p, "a name");
    }
    ast *n = node_begin(p, AST_NAME);
    take_name(p, n);
    return node_end(p, n);
}

// names -> ( name { , name } )
ast *parse_names(parser *p)
{
    return parse_paren_list(p, parse_name);
}

static void add_word(parser *p, buf *out, const token *t)
{
    char before = out->len > 0 ? out->ptr[out->len - 1] : '(';
    bool opens = before == '(' || before == '[' || before == '.';
    bool shuts = token_is_op(t, OP_PAREN_CLOSE)
                 || token_is_op(t, OP_BRACKET_CLOSE) || token_is_op(t, OP_COMMA)
                 || token_is_op(t, OP_DOT);
    if (!opens && !shuts) {
        buf_char(out, ' ');
    }
    keyword k = key_of(t);
    buf_add(out, k == KEYWORD_NONE ? token_text(p->sql, *t) : keyword_text(k));
}

ast *parse_n_words(parser *p, int n)
{
    assert(n >= 0);
    ast *words = node_begin(p, AST_WORDS);
    buf out = buf_new(p->a);
    while (n-- > 0 && p->at->kind != TOKEN_END) {
        add_word(p, &out, p->at++);
    }
    words->text = buf_str(&out);
    return node_end(p, words);
}

ast *parse_words(parser *p)
{
    ast *words = node_begin(p, AST_WORDS);
    buf out = buf_new(p->a);
    int open = 0;
    while (p->at->kind != TOKEN_END && p->at->kind != TOKEN_ERROR) {
        bool shuts = at_op(p, OP_PAREN_CLOSE);
        if (open == 0
            && (shuts || at_op(p, OP_SEMICOLON) || at_op(p, OP_COMMA))) {
            break;
        }
        open += at_op(p, OP_PAREN_OPEN) ? 1 : shuts ? -1 : 0;
        add_word(p, &out, p->at++);
    }
    words->text = buf_str(&out);
    if (open > 0) {
        parse_expected(p, "')'");
    }
    return node_end(p, words);
}

// A word or a name, in quotes or not?
static bool token_names(const token *t)
{
    return token_is_name(t) || t->kind == TOKEN_KEYWORD;
}

// field -> [name [:]] type { word [( ... )] }   NOT NULL, OPTIONS(...)
static ast *parse_field(parser *p)
{
    bool is_hive = token_is_op(peek(p), OP_COLON);
    if (!token_names(peek(p)) && !is_hive) {
        return parse_type(p);
    }
    ast *field = node_begin(p, AST_ALIAS);
    take_name(p, field);
    parse_take_op(p, OP_COLON);
    field->kid[ALIAS_EXPR] = parse_type(p);
    node_end(p, field);
    while (!p->lost && token_is_word(*p->at)) {
        parse_skip(p);
        if (at_op(p, OP_PAREN_OPEN)) {
            parse_paren_list(p, parse_expr);
        }
    }
    return field;
}

// STRUCT(x INTEGER), VARCHAR(20), MAP(VARCHAR, INTEGER), VARCHAR2(10 CHAR)
static ast *parse_type_arg(parser *p)
{
    if (word_follows(p) && token_names(peek(p))) {
        return parse_field(p);
    }
    ast *arg = parse_expr(p);
    if (arg->kind == AST_NUMBER && token_is_word(*p->at)) {
        parse_skip(p);
    }
    return arg;
}

// type_args -> ( type | field | number { , ... } ) | < [name] type { , ... } >
static void parse_type_args(parser *p, ast *type)
{
    assert(at_op(p, OP_PAREN_OPEN) || at_op(p, OP_LESS));
    bool angles = at_op(p, OP_LESS);
    parse_skip(p);
    type->kid[TYPE_ARGS] = parse_list(p, angles ? parse_field : parse_type_arg);
    if (angles) {
        type->flags |= AST_FLAG_WORD;
    }
    if (angles && at_op(p, OP_SHIFT_RIGHT)) {
        p->at += p->half;
        p->half = !p->half;
        return;
    }
    parse_need_op(p, angles ? OP_GREATER : OP_PAREN_CLOSE);
}

// A type of SQLite is any names; GENERATED begins what follows one in a table.
static bool type_word_follows(const parser *p)
{
    bool string = p->at->kind == TOKEN_STRING;
    if (p->dialect == DIALECT_SQLITE && (name_follows(p) || string)
        && !at_word(p, "generated")) {
        return true;
    }
    return at_key(p, KEYWORD_PRECISION) || at_key(p, KEYWORD_VARYING)
           || at_word(p, "unsigned") || at_word(p, "signed")
           || at_key(p, KEYWORD_BIGINT) || at_key(p, KEYWORD_INT)
           || at_key(p, KEYWORD_INTEGER)
           || (at_key(p, KEYWORD_CHARACTER)
               && !token_is_key(peek(p), KEYWORD_SET));
}

// How many tokens of `WITH TIME ZONE`, `UNSIGNED ZEROFILL`, `[]` stand here.
static int type_tail(const parser *p)
{
    bool zone = at_key(p, KEYWORD_WITH) || at_key(p, KEYWORD_WITHOUT);
    if (zone && token_is_key(p->at + 1, KEYWORD_TIME)) {
        return 3;
    }
    if (at_op(p, OP_BRACKET_OPEN)) {
        bool sized = p->at[1].kind == TOKEN_NUMBER;
        return token_is_op(p->at + 1 + sized, OP_BRACKET_CLOSE) ? 2 + sized : 0;
    }
    return at_word(p, "unsigned") || at_word(p, "signed")
           || at_word(p, "zerofill") || at_key(p, KEYWORD_ARRAY);
}

// ARRAY<INT64>; after any other type, as in `a::int < 1`, `<` compares.
static bool is_made_of_types(str type)
{
    return str_among_fold(type, "array struct range map");
}

// type_head -> word { word } [ ( args ) | < types > ]
ast *parse_type_head(parser *p)
{
    int height;
    ast *type = node_begin(p, AST_TYPE);
    bool open = parse_enter(p, &height);
    if (p->dialect == DIALECT_SQLITE && at_op(p, OP_PAREN_CLOSE) && !p->lost) {
        type->text = S("");  // CAST(x AS )
        parse_leave(p, height);
        return node_end(p, type);
    }
    bool is = open && (word_follows(p) || type_word_follows(p));
    if (p->lost || !is) {
        parse_leave(p, height);
        return parse_expected(p, "a type");
    }
    buf out = buf_new(p->a);
    do {
        add_word(p, &out, p->at++);
    } while (type_word_follows(p));
    while (at_op(p, OP_DOT) && token_names(peek(p))) {
        add_word(p, &out, p->at++);
        add_word(p, &out, p->at++);
    }
    type->text = buf_str(&out);
    bool has_types = at_op(p, OP_LESS) && is_made_of_types(type->text);
    if (at_op(p, OP_PAREN_OPEN) || has_types) {
        parse_type_args(p, type);
    }
    parse_leave(p, height);
    return node_end(p, type);
}

// type -> type_head { WITH TIME ZONE | UNSIGNED | ARRAY | [ ] }
ast *parse_type(parser *p)
{
    ast *type = parse_type_head(p);
    ast_list after = {0};
    bool interval =
        type->kind == AST_TYPE && str_equal_fold(type->text, S("interval"));
    if (interval && dialect_follows_postgres(p->dialect) && !p->lost
        && unit_tokens(p) > 0) {
        list_add(&after, parse_n_words(p, unit_tokens(p)));
    }
    while (!p->lost && type_tail(p) > 0) {
        list_add(&after, parse_n_words(p, type_tail(p)));
    }
    if (type->kind == AST_TYPE) {
        type->kid[TYPE_AFTER] = after.first;
    }
    return node_end(p, type);
}
