/*
 * lex.c - the lexer: one switch on the kind of the first byte.
 *
 * Method      byte_kinds says how a token that begins with a byte is read;
 *             what differs between dialects is a row of lex_rules_of. The
 *             lexer remembers its last token because some bytes depend on it:
 *             `?` after an operand is an operator of PostgreSQL, `%s` is a
 *             parameter only where an operand is due.
 *
 * Invariants  (1) Every token but TOKEN_END has at least one byte.
 *             (2) Tokens follow each other; between them is white space only.
 *
 * Cost        Linear in the text for any bytes: no token is read twice.
 *
 * Not here    The tables (lex_rules.c), the ends of literals (lex_literal.c),
 *             what a token says (lex_token.c).
 */
#include "sql/lex.h"

#include "sql/lex_rules.h"

#include <assert.h>
#include <string.h>

// clang-format off
// What is not listed is a BYTE_LETTER.
static const uint8_t byte_kinds[256] = {
    [0x00] = BYTE_STRAY, [0x01] = BYTE_STRAY, [0x02] = BYTE_STRAY,
    [0x03] = BYTE_STRAY, [0x04] = BYTE_STRAY, [0x05] = BYTE_STRAY,
    [0x06] = BYTE_STRAY, [0x07] = BYTE_STRAY, [0x08] = BYTE_STRAY,
    ['\t'] = BYTE_BLANK, ['\n'] = BYTE_BLANK, ['\v'] = BYTE_BLANK,
    ['\f'] = BYTE_BLANK, ['\r'] = BYTE_BLANK, [0x0E] = BYTE_STRAY,
    [0x0F] = BYTE_STRAY, [0x10] = BYTE_STRAY, [0x11] = BYTE_STRAY,
    [0x12] = BYTE_STRAY, [0x13] = BYTE_STRAY, [0x14] = BYTE_STRAY,
    [0x15] = BYTE_STRAY, [0x16] = BYTE_STRAY, [0x17] = BYTE_STRAY,
    [0x18] = BYTE_STRAY, [0x19] = BYTE_STRAY, [0x1A] = BYTE_STRAY,
    [0x1B] = BYTE_STRAY, [0x1C] = BYTE_STRAY, [0x1D] = BYTE_STRAY,
    [0x1E] = BYTE_STRAY, [0x1F] = BYTE_STRAY, [' '] = BYTE_BLANK,
    ['!'] = BYTE_SIGN, ['"'] = BYTE_DOUBLE_QUOTE, ['#'] = BYTE_HASH,
    ['$'] = BYTE_DOLLAR, ['%'] = BYTE_PERCENT, ['&'] = BYTE_SIGN,
    ['\''] = BYTE_QUOTE, ['('] = BYTE_SIGN, [')'] = BYTE_SIGN,
    ['*'] = BYTE_SIGN, ['+'] = BYTE_SIGN, [','] = BYTE_SIGN,
    ['-'] = BYTE_DASH, ['.'] = BYTE_POINT, ['/'] = BYTE_SLASH,
    ['0'] = BYTE_DIGIT, ['1'] = BYTE_DIGIT, ['2'] = BYTE_DIGIT,
    ['3'] = BYTE_DIGIT, ['4'] = BYTE_DIGIT, ['5'] = BYTE_DIGIT,
    ['6'] = BYTE_DIGIT, ['7'] = BYTE_DIGIT, ['8'] = BYTE_DIGIT,
    ['9'] = BYTE_DIGIT, [':'] = BYTE_COLON, [';'] = BYTE_SIGN,
    ['<'] = BYTE_SIGN, ['='] = BYTE_SIGN, ['>'] = BYTE_SIGN,
    ['?'] = BYTE_MARK, ['@'] = BYTE_AT, ['['] = BYTE_BRACKET,
    ['\\'] = BYTE_STRAY, [']'] = BYTE_SIGN, ['^'] = BYTE_SIGN,
    ['`'] = BYTE_BACK_QUOTE, ['{'] = BYTE_SIGN, ['|'] = BYTE_SIGN,
    ['}'] = BYTE_SIGN, ['~'] = BYTE_SIGN, [0x7F] = BYTE_STRAY,
};
// clang-format on

