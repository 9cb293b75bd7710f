/*
 * lint_null.c - see lint_null.h.
 *
 * Method      Keys of an ORDER BY that takes some of the rows, by LIMIT or by a
 *             ranking window, are looked for in the tree. For each the query is
 *             run twice, with NULL put first and put last by one more key
 *             before it. So rows that tie otherwise come in one order in both,
 *             and results that differ do so for NULL alone: conditions and
 *             joins that leave NULL out, columns without it and limits that
 *             reach all rows are no finding.
 *
 * Cost        Two runs of the gold for each such key, of at most KEYS_MAX.
 */
#include "job/lint_null.h"

#include "relation/relation_values.h"
#include "score/score_run.h"
#include "sql/print.h"
#include "sql/query_text.h"

enum {
    KEYS_MAX = 4,
};

// A key: the place in its list that points to it.
typedef struct null_key {
    ast **place;
    const ast *block;  // whose items it may name; NULL: it names none
} null_key;

typedef struct null_search {
    judging *j;
    dialect d;
    ast *query;
    const binding *b;
    vec_of(null_key) keys;
} null_search;

// NULLS FIRST and NULLS LAST are meant.
static bool puts_null_first(dialect d, const ast *sort)
{
    bool is_said = sort->flags & (AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST);
    bool is_falling = sort->kind == AST_SORT && sort->form == SORT_FORM_DESC;
    switch (d) {
    case DIALECT_SQLITE:
    case DIALECT_MYSQL:
    case DIALECT_TSQL:
    case DIALECT_BIGQUERY: return !is_said && !is_falling;
    case DIALECT_POSTGRES:
    case DIALECT_SNOWFLAKE: return !is_said && is_falling;
    case DIALECT_DUCKDB:
    case DIALECT_COUNT: break;
    }
    return false;
}

static void add_keys(null_search *s, ast **list, const ast *block)
{
    for (; *list; list = &(*list)->next) {
        if (puts_null_first(s->d, *list) && s->keys.len < KEYS_MAX) {
            *vec_push(s->j->e.a, &s->keys) = (null_key){list, block};
        }
    }
}

static bool is_ranking(const ast *call)
{
    return call->kind == AST_CALL
           && str_among_fold(call->text,
                             "row_number rank dense_rank percent_rank "
                             "cume_dist ntile first_value");
}

static bool ranks_over(const ast *n, str window)
{
    const ast *over = is_ranking(n) ? n->kid[CALL_OVER] : NULL;
    return over && over->kind == AST_NAME && str_equal_fold(over->text, window);
}

static void add_windows(null_search *s, ast *select)
{
    node_list all = relation_nodes_of(s->j->e.a, select, NODES_ALL);
    for (ast *w = select->kid[SELECT_WINDOWS]; w; w = w->next) {
        bool ranks = false;
        for (ptrdiff_t i = 0; i < all.len && !ranks; i++) {
            ranks = ranks_over(all.ptr[i], w->text);
        }
        if (ranks) {
            add_keys(s, &w->kid[WINDOW_ORDER], NULL);
        }
    }
}

static void look(void *context, ast *n)
{
    null_search *s = context;
    if (ast_is_query(n)) {
        bool is_select = n->kind == AST_SELECT;
        bool takes_some =
            *ast_query_part(n, QUERY_LIMIT)
            || (is_select && (n->kid[SELECT_TOP] || n->kid[SELECT_ON]));
        if (takes_some) {
            add_keys(s, ast_query_part(n, QUERY_ORDER), is_select ? n : NULL);
        }
        if (is_select) {
            add_windows(s, n);
        }
    }
    if (is_ranking(n) && n->kid[CALL_OVER]
        && n->kid[CALL_OVER]->kind == AST_WINDOW) {
        add_keys(s, &n->kid[CALL_OVER]->kid[WINDOW_ORDER], NULL);
    }
}

// ORDER BY 2 and ORDER BY n mean an item. NULL: nobody knows which.
static const ast *meant_by(const null_search *s, const null_key *k)
{
    const ast *key = *k->place;
    const ast *expr = key->kind == AST_SORT ? key->kid[SORT_EXPR] : key;
    const bound_column *item = k->block ? bind_item(s->b, expr) : NULL;
    return item && item->expr         ? item->expr
           : expr->kind == AST_NUMBER ? NULL
                                      : expr;
}

// The query with NULL first or last by this key; an empty text: it has none.
static str with_null(null_search *s, const null_key *k, str expr, bool first)
{
    arena *a = s->j->e.a;
    str text = arena_printf(a, "CASE WHEN (%.*s) IS NULL THEN %d ELSE %d END",
                            STR_ARG(expr), first ? 0 : 1, first ? 1 : 0);
    ast *before = expression_text_of(a, text, s->d, s->j->s->scratch);
    ast *key = *k->place;
    if (!before) {
        return (str){0};
    }
    before->next = key;
    *k->place = before;
    str sql = print_line(s->j->e.a, s->query, s->d, s->j->s->scratch);
    *k->place = key;
    return sql;
}

static bool differs(null_search *s, const null_key *k, str expr)
{
    execution runs[2];
    for (int i = 0; i < 2; i++) {
        str sql = with_null(s, k, expr, i == 0);
        if (sql.len == 0) {
            return false;
        }
        runs[i] = score_run_text(s->j, sql, ENGINE_READ_ALL, WATCH_GOLD);
        if (runs[i].status != REASON_NONE) {
            return false;
        }
    }
    compare_options o = {0};
    return compare_exec(RULES_ASSAY, &runs[0].result, &runs[1].result, &o,
                        s->j->e.a, s->j->s->scratch)
               .v
           == ANSWER_NO;
}

str lint_null_first(judging *j, str sql)
{
    static const schema no_schema;
    str ignored;
    const schema *known = evidence_schema(&j->e, &ignored);
    null_search s = {.j = j, .d = j->s->options->dialect};
    s.query = query_text_of(j->e.a, sql, s.d, j->s->scratch).tree;
    if (!s.query) {
        return (str){0};
    }
    s.b = bind_query(j->e.a, s.query, known ? known : &no_schema, s.d,
                     j->s->scratch);
    ast_each(s.query, look, &s);
    for (ptrdiff_t i = 0; i < s.keys.len; i++) {
        const ast *meant = meant_by(&s, &s.keys.ptr[i]);
        str expr =
            meant ? print_line(j->e.a, meant, s.d, j->s->scratch) : (str){0};
        if (expr.len > 0 && differs(&s, &s.keys.ptr[i], expr)) {
            return expr;
        }
    }
    return (str){0};
}
