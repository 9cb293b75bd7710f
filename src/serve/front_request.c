/*
 * front_request.c - what clients send: calls, their bodies cut into lines, and
 * the answers to these.
 *
 * Method      The body is cut into lines as it comes, and they go out at once;
 *             the answer begins when the body is over, since HTTP/1 has it so.
 *             Where there is no room for a line, the rest of the body waits.
 *
 * Bounds      A body: MOST_BODY, a line: MOST_LINE. Answers that their client
 *             does not read are kept, in proportion to its body.
 */
#include "base/clock.h"
#include "serve/front_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINE = 8 * 1000 * 1000,
    MOST_BODY = 64 * 1000 * 1000,
    BLOCK_BYTES = 32 << 10,
};

/* Answers. */

static bool hold(front_request *r, exchange_line line, str answer)
{
    size_t at = (size_t)line.index;
    if (at >= r->n_held) {
        size_t n = (at + 1) * 2;
        bytes *more = realloc(r->held, n * sizeof *more);
        if (!more) {
            return false;
        }
        memset(more + r->n_held, 0, (n - r->n_held) * sizeof *more);
        r->held = more;
        r->n_held = n;
    }
    bool ok = bytes_add(&r->held[at], answer);
    r->n_held_bytes += r->held[at].len;
    while ((size_t)r->turn < r->n_held && r->held[r->turn].len > 0) {
        bytes *next = &r->held[r->turn++];
        ok = bytes_add(&r->out, bytes_left(next)) && bytes_add(&r->out, S("\n"))
             && ok;
        r->n_held_bytes -= next->len;
        bytes_free(next);
    }
    return ok;
}

// Is it {"id":..., "line":N,"error":...}, or that without an id?
static bool is_error(exchange_line line, str answer)
{
    arena a = arena_on_stack(64);
    str mark =
        arena_printf(&a, "\"line\":%lld,\"error\":\"", (long long)line.number);
    return str_find(answer, mark, 0) >= 0;
}

void front_take_answer(exchange_line line, str answer, void *context)
{
    front *f = context;
    front_request *r = line.owner;
    bool ok = r->is_ordered
                  ? hold(r, line, answer)
                  : bytes_add(&r->out, answer) && bytes_add(&r->out, S("\n"));
    r->n_answered++;
    r->is_error = is_error(line, answer);
    f->n_answers++;
    f->n_errors += r->is_error;
    if (!ok) {
        front_lose(r);  // no memory for what it asked
    } else if (r->waits == FRONT_WAIT_ANSWER) {
        front_wake(r);
    }
}

// A part of the answers, for a response without an end that is known.
static ssize_t read_answers(void *context,
                            uint64_t position,
                            char *out,
                            size_t most)
{
    front_request *r = context;
    (void)position;
    str left = bytes_left(&r->out);
    if (r->is_gone) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (left.len > 0) {
        size_t n = (size_t)left.len < most ? (size_t)left.len : most;
        memcpy(out, left.ptr, n);
        r->out.at += n;
        r->slot->moved += n;
        return (ssize_t)n;
    }
    if (r->n_answered == r->n_asked) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (r->f->is_lost) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    front_sleep(r, FRONT_WAIT_ANSWER);
    return 0;
}

static enum MHD_Result send_answers(front_request *r)
{
    front *f = r->f;
    bool is_single = r->form == FRONT_BODY_OBJECT
                     || (r->form == FRONT_BODY_ANY && r->n_asked == 1);
    if (r->n_asked == 0) {
        return front_refuse(r, (front_refusal){MHD_HTTP_BAD_REQUEST,
                                               "the body contains no request"});
    }
    if (!is_single) {
        return front_reply(
            r, MHD_HTTP_OK, "application/jsonl",
            f->mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                 read_answers, r, NULL));
    }
    if (r->n_answered < r->n_asked && f->is_lost) {
        return front_refuse(r,
                            (front_refusal){MHD_HTTP_SERVICE_UNAVAILABLE,
                                            "the scoring process has ended"});
    }
    if (r->n_answered < r->n_asked) {
        front_sleep(r, FRONT_WAIT_ANSWER);
        return MHD_YES;
    }
    return front_reply_text(r, r->is_error ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_OK,
                            endpoint_type(r->what), bytes_left(&r->out));
}

