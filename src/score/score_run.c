/*
 * score_run.c - the database of a case and its queries, each run at most once.
 *
 * Work        With --work a query may take so many steps, or so many as its
 *             gold allows it: WORK_TIMES what the gold takes, but at least
 *             work_floor(), and WORK_OF_BYTE for each byte of the database:
 *             where the gold finds its row by a key, to look through a large
 *             table a few times is slow, not wrong. No verdict hangs on who
 *             ran the text before: work counted up to another stop is another
 *             result, and a run that a smaller limit ended is run again.
 */
#include "score/score_run.h"

#include "engine/url.h"
#include "metric/exec_stop.h"
#include "score/score_gold.h"
#include "score/score_single.h"

// Of 18 runs of Spider's dev set the costliest gold takes 1.3 million steps,
// and the costliest prediction that people would call right 2.8 million.
enum {
    WORK_FLOOR = 10000000,
    WORK_FLOOR_REPRODUCING = 100000000,
    WORK_TIMES = 20,
    WORK_OF_BYTE = 4,  // a row of 60 bytes takes some 15 steps to be read
};

// What the worker did that died: `work`, or anything where all that is known is
// that judging it killed two.
static const watch_death *find_death(const score_task *task,
                                     int32_t pred_no,
                                     int32_t work,
                                     bool or_total)
{
    for (ptrdiff_t i = 0; i < task->n_deaths; i++) {
        const watch_death *d = &task->deaths[i];
        if (d->pred_no == pred_no
            && (d->work == work || (or_total && d->is_total))) {
            return d;
        }
    }
    return NULL;
}

const watch_death *score_death_of(const score_task *task, int32_t pred_no)
{
    return find_death(task, pred_no, WATCH_QUERY, true);
}

const watch_death *score_work_death(const score_task *task,
                                    int32_t pred_no,
                                    int32_t work)
{
    return find_death(task, pred_no, work, false);
}

const watch_death *score_gold_death(const score_task *task)
{
    const int32_t nothing = INT32_MIN;
    return find_death(task, WATCH_GOLD, nothing, true);
}

/* The database. */

// Opening it killed a worker; it is not tried again.
static str cannot_open(judging *j, reason why)
{
    str path = j->task->path;
    if (why == REASON_CRASH) {
        return arena_printf(j->e.a, "%.*s: opening it killed its worker",
                            STR_ARG(path));
    }
    bool is_late = why == REASON_TIMEOUT;
    return arena_printf(
        j->e.a,
        "%.*s: opening it takes more %s than %s allows; if it is a dump, load "
        "it with sqlite3 once, and use the file that this makes",
        STR_ARG(path), is_late ? "time" : "memory",
        is_late ? "--timeout" : "--memory");
}

// Why there is no connection; the parent is told when there will be none.
static reason lost_to(const judging *j, reason otherwise)
{
    bool is_stuck = engine_is_stuck(j->s->engine);
    if (is_stuck) {
        watch_say_stuck(j->s->watch);
    }
    return is_stuck ? REASON_SERVER_BUSY : otherwise;
}

// Opens it with as much address space as it takes; a dump, which is a program
// to be run, with a bound.
static database *open_within(judging *j, const sandbox *box, diag *d)
{
    engine *e = j->s->engine;
    if (engine_has_database(e, j->task->path)) {
        box = NULL;
    }
    int64_t most = box ? engine_dump_bytes(e, j->task->path, j->s->scratch) : 0;
    if (box && most > 0) {
        sandbox_restore_memory(box, score_mapped_bytes(j->s) + most);
    } else if (box) {
        sandbox_lift_memory(box);
    }
    database *db = engine_database(e, j->task->path, d, j->s->scratch);
    if (box) {
        sandbox_restore_memory(box, score_mapped_bytes(j->s));
    }
    return db;
}

void score_open_database(judging *j)
{
    j->e.db_status = REASON_NO_DATABASE;
    if (!j->s->engine) {
        return;
    }
    if (j->task->path.len == 0) {
        j->e.db_error = j->task->path_error;
        return;
    }
    bool is_server = engine_is_server(j->s->engine);
    j->e.path = is_server ? url_show(j->e.a, j->task->path) : j->task->path;
    const watch_death *death =
        score_work_death(j->task, WATCH_GOLD, WATCH_OPEN);
    if (death) {
        j->e.db_error = cannot_open(j, death->status);
        return;
    }
    diag d = diag_new(j->e.a);
    // Servers have time limits of their own for connecting.
    watch_outer outer = {0};
    if (!is_server) {
        outer = watch_begin(j->s->watch, WATCH_GOLD, WATCH_OPEN);
    }
    j->db = open_within(j, j->s->sandbox, &d);
    watch_end(j->s->watch, outer);
    j->e.has_db = j->db != NULL;
    if (j->db) {
        j->e.db_dialect = engine_driver_dialect(engine_driver_at(j->db));
    }
    if (!j->db && d.messages.len > 0) {
        j->e.db_error = diag_format(j->e.a, d.messages.ptr[0]);
        j->e.db_status = lost_to(j, REASON_NO_DATABASE);
    }
}

