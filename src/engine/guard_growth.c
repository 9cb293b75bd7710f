/*
 * guard_growth.c - values that a query makes large by what is written in it.
 *
 * Why         Servers look for a cancel between rows, not inside a call. One
 *             that compares two long texts byte by byte (translate, btrim,
 *             strpos, LIKE, a search of one in the other) goes on for minutes
 *             after its client has left. Such texts are not in tables: they
 *             are made, by repeat('a', 40000) and the like.
 *
 * Method      The reach of an expression is how long a text, or how large a
 *             number, its literals can make: repeat() multiplies, as * does,
 *             lpad() is as long as its number says; a name stands for what a
 *             subquery or WITH calls so. What columns hold counts as 1: what
 *             can be made of rows is not seen here, and what still runs when
 *             it was told to stop is engine.c's matter (n_stuck).
 *
 * Cost        One pass; a second one where such a call is found, with a bound
 *             on the names that are looked up.
 */
#include "engine/query_guard.h"
#include "sql/ast.h"
#include "sql/lex.h"

enum {
    MOST_MADE = 16 << 10,  // of one value
    MOST_TEXT = 64 << 10,  // of all strings of a query
    MOST_LOOKS = 200000,   // at nodes
    MOST_DEPTH = 200,
};

static const int64_t ENDLESS = (int64_t)1 << 40;

// A name, and the expression or query that it stands for.
typedef struct meaning {
    str name;
    const ast *what;
    bool is_open;  // being looked at: `lpad(x, 5) AS x` is not for ever
} meaning;

typedef struct growth {
    const query_guard *g;
    str sql;
    vec_of(meaning) meanings;
    vec_of(const ast *) makers;
    int n_looks;
    arena *a;
} growth;

static int64_t reach(growth *w, const ast *n, int depth);

static int64_t times(int64_t a, int64_t b)
{
    return a >= ENDLESS / b ? ENDLESS : a * b;
}

static int64_t plus(int64_t a, int64_t b)
{
    return a + b > ENDLESS ? ENDLESS : a + b;
}

static int64_t power(int64_t base, int64_t exponent)
{
    int64_t p = 1;
    for (int64_t i = 0; i < exponent && base > 1 && p < ENDLESS; i++) {
        p = times(p, base);
    }
    return p;
}

// Digits at `from`; anything after them is not looked at. At least 1.
static int64_t number_at(str s, ptrdiff_t from)
{
    int64_t n = 0;
    for (ptrdiff_t i = from; i < s.len && is_digit(s.ptr[i]); i++) {
        n = plus(times(n, 10), s.ptr[i] - '0');
    }
    return n > 1 ? n : 1;
}

// 5e4 counts its exponent.
static int64_t reach_of_number(str s)
{
    ptrdiff_t e = str_find_fold(s, S("e"), 0);
    bool is_small = e >= 0 && e + 1 < s.len && s.ptr[e + 1] == '-';
    int64_t n = number_at(s, 0);
    return e < 0 || is_small
               ? n
               : times(n,
                       power(10, number_at(s, e + 1 + (s.ptr[e + 1] == '+'))));
}

// A text is as long as it is; '40000' may be cast to a number.
static int64_t reach_of_string(str s)
{
    ptrdiff_t quote = str_find(s, S("'"), 0);
    int64_t number = number_at(s, quote + 1);
    int64_t length = s.len > 3 ? s.len - 2 : 1;
    return number > length ? number : length;
}

// The greatest width that a format asks for: %900s, {:>900}.
static int64_t width_of(str s)
{
    int64_t most = 1;
    bool is_inside = false;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        is_inside = s.ptr[i] == '%' || s.ptr[i] == '{'
                    || (is_inside && !is_alpha(s.ptr[i]));
        int64_t n = is_inside ? number_at(s, i) : 1;
        most = n > most ? n : most;
    }
    return most;
}

static int64_t sum_of(growth *w, const ast *list, int depth)
{
    int64_t sum = 1;
    for (const ast *n = list; n; n = n->next) {
        sum = plus(sum, reach(w, n, depth) - 1);
    }
    return sum;
}

