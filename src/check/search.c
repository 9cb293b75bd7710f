/*
 * search.c - see search.h.
 *
 * Method      Databases by number, from the sampler. The first on which the
 *             results differ for certain ends the search. One on which they
 *             differ in all orders tried is kept in case nothing better comes;
 *             from then on nothing is tried in several orders. A witness all
 *             of whose causes are to be ignored is passed over. What is proved
 *             is tried on a few: where a rule is wrong, they show it more
 *             often than not.
 */
#include "check/search.h"

#include "base/clock.h"
#include "check/explain.h"
#include "check/minimise.h"
#include "check/world.h"

#include <assert.h>

enum {
    MORE_WHEN_UNSTABLE = 5,  // times as many, with unlike groups, see sample.h
    LOOK_ON_WHEN_STABLE = 64,  // databases after one that is only stable
    OPEN_AT_MOST = 24,   // databases that say nothing, before it is given up
    WORK_MAX = 4 << 20,  // steps of both queries on all databases, about: those
                         // that go beyond their share are made smaller
    PROVED_WORK = 300000,  // steps of SQLite after which it was tried enough
    PROVED_ORDERS = 2,  // databases on which it is tried in several orders of
                        // rows, where the results differ in one
};

// What a witness became.
typedef enum trial_result {
    WITNESS_STANDS,
    WITNESS_IGNORED,   // for its causes
    WITNESS_SPURIOUS,  // not from its own text
} trial_result;

typedef struct search_progress {
    reading reads;
    sampler *rows;
    int64_t no;     // of the next database
    instance kept;  // the first stable witness
    bool has_kept;
    int64_t kept_at;
    unsigned ignored;  // causes of what was passed over
    int64_t spurious;
    bool saw_rows;
    bool timed_out;
    int64_t work;    // steps that both queries took on all databases
    int64_t fewer;   // rows a table that the next database may have; 0: any
    int64_t n_open;  // databases on which a query hit a limit
    execution open;  // the last of these
} progress;

static void describe(check_verdict *v,
                     const search *s,
                     const pair_run *run,
                     arena *a,
                     arena scratch)
{
    assert(run->finding >= FINDING_STABLE);
    v->witness.left = table_copy(a, &run->left.result);
    v->witness.right = table_copy(a, &run->right.result);
    if (run->finding == FINDING_ERROR) {
        bool is_left = run->left.status != REASON_NONE;
        const execution *x = is_left ? &run->left : &run->right;
        v->reason = reason_word(x->status);
        v->detail = arena_printf(a, "%s: %.*s", is_left ? "left" : "right",
                                 STR_ARG(x->message));
        *(is_left ? &v->witness.left_error : &v->witness.right_error) =
            arena_str(a, x->message);
        return;
    }
    v->reason = explain_reason(&run->left.result, &run->right.result,
                               pair_is_ordered(s->p), s->p->by_position,
                               s->p->tolerance, &v->detail, a, scratch);
}

static void tell_step(const search *s, bool begins)
{
    if (s->o->step) {
        s->o->step(s->o->step_context, begins);
    }
}

static trial_result try_witness(const search *s,
                                const progress *p,
                                const instance *rows,
                                finding least,
                                check_verdict *v,
                                unsigned *causes,
                                arena *a,
                                arena scratch)
{
    assert(least >= FINDING_STABLE);
    arena smaller = s->one;
    arena temporary = s->two;
    tell_step(s, true);
    instance small = minimise(s->p, rows, least, &p->reads, s->o, &smaller,
                              temporary, scratch);
    ptrdiff_t rows_at = 0;
    str sql = witness_sql(a, &small, &p->reads, &rows_at, scratch);
    pair_run run = witness_again(s->p, s->stage, sql, rows_at, &smaller,
                                 &temporary, scratch);
    if (run.finding < FINDING_STABLE) {
        return WITNESS_SPURIOUS;
    }
    *causes = explain_causes(&small, &run, s->p, &p->reads, s->declared,
                             temporary, scratch);
    if (*causes != 0 && (*causes & ~s->o->ignored) == 0) {
        return WITNESS_IGNORED;
    }
    v->answer = CHECK_DIFFERENT;
    v->evidence = EVIDENCE_WITNESS;
    v->causes = *causes;
    v->is_stable = run.finding == FINDING_STABLE;
    v->witness.sql = witness_sql_for_user(a, &small, sql, rows_at, scratch);
    v->witness.rows = instance_keep(a, &small).tables;
    witness_tables(&v->witness, &small, &p->reads, a);
    for (ptrdiff_t t = 0; t < v->witness.n_tables; t++) {
        v->witness.tables[t].rows = table_copy(a, &v->witness.tables[t].rows);
    }
    describe(v, s, &run, a, scratch);
    return WITNESS_STANDS;
}

