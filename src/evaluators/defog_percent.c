// defog_percent.c - see defog_percent.h.
#include "evaluators/defog_percent.h"

#include "base/buf.h"
#include "evaluators/family.h"

// False where the program fails: a single % outside of that span. Else *out is
// the query that the server gets.
static bool defog_percent(arena *a, str sql, str *out)
{
    *out = sql;
    if (str_find(sql, S("%"), 0) < 0) {
        return true;
    }
    ptrdiff_t from = str_find_fold(sql, S("LIKE"), 0);
    ptrdiff_t to = sql.len;
    while (to > 0 && sql.ptr[to - 1] != '\'') {
        to--;
    }
    bool has_span = from >= 0 && to > from;
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < sql.len; i++) {
        bool is_doubled = has_span && i >= from && i < to;
        if (sql.ptr[i] == '%' && !is_doubled) {
            i++;
            if (i == sql.len || sql.ptr[i] != '%') {
                return false;
            }
        }
        buf_char(&b, sql.ptr[i]);
    }
    *out = buf_str(&b);
    return true;
}

/* --- the family of texts ------------------------------------------------ */

static family_text gold_text(arena *a, str sql, family_options o)
{
    return family_plain.gold(a, sql, o);
}

static reason send(arena *a, dialect d, str *sql)
{
    return dialect_follows_postgres(d) && !defog_percent(a, *sql, sql)
               ? REASON_PERCENT_SIGN
               : REASON_NONE;
}

const text_family family_defog = {
    .expands_as_reference = true,
    .gold = gold_text,
    .pred = family_text_as_is,
    .send = send,
};
