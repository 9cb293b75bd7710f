/*
 * json.c - a tree on json_pull, and a writer.
 *
 * Method      One descent copies all texts into the arena, so that a tree may
 *             live longer than the text it was read from.
 *
 * Invariants  (1) Recursion is bounded: deeper texts are an error.
 *             (2) The names of an object's members differ.
 *             (3) What the writer writes is valid JSON, whatever the bytes:
 *                 ill-formed UTF-8 becomes U+FFFD, NaN and infinities null.
 *
 * Cost        Linear; json_get is a scan over the members of an object.
 */
#include "base/json.h"

#include "base/map.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 2048
};

static void read_value(arena *a, json_pull *s, json *out, int depth);

// Keeps the last value of each name, at the place of the first one.
static void keep_last(json *object, arena scratch)
{
    map names = {0};
    json **members = arena_new(&scratch, json *, object->n);
    for (json **at = &object->child; *at;) {
        json *m = *at;
        ptrdiff_t id = map_add(&names, &scratch, m->key);
        if (!members[id]) {
            members[id] = m;
            at = &m->next;
            continue;
        }
        *at = m->next;
        m->next = members[id]->next;
        *members[id] = *m;
        object->n--;
    }
}

static void read_members(arena *a, json_pull *s, json *out, int depth)
{
    bool is_object = out->kind == JSON_KIND_OBJECT;
    char closing = is_object ? '}' : ']';
    json **last = &out->child;
    if (depth == MAX_DEPTH) {
        json_pull_fail(s, "this is nested too deeply");
    }
    for (json_pull_open(s, is_object ? '{' : '['); json_pull_next(s, closing);
         last = &(*last)->next) {
        *last = arena_new(a, json, 1);
        (*last)->key = is_object ? json_pull_key(s, a) : (str){0};
        read_value(a, s, *last, depth + 1);
        out->n++;
    }
    if (is_object && out->n > 1 && !s->problem) {
        keep_last(out, *a);
    }
}

static void set_number(json *out, str word, arena scratch)
{
    bool is_whole = false;
    json_is_number(word, &is_whole);
    if (is_whole && str_to_int(word, &out->i)) {
        out->kind = JSON_KIND_INT;
        out->real = (double)out->i;
        return;
    }
    out->kind = JSON_KIND_REAL;
    out->real = strtod(arena_cstr(&scratch, word), NULL);
    out->text = !is_whole && isfinite(out->real) ? (str){0} : word;
}

static void read_scalar(arena *a, json_pull *s, json *out)
{
    char first = json_pull_peek(s);
    str text = json_pull_scalar(s, a);
    if (first == '"') {
        out->kind = JSON_KIND_STRING;
        out->text = text;
    } else if (first == 't' || first == 'f') {
        out->kind = first == 't' ? JSON_KIND_TRUE : JSON_KIND_FALSE;
    } else if (text.len > 0 && !s->problem) {
        set_number(out, text, *a);
    }  // else it is null
}

static void read_value(arena *a, json_pull *s, json *out, int depth)
{
    char first = json_pull_peek(s);
    if (first == '{' || first == '[') {
        out->kind = first == '{' ? JSON_KIND_OBJECT : JSON_KIND_ARRAY;
        read_members(a, s, out, depth);
    } else {
        read_scalar(a, s, out);
    }
}

static json *read_tree(arena *a, json_pull *s)
{
    s->copies = true;
    json *out = arena_new(a, json, 1);
    read_value(a, s, out, 0);
    return out;
}

// The tree, or NULL and the error when the reading of it failed.
static json *result_of(const json_pull *s, json *tree, json_error *error)
{
    if (s->problem && error) {
        *error = json_pull_error(s);
    }
    return s->problem ? NULL : tree;
}

json *json_parse_prefix(arena *a, str text, ptrdiff_t *used, json_error *error)
{
    assert(used);
    json_pull s = json_pull_begin(text);
    json *tree = read_tree(a, &s);
    *used = s.at - s.begin;
    return result_of(&s, tree, error);
}

json *json_parse_kindly(arena *a,
                        str text,
                        json_repairs *repairs,
                        json_error *error)
{
    json_pull s = json_pull_begin(text);
    s.repairs = repairs;
    json *tree = read_tree(a, &s);
    if (!json_pull_end(&s)) {
        json_pull_fail(&s, "more text after the value");
    }
    return result_of(&s, tree, error);
}

json *json_parse(arena *a, str text, json_error *error)
{
    return json_parse_kindly(a, text, NULL, error);
}

const json *json_at(const json *j, ptrdiff_t i)
{
    const json *m = j ? j->child : NULL;
    for (; m && i > 0; i--) {
        m = m->next;
    }
    return m;
}

