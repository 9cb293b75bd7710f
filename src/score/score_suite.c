/*
 * score_suite.c - test suite accuracy: is the prediction's result the gold's
 * on every database of the suite, so that none distinguishes them [003 2]?
 *
 * Method      All predictions of a case go together, equal texts as one. The
 *             databases that killed most neighbors of the gold come first, the
 *             others of its schema after them; each is filled in once, the
 *             gold runs once on it, and a prediction meets it only as long as
 *             it has not been told apart; one that is the gold, token by token,
 *             cannot be. Last comes the database of the case itself.
 *
 *             Databases that obey what the data show decide. A strict one,
 *             which breaks facts, is a remark on a yes, unless the declared
 *             world is asked for.
 *
 * Invariants  (1) A database on which the gold's own result is not settled is
 *                 not held against anyone.
 *             (2) A no names the database, and the suite holds its rows.
 */
#include "base/places.h"
#include "evaluators/text_plug.h"
#include "metric/exec_rows.h"
#include "metric/text.h"
#include "score/score_make.h"
#include "score/score_run.h"
#include "sql/parse.h"
#include "sql/print.h"
#include "suite/gold_query.h"
#include "suite/suite_set.h"
#include "table/explain_results.h"

#include <assert.h>

enum {
    SHOWN_BYTES = 4000,
    PLUGGED_AT_ONCE = 64,
    EVIDENCE = 100,  // rows read beyond what settles it
};

// One text under judgment: a prediction, or one with the gold's values in it.
typedef struct contender {
    str sql;
    int32_t pred_no;  // the first that has this text
    scratch_query *query;
    bool is_gold;  // token by token: it need not meet anything
    bool is_out;
    verdict verdict;     // when it is out
    unsigned strict_no;  // causes of the strict database that told it apart
} contender;

typedef struct bout {
    judging *j;
    suite_bench *bench;
    const suite_gold *gold;  // NULL: the suite was not made for it
    const family_text *variant;
    ptrdiff_t variant_no;
    str gold_sql;  // as it is run: --ignore-distinct takes DISTINCT out
    gold_query query;
    int32_t *order;  // databases: those that decide, then the strict ones
    ptrdiff_t n_order;
    contender *all;
    ptrdiff_t n;
    ptrdiff_t n_left;  // who are still to meet databases
    bool ran;          // the gold ran on some database
} bout;

static void strip_distinct(void *context, ast *n)
{
    bool *found = context;
    if ((n->kind == AST_SELECT || n->kind == AST_CALL)
        && (n->flags & AST_FLAG_DISTINCT)) {
        n->flags &= (uint16_t)~AST_FLAG_DISTINCT;
        *found = true;
    }
}

// --ignore-distinct: as the paper has it, DISTINCT goes from both queries, also
// inside COUNT. A text that does not parse stays as it is.
static str as_run(judging *j, str sql)
{
    dialect d = j->s->options->dialect;
    if (j->s->options->distinct != DISTINCT_IGNORE) {
        return sql;
    }
    parse_result r = parse_sql(j->e.a, sql, d, j->s->scratch);
    bool found = false;
    if (r.errors.len == 0 && r.statements && !r.statements->next) {
        ast_each(r.statements, strip_distinct, &found);
    }
    return found ? print_line(j->e.a, r.statements, d, j->s->scratch) : sql;
}

static str database_name(const bout *b, ptrdiff_t no)
{
    return arena_printf(b->j->e.a, "%.*s.%03td", STR_ARG(b->bench->suite.db),
                        no + 1);
}

static compare_options rules_of(const bout *b)
{
    return exec_options(&b->j->e, RULES_ASSAY, b->variant, (str){0});
}

// What a person needs to see for himself.
static void add_evidence(const bout *b,
                         ptrdiff_t no,
                         ptrdiff_t n_tried,
                         verdict *v)
{
    judging *j = b->j;
    v->database = database_name(b, no);
    v->n_databases = n_tried;
    for (ptrdiff_t i = 0; b->gold && i < b->gold->killers.len; i++) {
        const suite_killer *k = &b->gold->killers.ptr[i];
        if (k->database == no) {
            v->neighbor = k->neighbor;
        }
    }
    buf rows = buf_new(j->e.a);
    instance_to_sql(&rows, &b->bench->suite.databases[no], j->s->scratch);
    v->rows = rows.len <= SHOWN_BYTES ? buf_str(&rows) : (str){0};
}

