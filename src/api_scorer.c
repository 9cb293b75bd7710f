/*
 * api_scorer.c - the scorer of assay.h: `assay worker` as a child, requests and
 * replies by ticket.
 *
 * Method      A socket carries requests, so that a child that died is an error
 *             and no SIGPIPE; a pipe carries answers. One epoll file holds
 *             both, and a timer for deadlines: that is what callers poll. The
 *             ticket of a request is the number of its line.
 *
 * Invariants  (1) A ticket has one reply, or was cancelled.
 *             (2) Nothing waits under the mutex.
 */
#define _GNU_SOURCE  // pipe2, memfd_create
#include "api_said.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/json_write.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    REQUEST_MOST_BYTES = 8 << 20,
    MOST_WORDS = 256,
    FIRST_WORDS = 5,  // that are not the caller's
};

// A request's text, escaped, and the tree of its answer.
static const ptrdiff_t SCRATCH_BYTES = (ptrdiff_t)1 << 30;

typedef struct ticket {
    int64_t deadline_ns;  // 0: none
    bool is_open;         // has no reply yet
} ticket;

struct assay_scorer {
    pthread_mutex_t mutex;
    pid_t pid;
    int to;     // the child's standard input
    int from;   // its standard output
    int said;   // its standard error, in memory
    int timer;  // of the next deadline
    int ready;  // epoll of the three
    bool has_ended;
    bytes out;
    bytes in;
    ticket *tickets;  // from `first`, those that were ever submitted
    uint64_t first;
    size_t n_tickets;
    size_t ticket_room;
    size_t n_open;
    arena_store scratch;
};

struct assay_reply {
    api_said said;
    uint64_t ticket;
};

/* Bytes on their way. */

// The child's socket is waited for only while there is something to send.
static void watch_output(assay_scorer *s)
{
    bool has_output = s->out.at < s->out.len;
    struct epoll_event event = {.events = has_output ? EPOLLOUT : 0};
    epoll_ctl(s->ready, EPOLL_CTL_MOD, s->to, &event);
}

static void send_output(assay_scorer *s)
{
    while (s->out.at < s->out.len) {
        ssize_t n = send(s->to, s->out.ptr + s->out.at, s->out.len - s->out.at,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            break;  // full, or ended: that is seen where answers are read
        }
        s->out.at += (size_t)n;
    }
    watch_output(s);
}

static bool read_input(assay_scorer *s)
{
    ssize_t n = 0;
    while ((n = bytes_read(&s->in, s->from)) > 0) {
    }
    s->has_ended |= n == 0;
    return n == 0 || errno != ENOMEM;
}

/* Tickets. */

static ticket *ticket_at(assay_scorer *s, uint64_t number)
{
    bool is_known = number >= s->first && number - s->first < s->n_tickets;
    return is_known ? &s->tickets[number - s->first] : NULL;
}

// False where it is not waited for.
static bool ticket_close(assay_scorer *s, uint64_t number)
{
    ticket *t = ticket_at(s, number);
    bool was_open = t && t->is_open;
    if (was_open) {
        t->is_open = false;
        s->n_open--;
    }
    return was_open;
}

static bool tickets_add(assay_scorer *s, size_t n, int64_t deadline_ns)
{
    size_t n_done = 0;
    while (n_done < s->n_tickets && !s->tickets[n_done].is_open) {
        n_done++;
    }
    // Moved when that is more than half of them: a few moves a ticket.
    if (n_done > s->n_tickets / 2) {
        s->n_tickets -= n_done;
        s->first += n_done;
        memmove(s->tickets, s->tickets + n_done,
                s->n_tickets * sizeof *s->tickets);
    }
    if (s->n_tickets + n > s->ticket_room) {
        size_t room = (s->n_tickets + n) * 2;
        ticket *more = realloc(s->tickets, room * sizeof *more);
        if (!more) {
            return false;
        }
        s->tickets = more;
        s->ticket_room = room;
    }
    for (size_t i = 0; i < n; i++) {
        s->tickets[s->n_tickets++] = (ticket){deadline_ns, true};
    }
    s->n_open += n;
    return true;
}

// Sets the timer to the first deadline; returns a ticket whose deadline has
// passed, 0: none.
static uint64_t look_at_deadlines(assay_scorer *s)
{
    int64_t next = 0;
    int64_t now = clock_ns();
    uint64_t late = 0;
    for (size_t i = 0; i < s->n_tickets && late == 0; i++) {
        int64_t deadline = s->tickets[i].deadline_ns;
        if (s->tickets[i].is_open && deadline > 0) {
            late = deadline <= now ? s->first + i : 0;
            next = next == 0 || deadline < next ? deadline : next;
        }
    }
    struct itimerspec when = {
        .it_value = {next / 1000000000, next % 1000000000}};
    timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &when, NULL);
    return late;
}

