/*
 * parse_select.c - queries: WITH, SELECT and its clauses, set operations.
 *
 * Method      A query is a chain of terms and set operators, then a tail (ORDER
 *             BY, LIMIT, FOR). The tail belongs to the whole chain. A query in
 *             parentheses that has a tail of its own and gets another one is
 *             wrapped in a NESTED, so that each node has at most one tail.
 *
 *             After each clause parse_end_clause skips what is broken in it, so
 *             one mistake does not hide the clauses that follow.
 *
 * Invariants  (1) Only nodes of ast_is_query have a WITH, ORDER BY and LIMIT.
 *                 What else stands before a tail (an AST_ERROR, an INSERT after
 *                 its WITH, in parentheses) is wrapped in a NESTED, too.
 *             (2) Depth and height as in parse.c; a chain of set operators
 *                 grows the tree in a loop and so counts by parse_grow.
 */
#include "sql/parse_internal.h"

#include <assert.h>

// What could have gone on where a clause ends.
static const char NEXT_ITEM[] = "',' or the next clause";
static const char NEXT_TERM[] = "AND, OR or the next clause";

static ast *parse_set(parser *p, int lowest);

_Static_assert((int)INSERT_WITH == (int)UPDATE_WITH
                   && (int)INSERT_WITH == (int)DELETE_WITH,
               "WITH stands at the same place in all of them");

// sort -> expr [ASC | DESC | using] [NULLS (FIRST | LAST)]
static ast *parse_sort(parser *p)
{
    ast *n = node_begin(p, AST_SORT);
    n->kid[SORT_EXPR] = parse_expr(p);
    if (!p->lost && at_key(p, KEYWORD_USING)
        && dialect_follows_postgres(p->dialect)) {
        parse_sort_using(p, n);
    } else if (parse_take_key(p, KEYWORD_DESC)) {
        n->form = SORT_FORM_DESC;
    } else if (parse_take_key(p, KEYWORD_ASC)) {
        n->form = SORT_FORM_ASC;
    }
    if (parse_take_key(p, KEYWORD_NULLS)) {
        bool first = at_key(p, KEYWORD_FIRST);
        if (first || at_key(p, KEYWORD_LAST)) {
            parse_skip(p);
            n->flags |= first ? AST_FLAG_NULLS_FIRST : AST_FLAG_NULLS_LAST;
        } else {
            parse_expected(p, "FIRST or LAST");
        }
    }
    return node_end(p, n);
}

// order -> ORDER BY sort { , sort }
ast *parse_order(parser *p)
{
    if (!parse_take_key(p, KEYWORD_ORDER)) {
        return parse_expected(p, "ORDER BY");
    }
    parse_need_key(p, KEYWORD_BY);
    return parse_list(p, parse_sort);
}

// fetch -> FETCH (FIRST | NEXT) [expr] (ROW | ROWS) (ONLY | WITH TIES); one row
// where no number is said.
static void parse_fetch(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_FETCH));
    n->form = LIMIT_FORM_FETCH;
    parse_skip(p);
    if (!parse_take_key(p, KEYWORD_FIRST)) {
        parse_need_key(p, KEYWORD_NEXT);
    }
    if (at_key(p, KEYWORD_ROW) || at_key(p, KEYWORD_ROWS)) {
        n->kid[LIMIT_COUNT] = node_begin(p, AST_NUMBER);
        n->kid[LIMIT_COUNT]->text = S("1");
    } else {
        n->kid[LIMIT_COUNT] = parse_expr(p);
    }
    if (parse_take_key(p, KEYWORD_PERCENT)) {
        n->flags |= AST_FLAG_PERCENT;
    }
    if (!parse_take_key(p, KEYWORD_ROWS)) {
        parse_need_key(p, KEYWORD_ROW);
    }
    if (parse_take_key(p, KEYWORD_WITH)) {
        parse_need_key(p, KEYWORD_TIES);
        n->flags |= AST_FLAG_TIES;
    } else {
        parse_need_key(p, KEYWORD_ONLY);
    }
}

