/*
 * guard_marks.c - see guard_marks.h.
 *
 * Method      Two walks: is there a CTE, whose rows nothing bounds; and the
 *             marks, a SELECT's before those of what is in it.
 */
#include "engine/guard_marks.h"

#include "sql/ast.h"

enum {
    SHORT = 18  // of a literal, with its quotes
};

typedef struct marking {
    const query_guard *g;
    str sql;
    guard_marks out;
    bool has_cte;
    arena *a;
} marking;

static void set_mark(marking *m, ptrdiff_t at, guard_mark what)
{
    if (at >= 0 && at < m->sql.len) {
        m->out.at[at] = (char)what;
    }
}

// Marks a name at its first byte or, when it is quoted, at the next one.
static void mark_text(marking *m, str text, guard_mark what)
{
    if (text.len > 0 && text.ptr >= m->sql.ptr
        && text.ptr < m->sql.ptr + m->sql.len) {
        set_mark(m, text.ptr - m->sql.ptr, what);
    }
}

// A name with a quote in it is no piece of the text, and is kept.
static void mark_table(marking *m, const ast *n)
{
    bool is_piece =
        n->text.ptr >= m->sql.ptr && n->text.ptr < m->sql.ptr + m->sql.len;
    mark_text(m, n->text, MARK_TABLE);
    if (!is_piece) {
        *vec_push(m->a, &m->out.quoted_tables) = n->text;
    }
    if (!n->kid[TABLE_PATH]) {
        *vec_push(m->a, &m->out.nicknames) = n->text;
    }
}

// All words of a type before the parenthesis of its size.
static void mark_type(marking *m, const ast *n)
{
    for (ptrdiff_t i = n->pos; i < (ptrdiff_t)n->pos + n->len; i++) {
        if (m->sql.ptr[i] == '(' || m->sql.ptr[i] == '\'') {
            break;
        }
        set_mark(m, i, MARK_NO_CALL);
    }
}

static void mark_span(marking *m, ptrdiff_t from, ptrdiff_t to)
{
    for (ptrdiff_t i = from; i < to; i++) {
        set_mark(m, i, MARK_NO_CALL);
    }
}

// COLUMNS (a VARCHAR(9) PATH '$.a'): the parser let only types, names and
// literals into it.
static void mark_columns(marking *m, const ast *n)
{
    if (n->flags & AST_FLAG_WORD && !n->kid[TAGGED_EXPR]) {
        mark_span(m, n->pos, (ptrdiff_t)n->pos + n->len);
    }
}

// INTERVAL '3' SECOND(2)
static void mark_unit(marking *m, const ast *n)
{
    const ast *amount = n->kid[INTERVAL_VALUE];
    if (amount && n->text.len > 0) {
        mark_span(m, (ptrdiff_t)amount->pos + amount->len,
                  (ptrdiff_t)n->pos + n->len);
    }
}

// REGEXP_REPLACE(x, 'a', y) repeats y as often as it likes.
static bool may_grow(const marking *m, const ast *n)
{
    const ast *third = n->kid[CALL_ARGS];
    for (int i = 0; third && i < 2; i++) {
        third = third->next;
    }
    return guard_is_among(n->text, m->g->growing) && third
           && (third->kind != AST_STRING || third->len > SHORT);
}

// What marks it as bounded, the SELECT, comes before it.
static void mark_call(marking *m, const ast *n)
{
    ptrdiff_t at = n->text.ptr - m->sql.ptr;
    if (at < 0 || at >= m->sql.len || m->out.at[at] != MARK_BOUNDED) {
        mark_text(m, n->text, MARK_CALL);
    }
}

static bool is_plain(const ast *n)
{
    if (n->kind == AST_CAST) {
        n = n->kid[CAST_EXPR];
    }
    return n->kind == AST_COLUMN
           || ((n->kind == AST_STRING || n->kind == AST_NUMBER)
               && n->len <= SHORT);
}

