/*
 * reply_word.c - the tokenizer of answers; the known words are
 * reply_word.def's.
 *
 * Method      One pass. A word is a run of letters, digits and bytes beyond
 *             ASCII, with apostrophes inside ("isn't"); typographic marks
 *             (U+2000 to U+203F) separate words like ASCII punctuation, but the
 *             curly apostrophe counts as a plain one. Emphasis and quotes are
 *             dropped, other punctuation is a token of its own. The class of a
 *             word comes from the table; a word that ends in "n't" is a
 *             negation.
 *
 * Invariants  (1) The last token is always WORD_END, so that readers of the
 *                 list need no check of bounds for one token of look-ahead.
 *             (2) Each token's text is a slice of the answer, in its order.
 *
 * Cost        linear in the text times the table, about a hundred words.
 */
#include "model/reply_word.h"

#include <assert.h>

static const struct {
    str text;
    word_class class;
} known_words[] = {
#define WORD(text, class) {S_INIT(text), WORD_##class},
#include "model/reply_word.def"
#undef WORD
};

// The curly apostrophe, and what typographic quotation marks begin with.
static const char CURLY_APOSTROPHE[] = "\xE2\x80\x99";
static const char CURLY[] = "\xE2\x80";

static bool is_word_byte(char c)
{
    // Other scripts: all their bytes.
    return is_alpha(c) || is_digit(c) || (unsigned char)c >= 0x80;
}

// Is `word` this one, whose letters are lower-case, apostrophes made plain?
static bool equals(str word, str lower)
{
    ptrdiff_t k = 0;
    for (ptrdiff_t i = 0; i < word.len; i++) {
        char c = to_lower(word.ptr[i]);
        if (str_starts(str_skip(word, i), str_from(CURLY_APOSTROPHE))) {
            c = '\'';
            i += 2;
        }
        if (k == lower.len || lower.ptr[k++] != c) {
            return false;
        }
    }
    return k == lower.len;
}

bool reply_word_is(const reply_word *w, const char *words)
{
    for (str rest = str_from(words); rest.ptr;) {
        if (equals(w->text, str_cut(&rest, ' '))) {
            return true;
        }
    }
    return false;
}

static word_class class_of(str word)
{
    for (ptrdiff_t i = 0; i < countof(known_words); i++) {
        if (equals(word, known_words[i].text)) {
            return known_words[i].class;
        }
    }
    bool is_negated = str_ends_fold(word, S("n't"))
                      || str_ends_fold(word, S("n\xE2\x80\x99t"));
    return is_negated ? WORD_NOT : WORD_OTHER;
}

// The bytes of a typographic mark at `i` that is no part of a word: quotation
// marks, dashes, bullets (U+2000 to U+203F). 0: none.
static ptrdiff_t curly_size(str s, ptrdiff_t i)
{
    return str_starts(str_skip(s, i), str_from(CURLY)) && i + 2 < s.len ? 3 : 0;
}

// The apostrophe at `i` stands between two letters: "isn't".
static ptrdiff_t apostrophe_size(str s, ptrdiff_t i)
{
    ptrdiff_t size = s.ptr[i] == '\'' ? 1 : 0;
    if (str_starts(str_skip(s, i), str_from(CURLY_APOSTROPHE))) {
        size = 3;
    }
    bool is_inside = size > 0 && i > 0 && is_alpha(s.ptr[i - 1])
                     && i + size < s.len && is_alpha(s.ptr[i + size]);
    return is_inside ? size : 0;
}

static ptrdiff_t word_end(str s, ptrdiff_t i)
{
    while (i < s.len) {
        ptrdiff_t apostrophe = apostrophe_size(s, i);
        if (apostrophe > 0) {
            i += apostrophe;
        } else if (is_word_byte(s.ptr[i]) && curly_size(s, i) == 0) {
            i++;
        } else {
            return i;
        }
    }
    return i;
}

static bool ends_sentence(str s, ptrdiff_t i)
{
    char c = s.ptr[i];
    if (c == '\n' || c == '\r') {
        return true;
    }
    if (c != '.' && c != '!' && c != '?') {
        return false;
    }
    // Quotes and emphasis may close after it: `**equivalent.** So ...`
    ptrdiff_t next = i + 1;
    while (next < s.len
           && str_find(S("*_`\"')"), str_sub(s, next, next + 1), 0) >= 0) {
        next++;
    }
    return next >= s.len || is_space(s.ptr[next]);
}

static void push(reply_words *words, arena *a, word_class class, str text)
{
    *vec_push(a, words) = (reply_word){.class = class, .text = text};
}

reply_words reply_words_of(arena *a, str text)
{
    reply_words words = {0};
    ptrdiff_t i = 0;
    while (i < text.len) {
        ptrdiff_t end = word_end(text, i);
        ptrdiff_t size = curly_size(text, i);
        if (end > i) {
            str word = str_sub(text, i, end);
            push(&words, a, class_of(word), word);
            i = end;
        } else if (size > 0) {
            i += size;
        } else if (ends_sentence(text, i)) {
            push(&words, a, WORD_END, str_sub(text, i, i + 1));
            i++;
        } else {
            str mark = str_sub(text, i, i + 1);
            if (!is_space(mark.ptr[0])
                && str_find(S("*_`\"'#~\\"), mark, 0) < 0) {
                push(&words, a, WORD_MARK, mark);
            }
            i++;
        }
    }
    push(&words, a, WORD_END, str_sub(text, text.len, text.len));
    assert(words.ptr[words.len - 1].class == WORD_END);  // invariant 1
    return words;
}
