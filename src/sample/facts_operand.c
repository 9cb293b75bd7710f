/*
 * facts_operand.c - what an operand of a comparison is: a constant, a column,
 * or something one can solve for a column.
 *
 * Method      Names are followed through aliases, derived tables and scalar
 *             subqueries to a column of the schema. Arithmetic with constants
 *             is kept as scale and addend, so that `2 * x + 1 > 7` gives x the
 *             constant 3. Functions say what they leave of their column (its
 *             length, its month, ...). On the way columns are marked: used as a
 *             date, used as a number.
 *
 * Invariants  id >= 0 exactly when one column of the schema is known; only then
 *             it leaves something, but for COUNT.
 *
 * Cost        Linear in the expression; OPERAND_DEPTH_MAX bounds how far names
 *             are followed. What lies deeper is OTHER, which costs a constant,
 *             never a wrong answer.
 */
#include "sample/facts_operand.h"

#include "base/words.h"
#include "relation/relation_condition.h"
#include "sample/moment.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    OPERAND_DEPTH_MAX = 30,  // of aliases and derived tables
};

static operand look(const operand_place *at, const ast *n, int depth);

int32_t operand_source_id(const sampler *m, const bound_source *s, int32_t c)
{
    assert(m->first);
    bound_place p = bind_stored(s, c);
    return p.table >= 0 && p.column >= 0 ? m->first[p.table] + p.column : -1;
}

int32_t operand_output_id(const sampler *m, const bound_query *q, ptrdiff_t i)
{
    return q && i < q->n_outputs && q->outputs[i].source ? operand_source_id(
               m, q->outputs[i].source, q->outputs[i].column)
                                                         : -1;
}

static operand other(void)
{
    return (operand){.id = -1};
}

static operand of_constant(value v)
{
    return (operand){.is_constant = true, .id = -1, .v = v};
}

static operand as(operand o, function_leaves leaves)
{
    assert(o.id >= -1);
    o.is_constant = false;
    o.leaves = o.id >= 0 ? leaves : LEAVES_OTHER;
    return o;
}

static operand of_column(int32_t id)
{
    return as((operand){.id = id}, LEAVES_VALUE);
}

static operand look_source(const operand_place *at,
                           const bound_source *s,
                           int32_t c,
                           int depth);

// A column of a query: the column that it is, or its expression.
static operand look_item(const operand_place *at,
                         const bound_column *c,
                         int depth)
{
    return c->source ? look_source(at, c->source, c->column, depth + 1)
           : c->expr ? look(at, c->expr, depth + 1)
                     : other();
}

static operand look_source(const operand_place *at,
                           const bound_source *s,
                           int32_t c,
                           int depth)
{
    int32_t id = operand_source_id(at->m, s, c);
    bool is_known = id >= 0 || depth > OPERAND_DEPTH_MAX || !s || !s->query
                    || c < 0 || c >= s->query->n_outputs;
    return is_known ? of_column(id)
                    : look_item(at, &s->query->outputs[c], depth);
}

static operand look_name(const operand_place *at, const ast *n, int depth)
{
    if (!at->b) {
        assert(at->table >= 0 && at->table < at->m->s->n_tables);
        int32_t c = schema_find_column(&at->m->s->tables[at->table], n->text);
        return of_column(c < 0 ? -1 : at->m->first[at->table] + c);
    }
    const bound_ref *ref = bind_ref(at->b, n);
    if (!ref) {
        return other();
    }
    switch (ref->kind) {
    case REF_COLUMN: return look_source(at, ref->source, ref->column, depth);
    case REF_STRING: return of_constant(value_text(n->text));
    case REF_OUTPUT:
    case REF_POSITION: {
        const bound_column *item = bind_item(at->b, n);
        return item ? look_item(at, item, depth) : other();
    }
    case REF_NONE:
    case REF_ROWID: break;
    }
    return other();
}

// A query counts from this day or to it: what a step across the end of a month
// is shows there alone.
static void mark_stepped(const operand_place *at, operand o)
{
    if (o.id >= 0) {
        at->m->columns[o.id].is_stepped = true;
    }
}

