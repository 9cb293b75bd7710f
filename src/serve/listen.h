/*
 * listen.h - where a server listens: unix:PATH, or ADDRESS:PORT, in numbers.
 */
#ifndef ASSAY_SERVE_LISTEN_H
#define ASSAY_SERVE_LISTEN_H

#include "base/diag.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

// Of any family that is served.
typedef union socket_address {
    struct sockaddr any;
    struct sockaddr_un un;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} socket_address;

typedef struct listen_place {
    const char *path;  // of a Unix socket; NULL: a TCP port
    const char *host;  // numbers, without brackets
    int port;          // 0: any that is free
    bool is_v6;
    bool is_local;  // reached from this machine only
} listen_place;

// False with a message for a text that names no place.
bool listen_parse(str text, listen_place *out, arena *a, diag *d);

// A socket that listens there, non-blocking; a Unix socket is its owner's alone
// (mode 0600), and takes the place of one that nobody listens at any more. Sets
// the port. -1 with a message.
int listen_open(listen_place *place, diag *d);

// Closes the socket, and removes its file.
void listen_close(const listen_place *place, int fd);

// "http://127.0.0.1:8765", "unix:/run/assay.sock".
str listen_text(const listen_place *place, arena *a);

#endif  // ASSAY_SERVE_LISTEN_H
