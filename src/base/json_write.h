/*
 * json_write.h - writes JSON objects, given as lists of their members.
 *
 *     json_write(&b, json_begin('{'), member_text(S("id"), id),
 *                member_if(n > 0, member_int(S("n"), n)), json_end("}\n"));
 *
 * Commas stand where they are due. All values are made before the first is
 * written: of a member that is left out, too.
 */
#ifndef ASSAY_BASE_JSON_WRITE_H
#define ASSAY_BASE_JSON_WRITE_H

#include "base/json.h"

typedef enum member_kind {
    MEMBER_NONE,
    MEMBER_TEXT,
    MEMBER_TEXTS,  // a list of them
    MEMBER_INT,
    MEMBER_DOUBLE,
    MEMBER_FIXED,  // with so many decimals
    MEMBER_RAW,    // JSON already, or a bracket
    MEMBER_CLOSE,  // nothing but the text
} member_kind;

typedef struct json_item {
    member_kind kind;
    bool has_key;
    str key;
    str text;
    int64_t n;  // of texts, how many; of decimals
    double real;
    const str *texts;
} json_item;

#define json_write(b, ...)                                \
    json_add_items((b), (const json_item[]){__VA_ARGS__}, \
                   countof(((const json_item[]){__VA_ARGS__})))
void json_add_items(buf *b, const json_item *items, ptrdiff_t n);

// An element of an array has no key: an object in it, a text.
static inline json_item json_begin(char bracket)
{
    return (json_item){.kind = MEMBER_RAW,
                       .text = bracket == '{' ? S("{") : S("[")};
}

static inline json_item json_text(str text)
{
    return (json_item){.kind = MEMBER_TEXT, .text = text};
}

static inline json_item json_int(int64_t n)
{
    return (json_item){.kind = MEMBER_INT, .n = n};
}

// Brackets that close, and what stands behind them.
static inline json_item json_end(const char *text)
{
    return (json_item){.kind = MEMBER_CLOSE, .text = str_from(text)};
}

static inline json_item member_raw(str key, str text)
{
    return (json_item){
        .kind = MEMBER_RAW, .has_key = true, .key = key, .text = text};
}

static inline json_item member_open(str key, char bracket)
{
    return member_raw(key, bracket == '{' ? S("{") : S("["));
}

static inline json_item member_bool(str key, bool is_true)
{
    return member_raw(key, is_true ? S("true") : S("false"));
}

static inline json_item member_text(str key, str text)
{
    return (json_item){
        .kind = MEMBER_TEXT, .has_key = true, .key = key, .text = text};
}

static inline json_item member_texts(str key, const str *texts, ptrdiff_t n)
{
    return (json_item){.kind = MEMBER_TEXTS,
                       .has_key = true,
                       .key = key,
                       .texts = texts,
                       .n = n};
}

static inline json_item member_int(str key, int64_t n)
{
    return (json_item){.kind = MEMBER_INT, .has_key = true, .key = key, .n = n};
}

static inline json_item member_double(str key, double d)
{
    return (json_item){
        .kind = MEMBER_DOUBLE, .has_key = true, .key = key, .real = d};
}

static inline json_item member_fixed(str key, double d, int decimals)
{
    return (json_item){.kind = MEMBER_FIXED,
                       .has_key = true,
                       .key = key,
                       .real = d,
                       .n = decimals};
}

static inline json_item member_if(bool is_there, json_item m)
{
    return is_there ? m : (json_item){0};
}

static inline json_item member_null(str key)
{
    return member_raw(key, S("null"));
}

static inline json_item member_or_null(bool is_there, json_item m)
{
    return is_there ? m : member_null(m.key);
}

static inline json_item member_text_if_any(str key, str text)
{
    return member_if(text.len > 0, member_text(key, text));
}

static inline json_item member_texts_if_any(str key,
                                            const str *texts,
                                            ptrdiff_t n)
{
    return member_if(n > 0, member_texts(key, texts, n));
}

static inline json_item member_text_or_null(str key, str text)
{
    return member_or_null(text.len > 0, member_text(key, text));
}

#endif  // ASSAY_BASE_JSON_WRITE_H
