/*
 * sql_eval_token.c - a text as the tokens that are compared: keywords in upper
 * case, names in lower case, the rest as typed; comments and runs of blanks are
 * one blank. [definitions/sql_eval.md#text]
 */
#include "base/utf8.h"
#include "evaluators/sql_eval.h"

// Line breaks inside a token are \n, without blanks before them.
static str trim_lines(arena *a, str s)
{
    if (str_find(s, S("\n"), 0) < 0 && str_find(s, S("\r"), 0) < 0) {
        return s;
    }
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != '\n' && s.ptr[i] != '\r') {
            buf_char(&b, s.ptr[i]);
            continue;
        }
        i += s.ptr[i] == '\r' && i + 1 < s.len && s.ptr[i + 1] == '\n';
        while (b.len > 0 && is_space(b.ptr[b.len - 1])
               && b.ptr[b.len - 1] != '\n') {
            b.len--;
        }
        buf_char(&b, '\n');
    }
    return buf_str(&b);
}

str sql_eval_token_text(arena *a, sqlparse_token t)
{
    switch (t.class) {
    case SQLPARSE_NAME: return trim_lines(a, utf8_lower(a, t.text));
    case SQLPARSE_KEYWORD:
    case SQLPARSE_ORDER:
    case SQLPARSE_DML:
    case SQLPARSE_DDL:
    case SQLPARSE_CTE:
    case SQLPARSE_TIMEZONE: return trim_lines(a, utf8_upper(a, t.text));
    case SQLPARSE_COMMENT:
    case SQLPARSE_BLANK:
    case SQLPARSE_PUNCTUATION:
    case SQLPARSE_WILDCARD:
    case SQLPARSE_PLACEHOLDER:
    case SQLPARSE_COMMAND:
    case SQLPARSE_COMPARISON:
    case SQLPARSE_NUMBER:
    case SQLPARSE_STRING:
    case SQLPARSE_SYMBOL:
    case SQLPARSE_OPERATOR:
    case SQLPARSE_LITERAL:
    case SQLPARSE_TYPE:
    case SQLPARSE_OTHER:
    case SQLPARSE_CLASS_COUNT: break;
    }
    return t.text;
}

// Adds a comment or blank. What says nothing after a comment is part of it; at
// the start of a statement it is left out, where the reference strips it.
static void add_blank(arena *a,
                      sql_eval_text *t,
                      sqlparse_token token,
                      sql_eval_stage stage)
{
    const sqlparse_class before =
        t->len > 0 ? t->ptr[t->len - 1].class : SQLPARSE_BLANK;
    const bool is_comment = token.class == SQLPARSE_COMMENT;
    const bool is_stripped = !is_comment || stage == SQL_EVAL_AS_TYPED;
    if ((t->len == 0 && is_stripped) || before == SQLPARSE_COMMENT) {
        return;
    }
    if (before == SQLPARSE_BLANK && !is_comment) {
        t->ptr[t->len - 1].blanks++;
        return;
    }
    *vec_push(a, t) = (sql_eval_token){
        .text = token.text, .class = token.class, .blanks = !is_comment};
}

sql_eval_text sql_eval_read(arena *a, sqlparse_lexer *l, sql_eval_stage stage)
{
    sql_eval_text t = {0};
    sqlparse_splitter splitter = {0};
    sqlparse_token token = {0};
    bool ended = false;
    while (!ended && sqlparse_next(l, &token)) {
        if (token.class == SQLPARSE_BLANK || token.class == SQLPARSE_COMMENT) {
            add_blank(a, &t, token, stage);
            continue;
        }
        const str text = stage == SQL_EVAL_AS_TYPED
                             ? sql_eval_token_text(a, token)
                             : token.text;
        *vec_push(a, &t) = (sql_eval_token){.text = text, .class = token.class};
        ended = sqlparse_splits(&splitter, token);
    }
    return t;
}
