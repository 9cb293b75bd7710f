/*
 * cmd_facts.c - `assay facts`: what the data of a database show, for a person
 * and as a file.
 */
#include "cli/out_file.h"
#include "job/facts_run.h"

bool cmd_facts(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    str sentences;
    str text;
    if (!facts_run(opt_text(c->o, OPT_DB), &sentences, &text, c->room, c->d,
                   scratch)) {
        return false;
    }
    str out = opt_text(c->o, OPT_OUT);
    bool is_printed = str_equal(out, S("-"));
    bool ok =
        is_printed || opt_flag(c->o, OPT_QUIET) || cli_print(c, sentences);
    return (out.len == 0 || out_file_put(c, out, text)) && ok;
}
