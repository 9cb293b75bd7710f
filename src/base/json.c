/*
 * json.c - jansson's tree copied into an arena, and a writer.
 *
 * Why         jansson is strict, exact and gives positions, but its values
 *             are counted references. One copy into the case's arena makes
 *             them ordinary data that nobody frees.
 *
 * Invariants  (1) Recursion is bounded by jansson's limit of 2048 levels.
 *             (2) What the writer writes is valid JSON, whatever the bytes:
 *                 ill-formed UTF-8 becomes U+FFFD, NaN and infinities null.
 *
 * Cost        Linear; json_get is a scan over the members of an object.
 */
#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

static void json_from(arena *a, json *out, json_t *in);

static json *json_append(arena *a, json *parent, json *last, json_t *in)
{
    json *member = arena_new(a, json, 1);
    json_from(a, member, in);
    if (last) {
        last->next = member;
    } else {
        assert(!parent->child);
        parent->child = member;
    }
    parent->n++;
    return member;
}

// Depth is bounded by jansson (2048 levels).
static void json_from(arena *a, json *out, json_t *in)
{
    json *last = NULL;
    switch (json_typeof(in)) {
    case JSON_OBJECT:
        out->kind = JSON_KIND_OBJECT;
        for (void *it = json_object_iter(in); it;
             it = json_object_iter_next(in, it)) {
            last = json_append(a, out, last, json_object_iter_value(it));
            last->key = arena_str(a, str_from(json_object_iter_key(it)));
        }
        break;
    case JSON_ARRAY:
        out->kind = JSON_KIND_ARRAY;
        for (size_t i = 0; i < json_array_size(in); i++) {
            last = json_append(a, out, last, json_array_get(in, i));
        }
        break;
    case JSON_STRING:
        out->kind = JSON_KIND_STRING;
        out->text = arena_str(
            a, (str){json_string_value(in), (ptrdiff_t)json_string_length(in)});
        break;
    case JSON_INTEGER:
        out->kind = JSON_KIND_INT;
        out->i = json_integer_value(in);
        out->real = (double)out->i;
        break;
    case JSON_REAL:
        out->kind = JSON_KIND_REAL;
        out->real = json_real_value(in);
        break;
    case JSON_TRUE: out->kind = JSON_KIND_TRUE; break;
    case JSON_FALSE: out->kind = JSON_KIND_FALSE; break;
    case JSON_NULL: out->kind = JSON_KIND_NULL; break;
    }
}

json *json_parse_prefix(arena *a, str text, ptrdiff_t *used, json_error *error)
{
    assert(used);
    json_error_t why = {0};
    size_t flags = JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL;
    json_t *tree =
        json_loadb(text.ptr ? text.ptr : "", (size_t)text.len, flags, &why);
    if (!tree) {
        if (error) {
            error->offset = why.position;
            snprintf(error->message, sizeof error->message, "%s", why.text);
        }
        return NULL;
    }
    *used = why.position;
    json *out = arena_new(a, json, 1);
    json_from(a, out, tree);
    json_decref(tree);
    return out;
}

json *json_parse(arena *a, str text, json_error *error)
{
    ptrdiff_t used = 0;
    json *out = json_parse_prefix(a, text, &used, error);
    while (out && used < text.len && is_space(text.ptr[used])) {
        used++;
    }
    if (out && used < text.len) {
        if (error) {
            error->offset = used;
            snprintf(error->message, sizeof error->message,
                     "more text after the value");
        }
        return NULL;
    }
    return out;
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

void json_add(buf *b, const json *j)
{
    switch (j->kind) {
    case JSON_KIND_NULL: buf_add(b, S("null")); break;
    case JSON_KIND_FALSE: buf_add(b, S("false")); break;
    case JSON_KIND_TRUE: buf_add(b, S("true")); break;
    case JSON_KIND_INT: buf_int(b, j->i); break;
    case JSON_KIND_REAL: json_add_double(b, j->real); break;
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
