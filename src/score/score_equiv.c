/*
 * score_equiv.c - the checker of a case: are the gold and the prediction the
 * same on every database?
 *
 * The schema is the database's. Of its rows only those matter that break what
 * it declares: a proof that rests on a declaration is sought again without
 * those that are broken, for on this very database it may be no proof. The rows
 * of a large database take a while to look at, so this is done when there is
 * such a proof. What is assumed and cannot be asked of rows (no sum beyond 64
 * bits) is seen in the results: where those of the two queries differ, the
 * proof says nothing here. In the realistic world what rows show must hold,
 * too.
 */
#include "score/score_equiv.h"

#include "check/possible_results.h"
#include "check/satisfied.h"
#include "engine/instance.h"
#include "facts/fact.h"
#include "relation/relation_choice.h"
#include "score/score_make.h"
#include "score/score_run.h"

enum {
    SHOWN_BYTES = 400,     // of a witness in a detail
    WITNESS_BYTES = 4000,  // of one as SQL
};

static bool is_typed(const judging *j)
{
    return dialect_follows_postgres(
        engine_driver_dialect(engine_driver_at(j->db)));
}

// "t (a): a value of another type in the data, u (b): ..."; of many the first.
static str list_broken(arena *a, const diag *broken)
{
    enum {
        MOST_NAMED = 5
    };
    buf out = buf_new(a);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < broken->messages.len && n <= MOST_NAMED; i++) {
        str text = broken->messages.ptr[i].text;
        ptrdiff_t end = str_find(text, S("; not assumed"), 0);
        if (end >= 0) {
            buf_list(&out, n < MOST_NAMED ? str_sub(text, 0, end) : S("..."));
            n++;
        }
    }
    return buf_str(&out);
}

static checker *keep_checker(scorer *s,
                             const schema *of,
                             const check_options *o,
                             diag *d)
{
    if (s->sandbox) {
        sandbox_lift_memory(s->sandbox);
    }
    checker *c = checker_open(&s->checker_arena, of, o, d, s->scratch);
    if (s->sandbox) {
        sandbox_restore_memory(s->sandbox, score_mapped_bytes(s));
    }
    return c;
}

// The checker of the case's database, kept for the next case; `of_rows`: which
// assumes of what is declared only what the rows satisfy.
static checker *checker_for(judging *j, bool of_rows, diag *d)
{
    scorer *s = j->s;
    str key = of_rows
                  ? arena_printf(j->e.a, "%.*s\nrows", STR_ARG(j->task->path))
                  : j->task->path;
    ptrdiff_t id = map_add(&s->checker_paths, &s->checker_arena, key);
    if (id == s->checkers.len) {
        diag broken = diag_new(&s->checker_arena);
        check_options o = check_default_options();
        o.clock_ms = s->engines->own.clock_ms;
        // Well before the worker is taken for stuck.
        int64_t most = s->engines->own.limits.timeout_ms / 2;
        o.timeout_ms = o.timeout_ms < most ? o.timeout_ms : most;
        o.by_position = s->options->same_column_order;
        if (s->options->has_tolerance) {
            o.tolerance = s->options->tolerance;
        }
        const schema *of_db = engine_schema_or_say(j->db, d);
        o.is_realistic = s->options->world == WORLD_REALISTIC;
        if (of_db) {
            of_db = o.is_realistic || of_rows
                        ? satisfied_schema(&s->checker_arena, j->db, &broken,
                                           s->scratch)
                        : modelled_schema(&s->checker_arena, j->db, &broken);
        }
        o.scratch_url = is_typed(j) ? j->task->path : (str){0};
        if (of_db && o.is_realistic) {
            facts *found = arena_new(&s->checker_arena, facts, 1);
            *found = fact_mine(&s->checker_arena, j->db, j->task->gold->db,
                               FACTS_ALL, s->scratch);
            *found = facts_move(&s->checker_arena, found, of_db);
            o.facts = found;
        }
        *vec_push(&s->checker_arena, &s->checkers) =
            of_db ? keep_checker(s, of_db, &o, d) : NULL;
        *vec_push(&s->checker_arena, &s->checker_breaks) =
            list_broken(&s->checker_arena, &broken);
    }
    return s->checkers.ptr[id];
}

