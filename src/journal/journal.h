/*
 * journal.h - the file of verdicts: complete lines, whatever happens.
 *
 * A line for the run as a whole, then a line a prediction. Answers are
 * appended as they come, whole cases at a time, each with one write: a run
 * that is killed leaves a journal that can be read and resumed. When the run
 * ends the lines are put in the order of the cases, so that the bytes do not
 * depend on the number of workers.
 *
 * Order of    journal_lock()
 * calls         journal_open()
 *                 journal_add()     by case, any order
 *                 journal_settle()  now and then
 *               journal_close()     orders
 *             journal_unlock()
 */
#ifndef ASSAY_JOURNAL_JOURNAL_H
#define ASSAY_JOURNAL_JOURNAL_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

// Where the lines of a case are.
typedef struct journal_entry {
    int64_t offset;
    int32_t size;
    int32_t case_no;
} journal_entry;

// Who sees lines as they are written, in whatever order; nobody where `line` is
// NULL. First the head of the journal; each with its newline.
typedef struct journal_reader {
    void *context;
    void (*line)(void *context, str line);
} journal_reader;

typedef struct journal {
    str path;      // empty: nobody keeps the lines
    char *target;  // the file behind a link; NULL where there is no file to
                   // read again: then the lines wait in an unnamed one
    int sink;      // and go here at the end: standard output, a device, a
                   // pipe; -1: nowhere
    journal_reader reader;
    int fd;
    int64_t size;     // bytes written
    bool is_ordered;  // entries are in the order of cases, without gaps
    int32_t last_case;
    vec_of(journal_entry) entries;
    ptrdiff_t header_size;
    buf unwritten;  // lines in the order of the file, to be written soon
    arena_store unwritten_store;
    arena unwritten_arena;
    struct journal_held *held;  // answers waiting for those before them
    ptrdiff_t held_first;
    ptrdiff_t held_end;
    ptrdiff_t next_rank;  // of the first case not yet written
    arena_store held_store;
    arena held_arena;
    int64_t held_since_ns;
    arena *a;
} journal;

// The file at `path` for this process alone, before anything of it is read.
// False with a message: another one has it.
bool journal_lock(int *lock, str path, diag *d, arena scratch);
void journal_unlock(int lock);

// Starts a journal at `path` with this header line (newline and all). A file
// that is there is replaced.
bool journal_open(journal *j,
                  arena *a,
                  str path,
                  str header,
                  journal_reader reader,
                  diag *d);

// What is worth keeping of a journal that an earlier run left (resume.h).
typedef struct journal_past {
    ptrdiff_t header_size;
    const journal_entry *entries;
    ptrdiff_t n_entries;
    bool has_rest;   // there is more in the file, to be dropped
    ptrdiff_t size;  // of the whole lines: a line that was cut off goes at once
} journal_past;

// Goes on with the journal at `path`.
bool journal_reopen(journal *j,
                    arena *a,
                    str path,
                    const journal_past *past,
                    journal_reader reader,
                    diag *d);

// The lines of one case; `rank` is its place among the cases of the run. False
// with a message when the disk is full.
bool journal_add(journal *j,
                 int32_t case_no,
                 ptrdiff_t rank,
                 str lines,
                 diag *d);

// To be called after each burst of answers: writes them, and what has waited
// long enough for its predecessors.
bool journal_settle(journal *j, diag *d);

// Puts the lines in order. False with a message; else all of them, the head
// first, are in `*lines`, to be closed; its path is "journal" where no file is
// left.
bool journal_close(journal *j, file_map *lines, diag *d, arena scratch);

#endif  // ASSAY_JOURNAL_JOURNAL_H
