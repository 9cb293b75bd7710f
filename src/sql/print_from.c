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

static bool is_bare_source(const ast *n)
{
    return n->kind != AST_JOIN && n->kind != AST_ALIAS && n->kind != AST_SAMPLE
           && n->kind != AST_LATERAL && n->kind != AST_PIVOT;
}

// In parentheses, if it needs them.
static void print_inner(printer *p, const ast *n, bool needs)
{
    if (needs) {
        print_paren(p, n, print_source);
    } else {
        print_source(p, n);
    }
}

// A join, where a source is wanted.
static bool is_joined(const ast *n)
{
    return n->kind == AST_JOIN || n->kind == AST_RESTRICTED;
}

static void print_hint(printer *p, const ast *table)
{
    print_given(p, " ",
                table->kind == AST_TABLE ? table->kid[TABLE_HINT] : NULL,
                print_verbatim, "");
}

static void print_source_alias(printer *p, const ast *n)
{
    const ast *source = n->kid[ALIAS_EXPR];
    bool hint_last = n->flags & AST_FLAG_WORD;
    if (hint_last && source->kind == AST_TABLE) {
        print_path(p, source->kid[TABLE_PATH], source);
    } else {
        print_inner(p, source, is_joined(source) || source->kind == AST_ALIAS);
    }
    print_text(p, " AS ");
    print_given(p, "", n->text.ptr ? n : NULL, print_name, "");
    print_given(p, "", n->kid[ALIAS_COLUMNS], print_names, "");
    if (hint_last) {
        print_hint(p, source);
    }
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

static void print_join(printer *p, const ast *n)
{
    assert(n->kid[JOIN_LEFT] && n->kid[JOIN_RIGHT]);
    print_inner(p, n->kid[JOIN_LEFT], left_needs_parens(p, n));
    const ast *right = n->kid[JOIN_RIGHT];
    if (n->form == JOIN_FORM_COMMA) {
        buf_char(p->out, ',');
        print_break_before(p, right, PRINT_BEFORE_ITEM);
    } else {
        print_break_before(p, right, PRINT_BEFORE_CLAUSE);
        print_text(p, n->flags & AST_FLAG_NATURAL ? "NATURAL " : "");
        buf_add(p->out, ast_form_word(AST_JOIN, n->form));
        buf_char(p->out, ' ');
    }
    print_inner(p, right, right_needs_parens(p, n));
    if (n->kid[JOIN_ON]) {
        print_gap_before(p, n->kid[JOIN_ON]);
        print_given(p, "ON ", n->kid[JOIN_ON], print_operand, "");
    }
    print_given(p, " USING ", n->kid[JOIN_USING], print_names, "");
    print_given(p, " AS ", n->kid[JOIN_NAME], print_name, "");
}

static void print_restricted(printer *p, const ast *n)
{
    const ast *source = n->kid[RESTRICTED_SOURCE];
    print_inner(p, source, is_joined(source));
    print_given(p, " ON ", n->kid[RESTRICTED_ON], print_operand, "");
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
    print_layout layout = p->layout;
    p->indent += PRINT_STEP;
    if (has_commas_only(n) && print_fits(p, n, print_source)) {
        p->layout = PRINT_ONE_LINE;
    }
    print_source(p, n);
    p->layout = layout;
    p->indent -= PRINT_STEP;
}

static void print_pivot(printer *p, const ast *n)
{
    const ast *source = n->kid[PIVOT_SOURCE];
    print_inner(p, source, is_joined(source));
    buf_char(p->out, ' ');
    buf_add(p->out, ast_form_word(AST_PIVOT, n->form));
    print_given(p, " (", n->kid[PIVOT_VALUES], print_exprs, " FOR ");
    print_given(p, "", n->kid[PIVOT_FOR], print_exprs, " IN (");
    print_given(p, "", n->kid[PIVOT_IN], print_exprs, "))");
}

void print_source(printer *p, const ast *n)
{
    assert(n);
    print_comments(p, n);
    switch ((int)n->kind) {
    case AST_TABLE:
        print_text(p, n->flags & AST_FLAG_WORD ? "ONLY " : "");
        print_path(p, n->kid[TABLE_PATH], n);
        print_hint(p, n);
        break;
    case AST_JOIN: print_join(p, n); break;
    case AST_ALIAS: print_source_alias(p, n); break;
    case AST_LATERAL:
        print_text(p, "LATERAL ");
        print_inner(p, n->kid[LATERAL_SOURCE],
                    !is_bare_source(n->kid[LATERAL_SOURCE]));
        break;
    case AST_RESTRICTED: print_restricted(p, n); break;
    case AST_PIVOT: print_pivot(p, n); break;
    case AST_SAMPLE:
        print_inner(p, n->kid[SAMPLE_SOURCE], is_joined(n->kid[SAMPLE_SOURCE]));
        print_given(p, " ", n->kid[SAMPLE_HOW], print_verbatim, "");
        break;
    default: print_expr(p, n, 0); break;
    }
}

static void print_bound(printer *p, const ast *n)
{
    print_given(p, "", n->kid[BOUND_EXPR], print_operand, " ");
    buf_add(p->out, ast_form_word(AST_BOUND, n->form));
}

static void print_frame(printer *p, const ast *n)
{
    assert(n->kid[FRAME_START]);
    buf_add(p->out, ast_form_word(AST_FRAME, n->form));
    print_given(p, n->kid[FRAME_END] ? " BETWEEN " : " ", n->kid[FRAME_START],
                print_bound, "");
    print_given(p, " AND ", n->kid[FRAME_END], print_bound, "");
    print_given(p, " EXCLUDE ", n->text.len > 0 ? n : NULL, print_verbatim, "");
}

// Parts but the first have a break before them.
static void print_part(printer *p,
                       bool *first,
                       const char *words,
                       const ast *part,
                       print_node *print)
{
    if (part && !*first) {
        print_break_before(p, part,
                           *words ? PRINT_BEFORE_CLAUSE : PRINT_BEFORE_ITEM);
    }
    print_given(p, words, part, print, "");
    *first &= !part;
}

static void print_window_parts(printer *p, const ast *n)
{
    bool first = !n->kid[WINDOW_BASE];
    print_given(p, "", n->kid[WINDOW_BASE], print_name, "");
    print_part(p, &first, "PARTITION BY ", n->kid[WINDOW_PARTITION],
               print_exprs);
    print_part(p, &first, "ORDER BY ", n->kid[WINDOW_ORDER], print_exprs);
    print_part(p, &first, "", n->kid[WINDOW_FRAME], print_frame);
}

void print_window(printer *p, const ast *n)
{
    assert(n->kind == AST_WINDOW);
    print_layout layout = p->layout;
    bool breaks = !print_fits(p, n, print_window_parts);
    buf_char(p->out, '(');
    p->layout = breaks ? layout : PRINT_ONE_LINE;
    p->indent += PRINT_STEP;
    if (breaks) {
        print_break(p);
    }
    print_window_parts(p, n);
    p->indent -= PRINT_STEP;
    if (breaks) {
        print_break(p);
    }
    p->layout = layout;
    buf_char(p->out, ')');
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

static void print_nulls(printer *p, const ast *n)
{
    if (n->flags & (AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST)) {
        bool respect = n->flags & AST_FLAG_NULLS_FIRST;
        print_text(p, respect ? " RESPECT NULLS" : " IGNORE NULLS");
    }
}

static void print_inside(printer *p, const ast *n)
{
    bool position = str_equal_fold(n->text, S("position"));
    int in = operator_priority(OPERATOR_IN, p->dialect);
    const ast *args = n->kid[CALL_ARGS];
    const ast *tags = n->kid[CALL_ORDER] ? trailing_tags(args) : NULL;
    print_text(p, n->flags & AST_FLAG_DISTINCT ? "DISTINCT " : "");
    print_text(p, n->flags & AST_FLAG_ALL ? "ALL " : "");
    print_args(p, args, tags, position ? in + 1 : 1);
    if (n->flags & AST_FLAG_NULLS_INSIDE) {
        print_nulls(p, n);
    }
    print_given(p, args && args != tags ? " ORDER BY " : "ORDER BY ",
                n->kid[CALL_ORDER], print_exprs, "");
    if (tags) {
        buf_char(p->out, ' ');
        print_args(p, tags, NULL, 1);
    }
    print_given(p, " ", n->kid[CALL_LIMIT], print_limit, "");
}

// What fits stays after the `(`, else each argument has a line.
static void print_call_parens(printer *p, const ast *n)
{
    print_layout layout = p->layout;
    bool breaks = n->kid[CALL_ARGS] && !print_fits(p, n, print_inside);
    buf_char(p->out, '(');
    if (breaks) {
        p->indent += PRINT_STEP;
        print_break_before(p, n->kid[CALL_ARGS], PRINT_BEFORE_ITEM);
        print_inside(p, n);
        p->indent -= PRINT_STEP;
        print_break(p);
    } else {
        p->layout = PRINT_ONE_LINE;
        print_inside(p, n);
        p->layout = layout;
    }
    buf_char(p->out, ')');
}

void print_call(printer *p, const ast *n)
{
    assert(n->kind == AST_CALL);
    print_path(p, n->kid[CALL_PATH], n);
    print_call_parens(p, n);
    print_given(p, " WITHIN GROUP (ORDER BY ", n->kid[CALL_WITHIN], print_exprs,
                ")");
    print_given(p, " FILTER (WHERE ", n->kid[CALL_FILTER], print_operand, ")");
    if (!(n->flags & AST_FLAG_NULLS_INSIDE)) {
        print_nulls(p, n);
    }
    print_given(p, " OVER ", n->kid[CALL_OVER], print_exprs, "");
}
