/*
 * supervisor.c - see supervisor.h.
 *
 * Method      One socket pair a worker. Up to a window of requests are under
 *             way to each, so that it never waits for us; an answer makes room
 *             for the next. The end of the stream means that the worker died:
 *             the job is asked what the death means for the item that the
 *             watch page names, and all else that the worker held is asked
 *             again.
 */
#include "process/supervisor.h"

#include "base/clock.h"
#include "process/crew.h"
#include "process/handle.h"
#include "process/late.h"
#include "process/schedule.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_WINDOW = WATCH_SLOTS,
    POLL_MS = 20,
    READ_BYTES = 256 << 10,
    BARREN_DEATHS = 64,  // more than the requests of one item can be blamed for
    SETUP_DEATHS = 8,    // a library that gets no memory may crash
    IDLE_MS = 1000,      // between looks at a stream when nothing is under way
};

static const int64_t POLL_NS = (int64_t)POLL_MS * 1000000;
// Who does not look at the clock for so long was stopped.
static const int64_t STOPPED_NS = (int64_t)250 * 1000000;
static const int64_t MOST_ANSWER_BYTES = (int64_t)1 << 30;
static const ptrdiff_t INPUT_STORE_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t OUTPUT_STORE_BYTES = (ptrdiff_t)2 << 30;
static const ptrdiff_t LISTS_BYTES = (ptrdiff_t)5 << 30;

static const char stuck[] = "the server is still running cancelled queries: "
                            "end them there, then continue with --resume";

typedef vec_of(work_request) request_list;

// A request of supervisor_ask, and what became of it.
typedef struct asking {
    const void *asked;
    void *answer;
    arena *a;  // of the answer
    bool is_answered;
    bool has_died;
    work_death death;
} asking;

struct supervisor {
    supervisor_job job;
    schedule schedule;
    request_list again;  // asked before, to be asked again: last first
    asking *asking;      // in supervisor_ask: the one request under way
    char *block;         // what was just read; too much for a small stack
    void *answer;        // likewise, as the struct that it is
    arena_store lists;   // of an answer
    arena lists_arena;
    handle *workers;
    ptrdiff_t n_workers;
    int signals;        // signalfd; -1: signals are not ours
    int64_t clock_ns;   // of our last look
    int64_t looked_ns;  // for workers that were stopped
    int n_barren;       // deaths since the last answer
    int n_unready;      // of these, crashes of workers being set up
    queries_left left;
    ptrdiff_t n_answered;
    ptrdiff_t n_lost;
    bool sink_refused;
    bool cannot_start;
    diag *d;
    arena *a;
};

/* Workers. */

static bool cannot(supervisor *s, const char *what)
{
    s->cannot_start = true;
    return diag_add(s->d, (diag_place){0}, "cannot %s: %s", what,
                    strerror(errno));
}

static bool start(supervisor *s, handle *w)
{
    return handle_start(w, &s->job.call, s->job.most_bytes > 0)
           || cannot(s, "start a worker");
}

/* Handing out. */

static bool may_begin_next(const supervisor *s)
{
    if (s->job.stream) {
        return s->job.stream->n_waiting(s->job.context) > 0;
    }
    return s->schedule.n_left > 0
           && (!s->job.may_begin
               || s->job.may_begin(s->job.context,
                                   schedule_first(&s->schedule)));
}

static bool has_work(const supervisor *s)
{
    return s->again.len > 0 || may_begin_next(s);
}

static void take_request(supervisor *s, handle *w, work_request *out)
{
    assert(has_work(s));
    if (s->again.len > 0) {
        *out = s->again.ptr[--s->again.len];
        return;
    }
    int32_t item = s->job.stream ? s->job.stream->begin(s->job.context)
                                 : schedule_next(&s->schedule, &w->queue);
    *out = (work_request){.item = item};
}

