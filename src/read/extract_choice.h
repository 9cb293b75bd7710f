/*
 * extract_choice.h - which of the queries in an answer is the answer; private
 * to the extractor.
 */
#ifndef ASSAY_READ_EXTRACT_CHOICE_H
#define ASSAY_READ_EXTRACT_CHOICE_H

#include "base/arena.h"

// What a query stands in, as bits: whatever stands in the more telling part has
// the higher rank.
enum {
    RANK_SENTENCE = 0,
    RANK_LINE = 1,
    RANK_JSON = 2,
    RANK_FENCE = 4,
    RANK_TAG = 8,
    RANK_ANSWER = 16,
    RANK_DRAFT = -64,   // is added to the others
    RANK_PAST = -1024,  // likewise: a tool has answered, or more thoughts came
};

// What the note says, in this order.
#define NOTES                                  \
    NOTE(INVISIBLE, "invisible characters")    \
    NOTE(ESCAPES, "HTML escapes")              \
    NOTE(THOUGHT, "think block")               \
    NOTE(TAG, "answer tag")                    \
    NOTE(CALL, "tool call")                    \
    NOTE(FENCE, "markdown fence")              \
    NOTE(JSON, "JSON")                         \
    NOTE(BOX, "\\boxed")                       \
    NOTE(QUOTES, "quotes")                     \
    NOTE(BEFORE, "text before the SQL")        \
    NOTE(SAMPLE, "sample data")                \
    NOTE(MARKER, "end marker")                 \
    NOTE(AFTER, "text after the SQL")          \
    NOTE(FIRST, "first of several")            \
    NOTE(CORRECTED, "corrected")               \
    NOTE(LAST, "last of several")              \
    NOTE(NO_END, "think block without an end") \
    NOTE(SELECT, "SELECT put in front")        \
    NOTE(PROSE, "prose without SQL")           \
    NOTE(NONE, "no SQL found")

typedef enum note_bit {
#define NOTE(name, text) NOTE_##name,
    NOTES
#undef NOTE
        NOTE_COUNT,
} note_bit;

#define BIT(name) (1u << NOTE_##name)

typedef struct finding {
    str sql;
    int rank;
    unsigned notes;
    bool is_bare;  // it begins a line, in no wrapper
    bool is_last;  // nothing stands behind it but marks
    str part;      // the name of the innermost part that it stands in
    str label;     // in front of it on its line
} finding;

enum {
    SEEN_MAX = 8,
};

// The queries of one text, one after another; zero: none yet.
typedef struct pick {
    finding best;  // without SQL: there is none
    finding seen[SEEN_MAX];
    int n;            // how many were offered
    bool taken_back;  // what follows the best one takes it back
} pick;

// One more query; `between` stands between the one before it and this one.
void pick_offer(pick *c, finding one, str between, arena scratch);

// What was found so far was no more than a step on the way.
void pick_leave_behind(pick *c);

#endif  // ASSAY_READ_EXTRACT_CHOICE_H