static void strike_out(bout *b, contender *c, verdict v)
{
    assert(!c->is_out && b->n_left > 0);
    c->is_out = true;
    c->verdict = v;
    c->verdict.variant = b->variant_no;
    b->n_left--;
}

// Does the database only say what data that nobody has would show?
static unsigned remarks_of(const bout *b, ptrdiff_t no)
{
    return b->j->s->options->world == WORLD_DECLARED
               ? 0
               : suite_causes(&b->bench->suite, no);
}

// Whether a row meets a cast that fails is for DuckDB's plan to say, and that
// hangs on the rows.
static bool is_plans_fault(const bout *b, reason status)
{
    return status == REASON_RUNTIME_ERROR
           && b->bench->suite.schema.dialect == DIALECT_DUCKDB;
}

static void meet(bout *b,
                 contender *c,
                 const table *gold,
                 ptrdiff_t no,
                 ptrdiff_t n_tried)
{
    judging *j = b->j;
    const arena before = *j->e.a;
    compare_options options = rules_of(b);
    compare_need need = compare_need_assay(COMPARE_EXEC, gold, &options);
    engine_stop stop = {need.rows < 0 ? -1 : need.rows + EVIDENCE,
                        need.distinct < 0 ? -1 : need.distinct + EVIDENCE};
    watch_outer outer = watch_begin(j->s->watch, c->pred_no, WATCH_QUERY);
    assert(c->query);  // what does not compile is out
    execution x = scratch_run(c->query, stop, j->e.a);
    watch_end(j->s->watch, outer);
    if (x.status == REASON_CONNECTION_LOST) {
        strike_out(b, c, verdict_unknown(x.status, x.message));
        return;
    }
    if (is_plans_fault(b, x.status)) {
        *j->e.a = before;
        return;
    }
    verdict v = x.status != REASON_NONE
                    ? verdict_failed(x.status, x.message)
                    : compare_exec(RULES_ASSAY, gold, &x.result, &options,
                                   j->e.a, j->s->scratch);
    bool is_fair = b->gold != NULL || v.v != ANSWER_NO
                   || !gold_query_ties(&b->query, gold, j->s->scratch);
    unsigned remarks = remarks_of(b, no);
    if (v.v == ANSWER_YES || !is_fair || remarks != 0) {
        if (v.v == ANSWER_NO && is_fair) {
            c->strict_no = remarks;
            b->n_left--;
        }
        *j->e.a = before;
        return;
    }
    if (x.status == REASON_NONE) {
        explain_results(gold, &x.result, v.results, j->e.a, j->s->scratch);
    }
    add_evidence(b, no, n_tried, &v);
    strike_out(b, c, v);
}

// Adds those that are not listed yet, killers first, then the rest in the order
// of the suite.
static void list_databases(bout *b, bool *is_listed, bool with_strict)
{
    for (ptrdiff_t i = 0; b->gold && i < b->gold->killers.len; i++) {
        int32_t no = b->gold->killers.ptr[i].database;
        if (!is_listed[no] && (with_strict || remarks_of(b, no) == 0)) {
            is_listed[no] = true;
            b->order[b->n_order++] = no;
        }
    }
    for (int32_t no = 0; no < b->bench->suite.n_databases; no++) {
        if (!is_listed[no] && (with_strict || remarks_of(b, no) == 0)
            && !(b->gold
                 && places_have(b->gold->unstable.ptr, b->gold->unstable.len,
                                no))) {
            is_listed[no] = true;
            b->order[b->n_order++] = no;
        }
    }
}

static void put_in_order(bout *b, arena *a)
{
    ptrdiff_t n = b->bench->suite.n_databases;
    bool *is_listed = arena_new(a, bool, n);
    b->order = arena_new(a, int32_t, n);
    list_databases(b, is_listed, false);
    list_databases(b, is_listed, true);
}

