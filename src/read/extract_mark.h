/*
 * extract_mark.h - the marks that stand around SQL in what a model wrote: tags,
 * tokens of chat templates, fences; private to the extractor.
 */
#ifndef ASSAY_READ_EXTRACT_MARK_H
#define ASSAY_READ_EXTRACT_MARK_H

#include "base/str.h"

typedef enum mark_role {
    MARK_NONE,     // no mark stands here
    MARK_PLAIN,    // a tag or token that only says: something begins or ends
    MARK_SQL,      // its name says that SQL is in it
    MARK_ANSWER,   // ... that the answer is
    MARK_DRAFT,    // ... what is not yet the answer
    MARK_SEEN,     // ... what a tool gave back, unless SQL is in it
    MARK_THOUGHT,  // what was thought is no answer
    MARK_CHANNEL,  // a header that ends with MARK_PLAIN <|message|>
    MARK_TURN,     // another speaker, or the end of all
    MARK_FENCE,
} mark_role;

typedef struct mark {
    mark_role role;
    bool closes;    // else it opens
    bool is_token;  // <|name|>: in no SQL, wherever it stands
    bool ends_sql;  // [SQL], which some prompts end with
    bool is_free;   // between signs of any kind: only with its partner
    str name;       // as written
    ptrdiff_t after;
} mark;

// The mark that begins at text[at], which may be its end.
mark mark_at(str text, ptrdiff_t at);

// The text without the marks at its start, but for fences.
str mark_skip(str text);

// Is one of the words in the text, anywhere? Commas stand between them.
bool mark_says(str text, const char *words);

// What the name of a tag or a member says of what is in it.
mark_role mark_name_role(str name);

// Is that what somebody else than the model is called, or a tool that answers?
bool mark_is_foreign(str speaker);

// What a label or heading says of what follows it: a draft, SQL, or, when one
// of its words is "final" or all of them say so, the answer: "Final version",
// but not "Another answer".
mark_role mark_label_role(str label);

// Whether the label is of something that is tried until it is right.
bool mark_is_try(str label);

// Whether `next` is the same name as `name` but for a number, which grows, or
// for the word that counts: "Second attempt" after "First attempt". Of what is
// tried again the next takes the place of the last; what is numbered under
// other names stands beside each other.
bool mark_is_next(str name, str next);

// Whether SQL before the mark ends there, whatever the parser thinks of it.
bool mark_ends_sql(mark m);

// What closes the quote of a book or of another language that stands at the end
// of `before`; empty: none stands there.
str mark_closing_quote(str before);

#endif  // ASSAY_READ_EXTRACT_MARK_H
