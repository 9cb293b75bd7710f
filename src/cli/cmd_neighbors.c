/*
 * cmd_neighbors.c - `assay neighbors`: queries that differ from a query in one
 * thing, each with the kind of change.
 */
#include "base/json_write.h"
#include "cli/cli.h"
#include "cli/dataset_option.h"
#include "job/neighbor_run.h"

typedef struct neighbor_output {
    const cli *c;
    arena a;
    int64_t n;  // of the gold at hand
    int64_t n_golds;
    int64_t n_all;
    str db;
    str gold;
    bool failed;
} neighbor_output;

static void put(neighbor_output *o, str text)
{
    o->failed = o->failed || !cli_print(o->c, text);
}

static void end_gold(neighbor_output *o)
{
    arena a = o->a;
    if (opt_flag(o->c->o, OPT_COUNTS) && o->n_golds > 0) {
        put(o, arena_printf(&a, "%6lld  %.*s  %.*s\n", (long long)o->n,
                            STR_ARG(o->db), STR_ARG(o->gold)));
    }
    o->n_all += o->n;
    o->n = 0;
}

static void begin_gold(void *context, str db, str gold)
{
    neighbor_output *o = context;
    end_gold(o);
    o->n_golds++;
    o->db = db;
    o->gold = gold;
}

static void take(void *context, const neighbor_found *n)
{
    neighbor_output *o = context;
    arena a = o->a;
    o->n++;
    if (opt_flag(o->c->o, OPT_COUNTS)) {
        return;
    }
    buf line = buf_new(&a);
    if (opt_flag(o->c->o, OPT_JSON)) {
        json_write(&line, json_begin('{'), member_text(S("db"), n->db),
                   member_text(S("gold"), n->gold),
                   member_text(S("kind"), n->kind),
                   member_text(S("sql"), n->sql), json_end("}"));
    } else {
        buf_printf(&line, "%-14.*s  %.*s", STR_ARG(n->kind), STR_ARG(n->sql));
    }
    buf_char(&line, '\n');
    put(o, buf_str(&line));
}

static void read_options(const cli *c, neighbor_run_options *o)
{
    str gold = opt_text(c->o, OPT_GOLD);
    bool has_sql = c->o->operands.len > 0;
    *o = (neighbor_run_options){
        .golds = {.gold = gold,
                  .db = opt_text(c->o, OPT_DB),
                  .sql = has_sql ? c->o->operands.ptr[0] : (str){0},
                  .dialect = DIALECT_SQLITE,
                  .file = dataset_option(c),
                  .limit =
                      opt_has(c->o, OPT_LIMIT) ? opt_int(c->o, OPT_LIMIT) : -1},
        .seed = (uint64_t)opt_int(c->o, OPT_SEED),
        .max = opt_int(c->o, OPT_MAX_NEIGHBORS),
        .kinds = *opt_texts(c->o, OPT_KINDS),
    };
}

bool cmd_neighbors(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    neighbor_run_options options;
    read_options(c, &options);
    neighbor_output out = {
        .c = c,
        .a = arena_half(c->room),
    };
    neighbor_sink sink = {&out, begin_gold, take};
    supervisor_end end = neighbor_run(&options, sink, c->room, c->d, scratch);
    end_gold(&out);
    if (opt_flag(c->o, OPT_COUNTS) && out.n_golds > 0) {
        put(&out, arena_printf(&scratch, "%6lld  in all, %lld gold%s\n",
                               (long long)out.n_all, (long long)out.n_golds,
                               plural(out.n_golds)));
    }
    return end == SUPERVISOR_INTERRUPTED
               ? cli_ends(c, EXIT_CODE_INTERRUPTED)
               : end == SUPERVISOR_DONE && !out.failed;
}
