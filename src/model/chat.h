/*
 * chat.h - calls to a server that speaks the chat completions protocol: many
 * at a time, tried again when that helps, counted and paid for once.
 *
 * The text of a call is its whole identity: the same model, parameters and
 * messages have the same key, under which an answer is recorded and found
 * again (chat_record.h).
 *
 * Order of    chat_open()         once; loads libcurl
 * calls         chat_has_room()   fewer calls on their way than allowed
 *                 chat_send()     one more
 *               chat_wait()       an answer, whichever comes first
 *             chat_close()
 */
#ifndef ASSAY_MODEL_CHAT_H
#define ASSAY_MODEL_CHAT_H

#include "base/diag.h"
#include "base/json.h"

typedef struct chat_message {
    str role;  // "system", "user", "assistant"
    str text;
} chat_message;

typedef struct chat_request {
    str model;
    const chat_message *messages;
    ptrdiff_t n_messages;
    double temperature;
    int64_t max_tokens;
    int64_t seed;  // -1: none
} chat_request;

// The request as JSON, and the key of such a text: 32 hexadecimal digits.
str chat_body(arena *a, const chat_request *r);
str chat_key(arena *a, str body);

// About how many tokens a text has.
int64_t chat_tokens(str text);

typedef enum chat_status {
    CHAT_OK,
    CHAT_AGAIN,     // broken for now: worth another try
    CHAT_REFUSED,   // the server does not want this call, now or ever
    CHAT_HOPELESS,  // nor any other: the key, the address or the model is wrong
} chat_status;

typedef struct chat_answer {
    chat_status status;
    str text;
    bool is_cut;  // at the limit of tokens
    int64_t tokens_in;
    int64_t tokens_out;
    int64_t ms;  // of the try that succeeded
    int64_t n_tries;
    str error;  // why there is no text
} chat_answer;

// Reads the body of a response with this HTTP status. What is wrong with it
// is in the answer, without the key.
void chat_read_response(chat_answer *out,
                        arena *a,
                        int64_t http,
                        str body,
                        str key);

// A message with asterisks in the places of the key, which a server may repeat
// in an error: as it is, or in the escapes of JSON, for text that no parser
// understood is shown as it came. A short one, as local servers are given ("x",
// "token"), is hidden where it stands alone: within words it would garble them.
// Borrowed when it is not there. Only for messages: an answer is data.
str chat_hide_key(arena *a, str text, str key);

typedef struct chat_options {
    str base_url;           // up to and with "/v1"
    const char *key;        // NULL: none is sent
    const char *ca_file;    // certificates to trust; NULL: the system's
    const char *ca_folder;  // likewise
    ptrdiff_t concurrency;
    double rate;         // calls a second; 0: no limit
    int64_t timeout_ms;  // of one try
    int64_t max_tries;
    int64_t backoff_ms;  // before the second try; doubled before each further
    uint64_t seed;       // of the jitter
} chat_options;

typedef struct chat chat;

// NULL with a message when libcurl cannot be loaded or this build has none.
chat *chat_open(arena *a, const chat_options *options, diag *d);
void chat_close(chat *c);

bool chat_has_room(const chat *c);

// `body` must stay until the answer is there; `id` comes back with it.
void chat_send(chat *c, ptrdiff_t id, str body);

// Waits for any call to end; its answer lies in `a`. False when none is on its
// way.
bool chat_wait(chat *c, ptrdiff_t *id, chat_answer *out, arena *a);

#endif  // ASSAY_MODEL_CHAT_H
