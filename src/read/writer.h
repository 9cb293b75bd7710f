// writer.h - the formats that can be written; private to src/read.
#ifndef ASSAY_READ_WRITER_H
#define ASSAY_READ_WRITER_H

#include "base/json.h"
#include "read/convert.h"
#include "read/field.h"

typedef enum writer_side {
    WRITER_GOLD,
    WRITER_PRED,
    WRITER_BOTH,
} writer_side;

// A conversion under way.
typedef struct writing {
    dataset_format format;
    writer_side side;          // what the records have
    const char *const *names;  // what the format calls each kind of field
    bool has_ids;
    bool has_sessions;
    ptrdiff_t n;             // records written so far
    ptrdiff_t last_session;  // of the record before, -1: none
    convert_result *result;
    arena scratch;  // for one record
} writing;

typedef struct writer {
    const char *begin;
    void (*record)(writing *w, const record *r, buf *out);
    const char *end;
} writer;

extern const writer writer_text;
extern const writer writer_json_lines;
extern const writer writer_json_array;
extern const writer writer_bird_object;
extern const writer writer_csv;

// The parts of a record in the order in which they are written.
enum {
    WRITER_PARTS = 10
};
extern const field_kind writer_parts[WRITER_PARTS];

// What the format calls this part of a record; NULL: it has no place for it.
const char *writer_name(const writing *w, field_kind kind);

// That part as a text.
str writer_part(writing *w, const record *r, field_kind kind);

// All golds in one text, `;` between them; counts when there are several.
str writer_golds(writing *w, const record *r);

// The first prediction; counts when there are more.
str writer_pred(writing *w, const record *r);

#endif  // ASSAY_READ_WRITER_H
