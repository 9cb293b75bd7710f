/*
 * translate.c - MySQL's and PostgreSQL's expressions as SQLite's.
 *
 * Method      The tree is rewritten from its leaves up, in place, and printed.
 *             What is said in other words where it stands has a row in
 *             otherwise.def.
 *
 * Invariant   Refused once is refused for good: `why` keeps the first reason
 *             and the tree is thrown away.
 *
 * Cost        Linear in the query and in what is copied.
 */
#include "sql/translate.h"

#include "sql/ast_rewrite.h"
#include "sql/name.h"
#include "sql/parse.h"
#include "sql/print.h"
#include "sql/translate_internal.h"

#include <assert.h>

ast *translate_refuse(translator *t, ast *n, str why)
{
    if (t->words.why.len == 0) {
        t->words.why = why;
    }
    return n;
}

static bool is_mysql(const translator *t)
{
    return t->words.from == DIALECT_MYSQL;
}

// The expression of SQLite with these arguments.
ast *translate_expression(translator *t, str text, ast *const *args)
{
    return otherwise_expression(&t->words, text, DIALECT_SQLITE,
                                (const ast *const *)args);
}

ast *translate_around(translator *t, ast *query)
{
    ast *out = translate_expression(t, S("(SELECT * FROM (SELECT 1))"), NULL)
                   ->kid[SUBQUERY_QUERY];
    out->kid[SELECT_FROM]->kid[SUBQUERY_QUERY] = query;
    return out;
}

// A call that no row of otherwise.def has.
static ast *call_of(translator *t, ast *n)
{
    int n_args = ast_list_len(n->kid[CALL_ARGS]);
    ast *of_time = translate_timed(t, n, n_args);
    if (of_time) {
        return of_time;
    }
    bool has_words = n->kid[CALL_ARGS]
                     && (n->kid[CALL_ARGS]->kind == AST_TAGGED
                         || (n->kid[CALL_ARGS]->next
                             && n->kid[CALL_ARGS]->next->kind == AST_TAGGED));
    str name =
        arena_printf(t->words.a, "%s %.*s", has_words ? "this" : "the function",
                     STR_ARG(n->text));
    if (n->kid[CALL_ORDER] || n->kid[CALL_WITHIN]) {
        return translate_refuse(t, n, S("an aggregate in an order"));
    }
    bool is_known =
        !has_words
        && dialect_call(t->words.from, n->text, n_args, ARGUMENT_ANY)
               > CALL_OWN;
    return is_known ? n : translate_refuse(t, n, name);
}

static bool is_real(const ast *n)
{
    return n && n->kind == AST_NUMBER && str_find(n->text, S("."), 0) >= 0;
}

static ast *binary(translator *t, ast *n)
{
    ast *args[] = {n->kid[BINARY_LEFT], n->kid[BINARY_RIGHT]};
    bool minus = n->form == OPERATOR_SUBTRACT;
    if (n->form == OPERATOR_ADD || minus) {
        bool left = args[0]->kind == AST_INTERVAL;
        if (left || args[1]->kind == AST_INTERVAL) {
            return translate_shift(t, n, args[left], args[!left], minus);
        }
    }
    if (args[1]->kind == AST_QUANTIFIED) {
        return n;  // a condition, or left
    }
    if (n->form == OPERATOR_LIKE || n->form == OPERATOR_ILIKE) {
        return translate_like(t, n);
    }
    if (n->form == OPERATOR_DIVIDE && t->means.division_is_real) {
        return is_real(args[0]) || is_real(args[1])
                   ? n
                   : translate_expression(t, S("CAST(?1 AS REAL) / ?2"), args);
    }
    return translate_decimals(t, n);
}

// A list of rows is VALUES.
static ast *in_list(translator *t, ast *n)
{
    ast *list = n->kid[IN_LIST];
    if (list && list->kind == AST_ROW) {
        ast *values = ast_new(t->words.a, AST_VALUES);
        values->kid[VALUES_ROWS] = list;
        n->kid[IN_SOURCE] = values;
        n->kid[IN_LIST] = NULL;
    }
    return n;
}

// N'x' and E'x' as 'x'; "x", too, where the dialect reads it as a string: SQLite
// reads a name first.
static ast *string(translator *t, ast *n)
{
    str s = n->text;
    bool has_prefix =
        s.len > 2 && s.ptr[1] == '\''
        && (to_lower(s.ptr[0]) == 'n'
            || (to_lower(s.ptr[0]) == 'e' && str_find(s, S("\\"), 0) < 0));
    n->text = has_prefix ? str_skip(s, 1) : s;
    if (s.len < 2 || s.ptr[0] != '"') {
        return n;
    }
    if (str_starts(s, S("\"\"\""))) {
        return translate_refuse(t, n, S("a string in triple quotes"));
    }
    buf out = buf_new(t->words.a);
    name_add_between(&out, ast_string(t->words.a, n), '\'', '\'');
    n->text = buf_str(&out);
    return n;
}

