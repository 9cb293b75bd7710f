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
    static const print_piece pieces[] = {
        {"", ASSIGN_TARGET, .print = print_alone, .after = " = "},
        {"", ASSIGN_VALUE, .print = print_operand},
        {0},
    };
    print_comments(p, n);
    if (n->kind == AST_ASSIGN) {
        print_pieces(p, n, pieces);
    }
}

static void print_assigns(printer *p, const ast *list)
{
    print_indented(p, list, print_assign);
}

static void print_one_name(printer *p, const ast *n)
{
    print_text(p, "(, ");  // what else stands on its line
    print_name(p, n);
}

static void print_columns(printer *p, const ast *names)
{
    buf_char(p->out, '(');
    print_filled(p, names, print_name, print_one_name);
    buf_char(p->out, ')');
}

static void print_conflict(printer *p, const ast *n)
{
    enum {
        DUPLICATE = 1 << CONFLICT_FORM_DUPLICATE,
    };
    static const print_piece pieces[] = {
        {"ON CONFLICT ", .forms = ~DUPLICATE},
        {"(", CONFLICT_TARGET, .print = print_exprs, .after = ") "},
        {"WHERE ", CONFLICT_TARGET_WHERE, .print = print_operand, .after = " "},
        {"ON CONSTRAINT ", CONFLICT_NAME, .print = print_name, .after = " "},
        {"", PRINT_SELF, .print = print_form},
        {" ", CONFLICT_SET, .print = print_assigns},
        {"WHERE ", CONFLICT_WHERE, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {0},
    };
    assert(n->kind == AST_CONFLICT);
    print_pieces(p, n, pieces);
}

static void print_default_row(printer *p, const ast *n)
{
    if (!n->kid[INSERT_SET] && !n->kid[INSERT_QUERY]) {
        print_break(p);
        print_text(p, "DEFAULT VALUES");
    }
}

// What rows are deleted from: on the line of DELETE, unless MySQL's targets
// stand there.
static void print_delete_from(printer *p, const ast *n)
{
    if (p->parent->kid[DELETE_TARGETS]) {
        print_break_before(p, n, PRINT_BEFORE_CLAUSE);
    }
    print_text(p, "FROM ");
    print_from(p, n);
}

static const print_piece *const changes[AST_KIND_COUNT] = {
    [AST_INSERT] = PRINT_PIECES(
        {"", INSERT_WITH, .print = print_with},
        {"", PRINT_SELF, .print = print_form, .lead = PRINT_BREAK},
        {" ", PRINT_TEXT, .print = print_verbatim},
        {.before = " INTO "},
        {"", INSERT_TABLE, .print = print_source},
        {" ", INSERT_COLUMNS, .print = print_columns},
        {"SET ", INSERT_SET, .print = print_assigns, .lead = PRINT_CLAUSE},
        {"", INSERT_QUERY, .print = print_query, .lead = PRINT_ITEM},
        {"", PRINT_SELF, .print = print_default_row},
        {"", INSERT_CONFLICT, .print = print_conflict, .between = "",
         .lead = PRINT_ITEM},
        {"RETURNING ", INSERT_RETURNING, .print = print_broken,
         .lead = PRINT_CLAUSE}),
    [AST_UPDATE] = PRINT_PIECES(
        {"", UPDATE_WITH, .print = print_with},
        {"UPDATE", .lead = PRINT_BREAK},
        {" ", PRINT_TEXT, .print = print_verbatim},
        {" ", UPDATE_TABLE, .print = print_from},
        {"SET ", UPDATE_SET, .print = print_assigns, .lead = PRINT_CLAUSE},
        {"FROM ", UPDATE_FROM, .print = print_from, .lead = PRINT_CLAUSE},
        {"WHERE ", UPDATE_WHERE, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {"RETURNING ", UPDATE_RETURNING, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"ORDER BY ", UPDATE_ORDER, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"", UPDATE_LIMIT, .print = print_bare, .lead = PRINT_ITEM}),
    [AST_DELETE] = PRINT_PIECES(
        {"", DELETE_WITH, .print = print_with},
        {"DELETE", .lead = PRINT_BREAK},
        {" ", PRINT_TEXT, .print = print_verbatim},
        {.before = " "},
        {"", DELETE_TARGETS, .print = print_source, .between = ", "},
        {"", DELETE_FROM, .print = print_delete_from},
        {"USING ", DELETE_USING, .print = print_from, .lead = PRINT_CLAUSE},
        {"WHERE ", DELETE_WHERE, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {"RETURNING ", DELETE_RETURNING, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"ORDER BY ", DELETE_ORDER, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"", DELETE_LIMIT, .print = print_bare, .lead = PRINT_ITEM}),
};

void print_dml(printer *p, const ast *n)
{
    print_shape(p, n, changes);
}
