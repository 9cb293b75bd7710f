/*
 * print.c - queries and their clauses.
 *
 * Method      One walk writes both layouts. Pretty, a query in parentheses, a
 *             list or a chain of AND is first written on one line in scratch
 *             memory; only what does not fit is broken.
 *
 * Cost        One line: linear. Pretty: linear times the depth.
 */
#include "sql/print_internal.h"

#include <assert.h>

void print_text(printer *p, const char *text)
{
    buf_add(p->out, str_from(text));
}

void print_name(printer *p, const ast *n)
{
    assert(n->form <= QUOTE_AS_TYPED);
    static const char open[] = {0, '"', '`', '[', '\'', 0};
    static const char shut[] = {0, '"', '`', ']', '\'', 0};
    char close = shut[n->form];
    if (!close) {
        buf_add(p->out, n->text);
        return;
    }
    bool single = (n->form == QUOTE_BRACKET && p->dialect == DIALECT_SQLITE)
                  || p->dialect == DIALECT_BIGQUERY;
    buf_char(p->out, open[n->form]);
    for (ptrdiff_t i = 0; i < n->text.len; i++) {
        bool escaped =
            n->text.ptr[i] == '\\' && n->form == QUOTE_SINGLE
            && (p->dialect == DIALECT_MYSQL || p->dialect == DIALECT_SNOWFLAKE);
        buf_char(p->out, n->text.ptr[i]);
        if (escaped && i + 1 < n->text.len) {
            buf_char(p->out, n->text.ptr[++i]);
        } else if (n->text.ptr[i] == close && !single) {
            buf_char(p->out, close);
        }
    }
    buf_char(p->out, close);
}

void print_path(printer *p, const ast *path, const ast *n)
{
    for (; path; path = path->next) {
        print_name(p, path);
        buf_char(p->out, '.');
    }
    print_name(p, n);
}

void print_names(printer *p, const ast *names)
{
    buf_char(p->out, '(');
    for (const ast *n = names; n; n = n->next) {
        if (n->kind == AST_TYPED) {
            buf_char(p->out, ' ');
            print_type(p, n->kid[TYPED_VALUE]);
            continue;
        }
        buf_add(p->out, n == names ? S("") : S(", "));
        print_name(p, n);
    }
    buf_char(p->out, ')');
}

void print_break(printer *p)
{
    assert(p->indent >= 0);
    if (p->layout == PRINT_ONE_LINE) {
        buf_char(p->out, ' ');
        return;
    }
    buf_char(p->out, '\n');
    buf_repeat(p->out, ' ', p->indent);
}

static ptrdiff_t column_of(const buf *out)
{
    ptrdiff_t at = out->len;
    while (at > 0 && out->ptr[at - 1] != '\n') {
        at--;
    }
    return out->len - at;
}

bool print_fits(printer *p, const ast *n, print_node *print)
{
    assert(n);
    if (p->layout == PRINT_ONE_LINE) {
        return true;
    }
    printer trial = *p;
    buf flat = buf_new(&trial.scratch);
    arena memory = trial.scratch;
    flat.a = &memory;
    trial.out = &flat;
    trial.layout = PRINT_ONE_LINE;
    trial.needs_lines = false;
    print(&trial, n);
    return !trial.needs_lines && column_of(p->out) + flat.len <= PRINT_WIDTH;
}

void print_alone(printer *p, const ast *n)
{
    print_expr(p, n, 0);
}

void print_operand(printer *p, const ast *n)
{
    print_expr(p, n, 1);
}

void print_verbatim(printer *p, const ast *n)
{
    buf_add(p->out, n->text);
}

void print_given(printer *p,
                 const char *before,
                 const ast *n,
                 print_node *print,
                 const char *after)
{
    if (n) {
        print_text(p, before);
        print(p, n);
        print_text(p, after);
    }
}

void print_after_break(printer *p,
                       const char *words,
                       const ast *n,
                       print_node *print)
{
    if (n) {
        print_break_before(p, n, PRINT_BEFORE_CLAUSE);
        print_given(p, words, n, print, "");
    }
}

