/*
 * blame_read.c - see blame_read.h: one walk a block.
 *
 * Method      The tree is parsed and bound once. A walk over it finds the
 *             blocks; a walk over each block, which stops at the blocks inside
 *             it, collects values and calls, so that each belongs to
 *             the innermost block around it. A comparison is noted from both
 *             of its sides, its operator turned round for the right one.
 */
#include "blame/blame_read.h"

#include "sql/parse.h"

static const schema no_schema;

typedef struct block_walk {
    blame_query *q;
    const bound_block *block;
    arena *a;
} block_walk;

bool blame_is_call(const ast *e, const char *name)
{
    return e && e->kind == AST_CALL && str_equal_fold(e->text, str_from(name));
}

const bound_source *blame_source(const blame_query *q, const ast *e)
{
    const bound_ref *ref = e ? bind_ref(q->b, e) : NULL;
    return ref && ref->kind == REF_COLUMN ? ref->source : NULL;
}

bound_place blame_place(const blame_query *q, const ast *e)
{
    return bind_stored_at(q->b, e);
}

const schema_column *blame_column(const blame_query *q, bound_place p)
{
    return p.table < 0 || p.column < 0
               ? NULL
               : &q->schema->tables[p.table].columns[p.column];
}

bool blame_is_key(const blame_query *q, bound_place p)
{
    bool found = false;
    if (p.table >= 0) {
        const schema_table *t = &q->schema->tables[p.table];
        found = t->columns[p.column].is_rowid;
        for (ptrdiff_t i = 0; i < t->n_uniques && !found; i++) {
            found =
                t->uniques[i].n == 1 && t->uniques[i].columns[0] == p.column;
        }
    }
    return found;
}

bool blame_may_be_null(const blame_query *q, bound_place p)
{
    return p.table >= 0 && !blame_is_key(q, p)
           && !schema_never_null(&q->schema->tables[p.table], p.column);
}

static bool is_reference(const schema *s, bound_place p)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
        const schema_key *k = &s->keys[i];
        found = k->child == p.table && k->n == 1 && k->columns[0] == p.column;
    }
    return found;
}

bool blame_is_name(const blame_query *q, bound_place p)
{
    const schema_column *c = blame_column(q, p);
    return c && c->affinity == AFFINITY_TEXT && !blame_is_key(q, p)
           && !is_reference(q->schema, p)
           && (str_find_fold(c->name, S("name"), 0) >= 0
               || str_find_fold(c->name, S("title"), 0) >= 0)
           && schema_primary(&q->schema->tables[p.table]);
}

bool blame_reads(const blame_query *q, int32_t no)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->blocks.len && !found; i++) {
        const bound_block *b = q->blocks.ptr[i];
        for (ptrdiff_t k = 0; k < b->n_sources && !found; k++) {
            found = b->sources[k]->table == no;
        }
    }
    return found;
}

const ast *blame_order(const ast *query)
{
    return query ? ast_query_has(query, QUERY_ORDER) : NULL;
}

int64_t blame_limit(const ast *query)
{
    const ast *limit = query ? ast_query_has(query, QUERY_LIMIT) : NULL;
    const ast *count = limit ? limit->kid[LIMIT_COUNT] : NULL;
    int64_t n = -1;
    return count && str_to_int(count->text, &n) ? n : -1;
}

/* Values. */

static const ast *first_column(const ast *e)
{
    const ast *found = NULL;
    for (int depth = 0; e && !found && depth < 4; depth++) {
        found = e->kind == AST_COLUMN || e->kind == AST_DOUBT ? e : NULL;
        const ast *inner = NULL;
        if (e->kind == AST_CALL) {
            inner = e->kid[CALL_ARGS];
            while (inner && inner->next && inner->kind == AST_STRING) {
                inner = inner->next;
            }
        } else if (e->kind == AST_CAST) {
            inner = e->kid[CAST_EXPR];
        }
        e = inner;
    }
    return found;
}

static bool is_string(const blame_query *q, const ast *e)
{
    const bound_ref *ref = bind_ref(q->b, e);
    return e->kind == AST_STRING
           || (e->kind == AST_DOUBT && ref && ref->kind == REF_STRING);
}

static void add_value(block_walk *w,
                      const ast *what,
                      const ast *literal,
                      int how)
{
    if (!what || !literal
        || !(literal->kind == AST_NUMBER || is_string(w->q, literal))
        || what->kind == AST_NUMBER || is_string(w->q, what)) {
        return;
    }
    str text = literal->text;
    if (literal->kind == AST_STRING && text.len >= 2) {
        text = str_sub(text, 1, text.len - 1);
    }
    *vec_push(w->a, &w->q->values) = (blame_value){
        .text = text,
        .words = asked_words_of(w->a, text),
        .column = blame_place(w->q, first_column(what)),
        .is_number = literal->kind == AST_NUMBER,
        .is_plain = what->kind == AST_COLUMN,
        .relation = how,
    };
}

