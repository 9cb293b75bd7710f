/*
 * facts.c - what queries say about the values of columns.
 *
 * Method      Each node of a query is looked at once. Every comparison joins
 *             the columns of its sides into a class, or gives its constant to
 *             the class of its column; COUNT compared with a number is a
 *             threshold. Constants that belong to no column count for all. A
 *             function that leaves plain values as they are (LOWER of 'a')
 *             brings some that it does not (telltales).
 *
 * Cost        Linear in the queries, times CONSTANTS_MAX.
 */
#include "base/words.h"
#include "relation/relation_condition.h"
#include "relation/relation_select.h"
#include "relation/relation_values.h"
#include "sample/facts_operand.h"

#include <assert.h>
#include <math.h>

enum {
    CONSTANTS_MAX = 400,
};

typedef struct fact_reader {
    operand_place at;
    sampled_query query;
} fact_reader;

static void add_constant(sampler *m, constant new)
{
    assert(new.id >= -1 && new.id < m->n_columns);
    for (ptrdiff_t i = 0; i < m->constants.len; i++) {
        const constant *c = &m->constants.ptr[i];
        if (c->id == new.id && value_same(c->v, new.v)
            && c->is_pattern == new.is_pattern && c->part == new.part) {
            return;
        }
    }
    if (m->constants.len < CONSTANTS_MAX) {
        if (value_has_bytes(new.v)) {
            new.v = value_text(arena_str(m->a, value_bytes(new.v)));
        }
        if (new.v.kind == VALUE_TEXT) {
            fact_texts_add(&m->texts, m->a, value_bytes(new.v));
        }
        *vec_push(m->a, &m->constants) = new;
        m->is_ready = false;
    }
}

static void add_threshold(sampled_query *q, value v)
{
    int64_t k = v.kind == VALUE_INT    ? v.i
                : v.kind == VALUE_REAL ? (int64_t)fmin(fabs(v.real), 1000)
                                       : 0;
    if (k > q->threshold && k <= THRESHOLD_MAX) {
        q->threshold = k;
    }
}

// The value of the column for which the operand is v.
static value solve(value v, const operand *o)
{
    bool is_number = v.kind == VALUE_INT || v.kind == VALUE_REAL;
    bool is_plain = o->added == 0 && (o->scale == 0 || o->scale == 1);
    if (!is_number || is_plain) {
        return v;
    }
    double scale = o->scale == 0 ? 1 : o->scale;
    double d = v.kind == VALUE_INT ? (double)v.i : v.real;
    double x = (d - o->added) / scale;
    double whole = round(x);
    return fabs(x) < 1e15 && fabs(x - whole) < 1e-9 ? value_int((int64_t)whole)
                                                    : value_real(x);
}

static bool looks_like_date(value v)
{
    value time;
    return v.kind == VALUE_TEXT && value_read_time(value_bytes(v), &time);
}

// A column, or what is made of it, stands against a constant.
static void add_fact(fact_reader *r, operand o, value v, bool is_pattern)
{
    sampler *m = r->at.m;
    if (o.leaves == LEAVES_COUNT) {
        add_threshold(&r->query, v);
        return;
    }
    column_facts *c = o.id >= 0 ? &m->columns[o.id] : NULL;
    if (c && looks_like_date(v)) {
        c->is_date = true;
    }
    if (c && o.leaves == LEAVES_VALUE && v.kind != VALUE_TEXT) {
        c->is_numeral = true;
    }
    add_constant(
        m, (constant){solve(v, &o), o.id, is_pattern,
                      is_pattern ? LEAVES_OTHER : constant_part(o.leaves)});
}

static void compare(fact_reader *r,
                    const ast *left,
                    const ast *right,
                    bool like)
{
    operand l = operand_of(&r->at, left);
    operand o = operand_of(&r->at, right);
    if (l.is_constant && !o.is_constant) {
        add_fact(r, o, l.v, false);
    } else if (o.is_constant && !l.is_constant) {
        add_fact(r, l, o.v, like);
    } else {
        partition_join(&r->at.m->classes, l.id, o.id);
    }
}

static void compare_rows(fact_reader *r, const ast *left, const ast *right)
{
    bool are_rows = left->kind == AST_ROW && right->kind == AST_ROW;
    if (!are_rows) {
        compare(r, left, right, false);
    }
    for (int i = 0; are_rows && row_item(left, i) && row_item(right, i); i++) {
        compare(r, row_item(left, i), row_item(right, i), false);
    }
}

// x IN (SELECT y ...): what x is, y is.
static void join_query(fact_reader *r, const ast *x, const ast *query)
{
    const bound_query *q = r->at.b ? bind_query_at(r->at.b, query) : NULL;
    for (ptrdiff_t i = 0; q && row_item(x, i); i++) {
        partition_join(&r->at.m->classes, operand_of(&r->at, row_item(x, i)).id,
                       operand_output_id(r->at.m, q, i));
    }
}

static void read_condition(fact_reader *r, condition c)
{
    bool is_pair = c.kind == CONDITION_PAIR;
    if (is_pair && operator_weighs((int)c.how)) {
        compare_rows(r, c.left, c.right);
    } else if (is_pair && operator_likes((int)c.how)) {
        compare(r, c.left, c.right, true);
    } else if (c.node->kind == AST_BINARY) {
        operand_of(&r->at, c.node);
    } else if (c.node->kind == AST_IN && c.right && ast_is_query(c.right)) {
        join_query(r, c.left, c.right);
    } else {
        for (condition part = {0}; condition_next(&c, &part);) {
            compare_rows(r, part.left, part.right);
        }
    }
}

