/*
 * chat_record.h - answers that were paid for: a file of JSON lines, appended to
 * as they come, from which a later run takes them without a network.
 *
 * An answer is found by the key of its call (chat.h). Lines without a key,
 * written by other programs or by hand, are found by the id of the pair: the
 * first answer to a pair is its first line, and so on.
 *
 * Order of    chat_record_load()    any number of files
 * calls       chat_record_append()  opens one of them to add to
 *               chat_record_find(), chat_record_add()
 *             chat_record_close()
 */
#ifndef ASSAY_MODEL_CHAT_RECORD_H
#define ASSAY_MODEL_CHAT_RECORD_H

#include "base/map.h"
#include "model/chat.h"

typedef struct recorded_answer {
    str text;
    bool is_cut;
    int64_t tokens_in;
    int64_t tokens_out;
    double cost;
} recorded_answer;

// What a call was made with, beside its messages: options of the run.
typedef enum call_setting {
    CALL_MODEL,
    CALL_PROMPT,
    CALL_TEMPERATURE,
    CALL_MAX_TOKENS,
    CALL_SETTINGS,
} call_setting;

typedef struct call_settings {
    str value[CALL_SETTINGS];
} call_settings;

typedef struct chat_record {
    arena *a;
    map models;                   // of lines with a key
    vec_of(call_settings) asked;  // of them, each way once
    map keys;                     // of calls, and "id/n" of lines without a key
    map ids;                      // of lines without a key
    vec_of(recorded_answer) answers;  // by key
    vec_of(int64_t) n_of_id;          // lines of that id
    int fd;                           // of the file that is added to; -1: none
    int64_t n_broken;                 // lines that hold no answer
} chat_record;

chat_record chat_record_new(arena *a);

// Reads all answers of a file. A line that was cut off at its end is passed
// over and counted. False with a message when there is no such file.
bool chat_record_load(chat_record *r,
                      str path,
                      diag *d,
                      arena_store *line_store);

// Opens `path` to add to; makes it, and ends a line that was cut off.
bool chat_record_append(chat_record *r, str path, diag *d, arena scratch);
void chat_record_close(chat_record *r);

// NULL when the call was never answered. `n`: how many answers of this pair
// were taken before, for lines without a key.
const recorded_answer *chat_record_find(const chat_record *r,
                                        str key,
                                        str id,
                                        ptrdiff_t n);

// What keeps a call with these settings from the answers that are there:
// "--model gpt-x, not m", of those that differ least. Empty when none is known,
// or some were asked for just so.
str chat_record_differs(const chat_record *r,
                        const call_settings *asked,
                        arena *a);

// The models that gave the answers: "gpt-x, gpt-y".
str chat_record_models(const chat_record *r, arena *a);

// A number as a setting.
str chat_record_number(arena *a, double n);

// What is written down of an answer beside its text.
typedef struct chat_entry {
    str key;
    str id;
    str prompt;   // name and version of the template
    str request;  // the body: JSON
    double cost;
} chat_entry;

// Appends a line with one write and remembers the answer. False when the disk
// is full.
bool chat_record_add(chat_record *r,
                     const chat_entry *e,
                     const chat_answer *answer,
                     arena scratch);

#endif  // ASSAY_MODEL_CHAT_RECORD_H
