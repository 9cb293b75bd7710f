// field.h - what the columns and members of data sets mean, by their names.
#ifndef ASSAY_READ_FIELD_H
#define ASSAY_READ_FIELD_H

#include "base/arena.h"

typedef enum field_kind {
    FIELD_NONE,
    FIELD_ID,
    FIELD_DB,
    FIELD_QUESTION,
    FIELD_GOLD,
    FIELD_SQL,  // a bare SQL text: gold or prediction by the file's role
    FIELD_PRED,
    FIELD_CATEGORY,
    FIELD_HARDNESS,
    FIELD_EVIDENCE,
    FIELD_INTERACTION,
    FIELD_TURN,
    FIELD_IMPOSSIBLE,  // no query answers the question
    FIELD_ANSWERABLE,  // one does
    FIELD_RESULT,      // what a right query returns
    FIELD_WHICH,       // its columns that count
    FIELD_ANY_ORDER,   // the order of its rows does not
    FIELD_BEFORE,      // statements that run first, of scripts
    FIELD_OF,          // the id of the question that this one is a change of
    FIELD_TOKENS_IN,   // from here on numbers of an answer, as in answer_figure
    FIELD_TOKENS_OUT,
    FIELD_COST,
    FIELD_LATENCY_MS,
    FIELD_CONFIDENCE,
    FIELD_LATENCY_S,  // the same in seconds
    FIELD_COUNT,
} field_kind;

enum {
    FIELD_OWN = -1,   // rank of a name that the user gave a meaning to
    FIELD_WEAK = 10,  // from this rank on a name is a hint: what the members
                      // hold decides (file_reading.h)
};

// Why a member has its meaning.
typedef enum field_why {
    FIELD_BY_NAME,    // its name says so, and what it holds does not object
    FIELD_BY_FORMAT,  // the format of another program says where it is
    FIELD_BY_USER,
} field_why;

typedef struct field {
    field_kind kind;
    int rank;  // of several fields of one kind the lowest counts
    field_why why;
} field;

// Case, blanks and punctuation of the name do not matter.
field field_find(str name);

// Is it SQL, whoever wrote it?
bool field_is_sql(field_kind kind);

// What is asked or answered: a question, a gold, a prediction, bare SQL.
bool field_is_said(field_kind kind);

// Does it hold a number that tells of an answer?
bool field_is_figure(field_kind kind);

// "question"; the word before "=" in --field.
const char *field_word(field_kind kind);

// A name that the user gave a meaning to.
typedef struct field_alias {
    str name;  // of the column or member, as the file has it
    field_kind kind;
    str text;  // as the user gave it: "pred=model_says"
} field_alias;

typedef struct field_aliases {
    const field_alias *ptr;
    ptrdiff_t n;
} field_aliases;

// The same, where names of the user come first.
field field_find_in(field_aliases own, str name);

// "pred=model_says"; false when there is no such field, or no name.
bool field_alias_read(field_alias *out, str text);

#endif  // ASSAY_READ_FIELD_H
