/*
 * parse_special.c - constructs that one system has and others lack: CONVERT,
 * {d '...'}, JSON_TABLE and modifiers of MySQL, words between the arguments of
 * SQL/XML, literals of types of several words, SEARCH and CYCLE.
 *
 * Method      What is asked before anything is taken looks at tokens alone.
 *             What is kept word by word holds no expression: only words,
 *             literals and the sizes of types pass, so that nobody has to look
 *             for functions in it.
 */
#include "sql/parse_internal.h"

#include <assert.h>

// How many tokens of a character set of MySQL stand here.
static int charset_tokens(const parser *p)
{
    bool set =
        at_key(p, KEYWORD_CHARACTER) && token_is_key(peek(p), KEYWORD_SET);
    bool named = set || at_word(p, "charset");
    bool alone = at_word(p, "ascii") || at_word(p, "unicode")
                 || at_word(p, "byte") || at_key(p, KEYWORD_BINARY);
    return p->dialect != DIALECT_MYSQL ? 0 : named ? 2 + set : alone;
}

// cast_type -> type [CHARACTER SET name]
ast *parse_cast_type(parser *p)
{
    ast *type = parse_type(p);
    if (type->kind != AST_TYPE) {
        return type;
    }
    ast **end = &type->kid[TYPE_AFTER];
    while (!p->lost && charset_tokens(p) > 0) {
        while (*end) {
            end = &(*end)->next;
        }
        *end = parse_n_words(p, charset_tokens(p));
    }
    return node_end(p, type);
}

bool convert_follows(const parser *p)
{
    return (p->dialect == DIALECT_MYSQL || p->dialect == DIALECT_TSQL)
           && at_word(p, "convert") && token_is_op(peek(p), OP_PAREN_OPEN);
}

