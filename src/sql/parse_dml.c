/*
 * parse_dml.c - INSERT, UPDATE and DELETE.
 *
 * Why         Nobody runs them here: they are read so that a prediction that
 *             would change data is known as such, and so that `assay fmt` can
 *             lay them out.
 *
 * Method      The words between the verb and the table (OR IGNORE,
 *             LOW_PRIORITY) become the text of the node; everything else is
 *             made of the rules for queries.
 */
#include "sql/parse_internal.h"

#include <assert.h>

bool dml_follows(const parser *p)
{
    const token *next = peek(p);
    bool goes_on = token_is_word(*next) || next->kind == TOKEN_QUOTED_NAME
                   || next->kind == TOKEN_STRING_OR_NAME;
    return goes_on
           && (at_key(p, KEYWORD_INSERT) || at_key(p, KEYWORD_UPDATE)
               || at_key(p, KEYWORD_DELETE) || at_key(p, KEYWORD_REPLACE));
}

// Words between the verb and the table: OR IGNORE, LOW_PRIORITY, ...
static str parse_how(parser *p)
{
    const token *t = p->at;
    if (token_is_key(t, KEYWORD_OR)) {
        t += 2;
    }
    parser ahead = *p;
    for (ahead.at = t; ahead.at->kind != TOKEN_END; ahead.at++) {
        bool how = at_key(&ahead, KEYWORD_IGNORE) || at_word(&ahead, "quick")
                   || at_word(&ahead, "low_priority")
                   || at_word(&ahead, "high_priority")
                   || at_word(&ahead, "delayed");
        if (!how || token_is_op(ahead.at + 1, OP_DOT)) {
            break;
        }
    }
    int n = (int)(ahead.at - p->at);
    return n > 0 ? parse_n_words(p, n)->text : S("");
}

// target -> name { . name } [AS name]
static ast *parse_target(parser *p)
{
    ast *n = node_begin(p, AST_TABLE);
    ast_list path = {0};
    while (!p->lost && token_is_op(peek(p), OP_DOT)) {
        list_add(&path, parse_name(p));
        parse_need_op(p, OP_DOT);
    }
    if (p->lost || (!name_follows(p) && p->at->kind != TOKEN_STRING)) {
        return parse_expected(p, "the name of a table");
    }
    take_name(p, n);
    n->kid[TABLE_PATH] = path.first;
    node_end(p, n);
    if (!parse_take_key(p, KEYWORD_AS)) {
        return n;
    }
    ast *alias = node_around(p, AST_ALIAS, ALIAS_EXPR, n);
    ast *name = parse_name(p);
    alias->text = name->text;
    alias->form = name->form;
    return node_end(p, alias);
}

// assign -> column = expr | ( column { , column } ) = expr
static ast *parse_assign(parser *p)
{
    ast *n = node_begin(p, AST_ASSIGN);
    n->kid[ASSIGN_TARGET] = parse_operand(p);
    parse_need_op(p, OP_EQUAL);
    n->kid[ASSIGN_VALUE] = parse_expr(p);
    return node_end(p, n);
}

static ast *parse_where(parser *p)
{
    return parse_clause(p, KEYWORD_WHERE, parse_expr, NULL);
}

static ast *parse_returned(parser *p)
{
    return parse_list(p, parse_item);
}

// returning -> RETURNING item { , item }
static ast *parse_returning(parser *p)
{
    return parse_clause(p, KEYWORD_RETURNING, parse_returned, NULL);
}

// target -> ( expr { , expr } ) [WHERE expr] | ON CONSTRAINT name
static void parse_conflict_target(parser *p, ast *n)
{
    if (parse_take_op(p, OP_PAREN_OPEN)) {
        n->kid[CONFLICT_TARGET] = parse_exprs(p);
        parse_need_op(p, OP_PAREN_CLOSE);
        n->kid[CONFLICT_TARGET_WHERE] = parse_where(p);
    } else if (parse_take_key(p, KEYWORD_ON)) {
        parse_need_key(p, KEYWORD_CONSTRAINT);
        n->kid[CONFLICT_NAME] = parse_name(p);
    }
}

// conflict -> ON CONFLICT [target] DO (NOTHING | UPDATE SET assigns [WHERE])
//             | ON DUPLICATE KEY UPDATE assigns
static ast *parse_conflict(parser *p)
{
    ast *n = node_begin(p, AST_CONFLICT);
    parse_need_key(p, KEYWORD_ON);
    if (parse_take_word(p, "duplicate")) {
        n->form = CONFLICT_FORM_DUPLICATE;
        parse_need_key(p, KEYWORD_KEY);
        parse_need_key(p, KEYWORD_UPDATE);
        n->kid[CONFLICT_SET] = parse_list(p, parse_assign);
        return node_end(p, n);
    }
    parse_need_key(p, KEYWORD_CONFLICT);
    parse_conflict_target(p, n);
    parse_need_key(p, KEYWORD_DO);
    if (parse_take_key(p, KEYWORD_NOTHING)) {
        return node_end(p, n);
    }
    n->form = CONFLICT_FORM_UPDATE;
    parse_need_key(p, KEYWORD_UPDATE);
    parse_need_key(p, KEYWORD_SET);
    n->kid[CONFLICT_SET] = parse_list(p, parse_assign);
    n->kid[CONFLICT_WHERE] = parse_where(p);
    return node_end(p, n);
}

