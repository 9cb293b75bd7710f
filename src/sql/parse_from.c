/*
 * parse_from.c - one source of rows: a table, a subquery, a table function,
 * with its alias, hint, sample and pivot.
 *
 * Method      Hints and TABLESAMPLE differ in every system and never change
 *             what a query means to us, so they are kept word by word: the end
 *             of one is found first (hint_tokens, sample_tokens), then its
 *             tokens become one WORDS node. A word that may also be an alias
 *             counts as a hint only where all of the hint is there.
 *
 * Cost        Linear in the tokens, but for the search for the `)` of a hint,
 *             which is made once for each WITH ( or USE INDEX.
 *
 * Not here    How sources are joined (parse_join.c).
 */
#include "sql/parse_internal.h"

// alias -> [AS] name [( name [type] { , name [type] } )]
static ast *parse_source_alias(parser *p, ast *source)
{
    bool as = parse_take_key(p, KEYWORD_AS);
    bool list = as && at_op(p, OP_PAREN_OPEN);
    if (p->lost || (!as && !alias_follows(p))) {
        return source;
    }
    ast *n = node_around(p, AST_ALIAS, ALIAS_EXPR, source);
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
                ast *both = node_from(p, AST_TYPED, column);
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

// How many tokens the index hints of MySQL have: USE INDEX FOR JOIN (a, b).
static int index_hint_tokens(const parser *p)
{
    parser ahead = *p;
    int whole = 0;
    while (p->dialect == DIALECT_MYSQL
           && (at_key(&ahead, KEYWORD_USE) || at_word(&ahead, "force")
               || at_key(&ahead, KEYWORD_IGNORE))
           && (token_is_key(peek(&ahead), KEYWORD_INDEX)
               || token_is_key(peek(&ahead), KEYWORD_KEY))) {
        ahead.at += 2;
        if (parse_take_key(&ahead, KEYWORD_FOR)) {
            bool by =
                at_key(&ahead, KEYWORD_ORDER) || at_key(&ahead, KEYWORD_GROUP);
            ahead.at += by ? 2 : at_key(&ahead, KEYWORD_JOIN);
        }
        int rest = at_op(&ahead, OP_PAREN_OPEN) ? tokens_to_paren(&ahead) : 0;
        if (rest == 0) {
            return whole;
        }
        ahead.at += rest;
        whole = (int)(ahead.at - p->at);
    }
    return whole;
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
    if (!with) {
        return index_hint_tokens(p);
    }
    parser ahead = *p;
    ahead.at++;
    int rest = tokens_to_paren(&ahead);
    return rest > 0 ? 1 + rest : 0;
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
    int tokens = sample ? sample_tokens(p) : 0;
    bool name = tokens == 0 && p->dialect == DIALECT_SQLITE;
    if (p->lost || !sample || name) {
        return source;
    }
    if (tokens == 0) {
        parse_skip(p);
        return parse_expected(p, "the size of a sample in parentheses");
    }
    ast *n = node_around(p, AST_SAMPLE, SAMPLE_SOURCE, source);
    n->kid[SAMPLE_HOW] = parse_n_words(p, tokens);
    return node_end(p, n);
}

// How many tokens FOR SYSTEM_TIME has, with its moments.
static int system_time_tokens(const parser *p)
{
    parser ahead = *p;
    ahead.at = peek(p);
    if (!at_key(p, KEYWORD_FOR) || !at_word(&ahead, "system_time")) {
        return 0;
    }
    ahead.at++;
    if (at_key(&ahead, KEYWORD_ALL)) {
        return 3;
    }
    bool is_span = !at_key(&ahead, KEYWORD_AS);
    parse_n_words(&ahead, is_span ? 1 : 2);  // BETWEEN, FROM; AS OF
    parse_expr_above(&ahead, p->priority[OPERATOR_BETWEEN] + 1);
    if (is_span) {
        parse_n_words(&ahead, 1);  // AND, TO
        parse_expr_above(&ahead, p->priority[OPERATOR_BETWEEN] + 1);
    }
    return ahead.lost ? 0 : (int)(ahead.at - p->at);
}

// as_it_was -> table FOR SYSTEM_TIME (ALL | AS OF moment
//                | BETWEEN moment AND moment | FROM moment TO moment)
static ast *parse_as_it_was(parser *p, ast *source)
{
    int tokens = p->lost ? 0 : system_time_tokens(p);
    if (tokens == 0) {
        return source;
    }
    ast *n = node_around(p, AST_SAMPLE, SAMPLE_SOURCE, source);
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
    ast *n = node_around(p, AST_SAMPLE, SAMPLE_SOURCE, source);
    n->kid[SAMPLE_HOW] = parse_n_words(p, 2);
    return parse_source_alias(p, node_end(p, n));
}

// partition -> source PARTITION names, a part of a table of MySQL
static ast *parse_partition(parser *p, ast *source)
{
    bool follows = p->dialect == DIALECT_MYSQL && at_key(p, KEYWORD_PARTITION)
                   && token_is_op(peek(p), OP_PAREN_OPEN);
    if (p->lost || !follows || source->kind != AST_TABLE) {
        return source;
    }
    ast *n = node_around(p, AST_SAMPLE, SAMPLE_SOURCE, source);
    n->kid[SAMPLE_HOW] = parse_n_words(p, tokens_to_paren(p));
    return node_end(p, n);
}

// ins -> query | words | expr [[AS] name] { , ... }
static ast *parse_pivot_values(parser *p)
{
    return query_follows(p)         ? parse_query(p)
           : at_key(p, KEYWORD_ANY) ? parse_words(p)
                                    : parse_list(p, parse_item);
}

// pivot -> source (PIVOT | UNPIVOT) ( items FOR column IN ( ins ) ) [alias]
static ast *parse_pivot(parser *p, ast *source)
{
    if (p->lost || !pivot_follows(p)) {
        return source;
    }
    ast *n = node_around(p, AST_PIVOT, PIVOT_SOURCE, source);
    n->form = at_key(p, KEYWORD_PIVOT) ? PIVOT_FORM_PIVOT : PIVOT_FORM_UNPIVOT;
    parse_skip(p);
    if (parse_take_word(p, "include")) {
        n->form = PIVOT_FORM_UNPIVOT_ALL;
        parse_need_key(p, KEYWORD_NULLS);
    } else if (parse_take_key(p, KEYWORD_EXCLUDE)) {
        parse_need_key(p, KEYWORD_NULLS);
    }
    parse_need_op(p, OP_PAREN_OPEN);
    n->kid[PIVOT_VALUES] = parse_list(p, parse_item);
    parse_need_key(p, KEYWORD_FOR);
    n->kid[PIVOT_FOR] = parse_operand(p);
    parse_need_key(p, KEYWORD_IN);
    n->kid[PIVOT_IN] = parse_parened(p, parse_pivot_values);
    parse_need_op(p, OP_PAREN_CLOSE);
    return parse_source_alias(p, node_end(p, n));
}

static ast *parse_table(parser *p);

static ast *parse_called_table(parser *p)
{
    return parse_source_alias(p, parse_table(p));
}

// rows_from -> ROWS FROM ( call [alias] { , call [alias] } )
static ast *parse_rows_from(parser *p)
{
    ast *n = node_begin(p, AST_CALL);
    n->text = S("ROWS FROM");
    parse_skip(p);
    parse_skip(p);
    n->kid[CALL_ARGS] = parse_paren_list(p, parse_called_table);
    return node_end(p, n);
}

static bool rows_from_follows(const parser *p)
{
    return at_key(p, KEYWORD_ROWS) && token_is_key(peek(p), KEYWORD_FROM)
           && token_is_op(p->at + 2, OP_PAREN_OPEN);
}

static bool is_path_token(const token *t)
{
    return token_is_word(*t) || t->kind == TOKEN_NUMBER
           || token_is_op(t, OP_MINUS) || token_is_op(t, OP_DOT);
}

// Where a path of BigQuery with dashes in its names ends: at the last token
// that no blank parts from the one before. NULL: it has no dashes.
static const token *dashed_end(const parser *p)
{
    const token *t = p->at;
    bool has_dash = false;
    bool bare = t->kind == TOKEN_NAME || t->kind == TOKEN_WORD;
    while (p->dialect == DIALECT_BIGQUERY && bare && is_path_token(t + 1)
           && t[1].pos == t->pos + t->len) {
        t++;
        has_dash |= token_is_op(t, OP_MINUS);
    }
    while (t > p->at && (token_is_op(t, OP_MINUS) || token_is_op(t, OP_DOT))) {
        t--;
    }
    return has_dash && t > p->at ? t : NULL;
}

// dashed -> name { (- | .) (name | number) }, cut at its points, because the
// lexer takes `287.` for a number.
static ast *take_dashed(parser *p, ast *n, const token *last)
{
    ast_list path = {0};
    int32_t pos = p->at->pos;
    str rest = str_sub(p->sql, pos, (ptrdiff_t)last->pos + last->len);
    p->at = last + 1;
    n->text = str_cut(&rest, '.');
    while (rest.len > 0) {
        ast *name = ast_new(p->a, AST_NAME);
        name->text = n->text;
        name->pos = pos;
        name->len = (int32_t)n->text.len;
        list_add(&path, name);
        pos += name->len + 1;
        n->text = str_cut(&rest, '.');
    }
    return path.first;
}

// The name of a table before the one that is taken next.
static ast *path_part(parser *p, const ast *n)
{
    ast *name = ast_new(p->a, AST_NAME);
    name->text = n->text;
    name->form = n->form;
    name->pos = p->at[-1].pos;
    name->len = p->at[-1].len;
    return name;
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
    const token *dashed = dashed_end(p);
    ast_list path = {0};
    if (dashed) {
        path.first = path.last = take_dashed(p, n, dashed);
        while (path.last && path.last->next) {
            path.last = path.last->next;
        }
    } else {
        take_name(p, n);
    }
    while (at_op(p, OP_DOT)) {
        list_add(&path, path_part(p, n));
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
    ast *inner = parse_from(p);
    bool query = at_key(p, KEYWORD_UNION) || at_key(p, KEYWORD_INTERSECT)
                 || at_key(p, KEYWORD_EXCEPT) || at_key(p, KEYWORD_ORDER)
                 || at_key(p, KEYWORD_LIMIT);
    if (inner->kind == AST_SUBQUERY && query && !p->lost) {
        ast **body = &inner->kid[SUBQUERY_QUERY];
        *body = parse_query_after(p, *body);
        node_end(p, inner);
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return inner;
}

// only -> ONLY (table | ( table )) | table *
static ast *parse_only(parser *p)
{
    bool only = dialect_follows_postgres(p->dialect) && at_key(p, KEYWORD_ONLY)
                && !p->lost;
    bool parens = only && token_is_op(peek(p), OP_PAREN_OPEN);
    if (!only) {
        ast *n = parse_table(p);
        if (p->dialect == DIALECT_POSTGRES && n->kind == AST_TABLE) {
            parse_take_op(p, OP_STAR);  // what is so without it
        }
        return n;
    }
    int32_t pos = p->at->pos;
    p->at += 1 + parens;
    ast *n = parse_table(p);
    if (n->kind == AST_TABLE) {
        n->flags |= AST_FLAG_WORD;
        n->pos = pos;
    } else {
        parse_expected(p, "a table");
    }
    if (parens) {
        parse_need_op(p, OP_PAREN_CLOSE);
    }
    return node_end(p, n);
}

// braces -> { OJ joins } of ODBC
static ast *parse_outer_braces(parser *p)
{
    p->at += 2;
    ast *n = parse_from(p);
    parse_need_op(p, OP_BRACE_CLOSE);
    return n;
}

static bool outer_braces_follow(const parser *p)
{
    parser next = *p;
    next.at = peek(p);
    return brace_follows(p) && at_word(&next, "oj");
}

// source -> [LATERAL] (table | ( query ) | ( joins )) [alias] [sample] [hint]
ast *parse_source(parser *p)
{
    int height;
    bool deep = !parse_enter(p, &height);
    if (deep) {
        parse_leave(p, height);
        return parse_expected(p, "a table");
    }
    ast *lateral = NULL;
    if (at_key(p, KEYWORD_LATERAL)
        && (token_is_op(peek(p), OP_PAREN_OPEN) || token_is_word(*peek(p))
            || token_is_name(peek(p)))
        && !word_falls_back(p)) {
        lateral = node_begin(p, AST_LATERAL);
        parse_skip(p);
    }
    ast *n = at_op(p, OP_PAREN_OPEN)     ? parse_source_parens(p)
             : at_op(p, OP_BRACKET_OPEN) ? parse_operand(p)
             : rows_from_follows(p)      ? parse_rows_from(p)
             : outer_braces_follow(p)    ? parse_outer_braces(p)
                                         : parse_only(p);
    if (lateral) {
        lateral->kid[LATERAL_SOURCE] = n;
        n = node_end(p, lateral);
    }
    n = parse_as_it_was(p, parse_partition(p, n));
    n = parse_sample(p, parse_ordinality(p, n));
    ast *table = n->kind == AST_SAMPLE ? n->kid[SAMPLE_SOURCE] : n;
    bool hints = !p->lost && index_hint_tokens(p) > 0;
    n = hints ? n : parse_source_alias(p, n);
    int hint = p->lost ? 0 : hint_tokens(p);
    if (hint > 0 && table->kind == AST_TABLE) {
        table->kid[TABLE_HINT] = parse_n_words(p, hint);
        if (n == table) {
            n = parse_source_alias(p, n);
        } else {
            n->flags |= AST_FLAG_WORD;
        }
    }
    n = parse_pivot(p, parse_sample(p, parse_ordinality(p, n)));
    parse_leave(p, height);
    return n;
}
