/*
 * mock_model.c - a server that speaks the chat completions protocol, with all
 * its faults, for tests without a network.
 *
 * Usage       mock_model PORT_FILE STATS_FILE [FAULTS_PERCENT [DELAY_MS
 *                        [HOLD]]]
 *
 * Listens on a free port of the local host, which it writes to PORT_FILE. The
 * first try of a text fails with that probability, and some second tries do,
 * too: with 429 and Retry-After, 500, 503, a cut connection, a slow body,
 * broken or cut JSON, an HTML page, no choices. Which fault a text gets depends
 * on its bytes only, so that every run is the same. Half of the answers say
 * equivalent. On SIGTERM, and after each hundred answers, STATS_FILE says how
 * many texts were answered, and how often a text was answered again. After HOLD
 * answers none goes out until SIGUSR1.
 */
#define _GNU_SOURCE  // accept4
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CLIENTS_MAX = 256,
    REQUEST_BYTES = 1 << 20,
    ANSWER_BYTES = 1 << 16,
};

typedef enum fault {
    FAULT_NONE,
    FAULT_429,
    FAULT_500,
    FAULT_503,
    FAULT_CUT,
    FAULT_SLOW,
    FAULT_JSON,
    FAULT_HTML,
    FAULT_EMPTY,
    FAULT_UTF8,  // an answer all the same
    FAULT_COUNT,
} fault;

typedef struct client {
    int fd;
    char *request;
    ptrdiff_t len;
    char *answer;  // bytes to be sent
    ptrdiff_t answer_len;
    ptrdiff_t sent;
    int64_t due_ns;  // when the rest may be sent
    bool ends_early;
    bool is_slow;
} client;

typedef struct mock {
    int listener;
    client clients[CLIENTS_MAX];
    struct pollfd polls[CLIENTS_MAX + 1];
    int n_clients;
    double faults;
    int64_t delay_ns;
    int64_t
        hold;  // after so many answers none goes out until SIGUSR1; 0: never
    map texts;
    struct {
        struct {
            int tries;
            int answers;
        } * ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } known;  // by text
    int64_t n_answers;
    int64_t n_again;
    int64_t n_faults;
    arena *a;
    const char *stats_file;
} mock;

static volatile sig_atomic_t is_over;
static volatile sig_atomic_t is_released;

static void release(int signal_no)
{
    (void)signal_no;
    is_released = 1;
}

static void stop(int signal_no)
{
    (void)signal_no;
    is_over = 1;
}

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || !file_write_all(fd, str_from(text))) {
        fprintf(stderr, "mock_model: cannot write %s\n", path);
    }
    close(fd);
}

static void write_stats(const mock *m)
{
    char text[200];
    snprintf(text, sizeof text,
             "texts %td\nanswers %lld\nagain %lld\n"
             "faults %lld\n",
             map_count(&m->texts), (long long)m->n_answers,
             (long long)m->n_again, (long long)m->n_faults);
    write_text(m->stats_file, text);
}

// Which fault this try of a text gets.
static fault choose(const mock *m, uint64_t hash, int tries)
{
    uint64_t h = hash_mix(hash, (uint64_t)tries);
    double share = (double)(h >> 11) / 9007199254740992.0;
    double limit = tries == 0 ? m->faults : tries == 1 ? m->faults / 2 : 0;
    if (share >= limit) {
        return FAULT_NONE;
    }
    return (fault)(1 + hash_mix(h, 1) % (FAULT_COUNT - 1));
}

static const char *head_of(fault f)
{
    switch (f) {
    case FAULT_429: return "429 Too Many Requests\r\nRetry-After: 0";
    case FAULT_500: return "500 Internal Server Error";
    case FAULT_503: return "503 Service Unavailable";
    case FAULT_HTML: return "200 OK\r\nContent-Type: text/html";
    case FAULT_NONE:
    case FAULT_CUT:
    case FAULT_SLOW:
    case FAULT_JSON:
    case FAULT_EMPTY:
    case FAULT_UTF8:
    case FAULT_COUNT: break;
    }
    return "200 OK\r\nContent-Type: application/json";
}

