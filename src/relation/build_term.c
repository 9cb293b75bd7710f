/*
 * build_term.c - expressions of the tree as terms.
 */
#include "base/places.h"
#include "relation/build_internal.h"
#include "relation/relation_class.h"
#include "relation/relation_type.h"

#include <assert.h>

bool build_terms(builder *b, const ast *list, term_list *out)
{
    const term *t = NULL;
    for (; list && (t = build_term(b, list)); list = list->next) {
        term_list_push(b->p, out, t);
    }
    return !list;
}

static const term *binary_call(builder *b, str name, const ast *n)
{
    if (build_may_fail(name)) {
        return prover_stop(b->p, S("JSON, which may be malformed"));
    }
    const term *args[3] = {
        build_term(b, n->kid[BINARY_LEFT]),
        build_term(b, n->kid[BINARY_RIGHT]),
    };
    int32_t count = 2;
    if (n->kid[BINARY_ESCAPE]) {
        args[count++] = build_term(b, n->kid[BINARY_ESCAPE]);
    }
    bool ok = args[0] && args[1] && (count == 2 || args[2]);
    return ok ? term_call(b->p, name, args, count) : NULL;
}

static term_kind comparison(int form)
{
    switch (form) {
    case OPERATOR_EQUAL:
    case OPERATOR_EQUAL_EQUAL: return TERM_EQUAL;
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL: return TERM_UNEQUAL;
    case OPERATOR_LESS: return TERM_LESS;
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_NOT_GREATER: return TERM_LESS_EQUAL;
    case OPERATOR_GREATER: return TERM_GREATER;
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_NOT_LESS: return TERM_GREATER_EQUAL;
    default: return TERM_NULL;
    }
}

static term_kind arithmetic(int form)
{
    switch (form) {
    case OPERATOR_ADD: return TERM_ADD;
    case OPERATOR_SUBTRACT: return TERM_SUBTRACT;
    case OPERATOR_MULTIPLY: return TERM_MULTIPLY;
    case OPERATOR_DIVIDE: return TERM_DIVIDE;
    case OPERATOR_REMAINDER: return TERM_REMAINDER;
    default: return TERM_NULL;
    }
}

// `||` is OR in MySQL, `&&` AND.
static term_kind connective(const builder *b, int form)
{
    bool is_mysql = b->p->bound->dialect == DIALECT_MYSQL;
    switch (form) {
    case OPERATOR_AND: return TERM_AND;
    case OPERATOR_AND_AND: return is_mysql ? TERM_AND : TERM_NULL;
    case OPERATOR_OR: return TERM_OR;
    case OPERATOR_CONCAT: return is_mysql ? TERM_OR : TERM_CONCAT;
    default: return TERM_NULL;
    }
}

// `x IS TRUE` asks for more than equality.
static const term *is_term(builder *b, const ast *n)
{
    const ast *right = n->kid[BINARY_RIGHT];
    bool is_true = right->kind == AST_TRUE;
    if ((is_true || right->kind == AST_FALSE) && !prover_is_typed(b->p)) {
        const term *x = build_term(b, n->kid[BINARY_LEFT]);
        const term *args[] = {x && !is_true ? term_not(b->p, x) : x,
                              term_boolean(b->p, true),
                              term_boolean(b->p, false)};
        return x ? term_case(b->p, args, 3) : NULL;
    }
    if (is_true || right->kind == AST_FALSE) {
        return binary_call(
            b, right->kind == AST_TRUE ? S("is_true") : S("is_false"), n);
    }
    const term *l = build_term(b, n->kid[BINARY_LEFT]);
    const term *r = l ? build_term(b, right) : NULL;
    return r ? term_is(b->p, l, r) : NULL;
}

// Where types are strict, a number that is too large, a division by 0 and a
// CAST of what cannot be cast are errors.
static const term *that_may_fail(builder *b, const term *t)
{
    b->p->n_failing += t && !term_is_literal(t) && prover_is_typed(b->p);
    return t;
}

