/*
 * endpoint.c - see endpoint.h.
 *
 * Method      One table for the dispatch and the description: neither can name
 *             a path that the other lacks.
 */
#include "serve/endpoint.h"

#include "base/json_write.h"
#include "base/version.h"
#include "base/words.h"

typedef struct endpoint_row {
    str method;
    str path;
    str type;
    str text;
} endpoint_row;

static const endpoint_row rows[ENDPOINT_COUNT] = {
#define ENDPOINT(constant, method, path, type, text) \
    {S_INIT(method), S_INIT(path), S_INIT(type), S_INIT(text)},
#include "serve/endpoint.def"
#undef ENDPOINT
};

endpoint endpoint_of(str path)
{
    ptrdiff_t e = words_at(rows, path, path);
    return e < 0 ? ENDPOINT_COUNT : (endpoint)e;
}

bool endpoint_takes(endpoint e, str method)
{
    bool is_get = str_equal(rows[e].method, S("GET"));
    return str_equal(rows[e].method, method)
           || (is_get && str_equal(method, S("HEAD")));
}

bool endpoint_takes_lines(endpoint e)
{
    return e == ENDPOINT_SCORE || e == ENDPOINT_CHECK;
}

const char *endpoint_method(endpoint e)
{
    return rows[e].method.ptr;
}

const char *endpoint_type(endpoint e)
{
    return rows[e].type.ptr;
}

// What a path that takes lines has besides.
static void add_lines(buf *b)
{
    static const str answers[][2] = {
        {S_INIT("400"), S_INIT("the body is not a valid request")},
        {S_INIT("413"), S_INIT("a line above 8 MB, or a body above 64 MB")},
        {S_INIT("429"),
         S_INIT("this client already has its share: see Retry-After")},
        {S_INIT("503"), S_INIT("the queue is full: see Retry-After")},
    };
    for (ptrdiff_t i = 0; i < countof(answers); i++) {
        json_write(b, member_open(answers[i][0], '{'),
                   member_text(S("description"), answers[i][1]), json_end("}"));
    }
    buf_add(b, S("},\"parameters\":[{\"name\":\"ordered\",\"in\":\"query\","
                 "\"schema\":{\"type\":\"string\",\"enum\":[\"1\"]}}],"
                 "\"requestBody\":{\"required\":true,\"content\":{"
                 "\"application/json\":{\"schema\":{\"type\":\"object\"}},"
                 "\"application/jsonl\":{\"schema\":{\"type\":\"string\"}}}"));
}

static void add_row(buf *b, const endpoint_row *r)
{
    bool is_get = str_equal(r->method, S("GET"));
    json_write(b, member_open(r->path, '{'),
               member_open(is_get ? S("get") : S("post"), '{'),
               member_text(S("summary"), r->text),
               member_open(S("responses"), '{'), member_open(S("200"), '{'),
               member_text(S("description"), S("done")),
               member_open(S("content"), '{'), member_open(r->type, '{'),
               json_end("}}}"));
    if (endpoint_takes_lines((endpoint)(r - rows))) {
        add_lines(b);
    }
    buf_add(b, S("}}}"));
}

str endpoint_description(arena *a)
{
    buf b = buf_new(a);
    json_write(&b, json_begin('{'), member_text(S("openapi"), S("3.0.3")),
               member_open(S("info"), '{'),
               member_text(S("title"), S("assay serve")),
               member_text(S("version"), version_text()), json_end("}"),
               member_open(S("paths"), '{'));
    for (ptrdiff_t i = 0; i < ENDPOINT_COUNT; i++) {
        add_row(&b, &rows[i]);
    }
    buf_add(&b, S("}}\n"));
    return buf_str(&b);
}