static const char *body_of(fault f, uint64_t hash)
{
    switch (f) {
    case FAULT_429: return "{\"error\":{\"message\":\"slow down\"}}";
    case FAULT_500: return "oops";
    case FAULT_503: return "";
    case FAULT_HTML: return "<html><body>Bad gateway</body></html>";
    case FAULT_JSON: return "{\"choices\":[{\"message\":{\"content\":\"deci";
    case FAULT_EMPTY: return "{\"choices\":[]}";
    case FAULT_UTF8:
        return "{\"choices\":[{\"message\":{\"content\":\"\xFF\xC3 decision = "
               "equivalent\"}}]}";
    case FAULT_NONE:
    case FAULT_CUT:
    case FAULT_SLOW:
    case FAULT_COUNT: break;
    }
    return hash % 2 ? "{\"choices\":[{\"message\":{\"content\":\"decision = "
                      "\\\"equivalent\\\"\"},\"finish_reason\":\"stop\"}],"
                      "\"usage\":{\"prompt_tokens\":100,"
                      "\"completion_tokens\":10}}"
                    : "{\"choices\":[{\"message\":{\"content\":\"decision = "
                      "\\\"inequivalent\\\"\"},\"finish_reason\":\"stop\"}],"
                      "\"usage\":{\"prompt_tokens\":100,"
                      "\"completion_tokens\":10}}";
}

static void count_answer(mock *m, ptrdiff_t id, fault f)
{
    bool is_answer = f == FAULT_NONE || f == FAULT_SLOW;
    m->n_faults += !is_answer;
    if (is_answer) {
        m->n_again += m->known.ptr[id].answers++ > 0;
        if (++m->n_answers % 100 == 0) {
            write_stats(m);
        }
    }
}

static void answer(mock *m, client *c, str body)
{
    ptrdiff_t id = map_add(&m->texts, m->a, body);
    if (id == m->known.len) {
        vec_push(m->a, &m->known);
    }
    uint64_t hash = hash64(body);
    fault f = choose(m, hash, m->known.ptr[id].tries++);
    count_answer(m, id, f);
    const char *text = body_of(f, hash);
    int n = snprintf(c->answer, ANSWER_BYTES,
                     "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n%s", head_of(f),
                     strlen(text), text);
    c->answer_len = f == FAULT_CUT ? n - 20 : n;
    c->ends_early = f == FAULT_CUT;
    c->is_slow = f == FAULT_SLOW;
    c->sent = 0;
    bool is_held = m->hold > 0 && m->n_answers > m->hold && !is_released;
    c->due_ns = is_held ? INT64_MAX : clock_ns() + m->delay_ns;
    c->len = 0;
}

// The body of a complete request in the buffer; false while it is not whole.
static bool request_body(const client *c, str *body)
{
    str text = {c->request, c->len};
    ptrdiff_t head = str_find(text, S("\r\n\r\n"), 0);
    ptrdiff_t at = str_find_fold(text, S("content-length:"), 0);
    if (head < 0 || at < 0 || at > head) {
        return false;
    }
    str line = str_skip(text, at + 15);
    int64_t size = 0;
    if (!str_to_int(str_trim(str_cut(&line, '\n')), &size)
        || c->len < head + 4 + size) {
        return false;
    }
    *body = str_sub(text, head + 4, head + 4 + (ptrdiff_t)size);
    return true;
}

static void drop(mock *m, int i)
{
    client last = m->clients[m->n_clients - 1];
    client gone = m->clients[i];
    close(gone.fd);
    m->clients[i] = last;
    // Buffers stay with the place.
    m->clients[m->n_clients - 1] = gone;
    m->n_clients--;
}

