/*
 * build_row.c - what the declaration of a table says of each row: a generated
 * column is what it is computed from, a CHECK is not false.
 *
 * Method      The expression is built over the columns of the same row. That of
 *             a generated column takes the type of the column. A column keeps
 *             values as its affinity has them: only an expression whose values
 *             that does not change takes its place, a number in a REAL column
 *             as a CAST. The row that pads an outer join is NULL in all
 *             columns, so the expression must be NULL there, too.
 *
 * Cost        That of the expression, for each reference to the column.
 */
#include "relation/build_internal.h"
#include "relation/known.h"
#include "relation/relation_class.h"
#include "schema/schema_said.h"

#include <assert.h>

enum {
    NESTED_MAX = 8,  // generated columns of generated columns
};

// What the prover would stop at.
static bool is_other(const void *table, const ast *n)
{
    bool ok = false;
    switch ((int)n->kind) {
    case AST_NUMBER:
    case AST_STRING:
    case AST_BINARY:
    case AST_UNARY:
    case AST_CAST:
    case AST_TYPE: ok = true; break;
    case AST_COLUMN:
        ok = !n->kid[COLUMN_PATH] && schema_find_column(table, n->text) >= 0;
        break;
    case AST_CALL:
        ok = str_among_fold(n->text, "substr lower upper trim strftime date");
        break;
    default: break;
    }
    return !ok;
}

// The value as the column keeps it; NULL: that is another one, or not known.
static const term *as_kept(prover *p, const term *t, schema_affinity to)
{
    known_kind kind = known_kind_of(p, t);
    bool same = false;
    switch (to) {
    case AFFINITY_BLOB: same = true; break;
    case AFFINITY_TEXT: same = kind == KNOWN_TEXT; break;
    case AFFINITY_REAL:
        return kind == KNOWN_REAL   ? t
               : known_number(kind) ? term_cast(p, t, AFFINITY_REAL)
                                    : NULL;
    case AFFINITY_INTEGER:
    case AFFINITY_NUMERIC: same = kind == KNOWN_INTEGER; break;
    }
    return same ? t : NULL;
}

static bool is_null_of_nulls(prover *p, const term *t, instance *source)
{
    assert(source->columns_of);  // only tables have generated columns
    for (ptrdiff_t i = 0; i < source->columns_of->n_columns; i++) {
        if (know_null_when(t, term_column(p, source, (int32_t)i), NULL)) {
            return true;
        }
    }
    return false;
}

// Are declarations in the words that the prover reads here?
static bool reads_rows(const prover *p)
{
    return !prover_is_typed(p) && p->bound->dialect == DIALECT_SQLITE;
}

static const term *build_in_row(builder *b, instance *row, const ast *expr)
{
    instance *outer = b->row;
    b->row = row;
    b->n_nested++;
    const term *t = build_term(b, expr);
    b->n_nested--;
    b->row = outer;
    return t;
}

const term *build_generated(builder *b, const term *column)
{
    prover *p = b->p;
    assert(column->kind == TERM_COLUMN);
    const schema_table *table = column->source->columns_of;
    const ast *expr = table && column->column >= 0
                          ? table->columns[column->column].generated
                          : NULL;
    bool may = expr && reads_rows(p) && b->n_nested < NESTED_MAX
               && !ast_find(expr, is_other, table)
               && prover_takes_types(p, p->touched);
    if (!may) {
        return column;
    }
    const term *t = build_in_row(b, column->source, expr);
    term_type type = term_type_of(column);
    t = t ? as_kept(p, t, type.affinity) : NULL;
    bool stands = t && is_null_of_nulls(p, t, column->source)
                  && local_allowed(p, LOCAL_GENERATED);
    return stands ? term_as(p, t, type) : column;
}

term_list build_checks(prover *p, instance *source)
{
    const schema_table *table = source->columns_of;
    term_list found = {0};
    for (ptrdiff_t i = 0; table && reads_rows(p) && i < table->n_checks; i++) {
        if (schema_names_others(table, table->checks[i])
            || !prover_assumes(p, ASSUME_KEYS)) {
            continue;
        }
        builder b = {.p = p};
        // It stands in no query: what stops it, or fails in it, stops none.
        str obstacle = p->obstacle;
        int32_t n_failing = p->n_failing;
        const term *t = build_in_row(&b, source, table->checks[i]);
        if (t && !prover_stopped(p)) {
            term_list_add(p, &found, t);
        }
        p->obstacle = obstacle;
        p->n_failing = n_failing;
    }
    return found;
}
