/*
 * cmd_generate.c - `assay generate`: ask a language model for predictions.
 *
 * Each question of a file becomes a prompt with the schema of its database;
 * the SQL taken out of the answer becomes a prediction. What comes out are
 * JSON lines that `assay score` reads, with the gold where the file has one.
 */
#include "base/json_write.h"
#include "cli/dataset_option.h"
#include "cli/model_setup.h"
#include "cli/out_file.h"
#include "cli/shard_option.h"
#include "read/extract.h"

typedef struct generate_job {
    model_setup m;
    dataset_options files;  // how questions and examples are read
    dataset questions;
    ptrdiff_t next;
    bool *is_chosen;  // by question: --only and --limit
    ptrdiff_t n_chosen;
    shard shard;
    ptrdiff_t n_rows;  // of each table that a prompt shows
    out_file out;
    int64_t n_without;  // answers with no SQL in them
    arena scratch;
} generate_job;

/* Ports. */

static str comment(arena *a, str text)
{
    buf b = buf_new(a);
    while (text.len > 0) {
        str line = str_trim(str_cut(&text, '\n'));
        if (line.len > 0) {
            buf_printf(&b, "-- %.*s\n", STR_ARG(line));
        }
    }
    return buf_str(&b);
}

static str id_of(const record *r, ptrdiff_t i, arena *a)
{
    return r->id.len > 0 ? r->id : arena_printf(a, "%td", i);
}

static bool next_question(void *context, judge_pair *p, arena *a)
{
    generate_job *job = context;
    record r;
    str id;
    bool is_wanted = false;
    while (!is_wanted) {
        if (job->next == job->questions.entries.len) {
            return false;
        }
        r = dataset_record(&job->questions, job->next, a);
        id = id_of(&r, job->next, a);
        is_wanted =
            job->is_chosen[job->next] && shard_has(job->shard, id, r.db);
        job->next++;
    }
    *p = (judge_pair){
        .position = job->next - 1,
        .id = id,
        .db = r.db,
        .question = r.question,
        .evidence = comment(a, r.evidence),
        .gold = r.n_golds > 0 ? r.golds[0] : (str){0},
    };
    p->samples =
        ground_worker_samples(&job->m.ground, p, job->n_rows, a, job->scratch);
    return true;
}

static str schema_text(void *context, const judge_pair *p, arena *a, arena s)
{
    generate_job *job = context;
    return ground_worker_schema(&job->m.ground, p, a, s);
}

// The SQL of the answers: a text, or a list where several were asked for. What
// got no answer is left out: it is missing, not wrong.
static void add_predictions(generate_job *job,
                            buf *b,
                            const session *votes,
                            ptrdiff_t n,
                            arena texts)
{
    buf_add(b, n > 1 ? S("[") : S(""));
    bool is_first = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        arena local = texts;
        str note = {0};
        if (votes[i].has_failed) {
            continue;
        }
        str sql = extract_sql(&local, votes[i].answer, &note);
        job->n_without += sql.len == 0;
        buf_add(b, is_first ? S("") : S(","));
        json_add_text(b, sql);
        is_first = false;
    }
    buf_add(b, n > 1 ? S("]") : S(""));
}

// One line: {"id", "db", "question", "gold", "pred"}; none for a question that
// got no answer.
static void take_answers(void *context,
                         const judge_pair *p,
                         const session *votes,
                         ptrdiff_t n,
                         arena scratch)
{
    generate_job *job = context;
    bool has_any = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        has_any |= !votes[i].has_failed;
    }
    if (!has_any) {
        return;
    }
    buf b = buf_new(&scratch);
    arena texts = arena_half(&scratch);
    json_write(&b, json_begin('{'), member_text_if_any(S("id"), p->id),
               member_text_if_any(S("db"), p->db),
               member_text_if_any(S("question"), p->question),
               member_text_if_any(S("gold"), p->gold));
    json_key(&b, S("pred"));
    add_predictions(job, &b, votes, n, texts);
    buf_add(&b, S("}\n"));
    str line = buf_str(&b);
    buf marked = buf_new(&texts);
    if (job->shard.n > 0) {
        shard_mark(&marked, line, p->position);
        line = buf_str(&marked);
    }
    out_file_write(&job->out, line);
}

/* Set-up. */

// The first questions of --examples with their gold, as the template's section
// `shot` writes them.
static bool read_examples(generate_job *job, arena *a)
{
    const opt *o = job->m.c->o;
    str path = opt_text(o, OPT_EXAMPLES);
    ptrdiff_t n = (ptrdiff_t)opt_int(o, OPT_SHOTS);
    if (path.len == 0 || n == 0) {
        return true;
    }
    dataset set;
    if (!dataset_open(&set, a, path, job->files, &job->m.d, job->scratch)) {
        return false;
    }
    str form = prompt_section_text(&job->m.prompt, S("shot"));
    str shots = {0};
    for (ptrdiff_t i = 0; i < n && i < set.entries.len; i++) {
        record r = dataset_record(&set, i, a);
        const prompt_field fields[] = {
            {S("question"), r.question},
            {S("sql"), r.n_golds > 0 ? r.golds[0] : (str){0}},
        };
        str one = prompt_fill(a, form, fields, countof(fields));
        shots = arena_printf(a, "%.*s%.*s", STR_ARG(shots), STR_ARG(one));
    }
    job->m.run.session.shots = shots;
    dataset_close(&set);
    return true;
}

