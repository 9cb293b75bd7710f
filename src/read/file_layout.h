/*
 * file_layout.h - how the cases of a JSON file are laid out, and where they
 * stand in it; private to src/read.
 *
 *     [{"id": "a", "sql": "SELECT 1"}, ...], or one after another   records
 *     {"a": "SELECT 1", ...}, {"a": {"sql": "SELECT 1"}, ...}       a map by id
 *     {"id": ["a", "b"], "sql": ["SELECT 1", "SELECT 2"]}           columns
 *     {"id": {"0": "a", "1": "b"}, "sql": {"0": ..., ...}}          columns
 *     {"columns": ["id", "sql"], "data": [["a", ...], ...]}         rows
 *
 * Each of these may stand inside objects that hold other things, too. Where
 * several places of one file hold cases, nobody can tell which are meant.
 */
#ifndef ASSAY_READ_FILE_LAYOUT_H
#define ASSAY_READ_FILE_LAYOUT_H

#include "read/dataset.h"

typedef enum layout_kind {
    LAYOUT_RECORDS,  // also whatever is none of the others
    LAYOUT_MAP,      // an object whose keys are ids
    LAYOUT_TEXTS,    // likewise, of texts
    LAYOUT_TABLE,    // columns of equal length, or names apart from the rows
    LAYOUT_UNEVEN,   // a table in which cells are missing
    LAYOUT_SEVERAL,  // in several places
} layout_kind;

typedef struct file_layout {
    layout_kind kind;
    str place;        // of the text: the records, or the object
    bool is_sure;     // no record, however long its lists are
    const char *how;  // a table became records
} file_layout;

// Finds where the cases are. A table becomes records, a line each, and
// questions with variables become cases: these replace the text of the file.
file_layout layout_of(dataset *set, arena *a, arena scratch);

// Has the object SQL, a question or an answer under a name of a rank below
// `most`, or an object in it, down to `depth`?
bool layout_has_fields(str object, int most, int depth);

#endif  // ASSAY_READ_FILE_LAYOUT_H
