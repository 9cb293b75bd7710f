/*
 * name.c - identifiers as PostgreSQL must see them.
 *
 * Method      A name needs quotes when it is not of lower-case letters, digits
 *             and `_`, or when PostgreSQL reserves the word. What it reserves
 *             is the lexer's keyword table and, for the words that no other
 *             dialect of ours reserves, the list below.
 */
#include "sql/name.h"

#include "sql/lex.h"
#include "sql/lex_rules.h"

#include <assert.h>

// Reserved by PostgreSQL and not in the keyword table.
static const str reserved[] = {
    S_INIT("analyse"),
    S_INIT("analyze"),
    S_INIT("any"),
    S_INIT("array"),
    S_INIT("asymmetric"),
    S_INIT("authorization"),
    S_INIT("binary"),
    S_INIT("both"),
    S_INIT("collation"),
    S_INIT("concurrently"),
    S_INIT("current_catalog"),
    S_INIT("current_date"),
    S_INIT("current_role"),
    S_INIT("current_schema"),
    S_INIT("current_time"),
    S_INIT("current_timestamp"),
    S_INIT("current_user"),
    S_INIT("do"),
    S_INIT("fetch"),
    S_INIT("freeze"),
    S_INIT("grant"),
    S_INIT("ilike"),
    S_INIT("initially"),
    S_INIT("leading"),
    S_INIT("localtime"),
    S_INIT("localtimestamp"),
    S_INIT("only"),
    S_INIT("overlaps"),
    S_INIT("placing"),
    S_INIT("session_user"),
    S_INIT("similar"),
    S_INIT("some"),
    S_INIT("symmetric"),
    S_INIT("system_user"),
    S_INIT("trailing"),
    S_INIT("user"),
    S_INIT("variadic"),
    S_INIT("verbose"),
};

static bool is_reserved(str word)
{
    assert(word.len > 0);
    for (ptrdiff_t i = 0; i < countof(reserved); i++) {
        if (str_equal(word, reserved[i])) {
            return true;
        }
    }
    keyword k = keyword_find(word.ptr, word.len);
    return k != KEYWORD_NONE && keyword_is_reserved(k, DIALECT_POSTGRES);
}

void name_add_quoted(buf *out, str name)
{
    buf_char(out, '"');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        buf_repeat(out, name.ptr[i], name.ptr[i] == '"' ? 2 : 1);
    }
    buf_char(out, '"');
}

void name_add_postgres(buf *out, str name)
{
    bool is_plain = name.len > 0 && !is_digit(name.ptr[0]);
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        is_plain =
            is_plain && ((c >= 'a' && c <= 'z') || is_digit(c) || c == '_');
    }
    if (is_plain && !is_reserved(name)) {
        buf_add(out, name);
    } else {
        name_add_quoted(out, name);
    }
}