static int byte_kind_at(str s, ptrdiff_t at)
{
    return at < s.len ? byte_kinds[(unsigned char)s.ptr[at]] : BYTE_STRAY;
}

static bool is_word_byte(str s, ptrdiff_t at)
{
    return byte_kind_at(s, at) <= BYTE_DIGIT;
}

static ptrdiff_t word_end(const lexer *l, ptrdiff_t at)
{
    const unsigned bytes = l->rules->word_bytes;
    const char *p = l->text.ptr + at;
    const char *const end = l->text.ptr + l->text.len;
    while (p < end && (bytes >> byte_kinds[(unsigned char)*p] & 1)) {
        p++;
    }
    return p - l->text.ptr;
}

static token token_of(token_kind kind, int id, ptrdiff_t at, ptrdiff_t end)
{
    assert(at >= 0 && at <= end && end <= LEX_MAX_BYTES);
    return (token){kind, id, (int32_t)at, (int32_t)(end - at)};
}

// A token that ends at `end`, or, when that is -1, an error to the end of the
// text.
static token closed_or(const lexer *l, token t, ptrdiff_t end, lex_error error)
{
    assert(end < 0 || (end > t.pos && end <= l->text.len));
    if (end < 0) {
        return token_of(TOKEN_ERROR, (int)error, t.pos, l->text.len);
    }
    t.len = (int32_t)(end - t.pos);
    return t;
}

static token scan_sign(const lexer *l, ptrdiff_t at)
{
    op o = op_find(l->text, at, l->dialect);
    if (o == OP_NONE) {
        return token_of(TOKEN_ERROR, LEX_STRAY_BYTE, at, at + 1);
    }
    return token_of(TOKEN_OP, (int)o, at, at + op_text(o).len);
}

// A string whose opening quote is at `open`; its prefix begins at `at`.
static token scan_string(const lexer *l,
                         ptrdiff_t at,
                         ptrdiff_t open,
                         string_form form,
                         escape e)
{
    assert(at <= open && open < l->text.len);
    str s = l->text;
    char quote = s.ptr[open];
    token t = token_of(TOKEN_STRING, (int)form, at, at);
    bool triple = l->rules->has_triple_quotes && open + 2 < s.len
                  && s.ptr[open + 1] == quote && s.ptr[open + 2] == quote;
    ptrdiff_t end = triple ? literal_end_triple(s, open + 3, quote)
                           : literal_end_quote(s, open + 1, quote, e);
    return closed_or(l, t, end, LEX_UNCLOSED_STRING);
}

static token scan_quoted(const lexer *l, ptrdiff_t at, char close, escape e)
{
    token t = token_of(TOKEN_QUOTED_NAME, 0, at, at);
    ptrdiff_t end = literal_end_quote(l->text, at + 1, close, e);
    return closed_or(l, t, end, LEX_UNCLOSED_NAME);
}

static token scan_double_quote(const lexer *l, ptrdiff_t at)
{
    if (l->rules->double_quote == TOKEN_STRING) {
        return scan_string(l, at, at, STRING_PLAIN, l->rules->single_quote);
    }
    token t = scan_quoted(l, at, '"', ESCAPE_DOUBLING);
    if (t.kind == TOKEN_QUOTED_NAME) {
        t.kind = l->rules->double_quote;
    }
    return t;
}

// The string or name whose prefix `p` begins at `at`.
static token scan_prefixed(const lexer *l, ptrdiff_t at, const prefix_rule *p)
{
    ptrdiff_t open = at + p->text.len;
    token t = scan_string(l, at, open, p->form, p->escape);
    bool is_name = p->form == STRING_UNICODE && l->text.ptr[open] == '"';
    if (is_name && t.kind == TOKEN_STRING) {
        t.kind = TOKEN_QUOTED_NAME;
        t.id = 0;
    }
    return t;
}

