/*
 * check_run.c - see check_run.h.
 *
 * Method      An item of the supervisor is a pair. Workers take pairs as they
 *             are free, in order, and not far ahead of the oldest one without
 *             an answer; an answer that comes early waits for its turn. A
 *             database is opened by each worker that meets it, never by the
 *             parent: what its rows break comes with the answers.
 */
#include "job/check_run.h"

#include "check/satisfied.h"
#include "facts/fact.h"
#include "job/message.h"
#include "plan/rights.h"
#include "process/supervisor.h"
#include "prove/solver.h"

enum {
    MAX_CHECKERS = 256,  // schemas that a worker holds open
    PAIR_MS = 120000,    // a safety net beyond all limits
    GRACE_MS = 20000,    // what opening the database of a pair may take longer
    STEP_MS = 140,       // what is tried when the time is over may end
    MACHINE_FILES = 8,   // that DuckDB reads
    AHEAD = 4096,        // pairs begun before the oldest one has its answer
    TEXT_BYTES = 1 << 20,
};

static const ptrdiff_t CHECKER_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t PAIR_BYTES = (ptrdiff_t)4 << 30;
static const ptrdiff_t EARLY_BYTES = (ptrdiff_t)8 << 30;
// What a worker may take.
static const int64_t WORKER_BYTES = (int64_t)8 << 30;

typedef struct pair_answer {
    int64_t verdict;
    bool is_broken;
    str notes;    // what the rows of its database break, by lines
    str problem;  // why it could not be checked; empty: it could
    str text;
} pair_answer;

const codec_shape message_check =
    CODEC_SHAPE(pair_answer,
                CODEC_NUMBER_IN(pair_answer, verdict, 0, CHECK_DIFFERENT),
                CODEC_TRUTH_IN(pair_answer, is_broken),
                CODEC_TEXT_IN(pair_answer, notes),
                CODEC_TEXT_IN(pair_answer, problem),
                CODEC_TEXT_IN(pair_answer, text));

/* In a worker. */

typedef struct check_worker {
    const check_job *job;
    check_options options;
    arena_store store;  // of the checkers
    arena a;
    checker **checkers;              // by schema
    str *problems;                   // why there is none
    str *notes;                      // not yet told
    engine *engines[DIALECT_COUNT];  // that hold the databases: by their SQL
    ptrdiff_t n_open;
    watch *watch;
    watch_outer pair;  // what was under way when a step of it began
    bool in_step;
} check_worker;

// One call of one function of the engine can run on, whatever its limits say:
// then only the end of the process helps.
static void on_step(void *context, bool begins)
{
    check_worker *w = context;
    if (begins) {
        watch_outer outer = watch_begin(w->watch, 0, WATCH_QUERY);
        w->pair = w->in_step ? w->pair : outer;
    } else {
        watch_end(w->watch, w->pair);
    }
    w->in_step = begins;
}

static void forget_checkers(check_worker *w)
{
    ptrdiff_t n = w->job->pairs->schemas.len;
    for (ptrdiff_t i = 0; w->checkers && i < n; i++) {
        checker_close(w->checkers[i]);
    }
    for (int i = 0; i < countof(w->engines); i++) {
        engine_close(w->engines[i]);
        w->engines[i] = NULL;
    }
    w->a = arena_store_clear(&w->store);
    w->a.on_full = worker_memory_is_full;
    w->checkers = arena_new(&w->a, checker *, n);
    w->problems = arena_new(&w->a, str, n);
    w->notes = arena_new(&w->a, str, n);
    w->n_open = 0;
}

// Opens a database, or keeps why it cannot be as the problem of a schema.
static database *open_database(check_worker *w,
                               int32_t no,
                               str path,
                               arena scratch)
{
    const engine_driver *driver = engine_driver_of(path);
    const engine_options options = {
        .limits = {.timeout_ms = 2000,
                   .max_rows = 1000000,
                   .max_bytes = (int64_t)1 << 30},
        .driver = driver,
    };
    diag d = diag_new(&w->a);
    w->problems[no] = check_refusal(&w->a, path);
    if (w->problems[no].len > 0) {
        return NULL;
    }
    engine **e = &w->engines[check_dialect_of(path)];
    if (!*e) {
        *e = engine_open(&options, &d);
    }
    database *db = *e ? engine_database(*e, path, &d, scratch) : NULL;
    if (!db || !engine_schema_or_say(db, &d)) {
        w->problems[no] = check_message(&d, &w->a);
        return NULL;
    }
    return db;
}

