/*
 * row_check.c - would SQLite take this row? CHECK and computed columns; and
 * which values are one.
 *
 * Method      The checks are evaluated on the row (expr_eval.c). A check whose
 *             value is NULL holds, as in SQL. For a whole row an unknown check
 *             counts as broken, so that no illegal row is made; for one value
 *             of an otherwise empty row it counts as met, so that no value is
 *             lost.
 *
 * Cost        One evaluation for each check of the table, read once.
 */
#include "facts/fact.h"
#include "relation/relation_values.h"
#include "sample/sample_internal.h"
#include "schema/schema_said.h"
#include "table/value_key.h"

#include <assert.h>

static const expr_code *look(const expr_reader *r, const ast *n)
{
    const schema_table *t = r->context;
    int32_t c = schema_column_named(t, n);
    return c >= 0                 ? expr_of_cell(r->a, c, &t->columns[c])
           : n->kind == AST_DOUBT ? expr_of_value(r->a, value_text(n->text))
                                  : NULL;
}

// By what an index compares a key.
static schema_collation collation_of(const schema_table *t, const ast *key)
{
    if (key->kind == AST_COLLATE) {
        return schema_collation_of(key->text);
    }
    int32_t c = schema_column_named(t, key);
    return c >= 0 ? t->columns[c].collation : COLLATION_BINARY;
}

// The words of SQLite for what the system of the tables wrote; NULL: there are
// none, and the system alone decides.
static const ast *said(const sampler *m,
                       const schema_table *t,
                       const ast *expr,
                       arena scratch)
{
    return schema_said(m->a, t, expr, m->s->dialect, DIALECT_SQLITE, scratch);
}

// False: SQLite has no words for it.
static bool read_index(const sampler *m,
                       const expr_reader *r,
                       const schema_unique_index *u,
                       index_code *out,
                       arena scratch)
{
    const ast *where = u->where ? said(m, r->context, u->where, scratch) : NULL;
    bool ok = !u->where || where;
    *out = (index_code){.where = where ? expr_read(r, where) : NULL};
    for (const ast *k = u->keys; k && ok; k = k->next) {
        const ast *key = said(m, r->context, k, scratch);
        ok = key != NULL;
        key = ok ? ast_unaliased(key) : k;
        *vec_push(r->a, &out->keys) =
            (key_code){expr_read(r, key), collation_of(r->context, key)};
    }
    return ok;
}

static void mark_named(arena *a,
                       const schema_table *t,
                       const ast *expr,
                       bool *is_named)
{
    node_list all = relation_nodes_of(a, expr, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        int32_t c = schema_column_named(t, all.ptr[i]);
        if (c >= 0) {
            is_named[c] = true;
        }
    }
}

// By column: does an index name it?
static const bool *indexed_columns(arena *a, const schema_table *t)
{
    bool *is_indexed = arena_new(a, bool, t->n_columns);
    for (ptrdiff_t i = 0; i < t->n_indexes; i++) {
        for (const ast *k = t->indexes[i].keys; k; k = k->next) {
            mark_named(a, t, k, is_indexed);
        }
        if (t->indexes[i].where) {
            mark_named(a, t, t->indexes[i].where, is_indexed);
        }
    }
    return is_indexed;
}

void rules_read(sampler *m, int32_t table_no, arena scratch)
{
    arena *a = m->a;
    const schema_table *t = &m->s->tables[table_no];
    table_code *out = &m->code[table_no];
    expr_reader r = {look, t, a};
    const bool *is_indexed = indexed_columns(a, t);
    for (int32_t c = 0; c < t->n_columns; c++) {
        const ast *expr = t->columns[c].generated;
        const ast *own = expr ? said(m, t, expr, scratch) : NULL;
        if (expr) {
            *vec_push(a, &out->generated) =
                (cell_code){c, expr_read(&r, own ? own : expr), is_indexed[c]};
        }
    }
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        const ast *check = said(m, t, t->checks[i], scratch);
        if (check) {
            *vec_push(a, &out->checks) = expr_read(&r, check);
            facts_read_check(m, table_no, check, scratch);
        }
    }
    for (ptrdiff_t i = 0; i < t->n_indexes; i++) {
        index_code index;
        if (read_index(m, &r, &t->indexes[i], &index, scratch)) {
            *vec_push(a, &out->indexes) = index;
        }
    }
}

// As far as it is seen from its kind: under the assumption types.
static bool is_off_type(const sampler *m, const schema_column *c, value v)
{
    if (value_is_null(v) || c->is_off_type || !m->o.assume.types) {
        return false;
    }
    switch (c->kind) {
    case KIND_BOOLEAN: return v.kind != VALUE_INT || v.i < 0 || v.i > 1;
    case KIND_INTEGER: return v.kind != VALUE_INT;
    case KIND_REAL:
    case KIND_DECIMAL: return !value_is_number(v);
    case KIND_DATE:
    case KIND_TIME:
    case KIND_TIMESTAMP: return v.kind != VALUE_TEXT;
    case KIND_TEXT:
    case KIND_ANY:
    case KIND_BYTES: break;
    }
    return false;
}

