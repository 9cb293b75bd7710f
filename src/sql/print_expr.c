/*
 * print_expr.c - expressions, with parentheses only where they are needed.
 *
 * Method      An operand is put in parentheses when it binds less tightly than
 *             its place asks for, by the table that the parser reads by. An
 *             operator that the dialect lacks binds as in PostgreSQL, so that a
 *             tree of another dialect can be printed.
 *
 * Invariant   print.h's law: what is printed parses to an equal tree.
 *
 * Cost        One line: linear. Pretty: linear times the depth (print.c).
 */
#include "sql/parse.h"
#include "sql/print_internal.h"

#include <assert.h>

enum {
    TIGHTEST = 100,
};

static int operator_binds(const printer *p, sql_operator o)
{
    assert(o != OPERATOR_NONE);
    int priority = operator_priority(o, p->dialect);
    return priority > 0 ? priority : operator_priority(o, DIALECT_POSTGRES);
}

// OPERATOR(pg_catalog.+) binds alike, whatever the sign.
static int binary_binds(const printer *p, const ast *n)
{
    return operator_binds(p,
                          n->flags & AST_FLAG_WORD ? OPERATOR_CONCAT : n->form);
}

static int binds(const printer *p, const ast *n)
{
    switch ((int)n->kind) {
    case AST_BINARY: return binary_binds(p, n);
    case AST_UNARY: return operator_binds(p, n->form);
    case AST_BETWEEN: return operator_binds(p, OPERATOR_BETWEEN);
    case AST_IN: return operator_binds(p, OPERATOR_IN);
    case AST_COLLATE: return operator_binds(p, OPERATOR_COLLATE);
    case AST_CAST:
        return n->form == CAST_FORM_COLONS ? operator_binds(p, OPERATOR_CAST)
                                           : TIGHTEST;
    case AST_SUBSCRIPT:
    case AST_MEMBER: return operator_binds(p, OPERATOR_MEMBER);
    default: return TIGHTEST;
    }
}

void print_alone(printer *p, const ast *n)
{
    print_expr(p, n, 0);
}

void print_operand(printer *p, const ast *n)
{
    print_expr(p, n, 1);
}

// Operands of what binds as an operator, before and behind its words.
static void print_left(printer *p, const ast *n)
{
    print_expr(p, n, binds(p, p->parent));
}

static void print_right(printer *p, const ast *n)
{
    print_expr(p, n, binds(p, p->parent) + 1);
}

static void print_tight(printer *p, const ast *n)
{
    print_expr(p, n, TIGHTEST);
}

static void print_list(printer *p, const ast *list, print_node *print)
{
    for (const ast *n = list; n; n = n->next) {
        print(p, n);
        print_text(p, n->next ? ", " : "");
    }
}

void print_exprs(printer *p, const ast *list)
{
    print_list(p, list, print_alone);
}

static void print_unary(printer *p, const ast *n)
{
    assert(n->kid[UNARY_EXPR]);
    buf_add(p->out, operator_text(n->form));
    const ast *expr = n->kid[UNARY_EXPR];
    bool tight = (n->form == OPERATOR_NEGATE || n->form == OPERATOR_POSITIVE
                  || n->form == OPERATOR_INVERT)
                 && expr->kind != AST_UNARY;
    buf_add(p->out, tight ? S("") : S(" "));
    bool is_chain = expr->kind == AST_UNARY;
    print_expr(p, expr, operator_binds(p, n->form) + (is_chain ? 0 : 1));
}

static bool breaks_before(const printer *p, const ast *n)
{
    return p->layout == PRINT_PRETTY && p->indent > 0
           && (n->form == OPERATOR_AND || n->form == OPERATOR_OR);
}

