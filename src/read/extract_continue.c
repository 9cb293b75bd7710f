/*
 * extract_continue.c - does a text go on where a prompt that ended in SELECT
 * stopped?
 *
 * Method      The text must be [DISTINCT] items FROM name, and what follows
 *             the name must be the end or a clause. An item is names, literals
 *             and operators; two bare words in a row are a column and its
 *             alias, three are prose. "The names of singers from France" has
 *             four.
 */
#include "read/extract_scan.h"

// Words inside an item that join what stands around them.
static const char *const joining[] = {
    "as",   "and",  "or",      "not", "is",  "in",     "like",
    "null", "over", "between", "div", "mod", "collate"};

static const char *const clauses[] = {
    "as",    "where",  "join",      "inner",   "left",  "right",  "full",
    "cross", "on",     "order",     "group",   "limit", "having", "union",
    "outer", "except", "intersect", "natural", "using", "window", "offset"};

static bool is_one_of(str word, const char *const *words, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (str_equal_fold(word, str_from(words[i]))) {
            return true;
        }
    }
    return false;
}

// The offset past the group in parentheses at text[at]; -1 when not closed.
static ptrdiff_t skip_group(str text, ptrdiff_t at)
{
    ptrdiff_t depth = 0;
    for (; at < text.len; at++) {
        depth += (text.ptr[at] == '(') - (text.ptr[at] == ')');
        if (depth == 0) {
            return at + 1;
        }
    }
    return -1;
}

static ptrdiff_t skip_quotes(str text, ptrdiff_t at)
{
    ptrdiff_t end = str_find(text, str_sub(text, at, at + 1), at + 1);
    return end < 0 ? text.len : end + 1;
}

// The offset past CASE ... END.
static ptrdiff_t skip_case(str text, ptrdiff_t at)
{
    while (at < text.len) {
        str word = extract_word_at(text, at);
        if (str_equal_fold(word, S("end"))) {
            return at + word.len;
        }
        at += word.len > 0 ? word.len : 1;
    }
    return at;
}

// The offset of the word FROM that ends the list of items at text[at], -1 when
// that is no such list.
static ptrdiff_t find_from(str text, ptrdiff_t at)
{
    ptrdiff_t words = 0;  // in a row
    ptrdiff_t items = 0;
    for (at = extract_skip(text, at); at < text.len;
         at = extract_skip(text, at)) {
        char c = text.ptr[at];
        str word = extract_word_at(text, at);
        if (str_equal_fold(word, S("from"))) {
            return items > 0 ? at : -1;
        }
        items++;
        if (str_equal_fold(word, S("case"))) {
            at = skip_case(text, at);
            words = 1;
        } else if (word.len > 0) {
            words = is_one_of(word, joining, countof(joining)) ? 0 : words + 1;
            at += word.len;
        } else if (c == '(') {
            at = skip_group(text, at);
            words = 1;
        } else if (c == '"' || c == '`' || c == '\'') {
            at = skip_quotes(text, at);
            words++;
        } else if (c == '.' || c == ',' || c == '*' || c == '+' || c == '-'
                   || c == '/' || c == '|' || c == '%' || c == '=' || c == '<'
                   || c == '>' || c == '!') {
            at++;
            words = 0;
        } else {
            return -1;
        }
        if (at < 0 || words > 2) {
            return -1;
        }
    }
    return -1;
}

// Whether a table and then a clause, a comma or the end stand at text[at].
static bool is_table(str text, ptrdiff_t at)
{
    at = extract_skip(text, at);
    if (at < text.len && text.ptr[at] == '(') {
        return true;
    }
    for (int names = 0; names < 3; names++) {
        if (at == text.len || text.ptr[at] == ';' || text.ptr[at] == ',') {
            return names > 0;
        }
        bool is_quoted = text.ptr[at] == '"' || text.ptr[at] == '`';
        str word = extract_word_at(text, at);
        if (is_one_of(word, clauses, countof(clauses))) {
            return names > 0;
        }
        if (word.len == 0 && !is_quoted) {
            return false;
        }
        at = is_quoted ? skip_quotes(text, at) : at + word.len;
        if (at < text.len && text.ptr[at] == '.') {
            names--;  // schema.table is one name
            at++;
        }
        at = extract_skip(text, at);
    }
    return false;
}

bool extract_continues_select(str text)
{
    ptrdiff_t at = extract_skip(text, 0);
    str word = extract_word_at(text, at);
    if (str_among_fold(word, "distinct all")) {
        at += word.len;
    }
    ptrdiff_t from = find_from(text, at);
    return from >= 0 && is_table(text, from + S("from").len);
}