static bool look_for_aggregate(void *context, const ast *n)
{
    bool *found = context;
    *found |= dialect_aggregates(DIALECT_SQLITE, n);
    return !ast_is_query(n);
}

bool translate_aggregates(const ast *list)
{
    bool found = false;
    for (; list; list = list->next) {
        ast_walk(list, look_for_aggregate, &found);
    }
    return found;
}

static bool nests_aggregates(const void *about, const ast *n)
{
    (void)about;
    return dialect_aggregates(DIALECT_SQLITE, n)
           && (translate_aggregates(n->kid[CALL_ARGS])
               || translate_aggregates(n->kid[CALL_FILTER]));
}

bool translate_nests_aggregates(const ast *query)
{
    return query && ast_find(query, nests_aggregates, NULL);
}

// What an unqualified name of GROUP BY or ORDER BY names in the select list
// when several tables have it.
static ast *from_items(arena *a, ast *n, const ast *items)
{
    if (n->kind != AST_COLUMN || n->kid[COLUMN_PATH]) {
        return n;
    }
    for (const ast *i = items; i; i = i->next) {
        if (i->kind == AST_COLUMN && i->kid[COLUMN_PATH]
            && str_equal_fold(i->text, n->text)) {
            return ast_copy(a, i);
        }
    }
    return n;
}

static void use_items(arena *a, ast **list, const ast *items)
{
    for (ast **at = list; *at; at = &(*at)->next) {
        ast *next = (*at)->next;
        if ((*at)->kind == AST_SORT) {
            (*at)->kid[SORT_EXPR] = from_items(a, (*at)->kid[SORT_EXPR], items);
        } else {
            *at = from_items(a, *at, items);
            (*at)->next = next;
        }
    }
}

static void use_own_items(void *a, ast *n)
{
    if (n->kind == AST_SELECT) {
        use_items(a, &n->kid[SELECT_GROUP], n->kid[SELECT_ITEMS]);
        use_items(a, &n->kid[SELECT_ORDER], n->kid[SELECT_ITEMS]);
    }
}

ast *translate_names(arena *a, const ast *query)
{
    ast *named = ast_copy(a, query);
    ast_each(named, use_own_items, a);
    return named;
}

// A number in GROUP BY that is no place of the select list is a constant.
static void group_by_constants(translator *t, ast *n)
{
    int64_t place = 0;
    int n_items = ast_list_len(n->kid[SELECT_ITEMS]);
    for (ast **at = &n->kid[SELECT_GROUP]; *at; at = &(*at)->next) {
        bool is_constant = (*at)->kind == AST_NUMBER
                           && str_to_int((*at)->text, &place)
                           && place > n_items;
        if (is_constant && !is_mysql(t)) {
            ast *next = (*at)->next;
            ast *number = *at;
            number->next = NULL;
            *at = translate_expression(t, S("?1 + 0"), &number);
            (*at)->next = next;
        }
    }
}

static bool has_ties(const ast *limit)
{
    return limit && limit->flags & AST_FLAG_TIES;
}

static ast *select_of(translator *t, ast *n)
{
    ast *from = n->kid[SELECT_FROM];
    group_by_constants(t, n);
    translate_half_joins(t, n);
    if (n->flags & AST_FLAG_ROLLUP) {
        return translate_refuse(t, n, S("WITH ROLLUP"));
    }
    if (n->kid[SELECT_TOP]) {
        n->kid[SELECT_LIMIT] = n->kid[SELECT_TOP];
        n->kid[SELECT_TOP] = NULL;
    }
    if (from && from->kind == AST_TABLE
        && str_equal_fold(from->text, S("dual"))) {
        n->kid[SELECT_FROM] = NULL;
    }
    n->kid[SELECT_LOCK] = NULL;
    bool is_filter = is_mysql(t) && n->kid[SELECT_HAVING]
                     && !n->kid[SELECT_GROUP]
                     && !translate_aggregates(n->kid[SELECT_HAVING])
                     && !translate_aggregates(n->kid[SELECT_ITEMS]);
    if (is_filter) {
        // Without groups, HAVING is a second WHERE.
        n->kid[SELECT_WHERE] =
            ast_both(t->words.a, n->kid[SELECT_WHERE], n->kid[SELECT_HAVING],
                     t->words.scratch);
        n->kid[SELECT_HAVING] = NULL;
    }
    bool is_kept = n->kid[SELECT_ON] || n->kid[SELECT_QUALIFY]
                   || has_ties(n->kid[SELECT_LIMIT]);
    return is_kept ? translate_kept(t, n) : translate_grouping_sets(t, n);
}