static const term *plain_binary(builder *b, const ast *n)
{
    prover *p = b->p;
    int form = n->form;
    if (form == OPERATOR_IS || form == OPERATOR_IS_DISTINCT
        || form == OPERATOR_NULL_SAFE) {
        const term *t = is_term(b, n);
        bool differs = form == OPERATOR_IS_DISTINCT;
        return t && differs ? term_not(p, t) : t;
    }
    term_kind kind = connective(b, form);
    term_kind order = comparison(form);
    // DuckDB's division is its own, of whole numbers too; see fragment.c.
    bool divides = form == OPERATOR_DIVIDE || form == OPERATOR_REMAINDER;
    bool is_own = divides && p->bound->dialect == DIALECT_DUCKDB;
    term_kind sum = is_own ? TERM_NULL : arithmetic(form);
    if (!kind && !order && !sum) {
        return that_may_fail(
            b, binary_call(b, operator_text((sql_operator)form), n));
    }
    const term *l = build_term(b, n->kid[BINARY_LEFT]);
    const term *r = l ? build_term(b, n->kid[BINARY_RIGHT]) : NULL;
    if (!r) {
        return NULL;
    }
    if (kind == TERM_AND || kind == TERM_OR) {
        const term *both[] = {l, r};
        return term_all(p, kind, both, 2);
    }
    return order  ? term_compare(p, order, l, r)
           : kind ? term_concat(p, l, r)
                  : that_may_fail(b, term_arithmetic(p, sum, l, r));
}

static const term *unary(builder *b, const ast *n)
{
    const term *t = build_term(b, n->kid[UNARY_EXPR]);
    if (!t) {
        return NULL;
    }
    switch (n->form) {
    case OPERATOR_NOT: return term_not(b->p, t);
    case OPERATOR_NEGATE: return that_may_fail(b, term_negate(b->p, t));
    case OPERATOR_POSITIVE: return term_plus(b->p, t);
    default:
        return term_call(b->p, operator_text((sql_operator)n->form), &t, 1);
    }
}

static bool may_be_null(prover *p, const term *t)
{
    return t->kind == TERM_COLUMN ? !know_declared_not_null(p, t)
                                  : !term_is_literal(t);
}

// A SELECT of one table's columns and no more, which SQLite may answer by an
// index of that table.
static bool may_be_an_index(const block *b)
{
    return b->sources.len == 1 && !b->sources.ptr[0]->body && !b->where.len
           && !b->is_grouped && b->repeats == REPEATS_KEPT && !b->limit;
}

// Whether all members convert what they are compared with alike.
static bool are_of_one_affinity(const term *x, const block *in)
{
    assert(x->kind == TERM_ROW && x->n == in->select.len);
    bool same = true;
    for (int32_t i = 1; i < x->n; i++) {
        same &= term_affinity(x->args[i]) == term_affinity(x->args[0])
                && term_affinity(in->select.ptr[i])
                       == term_affinity(in->select.ptr[0]);
    }
    return same;
}

// SQLite looks the members of a row up in the order of the index, but converts
// them, and looks whether one is NULL, in the order of the row. Where the two
// orders differ it may call true what is NULL when only some members may be
// NULL, and false what is true when their affinities differ: (a, c) IN (SELECT
// a, c FROM t) with an INTEGER a, a TEXT c and an index of (c, a).
static bool depends_on_indexes(const builder *b, const term *x, const block *in)
{
    int32_t n_null = 0;
    for (int32_t i = 0; i < x->n; i++) {
        n_null += may_be_null(b->p, x->args[i]);
    }
    return may_be_an_index(in)
           && ((n_null > 0 && n_null < x->n) || !are_of_one_affinity(x, in));
}

// SQLite takes the collation of the first member of a row for that of all when
// it chooses an index: (a, c) IN (SELECT ...) looks c up in an index in binary
// order when `a` has that order, though c itself is NOCASE.
static bool is_of_unlike_collations(const term *x)
{
    schema_collation first = COLLATION_BINARY;
    (void)term_collation(x->args[0], &first);
    bool same = true;
    for (int32_t i = 1; i < x->n; i++) {
        schema_collation c = COLLATION_BINARY;
        (void)term_collation(x->args[i], &c);
        same &= c == first;
    }
    return !same;
}

