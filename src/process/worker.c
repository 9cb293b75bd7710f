/*
 * worker.c - read a request, serve it, answer; for ever.
 *
 * Method      A request is claimed before anything of it is looked at: from
 *             there on the watch page names it, and the time runs, so whatever
 *             kills the worker is blamed on the right item. A worker that is
 *             killed loses the answers it had not sent yet; the parent asks
 *             another worker for those items again.
 */
#include "process/worker.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
    FLUSH_BYTES = 64 << 10,
    FLUSH_NS = 50 * 1000 * 1000,
    READ_BYTES = 64 * (int)sizeof(work_request),
};

// Address space for answers: the longest one there can be, many times.
static const ptrdiff_t ANSWER_BYTES = (ptrdiff_t)4 << 30;
static const ptrdiff_t PAYLOAD_BYTES = (ptrdiff_t)1 << 30;
static const ptrdiff_t LASTING_BYTES = (ptrdiff_t)4 << 20;

void worker_memory_is_full(void)
{
    _exit(WORKER_EXIT_MEMORY);
}

void worker_add_text(buf *out, str text)
{
    int64_t n = text.len;
    buf_add(out, (str){(const char *)&n, sizeof n});
    buf_add(out, text);
}

bool worker_take_text(str *rest, str *text)
{
    int64_t n = -1;
    *text = (str){0};
    if (rest->len >= (ptrdiff_t)sizeof n) {
        memcpy(&n, rest->ptr, sizeof n);
    }
    if (n < 0 || n > rest->len - (ptrdiff_t)sizeof n) {
        *rest = (str){0};
        return false;
    }
    *text = str_sub(*rest, (ptrdiff_t)sizeof n, (ptrdiff_t)sizeof n + n);
    *rest = str_skip(*rest, (ptrdiff_t)sizeof n + n);
    return true;
}

str worker_next_text(str *rest)
{
    str text;
    worker_take_text(rest, &text);
    return text;
}

bool worker_memory_open(worker_memory *m, int n, ptrdiff_t bytes)
{
    assert(n <= WORKER_ARENAS);
    m->n = n;
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        ok = arena_store_open(&m->stores[i], bytes);
    }
    return ok;
}

void worker_memory_begin(worker_memory *m, arena *out)
{
    for (int i = 0; i < m->n; i++) {
        out[i] = arena_store_clear(&m->stores[i]);
        out[i].on_full = worker_memory_is_full;
    }
}

void worker_send(worker *w)
{
    str rest = buf_str(&w->out);
    while (rest.len > 0) {
        ssize_t n = write(w->fd, rest.ptr, (size_t)rest.len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            _exit(WORKER_EXIT_OK);  // the parent is gone, or cannot be reached
        }
        rest = str_skip(rest, n);
    }
    // Also gives the pages of a huge answer back.
    w->memory = arena_store_clear(&w->store);
    w->memory.on_full = worker_memory_is_full;
    w->out = buf_new(&w->memory);
    w->sent_ns = clock_ns();
}

void worker_send_late(void *worker_at)
{
    worker *w = worker_at;
    if (w->out.len > FLUSH_BYTES
        || (w->out.len > 0 && clock_ns() - w->sent_ns > FLUSH_NS)) {
        worker_send(w);
    }
}

// Requests as they come in: several at once, with or without bytes.
typedef struct requests {
    char bytes[READ_BYTES];
    ptrdiff_t at;
    ptrdiff_t end;
    arena_store payloads;
} requests;

// Reads until `size` bytes are there; false at the end of the stream.
static bool receive(const worker *w, requests *in, ptrdiff_t size)
{
    memmove(in->bytes, in->bytes + in->at, (size_t)(in->end - in->at));
    in->end -= in->at;
    in->at = 0;
    while (in->end < size) {
        ssize_t n =
            read(w->fd, in->bytes + in->end, (size_t)(READ_BYTES - in->end));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        in->end += n;
    }
    return true;
}

// What follows a request; false at the end of the stream.
static bool receive_payload(const worker *w,
                            requests *in,
                            ptrdiff_t size,
                            str *out)
{
    *out = (str){0};
    if (size == 0) {
        return true;
    }
    arena a = arena_store_clear(&in->payloads);
    a.on_full = worker_memory_is_full;
    char *bytes = arena_new(&a, char, size);
    for (ptrdiff_t done = 0; done < size;) {
        ptrdiff_t n =
            in->end - in->at < size - done ? in->end - in->at : size - done;
        memcpy(bytes + done, in->bytes + in->at, (size_t)n);
        in->at += n;
        done += n;
        if (done < size && !receive(w, in, 1)) {
            return false;
        }
    }
    *out = (str){bytes, size};
    return true;
}

static void serve(const worker_table *table,
                  void *state,
                  worker *w,
                  const work_request *r,
                  str payload)
{
    watch_case(w->watch, r->item);
    watch_outer none = watch_begin(w->watch, WATCH_ALL, WATCH_QUERY);
    str bytes = table->serve(state, r, payload);
    watch_end(w->watch, none);
    work_answer head = {.item = r->item, .size = bytes.len};
    buf_add(&w->out, (str){(const char *)&head, sizeof head});
    buf_add(&w->out, bytes);
}

_Noreturn void worker_run(const worker_table *table, int fd, watch *page)
{
    enum {
        SIZE = (int)sizeof(work_request)
    };
    requests in = {.at = 0};
    worker w = {.fd = fd, .watch = page};
    signal(SIGPIPE, SIG_IGN);
    arena_when_full(worker_memory_is_full);
    // All before the job limits the address space.
    bool ok = arena_store_open(&w.store, ANSWER_BYTES)
              && arena_store_open(&in.payloads, PAYLOAD_BYTES)
              && arena_store_open(&w.lasting_store, LASTING_BYTES);
    if (ok) {
        worker_send(&w);  // nothing yet: makes the buffer
        w.lasting = arena_store_clear(&w.lasting_store);
        w.lasting.on_full = worker_memory_is_full;
    }
    void *state = ok ? table->open(table->context, &w) : NULL;
    if (!state) {
        _exit(WORKER_EXIT_SETUP);
    }
    watch_end(page, (watch_outer){0});
    while (in.end - in.at >= SIZE || receive(&w, &in, SIZE)) {
        work_request request;
        str payload;
        memcpy(&request, in.bytes + in.at, SIZE);
        in.at += SIZE;
        assert(request.n_deaths <= WORK_MAX_DEATHS);
        if (!receive_payload(&w, &in, request.size, &payload)) {
            break;
        }
        if (watch_claim(page, request.slot)) {
            serve(table, state, &w, &request, payload);
            worker_send_late(&w);
        }
        if (in.end - in.at < SIZE) {
            worker_send(&w);
        }
    }
    _exit(WORKER_EXIT_OK);
}
