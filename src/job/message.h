/*
 * message.h - the shapes of all messages between jobs and their workers, except
 * those that are a single text, for the tests that send broken ones. Each is
 * defined next to its struct.
 */
#ifndef ASSAY_JOB_MESSAGE_H
#define ASSAY_JOB_MESSAGE_H

#include "base/codec.h"
#include "base/diag.h"

#define JOB_MESSAGES      \
    MESSAGE(check)        \
    MESSAGE(facts)        \
    MESSAGE(fingerprints) \
    MESSAGE(ground)       \
    MESSAGE(ground_asked) \
    MESSAGE(made)         \
    MESSAGE(neighbors)    \
    MESSAGE(request_line)

#define MESSAGE(name) extern const codec_shape message_##name;
JOB_MESSAGES
#undef MESSAGE

// What a call made, or what went wrong.
typedef struct made_answer {
    bool is_made;
    str text;
} made_answer;

// Messages of a worker, for those of its parent. What they are is in `a`. False
// where there are any.
extern const codec_shape message_one_said;
codec_list message_said(const diag *d, arena *a);
bool message_take_said(diag *d, codec_list said, arena *a);

// Are these lines of objects, whole ones?
bool message_is_lines(str text);

#endif  // ASSAY_JOB_MESSAGE_H
