/*
 * spider_text.c - see spider_text.h. [definitions/spider.md#texts]
 *
 * Method      Steps on the text, in the reference's order: "value" becomes "1"
 *             in predictions; split comparison operators are glued; the first
 *             statement is cut out and every token `distinct` in it removed,
 *             all else left as it was, blanks too; YEAR(CURDATE()) becomes
 *             2020. None of them looks whether it stands inside a string,
 *             except the removal of distinct.
 *
 *             What returns no rows is known by its first words (HEADS). The
 *             reference runs such a statement; here it is not run, so one that
 *             would fail (a missing table) counts as one that works. Prose that
 *             begins with such a word ("Create a query that ...") is left to
 *             the engine, which refuses it.
 *
 * Cost        Linear. A text without `;` and without "distinct" is not lexed.
 */
#include "evaluators/spider_text.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "evaluators/family.h"
#include "evaluators/sqlparse_word.h"

/* --- steps on the text ------------------------------------------------ */

str spider_value_to_one(arena *a, str sql)
{
    return buf_replaced(a, sql, S("value"), S("1"));
}

static str glue_operators(arena *a, str s)
{
    s = buf_replaced(a, s, S("> ="), S(">="));
    s = buf_replaced(a, s, S("< ="), S("<="));
    return buf_replaced(a, s, S("! ="), S("!="));
}

// The offset after YEAR(CURDATE()) at `at` and the blanks after it; `at` when
// it does not stand there.
static ptrdiff_t year_end(str s, ptrdiff_t at)
{
    static const str parts[] = {
        S_INIT("year"), S_INIT("("), S_INIT("curdate"),
        S_INIT("("),    S_INIT(")"), S_INIT(")"),
    };
    ptrdiff_t i = at;
    for (ptrdiff_t part = 0; part < countof(parts); part++) {
        if (!str_starts_fold(str_skip(s, i), parts[part])) {
            return at;
        }
        i = utf8_run_end(s, i + parts[part].len, utf8_is_blank);
    }
    return i;
}

static str fix_year(arena *a, str s)
{
    if (str_find_fold(s, S("curdate"), 0) < 0) {
        return s;
    }
    buf b = buf_new(a);
    ptrdiff_t done = 0;
    ptrdiff_t at = str_find_fold(s, S("year"), 0);
    while (at >= 0) {
        const ptrdiff_t end = year_end(s, at);
        if (end > at) {
            buf_add(&b, str_sub(s, done, at));
            buf_add(&b, S("2020"));
            done = end;
        }
        at = str_find_fold(s, S("year"), end > at ? end : at + 1);
    }
    buf_add(&b, str_skip(s, done));
    return buf_str(&b);
}

static str drop_distinct(arena *a, str s)
{
    if (str_find(s, S(";"), 0) >= 0) {
        s = sqlparse_first_statement(s);
    }
    if (str_find_fold(s, S("distinct"), 0) < 0) {
        return s;
    }
    buf b = buf_new(a);
    sqlparse_lexer l = sqlparse_lex(s);
    sqlparse_token t = {0};
    while (sqlparse_next(&l, &t)) {
        if (!str_equal_fold(t.text, S("distinct"))) {
            buf_add(&b, t.text);
        }
    }
    return buf_str(&b);
}

/* --- statements without rows ------------------------------------------ */

// How statements begin that return no rows; the words as in sqlparse_word.h.
static const struct {
    str words;
    int max_more;  // tokens that may follow; a sentence has more
    str needs;     // a word that must follow
} HEADS[] = {
#define HEAD(words, max_more, needs) \
    {                                \
        S_INIT(words), max_more,     \
        {                            \
            needs, sizeof(needs) - 1 \
        }                            \
    }
    HEAD("DELETE FROM", INT32_MAX, ""),
    HEAD("UPDATE", INT32_MAX, "SET"),
    HEAD("INSERT INTO", INT32_MAX, ""),
    HEAD("INSERT OR ABORT|FAIL|IGNORE|REPLACE|ROLLBACK INTO", INT32_MAX, ""),
    HEAD("REPLACE INTO", INT32_MAX, ""),
    HEAD("CREATE TEMP|TEMPORARY|UNIQUE|VIRTUAL? TABLE|VIEW|INDEX|TRIGGER",
         INT32_MAX,
         ""),
    HEAD("DROP TABLE|VIEW|INDEX|TRIGGER", 5, ""),
    HEAD("ALTER TABLE", INT32_MAX, ""),
    HEAD("PRAGMA", 6, ""),
    HEAD("ATTACH", 4, "AS"),
    HEAD("ANALYZE", 3, ""),
    HEAD("REINDEX", 3, ""),
    HEAD("VACUUM", 3, ""),
    HEAD("SAVEPOINT", 1, ""),
    HEAD("BEGIN DEFERRED|IMMEDIATE|EXCLUSIVE? TRANSACTION?", 0, ""),
#undef HEAD
};

