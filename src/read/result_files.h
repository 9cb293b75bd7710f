/*
 * result_files.h - results that stand as golds: members of a record, or files.
 *
 * A record holds its result itself, as rows of JSON or as CSV, or names a file
 * beside the file of cases. Spider 2.0 keeps a folder of them: the result of
 * case ID is ID.csv, or any of ID_a.csv, ID_b.csv, ...; which columns count
 * stands in a file *eval*.jsonl beside the folder exec_result
 * (definitions/results.md#files). A file may be Parquet instead; whoever opens
 * the data set has it read, for that takes an engine.
 *
 * All files are opened before the workers start, which could not.
 */
#ifndef ASSAY_READ_RESULT_FILES_H
#define ASSAY_READ_RESULT_FILES_H

#include "base/file.h"
#include "base/map.h"
#include "read/record.h"

typedef struct result_file {
    file_map file;
    bool is_parquet;
    const struct table *rows;  // of a Parquet file, once it was read
    str error;                 // it cannot be read, and why
    bool is_taken;             // it is the gold of a case
} result_file;

typedef struct result_files {
    str folder;  // empty: none
    map names;   // in the folder, or as records name them
    vec_of(result_file) list;
    map ids;  // of cases whose conditions are known
    vec_of(const json *) conditions;
    uint64_t conditions_hash;  // of their file; 0: there is none
} result_files;

// The .csv and .parquet files of the folder, or of exec_result in it. False
// with a message.
bool result_files_open(result_files *f,
                       arena *a,
                       str folder,
                       diag *d,
                       arena scratch);
void result_files_close(result_files *f);

// Opens the files that the record names, which lie below `folder`.
void result_files_add(result_files *f, arena *a, str folder, const record *r);

// The results of the record: its own, with the bytes of their files, or those
// of the folder.
void result_files_find(const result_files *f, arena *a, record *r);

// How many files of the folder are the gold of no case, once all were found;
// the first in *name.
ptrdiff_t result_files_unused(const result_files *f, str *name);

// The results that a member of the record says: rows, CSV, the name of a file,
// or a list of these.
void result_read(record *r, arena *a, const json *member);

#endif  // ASSAY_READ_RESULT_FILES_H
