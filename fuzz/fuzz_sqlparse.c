/*
 * fuzz_sqlparse.c - the tokens of a text, side by side, are the text; its first
 * statement is its beginning.
 */
#include "evaluators/family.h"
#include "evaluators/sqlparse_lex.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    sqlparse_lexer l = sqlparse_lex(text);
    sqlparse_token t;
    const char *end = text.ptr;
    while (sqlparse_next(&l, &t)) {
        fuzz_must(t.text.len > 0 && t.text.ptr == end);
        fuzz_must((int)t.class < SQLPARSE_CLASS_COUNT);
        end += t.text.len;
    }
    fuzz_must(end == text.ptr + text.len);
    str first = sqlparse_first_statement(text);
    fuzz_must(first.len == 0
              || (first.ptr >= text.ptr
                  && first.ptr + first.len <= text.ptr + text.len));
    family_spider.gold(&a, text, (family_options){0});
    family_spider.pred(&a, text, (family_options){.keeps_distinct = true});
    return 0;
}
