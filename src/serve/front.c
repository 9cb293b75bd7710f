/*
 * front.c - see front.h.
 *
 * Method      libmicrohttpd runs within our loop, and waits in an epoll file.
 *             A request is a client's call, its lines are what is judged. A
 *             connection sleeps (is suspended) until there is room for its
 *             next line, or an answer; whether its client is still there, we
 *             look ourselves, for libmicrohttpd does not then. Nor does it
 *             when the client's last bytes and its end come together: it reads
 *             the bytes, and waits for news that epoll has already told
 *             (edge-triggered). Shutting down the side that the client closed
 *             makes epoll tell it once more.
 *
 * Bounds      Connections: FRONT_CONNECTIONS, of which some are closed for
 *             those who come (front_client.c); lines: those of the exchange.
 */
#define _GNU_SOURCE  // POLLRDHUP
#include "base/clock.h"
#include "base/library.h"
#include "serve/front_internal.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    IDLE_SECONDS = 60,
    STILL_SECONDS = 30,
    LEAST_RATE = 16 << 10,  // bytes a second
    MEMORY_OF_CONNECTION = 64 << 10,
    LAST_MS = 2000,       // for last words, when those who judge have gone
    LAST_BODY_MS = 5000,  // for bodies that are under way when we stop
};

/* Sleep. */

void front_see(front_slot *slot, int64_t now_ns)
{
    slot->since_ns = now_ns;
    slot->moved = 0;
}

void front_sleep(front_request *r, front_wait what)
{
    r->waits = what;
    r->f->mhd.suspend_connection(r->connection);
}

void front_wake(front_request *r)
{
    if (r->waits != FRONT_WAIT_NOTHING) {
        r->waits = FRONT_WAIT_NOTHING;
        r->f->mhd.resume_connection(r->connection);
    }
}

static void wake_all(front *f, front_wait what)
{
    const exchange *lines = f->options->lines;
    for (front_request *r = f->requests; r; r = r->next) {
        if (r->waits == what
            && (what != FRONT_WAIT_ROOM || f->is_lost
                || exchange_has_room(lines, r->slot->client, r))) {
            front_wake(r);
        }
    }
}

void front_lose(front_request *r)
{
    r->f->n_gone++;
    r->is_gone = true;
    exchange_forget(r->f->options->lines, r);
    front_wake(r);
}

/* Connections. */

static void on_connection(void *context,
                          struct MHD_Connection *connection,
                          void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    front *f = context;
    front_slot *slot = *state;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        slot->fd = -1;
        slot->client->n_connections--;
        return;
    }
    nfds_t i = 0;
    while (f->slots[i].fd >= 0) {
        i++;
        assert(i < FRONT_CONNECTIONS);
    }
    int fd =
        f->mhd
            .get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
            ->connect_fd;
    f->slots[i] = (front_slot){
        .fd = fd, .client = front_client_join(f, fd), .since_ns = clock_ns()};
    f->n_slots = i < f->n_slots ? f->n_slots : i + 1;
    *state = &f->slots[i];
}

bool front_sleeps(const front_slot *slot)
{
    return slot->request && slot->request->waits != FRONT_WAIT_NOTHING;
}

// After poll(): who closed his sending side has gone if he waits for us; else
// what he sent may not be read yet.
static void see_ends(front *f)
{
    for (nfds_t i = 0; i < f->n_slots; i++) {
        front_slot *slot = &f->slots[i];
        if (f->fds[FRONT_OWN_FDS + i].revents && front_sleeps(slot)) {
            front_lose(slot->request);
        } else if (f->fds[FRONT_OWN_FDS + i].revents) {
            slot->has_ended = true;
        }
    }
}