/* Requests. */

typedef struct writing {
    assay_scorer *s;
    const assay_request *requests;
    size_t n;
    bool is_kept;
} writing;

static void write_requests(void *context)
{
    writing *w = context;
    w->is_kept = true;
    for (size_t i = 0; i < w->n && w->is_kept; i++) {
        const assay_request *r = &w->requests[i];
        arena a = arena_store_clear(&w->s->scratch);
        buf b = buf_new(&a);
        uint64_t number = w->s->first + w->s->n_tickets + i;
        json_write(&b, json_begin('{'), member_int(S("id"), (int64_t)number),
                   member_text_if_any(S("db"), api_str(r->db)),
                   member_text_if_any(S("question"), api_str(r->question)),
                   member_text_if_any(S("category"), api_str(r->category)),
                   member_text(S("gold"), api_str(r->gold)),
                   member_text(S("pred"), api_str(r->pred)), json_end("}\n"));
        w->is_kept = bytes_add(&w->s->out, buf_str(&b));
    }
}

static bool fits(const assay_request *r)
{
    size_t n = r->db.len + r->gold.len + r->pred.len + r->question.len
               + r->category.len;
    return n <= REQUEST_MOST_BYTES;
}

static assay_status submit(assay_scorer *s,
                           const assay_request *requests,
                           size_t n,
                           uint32_t deadline_ms,
                           uint64_t *first,
                           assay_error *err)
{
    writing w = {s, requests, n, false};
    size_t before = s->out.len - s->out.at;
    int64_t deadline =
        deadline_ms > 0 ? clock_ns() + (int64_t)deadline_ms * 1000000 : 0;
    *first = s->first + s->n_tickets;
    bool ok = api_call(write_requests, &w) && w.is_kept
              && tickets_add(s, n, deadline);
    if (!ok) {
        s->out.len = s->out.at + before;
        *first = 0;
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    look_at_deadlines(s);
    send_output(s);
    return ASSAY_OK;
}

assay_status assay_scorer_submit(assay_scorer *s,
                                 const assay_request *requests,
                                 size_t n,
                                 uint32_t deadline_ms,
                                 uint64_t *first,
                                 assay_error *err)
{
    if (first) {
        *first = 0;
    }
    if (!s || !first || (n > 0 && !requests)) {
        return api_fail(err, ASSAY_ERR_USAGE, S("scorer and first are needed"));
    }
    for (size_t i = 0; i < n; i++) {
        if (!fits(&requests[i])) {
            return api_fail(err, ASSAY_ERR_USAGE,
                            S("a request is longer than 8 MiB"));
        }
    }
    pthread_mutex_lock(&s->mutex);
    assay_status status = submit(s, requests, n, deadline_ms, first, err);
    pthread_mutex_unlock(&s->mutex);
    return status;
}

// Takes a request back from the program; where memory is full it goes on.
static void call_off(assay_scorer *s, uint64_t number)
{
    char text[64];
    int n = snprintf(text, sizeof text, "{\"cancel\":%llu}\n",
                     (unsigned long long)number);
    if (bytes_add(&s->out, (str){text, n})) {
        send_output(s);
    }
}

void assay_scorer_cancel(assay_scorer *s, uint64_t number)
{
    if (s) {
        pthread_mutex_lock(&s->mutex);
        if (ticket_close(s, number)) {
            call_off(s, number);
        }
        pthread_mutex_unlock(&s->mutex);
    }
}

/* Replies. */

typedef struct reading {
    assay_scorer *s;
    api_line line;
    assay_reply *out;
} reading;

// One block: the reply, its verdicts, their texts, the line.
static void fill(void *to, api_texts *t, const void *from)
{
    const api_line *line = from;
    assay_reply *reply = to;
    api_said_fill(&reply->said, reply + 1, t, line);
    reply->ticket = line->ticket;
}

static void read_reply(void *context)
{
    reading *r = context;
    arena a = arena_store_clear(&r->s->scratch);
    api_line *l = &r->line;
    int64_t id = 0;
    bool is_read = case_line_read(&l->c, &a, l->text) != CASE_LINE_BROKEN;
    bool has_id = is_read && str_to_int(l->c.id, &id);
    l->ticket = l->ticket > 0 ? l->ticket
                : has_id      ? (uint64_t)id
                : is_read     ? (uint64_t)l->c.line
                              : 0;
    if (l->ticket > 0 && ticket_close(r->s, l->ticket)) {
        r->out = api_said_new(sizeof *r->out, fill, l);
    } else {
        l->ticket = 0;  // cancelled, or late
    }
}

// A reply to a request whose time is over.
static void read_late(reading *r, uint64_t number, char *text, size_t size)
{
    int n = snprintf(text, size,
                     "{\"id\":%llu,\"verdicts\":{},\"gold_status\":\"ok\","
                     "\"pred_status\":\"not_run\"}",
                     (unsigned long long)number);
    r->line.text = (str){text, n};
    r->line.ticket = number;
}

// A line that came in, or a deadline that passed, as a reply; *out stays NULL
// where there is none. False when memory was full.
static bool take_reply(assay_scorer *s, assay_reply **out)
{
    while (!*out) {
        char text[128];
        reading r = {.s = s};
        if (!bytes_line(&s->in, &r.line.text)) {
            uint64_t late = look_at_deadlines(s);
            if (late == 0) {
                return true;
            }
            read_late(&r, late, text, sizeof text);
            call_off(s, late);
        }
        if (!api_call(read_reply, &r) || (r.line.ticket > 0 && !r.out)) {
            return false;
        }
        *out = r.out;
    }
    return true;
}

// What the program said before it ended; its first line is enough.
static assay_status fail_ended(const assay_scorer *s, assay_error *err)
{
    char text[200] = {0};
    ssize_t n = pread(s->said, text, sizeof text - 1, 0);
    str said = str_trim((str){text, n > 0 ? n : 0});
    char message[256];
    snprintf(message, sizeof message, "assay worker has ended%s%.*s",
             said.len > 0 ? ": " : "", STR_ARG(said));
    return api_fail(err, ASSAY_ERR_ENGINE, str_from(message));
}

static assay_status try_next(assay_scorer *s,
                             assay_reply **out,
                             bool *is_done,
                             assay_error *err)
{
    send_output(s);
    if (!read_input(s) || !take_reply(s, out)) {
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    *is_done = *out || s->n_open == 0;
    return !*out && s->has_ended && s->n_open > 0 ? fail_ended(s, err)
                                                  : ASSAY_OK;
}

assay_status assay_scorer_next(assay_scorer *s,
                               assay_reply **out,
                               int timeout_ms,
                               assay_error *err)
{
    if (!s || !out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("scorer and out are needed"));
    }
    *out = NULL;
    int64_t end = clock_ns() + (int64_t)timeout_ms * 1000000;
    for (;;) {
        bool is_done = false;
        pthread_mutex_lock(&s->mutex);
        assay_status status = try_next(s, out, &is_done, err);
        pthread_mutex_unlock(&s->mutex);
        int64_t left_ms = (end - clock_ns()) / 1000000;
        if (status != ASSAY_OK || is_done
            || (timeout_ms >= 0 && left_ms <= 0)) {
            return status;
        }
        // Others may take what we are woken for: nobody sleeps for long.
        struct pollfd ready = {.fd = s->ready, .events = POLLIN};
        poll(&ready, 1, timeout_ms < 0 || left_ms > 1000 ? 1000 : (int)left_ms);
    }
}

int assay_scorer_fd(const assay_scorer *s)
{
    return s ? s->ready : -1;
}

void assay_reply_free(assay_reply *r)
{
    free(r);
}

uint64_t assay_reply_ticket(const assay_reply *r)
{
    return r ? r->ticket : 0;
}

assay_answer assay_reply_answer(const assay_reply *r, const char *key)
{
    return api_said_verdict(r ? &r->said : NULL, key)->answer;
}

assay_str assay_reply_reason(const assay_reply *r, const char *key)
{
    const api_said *said = r ? &r->said : NULL;
    const api_verdict *v = api_said_verdict(said, key);
    return v->key.len > 0 ? v->reason : api_said_text(said, S("pred_status"));
}

assay_str assay_reply_json(const assay_reply *r)
{
    return r ? r->said.json : (assay_str){0};
}

/* The program. */

// A host may have closed its standard streams: what is to become one of the
// child's must not stand in the way of another.
static void move_up(int *fd)
{
    if (*fd >= 0 && *fd <= STDERR_FILENO) {
        int up = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(*fd);
        *fd = up;
    }
}

// False with errno.
static bool open_files(assay_scorer *s, int child[2])
{
    int to[2] = {-1, -1};
    int from[2] = {-1, -1};
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) == 0
              && pipe2(from, O_CLOEXEC) == 0;
    s->to = to[0];
    child[0] = to[1];
    s->from = from[0];
    child[1] = from[1];
    s->said = memfd_create("assay worker", MFD_CLOEXEC);
    s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    s->ready = epoll_create1(EPOLL_CLOEXEC);
    move_up(&child[0]);
    move_up(&child[1]);
    move_up(&s->said);
    struct epoll_event in = {.events = EPOLLIN};
    struct epoll_event none = {.events = 0};
    return ok && s->said >= 0 && s->timer >= 0 && s->ready >= 0
           && fcntl(s->from, F_SETFL, O_NONBLOCK) == 0
           && epoll_ctl(s->ready, EPOLL_CTL_ADD, s->to, &none) == 0
           && epoll_ctl(s->ready, EPOLL_CTL_ADD, s->from, &in) == 0
           && epoll_ctl(s->ready, EPOLL_CTL_ADD, s->timer, &in) == 0;
}

