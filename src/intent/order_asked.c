/*
 * order_asked.c - see order_asked.h; the phrases are those of
 * definitions/comparison.md#order, the categories Defog's [000 categories].
 *
 * Method      The question is read word by word. One word may be enough
 *             (ORDER_WORDS). A superlative asks for an order when "from" or
 *             "starting" stands shortly before it ("starting with the oldest")
 *             or "to" or "first" shortly after it ("highest to lowest").
 */
#include "intent/order_asked.h"

#include "intent/language.h"

enum {
    NEAR = 3,  // words that count as "shortly"
};

static const char ORDER_WORDS[] =
    "order ordered sort sorted arrange arranged ascending descending "
    "alphabetical alphabetically chronological chronologically";

static const char SUPERLATIVES[] =
    "highest lowest most least oldest youngest newest largest smallest longest "
    "shortest best worst earliest latest";

static bool is_word_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

// Cuts the next word off *rest; empty when there is none.
static str next_word(str *rest)
{
    ptrdiff_t from = 0;
    while (from < rest->len && !is_word_byte(rest->ptr[from])) {
        from++;
    }
    ptrdiff_t to = str_run(*rest, from, is_word_byte);
    str word = str_sub(*rest, from, to);
    *rest = str_skip(*rest, to);
    return word;
}

static bool question_asks(str question)
{
    ptrdiff_t start = -NEAR - 1;        // of the last "from" or "starting"
    ptrdiff_t superlative = -NEAR - 1;  // of the last one
    str rest = question;
    str word = next_word(&rest);
    for (ptrdiff_t i = 0; word.len > 0; i++, word = next_word(&rest)) {
        if (str_among_fold(word, ORDER_WORDS)
            || str_starts_fold(word, S("rank"))) {
            return true;
        }
        if (str_among_fold(word, SUPERLATIVES)) {
            if (i - start <= NEAR) {
                return true;
            }
            superlative = i;
        } else if (str_among_fold(word, "to first")) {
            if (i - superlative <= NEAR) {
                return true;
            }
        } else if (str_among_fold(word, "from starting")) {
            start = i;
        }
    }
    return false;
}

order_said order_asked(str question, str category, arena scratch)
{
    bool is_known = language_is_known(question, scratch);
    if (str_equal(category, S("order_by"))
        || (is_known && question_asks(question))) {
        return ORDER_SAID;
    }
    return question.len > 0   ? (is_known ? ORDER_NOT_SAID : ORDER_NOT_KNOWN)
           : category.len > 0 ? ORDER_NOT_SAID
                              : ORDER_NOT_KNOWN;
}
