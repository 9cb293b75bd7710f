/*
 * sqlparse_split.c - where sqlparse 0.4.2 ends a statement.
 *
 * Method      A `;` ends it at depth 0 or below. `(` and `)` count, and END
 *             takes one although CASE adds one only in the body of a routine
 *             (after CREATE ... BEGIN), where IF, FOR and WHILE do too.
 */
#include "base/words.h"
#include "evaluators/sqlparse_lex.h"

// What a keyword does to the depth.
typedef enum depth_effect {
    DEPTH_OPENS_BODY,   // +1 when inside CREATE
    DEPTH_OPENS_BLOCK,  // +1 when inside CREATE and BEGIN
    DEPTH_DECLARES,     // +1 when inside CREATE and before BEGIN
    DEPTH_ENDS_BODY,    // -1, and one BEGIN is closed
    DEPTH_ENDS_BLOCK,   // -1
} depth_effect;

static const struct {
    str word;
    depth_effect effect;
} EFFECTS[] = {
    {S_INIT("BEGIN"), DEPTH_OPENS_BODY},
    {S_INIT("DECLARE"), DEPTH_DECLARES},
    {S_INIT("IF"), DEPTH_OPENS_BLOCK},
    {S_INIT("FOR"), DEPTH_OPENS_BLOCK},
    {S_INIT("WHILE"), DEPTH_OPENS_BLOCK},
    {S_INIT("CASE"), DEPTH_OPENS_BLOCK},
    {S_INIT("END"), DEPTH_ENDS_BODY},
    {S_INIT("END IF"), DEPTH_ENDS_BLOCK},
    {S_INIT("END FOR"), DEPTH_ENDS_BLOCK},
    {S_INIT("END WHILE"), DEPTH_ENDS_BLOCK},
};

static ptrdiff_t apply(sqlparse_splitter *s, depth_effect effect)
{
    switch (effect) {
    case DEPTH_OPENS_BODY: s->begins++; return s->in_create;
    case DEPTH_OPENS_BLOCK: return s->in_create && s->begins > 0;
    case DEPTH_DECLARES: return s->in_create && s->begins == 0;
    case DEPTH_ENDS_BODY: s->begins -= s->begins > 0; return -1;
    case DEPTH_ENDS_BLOCK: return -1;
    }
    return 0;
}

static ptrdiff_t keyword_step(sqlparse_splitter *s, str word)
{
    ptrdiff_t i = words_at_fold(EFFECTS, word, word);
    return i >= 0 ? apply(s, EFFECTS[i].effect) : 0;
}

bool sqlparse_splits(sqlparse_splitter *s, sqlparse_token t)
{
    if (t.class == SQLPARSE_KEYWORD) {
        s->depth += keyword_step(s, t.text);
    } else if (t.class == SQLPARSE_DDL) {
        s->in_create = s->in_create || str_starts_fold(t.text, S("CREATE"));
    } else if (t.class == SQLPARSE_PUNCTUATION) {
        s->depth += str_equal(t.text, S("("));
        s->depth -= str_equal(t.text, S(")"));
        if (s->depth <= 0 && str_equal(t.text, S(";"))) {
            *s = (sqlparse_splitter){0};
            return true;
        }
    }
    return false;
}

// Blanks and line comments, but no line breaks of their own and no hints (--+).
static bool trails(sqlparse_token t)
{
    if (t.class == SQLPARSE_BLANK) {
        return t.text.ptr[0] != '\n' && t.text.ptr[0] != '\r';
    }
    return t.class == SQLPARSE_COMMENT && !str_starts(t.text, S("/*"))
           && !str_starts(str_skip(t.text, 2), S("+"));
}

str sqlparse_first_statement(str text)
{
    sqlparse_lexer l = sqlparse_lex(text);
    sqlparse_splitter s = {0};
    sqlparse_token t = {0};
    bool ended = false;
    while (!ended && sqlparse_next(&l, &t)) {
        ended = sqlparse_splits(&s, t);
    }
    ptrdiff_t end = l.at;
    while (ended && sqlparse_next(&l, &t) && trails(t)) {
        end = l.at;
    }
    return str_sub(text, 0, end);
}
