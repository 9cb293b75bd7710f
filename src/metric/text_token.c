/*
 * text_token.c - the lexer's tokens, folded.
 *
 * Method      Semicolons are counted, and given only when a token after them
 *             shows that they do not end the text. A token keeps what was typed
 *             and gets a body to compare: a quoted name loses its quotes, signs
 *             that mean the same get one spelling.
 *
 * Cost        Linear; nothing is copied.
 */
#include "metric/text_token.h"

#include "base/hash.h"

enum {
    LONG_BODY = 64,  // longer bodies go into a key as their hash
};

text_reader text_begin(str sql, dialect d)
{
    return (text_reader){.lex = lex_begin(sql, d)};
}

static bool is_semicolon(token t)
{
    return t.kind == TOKEN_OP && t.id == OP_SEMICOLON;
}

// Between the quotes, where that names the same thing whatever the quotes are.
static str name_body(str typed)
{
    char close = typed.ptr[typed.len - 1];
    str inner = str_sub(typed, 1, typed.len - 1);
    bool plain = typed.len >= 2 && !is_alpha(typed.ptr[0])
                 && str_find(inner, (str){&close, 1}, 0) < 0;
    return plain ? inner : typed;
}

static str sign_body(str typed, token t)
{
    switch (t.id) {
    case OP_BANG_EQUAL: return S("<>");
    case OP_EQUAL_EQUAL: return S("=");
    default: return typed;
    }
}

static text_token normal_form(str sql, token t)
{
    str typed = token_text(sql, t);
    text_token n = {.body = typed, .typed = typed};
    switch (t.kind) {
    case TOKEN_KEYWORD:
    case TOKEN_WORD:
    case TOKEN_NAME:
        n.kind = TEXT_WORD;
        n.folds = true;
        break;
    case TOKEN_QUOTED_NAME:
        n.kind = TEXT_QUOTED;
        n.body = name_body(typed);
        break;
    case TOKEN_OP:
        n.kind = TEXT_SIGN;
        n.body = sign_body(typed, t);
        break;
    case TOKEN_STRING_OR_NAME: n.kind = TEXT_DOUBT; break;
    case TOKEN_STRING: n.kind = TEXT_STRING; break;
    case TOKEN_NUMBER: n.kind = TEXT_NUMBER; break;
    case TOKEN_PARAMETER: n.kind = TEXT_PARAMETER; break;
    case TOKEN_COMMENT:
    case TOKEN_ERROR: n.kind = TEXT_BROKEN; break;
    case TOKEN_END: break;
    }
    return n;
}

text_token text_next(text_reader *r)
{
    if (r->n_semicolons == 0 && r->held.len > 0) {
        token held = r->held;
        r->held = (token){0};
        return normal_form(r->lex.text, held);
    }
    if (r->n_semicolons == 0) {
        token t = lex_next_solid(&r->lex);
        while (is_semicolon(t)) {
            r->n_semicolons++;
            t = lex_next_solid(&r->lex);
        }
        if (t.kind == TOKEN_END) {
            r->n_semicolons = 0;
        }
        if (r->n_semicolons == 0) {
            return normal_form(r->lex.text, t);
        }
        r->held = t;
    }
    r->n_semicolons--;
    return (text_token){.kind = TEXT_SIGN, .body = S(";"), .typed = S(";")};
}

bool text_token_equal(text_token x, text_token y)
{
    return x.kind == y.kind
           && (x.folds ? str_equal_fold(x.body, y.body)
                       : str_equal(x.body, y.body));
}

void text_token_key(buf *b, text_token t)
{
    buf_char(b, (char)('0' + (int)t.kind));
    ptrdiff_t from = b->len;
    for (ptrdiff_t i = 0; i < t.body.len; i++) {
        buf_char(b, t.folds ? to_lower(t.body.ptr[i]) : t.body.ptr[i]);
    }
    if (t.body.len > LONG_BODY) {
        hash128 h = hash_bytes(str_skip(buf_str(b), from));
        b->len = from;
        buf_printf(b, "#%td:%016llx%016llx", t.body.len,
                   (unsigned long long)h.high, (unsigned long long)h.low);
    }
}
