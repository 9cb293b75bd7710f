/*
 * query_guard.c - see query_guard.h.
 *
 * Method      The first word tells what is no query at all, and what is called
 *             by its name in the message; then the parser reads the text; then
 *             guard_calls.c looks at its words. A text that our parser cannot
 *             read is not run, whatever the server would make of it.
 *
 * Cost        Linear in the text.
 */
#include "engine/query_guard.h"

#include "sql/lex.h"
#include "sql/outline.h"
#include "sql/parse.h"

#include <string.h>

// What else a statement may begin with; other first words are no SQL at all.
static const char other_verbs[] =
    "ABORT ALTER ANALYZE ATTACH BACKUP BEGIN CALL CHANGE CHECKPOINT CLOSE "
    "CLUSTER COMMENT COMMIT COPY CREATE DEALLOCATE DECLARE DELETE DESC "
    "DESCRIBE DETACH DISCARD DO DROP END EXEC EXECUTE EXPLAIN EXPORT FETCH "
    "FLUSH GRANT HANDLER IMPORT INSERT INSTALL KILL LISTEN LOAD LOCK MERGE "
    "MOVE NOTIFY OPTIMIZE PRAGMA PREPARE PURGE REASSIGN REFRESH REINDEX "
    "RELEASE RENAME REPLACE RESET REVOKE ROLLBACK SAVEPOINT SECURITY SET SHOW "
    "SHUTDOWN START STOP TRUNCATE UNINSTALL UNLISTEN UNLOCK UPDATE USE VACUUM "
    "XA";

// Those of them that a script may have, and what it may make, change and drop.
// What a macro takes when it is called with less cannot be read; secrets are no
// part of a database.
static const char script_verbs[] =
    "ABORT ALTER BEGIN COMMENT COMMIT CREATE DELETE DROP END INSERT MERGE "
    "ROLLBACK START TRUNCATE UPDATE";
static const char made[] = "INDEX SCHEMA SEQUENCE TABLE TYPE VIEW";

// What no list of words can make safe.
static bool check_bytes(const query_guard *g, str sql, execution *x)
{
    if (sql.len > 0 && memchr(sql.ptr, '\0', (size_t)sql.len)) {
        return engine_fails(x, REASON_SYNTAX_ERROR,
                            S("a NUL byte in the text"));
    }
    if (sql.len > 1 << 20) {
        return engine_fails(x, REASON_TOO_LONG, S("longer than 1 MiB"));
    }
    if (g->runs_comments
        && (str_find(sql, S("/*!"), 0) >= 0
            || str_find_fold(sql, S("/*M!"), 0) >= 0)) {
        return engine_fails(x, REASON_FORBIDDEN,
                            S("executable comments are not allowed"));
    }
    return true;
}

// CREATE OR REPLACE TEMP TABLE: the word after those that may stand before it.
// Comments may be on what belongs to others, a database or a role.
static bool check_made(const query_guard *g,
                       sql_outline outline,
                       execution *x,
                       arena *a)
{
    bool comments = str_among_fold(outline.verb, "COMMENT");
    if (!comments && !str_among_fold(outline.verb, "CREATE ALTER DROP")) {
        return true;
    }
    lexer l = lex_begin(outline.first, g->dialect);
    lex_next_solid(&l);
    str word;
    do {
        word = token_text(outline.first, lex_next_solid(&l));
    } while (str_among_fold(word, "ON OR REPLACE TEMP TEMPORARY LOCAL UNIQUE "
                                  "UNLOGGED MATERIALIZED"));
    return str_among_fold(word, made)
           || (comments && str_among_fold(word, "COLUMN CONSTRAINT"))
           || engine_fails(x, REASON_FORBIDDEN,
                           arena_printf(a, "%.*s %.*s is not allowed",
                                        STR_ARG(arena_upper(a, outline.verb)),
                                        STR_ARG(arena_upper(a, word))));
}

