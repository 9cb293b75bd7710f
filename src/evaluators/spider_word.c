/*
 * spider_word.c - see spider_word.h.
 *
 * Method      The evaluator puts literals aside and runs a tokenizer of
 *             English prose over the rest. That is a row of substitutions over
 *             the whole text, each putting blanks around something, followed
 *             by a split at blanks; here each is one pass from buffer to
 *             buffer. A literal set aside is a word of the form MARK number
 *             MARK, which none of the passes touches.
 *
 *             Few bytes concern a pass: what lies between them is copied as a
 *             whole, and a pass that none of the text concerns is left out.
 *             Passes add nothing but blanks, so what concerns them is known
 *             before the first.
 */
#include "evaluators/spider_word.h"

#include "base/buf.h"

#include <string.h>

enum {
    MARK = 1  // a control character that no query holds on purpose
};

// Every ' is a ", and each pair with what is between them becomes a mark.
static bool set_literals_aside(buf *out, str_list *literals, arena *a, str sql)
{
    ptrdiff_t open = -1;
    for (ptrdiff_t i = 0; i < sql.len; i++) {
        char c = sql.ptr[i] == '\'' ? '"' : sql.ptr[i];
        if (c == '"' && open < 0) {
            open = i;
        } else if (c == '"') {
            char *text = arena_cstr(a, str_sub(sql, open, i + 1));
            for (ptrdiff_t k = 0; k <= i - open; k++) {
                text[k] = text[k] == '\'' ? '"' : text[k];
            }
            buf_printf(out, "%c%td%c", MARK, literals->len, MARK);
            *vec_push(a, literals) = (str){text, i - open + 1};
            open = -1;
        } else if (open < 0) {
            buf_char(out, c == MARK ? ' ' : c);
        }
    }
    return open < 0;
}

// One bit a pass.
enum {
    OPENING = 1,
    COMMAS = 2,
    POINTS = 4,
    SIGNS = 8,
    CLOSING = 16,
    CONTRACTIONS = 32,
};

// The passes that look at what begins with a byte.
static const unsigned char concerned[] = {
    ['`'] = OPENING,
    [0xC2] = OPENING | CLOSING,
    [0xE2] = OPENING | CLOSING,
    [','] = COMMAS,
    [':'] = COMMAS,
    ['.'] = POINTS,
    [';'] = SIGNS,
    ['@'] = SIGNS,
    ['#'] = SIGNS,
    ['$'] = SIGNS,
    ['%'] = SIGNS,
    ['&'] = SIGNS,
    ['?'] = SIGNS,
    ['!'] = SIGNS,
    ['*'] = SIGNS,
    ['('] = SIGNS,
    [')'] = SIGNS,
    ['['] = SIGNS,
    [']'] = SIGNS,
    ['{'] = SIGNS,
    ['}'] = SIGNS,
    ['<'] = SIGNS,
    ['>'] = SIGNS,
    ['-'] = CLOSING,
    ['c'] = CONTRACTIONS,
    ['C'] = CONTRACTIONS,
    ['g'] = CONTRACTIONS,
    ['G'] = CONTRACTIONS,
    ['l'] = CONTRACTIONS,
    ['L'] = CONTRACTIONS,
    ['w'] = CONTRACTIONS,
    ['W'] = CONTRACTIONS,
    [0xFF] = 0,
};

static unsigned passes_at(char c)
{
    return concerned[(unsigned char)c];
}

static unsigned passes_of(str text)
{
    unsigned bits = 0;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        bits |= passes_at(text.ptr[i]);
    }
    return bits;
}

static void add_spaced(buf *out, str s)
{
    buf_char(out, ' ');
    buf_add(out, s);
    buf_char(out, ' ');
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c);
}

// The longest of the given texts that stands at offset i; empty when none.
static str text_at(str text, ptrdiff_t i, const char *const *texts, ptrdiff_t n)
{
    for (ptrdiff_t k = 0; k < n; k++) {
        if (texts[k][0] == text.ptr[i]
            && str_starts(str_skip(text, i), str_from(texts[k]))) {
            return str_from(texts[k]);
        }
    }
    return (str){0};
}

static ptrdiff_t run_length(str text, ptrdiff_t i, char c)
{
    ptrdiff_t n = 0;
    while (i + n < text.len && text.ptr[i + n] == c) {
        n++;
    }
    return n;
}

// What a pass cuts out at a place: two words at most, of these lengths, and
// what goes with them as it is.
typedef struct cuts {
    ptrdiff_t first;
    ptrdiff_t second;
    ptrdiff_t plain;
} cuts;

static cuts cut_opening_quote(str text, ptrdiff_t i)
{
    static const char *const quotes[] = {"\xC2\xAB", "\xE2\x80\x9C",
                                         "\xE2\x80\x98", "\xE2\x80\x9E"};
    ptrdiff_t n = run_length(text, i, '`');
    return (cuts){n > 0 ? n : text_at(text, i, quotes, countof(quotes)).len, 0,
                  0};
}

static cuts cut_comma(str text, ptrdiff_t i)
{
    bool has_next = i + 1 < text.len;
    bool is_cut = !has_next || !is_digit(text.ptr[i + 1]);
    return (cuts){is_cut, 0, is_cut && has_next};
}

static cuts cut_points(str text, ptrdiff_t i)
{
    ptrdiff_t n = run_length(text, i, '.');
    return (cuts){n >= 2 ? n : 0, 0, 0};
}

static cuts cut_sign(str text, ptrdiff_t i)
{
    (void)text, (void)i;
    return (cuts){1, 0, 0};
}

