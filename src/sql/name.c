/*
 * name.c - identifiers as each system must see them.
 *
 * Method      A bare word is only written where it is made of ASCII letters,
 *             digits and `_`, and is no keyword of the system (PostgreSQL: the
 *             lexer's table and the list below). All else is
 *             quoted: there, every byte but the closing quote stands for
 *             itself, and that is doubled (BigQuery: escaped).
 */
#include "sql/name.h"

#include "sql/lex.h"
#include "sql/lex_rules.h"

#include <assert.h>
#include <sqlite3.h>

// Reserved by PostgreSQL and not in the keyword table.
static const char reserved[] =
    "analyse analyze any array asymmetric authorization binary both collation "
    "concurrently current_catalog current_date current_role current_schema "
    "current_time current_timestamp current_user do fetch freeze grant ilike "
    "initially leading localtime localtimestamp only overlaps placing "
    "session_user similar some symmetric system_user trailing user variadic "
    "verbose";

static bool is_reserved(str word)
{
    assert(word.len > 0);
    if (str_among(word, reserved)) {
        return true;
    }
    keyword k = keyword_find(word.ptr, word.len);
    return k != KEYWORD_NONE && keyword_is_reserved(k, DIALECT_POSTGRES);
}

static bool is_word(str name)
{
    bool is_word = name.len > 0 && !is_digit(name.ptr[0]);
    for (ptrdiff_t i = 0; is_word && i < name.len; i++) {
        char c = name.ptr[i];
        is_word = is_alpha(c) || is_digit(c) || c == '_';
    }
    return is_word;
}

// PostgreSQL writes bare words in lower case.
static bool has_capitals(str name)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < name.len; i++) {
        found |= name.ptr[i] >= 'A' && name.ptr[i] <= 'Z';
    }
    return found;
}

bool name_is_plain(str name, dialect d)
{
    switch ((int)d) {
    case DIALECT_SQLITE:
        return is_word(name) && name.len < 100
               && !sqlite3_keyword_check(name.ptr, (int)name.len);
    case DIALECT_POSTGRES:
        return is_word(name) && !has_capitals(name) && !is_reserved(name);
    default: return false;
    }
}

static void add_byte(buf *out, char c, char before)
{
    if (c == '\0') {
        buf_add(out, S("\xEF\xBF\xBD"));
        return;
    }
    if (before) {
        buf_char(out, before);
    }
    buf_char(out, c);
}

void name_add_between(buf *out, str name, char open, char close)
{
    buf_char(out, open);
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        add_byte(out, c, c == close ? c : '\0');
    }
    buf_char(out, close);
}

str name_literal(arena *a, str text)
{
    buf out = buf_new(a);
    name_add_between(&out, text, '\'', '\'');
    return buf_str(&out);
}

static void add_escaped(buf *out, str name)
{
    buf_char(out, '`');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        add_byte(out, c, c == '`' || c == '\\' ? '\\' : '\0');
    }
    buf_char(out, '`');
}

void name_add_quoted(buf *out, str name, dialect d)
{
    switch ((int)d) {
    case DIALECT_MYSQL: name_add_between(out, name, '`', '`'); break;
    case DIALECT_TSQL: name_add_between(out, name, '[', ']'); break;
    case DIALECT_BIGQUERY: add_escaped(out, name); break;
    default: name_add_between(out, name, '"', '"'); break;
    }
}

void name_add(buf *out, str name, dialect d)
{
    if (name_is_plain(name, d)) {
        buf_add(out, name);
    } else {
        name_add_quoted(out, name, d);
    }
}

void name_add_table(buf *out, str name, dialect d)
{
    str rest = name;
    str first = str_cut(&rest, '.');
    if (dialect_follows_postgres(d) && rest.len > 0) {
        name_add_quoted(out, first, d);
        buf_char(out, '.');
        name = rest;
    }
    name_add_quoted(out, name, d);
}

void name_fill(buf *out, const char *form, const str *names, dialect d)
{
    for (const char *c = form; *c; c++) {
        bool is_place = (*c == '$' || *c == '@' || *c == '#') && is_digit(c[1]);
        if (!is_place) {
            buf_char(out, *c);
            continue;
        }
        char sort = *c++;
        str name = names[*c - '0'];
        if (sort == '$') {
            name_add_quoted(out, name, d);
        } else if (sort == '@') {
            name_add_table(out, name, d);
        } else {
            buf_add(out, name);
        }
    }
}

str name_statement(arena *a, const char *form, const str *names, dialect d)
{
    buf out = buf_new(a);
    name_fill(&out, form, names, d);
    buf_char(&out, '\0');
    return (str){out.ptr, out.len - 1};
}

static bool is_reserved_by_sqlite(str word)
{
    keyword k = keyword_find(word.ptr, word.len);
    return k != KEYWORD_NONE && keyword_is_reserved(k, DIALECT_SQLITE);
}

void name_add_readable(buf *out, str name)
{
    if (is_word(name) && !is_reserved_by_sqlite(name)) {
        buf_add(out, name);
        return;
    }
    buf_char(out, '"');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        char shown = c < ' ' || c == 0x7f ? ' ' : (char)c;
        add_byte(out, shown, shown == '"' ? '"' : '\0');
    }
    buf_char(out, '"');
}
