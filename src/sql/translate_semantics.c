/*
 * translate_semantics.c - what means something else in SQLite, written so that
 * it means the same: see semantics.def.
 */
#include "sql/translate_internal.h"

// Has the pattern signs that SQLite's LIKE takes for themselves?
static bool is_escaped(const translator *t, str pattern)
{
    const char *signs = t->means.escape == ESCAPE_BACKSLASH  ? "\\"
                        : t->means.escape == ESCAPE_BRACKETS ? "["
                                                             : NULL;
    return signs && str_find(pattern, str_from(signs), 0) >= 0;
}

// The same pattern for GLOB, which tells letters apart. Where it has none LIKE
// says the same.
ast *translate_like(translator *t, ast *n)
{
    const ast *pattern = n->kid[BINARY_RIGHT];
    str s = pattern->text;
    bool is_literal = pattern->kind == AST_STRING;
    if (is_literal && is_escaped(t, s)) {
        return translate_refuse(t, n, S("what this LIKE escapes"));
    }
    if (!t->means.like_is_sensitive) {
        return n;
    }
    bool is_plain =
        is_literal && s.len >= 2 && s.ptr[0] == '\'' && !n->kid[BINARY_ESCAPE];
    bool has_letters = false;
    buf text = buf_new(t->a);
    for (ptrdiff_t i = 0; is_plain && i < s.len; i++) {
        char c = s.ptr[i];
        is_plain = (unsigned char)c < 128;
        has_letters |= is_alpha(c);
        if (c == '*' || c == '?' || c == '[') {
            buf_printf(&text, "[%c]", c);
        } else {
            buf_char(&text, (char)(c == '%' ? '*' : c == '_' ? '?' : c));
        }
    }
    if (!is_plain) {
        return translate_refuse(t, n,
                                S("this LIKE, which tells letters apart"));
    }
    if (has_letters) {
        ast *glob = ast_copy(t->a, pattern);
        glob->text = buf_str(&text);
        n->kid[BINARY_RIGHT] = glob;
        n->form = OPERATOR_GLOB;
    }
    return n;
}

// Of NULL it is NULL, or what the others are.
ast *translate_concat(translator *t, ast *n)
{
    ast *all = NULL;
    for (ast *arg = n->kid[CALL_ARGS]; arg; arg = arg->next) {
        ast *one = ast_copy(t->a, arg);
        one->next = NULL;
        if (!t->means.concat_is_null) {
            one = translate_expression(t, S("coalesce(?1, '')"), &one);
        }
        all = all ? translate_expression(t, S("?1 || ?2"), (ast *[]){all, one})
                  : one;
    }
    return all ? all : n;
}

// ORDER BY with its NULLs where the dialect has them.
void translate_place_nulls(translator *t, ast **list)
{
    for (ast **at = list; *at && t->means.nulls_are_greatest;
         at = &(*at)->next) {
        ast *n = *at;
        if (n->kind != AST_SORT) {
            ast *sort = ast_new(t->a, AST_SORT);
            sort->form = SORT_FORM_ASC;
            sort->kid[SORT_EXPR] = n;
            sort->next = n->next;
            n->next = NULL;
            *at = n = sort;
        }
        bool is_said = n->flags & (AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST);
        bool falls = n->form == SORT_FORM_DESC;
        if (!is_said) {
            n->flags |= falls ? AST_FLAG_NULLS_FIRST : AST_FLAG_NULLS_LAST;
        }
    }
}
