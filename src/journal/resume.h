/*
 * resume.h - what an earlier, interrupted run already found out.
 */
#ifndef ASSAY_JOURNAL_RESUME_H
#define ASSAY_JOURNAL_RESUME_H

#include "journal/journal.h"
#include "plan/plan.h"

typedef struct resume {
    journal_past past;
    bool *is_done;     // by record of the gold file
    ptrdiff_t n_done;  // of the plan's cases
} resume;

// Reads the journal at `path`. Cases whose lines are all there, one after the
// other, are done; the rest of the file is dropped. False with a message when
// it belongs to another run than `head`'s.
bool resume_read(resume *r,
                 arena *a,
                 str path,
                 str head,
                 const plan *p,
                 diag *d,
                 arena scratch);

// May a run with this head begin anew in the file at `path`? Where there is
// none, or one of the same run that is whole: it would be written once more.
// False with a message when something would be lost.
bool resume_may_replace(arena *a,
                        str path,
                        str head,
                        const plan *p,
                        diag *d,
                        arena scratch);

#endif  // ASSAY_JOURNAL_RESUME_H