// Is it a witness that counts?
static bool settle(const search *s,
                   progress *p,
                   const instance *rows,
                   finding least,
                   check_verdict *v,
                   arena *a,
                   arena scratch)
{
    unsigned causes = 0;
    trial_result what = try_witness(s, p, rows, least, v, &causes, a, scratch);
    p->ignored |= what == WITNESS_IGNORED ? causes : 0;
    p->spurious += what == WITNESS_SPURIOUS;
    return what == WITNESS_STANDS;
}

static void note_open(progress *p, const pair_run *run, arena *a)
{
    assert(run->finding == FINDING_OPEN);
    const execution *x =
        run->left.status != REASON_NONE ? &run->left : &run->right;
    p->n_open++;
    p->open.status = x->status;
    p->open.message = x->status == REASON_TIMEOUT ? S("it takes too many steps")
                                                  : arena_str(a, x->message);
}

static int64_t most_rows(const instance *rows)
{
    int64_t most = 0;
    for (ptrdiff_t t = 0; t < rows->schema->n_tables; t++) {
        int64_t n = rows->tables[t].n_rows;
        most = n > most ? n : most;
    }
    return most;
}

// The work of a database is that of its rows, in a join to the power of its
// tables: the next ones have half as many rows for as long as those before took
// more than their share.
static void note_work(const search *s, progress *p, int64_t rows, int64_t work)
{
    int64_t share = WORK_MAX / (s->o->databases > 0 ? s->o->databases : 1);
    p->work += work;
    if (p->work <= share * (p->no + 1)) {
        p->fewer = 0;
    } else if (work > share) {
        p->fewer = rows > 2 ? rows / 2 : 1;
    }
    sampler_shrink(p->rows, p->fewer);
}

// Looks at one database; true when the search is over.
static bool look_at(const search *s,
                    progress *p,
                    check_verdict *v,
                    arena *a,
                    arena scratch)
{
    arena rows_arena = s->one;
    arena results = s->two;
    bool is_trial = s->is_proved && p->no >= SAMPLE_AIMED;
    instance rows =
        is_trial ? sampler_try(p->rows, p->no - SAMPLE_AIMED, &rows_arena)
                 : sampler_make(p->rows, p->no, &rows_arena);
    s->p->is_hasty =
        p->has_kept || (s->is_proved && v->unstable >= PROVED_ORDERS);
    pair_run run = pair_try(s->p, &rows, &results, scratch);
    s->p->is_hasty = false;
    v->illegal += run.is_illegal;
    v->unstable += run.finding == FINDING_UNSTABLE;
    int64_t most = most_rows(&rows);
    v->most_rows = most > v->most_rows ? most : v->most_rows;
    note_work(s, p, most, run.left.work + run.right.work);
    if (run.finding == FINDING_OPEN && !run.is_illegal && !run.is_unreal) {
        note_open(p, &run, a);
    }
    p->saw_rows |= run.left.result.n_rows > 0 || run.right.result.n_rows > 0;
    if (run.finding < FINDING_STABLE) {
        return false;
    }
    if (run.finding == FINDING_STABLE) {
        p->kept = instance_keep(a, &rows);
        p->kept_at = p->no;
        p->has_kept = true;
        return false;
    }
    instance found = instance_keep(a, &rows);
    return settle(s, p, &found, run.finding, v, a, scratch);
}

