/*
 * checker.c - one pair, from two texts to a verdict.
 *
 * Method      The cheapest answer first: a query that does not compile, unlike
 *             numbers of columns, a result that is random; then the prover;
 *             then the search for a database; what both leave open goes to the
 *             solver.
 *
 * Invariants  (1) Only a proof makes "equivalent"; only a replayed witness,
 *                 another number of columns or an error of one side makes
 *                 "different". All else is unknown, with what was tried.
 *             (2) What SQLite refuses of another dialect stays unknown, unless
 *                 a name is not there.
 *
 * Cost        The search: up to `databases` of both queries, each under
 *             query_limits.
 */
#include "check/checker.h"

#include "base/clock.h"
#include "check/foreign.h"
#include "check/legal.h"
#include "check/other_meaning.h"
#include "check/search.h"
#include "check/used_types.h"
#include "check/world.h"
#include "prove/solver.h"
#include "relation/unmodelled.h"
#include "schema/schema_ddl.h"
#include "sql/query_text.h"
#include "sql/semantics.h"
#include "sql/translate.h"

#include <assert.h>
#include <math.h>

// What one query may cost on a database of a few rows.
static const scratch_limits query_limits = {
    .steps = 100000,
    .max_rows = 10000,
    .max_bytes = 16 << 20,
};

struct checker {
    const schema *declared;
    const schema *assumed;
    check_options o;
    engine_options engine;
    scratch_db *db;
    witness_stage *stage;
    scratch_db *plain;  // the same without keys; NULL: not asked for yet
    checker *real;  // of the same tables where the facts hold; NULL: no facts
    // Of the dialect at hand:
    const char *unsafe;            // rules that do not hold there; NULL: none
    dialect elsewhere;             // it, if it is not the engine's; else SQLITE
    checker *away[DIALECT_COUNT];  // of that system's tables, which SQLite
                                   // keeps; NULL: not asked for yet
    arena *a;
};

static checker *open_one(arena *a,
                         const schema *s,
                         const check_options *o,
                         diag *d,
                         arena scratch)
{
    checker *c = arena_new(a, checker, 1);
    c->a = a;
    c->declared = s;
    c->assumed = legal_schema(a, s, o->assume);
    c->o = *o;
    c->engine = (engine_options){
        .limits = {.timeout_ms = 10000},
        .clock_ms = o->clock_ms,
        .seed = 1,
        .scratch_url =
            dialect_follows_postgres(s->dialect) ? o->scratch_url : (str){0},
    };
    buf ddl = buf_new(a);
    schema_to_ddl(&ddl, c->assumed, true, scratch);
    c->db =
        scratch_open(a, c->assumed, buf_str(&ddl), &c->engine, query_limits, d);
    c->stage = arena_new(a, witness_stage, 1);
    *c->stage =
        (witness_stage){.a = a, .options = &c->engine, .limits = query_limits};
    return c->db ? c : NULL;
}

checker *checker_open(arena *a,
                      const schema *s,
                      const check_options *o,
                      diag *d,
                      arena scratch)
{
    check_options declared = *o;
    declared.facts = NULL;
    checker *c = open_one(a, s, &declared, d, scratch);
    if (!c || !o->facts) {
        return c;
    }
    check_options real = *o;
    real.assume |= ASSUME_KEYS | ASSUME_NOT_NULL | ASSUME_FOREIGN_KEYS;
    c->o.is_realistic = o->is_realistic;
    c->real =
        open_one(a, facts_apply(a, c->assumed, o->facts, FACTS_ALL, scratch),
                 &real, d, scratch);
    if (!c->real) {
        checker_close(c);
    }
    return c->real ? c : NULL;
}

void checker_close(checker *c)
{
    if (c) {
        checker_close(c->real);
        for (int d = 0; d < DIALECT_COUNT; d++) {
            checker_close(c->away[d]);
        }
        witness_stage_close(c->stage);
        scratch_close(c->plain);
        scratch_close(c->db);
    }
}

