/*
 * literal.c - see literal.h.
 *
 * Method      One grammar for all: a value is a text in quotes, a list, an
 *             object or a word; a name is a text or a word. What a language
 *             allows beyond JSON (other quotes, a comma at the end, comments,
 *             line breaks in texts) is read and written as JSON has it.
 *
 * Cost        Linear in what is looked at.
 */
#include "read/literal.h"

#include "base/buf.h"
#include "base/json.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"

#include <string.h>

enum {
    DEPTH_MAX = 24,
};

typedef struct literal {
    str text;
    ptrdiff_t at;
    buf out;
} literal;

static char here(const literal *l)
{
    return l->at < l->text.len ? l->text.ptr[l->at] : '\0';
}

static void skip_blanks(literal *l)
{
    l->at = json_scan_space(l->text, l->at);
    while (str_starts(str_skip(l->text, l->at), S("//")) || here(l) == '#') {
        l->at = json_scan_space(l->text, str_find_end(l->text, S("\n"), l->at));
    }
}

// One byte of a text, or an escape. Those that nobody knows stay as they are.
static void copy_byte(literal *l)
{
    char c = here(l);
    char next = l->at + 1 < l->text.len ? l->text.ptr[l->at + 1] : '\0';
    bool is_escape = c == '\\' && next != '\0';
    if (is_escape && strchr("\"\\/bfnrtu", next)) {
        buf_add(&l->out, str_sub(l->text, l->at, l->at + 2));
    } else if (is_escape && next != '\n') {
        buf_add(&l->out, next == '\'' ? S("'") : S("\\\\"));
        l->at -= next != '\'';
    } else if (!is_escape && (c == '"' || c == '\\')) {
        buf_char(&l->out, '\\');
        buf_char(&l->out, c);
    } else if (!is_escape && (unsigned char)c < 0x20) {
        buf_printf(&l->out, "\\u%04x", (unsigned)c);
    } else if (!is_escape) {
        buf_char(&l->out, c);
    }
    l->at += is_escape ? 2 : 1;
}

static bool copy_text(literal *l)
{
    char c = here(l);
    str rest = str_skip(l->text, l->at);
    bool is_block = str_starts(rest, S("'''")) || str_starts(rest, S("\"\"\""));
    str mark = str_sub(rest, 0, is_block ? 3 : 1);
    if (c != '"' && c != '\'') {
        return false;
    }
    buf_char(&l->out, '"');
    for (l->at += mark.len; here(l) != '\0';) {
        if (str_starts(str_skip(l->text, l->at), mark)) {
            l->at += mark.len;
            buf_char(&l->out, '"');
            return true;
        }
        copy_byte(l);
    }
    return false;
}

// A name or a value of one word; of values only that there is one is of use.
static bool copy_word(literal *l, bool is_name)
{
    ptrdiff_t from = l->at;
    while (extract_is_word(here(l))
           || (here(l) != '\0' && strchr("+-.", here(l)))) {
        l->at++;
    }
    str word = str_sub(l->text, from, l->at);
    if (is_name) {
        json_add_text(&l->out, word);
    } else {
        buf_add(&l->out, S("null"));
    }
    return word.len > 0;
}

static bool copy_value(literal *l, int depth);

static bool copy_name(literal *l)
{
    bool ok = copy_text(l) || copy_word(l, true);
    skip_blanks(l);
    ok = ok && here(l) == ':';
    l->at += ok;
    buf_char(&l->out, ':');
    return ok;
}

static bool copy_members(literal *l, char close, int depth)
{
    buf_char(&l->out, here(l));
    l->at++;
    for (bool is_first = true;; is_first = false) {
        skip_blanks(l);
        if (here(l) == close) {
            l->at++;
            buf_char(&l->out, close);
            return true;
        }
        buf_add(&l->out, is_first ? S("") : S(","));
        if ((close == '}' && !copy_name(l)) || !copy_value(l, depth)) {
            return false;
        }
        skip_blanks(l);
        if (here(l) == ',') {
            l->at++;
        } else if (here(l) != close) {
            return false;
        }
    }
}

static bool copy_value(literal *l, int depth)
{
    skip_blanks(l);
    char c = here(l);
    return depth < DEPTH_MAX
           && (c == '{' ? copy_members(l, '}', depth + 1)
               : c == '['
                   ? copy_members(l, ']', depth + 1)
                   : copy_text(l)
                         || (c != '"' && c != '\'' && copy_word(l, false)));
}

str literal_as_json(str text, ptrdiff_t at, ptrdiff_t *end, arena *a)
{
    arena mine = *a;
    literal l = {.text = text, .at = at, .out = buf_new(&mine)};
    bool ok = copy_value(&l, 0);
    *end = l.at;
    a->next = ok ? mine.next : a->next;
    return ok ? buf_str(&l.out) : (str){0};
}

str literal_unescaped(str text, arena *a)
{
    literal l = {.text = text, .out = buf_new(a)};
    for (buf_char(&l.out, '"'); l.at < text.len;) {
        copy_byte(&l);
    }
    buf_char(&l.out, '"');
    const json *j = json_parse(a, buf_str(&l.out), NULL);
    return j ? j->text : text;
}
