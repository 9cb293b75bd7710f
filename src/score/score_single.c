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

#include "schema/bind_text.h"

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

static bool is_plain_real(value v)
{
    return v.kind == VALUE_REAL && !v.is_single;
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
        || !table_has(t, is_plain_real) || engine_schema_error(j->db).len > 0) {
        return;
    }
    const schema *s = engine_schema(j->db);
    const binding *b =
        s && has_single_column(s)
            ? bind_text(j->e.a, sql, s, j->s->options->dialect, j->s->scratch)
            : NULL;
    if (!b || b->query->n_outputs != t->n_columns) {
        return;
    }
    value *cells = arena_copy(j->e.a, t->cells, t->n_rows * t->n_columns, 0);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        if (b->query->outputs[c].is_single) {
            mark_column(cells, t, c);
        }
    }
    t->cells = cells;
}
