/*
 * print_from.c - sources of rows, joins, calls and windows.
 *
 * Method      A join tree is printed as the chain it was read from. Parentheses
 *             appear where the reading order would build another tree: around a
 *             join on the right side, around commas on the left of a JOIN (but
 *             for SQLite, where both bind alike), around a join that has an
 *             alias, a sample or a pivot of its own.
 *
 * Cost        One line: linear. Pretty: linear times the depth (print.c).
 */
#include "sql/parse.h"
#include "sql/print_internal.h"

#include <assert.h>

// A join, where a source is wanted.
static bool is_joined(const ast *n)
{
    return n->kind == AST_JOIN || n->kind == AST_RESTRICTED;
}

static bool left_needs_parens(const printer *p, const ast *n)
{
    const ast *left = n->kid[JOIN_LEFT];
    return left->kind == AST_JOIN && left->form == JOIN_FORM_COMMA
           && n->form != JOIN_FORM_COMMA && p->dialect != DIALECT_SQLITE;
}

static bool right_needs_parens(const printer *p, const ast *n)
{
    const ast *right = n->kid[JOIN_RIGHT];
    if (right->kind != AST_JOIN) {
        return right->kind == AST_RESTRICTED;
    }
    bool weak = n->form == JOIN_FORM_COMMA && p->dialect != DIALECT_SQLITE
                && right->form != JOIN_FORM_COMMA && !n->kid[JOIN_ON]
                && !n->kid[JOIN_USING];
    return !weak;
}

static bool needs_parens(const printer *p, const ast *n)
{
    const ast *of = p->parent;
    switch ((int)of->kind) {
    case AST_JOIN:
        return n == of->kid[JOIN_LEFT] ? left_needs_parens(p, of)
                                       : right_needs_parens(p, of);
    case AST_ALIAS: return is_joined(n) || n->kind == AST_ALIAS;
    case AST_LATERAL:
        return n->kind == AST_JOIN || n->kind == AST_ALIAS
               || n->kind == AST_SAMPLE || n->kind == AST_LATERAL
               || n->kind == AST_PIVOT;
    default: return is_joined(n);
    }
}

// A source in another one.
static void print_inner(printer *p, const ast *n)
{
    if (needs_parens(p, n)) {
        print_paren(p, n, print_source);
    } else {
        print_source(p, n);
    }
}

static void print_hint(printer *p, const ast *n)
{
    static const print_piece hint[] = {
        {" ", TABLE_HINT, .print = print_verbatim},
        {0},
    };
    if (n->kind == AST_TABLE) {
        print_pieces(p, n, hint);
    }
}

// The hint of a table may stand behind its alias.
static void print_aliased(printer *p, const ast *n)
{
    if (p->parent->flags & AST_FLAG_WORD && n->kind == AST_TABLE) {
        print_table_name(p, n);
    } else {
        print_inner(p, n);
    }
}

enum {
    COMMA = 1 << JOIN_FORM_COMMA,
};

static const print_piece *const sources[AST_KIND_COUNT] = {
    [AST_TABLE] = PRINT_PIECES({"ONLY ", .when = AST_FLAG_WORD},
                               {"", PRINT_SELF, .print = print_table_name},
                               {"", PRINT_SELF, .print = print_hint}),
    [AST_JOIN] = PRINT_PIECES(
        {"", JOIN_LEFT, .print = print_inner},
        {",", .forms = COMMA},
        {"", JOIN_RIGHT, .print = print_inner, .forms = COMMA,
         .lead = PRINT_ITEM},
        {"", JOIN_RIGHT, .print = print_nothing, .forms = ~COMMA,
         .lead = PRINT_CLAUSE},
        {"NATURAL ", .when = AST_FLAG_NATURAL, .forms = ~COMMA},
        {"", PRINT_SELF, .print = print_form, .after = " ", .forms = ~COMMA},
        {"", JOIN_RIGHT, .print = print_inner, .forms = ~COMMA},
        {"ON ", JOIN_ON, .print = print_operand, .lead = PRINT_GAP},
        {" USING ", JOIN_USING, .print = print_names},
        {" AS ", JOIN_NAME, .print = print_name}),
    [AST_ALIAS] = PRINT_PIECES(
        {"", ALIAS_EXPR, .print = print_aliased, .after = " AS "},
        {"", PRINT_SELF, .print = print_name},
        {"", ALIAS_COLUMNS, .print = print_names},
        {"", ALIAS_EXPR, .print = print_hint, .when = AST_FLAG_WORD}),
    [AST_LATERAL] =
        PRINT_PIECES({"LATERAL ", LATERAL_SOURCE, .print = print_inner}),
    [AST_RESTRICTED] =
        PRINT_PIECES({"", RESTRICTED_SOURCE, .print = print_inner},
                     {" ON ", RESTRICTED_ON, .print = print_operand}),
    [AST_PIVOT] = PRINT_PIECES(
        {"", PIVOT_SOURCE, .print = print_inner, .after = " "},
        {"", PRINT_SELF, .print = print_form},
        {" (", PIVOT_VALUES, .print = print_exprs, .after = " FOR "},
        {"", PIVOT_FOR, .print = print_exprs, .after = " IN ("},
        {"", PIVOT_IN, .print = print_exprs, .after = "))"}),
    [AST_SAMPLE] = PRINT_PIECES({"", SAMPLE_SOURCE, .print = print_inner},
                                {" ", SAMPLE_HOW, .print = print_verbatim}),
};