static int64_t product_of(growth *w, const ast *list, int depth)
{
    int64_t product = 1;
    for (const ast *n = list; n; n = n->next) {
        product = times(product, reach(w, n, depth));
    }
    return product;
}

// Of a query: its largest value.
static int64_t most_of(growth *w, const ast *list, int depth)
{
    int64_t most = 1;
    for (const ast *n = list; n; n = n->next) {
        int64_t one = reach(w, n, depth);
        most = one > most ? one : most;
    }
    return most;
}

static int64_t reach_of_name(growth *w, str name, int depth)
{
    int64_t most = 1;
    for (ptrdiff_t i = 0; i < w->meanings.len; i++) {
        meaning *m = &w->meanings.ptr[i];
        if (m->is_open || !str_equal_fold(m->name, name)) {
            continue;
        }
        m->is_open = true;
        int64_t one = reach(w, m->what, depth);
        m->is_open = false;
        most = one > most ? one : most;
    }
    return most;
}

static int64_t reach_of_call(growth *w, const ast *n, int depth)
{
    const ast *args = n->kid[CALL_ARGS];
    if (guard_is_among(n->text, "power pow exp factorial")) {
        return args && args->next
                   ? power(reach(w, args, depth), reach(w, args->next, depth))
                   : power(3, reach(w, args, depth));
    }
    bool is_format = guard_is_among(n->text, "format sformat");
    if (is_format && args && args->kind == AST_STRING) {
        bool is_given = str_find(args->text, S("*"), 0) >= 0;
        int64_t given = is_given ? sum_of(w, args->next, depth) : 1;
        int64_t written = width_of(args->text);
        return given > written ? given : written;
    }
    return str_equal_fold(n->text, S("repeat")) ? product_of(w, args, depth)
                                                : sum_of(w, args, depth);
}

static int64_t reach_of_operator(growth *w, const ast *n, int depth)
{
    const ast *right = n->kid[BINARY_RIGHT];
    int64_t left = reach(w, n->kid[BINARY_LEFT], depth);
    switch (n->form) {
    case OPERATOR_MULTIPLY: return times(left, reach(w, right, depth));
    case OPERATOR_CARET: return power(left, reach(w, right, depth));
    case OPERATOR_SHIFT_LEFT:
        return times(left, power(2, reach(w, right, depth)));
    case OPERATOR_ADD:
    case OPERATOR_CONCAT:
    case OPERATOR_BAR: return plus(left, reach(w, right, depth));
    default: return operator_compares(n->form) ? 1 : left;
    }
}

static int64_t reach_of_case(growth *w, const ast *n, int depth)
{
    int64_t most = most_of(w, n->kid[CASE_ELSE], depth);
    for (const ast *when = n->kid[CASE_WHENS]; when; when = when->next) {
        int64_t one = reach(w, when->kid[WHEN_THEN], depth);
        most = one > most ? one : most;
    }
    return most;
}

static int64_t reach(growth *w, const ast *n, int depth)
{
    if (!n || depth > MOST_DEPTH || w->n_looks++ > MOST_LOOKS) {
        return 1;
    }
    depth++;
    switch (n->kind) {
    case AST_NUMBER: return reach_of_number(n->text);
    case AST_STRING: return reach_of_string(n->text);
    case AST_COLUMN: return reach_of_name(w, n->text, depth);
    case AST_CALL: return reach_of_call(w, n, depth);
    case AST_BINARY: return reach_of_operator(w, n, depth);
    case AST_CASE: return reach_of_case(w, n, depth);
    case AST_UNARY: return reach(w, n->kid[UNARY_EXPR], depth);
    case AST_CAST: return reach(w, n->kid[CAST_EXPR], depth);
    case AST_TYPED: return reach(w, n->kid[TYPED_VALUE], depth);
    case AST_TAGGED: return reach(w, n->kid[TAGGED_EXPR], depth);
    case AST_COLLATE: return reach(w, n->kid[COLLATE_EXPR], depth);
    case AST_ALIAS: return reach(w, n->kid[ALIAS_EXPR], depth);
    case AST_ARRAY: return most_of(w, n->kid[ARRAY_ITEMS], depth);
    case AST_ROW: return most_of(w, n->kid[ROW_ITEMS], depth);
    case AST_SUBQUERY: return reach(w, n->kid[SUBQUERY_QUERY], depth);
    case AST_SELECT: return most_of(w, n->kid[SELECT_ITEMS], depth);
    case AST_VALUES: return most_of(w, n->kid[VALUES_ROWS], depth);
    case AST_NESTED: return reach(w, n->kid[NESTED_BODY], depth);
    case AST_SETOP: return reach(w, n->kid[SETOP_LEFT], depth);
    default: return 1;
    }
}

