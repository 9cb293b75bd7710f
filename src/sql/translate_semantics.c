/*
 * translate_semantics.c - what means something else in SQLite, written so that
 * it means the same: see semantics.def.
 */
#include "sql/print.h"
#include "sql/translate.h"
#include "sql/translate_internal.h"

enum {
    LETTERS_MAX = 36,  // of a set in a pattern
};

// The letters of a set, [abc] or [a-c]; empty: it has others.
static str letters_of(arena *a, str set)
{
    buf out = buf_new(a);
    bool is_plain = set.len > 0;
    for (ptrdiff_t i = 0; is_plain && i < set.len; i++) {
        bool is_range = i + 2 < set.len && set.ptr[i + 1] == '-';
        char from = to_lower(set.ptr[i]);
        char to = is_range ? to_lower(set.ptr[i + 2]) : from;
        is_plain = from > ' ' && from != '\'' && from != ']' && from <= to
                   && (from == to || (is_digit(from) && is_digit(to))
                       || (is_alpha(from) && is_alpha(to)));
        for (int c = from; is_plain && c <= to; c++) {
            buf_char(&out, (char)c);
        }
        i += is_range ? 2 : 0;
    }
    return is_plain && out.len <= LETTERS_MAX ? buf_str(&out) : (str){0};
}

// The LIKE with something else in place of the set.
static ast *like_of(translator *t, const ast *n, str before, str as, str rest)
{
    ast *like = ast_copy(t->words.a, n);
    like->flags &= (uint16_t)~AST_FLAG_NOT;
    like->kid[BINARY_RIGHT]->text =
        arena_printf(t->words.a, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(as),
                     STR_ARG(rest));
    if (as.len > 1) {
        like->kid[BINARY_ESCAPE] = translate_expression(t, S("'\\'"), NULL);
    }
    return translate_like(t, like);
}

// LIKE '[ab]%' is LIKE 'a%' OR LIKE 'b%', and LIKE '[^a]%' is LIKE '_%', but
// not LIKE 'a%'.
static ast *like_sets(translator *t, ast *n)
{
    str s = n->kid[BINARY_RIGHT]->text;
    ptrdiff_t open = str_find(s, S("["), 0);
    ptrdiff_t close = str_find(s, S("]"), open + 2);
    bool is_not = s.ptr[open + 1] == '^';
    str set = close < 0 ? (str){0} : str_sub(s, open + 1 + is_not, close);
    str before = str_sub(s, 0, open);
    str letters = letters_of(t->words.a, set);
    if (letters.len == 0 || n->kid[BINARY_ESCAPE]
        || str_find(s, S("\\"), 0) >= 0
        || (is_not && str_find(before, S("%"), 0) >= 0)) {
        return translate_refuse(t, n, S("what this LIKE escapes"));
    }
    str rest = str_skip(s, close + 1);
    ast *any = NULL;
    for (ptrdiff_t i = 0; i < letters.len && t->words.why.len == 0; i++) {
        char c = letters.ptr[i];
        str as =
            arena_printf(t->words.a, c == '%' || c == '_' ? "\\%c" : "%c", c);
        ast *one = like_of(t, n, before, as, rest);
        any = any ? translate_expression(t, S("?1 OR ?2"), (ast *[]){any, one})
                  : one;
    }
    if (is_not) {
        ast *all = like_of(t, n, before, S("_"), rest);
        any = translate_expression(t, S("?1 AND NOT ?2"), (ast *[]){all, any});
    }
    return n->flags & AST_FLAG_NOT ? translate_expression(t, S("NOT ?1"), &any)
                                   : any;
}

// The same pattern for GLOB, which tells letters apart. Where it has none LIKE
// says the same.
ast *translate_like(translator *t, ast *n)
{
    const ast *pattern = n->kid[BINARY_RIGHT];
    str s = pattern->text;
    bool is_literal = pattern->kind == AST_STRING;
    if (is_literal && t->means.escape == ESCAPE_BACKSLASH
        && str_find(s, S("\\"), 0) >= 0) {
        return translate_refuse(t, n, S("what this LIKE escapes"));
    }
    if (is_literal && t->means.escape == ESCAPE_BRACKETS
        && str_find(s, S("["), 0) >= 0) {
        return like_sets(t, n);
    }
    if (!t->means.like_is_sensitive || n->form == OPERATOR_ILIKE) {
        n->form = OPERATOR_LIKE;
        return n;
    }
    bool is_plain =
        is_literal && s.len >= 2 && s.ptr[0] == '\'' && !n->kid[BINARY_ESCAPE];
    bool has_letters = false;
    buf text = buf_new(t->words.a);
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
        return translate_refuse(t, n, S("this case-sensitive LIKE"));
    }
    if (has_letters) {
        ast *glob = ast_copy(t->words.a, pattern);
        glob->text = buf_str(&text);
        n->kid[BINARY_RIGHT] = glob;
        n->form = OPERATOR_GLOB;
    }
    return n;
}

// ORDER BY with its NULLs where the dialect has them.
void translate_place_nulls(translator *t, ast **list)
{
    for (ast **at = list; *at && t->means.nulls_are_greatest;
         at = &(*at)->next) {
        ast *n = *at;
        if (n->kind != AST_SORT) {
            ast *sort = ast_new(t->words.a, AST_SORT);
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

// Has it a text that SQLite would compare by its bytes, for it stands in no
// column?
static bool loses_collation(const ast *n, const ast *parent, int place)
{
    switch ((int)n->kind) {
    case AST_STRING:
        return (parent->kind == AST_BINARY && operator_weighs(parent->form))
               || parent->kind == AST_ROW || parent->kind == AST_ALIAS
               || (parent->kind == AST_CALL
                   && str_among_fold(parent->text, "nullif max min"))
               || (parent->kind == AST_CASE && place == CASE_EXPR)
               || (parent->kind == AST_BETWEEN && place == BETWEEN_EXPR)
               || (parent->kind == AST_SELECT && place == SELECT_ITEMS)
               || (parent->kind == AST_IN && place == IN_EXPR);
    case AST_NULL:  // with which a column of a union may begin
        return parent->kind == AST_ALIAS
               || (parent->kind == AST_SELECT && place == SELECT_ITEMS);
    case AST_BINARY: return n->form == OPERATOR_CONCAT;
    case AST_CALL:
    case AST_CASE:
    case AST_CAST: return true;
    case AST_SUBQUERY: {  // not a row, which has no collation
        const ast *of = n->kid[SUBQUERY_QUERY];
        return of && of->kind == AST_SELECT
               && ast_list_len(of->kid[SELECT_ITEMS]) == 1
               && of->kid[SELECT_ITEMS]->kind != AST_STAR;
    }
    default: return false;
    }
}

static void fold(arena *a, ast *n, bool stands_in_from)
{
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        bool is_source = n->kind == AST_JOIN
                         || (n->kind == AST_SELECT && i == SELECT_FROM)
                         || (n->kind == AST_ALIAS && stands_in_from);
        for (ast **at = &n->kid[i]; *at; at = &(*at)->next) {
            ast *kid = *at;
            fold(a, kid, is_source);
            if (!is_source && loses_collation(kid, n, i)) {
                *at = ast_new(a, AST_COLLATE);
                (*at)->text = S("NOCASE");
                (*at)->kid[COLLATE_EXPR] = kid;
                (*at)->next = kid->next;
                kid->next = NULL;
            }
        }
    }
}

ast *translate_folded_query(arena *a, const ast *query)
{
    ast *copy = ast_copy(a, query);
    fold(a, copy, false);
    return copy;
}