static void add_rows(buf *out, const table *t)
{
    if (t->n_rows == 0) {
        buf_add(out, S(" no rows"));
    }
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        buf_add(out, i % t->n_columns == 0 ? S(" (") : S(", "));
        instance_add_value(out, t->cells[i]);
        buf_add(out, i % t->n_columns == t->n_columns - 1 ? S(")") : S(""));
    }
}

static void add_result(buf *out, const table *t, str error)
{
    if (error.len > 0) {
        buf_printf(out, " fails (%.*s)", STR_ARG(error));
    } else {
        add_rows(out, t);
    }
}

// The witness on one line: "t(b): (NULL); gold: (0); pred: (1)".
static str show_witness(const check_verdict *v, arena *a)
{
    const check_witness *w = &v->witness;
    buf b = buf_new(a);
    for (ptrdiff_t t = 0; t < w->n_tables; t++) {
        buf_add(&b, w->tables[t].name);
        for (ptrdiff_t c = 0; c < w->tables[t].rows.n_columns; c++) {
            buf_add(&b, c == 0 ? S("(") : S(", "));
            buf_add(&b, w->tables[t].rows.names[c]);
        }
        buf_add(&b, S("):"));
        add_rows(&b, &w->tables[t].rows);
        buf_add(&b, S("; "));
    }
    buf_add(&b, S("gold:"));
    add_result(&b, &w->left, w->left_error);
    buf_add(&b, S("; pred:"));
    add_result(&b, &w->right, w->right_error);
    return b.len <= SHOWN_BYTES ? buf_str(&b) : v->detail;
}

static str join_rules(const proof *p, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        buf_list(&b, p->steps.ptr[i].rule);
    }
    return buf_str(&b);
}

// What a yes rests on.
static str list_assumed(const check_verdict *v, arena *a)
{
    buf b = buf_new(a);
    buf_add(&b, join_rules(&v->proof, a));
    for (unsigned bit = 1; bit <= ASSUME_LAST; bit <<= 1) {
        if (v->proof.assumptions & bit) {
            bool is_first = (v->proof.assumptions & (bit - 1)) == 0;
            buf_add(&b, is_first ? S("; assuming ") : S(", "));
            buf_add(&b, assume_word(bit));
        }
    }
    return buf_str(&b);
}

static verdict verdict_from(const check_verdict *v, bool has_gold, arena *a)
{
    verdict out = verdict_yes();
    reason why = REASON_NOT_PROVED;
    if (v->answer == CHECK_EQUIVALENT) {
        out.detail = list_assumed(v, a);
        for (ptrdiff_t i = 0; i < v->needs.len; i++) {
            out.detail = arena_printf(a, "%.*s%s%.*s", STR_ARG(out.detail),
                                      i == 0 ? "; as long as " : ", ",
                                      STR_ARG(v->needs.ptr[i]));
        }
        return out;
    }
    reason_from_word(v->reason, &why);
    if (v->fails[0] && has_gold) {
        return verdict_unknown(REASON_GOLD_FAILED, v->detail);
    }
    bool has_witness = v->evidence == EVIDENCE_WITNESS;
    if (has_witness && v->witness.left_error.len > 0 && has_gold) {
        return verdict_unknown(REASON_GOLD_FAILED, show_witness(v, a));
    }
    if (v->answer == CHECK_UNKNOWN) {
        return verdict_unknown(why, v->detail);
    }
    out = verdict_no(why, has_witness ? show_witness(v, a) : v->detail);
    // To paste; the tables of some schemas are too wide for a journal.
    if (v->broken.len > 0) {
        out.detail = arena_printf(a, "%.*s; the data break %.*s",
                                  STR_ARG(out.detail), STR_ARG(v->broken));
    }
    bool fits = has_witness && v->witness.sql.len <= WITNESS_BYTES;
    out.rows = fits ? v->witness.sql : (str){0};
    return out;
}