// What the format or the field of a function says that it leaves of a date: the
// first word that is in it.
static const struct {
    str function;
    str word;
    function_leaves leaves;
} date_parts[] = {
    {S_INIT("strftime"), S_INIT("%Y"), LEAVES_BEGINNING},
    {S_INIT("strftime"), S_INIT("%m"), LEAVES_MONTH},
    {S_INIT("strftime"), S_INIT("%d"), LEAVES_DAY},
    {S_INIT("to_char"), S_INIT("y"), LEAVES_BEGINNING},
    {S_INIT("to_char"), S_INIT("mm"), LEAVES_MONTH},
    {S_INIT("to_char"), S_INIT("'dd'"), LEAVES_DAY},
    {S_INIT("date_trunc"), S_INIT(""), LEAVES_VALUE},
    {S_INIT("extract"), S_INIT("mon"), LEAVES_MONTH},
    {S_INIT("extract"), S_INIT("year"), LEAVES_BEGINNING},
    {S_INIT("extract"), S_INIT("day"), LEAVES_DAY},
    {S_INIT("date_part"), S_INIT("mon"), LEAVES_MONTH},
    {S_INIT("date_part"), S_INIT("year"), LEAVES_BEGINNING},
    {S_INIT("date_part"), S_INIT("day"), LEAVES_DAY},
};

// A part of a date: STRFTIME('%m', x), DATE_TRUNC('month', x), EXTRACT(YEAR
// FROM x), TO_CHAR(x, 'YYYY-MM').
static operand look_part(const operand_place *at, const ast *n, int depth)
{
    assert(n->kid[CALL_ARGS] && n->kid[CALL_ARGS]->next);
    const ast *first = n->kid[CALL_ARGS];
    bool shows = str_equal_fold(n->text, S("to_char"));
    const ast *of = shows ? first : first->next;
    str part = (shows ? first->next : first)->text;
    operand o =
        look(at, of->kind == AST_TAGGED ? of->kid[TAGGED_EXPR] : of, depth + 1);
    if (o.id < 0) {
        return other();
    }
    at->m->columns[o.id].is_date = true;
    // %M of STRFTIME is the minute.
    bool is_exact = str_equal_fold(n->text, S("strftime"));
    part = is_exact ? part : arena_lower(at->a, part);
    for (ptrdiff_t i = 0; i < countof(date_parts); i++) {
        if (str_equal_fold(n->text, date_parts[i].function)
            && str_find(part, date_parts[i].word, 0) >= 0) {
            return as(o, date_parts[i].leaves);
        }
    }
    return as(o, LEAVES_OTHER);
}

static bool is_part_function(const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    return first && first->next
           && words_at_fold(date_parts, function, n->text) >= 0;
}

// JULIANDAY(x), DATE(x, '+1 day')
static bool counts_days(const ast *n)
{
    return str_equal_fold(n->text, S("julianday"))
           || (n->kid[CALL_ARGS] && n->kid[CALL_ARGS]->next
               && str_among_fold(n->text, "date datetime datediff"));
}

static operand look_call(const operand_place *at, const ast *n, int depth)
{
    const sql_function *f = function_of(n->text);
    const ast *first = n->kid[CALL_ARGS];
    if (f->leaves == LEAVES_COUNT) {
        return (operand){.leaves = LEAVES_COUNT, .id = -1};
    }
    if (is_part_function(n)) {
        return look_part(at, n, depth);
    }
    operand o = first ? look(at, first, depth + 1) : other();
    if (o.id >= 0 && f->reads_date) {
        at->m->columns[o.id].is_date = true;
    }
    if (counts_days(n)) {
        mark_stepped(at, o);
    }
    if (o.id >= 0 && str_among_fold(n->text, "sum avg")) {
        at->m->columns[o.id].is_numeral = true;
    }
    return as(o, f->leaves);
}

static double number_of(value v)
{
    return v.kind == VALUE_INT    ? (double)v.i
           : v.kind == VALUE_REAL ? v.real
                                  : 0;
}