static bool read_more(mock *m, client *c)
{
    ssize_t n = recv(c->fd, c->request + c->len,
                     (size_t)(REQUEST_BYTES - c->len), MSG_DONTWAIT);
    if (n <= 0) {
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
    c->len += n;
    str body = {0};
    if (str_find((str){c->request, c->len}, S("Expect: 100"), 0) >= 0) {
        return false;
    }
    if (request_body(c, &body)) {
        answer(m, c, body);
    }
    return c->len < REQUEST_BYTES;
}

static bool send_more(client *c)
{
    ptrdiff_t left = c->answer_len - c->sent;
    size_t piece = (size_t)(c->is_slow && left > 16 ? 16 : left);
    ssize_t n =
        send(c->fd, c->answer + c->sent, piece, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    c->sent += n;
    c->due_ns = c->is_slow ? clock_ns() + 2000000 : 0;
    if (c->sent == c->answer_len) {
        c->answer_len = 0;
        return !c->ends_early;
    }
    return true;
}

static void welcome(mock *m)
{
    int fd = accept4(m->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 || m->n_clients == CLIENTS_MAX) {
        close(fd);
        return;
    }
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    client *c = &m->clients[m->n_clients++];
    char *request =
        c->request ? c->request : arena_new(m->a, char, REQUEST_BYTES);
    char *bytes = c->answer ? c->answer : arena_new(m->a, char, ANSWER_BYTES);
    *c = (client){.fd = fd, .request = request, .answer = bytes};
}

// Milliseconds until somebody's pause is over.
static int set_polls(mock *m)
{
    int64_t now = clock_ns();
    int64_t wait_ns = 100 * 1000000;
    m->polls[0] = (struct pollfd){.fd = m->listener, .events = POLLIN};
    for (int i = 0; i < m->n_clients; i++) {
        const client *c = &m->clients[i];
        bool has_answer = c->answer_len > 0;
        bool is_due = has_answer && c->due_ns <= now;
        if (has_answer && !is_due && c->due_ns - now < wait_ns) {
            wait_ns = c->due_ns - now;
        }
        short events = is_due ? POLLOUT : has_answer ? 0 : POLLIN;
        m->polls[i + 1] = (struct pollfd){.fd = c->fd, .events = events};
    }
    return (int)(wait_ns / 1000000) + 1;
}

static void serve(mock *m)
{
    while (!is_over) {
        int wait_ms = set_polls(m);
        int n = m->n_clients;
        if (poll(m->polls, (nfds_t)n + 1, wait_ms) < 0) {
            continue;
        }
        for (int i = n - 1; i >= 0; i--) {
            short got = m->polls[i + 1].revents;
            client *c = &m->clients[i];
            bool ok = true;
            if (got & POLLOUT) {
                ok = send_more(c);
            } else if (got) {
                ok = !(got & (POLLERR | POLLNVAL)) && read_more(m, c);
            }
            if (!ok) {
                drop(m, i);
            }
        }
        if (m->polls[0].revents & POLLIN) {
            welcome(m);
        }
    }
}

static bool listen_anywhere(mock *m, const char *port_file)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t len = sizeof address;
    m->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (m->listener < 0
        || bind(m->listener, (struct sockaddr *)&address, len) != 0
        || listen(m->listener, CLIENTS_MAX) != 0
        || getsockname(m->listener, (struct sockaddr *)&address, &len) != 0) {
        return false;
    }
    char text[32];
    snprintf(text, sizeof text, "%d\n", ntohs(address.sin_port));
    write_text(port_file, text);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs(
            "usage: mock_model PORT_FILE STATS_FILE [FAULTS [DELAY [HOLD]]]\n",
            stderr);
        return 2;
    }
    arena_store store;
    if (!arena_store_open(&store, (ptrdiff_t)4 << 30)) {
        return 1;
    }
    arena a = arena_store_clear(&store);
    mock *m = arena_new(&a, mock, 1);
    m->a = &a;
    m->stats_file = argv[2];
    double faults = 0;
    double delay = 0;
    (void)str_to_double(str_from(argc > 3 ? argv[3] : "0"), &faults);
    (void)str_to_double(str_from(argc > 4 ? argv[4] : "0"), &delay);
    m->faults = faults / 100;
    m->delay_ns = (int64_t)(delay * 1e6);
    (void)str_to_int(str_from(argc > 5 ? argv[5] : "0"), &m->hold);
    struct sigaction over = {.sa_handler = stop};
    sigaction(SIGTERM, &over, NULL);
    sigaction(SIGINT, &over, NULL);
    struct sigaction released = {.sa_handler = release};
    sigaction(SIGUSR1, &released, NULL);
    if (!listen_anywhere(m, argv[1])) {
        perror("mock_model");
        return 1;
    }
    serve(m);
    write_stats(m);
    return 0;
}
