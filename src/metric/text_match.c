/*
 * text_match.c - the default `string` metric: the same tokens in normal form
 * [001 string match].
 *
 * Method      Both texts are read side by side up to the first difference; no
 *             token is stored, so texts of any size cost time only.
 */
#include "base/utf8.h"
#include "metric/text.h"
#include "metric/text_token.h"

enum {
    SHOWN = 40,  // characters of a token in a detail
};

static str kind_word(text_token t)
{
    switch (t.kind) {
    case TEXT_WORD: return S("word");
    case TEXT_QUOTED: return S("quoted name");
    case TEXT_DOUBT: return S("double-quoted");
    case TEXT_STRING: return S("string");
    case TEXT_NUMBER: return S("number");
    case TEXT_PARAMETER: return S("parameter");
    case TEXT_SIGN: return S("sign");
    case TEXT_BROKEN: return S("broken");
    case TEXT_END: break;
    }
    return S("the end");
}

// Appends a token for a line of text: short, in quotes, no control characters.
// `named` puts its kind before it.
static void add_shown(buf *b, text_token t, bool named)
{
    if (named) {
        buf_add(b, kind_word(t));
    }
    if (t.kind == TEXT_END) {
        return;
    }
    buf_add(b, named ? S(" ") : S(""));
    bool has_quotes =
        t.kind == TEXT_STRING || t.kind == TEXT_DOUBT || t.kind == TEXT_QUOTED;
    str quote = has_quotes ? S("") : S("'");
    buf_add(b, quote);
    utf8_show(b, t.typed, SHOWN);
    buf_add(b, quote);
}

// "token 5: 'age' against 'name'"
static verdict differs(arena *a, int64_t n, text_token gold, text_token pred)
{
    bool named = gold.kind != pred.kind;
    buf b = buf_new(a);
    buf_printf(&b, "token %lld: ", (long long)n);
    add_shown(&b, gold, named);
    buf_add(&b, S(" against "));
    add_shown(&b, pred, named);
    return verdict_no(REASON_TEXT_DIFFERS, buf_str(&b));
}

verdict metric_string(str gold, str pred, dialect d, arena *a, arena scratch)
{
    (void)scratch;
    text_reader in_gold = text_begin(gold, d);
    text_reader in_pred = text_begin(pred, d);
    for (int64_t n = 1;; n++) {
        text_token g = text_next(&in_gold);
        text_token p = text_next(&in_pred);
        if (n == 1 && p.kind == TEXT_END) {
            return verdict_no(REASON_NO_PREDICTION, S("there is no token"));
        }
        if (!text_token_equal(g, p)) {
            return differs(a, n, g, p);
        }
        if (g.kind == TEXT_END) {
            return verdict_yes();
        }
    }
}
