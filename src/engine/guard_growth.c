/*
 * guard_growth.c - values that a query makes large by what is written in it.
 *
 * Why         Servers look for a cancel between rows, not inside a call. One
 *             that compares two long texts byte by byte (translate, btrim,
 *             strpos, LIKE, a search of one in the other) goes on for minutes
 *             after its client has left. Such texts are not in tables: they
 *             are made, by repeat('a', 40000) and the like.
 *
 * Method      Each expression has a reach: how long its text, and how large its
 *             number and the inverse of that, can be by the literals in it.
 *             repeat() multiplies, as * does and replace() with a literal, ||
 *             adds; of a function that nobody described the text is twice as
 *             long as its arguments, and the number without a bound where a
 *             number is written in them, or nothing is; as is that of a text
 *             put together of digits. A name reaches as far as what a
 *             subquery or WITH calls so, and one that nothing calls so as far
 *             as what has no name. What columns hold counts as 1: what can be
 *             made of rows is not seen here, and what still runs when it was
 *             told to stop is engine.c's matter (n_stuck).
 *
 *             A call takes as many steps as its two longest arguments have
 *             together pairs of bytes, at most; one that nobody described may
 *             compare a text with itself (normalize). The steps of all calls
 *             count together, for there may be many in one row.
 *
 *             Sources are looked at before what reads them, a WITH where it is
 *             first read, so that one walk knows each name in time. The walk
 *             tells names apart by nothing but their letters, and so may think
 *             a value longer than it is.
 *
 * Cost        One pass.
 */
#include "base/map.h"
#include "engine/query_guard.h"
#include "sql/ast.h"
#include "sql/function.h"
#include "sql/lex.h"

enum {
    MOST_MADE = 16 << 10,  // of one value, beside what is written
    MOST_TEXT = 64 << 10,  // of all strings of a query
    MOST_STEPS = (MOST_MADE / 2) * (MOST_MADE / 2),
    MOST_DEPTH = 2 * AST_MAX_HEIGHT,
};

static const int64_t ENDLESS = (int64_t)1 << 40;

typedef struct reach {
    int64_t size;  // of what is written, and 1 for what is not
    int64_t number;
    int64_t inverse;
} reach;

static const reach of_data = {1, 1, 1};

typedef struct growth {
    const query_guard *g;
    int64_t most;  // of a value
    map names;     // of columns; the empty one: of those without a name
    vec_of(reach) of_names;
    map withs;
    vec_of(const ast *) of_withs;  // NULL: looked at
    const ast *grown;              // the first that is too large
    int64_t steps;                 // of calls; of one row there is no cancel
    bool is_slow;                  // there are too many
    bool is_source;                // what is looked at is read by name
    bool is_too_deep;
    arena *a;
} growth;

static reach reach_of(growth *w, const ast *n, int depth);

static int64_t times(int64_t a, int64_t b)
{
    return a >= ENDLESS / b ? ENDLESS : a * b;
}

// What is written on both sides.
static int64_t plus(int64_t a, int64_t b)
{
    return a + b > ENDLESS ? ENDLESS : a + b - 1;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t power(int64_t base, int64_t exponent)
{
    int64_t p = 1;
    for (int64_t i = 0; i < exponent && base > 1 && p < ENDLESS; i++) {
        p = times(p, base);
    }
    return p;
}

static reach sum(reach a, reach b)
{
    return (reach){plus(a.size, b.size), plus(a.number, b.number),
                   plus(a.inverse, b.inverse)};
}

static reach greater(reach a, reach b)
{
    return (reach){most(a.size, b.size), most(a.number, b.number),
                   most(a.inverse, b.inverse)};
}

/* Literals. */

// The digits at the beginning.
static int64_t whole_of(str s)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < s.len && is_digit(s.ptr[i]); i++) {
        n = times(n, 10) + s.ptr[i] - '0';
    }
    return n;
}

