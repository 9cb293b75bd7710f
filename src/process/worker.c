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
static const ptrdiff_t ASKED_BYTES = (ptrdiff_t)1 << 30;
static const ptrdiff_t LASTING_BYTES = (ptrdiff_t)4 << 20;

void worker_memory_is_full(void)
{
    _exit(WORKER_EXIT_MEMORY);
}

static arena begin(arena_store *store)
{
    arena a = arena_store_clear(store);
    a.on_full = worker_memory_is_full;
    return a;
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
    w->answers = begin(&w->store);
    w->out = buf_new(&w->answers);
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

// What follows a request, in `a`; false at the end of the stream.
static bool receive_asked(const worker *w,
                          requests *in,
                          ptrdiff_t size,
                          str *out,
                          arena *a)
{
    char *bytes = arena_new(a, char, size);
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

// Its parent is trusted, and yet nothing is taken that is not whole.
static void serve(const worker_call *call,
                  worker *w,
                  const work_request *r,
                  str bytes,
                  arena *a)
{
    watch_case(w->watch, r->item);
    watch_outer none = watch_begin(w->watch, WATCH_ALL, WATCH_QUERY);
    void *asked = call->asked ? arena_alloc(a, call->asked->size,
                                            _Alignof(max_align_t), 1)
                              : NULL;
    w->asked = asked;
    void *reply = arena_alloc(a, call->answer->size, _Alignof(max_align_t), 1);
    if (asked && !codec_read(call->asked, bytes, asked, a)) {
        _exit(WORKER_EXIT_SETUP);
    }
    for (int i = 0; i < call->n_arenas; i++) {
        w->memory[i] = begin(&w->stores[i]);
    }
    call->serve(w, r, reply);
    watch_end(w->watch, none);
    work_answer head = {.item = r->item};
    ptrdiff_t at = w->out.len;
    buf_add(&w->out, (str){(const char *)&head, sizeof head});
    codec_write(&w->out, call->answer, reply);
    head.size = w->out.len - at - (ptrdiff_t)sizeof head;
    memcpy(w->out.ptr + at, &head, sizeof head);
}

static bool open_worker(worker *w, const worker_call *call)
{
    assert(call->n_arenas <= WORKER_ARENAS);
    // All before the job limits the address space.
    bool ok =
        arena_store_open(&w->store, ANSWER_BYTES)
        && arena_store_open(&w->asked_store, ASKED_BYTES)
        && arena_store_open(&w->lasting_store, LASTING_BYTES)
        && arena_stores_open(w->stores, call->n_arenas, call->arena_bytes);
    if (ok) {
        worker_send(w);  // nothing yet: makes the buffer
        w->lasting = begin(&w->lasting_store);
        for (int i = 0; i < call->n_arenas; i++) {
            w->memory[i] = begin(&w->stores[i]);
        }
        w->state = call->open ? call->open(call->context, w) : w;
    }
    if (ok && w->state && !call->is_free) {
        sandbox_enter(call->rights);
    }
    return ok && w->state;
}

_Noreturn void worker_run(const worker_call *call, int fd, watch *page)
{
    enum {
        SIZE = (int)sizeof(work_request)
    };
    requests in = {.at = 0};
    worker w = {.fd = fd, .watch = page, .call = call};
    signal(SIGPIPE, SIG_IGN);
    arena_when_full(worker_memory_is_full);
    if (!open_worker(&w, call)) {
        _exit(WORKER_EXIT_SETUP);
    }
    watch_end(page, (watch_outer){0});
    const work_answer ready = {.item = WORKER_READY};
    buf_add(&w.out, (str){(const char *)&ready, sizeof ready});
    worker_send(&w);
    while (in.end - in.at >= SIZE || receive(&w, &in, SIZE)) {
        work_request request;
        str bytes;
        memcpy(&request, in.bytes + in.at, SIZE);
        in.at += SIZE;
        arena a = begin(&w.asked_store);
        if (!receive_asked(&w, &in, request.size, &bytes, &a)) {
            break;
        }
        if (watch_claim(page, request.slot)) {
            serve(call, &w, &request, bytes, &a);
            worker_send_late(&w);
        }
        if (in.end - in.at < SIZE) {
            worker_send(&w);
        }
    }
    _exit(WORKER_EXIT_OK);
}
