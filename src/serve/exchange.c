/*
 * exchange.c - see exchange.h.
 *
 * Method      A ticket is a place in a table, and its number the tag. A stack
 *             of numbers says which are free. The lines of an owner that wait
 *             are a list; these lists stand in a queue. When a line of the
 *             first goes out, all lists of its client step behind those of
 *             other clients, and its own behind all.
 *
 * Cost        A copy of each line, a write for each, a copy of each answer. To
 *             find an owner goes through the queue, as a line that goes out
 *             does; to forget one goes through the table.
 */
#include "serve/exchange.h"

#include "base/bytes.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ASK_SECONDS = 5,
    HEAD_BYTES = 48,        // two numbers and blanks
    MOST_BYTES = 64 << 20,  // of lines; beyond it there is no room
};

typedef struct ticket {
    exchange_line line;
    char *text;  // as it goes out; NULL once it has
    size_t len;
    int32_t next;  // of its owner, where it waits; -1: the last
} ticket;

// What waits of one owner.
typedef struct turn {
    const void *client;
    const void *owner;
    int32_t first;
    int32_t last;
    ptrdiff_t n;
    size_t n_bytes;
} turn;

struct exchange {
    exchange_options options;
    ticket *tickets;
    int32_t *free;  // a stack of numbers of tickets
    ptrdiff_t n_free;
    turn *turns;  // whose turn it is, and who comes then
    turn *spare;  // for their next order
    ptrdiff_t n_turns;
    ptrdiff_t n_waiting;
    ptrdiff_t n_flight;
    size_t n_bytes;  // of all lines
    bool is_greeted;
    int64_t asked_ns;  // when the other end was last asked whether it is there
    int64_t moved_ns;  // when it last said anything, or had nothing to do
    bytes out;         // what the pipe had no room for
    bytes in;
};

static bool set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

exchange *exchange_open(exchange_options options)
{
    size_t n = (size_t)options.most;
    exchange *x = calloc(1, sizeof *x);
    if (!x) {
        return NULL;
    }
    *x = (exchange){.options = options,
                    .tickets = calloc(n, sizeof *x->tickets),
                    .free = calloc(n, sizeof *x->free),
                    .turns = calloc(n, sizeof *x->turns),
                    .spare = calloc(n, sizeof *x->spare)};
    if (!x->tickets || !x->free || !x->turns || !x->spare
        || !set_nonblocking(options.to) || !set_nonblocking(options.from)) {
        exchange_close(x);
        return NULL;
    }
    for (ptrdiff_t i = options.most; i > 0; i--) {
        x->free[x->n_free++] = (int32_t)(i - 1);
    }
    return x;
}

void exchange_close(exchange *x)
{
    if (!x) {
        return;
    }
    for (ptrdiff_t i = 0; x->tickets && i < x->options.most; i++) {
        free(x->tickets[i].text);
    }
    close(x->options.to);
    close(x->options.from);
    bytes_free(&x->out);
    bytes_free(&x->in);
    free(x->tickets);
    free(x->free);
    free(x->turns);
    free(x->spare);
    free(x);
}

/* Lines. */

static turn *turn_of(const exchange *x, const void *owner)
{
    for (ptrdiff_t i = 0; i < x->n_turns; i++) {
        if (x->turns[i].owner == owner) {
            return &x->turns[i];
        }
    }
    return NULL;
}

bool exchange_is_full(const exchange *x)
{
    return x->n_free == 0 || x->n_bytes >= MOST_BYTES;
}

bool exchange_has_room(const exchange *x, const void *client, const void *owner)
{
    turn own = {0};
    turn all = {0};  // of the client
    for (ptrdiff_t i = 0; i < x->n_turns; i++) {
        const turn *t = &x->turns[i];
        if (t->client == client) {
            all.n += t->n;
            all.n_bytes += t->n_bytes;
        }
        if (t->owner == owner) {
            own = *t;
        }
    }
    return !exchange_is_full(x) && x->n_free - all.n > 2 * own.n
           && MOST_BYTES - x->n_bytes > all.n_bytes;
}

static void wait_in_turn(exchange *x, int32_t no)
{
    const ticket *t = &x->tickets[no];
    turn *own = turn_of(x, t->line.owner);
    if (own) {
        x->tickets[own->last].next = no;
    } else {
        own = &x->turns[x->n_turns++];
        *own = (turn){
            .client = t->line.client, .owner = t->line.owner, .first = no};
    }
    own->last = no;
    own->n++;
    own->n_bytes += t->len;
    x->n_waiting++;
}

bool exchange_add(exchange *x, exchange_line line, str text)
{
    int32_t no = x->free[x->n_free - 1];
    ticket *t = &x->tickets[no];
    size_t n = (size_t)text.len;
    char *out = malloc(n + HEAD_BYTES);
    if (!out) {
        return false;
    }
    int head =
        snprintf(out, HEAD_BYTES, "%d %lld ", (int)no, (long long)line.number);
    memcpy(out + head, text.ptr, n);
    out[(size_t)head + n] = '\n';
    *t = (ticket){line, out, (size_t)head + n + 1, -1};
    x->n_free--;
    x->n_bytes += t->len;
    wait_in_turn(x, no);
    return true;
}

static void release(exchange *x, int32_t no)
{
    x->n_bytes -= x->tickets[no].len;
    free(x->tickets[no].text);
    x->tickets[no] = (ticket){0};
    x->free[x->n_free++] = no;
}

