/*
 * testbed.c - one pair on one schema, from two texts to a verdict.
 *
 * Method      The cheapest answer first: a query that does not compile, unlike
 *             numbers of columns, a result that is random; then the two
 *             databases aimed at the queries, unless these are one program;
 *             then the prover; then the first databases, on which most of what
 *             differs does so; what these leave open goes to the solver, and
 *             then to all others.
 *
 * Invariants  (1) Only a proof makes "equivalent"; only a replayed witness,
 *                 another number of columns or an error of one side makes
 *                 "different". All else is unknown, with what was tried.
 *             (2) What is proved is tried on databases, unless the engine makes
 *                 one program of both queries: these would say nothing.
 *             (3) What SQLite refuses of another dialect stays unknown, unless
 *                 a name is not there, or every system refuses it.
 *
 * Cost        The search: up to `databases` of both queries, each under
 *             query_limits.
 */
#include "check/testbed.h"

#include "base/clock.h"
#include "check/foreign.h"
#include "check/legal.h"
#include "check/native.h"
#include "check/other_meaning.h"
#include "check/search.h"
#include "check/spell.h"
#include "check/spell_words.h"
#include "relation/unmodelled.h"
#include "schema/schema_ddl.h"
#include "sql/print.h"
#include "sql/semantics.h"
#include "sql/translate.h"

#include <assert.h>
#include <math.h>

enum {
    FIRST_DATABASES = 64,  // before the solver: 95 of 100 that differ do there
};

// What one query may cost on a database of a few rows.
static const scratch_limits query_limits = {
    .steps = 100000,
    .max_rows = 10000,
    .max_bytes = 16 << 20,
};

testbed *testbed_open(arena *a,
                      const schema *s,
                      const check_options *o,
                      diag *d,
                      arena scratch)
{
    testbed *t = arena_new(a, testbed, 1);
    t->a = a;
    t->declared = s;
    t->assumed = legal_schema(a, s, o->assume);
    t->o = *o;
    t->engine = (engine_options){
        .limits = {.timeout_ms = 10000},
        .clock_ms = o->clock_ms,
        .seed = 1,
        .scratch_url =
            dialect_follows_postgres(s->dialect) ? o->scratch_url : (str){0},
    };
    buf ddl = buf_new(a);
    schema_to_ddl(&ddl, t->assumed, true, scratch);
    t->db =
        scratch_open(a, t->assumed, buf_str(&ddl), &t->engine, query_limits, d);
    bool is_away = t->assumed->stands_for != DIALECT_SQLITE;
    t->types = is_away ? types_read(a, t->assumed) : NULL;
    t->stage = arena_new(a, witness_stage, 1);
    *t->stage =
        (witness_stage){.a = a, .options = &t->engine, .limits = query_limits};
    return t->db ? t : NULL;
}

void testbed_close(testbed *t)
{
    if (t) {
        witness_stage_close(t->stage);
        scratch_close(t->plain);
        scratch_close(t->db);
    }
}

// A query that reads what a witness cannot hold: whatever we find says nothing.
static bool decide_unmodelled(const testbed *t,
                              const ast *query,
                              dialect d,
                              check_verdict *v,
                              arena *a)
{
    if (query) {
        v->detail = unmodelled(query, t->declared, d, a);
    }
    if (v->detail.len > 0) {
        v->reason = reason_word(REASON_NOT_MODELLED);
    }
    return v->detail.len > 0;
}

const binding *testbed_bind(const testbed *t,
                            ast *query,
                            dialect d,
                            arena *a,
                            arena scratch)
{
    bool is_clear = query && !names_two_ways(query, d);
    binding *b = is_clear ? bind_query(a, query, t->assumed, d, scratch) : NULL;
    return b && b->problems.len == 0 ? b : NULL;
}

const binding *testbed_bind_own(const testbed *t,
                                const ast *query,
                                dialect d,
                                arena *a,
                                arena scratch)
{
    ast *named = query ? translate_names(a, query) : NULL;
    return testbed_bind(t, named, d, a, scratch);
}

// Is the query that fails one that SQLite might well run, but for our limits or
// our fences? That says nothing about its meaning.
static bool is_refused(const pair_query *s)
{
    dialect home = scratch_schema(s->db)->dialect;
    return s->failed.status == REASON_TOO_COMPLEX
           || s->failed.status == REASON_TOO_LONG
           || s->failed.status == REASON_NOT_UNDERSTOOD
           // Much of DuckDB's grammar is not ours.
           || (s->failed.status == REASON_FORBIDDEN
               && (home == DIALECT_DUCKDB || s->said.tree));
}

