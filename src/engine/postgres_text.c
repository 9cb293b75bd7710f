/*
 * postgres_text.c - edits of a query for a scratch database.
 *
 * Method      A list of edits at places of the text, which stays as it is
 *             everywhere else: what its tokens say about the clock, what its
 *             tree says about tables. Text that cannot be parsed keeps its
 *             names.
 *
 * Invariant   Edits lie within the text; where two overlap the first counts.
 *
 * Cost        One lexing and one parse.
 */
#include "engine/postgres_text.h"

#include "base/order.h"
#include "engine/query_guard.h"
#include "sql/lex.h"
#include "sql/name.h"
#include "sql/parse.h"
#include "table/value.h"

#include <assert.h>
#include <stdlib.h>

typedef struct text_edit {
    ptrdiff_t from;
    ptrdiff_t to;
    str text;
} text_edit;

typedef struct editor {
    vec_of(text_edit) edits;
    str sql;
    const schema *s;
    const ast *aliased;  // the table that the last alias is of
    bool reads_state;
    arena a;
} editor;

static void edit(editor *e, ptrdiff_t from, ptrdiff_t to, str text)
{
    assert(from >= 0 && from <= to && to <= e->sql.len);
    *vec_push(&e->a, &e->edits) = (text_edit){from, to, text};
}

// Words that tell the time, and the type that they have.
static const struct {
    str word;
    str type;
    bool is_function;  // with an empty list after it
} clocks[] = {
    {S_INIT("current_date"), S_INIT("date"), false},
    {S_INIT("current_timestamp"), S_INIT("timestamptz"), false},
    {S_INIT("localtimestamp"), S_INIT("timestamp"), false},
    {S_INIT("current_time"), S_INIT("timetz"), false},
    {S_INIT("localtime"), S_INIT("time"), false},
    {S_INIT("now"), S_INIT("timestamptz"), true},
    {S_INIT("transaction_timestamp"), S_INIT("timestamptz"), true},
    {S_INIT("statement_timestamp"), S_INIT("timestamptz"), true},
    {S_INIT("clock_timestamp"), S_INIT("timestamptz"), true},
};

static bool is_op(token t, op o)
{
    return t.kind == TOKEN_OP && t.id == (int32_t)o;
}

static str time_as(str type, str now, arena *a)
{
    // 2026-11-21 10:00:00
    str text = str_equal(type, S("date"))         ? str_sub(now, 0, 10)
               : str_starts(type, S("timestamp")) ? now
                                                  : str_skip(now, 11);
    bool has_zone = str_ends(type, S("tz"));
    return arena_printf(a, "(%.*s '%.*s%s')", STR_ARG(type), STR_ARG(text),
                        has_zone ? "+00" : "");
}

static void stop_clocks(editor *e, int64_t clock_ms)
{
    value clock = {.i = clock_ms * 1000, .kind = VALUE_TIMESTAMP};
    str now = value_shown(&e->a, clock, 0);
    token_list l = lex_all(&e->a, e->sql, DIALECT_POSTGRES, LEX_DROP_COMMENTS);
    for (ptrdiff_t i = 0; i + 1 < l.len; i++) {
        token t = l.ptr[i];
        if (!token_is_word(t) || (i > 0 && is_op(l.ptr[i - 1], OP_DOT))) {
            continue;
        }
        for (ptrdiff_t c = 0; c < countof(clocks); c++) {
            bool has_list = i + 3 < l.len && is_op(l.ptr[i + 1], OP_PAREN_OPEN)
                            && is_op(l.ptr[i + 2], OP_PAREN_CLOSE);
            if (str_equal_fold(token_text(e->sql, t), clocks[c].word)
                && (has_list || !clocks[c].is_function)) {
                token last = clocks[c].is_function ? l.ptr[i + 2] : t;
                edit(e, t.pos, last.pos + last.len,
                     time_as(clocks[c].type, now, &e->a));
            }
        }
    }
}

static bool is_system(str name)
{
    return str_starts(name, S("pg_"))
           || str_equal(name, S("information_schema"));
}