static void print_binary(printer *p, const ast *n)
{
    assert(n->kid[BINARY_LEFT] && n->kid[BINARY_RIGHT]);
    int priority = binary_binds(p, n);
    bool breaks = breaks_before(p, n) && !print_fits(p, n, print_exprs);
    bool not = n->flags & AST_FLAG_NOT;
    print_expr(p, n->kid[BINARY_LEFT], priority);
    if (breaks) {
        print_break_before(p, n->kid[BINARY_RIGHT], PRINT_BEFORE_CLAUSE);
    } else {
        buf_char(p->out, ' ');
    }
    if (n->form == OPERATOR_IS || n->form == OPERATOR_IS_DISTINCT) {
        print_text(p, not ? "IS NOT" : "IS");
        print_text(p, n->form == OPERATOR_IS ? "" : " DISTINCT FROM");
    } else {
        print_text(p, not ? "NOT " : "");
        buf_add(p->out,
                n->flags & AST_FLAG_WORD ? n->text : operator_text(n->form));
    }
    buf_char(p->out, ' ');
    print_expr(p, n->kid[BINARY_RIGHT], priority + 1);
    if (n->kid[BINARY_ESCAPE]) {
        print_text(p, " ESCAPE ");
        print_expr(p, n->kid[BINARY_ESCAPE], priority + 1);
    }
}

// What stands in parentheses: a query, or else a list.
static void print_set(printer *p, const ast *n)
{
    if (ast_is_query(n)) {
        print_query_in_parens(p, n);
    } else {
        print_paren(p, n, print_exprs);
    }
}

static void print_in_list(printer *p, const ast *list)
{
    print_filled(p, list, print_alone, print_bare);
}

static void print_in_source(printer *p, const ast *n)
{
    const ast *source = n->kid[IN_SOURCE];
    if (!source) {
        print_paren(p, n->kid[IN_LIST], print_in_list);
    } else if (ast_is_query(source)) {
        print_query_in_parens(p, source);
    } else {
        print_tight(p, source);
    }
}

static void print_type_arg(printer *p, const ast *n)
{
    static const print_piece field[] = {
        {"", PRINT_SELF, .print = print_name},
        {" ", ALIAS_EXPR, .print = print_bare},
        {0},
    };
    if (n->kind == AST_ALIAS) {
        print_pieces(p, n, field);
    } else {
        print_operand(p, n);
    }
}

static void print_type_args(printer *p, const ast *list)
{
    print_list(p, list, print_type_arg);
}

static void print_type_word(printer *p, const ast *n)
{
    print_text(p, n->text.len > 0 && n->text.ptr[0] == '[' ? "" : " ");
    print_verbatim(p, n);
}

// CONVERT of SQL Server begins with the type.
static void print_converted(printer *p, const ast *n)
{
    static const print_piece value_first[] = {
        {"", CAST_EXPR, .print = print_operand, .after = ", "},
        {"", CAST_TYPE, .print = print_operand},
        {" FORMAT ", CAST_FORMAT, .print = print_operand},
        {0},
    };
    static const print_piece type_first[] = {
        {"", CAST_TYPE, .print = print_operand, .after = ", "},
        {"", CAST_EXPR, .print = print_operand},
        {", ", CAST_FORMAT, .print = print_operand},
        {0},
    };
    print_pieces(p, n, p->dialect == DIALECT_TSQL ? type_first : value_first);
}

// Of INTERVAL and TOP.
static void print_amount(printer *p, const ast *n)
{
    bool plain = n->kind == AST_NUMBER || n->kind == AST_PARAMETER
                 || (n->kind == AST_STRING && p->parent->kind == AST_INTERVAL);
    if (plain) {
        print_tight(p, n);
    } else {
        print_paren(p, n, print_alone);
    }
}

// `a.` would be read as a path, array[1] as a list, a: not as a column of one.
static bool is_base_column(const ast *n, const ast *parent)
{
    bool is_word = n->form == QUOTE_NONE && str_equal_fold(n->text, S("array"));
    return parent->kind == AST_SUBSCRIPT ? !is_word
                                         : parent->flags & AST_FLAG_COLON;
}

// What stands before `.name` or `[` and would be read otherwise without
// parentheses.
static bool base_needs_parens(const ast *base, const ast *parent)
{
    switch ((int)base->kind) {
    case AST_CALL: return base->kid[CALL_OVER] || base->kid[CALL_FILTER];
    case AST_CAST: return base->form == CAST_FORM_COLONS;
    case AST_SUBSCRIPT:
    case AST_MEMBER:
    case AST_ARRAY:
    case AST_ROW:
    case AST_SUBQUERY: return false;
    case AST_COLUMN: return !is_base_column(base, parent);
    default: return true;
    }
}

static void print_base(printer *p, const ast *base)
{
    if (base_needs_parens(base, p->parent)) {
        print_paren(p, base, print_alone);
    } else {
        print_alone(p, base);
    }
}