// Queries that fail before they run.
static bool decide_errors(const pair *p, check_verdict *v, arena *a)
{
    if (p->left.query && p->right.query) {
        return false;
    }
    bool both = !p->left.query && !p->right.query;
    const pair_query *fails = p->left.query ? &p->right : &p->left;
    bool is_open = both || is_refused(fails);
    v->fails[0] = !p->left.query;
    v->fails[1] = !p->right.query;
    v->answer = is_open ? CHECK_UNKNOWN : CHECK_DIFFERENT;
    v->evidence = is_open ? EVIDENCE_BOUND : EVIDENCE_ERROR;
    v->reason = reason_word(fails->failed.status);
    v->detail = arena_printf(a, "%s: %.*s",
                             both                ? "both queries fail"
                             : fails == &p->left ? "left"
                                                 : "right",
                             STR_ARG(fails->failed.message));
    return true;
}

static bool decide_columns(const pair *p, check_verdict *v, arena *a)
{
    ptrdiff_t left = p->left.query->n_columns;
    ptrdiff_t right = p->right.query->n_columns;
    if (left == right) {
        return false;
    }
    v->answer = CHECK_DIFFERENT;
    v->evidence = EVIDENCE_COLUMNS;
    v->reason = reason_word(REASON_COLUMNS_DIFFER);
    v->detail =
        arena_printf(a, "%td column%s against %td", left, plural(left), right);
    return true;
}

static bool decide_random(const pair *p, check_verdict *v)
{
    bool random = p->left.query->reads_random || p->right.query->reads_random;
    bool state = p->left.query->reads_state || p->right.query->reads_state;
    if (random || state) {
        v->answer = CHECK_UNKNOWN;
        v->reason = reason_word(REASON_NONDETERMINISTIC);
        v->detail = random ? S("a query calls a random function")
                           : S("a query reads the state of the connection or "
                               "the catalogue");
    }
    return random || state;
}

prove_options testbed_options(const testbed *t, solver *s)
{
    return (prove_options){
        .assume = t->o.assume,
        .keeps_columns = t->o.by_position,
        .elsewhere = t->elsewhere,
        .explains = t->o.explains,
        .without = t->o.without,
        .unsafe = t->unsafe,
        .solver = s,
    };
}

// A proof, if there is one; when everything is tried it is also done again.
static proof prove(const testbed *t,
                   const binding *left,
                   const binding *right,
                   const prove_options options,
                   check_verdict *v,
                   arena *a,
                   arena scratch)
{
    proof p = prove_pair(a, left, right, &options, scratch);
    v->cannot_replay = t->o.tries_all && p.is_proved
                       && !prove_replay(left, right, &options, &p, *a, scratch);
    return p;
}

// What is proved is equivalent, unless a witness that is not of this engine
// alone says otherwise: then it is contradicted. Is it proved?
static bool take_proof(check_verdict *v, proof p)
{
    bool is_open = v->answer != CHECK_DIFFERENT;
    if (p.is_proved && (is_open || !v->is_stable)) {
        v->proof = p;
        v->answer = is_open ? CHECK_EQUIVALENT : v->answer;
        v->evidence = is_open ? EVIDENCE_PROOF : v->evidence;
        v->is_contradicted = !is_open;
    }
    return p.is_proved;
}

// Proved by the rules, or because both are one query but for its names.
static bool decide_proof(const testbed *t,
                         const binding *left,
                         const binding *right,
                         check_verdict *v,
                         arena *a,
                         arena scratch)
{
    if (!left || !right) {
        return false;
    }
    v->proof = prove(t, left, right, testbed_options(t, NULL), v, a, scratch);
    if (!v->proof.is_proved && bind_equal(left, right, scratch)) {
        v->proof.is_proved = true;
        *vec_push(a, &v->proof.steps) = (proof_step){.rule = S("same-query")};
    }
    return take_proof(v, v->proof);
}

// What the rules leave open the solver may prove, or rules by which results are
// equal but for how they are rounded.
static proof prove_late(const testbed *t,
                        const binding *left,
                        const binding *right,
                        check_verdict *v,
                        arena *a,
                        arena scratch)
{
    bool may_ask = left && right && v->proof.obstacle.len == 0;
    proof p = may_ask && t->o.solver
                  ? prove(t, left, right, testbed_options(t, t->o.solver), v, a,
                          scratch)
                  : (proof){0};
    if (!may_ask || p.is_proved || !t->o.rounds) {
        return p;
    }
    prove_options options = testbed_options(t, NULL);
    options.rounds = true;
    proof about = prove(t, left, right, options, v, a, scratch);
    return about.is_proved ? about : p;
}

