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

// Copies what does not concern the pass, from offset i on; returns where it
// ends.
static ptrdiff_t copy_plain(buf *out, str text, ptrdiff_t i, unsigned pass)
{
    ptrdiff_t end = i;
    while (end < text.len && !(passes_at(text.ptr[end]) & pass)) {
        end++;
    }
    buf_add(out, str_sub(text, i, end));
    return end;
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

static void space_opening_quotes(buf *out, str text)
{
    static const char *const quotes[] = {"\xC2\xAB", "\xE2\x80\x9C",
                                         "\xE2\x80\x98", "\xE2\x80\x9E"};
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, OPENING)) < text.len) {
        ptrdiff_t n = run_length(text, i, '`');
        str quote = n > 0 ? str_sub(text, i, i + n)
                          : text_at(text, i, quotes, countof(quotes));
        if (quote.len > 0) {
            add_spaced(out, quote);
            i += quote.len;
        } else {
            buf_char(out, text.ptr[i++]);
        }
    }
}

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

static void space_commas(buf *out, str text)
{
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, COMMAS)) < text.len) {
        char c = text.ptr[i++];
        if (i < text.len && is_digit(text.ptr[i])) {
            buf_char(out, c);
            continue;
        }
        add_spaced(out, (str){&c, 1});
        if (i < text.len) {
            buf_char(out, text.ptr[i++]);
        }
    }
}

static void space_points_in_a_row(buf *out, str text)
{
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, POINTS)) < text.len) {
        ptrdiff_t n = run_length(text, i, '.');
        if (n >= 2) {
            add_spaced(out, str_sub(text, i, i + n));
        } else {
            buf_char(out, '.');
        }
        i += n;
    }
}

static void space_signs(buf *out, str text)
{
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, SIGNS)) < text.len) {
        add_spaced(out, str_sub(text, i, i + 1));
        i++;
    }
}

static void space_dashes_and_closing_quotes(buf *out, str text)
{
    static const char *const marks[] = {"--", "\xC2\xBB", "\xE2\x80\x9D",
                                        "\xE2\x80\x99"};
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, CLOSING)) < text.len) {
        str mark = text_at(text, i, marks, countof(marks));
        if (mark.len > 0) {
            add_spaced(out, mark);
            i += mark.len;
        } else {
            buf_char(out, text.ptr[i++]);
        }
    }
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

static ptrdiff_t contraction_at(str text, ptrdiff_t i)
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
            return k;
        }
    }
    return -1;
}

static void split_contractions(buf *out, str text)
{
    ptrdiff_t i = 0;
    while ((i = copy_plain(out, text, i, CONTRACTIONS)) < text.len) {
        ptrdiff_t k = contraction_at(text, i);
        if (k >= 0) {
            ptrdiff_t middle = i + contractions[k].first;
            ptrdiff_t end = i + str_from(contractions[k].word).len;
            add_spaced(out, str_sub(text, i, middle));
            add_spaced(out, str_sub(text, middle, end));
            i = end;
        } else {
            buf_char(out, text.ptr[i++]);
        }
    }
}

// In this order: each sees what those before it made.
static const struct {
    void (*run)(buf *out, str text);
    unsigned bit;
} passes[] = {
    {space_opening_quotes, OPENING},
    {space_last_point, POINTS},
    {space_commas, COMMAS},
    {space_points_in_a_row, POINTS},
    {space_signs, SIGNS},
    {space_dashes_and_closing_quotes, CLOSING},
    {split_contractions, CONTRACTIONS},
};

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
            passes[i].run(&next, now);
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