// What is known of the data behind a schema; NULL where nothing is asked, or
// with the problem why not.
static const facts *facts_about(check_worker *w,
                                int32_t no,
                                const schema *tables,
                                arena scratch)
{
    const check_job *job = w->job;
    const check_schema *s = &job->pairs->schemas.ptr[no];
    str path = job->data.len > 0                                  ? job->data
               : job->options.is_realistic && job->facts.len == 0 ? s->database
                                                                  : (str){0};
    facts *found = arena_new(&w->a, facts, 1);
    diag d = diag_new(&w->a);
    if (job->facts.len > 0) {
        if (!facts_from_text(found, &w->a, tables, job->facts_file, job->facts,
                             &d, scratch)) {
            w->problems[no] = check_message(&d, &w->a);
            return NULL;
        }
        return found;
    }
    database *db = path.len > 0 ? open_database(w, no, path, scratch) : NULL;
    if (!db) {
        return NULL;
    }
    *found = fact_mine(&w->a, db, path, FACTS_ALL, scratch);
    *found = facts_move(&w->a, found, tables);
    return found;
}

// The schema of a database, without what its rows break.
static const schema *schema_of_database(check_worker *w,
                                        int32_t no,
                                        arena scratch)
{
    const check_schema *s = &w->job->pairs->schemas.ptr[no];
    database *db = open_database(w, no, s->database, scratch);
    if (!db) {
        return NULL;
    }
    diag broken = diag_new(&w->a);
    const schema *found = satisfied_schema(&w->a, db, &broken, scratch);
    buf notes = buf_new(&w->a);
    for (ptrdiff_t i = 0; i < broken.messages.len; i++) {
        buf_add(&notes, diag_format(&scratch, broken.messages.ptr[i]));
        buf_char(&notes, '\n');
    }
    w->notes[no] = buf_str(&notes);
    return found;
}

static checker *checker_of(check_worker *w, int32_t no, arena scratch)
{
    if (!w->checkers[no] && w->problems[no].len == 0) {
        if (w->n_open == MAX_CHECKERS) {
            forget_checkers(w);
        }
        const check_schema *s = &w->job->pairs->schemas.ptr[no];
        const schema *tables = s->database.len > 0
                                   ? schema_of_database(w, no, scratch)
                                   : s->schema;
        check_options options = w->options;
        options.scratch_url = s->url;
        diag d = diag_new(&w->a);
        w->n_open++;
        options.facts = tables ? facts_about(w, no, tables, scratch) : NULL;
        if (!tables || w->problems[no].len > 0) {
            return NULL;
        }
        w->checkers[no] = checker_open(&w->a, tables, &options, &d, scratch);
        if (!w->checkers[no]) {
            w->problems[no] = d.messages.len > 0 ? d.messages.ptr[0].text
                                                 : S("it cannot be used");
        }
    }
    return w->checkers[no];
}

static check_verdict broken(reason why, str detail)
{
    return (check_verdict){
        .answer = CHECK_UNKNOWN,
        .evidence = EVIDENCE_BOUND,
        .reason = reason_word(why),
        .detail = detail,
    };
}

static void serve_pair(worker *port, const work_request *r, void *reply)
{
    check_worker *w = port->state;
    const check_item *item = &w->job->pairs->items.ptr[r->item];
    arena a = port->memory[0];
    arena scratch = port->memory[1];
    str problem = item->problem;
    checker *c = problem.len == 0 ? checker_of(w, item->schema, scratch) : NULL;
    problem = c || problem.len > 0 ? problem : w->problems[item->schema];
    check_verdict v =
        c ? checker_pair(c, item->left, item->right, item->dialect, &a, scratch)
          : broken(REASON_NO_DATABASE, problem);
    buf text = buf_new(&scratch);
    w->job->format(w->job->context, item, &v, &text, a);
    *(pair_answer *)reply = (pair_answer){
        .verdict = v.answer,
        .is_broken = !c,
        .notes = item->schema >= 0 ? w->notes[item->schema] : (str){0},
        .problem = problem,
        .text = buf_str(&text),
    };
    if (item->schema >= 0) {
        w->notes[item->schema] = (str){0};
    }
}