static void fight(bout *b)
{
    judging *j = b->j;
    for (ptrdiff_t i = 0; i < b->n_order && (b->n_left > 0 || !b->ran); i++) {
        ptrdiff_t no = b->order[i];
        watch_outer outer = watch_begin(j->s->watch, WATCH_GOLD, WATCH_QUERY);
        bool filled = suite_bench_fill(b->bench, no, j->s->scratch);
        execution gold = {.status = REASON_RUNTIME_ERROR};
        if (filled) {
            gold = scratch_run(b->query.query, ENGINE_READ_ALL, j->e.a);
        }
        watch_end(j->s->watch, outer);
        b->ran = b->ran || gold.status == REASON_NONE;
        for (ptrdiff_t c = 0; gold.status == REASON_NONE && c < b->n; c++) {
            contender *one = &b->all[c];
            if (!one->is_gold && !one->is_out && one->strict_no == 0) {
                meet(b, one, &gold.result, no, i + 1);
            }
        }
    }
}

// A limit that a query of the right meaning may meet as well.
static bool is_cut_off(reason status)
{
    return status == REASON_TIMEOUT || status == REASON_TOO_MUCH_WORK
           || status == REASON_MEMORY || status == REASON_TOO_MANY_ROWS;
}

// A suite of PostgreSQL or DuckDB has no views, and nothing else that the owner
// of the database added: who uses these runs on the database of the case only.
static bool lacks_what_it_reads(const bout *b, const contender *c)
{
    judging *j = b->j;
    if (b->bench->suite.schema.dialect == DIALECT_SQLITE || !j->db) {
        return false;
    }
    execution x = score_run_text(j, c->sql, ENGINE_READ_ALL, c->pred_no);
    return x.status == REASON_NONE || is_cut_off(x.status);
}

static verdict not_compiled(const bout *b,
                            const contender *c,
                            const execution *failed)
{
    bool is_open = failed->status == REASON_CONNECTION_LOST
                   || failed->status == REASON_TOO_COMPLEX;
    if (!is_open && lacks_what_it_reads(b, c)) {
        return verdict_unknown(
            REASON_NO_REFERENCE,
            arena_printf(b->j->e.a, "the suite lacks what it reads: %.*s",
                         STR_ARG(failed->message)));
    }
    return is_open ? verdict_unknown(failed->status, failed->message)
                   : verdict_failed(failed->status, failed->message);
}

static void prepare(bout *b, contender *c)
{
    judging *j = b->j;
    execution failed = {0};
    watch_outer outer = watch_begin(j->s->watch, c->pred_no, WATCH_QUERY);
    c->query = scratch_prepare(b->bench->db, c->sql, &failed, j->e.a);
    watch_end(j->s->watch, outer);
    if (!c->query) {
        strike_out(b, c, not_compiled(b, c, &failed));
    }
}

// Is the gold itself among them?
static bool prepare_all(bout *b)
{
    judging *j = b->j;
    bool has_gold = false;
    b->n_left = b->n;
    for (ptrdiff_t i = 0; i < b->n; i++) {
        contender *c = &b->all[i];
        c->is_gold = metric_string(b->gold_sql, c->sql, j->s->options->dialect,
                                   j->e.a, j->s->scratch)
                         .v
                     == ANSWER_YES;
        has_gold = has_gold || c->is_gold;
        b->n_left -= c->is_gold;
        if (!c->is_gold) {
            prepare(b, c);
        }
    }
    return has_gold;
}

// One variant of the gold against all texts. False when the suite says nothing:
// *why then is a verdict for all of them.
static bool judge_variant(bout *b, verdict *why)
{
    judging *j = b->j;
    execution failed = {0};
    ptrdiff_t at = suite_find(&b->bench->suite, b->variant->sql);
    b->gold = at >= 0 ? &b->bench->suite.golds[at] : NULL;
    if (!gold_query_open(&b->query, b->bench->db, b->gold_sql,
                         j->s->options->dialect, &failed, j->e.a,
                         j->s->scratch)) {
        *why = verdict_unknown(REASON_GOLD_FAILED, failed.message);
        return false;
    }
    bool has_gold = prepare_all(b);
    put_in_order(b, j->e.a);
    b->ran = b->n_left == 0 && !has_gold;  // it need not
    fight(b);
    for (ptrdiff_t i = 0; i < b->n; i++) {
        scratch_forget(b->all[i].query);
    }
    gold_query_close(&b->query);
    if (!b->ran) {
        *why = b->n_order > 0
                   ? verdict_unknown(REASON_GOLD_FAILED,
                                     S("it runs on no database of the suite"))
                   : verdict_unknown(REASON_GOLD_UNSTABLE,
                                     S("on every database of the suite"));
    }
    return b->ran;
}

