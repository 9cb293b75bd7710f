/*
 * front.c - see front.h.
 *
 * Method      libmicrohttpd runs within our loop, and waits in an epoll file.
 *             A request is a client's call, its lines are what is judged. The
 *             body is cut into lines as it comes, and they go out at once; the
 *             answer begins when the body is over, since HTTP/1 has it so.
 *             A connection sleeps (is suspended) until there is room for its
 *             next line, or an answer; whether its client is still there, we
 *             look ourselves, for libmicrohttpd does not then.
 *
 * Bounds      Connections: MOST_CONNECTIONS. A body: MOST_BODY, a line:
 *             MOST_LINE. What is held is lines, whose number is bounded, and
 *             the answers of those who do not read theirs, in proportion to
 *             their bodies.
 */
#define _GNU_SOURCE  // POLLRDHUP
#include "serve/front.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/library.h"
#include "base/version.h"
#include "serve/endpoint.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

// After those that it needs.
#include <microhttpd.h>

enum {
    MOST_CONNECTIONS = 512,
    MOST_LINE = 8 * 1000 * 1000,
    MOST_BODY = 64 * 1000 * 1000,
    IDLE_SECONDS = 60,
    MEMORY_OF_CONNECTION = 64 << 10,
    BLOCK_BYTES = 32 << 10,
    OWN_FDS = 4,
    LAST_MS = 2000,  // for last words, when those who judge have gone
};

typedef struct microhttpd_api {
#define MICROHTTPD_FUNCTION(name) __typeof__(MHD_##name) *(name);
#include "serve/microhttpd_api.def"
#undef MICROHTTPD_FUNCTION
} microhttpd_api;

// What a connection sleeps for.
typedef enum wait_for {
    WAIT_NOTHING,
    WAIT_ROOM,
    WAIT_ANSWER,
} wait_for;

typedef enum body_form {
    BODY_ANY,     // by the number of its lines
    BODY_OBJECT,  // application/json: all of it is one
    BODY_LINES,
} body_form;

typedef struct front front;

typedef struct request {
    front *f;
    struct MHD_Connection *connection;
    struct request *next;
    struct request *previous;
    endpoint what;
    body_form form;
    wait_for waits;
    bool is_ordered;
    bool is_read;  // the body is
    bool is_gone;  // the client
    unsigned status;
    const char *refusal;  // said with the status, when the body is read
    size_t body;          // bytes of it
    bytes partial;        // a line whose end has not come
    int64_t number;       // of that line
    ptrdiff_t n_asked;
    ptrdiff_t n_answered;
    bytes out;      // answers, a line each
    bytes *held;    // by index, where they go in order
    size_t n_held;  // slots of it
    ptrdiff_t turn;
    bool is_error;  // the last answer
} request;

struct front {
    const front_options *options;
    listen_place place;
    int listener;  // -1: closed
    int signals;
    microhttpd_api mhd;
    struct MHD_Daemon *daemon;
    request *requests;
    ptrdiff_t n_requests;
    struct pollfd fds[OWN_FDS + MOST_CONNECTIONS];
    request *sleepers[MOST_CONNECTIONS];
    nfds_t n_sleepers;
    str description;
    bool is_stopping;
    bool is_lost;
    bool is_interrupted;
    int64_t began_ns;
    int64_t n_calls;
    int64_t n_refused;
    int64_t n_lines;
    int64_t n_answers;
    int64_t n_errors;
    int64_t n_gone;
};

/* Sleep. */

static void sleep_for(request *r, wait_for what)
{
    r->waits = what;
    r->f->mhd.suspend_connection(r->connection);
}

static void wake(request *r)
{
    if (r->waits != WAIT_NOTHING) {
        r->waits = WAIT_NOTHING;
        r->f->mhd.resume_connection(r->connection);
    }
}

static void wake_all(front *f, wait_for what)
{
    for (request *r = f->requests; r; r = r->next) {
        if (r->waits == what) {
            wake(r);
        }
    }
}