// DuckDB's, when a pair asks it; NULL: SQLite is enough.
static const engine_driver *library_of(const check_job *job)
{
    bool asks = check_is_duckdb(job->data);
    for (ptrdiff_t i = 0; !asks && i < job->pairs->schemas.len; i++) {
        asks = check_is_duckdb(job->pairs->schemas.ptr[i].url);
    }
    return asks ? engine_driver_named(S("duckdb")) : NULL;
}

// A file that may be read, as duckdb:FILE too.
static const char *file_of(str path, arena *a)
{
    return arena_cstr(
        a, check_is_duckdb(path) ? str_skip(path, S("duckdb:").len) : path);
}

// What a worker reads: databases, and what libraries need.
static sandbox_rights rights_of(const check_job *job, arena *a)
{
    const char *const *machine = engine_driver_files(library_of(job));
    const char *const libraries[] = {
        "/usr/lib", "/usr/local/lib",   "/lib",
        "/lib64",   "/etc/ld.so.cache", solver_file(),
    };
    const check_pairs *pairs = job->pairs;
    const char **also =
        arena_new(a, const char *,
                  pairs->schemas.len + countof(libraries) + MACHINE_FILES + 2);
    ptrdiff_t n = 0;
    bool asks_server = job->data.len > 0 && check_is_server(job->data);
    if (job->data.len > 0 && !asks_server) {
        also[n++] = file_of(job->data, a);
    }
    for (ptrdiff_t i = 0; i < pairs->schemas.len; i++) {
        const check_schema *s = &pairs->schemas.ptr[i];
        asks_server |= check_is_server(s->url);
        if (s->database.len > 0 && !check_is_server(s->url)) {
            also[n++] = file_of(s->database, a);
        }
    }
    for (ptrdiff_t i = 0; job->uses_solver && i < countof(libraries); i++) {
        also[n] = libraries[i];
        n += libraries[i] != NULL;
    }
    for (int i = 0; machine && machine[i] && i < MACHINE_FILES; i++) {
        also[n++] = machine[i];
    }
    return (sandbox_rights){
        .may_connect = asks_server,
        .also = also,
        .may_load = job->uses_solver || machine,
    };
}

static void *open_worker(const void *context, worker *port)
{
    check_worker *w = arena_new(&port->lasting, check_worker, 1);
    w->job = context;
    w->options = w->job->options;
    w->options.step = on_step;
    w->options.step_context = w;
    w->watch = port->watch;
    if (!arena_store_open(&w->store, CHECKER_BYTES)) {
        return NULL;
    }
    if (w->job->uses_solver) {
        w->options.solver = solver_new(&port->lasting, solver_default_limits());
    }
    rights_load(library_of(w->job), port);
    forget_checkers(w);
    return w;
}

/* In the parent. */

typedef struct run_state {
    const check_job *job;
    check_tally *tally;
    check_take *take;
    ptrdiff_t n_heard;    // pairs with an answer
    pair_answer **early;  // by pair: an answer that waits; NULL: none
    ptrdiff_t n_early;
    arena_store early_store;
    arena early_arena;
    bool *has_notes;  // by schema: they were told
    arena scratch;
} run_state;

static void tell_notes(run_state *r, int32_t place, str notes)
{
    if (place < 0 || r->has_notes[place] || notes.len == 0) {
        return;
    }
    r->has_notes[place] = true;
    while (notes.len > 0) {
        r->job->note(r->job->context, str_cut(&notes, '\n'));
    }
}

// Hands on the answer of the pair whose turn it is.
static bool hand_on(run_state *r, const pair_answer *it)
{
    int32_t place = r->job->pairs->items.ptr[r->tally->n_checked].schema;
    tell_notes(r, place, it->notes);
    r->tally->answers[it->verdict]++;
    r->tally->n_broken += it->is_broken;
    r->tally->n_checked++;
    return r->take(r->job->context, it->text, it->problem);
}

static bool is_sound(const void *context, int32_t item, const void *reply)
{
    const run_state *r = context;
    const pair_answer *it = reply;
    return r->job->is_of(r->job->context, &r->job->pairs->items.ptr[item],
                         it->text, r->scratch);
}

