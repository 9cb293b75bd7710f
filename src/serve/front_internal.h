/*
 * front_internal.h - what the parts of the front share: front.c has the loop,
 * front_client.c who the clients are, front_request.c what they send,
 * front_reply.c what they get.
 */
#ifndef ASSAY_SERVE_FRONT_INTERNAL_H
#define ASSAY_SERVE_FRONT_INTERNAL_H

#include "base/bytes.h"
#include "serve/endpoint.h"
#include "serve/front.h"

#include <poll.h>
#include <stddef.h>

// After those that it needs.
#include <microhttpd.h>

enum {
    FRONT_CONNECTIONS = 1000,  // files: a process has 1024 by default
    FRONT_OWN_FDS = 4,
};

typedef struct microhttpd_api {
#define MICROHTTPD_FUNCTION(name) __typeof__(MHD_##name) *(name);
#include "serve/microhttpd_api.def"
#undef MICROHTTPD_FUNCTION
} microhttpd_api;

// What a connection sleeps for.
typedef enum front_wait {
    FRONT_WAIT_NOTHING,
    FRONT_WAIT_ROOM,
    FRONT_WAIT_ANSWER,
} front_wait;

typedef enum front_form {
    FRONT_BODY_ANY,     // by the number of its lines
    FRONT_BODY_OBJECT,  // application/json: all of it is one
    FRONT_BODY_LINES,
} front_form;

// Why a client gets no answer.
typedef struct front_refusal {
    unsigned status;  // 0: it gets one
    const char *why;  // needs no escapes
} front_refusal;

typedef struct front front;
typedef struct front_request front_request;

// Those that a server cannot tell apart; in use while it has connections.
typedef struct front_client {
    uint64_t name;
    nfds_t n_connections;
    ptrdiff_t n_calls;  // under way, to be judged
    size_t n_bytes;     // held for it: front_bound_bytes counts them
} front_client;

// A connection, from its accept() to its close().
typedef struct front_slot {
    int fd;  // of the library; -1: the slot is free
    front_client *client;
    front_request *request;  // that came last, until it is over; or NULL
    bool has_ended;          // the client sends no more, it closed that side
    bool is_told;            // and the library is told so
    bool is_shed;            // closed, to make room
    bool is_answered;        // a request of it was
    int64_t since_ns;        // its patience counts: not while it sleeps
    size_t moved;            // bytes of bodies and answers since then
} front_slot;

struct front_request {
    front *f;
    front_slot *slot;
    struct MHD_Connection *connection;
    struct front_request *next;
    struct front_request *previous;
    endpoint what;
    front_form form;
    front_wait waits;
    bool is_ordered;
    bool is_begun;          // its head is there
    bool is_read;           // the body is
    bool is_gone;           // the client
    bool is_judged;         // counts as a call of its client
    bool has_nul;           // in the target, which ends there for the library
    uintptr_t end;          // where the target ends in the library's memory
    front_refusal refusal;  // said when the body is read
    size_t body;            // bytes of it
    bytes partial;          // a line whose end has not come
    int64_t number;         // of that line
    ptrdiff_t n_asked;
    ptrdiff_t n_answered;
    bytes out;      // answers, a line each
    bytes *held;    // by index, where they go in order
    size_t n_held;  // slots of it
    size_t n_held_bytes;
    ptrdiff_t turn;
    bool is_error;  // the last answer
};

struct front {
    const front_options *options;
    listen_place place;
    int listener;  // -1: closed
    int signals;
    microhttpd_api mhd;
    struct MHD_Daemon *daemon;
    front_request *requests;
    ptrdiff_t n_requests;
    struct pollfd fds[FRONT_OWN_FDS + FRONT_CONNECTIONS];
    front_slot slots[FRONT_CONNECTIONS];
    nfds_t n_slots;  // up to the last that was ever used
    front_client clients[FRONT_CONNECTIONS];
    ptrdiff_t n_judged;  // calls of all clients
    str description;
    bool is_stopping;
    bool is_lost;
    bool is_interrupted;
    int64_t began_ns;
    bool is_late;        // some of what was taken is never answered
    int64_t stopped_ns;  // when is_stopping began
    int64_t n_calls;
    int64_t n_refused;
    int64_t n_lines;
    int64_t n_answers;
    int64_t n_errors;
    int64_t n_gone;
};

// Its patience begins anew.
void front_see(front_slot *slot, int64_t now_ns);

// A connection sleeps, and is called again.
void front_sleep(front_request *r, front_wait what);
void front_wake(front_request *r);

// Its client has gone, or gets no more.
void front_lose(front_request *r);

bool front_sleeps(const front_slot *slot);

// Does who has lines to judge say nothing any more?
bool front_is_still(const front *f);

// When a connection that does not sleep is closed for being slow.
int64_t front_patience(const front_slot *slot);

// Whose connection this is, one more of his.
front_client *front_client_join(front *f, int fd);

// One call more that is judged? Of what is left nobody gets more than he has.
bool front_client_may_call(const front *f, const front_client *c);

// Closes connections when nearly all are taken, so that those who come find
// one: a client with few keeps them, however many others hold or open.
void front_make_room(front *f);

// Closes those that hold too many bytes here, of the client with most of them.
void front_bound_bytes(front *f);

// The library's calls: when the first line of a request is there, with what it
// asks for as it was sent; when the head of it is there, for each part of
// its body, at the end of it, and after each sleep; then when it is over.
void *front_on_uri(void *context,
                   const char *uri,
                   struct MHD_Connection *connection);
enum MHD_Result front_on_request(void *context,
                                 struct MHD_Connection *connection,
                                 const char *url,
                                 const char *method,
                                 const char *version,
                                 const char *data,
                                 size_t *size,
                                 void **state);
void front_on_completed(void *context,
                        struct MHD_Connection *connection,
                        void **state,
                        enum MHD_RequestTerminationCode how);

// For exchange_read; the context is the front.
void front_take_answer(exchange_line line, str answer, void *context);

// Replies, each the whole of one; a response is given away.
enum MHD_Result front_reply(front_request *r,
                            unsigned status,
                            const char *type,
                            struct MHD_Response *response);
enum MHD_Result front_reply_text(front_request *r,
                                 unsigned status,
                                 const char *type,
                                 str text);
enum MHD_Result front_refuse(front_request *r, front_refusal refusal);
enum MHD_Result front_reply_metrics(front_request *r);
enum MHD_Result front_reply_version(front_request *r);

#endif  // ASSAY_SERVE_FRONT_INTERNAL_H
