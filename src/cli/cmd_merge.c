/*
 * cmd_merge.c - `assay merge`: the shards of a run, joined.
 */
#include "cli/out_file.h"
#include "job/merge_run.h"

typedef struct merge_output {
    const cli *c;
    out_file out;
} merge_output;

static bool open_whole(void *context)
{
    merge_output *o = context;
    return out_file_open(&o->out, o->c, opt_text(o->c->o, OPT_OUT));
}

static bool put_line(void *context, str line)
{
    merge_output *o = context;
    return out_file_write(&o->out, line);
}

bool cmd_merge(cli *c)
{
    merge_output o = {.c = c};
    bool ok = merge_run((merge_sink){&o, open_whole, put_line}, &c->o->operands,
                        c->room, c->d, arena_store_clear(c->lines));
    return out_file_end(&o.out, ok);
}
