/*
 * extract_scan.c - where SQL begins and ends in a model's answer.
 *
 * Method      A table of verbs. SQL begins where a verb of `statements` stands,
 *             followed by a word that the verb allows: many verbs are also
 *             English ("update the schema"), so WITH must go on as a CTE, UPDATE
 *             must reach SET, and "Select the" is a sentence. Where SQL ends is
 *             extract_end.c's matter.
 *
 * Invariants  (1) Quoted text and comments are stepped over whole.
 *             (2) The scanner always moves on: next > i.
 *
 * Cost        Linear, but for quotes without an end: each looks for its partner
 *             to the end of the text.
 */
#include "read/extract_scan.h"

#include "base/edit_distance.h"
#include "base/utf8.h"
#include "read/json_scan.h"
#include "sql/lex_rules.h"

#include <assert.h>

enum {
    MISSPELT = 2,  // letters of SELECT
    LONGEST_VERB = 16,
};

bool extract_is_blank(int32_t c)
{
    bool is_of_tokens =
        c == 0x2581 || c == 0x0120 || c == 0x010A || c == 0x0109;
    return utf8_is_blank(c) || c == 0xFEFF || c == 0x2060 || is_of_tokens
           || (c >= 0x200B && c <= 0x200F);
}

str extract_trim(str text)
{
    for (ptrdiff_t size = 0; text.len > 0; text = str_skip(text, size)) {
        if (!extract_is_blank(utf8_char_at(text, 0, &size))) {
            break;
        }
    }
    while (text.len > 0) {
        int32_t c = utf8_char_before(text, text.len);
        if (!extract_is_blank(c)) {
            break;
        }
        text.len -= c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return text;
}

bool extract_is_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

str extract_word_at(str text, ptrdiff_t at)
{
    assert(at >= 0);
    return str_sub(text, at, str_run(text, at, extract_is_word));
}

bool extract_is_keyword(str word)
{
    return word.len > 0 && keyword_find(word.ptr, word.len) != KEYWORD_NONE;
}

// The offset past the comment that begins at text[at]; `at` when none does.
static ptrdiff_t skip_comment(str text, ptrdiff_t at)
{
    char first = text.ptr[at];
    char second = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    if (first == '-' && second == '-') {
        return str_find_end(text, S("\n"), at);
    }
    if (first == '/' && second == '*') {
        ptrdiff_t end = str_find(text, S("*/"), at + 2);
        return end < 0 ? text.len : end + 2;
    }
    return at;
}

ptrdiff_t extract_skip(str text, ptrdiff_t at)
{
    assert(at >= 0);
    while (at < text.len) {
        ptrdiff_t next =
            is_space(text.ptr[at]) ? at + 1 : skip_comment(text, at);
        if (next == at) {
            break;
        }
        at = next;
    }
    return at;
}

// The offset past the quoted text that begins at text[at]; at + 1 when it is
// not closed: then the quote is an apostrophe.
static ptrdiff_t skip_quoted(str text, ptrdiff_t at)
{
    ptrdiff_t close = str_find_close(text, text.ptr[at], at + 1);
    return (close < 0 ? at : close) + 1;
}

// Whether the words in `list`, separated by blanks, allow what stands at `at`.
static bool may_follow(const char *list, str text, ptrdiff_t at)
{
    str word = extract_word_at(text, at);
    word = word.len > 0    ? word
           : at < text.len ? str_sub(text, at, at + 1)
                           : S(";");
    return str_among(S("*"), list) || str_among_fold(word, list);
}

// A name, quoted or not, at text[at]: the offset past it, else -1.
static ptrdiff_t skip_name(str text, ptrdiff_t at)
{
    if (at < text.len && (text.ptr[at] == '"' || text.ptr[at] == '`')) {
        return skip_quoted(text, at);
    }
    str word = extract_word_at(text, at);
    return word.len > 0 ? at + word.len : -1;
}

// WITH [RECURSIVE] name [(columns)] AS
static bool is_with(str text, ptrdiff_t at)
{
    str word = extract_word_at(text, at);
    if (str_equal_fold(word, S("recursive"))) {
        at = extract_skip(text, at + word.len);
    }
    at = skip_name(text, at);
    if (at < 0) {
        return false;
    }
    at = extract_skip(text, at);
    if (at < text.len && text.ptr[at] == '(') {
        ptrdiff_t close = str_find(str_sub(text, at, at + 1024), S(")"), 0);
        at = close < 0 ? text.len : extract_skip(text, at + close + 1);
    }
    return str_equal_fold(extract_word_at(text, at), S("as"));
}

// UPDATE [OR action] name SET
static bool is_update(str text, ptrdiff_t at)
{
    for (int i = 0; i < 4 && at >= 0; i++) {
        if (str_equal_fold(extract_word_at(text, at), S("set"))) {
            return i > 0;
        }
        at = skip_name(text, at);
        at = at < 0 ? at : extract_skip(text, at);
    }
    return false;
}

typedef struct statement {
    str verb;
    const char *next;  // words that may follow; ";" also the end; "*" anything
    bool gives_rows;
    bool (*goes_on)(str text, ptrdiff_t at);  // beyond that, after the verb
    const char *unless;  // words that may follow a verb in capitals only
} statement;

// Verbs that are also English need a second word: "Select the ..." begins a
// sentence, and commands to copy something are seldom given in capitals.
static const statement statements[] = {
    {S_INIT("SELECT"), "*", true, NULL, "the those these this your which"},
    {S_INIT("WITH"), "*", true, is_with, NULL},
    {S_INIT("VALUES"), "(", true, NULL, NULL},
    {S_INIT("INSERT"), "INTO OR", false, NULL, NULL},
    {S_INIT("REPLACE"), "INTO", false, NULL, NULL},
    {S_INIT("UPDATE"), "*", false, is_update, NULL},
    {S_INIT("DELETE"), "FROM", false, NULL, NULL},
    {S_INIT("CREATE"),
     "TABLE TEMP TEMPORARY VIEW INDEX UNIQUE TRIGGER VIRTUAL OR DATABASE "
     "SCHEMA FUNCTION MATERIALIZED",
     false, NULL, NULL},
    {S_INIT("ALTER"), "TABLE VIEW DATABASE", false, NULL, NULL},
    {S_INIT("DROP"), "TABLE VIEW INDEX TRIGGER DATABASE SCHEMA", false, NULL,
     NULL},
    {S_INIT("TRUNCATE"), "TABLE", false, NULL, NULL},
    {S_INIT("MERGE"), "INTO", false, NULL, NULL},
    {S_INIT("PRAGMA"), "*", false, NULL, NULL},
    {S_INIT("COPY"), "*", false, NULL, "*"},
    {S_INIT("ATTACH"), "DATABASE ' \"", false, NULL, NULL},
    {S_INIT("DETACH"), "DATABASE", false, NULL, NULL},
    {S_INIT("EXPLAIN"), "QUERY SELECT WITH ANALYZE", false, NULL, NULL},
    {S_INIT("BEGIN"), "; TRANSACTION DEFERRED IMMEDIATE EXCLUSIVE", false, NULL,
     NULL},
    {S_INIT("COMMIT"), "; TRANSACTION", false, NULL, NULL},
    {S_INIT("ROLLBACK"), "; TRANSACTION TO", false, NULL, NULL},
    {S_INIT("VACUUM"), "; INTO", false, NULL, NULL},
    {S_INIT("REINDEX"), ";", false, NULL, NULL},
    {S_INIT("ANALYZE"), ";", false, NULL, NULL},
};

static const statement *statement_at(str text)
{
    ptrdiff_t at = extract_skip(text, 0);
    for (int depth = 0; depth < 64 && at < text.len; depth++) {
        if (text.ptr[at] != '(') {
            break;
        }
        at = extract_skip(text, at + 1);
    }
    str verb = extract_word_at(text, at);
    for (ptrdiff_t i = 0; verb.len > 0 && i < countof(statements); i++) {
        const statement *s = &statements[i];
        if (!str_equal_fold(verb, s->verb)) {
            continue;
        }
        ptrdiff_t next = extract_skip(text, at + verb.len);
        bool is_label = str_starts(str_skip(text, at + verb.len), S(":"));
        bool fits = !is_label && may_follow(s->next, text, next)
                    && (!s->unless || str_equal(verb, s->verb)
                        || !may_follow(s->unless, text, next))
                    && (!s->goes_on || s->goes_on(text, next));
        return fits ? s : NULL;
    }
    return NULL;
}

bool extract_starts_sql(str text)
{
    return statement_at(text) != NULL;
}

bool extract_starts_query(str text)
{
    const statement *s = statement_at(text);
    return s && s->gives_rows;
}

bool extract_is_misspelt(str text, arena scratch)
{
    ptrdiff_t n = str_run(text, 0, is_alpha);
    str word = arena_lower(&scratch, str_sub(text, 0, n));
    return n > MISSPELT && n < LONGEST_VERB
           && edit_distance(word, S("select"), scratch) <= MISSPELT;
}

ptrdiff_t extract_step(str text, ptrdiff_t i)
{
    char c = text.ptr[i];
    if (is_space(c)) {
        return json_scan_space(text, i);
    }
    bool is_quote = c == '\'' || c == '"' || c == '`';
    ptrdiff_t next = is_quote ? skip_quoted(text, i) : skip_comment(text, i);
    return next > i ? next : i + 1;
}

bool extract_is_wrapped(str text)
{
    return str_starts(text, S("<")) || str_find(text, S("```"), 0) >= 0;
}

ptrdiff_t extract_statement_end(str text, ptrdiff_t at)
{
    while (at < text.len && text.ptr[at] != ';') {
        at = extract_step(text, at);
    }
    return at;
}

str extract_without_sample(str sql)
{
    ptrdiff_t at = extract_skip(sql, 0);
    bool is_made = str_starts_fold(str_skip(sql, at), S("create table"));
    for (bool is_sample = is_made; is_sample;) {
        ptrdiff_t end = extract_statement_end(sql, at);
        str one = str_sub(sql, at, end);
        is_sample = (str_starts_fold(one, S("create table"))
                     || str_starts_fold(one, S("insert into")))
                    && str_find_fold(one, S("select"), 0) < 0;
        at = is_sample ? extract_skip(sql, end + 1) : at;
    }
    str rest = str_skip(sql, at);
    ptrdiff_t end = extract_statement_end(rest, 0);
    bool is_query = is_made && extract_starts_query(rest)
                    && extract_skip(rest, end + 1) >= rest.len;
    return is_query ? rest : sql;
}