// OFFSET expr [ROW | ROWS]
static void parse_offset(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_OFFSET));
    parse_skip(p);
    n->kid[LIMIT_OFFSET] = parse_expr(p);
    if (at_key(p, KEYWORD_ROW) || at_key(p, KEYWORD_ROWS)) {
        n->flags |= AST_FLAG_WORD;
        parse_skip(p);
    }
}

// LIMIT (expr | ALL) [(OFFSET | ,) expr]
static void parse_plain_limit(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_LIMIT));
    parse_skip(p);
    if (at_key(p, KEYWORD_ALL)) {
        n->kid[LIMIT_COUNT] = node_begin(p, AST_WORD);
        take_typed(p, n->kid[LIMIT_COUNT]);
    } else {
        n->kid[LIMIT_COUNT] = parse_expr(p);
    }
    if (parse_take_op(p, OP_COMMA)) {
        n->kid[LIMIT_OFFSET] = n->kid[LIMIT_COUNT];
        n->kid[LIMIT_COUNT] = parse_expr(p);
    }
}

// limit -> [LIMIT ...] [OFFSET ...] [FETCH ...] in any order
ast *parse_limit(parser *p)
{
    ast *n = NULL;
    while (!p->lost) {
        bool limit = at_key(p, KEYWORD_LIMIT) && (!n || !n->kid[LIMIT_COUNT]);
        bool offset =
            at_key(p, KEYWORD_OFFSET) && (!n || !n->kid[LIMIT_OFFSET]);
        bool fetch = at_key(p, KEYWORD_FETCH) && (!n || !n->kid[LIMIT_COUNT]);
        if (!limit && !offset && !fetch) {
            break;
        }
        n = n ? n : node_begin(p, AST_LIMIT);
        if (limit) {
            parse_plain_limit(p, n);
        } else if (offset) {
            parse_offset(p, n);
        } else {
            parse_fetch(p, n);
        }
        node_end(p, n);
        if (fetch) {
            break;
        }
    }
    return n;
}

static ast *parse_cte_query(parser *p)
{
    return dml_follows(p) ? parse_dml(p) : parse_query(p);
}

// cte -> name [( names )] AS [[NOT] MATERIALIZED] ( query ) [SEARCH | CYCLE]
static ast *parse_cte(parser *p)
{
    ast *n = node_begin(p, AST_CTE);
    bool string = p->at->kind == TOKEN_STRING && p->at->id == STRING_PLAIN;
    if (p->lost || (!name_follows(p) && !string)) {
        return parse_expected(p, "a name");
    }
    take_name(p, n);
    if (at_op(p, OP_PAREN_OPEN)) {
        n->kid[CTE_COLUMNS] = parse_names(p);
    }
    parse_need_key(p, KEYWORD_AS);
    if (parse_take_key(p, KEYWORD_NOT)) {
        n->flags |= AST_FLAG_NOT;
        parse_need_key(p, KEYWORD_MATERIALIZED);
        n->flags |= AST_FLAG_MATERIALIZED;
    } else if (parse_take_key(p, KEYWORD_MATERIALIZED)) {
        n->flags |= AST_FLAG_MATERIALIZED;
    }
    n->kid[CTE_QUERY] = parse_parened(p, parse_cte_query);
    int after = p->lost ? 0 : cte_tokens(p);
    if (after > 0) {
        n->kid[CTE_AFTER] = parse_n_words(p, after);
    }
    return node_end(p, n);
}

// with -> WITH [RECURSIVE] cte { , cte }
static ast *parse_with(parser *p)
{
    assert(at_key(p, KEYWORD_WITH));
    ast *n = node_begin(p, AST_WITH);
    ast_list ctes = {0};
    parse_skip(p);
    const token *next = peek(p);
    if (at_key(p, KEYWORD_RECURSIVE) && !token_is_key(next, KEYWORD_AS)
        && !token_is_op(next, OP_PAREN_OPEN)) {
        parse_skip(p);
        n->flags |= AST_FLAG_RECURSIVE;
    }
    do {
        if (ctes.first && query_follows(p)) {
            break;
        }
        list_add(&ctes, parse_cte(p));
    } while (parse_take_op(p, OP_COMMA));
    n->kid[WITH_CTES] = ctes.first;
    return node_end(p, n);
}

