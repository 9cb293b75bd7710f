/*
 * blame_read.c - see blame_read.h.
 *
 * Method      The tree is parsed and bound once. Which constants it compares
 *             with, and its aggregates, relation_values.h lists; each belongs
 *             to the innermost block around it.
 */
#include "blame/blame_read.h"

#include "schema/bind_text.h"

static const schema no_schema;

const schema_column *blame_column(const blame_query *q, bound_place p)
{
    return p.table < 0 || p.column < 0
               ? NULL
               : &q->schema->tables[p.table].columns[p.column];
}

bool blame_is_key(const blame_query *q, bound_place p)
{
    const schema_table *t = p.table >= 0 ? &q->schema->tables[p.table] : NULL;
    return t && (t->columns[p.column].is_rowid || schema_is_key(t, p.column));
}

bool blame_is_name(const blame_query *q, bound_place p)
{
    const schema_column *c = blame_column(q, p);
    return c && c->affinity == AFFINITY_TEXT && !blame_is_key(q, p)
           && !schema_is_reference(q->schema, p.table, p.column)
           && (str_find_fold(c->name, S("name"), 0) >= 0
               || str_find_fold(c->name, S("title"), 0) >= 0)
           && schema_primary(&q->schema->tables[p.table]);
}

/* Values. */

static bool is_string(const blame_query *q, const ast *e)
{
    const bound_ref *ref = bind_ref(q->b, e);
    return e->kind == AST_STRING
           || (e->kind == AST_DOUBT && ref && ref->kind == REF_STRING);
}

static void add_value(blame_query *q,
                      const met_value *v,
                      const ast *literal,
                      arena *a)
{
    const ast *what = v->beside;
    bool is_number = literal->kind == AST_NUMBER;
    if (!(is_number || is_string(q, literal)) || what->kind == AST_NUMBER
        || is_string(q, what)) {
        return;
    }
    str text = literal->text;
    if (literal->kind == AST_STRING && text.len >= 2) {
        text = str_sub(text, 1, text.len - 1);
    }
    *vec_push(a, &q->values) = (blame_value){
        .text = text,
        .words = asked_words_of(a, text),
        .column = bind_stored_at(q->b, relation_column_in(what)),
        .is_number = is_number,
        .is_plain = what->kind == AST_COLUMN,
        .relation = (int)v->how,
    };
}

// date(d, '-18 years'), INTERVAL '18 years', INTERVAL 18 YEAR: who writes so
// compares with 18, too.
static void add_span(blame_query *q,
                     const ast *literal,
                     bool has_unit,
                     arena *a)
{
    str_list words = asked_words_of(a, literal->text);
    bool is_span =
        words.len == 1 + !has_unit && is_digit(words.ptr[0].ptr[0])
        && (has_unit
            || str_among(words.ptr[1], "year years month months day days hour "
                                       "hours minute minutes second seconds"));
    if (is_span) {
        *vec_push(a, &q->values) = (blame_value){.text = literal->text,
                                                 .words = words,
                                                 .column = {-1, -1},
                                                 .is_span = true};
    }
}

static bool is_read(const met_value *v)
{
    return operator_compares((int)v->how) || v->how == OPERATOR_IS
           || v->how == OPERATOR_LIKE || v->how == OPERATOR_GLOB;
}

static void add_met(blame_query *q, const met_value *v, arena *a)
{
    bool is_list = v->node->kind == AST_IN;
    bool has_unit = v->in->kind == AST_INTERVAL;
    for (const ast *literal = v->first; literal;
         literal = is_list ? literal->next : NULL) {
        if (v->beside && is_read(v)) {
            add_value(q, v, literal, a);
        }
        if (literal->kind == AST_STRING) {
            add_span(q, literal, false, a);
        }
        if (has_unit) {
            add_span(q, literal, true, a);
        }
    }
}

blame_query blame_read(const blame_case *c,
                       const blame_side *side,
                       arena *a,
                       arena scratch)
{
    blame_query q = {.side = side,
                     .schema = c->schema ? c->schema : &no_schema};
    q.b = bind_text(a, side->sql, q.schema, c->d, scratch);
    if (!q.b) {
        return q;
    }
    q.tree = q.b->query->node;
    const bound_block *top = bind_leftmost(q.b->query);
    q.top = top && top->node->kind == AST_SELECT ? top : NULL;
    q.meaning =
        q.b->problems.len == 0 ? relation_of(a, q.b, ASSUME_DEFAULT) : NULL;
    q.read = relation_values_of(a, q.b);
    for (ptrdiff_t i = 0; i < q.read.values.len; i++) {
        if (q.read.values.ptr[i].block) {
            add_met(&q, &q.read.values.ptr[i], a);
        }
    }
    return q;
}