// date(d, '-18 years'), INTERVAL '18 years', INTERVAL 18 YEAR: who writes so
// compares with 18, too.
static void add_span(block_walk *w, const ast *n)
{
    bool has_unit = n->kind == AST_INTERVAL;
    const ast *literal = has_unit ? n->kid[INTERVAL_VALUE] : n;
    if (!literal
        || (literal->kind != AST_NUMBER && literal->kind != AST_STRING)) {
        return;
    }
    str_list words = asked_words_of(w->a, literal->text);
    bool is_span =
        words.len == 1 + !has_unit && is_digit(words.ptr[0].ptr[0])
        && (has_unit
            || str_among(words.ptr[1], "year years month months day days hour "
                                       "hours minute minutes second seconds"));
    if (is_span) {
        *vec_push(w->a, &w->q->spans) = words;
    }
}

static int turned(int o)
{
    switch (o) {
    case OPERATOR_LESS: return OPERATOR_GREATER;
    case OPERATOR_GREATER: return OPERATOR_LESS;
    case OPERATOR_LESS_EQUAL: return OPERATOR_GREATER_EQUAL;
    case OPERATOR_GREATER_EQUAL: return OPERATOR_LESS_EQUAL;
    default: return o;
    }
}

static bool is_comparison(int o)
{
    return operator_compares(o) || o == OPERATOR_IS || o == OPERATOR_LIKE
           || o == OPERATOR_GLOB;
}

/* Aggregates. */

static void add_call(block_walk *w, const ast *n)
{
    const ast *arg = n->kid[CALL_ARGS];
    *vec_push(w->a, &w->q->calls) = (blame_call){
        .node = n,
        .block = w->block,
        .arg = blame_place(w->q, arg),
        .is_star = arg && arg->kind == AST_STAR,
        .is_distinct = (n->flags & AST_FLAG_DISTINCT) != 0,
    };
}

static bool visit_own(void *context, const ast *n)
{
    block_walk *w = context;
    if (n != w->block->node && ast_is_query(n)) {
        return false;  // a block of its own
    }
    if (n->kind == AST_BINARY && is_comparison(n->form)) {
        const ast *left = n->kid[BINARY_LEFT];
        const ast *right = n->kid[BINARY_RIGHT];
        int o = n->form;
        add_value(w, left, right, o);
        add_value(w, right, left, turned(o));
    } else if (n->kind == AST_BETWEEN && !(n->flags & AST_FLAG_NOT)) {
        const ast *what = n->kid[BETWEEN_EXPR];
        add_value(w, what, n->kid[BETWEEN_LOW], OPERATOR_GREATER_EQUAL);
        add_value(w, what, n->kid[BETWEEN_HIGH], OPERATOR_LESS_EQUAL);
    } else if (n->kind == AST_IN) {
        for (const ast *v = n->kid[IN_LIST]; v; v = v->next) {
            add_value(w, n->kid[IN_EXPR], v, OPERATOR_EQUAL);
        }
    } else if (n->kind == AST_CALL && bind_is_aggregate(n, w->q->b->dialect)) {
        add_call(w, n);
    } else if (n->kind == AST_STRING || n->kind == AST_INTERVAL) {
        add_span(w, n);
    }
    return true;
}

static bool visit_block(void *context, const ast *n)
{
    block_walk *w = context;
    const bound_block *own =
        n->kind == AST_SELECT ? bind_block_at(w->q->b, n) : NULL;
    if (own) {
        *vec_push(w->a, &w->q->blocks) = own;
    }
    return true;
}

blame_query blame_read(const blame_case *c,
                       const blame_side *side,
                       arena *a,
                       arena scratch)
{
    blame_query q = {.side = side,
                     .schema = c->schema ? c->schema : &no_schema};
    parse_result p = parse_sql(a, side->sql, c->d, scratch);
    if (p.errors.len > 0 || !p.statements || !ast_is_query(p.statements)) {
        return q;
    }
    q.tree = p.statements;
    q.b = bind_query(a, p.statements, q.schema, c->d, scratch);
    const bound_block *top = bind_leftmost(q.b->query);
    q.top = top && top->node->kind == AST_SELECT ? top : NULL;
    q.meaning =
        q.b->problems.len == 0 ? relation_of(a, q.b, ASSUME_DEFAULT) : NULL;
    block_walk w = {&q, NULL, a};
    ast_walk(p.statements, visit_block, &w);
    for (ptrdiff_t i = 0; i < q.blocks.len; i++) {
        w.block = q.blocks.ptr[i];
        ast_walk(w.block->node, visit_own, &w);
    }
    return q;
}