// All its digits as one number, as far as `stop` where that is not NUL; 5e4
// counts its exponent.
static reach reach_of_digits(str s, char stop)
{
    reach r = {1, 0, 1};
    bool has_point = false;
    bool is_whole = true;  // until `stop`
    for (ptrdiff_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        char next = i + 1 < s.len ? s.ptr[i + 1] : '\0';
        char then = i + 2 < s.len ? s.ptr[i + 2] : '\0';
        bool is_signed = next == '-' || next == '+';
        if (is_digit(c)) {
            r.number = is_whole ? times(r.number, 10) + c - '0' : r.number;
            r.inverse = has_point ? times(r.inverse, 10) : r.inverse;
        } else if (to_lower(c) == 'e' && i > 0 && is_digit(s.ptr[i - 1])
                   && is_digit(is_signed ? then : next)) {
            str rest = str_skip(s, i + 1 + is_signed);
            int64_t exponent = whole_of(rest);
            int64_t *of = next == '-' ? &r.inverse : &r.number;
            *of = times(*of, power(10, exponent));
            r.size = exponent;
            break;
        }
        has_point |= c == '.';
        is_whole &= stop == '\0' || c != stop;
    }
    return greater(r, of_data);
}

static reach reach_of_number(str s)
{
    bool is_hex = s.len > 2 && s.ptr[0] == '0' && to_lower(s.ptr[1]) == 'x';
    reach r = is_hex ? (reach){s.len, power(16, s.len - 2), 1}
                     : reach_of_digits(s, '.');
    r.size = plus(r.size, s.len);
    return r;
}

// A text is as long as it is; '40000' and 'xffff' may be cast to a number.
static reach reach_of_string(str s)
{
    ptrdiff_t quote = str_find(s, S("'"), 0);
    str inner = str_sub(s, quote + 1, s.len - (quote >= 0));
    char before = quote > 0 ? to_lower(s.ptr[quote - 1]) : '\0';
    char first = inner.len > 0 ? to_lower(inner.ptr[0]) : '\0';
    bool is_hex =
        before == 'x' || first == 'x'
        || (first == '0' && inner.len > 1 && to_lower(inner.ptr[1]) == 'x');
    reach r = is_hex          ? (reach){1, power(16, inner.len), 1}
              : before == 'b' ? (reach){1, power(2, inner.len), 1}
                              : reach_of_digits(inner, '\0');
    r.size = plus(r.size, most(inner.len, 1));
    return r;
}

/* Names. */

static reach *value_of_name(growth *w, str name)
{
    ptrdiff_t id = map_add(&w->names, w->a, name);
    while (w->of_names.len <= id) {
        *vec_push(w->a, &w->of_names) = of_data;
    }
    return &w->of_names.ptr[id];
}

static void call_so(growth *w, str name, reach r)
{
    reach *known = value_of_name(w, name);
    *known = greater(*known, r);
}

static reach reach_of_column(growth *w, str name)
{
    ptrdiff_t id = map_find(&w->names, name);
    return id >= 0 ? w->of_names.ptr[id] : *value_of_name(w, S(""));
}

// The queries of WITH that are called so, unless they were looked at.
static void look_at_with(growth *w, str name, int depth)
{
    ptrdiff_t id = map_find(&w->withs, name);
    const ast *n = id >= 0 ? w->of_withs.ptr[id] : NULL;
    if (n) {
        bool is_source = w->is_source;
        w->of_withs.ptr[id] = NULL;
        w->is_source = true;
        reach r = reach_of(w, n->kid[CTE_QUERY], depth);
        w->is_source = is_source;
        for (const ast *c = n->kid[CTE_COLUMNS]; c; c = c->next) {
            call_so(w, c->text, r);
        }
    }
}

static bool note_with(void *context, const ast *n)
{
    growth *w = context;
    if (n->kind == AST_CTE) {
        ptrdiff_t id = map_add(&w->withs, w->a, n->text);
        if (id == w->of_withs.len) {
            *vec_push(w->a, &w->of_withs) = n;
        }
    }
    return true;
}

/* Calls. */

// The greatest width that a format asks for: %900s, {:>900}.
static int64_t width_of(str s)
{
    int64_t widest = 1;
    bool is_inside = false;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        is_inside = s.ptr[i] == '%' || s.ptr[i] == '{'
                    || (is_inside && !is_alpha(s.ptr[i]));
        ptrdiff_t end = i;
        while (is_inside && end < s.len && is_digit(s.ptr[end])) {
            end++;
        }
        if (end > i) {
            widest = most(widest, whole_of(str_skip(s, i)));
            i = end - 1;
        }
    }
    return widest;
}

static int64_t size_of_format(const ast *format,
                              reach of_format,
                              reach all,
                              int64_t sum_of_numbers)
{
    bool is_written = format->kind == AST_STRING;
    bool is_given = !is_written || str_find(format->text, S("*"), 0) >= 0;
    int64_t width = is_written ? width_of(format->text) : of_format.number;
    return plus(times(of_format.size, all.size),
                plus(width, is_given ? sum_of_numbers : 1));
}