// Of the questions that --only names, or of all, the first --limit.
static bool choose(generate_job *job, const cli *c, arena *a)
{
    const str_list *only = opt_texts(c->o, OPT_ONLY);
    arena temp = job->scratch;
    bool *is_seen = arena_new(&temp, bool, only->len + 1);
    ptrdiff_t n = job->questions.entries.len;
    ptrdiff_t n_silent = 0;
    int64_t most = opt_has(c->o, OPT_LIMIT) ? opt_int(c->o, OPT_LIMIT) : n;
    job->is_chosen = arena_new(a, bool, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        arena local = temp;
        record r = dataset_record(&job->questions, i, &local);
        str id = id_of(&r, i, &local);
        bool is_named = only->len == 0;
        for (ptrdiff_t k = 0; k < only->len; k++) {
            bool is_it = str_equal(only->ptr[k], id);
            is_seen[k] |= is_it;
            is_named |= is_it;
        }
        job->is_chosen[i] = is_named && job->n_chosen < most;
        job->n_chosen += job->is_chosen[i];
        n_silent += job->is_chosen[i] && r.question.len == 0;
    }
    bool ok =
        n_silent == 0
        || diag_add(&job->m.d,
                    (diag_place){.file = opt_text(c->o, OPT_QUESTIONS)},
                    "%td of %td records have no question; name the member "
                    "that holds it: --field question=NAME",
                    n_silent, job->n_chosen);
    for (ptrdiff_t k = 0; k < only->len; k++) {
        if (!is_seen[k]) {
            ok = diag_add(&job->m.d,
                          (diag_place){.file = opt_text(c->o, OPT_QUESTIONS)},
                          "no case '%.*s'", STR_ARG(only->ptr[k]));
        }
    }
    return ok;
}

static bool open_all(generate_job *job, const cli *c, arena *a)
{
    str name = opt_text(c->o, OPT_PROMPT);
    name = name.len > 0 ? name : S("generate");
    str path = opt_text(c->o, OPT_QUESTIONS);
    if (!model_setup_open(&job->m, c, name, S("."), a, job->scratch)
        || !dataset_open(&job->questions, a, path, job->files, &job->m.d,
                         job->scratch)
        || !read_examples(job, a)) {
        return false;
    }
    int64_t n = opt_int(c->o, OPT_SAMPLES);
    job->m.run.votes = n < 1 ? 1 : n > 64 ? 64 : (ptrdiff_t)n;
    job->n_rows = (ptrdiff_t)opt_int(c->o, OPT_SAMPLE_ROWS);
    return choose(job, c, a);
}

/* What is done. */

// The first line of a shard, which says how many questions it has.
static void write_head(generate_job *job, arena scratch)
{
    ptrdiff_t n = 0;
    ptrdiff_t all = job->shard.n > 0 ? job->questions.entries.len : 0;
    for (ptrdiff_t i = 0; i < all; i++) {
        arena local = scratch;
        record r = dataset_record(&job->questions, i, &local);
        n += job->is_chosen[i]
             && shard_has(job->shard, id_of(&r, i, &local), r.db);
    }
    if (job->shard.n > 0) {
        out_file_write(&job->out,
                       shard_option_head(job->m.c, &scratch, job->shard,
                                         opt_text(job->m.c->o, OPT_QUESTIONS),
                                         n, job->n_chosen));
    }
}

static exit_code ask_all(generate_job *job, const judge_ports *ports, arena *a)
{
    judge_totals totals;
    if (!out_file_open(&job->out, job->m.c, opt_text(job->m.c->o, OPT_OUT))) {
        return EXIT_CODE_INPUT;
    }
    write_head(job, job->scratch);
    bool ok = judge_run(&job->m.run, ports, &totals, a, job->scratch);
    ok = out_file_end(&job->out, true) && ok;
    ok = model_setup_say(&job->m, &totals) && ok;
    if (job->n_without > 0 && !opt_flag(job->m.c->o, OPT_QUIET)) {
        cli_say(job->m.c, "answers without SQL: %lld",
                (long long)job->n_without);
    }
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

exit_code cmd_generate(cli *c, arena *a, arena_store *lines)
{
    exit_code code = EXIT_CODE_INPUT;
    if (opt_int(c->o, OPT_SAMPLES) > 1
        && opt_double(c->o, OPT_TEMPERATURE) <= 0) {
        return cli_wrong_use(
            c, "at temperature 0 all samples are the same: give --temperature");
    }
    generate_job job = {.shard = shard_option(c),
                        .files = dataset_option(c, DATASET_GOLD),
                        .scratch = arena_store_clear(lines)};
    bool ok = open_all(&job, c, a);
    cli_say_all(c, &job.m.d, job.scratch);
    judge_ports ports = {
        .context = &job,
        .next = next_question,
        .schema = schema_text,
        .take_votes = take_answers,
    };
    if (ok && !opt_flag(c->o, OPT_DRY_RUN)) {
        code = ask_all(&job, &ports, a);
    } else if (ok && model_setup_dry_run(&job.m, &ports, job.scratch)) {
        code = EXIT_CODE_DONE;
    }
    model_setup_close(&job.m);
    dataset_close(&job.questions);
    return code;
}
