/*
 * cmd_check.c - `assay check`: are two queries equivalent?
 *
 * Two queries are answered for people, with their evidence; a file of pairs
 * with JSON lines and a count. The exit code of two queries is their verdict;
 * of a file that it could be read and every pair checked.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/words.h"
#include "cli/out_file.h"
#include "cli/progress.h"
#include "cli/shard_option.h"
#include "cli/terminal.h"
#include "job/check_output.h"
#include "job/check_run.h"
#include "job/vocabulary.h"

#include <unistd.h>

typedef struct check_command {
    const cli *c;
    check_job job;
    dialect dialect;
    bool as_lines;
    check_line_look lines;
    str db;  // of --db: duckdb:FILE where it is that; empty: none
    report_look look;
    out_file out;  // of the lines
    progress bar;
} check_command;

static str source_of(const cli *c, opt_id id)
{
    return opt_has(c->o, id)
               ? check_source(c->a, opt_text(c->o, id), c->scratch)
               : (str){0};
}

// Options that do not go together.
static bool check_use(const cli *c)
{
    const opt *o = c->o;
    const str_list *assumed = opt_texts(o, OPT_ASSUME);
    bool has_none = words_in(assumed->ptr, assumed->len, S("none")) >= 0;
    if (opt_has(o, OPT_SCHEMA) && opt_has(o, OPT_DB)
        && !check_is_server(opt_text(o, OPT_DB))) {
        return cli_refuse(
            c, "--schema and --db both name the tables: give only one of them");
    }
    return !has_none || assumed->len == 1
           || cli_refuse(
               c, "--assume none cannot be combined with other assumptions");
}

static check_options options_of(const cli *c)
{
    const opt *o = c->o;
    const check_options usual = check_default_options();
    double tolerance = opt_has(o, OPT_TOLERANCE) ? opt_double(o, OPT_TOLERANCE)
                                                 : usual.tolerance;
    return (check_options){
        .assume = (unsigned)vocabulary_bits(VOCABULARY_ASSUME,
                                            opt_texts(o, OPT_ASSUME)),
        .by_position = opt_is(o, OPT_COLUMN_ORDER, S("same")),
        .tolerance = tolerance,
        .max_rows = (int32_t)opt_int(o, OPT_ROWS),
        .databases = opt_int(o, OPT_DATABASES),
        .timeout_ms = (int64_t)(opt_double(o, OPT_SECONDS) * 1000),
        .seed = opt_has(o, OPT_SEED) ? opt_int(o, OPT_SEED) : usual.seed,
        .clock_ms = cli_clock_ms(c),
        .ignored = (unsigned)vocabulary_bits(VOCABULARY_CAUSE,
                                             opt_texts(o, OPT_IGNORE_CAUSES)),
        .rounds = tolerance >= ROUNDING_TOLERANCE,
        .explains = opt_flag(o, OPT_EXPLAIN),
        .is_realistic = opt_is(o, OPT_WORLD, S("realistic")),
    };
}

// The schema of --schema or --db; -1: neither was given.
static int32_t read_schema(const check_command *k,
                           check_pairs *pairs,
                           arena *a,
                           arena scratch)
{
    const opt *o = k->c->o;
    if (opt_has(o, OPT_SCHEMA)) {
        int32_t place = check_schema_file(pairs, a, opt_text(o, OPT_SCHEMA),
                                          k->dialect, scratch);
        if (opt_has(o, OPT_DB) && check_is_server(k->db)) {
            check_schema_on_server(pairs, a, place, k->db);
        }
        return place;
    }
    return opt_has(o, OPT_DB) ? check_schema_database(pairs, a, k->db, scratch)
                              : -1;
}

static void format(void *context,
                   const check_item *item,
                   const check_verdict *v,
                   buf *out,
                   arena scratch)
{
    const check_command *k = context;
    if (k->as_lines) {
        check_output_line(out, item, v, k->lines, scratch);
    } else {
        doc d = doc_new(&scratch, k->look);
        check_output_doc(&d, v, item->left, item->right,
                         k->job.options.explains);
        doc_write(&d, out);
    }
}

// What people read has no id.
static bool is_of(void *context,
                  const check_item *item,
                  str text,
                  arena scratch)
{
    const check_command *k = context;
    return !k->as_lines || check_output_is_line(item, text, k->lines, scratch);
}

static bool take(void *context, str text, str problem)
{
    check_command *k = context;
    if (problem.len > 0 && !k->as_lines) {
        cli_say(k->c, "%.*s", STR_ARG(problem));
        return true;
    }
    return out_file_write(&k->out, text);
}

static void show_progress(void *context, int64_t done, int64_t total)
{
    check_command *k = context;
    fflush(k->out.file);
    // Lines that go to the terminal are progress enough.
    if (total > 1 && !(k->out.file == stdout && isatty(STDOUT_FILENO))) {
        progress_show(&k->bar, done, total);
    }
}

// What the rows of a database break.
static void say_note(void *context, str text)
{
    const check_command *k = context;
    cli_say(k->c, "%.*s", STR_ARG(text));
}

static bool run(check_command *k,
                const check_pairs *pairs,
                check_tally *counts,
                arena scratch)
{
    k->job.pairs = pairs;
    supervisor_end end = check_run(&k->job, counts, take, k->c->d, scratch);
    progress_clear(&k->bar);
    if (end == SUPERVISOR_INTERRUPTED) {
        cli_say(k->c, "interrupted: %td of %td pairs were checked",
                counts->n_checked, pairs->items.len);
        return cli_ends(k->c, EXIT_CODE_INTERRUPTED);
    }
    return end == SUPERVISOR_DONE;
}

// A query of the command line: its text, or that of the .sql file it names.
static bool read_operand(const check_command *k, str word, str *out, arena *a)
{
    bool is_name = str_ends_fold(word, S(".sql"));
    for (ptrdiff_t i = 0; i < word.len; i++) {
        is_name = is_name && !is_space(word.ptr[i]);
    }
    bool ok = !is_name || file_text(out, a, word, k->c->d);
    *out = is_name ? str_trim(*out) : word;
    return ok;
}

static bool check_two(check_command *k,
                      check_pairs *pairs,
                      int32_t place,
                      arena *a,
                      arena scratch)
{
    const str_list *words = &k->c->o->operands;
    if (place < 0) {
        return cli_refuse(k->c, "no tables: give --schema or --db");
    }
    if (pairs->schemas.ptr[place].problem.len > 0) {
        return cli_say(k->c, "%.*s",
                       STR_ARG(pairs->schemas.ptr[place].problem));
    }
    check_item item = {.id = S("0"), .schema = place, .dialect = k->dialect};
    if (!read_operand(k, words->ptr[0], &item.left, a)
        || !read_operand(k, words->ptr[1], &item.right, a)) {
        return false;
    }
    *vec_push(a, &pairs->items) = item;
    check_tally counts;
    if (!run(k, pairs, &counts, scratch) || counts.n_broken > 0) {
        return false;
    }
    return counts.answers[CHECK_EQUIVALENT] > 0
           || cli_ends(k->c, counts.answers[CHECK_DIFFERENT] > 0
                                 ? EXIT_CODE_FAILED
                                 : EXIT_CODE_UNKNOWN);
}

static void say_counts(const check_command *k,
                       const check_tally *t,
                       ptrdiff_t n,
                       int64_t ns)
{
    if (opt_flag(k->c->o, OPT_QUIET)) {
        return;
    }
    FILE *to = k->out.file == stdout ? stderr : stdout;
    fprintf(to, "%td pair%s: %td equivalent, %td different, %td unknown", n,
            plural(n), t->answers[CHECK_EQUIVALENT],
            t->answers[CHECK_DIFFERENT], t->answers[CHECK_UNKNOWN]);
    fprintf(to, k->lines.with_times ? " in %.2f s\n" : "\n", (double)ns / 1e9);
}

static bool check_file(check_command *k,
                       check_pairs *pairs,
                       int32_t place,
                       arena *a,
                       arena scratch)
{
    int64_t start = clock_ns();
    pairs->encoding = opt_text(k->c->o, OPT_ENCODING);
    pairs->takes_any_path = opt_flag(k->c->o, OPT_ANY_PATH);
    if (!check_pairs_read(pairs, a, opt_text(k->c->o, OPT_PAIRS), place,
                          k->dialect, k->c->d, scratch)) {
        return false;
    }
    if (k->lines.shard.n > 0) {
        ptrdiff_t n_all = pairs->items.len;
        check_pairs_take_shard(pairs, k->lines.shard);
        out_file_write(&k->out, shard_option_head(k->c, a, k->lines.shard,
                                                  opt_text(k->c->o, OPT_PAIRS),
                                                  pairs->items.len, n_all));
    }
    check_tally counts;
    if (!run(k, pairs, &counts, scratch)) {
        return false;
    }
    say_counts(k, &counts, pairs->items.len, clock_ns() - start);
    return counts.n_broken == 0
           || cli_say(k->c, "%td pair%s could not be checked", counts.n_broken,
                      plural(counts.n_broken));
}

// The text of --facts, which workers read against their schemas.
static bool read_facts(check_command *k, arena *a)
{
    str path = opt_text(k->c->o, OPT_FACTS);
    return path.len == 0
           || (file_text(&k->job.facts, a, path, k->c->d)
               && (k->job.facts.len > 0
                   || cli_say(k->c, "'%.*s' is empty", STR_ARG(path))));
}

bool cmd_check(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    bool has_pairs = opt_has(c->o, OPT_PAIRS);
    check_command k = {
        .c = c,
        .job = {.options = options_of(c),
                .uses_solver = !opt_is(c->o, OPT_SOLVER, S("none")),
                .data = source_of(c, OPT_DATA),
                .facts_file = opt_text(c->o, OPT_FACTS),
                .n_workers = cli_jobs(c),
                .format = format,
                .is_of = is_of,
                .note = say_note,
                .idle = show_progress,
                .context = &k},
        .db = source_of(c, OPT_DB),
        .bar = {.c = c},
        .lines = {.with_times = !opt_flag(c->o, OPT_NO_TIMES),
                  .shard = shard_option(c)},
        .look = {.has_color = c->out_has_color,
                 .width = terminal_width(STDOUT_FILENO, 100)},
    };
    dialect_from_word(opt_text(c->o, OPT_DIALECT), &k.dialect);
    if (!opt_has(c->o, OPT_DIALECT) && opt_has(c->o, OPT_DB)) {
        k.dialect = check_dialect_of(k.db);
    }
    if (!check_use(c)) {
        return false;
    }
    if (!has_pairs && c->o->operands.len != 2) {
        return cli_refuse(c, "expected two queries");
    }
    bool needs_solver = opt_is(c->o, OPT_SOLVER, S("z3"));
    if ((needs_solver && !check_has_solver(c->d, scratch))
        || !read_facts(&k, c->room)) {
        return false;
    }
    k.as_lines = has_pairs || opt_has(c->o, OPT_OUT);
    check_pairs pairs = {0};
    int32_t place = read_schema(&k, &pairs, c->room, scratch);
    if (!out_file_open(&k.out, c, opt_text(c->o, OPT_OUT))) {
        return false;
    }
    bool ok = has_pairs ? check_file(&k, &pairs, place, c->room, scratch)
                        : check_two(&k, &pairs, place, c->room, scratch);
    bool is_refused = *c->code == EXIT_CODE_USAGE;
    return (out_file_end(&k.out, !is_refused) || is_refused
            || cli_ends(c, EXIT_CODE_INPUT))
           && ok;
}