/* Queries. */

static str death_message(reason status)
{
    if (status == REASON_TIMEOUT) {
        return S("killed: one step of it ran past the limit");
    }
    if (status == REASON_MEMORY) {
        return S("the worker ran out of memory");
    }
    return S("the worker died");
}

typedef enum row_reading {
    AS_STORED,
    REVERSED,  // to the end, whatever the stop
} row_reading;

static execution run_watched(judging *j,
                             str sql,
                             engine_stop stop,
                             int32_t pred_no,
                             row_reading how)
{
    watch_outer outer = watch_begin(j->s->watch, pred_no, WATCH_QUERY);
    engine_set_work(j->s->engine, j->e.most_work);
    execution x = how == REVERSED ? engine_run_reversed(j->db, sql, j->e.a)
                                  : engine_run(j->db, sql, stop, j->e.a);
    watch_end(j->s->watch, outer);
    if (j->s->options->limits_work && x.status == REASON_TIMEOUT) {
        x.message = S("it ran into the time limit before its work limit: "
                      "another machine may give another verdict");
    }
    return x;
}

// A connection that breaks is the server's matter the first time, and getting
// a new one is not counted as the query's time. The second time it is the
// query that breaks it.
static execution run_again(judging *j,
                           str sql,
                           engine_stop stop,
                           int32_t pred_no)
{
    diag d = diag_new(j->e.a);
    execution x = {.status = REASON_CONNECTION_LOST, .offset = -1};
    if (!engine_reconnect(j->db, &d, j->s->scratch)) {
        x.status = lost_to(j, x.status);
        x.message = d.messages.len > 0 ? diag_format(j->e.a, d.messages.ptr[0])
                                       : (str){0};
        return x;
    }
    x = run_watched(j, sql, stop, pred_no, AS_STORED);
    if (x.status == REASON_CONNECTION_LOST) {
        x.status = REASON_CRASH;
        x.message = S("the server closed the connection twice while it ran");
    }
    return x;
}

execution score_run_once(judging *j, str sql, int32_t pred_no)
{
    const watch_death *death = score_death_of(j->task, pred_no);
    return death ? (execution){.status = death->status, .offset = -1}
                 : run_watched(j, sql, ENGINE_READ_ALL, pred_no, AS_STORED);
}

// What a text returned before, by the key of database and text.
static const execution *known_run(const judging *j,
                                  hash128 key,
                                  engine_stop stop)
{
    const execution *x = result_cache_find(&j->s->cache, key, stop);
    bool is_short = x && x->status == REASON_TOO_MUCH_WORK
                    && (j->e.most_work == 0 || x->work < j->e.most_work);
    return is_short ? NULL : x;
}

static execution as_known(const judging *j,
                          const execution *known,
                          engine_stop stop)
{
    execution x = engine_within(known, j->e.most_work);
    return engine_cut(&x, stop, j->s->scratch);
}

// Runs one text, or takes what it returned before.
execution score_run_text(judging *j, str sql, engine_stop stop, int32_t pred_no)
{
    const watch_death *death = score_death_of(j->task, pred_no);
    if (death) {
        return (execution){.status = death->status,
                           .message = death_message(death->status),
                           .offset = -1};
    }
    hash128 key = result_key(j->task->path, sql);
    if (j->s->options->limits_work) {
        key.low ^= hash_bytes((str){(const char *)&stop, sizeof stop}).low;
    }
    const execution *known = known_run(j, key, stop);
    if (known) {
        return as_known(j, known, stop);
    }
    execution x = run_watched(j, sql, stop, pred_no, AS_STORED);
    if (x.status == REASON_CONNECTION_LOST) {
        x = run_again(j, sql, stop, pred_no);
    }
    score_mark_single(j, sql, &x);
    if (!reason_is_passing(x.status)) {
        result_cache_add(&j->s->cache, key, &x);
    }
    return x;
}

// Runs a text of family f, as the program does that the family stands for.
static execution run_in_family(judging *j,
                               family_id f,
                               str sql,
                               engine_stop stop,
                               int32_t pred_no)
{
    const text_family *family = text_family_of(f);
    reason why = family->send
                     ? family->send(j->e.a, j->s->options->dialect, &sql)
                     : REASON_NONE;
    return why != REASON_NONE ? (execution){.status = why, .offset = -1}
                              : score_run_text(j, sql, stop, pred_no);
}