// The request, and what is asked of it.
static void write_request(const supervisor *s, handle *w, work_request *r)
{
    const codec_shape *shape = s->job.call.asked;
    ptrdiff_t at = w->output.len;
    buf_add(&w->output, (str){(const char *)r, (ptrdiff_t)sizeof *r});
    if (shape) {
        codec_write(&w->output, shape,
                    s->asking ? s->asking->asked
                              : s->job.stream->asked(s->job.context, r->item));
    }
    r->size = w->output.len - at - (ptrdiff_t)sizeof *r;
    memcpy(w->output.ptr + at, r, sizeof *r);
}

// How many requests a worker may hold: fewer towards the end, so that all
// workers end together.
static ptrdiff_t window(const supervisor *s, const handle *w)
{
    if (worker_holds_up(&s->job, w)) {
        return 1;
    }
    ptrdiff_t left = s->again.len
                     + (s->job.stream ? s->job.stream->n_waiting(s->job.context)
                                      : s->schedule.n_left);
    ptrdiff_t share = left / (2 * s->n_workers);
    ptrdiff_t most = s->job.window > 0 ? s->job.window : (ptrdiff_t)MAX_WINDOW;
    return share < 1 ? 1 : share < most ? share : most;
}

// Was what comes next in the hands of a worker that did not die of itself?
static bool is_suspect(const supervisor *s)
{
    return s->again.len > 0 && s->again.ptr[s->again.len - 1].n_spared > 0;
}

// Fills the worker's window. A worker that cannot be written to is dead, or
// made so: its end of stream will be seen.
static void feed(supervisor *s, handle *w)
{
    ptrdiff_t most = window(s, w);
    w->has_no_slot = false;
    // An item that killed before goes alone: nobody waits for it.
    while (w->n_held < most && has_work(s)
           && !(w->n_held > 0
                && (w->held[w->n_held - 1].n_deaths > 0
                    || w->held[0].n_spared > 0 || is_suspect(s)))) {
        int32_t slot = watch_send(w->watch);
        w->has_no_slot = slot < 0;
        if (w->has_no_slot) {
            break;
        }
        work_request *r = &w->held[w->n_held++];
        take_request(s, w, r);
        r->slot = slot;
        write_request(s, w, r);
    }
    if (!handle_send(w)) {
        kill(w->pid, SIGKILL);
    }
}

static void take_back(supervisor *s, handle *w)
{
    while (w->n_held > 1
           && watch_revoke(w->watch, w->held[w->n_held - 1].slot)) {
        *vec_push(s->a, &s->again) = w->held[--w->n_held];
    }
}

// When somebody has nothing to do, takes back what others hold and have not
// begun: it may wait there for a query that runs for half a minute. Of a
// stream, which may never be at its end, as soon as somebody is held up.
static void balance(supervisor *s)
{
    bool some_idle = false;
    for (ptrdiff_t i = 0; i < s->n_workers; i++) {
        some_idle |= s->workers[i].n_held == 0;
    }
    for (ptrdiff_t i = 0; !has_work(s) && some_idle && i < s->n_workers; i++) {
        take_back(s, &s->workers[i]);
    }
    for (ptrdiff_t i = 0; s->job.stream && i < s->n_workers; i++) {
        if (s->workers[i].n_held > 1
            && worker_holds_up(&s->job, &s->workers[i])) {
            take_back(s, &s->workers[i]);
        }
    }
}

/* Answers. */

static void hand_on(supervisor *s, int32_t item)
{
    s->n_answered++;
    s->n_barren = 0;
    s->n_unready = 0;
    if (s->asking) {
        codec_copy(s->job.call.answer, s->answer, s->asking->answer,
                   s->asking->a);
        s->asking->is_answered = true;
    } else if (!s->sink_refused
               && !s->job.take(s->job.context, item, s->answer)) {
        s->sink_refused = true;
    }
}

static bool says_ready(const handle *w, const work_answer *head)
{
    return !w->is_ready && head->item == WORKER_READY && head->size == 0;
}