// Whoever judges the line may stop; where memory is full it goes on.
static void call_off(exchange *x, int32_t no)
{
    char text[HEAD_BYTES];
    int n = snprintf(text, sizeof text, "!cancel %d\n", (int)no);
    bytes_add(&x->out, (str){text, n});
}

void exchange_forget(exchange *x, const void *owner)
{
    ptrdiff_t n = x->n_turns;
    x->n_turns = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        turn own = x->turns[i];
        if (own.owner != owner) {
            x->turns[x->n_turns++] = own;
            continue;
        }
        x->n_waiting -= own.n;
        for (int32_t no = own.first; no >= 0;) {
            int32_t next = x->tickets[no].next;
            release(x, no);
            no = next;
        }
    }
    for (ptrdiff_t i = 0; x->n_flight > 0 && i < x->options.most; i++) {
        ticket *t = &x->tickets[i];
        if (t->len > 0 && t->line.owner == owner) {
            t->line.owner = NULL;
            call_off(x, (int32_t)i);
        }
    }
}

bool exchange_has_output(const exchange *x)
{
    return bytes_left(&x->out).len > 0
           || (x->n_waiting > 0 && x->n_flight < x->options.most_flight);
}

// Behind the others goes the client who had his turn, and behind his other
// owners this one, unless nothing of it waits.
static void end_turn(exchange *x, turn had)
{
    ptrdiff_t n = 0;
    for (int is_his = 0; is_his <= 1; is_his++) {
        for (ptrdiff_t i = 1; i < x->n_turns; i++) {
            if ((x->turns[i].client == had.client) == is_his) {
                x->spare[n++] = x->turns[i];
            }
        }
    }
    if (had.n > 0) {
        x->spare[n++] = had;
    }
    turn *before = x->turns;
    x->turns = x->spare;
    x->spare = before;
    x->n_turns = n;
}

// The line whose turn it is; false when memory was full.
static bool begin_next(exchange *x)
{
    turn own = x->turns[0];
    ticket *t = &x->tickets[own.first];
    if (!bytes_add(&x->out, (str){t->text, (ptrdiff_t)t->len})) {
        return false;
    }
    free(t->text);
    t->text = NULL;
    x->n_waiting--;
    x->n_flight++;
    own.first = t->next;
    own.n--;
    own.n_bytes -= t->len;
    end_turn(x, own);
    return true;
}

// Is the other end still there? Asked now and then while it has lines.
static void ask(exchange *x)
{
    int64_t now = clock_ns();
    if (x->n_flight == 0) {
        x->moved_ns = now;
    } else if (now - x->asked_ns > (int64_t)ASK_SECONDS * 1000000000
               && bytes_left(&x->out).len == 0) {
        x->asked_ns = now;
        bytes_add(&x->out, S("!ping\n"));
    }
}

int64_t exchange_still_ns(const exchange *x)
{
    return x->n_flight > 0 ? clock_ns() - x->moved_ns : 0;
}

void exchange_write(exchange *x)
{
    ask(x);
    while (exchange_has_output(x)) {
        str left = bytes_left(&x->out);
        if (left.len == 0 && !begin_next(x)) {
            return;
        }
        left = bytes_left(&x->out);
        ssize_t n = write(x->options.to, left.ptr, (size_t)left.len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return;  // full, or gone: that is seen where answers are read
        }
        x->out.at += (size_t)n;
    }
}

/* Answers. */

typedef struct taking {
    void (*take)(exchange_line line, str answer, void *context);
    void *context;
} taking;

// TICKET ANSWER, or a word of the other end.
static void take_answer(exchange *x, str line, taking to)
{
    int64_t no = 0;
    x->is_greeted |= str_equal(line, S("!ping"));
    ptrdiff_t blank = str_find(line, S(" "), 0);
    bool is_known = blank > 0 && str_to_int(str_sub(line, 0, blank), &no)
                    && no >= 0 && no < x->options.most;
    // Out, and so no free one, nor one that waits?
    if (!is_known || x->tickets[no].len == 0 || x->tickets[no].text) {
        return;
    }
    exchange_line of = x->tickets[no].line;
    x->n_flight--;
    release(x, (int32_t)no);
    if (of.owner && to.take) {
        to.take(of, str_skip(line, blank + 1), to.context);
    }
}

bool exchange_read(exchange *x,
                   void (*take)(exchange_line line, str answer, void *context),
                   void *context)
{
    ssize_t n = 0;
    while ((n = bytes_read(&x->in, x->options.from)) > 0) {
        x->moved_ns = clock_ns();
        for (str line; bytes_line(&x->in, &line);) {
            take_answer(x, line, (taking){take, context});
        }
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

bool exchange_greet(exchange *x)
{
    bool ok = bytes_add(&x->out, S("!ping\n"));
    while (ok && !x->is_greeted) {
        struct pollfd fds[] = {
            {.fd = exchange_has_output(x) ? x->options.to : -1,
             .events = POLLOUT},
            {.fd = x->options.from, .events = POLLIN},
        };
        poll(fds, 2, -1);
        exchange_write(x);
        ok = exchange_read(x, NULL, NULL);
    }
    return ok;
}

ptrdiff_t exchange_n_waiting(const exchange *x)
{
    return x->n_waiting;
}

ptrdiff_t exchange_n_flight(const exchange *x)
{
    return x->n_flight;
}