// How much longer a text gets by the third argument, put in for the second;
// what a pattern stands for may be shorter than it.
static int64_t factor_of_replacement(const ast *call, int64_t size)
{
    const ast *args = call->kid[CALL_ARGS];
    const ast *old = args ? args->next : NULL;
    bool is_pattern = str_equal_fold(call->text, S("regexp_replace"));
    int64_t length = old && old->kind == AST_STRING && !is_pattern
                         ? most(old->text.len - 2, 1)
                         : 1;
    return most((size + length - 1) / length, 1);
}

static reach reach_of_power(const ast *second, reach base, reach exponent)
{
    bool is_e = !second;
    int64_t times_ = is_e ? base.number : exponent.number;
    return (reach){times(is_e ? 4 : base.size, times_),
                   power(is_e ? 3 : base.number, times_),
                   power(is_e ? 3 : base.inverse, times_)};
}

// Of a text that is put together: '9' || '9' is 99.
static int64_t number_of_text(reach all)
{
    return all.number > 1 ? ENDLESS : 1;
}

static bool asks_epoch(const ast *args)
{
    return args
           && (str_find_fold(args->text, S("epoch"), 0) >= 0
               || str_find_fold(args->text, S("seconds"), 0) >= 0
               || str_find_fold(args->text, S("julian"), 0) >= 0);
}

// It compares what is so long with what is so long.
static void note_steps(growth *w, const ast *n, int64_t a, int64_t b)
{
    if (n->kind != AST_CALL || !guard_is_trusted(n->text)) {
        w->steps = plus(w->steps, times(a, b));
    }
    if (!w->grown && w->steps > MOST_STEPS) {
        w->grown = n;
        w->is_slow = true;
    }
}

static reach reach_of_named_call(growth *w, const ast *n, int depth)
{
    const ast *args = n->kid[CALL_ARGS];
    reach each[3] = {of_data, of_data, of_data};
    reach all = of_data;
    int64_t longest = 1;
    int64_t next = 1;
    int i = 0;
    for (const ast *arg = args; arg; arg = arg->next, i++) {
        reach r = reach_of(w, arg, depth);
        if (i < countof(each)) {
            each[i] = r;
        }
        all = sum(all, r);
        next = most(next, r.size < longest ? r.size : longest);
        longest = most(longest, r.size);
    }
    function_growth kind = function_of(n->text)->growth;
    int64_t half = most(all.size / 2, 1);
    bool is_known = kind != GROWTH_UNKNOWN;
    note_steps(w, n, is_known ? longest : half, is_known ? next : half);
    bool is_format = kind == GROWTH_FORMAT && args
                     && (w->g->dialect == DIALECT_POSTGRES
                         || str_equal_fold(n->text, S("sformat")));
    switch (kind) {
    case GROWTH_NONE:
        all.number = asks_epoch(args) ? ENDLESS : all.number;
        return all;
    case GROWTH_TEXT: break;
    case GROWTH_COUNT: all.number = times(all.size, 8); return all;
    case GROWTH_REPEAT: all.size = times(each[0].size, each[1].number); break;
    case GROWTH_FILL: all.size = plus(all.size, each[1].number); break;
    case GROWTH_SPACE: all.size = each[0].number; break;
    case GROWTH_REPLACE:
        all.size = times(each[0].size, factor_of_replacement(n, each[2].size));
        break;
    case GROWTH_SEPARATE:
        all.size = times(each[0].size, plus(all.size, i));
        break;
    case GROWTH_SET: all.size = times(all.size, 64); break;
    case GROWTH_FORMAT:
        all.size = is_format ? size_of_format(args, each[0], all, all.number)
                             : all.size;
        break;
    case GROWTH_POWER:
        return reach_of_power(args ? args->next : NULL, each[0], each[1]);
    case GROWTH_HASH: all.number = ENDLESS; break;
    case GROWTH_UNKNOWN:
        all.size = plus(all.size, all.size);
        all.number = args ? all.number : ENDLESS;  // of now(), uuid_short()
        break;
    }
    all.number = number_of_text(all);
    all.inverse = all.number;
    return all;
}

