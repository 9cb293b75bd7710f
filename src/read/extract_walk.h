/*
 * extract_walk.h - the walk that finds queries in an answer; private to the
 * extractor.
 */
#ifndef ASSAY_READ_EXTRACT_WALK_H
#define ASSAY_READ_EXTRACT_WALK_H

#include "base/arena.h"

// What a query stands in; its rank is the sum.
enum {
    RANK_SENTENCE = 0,
    RANK_LINE = 1,
    RANK_JSON = 2,
    RANK_FENCE = 4,
    RANK_TAG = 8,
    RANK_ANSWER = 16,
    RANK_DRAFT = -64,
    RANK_PAST = -1024,  // a tool has answered, or more thoughts came
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
    str part;      // the name of the innermost part that it stands in
} finding;

typedef struct answer {
    finding best;  // without SQL: there is none
    str rest;      // what follows the last thought
    bool has_thought;
    bool ends_in_thought;
} answer;

answer extract_walk(arena *a, str text, arena scratch);

#endif  // ASSAY_READ_EXTRACT_WALK_H
