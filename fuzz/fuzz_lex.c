/*
 * fuzz_lex.c - tokens follow each other through any text with nothing but
 * white space between them, and a token alone is the same token.
 */
#include "fuzz.h"
#include "sql/lex.h"

#include <string.h>

static bool is_blank_at(str s, ptrdiff_t at, ptrdiff_t *next)
{
    bool mark = s.len - at >= 3 && memcmp(s.ptr + at, "\xEF\xBB\xBF", 3) == 0;
    *next = at + (mark ? 3 : 1);
    return mark || is_space(s.ptr[at]);
}

static void check_gap(str sql, ptrdiff_t from, ptrdiff_t to)
{
    while (from < to) {
        fuzz_must(is_blank_at(sql, from, &from));
    }
    fuzz_must(from == to);
}

static bool stands_alone(token_kind kind)
{
    return kind == TOKEN_KEYWORD || kind == TOKEN_WORD || kind == TOKEN_NAME
           || kind == TOKEN_QUOTED_NAME || kind == TOKEN_STRING
           || kind == TOKEN_STRING_OR_NAME || kind == TOKEN_NUMBER
           || kind == TOKEN_COMMENT;
}

static void check_token(str sql, token t, dialect d, arena *a)
{
    str text = token_text(sql, t);
    fuzz_must(text.len == t.len && t.len > 0);
    fuzz_must(token_content(a, sql, t, d).len <= t.len);
    fuzz_must(token_kind_word(t.kind).len > 0);
    if (t.kind == TOKEN_KEYWORD || t.kind == TOKEN_WORD) {
        fuzz_must(str_equal_fold(text, keyword_text((keyword)t.id)));
        fuzz_must(keyword_is_reserved((keyword)t.id, d)
                  == (t.kind == TOKEN_KEYWORD));
    }
    if (t.kind == TOKEN_OP) {
        fuzz_must(str_equal(text, op_text((op)t.id)));
    }
    if (stands_alone(t.kind)) {
        lexer alone = lex_begin(text, d);
        token again = lex_next(&alone);
        fuzz_must(again.kind == t.kind && again.id == t.id);
        fuzz_must(again.pos == 0 && again.len == t.len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    str sql = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    token_list all = lex_all(&a, sql, d, LEX_KEEP_COMMENTS);
    lexer l = lex_begin(sql, d);
    ptrdiff_t end = 0;
    for (ptrdiff_t i = 0; i < all.len; i++) {
        token t = lex_next(&l);
        fuzz_must(memcmp(&t, &all.ptr[i], sizeof t) == 0);
        check_gap(sql, end, t.pos);
        end = (ptrdiff_t)t.pos + t.len;
        fuzz_must((t.kind == TOKEN_END) == (i == all.len - 1));
        if (t.kind != TOKEN_END) {
            check_token(sql, t, d, &a);
        }
    }
    fuzz_must(end == sql.len);
    fuzz_must(lex_next(&l).kind == TOKEN_END);
    return 0;
}