// How many databases to look at, as far as is known; 0: no more.
static int64_t bound_of(const search *s,
                        const progress *p,
                        const check_verdict *v)
{
    int64_t n = s->o->databases;
    if (s->is_proved) {
        int64_t most = SAMPLE_AIMED + SAMPLE_TRIALS;
        return p->work > PROVED_WORK ? 0 : n < most ? n : most;
    }
    if (p->has_kept && p->kept_at + LOOK_ON_WHEN_STABLE < n) {
        return p->kept_at + LOOK_ON_WHEN_STABLE;
    }
    return v->unstable > 0 ? n + MORE_WHEN_UNSTABLE * n : n;
}

static bool is_late(const search *s)
{
    return s->o->timeout_ms > 0
           && clock_limit_ns() - s->start_ns > s->o->timeout_ms * 1000000;
}

static void say_unknown(const progress *p, check_verdict *v, arena *a)
{
    v->answer = CHECK_UNKNOWN;
    v->evidence = EVIDENCE_BOUND;
    if (p->ignored) {
        for (int c = 0; c < CAUSE_COUNT; c++) {
            if (p->ignored & (1u << c)) {
                str word = cause_word((cause)c);
                v->reason = arena_printf(a, "ignored:%.*s", STR_ARG(word));
                return;
            }
        }
    }
    bool is_open = p->n_open == v->databases && p->n_open > 0;
    v->reason = is_open && p->open.status ? reason_word(p->open.status)
                : p->timed_out            ? reason_word(REASON_TIMEOUT)
                : v->unstable > 0         ? reason_word(REASON_ORDER_TIED)
                                          : (str){0};
    if (is_open && p->open.message.len > 0) {
        v->detail = arena_printf(a, "on every database: %.*s",
                                 STR_ARG(p->open.message));
    }
    if (p->spurious > 0) {
        v->detail = arena_printf(a, "%lld witnesses failed their second run",
                                 (long long)p->spurious);
    }
}

void search_open(search *s, arena *a, arena scratch)
{
    progress *p = arena_new(a, progress, 1);
    p->reads = reading_new(a, s->assumed);
    sample_options options = {
        .assume =
            {
                .keys = s->o->assume & ASSUME_KEYS,
                .not_null = s->o->assume & ASSUME_NOT_NULL,
                .foreign_keys = s->o->assume & ASSUME_FOREIGN_KEYS,
                .types = (s->o->assume & ASSUME_TYPES)
                         || dialect_follows_postgres(s->assumed->dialect),
            },
        .seed = (uint64_t)s->o->seed,
        .max_rows = s->o->max_rows,
        .clock_ms = s->o->clock_ms,
    };
    for (ptrdiff_t i = 0; i < s->n_queries; i++) {
        reading_add(&p->reads, s->queries[i]);
    }
    if (s->o->facts) {
        bool is_known = s->n_queries == 2;
        s->p->facts = s->o->facts;
        s->p->view = world_view(a, is_known ? &p->reads : NULL, s->queries,
                                s->n_queries);
    }
    p->rows =
        sampler_new(a, s->assumed, s->queries, s->n_queries, &options, scratch);
    s->progress = p;
}

void search_until(const search *s,
                  int64_t most,
                  check_verdict *v,
                  arena *a,
                  arena scratch)
{
    progress *p = s->progress;
    bool found = false;
    v->assumed = s->o->assume;
    tell_step(s, true);
    bool looks_on = most > SAMPLE_AIMED;
    while (!found && !p->timed_out
           && (p->no < most || (p->has_kept && looks_on))
           && p->no < bound_of(s, p, v)) {
        found = look_at(s, p, v, a, scratch);
        p->no++;
        p->timed_out =
            !found
            && (is_late(s) || (p->n_open == p->no && p->no == OPEN_AT_MOST));
        bool is_over = p->timed_out || p->no >= bound_of(s, p, v);
        if (!found && p->has_kept && is_over) {
            found = settle(s, p, &p->kept, FINDING_STABLE, v, a, scratch);
            p->has_kept = false;
        }
    }
    tell_step(s, false);
    v->databases = p->no;
    v->is_vacuous = !p->saw_rows && p->no > 0;
    if (!found && (p->timed_out || p->no >= bound_of(s, p, v))) {
        say_unknown(p, v, a);
    }
}
