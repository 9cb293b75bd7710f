/*
 * chat_curl.c - the calls of chat.h over libcurl's multi interface.
 *
 * Why         libcurl brings TLS, proxies, connection reuse; but only a judge
 *             needs it. So it is loaded when the first call is to be made, and
 *             assay needs no network library to score.
 *
 * Method      A fixed set of slots, one call each. A call that fails in a way
 *             that may pass (429, 5xx, a time-out, a cut or broken body) waits
 *             in its slot, for as long as the server says (Retry-After) or
 *             backoff * 2^tries with jitter, and is sent again. Calls that wait
 *             for that do not count as on their way, so there are more slots
 *             than calls; but a server that names a time holds all of them. A
 *             slot keeps its handle, so connections are used again.
 *
 *             A connection that is refused passes where a server is being
 *             restarted. One that nobody has answered yet is hardly restarted:
 *             the address is wrong. Such a call is tried once more, and no
 *             further, so that the run ends in a second.
 *
 * Invariants  (1) A slot is free, running in the multi handle, or waiting.
 *             (2) No call is sent again once its answer was read.
 *             (3) The key is in the header list and nowhere else: not in
 *                 errors, not in the body, not on a redirect (none is
 *                 followed). An answer stays as it came: it is data.
 */
#include "base/clock.h"
#include "base/library.h"
#include "base/rng.h"
#include "model/chat.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

enum {
    BODY_BYTES_MAX = 4 << 20,  // of one response; answers are far shorter
    WAIT_MS_MAX = 60 * 1000,   // between two tries
    POLL_MS_MAX = 200,
    SLOTS_MAX = 1024,
    SLOTS_PER_CALL = 8,
    SILENT_TRIES = 2,  // of a call while nobody has answered any
};

typedef struct curl_api {
#define CURL_FUNCTION(name) __typeof__(curl_##name) *(name);
#include "model/curl_api.def"
#undef CURL_FUNCTION
} curl_api;

typedef enum slot_state {
    SLOT_FREE,
    SLOT_RUNNING,
    SLOT_WAITING,
} slot_state;

typedef struct slot {
    slot_state state;
    CURL *easy;
    ptrdiff_t id;
    str body;
    int64_t n_tries;
    int64_t due_ns;      // when it is sent
    int64_t started_ns;  // the current try
    arena_store store;   // of the response
    arena a;
    buf response;
    bool is_too_long;
    char error[CURL_ERROR_SIZE];
} slot;

struct chat {
    void *library;
    curl_api curl;
    chat_options options;
    CURLM *multi;
    struct curl_slist *headers;
    slot *slots;
    ptrdiff_t n_slots;
    ptrdiff_t n_busy;
    ptrdiff_t n_paused;     // of them, between two tries
    int64_t hold_until_ns;  // a server asked for that: no call starts before
    int64_t next_start_ns;  // when --rate allows the next call
    bool has_answered;      // the server, whatever it said
    rng jitter;
};