static void print_star_path(printer *p, const ast *path)
{
    if (path->kind == AST_NAME) {
        print_path(p, path);
    } else {
        print_base(p, path);
        buf_char(p->out, '.');
    }
}

static void print_star_except(printer *p, const ast *names)
{
    bool excludes = p->dialect == DIALECT_SNOWFLAKE;
    print_text(p, excludes ? " EXCLUDE " : " EXCEPT ");
    print_names(p, names);
}

static void print_array_head(printer *p, const ast *n)
{
    if (n->kid[ARRAY_TYPE]) {
        print_operand(p, n->kid[ARRAY_TYPE]);
    } else {
        print_text(p, n->flags & AST_FLAG_WORD ? "ARRAY" : "");
    }
}

static void print_alias(printer *p, const ast *n)
{
    static const print_piece item[] = {
        {"", ALIAS_EXPR, .print = print_operand, .after = " AS "},
        {"", PRINT_SELF, .print = print_name},
        {0},
    };
    if (n->kid[ALIAS_COLUMNS]) {
        print_source(p, n);  // a function of ROWS FROM
    } else {
        print_pieces(p, n, item);
    }
}

static void print_mode(printer *p, const ast *n)
{
    print_expr(p, n, operator_binds(p, OPERATOR_IN) + 1);
}

enum {
    COLONS = 1 << CAST_FORM_COLONS,
    CONVERT = 1 << CAST_FORM_CONVERT,
    KEYS_ALONE = 1 << GROUPING_FORM_DISTINCT,
    ASC = 1 << SORT_FORM_ASC,
    DESC = 1 << SORT_FORM_DESC,
    PLAIN = 1 << LIMIT_FORM_PLAIN,
    FETCH = 1 << LIMIT_FORM_FETCH,
    TOP = 1 << LIMIT_FORM_TOP,
};