// Must what the column computes be known, whatever the checks are?
static bool is_used(const sampler *m, int32_t no, const cell_code *c)
{
    return c->is_indexed || m->columns[m->first[no] + c->column].is_key
           || m->s->tables[no].columns[c->column].is_not_null;
}

bool row_breaks_check(const sampler *m, int32_t no, value *row, arena *a)
{
    assert(no >= 0 && no < m->s->n_tables && row);
    const schema_table *t = &m->s->tables[no];
    const table_code *code = &m->code[no];
    bool *is_set = arena_new(a, bool, t->n_columns);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        is_set[c] = !t->columns[c].generated;
    }
    expr_eval e = {.cells = row, .is_set = is_set, .a = a};
    for (ptrdiff_t i = 0; i < code->generated.len; i++) {
        int32_t c = code->generated.ptr[i].column;
        e.is_unknown = false;
        row[c] = expr_value(&e, code->generated.ptr[i].code);
        is_set[c] = !e.is_unknown;
        if (e.is_unknown && is_used(m, no, &code->generated.ptr[i])) {
            return true;
        }
        pool_fit(m, m->first[no] + c, &row[c], a);
        if (!e.is_unknown && is_off_type(m, &t->columns[c], row[c])) {
            return true;
        }
    }
    for (ptrdiff_t i = 0; i < code->checks.len && m->o.assume.keys; i++) {
        e.is_unknown = false;
        if (expr_is_false(expr_value(&e, code->checks.ptr[i]))
            || e.is_unknown) {
            return true;
        }
    }
    return false;
}

// Is the row none of those that the index has?
static bool is_left_out(expr_eval *e, const expr_code *where)
{
    e->is_unknown = false;
    bool is_out = where && !expr_is_true(expr_value(e, where));
    return is_out && !e->is_unknown;
}

static bool may_break(const index_code *u,
                      const value *a,
                      const value *b,
                      arena *temp)
{
    expr_eval left = {.cells = a, .a = temp};
    expr_eval right = {.cells = b, .a = temp};
    bool may = !is_left_out(&left, u->where) && !is_left_out(&right, u->where);
    for (ptrdiff_t i = 0; may && i < u->keys.len; i++) {
        const key_code *key = &u->keys.ptr[i];
        left.is_unknown = right.is_unknown = false;
        value x = expr_value(&left, key->code);
        value y = expr_value(&right, key->code);
        bool is_known = !left.is_unknown && !right.is_unknown;
        may = !is_known
              || (!value_is_null(x) && values_order(x, y, key->collation) == 0);
    }
    return may;
}

bool rows_break_index(const sampler *m,
                      int32_t no,
                      const value *a,
                      const value *b,
                      arena *temp)
{
    assert(no >= 0 && no < m->s->n_tables);
    const table_code *code = &m->code[no];
    bool may = false;
    for (ptrdiff_t i = 0; !may && i < code->indexes.len; i++) {
        may = may_break(&code->indexes.ptr[i], a, b, temp);
    }
    return may;
}

bool value_breaks_check(const sampler *m, int32_t id, value v, arena *a)
{
    assert(id >= 0 && id < m->n_columns);
    const column_facts *c = &m->columns[id];
    const table_code *code = &m->code[c->table];
    if (code->checks.len == 0 || !m->o.assume.keys) {
        return false;
    }
    value *row = arena_new(a, value, m->s->tables[c->table].n_columns);
    row[c->column] = v;  // all others are NULL
    expr_eval e = {.cells = row, .a = a};
    for (ptrdiff_t i = 0; i < code->checks.len; i++) {
        e.is_unknown = false;
        if (expr_is_false(expr_value(&e, code->checks.ptr[i]))
            && !e.is_unknown) {
            return true;
        }
    }
    return false;
}

bool value_is_misspelled(const sampler *m, int32_t id, value v)
{
    const column_facts *f = &m->columns[id];
    const schema_column *c = &m->s->tables[f->table].columns[f->column];
    return v.kind == VALUE_TEXT && c->has_one_spelling
           && fact_texts_spell(&m->texts, value_bytes(v)) == SPELLED_OTHERWISE;
}

bool values_equal(const sampler *m, int32_t id, value a, value b)
{
    const column_facts *f = &m->columns[id];
    const schema_column *c = &m->s->tables[f->table].columns[f->column];
    return values_order(a, b, c->collation) == 0;
}