// A query that reads what a witness cannot hold: whatever we find says nothing.
static bool decide_unmodelled(const checker *c,
                              const ast *query,
                              dialect d,
                              check_verdict *v,
                              arena *a)
{
    if (query) {
        v->detail = unmodelled(query, c->declared, d, a);
    }
    if (v->detail.len > 0) {
        v->reason = reason_word(REASON_NOT_MODELLED);
    }
    return v->detail.len > 0;
}

// NULL: there is no query, or it names what is not there.
static const binding *bind_tree(const checker *c,
                                ast *query,
                                dialect d,
                                arena *a,
                                arena scratch)
{
    bool is_clear = query && !names_two_ways(query, d);
    binding *b = is_clear ? bind_query(a, query, c->assumed, d, scratch) : NULL;
    return b && b->problems.len == 0 ? b : NULL;
}

// The query in the words of its dialect, which is not the engine's.
static const binding *bind_own(const checker *c,
                               ast *query,
                               dialect d,
                               arena *a,
                               arena scratch)
{
    if (query) {
        translate_names(a, query);
    }
    return bind_tree(c, query, d, a, scratch);
}

// Is the query that fails one that SQLite might well run, but for our limits or
// our fences? That says nothing about its meaning.
static bool is_refused(const pair_query *s, arena *a, arena scratch)
{
    dialect home = scratch_schema(s->db)->dialect;
    return s->failed.status == REASON_TOO_COMPLEX
           || s->failed.status == REASON_TOO_LONG
           || s->failed.status == REASON_NOT_UNDERSTOOD
           // Much of DuckDB's grammar is not ours.
           || (s->failed.status == REASON_FORBIDDEN
               && (home == DIALECT_DUCKDB
                   || query_text_of(a, s->sql, home, scratch).tree));
}

// Queries that fail before they run.
static bool decide_errors(const pair *p,
                          check_verdict *v,
                          arena *a,
                          arena scratch)
{
    if (p->left.query && p->right.query) {
        return false;
    }
    bool both = !p->left.query && !p->right.query;
    const pair_query *fails = p->left.query ? &p->right : &p->left;
    bool is_open = both || is_refused(fails, a, scratch);
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
    ptrdiff_t left = scratch_columns(p->left.query);
    ptrdiff_t right = scratch_columns(p->right.query);
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
    bool random = scratch_reads_random(p->left.query)
                  || scratch_reads_random(p->right.query);
    bool state = scratch_reads_state(p->left.query)
                 || scratch_reads_state(p->right.query);
    if (random || state) {
        v->answer = CHECK_UNKNOWN;
        v->reason = reason_word(REASON_NONDETERMINISTIC);
        v->detail = random ? S("a query calls a random function")
                           : S("a query reads the state of the connection or "
                               "the catalogue");
    }
    return random || state;
}

static prove_options options_of(const checker *c, solver *s)
{
    return (prove_options){
        .assume = c->o.assume,
        .keeps_columns = c->o.by_position,
        .elsewhere = c->elsewhere,
        .explains = c->o.explains,
        .without = c->o.without,
        .unsafe = c->unsafe,
        .solver = s,
    };
}

// A proof, if there is one; when everything is tried it is also done again.
static proof prove(const checker *c,
                   const binding *left,
                   const binding *right,
                   const prove_options options,
                   check_verdict *v,
                   arena *a,
                   arena scratch)
{
    proof p = prove_pair(a, left, right, &options, scratch);
    v->cannot_replay = c->o.tries_all && p.is_proved
                       && !prove_replay(left, right, &options, &p, *a, scratch);
    return p;
}

// Proved by the rules, or because both are one query but for its names.
static bool decide_proof(const checker *c,
                         const binding *left,
                         const binding *right,
                         check_verdict *v,
                         arena *a,
                         arena scratch)
{
    if (!left || !right) {
        return false;
    }
    v->proof = prove(c, left, right, options_of(c, NULL), v, a, scratch);
    if (!v->proof.is_proved && bind_equal(left, right, scratch)) {
        v->proof.is_proved = true;
        *vec_push(a, &v->proof.steps) = (proof_step){.rule = S("same-query")};
    }
    if (v->proof.is_proved) {
        v->answer = CHECK_EQUIVALENT;
        v->evidence = EVIDENCE_PROOF;
    }
    return v->proof.is_proved;
}