// One query of a pair.
typedef struct side {
    read_query written;     // in its dialect, with all that it means there
    read_query home;        // in the engine's words, as assay reads them
    read_query run;         // as the engine does; where texts fold, saying so
    const binding *bound;   // of `home`; NULL: a name of it is not known
    const binding *folded;  // of `run` where texts fold; else NULL
    const binding *own;     // of what was written in another dialect
    bool moves;             // names of a SEMI or ANTI JOIN in that
} side;

static bool drops_blanks(const schema *s)
{
    bool found = false;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t i = 0; i < s->tables[t].n_columns; i++) {
            found |= s->tables[t].columns[i].collation == COLLATION_RTRIM;
        }
    }
    return found;
}

// SQLite may look a row up in an index whose types, collations or order of
// columns are others than those of the comparison, and find others. And with a
// key the order of rows is the key's, in which MIN and MAX read them even where
// all scans are reversed: what they choose looks as if it were none's choice.
// In an index that it makes for a join it does not find 'a ' for 'a' by RTRIM.
// The pair on tables without keys; NULL: these change nothing.
static pair *without_keys(testbed *t,
                          const pair *p,
                          const ast *left,
                          const ast *right,
                          arena *a,
                          arena scratch)
{
    bool chooses =
        p->left.choices.inner.len > 0 || p->right.choices.inner.len > 0;
    if (!left || !right || t->assumed->dialect != DIALECT_SQLITE
        || reads_rowid(left, right)
        || !(chooses || looks_rows_up(left, right)
             || drops_blanks(t->assumed))) {
        return NULL;
    }
    if (!t->plain) {
        diag ignored = diag_new(&scratch);
        buf ddl = buf_new(t->a);
        buf_add(&ddl, S("PRAGMA automatic_index=ON;"));  // as users have it
        schema_to_ddl(&ddl, t->assumed, false, scratch);
        t->plain = scratch_open(t->a, t->assumed, buf_str(&ddl), &t->engine,
                                query_limits, &ignored);
    }
    if (!t->plain) {
        return NULL;
    }
    pair *plain = arena_new(a, pair, 1);
    *plain = *p;
    plain->db = t->plain;
    plain->left = pair_query_on(&p->left, t->plain, a);
    plain->right = pair_query_on(&p->right, t->plain, a);
    return plain;
}

// What a query may return, which only a search wants to know.
static void side_choose(const testbed *t,
                        pair_query *q,
                        const side *s,
                        arena scratch)
{
    pair_query_choose(q, s->bound, s->folded,
                      dialect_semantics(t->elsewhere).bare, scratch);
}

static search search_of(testbed *t,
                        pair *p,
                        const side *l,
                        const side *r,
                        int64_t start_ns,
                        arena *a,
                        arena *scratch)
{
    side_choose(t, &p->left, l, *scratch);
    side_choose(t, &p->right, r, *scratch);
    p->plain = without_keys(t, p, l->home.tree, r->home.tree, a, *scratch);
    ptrdiff_t third = arena_room(scratch) / 3;
    search s = {
        .p = p,
        .assumed = t->assumed,
        .declared = t->declared,
        .o = &t->o,
        .stage = t->stage,
        .start_ns = start_ns,
    };
    s.one = arena_cut(scratch, third);
    s.two = arena_cut(scratch, third);
    if (l->bound) {
        s.queries[s.n_queries++] = l->bound;
    }
    if (r->bound) {
        s.queries[s.n_queries++] = r->bound;
    }
    assert(s.n_queries <= countof(s.queries));
    search_open(&s, a, *scratch);
    return s;
}

// What the databases say, of which the verdict may be that of the pair.
static void take_found(check_verdict *v, check_verdict *found, bool counts)
{
    v->searched = found->databases;
    v->illegal = found->illegal;
    if (counts) {
        found->searched = v->searched;
        found->cannot_replay = v->cannot_replay;
        *v = *found;
    }
}

// What the rules did not prove: most of what differs does so on the first
// databases; only where none of these shows it more is asked of proofs.
static void decide_open(const testbed *t,
                        const search *s,
                        const binding *left,
                        const binding *right,
                        check_verdict *found,
                        check_verdict *v,
                        arena *a,
                        arena scratch)
{
    proof late = {0};
    found->proof = v->proof;
    search_until(s, t->o.tries_all ? INT64_MAX : FIRST_DATABASES, found, a,
                 scratch);
    if (found->answer == CHECK_UNKNOWN || t->o.tries_all) {
        late = prove_late(t, left, right, v, a, scratch);
    }
    if (found->answer == CHECK_UNKNOWN && !late.is_proved) {
        search_until(s, INT64_MAX, found, a, scratch);
        found->proof.lacks_solver = late.lacks_solver;
        found->proof.gave_up = late.gave_up;
    }
    take_found(v, found, found->answer == CHECK_DIFFERENT || !late.is_proved);
    take_proof(v, late);
}