static void lose_client(request *r)
{
    r->f->n_gone++;
    r->is_gone = true;
    exchange_forget(r->f->options->lines, r);
    wake(r);
}

/* Replies. */

static enum MHD_Result send_response(request *r,
                                     unsigned status,
                                     const char *type,
                                     struct MHD_Response *response)
{
    front *f = r->f;
    if (!response) {
        return MHD_NO;
    }
    f->mhd.add_response_header(response, "Content-Type", type);
    f->mhd.add_response_header(response, "Cache-Control", "no-store");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE) {
        f->mhd.add_response_header(response, "Retry-After", "1");
    }
    if (status == MHD_HTTP_UNAUTHORIZED) {
        f->mhd.add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        f->mhd.add_response_header(response, "Allow", endpoint_method(r->what));
    }
    if (f->is_stopping || f->is_lost) {
        f->mhd.add_response_header(response, "Connection", "close");
    }
    enum MHD_Result done =
        f->mhd.queue_response(r->connection, status, response);
    f->mhd.destroy_response(response);
    return done;
}

static enum MHD_Result send_text(request *r,
                                 unsigned status,
                                 const char *type,
                                 str text)
{
    // The library copies it, and takes it for one that it may change.
    struct MHD_Response *response = r->f->mhd.create_response_from_buffer(
        (size_t)text.len, (void *)(uintptr_t)text.ptr, MHD_RESPMEM_MUST_COPY);
    return send_response(r, status, type, response);
}

static enum MHD_Result refuse(request *r, unsigned status, const char *why)
{
    char text[200];
    arena a = {.next = text, .end = text + sizeof text};
    r->f->n_refused++;
    str line = arena_printf(&a, "{\"error\":\"%s\"}\n", why);
    return send_text(r, status, "application/json", line);
}

static void add_figure(buf *b, const char *kind, const char *name, double value)
{
    buf_printf(b, "# TYPE assay_%s %s\nassay_%s %.15g\n", name, kind, name,
               value);
}

static enum MHD_Result send_metrics(request *r)
{
    char text[2048];
    const front *f = r->f;
    const exchange *x = f->options->lines;
    arena a = {.next = text, .end = text + sizeof text};
    buf b = buf_new(&a);
    add_figure(&b, "counter", "requests_total", (double)f->n_calls);
    add_figure(&b, "counter", "refused_total", (double)f->n_refused);
    add_figure(&b, "counter", "clients_gone_total", (double)f->n_gone);
    add_figure(&b, "counter", "lines_total", (double)f->n_lines);
    add_figure(&b, "counter", "answers_total", (double)f->n_answers);
    add_figure(&b, "counter", "errors_total", (double)f->n_errors);
    add_figure(&b, "gauge", "queue_length", (double)exchange_n_waiting(x));
    add_figure(&b, "gauge", "in_flight", (double)exchange_n_flight(x));
    add_figure(&b, "gauge", "uptime_seconds",
               (double)(clock_ns() - f->began_ns) / 1e9);
    return send_text(r, MHD_HTTP_OK, "text/plain; version=0.0.4", buf_str(&b));
}

static enum MHD_Result send_version(request *r)
{
    char text[200];
    arena a = {.next = text, .end = text + sizeof text};
    str line =
        arena_printf(&a, "{\"assay\":\"%.*s\"}\n", STR_ARG(version_text()));
    return send_text(r, MHD_HTTP_OK, endpoint_type(r->what), line);
}

/* Answers. */

static bool hold(request *r, exchange_line line, str answer)
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
    while ((size_t)r->turn < r->n_held && r->held[r->turn].len > 0) {
        bytes *next = &r->held[r->turn++];
        ok = bytes_add(&r->out, bytes_left(next)) && bytes_add(&r->out, S("\n"))
             && ok;
        bytes_free(next);
    }
    return ok;
}

