/*
 * lint.h - the audit of a gold: everything that makes verdicts with it wrong,
 * unstable or meaningless.
 */
#ifndef ASSAY_JOB_LINT_H
#define ASSAY_JOB_LINT_H

#include "job/lint_who.h"
#include "score/score.h"

typedef enum lint_id {
#define LINT(constant, word, level, text) LINT_##constant,
#include "job/lint.def"
#undef LINT
    LINT_COUNT,
} lint_id;

typedef enum lint_level {
    LINT_LEVEL_note,
    LINT_LEVEL_warning,
    LINT_LEVEL_error,
    LINT_LEVEL_COUNT,
} lint_level;

str lint_word(lint_id v);
str lint_text(lint_id id);  // one sentence for people
lint_level lint_level_of(lint_id id);
str lint_level_word(lint_level level);
bool lint_from_word(str word, lint_id *out);

typedef struct lint_finding {
    lint_id id;
    ptrdiff_t variant;  // -1: the gold as a whole
    str detail;         // what exactly, when there is more to say
} lint_finding;

typedef vec_of(lint_finding) lint_list;

// Audits the gold of the task. Results lie in `a`. Findings that concern
// several cases (contradiction, duplicate) are not made here. Predictions are
// looked at where the options rank golds: then `who` is filled.
lint_list scorer_lint(scorer *s,
                      const score_task *task,
                      lint_who *who,
                      arena *a);

// Appends what was found for one gold as a line of JSON, newline and all;
// `line` is where it stands in its file. `who` is added where it was asked.
void lint_line_add(buf *b,
                   const record *gold,
                   int64_t line,
                   const lint_list *findings,
                   const lint_who *who);

#endif  // ASSAY_JOB_LINT_H