static void read_literal(fact_reader *r, const ast *n)
{
    value v;
    if (expr_literal(n, &v, r->at.a)) {
        add_constant(r->at.m, (constant){.v = v, .id = -1});
    }
}

static int64_t few(int64_t n)
{
    return n > 0 && n <= THRESHOLD_MAX ? n : 0;
}

// How many rows it reaches, as far as both of its numbers are small.
static void read_limit(sampled_query *q, const ast *n)
{
    row_range range = row_range_of(n);
    int64_t rows = few(range.count) + few(range.offset);
    q->limit = rows > q->limit ? rows : q->limit;
}

// "x" that no column answers to.
static void read_doubt(fact_reader *r, const ast *n)
{
    const bound_ref *ref = r->at.b ? bind_ref(r->at.b, n) : NULL;
    if (ref && ref->kind == REF_STRING) {
        add_constant(r->at.m, (constant){.v = value_text(n->text), .id = -1});
    }
}

// Values that a function changes, as texts and numbers.
static const struct {
    str function;
    str text;
    double number;
} telltales[] = {
    {S_INIT("lower"), S_INIT("aB"), 0},    {S_INIT("lcase"), S_INIT("aB"), 0},
    {S_INIT("upper"), S_INIT("aB"), 0},    {S_INIT("ucase"), S_INIT("aB"), 0},
    {S_INIT("trim"), S_INIT(" a "), 0},    {S_INIT("ltrim"), S_INIT(" a"), 0},
    {S_INIT("rtrim"), S_INIT("a "), 0},    {S_INIT("length"), S_INIT("ab "), 0},
    {S_INIT("substr"), S_INIT("abcd"), 0}, {S_INIT("instr"), S_INIT("ba"), 0},
    {S_INIT("abs"), S_INIT(""), -1},       {S_INIT("sign"), S_INIT(""), -2},
    {S_INIT("round"), S_INIT(""), 2.346},  {S_INIT("floor"), S_INIT(""), 2.5},
    {S_INIT("ceil"), S_INIT(""), 2.5},     {S_INIT("ceiling"), S_INIT(""), 2.5},
    {S_INIT("cast"), S_INIT("2.5"), 2.5},  {S_INIT("collate"), S_INIT("A"), 0},
};

static void add_telltales(fact_reader *r, const ast *n)
{
    str word;
    const ast *of = operand_within(n, &word);
    operand_of(&r->at, n);
    int32_t id = of ? operand_of(&r->at, of).id : -1;
    ptrdiff_t row = words_at_fold(telltales, function, word);
    if (id < 0 || row < 0) {
        return;
    }
    if (telltales[row].text.len > 0) {
        add_constant(r->at.m, (constant){.v = value_text(telltales[row].text),
                                         .id = id});
    }
    double number = telltales[row].number;
    if (number != 0) {
        add_constant(r->at.m, (constant){.v = number == floor(number)
                                                  ? value_int((int64_t)number)
                                                  : value_real(number),
                                         .id = id});
    }
}

static void read_node(fact_reader *r, const ast *n)
{
    switch ((int)n->kind) {
    case AST_BINARY:
    case AST_BETWEEN:
    case AST_IN:
    case AST_CASE: read_condition(r, condition_of(n, false)); break;
    case AST_NUMBER:
    case AST_STRING: read_literal(r, n); break;
    case AST_DOUBT: read_doubt(r, n); break;
    case AST_CALL:
    case AST_CAST:
    case AST_COLLATE: add_telltales(r, n); break;
    default: break;
    }
}

static void read_query(fact_reader *r, const bound_query *q)
{
    sampler *m = r->at.m;
    for (ptrdiff_t i = 0; q->block && i < q->block->n_merges; i++) {
        const bound_merge *g = &q->block->merges[i];
        partition_join(&m->classes,
                       operand_source_id(m, g->left, g->left_column),
                       operand_source_id(m, g->right, g->right_column));
    }
    for (ptrdiff_t i = 0; q->left && i < q->left->n_outputs; i++) {
        partition_join(&m->classes, operand_output_id(m, q->left, i),
                       operand_output_id(m, q->right, i));
    }
}

// The numbers of a LIMIT are no values.
static bool read(void *context, const bound_query *q, const ast *n)
{
    fact_reader *r = context;
    if (q) {
        read_query(r, q);
    } else if (n->kind == AST_LIMIT) {
        read_limit(&r->query, n);
    } else {
        read_node(r, n);
    }
    return n->kind != AST_LIMIT;
}

sampled_query facts_read(sampler *m, const binding *b, arena scratch)
{
    arena work = arena_half(&scratch);
    fact_reader r = {.at = {.m = m, .b = b, .table = -1, .a = &work},
                     .query = {.binding = b}};
    relation_each_node(b, read, &r, scratch);
    return r.query;
}

void facts_read_check(sampler *m,
                      int32_t table,
                      const ast *check,
                      arena scratch)
{
    assert(table >= 0 && table < m->s->n_tables);
    arena work = arena_half(&scratch);
    fact_reader r = {.at = {.m = m, .table = table, .a = &work}};
    node_list all = relation_nodes_of(&scratch, check, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        read_node(&r, all.ptr[i]);
    }
}