// Is it {"id":..., "line":N,"error":...}, or that without an id?
static bool is_error(exchange_line line, str answer)
{
    char text[64];
    arena a = {.next = text, .end = text + sizeof text};
    str mark =
        arena_printf(&a, "\"line\":%lld,\"error\":\"", (long long)line.number);
    return str_find(answer, mark, 0) >= 0;
}

static void take_answer(exchange_line line, str answer, void *context)
{
    front *f = context;
    request *r = line.owner;
    bool ok = r->is_ordered
                  ? hold(r, line, answer)
                  : bytes_add(&r->out, answer) && bytes_add(&r->out, S("\n"));
    r->n_answered++;
    r->is_error = is_error(line, answer);
    f->n_answers++;
    f->n_errors += r->is_error;
    if (!ok) {
        lose_client(r);  // no memory for what it asked
    } else if (r->waits == WAIT_ANSWER) {
        wake(r);
    }
}

// A part of the answers, for a response without an end that is known.
static ssize_t read_answers(void *context,
                            uint64_t position,
                            char *out,
                            size_t most)
{
    request *r = context;
    (void)position;
    str left = bytes_left(&r->out);
    if (r->is_gone) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (left.len > 0) {
        size_t n = (size_t)left.len < most ? (size_t)left.len : most;
        memcpy(out, left.ptr, n);
        r->out.at += n;
        return (ssize_t)n;
    }
    if (r->n_answered == r->n_asked) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (r->f->is_lost) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    sleep_for(r, WAIT_ANSWER);
    return 0;
}

static enum MHD_Result send_answers(request *r)
{
    front *f = r->f;
    bool is_single =
        r->form == BODY_OBJECT || (r->form == BODY_ANY && r->n_asked == 1);
    if (r->n_asked == 0) {
        return refuse(r, MHD_HTTP_BAD_REQUEST, "the body holds no request");
    }
    if (!is_single) {
        return send_response(
            r, MHD_HTTP_OK, "application/jsonl",
            f->mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                 read_answers, r, NULL));
    }
    if (r->n_answered < r->n_asked && f->is_lost) {
        return refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "the process that judges has ended");
    }
    if (r->n_answered < r->n_asked) {
        sleep_for(r, WAIT_ANSWER);
        return MHD_YES;
    }
    return send_text(r, r->is_error ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_OK,
                     endpoint_type(r->what), bytes_left(&r->out));
}

/* Bodies. */

static void give_up(request *r, unsigned status, const char *why)
{
    r->status = status;
    r->refusal = why;
    exchange_forget(r->f->options->lines, r);
    bytes_free(&r->partial);
}

