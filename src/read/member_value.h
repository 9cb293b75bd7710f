/*
 * member_value.h - what a member of a record holds, in whatever shape programs
 * write it; private to src/read.
 *
 * An answer is a text, a list of texts, an object with the text in it, an
 * object of models with their answers, or a conversation that ends in it.
 */
#ifndef ASSAY_READ_MEMBER_VALUE_H
#define ASSAY_READ_MEMBER_VALUE_H

#include "base/json.h"
#include "read/record.h"

// Null, a blank text, an empty list or object.
bool value_is_blank(const json *v);

// A conversation: a message, which is an object with a role (or `from`) and a
// content (or `value`), or a list of them.
typedef struct talk {
    bool is_one;
    // It ends in a question. Then the answers in it are the examples of a
    // prompt, and no gold. Of a model that was told what its query gave, the
    // last one is the prediction.
    bool is_open;
    bool has_calls;        // the model called tools
    const json *asked;     // last; NULL: nothing
    const json *answered;  // likewise
} talk;

talk value_talk(const json *v);

// Whose the message is, as it says under `role` or `from`; empty: it does not.
str value_role(const json *message);

// One word or number or text: an id, a database, a question. Of a conversation
// what was asked; of an object with one text in it that one. An integer that
// went through a table of floats loses its ".0". Empty: there is none.
str value_word(arena *a, const json *v);

typedef vec_of(record_pred) value_texts;

// Every text that may be SQL, with the name of its model where there are
// several. What stands after BIRD's separator goes into *db. An answer that is
// blank is an empty text.
void value_collect(value_texts *out, arena *a, const json *v, str *db);

// Can it be SQL by its shape? A parse tree or a number cannot.
bool value_is_sql(const json *v);

// A list of words or letters that make one query together.
bool value_is_tokens(arena *a, const json *v);

// What stands at a path of names with dots between them, "reward.gold"; a name
// may have dots itself. In a list a step is a place, or `*` for each element:
// several values become a list, in `a`. NULL: there is none.
const json *value_at(const json *object, str path, arena *a);

#endif  // ASSAY_READ_MEMBER_VALUE_H