static bool is_semicolon(sqlparse_token t)
{
    return t.class == SQLPARSE_PUNCTUATION && str_equal(t.text, S(";"));
}

// The offset of the first token that says something; s.len when none does.
static ptrdiff_t first_word(str s)
{
    sqlparse_lexer l = sqlparse_lex(s);
    sqlparse_token t = {0};
    while (sqlparse_next_solid(&l, &t)) {
        if (!is_semicolon(t)) {
            return l.at - t.text.len;
        }
    }
    return s.len;
}

// Whether `rest`, what follows the first words, fits row i of HEADS; RETURNING
// makes rows.
static bool tail_fits(str rest, ptrdiff_t i)
{
    bool found = HEADS[i].needs.len == 0;
    int more = 0;
    sqlparse_lexer l = sqlparse_lex(rest);
    sqlparse_token t = {0};
    while (sqlparse_next_solid(&l, &t) && more <= HEADS[i].max_more) {
        more += !is_semicolon(t);
        found = found || str_equal_fold(t.text, HEADS[i].needs);
        if (str_equal_fold(t.text, S("RETURNING"))) {
            return false;
        }
    }
    return found && more <= HEADS[i].max_more;
}

// The verb of WITH ... : the first one outside parentheses.
static str verb_after_with(str s)
{
    sqlparse_lexer l = sqlparse_lex(s);
    sqlparse_token t = {0};
    ptrdiff_t depth = 0;
    while (sqlparse_next(&l, &t)) {
        depth += str_equal(t.text, S("(")) - str_equal(t.text, S(")"));
        if (depth == 0
            && str_among_fold(t.text,
                              "SELECT VALUES DELETE UPDATE INSERT REPLACE")) {
            return str_skip(s, l.at - t.text.len);
        }
    }
    return (str){0};
}

static bool is_without_rows(str s)
{
    const ptrdiff_t at = first_word(s);
    if (at == s.len) {
        return true;
    }
    s = str_skip(s, at);
    if (sqlparse_phrase_end(s, 0, S("WITH")) > 0) {
        s = verb_after_with(s);
    }
    for (ptrdiff_t i = 0; i < countof(HEADS); i++) {
        const ptrdiff_t end = sqlparse_phrase_end(s, 0, HEADS[i].words);
        if (end > 0) {
            return tail_fits(str_skip(s, end), i);
        }
    }
    return false;
}

// Whether tokens stand after the first statement: the driver of the reference
// refuses such a text.
static bool has_more_statements(str s)
{
    if (str_find(s, S(";"), 0) < 0) {
        return false;
    }
    const str rest = str_skip(s, sqlparse_first_statement(s).len);
    return first_word(rest) < rest.len;
}

/* --- the family of texts ------------------------------------------------ */

// A text that is prepared already.
static family_text plugged_text(arena *a, str prepared)
{
    return (family_text){
        .sql = fix_year(a, prepared),
        .prepared = prepared,
        .has_order = str_find_fold(prepared, S("order by"), 0) >= 0,
        .returns_nothing =
            is_without_rows(prepared) && !has_more_statements(prepared),
    };
}

static family_text gold_text(arena *a, str sql, family_options o)
{
    sql = glue_operators(a, sql);
    return plugged_text(a, o.keeps_distinct ? sql : drop_distinct(a, sql));
}

static family_text pred_text(arena *a, str sql, family_options o)
{
    return gold_text(a, spider_value_to_one(a, sql), o);
}

const text_family family_spider = {
    .takes_lines = true,
    .gold = gold_text,
    .pred = pred_text,
    .plugged = plugged_text,
};
