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

static const char words[] =
    "now current_date current_time current_timestamp localtime localtimestamp "
    "curdate curtime sysdate getdate getutcdate sysdatetime systimestamp "
    "utc_date utc_time utc_timestamp clock_timestamp statement_timestamp "
    "transaction_timestamp timeofday get_current_time get_current_timestamp "
    "current_datetime";

// Functions that take the current time for what they are not given.
static const struct {
    str word;
    ptrdiff_t args;  // at most so many: they read it
} calls[] = {
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
    if (str_among_fold(word, words)) {
        return true;
    }
    ptrdiff_t i = words_at_fold(calls, word, word);
    ptrdiff_t n = i >= 0 ? count_args(sql, end) : -1;
    return n >= 0 && n <= calls[i].args;
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