/* Bodies. */

static void give_up(front_request *r, front_refusal refusal)
{
    r->refusal = refusal;
    exchange_forget(r->f->options->lines, r);
    bytes_free(&r->partial);
}

// The line that has come, whole; there is room for it.
static bool end_line(front_request *r)
{
    str text = str_trim(bytes_left(&r->partial));
    exchange_line line = {r->slot->client, r, r->n_asked, ++r->number};
    bool ok = true;
    if (text.len > 0) {
        ok = exchange_add(r->f->options->lines, line, text);
        r->n_asked += ok;
        r->f->n_lines += ok;
    }
    r->partial.len = r->partial.at = 0;
    return ok;
}

// Takes in a part of a line.
static bool add_part(front_request *r, str part)
{
    size_t before = r->partial.len;
    if (before + (size_t)part.len > MOST_LINE) {
        give_up(r, (front_refusal){MHD_HTTP_CONTENT_TOO_LARGE,
                                   "a line is longer than 8 MB"});
        return true;
    }
    bool ok = bytes_add(&r->partial, part);
    for (size_t i = before; r->form == FRONT_BODY_OBJECT && i < r->partial.len;
         i++) {
        char *c = &r->partial.ptr[i];
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    return ok;
}

// A part of a body. Leaves what there is no room for, and sleeps then.
static enum MHD_Result add_body(front_request *r,
                                const char *data,
                                size_t *size)
{
    r->slot->moved += *size;
    str left = {data, (ptrdiff_t)*size};
    while (left.len > 0 && r->refusal.status == 0) {
        ptrdiff_t end =
            r->form == FRONT_BODY_OBJECT ? -1 : str_find(left, S("\n"), 0);
        str part = end >= 0 ? str_sub(left, 0, end) : left;
        if (!add_part(r, part)) {
            return MHD_NO;
        }
        r->body += (size_t)part.len;
        left = str_skip(left, part.len);
        if (end < 0 || r->refusal.status != 0) {
            break;
        }
        if (!exchange_has_room(r->f->options->lines, r->slot->client, r)) {
            *size = (size_t)left.len;
            front_sleep(r, FRONT_WAIT_ROOM);
            return MHD_YES;
        }
        if (!end_line(r)) {
            return MHD_NO;
        }
        r->body++;
        left = str_skip(left, 1);
    }
    r->body += (size_t)left.len;
    *size = 0;
    return r->body > MOST_BODY ? MHD_NO : MHD_YES;
}

static enum MHD_Result end_body(front_request *r)
{
    bool has_line = str_trim(bytes_left(&r->partial)).len > 0;
    if (has_line
        && !exchange_has_room(r->f->options->lines, r->slot->client, r)) {
        front_sleep(r, FRONT_WAIT_ROOM);
        return MHD_YES;
    }
    r->is_read = true;
    return !has_line || end_line(r) ? send_answers(r) : MHD_NO;
}

/* Requests. */

// In a time that does not tell how much of it is right.
static bool is_token(const front *f, const char *header)
{
    str token = f->options->token;
    str given = str_from(header);
    bool is_bearer = str_starts_fold(given, S("Bearer "));
    given = is_bearer ? str_skip(given, 7) : given;
    unsigned differs = !is_bearer || given.len != token.len;
    for (ptrdiff_t i = 0; i < given.len; i++) {
        ptrdiff_t at = i < token.len ? i : 0;
        differs |= (unsigned char)(given.ptr[i] ^ token.ptr[at]);
    }
    return differs == 0;
}

static const char *header_of(const front_request *r, const char *name)
{
    return r->f->mhd.lookup_connection_value(r->connection, MHD_HEADER_KIND,
                                             name);
}

static front_form form_of(const front_request *r)
{
    str type = str_from(header_of(r, MHD_HTTP_HEADER_CONTENT_TYPE));
    ptrdiff_t end = str_find(type, S(";"), 0);
    type = str_trim(end >= 0 ? str_sub(type, 0, end) : type);
    bool is_lines = str_among_fold(
        type, "application/jsonl application/x-ndjson application/ndjson");
    return is_lines                                      ? FRONT_BODY_LINES
           : str_equal_fold(type, S("application/json")) ? FRONT_BODY_OBJECT
                                                         : FRONT_BODY_ANY;
}

// What the headers say of the body's length, and of who asks.
typedef struct framing {
    int n_lengths;
    int n_encodings;
    int n_tokens;
    int n_hosts;
    bool is_strange;
    const char *end;  // of the value before, in the library's memory
} framing;

// Texts of the library end at a NUL, and a header that was sent with one goes
// on behind it: between two headers there is no more than the end of a line.
static bool goes_on(const char *end, const char *next)
{
    enum {
        MOST_GAP = 64 << 10
    };
    ptrdiff_t n_nul = 0;
    ptrdiff_t n_blank = 0;
    ptrdiff_t n_other = 0;
    bool is_near = end && next > end && next - end < MOST_GAP;
    for (const char *c = end; is_near && c < next; c++) {
        n_nul += *c == '\0';
        n_blank += *c == ' ' || *c == '\t';
        n_other += *c != '\0' && !strchr(" \t\r\n", *c);
    }
    return n_other > 0 || (n_nul > 2 && n_blank == 0);
}

static enum MHD_Result see_header(void *context,
                                  enum MHD_ValueKind kind,
                                  const char *key,
                                  const char *value)
{
    framing *seen = context;
    str name = str_from(key);
    bool is_encoding = str_equal_fold(name, S("Transfer-Encoding"));
    (void)kind;
    seen->n_lengths += str_equal_fold(name, S("Content-Length"));
    seen->n_encodings += is_encoding;
    seen->n_tokens += str_equal_fold(name, S("Authorization"));
    seen->n_hosts += str_equal_fold(name, S("Host"));
    seen->is_strange |= goes_on(seen->end, key);
    seen->end = value ? value + str_from(value).len : NULL;
    seen->is_strange |=
        str_find(name, S(" "), 0) >= 0 || str_find(name, S("\t"), 0) >= 0
        || (is_encoding && !str_equal_fold(str_from(value), S("chunked")));
    return MHD_YES;
}

// What a proxy may read in one way and libmicrohttpd in another: where the next
// request begins, and whose it is, has to be beyond doubt.
static bool is_ambiguous(const front_request *r, const char *version)
{
    framing seen = {0};
    r->f->mhd.get_connection_values(r->connection, MHD_HEADER_KIND, see_header,
                                    &seen);
    // The last is followed by an empty line.
    seen.is_strange |= seen.end && goes_on(seen.end, seen.end + 2);
    bool is_old = !str_equal(str_from(version), S("HTTP/1.1"));
    return seen.is_strange || (is_old && seen.n_encodings > 0)
           || seen.n_lengths + seen.n_encodings > 1 || seen.n_tokens > 1
           || seen.n_hosts > 1;
}

// Texts of the library end at a NUL, whatever stands behind it. One that was
// sent as such is seen by where the version stands: the library keeps the first
// line in one piece, a byte between target and version. (Versions of it that do
// otherwise keep the two apart, or refuse a NUL.)
static bool has_nul(const front_request *r, const char *version)
{
    enum {
        MOST_LINE_BYTES = 64 << 10
    };
    uintptr_t begin = (uintptr_t)version;
    return r->has_nul
           || (begin > r->end + 1 && begin - r->end < MOST_LINE_BYTES);
}

static bool is_all_digits(str text)
{
    bool is_number = true;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        is_number = is_number && is_digit(text.ptr[i]);
    }
    return is_number;
}

