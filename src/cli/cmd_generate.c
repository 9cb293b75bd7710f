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
    choice choice;
    choice_result chosen;
    ptrdiff_t next;    // of those chosen
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

static bool next_question(void *context, judge_pair *p, arena *a)
{
    generate_job *job = context;
    if (job->next == job->chosen.n) {
        return false;
    }
    int32_t at = job->chosen.own[job->next++];
    record r = dataset_record(&job->questions, at, a);
    *p = (judge_pair){
        .position = at,
        .id = record_id(&r, at, a),
        .db = r.db,
        .question = r.question,
        .evidence = comment(a, r.evidence),
        .gold = r.n_golds > 0 ? r.golds[0] : (str){0},
    };
    p->samples = ground_worker_samples(&job->m.ground, p, job->n_rows, a);
    return true;
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
    out_file_write(&job->out, shard_mark(job->choice.shard, buf_str(&b),
                                         p->position, &texts));
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

static bool all_ask(generate_job *job)
{
    ptrdiff_t n_silent = 0;
    for (ptrdiff_t i = 0; i < job->chosen.n_all; i++) {
        arena local = job->scratch;
        record r = dataset_record(&job->questions, job->chosen.all[i], &local);
        n_silent += r.question.len == 0;
    }
    return n_silent == 0
           || diag_add(&job->m.d,
                       (diag_place){.file = job->questions.file.path},
                       "%td of %td records have no question; name the member "
                       "that contains it: --field question=NAME",
                       n_silent, job->chosen.n_all);
}

static bool open_all(generate_job *job, const cli *c, arena *a)
{
    str path = opt_text(c->o, OPT_QUESTIONS);
    if (!model_setup_open(&job->m, c, S("generate"), S("."), a, job->scratch)
        || !dataset_open(&job->questions, a, path, job->files, &job->m.d,
                         job->scratch)
        || !read_examples(job, a)) {
        return false;
    }
    int64_t n = opt_int(c->o, OPT_SAMPLES);
    job->m.run.votes = n < 1 ? 1 : n > 64 ? 64 : (ptrdiff_t)n;
    job->n_rows = (ptrdiff_t)opt_int(c->o, OPT_SAMPLE_ROWS);
    bool ok = choice_make(&job->chosen, a, &job->choice, &job->questions, NULL,
                          NULL, &job->m.d, job->scratch);
    return all_ask(job) && ok;
}

/* What is done. */

static bool ask_all(generate_job *job, const judge_ports *ports, arena *a)
{
    judge_totals totals;
    if (!out_file_open(&job->out, job->m.c, opt_text(job->m.c->o, OPT_OUT))) {
        return false;
    }
    // The first line of a shard says how many questions it has.
    if (job->choice.shard.n > 0) {
        out_file_write(&job->out,
                       shard_option_head(job->m.c, a, job->choice.shard,
                                         opt_text(job->m.c->o, OPT_QUESTIONS),
                                         job->chosen.n, job->chosen.n_all));
    }
    bool ok = judge_run(&job->m.run, ports, &totals, a, job->scratch);
    ok = out_file_end(&job->out, true) && ok;
    ok = model_setup_say(&job->m, &totals) && ok;
    if (job->n_without > 0 && !opt_flag(job->m.c->o, OPT_QUIET)) {
        cli_say(job->m.c, "answers without SQL: %lld",
                (long long)job->n_without);
    }
    return ok;
}

bool cmd_generate(cli *c)
{
    if (opt_int(c->o, OPT_SAMPLES) > 1
        && opt_double(c->o, OPT_TEMPERATURE) <= 0) {
        return cli_refuse(
            c, "at temperature 0 all samples are the same: give --temperature");
    }
    generate_job job = {.choice = choice_option(c),
                        .files = dataset_option(c),
                        .scratch = arena_store_clear(c->lines)};
    bool ok = open_all(&job, c, c->room);
    cli_say_all(c, &job.m.d, job.scratch);
    judge_ports ports = {
        .context = &job,
        .next = next_question,
        .take_votes = take_answers,
    };
    ok = ok
         && (opt_flag(c->o, OPT_DRY_RUN)
                 ? model_setup_dry_run(&job.m, &ports, job.scratch)
                 : ask_all(&job, &ports, c->room));
    model_setup_close(&job.m);
    dataset_close(&job.questions);
    return ok;
}