// What neither rules nor databases decided; `found` is what the search says.
static void ask_solver(const checker *c,
                       const binding *left,
                       const binding *right,
                       check_verdict *v,
                       check_verdict found,
                       arena *a,
                       arena scratch)
{
    bool is_open = found.answer == CHECK_UNKNOWN || c->o.tries_all;
    bool may_ask =
        is_open && c->o.solver && left && right && v->proof.obstacle.len == 0;
    proof p = may_ask ? prove(c, left, right, options_of(c, c->o.solver), v, a,
                              scratch)
                      : (proof){0};
    if (p.is_proved && found.answer == CHECK_UNKNOWN) {
        v->proof = p;
        v->answer = CHECK_EQUIVALENT;
        v->evidence = EVIDENCE_PROOF;
        return;
    }
    found.cannot_replay = v->cannot_replay;
    found.searched = v->searched;
    *v = found;
    v->proof.lacks_solver = p.lacks_solver;
    v->proof.gave_up = p.gave_up;
    if (p.is_proved && !found.is_stable) {
        v->proof = p;
        v->is_contradicted = true;
    }
}

// Still open: perhaps the results are equal but for how they are rounded.
static void try_rounding(const checker *c,
                         const binding *left,
                         const binding *right,
                         check_verdict *v,
                         arena *a,
                         arena scratch)
{
    bool is_open = v->answer == CHECK_UNKNOWN || c->o.tries_all;
    if (!is_open || v->proof.is_proved || !c->o.rounds || !left || !right
        || v->proof.obstacle.len > 0) {
        return;
    }
    prove_options options = options_of(c, NULL);
    options.rounds = true;
    proof p = prove(c, left, right, options, v, a, scratch);
    if (p.is_proved && v->answer == CHECK_UNKNOWN) {
        v->proof = p;
        v->reason = (str){0};
        v->detail = (str){0};
        v->answer = CHECK_EQUIVALENT;
        v->evidence = EVIDENCE_PROOF;
    } else if (p.is_proved && !v->is_stable) {
        v->proof = p;
        v->is_contradicted = true;
    }
}

static void look_for_witness(const checker *c,
                             pair *p,
                             bool is_proved,
                             int64_t start_ns,
                             check_verdict *v,
                             arena *a,
                             arena scratch)
{
    ptrdiff_t third = arena_room(&scratch) / 3;
    search s = {
        .p = p,
        .assumed = c->assumed,
        .declared = c->declared,
        .o = &c->o,
        .stage = c->stage,
        .is_proved = is_proved,
        .start_ns = start_ns,
    };
    s.one = arena_cut(&scratch, third);
    s.two = arena_cut(&scratch, third);
    if (p->left.b) {
        s.queries[s.n_queries++] = p->left.b;
    }
    if (p->right.b) {
        s.queries[s.n_queries++] = p->right.b;
    }
    assert(s.n_queries <= countof(s.queries));
    search_witness(&s, v, a, scratch);
}

// Both queries compile; `left` and `right` are what is to be proved of them.
static void decide(const checker *c,
                   pair *p,
                   const binding *left,
                   const binding *right,
                   int64_t start_ns,
                   check_verdict *v,
                   arena *a,
                   arena scratch)
{
    assert(p->left.query && p->right.query);
    if (decide_columns(p, v, a) || decide_random(p, v)) {
        return;
    }
    bool is_proved = decide_proof(c, left, right, v, a, scratch);
    if (c->o.only_proves && (!is_proved || bind_equal(left, right, scratch))) {
        return;
    }
    check_verdict found = *v;
    look_for_witness(c, p, is_proved && !c->o.tries_all, start_ns, &found, a,
                     scratch);
    v->searched = found.databases;
    v->illegal = found.illegal;
    if (!is_proved) {
        ask_solver(c, left, right, v, found, a, scratch);
        try_rounding(c, left, right, v, a, scratch);
    } else if (found.answer == CHECK_DIFFERENT && !found.is_stable) {
        // A stable witness speaks of this engine only.
        check_verdict proved = *v;
        *v = found;
        v->proof = proved.proof;
        v->searched = proved.searched;
        v->cannot_replay = proved.cannot_replay;
        v->is_contradicted = true;
    }
}

