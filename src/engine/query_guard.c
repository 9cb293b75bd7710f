// query_guard.c - see query_guard.h.
#include "engine/query_guard.h"

#include "sql/lex.h"
#include "sql/outline.h"

#include <string.h>

static const str query_words[] = {S_INIT("SELECT"), S_INIT("WITH"),
                                  S_INIT("VALUES"), S_INIT("TABLE")};
static const guard_names query_verbs = {query_words, countof(query_words)};

// What else a statement may begin with; other first words are no SQL at all.
static const str other_words[] = {
    S_INIT("ABORT"),      S_INIT("ALTER"),     S_INIT("ANALYZE"),
    S_INIT("ATTACH"),     S_INIT("BACKUP"),    S_INIT("BEGIN"),
    S_INIT("CALL"),       S_INIT("CHANGE"),    S_INIT("CHECKPOINT"),
    S_INIT("CLOSE"),      S_INIT("CLUSTER"),   S_INIT("COMMENT"),
    S_INIT("COMMIT"),     S_INIT("COPY"),      S_INIT("CREATE"),
    S_INIT("DEALLOCATE"), S_INIT("DECLARE"),   S_INIT("DELETE"),
    S_INIT("DESC"),       S_INIT("DESCRIBE"),  S_INIT("DETACH"),
    S_INIT("DISCARD"),    S_INIT("DO"),        S_INIT("DROP"),
    S_INIT("END"),        S_INIT("EXEC"),      S_INIT("EXECUTE"),
    S_INIT("EXPLAIN"),    S_INIT("EXPORT"),    S_INIT("FETCH"),
    S_INIT("FLUSH"),      S_INIT("GRANT"),     S_INIT("HANDLER"),
    S_INIT("IMPORT"),     S_INIT("INSERT"),    S_INIT("INSTALL"),
    S_INIT("KILL"),       S_INIT("LISTEN"),    S_INIT("LOAD"),
    S_INIT("LOCK"),       S_INIT("MERGE"),     S_INIT("MOVE"),
    S_INIT("NOTIFY"),     S_INIT("OPTIMIZE"),  S_INIT("PRAGMA"),
    S_INIT("PREPARE"),    S_INIT("PURGE"),     S_INIT("REASSIGN"),
    S_INIT("REFRESH"),    S_INIT("REINDEX"),   S_INIT("RELEASE"),
    S_INIT("RENAME"),     S_INIT("REPLACE"),   S_INIT("RESET"),
    S_INIT("REVOKE"),     S_INIT("ROLLBACK"),  S_INIT("SAVEPOINT"),
    S_INIT("SECURITY"),   S_INIT("SET"),       S_INIT("SHOW"),
    S_INIT("SHUTDOWN"),   S_INIT("START"),     S_INIT("STOP"),
    S_INIT("TRUNCATE"),   S_INIT("UNINSTALL"), S_INIT("UNLISTEN"),
    S_INIT("UNLOCK"),     S_INIT("UPDATE"),    S_INIT("USE"),
    S_INIT("VACUUM"),     S_INIT("XA"),
};
static const guard_names other_verbs = {other_words, countof(other_words)};

static bool refuse(execution *x, reason status, str message)
{
    x->status = status;
    x->message = message;
    return false;
}

static str upper(arena *a, str word)
{
    char *text = arena_cstr(a, word);
    for (ptrdiff_t i = 0; i < word.len; i++) {
        text[i] = to_upper(text[i]);
    }
    return (str){text, word.len};
}

static bool is_among(str name, guard_names list)
{
    for (ptrdiff_t i = 0; i < list.len; i++) {
        bool is_prefix = str_ends(list.ptr[i], S("*"));
        str start = str_sub(list.ptr[i], 0, list.ptr[i].len - is_prefix);
        if (is_prefix ? str_starts_fold(name, start)
                      : str_equal_fold(name, start)) {
            return true;
        }
    }
    return false;
}

static bool is_name(token t)
{
    return t.kind == TOKEN_NAME || t.kind == TOKEN_WORD
           || t.kind == TOKEN_KEYWORD || t.kind == TOKEN_QUOTED_NAME;
}

static bool is_op(token t, int32_t id)
{
    return t.kind == TOKEN_OP && t.id == id;
}