static check_verdict pair_of(judging *j,
                             checker *c,
                             str gold,
                             str pred,
                             int32_t pred_no)
{
    watch_outer outer = watch_begin(j->s->watch, pred_no, j->work);
    check_verdict v = checker_pair(c, gold, pred, j->s->options->dialect,
                                   j->e.a, j->s->scratch);
    watch_end(j->s->watch, outer);
    return v;
}

// A proof that rests on what is declared, once more on what the rows satisfy.
static void look_at_rows(judging *j,
                         check_verdict *v,
                         str gold,
                         str pred,
                         int32_t pred_no,
                         diag *d)
{
    const unsigned declared =
        ASSUME_KEYS | ASSUME_NOT_NULL | ASSUME_FOREIGN_KEYS | ASSUME_TYPES;
    bool rests =
        v->answer == CHECK_EQUIVALENT && (v->proof.assumptions & declared);
    checker *c = rests ? checker_for(j, true, d) : NULL;
    str broken =
        c ? j->s->checker_breaks.ptr[map_find(
            &j->s->checker_paths,
            arena_printf(j->e.a, "%.*s\nrows", STR_ARG(j->task->path)))]
          : (str){0};
    if (broken.len == 0) {
        return;
    }
    check_verdict of_rows = pair_of(j, c, gold, pred, pred_no);
    if (of_rows.answer == CHECK_UNKNOWN) {
        of_rows.detail = arena_printf(
            j->e.a, "equivalent as declared, but the data break %.*s",
            STR_ARG(broken));
    }
    of_rows.broken = of_rows.answer == CHECK_DIFFERENT ? broken : (str){0};
    *v = of_rows;
}

// Does the text leave the engine a choice, so that one result is not all?
static bool leaves_choice(judging *j, str sql)
{
    arena a = j->s->scratch;
    arena trees = arena_half(&a);
    const binding *b = evidence_bind(&j->e, sql).binding;
    if (!b || b->problems.len > 0) {
        return true;
    }
    engine_choices c = engine_choices_of(&a, b, BARE_PICKED, trees);
    return c.inner.len > 0 || c.has_limit;
}

static possible_results results_of(coder *codes, const table *t, arena *a)
{
    arena scratch = arena_half(a);
    return possible_results_plain(a, codes, t, false, scratch);
}

static bool results_meet(const judging *j, const table *l, const table *r)
{
    enum {
        MOST_CELLS = 20000
    };
    arena a = j->s->scratch;
    const score_options *o = j->s->options;
    ptrdiff_t n = l->n_rows * l->n_columns + r->n_rows * r->n_columns;
    if (l->n_rows != r->n_rows || l->n_columns != r->n_columns
        || n > MOST_CELLS) {
        return l->n_rows == r->n_rows && l->n_columns == r->n_columns;
    }
    double tolerance =
        o->has_tolerance ? o->tolerance : check_default_options().tolerance;
    coder codes = coder_new(&a, n, tolerance);
    codes.reads_times = is_typed(j);
    possible_results left = results_of(&codes, l, &a);
    possible_results right = results_of(&codes, r, &a);
    int32_t *columns = arena_new(&a, int32_t, l->n_columns);
    arena scratch = arena_half(&a);
    return possible_results_may_coincide(
        &left, &right, false, o->same_column_order, columns, scratch);
}

// The database at hand is a witness, too: does one query fail there, or return
// something else?
static bool differ_here(judging *j, str gold, str pred, int32_t pred_no)
{
    if (leaves_choice(j, gold) || leaves_choice(j, pred)) {
        return false;
    }
    execution l = score_run_text(j, gold, ENGINE_READ_ALL, WATCH_GOLD);
    if (l.status != REASON_NONE && l.status != REASON_RUNTIME_ERROR) {
        return false;  // a limit, say: whatever the other one does
    }
    execution r = score_run_text(j, pred, ENGINE_READ_ALL, pred_no);
    bool both_ran = l.status == REASON_NONE && r.status == REASON_NONE;
    bool one_fails = l.status == REASON_RUNTIME_ERROR
                         ? r.status == REASON_NONE
                         : r.status == REASON_RUNTIME_ERROR;
    return both_ran ? !results_meet(j, &l.result, &r.result) : one_fails;
}

