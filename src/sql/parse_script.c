/*
 * parse_script.c - the statements of a script or a dump, one by one.
 *
 * Method      A dump is mostly data: statements are cut at their `;` by the
 *             lexer alone, and tokens are kept only of those that may make a
 *             table. Where scripts leave the `;` out, a line that begins with
 *             CREATE TABLE and the like begins a statement as well.
 *
 * Cost        Linear in the text; memory is that of the longest CREATE.
 */
#include "sql/parse_internal.h"

#include <assert.h>

typedef struct script {
    lexer l;
    dialect dialect;
    token ahead;        // read, not yet given out
    bool runs_comment;  // within one of MySQL's
} script;

// MySQL runs what stands in /*!50001 ... */, and its dumps make views there.
static void take(script *s)
{
    str text = s->l.text;
    for (s->ahead = lex_next(&s->l);; s->ahead = lex_next(&s->l)) {
        str rest = str_skip(text, s->ahead.pos);
        if (s->ahead.kind == TOKEN_COMMENT && s->dialect == DIALECT_MYSQL
            && (str_starts(rest, S("/*!")) || str_starts(rest, S("/*M!")))) {
            s->l.at = s->ahead.pos + 3;
            while (s->l.at < text.len && !is_space(text.ptr[s->l.at])) {
                s->l.at++;
            }
            s->runs_comment = true;
        } else if (s->runs_comment && str_starts(rest, S("*/"))) {
            s->l.at = s->ahead.pos + 2;
            s->runs_comment = false;
        } else if (s->ahead.kind != TOKEN_COMMENT) {
            return;
        }
    }
}

static bool is_word(const script *s, token t, const char *word)
{
    return token_is_word(t)
           && str_equal_fold(token_text(s->l.text, t), str_from(word));
}

static bool begins_line(const script *s, token t)
{
    assert(t.pos >= 0 && t.pos <= s->l.text.len);
    ptrdiff_t i = t.pos;
    while (i > 0
           && (s->l.text.ptr[i - 1] == ' ' || s->l.text.ptr[i - 1] == '\t')) {
        i--;
    }
    return i == 0 || s->l.text.ptr[i - 1] == '\n';
}

static void skip_line(script *s, ptrdiff_t from)
{
    ptrdiff_t end = str_find(s->l.text, S("\n"), from);
    s->l.at = end < 0 ? s->l.text.len : end;
    take(s);
}

// SQL*Plus ends statements by a `/` on a line of its own, T-SQL by a GO.
static bool is_end_line(const script *s)
{
    token t = s->ahead;
    str rest = str_skip(s->l.text, t.pos + t.len);
    bool is_alone = str_trim(str_cut(&rest, '\n')).len == 0;
    return begins_line(s, t)
           && ((is_alone && token_is_op(&t, OP_SLASH))
               || ((is_alone || s->dialect == DIALECT_TSQL)
                   && is_word(s, t, "go")));
}

// A line for the client and not for the server: \connect, DELIMITER, GO.
static bool is_client_line(const script *s)
{
    return (s->ahead.kind == TOKEN_ERROR && s->l.text.ptr[s->ahead.pos] == '\\')
           || is_word(s, s->ahead, "delimiter") || is_end_line(s);
}

// Whether a statement begins here although none has ended.
static bool begins_statement(const script *s)
{
    token t = s->ahead;
    if (!begins_line(s, t) || is_end_line(s)) {
        return is_end_line(s);
    }
    lexer ahead = s->l;
    token after = lex_next_solid(&ahead);
    bool is_made = is_word(s, after, "table") || is_word(s, after, "view");
    return (is_word(s, t, "create") && token_is_word(after))
           || (is_word(s, t, "alter") && is_word(s, after, "table"))
           || (is_word(s, t, "drop") && is_made)
           || (is_word(s, t, "insert") && is_word(s, after, "into"));
}

// The rows after COPY ... FROM stdin are no SQL.
static void skip_copied(script *s)
{
    ptrdiff_t end = str_find(s->l.text, S("\n\\."), s->l.at);
    s->l.at = end < 0 ? s->l.text.len : end + 3;
}

enum {
    HEAD_MAX = 8,  // tokens among which a CREATE says what it makes
};

static bool is_routine_word(const script *s, token t)
{
    return is_word(s, t, "trigger") || is_word(s, t, "function")
           || is_word(s, t, "procedure") || is_word(s, t, "event");
}

// How a token changes the number of open blocks of a routine.
static int block_step(const script *s, token t)
{
    return is_word(s, t, "begin") || is_word(s, t, "case") ? 1
           : is_word(s, t, "end")                          ? -1
                                                           : 0;
}

// Reads the next statement and its `;`. Returns its tokens when it may make
// something, else none; a TOKEN_END closes them.
static token_list next_statement(script *s, arena *a)
{
    token_list out = {0};
    bool keeps = is_word(s, s->ahead, "create") || is_word(s, s->ahead, "alter")
                 || is_word(s, s->ahead, "drop");
    bool copies = is_word(s, s->ahead, "copy");
    bool routine = false;
    int blocks = 0;
    for (ptrdiff_t n = 0; s->ahead.kind != TOKEN_END; n++) {
        token t = s->ahead;
        bool ends = token_is_op(&t, OP_SEMICOLON) && blocks <= 0;
        if (ends || (n > 0 && blocks <= 0 && begins_statement(s))) {
            break;
        }
        routine |= n < HEAD_MAX && is_routine_word(s, t);
        blocks += routine ? block_step(s, t) : 0;
        if (keeps) {
            *vec_push(a, &out) = t;
        }
        take(s);
    }
    token end = {.kind = TOKEN_END, .pos = s->ahead.pos};
    *vec_push(a, &out) = end;
    if (token_is_op(&s->ahead, OP_SEMICOLON)) {
        if (copies) {
            skip_copied(s);
        }
        take(s);
    }
    assert(out.len > 0 && out.ptr[out.len - 1].kind == TOKEN_END);
    if (routine) {
        out.ptr[0] = end;
    }
    return out;
}

parse_result parse_ddl(arena *a, str sql, dialect d, arena scratch)
{
    parse_result result = {0};
    ast_list list = {0};
    script s = {.l = lex_begin(sql, d), .dialect = d};
    take(&s);
    while (s.ahead.kind != TOKEN_END) {
        if (is_client_line(&s)) {
            skip_line(&s, s.ahead.pos);
            continue;
        }
        arena memory = scratch;
        token_list tokens = next_statement(&s, &memory);
        parser p = parser_begin(a, sql, d, &result);
        p.at = tokens.ptr;
        p.first = tokens.ptr;
        ast *n = tokens.ptr->kind == TOKEN_END ? NULL : parse_ddl_statement(&p);
        if (n) {
            list_add(&list, n);
        }
    }
    result.statements = list.first;
    return result;
}