// May an index of the table, but that of its primary key, name the column?
static bool is_indexed(const schema_table *t, int32_t column)
{
    bool found = t->is_indexed;
    for (ptrdiff_t i = 0; !found && i < t->n_uniques; i++) {
        const schema_unique *u = &t->uniques[i];
        found = !u->is_primary && places_have(u->columns, u->n, column);
    }
    return found;
}

static bool is_indexed_rowid(const term *t);

static bool shows_rowid(const block *b, int32_t column)
{
    return b->set
               ? shows_rowid(b->left, column) || shows_rowid(b->right, column)
               : is_indexed_rowid(b->select.ptr[column]);
}

// Also what a derived table or a view shows of one, which SQLite may merge.
static bool is_indexed_rowid(const term *t)
{
    t = term_bare(t);
    if (t->kind == TERM_COLUMN && t->source->body) {
        return shows_rowid(t->source->body, t->column);
    }
    const schema_column *c = term_declared(t);
    return c && c->is_rowid && is_indexed(t->source->columns_of, t->column);
}

// In an index that names the rowid (UNIQUE (a, id), where id is the INTEGER
// PRIMARY KEY) SQLite looks it up twice, the second time by the wrong member.
static bool has_indexed_rowid(const term *x)
{
    bool found = false;
    for (int32_t i = 0; i < x->n; i++) {
        found |= is_indexed_rowid(x->args[i]);
    }
    return found;
}

static const term *in_query(builder *b, const ast *n)
{
    const term *x = build_term(b, n->kid[IN_EXPR]);
    const ast *source = n->kid[IN_SOURCE];
    if (!x || !ast_is_query(source)) {
        return prover_stop(b->p, S("IN of a table or an array"));
    }
    block *body = build_subquery(b, source);
    ptrdiff_t width = x->kind == TERM_ROW ? x->n : 1;
    if (!body || block_outputs(body) != width) {
        return prover_stop(b->p, S("IN of a query of more columns"));
    }
    if (x->kind == TERM_ROW && b->p->bound->dialect == DIALECT_SQLITE
        && (depends_on_indexes(b, x, body) || is_of_unlike_collations(x)
            || has_indexed_rowid(x))) {
        return prover_stop(b->p, S("IN of a row, by an index"));
    }
    const term *same = term_in_row(b->p, x, body);
    return same ? same
                : term_make(
                    b->p,
                    (term){.kind = TERM_IN, .block = body, .n = 1, .args = &x});
}

static const term *in_list(builder *b, const ast *n)
{
    term_list args = {0};
    const term *x = build_term(b, n->kid[IN_EXPR]);
    if (!x) {
        return NULL;
    }
    if (!n->kid[IN_LIST] && (x->has & HAS_AGGREGATE)) {
        // SQLite does not look at it, so that there may be no groups.
        return prover_stop(b->p, S("an aggregate IN ()"));
    }
    term_list_push(b->p, &args, x);
    return build_terms(b, n->kid[IN_LIST], &args)
               ? term_in_list(b->p, args.ptr, (int32_t)args.len)
               : NULL;
}

static const term *between(builder *b, const ast *n)
{
    const term *x = build_term(b, n->kid[BETWEEN_EXPR]);
    const term *low = x ? build_term(b, n->kid[BETWEEN_LOW]) : NULL;
    const term *high = low ? build_term(b, n->kid[BETWEEN_HIGH]) : NULL;
    if (n->flags & AST_FLAG_SYMMETRIC) {
        return prover_stop(b->p, S("BETWEEN SYMMETRIC"));
    }
    return high ? term_between(b->p, x, low, high) : NULL;
}

