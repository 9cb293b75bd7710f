/*
 * cmd_distill.c - `assay distill`: golds in, a folder of small databases out.
 */
#include "cli/cli.h"
#include "cli/dataset_option.h"
#include "cli/progress.h"
#include "cli/shard_option.h"
#include "job/distill_run.h"

#include <unistd.h>

static void read_options(const cli *c, distill_run_options *o)
{
    const opt *given = c->o;
    *o = (distill_run_options){
        .golds = {.gold = opt_text(given, OPT_GOLD),
                  .db = opt_text(given, OPT_DB),
                  .dialect = DIALECT_SQLITE,
                  .file = dataset_option(c),
                  .shard = shard_option(c),
                  .limit = opt_has(given, OPT_LIMIT) ? opt_int(given, OPT_LIMIT)
                                                     : -1},
        .out = opt_text(given, OPT_OUT),
        .seed = (uint64_t)opt_int(given, OPT_SEED),
        .tries = opt_has(given, OPT_TRIES) ? opt_int(given, OPT_TRIES) : 1000,
        .max_databases = opt_int(given, OPT_MAX_DATABASES),
        .max_neighbors = opt_int(given, OPT_MAX_NEIGHBORS),
        .nulls_as_data = opt_is(given, OPT_NULLS, S("data")),
        .is_private = opt_flag(given, OPT_PRIVATE),
        .writes_sqlite = opt_is(given, OPT_LAYOUT, S("spider")),
        .leaves_out_times = opt_flag(given, OPT_NO_TIMES),
        .clock_ms = cli_clock_ms(c),
        .jobs = cli_jobs(c) > 256 ? 256 : cli_jobs(c),
    };
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static bool print_outcome(const cli *c, const distill_outcome *o, arena scratch)
{
    buf b = buf_new(&scratch);
    double golds =
        o->n_golds > o->n_unused ? (double)(o->n_golds - o->n_unused) : 1;
    buf_printf(&b, "golds       %lld, %lld different", (long long)o->n_cases,
               (long long)o->n_golds);
    if (o->n_unused > 0) {
        buf_printf(&b, ", %lld of them cannot be used", (long long)o->n_unused);
    }
    buf_printf(&b, "\nneighbors   %lld, %.0f a gold\n",
               (long long)o->count.neighbors,
               (double)o->count.neighbors / golds);
    buf_printf(&b, "equivalent  %lld, proved\n",
               (long long)o->count.equivalent);
    buf_printf(
        &b, "killed      %lld, %.2f %% of the others\n",
        (long long)o->count.killed,
        percent(o->count.killed, o->count.neighbors - o->count.equivalent));
    buf_printf(&b, "alive       %lld\n", (long long)o->count.alive);
    buf_printf(&b,
               "databases   %lld for %td schema%s, %lld at most for one, "
               "%.1f rows each\n",
               (long long)o->databases, o->n_schemas, plural(o->n_schemas),
               (long long)o->most_databases,
               o->databases > 0 ? (double)o->rows / (double)o->databases : 0);
    buf_printf(&b, "size        %.2f MB\n", (double)o->bytes / 1e6);
    if (!opt_flag(c->o, OPT_NO_TIMES)) {
        buf_printf(&b, "%lld databases tried in %.1f s\n", (long long)o->tries,
                   (double)o->wall_ns / 1e9);
    }
    return cli_print(c, buf_str(&b));
}

static bool distill_all(const cli *c,
                        const distill_run_options *options,
                        arena *a,
                        arena scratch)
{
    distill_outcome outcome;
    diag notes = diag_new(a);
    bool ok = distill_run(options, &outcome, a, c->d, &notes, scratch);
    progress_clear(options->context);
    if (!opt_flag(c->o, OPT_QUIET)) {
        cli_say_all(c, &notes, scratch);
    }
    if (outcome.end == SUPERVISOR_INTERRUPTED) {
        cli_say(c, "interrupted; run the same command again to continue");
        return cli_ends(c, EXIT_CODE_INTERRUPTED);
    }
    if (outcome.n_kept > 0) {
        cli_say(c, "%td %s done before", outcome.n_kept,
                outcome.n_kept == 1 ? "schema was" : "schemas were");
    }
    if (outcome.n_schemas > 0 && !opt_flag(c->o, OPT_QUIET)) {
        ok = print_outcome(c, &outcome, scratch) && ok;
    }
    return ok;
}

bool cmd_distill(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    distill_run_options options;
    progress bar = {.c = c};
    read_options(c, &options);
    options.context = &bar;
    options.progress = progress_show;
    return distill_all(c, &options, c->room, scratch);
}