// SQLite may look a row up in an index whose types, collations or order of
// columns are others than those of the comparison, and find others. And with a
// key the order of rows is the key's, in which MIN and MAX read them even where
// all scans are reversed: what they choose looks as if it were none's choice.
// The pair on tables without keys; NULL: these change nothing.
static pair *without_keys(checker *c,
                          const pair *p,
                          const ast *left,
                          const ast *right,
                          arena *a,
                          arena scratch)
{
    bool chooses =
        p->left.choices.inner.len > 0 || p->right.choices.inner.len > 0;
    if (!left || !right || c->assumed->dialect != DIALECT_SQLITE
        || reads_rowid(left, right)
        || !(chooses || looks_rows_up(left, right))) {
        return NULL;
    }
    if (!c->plain) {
        diag ignored = diag_new(&scratch);
        buf ddl = buf_new(c->a);
        schema_to_ddl(&ddl, c->assumed, false, scratch);
        c->plain = scratch_open(c->a, c->assumed, buf_str(&ddl), &c->engine,
                                query_limits, &ignored);
    }
    if (!c->plain) {
        return NULL;
    }
    pair *plain = arena_new(a, pair, 1);
    *plain = *p;
    plain->db = c->plain;
    plain->left = pair_query_on(&p->left, c->plain, a);
    plain->right = pair_query_on(&p->right, c->plain, a);
    return plain;
}

// One query of a pair.
typedef struct side {
    str sql;    // in the dialect it was written in; then in the engine's words
    ast *tree;  // of it; NULL: it is not one query that can be read
    const binding *bound;  // of the tree; NULL: a name of it is not known
    const binding *own;    // of what was written in another dialect
    bool moves;            // names of a SEMI or ANTI JOIN in that
} side;

static side side_written(const checker *c,
                         str sql,
                         dialect d,
                         arena *a,
                         arena scratch)
{
    bool is_foreign = c->assumed->dialect != d;
    side s = {
        .sql = is_foreign ? foreign_spell(a, sql, c->assumed, d, scratch) : sql,
    };
    s.tree = query_text_of(a, s.sql, d, scratch).tree;
    return s;
}

// The tree of what was written becomes that of what the engine runs.
static void side_bind(const checker *c,
                      side *s,
                      dialect d,
                      arena *a,
                      arena scratch)
{
    dialect home = c->assumed->dialect;
    if (home != d) {
        s->moves = s->tree && translate_moves_names(s->tree);
        s->own = bind_own(c, s->tree, d, a, scratch);
        s->tree = query_text_of(a, s->sql, home, scratch).tree;
    }
    s->bound = bind_tree(c, s->tree, home, a, scratch);
    if (s->tree && dialect_semantics(c->assumed->stands_for).texts_are_folded) {
        s->sql = translate_folded(a, s->tree, scratch);
    }
}