// FETCH FIRST is LIMIT; an OFFSET alone needs one.
static ast *limit(translator *t, ast *n)
{
    if (n->flags & AST_FLAG_PERCENT) {
        return translate_refuse(t, n, S("LIMIT in percent"));
    }
    n->form = LIMIT_FORM_PLAIN;
    n->flags &= (uint16_t)~AST_FLAG_WORD;  // OFFSET 1 ROWS
    if (!n->kid[LIMIT_COUNT]) {
        n->kid[LIMIT_COUNT] = translate_expression(t, S("-1"), NULL);
    }
    return n;
}

// An operand in parentheses with an order or a limit of its own.
static ast *operand(translator *t, ast *n)
{
    bool is_plain =
        !n || !ast_is_query(n) || n->kind == AST_VALUES
        || (n->kind != AST_NESTED && !*ast_query_part(n, QUERY_ORDER)
            && !*ast_query_part(n, QUERY_LIMIT));
    if (is_plain) {
        return n;
    }
    bool is_bare = n->kind == AST_NESTED && !n->kid[NESTED_ORDER]
                   && !n->kid[NESTED_LIMIT] && !n->kid[NESTED_WITH];
    return translate_around(t, is_bare ? n->kid[NESTED_BODY] : n);
}

// A name that SQLite would take for a parameter, $f1, or for a string where no
// column answers to it: "x".
static void quote_name(ast *n)
{
    bool is_name = n->kind == AST_COLUMN || n->kind == AST_ALIAS
                   || n->kind == AST_TABLE || n->kind == AST_NAME;
    bool is_parameter = n->form == QUOTE_NONE && str_starts(n->text, S("$"));
    bool is_doubt = n->kind == AST_COLUMN && n->form == QUOTE_DOUBLE;
    if (is_name && (is_parameter || is_doubt)) {
        n->form = QUOTE_BACK;
    }
}

// Where OFFSET leaves no row of a DISTINCT subquery SQLite may show one that it
// skipped, but not of a derived table.
static ast *skipping(translator *t, ast *query)
{
    const ast *limit =
        query->kind == AST_SELECT && query->flags & AST_FLAG_DISTINCT
            ? query->kid[SELECT_LIMIT]
            : NULL;
    return limit && limit->kid[LIMIT_OFFSET] ? translate_around(t, query)
                                             : query;
}

static bool is_of_rows(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_COLUMN || n->kind == AST_DOUBT || ast_is_query(n);
}

// A constant that tables are joined by: SQLite loses rows of a RIGHT or FULL
// JOIN behind it, for which it does not count, unless it is a query.
static void ask_constants(translator *t, ast **on)
{
    ast *n = *on;
    if (n && n->kind == AST_BINARY && n->form == OPERATOR_AND) {
        ask_constants(t, &n->kid[BINARY_LEFT]);
        ask_constants(t, &n->kid[BINARY_RIGHT]);
    } else if (n && !ast_find(n, is_of_rows, NULL)) {
        *on = translate_expression(t, S("(SELECT ?1)"), &n);
    }
}

static ast *join(translator *t, ast *n)
{
    if (n->form == JOIN_FORM_CROSS_APPLY || n->form == JOIN_FORM_OUTER_APPLY) {
        return translate_refuse(t, n, S("APPLY"));
    }
    bool keeps = n->form == JOIN_FORM_RIGHT || n->form == JOIN_FORM_FULL;
    ast *left = keeps ? n->kid[JOIN_LEFT] : NULL;
    for (; left && left->kind == AST_JOIN; left = left->kid[JOIN_LEFT]) {
        ask_constants(t, &left->kid[JOIN_ON]);
    }
    return n;
}