static const term *case_term(builder *b, const ast *n)
{
    const ast *expr = n->kid[CASE_EXPR];
    const term *x = expr ? build_term(b, expr) : NULL;
    term_list args = {0};
    if (expr && !x) {
        return NULL;
    }
    for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
        if (w->kind != AST_WHEN) {
            return prover_stop(b->p, S("a CASE of unknown form"));
        }
        const term *when = build_term(b, w->kid[WHEN_IF]);
        const term *then = when ? build_term(b, w->kid[WHEN_THEN]) : NULL;
        if (!then) {
            return NULL;
        }
        when = x ? term_compare(b->p, TERM_EQUAL, x, when) : when;
        term_list_push(b->p, &args, when);
        term_list_push(b->p, &args, then);
    }
    if (n->kid[CASE_ELSE]) {
        const term *other = build_term(b, n->kid[CASE_ELSE]);
        if (!other) {
            return NULL;
        }
        term_list_push(b->p, &args, other);
    }
    return term_case(b->p, args.ptr, (int32_t)args.len);
}

static const term *row(builder *b, const ast *n)
{
    term_list items = {0};
    if (!build_terms(b, n->kid[ROW_ITEMS], &items)) {
        return NULL;
    }
    if (items.len == 1) {
        return items.ptr[0];
    }
    return term_make(
        b->p,
        (term){.kind = TERM_ROW, .n = (int32_t)items.len, .args = items.ptr});
}

static walk_step search_wanted(void *wanted, const term *t)
{
    return t == *(const term **)wanted ? WALK_END : WALK_ON;
}

// Whether a condition may leave one value of the term: any but one of a range.
static bool may_be_held(const block *b, const term *t)
{
    bool may = false;
    for (ptrdiff_t i = 0; !may && i < b->where.len; i++) {
        const term *test = b->where.ptr[i];
        bool is_range = term_compares(test) && test->kind != TERM_EQUAL;
        may = !is_range && term_walk(test, search_wanted, &t);
    }
    return may;
}

// Whether SQLite must sort the rows of a table: neither the term nor what a key
// begins with may be held to one value, and no key begins with the term.
static bool sorts_by(prover *p, const block *b, const term *t)
{
    instance *s = b->sources.len == 1 ? b->sources.ptr[0] : NULL;
    const schema_table *table = s && !s->body ? s->columns_of : NULL;
    const term *rowid = table ? term_rowid(p, s) : NULL;
    bool sorts = table && !b->is_grouped && t != rowid && !may_be_held(b, t)
                 && !may_be_held(b, rowid);
    for (ptrdiff_t u = 0; sorts && u < table->n_uniques; u++) {
        const schema_unique *key = &table->uniques[u];
        const term *c = key->n > 0 ? term_column(p, s, key->columns[0]) : NULL;
        sorts = !c || (t != c && !may_be_held(b, c));
    }
    return sorts;
}

// Where OFFSET leaves no row of a DISTINCT subquery SQLite gives the value of
// one that it skipped, unless it sorts them; of EXISTS it forgets DISTINCT.
static bool skips_wrongly(prover *p, term_kind kind, const block *body)
{
    bool sorts =
        body->order.len > 0 && sorts_by(p, body, body->order.ptr[0].term);
    return p->bound->dialect == DIALECT_SQLITE && p->elsewhere == DIALECT_SQLITE
           && body->offset && body->repeats == REPEATS_DROPPED
           && (kind == TERM_EXISTS || !sorts);
}

static const term *of_block(builder *b, term_kind kind, const ast *query)
{
    assert(kind == TERM_EXISTS || kind == TERM_SCALAR);
    block *body = build_subquery(b, query);
    if (!body) {
        return NULL;
    }
    if (skips_wrongly(b->p, kind, body)) {
        return prover_stop(b->p, S("OFFSET in a DISTINCT subquery"));
    }
    if (kind == TERM_SCALAR && block_outputs(body) != 1) {
        return prover_stop(b->p, S("a subquery of more columns"));
    }
    return term_make(b->p, (term){.kind = (uint8_t)kind, .block = body});
}

static const term *cast(builder *b, const ast *n)
{
    const term *t = build_term(b, n->kid[CAST_EXPR]);
    const ast *type = n->kid[CAST_TYPE];
    if (!t || !type || type->kind != AST_TYPE || n->kid[CAST_FORMAT]
        || type->kid[TYPE_AFTER]) {
        return prover_stop(b->p, S("a CAST of a rare kind"));
    }
    if (prover_is_typed(b->p)) {
        // There each type is another one.
        buf name = buf_new(b->p->a);
        buf_add(&name, S("cast "));
        buf_add(&name, type->text);
        for (const ast *i = type->kid[TYPE_ARGS]; i; i = i->next) {
            buf_char(&name, ' ');
            buf_add(&name, i->text);
        }
        return that_may_fail(b, term_call(b->p, buf_str(&name), &t, 1));
    }
    return term_cast(b->p, t, schema_affinity_of(type->text));
}

