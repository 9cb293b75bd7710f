/*
 * journals.h - several journals that are read together.
 *
 * A run has its name from the file of its predictions, and two journals may
 * both have a run "predictions": here each gets a name of its own, so that all
 * who read several journals call a run alike.
 *
 * Order of    journals_open(), or journals_add() each
 * calls         journals_name_runs()   where runs are told apart
 *                 journals_run_name(), case_lines_of() a file
 *             journals_close()         also when not all could be opened
 */
#ifndef ASSAY_REPORT_JOURNALS_H
#define ASSAY_REPORT_JOURNALS_H

#include "base/json.h"
#include "base/map.h"
#include "report/case_lines.h"

typedef struct journal_file {
    file_map file;
    const json *head;  // its first line; NULL: it does not say how it was made
    map runs;          // as the journal has them
    ptrdiff_t first;   // the name of the first of them, among all
} journal_file;

typedef struct journals {
    vec_of(journal_file) files;
    vec_of(str) names;  // of all runs, those of a file together
} journals;

// Those that can be opened; false with a message for each that cannot.
bool journals_open(journals *j, arena *a, const str_list *paths, diag *d);
void journals_add(journals *j, arena *a, file_map file);
void journals_close(journals *j);

void journals_name_runs(journals *j, arena *a, arena_store *lines);

// What the run `run` of a journal is called.
str journals_run_name(const journals *j, ptrdiff_t file, str run);

#endif  // ASSAY_REPORT_JOURNALS_H