// Runs the text of a gold with rows read in the opposite order.
execution score_run_reversed(judging *j, str sql)
{
    hash128 key = result_key(j->task->path, sql);
    key = (hash128){~key.low, ~key.high};  // another than that of the plain run
    const execution *known = known_run(j, key, ENGINE_READ_ALL);
    if (known) {
        return as_known(j, known, ENGINE_READ_ALL);
    }
    execution x = run_watched(j, sql, ENGINE_READ_ALL, WATCH_GOLD, REVERSED);
    result_cache_add(&j->s->cache, key, &x);
    return x;
}

// Is it the text of no gold, but made of one with {a,b}?
static bool is_expanded(const judging *j, str sql)
{
    const record *gold = j->task->gold;
    for (ptrdiff_t i = 0; i < gold->n_golds; i++) {
        if (str_find(gold->golds[i], sql, 0) >= 0) {
            return false;
        }
    }
    return true;
}

static str describe_failure(judging *j, const gold_set *set, ptrdiff_t i)
{
    enum {
        SHOWN = 200  // bytes of a text that was made
    };
    const execution *x = &set->runs[i];
    str sql = set->variants[i].sql;
    str why = reason_word(x->status);
    if (set->results) {
        return x->message;
    }
    if (x->message.len > 0) {
        why = arena_printf(j->e.a, "%.*s: %.*s", STR_ARG(why),
                           STR_ARG(x->message));
    }
    if (set != &j->e.families[FAMILY_PLAIN] || !is_expanded(j, sql)) {
        return why;
    }
    bool is_long = sql.len > SHOWN;
    return arena_printf(j->e.a, "%.*s (assay expanded its {...} to: %.*s%s)",
                        STR_ARG(why),
                        STR_ARG(str_sub(sql, 0, is_long ? SHOWN : sql.len)),
                        is_long ? "..." : "");
}

// What is known of a result that stands as gold.
static execution run_of_result(const result_gold *r)
{
    return (execution){.status =
                           r->error.len > 0 ? REASON_GOLD_FAILED : REASON_NONE,
                       .message = r->error,
                       .result = r->read,
                       .offset = -1};
}

void score_run_gold(judging *j, family_id f)
{
    gold_set *set = &j->e.families[f];
    set->runs = arena_new(j->e.a, execution, set->n);
    j->e.most_work = j->s->options->most_work;
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->variants[i].returns_nothing) {
            set->n_ran++;
            continue;
        }
        set->runs[i] = set->results
                           ? run_of_result(&set->results[i])
                           : run_in_family(j, f, set->variants[i].sql,
                                           ENGINE_READ_ALL, WATCH_GOLD);
        set->ns += set->runs[i].ns;
        set->work =
            set->runs[i].work > set->work ? set->runs[i].work : set->work;
        if (set->runs[i].status == REASON_NONE) {
            set->n_ran++;
        } else if (set->error.len == 0) {
            set->error = describe_failure(j, set, i);
        }
    }
}

// The text of a prediction as family f runs it. False when nothing is run:
// then `x` has what becomes of it.
static bool pred_text(judging *j,
                      family_id f,
                      ptrdiff_t pred_no,
                      str *sql,
                      execution *x)
{
    const text_family *family = text_family_of(f);
    str text = evidence_text_of(f, &j->task->preds[pred_no]);
    *x = (execution){.offset = -1};
    if (text.len == 0 && !family->takes_lines) {
        x->status = REASON_NO_PREDICTION;
        return false;
    }
    family_text t =
        family->pred(j->e.a, text, evidence_family_options(j->s->options));
    *sql = t.sql;
    return !t.returns_nothing;
}

// Rules that stand for a program say what that says, which waits for seconds:
// predictions that it calls right took up to 36 million steps where the gold
// takes few.
static int64_t work_floor(const score_options *o)
{
    int64_t floor = WORK_FLOOR;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        floor = evaluator_has(o->rules[i], REPRODUCES) ? WORK_FLOOR_REPRODUCING
                                                       : floor;
    }
    return floor;
}

void score_limit_work(judging *j, int64_t gold_work)
{
    const score_options *o = j->s->options;
    int64_t most = gold_work * WORK_TIMES;
    int64_t by_data = j->db ? engine_data_bytes(j->db) * WORK_OF_BYTE : 0;
    most = most > work_floor(o) ? most : work_floor(o);
    most = most > by_data ? most : by_data;
    j->e.most_work = !o->limits_work    ? 0
                     : o->most_work > 0 ? o->most_work
                                        : most;
}

execution score_run_pred(judging *j,
                         family_id f,
                         ptrdiff_t pred_no,
                         bool to_end)
{
    execution x;
    str sql;
    score_limit_work(j, j->e.families[f].work);
    if (!pred_text(j, f, pred_no, &sql, &x)) {
        return x;
    }
    return run_in_family(j, f, sql,
                         to_end ? ENGINE_READ_ALL : exec_stop(&j->e, f, sql),
                         (int32_t)pred_no);
}
