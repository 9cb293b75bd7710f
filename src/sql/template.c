/*
 * template.c - the variants of all golds of a case; see template.h.
 *
 * Method      A gold is read statement by statement into pieces of text and
 *             groups (template_read.c), the number of variants is known and
 *             checked before one is built (template_build.c), and at the end
 *             variants with the same tokens are kept once.
 *
 * Invariants  (1) The number of variants never passes the limit, nor do their
 *                 bytes pass TEMPLATE_MAX_BYTES for a statement: a hostile
 *                 gold costs a message.
 *             (2) Expanding a variant again gives the variant.
 *
 * Cost        Linear in the golds and in the variants.
 *
 * Not here    What Defog's program does instead (template_reference.c).
 */
#include "sql/template.h"

#include "base/buf.h"
#include "base/map.h"
#include "sql/lex.h"
#include "sql/template_parts.h"

#include <assert.h>

// The tokens of `sql`, one blank between two, keywords in upper case: equal
// for texts that differ in blanks, comments and the case of keywords.
static str canonical(buf *b, str sql, dialect d)
{
    b->len = 0;
    lexer l = lex_begin(sql, d);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        bool is_keyword = t.kind == TOKEN_KEYWORD;
        buf_add(b,
                is_keyword ? keyword_text((keyword)t.id) : token_text(sql, t));
        buf_char(b, ' ');
    }
    return buf_str(b);
}

static void keep_once(str_list *all, dialect d, arena scratch)
{
    buf text = buf_new(&scratch);
    map seen = {0};
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < all->len; i++) {
        ptrdiff_t known = map_count(&seen);
        str key = canonical(&text, all->ptr[i], d);
        if (map_add(&seen, &scratch, key) == known) {
            all->ptr[kept++] = all->ptr[i];
        }
    }
    all->len = kept;
}

static bool expand_gold(str_list *out,
                        arena *a,
                        str gold,
                        template_options options,
                        diag *d,
                        arena scratch)
{
    template_reader r = {.gold = gold,
                         .lex = lex_begin(gold, options.dialect),
                         .options = options,
                         .d = d,
                         .a = &scratch};
    if (options.as_reference) {
        return template_reference(out, a, &r, scratch);
    }
    const arena begin = scratch;
    for (bool is_last = false; !is_last;) {
        scratch = begin;
        template_statement s = {0};
        if (!template_read(&r, &s, &is_last)) {
            return false;
        }
        if (s.has_token && !template_build(out, a, &r, &s, scratch)) {
            return false;
        }
    }
    return true;
}

bool template_too_many(diag *d, str gold, ptrdiff_t pos, ptrdiff_t max)
{
    return diag_add(d, diag_locate(S("gold"), gold, pos),
                    "more than %td variants", max);
}

bool template_too_big(diag *d, str gold, ptrdiff_t pos)
{
    return diag_add(d, diag_locate(S("gold"), gold, pos),
                    "the variants would take more than %d MiB",
                    TEMPLATE_MAX_BYTES >> 20);
}

// NOLINTNEXTLINE(readability-function-size): the contract has seven parameters
bool template_expand(template_variants *out,
                     arena *a,
                     const str *golds,
                     ptrdiff_t n_golds,
                     template_options options,
                     diag *d,
                     arena scratch)
{
    assert(n_golds == 0 || golds);
    assert(options.dialect < DIALECT_COUNT);
    *out = (template_variants){0};
    if (options.max <= 0) {
        options.max = TEMPLATE_DEFAULT_MAX;
    }
    str_list all = {0};
    for (ptrdiff_t i = 0; i < n_golds; i++) {
        if (golds[i].len >= LEX_MAX_BYTES) {
            return diag_add(d, (diag_place){.file = S("gold")},
                            "the gold is longer than 2 GiB");
        }
        if (!expand_gold(&all, a, golds[i], options, d, scratch)) {
            return false;
        }
    }
    if (all.len == 0) {
        return diag_add(d, (diag_place){.file = S("gold")},
                        "there is no query in the gold");
    }
    if (all.len > 1) {
        keep_once(&all, options.dialect, scratch);
    }
    *out = (template_variants){all.ptr, all.len};
    return true;
}

template_variants template_queries(arena *a,
                                   const str *golds,
                                   ptrdiff_t n_golds,
                                   template_options options,
                                   arena scratch)
{
    template_variants all;
    diag ignored = diag_new(&scratch);
    template_expand(&all, a, golds, n_golds, options, &ignored, scratch);
    return all;
}
