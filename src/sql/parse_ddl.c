/*
 * parse_ddl.c - CREATE TABLE, CREATE VIEW, CREATE INDEX, ALTER TABLE.
 *
 * Method      Every system adds words of its own to these statements. What says
 *             nothing about the rows that may be stored (storage, tablespaces,
 *             index types) is skipped or kept word by word, so that a new
 *             option of some system never costs a table. A mistake within an
 *             item costs that item only: reading goes on after the next comma.
 *
 * Invariants  Every loop takes a token or stops (invariant 1 of parse.c), and
 *             none runs past TOKEN_END.
 *
 * Not here    Columns and constraints (parse_ddl_rule.c), where a script's
 *             statements begin and end (parse_script.c).
 */
#include "sql/parse_ddl.h"

#include <assert.h>

static bool take_any(parser *p, const char *const *list, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (parse_take_word(p, list[i])) {
            return true;
        }
    }
    return false;
}

static bool take_if_not_exists(parser *p)
{
    if (!at_word(p, "if")) {
        return false;
    }
    parse_skip(p);
    parse_take_word(p, "not");
    parse_take_word(p, "exists");
    return true;
}

bool ddl_name_follows(const parser *p)
{
    return word_follows(p) || p->at->kind == TOKEN_STRING;
}

void ddl_take_path(parser *p, ast *n, int kid)
{
    assert(kid >= 0 && kid < ast_kid_count((ast_kind)n->kind));
    ast_list path = {0};
    if (p->lost || !ddl_name_follows(p)) {
        parse_expected(p, "a name");
        return;
    }
    take_name(p, n);
    while (at_op(p, OP_DOT) && !p->lost) {
        ast *name = ast_new(p->a, AST_NAME);
        name->text = n->text;
        name->form = n->form;
        list_add(&path, name);
        n->form = QUOTE_NONE;
        parse_skip(p);
        if (at_op(p, OP_DOT)) {
            n->text = S("");  // database..table
        } else if (ddl_name_follows(p)) {
            take_name(p, n);
        } else {
            parse_expected(p, "a name");
        }
    }
    n->kid[kid] = path.first;
}

static ast *ddl_name(parser *p)
{
    if (p->lost || !ddl_name_follows(p)) {
        return parse_expected(p, "a name");
    }
    ast *n = node_begin(p, AST_NAME);
    take_name(p, n);
    return node_end(p, n);
}

static ast *parse_name_alone(parser *p)
{
    ast *name = ddl_name(p);
    ddl_skip_item(p);
    return name;
}

ast *ddl_names(parser *p)
{
    return parse_paren_list(p, parse_name_alone);
}

// A token, or all between two parentheses.
static void skip_group(parser *p)
{
    int open = 0;
    do {
        open += at_op(p, OP_PAREN_OPEN) ? 1 : at_op(p, OP_PAREN_CLOSE) ? -1 : 0;
        parse_skip(p);
    } while (open > 0 && p->at->kind != TOKEN_END);
}

// To the `,` or `)` that ends what is being read.
void ddl_skip_item(parser *p)
{
    while (p->at->kind != TOKEN_END && !at_op(p, OP_COMMA)
           && !at_op(p, OP_PAREN_CLOSE)) {
        skip_group(p);
    }
}

// A mistake within an item costs that item only.
static void recover_item(parser *p)
{
    if (p->lost) {
        ddl_skip_item(p);
        p->lost = false;
    }
}

// column [(size)] [COLLATE x] [ASC | DESC] | expr
static ast *parse_ddl_sort(parser *p)
{
    ast *n = node_begin(p, AST_SORT);
    const token *next = peek(p);
    bool is_plain = ddl_name_follows(p) && !token_is_key(next, KEYWORD_COLLATE)
                    && (next->kind != TOKEN_OP || token_is_op(next, OP_COMMA)
                        || token_is_op(next, OP_PAREN_CLOSE)
                        || (token_is_op(next, OP_PAREN_OPEN)
                            && next[1].kind == TOKEN_NUMBER));
    if (is_plain) {
        n->kid[SORT_EXPR] = node_begin(p, AST_COLUMN);
        take_name(p, n->kid[SORT_EXPR]);
        node_end(p, n->kid[SORT_EXPR]);
    } else {
        n->kid[SORT_EXPR] = parse_expr(p);
    }
    node_end(p, n);
    if (!p->lost) {
        n->form = at_word(p, "desc") ? SORT_FORM_DESC : SORT_FORM_PLAIN;
        ddl_skip_item(p);
    }
    return n;
}

