/*
 * request_queue.c - see request_queue.h.
 *
 * Method      Every place has a store of its own, so that places are given back
 *             in any order and nothing has to be moved. Rings of numbers of
 *             places say which are free, which wait, and in which order they
 *             came. Streams of others are never made non-blocking, which their
 *             other owners would feel: what is written is small enough for a
 *             pipe that poll() says has room.
 *
 * Cost        Two copies of each line and answer. Memory: what lies in places,
 *             bounded by MOST_BYTES and one line.
 */
#include "job/request_queue.h"

#include "base/bytes.h"
#include "base/json_write.h"
#include "base/ring.h"
#include "job/message.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PLACES_PER_WORKER = 64,
    MOST_PLACES = 4096,
    MOST_BYTES = 64 << 20,  // of lines in places
    MOST_OUTPUT = 4 << 20,  // that waits; beyond it nothing is begun
    ID_BYTES = 64 << 10,    // a longer id is not compared
};

// Address space; of a place: a line and its answer.
static const ptrdiff_t PLACE_BYTES = (ptrdiff_t)64 << 20;

const codec_shape message_request_line =
    CODEC_SHAPE(request_line,
                CODEC_NUMBER_IN(request_line, number, INT64_MIN, INT64_MAX),
                CODEC_TEXT_IN(request_line, text));

typedef struct place {
    arena_store store;
    arena a;
    request_line request;
    str answer;  // that waits for its turn; empty: none yet
    int64_t tag;
    bool is_asked;
    bool is_begun;
    bool is_cancelled;
} place;

struct request_queue {
    request_queue_options options;
    place *places;
    ptrdiff_t n_places;
    ptrdiff_t n_bytes;  // of all lines in places
    ring free;
    ring waiting;
    ring dropped;  // that were begun, and then cancelled
    ring order;    // of all that are not free; only where order is asked for
    bytes in;      // read, and not yet in a place
    int64_t n_lines;
    bool skips_rest;  // of a line that was too long
    bool is_at_end;
    bool is_stopped;
    bool is_broken;
    bytes out;
    ptrdiff_t write_most;  // that goes out at once when poll() says so
};

request_queue *request_queue_open(request_queue_options options, arena *a)
{
    request_queue *q = arena_new(a, request_queue, 1);
    ptrdiff_t n = options.n_workers * PLACES_PER_WORKER;
    struct stat out;
    n = n < MOST_PLACES ? n : MOST_PLACES;
    bool is_file = fstat(options.out, &out) == 0 && S_ISREG(out.st_mode);
    *q = (request_queue){
        .options = options,
        .n_places = n,
        .places = arena_new(a, place, n),
        .free = ring_new(a, n),
        .waiting = ring_new(a, n),
        .dropped = ring_new(a, n),
        .order = ring_new(a, n),
        .write_most = is_file ? (ptrdiff_t)1 << 20 : (ptrdiff_t)PIPE_BUF,
    };
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < q->n_places; i++) {
        ok = arena_store_open(&q->places[i].store, PLACE_BYTES);
        ring_push(&q->free, (int32_t)i);
    }
    if (!ok) {
        request_queue_close(q);
    }
    return ok ? q : NULL;
}

void request_queue_close(request_queue *q)
{
    for (ptrdiff_t i = 0; i < q->n_places; i++) {
        arena_store_close(&q->places[i].store);
    }
    bytes_free(&q->in);
    bytes_free(&q->out);
    *q = (request_queue){0};
}

/* Answers. */

static void release(request_queue *q, int32_t no)
{
    q->n_bytes -= q->places[no].request.text.len;
    q->places[no].request = (request_line){0};
    q->places[no].is_asked = false;
    q->places[no].answer = (str){0};
    ring_push(&q->free, no);
}

// Without memory for the text the queue ends.
static void put(request_queue *q, str text)
{
    q->is_broken |= !bytes_add(&q->out, text);
}

static void put_answer(request_queue *q, const place *p, str text)
{
    arena a = arena_on_stack(32);
    if (q->options.is_tagged) {
        put(q, arena_printf(&a, "%lld ", (long long)p->tag));
    }
    put(q, text);
}

static void give(request_queue *q, int32_t no, str text)
{
    place *p = &q->places[no];
    if (!q->options.is_ordered) {
        put_answer(q, p, text);
        release(q, no);
        return;
    }
    p->answer = arena_str(&p->a, text);
    while (q->order.len > 0
           && q->places[q->order.ptr[q->order.first]].answer.len > 0) {
        int32_t first = ring_pop(&q->order);
        put_answer(q, &q->places[first], q->places[first].answer);
        release(q, first);
    }
}

static void answer_error(request_queue *q, int32_t no, str what)
{
    place *p = &q->places[no];
    buf b = buf_new(&p->a);
    json_write(&b, json_begin('{'), member_int(S("line"), p->request.number),
               member_text(S("error"), what), json_end("}\n"));
    give(q, no, buf_str(&b));
}