static reach reach_of_call(growth *w, const ast *n, int depth)
{
    for (int i = CALL_ARGS + 1; i < ast_kid_count(AST_CALL); i++) {
        for (const ast *k = n->kid[i]; k; k = k->next) {
            reach_of(w, k, depth);
        }
    }
    return reach_of_named_call(w, n, depth);
}

/* Expressions. */

static reach reach_of_operator(growth *w, const ast *n, int depth)
{
    reach l = reach_of(w, n->kid[BINARY_LEFT], depth);
    reach r = reach_of(w, n->kid[BINARY_RIGHT], depth);
    reach both = sum(l, r);
    bool is_power =
        n->form == OPERATOR_CARET && w->g->dialect == DIALECT_POSTGRES;
    reach_of(w, n->kid[BINARY_ESCAPE], depth);
    if (n->form != OPERATOR_AND && n->form != OPERATOR_OR
        && n->form != OPERATOR_CONCAT && !operator_compares(n->form)) {
        note_steps(w, n, l.size, r.size);
    }
    switch (n->form) {
    case OPERATOR_MULTIPLY:
        both.number = times(l.number, r.number);
        both.inverse = times(l.inverse, r.inverse);
        return both;
    case OPERATOR_DIVIDE:
    case OPERATOR_DIV:
        both.number = times(l.number, r.inverse);
        both.inverse = times(l.inverse, r.number);
        return both;
    case OPERATOR_CONCAT: both.number = number_of_text(both); return both;
    case OPERATOR_SHIFT_LEFT:
        both.number = times(l.number, power(2, r.number));
        return both;
    case OPERATOR_CARET:
        return is_power ? reach_of_power(n->kid[BINARY_RIGHT], l, r) : both;
    default: return operator_compares(n->form) ? of_data : both;
    }
}

// Of a query: its values together. What has no other name is called "", from
// without, but where nothing of a query is called by a name: IN (SELECT ...).
static reach reach_of_select(growth *w, const ast *n, int depth)
{
    reach all = of_data;
    reach nameless = of_data;
    bool is_source = w->is_source;
    reach_of(w, n->kid[SELECT_WITH], depth);
    w->is_source = true;
    reach_of(w, n->kid[SELECT_FROM], depth);
    w->is_source = false;
    for (int i = SELECT_WITH + 1; i < ast_kid_count(AST_SELECT); i++) {
        for (const ast *k = n->kid[i]; k && i != SELECT_FROM; k = k->next) {
            reach r = reach_of(w, k, depth);
            bool is_item = i == SELECT_ITEMS;
            bool has_name = k->kind == AST_ALIAS || k->kind == AST_COLUMN
                            || k->kind == AST_STAR;
            all = is_item ? sum(all, r) : all;
            nameless = is_item && !has_name ? greater(nameless, r) : nameless;
        }
    }
    w->is_source = is_source;
    if (is_source) {
        call_so(w, S(""), nameless);
    }
    return all;
}

// Is what stands there no value, or another one?
static bool is_apart(const ast *n, int kid)
{
    switch (n->kind) {
    case AST_CASE: return kid == CASE_EXPR;
    case AST_WHEN: return kid == WHEN_IF;
    case AST_SUBSCRIPT: return kid != SUBSCRIPT_EXPR;
    case AST_CAST: return kid != CAST_EXPR;
    case AST_BETWEEN:
    case AST_IN:
    case AST_EXISTS:
    case AST_QUANTIFIED:
    case AST_LIMIT:
    case AST_TYPE: return true;
    default: return false;
    }
}

static reach reach_of_kids(growth *w, const ast *n, int depth)
{
    bool is_list = n->kind == AST_ARRAY || n->kind == AST_ROW;
    int64_t product = 1;
    reach all = of_data;
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        for (const ast *k = n->kid[i]; k; k = k->next) {
            reach r = reach_of(w, k, depth);
            all = is_apart(n, i) ? all
                  : is_list      ? sum(all, r)
                                 : greater(all, r);
            all.size = is_list ? plus(all.size, 2) : all.size;  // a separator
            product = times(product, r.number);
        }
    }
    all.number = n->kind == AST_ARRAY      ? product
                 : n->kind == AST_INTERVAL ? ENDLESS
                                           : all.number;
    if (n->kind == AST_VALUES) {
        call_so(w, S(""), all);
    }
    return all;
}

// v.*: all that has a name.
static reach reach_of_star(const growth *w, const ast *n)
{
    reach all = of_data;
    for (ptrdiff_t i = 0; n->kid[STAR_PATH] && i < w->of_names.len; i++) {
        all.size = plus(all.size, w->of_names.ptr[i].size);
    }
    return all;
}