// Functions that tell of the server or of the connection.
static bool tells_state(str function)
{
    return guard_is_among(function,
                          "txid_* pg_backend_* pg_current_* pg_stat_* "
                          "pg_table_* pg_total_* pg_relation_* pg_database_* "
                          "current_setting* inet_client_* inet_server_* "
                          "version*");
}

// A table under the name of its schema.
static void free_table(editor *e, const ast *n)
{
    assert(n->kind == AST_TABLE && n->kid[TABLE_PATH]);
    const ast *path = n->kid[TABLE_PATH];
    ptrdiff_t end = n->pos + n->len;
    const ast *last = path;
    while (last->next) {
        last = last->next;
    }
    if (is_system(last->text)) {
        e->reads_state = true;
        return;
    }
    str whole =
        arena_printf(&e->a, "%.*s.%.*s", STR_ARG(last->text), STR_ARG(n->text));
    buf out = buf_new(&e->a);
    if (schema_find_table(e->s, whole) < 0
        && schema_find_table(e->s, n->text) >= 0) {
        // A bare name may be that of a WITH.
        buf_add(&out, S("pg_temp."));
        name_add_quoted(&out,
                        e->s->tables[schema_find_table(e->s, n->text)].name,
                        DIALECT_POSTGRES);
    } else {
        // Also what no table of the schema is: it is then not there.
        name_add_quoted(&out, whole, DIALECT_POSTGRES);
        if (n != e->aliased) {
            buf_add(&out, S(" AS "));
            name_add_quoted(&out, n->text, DIALECT_POSTGRES);
        }
    }
    edit(e, path->pos, end, buf_str(&out));
}

// public.t.x becomes t.x.
static void free_column(editor *e, const ast *n)
{
    const ast *path = n->kid[COLUMN_PATH];
    if (path && path->next && !path->next->next) {
        edit(e, path->pos, path->next->pos, (str){0});
    }
}

static bool visit(void *context, const ast *n)
{
    editor *e = context;
    if (n->kind == AST_ALIAS) {
        e->aliased = n->kid[ALIAS_EXPR];
    } else if (n->kind == AST_TABLE) {
        e->reads_state |= is_system(n->text);
        if (n->kid[TABLE_PATH]) {
            free_table(e, n);
        }
    } else if (n->kind == AST_CALL) {
        e->reads_state |= tells_state(n->text);
    } else if (n->kind == AST_COLUMN) {
        free_column(e, n);
    }
    return true;
}

ORDER(by_place, text_edit, ORDER_UP(from))

// May a text that cannot be parsed name a schema that holds tables?
static bool names_schema(const editor *e)
{
    bool found = str_find_fold(e->sql, S("public"), 0) >= 0;
    for (ptrdiff_t i = 0; i < e->s->n_tables; i++) {
        str rest = e->s->tables[i].name;
        str first = str_cut(&rest, '.');
        found |= rest.len > 0 && str_find_fold(e->sql, first, 0) >= 0;
    }
    return found;
}

bool postgres_text_for_scratch(str *text,
                               str sql,
                               const schema *s,
                               int64_t clock_ms,
                               bool *reads_state,
                               arena *a,
                               arena scratch)
{
    editor e = {.sql = sql, .s = s, .a = arena_half(&scratch)};
    stop_clocks(&e, clock_ms);
    parse_result r = parse_sql(&e.a, sql, DIALECT_POSTGRES, scratch);
    if (r.errors.len == 0 && r.statements) {
        ast_walk(r.statements, visit, &e);
    } else if (names_schema(&e)) {
        return false;
    }
    *reads_state = e.reads_state;
    if (e.edits.len > 0) {
        qsort(e.edits.ptr, (size_t)e.edits.len, sizeof *e.edits.ptr, by_place);
    }
    buf out = buf_new(a);
    ptrdiff_t at = 0;
    for (ptrdiff_t i = 0; i < e.edits.len; i++) {
        text_edit one = e.edits.ptr[i];
        if (one.from >= at && one.to > one.from) {
            buf_add(&out, str_sub(sql, at, one.from));
            buf_add(&out, one.text);
            at = one.to;
        }
    }
    buf_add(&out, str_skip(sql, at));
    *text = buf_str(&out);
    return true;
}