static bool mark_gathering(void *context, const ast *n)
{
    marking *m = context;
    bool gathers =
        n->kind == AST_CALL && guard_is_among(n->text, m->g->gathering);
    for (const ast *i = gathers ? n->kid[CALL_ARGS] : NULL; i; i = i->next) {
        gathers = gathers && is_plain(i);
    }
    if (gathers) {
        mark_text(m, n->text, MARK_BOUNDED);
    }
    return n->kind != AST_SUBQUERY && n->kind != AST_SELECT
           && n->kind != AST_EXISTS && n->kind != AST_IN;
}

// Of one table, or of such a query of one: no more rows than it has, and of
// values that are columns of it, or their numbers and sums.
static bool is_bounded(const ast *from)
{
    if (from && from->kind == AST_ALIAS) {
        from = from->kid[ALIAS_EXPR];
    }
    if (!from || from->kind != AST_SUBQUERY) {
        return from && from->kind == AST_TABLE;
    }
    const ast *query = from->kid[SUBQUERY_QUERY];
    bool ok = query->kind == AST_SELECT && is_bounded(query->kid[SELECT_FROM]);
    for (const ast *i = ok ? query->kid[SELECT_ITEMS] : NULL; i; i = i->next) {
        const ast *item = i->kind == AST_ALIAS ? i->kid[ALIAS_EXPR] : i;
        bool sums = item->kind == AST_CALL
                    && str_among_fold(item->text, "COUNT SUM AVG MIN MAX");
        for (const ast *arg = sums ? item->kid[CALL_ARGS] : item; arg;
             arg = sums ? arg->next : NULL) {
            ok = ok && (is_plain(arg) || arg->kind == AST_STAR);
        }
    }
    return ok;
}

// No CTE, and a bounded source: what is gathered of its columns is no more than
// a table holds.
static void mark_select(marking *m, const ast *n)
{
    const ast *from = n->kid[SELECT_FROM];
    m->out.locks |=
        n->kid[SELECT_LOCK] && !m->g->is_script && !m->g->has_own_grammar;
    if (!m->g->gathering || m->has_cte || !is_bounded(from)) {
        return;
    }
    for (const ast *i = n->kid[SELECT_ITEMS]; i; i = i->next) {
        ast_walk(i, mark_gathering, m);
    }
}

static bool find_cte(void *context, const ast *n)
{
    marking *m = context;
    m->has_cte |= n->kind == AST_CTE;
    return !m->has_cte;
}

static bool mark_node(void *context, const ast *n)
{
    marking *m = context;
    switch (n->kind) {
    case AST_CTE:
    case AST_ALIAS:
        *vec_push(m->a, &m->out.nicknames) = n->text;
        mark_text(m, n->text, MARK_NO_CALL);
        break;
    case AST_WINDOW: mark_text(m, n->text, MARK_NO_CALL); break;
    case AST_TABLE: mark_table(m, n); break;
    case AST_SELECT: mark_select(m, n); break;
    case AST_CALL:
        mark_call(m, n);
        m->out.grown = may_grow(m, n) ? n->text : m->out.grown;
        break;
    case AST_TYPE:
    case AST_TYPED: mark_type(m, n); break;
    case AST_TAGGED: mark_columns(m, n); break;
    case AST_INTERVAL: mark_unit(m, n); break;
    case AST_INSERT:
    case AST_UPDATE:
    case AST_DELETE: m->out.writes = !m->g->is_script; break;
    default: break;
    }
    return true;
}

guard_marks guard_mark_tree(const query_guard *g,
                            str sql,
                            const ast *query,
                            arena *a)
{
    marking m = {.g = g, .sql = sql, .out = {.is_read = query}, .a = a};
    m.out.at = arena_new(a, char, sql.len + 1);
    if (query) {
        ast_walk(query, find_cte, &m);
        ast_walk(query, mark_node, &m);
    }
    return m.out;
}
