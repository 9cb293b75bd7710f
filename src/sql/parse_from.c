/*
 * parse_from.c - the sources of rows and how they are joined.
 */
#include "sql/parse_part.h"

static ast *parse_joins(parser *p, int commas);

enum {
    WITHOUT_COMMAS,
    WITH_COMMAS,
};

// alias -> [AS] name [( name [type] { , name [type] } )]
static ast *parse_source_alias(parser *p, ast *source)
{
    bool as = parse_take_key(p, KEYWORD_AS);
    bool list = as && at_op(p, OP_PAREN_OPEN);
    if (p->lost || (!as && !alias_follows(p))) {
        return source;
    }
    ast *n = node_around(p, AST_ALIAS, source);
    n->kid[ALIAS_EXPR] = source;
    if (!list) {
        bool string = p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN;
        if (!name_follows(p) && !string) {
            parse_expected(p, "an alias");
            return source;
        }
        take_name(p, n);
    }
    if (at_op(p, OP_PAREN_OPEN)) {
        ast_list columns = {0};
        parse_skip(p);
        do {
            ast *column = parse_name(p);
            bool typed = !p->lost && word_follows(p);
            if (typed) {
                ast *both = node_around(p, AST_TYPED, column);
                both->text = S("");
                both->kid[TYPED_VALUE] = parse_type(p);
                column->next = NULL;
                list_add(&columns, column);
                column = node_end(p, both);
            }
            list_add(&columns, column);
        } while (parse_take_op(p, OP_COMMA));
        n->kid[ALIAS_COLUMNS] = columns.first;
        parse_need_op(p, OP_PAREN_CLOSE);
    }
    return node_end(p, n);
}

static int tokens_to_paren(const parser *p)
{
    int open = 0;
    for (const token *t = p->at; t->kind != TOKEN_END; t++) {
        open += token_is_op(t, OP_PAREN_OPEN)    ? 1
                : token_is_op(t, OP_PAREN_CLOSE) ? -1
                                                 : 0;
        if (open == 0 && token_is_op(t, OP_PAREN_CLOSE)) {
            return (int)(t - p->at) + 1;
        }
    }
    return 0;
}

// How many tokens a hint that follows a table has.
static int hint_tokens(const parser *p)
{
    const token *next = peek(p);
    if (at_key(p, KEYWORD_INDEXED) && token_is_key(next, KEYWORD_BY)) {
        return 3;
    }
    if (at_key(p, KEYWORD_NOT) && token_is_key(next, KEYWORD_INDEXED)) {
        return 2;
    }
    bool with = at_key(p, KEYWORD_WITH) && token_is_op(next, OP_PAREN_OPEN);
    bool index = p->dialect == DIALECT_MYSQL
                 && (at_key(p, KEYWORD_USE) || at_word(p, "force")
                     || at_key(p, KEYWORD_IGNORE))
                 && (token_is_key(next, KEYWORD_INDEX)
                     || token_is_key(next, KEYWORD_KEY));
    int before = with ? 1 : index ? 2 : 0;
    if (before == 0) {
        return 0;
    }
    parser ahead = *p;
    ahead.at += before;
    int rest = at_op(&ahead, OP_PAREN_OPEN) ? tokens_to_paren(&ahead) : 0;
    return rest > 0 ? before + rest : 0;
}

// How many tokens TABLESAMPLE has with its words and parentheses.
static int sample_tokens(const parser *p)
{
    parser ahead = *p;
    int rest = 0;
    do {
        ahead.at++;
        while (token_is_word(*ahead.at) && ahead.at - p->at < 8) {
            ahead.at++;
        }
        rest = at_op(&ahead, OP_PAREN_OPEN) ? tokens_to_paren(&ahead) : 0;
        ahead.at += rest;
    } while (rest > 0
             && (at_word(&ahead, "repeatable") || at_word(&ahead, "seed")));
    return rest > 0 ? (int)(ahead.at - p->at) : 0;
}

// sample -> source TABLESAMPLE words
static ast *parse_sample(parser *p, ast *source)
{
    bool sample =
        at_key(p, KEYWORD_TABLESAMPLE)
        || (at_key(p, KEYWORD_SAMPLE) && p->dialect == DIALECT_SNOWFLAKE
            && token_is_op(peek(p), OP_PAREN_OPEN));
    if (p->lost || !sample) {
        return source;
    }
    int tokens = sample_tokens(p);
    if (tokens == 0) {
        parse_skip(p);
        return parse_expected(p, "the size of a sample in parentheses");
    }
    ast *n = node_around(p, AST_SAMPLE, source);
    n->kid[SAMPLE_SOURCE] = source;
    n->kid[SAMPLE_HOW] = parse_n_words(p, tokens);
    return node_end(p, n);
}