// A worker answers what it holds in the order in which it was asked.
static bool is_its_turn(const handle *w, const work_answer *head)
{
    return w->is_ready && w->n_held > 0 && w->held[0].item == head->item
           && head->size >= 0 && head->size <= MOST_ANSWER_BYTES;
}

// Hands every complete answer in the input on.
static void take_answers(supervisor *s, handle *w)
{
    str rest = buf_str(&w->input);
    work_answer head;
    while (rest.len >= (ptrdiff_t)sizeof head) {
        memcpy(&head, rest.ptr, sizeof head);
        str bytes = str_skip(rest, (ptrdiff_t)sizeof head);
        if (says_ready(w, &head)) {
            w->is_ready = true;
            rest = bytes;
            continue;
        }
        bool is_sound = is_its_turn(w, &head);
        if (is_sound && bytes.len < head.size) {
            break;
        }
        arena lists = s->lists_arena;
        is_sound =
            is_sound
            && codec_read(s->job.call.answer, str_sub(bytes, 0, head.size),
                          s->answer, &lists)
            && (!s->job.is_sound
                || s->job.is_sound(s->job.context, head.item, s->answer));
        if (!is_sound) {
            handle_kill(w, KILLED_LIED);
            rest = (str){0};
            break;
        }
        handle_release(w, head.item);
        hand_on(s, head.item);
        rest = str_skip(bytes, head.size);
    }
    if (rest.len == 0) {
        // Also gives the pages of a huge answer back.
        w->input_arena = arena_store_clear(&w->store);
        w->input = buf_new(&w->input_arena);
    } else if (rest.len < w->input.len) {
        memmove(w->input.ptr, rest.ptr, (size_t)rest.len);
        w->input.len = rest.len;
    }
}

// Reads what is there; false at the end of the stream.
static bool read_answers(supervisor *s, handle *w)
{
    ssize_t n = recv(w->fd, s->block, READ_BYTES, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return true;
    }
    if (n < 0) {
        kill(w->pid, SIGKILL);
        return false;
    }
    w->quiet_ns = 0;
    if (w->killed != KILLED_LIED) {
        buf_add(&w->input, (str){s->block, n});
        take_answers(s, w);
    }
    return n > 0;
}

/* Deaths. */

static void give_up(supervisor *s, const char *why)
{
    if (!s->cannot_start) {
        diag_add(s->d, (diag_place){0}, "%s", why);
    }
    s->cannot_start = true;
}

// Is the item to be asked again?
static bool has_another_chance(supervisor *s,
                               work_request *r,
                               const work_death *death)
{
    if (s->asking) {
        s->asking->has_died = true;
        s->asking->death = *death;
        s->n_barren = 0;
        return false;
    }
    return s->job.died ? s->job.died(s->job.context, r, death)
                       : supervisor_blame(r, death);
}

// Asks again, or gives up, what the dead worker held.
static void reassign(supervisor *s, handle *w, int status)
{
    // What the page says a worker that lies wrote as well: each of what it held
    // is asked again, alone, so that the next lie is known by its item.
    bool lied = w->killed == KILLED_LIED;
    bool is_known = !lied || w->n_held == 1;
    int32_t culprit = lied && w->n_held == 1 ? w->held[0].item
                                             : atomic_load(&w->watch->case_no);
    bool was_busy = !lied && atomic_load(&w->watch->since_ns) != 0;
    work_death death = {
        .why = handle_death(w, status),
        .pred_no = was_busy ? atomic_load(&w->watch->pred_no) : WATCH_ALL,
        .work = atomic_load(&w->watch->work),
    };
    // Youngest first, so that the oldest is asked again first.
    for (ptrdiff_t i = w->n_held - 1; i >= 0; i--) {
        work_request *r = &w->held[i];
        r->n_spared += !is_known;
        bool is_meant = w->killed == KILLED_DROPPED
                            ? r->item == w->dropped
                            : is_known && r->item == culprit
                                  && !handle_spares(r, w, status);
        bool keep = !is_meant || has_another_chance(s, r, &death);
        if (keep) {
            *vec_push(s->a, &s->again) = *r;
        } else {
            s->n_lost++;
        }
    }
    w->n_held = 0;
}

