// agree_score.c - see agree_score.h.
#include "cli/agree_score.h"

#include "base/file.h"
#include "cli/step.h"

static exit_code distil(const cli *c)
{
    static const opt_id ids[] = {OPT_GOLD,  OPT_DB,       OPT_FORMAT,
                                 OPT_FIELD, OPT_ENCODING, OPT_JOBS};
    step_words w = {0};
    step_add_words(&w, c->a, S("assay distill --nulls data --seed 1 --out"));
    step_add(&w, c->a, opt_text(c->o, OPT_SUITE));
    step_hand_on(&w, c, ids, countof(ids));
    cli_say(c, "distilling '%.*s'", STR_ARG(opt_text(c->o, OPT_SUITE)));
    return step_run(c, &w, -1);
}

static exit_code score(const cli *c)
{
    static const opt_id ids[] = {
        OPT_GOLD, OPT_PRED, OPT_DB,      OPT_FORMAT, OPT_FIELD,   OPT_TABLES,
        OPT_JOBS, OPT_OUT,  OPT_TIMEOUT, OPT_SUITE,  OPT_ENCODING};
    step_words w = {0};
    step_add_words(&w, c->a,
                   S("assay score --rules spider --metrics set,exec,suite "
                     "--plug-values --ignore-distinct"));
    if (file_exists(arena_cstr(c->a, opt_text(c->o, OPT_OUT)))) {
        step_add(&w, c->a, S("--resume"));
    }
    step_hand_on(&w, c, ids, countof(ids));
    ptrdiff_t n = opt_texts(c->o, OPT_PRED)->len;
    cli_say(c, "scoring %td file%s", n, plural(n));
    return step_run(c, &w, -1);
}

exit_code agree_score(const cli *c)
{
    exit_code code = EXIT_CODE_DONE;
    if (!file_exists(arena_cstr(c->a, opt_text(c->o, OPT_SUITE)))) {
        code = distil(c);
    }
    return code == EXIT_CODE_DONE ? score(c) : code;
}