// What the rules proved: a few databases try it.
static void try_proof(const search *s,
                      check_verdict *found,
                      check_verdict *v,
                      arena *a,
                      arena scratch)
{
    search_until(s, INT64_MAX, found, a, scratch);
    found->proof = v->proof;
    found->is_contradicted = true;
    take_found(v, found, found->answer == CHECK_DIFFERENT);
}

// Both queries compile. If `was_tried`, what there is to prove of them in their
// own words, with what *v says.
static void decide(testbed *t,
                   pair *p,
                   const side *l,
                   const side *r,
                   bool was_tried,
                   int64_t start_ns,
                   check_verdict *v,
                   arena *a,
                   arena scratch)
{
    const binding *left = was_tried ? l->own : l->bound;
    const binding *right = was_tried ? r->own : r->bound;
    assert(p->left.query && p->right.query);
    if (decide_columns(p, v, a) || decide_random(p, v)) {
        return;
    }
    bool is_one = (left && right && bind_equal(left, right, scratch))
                  || scratch_is_one_program(p->left.query, p->right.query);
    search s = {0};
    check_verdict found = *v;
    if (!is_one && !was_tried && !t->o.only_proves && !t->o.tries_all) {
        s = search_of(t, p, l, r, start_ns, a, &scratch);
        search_until(&s, SAMPLE_AIMED, &found, a, scratch);
        if (found.answer == CHECK_DIFFERENT) {
            take_found(v, &found, true);
            return;
        }
    }
    bool is_proved = was_tried ? v->proof.is_proved
                               : decide_proof(t, left, right, v, a, scratch);
    bool is_tried_few = is_proved && !t->o.tries_all;
    if ((t->o.only_proves && !is_proved) || (is_tried_few && is_one)) {
        return;  // no database can refute one program
    }
    if (!s.p) {
        s = search_of(t, p, l, r, start_ns, a, &scratch);
    }
    s.is_proved = is_tried_few;
    if (is_proved) {
        try_proof(&s, &found, v, a, scratch);
    } else {
        decide_open(t, &s, left, right, &found, v, a, scratch);
    }
}

static side side_written(const testbed *t,
                         read_query query,
                         dialect d,
                         arena *a,
                         arena scratch)
{
    bool is_foreign = t->assumed->dialect != d;
    side s = {.run = query};
    s.written =
        spell_words(a, query, is_foreign ? t->assumed : NULL, d, scratch);
    if (is_foreign) {
        s.written = spell_types(a, s.written, t->assumed, d, scratch);
    }
    s.home = s.written;
    return s;
}

static void side_bind(const testbed *t,
                      side *s,
                      dialect d,
                      arena *a,
                      arena scratch)
{
    dialect home = t->assumed->dialect;
    if (home != d) {
        const ast *query = s->written.tree;
        s->moves = query && translate_moves_names(query);
        s->own = testbed_bind_own(t, query, d, a, scratch);
        s->run = s->home;
    }
    ast *query = s->home.tree;
    s->bound = testbed_bind(t, query, home, a, scratch);
    if (query && dialect_semantics(t->assumed->stands_for).texts_are_folded) {
        s->run = read_query_printed(a, translate_folded_query(a, query), home,
                                    scratch);
        s->folded = testbed_bind(t, s->run.tree, home, a, scratch);
    }
}

// What of both means something else in their dialect, by side.
static void side_meanings(const side *l,
                          const side *r,
                          dialect d,
                          other_meaning out[2],
                          arena *a,
                          arena scratch)
{
    bool has_own = l->own && r->own;
    bool is_plain =
        other_is_plain(l->home.tree) && other_is_plain(r->home.tree);
    out[0] =
        other_meaning_of(has_own ? l->own : l->bound, d, is_plain, a, scratch);
    out[1] =
        other_meaning_of(has_own ? r->own : r->bound, d, is_plain, a, scratch);
    if (out[0].is_tried || out[1].is_tried) {
        bool is_one = str_equal(print_line(a, l->written.tree, d, scratch),
                                print_line(a, r->written.tree, d, scratch));
        out[0].is_absent |= !is_one;
    }
}