static void add_meanings(growth *w, const ast *columns, const ast *what)
{
    for (const ast *n = columns; n; n = n->next) {
        *vec_push(w->a, &w->meanings) = (meaning){n->text, what, false};
    }
}

// char(9999999) is filled with blanks.
static bool is_wide(const ast *type)
{
    str word = type->text;
    ptrdiff_t end = str_find(word, S("("), 0);
    word = str_trim(str_sub(word, 0, end < 0 ? word.len : end));
    const ast *size = type->kid[TYPE_ARGS];
    return guard_is_among(word, "char character bpchar nchar bit binary")
           && size && size->kind == AST_NUMBER
           && reach_of_number(size->text) > MOST_MADE;
}

static bool note(void *context, const ast *n)
{
    growth *w = context;
    switch (n->kind) {
    case AST_ALIAS:
        *vec_push(w->a, &w->meanings) =
            (meaning){n->text, n->kid[ALIAS_EXPR], false};
        add_meanings(w, n->kid[ALIAS_COLUMNS], n->kid[ALIAS_EXPR]);
        break;
    case AST_CTE:
        add_meanings(w, n->kid[CTE_COLUMNS], n->kid[CTE_QUERY]);
        break;
    case AST_CALL:
        if (guard_is_among(n->text, w->g->makers)) {
            *vec_push(w->a, &w->makers) = n;
        }
        break;
    case AST_TYPE:
        if (is_wide(n)) {
            *vec_push(w->a, &w->makers) = n;
        }
        break;
    default: break;
    }
    return true;
}

static bool has_short_strings(const query_guard *g, str sql, execution *x)
{
    int64_t total = 0;
    lexer lex = lex_begin(sql, g->dialect);
    for (token t = lex_next_solid(&lex); t.kind != TOKEN_END;
         t = lex_next_solid(&lex)) {
        total += t.kind == TOKEN_STRING ? t.len : 0;
    }
    return total <= MOST_TEXT
           || guard_refuse(x, REASON_TOO_LONG,
                           S("its strings are longer than 64 KiB together"));
}

bool guard_bounds_growth(const query_guard *g,
                         str sql,
                         const ast *query,
                         execution *x,
                         arena *a)
{
    growth w = {.g = g, .sql = sql, .a = a};
    if (!g->makers) {
        return true;
    }
    if (!has_short_strings(g, sql, x)) {
        return false;
    }
    if (query) {
        ast_walk(query, note, &w);
    }
    for (ptrdiff_t i = 0; i < w.makers.len; i++) {
        const ast *n = w.makers.ptr[i];
        bool is_type = n->kind == AST_TYPE;
        if ((is_type || reach(&w, n, 0) > MOST_MADE)
            && (is_type || !guard_is_trusted(n->text))) {
            return guard_refuse(
                x, REASON_FORBIDDEN,
                arena_printf(a,
                             "%.*s%s makes a value of more than %d bytes: that "
                             "is not allowed, for nothing stops what may be "
                             "done with it",
                             STR_ARG(n->text), is_type ? "" : "()", MOST_MADE));
        }
    }
    return true;
}