static bool take_answer(void *context, int32_t item, const void *reply)
{
    run_state *r = context;
    r->n_heard++;
    if (item != r->tally->n_checked) {
        r->early[item] = arena_new(&r->early_arena, pair_answer, 1);
        codec_copy(&message_check, reply, r->early[item], &r->early_arena);
        r->n_early++;
        return true;
    }
    bool ok = hand_on(r, reply);
    ptrdiff_t n = r->job->pairs->items.len;
    for (ptrdiff_t i; ok && (i = r->tally->n_checked) < n && r->early[i];) {
        r->n_early--;
        ok = hand_on(r, r->early[i]);
    }
    if (r->n_early == 0) {
        r->early_arena = arena_store_clear(&r->early_store);
    }
    return ok;
}

// Gives the pair that killed a worker its answer.
static bool died(void *context, work_request *request, const work_death *death)
{
    run_state *r = context;
    bool is_crash = death->why == REASON_CRASH;
    check_verdict v = broken(
        death->why, is_crash ? S("the process that checked the pair died")
                    : death->why == REASON_TIMEOUT
                        ? S("one step of a query did not end")
                        : S("the check takes too much memory"));
    arena scratch = r->scratch;
    char *room = arena_new(&scratch, char, TEXT_BYTES);
    arena texts = {.next = room, .end = room + TEXT_BYTES};
    buf text = buf_new(&texts);
    const check_item *item = &r->job->pairs->items.ptr[request->item];
    r->job->format(r->job->context, item, &v, &text, scratch);
    const pair_answer reply = {
        .verdict = v.answer, .is_broken = is_crash, .text = buf_str(&text)};
    take_answer(r, request->item, &reply);
    return false;
}

static bool may_begin(void *context, int32_t item)
{
    const run_state *r = context;
    return item < r->tally->n_checked + AHEAD;
}

static void idle(void *context, int64_t progress)
{
    const run_state *r = context;
    (void)progress;
    if (r->job->idle) {
        r->job->idle(r->job->context, r->n_heard, r->job->pairs->items.len);
    }
}

// For what is no step of its own: reading the schema, proofs.
static int64_t most_ms(const check_job *job)
{
    int64_t ms = job->options.timeout_ms;
    int64_t most = ms > 0 ? 2 * ms + GRACE_MS : PAIR_MS;
    return most < PAIR_MS ? most : PAIR_MS;
}

static int64_t step_ms(const check_job *job)
{
    int64_t ms = job->options.timeout_ms;
    return ms > 0 && ms + STEP_MS < PAIR_MS ? ms + STEP_MS : PAIR_MS;
}

supervisor_end check_run(const check_job *job,
                         check_tally *tally,
                         check_take *take,
                         diag *d,
                         arena a)
{
    ptrdiff_t n = job->pairs->items.len;
    *tally = (check_tally){0};
    run_state r = {.job = job, .tally = tally, .take = take};
    if (!arena_store_open(&r.early_store, EARLY_BYTES)) {
        diag_add(d, (diag_place){0},
                 "no address space (see `ulimit -v`) for answers");
        return SUPERVISOR_FAILED;
    }
    r.early_arena = arena_store_clear(&r.early_store);
    r.early = arena_new(&a, pair_answer *, n);
    r.has_notes = arena_new(&a, bool, job->pairs->schemas.len);
    r.scratch = arena_half(&a);
    arena lasting = arena_half(&a);
    const supervisor_job of_pairs = {
        .call = {.context = job,
                 .answer = &message_check,
                 .rights = rights_of(job, &a),
                 .n_arenas = 2,
                 .arena_bytes = PAIR_BYTES,
                 .open = open_worker,
                 .serve = serve_pair},
        .context = &r,
        .n_items = n,
        .n_workers = job->n_workers,
        .computes = true,
        .item_ms = most_ms(job),
        .step_ms = step_ms(job),
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take_answer,
        .died = died,
        .may_begin = may_begin,
        .idle = idle,
    };
    supervisor_end end = supervisor_run(&of_pairs, NULL, d, &lasting, a);
    arena_store_close(&r.early_store);
    return end;
}

bool check_has_solver(diag *d, arena a)
{
    solver *s = solver_new(&a, solver_default_limits());
    bool is_there = solver_load(s, d);
    solver_close(s);
    return is_there;
}