// columns -> ( sort { , sort } )
ast *ddl_sorts(parser *p)
{
    return parse_paren_list(p, parse_ddl_sort);
}

// items -> ( item { , item } ), a comma too many at its end forgiven
static ast *parse_items(parser *p)
{
    assert(at_op(p, OP_PAREN_OPEN));
    ast_list list = {0};
    parse_skip(p);
    if (p->dialect == DIALECT_POSTGRES && at_op(p, OP_PAREN_CLOSE)) {
        list_add(&list, parse_n_words(p, 0));  // a table may have no columns
    }
    while (p->at->kind != TOKEN_END && !at_op(p, OP_PAREN_CLOSE)) {
        list_add(&list, ddl_item(p));
        recover_item(p);
        bool goes_on = parse_take_op(p, OP_COMMA) || ddl_constraint_follows(p)
                       || at_op(p, OP_PAREN_CLOSE);
        if (!goes_on) {
            parse_expected(p, "',' or ')'");
            recover_item(p);
        }
    }
    parse_need_op(p, OP_PAREN_CLOSE);
    return list.first;
}

// AS and a query, not FOR SYSTEM_TIME AS OF and a time or STORED AS ORC.
static bool query_is_given(const parser *p)
{
    parser next = *p;
    parse_skip(&next);
    return at_word(p, "as") && !at_word(&next, "of")
           && !ddl_is_after(p, "stored");
}

// What follows the columns: words up to AS and a query.
static ast *parse_options(parser *p)
{
    ast_list list = {0};
    while (!p->lost && p->at->kind != TOKEN_END && !query_is_given(p)) {
        if (parse_take_op(p, OP_COMMA)) {
            continue;
        }
        list_add(&list, ddl_words(p, 1, query_is_given));
    }
    return list.first;
}

// Do columns or constraints stand in these parentheses? After words of some
// system (CLUSTER BY (a), NO FALLBACK) they begin with a name and its type.
static bool items_follow(const parser *p, bool is_first)
{
    parser in = *p;
    parse_skip(&in);
    return at_op(p, OP_PAREN_OPEN)
           && (is_first || ddl_constraint_follows(&in)
               || (ddl_name_follows(&in) && token_is_word(*peek(&in))));
}

// Goes to the `(` of the columns, if there are any.
static bool find_items(parser *p)
{
    parser ahead = *p;
    while (ahead.at->kind != TOKEN_END && !query_is_given(&ahead)) {
        if (items_follow(&ahead, ahead.at == p->at)) {
            p->at = ahead.at;
            return true;
        }
        skip_group(&ahead);
    }
    return false;
}

// AS query, in parentheses or not.
static ast *parse_as_query(parser *p)
{
    if (!parse_take_word(p, "as")) {
        return NULL;
    }
    return parse_query(p);
}

// table -> CREATE TABLE [IF NOT EXISTS] name [( items )] options [AS query]
//        | CREATE TABLE [IF NOT EXISTS] name from words
// from -> LIKE | CLONE | COPY | OF | PARTITION OF | USING
static ast *parse_create_table(parser *p)
{
    ast *n = node_begin(p, AST_CREATE_TABLE);
    n->flags |= take_if_not_exists(p) ? AST_FLAG_NOT : 0;
    ddl_take_path(p, n, CREATE_TABLE_PATH);
    static const char *const from[] = {"like", "clone",     "copy",
                                       "of",   "partition", "using"};
    parser ahead = *p;
    bool has_others = !p->lost && take_any(&ahead, from, countof(from));
    if (!p->lost && !has_others && find_items(p)) {
        n->kid[CREATE_TABLE_ITEMS] = parse_items(p);
    }
    n->kid[CREATE_TABLE_AFTER] = parse_options(p);
    n->kid[CREATE_TABLE_QUERY] = parse_as_query(p);
    if (!p->lost && !has_others && !n->kid[CREATE_TABLE_ITEMS]
        && !n->kid[CREATE_TABLE_QUERY]) {
        parse_expected(p, "the columns of a table");
    }
    return node_end(p, n);
}

