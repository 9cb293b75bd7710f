/*
 * listen.c - see listen.h.
 *
 * Method      Addresses are numbers: nobody is asked for names, and what is
 *             said to be this machine's own is. A socket's file is made with
 *             the rights that it keeps: there is no moment with others.
 */
#define _GNU_SOURCE  // SOCK_NONBLOCK
#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,  // who connects and goes fills it before we look
    MOST_PORT = 65535,
};

static bool fill_tcp(const listen_place *p,
                     socket_address *out,
                     socklen_t *size)
{
    *out = (socket_address){0};
    in_port_t port = htons((in_port_t)p->port);
    if (p->is_v6) {
        out->v6 =
            (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = port};
        *size = sizeof out->v6;
        return inet_pton(AF_INET6, p->host, &out->v6.sin6_addr) == 1;
    }
    out->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port};
    *size = sizeof out->v4;
    return inet_pton(AF_INET, p->host, &out->v4.sin_addr) == 1;
}

static bool is_loopback(const listen_place *p, const socket_address *at)
{
    return p->is_v6 ? IN6_IS_ADDR_LOOPBACK(&at->v6.sin6_addr)
                    : ntohl(at->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static bool parse_tcp(str text, listen_place *out, arena *a)
{
    ptrdiff_t colon = text.len - 1;
    while (colon >= 0 && text.ptr[colon] != ':') {
        colon--;
    }
    int64_t port = -1;
    if (colon < 1 || !str_to_int(str_skip(text, colon + 1), &port) || port < 0
        || port > MOST_PORT) {
        return false;
    }
    str host = str_sub(text, 0, colon);
    out->is_v6 = str_starts(host, S("[")) && str_ends(host, S("]"));
    host = out->is_v6 ? str_sub(host, 1, host.len - 1) : host;
    out->host = arena_cstr(a, host);
    out->port = (int)port;
    socket_address at;
    socklen_t size;
    bool ok = fill_tcp(out, &at, &size);
    out->is_local = ok && is_loopback(out, &at);
    return ok;
}

bool listen_parse(str text, listen_place *out, arena *a, diag *d)
{
    *out = (listen_place){0};
    if (str_starts(text, S("unix:"))) {
        str path = str_skip(text, 5);
        out->path = arena_cstr(a, path);
        out->is_local = true;
        socket_address at;
        bool fits = path.len > 0 && path.len < (ptrdiff_t)sizeof at.un.sun_path;
        return fits
               || diag_add(d, (diag_place){0},
                           "a Unix socket's path has 1 to %zu bytes",
                           sizeof at.un.sun_path - 1);
    }
    return parse_tcp(text, out, a)
           || diag_add(d, (diag_place){0},
                       "'%.*s' is not an address to listen on: use unix:PATH, "
                       "127.0.0.1:PORT or [::1]:PORT, in numbers",
                       STR_ARG(text));
}

// A socket that is left of a server that was killed.
static void remove_stale(const listen_place *p, const socket_address *at)
{
    struct stat found;
    if (lstat(p->path, &found) != 0 || !S_ISSOCK(found.st_mode)) {
        return;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, &at->any, sizeof at->un) != 0
        && errno == ECONNREFUSED) {
        unlink(p->path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

static bool bind_unix(const listen_place *p, int fd)
{
    socket_address at = {.un = {.sun_family = AF_UNIX}};
    memcpy(at.un.sun_path, p->path, strlen(p->path) + 1);
    remove_stale(p, &at);
    mode_t before = umask(S_IRWXG | S_IRWXO | S_IXUSR);
    bool ok = bind(fd, &at.any, sizeof at.un) == 0;
    umask(before);
    return ok;
}

static bool bind_tcp(listen_place *p, int fd)
{
    socket_address at;
    socklen_t size;
    int yes = 1;
    bool ok = fill_tcp(p, &at, &size)
              && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
              && bind(fd, &at.any, size) == 0
              && getsockname(fd, &at.any, &size) == 0;
    if (ok) {
        p->port = ntohs(p->is_v6 ? at.v6.sin6_port : at.v4.sin_port);
    }
    return ok;
}

int listen_open(listen_place *place, diag *d)
{
    int family = place->path ? AF_UNIX : place->is_v6 ? AF_INET6 : AF_INET;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_bound =
        fd >= 0 && (place->path ? bind_unix(place, fd) : bind_tcp(place, fd));
    if (is_bound && listen(fd, BACKLOG) == 0) {
        return fd;
    }
    const char *why = strerror(errno);
    if (place->path) {
        diag_add(d, (diag_place){.file = str_from(place->path)},
                 "cannot listen: %s", why);
    } else {
        diag_add(d, (diag_place){0}, "cannot listen at %s, port %d: %s",
                 place->host, place->port, why);
    }
    if (is_bound) {
        listen_close(place, fd);
    } else if (fd >= 0) {
        close(fd);
    }
    return -1;
}

void listen_close(const listen_place *place, int fd)
{
    close(fd);
    if (place->path) {
        unlink(place->path);
    }
}

str listen_text(const listen_place *place, arena *a)
{
    return place->path ? arena_printf(a, "unix:%s", place->path)
           : place->is_v6
               ? arena_printf(a, "http://[%s]:%d", place->host, place->port)
               : arena_printf(a, "http://%s:%d", place->host, place->port);
}