static const print_piece *const shapes[AST_KIND_COUNT] = {
    [AST_NAME] = PRINT_PIECES({"", PRINT_SELF, .print = print_name}),
    [AST_DOUBT] = PRINT_PIECES({"", PRINT_SELF, .print = print_name}),
    [AST_COLUMN] = PRINT_PIECES({"", COLUMN_PATH, .print = print_path},
                                {"", PRINT_SELF, .print = print_name}),
    [AST_NULL] = PRINT_PIECES({.before = "NULL"}),
    [AST_TRUE] = PRINT_PIECES({.before = "TRUE"}),
    [AST_FALSE] = PRINT_PIECES({.before = "FALSE"}),
    [AST_TYPED] =
        PRINT_PIECES({"{", .when = AST_FLAG_WORD},
                     {"", PRINT_SELF, .print = print_verbatim, .after = " "},
                     {"", TYPED_VALUE, .print = print_tight},
                     {"}", .when = AST_FLAG_WORD}),
    [AST_INTERVAL] =
        PRINT_PIECES({"INTERVAL ", INTERVAL_VALUE, .print = print_amount},
                     {" ", PRINT_TEXT, .print = print_verbatim}),
    [AST_UNARY] = PRINT_PIECES({"", PRINT_SELF, .print = print_unary}),
    [AST_BINARY] = PRINT_PIECES({"", PRINT_SELF, .print = print_binary}),
    [AST_AGAINST] = PRINT_PIECES(
        {"MATCH (", AGAINST_COLUMNS, .print = print_exprs, .after = ")"},
        {" AGAINST (", AGAINST_EXPR, .print = print_mode},
        {" ", PRINT_TEXT, .print = print_verbatim},
        {.before = ")"}),
    [AST_BETWEEN] =
        PRINT_PIECES({"", BETWEEN_EXPR, .print = print_left},
                     {" NOT", .when = AST_FLAG_NOT},
                     {.before = " BETWEEN "},
                     {"SYMMETRIC ", .when = AST_FLAG_SYMMETRIC},
                     {"", BETWEEN_LOW, .print = print_right, .after = " AND "},
                     {"", BETWEEN_HIGH, .print = print_right}),
    [AST_IN] = PRINT_PIECES({"", IN_EXPR, .print = print_left},
                            {" NOT", .when = AST_FLAG_NOT},
                            {.before = " IN "},
                            {"", PRINT_SELF, .print = print_in_source}),
    [AST_QUANTIFIED] =
        PRINT_PIECES({"", PRINT_SELF, .print = print_form, .after = " "},
                     {"", QUANTIFIED_EXPR, .print = print_set}),
    [AST_EXISTS] =
        PRINT_PIECES({"EXISTS ", EXISTS_QUERY, .print = print_query_in_parens}),
    [AST_SUBQUERY] =
        PRINT_PIECES({"", SUBQUERY_QUERY, .print = print_query_in_parens}),
    [AST_CASE] =
        PRINT_PIECES({.before = "CASE"},
                     {" ", CASE_EXPR, .print = print_operand},
                     {"", CASE_WHENS, .print = print_alone, .between = "",
                      .lead = PRINT_ITEM, .indent = PRINT_STEP},
                     {"ELSE ", CASE_ELSE, .print = print_operand,
                      .lead = PRINT_CLAUSE, .indent = PRINT_STEP},
                     {"END", .lead = PRINT_BREAK}),
    [AST_WHEN] = PRINT_PIECES(
        {"WHEN ", WHEN_IF, .print = print_operand},
        {"THEN ", WHEN_THEN, .print = print_operand, .lead = PRINT_GAP}),
    [AST_CAST] = PRINT_PIECES(
        {"", CAST_EXPR, .print = print_left, .after = "::", .forms = COLONS},
        {"", CAST_TYPE, .print = print_operand, .forms = COLONS},
        {"", PRINT_SELF, .print = print_form, .after = "(", .forms = ~COLONS},
        {"", PRINT_SELF, .print = print_converted, .after = ")",
         .forms = CONVERT},
        {"", CAST_EXPR, .print = print_operand, .after = " AS ",
         .forms = ~(COLONS | CONVERT)},
        {"", CAST_TYPE, .print = print_operand, .forms = ~(COLONS | CONVERT)},
        {" FORMAT ", CAST_FORMAT, .print = print_operand,
         .forms = ~(COLONS | CONVERT)},
        {")", .forms = ~(COLONS | CONVERT)}),
    [AST_TYPE] =
        PRINT_PIECES({"", PRINT_SELF, .print = print_verbatim},
                     {"<", TYPE_ARGS, .print = print_type_args, .after = ">",
                      .when = AST_FLAG_WORD},
                     {"(", TYPE_ARGS, .print = print_type_args, .after = ")",
                      .unless = AST_FLAG_WORD},
                     {"", TYPE_AFTER, .print = print_type_word, .between = ""}),
    [AST_COLLATE] = PRINT_PIECES(
        {"", COLLATE_EXPR, .print = print_left, .after = " COLLATE "},
        {"", COLLATE_PATH, .print = print_path},
        {"", PRINT_SELF, .print = print_name}),
    [AST_CALL] = PRINT_PIECES({"", PRINT_SELF, .print = print_call}),
    [AST_TAGGED] = PRINT_PIECES({"", PRINT_SELF, .print = print_verbatim},
                                {" ", TAGGED_EXPR, .print = print_operand}),
    [AST_WINDOW] = PRINT_PIECES({"", PRINT_SELF, .print = print_window}),
    [AST_ROW] = PRINT_PIECES({"ROW", .when = AST_FLAG_WORD},
                             {.before = "("},
                             {"", ROW_ITEMS, .print = print_exprs},
                             {.before = ")"}),
    [AST_ARRAY] =
        PRINT_PIECES({"", PRINT_SELF, .print = print_array_head, .after = "["},
                     {"", ARRAY_ITEMS, .print = print_exprs},
                     {.before = "]"}),
    [AST_SUBSCRIPT] =
        PRINT_PIECES({"", SUBSCRIPT_EXPR, .print = print_base, .after = "["},
                     {"", SUBSCRIPT_FROM, .print = print_operand},
                     {" : ", .when = AST_FLAG_COLON},
                     {"", SUBSCRIPT_TO, .print = print_operand},
                     {.before = "]"}),
    [AST_MEMBER] = PRINT_PIECES({"", MEMBER_EXPR, .print = print_base,
                                 .after = ":", .when = AST_FLAG_COLON},
                                {"", MEMBER_EXPR, .print = print_base,
                                 .after = ".", .unless = AST_FLAG_COLON},
                                {"", PRINT_SELF, .print = print_name}),
    [AST_STAR] = PRINT_PIECES(
        {"", STAR_PATH, .print = print_star_path},
        {.before = "*"},
        {"", STAR_EXCEPT, .print = print_star_except},
        {" REPLACE (", STAR_REPLACE, .print = print_exprs, .after = ")"}),
    [AST_ALIAS] = PRINT_PIECES({"", PRINT_SELF, .print = print_alias}),
    [AST_SORT] =
        PRINT_PIECES({"", SORT_EXPR, .print = print_operand},
                     {" ASC", .unless = AST_FLAG_WORD, .forms = ASC},
                     {" DESC", .unless = AST_FLAG_WORD, .forms = DESC},
                     {" USING <", .when = AST_FLAG_WORD, .forms = ASC},
                     {" USING >", .when = AST_FLAG_WORD, .forms = DESC},
                     {" NULLS FIRST", .when = AST_FLAG_NULLS_FIRST},
                     {" NULLS LAST", .when = AST_FLAG_NULLS_LAST}),
    [AST_GROUPING] =
        PRINT_PIECES({"", PRINT_SELF, .print = print_form, .after = " "},
                     {"(", .forms = ~KEYS_ALONE},
                     {"", GROUPING_SETS, .print = print_exprs},
                     {")", .forms = ~KEYS_ALONE}),
    [AST_LIMIT] = PRINT_PIECES(
        {"LIMIT ", LIMIT_COUNT, .print = print_operand, .forms = PLAIN},
        {"OFFSET ", LIMIT_OFFSET, .print = print_operand,
         .forms = PLAIN | FETCH, .lead = PRINT_SPACE},
        {" ROWS", LIMIT_OFFSET, .print = print_nothing, .when = AST_FLAG_WORD,
         .forms = PLAIN | FETCH},
        {"FETCH NEXT", .forms = FETCH, .lead = PRINT_SPACE},
        {" ", LIMIT_COUNT, .print = print_operand, .forms = FETCH},
        {"TOP ", LIMIT_COUNT, .print = print_amount, .forms = TOP},
        {" PERCENT", .when = AST_FLAG_PERCENT, .forms = FETCH | TOP},
        {" ROWS ONLY", .unless = AST_FLAG_TIES, .forms = FETCH},
        {" ROWS", .when = AST_FLAG_TIES, .forms = FETCH},
        {" WITH TIES", .when = AST_FLAG_TIES, .forms = FETCH | TOP}),
    [AST_SELECT] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_SETOP] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_VALUES] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_NESTED] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_INSERT] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_UPDATE] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_DELETE] = PRINT_PIECES({"", PRINT_SELF, .print = print_query}),
    [AST_TABLE] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_JOIN] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_LATERAL] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_RESTRICTED] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_PIVOT] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_SAMPLE] = PRINT_PIECES({"", PRINT_SELF, .print = print_source}),
    [AST_FRAME] =
        PRINT_PIECES({"", PRINT_SELF, .print = print_form},
                     {" BETWEEN", FRAME_END, .print = print_nothing},
                     {" ", FRAME_START, .print = print_bare},
                     {" AND ", FRAME_END, .print = print_bare},
                     {" EXCLUDE ", PRINT_TEXT, .print = print_verbatim}),
    [AST_BOUND] =
        PRINT_PIECES({"", BOUND_EXPR, .print = print_operand, .after = " "},
                     {"", PRINT_SELF, .print = print_form}),
    [AST_CREATE_TABLE] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_CREATE_VIEW] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_CREATE_TYPE] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_CREATE_INDEX] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_ALTER_TABLE] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_DROP_TABLE] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_COLUMN_DEF] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
    [AST_CONSTRAINT] = PRINT_PIECES({"", PRINT_SELF, .print = print_ddl}),
};

void print_bare(printer *p, const ast *n)
{
    print_shape(p, n, shapes);
}

// The kinds that are broken over lines when they do not fit.
static bool may_break(const ast *n)
{
    return n->kind == AST_CASE || n->kind == AST_CALL;
}

void print_expr(printer *p, const ast *n, int priority)
{
    assert(n && priority >= 0);
    print_comments(p, n);
    if (binds(p, n) < priority) {
        print_paren(p, n, print_alone);
    } else if (p->layout == PRINT_PRETTY && may_break(n)
               && print_fits(p, n, print_bare)) {
        print_flat(p, n, print_bare);
    } else {
        print_bare(p, n);
    }
}