// After the library has read what there was.
static void tell_ends(front *f)
{
    for (nfds_t i = 0; i < f->n_slots; i++) {
        front_slot *slot = &f->slots[i];
        char next;
        if (slot->fd >= 0 && slot->has_ended && !slot->is_told
            && !front_sleeps(slot)
            && recv(slot->fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
            slot->is_told = true;
            shutdown(slot->fd, SHUT_RD);
        }
    }
}

static bool is_past(int64_t since_ns, int64_t limit_ms)
{
    return clock_ns() - since_ns > limit_ms * 1000000;
}

// libmicrohttpd's limit begins anew with every byte. Who sends a byte now and
// then has no more time for a request's head than that limit, and for what
// follows a second more for each LEAST_RATE bytes.
int64_t front_patience(const front_slot *slot)
{
    int64_t seconds = IDLE_SECONDS + (int64_t)slot->moved / LEAST_RATE;
    return slot->since_ns + seconds * 1000000000;
}

static void lose_slow(front *f)
{
    int64_t now = clock_ns();
    for (nfds_t i = 0; i < f->n_slots; i++) {
        front_slot *slot = &f->slots[i];
        if (front_sleeps(slot)) {
            front_see(slot, now);
        } else if (slot->fd >= 0 && now > front_patience(slot)) {
            shutdown(slot->fd, SHUT_RDWR);
        }
    }
}

// Who sends his body slowly, or no more of it, does not hold the end up.
static void lose_unfinished(front *f)
{
    for (front_request *r = f->requests; r; r = r->next) {
        if (!r->is_read && !r->is_gone && r->waits == FRONT_WAIT_NOTHING) {
            front_lose(r);
            shutdown(r->slot->fd, SHUT_RDWR);
        }
    }
}

bool front_is_still(const front *f)
{
    return exchange_still_ns(f->options->lines)
           > (int64_t)STILL_SECONDS * 1000000000;
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
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
        front_on_request, f, MHD_OPTION_LISTEN_SOCKET, f->listener,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, f,
        MHD_OPTION_NOTIFY_COMPLETED, front_on_completed, f,
        MHD_OPTION_URI_LOG_CALLBACK, front_on_uri, f,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)FRONT_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_OF_CONNECTION,
        MHD_OPTION_END);
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
        f->stopped_ns = clock_ns();
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
    for (nfds_t i = 0; i < f->n_slots; i++) {
        const front_slot *slot = &f->slots[i];
        bool is_watched = front_sleeps(slot) || !slot->has_ended;
        f->fds[FRONT_OWN_FDS + i] = (struct pollfd){
            .fd = is_watched ? slot->fd : -1, .events = POLLRDHUP};
    }
}

static int wait_ms(front *f)
{
    MHD_UNSIGNED_LONG_LONG ms = 0;
    bool has_end = f->mhd.get_timeout(f->daemon, &ms) == MHD_YES;
    bool has_lines = exchange_n_flight(f->options->lines) > 0;
    int most = f->is_stopping || f->is_lost ? 100 : has_lines ? 1000 : 10000;
    return has_end && ms < (MHD_UNSIGNED_LONG_LONG)most ? (int)ms : most;
}

static void step(front *f)
{
    exchange *lines = f->options->lines;
    fill_fds(f);
    poll(f->fds, FRONT_OWN_FDS + f->n_slots, wait_ms(f));
    take_signals(f);
    see_ends(f);
    lose_slow(f);
    front_bound_bytes(f);
    front_make_room(f);
    if (!f->is_lost) {
        exchange_write(lines);
        f->is_lost = !exchange_read(lines, front_take_answer, f);
    }
    if (f->is_lost) {
        stop_listening(f);
        wake_all(f, FRONT_WAIT_ANSWER);
    }
    wake_all(f, FRONT_WAIT_ROOM);
    f->mhd.run(f->daemon);
    tell_ends(f);
    if (!f->is_lost) {
        exchange_write(lines);
    }
}

static front_end loop(front *f)
{
    int64_t lost_ns = 0;
    bool is_over = false;
    while (!is_over) {
        f->is_late |= f->is_stopping && !f->is_lost
                      && is_past(f->stopped_ns, f->options->end_ms);
        f->is_lost |= f->is_late;
        step(f);
        lost_ns = f->is_lost && lost_ns == 0 ? clock_ns() : lost_ns;
        bool is_late = (f->is_lost && is_past(lost_ns, LAST_MS))
                       || (f->is_stopping && front_is_still(f));
        if (f->is_stopping && is_past(f->stopped_ns, LAST_BODY_MS)) {
            lose_unfinished(f);
        }
        is_over = f->is_interrupted || is_late
                  || ((f->is_lost || f->is_stopping) && f->n_requests == 0);
    }
    return f->is_interrupted ? FRONT_INTERRUPTED
           : f->is_late      ? FRONT_LATE
           : f->is_lost      ? FRONT_LOST
           : f->n_requests   ? FRONT_STILL
                             : FRONT_DONE;
}

// What still sleeps is woken first: libmicrohttpd demands it.
static void stop(front *f)
{
    stop_listening(f);
    for (front_request *r = f->requests; r; r = r->next) {
        front_lose(r);
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
    for (int i = 0; i < FRONT_CONNECTIONS; i++) {
        f->slots[i].fd = -1;
    }
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