// view -> CREATE VIEW [IF NOT EXISTS] name [( names )] words AS query
static ast *parse_create_view(parser *p)
{
    ast *n = node_begin(p, AST_CREATE_VIEW);
    n->flags |= take_if_not_exists(p) ? AST_FLAG_NOT : 0;
    ddl_take_path(p, n, CREATE_VIEW_PATH);
    if (!p->lost && at_op(p, OP_PAREN_OPEN)) {
        n->kid[CREATE_VIEW_COLUMNS] = ddl_names(p);
    }
    parse_options(p);
    n->kid[CREATE_VIEW_QUERY] = parse_as_query(p);
    if (!p->lost && !n->kid[CREATE_VIEW_QUERY]) {
        parse_expected(p, "the query of a view");
    }
    return node_end(p, n);
}

// type -> CREATE (TYPE | DOMAIN) name [AS | FROM] type
// NULL: more is asked of its values than the type does, or it is a record, a
// table or a range.
static ast *parse_create_type(parser *p)
{
    ast *n = node_begin(p, AST_CREATE_TYPE);
    ddl_take_path(p, n, CREATE_TYPE_PATH);
    if (!parse_take_word(p, "as")) {
        parse_take_word(p, "from");
    }
    bool is_made = at_word(p, "table") || at_word(p, "range");
    if (p->lost || is_made || !ddl_name_follows(p)) {
        return NULL;
    }
    n->kid[CREATE_TYPE_TYPE] = parse_type(p);
    parse_take_key(p, KEYWORD_NULL);  // T-SQL: it may be NULL
    bool is_whole = p->at->kind == TOKEN_END || at_op(p, OP_SEMICOLON);
    return !p->lost && is_whole ? node_end(p, n) : NULL;
}

static bool where_follows(const parser *p)
{
    return at_word(p, "where");
}

// index -> CREATE [UNIQUE] INDEX [IF NOT EXISTS] [name] ON table
//          [USING word] columns words [WHERE expr]
static ast *parse_create_index(parser *p)
{
    ast *n = node_begin(p, AST_CREATE_INDEX);
    parse_take_word(p, "concurrently");
    take_if_not_exists(p);
    if (!at_word(p, "on")) {
        ddl_take_path(p, n, CREATE_INDEX_PATH);
    }
    while (!p->lost && p->at->kind != TOKEN_END && !at_word(p, "on")) {
        parse_skip(p);  // USING BTREE
    }
    if (!parse_take_word(p, "on")) {
        parse_expected(p, "ON and a table");
    }
    parse_take_word(p, "only");
    ast *table = node_begin(p, AST_TABLE);
    ddl_take_path(p, table, TABLE_PATH);
    n->kid[CREATE_INDEX_TABLE] = node_end(p, table);
    while (!p->lost && p->at->kind != TOKEN_END && !at_op(p, OP_PAREN_OPEN)) {
        parse_skip(p);  // USING btree
    }
    n->kid[CREATE_INDEX_COLUMNS] = ddl_sorts(p);
    ddl_words(p, 0, where_follows);  // storage options
    if (parse_take_word(p, "where")) {
        n->kid[CREATE_INDEX_WHERE] = parse_expr(p);
    }
    return node_end(p, n);
}