static void compare_bound(checker *c,
                          const side *l,
                          const side *r,
                          dialect d,
                          int64_t start_ns,
                          check_verdict *v,
                          arena *a,
                          arena scratch)
{
    bool is_foreign = v->is_translated;
    bool has_own = l->own && r->own;
    bool is_plain = other_is_plain(l->tree) && other_is_plain(r->tree);
    semantics_bare bare = dialect_semantics(c->elsewhere).bare;
    const other_meaning means[2] = {
        other_meaning_of(has_own ? l->own : l->bound, d, is_plain, a, scratch),
        other_meaning_of(has_own ? r->own : r->bound, d, is_plain, a, scratch),
    };
    pair p = {
        .db = c->db,
        .by_position = c->o.by_position,
        .tolerance = c->o.tolerance,
        .slack = fmax(means[0].slack, means[1].slack),
        .has_no_overflow = c->o.assume & ASSUME_NO_OVERFLOW,
    };
    p.left = pair_query_open(c->db, l->sql, l->bound, bare, a, scratch);
    p.right = pair_query_open(c->db, r->sql, r->bound, bare, a, scratch);
    if (p.left.choices.is_refused || p.right.choices.is_refused) {
        other_meaning_refuse_bare(v, a);
    } else if (!decide_errors(&p, v, a, scratch)) {
        // The prover knows what types are in PostgreSQL and DuckDB.
        const binding *typed[2] = {l->own, r->own};
        bool is_typed =
            is_foreign && dialect_follows_postgres(d)
            && (decide_proof(c, l->own, r->own, v, a, scratch)
                || !foreign_may_prove(l->bound, r->bound, typed, &c->unsafe));
        p.plain = without_keys(c, &p, l->tree, r->tree, a, scratch);
        decide(c, &p, is_typed ? l->own : l->bound,
               is_typed ? r->own : r->bound, start_ns, v, a, scratch);
    } else if (is_foreign) {
        foreign_forgive(v);
    }
    if (is_foreign) {
        other_meaning_heed(v, means, a);
    }
    if (p.plain) {
        pair_query_close(&p.plain->left);
        pair_query_close(&p.plain->right);
    }
    pair_query_close(&p.left);
    pair_query_close(&p.right);
}

static void compare(checker *c,
                    str left,
                    str right,
                    dialect d,
                    int64_t start_ns,
                    check_verdict *v,
                    arena *a,
                    arena scratch)
{
    dialect home = c->assumed->dialect;
    side l = side_written(c, left, d, a, scratch);
    side r = side_written(c, right, d, a, scratch);
    v->is_translated = home != d;
    c->unsafe = dialect_semantics(d).zero_is_other ? "divisor" : NULL;
    c->elsewhere = v->is_translated ? d : DIALECT_SQLITE;
    if (decide_unmodelled(c, l.tree, d, v, a)
        || decide_unmodelled(c, r.tree, d, v, a)
        || (v->is_translated
            && !foreign_translate(&l.sql, &r.sql, d, home, v, a, scratch))) {
        return;
    }
    side_bind(c, &l, d, a, scratch);
    side_bind(c, &r, d, a, scratch);
    if ((l.moves && l.bound && !l.own) || (r.moves && r.bound && !r.own)) {
        other_meaning_refuse(v,
                             S("a name that both sides of a SEMI or ANTI "
                               "JOIN have"),
                             a);
        return;
    }
    compare_bound(c, &l, &r, d, start_ns, v, a, scratch);
}

static checker *away_at(checker *c, dialect d, arena scratch)
{
    if (!c->away[d]) {
        diag ignored = diag_new(&scratch);
        c->away[d] = open_one(c->a, foreign_schema(c->a, c->declared, d), &c->o,
                              &ignored, scratch);
    }
    return c->away[d];
}

// A proof for texts that are told apart stands unless tables where they are not
// refute it; a counterexample is one of that system's tables.
static check_verdict decide_given(checker *c,
                                  str left,
                                  str right,
                                  dialect d,
                                  arena *a,
                                  arena scratch)
{
    bool is_away = c->assumed->dialect == DIALECT_SQLITE && d != DIALECT_SQLITE;
    checker *away = is_away ? away_at(c, d, scratch) : NULL;
    bool folds = away && dialect_semantics(d).texts_are_folded;
    check_verdict v = {0};
    compare(away && !folds ? away : c, left, right, d, clock_limit_ns(), &v, a,
            scratch);
    if (folds) {
        check_verdict w = {0};
        compare(away, left, right, d, clock_limit_ns(), &w, a, scratch);
        bool refutes = w.answer == CHECK_DIFFERENT && !w.is_stable;
        v = v.answer == CHECK_EQUIVALENT && !refutes ? v : w;
    }
    return v;
}

