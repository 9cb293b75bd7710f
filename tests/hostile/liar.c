/*
 * liar.c - the program with workers that an attacker has taken over: the linker
 * puts this worker_run() before that of process/worker.c (--wrap).
 *
 * A liar answers most items with what the decoder takes and no worker would
 * say: random structs of the shape, its own honest answers with bytes changed,
 * and those to other items. At times it writes past all that is ours to the
 * stream, a whole answer twice or half of one first, scribbles on the watch
 * page, writes to its standard output, reads its standard input, stops or dies.
 * Every HONEST-th item is answered as it should be.
 *
 * $ASSAY_LIAR is a file that all liars share: how many messages were sent, then
 * the seed of the dice.
 */
#include "base/clock.h"
#include "bend.h"
#include "job/message.h"
#include "process/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

_Noreturn void __real_worker_run(const worker_call *call, int fd, watch *page);
_Noreturn void __wrap_worker_run(const worker_call *call, int fd, watch *page);

enum {
    HONEST = 16,
    OWN = 4,    // every OWN-th lie begins with the work that was asked for
    HEAD = 32,  // bytes that say whom a line is about
    SAMPLE_BYTES = 64 << 10,
    // A sanitizer marks every byte of a store each time it is cleared.
    STORE_BYTES = 32 << 20,
};

typedef struct liar_state {
    _Atomic int64_t n_sent;
    int64_t seed;
} liar_state;

static struct {
    liar_state *state;
    rng dice;
    worker_call call;
    const worker_call *honest;
    char sample[SAMPLE_BYTES];  // the bytes of an honest answer
    ptrdiff_t n_sample;
} liar;

static bool one_in(ptrdiff_t n)
{
    return rng_below(&liar.dice, n) == 0;
}

static void send_raw(const worker *w, int32_t item, str bytes)
{
    work_answer head = {.item = item, .size = bytes.len};
    switch (rng_below(&liar.dice, 6)) {
    case 0: head.size = bend_number(&liar.dice); break;
    case 1: head.item = (int32_t)bend_number(&liar.dice); break;
    case 2: head.item++; break;
    default: break;
    }
    ssize_t n = one_in(8) ? 0 : write(w->fd, &head, sizeof head);
    n += write(w->fd, bytes.ptr, (size_t)bytes.len);
    (void)n;
}

