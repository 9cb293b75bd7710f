/*
 * sqlparse_word.c - see sqlparse_word.h; the words are sqlparse_keyword.def's.
 *
 * Case is ASCII's: no word of the tables has another letter.
 */
#include "evaluators/sqlparse_word.h"

#include "base/order.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_WORD = 32
};

bool sqlparse_is_letter(int32_t c)
{
    if (c < 0x80) {
        return c >= 0 && is_alpha((char)c);
    }
    return (c >= 0xC0 && c <= 0xDC) || (c >= 0xE0 && c <= 0xFC && c != 0xF7)
           || c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A
           || c == 0x212B;
}

static bool is_tail(int32_t c)
{
    return c == '$' || c == '#' || utf8_is_word(c);
}

/* --- rows of words ---------------------------------------------------- */

// The first row that stands there counts. What follows its last word must not
// be a word character. `letters` are those that it can begin with, so that most
// words are found to begin none at once.
static const struct {
    phrase_rank rank;
    sqlparse_class class;
    str letters;
    str words;
} PHRASES[] = {
#define PHRASE(rank, class, letters, words)                             \
    {                                                                   \
        PHRASE_##rank, SQLPARSE_##class, S_INIT(letters), S_INIT(words) \
    }
    PHRASE(EARLY, COMPARISON, "NI", "NOT? IN"),
    PHRASE(EARLY, KEYWORD, "CVUFA", "CASE|VALUES|USING|FROM|AS"),
    PHRASE(LATE,
           KEYWORD,
           "LRFIOSJ",
           "LEFT|RIGHT|FULL? INNER|OUTER|STRAIGHT? JOIN"),
    PHRASE(LATE, KEYWORD, "CN", "CROSS|NATURAL JOIN"),
    PHRASE(LATE, KEYWORD, "E", "END IF|LOOP|WHILE?"),
    PHRASE(LATE, KEYWORD, "N", "NOT NULL"),
    PHRASE(LATE, KEYWORD, "N", "NULLS FIRST|LAST"),
    PHRASE(LATE, KEYWORD, "U", "UNION ALL"),
    PHRASE(LATE, DDL, "C", "CREATE OR REPLACE"),
    PHRASE(LATE, DDL, "C", "CREATE"),
    PHRASE(LATE, TYPE, "D", "DOUBLE PRECISION"),
    PHRASE(LATE, KEYWORD, "GO", "GROUP|ORDER BY"),
    PHRASE(LATE, KEYWORD, "H", "HANDLER FOR"),
    PHRASE(LATE,
           KEYWORD,
           "L",
           "LATERAL VIEW EXPLODE|INLINE|PARSE_URL_TUPLE|POSEXPLODE|STACK"),
    PHRASE(LATE, COMPARISON, "NLIR", "NOT? LIKE|ILIKE|RLIKE"),
#undef PHRASE
};

// The end of the word at i when it is one of `words`; else i.
static ptrdiff_t one_of_end(str s, ptrdiff_t i, str words)
{
    ptrdiff_t end = utf8_run_end(s, i, utf8_is_word);
    const str word = str_sub(s, i, end);
    while (words.ptr) {
        if (str_equal_fold(str_cut(&words, '|'), word)) {
            return end;
        }
    }
    return i;
}

ptrdiff_t sqlparse_phrase_end(str s, ptrdiff_t at, str words)
{
    ptrdiff_t end = at;  // after the last word that fitted
    ptrdiff_t i = at;
    while (words.ptr) {
        str step = str_cut(&words, ' ');
        const bool may_miss = str_ends(step, S("?"));
        step.len -= may_miss;
        const ptrdiff_t next = one_of_end(s, i, step);
        if (next == i && !may_miss) {
            return at;
        }
        if (next > i) {
            end = next;
            i = words.ptr ? utf8_run_end(s, next, utf8_is_blank) : next;
        }
    }
    return end;
}

ptrdiff_t sqlparse_phrase(str s,
                          ptrdiff_t at,
                          phrase_rank rank,
                          sqlparse_class *class)
{
    const char first = to_upper(s.ptr[at]);
    for (ptrdiff_t i = 0; i < countof(PHRASES) && is_alpha(first); i++) {
        if (PHRASES[i].rank != rank
            || !memchr(PHRASES[i].letters.ptr, first,
                       (size_t)PHRASES[i].letters.len)) {
            continue;
        }
        const ptrdiff_t end = sqlparse_phrase_end(s, at, PHRASES[i].words);
        if (end > at) {
            *class = PHRASES[i].class;
            return end - at;
        }
    }
    return 0;
}

/* --- single words ----------------------------------------------------- */

typedef struct keyword {
    str text;
    sqlparse_class class;
} keyword;

ORDER(compare_keywords, keyword, ORDER_TEXT(text))

static const keyword KEYWORDS[] = {
#define WORD(text, class) {S_INIT(#text), SQLPARSE_##class},
#include "evaluators/sqlparse_keyword.def"
#undef WORD
};

static sqlparse_class class_of_word(str word)
{
    char upper[LONGEST_WORD];
    if (word.len > LONGEST_WORD) {
        return SQLPARSE_NAME;
    }
    for (ptrdiff_t i = 0; i < word.len; i++) {
        upper[i] = to_upper(word.ptr[i]);
    }
    const keyword asked = {.text = {upper, word.len}};
    const keyword *found = bsearch(&asked, KEYWORDS, countof(KEYWORDS),
                                   sizeof *KEYWORDS, compare_keywords);
    return found ? found->class : SQLPARSE_NAME;
}

ptrdiff_t sqlparse_word(str s, ptrdiff_t at, sqlparse_class *class)
{
    ptrdiff_t size = 0;
    const int32_t c = utf8_char_at(s, at, &size);
    if (!sqlparse_is_letter(c) && c != '_' && !(c >= '0' && c <= '9')) {
        return 0;
    }
    const ptrdiff_t end = utf8_run_end(s, at + size, is_tail);
    *class = class_of_word(str_sub(s, at, end));
    return end - at;
}
