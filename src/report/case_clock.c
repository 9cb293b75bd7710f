/*
 * case_clock.c - does a query read the clock? (case_line.h)
 *
 * Method      By words, of all dialects at once: a journal does not say which
 *             functions a query called. Too often is harmless, as such a case
 *             is left out and counted; so texts and comments are looked at,
 *             too, where 'now' stands.
 */
#include "report/case_line.h"
#include "sql/function.h"

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
        if (end > at && function_tells_time(sql, at, end, "SPMDO")) {
            return true;
        }
        at = end > at ? end : at + 1;
    }
    return false;
}