// The prover knows what types are in PostgreSQL and DuckDB.
static bool decide_native(const testbed *t,
                          const side *l,
                          const side *r,
                          dialect d,
                          check_verdict *v,
                          arena *a,
                          arena scratch)
{
    return v->is_translated && dialect_follows_postgres(d)
           && decide_proof(t, l->own, r->own, v, a, scratch);
}

// A proof in their own words stands where SQLite has no words to try it in.
static void prove_untried(const testbed *t,
                          side *l,
                          side *r,
                          dialect d,
                          check_verdict *v,
                          arena *a,
                          arena scratch)
{
    check_verdict own = {.is_translated = true};
    other_meaning means[2];
    l->own = testbed_bind_own(t, l->written.tree, d, a, scratch);
    r->own = testbed_bind_own(t, r->written.tree, d, a, scratch);
    if (l->own && r->own && native_takes(l->own, scratch)
        && native_takes(r->own, scratch)
        && decide_native(t, l, r, d, &own, a, scratch)
        && own.proof.obstacle.len == 0) {
        side_meanings(l, r, d, means, a, scratch);
        other_meaning_heed(&own, means, true, a);
        own.is_translated = false;  // into no other words
        *v = own.answer == CHECK_EQUIVALENT ? own : *v;
    }
}

static void compare_bound(testbed *t,
                          const side *l,
                          const side *r,
                          dialect d,
                          int64_t start_ns,
                          check_verdict *v,
                          arena *a,
                          arena scratch)
{
    bool is_foreign = v->is_translated;
    bool is_native = false;
    other_meaning means[2];
    side_meanings(l, r, d, means, a, scratch);
    pair p = {
        .db = t->db,
        .types = t->types,
        .by_position = t->o.by_position,
        .tolerance = t->o.tolerance,
        .slack = fmax(means[0].slack, means[1].slack),
        .has_no_overflow = t->o.assume & ASSUME_NO_OVERFLOW,
    };
    p.left = pair_query_open(t->db, l->run, a);
    p.right = pair_query_open(t->db, r->run, a);
    if (is_foreign) {
        side_choose(t, &p.left, l, scratch);
        side_choose(t, &p.right, r, scratch);
    }
    if (p.left.choices.is_refused || p.right.choices.is_refused) {
        other_meaning_refuse_bare(v, a);
    } else if (!decide_errors(&p, v, a)) {
        const binding *typed[2] = {l->own, r->own};
        is_native = decide_native(t, l, r, d, v, a, scratch);
        bool is_typed =
            is_native
            || (is_foreign && dialect_follows_postgres(d)
                && !foreign_may_prove(l->bound, r->bound, typed, &t->unsafe));
        decide(t, &p, l, r, is_typed, start_ns, v, a, scratch);
    } else if (is_foreign) {
        foreign_forgive(v, l->home.tree, r->home.tree, a);
    }
    if (is_foreign) {
        other_meaning_heed(v, means, is_native, a);
    }
    if (p.plain) {
        pair_query_close(&p.plain->left);
        pair_query_close(&p.plain->right);
    }
    pair_query_close(&p.left);
    pair_query_close(&p.right);
}

check_verdict testbed_decide(testbed *t,
                             const read_query queries[2],
                             dialect d,
                             arena *a,
                             arena scratch)
{
    int64_t start_ns = clock_limit_ns();
    check_verdict v = {0};
    dialect home = t->assumed->dialect;
    side l = side_written(t, queries[0], d, a, scratch);
    side r = side_written(t, queries[1], d, a, scratch);
    v.is_translated = home != d;
    t->unsafe = dialect_semantics(d).zero_is_other ? "divisor" : NULL;
    t->elsewhere = v.is_translated ? d : DIALECT_SQLITE;
    if (decide_unmodelled(t, l.written.tree, d, &v, a)
        || decide_unmodelled(t, r.written.tree, d, &v, a)) {
        return v;
    }
    str blurred = v.is_translated ? spell_blurs(queries, t->assumed, d, scratch)
                                  : (str){0};
    if (blurred.len > 0) {
        other_meaning_refuse(&v, blurred, a);
        return v;
    }
    if (v.is_translated
        && !foreign_translate(&l.home, &r.home, d, home, &v, a, scratch)) {
        prove_untried(t, &l, &r, d, &v, a, scratch);
        return v;
    }
    side_bind(t, &l, d, a, scratch);
    side_bind(t, &r, d, a, scratch);
    if ((l.moves && l.bound && !l.own) || (r.moves && r.bound && !r.own)) {
        other_meaning_refuse(&v,
                             S("a name that both sides of a SEMI or ANTI "
                               "JOIN have"),
                             a);
        return v;
    }
    compare_bound(t, &l, &r, d, start_ns, &v, a, scratch);
    return v;
}
