/*
 * lex_token.c - what a token says: its text, its content, its role.
 *
 * Method      A token is only a kind and a span; everything else is read from
 *             the text again when somebody asks. token_content copies only what
 *             has doubled quotes; backslash escapes stay, because what they
 *             mean depends on who asks.
 *
 * Invariants  A TOKEN_STRING or TOKEN_QUOTED_NAME is closed, so it has at least
 *             its two quotes; what is never closed is a TOKEN_ERROR (lex.c).
 *
 * Cost        Linear in the token.
 */
#include "sql/lex_rules.h"

#include <assert.h>

str token_text(str text, token t)
{
    assert(t.pos >= 0 && t.len >= 0 && t.len <= text.len - t.pos);
    return str_sub(text, t.pos, (ptrdiff_t)t.pos + t.len);
}

bool token_is_word(token t)
{
    return t.kind == TOKEN_KEYWORD || t.kind == TOKEN_WORD
           || t.kind == TOKEN_NAME;
}

bool token_ends_operand(token t)
{
    switch (t.kind) {
    case TOKEN_KEYWORD:
    case TOKEN_WORD: return keyword_ends_operand((keyword)t.id);
    case TOKEN_NAME:
    case TOKEN_QUOTED_NAME:
    case TOKEN_STRING:
    case TOKEN_STRING_OR_NAME:
    case TOKEN_NUMBER:
    case TOKEN_PARAMETER: return true;
    case TOKEN_OP:
        return t.id == OP_PAREN_CLOSE || t.id == OP_BRACKET_CLOSE
               || t.id == OP_BRACE_CLOSE;
    case TOKEN_END:
    case TOKEN_COMMENT:
    case TOKEN_ERROR: break;
    }
    return false;
}

str token_kind_word(token_kind kind)
{
    static const str words[] = {
#define TOKEN(constant, word) {word, sizeof(word) - 1},
#include "sql/token.def"
    };
    assert(kind < countof(words));
    return words[kind];
}

str lex_error_text(lex_error e)
{
    static const str texts[] = {
#define LEX_ERROR(constant, text) {text, sizeof(text) - 1},
#include "sql/token.def"
    };
    assert(e < countof(texts));
    return texts[e];
}

// Without the letters before the quote and without the quotes.
static str without_quotes(str s, token t, dialect d)
{
    assert(s.len >= 2);
    if (t.kind == TOKEN_STRING && t.id == STRING_DOLLAR) {
        ptrdiff_t tag = str_find(s, S("$"), 1) + 1;
        return str_sub(s, tag, s.len - tag);
    }
    ptrdiff_t open = 0;
    while (is_alpha(s.ptr[open]) || s.ptr[open] == '&') {
        open++;
    }
    bool triple = lex_rules_of[d].has_triple_quotes && s.len - open >= 6
                  && s.ptr[open + 1] == s.ptr[open]
                  && s.ptr[open + 2] == s.ptr[open];
    ptrdiff_t quotes = triple ? 3 : 1;
    return str_sub(s, open + quotes, s.len - quotes);
}

str name_as_cut(str name, dialect d)
{
    ptrdiff_t most = lex_rules_of[d].most_name_bytes;
    if (most == 0 || name.len <= most) {
        return name;
    }
    while (most > 0 && ((unsigned char)name.ptr[most] & 0xC0) == 0x80) {
        most--;
    }
    return str_sub(name, 0, most);
}

static str content(arena *a, str text, token t, dialect d)
{
    str s = token_text(text, t);
    if (t.kind != TOKEN_STRING && t.kind != TOKEN_QUOTED_NAME
        && t.kind != TOKEN_STRING_OR_NAME) {
        return s;
    }
    char quote = s.ptr[s.len - 1];
    str inner = without_quotes(s, t, d);
    char pair[2] = {quote, quote};
    bool doubles = d != DIALECT_BIGQUERY && t.id != STRING_DOLLAR
                   && str_find(inner, (str){pair, 2}, 0) >= 0;
    if (!doubles) {
        return inner;
    }
    bool escapes = t.kind == TOKEN_STRING
                   && (t.id == STRING_ESCAPE
                       || lex_rules_of[d].single_quote != ESCAPE_DOUBLING);
    char *out = arena_new(a, char, inner.len);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < inner.len; i++) {
        out[n++] = inner.ptr[i];
        if (escapes && inner.ptr[i] == '\\' && i + 1 < inner.len) {
            out[n++] = inner.ptr[++i];
        } else if (inner.ptr[i] == quote) {
            i++;
        }
    }
    assert(n <= inner.len);
    return (str){out, n};
}

str token_content(arena *a, str text, token t, dialect d)
{
    str s = content(a, text, t, d);
    bool is_name = token_is_word(t) || t.kind == TOKEN_QUOTED_NAME;
    return is_name ? name_as_cut(s, d) : s;
}