// In a group of its own, with signals as they are by default: those that a
// terminal sends to the host are the host's business.
static int spawn(assay_scorer *s,
                 const assay_scorer_options *o,
                 const int child[2])
{
    assert(o->program && o->db);
    const char *first[FIRST_WORDS] = {o->program, "worker", "--quiet", "--db",
                                      o->db};
    char *words[MOST_WORDS + 1] = {0};
    arena a = arena_store_clear(&s->scratch);
    for (size_t i = 0; i < MOST_WORDS; i++) {
        bool is_first = i < FIRST_WORDS;
        const char *word = is_first   ? first[i]
                           : o->words ? o->words[i - FIRST_WORDS]
                                      : NULL;
        if (!word) {
            break;
        }
        words[i] = arena_cstr(&a, str_from(word));
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK
                                              | POSIX_SPAWN_SETSIGDEF
                                              | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&files, child[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, child[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, s->said, STDERR_FILENO);
    int error =
        posix_spawnp(&s->pid, o->program, &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static assay_status start(assay_scorer *s,
                          assay_scorer_options o,
                          assay_error *err)
{
    int child[2] = {-1, -1};
    o.program = o.program ? o.program : getenv("ASSAY_PROGRAM");
    o.program = o.program ? o.program : "assay";
    bool ok = open_files(s, child);
    int error = ok ? spawn(s, &o, child) : errno;
    for (int i = 0; i < 2; i++) {
        if (child[i] >= 0) {
            close(child[i]);
        }
    }
    if (error != 0) {
        s->pid = 0;
        char message[256];
        snprintf(message, sizeof message, "cannot start '%s': %s", o.program,
                 strerror(error));
        return api_fail(err, ok ? ASSAY_ERR_ENGINE : ASSAY_ERR_LIMIT,
                        str_from(message));
    }
    return ASSAY_OK;
}

assay_status assay_scorer_open(assay_scorer **out,
                               const assay_scorer_options *options,
                               assay_error *err)
{
    if (!out || !options || !options->db) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("out, options and options.db are needed"));
    }
    *out = NULL;
    size_t n = 0;
    while (options->words && options->words[n]) {
        n++;
    }
    if (n > MOST_WORDS - FIRST_WORDS) {
        return api_fail(err, ASSAY_ERR_USAGE, S("too many words"));
    }
    assay_scorer *s = calloc(1, sizeof *s);
    if (!s) {
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    pthread_mutex_init(&s->mutex, NULL);
    s->first = 1;
    s->to = s->from = s->said = s->timer = s->ready = -1;
    assay_status status =
        arena_store_open(&s->scratch, SCRATCH_BYTES)
            ? start(s, *options, err)
            : api_fail(err, ASSAY_ERR_LIMIT, S("no address space"));
    if (status != ASSAY_OK) {
        assay_scorer_close(s);
        return status;
    }
    *out = s;
    return ASSAY_OK;
}

void assay_scorer_close(assay_scorer *s)
{
    if (!s) {
        return;
    }
    const int files[] = {s->to, s->from, s->said, s->timer, s->ready};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
    if (s->pid > 0) {
        // Its workers end with it.
        kill(s->pid, SIGKILL);
        while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    arena_store_close(&s->scratch);
    pthread_mutex_destroy(&s->mutex);
    bytes_free(&s->out);
    bytes_free(&s->in);
    free(s->tickets);
    free(s);
}
