/*
 * judge_trial.c - runs both queries of a pair on rows that a model proposed.
 *
 * Method      The rows are data, never SQL: each value goes to its column by
 *             name. SQLite checks NOT NULL, UNIQUE, keys and CHECK when they
 *             are inserted. When the results differ, both queries run again on
 *             the same rows stored in other orders, in tables without keys: a
 *             result that depends on that is the engine's choice, not the
 *             query's, and proves nothing. Then rows are taken away one by one
 *             as long as the results still differ.
 */
#include "base/json_write.h"
#include "evaluators/evaluator.h"
#include "job/judge_ground.h"
#include "model/prompt_schema.h"
#include "sql/outline.h"

enum {
    ROWS_SHOWN = 10,
    ERROR_BYTES = 300,
    NAMES_MAX = 64,
    SHUFFLES = 4,  // orders that are tried
};

typedef struct trial {
    ground *g;
    const judge_pair *p;
    const schema *schema;
    const ground_entry *db;
    scratch_query *queries[2][2];  // [loose][right]
    compare_options compare;
    instance rows;
    arena *a;  // of the trial
    diag d;
} trial;

// What one filling showed.
typedef enum filling {
    FILLING_BROKEN,    // the rows break a constraint
    FILLING_FAILED,    // a query fails on them
    FILLING_UNSTABLE,  // a result depends on the order of stored rows
    FILLING_SAME,
    FILLING_DIFFERENT,
} filling;

typedef struct filled {
    filling what;
    table left;
    table right;
    str text;  // why
} filled;

/* Rows from JSON. */

// A value of JSON for a column; false when its type does not fit.
static bool read_value(value *out, const json *j, const schema_column *c)
{
    bool ok = value_of_json(out, j);
    out->kind = out->kind == VALUE_BOOL ? VALUE_INT : out->kind;
    return ok
           && (out->kind != VALUE_TEXT || !schema_kind_is_number(c->kind)
               || str_to_double(j->text, NULL));
}

static bool read_row(trial *t, int32_t no, value *cells, const json *row)
{
    const schema_table *s = &t->schema->tables[no];
    if (row->kind != JSON_KIND_OBJECT) {
        return diag_add(&t->d, (diag_place){0},
                        "a row of %.*s is not a JSON object", STR_ARG(s->name));
    }
    for (const json *m = row->child; m; m = m->next) {
        int32_t c = schema_find_column(s, m->key);
        if (c < 0) {
            return diag_add(&t->d, (diag_place){0},
                            "table %.*s has no column %.*s", STR_ARG(s->name),
                            STR_ARG(m->key));
        }
        if (!read_value(&cells[c], m, &s->columns[c])) {
            return diag_add(&t->d, (diag_place){0},
                            "a value of %.*s.%.*s does not fit its type %.*s",
                            STR_ARG(s->name), STR_ARG(m->key),
                            STR_ARG(s->columns[c].type));
        }
    }
    return true;
}

static bool read_table(trial *t, const json *rows)
{
    int32_t no = schema_find_table(t->schema, rows->key);
    if (no < 0 || t->schema->tables[no].view) {
        return diag_add(&t->d, (diag_place){0}, "there is no table %.*s",
                        STR_ARG(rows->key));
    }
    if (rows->kind != JSON_KIND_ARRAY || rows->n > t->g->options.max_rows) {
        return diag_add(&t->d, (diag_place){0},
                        "table %.*s must be a list of at most %td rows",
                        STR_ARG(rows->key), t->g->options.max_rows);
    }
    instance_table *out = &t->rows.tables[no];
    ptrdiff_t width = t->schema->tables[no].n_columns;
    out->cells = arena_new(t->a, value, rows->n * width + 1);
    out->n_rows = 0;
    for (const json *row = rows->child; row; row = row->next) {
        if (!read_row(t, no, out->cells + out->n_rows * width, row)) {
            return false;
        }
        out->n_rows++;
    }
    return true;
}

