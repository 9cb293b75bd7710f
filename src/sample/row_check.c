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
 * Cost        One evaluation for each check of the table.
 */
#include "facts/fact.h"
#include "sample/expr_eval.h"
#include "sample/sample_internal.h"
#include "table/value_key.h"

#include <assert.h>

typedef struct frame {
    const schema_table *t;
    const value *row;
} frame;

static bool look(void *context,
                 const ast *n,
                 value *v,
                 const schema_column **column)
{
    const frame *f = context;
    bool is_name = n->kind == AST_COLUMN || n->kind == AST_DOUBT;
    int32_t c = is_name ? schema_find_column(f->t, n->text) : -1;
    if (c < 0) {
        *v = value_text(n->text);
        return n->kind == AST_DOUBT;
    }
    *v = f->row[c];
    *column = &f->t->columns[c];
    return true;
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

bool row_breaks_check(const sampler *m, int32_t no, value *row, arena *a)
{
    assert(no >= 0 && no < m->s->n_tables && row);
    const schema_table *t = &m->s->tables[no];
    frame f = {t, row};
    expr_eval e = {.look = look, .context = &f, .a = a};
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].generated) {
            row[c] = expr_value(&e, t->columns[c].generated);
            bool is_used = m->columns[m->first[no] + c].is_key
                           || t->columns[c].is_not_null || t->n_checks > 0
                           || t->n_indexes > 0;
            if (e.is_unknown && is_used) {
                return true;
            }
            pool_fit(m, m->first[no] + c, &row[c], a);
            if (!e.is_unknown && is_off_type(m, &t->columns[c], row[c])) {
                return true;
            }
            e.is_unknown = false;
        }
    }
    for (ptrdiff_t i = 0; i < t->n_checks && m->o.assume.keys; i++) {
        if (!schema_is_portable(t->checks[i])) {
            continue;
        }
        e.is_unknown = false;
        if (expr_is_false(expr_value(&e, t->checks[i])) || e.is_unknown) {
            return true;
        }
    }
    return false;
}

// By what an index compares a key.
static schema_collation collation_of(const schema_table *t, const ast *key)
{
    if (key->kind == AST_COLLATE) {
        return schema_collation_of(key->text);
    }
    bool is_name = key->kind == AST_COLUMN || key->kind == AST_DOUBT;
    int32_t c = is_name ? schema_find_column(t, key->text) : -1;
    return c >= 0 ? t->columns[c].collation : COLLATION_BINARY;
}

// Is the row none of those that the index has?
static bool is_left_out(expr_eval *e, const ast *where)
{
    e->is_unknown = false;
    bool is_out = where && !expr_is_true(expr_value(e, where));
    return is_out && !e->is_unknown;
}

static bool may_break(const schema_table *t,
                      const schema_unique_index *u,
                      const value *a,
                      const value *b,
                      arena *temp)
{
    frame frames[] = {{t, a}, {t, b}};
    expr_eval left = {.look = look, .context = &frames[0], .a = temp};
    expr_eval right = {.look = look, .context = &frames[1], .a = temp};
    bool may = !is_left_out(&left, u->where) && !is_left_out(&right, u->where);
    for (const ast *key = u->keys; may && key; key = key->next) {
        const ast *expr = ast_unaliased(key);
        left.is_unknown = right.is_unknown = false;
        value x = expr_value(&left, expr);
        value y = expr_value(&right, expr);
        bool is_known = !left.is_unknown && !right.is_unknown;
        may = !is_known
              || (!value_is_null(x)
                  && values_order(x, y, collation_of(t, expr)) == 0);
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
    const schema_table *t = &m->s->tables[no];
    bool may = false;
    for (ptrdiff_t i = 0; !may && i < t->n_indexes; i++) {
        may = schema_is_portable_index(t, &t->indexes[i])
              && may_break(t, &t->indexes[i], a, b, temp);
    }
    return may;
}

bool value_breaks_check(const sampler *m, int32_t id, value v, arena *a)
{
    assert(id >= 0 && id < m->n_columns);
    const column_facts *c = &m->columns[id];
    const schema_table *t = &m->s->tables[c->table];
    if (t->n_checks == 0 || !m->o.assume.keys) {
        return false;
    }
    value *row = arena_new(a, value, t->n_columns);  // all NULL
    row[c->column] = v;
    frame f = {t, row};
    expr_eval e = {.look = look, .context = &f, .a = a};
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        e.is_unknown = false;
        if (schema_is_portable(t->checks[i])
            && expr_is_false(expr_value(&e, t->checks[i])) && !e.is_unknown) {
            return true;
        }
    }
    return false;
}

bool value_is_misspelled(const sampler *m, int32_t id, value v)
{
    const column_facts *f = &m->columns[id];
    const schema_column *c = &m->s->tables[f->table].columns[f->column];
    bool is_respelled = false;
    bool is_looked_at = v.kind == VALUE_TEXT && c->has_one_spelling
                        && fact_sieve_holds(&m->texts, value_bytes(v));
    str text = is_looked_at ? value_bytes(v) : (str){0};
    for (ptrdiff_t i = 0; is_looked_at && i < m->constants.len; i++) {
        if (m->constants.ptr[i].v.kind != VALUE_TEXT) {
            continue;
        }
        str other = value_bytes(m->constants.ptr[i].v);
        if (str_equal(other, text)) {
            return false;
        }
        is_respelled = is_respelled || fact_is_respelled(other, text);
    }
    return is_respelled;
}

bool values_equal(const sampler *m, int32_t id, value a, value b)
{
    const column_facts *f = &m->columns[id];
    const schema_column *c = &m->s->tables[f->table].columns[f->column];
    return values_order(a, b, c->collation) == 0;
}

static str without_blanks(str s)
{
    while (s.len > 0 && s.ptr[s.len - 1] == ' ') {
        s.len--;
    }
    return s;
}

int values_order(value a, value b, schema_collation how)
{
    bool are_texts = a.kind == VALUE_TEXT && b.kind == VALUE_TEXT;
    if (value_is_null(a) || value_is_null(b)) {
        return value_is_null(b) - value_is_null(a);
    }
    if (are_texts && how == COLLATION_RTRIM) {
        a = value_text(without_blanks(value_bytes(a)));
        b = value_text(without_blanks(value_bytes(b)));
    }
    return value_order(a, b, are_texts && how == COLLATION_NOCASE);
}