// Can no worker be set up? One that crashed there may have met a moment without
// memory; a SIGKILL is somebody else's.
static bool cannot_set_up(supervisor *s, const handle *w, int status)
{
    bool was_shot = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    s->n_unready += !w->is_ready && !was_shot;
    return s->n_unready > SETUP_DEATHS
           || (!w->is_ready && WIFEXITED(status)
               && WEXITSTATUS(status) == WORKER_EXIT_SETUP);
}

// Why the job cannot go on after this death; NULL: it can.
static const char *end_of_job(supervisor *s, const handle *w, int status)
{
    if (w->killed == KILLED_LATE && !w->is_ready) {
        return "a worker process took too long to be set up";
    }
    if (cannot_set_up(s, w, status)) {
        return "a worker process could not be set up: too little memory, "
               "address space or open files (see `ulimit -a`)";
    }
    if (s->job.has_one_worker) {
        return "a process that has no successor died";
    }
    if (worker_leaves_too_many(&s->left, &s->job, w)) {
        return stuck;
    }
    if (w->killed != KILLED_DROPPED && ++s->n_barren > BARREN_DEATHS) {
        return "the worker processes keep dying before they answer anything: "
               "was an input file changed, or is there too little memory or "
               "address space (see `ulimit -a`)?";
    }
    return NULL;
}

static void bury(supervisor *s, handle *w)
{
    int status = handle_reap(w);
    const char *why = end_of_job(s, w, status);
    if (why) {
        give_up(s, why);
        return;
    }
    if (w->queue >= 0) {
        s->schedule.queues[w->queue].n_workers--;
        w->queue = SCHEDULE_NO_QUEUE;
    }
    reassign(s, w, status);
}

// Who has not begun the item forgets it, who is at it is killed.
static void drop(supervisor *s, int32_t item)
{
    for (ptrdiff_t i = 0; i < s->n_workers; i++) {
        handle *w = &s->workers[i];
        for (ptrdiff_t k = w->n_held - 1; k >= 0; k--) {
            work_request r = w->held[k];
            if (r.item == item && watch_revoke(w->watch, r.slot)) {
                handle_forget(w, k);
                *vec_push(s->a, &s->again) = r;
            } else if (r.item == item && w->killed == KILLED_NOT) {
                w->dropped = item;
                handle_kill(w, KILLED_DROPPED);
            }
        }
    }
    for (ptrdiff_t i = s->again.len - 1; i >= 0; i--) {
        work_request r = s->again.ptr[i];
        if (r.item == item) {
            s->again.ptr[i] = s->again.ptr[--s->again.len];
            s->n_lost += !has_another_chance(s, &r, &(work_death){0});
        }
    }
}

static void drop_unwanted(supervisor *s)
{
    const supervisor_stream *stream = s->job.stream;
    int32_t item = -1;
    while ((item = stream->drop(s->job.context)) >= 0) {
        drop(s, item);
    }
}

/* Time. */

// Moves the clocks of all workers, and kills who is past a limit.
static void watch_workers(supervisor *s)
{
    int64_t now = clock_ns();
    int64_t passed = now - s->clock_ns;
    passed = passed > STOPPED_NS ? POLL_NS : passed;
    bool looks = now - s->looked_ns > POLL_NS;
    s->clock_ns = now;
    s->looked_ns = looks ? now : s->looked_ns;
    for (ptrdiff_t i = 0; i < s->n_workers; i++) {
        handle *w = &s->workers[i];
        if (w->pid && looks) {
            handle_look_for_stops(w);
        }
        if (!w->pid || w->is_stopped) {
            continue;
        }
        atomic_fetch_add(&w->watch->now_ns, passed);
        if (worker_is_quiet(w, passed)) {
            handle_kill(w, KILLED_LIED);
        }
        bool is_big =
            looks && w->statm >= 0 && handle_bytes(w) > s->job.most_bytes;
        if (w->killed == KILLED_NOT && (is_big || worker_is_late(&s->job, w))) {
            handle_kill(w, is_big ? KILLED_BIG : KILLED_LATE);
        }
    }
}