// The line that has come, whole; there is room for it.
static bool end_line(request *r)
{
    str text = str_trim(bytes_left(&r->partial));
    exchange_line line = {r, r->n_asked, ++r->number};
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
static bool add_part(request *r, str part)
{
    size_t before = r->partial.len;
    if (before + (size_t)part.len > MOST_LINE) {
        give_up(r, MHD_HTTP_CONTENT_TOO_LARGE, "a line is longer than 8 MB");
        return true;
    }
    bool ok = bytes_add(&r->partial, part);
    for (size_t i = before; r->form == BODY_OBJECT && i < r->partial.len; i++) {
        char *c = &r->partial.ptr[i];
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    return ok;
}

// A part of a body. Leaves what there is no room for, and sleeps then.
static enum MHD_Result add_body(request *r, const char *data, size_t *size)
{
    str left = {data, (ptrdiff_t)*size};
    while (left.len > 0 && !r->refusal) {
        ptrdiff_t end =
            r->form == BODY_OBJECT ? -1 : str_find(left, S("\n"), 0);
        str part = end >= 0 ? str_sub(left, 0, end) : left;
        if (!add_part(r, part)) {
            return MHD_NO;
        }
        r->body += (size_t)part.len;
        left = str_skip(left, part.len);
        if (end < 0 || r->refusal) {
            break;
        }
        if (!exchange_has_room(r->f->options->lines)) {
            *size = (size_t)left.len;
            sleep_for(r, WAIT_ROOM);
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

static enum MHD_Result end_body(request *r)
{
    bool has_line = str_trim(bytes_left(&r->partial)).len > 0;
    if (has_line && !exchange_has_room(r->f->options->lines)) {
        sleep_for(r, WAIT_ROOM);
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

static const char *header_of(const request *r, const char *name)
{
    return r->f->mhd.lookup_connection_value(r->connection, MHD_HEADER_KIND,
                                             name);
}

static body_form form_of(const request *r)
{
    str type = str_from(header_of(r, MHD_HTTP_HEADER_CONTENT_TYPE));
    ptrdiff_t end = str_find(type, S(";"), 0);
    type = str_trim(end >= 0 ? str_sub(type, 0, end) : type);
    bool is_lines = str_equal_fold(type, S("application/jsonl"))
                    || str_equal_fold(type, S("application/x-ndjson"))
                    || str_equal_fold(type, S("application/ndjson"));
    return is_lines                                      ? BODY_LINES
           : str_equal_fold(type, S("application/json")) ? BODY_OBJECT
                                                         : BODY_ANY;
}

// What is refused before its body is read; 0: nothing.
static unsigned refused_at_once(const request *r, const char **why)
{
    bool is_open = r->what == ENDPOINT_HEALTH;
    int64_t size = 0;
    str length = str_from(header_of(r, MHD_HTTP_HEADER_CONTENT_LENGTH));
    if (!is_open && r->f->options->token.len > 0
        && !is_token(r->f, header_of(r, MHD_HTTP_HEADER_AUTHORIZATION))) {
        *why = "this needs a token: Authorization: Bearer TOKEN";
        return MHD_HTTP_UNAUTHORIZED;
    }
    // A page in somebody's browser reaches what listens on this machine.
    if (!is_open && r->f->options->token.len == 0
        && header_of(r, MHD_HTTP_HEADER_ORIGIN)) {
        *why = "web pages need a token";
        return MHD_HTTP_FORBIDDEN;
    }
    if (str_to_int(length, &size) && size > MOST_BODY) {
        *why = "a body is longer than 64 MB";
        return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    return 0;
}

static void look_at(request *r, const char *url, const char *method)
{
    front *f = r->f;
    const char *ordered = f->mhd.lookup_connection_value(
        r->connection, MHD_GET_ARGUMENT_KIND, "ordered");
    r->what = endpoint_of(str_from(url));
    if (r->what == ENDPOINT_COUNT) {
        r->status = MHD_HTTP_NOT_FOUND;
        r->refusal = "there is nothing here; see /openapi.json";
    } else if (!endpoint_takes(r->what, str_from(method))) {
        r->status = MHD_HTTP_METHOD_NOT_ALLOWED;
        r->refusal = "another method is meant; see /openapi.json";
    } else if (r->what == ENDPOINT_SCORE && (f->is_stopping || f->is_lost)) {
        r->status = MHD_HTTP_SERVICE_UNAVAILABLE;
        r->refusal = "the server is ending";
    } else if (r->what == ENDPOINT_SCORE
               && !exchange_has_room(f->options->lines)) {
        r->status = MHD_HTTP_SERVICE_UNAVAILABLE;
        r->refusal = "the queue is full";
    } else {
        r->form = form_of(r);
        r->is_ordered = str_equal(str_from(ordered), S("1"));
    }
}

static request *new_request(front *f, struct MHD_Connection *connection)
{
    request *r = calloc(1, sizeof *r);
    if (r) {
        r->f = f;
        r->connection = connection;
        r->next = f->requests;
        if (r->next) {
            r->next->previous = r;
        }
        f->requests = r;
        f->n_requests++;
        f->n_calls++;
    }
    return r;
}

static enum MHD_Result answer(request *r)
{
    bool is_ending = r->f->is_stopping || r->f->is_lost;
    switch (r->what) {
    case ENDPOINT_SCORE: return r->is_read ? send_answers(r) : end_body(r);
    case ENDPOINT_VERSION: return send_version(r);
    case ENDPOINT_HEALTH:
        return is_ending ? refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                                  "the server is ending")
                         : send_text(r, MHD_HTTP_OK, endpoint_type(r->what),
                                     S("ok\n"));
    case ENDPOINT_METRICS: return send_metrics(r);
    case ENDPOINT_OPENAPI:
        return send_text(r, MHD_HTTP_OK, endpoint_type(r->what),
                         r->f->description);
    case ENDPOINT_COUNT: break;
    }
    return MHD_NO;
}

// Called when the head of a request is there, for each part of its body, at the
// end of it, and after each sleep.
static enum MHD_Result on_request(void *context,
                                  struct MHD_Connection *connection,
                                  const char *url,
                                  const char *method,
                                  const char *version,
                                  const char *data,
                                  size_t *size,
                                  void **state)
{
    request *r = *state;
    (void)version;
    if (!r) {
        const char *why = NULL;
        r = *state = new_request(context, connection);
        if (!r) {
            return MHD_NO;
        }
        look_at(r, url, method);
        unsigned status = refused_at_once(r, &why);
        return status != 0 ? refuse(r, status, why) : MHD_YES;
    }
    if (r->is_gone) {
        return MHD_NO;
    }
    if (*size > 0 && r->what == ENDPOINT_SCORE) {
        return add_body(r, data, size);
    }
    if (*size > 0) {
        r->body += *size;
        *size = 0;
        return r->body > MOST_BODY ? MHD_NO : MHD_YES;
    }
    return r->refusal ? refuse(r, r->status, r->refusal) : answer(r);
}

static void on_completed(void *context,
                         struct MHD_Connection *connection,
                         void **state,
                         enum MHD_RequestTerminationCode how)
{
    front *f = context;
    request *r = *state;
    (void)connection;
    (void)how;
    if (!r) {
        return;
    }
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

/* The loop. */

static bool load(front *f, diag *d)
{
    static const char *const names[] = {
#define MICROHTTPD_FUNCTION(name) "MHD_" #name,
#include "serve/microhttpd_api.def"
#undef MICROHTTPD_FUNCTION
    };
    const library_spec spec = {
        .file = "libmicrohttpd.so.12",
        .needed = "serving HTTP needs the library libmicrohttpd.so.12 "
                  "(Debian: libmicrohttpd12)",
        .names = names,
        .n_names = countof(names),
    };
    void *library = NULL;  // stays for as long as the program
    return library_load(&library, (void **)&f->mhd, &spec, d);
}

static bool start(front *f, diag *d)
{
    f->listener = listen_open(&f->place, d);
    if (f->listener < 0) {
        return false;
    }
    f->daemon = f->mhd.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, f,
        MHD_OPTION_LISTEN_SOCKET, f->listener, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, f, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_OF_CONNECTION, MHD_OPTION_END);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    f->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return (f->daemon && f->signals >= 0)
           || diag_add(d, (diag_place){0}, "cannot serve: %s", strerror(errno));
}

static void stop_listening(front *f)
{
    if (f->listener >= 0) {
        if (f->daemon) {
            f->mhd.quiesce_daemon(f->daemon);
        }
        listen_close(&f->place, f->listener);
        f->listener = -1;
    }
}

static void take_signals(front *f)
{
    struct signalfd_siginfo told;
    while (read(f->signals, &told, sizeof told) == sizeof told) {
        f->is_interrupted = f->is_stopping;
        f->is_stopping = true;
    }
    if (f->is_stopping) {
        stop_listening(f);
    }
}

static void fill_fds(front *f)
{
    int waits =
        f->mhd.get_daemon_info(f->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    bool has_output = exchange_has_output(f->options->lines);
    f->fds[0] = (struct pollfd){.fd = f->signals, .events = POLLIN};
    f->fds[1] = (struct pollfd){.fd = waits, .events = POLLIN};
    f->fds[2] =
        (struct pollfd){.fd = has_output && !f->is_lost ? f->options->to : -1,
                        .events = POLLOUT};
    f->fds[3] = (struct pollfd){.fd = f->is_lost ? -1 : f->options->from,
                                .events = POLLIN};
    f->n_sleepers = 0;
    for (request *r = f->requests; r; r = r->next) {
        if (r->waits != WAIT_NOTHING && f->n_sleepers < MOST_CONNECTIONS) {
            int fd = f->mhd
                         .get_connection_info(r->connection,
                                              MHD_CONNECTION_INFO_CONNECTION_FD)
                         ->connect_fd;
            f->sleepers[f->n_sleepers] = r;
            f->fds[OWN_FDS + f->n_sleepers++] =
                (struct pollfd){.fd = fd, .events = POLLRDHUP};
        }
    }
}

static int wait_ms(front *f)
{
    MHD_UNSIGNED_LONG_LONG ms = 0;
    bool has_end = f->mhd.get_timeout(f->daemon, &ms) == MHD_YES;
    int most = f->is_stopping || f->is_lost ? 100 : 10000;
    return has_end && ms < (MHD_UNSIGNED_LONG_LONG)most ? (int)ms : most;
}

static void step(front *f)
{
    exchange *lines = f->options->lines;
    fill_fds(f);
    poll(f->fds, OWN_FDS + f->n_sleepers, wait_ms(f));
    take_signals(f);
    for (nfds_t i = 0; i < f->n_sleepers; i++) {
        if (f->fds[OWN_FDS + i].revents) {
            lose_client(f->sleepers[i]);
        }
    }
    if (!f->is_lost) {
        exchange_write(lines);
        f->is_lost = !exchange_read(lines, take_answer, f);
    }
    if (f->is_lost) {
        stop_listening(f);
        wake_all(f, WAIT_ANSWER);
        wake_all(f, WAIT_ROOM);
    } else if (exchange_has_room(lines)) {
        wake_all(f, WAIT_ROOM);
    }
    f->mhd.run(f->daemon);
    if (!f->is_lost) {
        exchange_write(lines);
    }
}

static front_end loop(front *f)
{
    int64_t lost_ns = 0;
    bool is_over = false;
    while (!is_over) {
        step(f);
        lost_ns = f->is_lost && lost_ns == 0 ? clock_ns() : lost_ns;
        bool is_late =
            f->is_lost && clock_ns() - lost_ns > (int64_t)LAST_MS * 1000000;
        is_over = f->is_interrupted || is_late
                  || ((f->is_lost || f->is_stopping) && f->n_requests == 0);
    }
    return f->is_interrupted ? FRONT_INTERRUPTED
           : f->is_lost      ? FRONT_LOST
                             : FRONT_DONE;
}

// What still sleeps is woken first: libmicrohttpd demands it.
static void stop(front *f)
{
    stop_listening(f);
    for (request *r = f->requests; r; r = r->next) {
        lose_client(r);
    }
    if (f->daemon) {
        f->mhd.run(f->daemon);
        f->mhd.stop_daemon(f->daemon);
    }
    if (f->signals >= 0) {
        close(f->signals);
    }
}

front_end front_run(const front_options *options, arena *a, diag *d)
{
    front *f = arena_new(a, front, 1);
    *f = (front){.options = options,
                 .place = options->place,
                 .listener = -1,
                 .signals = -1,
                 .began_ns = clock_ns()};
    f->description = endpoint_description(a);
    if (!load(f, d)) {
        return FRONT_FAILED;
    }
    if (!start(f, d)) {
        stop(f);
        return FRONT_FAILED;
    }
    front_end end = FRONT_LOST;
    if (exchange_greet(options->lines)) {
        options->ready(&f->place, options->context);
        end = loop(f);
    }
    stop(f);
    return end;
}