// A proof that assumes something stands only where the database does not show
// the opposite.
static void look_at_results(judging *j,
                            check_verdict *v,
                            str gold,
                            str pred,
                            int32_t pred_no)
{
    bool rests = v->answer == CHECK_EQUIVALENT && v->proof.assumptions != 0;
    if (rests && differ_here(j, gold, pred, pred_no)) {
        v->answer = CHECK_UNKNOWN;
        v->reason = reason_word(REASON_NOT_PROVED);
        v->detail = arena_printf(
            j->e.a, "proved (%.*s), but on this database the results differ",
            STR_ARG(list_assumed(v, j->e.a)));
    }
}

// Of a database that a checker understands: NULL; else why there is none.
static const char *refusal(const judging *j)
{
    return j->db && (!engine_is_server(j->s->engine) || is_typed(j))
               ? NULL
               : "equiv needs a SQLite, PostgreSQL or DuckDB database";
}

bool equiv_proves(judging *j, str gold, str pred, const schema *of)
{
    scorer *s = j->s;
    arena a = *j->e.a;
    str key = arena_printf(&a, "%.*s\nproofs", STR_ARG(j->task->path));
    if (refusal(j)) {
        return false;
    }
    ptrdiff_t id = map_add(&s->checker_paths, &s->checker_arena, key);
    if (id == s->checkers.len) {
        diag ignored = diag_new(&a);
        check_options o = check_default_options();
        o.only_proves = true;
        o.clock_ms = s->engines->own.clock_ms;
        o.scratch_url = is_typed(j) ? j->task->path : (str){0};
        *vec_push(&s->checker_arena, &s->checkers) =
            keep_checker(s, of, &o, &ignored);
        *vec_push(&s->checker_arena, &s->checker_breaks) = (str){0};
    }
    checker *c = s->checkers.ptr[id];
    return c
           && checker_pair(c, gold, pred, s->options->dialect, &a, s->scratch)
                      .answer
                  == CHECK_EQUIVALENT;
}

bool equiv_check(check_verdict *out,
                 judging *j,
                 str gold,
                 str pred,
                 int32_t pred_no,
                 diag *d)
{
    checker *c = refusal(j) ? NULL : checker_for(j, false, d);
    if (c) {
        *out = pair_of(j, c, gold, pred, pred_no);
        look_at_rows(j, out, gold, pred, pred_no, d);
        look_at_results(j, out, gold, pred, pred_no);
    }
    return c != NULL;
}

void score_make_checks(judging *j)
{
    evidence *e = &j->e;
    const gold_set *golds = &e->families[FAMILY_PLAIN];
    diag d = diag_new(e->a);
    verdict *made = arena_new(e->a, verdict, golds->n);
    e->checks = made;
    e->n_checks = 0;
    e->unchecked = verdict_unknown(REASON_GOLD_FAILED, golds->error);
    if (e->pred->sql.len == 0) {
        e->unchecked = verdict_no(REASON_NO_PREDICTION, (str){0});
        return;
    }
    if (refusal(j)) {
        e->unchecked = verdict_unknown(
            REASON_NO_DATABASE, j->db ? str_from(refusal(j)) : e->db_error);
        return;
    }
    if (!checker_for(j, false, &d) && d.messages.len > 0) {
        e->unchecked = verdict_unknown(REASON_NO_DATABASE,
                                       diag_format(e->a, d.messages.ptr[0]));
        return;
    }
    check_verdict v;
    for (ptrdiff_t i = 0;
         i < golds->n && (i == 0 || made[i - 1].v != ANSWER_YES)
         && equiv_check(&v, j, golds->variants[i].sql, e->pred->sql, e->pred_no,
                        &d);
         i++) {
        made[i] = verdict_from(&v, !e->options->golds_are_queries, e->a);
        made[i].variant = i;
        e->n_checks++;
    }
}