// item -> expr [[AS] name]
ast *parse_item(parser *p)
{
    ast *expr = parse_expr(p);
    bool as = parse_take_key(p, KEYWORD_AS);
    if (p->lost || (!as && !alias_follows(p))) {
        return expr;
    }
    bool any_word =
        dialect_follows_postgres(p->dialect) || p->dialect == DIALECT_SNOWFLAKE;
    bool string = p->at->kind == TOKEN_STRING;
    bool word =
        any_word && p->at->kind == TOKEN_KEYWORD && !at_key(p, KEYWORD_FROM);
    if (as && !name_follows(p) && !string && !word) {
        return parse_expected(p, "a name");
    }
    ast *n = node_around(p, AST_ALIAS, ALIAS_EXPR, expr);
    take_name(p, n);
    return node_end(p, n);
}

// items -> [item { , item }]; PostgreSQL alone allows none
static ast *parse_items(parser *p)
{
    return p->dialect == DIALECT_POSTGRES && parse_list_ends(p)
               ? parse_n_words(p, 0)
               : parse_trailed_list(p, parse_item);
}

// top -> TOP (number | ( expr )) [PERCENT] [WITH TIES]
static ast *parse_top(parser *p)
{
    assert(at_key(p, KEYWORD_TOP));
    ast *n = node_begin(p, AST_LIMIT);
    n->form = LIMIT_FORM_TOP;
    parse_skip(p);
    n->kid[LIMIT_COUNT] = parse_operand(p);
    if (parse_take_key(p, KEYWORD_PERCENT)) {
        n->flags |= AST_FLAG_PERCENT;
    }
    if (parse_take_keys(p, KEYWORD_WITH, KEYWORD_TIES)) {
        n->flags |= AST_FLAG_TIES;
    }
    return node_end(p, n);
}

static bool top_follows(const parser *p)
{
    token_kind next = peek(p)->kind;
    bool counts = next == TOKEN_NUMBER || next == TOKEN_PARAMETER;
    bool parens = token_is_op(peek(p), OP_PAREN_OPEN);
    return at_key(p, KEYWORD_TOP)
           && (counts || (parens && p->at->kind == TOKEN_KEYWORD));
}

// [ALL | DISTINCT [ON ( exprs )]] with modifiers of MySQL, [TOP ...]
// [AS STRUCT]
static void parse_quantity(parser *p, ast *n)
{
    parse_modifiers(p, n);
    if (parse_take_key(p, KEYWORD_DISTINCT)
        || (p->dialect == DIALECT_MYSQL
            && parse_take_key(p, KEYWORD_DISTINCTROW))) {
        n->flags |= AST_FLAG_DISTINCT;
        if (at_key(p, KEYWORD_ON) && token_is_op(peek(p), OP_PAREN_OPEN)) {
            parse_skip(p);
            n->kid[SELECT_ON] = parse_paren_list(p, parse_expr);
        }
    } else if (parse_take_key(p, KEYWORD_ALL)) {
        n->flags |= AST_FLAG_ALL;
    }
    parse_modifiers(p, n);
    if (!p->lost && top_follows(p)) {
        n->kid[SELECT_TOP] = parse_top(p);
    }
    if (parse_take_keys(p, KEYWORD_AS, KEYWORD_STRUCT)) {
        n->flags |= AST_FLAG_WORD;
    }
}

// Which grouping of several stands here, or -1. MySQL and SQLite have none:
// what looks so is a call.
static int grouping_form(const parser *p)
{
    const token *next = peek(p);
    bool sets = at_key(p, KEYWORD_GROUPING) && token_is_key(next, KEYWORD_SETS);
    bool opens = token_is_op(next, OP_PAREN_OPEN) && p->dialect != DIALECT_MYSQL
                 && p->dialect != DIALECT_SQLITE;
    return sets                                 ? GROUPING_FORM_SETS
           : opens && at_key(p, KEYWORD_ROLLUP) ? GROUPING_FORM_ROLLUP
           : opens && at_word(p, "cube")        ? GROUPING_FORM_CUBE
                                                : -1;
}