static bool load(chat *c, diag *d)
{
    static const char *const names[] = {
#define CURL_FUNCTION(name) "curl_" #name,
#include "model/curl_api.def"
#undef CURL_FUNCTION
    };
    const library_spec spec = {
        .file = "libcurl.so.4",
        .other_file = "libcurl-gnutls.so.4",
        .needed = "calls to a model need the library libcurl.so.4 (Debian: "
                  "libcurl4)",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(&c->library, (void **)&c->curl, &spec, d);
}

static size_t take_bytes(char *bytes, size_t size, size_t n, void *context)
{
    slot *s = context;
    ptrdiff_t len = (ptrdiff_t)(size * n);
    if (s->response.len + len > BODY_BYTES_MAX) {
        s->is_too_long = true;
        return 0;
    }
    buf_add(&s->response, (str){bytes, len});
    return size * n;
}

static bool add_header(chat *c, const char *line)
{
    struct curl_slist *longer = c->curl.slist_append(c->headers, line);
    c->headers = longer ? longer : c->headers;
    return longer != NULL;
}

static void set_up(const chat *c, slot *s, const char *url)
{
    const curl_api *l = &c->curl;
    l->easy_setopt(s->easy, CURLOPT_URL, url);
    l->easy_setopt(s->easy, CURLOPT_HTTPHEADER, c->headers);
    l->easy_setopt(s->easy, CURLOPT_POST, 1L);
    l->easy_setopt(s->easy, CURLOPT_WRITEFUNCTION, take_bytes);
    l->easy_setopt(s->easy, CURLOPT_WRITEDATA, s);
    l->easy_setopt(s->easy, CURLOPT_PRIVATE, s);
    l->easy_setopt(s->easy, CURLOPT_ERRORBUFFER, s->error);
    l->easy_setopt(s->easy, CURLOPT_TIMEOUT_MS, (long)c->options.timeout_ms);
    l->easy_setopt(s->easy, CURLOPT_NOSIGNAL, 1L);
    l->easy_setopt(s->easy, CURLOPT_FOLLOWLOCATION, 0L);
    l->easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    l->easy_setopt(s->easy, CURLOPT_ACCEPT_ENCODING, "");
    l->easy_setopt(s->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    if (c->options.ca_file) {
        l->easy_setopt(s->easy, CURLOPT_CAINFO, c->options.ca_file);
    }
    if (c->options.ca_folder) {
        l->easy_setopt(s->easy, CURLOPT_CAPATH, c->options.ca_folder);
    }
}

static bool open_slots(chat *c, arena *a, diag *d)
{
    ptrdiff_t n = c->options.concurrency;
    n = n < 1 ? 1 : n > SLOTS_MAX ? SLOTS_MAX : n;
    c->options.concurrency = n;
    n = n * SLOTS_PER_CALL > SLOTS_MAX ? SLOTS_MAX : n * SLOTS_PER_CALL;
    str url =
        arena_printf(a, "%.*s/chat/completions", STR_ARG(c->options.base_url));
    const char *address = arena_cstr(a, url);
    c->slots = arena_new(a, slot, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        slot *s = &c->slots[i];
        s->easy = c->curl.easy_init();
        if (!s->easy
            || !arena_store_open(&s->store, 3 * (ptrdiff_t)BODY_BYTES_MAX)) {
            return diag_add(d, (diag_place){0}, "no memory for %td calls", n);
        }
        c->n_slots = i + 1;
        set_up(c, s, address);
    }
    return true;
}

chat *chat_open(arena *a, const chat_options *options, diag *d)
{
    chat *c = arena_new(a, chat, 1);
    c->options = *options;
    c->jitter = (rng){options->seed};
    if (!load(c, d)) {
        return NULL;
    }
    c->curl.global_init(CURL_GLOBAL_DEFAULT);
    c->multi = c->curl.multi_init();
    bool ok = c->multi && add_header(c, "Content-Type: application/json");
    if (ok && options->key) {
        str line = arena_printf(a, "Authorization: Bearer %s", options->key);
        ok = add_header(c, arena_cstr(a, line));
    }
    if (!ok) {
        diag_add(d, (diag_place){0}, "libcurl cannot be set up");
    }
    if (!ok || !open_slots(c, a, d)) {
        chat_close(c);
        return NULL;
    }
    return c;
}

void chat_close(chat *c)
{
    if (!c) {
        return;
    }
    for (ptrdiff_t i = 0; i < c->n_slots; i++) {
        slot *s = &c->slots[i];
        if (s->state == SLOT_RUNNING) {
            c->curl.multi_remove_handle(c->multi, s->easy);
        }
        c->curl.easy_cleanup(s->easy);
        arena_store_close(&s->store);
    }
    c->curl.slist_free_all(c->headers);
    if (c->multi) {
        c->curl.multi_cleanup(c->multi);
    }
    c->curl.global_cleanup();
    library_close(c->library);
    c->n_slots = 0;
}

bool chat_has_room(const chat *c)
{
    return c->n_busy < c->n_slots
           && c->n_busy - c->n_paused < c->options.concurrency;
}

// When the next call may be sent, under --rate.
static int64_t next_start(chat *c)
{
    int64_t now = clock_ns();
    if (c->options.rate <= 0) {
        return now;
    }
    int64_t gap = (int64_t)(1e9 / c->options.rate);
    int64_t start = c->next_start_ns > now ? c->next_start_ns : now;
    c->next_start_ns = start + gap;
    return start;
}

void chat_send(chat *c, ptrdiff_t id, str body)
{
    for (ptrdiff_t i = 0; i < c->n_slots; i++) {
        slot *s = &c->slots[i];
        if (s->state == SLOT_FREE) {
            s->state = SLOT_WAITING;
            s->id = id;
            s->body = body;
            s->n_tries = 0;
            s->due_ns = next_start(c);
            c->n_busy++;
            return;
        }
    }
}

static void start(chat *c, slot *s)
{
    s->a = arena_store_clear(&s->store);
    s->response = buf_new(&s->a);
    s->is_too_long = false;
    s->error[0] = '\0';
    c->n_paused -= s->n_tries > 0;
    s->n_tries++;
    s->started_ns = clock_ns();
    s->state = SLOT_RUNNING;
    c->curl.easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                        (curl_off_t)s->body.len);
    c->curl.easy_setopt(s->easy, CURLOPT_POSTFIELDS, s->body.ptr);
    c->curl.multi_add_handle(c->multi, s->easy);
}

// Sends what is due; returns the milliseconds until the next is.
static int start_due(chat *c)
{
    int64_t now = clock_ns();
    int64_t wait_ns = (int64_t)POLL_MS_MAX * 1000000;
    for (ptrdiff_t i = 0; i < c->n_slots; i++) {
        slot *s = &c->slots[i];
        int64_t due =
            s->due_ns > c->hold_until_ns ? s->due_ns : c->hold_until_ns;
        if (s->state == SLOT_WAITING && due <= now) {
            start(c, s);
        } else if (s->state == SLOT_WAITING && due - now < wait_ns) {
            wait_ns = due - now;
        }
    }
    return (int)(wait_ns / 1000000) + 1;
}

// Does it say that no other call will pass?
static bool is_hopeless(const chat *c, const slot *s, CURLcode code)
{
    if (code == CURLE_COULDNT_CONNECT) {
        return !c->has_answered && s->n_tries >= SILENT_TRIES;
    }
    return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL
           || code == CURLE_PEER_FAILED_VERIFICATION
           || code == CURLE_SSL_CACERT_BADFILE
           || code == CURLE_COULDNT_RESOLVE_HOST
           || code == CURLE_COULDNT_RESOLVE_PROXY;
}

static void read_answer(chat *c,
                        slot *s,
                        CURLcode code,
                        chat_answer *out,
                        arena *a)
{
    *out = (chat_answer){.n_tries = s->n_tries};
    str key = str_from(c->options.key);
    out->ms = (clock_ns() - s->started_ns) / 1000000;
    long http = 0;
    c->curl.easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &http);
    c->has_answered |= http > 0;
    if (s->is_too_long) {
        out->status = CHAT_AGAIN;
        out->error = S("the response is longer than 4 MB");
    } else if (code != CURLE_OK) {
        const char *words =
            s->error[0] ? s->error : c->curl.easy_strerror(code);
        out->status = is_hopeless(c, s, code) ? CHAT_HOPELESS : CHAT_AGAIN;
        out->error = arena_str(a, chat_hide_key(a, str_from(words), key));
    } else {
        str body = arena_str(a, buf_str(&s->response));
        chat_read_response(out, a, http, body, key);
    }
}