// Did it kill a worker on the database of the case, for its time or memory? The
// databases of the suite have limits of their own.
static bool may_meet(const judging *j, int32_t pred_no)
{
    const watch_death *death = score_death_of(j->task, pred_no);
    return !death
           || (!death->is_total && death->pred_no == pred_no
               && is_cut_off(death->status));
}

// The texts of all predictions that can be run, each once; which of them
// prediction i has is slots[i], -1: none.
static contender *gather(judging *j, int32_t *slots, ptrdiff_t *n)
{
    contender *all = arena_new(j->e.a, contender, j->task->n_preds);
    map texts = {0};
    for (ptrdiff_t i = 0; i < j->task->n_preds; i++) {
        str sql = j->task->preds[i].sql;
        slots[i] = -1;
        if (sql.len > 0 && may_meet(j, (int32_t)i)) {
            slots[i] = (int32_t)map_add(&texts, j->e.a, sql);
            if (slots[i] == *n) {
                all[(*n)++] = (contender){.sql = sql, .pred_no = (int32_t)i};
            }
        }
    }
    return all;
}

static const gold_set *golds_of(const judging *j)
{
    return &j->e.families[FAMILY_PLAIN];
}

static suite_bench *bench_of(judging *j)
{
    scorer *s = j->s;
    const suite_entry *e = j->task->suite;
    ptrdiff_t id = map_add(&s->bench_names, &s->benches, e->db);
    if (id == s->bench_list.len) {
        if (s->sandbox) {
            sandbox_lift_memory(s->sandbox);
        }
        suite_bench *b = suite_bench_open(e, &s->engines->own,
                                          s->engine ? j->task->path : (str){0},
                                          &s->benches, s->scratch);
        *vec_push(&s->benches, &s->bench_list) = b;
        if (s->sandbox) {
            sandbox_restore_memory(s->sandbox, score_mapped_bytes(s));
        }
    }
    return s->bench_list.ptr[id];
}

// The suite has said what there is to say, on databases of a few rows; whoever
// reads the yes is told that the database of the case has not.
static verdict yes_without_own(judging *j, reason status)
{
    verdict yes = verdict_yes();
    str word = reason_word(status);
    yes.detail =
        arena_printf(j->e.a, "%.*s on its own database", STR_ARG(word));
    return yes;
}

// Right on the suite: on the database of the case, too? `changed` has the gold
// where DISTINCT was taken out of the texts, so that it has to run without it,
// too; NULL: they are as they were written.
static verdict on_own_database(judging *j,
                               const bout *changed,
                               int32_t pred_no,
                               str sql)
{
    verdict yes = verdict_yes();
    execution gold = {0};
    if (!j->db || (!changed && golds_of(j)->n_ran == 0)) {
        return yes;
    }
    if (changed) {
        gold =
            score_run_text(j, changed->gold_sql, ENGINE_READ_ALL, WATCH_GOLD);
    }
    if (gold.status != REASON_NONE) {
        return yes;
    }
    execution x = score_run_text(
        j, sql, changed ? ENGINE_READ_ALL : exec_stop(&j->e, FAMILY_PLAIN, sql),
        pred_no);
    if (is_cut_off(x.status)) {
        return yes_without_own(j, x.status);
    }
    if (x.status != REASON_NONE) {
        yes = verdict_failed(x.status, x.message);
        yes.database = changed ? j->task->gold->db : (str){0};
        return yes;
    }
    compare_options options =
        changed ? rules_of(changed) : (compare_options){0};
    verdict v = changed
                    ? compare_exec(RULES_ASSAY, &gold.result, &x.result,
                                   &options, j->e.a, j->s->scratch)
                    : exec_compare(&j->e, COMPARE_EXEC, RULES_ASSAY, &x, sql);
    v.database = j->task->gold->db;
    return v.v == ANSWER_NO ? v : yes;
}

static verdict on_own(const bout *b, const contender *c, str written)
{
    bool is_changed =
        !str_equal(b->gold_sql, b->variant->sql) || !str_equal(c->sql, written);
    return on_own_database(b->j, is_changed ? b : NULL, c->pred_no, c->sql);
}