void print_source(printer *p, const ast *n)
{
    assert(n);
    print_comments(p, n);
    if (sources[n->kind]) {
        print_pieces(p, n, sources[n->kind]);
    } else {
        print_alone(p, n);
    }
}

// Commas alone join it: it may stay on one line.
static bool has_commas_only(const ast *n)
{
    while (n->kind == AST_JOIN && n->form == JOIN_FORM_COMMA
           && n->kid[JOIN_RIGHT]->kind != AST_JOIN) {
        n = n->kid[JOIN_LEFT];
    }
    return n->kind != AST_JOIN;
}

void print_from(printer *p, const ast *n)
{
    bool fits = has_commas_only(n) && print_fits(p, n, print_source);
    p->indent += PRINT_STEP;
    if (fits) {
        print_flat(p, n, print_source);
    } else {
        print_source(p, n);
    }
    p->indent -= PRINT_STEP;
}

static void print_window_parts(printer *p, const ast *n)
{
    static const print_piece parts[] = {
        {"", WINDOW_BASE, .print = print_name},
        {"PARTITION BY ", WINDOW_PARTITION, .print = print_exprs,
         .lead = PRINT_CLAUSE},
        {"ORDER BY ", WINDOW_ORDER, .print = print_exprs, .lead = PRINT_CLAUSE},
        {"", WINDOW_FRAME, .print = print_bare, .lead = PRINT_ITEM},
        {0},
    };
    print_pieces(p, n, parts);
}

void print_window(printer *p, const ast *n)
{
    assert(n->kind == AST_WINDOW);
    print_block(p, n, print_window_parts, print_window_parts, NULL);
}

// The arguments from `first` to `end`, which is not written.
static void print_args(printer *p, const ast *first, const ast *end, int least)
{
    for (const ast *n = first; n != end; n = n->next) {
        if (n != first && n->kind == AST_TAGGED
            && !(n->flags & AST_FLAG_COMMA)) {
            buf_char(p->out, ' ');
        } else if (n != first) {
            buf_char(p->out, ',');
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print_expr(p, n, least);
    }
}

// Where the arguments with a word before them that end the list begin.
static const ast *trailing_tags(const ast *args)
{
    const ast *tags = NULL;
    for (const ast *n = args; n; n = n->next) {
        tags = n->kind != AST_TAGGED ? NULL : tags ? tags : n;
    }
    return tags;
}

static void print_first_args(printer *p, const ast *n)
{
    bool position = str_equal_fold(n->text, S("position"));
    int in = operator_priority(OPERATOR_IN, p->dialect);
    const ast *args = n->kid[CALL_ARGS];
    print_args(p, args, n->kid[CALL_ORDER] ? trailing_tags(args) : NULL,
               position ? in + 1 : 1);
}

// The order, and the arguments behind it.
static void print_call_order(printer *p, const ast *order)
{
    const ast *args = p->parent->kid[CALL_ARGS];
    const ast *tags = trailing_tags(args);
    print_text(p, args && args != tags ? " ORDER BY " : "ORDER BY ");
    print_exprs(p, order);
    print_text(p, tags ? " " : "");
    print_args(p, tags, NULL, 1);
}

enum {
    RESPECTS = AST_FLAG_NULLS_FIRST,
    IGNORES = AST_FLAG_NULLS_LAST,
    INSIDE = AST_FLAG_NULLS_INSIDE,
};

static void print_inside(printer *p, const ast *n)
{
    static const print_piece inside[] = {
        {"DISTINCT ", .when = AST_FLAG_DISTINCT},
        {"ALL ", .when = AST_FLAG_ALL},
        {"", PRINT_SELF, .print = print_first_args},
        {" RESPECT NULLS", .when = RESPECTS | INSIDE},
        {" IGNORE NULLS", .when = IGNORES | INSIDE},
        {"", CALL_ORDER, .print = print_call_order},
        {" ", CALL_LIMIT, .print = print_bare},
        {0},
    };
    print_pieces(p, n, inside);
}

// What fits stays after the `(`, else each argument has a line.
static void print_call_parens(printer *p, const ast *n)
{
    const ast *args = n->kid[CALL_ARGS];
    if (args) {
        print_block(p, n, print_inside, print_inside, args);
    } else {
        print_paren(p, n, print_inside);
    }
}

void print_call(printer *p, const ast *n)
{
    static const print_piece call[] = {
        {"", CALL_PATH, .print = print_path},
        {"", PRINT_SELF, .print = print_name},
        {"", PRINT_SELF, .print = print_call_parens},
        {" WITHIN GROUP (ORDER BY ", CALL_WITHIN, .print = print_exprs,
         .after = ")"},
        {" FILTER (WHERE ", CALL_FILTER, .print = print_operand, .after = ")"},
        {" RESPECT NULLS", .when = RESPECTS, .unless = INSIDE},
        {" IGNORE NULLS", .when = IGNORES, .unless = INSIDE},
        {" OVER ", CALL_OVER, .print = print_exprs},
        {0},
    };
    assert(n->kind == AST_CALL);
    print_pieces(p, n, call);
}
