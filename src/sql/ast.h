/*
 * ast.h - a tree of SQL: one kind of struct for every kind of node.
 *
 * What a node consists of is a row of ast.def; its children are found by the
 * constants made from there:
 *
 *     if (n->kind == AST_SELECT && n->kid[SELECT_WHERE]) ...
 *
 * A child that is a list is its first node; `next` leads on. Nodes that are
 * not in a list have no next. Absent children are NULL.
 *
 * Invariants  (1) pos and len are the bytes of the text the node was read
 *                 from, parentheses around it not counted; a node made by
 *                 hand has len 0.
 *             (2) A tree is at most AST_MAX_HEIGHT high, so that walking it
 *                 by recursion is safe; lists do not count.
 *             (3) Parentheses, comments and white space are not in the tree.
 */
#ifndef ASSAY_SQL_AST_H
#define ASSAY_SQL_AST_H

#include "base/buf.h"

typedef enum ast_kind {
#define NODE(kind, word, text) AST_##kind,
#include "sql/ast.def"
    AST_KIND_COUNT,
} ast_kind;

// SELECT_WITH = 0, SELECT_ON = 1, ...: each kind counts from 0.
enum {
#define NODE(kind, word, text)         BEFORE_##kind = -1,
#define FIELD(kind, name, label, many) kind##_##name,
#include "sql/ast.def"
};

// JOIN_FORM_INNER = 0, ...: each kind counts from 0.
enum {
#define NODE(kind, word, text) FORM_BEFORE_##kind = -1,
#define FORM(kind, name, word) kind##_FORM_##name,
#include "sql/ast.def"
};

enum {
#define FLAG(name, word) AST_BIT_##name,
#include "sql/ast.def"
#define FLAG(name, word) AST_FLAG_##name = 1 << AST_BIT_##name,
#include "sql/ast.def"
    AST_MAX_HEIGHT = 2000,
};

// The form of a BINARY or UNARY.
typedef enum sql_operator {
    OPERATOR_NONE,
#define SIGN(constant, text, op, lite, pg, my, bq, ts)      OPERATOR_##constant,
#define VERB(constant, text, keyword, lite, pg, my, bq, ts) OPERATOR_##constant,
#define PREFIX(constant, text, lite, pg, my, bq, ts)        OPERATOR_##constant,
#define POSTFIX(constant, lite, pg, my, bq, ts)             OPERATOR_##constant,
#include "sql/operator.def"
    OPERATOR_COUNT,
} sql_operator;

// The form of a node whose text is a name.
typedef enum name_quote {
    QUOTE_NONE,
    QUOTE_DOUBLE,    // "x"
    QUOTE_BACK,      // `x`
    QUOTE_BRACKET,   // [x]
    QUOTE_SINGLE,    // 'x', where SQLite takes a string for a name
    QUOTE_AS_TYPED,  // the text holds its quotes: U&"x"
} name_quote;

typedef struct ast {
    uint8_t kind;  // ast_kind
    uint8_t form;  // what it means depends on the kind
    uint16_t flags;
    int32_t pos;
    int32_t len;
    int32_t id;        // its number, once a binding gave it one (schema/bind.h)
    str text;          // of a name without its quotes; borrowed
    struct ast *next;  // in a list
    struct ast *kid[];
} ast;

ast *ast_new(arena *a, ast_kind kind);

str ast_kind_word(ast_kind kind);
int ast_kid_count(ast_kind kind);
str ast_field_word(ast_kind kind, int field);  // "filter"; may be empty
bool ast_has_name(ast_kind kind);  // its text is one, its form a name_quote
str ast_form_word(ast_kind kind, int form);  // "LEFT JOIN"
str operator_text(sql_operator o);

// =, ==, <>, !=, <, <=, > or >=.
bool operator_compares(int o);

// <, <=, >, >=, !< or !>.
bool operator_orders(int o);

// All of these, or IS, IS DISTINCT FROM, <=>, !< or !>?
bool operator_weighs(int o);

// LIKE, ILIKE or GLOB.
bool operator_likes(int o);

typedef enum query_part {
    QUERY_WITH,
    QUERY_ORDER,
    QUERY_LIMIT,
} query_part;

bool ast_is_query(const ast *n);  // SELECT, SETOP, VALUES, NESTED

// Where a query keeps its WITH, ORDER BY or LIMIT.
ast **ast_query_part(ast *query, query_part part);
const ast *ast_query_has(const ast *query, query_part part);  // to be read

int ast_list_len(const ast *first);     // of NULL: 0
const ast *ast_last(const ast *first);  // of a list; of NULL: NULL

// A whole number as it is written, perhaps with a minus before it; false: it is
// none.
bool ast_whole(const ast *n, int64_t *out);

// What stands under an alias, or is sorted by; any other node itself.
const ast *ast_unaliased(const ast *n);

// Is it a call of one of these functions: "min max"? NULL is none.
bool ast_calls(const ast *n, const char *names);

// What a STRING in plain quotes says: it's of 'it''s'; without quotes in it, a
// part of the text. Empty: it is written in another way.
str ast_string(arena *a, const ast *n);

// Calls `visit` for the node and all below, parents first, in the order of the
// text; what lies below a node for which it returns false is left out.
typedef bool ast_visit(void *context, const ast *n);
void ast_walk(const ast *n, ast_visit *visit, void *context);

// The same of a tree that is changed on the way.
typedef void ast_edit(void *context, ast *n);
void ast_each(ast *n, ast_edit *edit, void *context);

// The first of them that passes; NULL: none does.
typedef bool ast_test(const void *about, const ast *n);
const ast *ast_find(const ast *n, ast_test *test, const void *about);

// A copy of the node and all below, without its next. Texts stay borrowed.
ast *ast_copy(arena *a, const ast *n);

// Whether both say the same in the same words; positions do not count, the
// case of letters does.
bool ast_equal(const ast *a, const ast *b);

// The tree as an s-expression, on one line.
void ast_dump(buf *out, const ast *n);

// The same, broken over lines where it is wide.
void ast_dump_pretty(buf *out, const ast *n, arena scratch);

#endif  // ASSAY_SQL_AST_H
