// random_change.c - queries with something changed; see random_sql.h.
#include "random_sql.h"

// Words and signs that a query may get for one of its own.
// clang-format off
static const char *const spare[] = {
    "SELECT", "FROM", "WHERE", "GROUP", "BY", "ORDER", "LIMIT", "JOIN",
    "LEFT", "ON", "USING", "AND", "OR", "NOT", "NULL", "IS", "IN", "LIKE",
    "AS", "CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "UNION", "ALL",
    "(", ")", ",", "*", ".", "=", "<", "-", "+", "||", "~", "1", "'x'", "a",
    "t", "\"a\"", "[b]", "COLLATE", "ESCAPE", "GLOB", "MATCH", "VALUES",
    "WITH", "OVER", "FILTER", "WINDOW", "DISTINCT", "OFFSET", "NATURAL",
    "CROSS", "FULL", "OUTER", "INDEXED", "ASC", "->", "->>", "?1", ":p",
    "ROWS", "RANGE", "REPLACE", "key", "first", "end", "x'00'", "1e5", "<<",
    "&", "BETWEEN", "ISNULL", "NOTNULL", "RECURSIVE", "MATERIALIZED",
};
// clang-format on

str random_change(arena *a, rng *r, str sql, dialect d, arena scratch)
{
    token_list tokens = lex_all(&scratch, sql, d, LEX_DROP_COMMENTS);
    ptrdiff_t n = tokens.len - 1;
    if (n <= 0) {
        return sql;
    }
    buf out = buf_new(a);
    ptrdiff_t at = rng_below(r, n);
    ptrdiff_t other = rng_below(r, n);
    int how = (int)rng_below(r, 5);
    for (ptrdiff_t i = 0; i < n; i++) {
        str word = token_text(sql, tokens.ptr[i]);
        str spared = str_from(spare[rng_below(r, countof(spare))]);
        bool here = i == at;
        bool swaps = how == 0 && (here || i == other);
        str swapped = token_text(sql, tokens.ptr[here ? other : at]);
        if (here && how == 1) {
            continue;
        }
        buf_add(&out, swaps ? swapped : here && how == 2 ? spared : word);
        buf_char(&out, ' ');
        if (here && how == 3) {
            buf_add(&out, spared);
            buf_char(&out, ' ');
        } else if (here && how == 4) {
            buf_add(&out, token_text(sql, tokens.ptr[other]));
            buf_char(&out, ' ');
        }
    }
    return buf_str(&out);
}

// Whether tokens that touch each other may be drawn apart: `a:b` may not.
static bool may_part(str sql, const token *t)
{
    char before = t->pos > 0 ? sql.ptr[t->pos - 1] : ' ';
    char first = t->len > 0 ? sql.ptr[t->pos] : ' ';
    return is_space(before) || before == '(' || before == ',' || first == ')'
           || first == ',';
}

str random_comments(arena *a, rng *r, str sql, dialect d, arena scratch)
{
    static const char *const comments[] = {
        "/* one */",  "-- two\n", "/* three\nlines */",
        "\n-- own\n", "/**/",     "\n/* own */\n",
    };
    token_list tokens = lex_all(&scratch, sql, d, LEX_DROP_COMMENTS);
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i + 1 < tokens.len; i++) {
        bool parts = may_part(sql, &tokens.ptr[i]);
        if (parts && rng_below(r, 6) == 0) {
            buf_char(&out, ' ');
            buf_add(&out, str_from(comments[rng_below(r, countof(comments))]));
        }
        if (parts) {
            buf_char(&out, rng_below(r, 8) == 0 ? '\n' : ' ');
        }
        buf_add(&out, token_text(sql, tokens.ptr[i]));
    }
    return buf_str(&out);
}