// grouping -> (GROUPING SETS | ROLLUP | CUBE) ( grouping { , grouping } )
//             | expr
static ast *parse_grouping(parser *p)
{
    if (at_key(p, KEYWORD_ALL)) {
        ast *all = node_begin(p, AST_WORD);
        take_typed(p, all);
        return node_end(p, all);
    }
    int form = grouping_form(p);
    if (form < 0) {
        return parse_expr(p);
    }
    ast *n = node_begin(p, AST_GROUPING);
    n->form = (uint8_t)form;
    p->at += form == GROUPING_FORM_SETS ? 2 : 1;
    parse_need_op(p, OP_PAREN_OPEN);
    int height;
    parse_enter(p, &height);
    n->kid[GROUPING_SETS] = parse_list(p, parse_grouping);
    parse_leave(p, height);
    parse_need_op(p, OP_PAREN_CLOSE);
    return node_end(p, n);
}

// group -> GROUP BY [ALL | DISTINCT] grouping { , grouping } [WITH ROLLUP]
static void parse_group(parser *p, ast *n)
{
    parse_need_key(p, KEYWORD_BY);
    ast *distinct = node_begin(p, AST_GROUPING);
    distinct->form = GROUPING_FORM_DISTINCT;
    bool all = dialect_follows_postgres(p->dialect) && at_key(p, KEYWORD_ALL);
    if (all && (peek(p)->kind == TOKEN_NAME || token_is_name(peek(p)))) {
        parse_skip(p);  // what is so without the word
    }
    if (dialect_follows_postgres(p->dialect)
        && parse_take_key(p, KEYWORD_DISTINCT)) {
        distinct->kid[GROUPING_SETS] = parse_trailed_list(p, parse_grouping);
        n->kid[SELECT_GROUP] = node_end(p, distinct);
    } else {
        n->kid[SELECT_GROUP] = parse_trailed_list(p, parse_grouping);
    }
    if (parse_take_keys(p, KEYWORD_WITH, KEYWORD_ROLLUP)) {
        n->flags |= AST_FLAG_ROLLUP;
    }
}

// named_window -> name AS window
static ast *parse_named_window(parser *p)
{
    ast *name = parse_name(p);
    parse_need_key(p, KEYWORD_AS);
    ast *n = parse_window(p);
    n->text = name->text;
    n->form = name->form;
    n->pos = name->pos;
    return node_end(p, n);
}

static bool windows_follow(const parser *p)
{
    return at_key(p, KEYWORD_WINDOW) && peek(p)->kind != TOKEN_END
           && token_is_key(p->at + 2, KEYWORD_AS);
}

// select -> SELECT [quantity] items [FROM joins] [WHERE expr] [GROUP BY ...]
//           [HAVING expr] [WINDOW ...] [QUALIFY expr]
static ast *parse_select(parser *p)
{
    assert(at_key(p, KEYWORD_SELECT));
    ast *n = node_begin(p, AST_SELECT);
    parse_skip(p);
    parse_quantity(p, n);
    n->kid[SELECT_ITEMS] = parse_items(p);
    parse_end_clause(p, NEXT_ITEM);
    n->kid[SELECT_FROM] =
        parse_clause(p, KEYWORD_FROM, parse_from, "a join or the next clause");
    n->kid[SELECT_WHERE] =
        parse_clause(p, KEYWORD_WHERE, parse_expr, NEXT_TERM);
    if (parse_take_key(p, KEYWORD_GROUP)) {
        parse_group(p, n);
        parse_end_clause(p, NEXT_ITEM);
    }
    n->kid[SELECT_HAVING] =
        parse_clause(p, KEYWORD_HAVING, parse_expr, NEXT_TERM);
    if (windows_follow(p)) {
        parse_skip(p);
        n->kid[SELECT_WINDOWS] = parse_list(p, parse_named_window);
        parse_end_clause(p, NULL);
    }
    n->kid[SELECT_QUALIFY] =
        parse_clause(p, KEYWORD_QUALIFY, parse_expr, NEXT_TERM);
    return node_end(p, n);
}

