/*
 * dataset.h - a file of cases or of predictions, in any known format.
 *
 * Opening reads the file once from end to end: the format is found from the
 * content, every record is checked, and an index of a few words a record is
 * kept. Records are then read again one by one when they are wanted, so memory
 * does not grow with the texts; but YAML is kept as JSON.
 *
 * Order of    dataset_open()      any number of times
 * calls         dataset_record()  any index, any order
 *             dataset_close()
 */
#ifndef ASSAY_READ_DATASET_H
#define ASSAY_READ_DATASET_H

#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "read/file_reading.h"
#include "read/record.h"
#include "read/result_files.h"

typedef enum dataset_role {
    DATASET_GOLD,  // a bare SQL text is gold
    DATASET_PRED,  // a bare SQL text is a prediction
} dataset_role;

typedef enum dataset_format {
    FORMAT_AUTO,
    FORMAT_SPIDER_TEXT,  // SQL<TAB>db per line, blank lines between sessions
    FORMAT_LINES,        // one SQL per line
    FORMAT_SPIDER_JSON,  // array of {db_id, question, query}
    FORMAT_BIRD,         // array of {question_id, db_id, question, SQL}, or the
                         // object of predictions
    FORMAT_JSONL,        // JSON objects with our own field names or any known
                         // ones; one a line, one after another, or an array
    FORMAT_SQL_EVAL,     // {answer, generation, …} [001]
    FORMAT_DEFOG_CSV,    // CSV with question, query, db_name, query_category
    FORMAT_CSV,          // CSV with other known column names
    FORMAT_SPIDER2,      // folder of ID.sql files
    FORMAT_IBM,          // array of records with predictions by model
    FORMAT_CHAT,         // answers of chat APIs, batches of them (shape.def)
    FORMAT_LM_EVAL,      // samples of lm-evaluation-harness
    FORMAT_INSPECT,      // a log of Inspect
    FORMAT_PROMPTFOO,    // results of promptfoo
    FORMAT_STATEMENTS,   // SQL over several lines, a semicolon after each
    FORMAT_YAML,         // what JSON may hold, written as YAML
    FORMAT_COUNT,
} dataset_format;

str dataset_format_word(dataset_format f);
bool dataset_format_from_word(str word, dataset_format *out);

typedef struct dataset_entry {
    int64_t offset;       // of the record in the file
    int64_t size;         // bytes; or what the format keeps instead
    hash128 id;           // of the id; zero: none
    int32_t line;         // from 1
    int32_t db;           // index into dbs; -1: none
    int32_t interaction;  // -1: none
    int32_t turn;         // -1: none
} dataset_entry;

typedef struct dataset_options {
    dataset_role role;
    dataset_format format;  // FORMAT_AUTO: find out
    field_aliases names;    // what the user calls fields
    str encoding;           // of the text; empty: UTF-8
    bool is_record;         // the bytes are one record, no file of them
    str results;            // folder of results that are the golds; empty: none
} dataset_options;

typedef struct dataset {
    file_map file;
    str text;  // of the file, or what says the same in another format
    dataset_format format;
    vec_of(dataset_entry) entries;
    map dbs;                   // names of databases, in order of appearance
    map models;                // names that predictions stand under
    bool has_ids;              // every record has one
    ptrdiff_t no_gold;         // index of the first record without one, or -1
    ptrdiff_t no_pred;         // the same for predictions
    ptrdiff_t most_samples;    // predictions of one model in one record
    ptrdiff_t n_records_each;  // records that are samples of one case; 0: one
    ptrdiff_t n_interactions;  // 0: the format has none
    str failed;      // requests without an answer, and why; empty: none
    str_list notes;  // oddities that were read over: "3 commas were missing"

    reading reading;  // which member or column is what; empty in text formats
    file_columns columns;  // what they hold
    result_files results;  // that stand as golds

    // A text file of predictions has an entry of size 0 for each blank line in
    // it: an empty prediction, or the end of a session. pair.h decides.
    ptrdiff_t n_blank;

    // For the readers (reader.h).
    ptrdiff_t n_with_id;
    ptrdiff_t n_with_gold;
    ptrdiff_t n_wrapped;  // records whose gold has something around it
    str wrapping;         // of the first of them: "markdown fence"
    ptrdiff_t n_with_pred;
    dataset_options given;  // when it was opened

    bool is_in_memory;          // nor is it a file: its records name none
    bool is_keyed;              // one JSON object: its keys are the ids
    str place;                  // of the records, or of that object
    struct folder_list *files;  // FORMAT_SPIDER2
    struct csv_header *header;  // of a table
} dataset;

// False with messages (file, line, column) when the file cannot be read or is
// not what it seems to be. Everything lies in `a`.
bool dataset_open(dataset *set,
                  arena *a,
                  str path,
                  dataset_options options,
                  diag *d,
                  arena scratch);
void dataset_close(dataset *set);

// The same for bytes in memory, which must stay; `path` is for messages.
// Records in them name no files: who sends a request must not read any.
bool dataset_open_bytes(dataset *set,
                        arena *a,
                        file_map bytes,
                        dataset_options options,
                        diag *d,
                        arena scratch);

// Reads record i (0 <= i < entries.len) into `a`. It was read before, so it
// cannot fail. Its predictions are as the models wrote them.
record dataset_record(const dataset *set, ptrdiff_t i, arena *a);

// What record i is called: its id, or its position.
str record_id(const record *r, ptrdiff_t i, arena *a);

// The same predictions with the SQL taken out of them. They are somebody else's
// texts: where other cases must not wait for one of them, below the watch.
// is_script: they may be asked to write.
const record_pred *dataset_extract(const record_pred *preds,
                                   ptrdiff_t n,
                                   bool is_script,
                                   arena *a);

// Whether the gold is a statement that gives no rows, or begins with one.
bool dataset_gold_is_script(const record *r);

// As what the file was read: "jsonl, 40 records; id=id gold=query; unused:
// note".
void dataset_say(const dataset *set, buf *out);

// What stands under a column of that record, as a word (columns, above); empty:
// nothing. A text without names has columns, too, though no records are counted
// in them: the comments above its
// statements, what follows the last TAB of a line, and what stands before the
// statement in it.

str dataset_word(const dataset *set, ptrdiff_t i, str path, arena *a);

#endif  // ASSAY_READ_DATASET_H
