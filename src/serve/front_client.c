/*
 * front_client.c - who the clients are, and what each may hold.
 *
 * Method      A client is what a server can tell apart: an IPv4 address, a
 *             network of IPv6 (/64, of which one host has all addresses), the
 *             process at the other end of a Unix socket. Connections, calls
 *             and bytes are counted for each. Nothing is set aside: one client
 *             may hold half, a second one half of the rest.
 */
#define _GNU_SOURCE  // struct ucred
#include "serve/front_internal.h"

#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum {
    SPARE = 16,             // connections that are kept free for who comes
    MOST_HELD = 128 << 20,  // bytes of unfinished lines and unread answers
    NETWORK_BYTES = 8,      // of an IPv6 address
    MAPPED_BYTES = 12,      // before the IPv4 address in one of IPv6
};

static uint64_t name_of(int fd)
{
    socket_address at = {0};
    socklen_t size = sizeof at;
    uint64_t network = 0;
    uint32_t v4 = 0;
    struct ucred who = {0};
    if (getpeername(fd, &at.any, &size) != 0) {
        return 0;
    }
    switch (at.any.sa_family) {
    case AF_INET: return at.v4.sin_addr.s_addr;
    case AF_INET6:
        memcpy(&network, &at.v6.sin6_addr, NETWORK_BYTES);
        memcpy(&v4, at.v6.sin6_addr.s6_addr + MAPPED_BYTES, sizeof v4);
        return IN6_IS_ADDR_V4MAPPED(&at.v6.sin6_addr) ? v4 : network;
    default:
        size = sizeof who;
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
        return (uint64_t)who.pid;
    }
}

front_client *front_client_join(front *f, int fd)
{
    uint64_t name = name_of(fd);
    front_client *unused = NULL;
    for (nfds_t i = 0; i < FRONT_CONNECTIONS; i++) {
        front_client *c = &f->clients[i];
        if (c->n_connections > 0 && c->name == name) {
            c->n_connections++;
            return c;
        }
        unused = unused || c->n_connections > 0 ? unused : c;
    }
    assert(unused);  // there are as many as connections
    *unused = (front_client){.name = name, .n_connections = 1};
    return unused;
}

bool front_client_may_call(const front *f, const front_client *c)
{
    return FRONT_CONNECTIONS - SPARE - f->n_judged > c->n_calls;
}

// Whose connection is closed first: the client's with most of them; among his,
// one that was never answered; then the one that moved least for longest.
static bool goes_before(const front_slot *a, const front_slot *b)
{
    nfds_t n_a = a->client->n_connections;
    nfds_t n_b = b->client->n_connections;
    return n_a != n_b ? n_a > n_b
           : a->is_answered != b->is_answered
               ? b->is_answered
               : front_patience(a) < front_patience(b);
}

void front_make_room(front *f)
{
    nfds_t n_free = FRONT_CONNECTIONS;
    for (nfds_t i = 0; i < f->n_slots; i++) {
        n_free -= f->slots[i].fd >= 0 && !f->slots[i].is_shed;
    }
    for (; n_free < SPARE; n_free++) {
        front_slot *first = NULL;
        for (nfds_t i = 0; i < f->n_slots; i++) {
            front_slot *slot = &f->slots[i];
            if (slot->fd >= 0 && !slot->is_shed && !front_sleeps(slot)
                && (!first || goes_before(slot, first))) {
                first = slot;
            }
        }
        if (!first) {
            return;
        }
        first->is_shed = true;
        shutdown(first->fd, SHUT_RDWR);
    }
}

static size_t held_by(const front_request *r)
{
    return r->is_gone ? 0
                      : (size_t)bytes_left(&r->partial).len
                            + (size_t)bytes_left(&r->out).len + r->n_held_bytes;
}

// Of the client that holds most, the call that does.
static front_request *most_holding(const front *f)
{
    front_request *most = NULL;
    for (front_request *r = f->requests; r; r = r->next) {
        size_t of_client = r->slot->client->n_bytes;
        size_t of_most = most ? most->slot->client->n_bytes : 0;
        if (!most || of_client > of_most
            || (of_client == of_most && held_by(r) > held_by(most))) {
            most = r;
        }
    }
    return most;
}

void front_bound_bytes(front *f)
{
    size_t n = 0;
    for (front_request *r = f->requests; r; r = r->next) {
        r->slot->client->n_bytes = 0;
    }
    for (front_request *r = f->requests; r; r = r->next) {
        r->slot->client->n_bytes += held_by(r);
        n += held_by(r);
    }
    while (n > MOST_HELD) {
        front_request *r = most_holding(f);
        r->slot->client->n_bytes -= held_by(r);
        n -= held_by(r);
        front_lose(r);
        shutdown(r->slot->fd, SHUT_RDWR);
    }
}