// The id of the request as it is written there; empty: it has none, or cannot
// be read. Of several the last counts.
static str id_of(str request, arena *a)
{
    json_pull j = json_pull_begin(request);
    str id = {0};
    json_pull_open(&j, '{');
    while (json_pull_next(&j, '}')) {
        bool is_id = str_equal(json_pull_key(&j, a), S("id"));
        json_pull_peek(&j);
        const char *from = j.at;
        json_pull_skip(&j);
        id = is_id ? (str){from, j.at - from} : id;
    }
    return json_pull_end(&j) ? id : (str){0};
}

bool request_queue_is_sound(const void *context,
                            int32_t item,
                            const void *reply)
{
    const request_queue *q = context;
    const request_line *asked = &q->places[item].request;
    str lines = *(const str *)reply;
    arena a = q->places[item].a;
    buf by_line = buf_new(&a);
    buf_printf(&by_line, "{\"line\":%lld,", (long long)asked->number);
    if (!message_is_lines(lines)
        || str_find(lines, S("\n"), 0) != lines.len - 1) {
        return false;
    }
    if (str_starts(lines, buf_str(&by_line))) {
        return true;
    }
    str id = id_of(asked->text, &a);
    buf by_id = buf_new(&a);
    buf_add(&by_id, S("{\"id\":"));
    if (id.len > 0 && id.len <= ID_BYTES) {
        arena tree = arena_half(&a);
        json_add(&by_id, json_parse(&tree, id, NULL));
        buf_char(&by_id, ',');
    }
    return id.len > 0 && str_starts(lines, buf_str(&by_id));
}

bool request_queue_take(void *context, int32_t item, const void *reply)
{
    give(context, item, *(const str *)reply);
    return true;
}

bool request_queue_died(void *context, work_request *r, const work_death *death)
{
    request_queue *q = context;
    bool is_cancelled = q->places[r->item].is_cancelled;
    if (!is_cancelled && supervisor_blame(r, death)) {
        return true;
    }
    answer_error(q, r->item,
                 is_cancelled ? S("cancelled")
                              : S("scoring it killed its workers"));
    return false;
}

static ptrdiff_t n_output(const request_queue *q)
{
    return bytes_left(&q->out).len;
}

// As much as goes out without waiting.
static void write_output(request_queue *q)
{
    struct pollfd out = {.fd = q->options.out, .events = POLLOUT};
    while (n_output(q) > 0 && !q->is_broken && poll(&out, 1, 0) == 1) {
        str part = str_sub(bytes_left(&q->out), 0, q->write_most);
        ssize_t done = write(q->options.out, part.ptr, (size_t)part.len);
        q->is_broken = done < 0 && errno != EINTR && errno != EAGAIN;
        if (done < 0) {
            return;
        }
        q->out.at += (size_t)done;
    }
}

/* Lines. */

// {"ping":N}, {"cancel":N}: N.
static bool is_word(str line, str word, int64_t *number)
{
    const str parts[] = {S("{"), word, S(":")};
    str rest = str_trim(line);
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (!str_starts(rest, parts[i])) {
            return false;
        }
        rest = str_trim(str_skip(rest, parts[i].len));
    }
    bool is_closed = rest.len > 1 && rest.ptr[rest.len - 1] == '}';
    return is_closed
           && str_to_int(str_trim(str_sub(rest, 0, rest.len - 1)), number);
}

// The number before the line's first blank, cut off.
static int64_t cut_number(str *line)
{
    int64_t number = 0;
    ptrdiff_t blank = str_find(*line, S(" "), 0);
    if (blank > 0 && str_to_int(str_sub(*line, 0, blank), &number)) {
        *line = str_skip(*line, blank + 1);
    }
    return number;
}

// Of the request with that tag, or from that line. One that is answered is left
// alone.
static void cancel(request_queue *q, int64_t number)
{
    for (ptrdiff_t i = 0; i < q->n_places; i++) {
        place *p = &q->places[i];
        int64_t own = q->options.is_tagged ? p->tag : p->request.number;
        bool is_open = p->is_asked && p->answer.len == 0;
        if (own == number && is_open && !p->is_cancelled) {
            p->is_cancelled = true;
            if (p->is_begun) {
                ring_push(&q->dropped, (int32_t)i);
            }
        }
    }
    for (ptrdiff_t n = q->waiting.len; n > 0; n--) {
        int32_t no = ring_pop(&q->waiting);
        if (q->places[no].is_cancelled) {
            answer_error(q, no, S("cancelled"));
        } else {
            ring_push(&q->waiting, no);
        }
    }
}

// Is the line for the queue, and no request? Where there are tags only what
// stands in place of one is: the rest of a line is somebody else's.
static bool is_control(request_queue *q, str line)
{
    int64_t number = 0;
    bool is_tagged = q->options.is_tagged;
    if (is_tagged ? str_starts(line, S("!cancel "))
                        && str_to_int(str_skip(line, 8), &number)
                  : is_word(line, S("\"cancel\""), &number)) {
        q->n_lines--;
        cancel(q, number);
        return true;
    }
    if (is_tagged && str_equal(line, S("!ping"))) {
        put(q, S("!ping\n"));
        return true;
    }
    if (!is_tagged && is_word(line, S("\"ping\""), &number)) {
        arena a = arena_on_stack(48);
        put(q, arena_printf(&a, "{\"ping\":%lld}\n", (long long)number));
        return true;
    }
    return false;
}