// convert -> CONVERT ( expr , type ) | CONVERT ( expr USING name )
//            | CONVERT ( type , expr [, style] ), of T-SQL
ast *parse_convert(parser *p)
{
    assert(convert_follows(p));
    const token *start = p->at;
    ast *n = node_begin(p, AST_CAST);
    n->form = CAST_FORM_CONVERT;
    parse_skip(p);
    parse_skip(p);
    bool begins = p->dialect == DIALECT_TSQL;  // with its type
    n->kid[begins ? CAST_TYPE : CAST_EXPR] =
        begins ? parse_cast_type(p) : parse_expr(p);
    if (!begins && !p->lost && at_key(p, KEYWORD_USING)) {
        p->at = start;
        ast *name = node_begin(p, AST_COLUMN);
        take_name(p, name);
        return parse_call(p, name);
    }
    parse_need_op(p, OP_COMMA);
    n->kid[begins ? CAST_EXPR : CAST_TYPE] =
        begins ? parse_expr(p) : parse_cast_type(p);
    bool has_style = begins && parse_take_op(p, OP_COMMA);
    n->kid[CAST_FORMAT] = has_style ? parse_expr(p) : NULL;
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

bool collation_follows(const parser *p)
{
    return p->dialect == DIALECT_POSTGRES && at_word(p, "collation")
           && token_is_key(peek(p), KEYWORD_FOR)
           && token_is_op(p->at + 2, OP_PAREN_OPEN);
}

// collation -> COLLATION FOR ( expr )
ast *parse_collation_for(parser *p)
{
    assert(collation_follows(p));
    ast *n = node_begin(p, AST_CALL);
    n->text = S("COLLATION FOR");
    p->at += 2;
    n->kid[CALL_ARGS] = parse_parened(p, parse_expr);
    return node_end(p, n);
}

bool brace_follows(const parser *p)
{
    return p->dialect == DIALECT_MYSQL && at_op(p, OP_BRACE_OPEN)
           && token_is_word(*peek(p));
}

// brace -> { (d | t | ts) string } | { fn expr }
ast *parse_brace(parser *p)
{
    assert(brace_follows(p));
    ast *n = node_begin(p, AST_TYPED);
    n->flags = AST_FLAG_WORD;
    parse_skip(p);
    take_typed(p, n);
    n->kid[TYPED_VALUE] = parse_operand(p);
    parse_need_op(p, OP_BRACE_CLOSE);
    return node_end(p, n);
}

// How many tokens `( number )` has here, or none.
static int size_tokens(const token *t)
{
    bool is = token_is_op(t, OP_PAREN_OPEN) && t[1].kind == TOKEN_NUMBER
              && token_is_op(t + 2, OP_PAREN_CLOSE);
    return is ? 3 : 0;
}

static bool is_text(const parser *p, const token *t, const char *word)
{
    return token_is_word(*t)
           && str_equal_fold(token_text(p->sql, *t), str_from(word));
}

// Does a time zone follow: WITH TIME ZONE?
static int zone_tokens(const token *t)
{
    bool is =
        (token_is_key(t, KEYWORD_WITH) || token_is_key(t, KEYWORD_WITHOUT))
        && token_is_key(t + 1, KEYWORD_TIME);
    return is ? 3 : 0;
}

int typed_words(const parser *p)
{
    const token *t = p->at;
    if (!dialect_follows_postgres(p->dialect) || !token_is_word(*t)) {
        return 0;
    }
    bool is_time =
        token_is_key(t, KEYWORD_TIMESTAMP) || token_is_key(t, KEYWORD_TIME);
    if (token_is_op(t + 1, OP_DOT) && token_is_word(t[2])
        && p->dialect == DIALECT_POSTGRES) {
        t += 3;
    } else if (is_time) {
        t++;
        t += size_tokens(t);
        t += zone_tokens(t);
    } else if (is_text(p, t, "double") && is_text(p, t + 1, "precision")) {
        t += 2;
    } else if (is_text(p, t, "interval")) {
        t++;
        t += size_tokens(t);
    } else {
        t += is_text(p, t, "national");
        t++;
        t += token_is_key(t, KEYWORD_VARYING);
        t += size_tokens(t);
    }
    bool literal = t->kind == TOKEN_STRING && t->id == STRING_PLAIN;
    return literal && t > p->at + 1 ? (int)(t - p->at) : 0;
}

// How many words of SQL/XML stand before an argument or after one, and whether
// an expression follows them.
static int xml_words(const parser *p, bool *takes)
{
    const token *t = p->at;
    bool label = token_is_word(t[1]) || t[1].kind == TOKEN_QUOTED_NAME;
    *takes = false;
    if (at_word(p, "name")) {
        return label ? 2 : 0;
    }
    if (at_word(p, "preserve") || at_word(p, "strip")) {
        return is_text(p, t + 1, "whitespace") ? 2 : 0;
    }
    bool no_value = is_text(p, t + 1, "no") && is_text(p, t + 2, "value");
    if (at_word(p, "standalone")) {
        return no_value ? 3 : label ? 2 : 0;
    }
    if (at_word(p, "version") && no_value) {
        return 3;
    }
    *takes = true;
    return at_word(p, "version") || at_word(p, "document")
           || at_word(p, "content");
}

static bool is_end(const token *t)
{
    return token_is_op(t, OP_COMMA) || token_is_op(t, OP_PAREN_CLOSE)
           || token_is_op(t, OP_DOT) || token_is_op(t, OP_PAREN_OPEN)
           || t->kind == TOKEN_END;
}

ast *parse_special_tag(parser *p, const ast *call)
{
    bool takes = true;
    bool xml = str_starts_fold(call->text, S("xml"))
               && !str_among_fold(call->text, "XMLFOREST XMLATTRIBUTES");
    int n =
        is_end(peek(p)) ? 0
        : xml           ? xml_words(p, &takes)
              : dialect_follows_postgres(p->dialect) && at_word(p, "variadic");
    if (p->lost || n == 0) {
        return NULL;
    }
    ast *tag = node_begin(p, AST_TAGGED);
    tag->text = parse_n_words(p, n)->text;
    tag->kid[TAGGED_EXPR] = takes ? parse_expr(p) : NULL;
    return node_end(p, tag);
}

// The tokens of `COLUMNS ( ... )`, 0 when one of them may begin an expression.
static int columns_tokens(const parser *p)
{
    const token *t = p->at + 1;
    int open = 0;
    do {
        bool opens = token_is_op(t, OP_PAREN_OPEN);
        bool sizes = opens && t[1].kind == TOKEN_NUMBER;
        bool nests = opens && is_text(p, t - 1, "columns");
        bool plain = token_is_word(*t) || t->kind == TOKEN_STRING
                     || t->kind == TOKEN_NUMBER || t->kind == TOKEN_QUOTED_NAME
                     || token_is_op(t, OP_COMMA)
                     || token_is_op(t, OP_PAREN_CLOSE);
        if (!plain && !sizes && !nests) {
            return 0;
        }
        open += opens ? 1 : token_is_op(t, OP_PAREN_CLOSE) ? -1 : 0;
        t++;
    } while (open > 0);
    return (int)(t - p->at);
}

// columns -> COLUMNS ( words ), of JSON_TABLE
ast *parse_table_columns(parser *p)
{
    bool follows = at_word(p, "columns") && token_is_op(peek(p), OP_PAREN_OPEN);
    int n = p->lost || !follows ? 0 : columns_tokens(p);
    if (n == 0) {
        return NULL;
    }
    ast *tag = node_begin(p, AST_TAGGED);
    tag->flags = AST_FLAG_WORD;
    tag->text = parse_n_words(p, n)->text;
    return node_end(p, tag);
}

// operator_name -> OPERATOR ( [name .] sign )
const token *operator_name(const parser *p)
{
    const token *t = p->at;
    if (!dialect_follows_postgres(p->dialect) || !at_word(p, "operator")
        || !token_is_op(t + 1, OP_PAREN_OPEN)) {
        return NULL;
    }
    t += 2;
    if (is_text(p, t, "pg_catalog") && token_is_op(t + 1, OP_DOT)) {
        t += 2;
    }
    return t->kind == TOKEN_OP && token_is_op(t + 1, OP_PAREN_CLOSE) ? t : NULL;
}

// using -> USING (< | > | OPERATOR ( < | > )): ASC or DESC
void parse_sort_using(parser *p, ast *n)
{
    parse_skip(p);
    const token *name = operator_name(p);
    const token *sign = name ? name : p->at;
    if (!token_is_op(sign, OP_LESS) && !token_is_op(sign, OP_GREATER)) {
        parse_expected(p, "< or >");
        return;
    }
    n->form = token_is_op(sign, OP_LESS) ? SORT_FORM_ASC : SORT_FORM_DESC;
    n->flags |= AST_FLAG_WORD;
    p->at = sign + 1 + (name != NULL);
}

// Where SEARCH and CYCLE of a CTE end: they hold names and literals, up to the
// next CTE or the query.
int cte_tokens(const parser *p)
{
    bool postgres = p->dialect == DIALECT_POSTGRES && at_word(p, "search");
    if (!postgres && !at_word(p, "cycle")) {
        return 0;
    }
    const token *t = p->at;
    while (token_is_word(*t) || t->kind == TOKEN_QUOTED_NAME
           || t->kind == TOKEN_STRING || t->kind == TOKEN_NUMBER
           || token_is_op(t, OP_COMMA)) {
        bool next = (token_is_op(t, OP_COMMA)
                     && (token_is_key(t + 2, KEYWORD_AS)
                         || token_is_op(t + 2, OP_PAREN_OPEN)))
                    || token_is_key(t, KEYWORD_SELECT)
                    || token_is_key(t, KEYWORD_VALUES)
                    || token_is_key(t, KEYWORD_TABLE);
        if (next) {
            break;
        }
        t++;
    }
    return (int)(t - p->at);
}

// Whether a word of MySQL stands here that tells the server how to work, and
// is no column.
static bool modifier_follows(const parser *p)
{
    static const char words[] =
        "high_priority straight_join sql_small_result sql_big_result "
        "sql_buffer_result sql_cache sql_no_cache sql_calc_found_rows";
    const token *next = peek(p);
    bool goes_on =
        next->kind != TOKEN_END && !token_is_op(next, OP_COMMA)
        && !token_is_op(next, OP_DOT) && !token_is_op(next, OP_PAREN_CLOSE)
        && !token_is_op(next, OP_SEMICOLON) && !token_is_key(next, KEYWORD_FROM)
        && !token_is_key(next, KEYWORD_AS);
    return p->dialect == DIALECT_MYSQL && token_is_word(*p->at) && goes_on
           && str_among_fold(token_text(p->sql, *p->at), words);
}

// modifiers -> { word | ALL | DISTINCT }, the last two after a word
void parse_modifiers(parser *p, ast *n)
{
    buf out = buf_new(p->a);
    while (!p->lost) {
        bool all = at_key(p, KEYWORD_ALL);
        bool distinct =
            at_key(p, KEYWORD_DISTINCT) || at_key(p, KEYWORD_DISTINCTROW);
        if (modifier_follows(p)) {
            buf_add(&out, out.len > 0 ? S(" ") : S(""));
            str word = token_text(p->sql, *p->at);
            for (ptrdiff_t i = 0; i < word.len; i++) {
                buf_char(&out, to_upper(word.ptr[i]));
            }
            parse_skip(p);
        } else if (out.len > 0 && (all || distinct)) {
            n->flags |= all ? AST_FLAG_ALL : AST_FLAG_DISTINCT;
            parse_skip(p);
        } else {
            break;
        }
    }
    if (out.len > 0) {
        n->text = n->text.len > 0
                      ? arena_printf(p->a, "%.*s %.*s", STR_ARG(n->text),
                                     STR_ARG(buf_str(&out)))
                      : buf_str(&out);
    }
}