static ast *parse_row(parser *p)
{
    ast *row = node_begin(p, AST_ROW);
    parse_take_key(p, KEYWORD_ROW);
    row->kid[ROW_ITEMS] = parse_parened(p, parse_exprs_or_none);
    return node_end(p, row);
}

// values -> VALUES row { , row }
static ast *parse_values(parser *p)
{
    assert(at_key(p, KEYWORD_VALUES));
    ast *n = node_begin(p, AST_VALUES);
    parse_skip(p);
    n->kid[VALUES_ROWS] = parse_list(p, parse_row);
    parse_end_clause(p, NULL);
    return node_end(p, n);
}

static bool table_query_follows(const parser *p)
{
    return at_key(p, KEYWORD_TABLE)
           && (peek(p)->kind == TOKEN_NAME || peek(p)->kind == TOKEN_WORD
               || peek(p)->kind == TOKEN_QUOTED_NAME
               || token_is_key(peek(p), KEYWORD_ONLY));
}

// table_query -> TABLE name, the same as SELECT * FROM name
static ast *parse_table_query(parser *p)
{
    assert(table_query_follows(p));
    ast *n = node_begin(p, AST_SELECT);
    n->kid[SELECT_ITEMS] = node_begin(p, AST_STAR);
    parse_skip(p);
    n->kid[SELECT_FROM] = parse_source(p);
    parse_end_clause(p, NULL);
    return node_end(p, n);
}

// term -> select | values | table_query | ( query )
static ast *parse_term(parser *p)
{
    if (at_key(p, KEYWORD_SELECT)) {
        return parse_select(p);
    }
    if (at_key(p, KEYWORD_VALUES)) {
        return parse_values(p);
    }
    if (table_query_follows(p)) {
        return parse_table_query(p);
    }
    if (p->dialect == DIALECT_BIGQUERY && at_key(p, KEYWORD_FROM)) {
        return parse_refuse_pipe(p);
    }
    return at_op(p, OP_PAREN_OPEN)
               ? parse_parened(p, parse_query)
               : parse_expected(p, "SELECT, WITH or VALUES");
}

enum {
    SET_LOW = 1,   // UNION, EXCEPT
    SET_HIGH = 2,  // INTERSECT, where it binds more tightly
};

static int set_form(const parser *p, int *priority)
{
    bool tight = at_key(p, KEYWORD_INTERSECT) && p->dialect != DIALECT_SQLITE;
    *priority = tight ? SET_HIGH : SET_LOW;
    const token *next = peek(p);
    bool minus = at_key(p, KEYWORD_MINUS)
                 && (token_is_key(next, KEYWORD_SELECT)
                     || token_is_op(next, OP_PAREN_OPEN));
    return at_key(p, KEYWORD_UNION)       ? SETOP_FORM_UNION
           : at_key(p, KEYWORD_INTERSECT) ? SETOP_FORM_INTERSECT
           : at_key(p, KEYWORD_EXCEPT)    ? SETOP_FORM_EXCEPT
           : minus                        ? SETOP_FORM_MINUS
                                          : -1;
}

// (UNION | INTERSECT | EXCEPT) [ALL | DISTINCT]
static void take_set_words(parser *p, ast *n)
{
    assert(n->kind == AST_SETOP);
    parse_skip(p);
    if (parse_take_key(p, KEYWORD_ALL)) {
        n->flags |= AST_FLAG_ALL;
    } else if (parse_take_key(p, KEYWORD_DISTINCT)) {
        n->flags |= AST_FLAG_DISTINCT;
    }
}

static ast *parse_set_after(parser *p, ast *left, int lowest)
{
    for (;;) {
        int priority;
        int form = set_form(p, &priority);
        if (p->lost || form < 0 || priority < lowest || !parse_grow(p)) {
            return left;
        }
        ast *n = node_around(p, AST_SETOP, SETOP_LEFT, left);
        n->form = (uint8_t)form;
        take_set_words(p, n);
        n->kid[SETOP_RIGHT] = parse_set(p, priority + 1);
        left = node_end(p, n);
    }
}