// alter -> ALTER TABLE [IF EXISTS] [ONLY] name [WITH CHECK] action { , ... }
static ast *parse_alter(parser *p)
{
    assert(at_word(p, "alter"));
    ast *n = node_begin(p, AST_ALTER_TABLE);
    ast_list list = {0};
    parse_skip(p);
    if (!parse_take_word(p, "table")) {
        return NULL;
    }
    take_if_not_exists(p);
    parse_take_word(p, "only");
    ddl_take_path(p, n, ALTER_TABLE_PATH);
    bool is_unenforced = false;
    if (parse_take_word(p, "with")) {
        is_unenforced = ddl_is_unenforced(p);
        parse_skip(p);  // CHECK, NOCHECK
    }
    while (!p->lost && p->at->kind != TOKEN_END) {
        ast *item = ddl_alteration(p);
        if (item) {
            item->flags |= is_unenforced ? AST_FLAG_NOT : 0;
            list_add(&list, item);
        }
        recover_item(p);
        ddl_skip_item(p);
        parse_skip(p);
    }
    n->kid[ALTER_TABLE_ITEMS] = list.first;
    return list.first ? node_end(p, n) : NULL;
}

static ast *parse_dropped(parser *p)
{
    ast *n = node_begin(p, AST_TABLE);
    ddl_take_path(p, n, TABLE_PATH);
    return node_end(p, n);
}

// drop -> DROP (TABLE | VIEW) [IF EXISTS] name { , name } words
static ast *parse_drop(parser *p)
{
    ast *n = node_begin(p, AST_DROP_TABLE);
    parse_skip(p);
    parse_take_word(p, "temporary");
    if (!parse_take_word(p, "table") && !parse_take_word(p, "view")) {
        return NULL;
    }
    take_if_not_exists(p);
    n->kid[DROP_TABLE_NAMES] = parse_list(p, parse_dropped);
    ddl_words(p, 0, NULL);  // CASCADE
    return node_end(p, n);
}

// Words of its own, of which every system has others, up to what is made: OR
// REPLACE FORCE VIEW, ALGORITHM = x DEFINER = `a`@`b` VIEW. What is made of or
// for another thing is none of those: PUBLICATION p FOR TABLE t.
static unsigned skip_to_made(parser *p)
{
    static const char *const ends[] = {"table", "view", "type", "domain",
                                       "index", "for",  "on",   "as"};
    unsigned said = 0;
    bool is_end = false;
    while (!is_end && p->at->kind != TOKEN_END && !at_op(p, OP_PAREN_OPEN)) {
        for (ptrdiff_t i = 0; i < countof(ends) && !is_end; i++) {
            is_end = at_word(p, ends[i]);
        }
        said |= at_word(p, "unique") ? AST_FLAG_DISTINCT : 0U;
        said |= at_word(p, "replace") ? AST_FLAG_ALL : 0U;
        said |= at_word(p, "materialized") ? AST_FLAG_MATERIALIZED : 0U;
        p->at += !is_end;
    }
    return said;
}

// create -> CREATE words (TABLE | VIEW | TYPE | DOMAIN | INDEX) ...
static ast *parse_create(parser *p)
{
    assert(at_word(p, "create"));
    const token *begin = p->at;
    parse_skip(p);
    unsigned said = skip_to_made(p);
    ast *n = parse_take_word(p, "table")  ? parse_create_table(p)
             : parse_take_word(p, "view") ? parse_create_view(p)
             : parse_take_word(p, "type") || parse_take_word(p, "domain")
                 ? parse_create_type(p)
             : parse_take_word(p, "index") ? parse_create_index(p)
                                           : NULL;
    if (!n) {
        return NULL;
    }
    n->pos = begin->pos;
    n->flags |=
        (uint16_t)(n->kind == AST_CREATE_TABLE   ? said & AST_FLAG_ALL
                   : n->kind == AST_CREATE_INDEX ? said & AST_FLAG_DISTINCT
                   : n->kind == AST_CREATE_VIEW
                       ? said & (AST_FLAG_ALL | AST_FLAG_MATERIALIZED)
                       : 0U);
    return node_end(p, n);
}

ast *parse_ddl_statement(parser *p)
{
    return at_word(p, "alter")  ? parse_alter(p)
           : at_word(p, "drop") ? parse_drop(p)
                                : parse_create(p);
}