static bool read_rows(trial *t, const json *rows)
{
    t->rows = (instance){.schema = t->schema};
    t->rows.tables = arena_new(t->a, instance_table, t->schema->n_tables);
    for (const json *list = rows->child; list; list = list->next) {
        if (!read_table(t, list)) {
            return false;
        }
    }
    return true;
}

/* One filling. */

static bool is_same(const trial *t, const table *a, const table *b)
{
    arena local = *t->a;
    arena scratch = arena_half(&local);
    verdict v = compare_exec(RULES_ASSAY, a, b, &t->compare, &local, scratch);
    return v.v == ANSWER_YES;
}

// Does a result change when the same rows are stored in another order?
static bool is_unstable(trial *t, const instance *rows, const filled *f)
{
    diag d = diag_new(t->a);
    for (uint64_t seed = 1; seed <= SHUFFLES; seed++) {
        scratch_order order = {.shuffle = seed, .reversed = seed % 2 == 0};
        if (!scratch_fill(t->db->loose, rows, order, &d)) {
            return true;
        }
        execution left = scratch_run(t->queries[1][0], ENGINE_READ_ALL, t->a);
        execution right = scratch_run(t->queries[1][1], ENGINE_READ_ALL, t->a);
        if (!is_same(t, &f->left, &left.result)
            || !is_same(t, &f->right, &right.result)) {
            return true;
        }
    }
    return false;
}

static filled fill_and_run(trial *t, const instance *rows)
{
    filled f = {.what = FILLING_BROKEN};
    diag d = diag_new(t->a);
    if (!scratch_fill(t->db->scratch, rows, (scratch_order){0}, &d)) {
        f.text =
            d.count > 0 ? d.messages.ptr[0].text : S("they break a constraint");
        return f;
    }
    execution left = scratch_run(t->queries[0][0], ENGINE_READ_ALL, t->a);
    execution right = scratch_run(t->queries[0][1], ENGINE_READ_ALL, t->a);
    f.left = left.result;
    f.right = right.result;
    bool has_failed = left.status != REASON_NONE || right.status != REASON_NONE;
    if (has_failed) {
        f.what = FILLING_FAILED;
        f.text = left.status != REASON_NONE ? left.message : right.message;
        return f;
    }
    f.what = is_same(t, &f.left, &f.right) ? FILLING_SAME : FILLING_DIFFERENT;
    if (f.what == FILLING_DIFFERENT && is_unstable(t, rows, &f)) {
        f.what = FILLING_UNSTABLE;
    }
    return f;
}

/* Smaller witnesses. */

// Tries to do without each row once, from the last table on: children before
// the parents that they need.
static bool drop_rows(trial *t, filled *f)
{
    bool has_dropped = false;
    for (int32_t no = (int32_t)t->schema->n_tables - 1; no >= 0; no--) {
        for (ptrdiff_t r = t->rows.tables[no].n_rows - 1; r >= 0; r--) {
            arena before = *t->a;
            instance less = instance_without(t->a, &t->rows, no, r, 1);
            filled now = fill_and_run(t, &less);
            if (now.what == FILLING_DIFFERENT) {
                t->rows = less;
                *f = now;
                has_dropped = true;
            } else {
                *t->a = before;
            }
        }
    }
    return has_dropped;
}

/* What is told. */

// The tables with rows in them, and the rows.
static str witness_sql(const trial *t, arena *a, arena scratch)
{
    str names[NAMES_MAX] = {t->p->left, t->p->right};
    ptrdiff_t n = 2;
    for (int32_t i = 0; i < t->schema->n_tables && n < NAMES_MAX; i++) {
        if (t->rows.tables[i].n_rows > 0) {
            names[n++] = t->schema->tables[i].name;
        }
    }
    str tables = prompt_schema(&scratch, t->schema, names, n, 0, *a);
    buf out = buf_new(a);
    buf_add(&out, tables);
    buf_char(&out, '\n');
    instance_to_sql(&out, &t->rows, scratch);
    return str_trim(buf_str(&out));
}