void print_paren(printer *p, const ast *n, print_node *print)
{
    buf_char(p->out, '(');
    print(p, n);
    buf_char(p->out, ')');
}

void print_lines(printer *p, const ast *list, print_node *print)
{
    for (const ast *n = list; n; n = n->next) {
        if (n != list) {
            buf_char(p->out, ',');
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print(p, n);
    }
}

// A list, or one item to a line where it does not fit.
static void print_broken(printer *p, const ast *list)
{
    if (print_fits(p, list, print_exprs)) {
        print_layout layout = p->layout;
        p->layout = PRINT_ONE_LINE;
        print_exprs(p, list);
        p->layout = layout;
        return;
    }
    p->indent += PRINT_STEP;
    print_lines(p, list, print_alone);
    p->indent -= PRINT_STEP;
}

void print_clause(printer *p, const char *words, const ast *list)
{
    print_after_break(p, words, list, print_broken);
}

static void print_fetch(printer *p, const ast *n)
{
    print_text(p, "FETCH NEXT ");
    print_given(p, "", n->kid[LIMIT_COUNT], print_operand,
                n->flags & AST_FLAG_PERCENT ? " PERCENT " : " ");
    print_text(p, n->flags & AST_FLAG_TIES ? "ROWS WITH TIES" : "ROWS ONLY");
}

static void print_top(printer *p, const ast *n)
{
    const ast *count = n->kid[LIMIT_COUNT];
    bool plain = count->kind == AST_NUMBER || count->kind == AST_PARAMETER;
    print_text(p, plain ? "TOP " : "TOP (");
    print_expr(p, count, 1);
    print_text(p, plain ? "" : ")");
    print_text(p, n->flags & AST_FLAG_PERCENT ? " PERCENT" : "");
    print_text(p, n->flags & AST_FLAG_TIES ? " WITH TIES" : "");
}

void print_limit(printer *p, const ast *n)
{
    assert(n->kind == AST_LIMIT);
    if (n->form == LIMIT_FORM_TOP) {
        print_top(p, n);
        return;
    }
    const char *gap = "";
    if (n->form == LIMIT_FORM_PLAIN && n->kid[LIMIT_COUNT]) {
        print_text(p, "LIMIT ");
        print_expr(p, n->kid[LIMIT_COUNT], 1);
        gap = " ";
    }
    if (n->kid[LIMIT_OFFSET]) {
        print_text(p, gap);
        print_text(p, "OFFSET ");
        print_expr(p, n->kid[LIMIT_OFFSET], 1);
        print_text(p, n->flags & AST_FLAG_WORD ? " ROWS" : "");
        gap = " ";
    }
    if (n->form == LIMIT_FORM_FETCH) {
        print_text(p, gap);
        print_fetch(p, n);
    }
}

static void print_cte(printer *p, const ast *n)
{
    if (n->kind != AST_CTE) {
        return;
    }
    print_name(p, n);
    print_given(p, "", n->kid[CTE_COLUMNS], print_names, "");
    print_text(p, " AS ");
    print_text(p, n->flags & AST_FLAG_NOT ? "NOT " : "");
    print_text(p, n->flags & AST_FLAG_MATERIALIZED ? "MATERIALIZED " : "");
    print_query_in_parens(p, n->kid[CTE_QUERY]);
    print_given(p, " ", n->kid[CTE_AFTER], print_verbatim, "");
}

void print_with(printer *p, const ast *n)
{
    assert(n->kind == AST_WITH);
    print_text(p, n->flags & AST_FLAG_RECURSIVE ? "WITH RECURSIVE " : "WITH ");
    print_lines(p, n->kid[WITH_CTES], print_cte);
}

void print_condition(printer *p, const ast *n)
{
    bool chain = n->kind == AST_BINARY
                 && (n->form == OPERATOR_AND || n->form == OPERATOR_OR);
    if (!chain || print_fits(p, n, print_exprs)) {
        print_exprs(p, n);
        return;
    }
    p->indent += PRINT_STEP;
    print_expr(p, n, 1);
    p->indent -= PRINT_STEP;
}

static void print_windows(printer *p, const ast *windows)
{
    for (const ast *n = windows; n; n = n->next) {
        print_name(p, n);
        print_text(p, " AS ");
        print_window(p, n);
        print_text(p, n->next ? ", " : "");
    }
}

static void print_head(printer *p, const ast *n)
{
    print_text(p, "SELECT ");
    print_text(p, n->flags & AST_FLAG_DISTINCT ? "DISTINCT " : "");
    print_text(p, n->flags & AST_FLAG_ALL ? "ALL " : "");
    buf_add(p->out, n->text);
    print_text(p, n->text.len > 0 ? " " : "");
    print_given(p, "ON (", n->kid[SELECT_ON], print_exprs, ") ");
    print_given(p, "", n->kid[SELECT_TOP], print_limit, " ");
    print_text(p, n->flags & AST_FLAG_WORD ? "AS STRUCT " : "");
    if (n->kid[SELECT_ITEMS]->kind == AST_WORDS) {
        p->out->len--;  // there are none
    } else {
        print_broken(p, n->kid[SELECT_ITEMS]);
    }
}

static void print_select(printer *p, const ast *n)
{
    print_head(p, n);
    print_after_break(p, "FROM ", n->kid[SELECT_FROM], print_from);
    print_after_break(p, "WHERE ", n->kid[SELECT_WHERE], print_condition);
    print_clause(p, "GROUP BY ", n->kid[SELECT_GROUP]);
    print_text(p, n->flags & AST_FLAG_ROLLUP ? " WITH ROLLUP" : "");
    print_after_break(p, "HAVING ", n->kid[SELECT_HAVING], print_condition);
    print_after_break(p, "WINDOW ", n->kid[SELECT_WINDOWS], print_windows);
    print_after_break(p, "QUALIFY ", n->kid[SELECT_QUALIFY], print_condition);
}

static bool has_tail(const ast *n)
{
    return !ast_is_query(n) || n->kind == AST_NESTED
           || ast_query_has(n, QUERY_WITH) || ast_query_has(n, QUERY_ORDER)
           || ast_query_has(n, QUERY_LIMIT)
           || (n->kind == AST_SELECT && n->kid[SELECT_LOCK]);
}

static int set_priority(const printer *p, const ast *n)
{
    return n->form == SETOP_FORM_INTERSECT && p->dialect != DIALECT_SQLITE;
}

static void print_set_operand(printer *p, const ast *n, int priority)
{
    bool parens =
        has_tail(n) || (n->kind == AST_SETOP && set_priority(p, n) < priority);
    if (parens && n->kind != AST_ERROR) {
        print_query_in_parens(p, n);
    } else {
        print_query(p, n);
    }
}

static void print_setop(printer *p, const ast *n)
{
    assert(n->kid[SETOP_LEFT] && n->kid[SETOP_RIGHT]);
    int priority = set_priority(p, n);
    const ast *right = n->kid[SETOP_RIGHT];
    print_set_operand(p, n->kid[SETOP_LEFT], priority);
    print_break_before(p, right, PRINT_BEFORE_CLAUSE);
    buf_add(p->out, ast_form_word(AST_SETOP, n->form));
    print_text(p, n->flags & AST_FLAG_ALL ? " ALL" : "");
    print_text(p, n->flags & AST_FLAG_DISTINCT ? " DISTINCT" : "");
    print_break_before(p, right, PRINT_BEFORE_ITEM);
    print_set_operand(p, right, priority + 1);
}

static void print_values_row(printer *p, const ast *row)
{
    print_comments(p, row);
    print_paren(p, row->kid[ROW_ITEMS], print_exprs);
}

static void print_values(printer *p, const ast *n)
{
    print_text(p, "VALUES ");
    p->indent += PRINT_STEP;
    print_lines(p, n->kid[VALUES_ROWS], print_values_row);
    p->indent -= PRINT_STEP;
}

void print_tail(printer *p, const ast *order, const ast *limit)
{
    print_clause(p, "ORDER BY ", order);
    if (limit) {
        print_break_before(p, limit, PRINT_BEFORE_ITEM);
        print_limit(p, limit);
    }
}

// Where the query begins after its WITH.
static const ast *body_of(const ast *n)
{
    assert(ast_is_query(n));
    switch ((int)n->kind) {
    case AST_SELECT: return n->kid[SELECT_ITEMS];
    case AST_SETOP: return n->kid[SETOP_LEFT];
    case AST_VALUES: return n->kid[VALUES_ROWS];
    default: return n->kid[NESTED_BODY];
    }
}

static void print_break_before_body(printer *p, const ast *n)
{
    bool word = n->kind == AST_SELECT || n->kind == AST_VALUES;
    print_break_before(p, body_of(n),
                       word ? PRINT_BEFORE_CLAUSE : PRINT_BEFORE_ITEM);
}

static void print_body(printer *p, const ast *n, const ast *with)
{
    if (with) {
        print_with(p, with);
        print_break_before_body(p, n);
    }
    switch ((int)n->kind) {
    case AST_SELECT: print_select(p, n); break;
    case AST_SETOP: print_setop(p, n); break;
    case AST_VALUES: print_values(p, n); break;
    default: print_query_in_parens(p, n->kid[NESTED_BODY]); break;
    }
}

void print_query(printer *p, const ast *n)
{
    print_comments(p, n);
    if (n->kind == AST_INSERT || n->kind == AST_UPDATE
        || n->kind == AST_DELETE) {
        print_dml(p, n);
    } else if (!ast_is_query(n)) {
        print_verbatim(p, n);
    } else {
        print_body(p, n, ast_query_has(n, QUERY_WITH));
        print_tail(p, ast_query_has(n, QUERY_ORDER),
                   ast_query_has(n, QUERY_LIMIT));
    }
    const ast *lock = n->kind == AST_SELECT ? n->kid[SELECT_LOCK] : NULL;
    if (lock) {
        print_break_before(p, lock, PRINT_BEFORE_ITEM);
        print_verbatim(p, lock);
    }
}

void print_query_in_parens(printer *p, const ast *query)
{
    buf_char(p->out, '(');
    print_layout layout = p->layout;
    if (print_fits(p, query, print_query)) {
        p->layout = PRINT_ONE_LINE;
        print_query(p, query);
        p->layout = layout;
    } else {
        p->indent += PRINT_STEP;
        print_break_before(p, query, PRINT_BEFORE_ITEM);
        print_query(p, query);
        p->indent -= PRINT_STEP;
        print_break(p);
    }
    buf_char(p->out, ')');
}

void print_any(printer *p, const ast *n)
{
    switch ((int)n->kind) {
    case AST_TABLE:
    case AST_JOIN:
    case AST_LATERAL:
    case AST_RESTRICTED:
    case AST_PIVOT:
    case AST_SAMPLE: print_source(p, n); break;
    case AST_CREATE_TABLE:
    case AST_CREATE_VIEW:
    case AST_CREATE_TYPE:
    case AST_CREATE_INDEX:
    case AST_ALTER_TABLE:
    case AST_DROP_TABLE:
    case AST_COLUMN_DEF:
    case AST_CONSTRAINT: print_ddl(p, n); break;
    default: print_expr(p, n, 0); break;
    }
}

void print_sql(buf *out,
               const ast *n,
               dialect d,
               print_layout layout,
               arena scratch)
{
    assert(n && d < DIALECT_COUNT);
    printer p = {
        .out = out, .scratch = scratch, .dialect = d, .layout = layout};
    print_any(&p, n);
}

str print_line(arena *a, const ast *n, dialect d, arena scratch)
{
    buf out = buf_new(a);
    print_sql(&out, n, d, PRINT_ONE_LINE, scratch);
    return buf_str(&out);
}
