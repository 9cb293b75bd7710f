/*
 * sql_eval_render.c - the text that is compared. [rules/evaluators.md 4.3]
 *
 * Why         The reference re-indents both texts and compares the results.
 *             Re-indenting forgets what stood at the places where it puts a
 *             line break or where it wants no blank; everywhere else it keeps
 *             whether there was a blank. So it is enough to write those places
 *             always in the same way.
 */
#include "base/utf8.h"
#include "metric/sql_eval.h"

static bool has(sql_eval_token t, sql_eval_mark mark)
{
    return (t.marks & mark) != 0;
}

// What is written between two neighbors that stood `blanks` blanks apart.
static str separator(sql_eval_token before,
                     sql_eval_token after,
                     ptrdiff_t blanks)
{
    if (has(after, SQL_EVAL_BREAK)) {
        return S("\n");
    }
    const bool apart = blanks > 0;
    if (has(before, SQL_EVAL_PAIRED) && str_equal(before.text, S("("))) {
        return S("");
    }
    if (has(after, SQL_EVAL_PAIRED) && str_equal(after.text, S(")"))) {
        return has(after, SQL_EVAL_WHERE_END) && apart ? S(" ") : S("");
    }
    if (has(before, SQL_EVAL_LIST_COMMA)) {
        return S(" ");
    }
    if (has(after, SQL_EVAL_LIST_COMMA)) {
        return blanks > 1 ? S(" ") : S("");
    }
    return apart ? S(" ") : S("");
}

// What is written before token i, which is no blank.
static str separator_at(const sql_eval_text *t, ptrdiff_t i)
{
    const ptrdiff_t blank = i - 1;
    if (i > 0 && t->ptr[blank].class != SQLPARSE_BLANK) {
        return separator(t->ptr[i - 1], t->ptr[i], 0);
    }
    return i < 2 ? S("")
                 : separator(t->ptr[i - 2], t->ptr[i], t->ptr[blank].blanks);
}

void sql_eval_render(buf *b,
                     const sql_eval_text *t,
                     ptrdiff_t first,
                     ptrdiff_t last)
{
    bool begun = false;
    for (ptrdiff_t i = first; i <= last; i++) {
        if (t->ptr[i].class == SQLPARSE_BLANK) {
            continue;
        }
        if (begun) {
            buf_add(b, separator_at(t, i));
        }
        buf_add(b, t->ptr[i].text);
        begun = true;
    }
}

ptrdiff_t sql_eval_column(const sql_eval_text *t, ptrdiff_t at)
{
    ptrdiff_t column = 0;
    for (ptrdiff_t i = at; !has(t->ptr[i], SQL_EVAL_BREAK) && i > 0; i--) {
        if (t->ptr[i].class != SQLPARSE_BLANK) {
            column += separator_at(t, i).len;
        }
        if (t->ptr[i - 1].class != SQLPARSE_BLANK) {
            column += utf8_count(t->ptr[i - 1].text);
        }
    }
    return column;
}