const json *json_get(const json *j, str key)
{
    if (!j || j->kind != JSON_KIND_OBJECT) {
        return NULL;
    }
    for (const json *m = j->child; m; m = m->next) {
        if (str_equal(m->key, key)) {
            return m;
        }
    }
    return NULL;
}

const json *json_children(const json *j, str key)
{
    const json *m = json_get(j, key);
    return m ? m->child : NULL;
}

int64_t json_get_int(const json *j, str key, int64_t fallback)
{
    const json *m = json_get(j, key);
    return m && m->kind == JSON_KIND_INT ? m->i : fallback;
}

str json_get_text(const json *j, str key)
{
    const json *m = json_get(j, key);
    return m && m->kind == JSON_KIND_STRING ? m->text : (str){0};
}

bool json_scalar_text(arena *a, const json *j, str *out)
{
    assert(out);
    if (!j || j->kind == JSON_KIND_NULL || j->kind == JSON_KIND_ARRAY
        || j->kind == JSON_KIND_OBJECT) {
        return false;
    }
    if (j->kind == JSON_KIND_STRING) {
        *out = j->text;
        return true;
    }
    buf b = buf_new(a);
    json_add(&b, j);
    *out = buf_str(&b);
    return true;
}

// Appends one character that cannot stand in a JSON string as it is.
static void add_escaped(buf *b, unsigned char c)
{
    switch (c) {
    case '"': buf_add(b, S("\\\"")); break;
    case '\\': buf_add(b, S("\\\\")); break;
    case '\b': buf_add(b, S("\\b")); break;
    case '\f': buf_add(b, S("\\f")); break;
    case '\n': buf_add(b, S("\\n")); break;
    case '\r': buf_add(b, S("\\r")); break;
    case '\t': buf_add(b, S("\\t")); break;
    default: buf_printf(b, "\\u%04x", c); break;
    }
}

void json_add_text(buf *b, str s)
{
    buf_char(b, '"');
    ptrdiff_t start = 0;
    ptrdiff_t i = 0;
    while (i < s.len) {
        unsigned char c = (unsigned char)s.ptr[i];
        ptrdiff_t size = 1;
        bool plain = c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
        if (c >= 0x80) {
            size = utf8_size_at(s, i);
            plain = size > 0;
        }
        if (plain) {
            i += size;
            continue;
        }
        buf_add(b, str_sub(s, start, i));
        if (c >= 0x80) {
            buf_add(b, S("\xEF\xBF\xBD"));
        } else {
            add_escaped(b, c);
        }
        start = ++i;
    }
    buf_add(b, str_skip(s, start));
    buf_char(b, '"');
}

void json_add_double(buf *b, double d)
{
    if (isfinite(d)) {
        buf_double(b, d);
    } else {
        buf_add(b, S("null"));
    }
}

void json_next(buf *b)
{
    char last = b->len > 0 ? b->ptr[b->len - 1] : '{';
    if (last != '{' && last != '[' && last != ':' && last != '\n') {
        buf_char(b, ',');
    }
}

void json_key(buf *b, str key)
{
    json_next(b);
    json_add_text(b, key);
    buf_char(b, ':');
}

void json_add_texts(buf *b, const str *texts, ptrdiff_t n)
{
    assert(n == 0 || texts);
    buf_char(b, '[');
    for (ptrdiff_t i = 0; i < n; i++) {
        json_next(b);
        json_add_text(b, texts[i]);
    }
    buf_char(b, ']');
}

void json_add(buf *b, const json *j)
{
    switch (j->kind) {
    case JSON_KIND_NULL: buf_add(b, S("null")); break;
    case JSON_KIND_FALSE: buf_add(b, S("false")); break;
    case JSON_KIND_TRUE: buf_add(b, S("true")); break;
    case JSON_KIND_INT: buf_int(b, j->i); break;
    case JSON_KIND_REAL:
        if (j->text.len > 0) {
            buf_add(b, j->text);
        } else {
            json_add_double(b, j->real);
        }
        break;
    case JSON_KIND_STRING: json_add_text(b, j->text); break;
    case JSON_KIND_ARRAY:
        buf_char(b, '[');
        for (const json *m = j->child; m; m = m->next) {
            json_next(b);
            json_add(b, m);
        }
        buf_char(b, ']');
        break;
    case JSON_KIND_OBJECT:
        buf_char(b, '{');
        for (const json *m = j->child; m; m = m->next) {
            json_key(b, m->key);
            json_add(b, m);
        }
        buf_char(b, '}');
        break;
    }
}

str json_written(arena *a, const json *j)
{
    buf b = buf_new(a);
    if (j) {
        json_add(&b, j);
    }
    return buf_str(&b);
}