// with_ordinality -> source WITH (ORDINALITY | OFFSET)
static ast *parse_ordinality(parser *p, ast *source)
{
    bool with = at_key(p, KEYWORD_WITH)
                && (token_is_key(peek(p), KEYWORD_ORDINALITY)
                    || token_is_key(peek(p), KEYWORD_OFFSET));
    if (!with || p->lost) {
        return source;
    }
    ast *n = node_around(p, AST_SAMPLE, source);
    n->kid[SAMPLE_SOURCE] = source;
    n->kid[SAMPLE_HOW] = parse_n_words(p, 2);
    return parse_source_alias(p, node_end(p, n));
}

// table -> name { . name } [hint] | name { . name } ( arguments )
static ast *parse_table(parser *p)
{
    ast *n = node_begin(p, AST_TABLE);
    bool string = p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN;
    bool call = p->at->kind == TOKEN_KEYWORD
                && token_is_op(peek(p), OP_PAREN_OPEN)
                && !at_key(p, KEYWORD_SELECT);
    if (p->lost || (!name_follows(p) && !string && !call)) {
        return parse_expected(p, "a table or a subquery");
    }
    take_name(p, n);
    ast_list path = {0};
    while (at_op(p, OP_DOT)) {
        ast *name = ast_new(p->a, AST_NAME);
        name->text = n->text;
        name->form = n->form;
        name->pos = p->at[-1].pos;
        name->len = p->at[-1].len;
        list_add(&path, name);
        parse_skip(p);
        if (at_op(p, OP_DOT) && p->dialect == DIALECT_TSQL) {
            n->text = S("");  // database..table: of the default schema
            n->form = QUOTE_NONE;
            continue;
        }
        if (!word_follows(p) && p->at->kind != TOKEN_STRING) {
            return parse_expected(p, "the name of a table");
        }
        n->form = QUOTE_NONE;
        take_name(p, n);
    }
    n->kid[TABLE_PATH] = path.first;
    if (at_op(p, OP_PAREN_OPEN)) {
        ast *name = ast_new(p->a, AST_COLUMN);
        name->pos = n->pos;
        name->text = n->text;
        name->form = n->form;
        name->kid[COLUMN_PATH] = path.first;
        return parse_call(p, name);
    }
    return node_end(p, n);
}

// parens -> ( query ) | ( joins )
static ast *parse_source_parens(parser *p)
{
    if (token_is_op(peek(p), OP_PAREN_OPEN)
        || token_is_key(peek(p), KEYWORD_SELECT)
        || token_is_key(peek(p), KEYWORD_VALUES)
        || token_is_key(peek(p), KEYWORD_WITH)) {
        const token *open = p->at;
        parse_skip(p);
        if (query_follows(p)) {
            p->at = open;
            return parse_subquery(p);
        }
    } else {
        parse_skip(p);
    }
    ast *inner = parse_joins(p, WITH_COMMAS);
    bool query = at_key(p, KEYWORD_UNION) || at_key(p, KEYWORD_INTERSECT)
                 || at_key(p, KEYWORD_EXCEPT) || at_key(p, KEYWORD_ORDER)
                 || at_key(p, KEYWORD_LIMIT);
    if (inner->kind == AST_SUBQUERY && query && !p->lost) {
        ast **body = &inner->kid[SUBQUERY_QUERY];
        *body = parse_query_behind(p, *body);
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, inner);
}

// source -> [LATERAL] (table | ( query ) | ( joins )) [alias] [sample] [hint]
static ast *parse_source(parser *p)
{
    int height;
    bool deep = !parse_enter(p, &height);
    if (deep) {
        parse_leave(p, height);
        return parse_expected(p, "a table");
    }
    ast *lateral = NULL;
    if (at_key(p, KEYWORD_LATERAL) && !token_is_op(peek(p), OP_DOT)
        && !token_is_op(peek(p), OP_COMMA)) {
        lateral = node_begin(p, AST_LATERAL);
        parse_skip(p);
    }
    ast *n = at_op(p, OP_PAREN_OPEN)     ? parse_source_parens(p)
             : at_op(p, OP_BRACKET_OPEN) ? parse_operand(p)
                                         : parse_table(p);
    if (lateral) {
        lateral->kid[LATERAL_SOURCE] = n;
        n = node_end(p, lateral);
    }
    n = parse_sample(p, parse_ordinality(p, n));
    ast *table = n;
    n = parse_source_alias(p, n);
    int hint = p->lost ? 0 : hint_tokens(p);
    if (hint > 0 && table->kind == AST_TABLE) {
        table->kid[TABLE_HINT] = parse_n_words(p, hint);
        if (n == table) {
            n = parse_source_alias(p, n);
        } else {
            n->flags |= AST_FLAG_WORD;
        }
    }
    n = parse_sample(p, parse_ordinality(p, n));
    parse_leave(p, height);
    return n;
}