static reach reach_of_alias(growth *w, const ast *n, int depth)
{
    reach r = reach_of(w, n->kid[ALIAS_EXPR], depth);
    call_so(w, n->text, r);
    for (const ast *c = n->kid[ALIAS_COLUMNS]; c; c = c->next) {
        call_so(w, c->text, r);
    }
    return r;
}

static reach reach_of_unary(growth *w, const ast *n, int depth)
{
    reach r = reach_of(w, n->kid[UNARY_EXPR], depth);
    bool is_plain = n->form == OPERATOR_NEGATE || n->form == OPERATOR_POSITIVE
                    || n->form == OPERATOR_NOT;
    r.number = is_plain ? r.number : ENDLESS;
    return r;
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
           && reach_of_number(size->text).number > MOST_MADE;
}

static reach measure(growth *w, const ast *n, int depth)
{
    switch (n->kind) {
    case AST_NUMBER: return reach_of_number(n->text);
    case AST_STRING: return reach_of_string(n->text);
    case AST_PARAMETER: return (reach){1, ENDLESS, ENDLESS};
    case AST_COLUMN: return reach_of_column(w, n->text);
    case AST_STAR: return reach_of_star(w, n);
    case AST_CALL: return reach_of_call(w, n, depth);
    case AST_BINARY: return reach_of_operator(w, n, depth);
    case AST_UNARY: return reach_of_unary(w, n, depth);
    case AST_ALIAS: return reach_of_alias(w, n, depth);
    case AST_SELECT: return reach_of_select(w, n, depth);
    case AST_CTE:
    case AST_TABLE: look_at_with(w, n->text, depth); return of_data;
    default: return reach_of_kids(w, n, depth);
    }
}

static reach reach_of(growth *w, const ast *n, int depth)
{
    w->is_too_deep |= depth > MOST_DEPTH;
    if (!n || w->is_too_deep || w->grown) {
        return of_data;
    }
    reach r = measure(w, n, depth + 1);
    bool makes = n->kind == AST_CALL || n->kind == AST_BINARY;
    bool is_trusted = n->kind == AST_CALL && guard_is_trusted(n->text);
    if (!w->grown && !is_trusted
        && ((makes && r.size > w->most)
            || (n->kind == AST_TYPE && is_wide(n)))) {
        w->grown = n;
    }
    return is_trusted ? of_data : r;
}

static int64_t size_of_strings(const query_guard *g, str sql)
{
    int64_t total = 0;
    lexer lex = lex_begin(sql, g->dialect);
    for (token t = lex_next_solid(&lex); t.kind != TOKEN_END;
         t = lex_next_solid(&lex)) {
        total += t.kind == TOKEN_STRING ? t.len : 0;
    }
    return total;
}

bool guard_bounds_growth(const query_guard *g,
                         str sql,
                         const ast *query,
                         execution *x,
                         arena *a)
{
    if (!g->bounds_growth) {
        return true;
    }
    int64_t written = size_of_strings(g, sql);
    if (written > MOST_TEXT) {
        return engine_fails(x, REASON_TOO_LONG,
                            S("its strings are longer than 64 KiB in all"));
    }
    growth w = {.g = g, .most = MOST_MADE + 2 * written, .a = a};
    w.names.ignores_case = true;
    w.withs.ignores_case = true;
    if (query) {
        ast_walk(query, note_with, &w);
        reach_of(&w, query, 0);
    }
    if (w.is_too_deep) {
        return engine_fails(x, REASON_TOO_COMPLEX,
                            S("it is nested too deeply to be checked"));
    }
    if (!w.grown) {
        return true;
    }
    str name = w.grown->kind == AST_BINARY
                   ? operator_text((sql_operator)w.grown->form)
                   : w.grown->text;
    const char *call = w.grown->kind == AST_CALL ? "()" : "";
    return engine_fails(
        x, REASON_FORBIDDEN,
        w.is_slow
            ? arena_printf(
                a,
                "%.*s%s compares long texts that are written in the query: "
                "that is not allowed, because nothing could stop it",
                STR_ARG(name), call)
            : arena_printf(
                a,
                "%.*s%s makes a value of more than %d bytes: that is not "
                "allowed, because nothing could stop what is done with it",
                STR_ARG(name), call, MOST_MADE));
}