// Of several variants the one that the prediction came nearest to.
static bool tells_more(const verdict *v, const verdict *than)
{
    if (than->v != ANSWER_NO) {
        return than->v == ANSWER_UNKNOWN;
    }
    bool is_columns = v->reason == REASON_COLUMNS_DIFFER;
    bool was_columns = than->reason == REASON_COLUMNS_DIFFER;
    return is_columns == was_columns ? v->n_databases > than->n_databases
                                     : was_columns;
}

// A yes says what it leaves out; its detail may say so already.
static void add_remark(judging *j, unsigned strict_no, verdict *v)
{
    if (v->v == ANSWER_YES && strict_no != 0) {
        str causes = suite_show_causes(strict_no, j->e.a);
        v->detail = arena_printf(
            j->e.a, "%.*s%sdiffers only under %.*s", STR_ARG(v->detail),
            v->detail.len > 0 ? "; " : "", STR_ARG(causes));
    }
}

static void judge_texts(judging *j,
                        suite_bench *bench,
                        contender *all,
                        ptrdiff_t n,
                        verdict *out)
{
    const gold_set *set = golds_of(j);
    bool *is_right = arena_new(j->e.a, bool, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = verdict_unknown(REASON_GOLD_FAILED, set->error);
    }
    for (ptrdiff_t v = 0; v < set->n; v++) {
        bout b = {.j = j,
                  .bench = bench,
                  .variant = &set->variants[v],
                  .variant_no = v,
                  .gold_sql = as_run(j, set->variants[v].sql),
                  .n = n};
        b.all = arena_new(j->e.a, contender, n);
        for (ptrdiff_t i = 0; i < n; i++) {
            b.all[i] = (contender){.sql = as_run(j, all[i].sql),
                                   .pred_no = all[i].pred_no};
        }
        verdict why;
        if (!judge_variant(&b, &why)) {
            for (ptrdiff_t i = 0; i < n; i++) {
                out[i] = out[i].v == ANSWER_UNKNOWN ? why : out[i];
            }
            continue;
        }
        for (ptrdiff_t i = 0; i < n; i++) {
            if (!b.all[i].is_out && !is_right[i]) {
                is_right[i] = true;
                out[i] = on_own(&b, &b.all[i], all[i].sql);
                out[i].variant = v;
                add_remark(j, b.all[i].strict_no, &out[i]);
            } else if (tells_more(&b.all[i].verdict, &out[i])) {
                out[i] = b.all[i].verdict;
            }
        }
    }
}

// The gold's values in the places of the prediction's, many texts at a time.
// *unknown is why a text was not judged, or not tried.
static bool judge_plugged(judging *j,
                          suite_bench *bench,
                          const family_text *variant,
                          ptrdiff_t pred_no,
                          verdict *out,
                          verdict *unknown)
{
    const score_pred *pred = &j->task->preds[pred_no];
    const text_family *family = text_plug_family();
    const family_options how = {j->s->options->dialect, .keeps_distinct = true};
    str gold = family->gold(j->e.a, variant->sql, how).prepared;
    str line = family->pred(j->e.a, pred->line, how).prepared;
    text_plug p =
        text_plug_of(j->e.a, gold, line, TEXT_PLUG_MOST, j->s->scratch);
    const arena before = *j->e.a;
    str text;
    text_plug_next(&p, j->e.a, &text);  // the prediction itself: it failed
    for (bool more = true; more;) {
        *j->e.a = before;
        contender *all = arena_new(j->e.a, contender, PLUGGED_AT_ONCE);
        verdict *verdicts = arena_new(j->e.a, verdict, PLUGGED_AT_ONCE);
        ptrdiff_t n = 0;
        while (n < PLUGGED_AT_ONCE
               && (more = text_plug_next(&p, j->e.a, &text))) {
            all[n++] = (contender){
                .sql = family->plugged(j->e.a, text).sql,
                .pred_no = (int32_t)pred_no,
            };
        }
        judge_texts(j, bench, all, n, verdicts);
        for (ptrdiff_t i = 0; i < n; i++) {
            if (verdicts[i].v == ANSWER_YES) {
                *out = verdicts[i];
                out->plugged = all[i].sql;
                return true;
            }
            if (verdicts[i].v == ANSWER_UNKNOWN) {
                *unknown = verdict_unknown(verdicts[i].reason, (str){0});
            }
        }
    }
    if (text_plug_is_cut(&p)) {
        *unknown = verdict_unknown(REASON_TOO_MANY_VARIANTS, (str){0});
    }
    *j->e.a = before;
    return false;
}

