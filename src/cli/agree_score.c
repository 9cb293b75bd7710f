/*
 * agree_score.c - see agree_score.h.
 *
 * Method      Each command runs as a step of this one, by the words that a user
 *             would give it.
 */
#include "cli/agree_score.h"

#include "base/file.h"
#include "cli/cli.h"

// Of the command line of a step.
typedef vec_of(char *) words;

static void add_word(words *w, arena *a, str text)
{
    *vec_push(a, w) = arena_cstr(a, text);
}

static void add_words(words *w, arena *a, str text)
{
    while (text.len > 0) {
        add_word(w, a, str_cut(&text, ' '));
    }
}

// One that takes a value at a time is named before each.
static void hand_on(words *w, const cli *c, const opt_id *ids, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!opt_has(c->o, ids[i])) {
            continue;
        }
        const opt_spec *spec = opt_spec_at(ids[i]);
        if (spec->kind == OPT_KIND_FLAG) {
            add_word(w, c->a,
                     arena_printf(c->a, "--%.*s", STR_ARG(spec->name)));
            continue;
        }
        const str_list *values = opt_texts(c->o, ids[i]);
        for (ptrdiff_t k = 0; k < values->len; k++) {
            if (k == 0 || !(spec->flags & OPT_MANY)) {
                add_word(w, c->a,
                         arena_printf(c->a, "--%.*s", STR_ARG(spec->name)));
            }
            add_word(w, c->a, values->ptr[k]);
        }
    }
}

static bool run(const cli *c, command what, const words *w)
{
    const char *const *list = (const char *const *)w->ptr;
    return cli_step(c, (opt_args){what, list, w->len});
}

static bool distil(const cli *c)
{
    static const opt_id ids[] = {OPT_GOLD,  OPT_DB,       OPT_FORMAT,
                                 OPT_FIELD, OPT_ENCODING, OPT_JOBS};
    words w = {0};
    add_words(&w, c->a, S("--nulls data --seed 1 --out"));
    add_word(&w, c->a, opt_text(c->o, OPT_SUITE));
    hand_on(&w, c, ids, countof(ids));
    cli_say(c, "distilling '%.*s'", STR_ARG(opt_text(c->o, OPT_SUITE)));
    return run(c, COMMAND_DISTILL, &w);
}

static bool score(const cli *c)
{
    static const opt_id ids[] = {
        OPT_GOLD, OPT_PRED, OPT_DB,      OPT_FORMAT, OPT_FIELD,   OPT_TABLES,
        OPT_JOBS, OPT_OUT,  OPT_TIMEOUT, OPT_SUITE,  OPT_ENCODING};
    words w = {0};
    add_words(&w, c->a,
              S("--rules spider --metrics set,exec,suite "
                "--plug-values --ignore-distinct"));
    if (file_exists(arena_cstr(c->a, opt_text(c->o, OPT_OUT)))) {
        add_word(&w, c->a, S("--resume"));
    }
    hand_on(&w, c, ids, countof(ids));
    ptrdiff_t n = opt_texts(c->o, OPT_PRED)->len;
    cli_say(c, "scoring %td file%s", n, plural(n));
    return run(c, COMMAND_SCORE, &w);
}

bool agree_score(const cli *c)
{
    bool is_made =
        file_exists(arena_cstr(c->a, opt_text(c->o, OPT_SUITE))) || distil(c);
    return is_made && score(c);
}
