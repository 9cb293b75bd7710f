/*
 * model_setup.h - what judge and generate share: the prompt, the server or the
 * records that answer, prices, the schemas of databases.
 *
 * Order of    model_setup_open()    reads the options; messages in `d`
 * calls         model_setup_say()   what it took
 *             model_setup_close()
 */
#ifndef ASSAY_CLI_MODEL_SETUP_H
#define ASSAY_CLI_MODEL_SETUP_H

#include "cli/cli.h"
#include "job/ground_worker.h"
#include "job/judge_run.h"

enum {
    MODEL_TRIAL_ROWS = 10,  // of a table that a model proposes
};

typedef struct model_setup {
    const cli *c;
    prompt prompt;
    ground_worker ground;
    chat_record record;
    judge_run_options run;
    str url;  // of the server; empty: none is asked
    arena_store line_store;
    diag d;
    arena *a;
} model_setup;

// `usual` is the built-in template that serves where --prompt names none;
// `folder` is where paths of schemas in the input begin. False when something
// is wrong: see `d`. To be closed all the same.
bool model_setup_open(model_setup *m,
                      const cli *c,
                      str usual,
                      str folder,
                      arena *a,
                      arena scratch);
void model_setup_close(model_setup *m);

// The totals on standard error, unless --quiet; false when a question got no
// answer or an answer could not be written down.
bool model_setup_say(const model_setup *m, const judge_totals *t);

// --dry-run: prints what the model would be asked about each pair, and says how
// many calls that were and what they would take. False when it cannot be
// printed.
bool model_setup_dry_run(model_setup *m,
                         const judge_ports *ports,
                         arena scratch);

#endif  // ASSAY_CLI_MODEL_SETUP_H