static bool check_name(const query_guard *g,
                       str sql,
                       token t,
                       token next,
                       execution *x,
                       arena *a)
{
    str name = token_content(a, sql, t, g->dialect);
    x->reads_clock =
        x->reads_clock
        || (t.kind != TOKEN_QUOTED_NAME && is_among(name, g->clocks));
    if (is_among(name, g->secrets)) {
        return refuse(x, REASON_FORBIDDEN,
                      arena_printf(a, "%.*s is not allowed", STR_ARG(name)));
    }
    if (is_op(next, OP_DOT) && is_among(name, g->schemas)) {
        return refuse(
            x, REASON_FORBIDDEN,
            arena_printf(a, "the schema %.*s is not allowed", STR_ARG(name)));
    }
    if (!is_op(next, OP_PAREN_OPEN)) {
        return true;
    }
    x->reads_random = x->reads_random || is_among(name, g->randoms);
    // U&"..." spells a name in numbers: nobody does that to be understood.
    if (t.kind == TOKEN_QUOTED_NAME && to_lower(sql.ptr[t.pos]) == 'u') {
        return refuse(x, REASON_FORBIDDEN,
                      S("a function under an escaped name is not allowed"));
    }
    return !is_among(name, g->refused)
           || refuse(x, REASON_FORBIDDEN,
                     arena_printf(a, "the function %.*s is not allowed",
                                  STR_ARG(name)));
}

// (DELETE FROM t RETURNING id): PostgreSQL takes it where a query may stand.
static const str writing_words[] = {S_INIT("INSERT"), S_INIT("UPDATE"),
                                    S_INIT("DELETE"), S_INIT("MERGE")};
static const guard_names writing_verbs = {writing_words,
                                          countof(writing_words)};

static bool check_calls(const query_guard *g, str sql, execution *x, arena *a)
{
    lexer l = lex_begin(sql, g->dialect);
    token before = {.kind = TOKEN_END};
    token last = {.kind = TOKEN_END};
    bool ok = true;
    while (ok) {
        token t = lex_next_solid(&l);
        if (is_op(before, OP_PAREN_OPEN) && is_name(last)
            && !is_op(t, OP_PAREN_OPEN)
            && is_among(token_content(a, sql, last, g->dialect),
                        writing_verbs)) {
            return refuse(x, REASON_FORBIDDEN,
                          S("a query that writes is not allowed"));
        }
        if (is_name(last)) {
            ok = check_name(g, sql, last, t, x, a);
        }
        if (t.kind == TOKEN_END) {
            break;
        }
        before = last;
        last = t;
    }
    return ok;
}

bool query_guard_check(const query_guard *g, str sql, execution *x, arena *a)
{
    if (sql.len > 0 && memchr(sql.ptr, '\0', (size_t)sql.len)) {
        return refuse(x, REASON_SYNTAX_ERROR, S("a NUL byte in the text"));
    }
    if (sql.len > 1 << 20) {
        return refuse(x, REASON_TOO_LONG, S("longer than 1 MiB"));
    }
    if (g->runs_comments
        && (str_find(sql, S("/*!"), 0) >= 0
            || str_find_fold(sql, S("/*M!"), 0) >= 0)) {
        return refuse(x, REASON_FORBIDDEN,
                      S("comments that are run are not allowed"));
    }
    sql_outline outline = sql_outline_of(sql, g->dialect);
    if (outline.n_statements == 0) {
        return refuse(x, REASON_NO_PREDICTION, S("there is no statement"));
    }
    if (is_among(outline.verb, other_verbs)) {
        return refuse(x, REASON_FORBIDDEN,
                      arena_printf(a, "%.*s is not allowed",
                                   STR_ARG(upper(a, outline.verb))));
    }
    if (!is_among(outline.verb, query_verbs)
        && !is_among(outline.verb, g->verbs)) {
        return refuse(x, REASON_SYNTAX_ERROR,
                      arena_printf(a, "no query begins with '%.*s'",
                                   STR_ARG(outline.verb)));
    }
    if (outline.n_statements > 1) {
        return refuse(x, REASON_SEVERAL_STATEMENTS,
                      S("more than one statement"));
    }
    return check_calls(g, sql, x, a);
}