static bool is_finished(const supervisor *s)
{
    bool is_over = s->job.stream ? s->job.stream->is_over(s->job.context)
                                 : s->n_answered + s->n_lost >= s->job.n_items;
    return s->sink_refused || s->cannot_start || is_over;
}

// Nothing is under way: no clock has to go on.
static bool is_idle(const supervisor *s)
{
    bool is_idle = s->job.stream && !has_work(s);
    for (ptrdiff_t i = 0; is_idle && i < s->n_workers; i++) {
        is_idle = s->workers[i].n_held == 0;
    }
    return is_idle;
}

// Takes the signal off, so that it does not strike when signals are let through
// again; the next one does.
static bool take_signal(const supervisor *s)
{
    struct signalfd_siginfo signal;
    return read(s->signals, &signal, sizeof signal) == sizeof signal;
}

static int64_t progress_of(const supervisor *s)
{
    int64_t sum = 0;
    for (ptrdiff_t i = 0; i < s->n_workers; i++) {
        int64_t n = atomic_load(&s->workers[i].watch->progress);
        sum += n > 0 && n < INT32_MAX ? n : 0;  // else it is a lie
    }
    return sum;
}

// Starts the workers that there is work for, and gives them some; what is to be
// waited for of them is added to fds, and who it is to `who`.
static nfds_t feed_workers(supervisor *s, struct pollfd *fds, handle **who)
{
    nfds_t n = 0;
    for (ptrdiff_t i = 0; i < s->n_workers && !s->cannot_start; i++) {
        handle *w = &s->workers[i];
        if (!w->pid && has_work(s)) {
            start(s, w);
        }
        if (w->pid) {
            feed(s, w);
            short wants_to_send = handle_has_output(w) ? POLLOUT : 0;
            who[n] = w;
            fds[n++] = (struct pollfd){
                .fd = w->fd, .events = (short)(POLLIN | wants_to_send)};
        }
    }
    return n;
}

// One round: wait for something to happen, deal with it. False when a signal
// asks to stop.
static bool turn(supervisor *s)
{
    struct pollfd fds[CREW_MOST + 1 + SUPERVISOR_STREAM_FDS];
    handle *who[CREW_MOST];
    const supervisor_stream *stream = s->job.stream;
    balance(s);
    nfds_t n_workers = feed_workers(s, fds, who);
    if (s->cannot_start) {
        return true;
    }
    nfds_t n = n_workers;
    struct pollfd *signals = &fds[n++];
    *signals = (struct pollfd){.fd = s->signals, .events = POLLIN};
    struct pollfd *files = &fds[n];
    n += stream ? stream->files(s->job.context, files) : 0;
    handle_gather(s->workers, stream ? s->n_workers : 0);
    poll(fds, n, is_idle(s) ? IDLE_MS : POLL_MS);
    for (nfds_t i = 0; i < n_workers; i++) {
        if (s->job.ends_when_stuck && atomic_load(&who[i]->watch->is_stuck)) {
            give_up(s, stuck);
        } else if (fds[i].revents & ~POLLOUT && !read_answers(s, who[i])) {
            bury(s, who[i]);
        }
    }
    watch_workers(s);
    if (stream) {
        stream->move(s->job.context, files);
        drop_unwanted(s);
    }
    if (s->job.idle) {
        s->job.idle(s->job.context, progress_of(s));
    }
    bool stops = signals->revents & POLLIN && take_signal(s);
    return !stops || (stream && stream->stop(s->job.context));
}

/* A whole job. */