static str witness_of(const trial *t, const filled *f, arena *a)
{
    arena texts = *t->a;
    arena scratch = arena_half(&texts);
    str sql = witness_sql(t, &texts, scratch);
    buf out = buf_new(a);
    json_write(&out, json_begin('{'), member_text(S("sql"), sql));
    json_key(&out, S("left"));
    table_add_json(&out, &f->left, scratch);
    json_key(&out, S("right"));
    table_add_json(&out, &f->right, scratch);
    buf_char(&out, '}');
    return buf_str(&out);
}

// The result that both returned, cut to what a prompt can hold.
static str show_result(const table *t, arena *a)
{
    buf out = buf_new(a);
    buf_printf(&out, "%td rows of %td columns\n", t->n_rows, t->n_columns);
    arena rest = *a;
    arena line = arena_half(&rest);
    for (ptrdiff_t r = 0; r < t->n_rows && r < ROWS_SHOWN; r++) {
        arena local = line;
        buf_add(&out, table_show_row(&local, t, r));
        buf_char(&out, '\n');
    }
    buf_add(&out, t->n_rows > ROWS_SHOWN ? S("...\n") : S(""));
    return str_trim(buf_str(&out));
}

static judge_trial tell(trial *t, filled *f, arena *a)
{
    judge_trial out = {.outcome = TRIAL_REFUSED};
    switch (f->what) {
    case FILLING_BROKEN:
        out.text = arena_str(a, str_sub(f->text, 0, ERROR_BYTES));
        break;
    case FILLING_UNSTABLE:
        out.text = S("the result of a query depends on the order in which "
                     "rows are stored, so a difference proves nothing: avoid "
                     "ties at ORDER BY ... LIMIT");
        break;
    case FILLING_FAILED:
        out.outcome = TRIAL_FAILED;
        out.text = arena_str(a, str_sub(f->text, 0, ERROR_BYTES));
        break;
    case FILLING_SAME:
        out.outcome = TRIAL_SAME;
        out.text = show_result(&f->left, a);
        break;
    case FILLING_DIFFERENT:
        out.outcome = TRIAL_DIFFERENT;
        while (drop_rows(t, f)) {
        }
        out.witness = witness_of(t, f, a);
        break;
    }
    return out;
}

static judge_trial refuse(const trial *t, arena *a, trial_outcome outcome)
{
    str why = t->d.count > 0 ? t->d.messages.ptr[0].text : S("");
    return (judge_trial){.outcome = outcome, .text = arena_str(a, why)};
}

// False with a message when a query does not compile.
static bool prepare(trial *t)
{
    const str texts[] = {t->p->left, t->p->right};
    for (int i = 0; i < 4; i++) {
        scratch_db *db = i / 2 == 0 ? t->db->scratch : t->db->loose;
        execution failed = {0};
        scratch_query *q = scratch_prepare(db, texts[i % 2], &failed, t->a);
        t->queries[i / 2][i % 2] = q;
        if (!q) {
            return diag_add(&t->d, (diag_place){0}, "%.*s",
                            STR_ARG(failed.message));
        }
    }
    return true;
}

judge_trial ground_trial(ground *g,
                         const judge_pair *p,
                         const json *rows,
                         arena *a)
{
    trial t = {.g = g, .p = p};
    ground_entry *entry = NULL;
    diag d = diag_new(a);
    const schema *tables = ground_tables(g, p, &entry, &d, *a);
    arena local = arena_store_clear(&g->trial_store);
    t.a = &local;
    t.d = tables ? diag_new(&local) : d;
    if (!tables) {
        return refuse(&t, a, TRIAL_FAILED);
    }
    t.schema = tables;
    t.db = entry;
    t.compare.is_ordered =
        sql_outline_of(p->left, DIALECT_SQLITE).has_outer_order;
    judge_trial out;
    if (!prepare(&t)) {
        out = refuse(&t, a, TRIAL_FAILED);
    } else if (!read_rows(&t, rows)) {
        out = refuse(&t, a, TRIAL_REFUSED);
    } else {
        filled f = fill_and_run(&t, &t.rows);
        out = tell(&t, &f, a);
    }
    for (int i = 0; i < 4; i++) {
        scratch_forget(t.queries[i / 2][i % 2]);
    }
    return out;
}