// rows -> query | SET assigns | DEFAULT VALUES
static void parse_insert_rows(parser *p, ast *n)
{
    if (parse_take_key(p, KEYWORD_SET)) {
        n->kid[INSERT_SET] = parse_list(p, parse_assign);
    } else if (at_key(p, KEYWORD_DEFAULT)
               && token_is_key(peek(p), KEYWORD_VALUES)) {
        parse_skip(p);
        parse_skip(p);
    } else {
        n->kid[INSERT_QUERY] = parse_query(p);
    }
    parse_end_clause(p, NULL);
}

// insert -> (INSERT | REPLACE) [how] [INTO] table [( names )] rows
//           { conflict } [returning]
static void parse_insert(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_INSERT) || at_key(p, KEYWORD_REPLACE));
    n->form =
        at_key(p, KEYWORD_REPLACE) ? INSERT_FORM_REPLACE : INSERT_FORM_INSERT;
    parse_skip(p);
    n->text = parse_how(p);
    parse_take_key(p, KEYWORD_INTO);
    n->kid[INSERT_TABLE] = parse_target(p);
    const token *next = peek(p);
    bool query = token_is_key(next, KEYWORD_SELECT)
                 || token_is_key(next, KEYWORD_WITH)
                 || token_is_op(next, OP_PAREN_OPEN);
    if (!p->lost && at_op(p, OP_PAREN_OPEN) && !query) {
        n->kid[INSERT_COLUMNS] = parse_names(p);
    }
    parse_end_clause(p, NULL);
    parse_insert_rows(p, n);
    ast_list conflicts = {0};
    while (!p->lost && at_key(p, KEYWORD_ON)) {
        list_add(&conflicts, parse_conflict(p));
    }
    n->kid[INSERT_CONFLICT] = conflicts.first;
    n->kid[INSERT_RETURNING] = parse_returning(p);
}

// order_limit -> [ORDER BY ...] [LIMIT ...]
static void parse_order_limit(parser *p, ast **order, ast **limit)
{
    if (!p->lost && at_key(p, KEYWORD_ORDER)) {
        *order = parse_order(p);
        parse_end_clause(p, NULL);
    }
    *limit = parse_limit(p);
    parse_end_clause(p, NULL);
}

// update -> UPDATE [how] joins SET assigns [FROM joins] [WHERE expr]
//           [returning] [order_limit]
static void parse_update(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_UPDATE));
    parse_skip(p);
    n->text = parse_how(p);
    n->kid[UPDATE_TABLE] = parse_from(p);
    parse_end_clause(p, NULL);
    parse_need_key(p, KEYWORD_SET);
    n->kid[UPDATE_SET] = parse_list(p, parse_assign);
    parse_end_clause(p, NULL);
    n->kid[UPDATE_FROM] = parse_clause(p, KEYWORD_FROM, parse_from, NULL);
    n->kid[UPDATE_WHERE] = parse_where(p);
    n->kid[UPDATE_RETURNING] = parse_returning(p);
    parse_order_limit(p, &n->kid[UPDATE_ORDER], &n->kid[UPDATE_LIMIT]);
}

// targets -> table { , table } before FROM
static void parse_delete_targets(parser *p, ast *n)
{
    ast *list = parse_list(p, parse_source);
    bool more = at_key(p, KEYWORD_FROM);
    n->kid[more || list->next ? DELETE_TARGETS : DELETE_FROM] = list;
}

// delete -> DELETE [how] [targets] [FROM] joins [USING joins] [WHERE expr]
//           [returning] [order_limit]
static void parse_delete(parser *p, ast *n)
{
    assert(at_key(p, KEYWORD_DELETE));
    parse_skip(p);
    n->text = parse_how(p);
    if (!at_key(p, KEYWORD_FROM)) {
        parse_delete_targets(p, n);
        parse_end_clause(p, NULL);
    }
    if (parse_take_key(p, KEYWORD_FROM)) {
        n->kid[DELETE_FROM] = parse_from(p);
        parse_end_clause(p, NULL);
    }
    n->kid[DELETE_USING] = parse_clause(p, KEYWORD_USING, parse_from, NULL);
    n->kid[DELETE_WHERE] = parse_where(p);
    n->kid[DELETE_RETURNING] = parse_returning(p);
    parse_order_limit(p, &n->kid[DELETE_ORDER], &n->kid[DELETE_LIMIT]);
}

// dml -> insert | update | delete
ast *parse_dml(parser *p)
{
    assert(dml_follows(p));
    ast *n;
    int height;
    parse_enter(p, &height);
    if (at_key(p, KEYWORD_UPDATE)) {
        n = node_begin(p, AST_UPDATE);
        parse_update(p, n);
    } else if (at_key(p, KEYWORD_DELETE)) {
        n = node_begin(p, AST_DELETE);
        parse_delete(p, n);
    } else {
        n = node_begin(p, AST_INSERT);
        parse_insert(p, n);
    }
    parse_leave(p, height);
    return node_end(p, n);
}