// One world.
static check_verdict decide_pair(checker *c,
                                 str left,
                                 str right,
                                 dialect d,
                                 arena *a,
                                 arena scratch)
{
    const str texts[] = {left, right};
    const binding *own[countof(texts)] = {0};
    arena trees = arena_half(&scratch);
    for (int i = 0; c->assumed->dialect != d && i < countof(texts); i++) {
        ast *query = query_text_of(&trees, texts[i], d, scratch).tree;
        own[i] = bind_own(c, query, d, &trees, scratch);
    }
    const schema *used = used_types(a, c->declared, own, countof(own));
    diag ignored = diag_new(&scratch);
    checker *other = used ? open_one(a, used, &c->o, &ignored, scratch) : NULL;
    if (!other) {
        return decide_given(c, left, right, d, a, scratch);
    }
    check_verdict v = decide_given(other, left, right, d, a, scratch);
    v.has_used_types = true;
    checker_close(other);
    return v;
}

// Which facts the witness breaks.
static void weigh_witness(const checker *c,
                          check_verdict *v,
                          str left,
                          str right,
                          arena *a,
                          arena scratch)
{
    assert(c->real && v->evidence == EVIDENCE_WITNESS);
    const binding *queries[2];
    ptrdiff_t n = 0;
    arena trees = arena_half(&scratch);
    reading reads = reading_new(&trees, c->assumed);
    const str texts[] = {left, right};
    for (int i = 0; i < countof(texts); i++) {
        dialect home = c->assumed->dialect;
        ast *tree = query_text_of(&trees, texts[i], home, scratch).tree;
        const binding *b = bind_tree(c, tree, home, &trees, scratch);
        if (b) {
            reading_add(&reads, b);
            queries[n++] = b;
        }
    }
    if (n < countof(queries)) {
        v->realism = REALISM_OPEN;
        return;
    }
    fact_view view = world_view(&trees, &reads, queries, n);
    const instance rows = {c->assumed, v->witness.rows};
    world_breaks(&rows, c->real->o.facts, &view, &v->breaks, a);
    v->realism = v->breaks.len == 0 ? REALISM_YES : REALISM_NO;
}

static void say_needs(const checker *c,
                      check_verdict *v,
                      const check_verdict *real,
                      str left,
                      str right,
                      arena *a,
                      arena scratch)
{
    prove_options options = options_of(c->real, NULL);
    for (ptrdiff_t i = 0; i < real->proof.steps.len; i++) {
        if (str_starts(real->proof.steps.ptr[i].rule, S("solver"))) {
            options.solver = c->o.solver;
        }
    }
    world_needs(c->assumed, c->real->o.facts, left, right, &options, &v->needs,
                a, scratch);
}

// What the realistic world says where the declared one has no realistic answer.
static void weigh(const checker *c,
                  check_verdict *v,
                  const check_verdict *real,
                  str left,
                  str right,
                  arena *a,
                  arena scratch)
{
    assert(c->real);  // its verdict is the one that is weighed
    str_list breaks = v->breaks;
    if (real->answer == CHECK_EQUIVALENT) {
        say_needs(c, v, real, left, right, a, scratch);
    }
    if (real->answer == CHECK_DIFFERENT) {
        *v = *real;
        v->realism = REALISM_YES;
    } else if (c->o.is_realistic) {
        str_list needs = v->needs;
        *v = *real;
        v->needs = needs;
        v->breaks = needs.len > 0 ? (str_list){0} : breaks;
        bool is_unreal =
            v->answer == CHECK_UNKNOWN && breaks.len > 0 && v->reason.len == 0;
        v->reason = is_unreal ? S("unrealistic") : v->reason;
    }
}

check_verdict checker_pair(checker *c,
                           str left,
                           str right,
                           dialect d,
                           arena *a,
                           arena scratch)
{
    int64_t start = clock_cpu_ns();
    check_verdict v = decide_pair(c, left, right, d, a, scratch);
    if (c->real && v.answer == CHECK_DIFFERENT) {
        v.realism = REALISM_YES;
        if (v.evidence == EVIDENCE_WITNESS) {
            weigh_witness(c, &v, left, right, a, scratch);
        }
    }
    if (c->real && v.answer != CHECK_EQUIVALENT && v.realism != REALISM_YES) {
        check_verdict real = decide_pair(c->real, left, right, d, a, scratch);
        weigh(c, &v, &real, left, right, a, scratch);
    }
    v.ns = clock_cpu_ns() - start;
    return v;
}