// Whether letters before `c` may be the prefix of a string; `&` is U&'...'.
static bool opens_string(char c)
{
    return c == '\'' || c == '"' || c == '&';
}

static token scan_word(const lexer *l, ptrdiff_t at)
{
    ptrdiff_t end = word_end(l, at);
    if (end - at <= 2 && end < l->text.len && opens_string(l->text.ptr[end])) {
        const prefix_rule *p = prefix_find(str_skip(l->text, at), l->dialect);
        if (p) {
            return scan_prefixed(l, at, p);
        }
    }
    keyword k = keyword_find(l->text.ptr + at, end - at);
    token_kind kind = k == KEYWORD_NONE                    ? TOKEN_NAME
                      : keyword_is_reserved(k, l->dialect) ? TOKEN_KEYWORD
                                                           : TOKEN_WORD;
    return token_of(kind, (int)k, at, end);
}

static token scan_number(const lexer *l, ptrdiff_t at)
{
    assert(at < l->text.len);
    ptrdiff_t end = literal_end_number(l->text, at, l->rules);
    junk j = is_word_byte(l->text, end) ? l->rules->junk : JUNK_SPLIT;
    bool has_point = memchr(l->text.ptr + at, '.', (size_t)(end - at));
    if (j == JUNK_SPLIT || (j == JUNK_NAME && has_point)) {
        return token_of(TOKEN_NUMBER, 0, at, end);
    }
    end = word_end(l, end);
    return j == JUNK_NAME ? token_of(TOKEN_NAME, 0, at, end)
                          : token_of(TOKEN_ERROR, LEX_BAD_NUMBER, at, end);
}

// A point begins a number only where nothing stands directly before it: the
// second part of t.1 is no fraction.
static token scan_point(const lexer *l, ptrdiff_t at)
{
    bool glued = l->last.pos + l->last.len == at && token_ends_operand(l->last);
    if (!glued && byte_kind_at(l->text, at + 1) == BYTE_DIGIT) {
        return scan_number(l, at);
    }
    return scan_sign(l, at);
}

static token scan_line_comment(const lexer *l, ptrdiff_t at)
{
    const char *from = l->text.ptr + at;
    const char *hit = memchr(from, '\n', (size_t)(l->text.len - at));
    ptrdiff_t end = hit ? hit - l->text.ptr : l->text.len;
    if (l->rules->cr_ends_comments) {
        hit = memchr(from, '\r', (size_t)(end - at));
        end = hit ? hit - l->text.ptr : end;
    }
    return token_of(TOKEN_COMMENT, 0, at, end);
}

static token scan_dash(const lexer *l, ptrdiff_t at)
{
    if (byte_kind_at(l->text, at + 1) != BYTE_DASH) {
        return scan_sign(l, at);
    }
    // MySQL: a blank, a control character or the end.
    bool blank =
        at + 2 >= l->text.len || (unsigned char)l->text.ptr[at + 2] <= ' ';
    if (l->rules->dashes_need_blank && !blank) {
        return token_of(TOKEN_OP, OP_MINUS, at, at + 1);
    }
    return scan_line_comment(l, at);
}

static token scan_slash(const lexer *l, ptrdiff_t at)
{
    char next = at + 1 < l->text.len ? l->text.ptr[at + 1] : '\0';
    if (next == '/' && l->rules->has_slash_comments) {
        return scan_line_comment(l, at);
    }
    if (next != '*') {
        return scan_sign(l, at);
    }
    token t = token_of(TOKEN_COMMENT, 0, at, l->text.len);
    ptrdiff_t end =
        literal_end_comment(l->text, at + 2, l->rules->nests_comments);
    if (end < 0 && l->rules->allows_open_comment) {
        return t;
    }
    return closed_or(l, t, end, LEX_UNCLOSED_COMMENT);
}

// The word after a `:`, `@`, `$` or `?` at `at` makes a parameter of it.
static token scan_parameter(const lexer *l, ptrdiff_t at)
{
    return token_of(TOKEN_PARAMETER, 0, at, word_end(l, at + 1));
}

