/*
 * chat_text.c - the protocol of chat.h as text: requests out, responses in.
 *
 * Method      OpenAI's "chat completions". A body is written in a fixed order
 *             of members, since its hash is the key by which recorded answers
 *             are found: another order would lose all records. A response is
 *             the text of the first choice. Anything else is either worth
 *             another try (no connection, 408, 409, 425, 429, 5xx, broken JSON)
 *             or final (other 4xx), with the server's own words, cut to
 *             ERROR_BYTES.
 */
#include "base/hash.h"
#include "base/json_write.h"
#include "model/chat.h"

#include <assert.h>

enum {
    BYTES_A_TOKEN = 4,  // of English and SQL, roughly
    ERROR_BYTES = 200,  // of a server's words that are kept
    SECRET_BYTES = 8,   // of a key that is no part of a word by chance
};

str chat_body(arena *a, const chat_request *r)
{
    assert(r->n_messages > 0);
    buf b = buf_new(a);
    json_write(&b, json_begin('{'), member_text(S("model"), r->model),
               member_open(S("messages"), '['));
    for (ptrdiff_t i = 0; i < r->n_messages; i++) {
        json_write(
            &b, json_begin('{'), member_text(S("role"), r->messages[i].role),
            member_text(S("content"), r->messages[i].text), json_end("}"));
    }
    json_write(&b, json_end("]"),
               member_double(S("temperature"), r->temperature),
               member_int(S("max_tokens"), r->max_tokens));
    if (r->seed >= 0) {
        json_write(&b, member_int(S("seed"), r->seed));
    }
    buf_char(&b, '}');
    return buf_str(&b);
}

str chat_key(arena *a, str body)
{
    hash128 h = hash_bytes(body);
    char high[17];
    char low[17];
    hash64_hex(h.high, high);
    hash64_hex(h.low, low);
    return arena_printf(a, "%s%s", high, low);
}

int64_t chat_tokens(str text)
{
    return (text.len + BYTES_A_TOKEN - 1) / BYTES_A_TOKEN;
}

// A number of tokens that a server or a file tells: none below zero is
// believed, and none so great that sums of them overflow.
static int64_t believable(int64_t n)
{
    static const int64_t MOST = (int64_t)1 << 40;
    return n < 0 ? 0 : n > MOST ? MOST : n;
}

// The character of JSON text at *at, whose escapes are undone where it is
// plain ASCII; -1 at the end. *at goes to the next.
static int next_character(str text, ptrdiff_t *at)
{
    if (*at >= text.len) {
        return -1;
    }
    str rest = str_skip(text, *at);
    bool is_escape = rest.len >= 2 && rest.ptr[0] == '\\';
    if (is_escape && rest.ptr[1] == 'u' && rest.len >= 6) {
        int c = 0;
        for (ptrdiff_t i = 2; i < 6; i++) {
            int digit = hex_digit(rest.ptr[i]);
            c = digit < 0 || c < 0 ? -1 : c * 16 + digit;
        }
        if (c >= 0 && c < 0x80) {
            *at += 6;
            return c;
        }
    } else if (is_escape
               && (rest.ptr[1] == '/' || rest.ptr[1] == '"'
                   || rest.ptr[1] == '\\')) {
        *at += 2;
        return (unsigned char)rest.ptr[1];
    }
    *at += 1;
    return (unsigned char)rest.ptr[0];
}

// The end of the key at text[at], plain or in escapes of JSON; -1: it is not
// there.
static ptrdiff_t end_of_key(str text, ptrdiff_t at, str key)
{
    for (ptrdiff_t i = 0; i < key.len; i++) {
        ptrdiff_t plain = at;
        if (next_character(text, &at) == (unsigned char)key.ptr[i]) {
            continue;
        }
        if (plain >= text.len || text.ptr[plain] != key.ptr[i]) {
            return -1;
        }
        at = plain + 1;  // a backslash of the key itself
    }
    return at;
}

static bool is_in_word(str text, ptrdiff_t at)
{
    char c = at >= 0 && at < text.len ? text.ptr[at] : ' ';
    return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

str chat_hide_key(arena *a, str text, str key)
{
    bool is_short = key.len < SECRET_BYTES;
    buf out = {0};
    ptrdiff_t from = 0;
    for (ptrdiff_t at = 0; key.len > 0 && at < text.len;) {
        ptrdiff_t end = end_of_key(text, at, key);
        bool is_part =
            is_short && (is_in_word(text, at - 1) || is_in_word(text, end));
        if (end < 0 || is_part) {
            at++;
            continue;
        }
        out = from == 0 ? buf_new(a) : out;
        buf_add(&out, str_sub(text, from, at));
        buf_repeat(&out, '*', key.len);
        from = at = end;
    }
    if (from == 0) {
        return text;
    }
    buf_add(&out, str_skip(text, from));
    return buf_str(&out);
}

static void fail(chat_answer *out, chat_status status, str error)
{
    out->status = status;
    out->error = error;
}

// What a server says about its error: {"error": {"message": ...}}, else the
// beginning of the body. It may repeat the key, even where it is cut.
static str server_words(arena *a, int64_t http, str body, str key)
{
    arena *keep = a;
    json *j = json_parse(a, body, NULL);
    const json *error = json_get(j, S("error"));
    str words = json_get_text(error, S("message"));
    if (words.len == 0) {
        words = error && error->kind == JSON_KIND_STRING ? error->text
                                                         : str_trim(body);
    }
    words = str_sub(chat_hide_key(keep, words, key), 0, ERROR_BYTES);
    return arena_printf(keep, "HTTP %lld: %.*s", (long long)http,
                        STR_ARG(words));
}

// Of an HTTP status: is it worth another try?
static bool is_passing(int64_t http)
{
    return http == 0 || http == 408 || http == 409 || http == 425 || http == 429
           || http >= 500;
}

// Or is it about the server, the key or the model, so that no call can pass?
static bool is_hopeless(int64_t http)
{
    return http == 401 || http == 403 || http == 404 || http == 405;
}

void chat_read_response(chat_answer *out,
                        arena *a,
                        int64_t http,
                        str body,
                        str key)
{
    if (http != 200) {
        fail(out,
             is_passing(http)    ? CHAT_AGAIN
             : is_hopeless(http) ? CHAT_HOPELESS
                                 : CHAT_REFUSED,
             server_words(a, http, body, key));
        return;
    }
    json_error error;
    const json *j = json_parse(a, body, &error);
    if (!j) {
        fail(out, CHAT_AGAIN,
             arena_printf(a, "broken JSON at byte %td: %s", error.offset,
                          error.message));
        return;
    }
    const json *first = json_children(j, S("choices"));
    const json *content = json_get(json_get(first, S("message")), S("content"));
    if (!content || content->kind != JSON_KIND_STRING) {
        fail(out, CHAT_AGAIN, S("a response without an answer in it"));
        return;
    }
    const json *usage = json_get(j, S("usage"));
    out->status = CHAT_OK;
    out->text = content->text;
    out->is_cut =
        str_equal(json_get_text(first, S("finish_reason")), S("length"));
    out->tokens_in = believable(json_get_int(usage, S("prompt_tokens"), 0));
    out->tokens_out =
        believable(json_get_int(usage, S("completion_tokens"), 0));
}
