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

static void print_words(printer *p, const ast *words)
{
    print_given(p, " ", words, print_verbatim, "");
}

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

static void print_rule_body(printer *p, const ast *n)
{
    const ast *expr = n->kid[CONSTRAINT_EXPR];
    switch (n->form) {
    case CONSTRAINT_FORM_CHECK:
    case CONSTRAINT_FORM_GENERATED:
        print_given(p, " (", expr, print_exprs, ")");
        break;
    case CONSTRAINT_FORM_DEFAULT:
        print_given(p, " ", expr, print_default, "");
        break;
    case CONSTRAINT_FORM_COLLATE:
        print_given(p, " ", expr, print_exprs, "");
        break;
    default:
        print_given(p, " (", n->kid[CONSTRAINT_COLUMNS], print_exprs, ")");
        break;
    }
}

static void print_references(printer *p, const ast *n)
{
    assert(n->kid[CONSTRAINT_PARENT]);
    const ast *parent = n->kid[CONSTRAINT_PARENT];
    print_text(p, n->kid[CONSTRAINT_COLUMNS] ? " REFERENCES " : "REFERENCES ");
    print_path(p, parent->kid[TABLE_PATH], parent);
    print_given(p, " ", n->kid[CONSTRAINT_TARGETS], print_names, "");
}

static void print_rule(printer *p, const ast *n)
{
    if (n->kind != AST_CONSTRAINT) {
        return;
    }
    bool is_alone =
        n->form == CONSTRAINT_FORM_FOREIGN && !n->kid[CONSTRAINT_COLUMNS];
    if (!is_alone) {
        buf_add(p->out, ast_form_word(AST_CONSTRAINT, n->form));
        print_rule_body(p, n);
    }
    if (n->form == CONSTRAINT_FORM_FOREIGN && n->kid[CONSTRAINT_PARENT]) {
        print_references(p, n);
    }
    const ast *after = n->kid[CONSTRAINT_AFTER];
    if (after && n->form == CONSTRAINT_FORM_OTHER) {
        buf_add(p->out, after->text);
    } else {
        print_words(p, after);
    }
}

static void print_item(printer *p, const ast *n)
{
    if (n->kind != AST_COLUMN_DEF) {
        print_rule(p, n);
        return;
    }
    print_name(p, n);
    print_given(p, " ", n->kid[COLUMN_DEF_TYPE], print_type, "");
    for (const ast *r = n->kid[COLUMN_DEF_RULES]; r; r = r->next) {
        buf_char(p->out, ' ');
        print_rule(p, r);
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

static void print_as_query(printer *p, const ast *query)
{
    if (query) {
        print_text(p, " AS");
        print_break(p);
        print_query(p, query);
    }
}

static void print_table(printer *p, const ast *n)
{
    print_text(p, n->flags & AST_FLAG_ALL ? "CREATE OR REPLACE TABLE "
                                          : "CREATE TABLE ");
    print_text(p, n->flags & AST_FLAG_NOT ? "IF NOT EXISTS " : "");
    print_path(p, n->kid[CREATE_TABLE_PATH], n);
    print_given(p, "", n->kid[CREATE_TABLE_ITEMS], print_items, "");
    for (const ast *w = n->kid[CREATE_TABLE_AFTER]; w; w = w->next) {
        print_words(p, w);
        print_text(p, w->next ? "," : "");
    }
    print_as_query(p, n->kid[CREATE_TABLE_QUERY]);
}

static void print_view(printer *p, const ast *n)
{
    print_text(p, "CREATE VIEW ");
    print_text(p, n->flags & AST_FLAG_NOT ? "IF NOT EXISTS " : "");
    print_path(p, n->kid[CREATE_VIEW_PATH], n);
    print_given(p, " ", n->kid[CREATE_VIEW_COLUMNS], print_names, "");
    print_as_query(p, n->kid[CREATE_VIEW_QUERY]);
}

static void print_index(printer *p, const ast *n)
{
    const ast *owner = n->kid[CREATE_INDEX_TABLE];
    print_text(p, n->flags & AST_FLAG_DISTINCT ? "CREATE UNIQUE INDEX "
                                               : "CREATE INDEX ");
    if (n->text.len > 0) {
        print_path(p, n->kid[CREATE_INDEX_PATH], n);
        buf_char(p->out, ' ');
    }
    print_text(p, "ON ");
    print_path(p, owner->kid[TABLE_PATH], owner);
    print_given(p, " (", n->kid[CREATE_INDEX_COLUMNS], print_exprs, ")");
    print_given(p, " WHERE ", n->kid[CREATE_INDEX_WHERE], print_exprs, "");
}

static void print_named_type(printer *p, const ast *n)
{
    print_text(p, "CREATE TYPE ");
    print_path(p, n->kid[CREATE_TYPE_PATH], n);
    print_text(p, " AS ");
    print_exprs(p, n->kid[CREATE_TYPE_TYPE]);
}

static void print_alter(printer *p, const ast *n)
{
    print_text(p, "ALTER TABLE ");
    print_path(p, n->kid[ALTER_TABLE_PATH], n);
    for (const ast *item = n->kid[ALTER_TABLE_ITEMS]; item; item = item->next) {
        bool sets = item->kind == AST_CONSTRAINT
                    && item->form == CONSTRAINT_FORM_NOT_NULL;
        bool is_words =
            item->kind == AST_CONSTRAINT && item->form == CONSTRAINT_FORM_OTHER;
        bool is_unenforced =
            (item->flags & AST_FLAG_NOT) && !item->kid[CONSTRAINT_AFTER];
        print_text(p, is_unenforced ? " WITH NOCHECK" : "");
        print_text(p, sets ? " ALTER COLUMN " : is_words ? " " : " ADD ");
        if (sets) {
            print_exprs(p, item->kid[CONSTRAINT_COLUMNS]);
            print_text(p, " SET NOT NULL");
        } else {
            print_item(p, item);
        }
        print_text(p, item->next ? "," : "");
    }
}

static void print_drop(printer *p, const ast *n)
{
    print_text(p, "DROP TABLE ");
    for (const ast *t = n->kid[DROP_TABLE_NAMES]; t; t = t->next) {
        print_path(p, t->kid[TABLE_PATH], t);
        print_text(p, t->next ? ", " : "");
    }
}

void print_ddl(printer *p, const ast *n)
{
    switch ((int)n->kind) {
    case AST_CREATE_TABLE: print_table(p, n); break;
    case AST_CREATE_VIEW: print_view(p, n); break;
    case AST_CREATE_TYPE: print_named_type(p, n); break;
    case AST_CREATE_INDEX: print_index(p, n); break;
    case AST_ALTER_TABLE: print_alter(p, n); break;
    case AST_DROP_TABLE: print_drop(p, n); break;
    default: print_item(p, n); break;
    }
}