static void plug(judging *j, suite_bench *bench, ptrdiff_t pred_no, verdict *v)
{
    const gold_set *set = golds_of(j);
    verdict unknown = {0};
    for (ptrdiff_t i = 0; v->v == ANSWER_NO && i < set->n; i++) {
        judge_plugged(j, bench, &set->variants[i], pred_no, v, &unknown);
    }
    if (v->v == ANSWER_NO && unknown.reason != REASON_NONE) {
        *v = unknown;
    }
}

// The case on another database of its schema; false where the gold does not run
// there, and *why is the first reason.
static bool move_to(judging *other, score_task *task, str path, verdict *why)
{
    gold_set *set = &other->e.families[FAMILY_PLAIN];
    verdict no;
    task->path = path;
    other->task = task;
    set->n_ran = 0;
    set->error = (str){0};
    score_open_database(other);
    if (other->db) {
        score_run_gold(other, FAMILY_PLAIN);
        no = verdict_unknown(REASON_GOLD_FAILED, set->error);
    } else {
        no = verdict_unknown(REASON_NO_REFERENCE, other->e.db_error);
    }
    *why = why->reason == REASON_NONE ? no : *why;
    return set->n_ran > 0;
}

// Every database is a file of its own (the official suite).
static verdict judge_files(judging *j, ptrdiff_t pred_no)
{
    const suite_entry *e = j->task->suite;
    str sql = j->task->preds[pred_no].sql;
    verdict why = {0};
    verdict unknown = {0};
    ptrdiff_t n_ran = 0;
    for (ptrdiff_t i = 0; i < e->n_paths; i++) {
        score_task task = *j->task;
        judging other = *j;
        other.e.of = &other;
        if (!move_to(&other, &task, e->paths[i], &why)) {
            continue;
        }
        n_ran++;
        execution x = score_run_pred(&other, FAMILY_PLAIN, pred_no, false);
        verdict v =
            x.status != REASON_NONE
                ? verdict_failed(x.status, x.message)
                : exec_compare(&other.e, COMPARE_EXEC, RULES_ASSAY, &x, sql);
        if (v.v == ANSWER_NO) {
            v.database = e->paths[i];
            v.n_databases = n_ran;
            return v;
        }
        unknown = v.v == ANSWER_UNKNOWN ? v : unknown;
    }
    verdict own =
        n_ran > 0 ? on_own_database(j, NULL, (int32_t)pred_no, sql) : why;
    return own.v == ANSWER_YES && unknown.reason != REASON_NONE ? unknown : own;
}

static verdict without_text(const judging *j, ptrdiff_t pred_no)
{
    const watch_death *death = score_death_of(j->task, (int32_t)pred_no);
    return death ? verdict_no(death->status, S("it killed its worker"))
                 : verdict_no(REASON_NO_PREDICTION, (str){0});
}

void score_make_suite(judging *j)
{
    ptrdiff_t n = j->task->n_preds;
    verdict *out = arena_new(j->e.a, verdict, n);
    j->suite = out;
    const suite_entry *e = j->task->suite;
    suite_bench *bench = e && e->file.bytes.len > 0 ? bench_of(j) : NULL;
    if (!e || (bench && !bench->db)) {
        str why =
            bench ? bench->error : S("the suite has nothing for this database");
        for (ptrdiff_t i = 0; i < n; i++) {
            out[i] = verdict_unknown(REASON_NO_REFERENCE, why);
        }
        return;
    }
    int32_t *slots = arena_new(j->e.a, int32_t, n);
    ptrdiff_t n_texts = 0;
    contender *all = gather(j, slots, &n_texts);
    verdict *verdicts = arena_new(j->e.a, verdict, n_texts);
    if (bench) {
        judge_texts(j, bench, all, n_texts, verdicts);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        verdict v = slots[i] < 0 ? without_text(j, i)
                    : bench      ? verdicts[slots[i]]
                                 : judge_files(j, i);
        if (bench && slots[i] >= 0 && j->s->options->plugs_values) {
            plug(j, bench, i, &v);
        }
        out[i] = v;
    }
}
