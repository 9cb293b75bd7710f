/*
 * print.c - queries and their clauses.
 *
 * Method      What is written for a node are pieces in a table (print_piece),
 *             and functions where a choice is more than a flag or a form.
 *             One walk writes both layouts. Pretty, a query in parentheses, a
 *             list or a chain of AND is first written on one line in scratch
 *             memory; only what does not fit is broken.
 *
 * Cost        One line: linear. Pretty: linear times the depth.
 */
#include "sql/print_internal.h"

#include <assert.h>

void print_text(printer *p, const char *text)
{
    if (text && *text) {
        buf_add(p->out, str_from(text));
    }
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

void print_path(printer *p, const ast *path)
{
    for (; path; path = path->next) {
        print_name(p, path);
        buf_char(p->out, '.');
    }
}

void print_table_name(printer *p, const ast *n)
{
    print_path(p, n->kid[TABLE_PATH]);
    print_name(p, n);
}

void print_names(printer *p, const ast *names)
{
    buf_char(p->out, '(');
    for (const ast *n = names; n; n = n->next) {
        if (n->kind == AST_TYPED) {
            buf_char(p->out, ' ');
            print_bare(p, n->kid[TYPED_VALUE]);
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

void print_nothing(printer *p, const ast *n)
{
    (void)p;
    (void)n;
}

void print_form(printer *p, const ast *n)
{
    buf_add(p->out, ast_form_word((ast_kind)n->kind, n->form));
}

void print_verbatim(printer *p, const ast *n)
{
    buf_add(p->out, n->text);
}

static bool is_written(const ast *n, const print_piece *w)
{
    return (n->flags & (w->when | w->unless)) == w->when
           && (w->forms == 0 || (w->forms >> n->form & 1))
           && (w->kid != PRINT_TEXT || n->text.len > 0);
}

static void print_led(printer *p, const ast *n, print_lead lead)
{
    switch (lead) {
    case PRINT_ON: break;
    case PRINT_SPACE: buf_char(p->out, ' '); break;
    case PRINT_GAP: print_gap_before(p, n); break;
    case PRINT_BREAK: print_break(p); break;
    case PRINT_ITEM: print_break_before(p, n, PRINT_BEFORE_ITEM); break;
    case PRINT_CLAUSE: print_break_before(p, n, PRINT_BEFORE_CLAUSE); break;
    }
}

void print_pieces(printer *p, const ast *n, const print_piece *pieces)
{
    ptrdiff_t begin = p->out->len;
    for (const print_piece *w = pieces; w->before; w++) {
        bool is_child = w->print && w->kid >= 0;
        const ast *part = !is_written(n, w) ? NULL
                          : is_child        ? n->kid[w->kid]
                                            : n;
        while (part) {
            p->indent += w->indent;
            print_led(p, part, p->out->len > begin ? w->lead : PRINT_ON);
            print_text(p, w->before);
            p->parent = n;
            (w->print ? w->print : print_nothing)(p, part);
            print_text(p, w->after);
            p->indent -= w->indent;
            part = w->between ? part->next : NULL;
            print_text(p, part ? w->between : "");
        }
    }
}

void print_shape(printer *p, const ast *n, const print_piece *const *shapes)
{
    if (shapes[n->kind]) {
        print_pieces(p, n, shapes[n->kind]);
    } else {
        print_verbatim(p, n);
    }
}

void print_flat(printer *p, const ast *n, print_node *print)
{
    print_layout layout = p->layout;
    p->layout = PRINT_ONE_LINE;
    print(p, n);
    p->layout = layout;
}

void print_paren(printer *p, const ast *n, print_node *print)
{
    buf_char(p->out, '(');
    print(p, n);
    buf_char(p->out, ')');
}

void print_block(printer *p,
                 const ast *n,
                 print_node *print,
                 print_node *trial,
                 const ast *first)
{
    bool fits = print_fits(p, n, trial);
    buf_char(p->out, '(');
    if (fits) {
        print_flat(p, n, print);
    } else {
        p->indent += PRINT_STEP;
        if (first) {
            print_break_before(p, first, PRINT_BEFORE_ITEM);
        } else {
            print_break(p);
        }
        print(p, n);
        p->indent -= PRINT_STEP;
        print_break(p);
    }
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

void print_indented(printer *p, const ast *list, print_node *print)
{
    p->indent += PRINT_STEP;
    print_lines(p, list, print);
    p->indent -= PRINT_STEP;
}

void print_filled(printer *p,
                  const ast *list,
                  print_node *print,
                  print_node *trial)
{
    p->indent += PRINT_STEP;
    for (const ast *n = list; n; n = n->next) {
        if (n != list && print_fits(p, n, trial)) {
            print_text(p, ", ");
        } else if (n != list) {
            buf_char(p->out, ',');
            print_break_before(p, n, PRINT_BEFORE_ITEM);
        }
        print(p, n);
    }
    p->indent -= PRINT_STEP;
}

void print_broken(printer *p, const ast *list)
{
    if (print_fits(p, list, print_exprs)) {
        print_flat(p, list, print_exprs);
    } else {
        print_indented(p, list, print_alone);
    }
}

static void print_cte(printer *p, const ast *n)
{
    static const print_piece pieces[] = {
        {"", PRINT_SELF, .print = print_name},
        {"", CTE_COLUMNS, .print = print_names},
        {.before = " AS "},
        {"NOT ", .when = AST_FLAG_NOT},
        {"MATERIALIZED ", .when = AST_FLAG_MATERIALIZED},
        {"", CTE_QUERY, .print = print_query_in_parens},
        {" ", CTE_AFTER, .print = print_verbatim},
        {0},
    };
    if (n->kind == AST_CTE) {
        print_pieces(p, n, pieces);
    }
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

static void print_items(printer *p, const ast *items)
{
    if (items->kind == AST_WORDS) {
        p->out->len--;  // there are none
    } else {
        print_broken(p, items);
    }
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

static void print_set_operand(printer *p, const ast *n)
{
    int priority =
        set_priority(p, p->parent) + (n == p->parent->kid[SETOP_RIGHT]);
    bool parens =
        has_tail(n) || (n->kind == AST_SETOP && set_priority(p, n) < priority);
    if (parens && n->kind != AST_ERROR) {
        print_query_in_parens(p, n);
    } else {
        print_query(p, n);
    }
}

static void print_values_row(printer *p, const ast *row)
{
    print_comments(p, row);
    print_paren(p, row->kid[ROW_ITEMS], print_exprs);
}

static void print_rows(printer *p, const ast *rows)
{
    print_indented(p, rows, print_values_row);
}

// The words that begin what a WITH stands before lead to its first child.
static const print_piece *const queries[AST_KIND_COUNT] = {
    [AST_SELECT] = PRINT_PIECES(
        {"", SELECT_WITH, .print = print_with},
        {"SELECT ", SELECT_ITEMS, .print = print_nothing, .lead = PRINT_CLAUSE},
        {"DISTINCT ", .when = AST_FLAG_DISTINCT},
        {"ALL ", .when = AST_FLAG_ALL},
        {"", PRINT_TEXT, .print = print_verbatim, .after = " "},
        {"ON (", SELECT_ON, .print = print_exprs, .after = ") "},
        {"", SELECT_TOP, .print = print_bare, .after = " "},
        {"AS STRUCT ", .when = AST_FLAG_WORD},
        {"", SELECT_ITEMS, .print = print_items},
        {"FROM ", SELECT_FROM, .print = print_from, .lead = PRINT_CLAUSE},
        {"WHERE ", SELECT_WHERE, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {"GROUP BY ", SELECT_GROUP, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {" WITH ROLLUP", .when = AST_FLAG_ROLLUP},
        {"HAVING ", SELECT_HAVING, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {"WINDOW ", SELECT_WINDOWS, .print = print_windows,
         .lead = PRINT_CLAUSE},
        {"QUALIFY ", SELECT_QUALIFY, .print = print_condition,
         .lead = PRINT_CLAUSE},
        {"ORDER BY ", SELECT_ORDER, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"", SELECT_LIMIT, .print = print_bare, .lead = PRINT_ITEM},
        {"", SELECT_LOCK, .print = print_verbatim, .lead = PRINT_ITEM}),
    [AST_SETOP] = PRINT_PIECES(
        {"", SETOP_WITH, .print = print_with},
        {"", SETOP_LEFT, .print = print_set_operand, .lead = PRINT_ITEM},
        {"", SETOP_RIGHT, .print = print_nothing, .lead = PRINT_CLAUSE},
        {"", PRINT_SELF, .print = print_form},
        {" ALL", .when = AST_FLAG_ALL},
        {" DISTINCT", .when = AST_FLAG_DISTINCT},
        {"", SETOP_RIGHT, .print = print_set_operand, .lead = PRINT_ITEM},
        {"ORDER BY ", SETOP_ORDER, .print = print_broken, .lead = PRINT_CLAUSE},
        {"", SETOP_LIMIT, .print = print_bare, .lead = PRINT_ITEM}),
    [AST_VALUES] = PRINT_PIECES(
        {"", VALUES_WITH, .print = print_with},
        {"VALUES ", VALUES_ROWS, .print = print_rows, .lead = PRINT_CLAUSE},
        {"ORDER BY ", VALUES_ORDER, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"", VALUES_LIMIT, .print = print_bare, .lead = PRINT_ITEM}),
    [AST_NESTED] = PRINT_PIECES(
        {"", NESTED_WITH, .print = print_with},
        {"", NESTED_BODY, .print = print_query_in_parens, .lead = PRINT_ITEM},
        {"ORDER BY ", NESTED_ORDER, .print = print_broken,
         .lead = PRINT_CLAUSE},
        {"", NESTED_LIMIT, .print = print_bare, .lead = PRINT_ITEM}),
    [AST_INSERT] = PRINT_PIECES({"", PRINT_SELF, .print = print_dml}),
    [AST_UPDATE] = PRINT_PIECES({"", PRINT_SELF, .print = print_dml}),
    [AST_DELETE] = PRINT_PIECES({"", PRINT_SELF, .print = print_dml}),
};

void print_query(printer *p, const ast *n)
{
    print_comments(p, n);
    print_shape(p, n, queries);
}

static void print_opened(printer *p, const ast *query)
{
    buf_char(p->out, '(');
    print_query(p, query);
}

void print_query_in_parens(printer *p, const ast *query)
{
    print_block(p, query, print_query, print_opened, query);
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
    print_alone(&p, n);
}

str print_line(arena *a, const ast *n, dialect d, arena scratch)
{
    buf out = buf_new(a);
    print_sql(&out, n, d, PRINT_ONE_LINE, scratch);
    return buf_str(&out);
}