// set -> term { (UNION | INTERSECT | EXCEPT) [ALL | DISTINCT] term }
static ast *parse_set(parser *p, int lowest)
{
    ast *left = parse_term(p);
    return left->kind == AST_ERROR ? left : parse_set_after(p, left, lowest);
}

static bool has_tail(ast *query)
{
    assert(ast_is_query(query));
    return *ast_query_part(query, QUERY_WITH)
           || *ast_query_part(query, QUERY_ORDER)
           || *ast_query_part(query, QUERY_LIMIT)
           || (query->kind == AST_SELECT && query->kid[SELECT_LOCK]);
}

static bool lock_follows(const parser *p)
{
    return at_key(p, KEYWORD_FOR)
           || (at_key(p, KEYWORD_LOCK) && token_is_key(peek(p), KEYWORD_IN))
           || (at_word(p, "option") && token_is_op(peek(p), OP_PAREN_OPEN));
}

static bool tail_follows(const parser *p)
{
    return at_key(p, KEYWORD_ORDER) || at_key(p, KEYWORD_LIMIT)
           || at_key(p, KEYWORD_OFFSET) || at_key(p, KEYWORD_FETCH)
           || lock_follows(p);
}

// What was in parentheses with a tail of its own stays whole inside a NESTED,
// and so does what can have none (invariant 1).
static ast *open_query(parser *p, ast *query)
{
    if (ast_is_query(query) && !has_tail(query)) {
        return query;
    }
    return node_around(p, AST_NESTED, NESTED_BODY, query);
}

// tail -> [ORDER BY ...] [LIMIT ...] [FOR words]
static ast *parse_tail(parser *p, ast *query)
{
    assert(ast_is_query(query));
    if (!p->lost && at_key(p, KEYWORD_ORDER)) {
        *ast_query_part(query, QUERY_ORDER) = parse_order(p);
        parse_end_clause(p, NEXT_ITEM);
    }
    *ast_query_part(query, QUERY_LIMIT) = parse_limit(p);
    parse_end_clause(p, NULL);
    bool lock = lock_follows(p) && query->kind == AST_SELECT;
    if (!p->lost && lock) {
        query->kid[SELECT_LOCK] = parse_words(p);
    }
    return node_end(p, query);
}

ast *parse_query_after(parser *p, ast *left)
{
    ast *query = parse_set_after(p, left, SET_LOW);
    return tail_follows(p) ? parse_tail(p, open_query(p, query)) : query;
}

// branch -> query (UNION | ...) query, where the left one has its own ORDER BY
// but no parentheses, as some planners write: then the right one has its own,
// too. PostgreSQL itself refuses it.
static ast *parse_branch(parser *p, ast *left)
{
    int priority;
    int form = set_form(p, &priority);
    if (p->lost || form < 0 || !dialect_follows_postgres(p->dialect)
        || !parse_grow(p)) {
        return left;
    }
    ast *n = node_around(p, AST_SETOP, SETOP_LEFT, left);
    n->form = (uint8_t)form;
    take_set_words(p, n);
    n->kid[SETOP_RIGHT] = parse_query(p);
    return node_end(p, n);
}

// query -> [with] set tail
ast *parse_query(parser *p)
{
    int height;
    int32_t pos = p->at->pos;
    ast *with = NULL;
    if (parse_enter(p, &height) && at_key(p, KEYWORD_WITH)) {
        with = parse_with(p);
        parse_recover(p, KEYWORD_SELECT);
    }
    if (with && !p->lost && dml_follows(p)) {
        ast *dml = parse_dml(p);
        dml->pos = pos;
        dml->kid[INSERT_WITH] = with;  // the first child of all three
        parse_leave(p, height);
        return node_end(p, dml);
    }
    ast *query = p->lost ? parse_expected(p, "a query") : parse_set(p, SET_LOW);
    bool more = with || tail_follows(p);
    if (query->kind != AST_ERROR && more) {
        query = open_query(p, query);
        *ast_query_part(query, QUERY_WITH) = with;
        query->pos = with ? pos : query->pos;
        query = parse_branch(p, parse_tail(p, query));
    }
    parse_leave(p, height);
    return query;
}