// Of what is refused before its body is read.
static front_refusal refused_at_once(const front_request *r,
                                     const char *version)
{
    bool is_open = r->what == ENDPOINT_HEALTH;
    int64_t size = 0;
    str length = str_from(header_of(r, MHD_HTTP_HEADER_CONTENT_LENGTH));
    if (has_nul(r, version)) {
        return (front_refusal){MHD_HTTP_BAD_REQUEST, "a NUL in the request"};
    }
    if (is_ambiguous(r, version)) {
        return (front_refusal){MHD_HTTP_BAD_REQUEST,
                               "the headers are ambiguous"};
    }
    if (!is_open && r->f->options->token.len > 0
        && !is_token(r->f, header_of(r, MHD_HTTP_HEADER_AUTHORIZATION))) {
        return (front_refusal){
            MHD_HTTP_UNAUTHORIZED,
            "this needs a token: Authorization: Bearer TOKEN"};
    }
    // A page in somebody's browser reaches what listens on this machine.
    if (!is_open && r->f->options->token.len == 0
        && header_of(r, MHD_HTTP_HEADER_ORIGIN)) {
        return (front_refusal){MHD_HTTP_FORBIDDEN, "web pages need a token"};
    }
    if (!is_all_digits(length)) {
        return (front_refusal){MHD_HTTP_BAD_REQUEST,
                               "the length of the body is not a number"};
    }
    if (length.len > 0 && (!str_to_int(length, &size) || size > MOST_BODY)) {
        return (front_refusal){MHD_HTTP_CONTENT_TOO_LARGE,
                               "a body is longer than 64 MB"};
    }
    return (front_refusal){0};
}

