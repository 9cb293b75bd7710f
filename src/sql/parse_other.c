/*
 * parse_other.c - statements that are neither queries nor change rows, for
 * those who lay out files.
 *
 * Method      The statement's end is found first: its `;`, but not one within
 *             the BEGIN ... END of a trigger or a routine. CREATE TABLE and its
 *             kin are then parsed on a copy of the tokens; where all of them
 *             are understood the tree counts, else the statement is kept word
 *             by word, as are PRAGMA, SET, GRANT and the like. A text that
 *             begins with none of the known words is no statement.
 *
 * Cost        Linear; a CREATE is read twice.
 */
#include "sql/parse_internal.h"

#include <assert.h>

static const char *const verbs[] = {
    "create",  "alter",   "drop",    "truncate", "comment",  "pragma",
    "begin",   "start",   "commit",  "end",      "rollback", "savepoint",
    "release", "explain", "analyze", "vacuum",   "reindex",  "attach",
    "detach",  "set",     "reset",   "use",      "show",     "describe",
    "desc",    "grant",   "revoke",  "lock",     "unlock",   "merge",
    "call",    "exec",    "execute", "copy",     "declare",  "optimize",
    "go",
};

bool other_statement_follows(const parser *p)
{
    for (ptrdiff_t i = 0; i < countof(verbs); i++) {
        if (at_word(p, verbs[i])) {
            return true;
        }
    }
    return false;
}

// CREATE TRIGGER and routines have statements inside.
static bool has_body(const parser *p)
{
    enum {
        WORDS_BEFORE = 5,  // CREATE OR REPLACE TEMP TRIGGER
    };
    parser ahead = *p;
    for (int i = 0; i < WORDS_BEFORE && ahead.at->kind != TOKEN_END; i++) {
        if (at_word(&ahead, "trigger") || at_word(&ahead, "procedure")
            || at_word(&ahead, "function")) {
            return true;
        }
        ahead.at++;
    }
    return false;
}

// The `;` that ends the statement, or the end of the text; NULL where its body
// has no END.
static const token *statement_end(const parser *p)
{
    bool bodied = at_word(p, "create") && has_body(p);
    bool inside = false;
    parser ahead = *p;
    for (; ahead.at->kind != TOKEN_END; ahead.at++) {
        inside = inside || (bodied && at_word(&ahead, "begin"));
        bool closed =
            ahead.at > p->at && token_is_key(ahead.at - 1, KEYWORD_END);
        if (at_op(&ahead, OP_SEMICOLON) && (!inside || closed)) {
            break;
        }
    }
    bool closed = ahead.at > p->at && token_is_key(ahead.at - 1, KEYWORD_END);
    return inside && !closed ? NULL : ahead.at;
}

// The tree of a CREATE or ALTER; NULL where it does not say all.
static ast *parse_made(const parser *p, const token *end)
{
    assert(end >= p->at);
    ptrdiff_t n = end - p->at;
    token *tokens = arena_copy(p->a, p->at, n, 1);
    tokens[n] = (token){.kind = TOKEN_END, .pos = end->pos};
    parse_result ignored = {0};
    parser trial = *p;
    trial.result = &ignored;
    trial.at = tokens;
    trial.first = tokens;
    ast *made = parse_ddl_statement(&trial);
    bool whole = made && !trial.lost && ignored.errors.len == 0
                 && trial.at->kind == TOKEN_END;
    return whole ? made : NULL;
}

ast *parse_other_statement(parser *p)
{
    assert(other_statement_follows(p));
    const token *end = statement_end(p);
    if (!end) {
        while (p->at->kind != TOKEN_END) {
            p->at++;
        }
        return parse_expected(p, "END");
    }
    for (const token *t = p->at; t < end; t++) {
        if (t->kind == TOKEN_ERROR) {
            p->at = t;
            return parse_expected(p, "a word");
        }
    }
    bool makes = at_word(p, "create") || at_word(p, "alter");
    ast *made = makes ? parse_made(p, end) : NULL;
    if (!made) {
        return parse_n_words(p, (int)(end - p->at));
    }
    p->at = end;
    return made;
}