// All of the page is the worker's to write.
static void scribble(watch *page)
{
    int64_t n = bend_number(&liar.dice);
    switch (rng_below(&liar.dice, 9)) {
    case 0: atomic_store(&page->now_ns, n); break;
    case 1: atomic_store(&page->since_ns, n); break;
    case 2: atomic_store(&page->progress, n); break;
    case 3: atomic_store(&page->case_no, (int32_t)n); break;
    case 4: atomic_store(&page->pred_no, (int32_t)n); break;
    case 5: atomic_store(&page->work, (int32_t)n); break;
    case 6: atomic_store(&page->step_ms, n); break;
    case 7: atomic_store(&page->is_stuck, (int32_t)n); break;
    default:
        for (int i = 0; i < WATCH_SLOTS; i++) {
            atomic_store(&page->slots[i], (int32_t)n);
        }
        break;
    }
    // So that the parent sees it.
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

static arena lie_memory(void)
{
    static arena_store lies;
    if (!lies.base && !arena_store_open(&lies, STORE_BYTES)) {
        worker_memory_is_full();
    }
    arena a = arena_store_clear(&lies);
    a.on_full = worker_memory_is_full;
    return a;
}

// An honest answer, kept for lies that look like it.
static void be_honest(worker *w, const work_request *r, void *reply)
{
    liar.honest->serve(w, r, reply);
    arena a = lie_memory();
    buf b = buf_new(&a);
    codec_write(&b, w->call->answer, reply);
    liar.n_sample = b.len <= SAMPLE_BYTES ? b.len : 0;
    memcpy(liar.sample, b.ptr, (size_t)liar.n_sample);
}

// Lines with other bytes in them after the first `whole`, but lines. Now and
// then none is changed.
static str change_line(str line, ptrdiff_t whole, arena *a)
{
    char *it = arena_cstr(a, line);
    ptrdiff_t room = line.len - whole - 2;
    for (ptrdiff_t i = rng_below(&liar.dice, 5); i > 0 && room > 0; i--) {
        char *at = &it[whole + rng_below(&liar.dice, room)];
        char other = (char)(1 + rng_below(&liar.dice, 255));
        *at = *at == '\n' || other == '\n' ? *at : other;
    }
    return (str){it, line.len};
}

static void change_texts(const codec_shape *s,
                         void *it,
                         ptrdiff_t whole,
                         arena *a)
{
    for (ptrdiff_t i = 0; i < s->n; i++) {
        if (s->members[i].kind == CODEC_TEXT) {
            str *text = (str *)((char *)it + s->members[i].at);
            *text = change_line(*text, whole, a);
        }
    }
}

// An answer that is whole, or its first half: what is returned comes behind it.
static void answer_first(const worker *w, int32_t item, arena *a)
{
    const codec_shape *shape = w->call->answer;
    void *it = arena_alloc(a, shape->size, _Alignof(max_align_t), 1);
    buf b = buf_new(a);
    work_answer head = {.item = item};
    bend_make(&liar.dice, shape, it, a);
    buf_add(&b, (str){(const char *)&head, sizeof head});
    codec_write(&b, shape, it);
    head.size = b.len - (ptrdiff_t)sizeof head;
    memcpy(b.ptr, &head, sizeof head);
    ssize_t n = write(w->fd, b.ptr, (size_t)(one_in(2) ? b.len : b.len / 2));
    (void)n;
}

// What is no business of a worker's, and is done only where it is locked in.
static void leave_its_place(const worker *w)
{
    static const char said[] =
        "{\"id\":\"c1\",\"verdicts\":{\"exec\":{\"v\":\"yes\"}}}\n";
    char byte;
    ssize_t n = 0;
    switch (rng_below(&liar.dice, 3)) {
    case 0: n = write(STDOUT_FILENO, said, sizeof said - 1); break;
    case 1: n = read(STDIN_FILENO, &byte, 1); break;
    default: n = w->call->is_free ? 0 : raise(SIGSTOP); break;
    }
    (void)n;
}

static void lie(worker *w, const work_request *r, void *reply, arena *a)
{
    const codec_shape *shape = w->call->answer;
    str sample = {liar.sample, liar.n_sample};
    bool is_line =
        (shape == &codec_text || shape == &message_check) && !one_in(100);
    // What says whom it is about stays as it is, or is somebody else's.
    bool is_own = is_line && one_in(OWN);
    if (is_own) {
        liar.honest->serve(w, r, reply);
    }
    bool is_read = is_own || (is_line && codec_read(shape, sample, reply, a));
    str bytes = sample;
    if (is_read) {
        change_texts(shape, reply, is_own ? HEAD : 1, a);
    } else {
        bytes = one_in(2) ? bend_message(&liar.dice, shape, a)
                          : bend_bytes(&liar.dice, sample, a);
        is_read = codec_read(shape, bytes, reply, a);
    }
    if (!is_read) {
        memset(reply, 0, (size_t)shape->size);
        bend_make(&liar.dice, shape, reply, a);
    }
    if (one_in(is_read ? 500 : 100)) {
        send_raw(w, r->item, bytes);
    }
    if (one_in(500) && w->out.len == 0) {
        answer_first(w, r->item, a);
    }
    if (one_in(500)) {
        scribble(w->watch);
    }
    if (one_in(500)) {
        leave_its_place(w);
    }
    if (one_in(1000)) {
        _exit((int)rng_below(&liar.dice, 128));
    }
}

static void serve(worker *w, const work_request *r, void *reply)
{
    bool is_first = liar.n_sample == 0;
    atomic_fetch_add(&liar.state->n_sent, 1);
    if (r->item % HONEST == 0 && (r->item > 0 || is_first || one_in(4))) {
        be_honest(w, r, reply);
        return;
    }
    arena a = lie_memory();
    lie(w, r, reply, &a);
}

static liar_state *map_state(void)
{
    const char *path = getenv("ASSAY_LIAR");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *it = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof(liar_state), PROT_READ | PROT_WRITE,
                             MAP_SHARED, fd, 0);
    if (it == MAP_FAILED) {
        _exit(WORKER_EXIT_SETUP);
    }
    close(fd);
    return it;
}

void __wrap_worker_run(const worker_call *call, int fd, watch *page)
{
    liar.state = map_state();
    liar.dice.state = (uint64_t)(liar.state->seed << 32)
                      + (uint64_t)atomic_fetch_add(&liar.state->n_sent, 1);
    liar.call = *call;
    liar.honest = call;
    // Who is trusted lies now and then, too.
    if (!call->is_free || one_in(2)) {
        liar.call.serve = serve;
    }
    __real_worker_run(&liar.call, fd, page);
}
