/*
 * case_clock.c - does a query read the clock? (case_line.h)
 *
 * Method      By words, of all dialects at once: a journal does not say which
 *             functions a query called. Too often is harmless, as such a case
 *             is left out and counted; so texts and comments are looked at,
 *             too, where 'now' stands.
 */
#include "base/words.h"
#include "report/case_line.h"

enum {
    ALWAYS = -1,
};

// Words that read it, and functions that take the current time for what they
// are not given.
static const struct {
    str word;
    ptrdiff_t args;  // a call with at most so many reads it; ALWAYS: the word
} words[] = {
    {S_INIT("now"), ALWAYS},
    {S_INIT("current_date"), ALWAYS},
    {S_INIT("current_time"), ALWAYS},
    {S_INIT("current_timestamp"), ALWAYS},
    {S_INIT("localtime"), ALWAYS},
    {S_INIT("localtimestamp"), ALWAYS},
    {S_INIT("curdate"), ALWAYS},
    {S_INIT("curtime"), ALWAYS},
    {S_INIT("sysdate"), ALWAYS},
    {S_INIT("getdate"), ALWAYS},
    {S_INIT("getutcdate"), ALWAYS},
    {S_INIT("sysdatetime"), ALWAYS},
    {S_INIT("systimestamp"), ALWAYS},
    {S_INIT("utc_date"), ALWAYS},
    {S_INIT("utc_time"), ALWAYS},
    {S_INIT("utc_timestamp"), ALWAYS},
    {S_INIT("clock_timestamp"), ALWAYS},
    {S_INIT("statement_timestamp"), ALWAYS},
    {S_INIT("transaction_timestamp"), ALWAYS},
    {S_INIT("timeofday"), ALWAYS},
    {S_INIT("get_current_time"), ALWAYS},
    {S_INIT("get_current_timestamp"), ALWAYS},
    {S_INIT("current_datetime"), ALWAYS},
    {S_INIT("date"), 0},
    {S_INIT("time"), 0},
    {S_INIT("datetime"), 0},
    {S_INIT("julianday"), 0},
    {S_INIT("unixepoch"), 0},
    {S_INIT("today"), 0},
    {S_INIT("unix_timestamp"), 0},
    {S_INIT("strftime"), 1},
    {S_INIT("age"), 1},
};

static ptrdiff_t text_end(str sql, ptrdiff_t at)
{
    ptrdiff_t end = str_find(sql, str_sub(sql, at, at + 1), at + 1);
    return end < 0 ? sql.len : end + 1;
}

// How many arguments the call at `at` has; -1: there is none.
static ptrdiff_t count_args(str sql, ptrdiff_t at)
{
    while (at < sql.len && is_space(sql.ptr[at])) {
        at++;
    }
    if (at == sql.len || sql.ptr[at] != '(') {
        return -1;
    }
    ptrdiff_t depth = 1;
    ptrdiff_t commas = 0;
    bool is_empty = true;
    for (at++; at < sql.len && depth > 0;) {
        char c = sql.ptr[at];
        depth += (c == '(') - (c == ')');
        commas += depth == 1 && c == ',';
        is_empty = is_empty && (depth == 0 || is_space(c));
        at = c == '\'' ? text_end(sql, at) : at + 1;
    }
    return is_empty ? 0 : commas + 1;
}

static bool reads_clock(str sql, ptrdiff_t begin, ptrdiff_t end)
{
    str word = str_sub(sql, begin, end);
    ptrdiff_t i = words_at_fold(words, word, word);
    if (i < 0 || words[i].args == ALWAYS) {
        return i >= 0;
    }
    ptrdiff_t n = count_args(sql, end);
    return n >= 0 && n <= words[i].args;
}

static bool is_of_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

bool case_text_reads_clock(str sql)
{
    for (ptrdiff_t at = 0; at < sql.len;) {
        ptrdiff_t end = at;
        while (end < sql.len && is_of_word(sql.ptr[end])) {
            end++;
        }
        if (end > at && reads_clock(sql, at, end)) {
            return true;
        }
        at = end > at ? end : at + 1;
    }
    return false;
}