static ast *node(translator *t, ast *n)
{
    if (ast_is_query(n)) {
        translate_place_nulls(t, ast_query_part(n, QUERY_ORDER));
        if (n->kind != AST_SELECT
            && has_ties(*ast_query_part(n, QUERY_LIMIT))) {
            return translate_refuse(t, n, S("this LIMIT with ties"));
        }
    } else if (n->kind == AST_WINDOW) {
        translate_place_nulls(t, &n->kid[WINDOW_ORDER]);
    }
    quote_name(n);
    ast *said = otherwise_said(&t->words, SAID_IN_SQLITE, n);
    if (said) {
        return said;
    }
    if (n->kind == AST_CALL) {
        return call_of(t, n);
    }
    if (n->kind == AST_BINARY && n->kid[BINARY_LEFT] && n->kid[BINARY_RIGHT]) {
        return binary(t, n);
    }
    switch ((int)n->kind) {
    case AST_ALIAS: return translate_column_names(t, n);
    case AST_IN: return in_list(t, n);
    case AST_CAST: return translate_refuse(t, n, S("a CAST to this type"));
    case AST_STRING: return string(t, n);
    case AST_SELECT: return select_of(t, n);
    case AST_SETOP:
        n->kid[SETOP_LEFT] = operand(t, n->kid[SETOP_LEFT]);
        n->kid[SETOP_RIGHT] = operand(t, n->kid[SETOP_RIGHT]);
        return n;
    case AST_LIMIT: return limit(t, n);
    case AST_TYPED: return n->kid[TYPED_VALUE] ? n->kid[TYPED_VALUE] : n;
    case AST_COLLATE:
        return str_among_fold(n->text, "binary nocase rtrim")
                   ? n
                   : translate_refuse(t, n, S("this collation"));
    case AST_WORD:  // LIMIT ALL, GROUP BY ALL
        return str_equal_fold(n->text, S("all"))
                   ? translate_refuse(t, n, S("ALL"))
                   : n;
    case AST_JOIN: return join(t, n);
    case AST_SUBQUERY:
        n->kid[SUBQUERY_QUERY] = skipping(t, n->kid[SUBQUERY_QUERY]);
        return n;
    case AST_EXISTS:
        n->kid[EXISTS_QUERY] = skipping(t, n->kid[EXISTS_QUERY]);
        return n;
    default: return n;
    }
}

static bool keeps_compared(const translator *t, const ast *n)
{
    bool shifts = n->kind == AST_BINARY
                  && (n->form == OPERATOR_ADD || n->form == OPERATOR_SUBTRACT);
    return n->kind == AST_BETWEEN
           || (n->kind == AST_CAST && n->kid[CAST_TYPE]
               && str_equal_fold(n->kid[CAST_TYPE]->text, S("date")))
           || (n->kind == AST_BINARY && operator_compares(n->form))
           || (shifts && t->is_compared);
}

// A condition of which only the truth counts, and its parts under AND.
static ast *truth(translator *t, ast *n)
{
    if (n && n->kind == AST_BINARY && n->form == OPERATOR_AND) {
        n->kid[BINARY_LEFT] = truth(t, n->kid[BINARY_LEFT]);
        n->kid[BINARY_RIGHT] = truth(t, n->kid[BINARY_RIGHT]);
        return n;
    }
    ast *said = n ? otherwise_said(&t->words, SAID_AS_TRUTH, n) : NULL;
    return said ? said : n;
}

static ast *rewrite(void *context, ast *n)
{
    translator *t = context;
    bool was_compared = t->is_compared;
    t->is_compared = keeps_compared(t, n);
    ast_replace_kids(n, rewrite, t);
    t->is_compared = was_compared;
    if (n->kind == AST_SELECT) {
        n->kid[SELECT_WHERE] = truth(t, n->kid[SELECT_WHERE]);
    } else if (n->kind == AST_JOIN) {
        n->kid[JOIN_ON] = truth(t, n->kid[JOIN_ON]);
    }
    return node(t, n);
}

// What means nothing to SQLite where it was left standing.
static const str unsaid[AST_KIND_COUNT] = {
    [AST_INTERVAL] = S_INIT("a span of time by itself"),
    [AST_QUANTIFIED] = S_INIT("ANY or ALL"),
    [AST_LATERAL] = S_INIT("LATERAL"),
    [AST_PARAMETER] = S_INIT("a variable or parameter"),
    [AST_ARRAY] = S_INIT("an array"),
    [AST_SUBSCRIPT] = S_INIT("a part of an array"),
    [AST_MEMBER] = S_INIT("a part of a value"),
    [AST_SAMPLE] = S_INIT("a sample of a table"),
};

static bool is_left(const void *about, const ast *n)
{
    (void)about;
    return unsaid[n->kind].len > 0;
}

static ast *in_own_words(void *translator_of, const ast *n)
{
    translator *t = translator_of;
    ast *said = otherwise_said(&t->words, SAID_IN_OWN, n);
    return said ? ast_rewrite(t->words.a, said, in_own_words, t) : NULL;
}

ast *translate_to_sqlite(arena *a,
                         const ast *query,
                         dialect from,
                         str *why,
                         arena scratch)
{
    if (!query) {
        *why = S("what cannot be read as one query");
        return NULL;
    }
    translator t = {
        .words = {.a = a, .from = from, .scratch = scratch},
        .means = dialect_semantics(from),
    };
    ast *out = ast_rewrite(a, query, in_own_words, &t);
    if (from != DIALECT_SQLITE) {
        out = rewrite(&t, translate_names(a, out));
    }
    const ast *left = ast_find(out, is_left, NULL);
    if (left) {
        translate_refuse(&t, out, unsaid[left->kind]);
    }
    *why = t.words.why;
    return t.words.why.len > 0 ? NULL : out;
}