static const term *reference(builder *b, const ast *n)
{
    if (b->row) {
        int32_t column = schema_find_column(b->row->columns_of, n->text);
        assert(column >= 0);  // is_plain() found it
        return build_generated(b, term_column(b->p, b->row, column));
    }
    const bound_ref *ref = bind_ref(b->p->bound, n);
    if (!ref || ref->is_merged) {
        return prover_stop(b->p, S("a name that is not known"));
    }
    switch ((int)ref->kind) {
    case REF_COLUMN:
        return ref->column >= 0
                   ? build_column(b, ref->source, ref->column)
                   : prover_stop(b->p, S("a whole row as a value"));
    case REF_ROWID: return build_column(b, ref->source, -1);
    case REF_OUTPUT:
    case REF_POSITION: {
        // Of a block further out it is known only where that one is built.
        return ref->depth == 0
                   ? build_output(b, ref->output)
                   : prover_stop(b->p, S("an alias of a query outside"));
    }
    case REF_STRING: return term_text(b->p, n->text);
    default: return prover_stop(b->p, S("a name that is not known"));
    }
}

static const term *negated(builder *b, const ast *n, const term *t)
{
    return t && (n->flags & AST_FLAG_NOT) ? term_not(b->p, t) : t;
}

static const term *build_kind(builder *b, const ast *n)
{
    switch (n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: return reference(b, n);
    case AST_UNARY: return unary(b, n);
    case AST_BINARY: return negated(b, n, plain_binary(b, n));
    case AST_BETWEEN: return negated(b, n, between(b, n));
    case AST_IN:
        return negated(b, n,
                       n->kid[IN_SOURCE] ? in_query(b, n) : in_list(b, n));
    case AST_EXISTS:
        return negated(b, n, of_block(b, TERM_EXISTS, n->kid[EXISTS_QUERY]));
    case AST_SUBQUERY: return of_block(b, TERM_SCALAR, n->kid[SUBQUERY_QUERY]);
    case AST_CASE: return case_term(b, n);
    case AST_CAST: return cast(b, n);
    case AST_CALL: return build_call(b, n);
    case AST_ROW: return row(b, n);
    case AST_ALIAS: return build_term(b, n->kid[ALIAS_EXPR]);
    default: return build_literal(b, n);
    }
}

static bool is_computed_float(prover *p, const term *t)
{
    const block *body = t->kind == TERM_COLUMN ? t->source->body : NULL;
    return body && !body->set
               ? is_computed_float(p, body->select.ptr[t->column])
               : (t->kind != TERM_COLUMN || body)
                     && str_among(type_of(p, t), "float4 float8");
}

// The digits of a float tell how it was computed, and 0 from -0, which as
// numbers are one: whether the expression makes of one what is no number.
static bool tells_digits(prover *p, const ast *n, const term *t)
{
    if (!prover_is_typed(p)
        || (t->kind != TERM_CALL && t->kind != TERM_CONCAT)) {
        return false;
    }
    schema_kind kind = bind_type(p->bound, n).kind;
    bool tells = false;
    for (int32_t i = 0; !tells && i < t->n; i++) {
        tells = is_computed_float(p, t->args[i]);
    }
    return tells && kind != KIND_BOOLEAN && !schema_kind_is_number(kind);
}

const term *build_term(builder *b, const ast *n)
{
    // Numbers of ORDER BY and GROUP BY are places in the select list.
    if (n->kind == AST_NUMBER && bind_ref(b->p->bound, n)) {
        return reference(b, n);
    }
    if (prover_stopped(b->p)) {
        return NULL;
    }
    const term *t = build_kind(b, n);
    return t && tells_digits(b->p, n, t)
               ? prover_stop(b->p, S("a computed float that is no number"))
               : t;
}
