/*
 * asked_words.c - see asked_words.h: lists of words, and where they stand.
 *
 * Method      One pass cuts a text into words by the class of their first
 *             character; a list of a few dozen words is then searched from one
 *             end to the other for runs of words, because a question is short.
 */
#include "intent/asked_words.h"

enum {
    BOUND_NEAR = 4,  // words before a value that bound it
};

static bool is_sign(char c)
{
    return c == '<' || c == '>' || c == '=' || c == '!';
}

static int class_of(char c)
{
    return is_digit(c)                               ? 1
           : is_alpha(c) || (unsigned char)c >= 0x80 ? 2
           : is_sign(c)                              ? 3
                                                     : 0;
}

// 10,000: the comma between digits, three of which follow.
static bool is_thousand(str text, ptrdiff_t i)
{
    bool found = i > 0 && i + 3 < text.len && text.ptr[i] == ','
                 && is_digit(text.ptr[i - 1]);
    for (ptrdiff_t k = 1; found && k <= 3; k++) {
        found = is_digit(text.ptr[i + k]);
    }
    return found;
}

// The word at *at, and *at after it. "> =" is one sign.
static str take_word(arena *a, str text, ptrdiff_t *at, int kind)
{
    char *out = arena_new(a, char, text.len - *at);
    ptrdiff_t n = 0;
    for (; *at < text.len; (*at)++) {
        char c = text.ptr[*at];
        bool is_gap =
            kind == 3 ? c == ' ' : kind == 1 && is_thousand(text, *at);
        if (is_gap) {
            continue;
        }
        if (class_of(c) != kind) {
            break;
        }
        out[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    str word = {out, n};
    while (kind == 1 && word.len > 1 && word.ptr[0] == '0') {
        word = str_skip(word, 1);
    }
    return word;
}

str_list asked_words_of(arena *a, str text)
{
    str_list all = {0};
    ptrdiff_t at = 0;
    while (at < text.len) {
        int kind = class_of(text.ptr[at]);
        if (kind == 0) {
            at++;
            continue;
        }
        str word = take_word(a, text, &at, kind);
        *vec_push(a, &all) = word;
    }
    return all;
}

ptrdiff_t asked_words_find(const str_list *in,
                           const str_list *part,
                           ptrdiff_t from)
{
    for (ptrdiff_t i = from; part->len > 0 && i + part->len <= in->len; i++) {
        ptrdiff_t k = 0;
        while (k < part->len && str_equal(in->ptr[i + k], part->ptr[k])) {
            k++;
        }
        if (k == part->len) {
            return i;
        }
    }
    return -1;
}

static bool is_word(const str_list *in, ptrdiff_t i, const char *words)
{
    return i >= 0 && i < in->len && str_among(in->ptr[i], words);
}

bool asked_words_have(const str_list *in, const char *words)
{
    ptrdiff_t i = 0;
    while (i < in->len && !is_word(in, i, words)) {
        i++;
    }
    return i < in->len;
}

ptrdiff_t asked_words_counted(const str_list *in)
{
    for (ptrdiff_t i = 0; i + 1 < in->len; i++) {
        bool is_many = is_word(in, i, "how") && is_word(in, i + 1, "many");
        bool is_number =
            is_word(in, i, "number count") && is_word(in, i + 1, "of");
        if (is_many || is_number) {
            return i + 2;
        }
    }
    return -1;
}

bool asked_words_rank_quantity(const str_list *in)
{
    return asked_words_have(in,
                            "highest lowest most least largest biggest fewest "
                            "smallest greatest maximum minimum");
}

// What the word at i, before a value, says of a bound: "older than", "no more
// than", "at least", "after". From which side is the comparison's matter.
static asked_bound bound_by(const str_list *in, ptrdiff_t i)
{
    bool is_than = is_word(in, i, "than");
    ptrdiff_t at = is_than ? i - 1 : i;
    bool denied = is_word(in, at - 1, "no not");
    bool is_most = is_word(in, i, "most least") && is_word(in, i - 1, "at");
    bool is_inclusive =
        is_word(in, i, "<= >=") || (is_than && denied) || is_most;
    bool is_strict =
        is_than
        || is_word(in, i,
                   "after over above exceeds exceed exceeding > before under "
                   "below <");
    return is_inclusive           ? BOUND_INCLUSIVE
           : is_strict && !denied ? BOUND_STRICT
                                  : BOUND_OPEN;
}

asked_bound asked_words_bound(const str_list *in, const str_list *value)
{
    asked_bound found = BOUND_OPEN;
    ptrdiff_t at = asked_words_find(in, value, 0);
    for (; at >= 0; at = asked_words_find(in, value, at + 1)) {
        asked_bound one = bound_by(in, at - 1);
        if (one != BOUND_OPEN && found != BOUND_OPEN && one != found) {
            return BOUND_OPEN;
        }
        found = one != BOUND_OPEN ? one : found;
    }
    return found;
}

bool asked_words_each(const str_list *in)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < in->len && !found; i++) {
        found = is_word(in, i, "each per every")
                || (is_word(in, i, "by") && i + 1 < in->len
                    && !is_word(in, i + 1, "the a an"));
    }
    return found;
}
