/*
 * cmd_convert.c - `assay convert`: any known data set in another format.
 *
 * FILE is read as gold, --pred as predictions; with both, the predictions are
 * joined to their questions. What the new format has no place for is said.
 * A file appears under its name only when it is whole.
 */
#include "cli/dataset_option.h"
#include "cli/out_file.h"
#include "read/convert.h"
#include "read/pair.h"

typedef struct convert_input {
    dataset gold;
    dataset pred;
    pairing pairs;
    bool has_gold;
    bool has_pred;
} convert_input;

static bool put(void *context, str text)
{
    return out_file_write(context, text);
}

static void say_notes(const cli *c, const dataset *set)
{
    for (ptrdiff_t i = 0; i < set->notes.len; i++) {
        cli_say(c, "%.*s: %.*s", STR_ARG(set->file.path),
                STR_ARG(set->notes.ptr[i]));
    }
    if (set->failed.len > 0) {
        cli_say(c, "%.*s: %.*s", STR_ARG(set->file.path), STR_ARG(set->failed));
    }
}

static bool read_words(const cli *c, convert_job *job)
{
    str to = opt_text(c->o, OPT_TO);
    dataset_format_from_word(to, &job->to);
    if (!convert_writes(job->to)) {
        return cli_refuse(c, "format %.*s can be read, but not written",
                          STR_ARG(to));
    }
    if (opt_texts(c->o, OPT_PRED)->len > 1) {
        return cli_refuse(c, "convert takes one file of predictions");
    }
    job->limit = opt_int(c->o, OPT_LIMIT);
    return true;
}

// Opens what was named. --format is the format of FILE, or of the predictions
// when they come alone.
static bool open_inputs(const cli *c,
                        convert_input *in,
                        arena *a,
                        arena scratch)
{
    dataset_options options = dataset_option(c);
    in->has_gold = c->o->operands.len > 0;
    in->has_pred = opt_texts(c->o, OPT_PRED)->len > 0;
    if (in->has_gold) {
        if (!dataset_open(&in->gold, a, c->o->operands.ptr[0], options, c->d,
                          scratch)) {
            return false;
        }
        say_notes(c, &in->gold);
        options.format = FORMAT_AUTO;
    }
    if (in->has_pred) {
        options.role = DATASET_PRED;
        if (!dataset_open(&in->pred, a, opt_text(c->o, OPT_PRED), options, c->d,
                          scratch)) {
            return false;
        }
        say_notes(c, &in->pred);
    }
    return !in->has_gold || !in->has_pred
           || pair_records(&in->pairs, a, &in->gold, &in->pred, NULL, c->d,
                           scratch)
           || opt_flag(c->o, OPT_ALLOW_MISSING);
}

static void say_losses(const cli *c, const convert_result *r, arena scratch)
{
    for (int k = 0; k < CONVERT_LOSSES; k++) {
        if (r->lost[k] > 0) {
            str text = convert_loss_text(&scratch, (convert_loss)k, r->lost[k]);
            cli_say(c, "%.*s", STR_ARG(text));
        }
    }
}

static bool write_all(const cli *c, const convert_job *job, arena s)
{
    convert_result result;
    out_file out;
    if (!out_file_open(&out, c, opt_text(c->o, OPT_OUT))) {
        return false;
    }
    bool ok = convert_dataset(job, (convert_sink){put, &out}, &result, c->d, s);
    say_losses(c, &result, s);
    return out_file_end(&out, ok);
}

bool cmd_convert(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    convert_job job = {0};
    convert_input in = {0};
    bool ok = read_words(c, &job) && open_inputs(c, &in, c->room, scratch);
    if (ok) {
        job.gold = in.has_gold ? &in.gold : NULL;
        job.pred = in.has_pred ? &in.pred : NULL;
        job.pred_of = in.pairs.pred_of;
        ok = write_all(c, &job, scratch);
    }
    dataset_close(&in.gold);
    dataset_close(&in.pred);
    return ok;
}