// Is there room for a call of this client? Says why not.
static bool may_ask(front_request *r)
{
    const exchange *lines = r->f->options->lines;
    const front_client *client = r->slot->client;
    bool may_call = front_client_may_call(r->f, client);
    bool is_full =
        exchange_is_full(lines) || (!may_call && client->n_calls == 0);
    if (is_full) {
        r->refusal =
            (front_refusal){MHD_HTTP_SERVICE_UNAVAILABLE, "the queue is full"};
    } else if (!may_call || !exchange_has_room(lines, client, r)) {
        r->refusal = (front_refusal){MHD_HTTP_TOO_MANY_REQUESTS,
                                     "this client already has its share"};
    }
    return r->refusal.status == 0;
}

static void look_at(front_request *r, const char *url, const char *method)
{
    front *f = r->f;
    const char *ordered = f->mhd.lookup_connection_value(
        r->connection, MHD_GET_ARGUMENT_KIND, "ordered");
    r->what = endpoint_of(str_from(url));
    if (r->what == ENDPOINT_COUNT) {
        r->refusal = (front_refusal){
            MHD_HTTP_NOT_FOUND, "there is nothing here; see /openapi.json"};
    } else if (!endpoint_takes(r->what, str_from(method))) {
        r->refusal = (front_refusal){MHD_HTTP_METHOD_NOT_ALLOWED,
                                     "wrong method; see /openapi.json"};
    } else if ((f->is_stopping || f->is_lost)
               && (endpoint_takes_lines(r->what)
                   || r->what == ENDPOINT_HEALTH)) {
        r->refusal = (front_refusal){MHD_HTTP_SERVICE_UNAVAILABLE,
                                     "the server is shutting down"};
    } else if (r->what == ENDPOINT_HEALTH && front_is_still(f)) {
        r->refusal = (front_refusal){MHD_HTTP_SERVICE_UNAVAILABLE,
                                     "the scoring process does not respond"};
    } else if (!endpoint_takes_lines(r->what) || may_ask(r)) {
        r->form = form_of(r);
        r->is_ordered = str_equal(str_from(ordered), S("1"));
    }
}

