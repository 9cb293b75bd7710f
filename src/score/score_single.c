/*
 * score_single.c - see score_single.h.
 *
 * Method      Only a result that holds a REAL which the engine did not mark, on
 *             a database that has such columns, is worth parsing the query for.
 *             Its outputs, bound, tell which columns of the result to mark.
 *
 * Cost        A pass over the cells; parsing and binding where it is worth it.
 */
#include "score/score_single.h"

#include "sql/parse.h"

#include <string.h>

static bool has_single_column(const schema *s)
{
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t c = 0; c < s->tables[t].n_columns; c++) {
            if (s->tables[t].columns[c].is_single) {
                return true;
            }
        }
    }
    return false;
}

static bool has_plain_real(const table *t)
{
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind == VALUE_REAL && !t->cells[i].is_single) {
            return true;
        }
    }
    return false;
}

// What the columns of the result are; NULL where that cannot be told.
static const bound_query *outputs_of(judging *j, const schema *s, str sql)
{
    dialect d = j->s->options->dialect;
    parse_result r = parse_sql(j->e.a, sql, d, j->s->scratch);
    if (r.errors.len > 0 || !r.statements || r.statements->next
        || !ast_is_query(r.statements)) {
        return NULL;
    }
    const binding *b = bind_query(j->e.a, r.statements, s, d, j->s->scratch);
    return b ? bind_query_at(b, r.statements) : NULL;
}

static void mark_column(value *cells, const table *t, ptrdiff_t c)
{
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        value *v = &cells[r * t->n_columns + c];
        v->is_single |= v->kind == VALUE_REAL;
    }
}

void score_mark_single(judging *j, str sql, execution *x)
{
    table *t = &x->result;
    if (x->status != REASON_NONE || !j->s->engines->own.driver
        || !has_plain_real(t) || engine_schema_error(j->db).len > 0) {
        return;
    }
    const schema *s = engine_schema(j->db);
    const bound_query *q =
        s && has_single_column(s) ? outputs_of(j, s, sql) : NULL;
    if (!q || q->n_outputs != t->n_columns) {
        return;
    }
    value *cells = arena_new(j->e.a, value, t->n_rows * t->n_columns);
    memcpy(cells, t->cells, (size_t)(t->n_rows * t->n_columns) * sizeof *cells);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (q->outputs[c].is_single) {
            mark_column(cells, t, c);
        }
    }
    t->cells = cells;
}