// The join whose words begin here; counts them, and 0 when there is none.
static int join_words(const parser *p, ast *join)
{
    const token *t = p->at;
    if (token_is_key(t, KEYWORD_NATURAL)) {
        join->flags |= AST_FLAG_NATURAL;
        t++;
    }
    keyword k = key_of(t);
    bool apply = str_equal_fold(
        token_text(p->sql, t->kind == TOKEN_END ? *t : t[1]), S("apply"));
    if ((k == KEYWORD_CROSS || k == KEYWORD_OUTER) && apply) {
        join->form =
            k == KEYWORD_CROSS ? JOIN_FORM_CROSS_APPLY : JOIN_FORM_OUTER_APPLY;
        return (int)(t - p->at) + 2;
    }
    if (k == KEYWORD_STRAIGHT_JOIN) {
        join->form = JOIN_FORM_STRAIGHT;
        return (int)(t - p->at) + 1;
    }
    bool side = true;
    switch ((int)k) {
    case KEYWORD_LEFT: join->form = JOIN_FORM_LEFT; break;
    case KEYWORD_RIGHT: join->form = JOIN_FORM_RIGHT; break;
    case KEYWORD_FULL: join->form = JOIN_FORM_FULL; break;
    case KEYWORD_CROSS: join->form = JOIN_FORM_CROSS; break;
    case KEYWORD_SEMI: join->form = JOIN_FORM_SEMI; break;
    case KEYWORD_ANTI: join->form = JOIN_FORM_ANTI; break;
    case KEYWORD_ASOF: join->form = JOIN_FORM_ASOF; break;
    case KEYWORD_INNER: break;
    default: side = false; break;
    }
    t += side;
    t += side && token_is_key(t, KEYWORD_OUTER);
    return token_is_key(t, KEYWORD_JOIN) ? (int)(t - p->at) + 1 : 0;
}

static bool comma_binds_weakly(const parser *p)
{
    return p->dialect != DIALECT_SQLITE;
}

// join -> joins (, | [NATURAL] [LEFT | RIGHT | ...] JOIN) source
//         [ON expr | USING names]
static ast *parse_join(parser *p, ast *left, ast *join, int words)
{
    join->pos = left->pos;
    join->kid[JOIN_LEFT] = left;
    p->at += words;
    bool comma = join->form == JOIN_FORM_COMMA;
    join->kid[JOIN_RIGHT] = comma && comma_binds_weakly(p)
                                ? parse_joins(p, WITHOUT_COMMAS)
                                : parse_source(p);
    if (parse_take_key(p, KEYWORD_ON)) {
        join->kid[JOIN_ON] = parse_expr(p);
    } else if (!p->lost && at_key(p, KEYWORD_USING)) {
        parse_skip(p);
        join->kid[JOIN_USING] = parse_names(p);
    }
    return node_end(p, join);
}

// restricted -> source [ON expr]; SQLite allows it before the first join
static ast *parse_restricted(parser *p)
{
    ast *source = parse_source(p);
    bool on = p->dialect == DIALECT_SQLITE && at_key(p, KEYWORD_ON);
    if (p->lost || !on || !parse_grow(p)) {
        return source;
    }
    ast *n = node_around(p, AST_RESTRICTED, source);
    n->kid[RESTRICTED_SOURCE] = source;
    parse_skip(p);
    n->kid[RESTRICTED_ON] = parse_expr(p);
    return node_end(p, n);
}

static ast *parse_joins(parser *p, int commas)
{
    ast *left = parse_restricted(p);
    while (!p->lost) {
        bool comma = commas == WITH_COMMAS && at_op(p, OP_COMMA);
        keyword k = key_of(p->at);
        if (!comma && k == KEYWORD_NONE) {
            break;
        }
        ast *join = ast_new(p->a, AST_JOIN);
        int words = comma ? 1 : join_words(p, join);
        if (words == 0 || !parse_grow(p)) {
            break;
        }
        if (comma) {
            join->form = JOIN_FORM_COMMA;
        }
        left = parse_join(p, left, join, words);
    }
    return left;
}

// joins -> source { join }
ast *parse_from(parser *p)
{
    return parse_joins(p, WITH_COMMAS);
}
