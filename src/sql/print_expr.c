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

void print_exprs(printer *p, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        print_expr(p, n, 0);
        if (n->next) {
            buf_add(p->out, S(", "));
        }
    }
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

static void print_between(printer *p, const ast *n)
{
    assert(n->kid[BETWEEN_LOW] && n->kid[BETWEEN_HIGH]);
    int priority = operator_binds(p, OPERATOR_BETWEEN);
    print_expr(p, n->kid[BETWEEN_EXPR], priority);
    print_text(p, n->flags & AST_FLAG_NOT ? " NOT BETWEEN " : " BETWEEN ");
    print_text(p, n->flags & AST_FLAG_SYMMETRIC ? "SYMMETRIC " : "");
    print_expr(p, n->kid[BETWEEN_LOW], priority + 1);
    print_text(p, " AND ");
    print_expr(p, n->kid[BETWEEN_HIGH], priority + 1);
}

static void print_bare(printer *p, const ast *n);

// A list, as much on each line as there is room for.
static void print_filled(printer *p, const ast *list)
{
    p->indent += PRINT_STEP;
    for (const ast *n = list; n; n = n->next) {
        if (n != list && print_fits(p, n, print_bare)) {
            print_text(p, ", ");
        } else if (n != list) {
            buf_char(p->out, ',');
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print_expr(p, n, 0);
    }
    p->indent -= PRINT_STEP;
}

static void print_in(printer *p, const ast *n)
{
    print_expr(p, n->kid[IN_EXPR], operator_binds(p, OPERATOR_IN));
    print_text(p, n->flags & AST_FLAG_NOT ? " NOT IN " : " IN ");
    const ast *source = n->kid[IN_SOURCE];
    if (source && ast_is_query(source)) {
        print_query_in_parens(p, source);
    } else if (source) {
        print_expr(p, source, TIGHTEST);
    } else {
        print_paren(p, n->kid[IN_LIST], print_filled);
    }
}

static void print_case(printer *p, const ast *n)
{
    print_text(p, "CASE");
    print_given(p, " ", n->kid[CASE_EXPR], print_operand, "");
    p->indent += PRINT_STEP;
    for (const ast *when = n->kid[CASE_WHENS]; when; when = when->next) {
        print_break_before(p, when, PRINT_BEFORE_ITEM);
        print_given(p, "WHEN ", when->kid[WHEN_IF], print_operand, "");
        print_gap_before(p, when->kid[WHEN_THEN]);
        print_given(p, "THEN ", when->kid[WHEN_THEN], print_operand, "");
    }
    print_after_break(p, "ELSE ", n->kid[CASE_ELSE], print_operand);
    p->indent -= PRINT_STEP;
    print_break(p);
    print_text(p, "END");
}

void print_type(printer *p, const ast *n)
{
    buf_add(p->out, n->text);
    bool angles = n->flags & AST_FLAG_WORD;
    if (n->kid[TYPE_ARGS]) {
        buf_char(p->out, angles ? '<' : '(');
        for (const ast *arg = n->kid[TYPE_ARGS]; arg; arg = arg->next) {
            if (arg->kind == AST_ALIAS) {
                print_name(p, arg);
                print_given(p, " ", arg->kid[ALIAS_EXPR], print_type, "");
            } else {
                print_expr(p, arg, 1);
            }
            print_text(p, arg->next ? ", " : "");
        }
        buf_char(p->out, angles ? '>' : ')');
    }
    for (const ast *w = n->kid[TYPE_AFTER]; w; w = w->next) {
        print_text(p, w->text.len > 0 && w->text.ptr[0] == '[' ? "" : " ");
        buf_add(p->out, w->text);
    }
}

static void print_cast(printer *p, const ast *n)
{
    if (n->form == CAST_FORM_COLONS) {
        print_expr(p, n->kid[CAST_EXPR], operator_binds(p, OPERATOR_CAST));
        print_given(p, "::", n->kid[CAST_TYPE], print_operand, "");
        return;
    }
    bool converts = n->form == CAST_FORM_CONVERT;
    bool begins = converts && p->dialect == DIALECT_TSQL;  // with its type
    int first = begins ? CAST_TYPE : CAST_EXPR;
    int second = begins ? CAST_EXPR : CAST_TYPE;
    buf_add(p->out, ast_form_word(AST_CAST, n->form));
    print_given(p, "(", n->kid[first], print_operand, converts ? ", " : " AS ");
    print_operand(p, n->kid[second]);
    print_given(p, begins ? ", " : " FORMAT ", n->kid[CAST_FORMAT],
                print_operand, "");
    buf_char(p->out, ')');
}

static void print_interval(printer *p, const ast *n)
{
    const ast *value = n->kid[INTERVAL_VALUE];
    bool plain = value->kind == AST_STRING || value->kind == AST_NUMBER
                 || value->kind == AST_PARAMETER;
    print_text(p, "INTERVAL ");
    if (plain) {
        print_expr(p, value, TIGHTEST);
    } else {
        print_paren(p, value, print_alone);
    }
    print_given(p, " ", n->text.len > 0 ? n : NULL, print_verbatim, "");
}

// What stands before `.name` or `[` and would be read otherwise without
// parentheses.
static bool base_needs_parens(const ast *base, bool colon)
{
    switch ((int)base->kind) {
    case AST_CALL: return base->kid[CALL_OVER] || base->kid[CALL_FILTER];
    case AST_SUBSCRIPT:
    case AST_MEMBER:
    case AST_ARRAY: return false;
    case AST_CAST: return base->form == CAST_FORM_COLONS;
    case AST_SUBQUERY:
    case AST_ROW: return false;
    case AST_COLUMN: return !colon;
    default: return true;
    }
}

static void print_base(printer *p, const ast *base, bool colon)
{
    bool own = base->kind == AST_SUBQUERY
               || (base->kind == AST_ROW && !(base->flags & AST_FLAG_WORD));
    if (!own && base_needs_parens(base, colon)) {
        print_paren(p, base, print_alone);
    } else {
        print_alone(p, base);
    }
}

static void print_member(printer *p, const ast *n)
{
    bool colon = n->flags & AST_FLAG_COLON;
    print_base(p, n->kid[MEMBER_EXPR], colon);
    buf_char(p->out, colon ? ':' : '.');
    print_name(p, n);
}

static void print_subscript(printer *p, const ast *n)
{
    const ast *base = n->kid[SUBSCRIPT_EXPR];
    bool word = base->kind == AST_COLUMN && base->form == QUOTE_NONE
                && str_equal_fold(base->text, S("array"));
    print_base(p, base, !word);
    buf_char(p->out, '[');
    print_given(p, "", n->kid[SUBSCRIPT_FROM], print_operand, "");
    print_text(p, n->flags & AST_FLAG_COLON ? " : " : "");
    print_given(p, "", n->kid[SUBSCRIPT_TO], print_operand, "");
    buf_char(p->out, ']');
}

static void print_star(printer *p, const ast *n)
{
    const ast *path = n->kid[STAR_PATH];
    if (path && path->kind != AST_NAME) {
        print_base(p, path, false);
        buf_char(p->out, '.');
    } else {
        for (; path; path = path->next) {
            print_name(p, path);
            buf_char(p->out, '.');
        }
    }
    buf_char(p->out, '*');
    bool exclude = p->dialect == DIALECT_SNOWFLAKE;
    print_given(p, exclude ? " EXCLUDE " : " EXCEPT ", n->kid[STAR_EXCEPT],
                print_names, "");
    print_given(p, " REPLACE (", n->kid[STAR_REPLACE], print_exprs, ")");
}

static void print_row(printer *p, const ast *n)
{
    print_text(p, n->flags & AST_FLAG_WORD ? "ROW" : "");
    print_paren(p, n->kid[ROW_ITEMS], print_exprs);
}

static void print_array(printer *p, const ast *n)
{
    if (n->kid[ARRAY_TYPE]) {
        print_expr(p, n->kid[ARRAY_TYPE], 1);
    } else {
        print_text(p, n->flags & AST_FLAG_WORD ? "ARRAY" : "");
    }
    buf_char(p->out, '[');
    print_exprs(p, n->kid[ARRAY_ITEMS]);
    buf_char(p->out, ']');
}

static void print_quantified(printer *p, const ast *n)
{
    buf_add(p->out, ast_form_word(AST_QUANTIFIED, n->form));
    buf_char(p->out, ' ');
    const ast *expr = n->kid[QUANTIFIED_EXPR];
    if (ast_is_query(expr)) {
        print_query_in_parens(p, expr);
    } else {
        print_paren(p, expr, print_exprs);
    }
}

static void print_alias(printer *p, const ast *n)
{
    if (n->kid[ALIAS_COLUMNS]) {
        print_source(p, n);  // a function of ROWS FROM
        return;
    }
    print_expr(p, n->kid[ALIAS_EXPR], 1);
    print_text(p, " AS ");
    print_name(p, n);
}

static void print_sort(printer *p, const ast *n)
{
    print_expr(p, n->kid[SORT_EXPR], 1);
    bool using = n->flags & AST_FLAG_WORD;
    print_text(p, n->form == SORT_FORM_ASC    ? (using ? " USING <" : " ASC")
                  : n->form == SORT_FORM_DESC ? (using ? " USING >" : " DESC")
                                              : "");
    print_text(p, n->flags & AST_FLAG_NULLS_FIRST  ? " NULLS FIRST"
                  : n->flags & AST_FLAG_NULLS_LAST ? " NULLS LAST"
                                                   : "");
}

static void print_tagged(printer *p, const ast *n)
{
    buf_add(p->out, n->text);
    print_given(p, " ", n->kid[TAGGED_EXPR], print_operand, "");
}

static void print_against(printer *p, const ast *n)
{
    print_given(p, "MATCH (", n->kid[AGAINST_COLUMNS], print_exprs,
                ") AGAINST (");
    print_expr(p, n->kid[AGAINST_EXPR], operator_binds(p, OPERATOR_IN) + 1);
    print_text(p, n->text.len > 0 ? " " : "");
    buf_add(p->out, n->text);
    buf_char(p->out, ')');
}

static void print_grouping(printer *p, const ast *n)
{
    bool is_open = n->form == GROUPING_FORM_DISTINCT;
    buf_add(p->out, ast_form_word(AST_GROUPING, n->form));
    print_text(p, is_open ? " " : " (");
    print_exprs(p, n->kid[GROUPING_SETS]);
    print_text(p, is_open ? "" : ")");
}

static void print_plain(printer *p, const ast *n)
{
    switch ((int)n->kind) {
    case AST_NAME:
    case AST_DOUBT: print_name(p, n); break;
    case AST_COLUMN: print_path(p, n->kid[COLUMN_PATH], n); break;
    case AST_NULL: print_text(p, "NULL"); break;
    case AST_TRUE: print_text(p, "TRUE"); break;
    case AST_FALSE: print_text(p, "FALSE"); break;
    case AST_TYPED:
        print_text(p, n->flags & AST_FLAG_WORD ? "{" : "");
        buf_add(p->out, n->text);
        buf_char(p->out, ' ');
        print_expr(p, n->kid[TYPED_VALUE], TIGHTEST);
        print_text(p, n->flags & AST_FLAG_WORD ? "}" : "");
        break;
    case AST_GROUPING: print_grouping(p, n); break;
    default: buf_add(p->out, n->text); break;
    }
}

// The kinds that are broken over lines when they do not fit.
static bool may_break(const ast *n)
{
    return n->kind == AST_CASE || n->kind == AST_CALL;
}

static void print_flat(printer *p, const ast *n)
{
    print_layout layout = p->layout;
    p->layout = PRINT_ONE_LINE;
    print_bare(p, n);
    p->layout = layout;
}

static void print_bare(printer *p, const ast *n)
{
    switch ((int)n->kind) {
    case AST_SELECT:
    case AST_SETOP:
    case AST_VALUES:
    case AST_NESTED:
    case AST_INSERT:
    case AST_UPDATE:
    case AST_DELETE: print_query(p, n); break;
    case AST_UNARY: print_unary(p, n); break;
    case AST_BINARY: print_binary(p, n); break;
    case AST_AGAINST: print_against(p, n); break;
    case AST_BETWEEN: print_between(p, n); break;
    case AST_IN: print_in(p, n); break;
    case AST_QUANTIFIED: print_quantified(p, n); break;
    case AST_EXISTS:
        print_given(p, "EXISTS ", n->kid[EXISTS_QUERY], print_query_in_parens,
                    "");
        break;
    case AST_SUBQUERY: print_query_in_parens(p, n->kid[SUBQUERY_QUERY]); break;
    case AST_CASE: print_case(p, n); break;
    case AST_CAST: print_cast(p, n); break;
    case AST_TYPE: print_type(p, n); break;
    case AST_COLLATE:
        print_expr(p, n->kid[COLLATE_EXPR],
                   operator_binds(p, OPERATOR_COLLATE));
        print_text(p, " COLLATE ");
        print_path(p, n->kid[COLLATE_PATH], n);
        break;
    case AST_CALL: print_call(p, n); break;
    case AST_TAGGED: print_tagged(p, n); break;
    case AST_WINDOW: print_window(p, n); break;
    case AST_ROW: print_row(p, n); break;
    case AST_ARRAY: print_array(p, n); break;
    case AST_SUBSCRIPT: print_subscript(p, n); break;
    case AST_MEMBER: print_member(p, n); break;
    case AST_STAR: print_star(p, n); break;
    case AST_INTERVAL: print_interval(p, n); break;
    case AST_ALIAS: print_alias(p, n); break;
    case AST_SORT: print_sort(p, n); break;
    case AST_LIMIT: print_limit(p, n); break;
    default: print_plain(p, n); break;
    }
}

void print_expr(printer *p, const ast *n, int priority)
{
    assert(n && priority >= 0);
    print_comments(p, n);
    if (binds(p, n) < priority) {
        print_paren(p, n, print_alone);
    } else if (p->layout == PRINT_PRETTY && may_break(n)
               && print_fits(p, n, print_bare)) {
        print_flat(p, n);
    } else {
        print_bare(p, n);
    }
}