static front_request *new_request(front *f, struct MHD_Connection *connection)
{
    front_request *r = calloc(1, sizeof *r);
    if (r) {
        *r = (front_request){
            .f = f,
            .connection = connection,
            .slot = f->mhd
                        .get_connection_info(connection,
                                             MHD_CONNECTION_INFO_SOCKET_CONTEXT)
                        ->socket_context,
            .next = f->requests,
        };
        r->slot->request = r;
        front_see(r->slot, clock_ns());
        if (r->next) {
            r->next->previous = r;
        }
        f->requests = r;
        f->n_requests++;
        f->n_calls++;
    }
    return r;
}

static enum MHD_Result answer(front_request *r)
{
    switch (r->what) {
    case ENDPOINT_SCORE:
    case ENDPOINT_CHECK: return r->is_read ? send_answers(r) : end_body(r);
    case ENDPOINT_VERSION: return front_reply_version(r);
    case ENDPOINT_HEALTH:
        return front_reply_text(r, MHD_HTTP_OK, endpoint_type(r->what),
                                S("ok\n"));
    case ENDPOINT_METRICS: return front_reply_metrics(r);
    case ENDPOINT_OPENAPI:
        return front_reply_text(r, MHD_HTTP_OK, endpoint_type(r->what),
                                r->f->description);
    case ENDPOINT_COUNT: break;
    }
    return MHD_NO;
}

void *front_on_uri(void *context,
                   const char *uri,
                   struct MHD_Connection *connection)
{
    front_request *r = new_request(context, connection);
    if (r) {
        str target = str_from(uri);
        r->has_nul = str_find(target, S("%00"), 0) >= 0;
        r->end = (uintptr_t)uri + (size_t)target.len;
    }
    return r;
}

// Called when the head of a request is there, for each part of its body, at the
// end of it, and after each sleep.
enum MHD_Result front_on_request(void *context,
                                 struct MHD_Connection *connection,
                                 const char *url,
                                 const char *method,
                                 const char *version,
                                 const char *data,
                                 size_t *size,
                                 void **state)
{
    front_request *r = *state;
    (void)context;
    (void)connection;
    if (!r) {
        return MHD_NO;  // no memory
    }
    if (!r->is_begun) {
        r->is_begun = true;
        look_at(r, url, method);
        front_refusal now = refused_at_once(r, version);
        if (now.status != 0) {
            return front_refuse(r, now);
        }
        r->is_judged = r->refusal.status == 0 && endpoint_takes_lines(r->what);
        r->slot->client->n_calls += r->is_judged;
        r->f->n_judged += r->is_judged;
        return MHD_YES;
    }
    if (r->is_gone) {
        return MHD_NO;
    }
    if (*size > 0 && endpoint_takes_lines(r->what)) {
        return add_body(r, data, size);
    }
    if (*size > 0) {
        r->body += *size;
        *size = 0;
        return r->body > MOST_BODY ? MHD_NO : MHD_YES;
    }
    return r->refusal.status != 0 ? front_refuse(r, r->refusal) : answer(r);
}

void front_on_completed(void *context,
                        struct MHD_Connection *connection,
                        void **state,
                        enum MHD_RequestTerminationCode how)
{
    front *f = context;
    front_request *r = *state;
    (void)connection;
    if (!r) {
        return;
    }
    r->slot->request = NULL;
    front_see(r->slot, clock_ns());
    r->slot->is_answered |= how == MHD_REQUEST_TERMINATED_COMPLETED_OK;
    r->slot->client->n_calls -= r->is_judged;
    f->n_judged -= r->is_judged;
    f->n_gone += how != MHD_REQUEST_TERMINATED_COMPLETED_OK && !r->is_gone;
    if (r->n_answered < r->n_asked) {
        exchange_forget(f->options->lines, r);
    }
    *(r->previous ? &r->previous->next : &f->requests) = r->next;
    if (r->next) {
        r->next->previous = r->previous;
    }
    for (size_t i = 0; i < r->n_held; i++) {
        bytes_free(&r->held[i]);
    }
    free(r->held);
    bytes_free(&r->partial);
    bytes_free(&r->out);
    free(r);
    f->n_requests--;
    *state = NULL;
}
