/*
 * print_dml.c - INSERT, UPDATE and DELETE.
 *
 * Method      As print.c: one walk for both layouts. Only a list of names in
 *             parentheses is filled, as many on each line as fit; a CREATE or a
 *             query has one item to a line.
 */
#include "sql/print_internal.h"

#include <assert.h>

static void print_assign(printer *p, const ast *n)
{
    print_comments(p, n);
    if (n->kind == AST_ASSIGN) {
        print_expr(p, n->kid[ASSIGN_TARGET], 0);
        print_text(p, " = ");
        print_expr(p, n->kid[ASSIGN_VALUE], 1);
    }
}

static void print_assigns(printer *p, const ast *list)
{
    p->indent += PRINT_STEP;
    print_lines(p, list, print_assign);
    p->indent -= PRINT_STEP;
}

static void print_how(printer *p, const ast *n)
{
    print_given(p, " ", n->text.len > 0 ? n : NULL, print_verbatim, "");
    buf_char(p->out, ' ');
}

static void print_one_name(printer *p, const ast *n)
{
    print_text(p, "(, ");  // what else stands on its line
    print_name(p, n);
}

// Names in parentheses, as many on each line as there is room for.
static void print_columns(printer *p, const ast *names)
{
    buf_char(p->out, '(');
    p->indent += PRINT_STEP;
    for (const ast *n = names; n; n = n->next) {
        if (n != names && print_fits(p, n, print_one_name)) {
            print_text(p, ", ");
        } else if (n != names) {
            buf_char(p->out, ',');
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print_name(p, n);
    }
    p->indent -= PRINT_STEP;
    buf_char(p->out, ')');
}

static void print_conflict(printer *p, const ast *n)
{
    assert(n->kind == AST_CONFLICT);
    if (n->form == CONFLICT_FORM_DUPLICATE) {
        print_text(p, "ON DUPLICATE KEY UPDATE ");
        print_assigns(p, n->kid[CONFLICT_SET]);
        return;
    }
    print_text(p, "ON CONFLICT ");
    print_given(p, "(", n->kid[CONFLICT_TARGET], print_exprs, ") ");
    print_given(p, "WHERE ", n->kid[CONFLICT_TARGET_WHERE], print_operand, " ");
    print_given(p, "ON CONSTRAINT ", n->kid[CONFLICT_NAME], print_name, " ");
    buf_add(p->out, ast_form_word(AST_CONFLICT, n->form));
    print_given(p, " ", n->kid[CONFLICT_SET], print_assigns, "");
    print_after_break(p, "WHERE ", n->kid[CONFLICT_WHERE], print_condition);
}

static void print_insert(printer *p, const ast *n)
{
    buf_add(p->out, ast_form_word(AST_INSERT, n->form));
    print_how(p, n);
    print_text(p, "INTO ");
    print_source(p, n->kid[INSERT_TABLE]);
    print_given(p, " ", n->kid[INSERT_COLUMNS], print_columns, "");
    if (n->kid[INSERT_SET]) {
        print_after_break(p, "SET ", n->kid[INSERT_SET], print_assigns);
    } else if (n->kid[INSERT_QUERY]) {
        print_break_before(p, n->kid[INSERT_QUERY], PRINT_BEFORE_ITEM);
        print_query(p, n->kid[INSERT_QUERY]);
    } else {
        print_break(p);
        print_text(p, "DEFAULT VALUES");
    }
    for (const ast *c = n->kid[INSERT_CONFLICT]; c; c = c->next) {
        print_break_before(p, c, PRINT_BEFORE_ITEM);
        print_conflict(p, c);
    }
    print_clause(p, "RETURNING ", n->kid[INSERT_RETURNING]);
}

static void print_update(printer *p, const ast *n)
{
    print_text(p, "UPDATE");
    print_how(p, n);
    print_from(p, n->kid[UPDATE_TABLE]);
    print_after_break(p, "SET ", n->kid[UPDATE_SET], print_assigns);
    print_after_break(p, "FROM ", n->kid[UPDATE_FROM], print_from);
    print_after_break(p, "WHERE ", n->kid[UPDATE_WHERE], print_condition);
    print_clause(p, "RETURNING ", n->kid[UPDATE_RETURNING]);
    print_tail(p, n->kid[UPDATE_ORDER], n->kid[UPDATE_LIMIT]);
}

static void print_delete(printer *p, const ast *n)
{
    print_text(p, "DELETE");
    print_how(p, n);
    const ast *from = n->kid[DELETE_FROM];
    for (const ast *t = n->kid[DELETE_TARGETS]; t; t = t->next) {
        print_source(p, t);
        print_text(p, t->next ? ", " : "");
    }
    if (n->kid[DELETE_TARGETS]) {
        print_after_break(p, "FROM ", from, print_from);
    } else {
        print_given(p, "FROM ", from, print_from, "");
    }
    print_after_break(p, "USING ", n->kid[DELETE_USING], print_from);
    print_after_break(p, "WHERE ", n->kid[DELETE_WHERE], print_condition);
    print_clause(p, "RETURNING ", n->kid[DELETE_RETURNING]);
    print_tail(p, n->kid[DELETE_ORDER], n->kid[DELETE_LIMIT]);
}

void print_dml(printer *p, const ast *n)
{
    assert(n->kind == AST_INSERT || n->kind == AST_UPDATE
           || n->kind == AST_DELETE);
    const ast *with = n->kid[INSERT_WITH];  // the first child of all three
    if (with) {
        print_with(p, with);
        print_break(p);
    }
    switch ((int)n->kind) {
    case AST_INSERT: print_insert(p, n); break;
    case AST_UPDATE: print_update(p, n); break;
    default: print_delete(p, n); break;
    }
}