// The operand times k: constants it is compared with are divided by that.
static operand scaled(operand o, double k)
{
    assert(k != 0);
    o.scale = (o.scale == 0 ? 1 : o.scale) * k;
    o.added *= k;
    return o;
}

static operand look_binary(const operand_place *at, const ast *n, int depth)
{
    condition c = condition_of(n, false);
    operand l = look(at, c.left, depth + 1);
    operand r = look(at, c.right, depth + 1);
    bool is_sum = n->form == OPERATOR_ADD || n->form == OPERATOR_SUBTRACT;
    double sign = n->form == OPERATOR_SUBTRACT ? -1 : 1;
    for (int side = 0; side < 2 && n->form != OPERATOR_CONCAT; side++) {
        operand *o = side == 0 ? &l : &r;
        if (o->leaves == LEAVES_VALUE) {
            at->m->columns[o->id].is_numeral = true;
        }
        if (is_sum) {
            mark_stepped(at, *o);
        }
    }
    if (is_sum && l.id >= 0 && r.is_constant) {
        l.added += sign * number_of(r.v);
        return l;
    }
    if (n->form == OPERATOR_ADD && r.id >= 0 && l.is_constant) {
        r.added += number_of(l.v);
        return r;
    }
    bool is_times = n->form == OPERATOR_MULTIPLY;
    bool is_ratio = n->form == OPERATOR_DIVIDE;
    double k = number_of(r.v);
    if ((is_times || is_ratio) && l.id >= 0 && r.is_constant && k != 0) {
        return scaled(l, is_times ? k : 1 / k);
    }
    if (is_times && r.id >= 0 && l.is_constant && number_of(l.v) != 0) {
        return scaled(r, number_of(l.v));
    }
    return as(l.id >= 0 ? l : r, LEAVES_OTHER);
}

static operand look_unary(const operand_place *at, const ast *n, int depth)
{
    operand o = look(at, n->kid[UNARY_EXPR], depth + 1);
    if (n->form == OPERATOR_NEGATE && o.is_constant) {
        o.v = o.v.kind == VALUE_INT && o.v.i != INT64_MIN ? value_int(-o.v.i)
              : o.v.kind == VALUE_REAL ? value_real(-o.v.real)
                                       : o.v;
        return o;
    }
    return n->form == OPERATOR_POSITIVE ? o : as(o, LEAVES_OTHER);
}

static operand look_query(const operand_place *at, const ast *n, int depth)
{
    const bound_query *q = at->b && n ? bind_query_at(at->b, n) : NULL;
    return q && q->n_outputs > 0 ? look_item(at, q->outputs, depth) : other();
}

static operand look(const operand_place *at, const ast *n, int depth)
{
    value v;
    if (!n || depth > OPERAND_DEPTH_MAX) {
        return other();
    }
    if (expr_literal(n, &v, at->a)
        || moment_of(n, at->m->o.clock_ms, &v, at->m->a)) {
        return of_constant(v);
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: return look_name(at, n, depth);
    case AST_CAST: return look(at, n->kid[CAST_EXPR], depth + 1);
    case AST_COLLATE: return look(at, n->kid[COLLATE_EXPR], depth + 1);
    // x = ANY (tags), tags[1] = x: of an array, what it holds.
    case AST_QUANTIFIED: return look(at, n->kid[QUANTIFIED_EXPR], depth + 1);
    case AST_SUBSCRIPT: return look(at, n->kid[SUBSCRIPT_EXPR], depth + 1);
    case AST_TYPED: return look(at, n->kid[TYPED_VALUE], depth + 1);
    case AST_UNARY: return look_unary(at, n, depth);
    case AST_BINARY: return look_binary(at, n, depth);
    case AST_CALL: return look_call(at, n, depth);
    case AST_SUBQUERY: return look_query(at, n->kid[SUBQUERY_QUERY], depth);
    default: return other();
    }
}

operand operand_of(const operand_place *at, const ast *n)
{
    return look(at, n, 0);
}