static token scan_colon(const lexer *l, ptrdiff_t at)
{
    bool glued = l->last.pos + l->last.len == at && token_ends_operand(l->last);
    int next = byte_kind_at(l->text, at + 1);
    bool named =
        next == BYTE_LETTER
        || (next == BYTE_DIGIT && !dialect_follows_postgres(l->dialect));
    return named && !glued ? scan_parameter(l, at) : scan_sign(l, at);
}

static token scan_mark(const lexer *l, ptrdiff_t at)
{
    if (l->rules->at_is_sign && token_ends_operand(l->last)) {
        return scan_sign(l, at);
    }
    ptrdiff_t end = at + 1;
    while (byte_kind_at(l->text, end) == BYTE_DIGIT) {
        end++;
    }
    return token_of(TOKEN_PARAMETER, 0, at, end);
}

static token scan_dollar(const lexer *l, ptrdiff_t at)
{
    const lex_rules *rules = l->rules;
    if (rules->has_dollar_quotes) {
        ptrdiff_t end = literal_end_dollar(l->text, at, rules->has_dollar_tags);
        if (end != 0) {
            token t = token_of(TOKEN_STRING, STRING_DOLLAR, at, at);
            return closed_or(l, t, end, LEX_UNCLOSED_STRING);
        }
    }
    int next = byte_kind_at(l->text, at + 1);
    if (rules->has_money && next == BYTE_DIGIT) {
        ptrdiff_t end = literal_end_number(l->text, at + 1, rules);
        return token_of(TOKEN_NUMBER, 0, at, end);
    }
    bool letter = next == BYTE_LETTER && rules->has_dollar_tags;
    if (rules->has_dollar_names || letter) {
        return token_of(TOKEN_NAME, 0, at, word_end(l, at));
    }
    return next <= BYTE_DIGIT ? scan_parameter(l, at) : scan_sign(l, at);
}

static token scan_at(const lexer *l, ptrdiff_t at)
{
    if (l->rules->at_is_sign) {
        return scan_sign(l, at);
    }
    ptrdiff_t name = at + 1;
    if (byte_kind_at(l->text, name) == BYTE_AT) {
        name++;
    }
    switch (byte_kind_at(l->text, name)) {
    case BYTE_LETTER:
    case BYTE_DIGIT: return token_of(TOKEN_PARAMETER, 0, at, word_end(l, name));
    default: return scan_sign(l, at);
    }
}

static token scan_hash(const lexer *l, ptrdiff_t at)
{
    if (l->rules->has_hash_comments) {
        return scan_line_comment(l, at);
    }
    if (l->rules->has_hash_names && word_end(l, at) > at + 1) {
        return token_of(TOKEN_NAME, 0, at, word_end(l, at));
    }
    return scan_sign(l, at);
}

// %s and %(name)s stand for values in the texts of Python programs.
static token scan_percent(const lexer *l, ptrdiff_t at)
{
    if (token_ends_operand(l->last)) {
        return scan_sign(l, at);
    }
    ptrdiff_t end = at + 1;
    if (end < l->text.len && l->text.ptr[end] == '(') {
        end = word_end(l, end + 1);
        bool closed = end < l->text.len && l->text.ptr[end] == ')';
        end = closed ? end + 1 : l->text.len;
    }
    if (end < l->text.len && l->text.ptr[end] == 's'
        && !is_word_byte(l->text, end + 1)) {
        return token_of(TOKEN_PARAMETER, 0, at, end + 1);
    }
    return scan_sign(l, at);
}

static token scan_bracket(const lexer *l, ptrdiff_t at)
{
    if (l->rules->has_brackets) {
        return scan_quoted(l, at, ']', l->rules->bracket);
    }
    return scan_sign(l, at);
}