static cuts cut_dash_or_closing_quote(str text, ptrdiff_t i)
{
    static const char *const marks[] = {"--", "\xC2\xBB", "\xE2\x80\x9D",
                                        "\xE2\x80\x99"};
    return (cuts){text_at(text, i, marks, countof(marks)).len, 0, 0};
}

static bool is_word_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

// English words that the tokenizer cuts in two.
static const struct {
    const char *word;
    ptrdiff_t first;  // length of the first part
} contractions[] = {
    {"cannot", 3}, {"gimme", 3}, {"gonna", 3},
    {"gotta", 3},  {"lemme", 3}, {"wanna", 3},
};

static cuts cut_contraction(str text, ptrdiff_t i)
{
    bool starts = i == 0 || !is_word_byte(text.ptr[i - 1]);
    char first = to_lower(text.ptr[i]);
    for (ptrdiff_t k = 0; starts && k < countof(contractions); k++) {
        if (contractions[k].word[0] != first) {
            continue;
        }
        str word = str_from(contractions[k].word);
        ptrdiff_t end = i + word.len;
        if (!str_equal_fold(str_sub(text, i, end), word)) {
            continue;
        }
        char next = end < text.len ? text.ptr[end] : '\0';
        // This one needs a blank after it.
        bool is_wanna = word.ptr[0] == 'w';
        if (is_wanna ? is_space(next) : !is_word_byte(next)) {
            ptrdiff_t middle = contractions[k].first;
            return (cuts){middle, word.len - middle, 0};
        }
    }
    return (cuts){0};
}

// In this order: each sees what those before it made.
static const struct {
    cuts (*at)(str text, ptrdiff_t i);  // NULL: the last point
    unsigned bit;
} passes[] = {
    {cut_opening_quote, OPENING},
    {NULL, POINTS},
    {cut_comma, COMMAS},
    {cut_points, POINTS},
    {cut_sign, SIGNS},
    {cut_dash_or_closing_quote, CLOSING},
    {cut_contraction, CONTRACTIONS},
};

// A point at the end of the text, closing brackets and blanks after it aside.
static void space_last_point(buf *out, str text)
{
    ptrdiff_t end = text.len;
    while (end > 0
           && (is_space(text.ptr[end - 1])
               || is_one_of(text.ptr[end - 1], "])}>\""))) {
        end--;
    }
    bool is_point =
        end > 1 && text.ptr[end - 1] == '.' && text.ptr[end - 2] != '.';
    if (!is_point) {
        buf_add(out, text);
        return;
    }
    buf_add(out, str_sub(text, 0, end - 1));
    add_spaced(out, S("."));
    buf_add(out, str_skip(text, end));
}

static void run_pass(buf *out, str text, ptrdiff_t pass)
{
    ptrdiff_t plain = 0;  // from here on nothing was copied yet
    for (ptrdiff_t i = 0; i < text.len; i++) {
        cuts c = passes_at(text.ptr[i]) & passes[pass].bit
                     ? passes[pass].at(text, i)
                     : (cuts){0};
        if (c.first == 0) {
            continue;
        }
        buf_add(out, str_sub(text, plain, i));
        add_spaced(out, str_sub(text, i, i + c.first));
        plain = i + c.first + c.second;
        if (c.second > 0) {
            add_spaced(out, str_sub(text, i + c.first, plain));
        }
        i = plain + c.plain - 1;
    }
    buf_add(out, str_skip(text, plain));
}

// A word that is nothing but a mark is the literal; else it is lower-cased.
static str finish_word(arena *a, str word, const str_list *literals)
{
    int64_t n = 0;
    if (word.len > 2 && word.ptr[0] == MARK && word.ptr[word.len - 1] == MARK
        && str_to_int(str_sub(word, 1, word.len - 1), &n)
        && n < literals->len) {
        return literals->ptr[n];
    }
    return arena_lower(a, word);
}

// `!`, `<` or `>` directly before a word `=` becomes one word with it.
static void glue_comparisons(str_list *words, arena *a)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < words->len; i++) {
        str w = words->ptr[i];
        str before = kept > 0 ? words->ptr[kept - 1] : (str){0};
        if (str_equal(w, S("=")) && before.len == 1
            && is_one_of(before.ptr[0], "!<>")) {
            words->ptr[kept - 1] = arena_printf(a, "%.*s=", STR_ARG(before));
        } else {
            words->ptr[kept++] = w;
        }
    }
    words->len = kept;
}

bool spider_words_of(str_list *out, arena *a, str sql, arena scratch)
{
    *out = (str_list){0};
    str_list literals = {0};
    buf text = buf_new(&scratch);
    if (!set_literals_aside(&text, &literals, a, sql)) {
        return false;
    }
    str now = arena_str(a, buf_str(&text));
    unsigned bits = passes_of(now);
    for (ptrdiff_t i = 0; i < countof(passes); i++) {
        if (bits & passes[i].bit) {
            buf next = buf_new(&scratch);
            if (passes[i].at) {
                run_pass(&next, now, i);
            } else {
                space_last_point(&next, now);
            }
            now = buf_str(&next);
        }
    }
    ptrdiff_t i = 0;
    while (i < now.len) {
        ptrdiff_t start = i;
        while (i < now.len && !is_space(now.ptr[i])) {
            i++;
        }
        if (i > start) {
            *vec_push(a, out) =
                finish_word(a, str_sub(now, start, i), &literals);
        }
        i++;
    }
    glue_comparisons(out, a);
    return true;
}