// Puts a line into a place, where it waits; `error` of the line, if any.
static void take_in(request_queue *q, str line, str error)
{
    if (error.len == 0 && is_control(q, line)) {
        return;
    }
    int64_t tag = q->options.is_tagged ? cut_number(&line) : 0;
    int64_t line_no = q->options.is_tagged ? cut_number(&line) : q->n_lines;
    int32_t no = ring_pop(&q->free);
    place *p = &q->places[no];
    p->a = arena_store_clear(&p->store);
    p->request = (request_line){.number = line_no};
    p->tag = tag;
    p->is_begun = false;
    p->is_cancelled = false;
    if (q->options.is_ordered) {
        ring_push(&q->order, no);
    }
    if (error.len > 0) {
        answer_error(q, no, error);
        return;
    }
    p->request.text = arena_str(&p->a, line);
    p->is_asked = true;
    q->n_bytes += line.len;
    ring_push(&q->waiting, no);
}

static bool has_room(const request_queue *q)
{
    return q->free.len > 0 && q->n_bytes < MOST_BYTES
           && n_output(q) < MOST_OUTPUT && !q->is_stopped;
}

// The next line of the input; at the end of the stream also one that lacks its
// newline.
static bool next_line(request_queue *q, str *line)
{
    bool is_whole = bytes_line(&q->in, line);
    if (!is_whole && q->is_at_end) {
        *line = bytes_left(&q->in);
        bytes_drop(&q->in);
    }
    return is_whole || (q->is_at_end && line->len > 0);
}

static void take_lines(request_queue *q)
{
    str line = {0};
    while (has_room(q) && next_line(q, &line)) {
        bool is_too_long = line.len > REQUEST_MOST_BYTES;
        q->n_lines += !q->skips_rest;
        if (!q->skips_rest && str_trim(line).len > 0) {
            take_in(q, line, is_too_long ? S("the line is too long") : S(""));
        }
        q->skips_rest = false;
    }
    if (!has_room(q) || bytes_left(&q->in).len <= REQUEST_MOST_BYTES) {
        return;
    }
    // The beginning of a line that never ends.
    if (!q->skips_rest) {
        q->n_lines++;
        take_in(q, (str){0}, S("the line is too long"));
        q->skips_rest = true;
    }
    bytes_drop(&q->in);
}

static void read_input(request_queue *q)
{
    ssize_t n = bytes_read(&q->in, q->options.in);
    q->is_broken |= n < 0 && errno == ENOMEM;
    q->is_at_end = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

/* The stream. */

static ptrdiff_t n_waiting(void *context)
{
    const request_queue *q = context;
    return n_output(q) < MOST_OUTPUT ? q->waiting.len : 0;
}

static int32_t begin(void *context)
{
    request_queue *q = context;
    int32_t no = ring_pop(&q->waiting);
    q->places[no].is_begun = true;
    return no;
}

static int32_t drop(void *context)
{
    request_queue *q = context;
    while (q->dropped.len > 0) {
        int32_t no = ring_pop(&q->dropped);
        if (q->places[no].is_cancelled) {
            return no;
        }
    }
    return -1;
}

static const void *asked(void *context, int32_t item)
{
    const request_queue *q = context;
    return &q->places[item].request;
}

// Is everything that was read in a place?
static bool wants_input(const request_queue *q)
{
    return has_room(q) && !q->is_at_end && q->in.seen == bytes_left(&q->in).len;
}

static nfds_t files(void *context, struct pollfd *out)
{
    const request_queue *q = context;
    // Without events the end of whoever reads the answers is told all the same.
    out[0] = (struct pollfd){.fd = wants_input(q) ? q->options.in : -1,
                             .events = POLLIN};
    out[1] = (struct pollfd){.fd = q->options.out,
                             .events = n_output(q) > 0 ? POLLOUT : 0};
    return 2;
}

static void move(void *context, const struct pollfd *fds)
{
    request_queue *q = context;
    q->is_broken |= (fds[1].revents & (POLLERR | POLLNVAL)) != 0;
    if (fds[0].revents) {
        read_input(q);
    }
    take_lines(q);
    write_output(q);
}

static bool is_over(void *context)
{
    const request_queue *q = context;
    bool is_read =
        q->is_stopped || (q->is_at_end && bytes_left(&q->in).len == 0);
    return q->is_broken
           || (is_read && q->free.len == q->n_places && n_output(q) == 0);
}

static bool stop(void *context)
{
    request_queue *q = context;
    bool is_first = !q->is_stopped;
    q->is_stopped = true;
    return is_first;
}

const supervisor_stream request_queue_stream = {
    .n_waiting = n_waiting,
    .begin = begin,
    .asked = asked,
    .files = files,
    .move = move,
    .drop = drop,
    .is_over = is_over,
    .stop = stop,
};

bool request_queue_was_stopped(const request_queue *q)
{
    return q->is_stopped;
}

bool request_queue_is_broken(const request_queue *q)
{
    return q->is_broken;
}