// PostgreSQL: a string goes on where only blanks and `--` comments with a line
// end among them stand between two quotes, and backslashes go on to escape.
static bool goes_on(const lexer *l, ptrdiff_t at)
{
    str s = l->text;
    ptrdiff_t i = (ptrdiff_t)l->last.pos + l->last.len;
    bool has_line_end = false;
    while (i < at) {
        if (s.ptr[i] == '-') {
            token comment = scan_line_comment(l, i);
            i = (ptrdiff_t)comment.pos + comment.len;
        } else if (byte_kind_at(s, i) != BYTE_BLANK) {
            return false;  // a comment of the other kind
        } else {
            has_line_end |= s.ptr[i] == '\n' || s.ptr[i] == '\r';
            i++;
        }
    }
    return has_line_end;
}

static token scan_quote(const lexer *l, ptrdiff_t at)
{
    bool is_escape = l->last.kind == TOKEN_STRING && l->last.id == STRING_ESCAPE
                     && goes_on(l, at);
    return is_escape
               ? scan_string(l, at, at, STRING_ESCAPE, ESCAPE_BOTH)
               : scan_string(l, at, at, STRING_PLAIN, l->rules->single_quote);
}

static token scan(const lexer *l, ptrdiff_t at)
{
    assert(at < l->text.len);
    switch (byte_kind_at(l->text, at)) {
    case BYTE_LETTER: return scan_word(l, at);
    case BYTE_SIGN: return scan_sign(l, at);
    case BYTE_DIGIT: return scan_number(l, at);
    case BYTE_POINT: return scan_point(l, at);
    case BYTE_QUOTE: return scan_quote(l, at);
    case BYTE_DOUBLE_QUOTE: return scan_double_quote(l, at);
    case BYTE_BACK_QUOTE: return scan_quoted(l, at, '`', l->rules->back_quote);
    case BYTE_BRACKET: return scan_bracket(l, at);
    case BYTE_DASH: return scan_dash(l, at);
    case BYTE_SLASH: return scan_slash(l, at);
    case BYTE_COLON: return scan_colon(l, at);
    case BYTE_MARK: return scan_mark(l, at);
    case BYTE_DOLLAR: return scan_dollar(l, at);
    case BYTE_AT: return scan_at(l, at);
    case BYTE_HASH: return scan_hash(l, at);
    case BYTE_PERCENT: return scan_percent(l, at);
    default: return token_of(TOKEN_ERROR, LEX_STRAY_BYTE, at, at + 1);
    }
}

// White space, and the byte order mark that some editors leave in a text.
static ptrdiff_t skip_blanks(const lexer *l)
{
    ptrdiff_t at = l->at;
    for (;;) {
        while (byte_kind_at(l->text, at) == BYTE_BLANK) {
            at++;
        }
        if (l->text.len - at < 3
            || memcmp(l->text.ptr + at, "\xEF\xBB\xBF", 3) != 0) {
            return at;
        }
        at += 3;
    }
}

lexer lex_begin(str text, dialect d)
{
    assert(d < DIALECT_COUNT);
    return (lexer){.text = str_sub(text, 0, LEX_MAX_BYTES),
                   .dialect = d,
                   .rules = &lex_rules_of[d]};
}

token lex_next(lexer *l)
{
    ptrdiff_t at = skip_blanks(l);
    token t = at < l->text.len ? scan(l, at) : token_of(TOKEN_END, 0, at, at);
    assert(t.len > 0 || t.kind == TOKEN_END);             // invariant 1
    assert(t.pos == at && t.pos + t.len <= l->text.len);  // invariant 2
    l->at = t.pos + t.len;
    if (t.kind != TOKEN_COMMENT) {
        l->last = t;
    }
    return t;
}

token lex_next_solid(lexer *l)
{
    token t = lex_next(l);
    while (t.kind == TOKEN_COMMENT) {
        t = lex_next(l);
    }
    return t;
}

token_list lex_all(arena *a, str text, dialect d, lex_comments comments)
{
    token_list all = {0};
    lexer l = lex_begin(text, d);
    token t;
    do {
        t = comments == LEX_KEEP_COMMENTS ? lex_next(&l) : lex_next_solid(&l);
        *vec_push(a, &all) = t;
    } while (t.kind != TOKEN_END);
    return all;
}