static bool open_workers(supervisor *s)
{
    s->workers = arena_new(s->a, handle, s->n_workers);
    s->block = arena_new(s->a, char, READ_BYTES);
    s->answer =
        arena_alloc(s->a, s->job.call.answer->size, _Alignof(max_align_t), 1);
    s->clock_ns = clock_ns();
    bool ok = arena_store_open(&s->lists, LISTS_BYTES);
    s->lists_arena = ok ? arena_store_clear(&s->lists) : (arena){0};
    for (ptrdiff_t i = 0; i < s->n_workers; i++) {
        watch *page = watch_open();
        s->workers[i].watch = page;
        if (!page) {
            return cannot(s, "share memory with workers");
        }
        atomic_store(&page->now_ns, s->clock_ns);
        ok = ok && arena_store_open(&s->workers[i].store, INPUT_STORE_BYTES)
             && arena_store_open(&s->workers[i].out_store, OUTPUT_STORE_BYTES);
    }
    return ok || cannot(s, "get address space for workers");
}

static void close_workers(supervisor *s)
{
    for (ptrdiff_t i = 0; s->workers && i < s->n_workers; i++) {
        handle *w = &s->workers[i];
        if (w->pid) {
            kill(w->pid, SIGKILL);
            handle_reap(w);
        }
        arena_store_close(&w->store);
        arena_store_close(&w->out_store);
        watch_close(w->watch);
    }
    arena_store_close(&s->lists);
}

supervisor_end supervisor_run(const supervisor_job *job,
                              ptrdiff_t *n_lost,
                              diag *d,
                              arena *a,
                              arena scratch)
{
    assert(job->window <= MAX_WINDOW);
    assert(!job->may_begin || !job->queue_of);
    supervisor s = {.job = *job, .d = d, .a = a};
    assert(!job->stream || (job->n_items == 0 && !job->queue_of));
    s.n_workers = job->stream
                      ? crew_size(job->n_workers, -1, false)
                      : crew_size(job->n_workers, job->n_items, job->computes);
    s.schedule = schedule_new(a, job->items, job->queue_of, job->n_items,
                              job->queue_of ? job->n_queues : 1, scratch);
    sigset_t stop;
    sigset_t before;
    handle_stop_signals(&stop);
    sigprocmask(SIG_BLOCK, &stop, &before);
    s.signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    bool goes_on = true;
    if (s.signals < 0) {
        cannot(&s, "wait for signals");
    } else if (open_workers(&s)) {
        while (goes_on && !is_finished(&s)) {
            goes_on = turn(&s);
        }
    }
    close_workers(&s);
    if (s.signals >= 0) {
        close(s.signals);
    }
    if (n_lost) {
        *n_lost = s.n_lost;
    }
    // Who interrupts once may do so twice; what was finished is to be written
    // all the same, so signals stay blocked for the little that is left to do.
    if (!goes_on) {
        return SUPERVISOR_INTERRUPTED;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return s.sink_refused || s.cannot_start ? SUPERVISOR_FAILED
                                            : SUPERVISOR_DONE;
}

/* One request after the other. */

supervisor *supervisor_open(const supervisor_job *job, diag *d, arena *a)
{
    supervisor *s = arena_new(a, supervisor, 1);
    *s = (supervisor){
        .job = *job, .n_workers = 1, .signals = -1, .d = d, .a = a};
    return open_workers(s) && start(s, &s->workers[0]) ? s : NULL;
}

void supervisor_close(supervisor *s)
{
    if (s) {
        close_workers(s);
        s->workers = NULL;
    }
}

bool supervisor_ask(supervisor *s,
                    const void *asked,
                    void *reply,
                    work_death *death,
                    arena *a)
{
    asking k = {.asked = asked, .answer = reply, .a = a};
    s->asking = &k;
    *vec_push(s->a, &s->again) = (work_request){0};
    // While nothing was asked, the clock stood.
    s->clock_ns = clock_ns();
    while (!k.is_answered && !k.has_died && !s->cannot_start) {
        turn(s);
    }
    s->again.len = 0;
    s->asking = NULL;
    *death = k.death;
    return k.is_answered;
}