// How long to wait before the next try: what the server says, or twice as
// long as before, somewhere between half of it and all of it.
static int64_t pause_ns(chat *c, slot *s)
{
    curl_off_t told_s = 0;
    c->curl.easy_getinfo(s->easy, CURLINFO_RETRY_AFTER, &told_s);
    int64_t shift = s->n_tries - 1 < 16 ? s->n_tries - 1 : 16;
    int64_t ms = c->options.backoff_ms << shift;
    ms = ms > WAIT_MS_MAX ? WAIT_MS_MAX : ms;
    ms -= rng_below(&c->jitter, ms / 2 + 1);
    int64_t told_ms = told_s > 0 ? told_s * 1000 : 0;
    told_ms = told_ms > WAIT_MS_MAX ? WAIT_MS_MAX : told_ms;
    if (told_ms > 0) {
        c->hold_until_ns = clock_ns() + told_ms * 1000000;
    }
    return (told_ms > ms ? told_ms : ms) * 1000000;
}

// A call has ended: with an answer, or it waits for its next try.
static bool finish(chat *c,
                   CURLMsg *m,
                   ptrdiff_t *id,
                   chat_answer *out,
                   arena *a)
{
    char *private = NULL;
    CURLcode code = m->data.result;
    CURL *easy = m->easy_handle;
    c->curl.easy_getinfo(easy, CURLINFO_PRIVATE, &private);
    slot *s = (slot *)(void *)private;
    read_answer(c, s, code, out, a);
    c->curl.multi_remove_handle(c->multi, easy);
    if (out->status == CHAT_AGAIN && s->n_tries < c->options.max_tries) {
        s->state = SLOT_WAITING;
        s->due_ns = clock_ns() + pause_ns(c, s);
        c->n_paused++;
        return false;
    }
    s->state = SLOT_FREE;
    c->n_busy--;
    *id = s->id;
    return true;
}

bool chat_wait(chat *c, ptrdiff_t *id, chat_answer *out, arena *a)
{
    arena before = *a;
    while (c->n_busy > 0) {
        int wait_ms = start_due(c);
        int running = 0;
        c->curl.multi_perform(c->multi, &running);
        int left = 0;
        CURLMsg *m = NULL;
        for (m = c->curl.multi_info_read(c->multi, &left); m;
             m = c->curl.multi_info_read(c->multi, &left)) {
            if (m->msg == CURLMSG_DONE && finish(c, m, id, out, a)) {
                return true;
            }
            *a = before;
        }
        c->curl.multi_poll(c->multi, NULL, 0, wait_ms, NULL);
    }
    return false;
}
