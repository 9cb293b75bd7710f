/*
 * print_ddl.c - CREATE TABLE, VIEW and INDEX, ALTER TABLE ... ADD.
 *
 * Method      What the parser kept word by word (options, ON DELETE, types of
 *             other systems) is written word by word. The printed statement may
 *             say less than the text did: print_script.c compares the tokens
 *             and keeps the text where it does.
 */
#include "sql/print_internal.h"

#include <assert.h>

// SQLite wants parentheses around anything but a literal.
static void print_default(printer *p, const ast *n)
{
    assert(n);
    switch ((int)n->kind) {
    case AST_NUMBER:
    case AST_STRING:
    case AST_NULL:
    case AST_TRUE:
    case AST_FALSE:
    case AST_WORD:
    case AST_DOUBT:
    case AST_COLUMN:
    case AST_PARAMETER:
    case AST_UNARY: print_expr(p, n, 0); break;
    default: print_paren(p, n, print_exprs); break;
    }
}

static void print_item(printer *p, const ast *n)
{
    if (n->kind == AST_COLUMN_DEF || n->kind == AST_CONSTRAINT) {
        print_ddl(p, n);
    }
}

static void print_items(printer *p, const ast *items)
{
    print_text(p, " (");
    p->indent += PRINT_STEP;
    for (const ast *n = items; n; n = n->next) {
        if (n != items || p->layout == PRINT_PRETTY) {
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print_item(p, n);
        print_text(p, n->next ? "," : "");
    }
    p->indent -= PRINT_STEP;
    if (p->layout == PRINT_PRETTY) {
        print_break(p);
    }
    buf_char(p->out, ')');
}

// A column that is not NULL is changed, what else there is is added.
static void print_change(printer *p, const ast *n)
{
    enum {
        OTHER = 1 << CONSTRAINT_FORM_OTHER,
        NOT_NULL = 1 << CONSTRAINT_FORM_NOT_NULL,
    };
    static const print_piece rule[] = {
        {" ALTER COLUMN ", CONSTRAINT_COLUMNS, .print = print_exprs,
         .after = " SET NOT NULL", .forms = NOT_NULL},
        {" ADD", .forms = ~(OTHER | NOT_NULL)},
        {" ", PRINT_SELF, .print = print_item, .forms = ~NOT_NULL},
        {0},
    };
    static const print_piece column[] = {
        {" ADD ", PRINT_SELF, .print = print_item},
        {0},
    };
    bool is_rule = n->kind == AST_CONSTRAINT;
    bool is_unenforced =
        is_rule && n->flags & AST_FLAG_NOT && !n->kid[CONSTRAINT_AFTER];
    print_text(p, is_unenforced ? " WITH NOCHECK" : "");
    print_pieces(p, n, is_rule ? rule : column);
}

enum {
    CHECKS = 1 << CONSTRAINT_FORM_CHECK | 1 << CONSTRAINT_FORM_GENERATED,
    DEFAULT = 1 << CONSTRAINT_FORM_DEFAULT,
    COLLATE = 1 << CONSTRAINT_FORM_COLLATE,
    FOREIGN = 1 << CONSTRAINT_FORM_FOREIGN,
};

static const print_piece *const statements[AST_KIND_COUNT] = {
    [AST_CREATE_TABLE] = PRINT_PIECES(
        {.before = "CREATE "},
        {"OR REPLACE ", .when = AST_FLAG_ALL},
        {.before = "TABLE "},
        {"IF NOT EXISTS ", .when = AST_FLAG_NOT},
        {"", CREATE_TABLE_PATH, .print = print_path},
        {"", PRINT_SELF, .print = print_name},
        {"", CREATE_TABLE_ITEMS, .print = print_items},
        {" ", CREATE_TABLE_AFTER, .print = print_verbatim, .between = ","},
        {" AS", CREATE_TABLE_QUERY, .print = print_nothing},
        {"", CREATE_TABLE_QUERY, .print = print_query, .lead = PRINT_BREAK}),
    [AST_CREATE_VIEW] = PRINT_PIECES(
        {.before = "CREATE "},
        {"OR REPLACE ", .when = AST_FLAG_ALL},
        {"MATERIALIZED ", .when = AST_FLAG_MATERIALIZED},
        {.before = "VIEW "},
        {"IF NOT EXISTS ", .when = AST_FLAG_NOT},
        {"", CREATE_VIEW_PATH, .print = print_path},
        {"", PRINT_SELF, .print = print_name},
        {" ", CREATE_VIEW_COLUMNS, .print = print_names},
        {" AS", CREATE_VIEW_QUERY, .print = print_nothing},
        {"", CREATE_VIEW_QUERY, .print = print_query, .lead = PRINT_BREAK}),
    [AST_CREATE_TYPE] =
        PRINT_PIECES({.before = "CREATE TYPE "},
                     {"", CREATE_TYPE_PATH, .print = print_path},
                     {"", PRINT_SELF, .print = print_name, .after = " AS "},
                     {"", CREATE_TYPE_TYPE, .print = print_exprs}),
    [AST_CREATE_INDEX] = PRINT_PIECES(
        {.before = "CREATE "},
        {"UNIQUE ", .when = AST_FLAG_DISTINCT},
        {.before = "INDEX "},
        {"", CREATE_INDEX_PATH, .print = print_path},
        {"", PRINT_TEXT, .print = print_name, .after = " "},
        {"ON ", CREATE_INDEX_TABLE, .print = print_table_name},
        {" (", CREATE_INDEX_COLUMNS, .print = print_exprs, .after = ")"},
        {" WHERE ", CREATE_INDEX_WHERE, .print = print_exprs}),
    [AST_ALTER_TABLE] = PRINT_PIECES(
        {.before = "ALTER TABLE "},
        {"", ALTER_TABLE_PATH, .print = print_path},
        {"", PRINT_SELF, .print = print_name},
        {"", ALTER_TABLE_ITEMS, .print = print_change, .between = ","}),
    [AST_DROP_TABLE] = PRINT_PIECES(
        {.before = "DROP TABLE "},
        {"", DROP_TABLE_NAMES, .print = print_table_name, .between = ", "}),
    [AST_COLUMN_DEF] = PRINT_PIECES(
        {"", PRINT_SELF, .print = print_name},
        {" ", COLUMN_DEF_TYPE, .print = print_bare},
        {" ", COLUMN_DEF_RULES, .print = print_item, .between = ""}),
    // Of a column itself FOREIGN KEY is not written.
    [AST_CONSTRAINT] = PRINT_PIECES(
        {"FOREIGN KEY (", CONSTRAINT_COLUMNS, .print = print_exprs,
         .after = ")", .forms = FOREIGN},
        {"", PRINT_SELF, .print = print_form, .forms = ~FOREIGN},
        {" (", CONSTRAINT_EXPR, .print = print_exprs, .after = ")",
         .forms = CHECKS},
        {" ", CONSTRAINT_EXPR, .print = print_default, .forms = DEFAULT},
        {" ", CONSTRAINT_EXPR, .print = print_exprs, .forms = COLLATE},
        {" (", CONSTRAINT_COLUMNS, .print = print_exprs, .after = ")",
         .forms = ~(CHECKS | DEFAULT | COLLATE | FOREIGN)},
        {"REFERENCES ", CONSTRAINT_PARENT, .print = print_table_name,
         .forms = FOREIGN, .lead = PRINT_SPACE},
        {" ", CONSTRAINT_TARGETS, .print = print_names, .forms = FOREIGN},
        {"", CONSTRAINT_AFTER, .print = print_verbatim, .lead = PRINT_SPACE}),
};

void print_ddl(printer *p, const ast *n)
{
    print_shape(p, n, statements);
}