static bool check_verb(const query_guard *g, str sql, execution *x, arena *a)
{
    sql_outline outline = sql_outline_of(sql, g->dialect);
    if (outline.n_statements == 0) {
        return engine_fails(x, REASON_NO_PREDICTION,
                            S("there is no statement"));
    }
    if (g->is_script && str_among_fold(outline.verb, script_verbs)) {
        return check_made(g, outline, x, a);
    }
    if (str_among_fold(outline.verb, other_verbs)) {
        return engine_fails(
            x, REASON_FORBIDDEN,
            arena_printf(a, "%.*s is not allowed",
                         STR_ARG(arena_upper(a, outline.verb))));
    }
    if (!str_among_fold(outline.verb, "SELECT WITH VALUES TABLE")
        && !guard_is_among(outline.verb, g->verbs)) {
        return engine_fails(x, REASON_SYNTAX_ERROR,
                            arena_printf(a, "no query begins with '%.*s'",
                                         STR_ARG(outline.verb)));
    }
    return outline.n_statements == 1
           || engine_fails(x, REASON_SEVERAL_STATEMENTS,
                           S("more than one statement"));
}

// A carriage return ends a comment of one line for some systems and tools, and
// for others it does not.
static bool check_comments(str sql, const parse_result *r, execution *x)
{
    for (ptrdiff_t i = 0; i < r->comments.len; i++) {
        parse_comment c = r->comments.ptr[i];
        str text = str_sub(sql, c.pos, (ptrdiff_t)c.pos + c.len);
        ptrdiff_t at = str_find(text, S("\r"), 0);
        if (!str_starts(text, S("/*")) && at >= 0 && at + 1 < text.len) {
            return engine_fails(
                x, REASON_FORBIDDEN,
                S("a carriage return inside a comment is not allowed"));
        }
    }
    return true;
}

static guard_answer cannot_read(execution *x, str why, ptrdiff_t at)
{
    engine_fails(x, REASON_NOT_UNDERSTOOD, why);
    x->offset = at;
    return GUARD_CANNOT_READ;
}

// Room for the tokens of a text, out of the arena.
static arena token_room(arena *a, str sql)
{
    ptrdiff_t size = (sql.len + 64) * (ptrdiff_t)(2 * sizeof(token));
    char *bytes = arena_new(a, char, size);
    return (arena){.next = bytes, .end = bytes + size, .on_full = a->on_full};
}

bool query_guard_reads(str sql, arena *a)
{
    bool ok = false;
    for (int d = 0; !ok && d < DIALECT_COUNT; d++) {
        parse_result r = parse_sql(a, sql, (dialect)d, token_room(a, sql));
        ok = r.errors.len == 0;
    }
    return ok;
}

guard_answer query_guard_check(const query_guard *g,
                               const guard_own *own,
                               str sql,
                               execution *x,
                               arena *a)
{
    if (!check_bytes(g, sql, x) || !check_verb(g, sql, x, a)) {
        return GUARD_REFUSES;
    }
    arena room = token_room(a, sql);
    parse_result r = g->is_script ? parse_file(a, sql, g->dialect, room)
                                  : parse_sql(a, sql, g->dialect, room);
    if (!check_comments(sql, &r, x)) {
        return GUARD_REFUSES;
    }
    const ast *query = r.statements;
    if (r.errors.len > 0) {
        guard_answer words = guard_check_calls(g, own, sql, NULL, x, a);
        bool is_known =
            words == GUARD_NOT_LISTED && x->status == REASON_FORBIDDEN;
        if (words == GUARD_REFUSES || is_known || g->has_own_grammar) {
            return words;  // a plain reason is the better one
        }
        parse_error e = r.errors.ptr[0];
        if (e.is_depth) {
            engine_fails(x, REASON_FORBIDDEN, S("it is nested too deeply"));
            return GUARD_CANNOT_READ;
        }
        return cannot_read(
            x, arena_printf(a, "assay cannot read it: %.*s", STR_ARG(e.text)),
            e.pos);
    }
    if (!query || query->next || (!g->is_script && !ast_is_query(query))) {
        engine_fails(x, REASON_FORBIDDEN, S("it is not one plain query"));
        return GUARD_CANNOT_READ;
    }
    return guard_check_calls(g, own, sql, query, x, a);
}
