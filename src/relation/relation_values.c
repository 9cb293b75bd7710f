/*
 * relation_values.c - see relation_values.h.
 *
 * Method      One walk over the tree. What stands around a node says how it is
 *             met: as an equal, a lower or an upper bound, a pattern, a member
 *             of a list. The place is a key of clauses.h in which derived
 *             tables are looked through.
 *
 * Cost        linear in the nodes; of a place, its size.
 */
#include "relation/relation_values.h"

#include "relation/clauses.h"
#include "relation/relation_condition.h"
#include "relation/relation_select.h"
#include "sql/lex.h"
#include "sql/semantics.h"

#include <assert.h>

enum {
    NODES_DEEP = 3 * AST_MAX_HEIGHT,  // through derived tables and views
};

bool relation_is_constant(const binding *b, const ast *n)
{
    if (n->kind == AST_UNARY && n->form == OPERATOR_NEGATE) {
        return n->kid[UNARY_EXPR] && n->kid[UNARY_EXPR]->kind == AST_NUMBER;
    }
    const bound_ref *ref =
        n->kind == AST_DOUBT || n->kind == AST_NUMBER ? bind_ref(b, n) : NULL;
    return (n->kind == AST_NUMBER && !ref) || n->kind == AST_STRING
           || n->kind == AST_PARAMETER || n->kind == AST_TRUE
           || n->kind == AST_FALSE || (ref && ref->kind == REF_STRING);
}

bool relation_totals(const binding *b, const ast *n)
{
    return n->kind == AST_CALL && !n->kid[CALL_OVER]
           && dialect_aggregates(b->dialect, n);
}

const ast *relation_column_in(const ast *e)
{
    enum {
        DEPTH = 4
    };
    str word;
    for (int i = 0; e && i < DEPTH; i++) {
        if (e->kind == AST_COLUMN || e->kind == AST_DOUBT) {
            return e;
        }
        e = operand_within(e, &word);
        while (e && e->next && e->kind == AST_STRING) {
            e = e->next;
        }
    }
    return NULL;
}

typedef struct finder {
    arena *a;
    const binding *b;
    relation_values out;
    const bound_block *block;
    int depth;
} finder;

// A value to the right of the operator.
static met_role role_of(sql_operator o)
{
    switch ((int)o) {
    case OPERATOR_EQUAL:
    case OPERATOR_LESS_GREATER:
    case OPERATOR_IS: return MET_EQUAL;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL: return MET_LOW;
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL: return MET_HIGH;
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE:
    case OPERATOR_GLOB:
    case OPERATOR_SIMILAR:
    case OPERATOR_REGEXP: return MET_PATTERN;
    default: return MET_OTHER;
    }
}

// What a constant would be that stands there: child `no` of field `kid`.
static met_value stand_of(const finder *f, const ast *n, int kid, int no)
{
    met_value v = {.role = MET_OTHER, .in = n, .no = no, .block = f->block};
    switch ((int)n->kind) {
    case AST_BINARY: {
        if (kid == BINARY_ESCAPE) {
            break;
        }
        condition c = condition_of(n, (n->flags & AST_FLAG_NOT) != 0);
        v.how = kid == BINARY_LEFT ? operator_turned(c.how) : c.how;
        v.role = role_of(v.how);
        v.beside = kid == BINARY_LEFT ? c.right : c.left;
        break;
    }
    case AST_BETWEEN:
        if (kid != BETWEEN_EXPR) {
            v.role = kid == BETWEEN_LOW ? MET_LOW : MET_HIGH;
            v.how = n->flags & AST_FLAG_NOT ? OPERATOR_NONE
                    : kid == BETWEEN_LOW    ? OPERATOR_GREATER_EQUAL
                                            : OPERATOR_LESS_EQUAL;
            v.beside = n->kid[BETWEEN_EXPR];
        }
        break;
    case AST_IN:
        v.how = OPERATOR_EQUAL;
        v.beside = n->kid[IN_EXPR];
        break;
    case AST_LIMIT: v.role = kid == LIMIT_COUNT ? MET_LIMIT : MET_OFFSET; break;
    default: break;
    }
    return v;
}

static void add_value(finder *f, const ast *n, met_value v)
{
    v.node = n;
    v.first = v.role == MET_LIST ? n->kid[IN_LIST] : n;
    *vec_push(f->a, &f->out.values) = v;
}

str relation_place_of(arena *a, const binding *b, const met_value *v)
{
    bool is_of_list = v->in->kind == AST_IN && v->role != MET_LIST;
    switch ((int)v->in->kind) {
    case AST_INTERVAL: return S("interval");
    case AST_LIMIT: return v->role == MET_LIMIT ? S("limit") : S("offset");
    case AST_CALL:
        return arena_printf(a, "%.*s#%d", STR_ARG(v->in->text), v->no);
    default: break;
    }
    return !v->beside || is_of_list
               ? S("alone")
               : clause_key(a, b, v->block,
                            v->role == MET_OTHER ? v->in : v->beside,
                            CLAUSE_KEY_PLACE);
}

static bool are_constants(const finder *f, const ast *list)
{
    const ast *n = list;
    while (n && relation_is_constant(f->b, n)) {
        n = n->next;
    }
    return list && !n;
}

static void find(finder *f, const ast *n);

static void find_in(finder *f, const ast *n)
{
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        int no = 0;
        if (n->kind == AST_IN && i == IN_LIST && are_constants(f, n->kid[i])) {
            met_value v = stand_of(f, n, i, 0);
            v.role = MET_LIST;
            add_value(f, n, v);
            continue;
        }
        for (const ast *k = n->kid[i]; k; k = k->next, no++) {
            if (relation_is_constant(f->b, k)) {
                add_value(f, k, stand_of(f, n, i, no));
            } else {
                find(f, k);
            }
        }
    }
}

static const bound_source *source_of(const binding *b, const ast *n)
{
    const bound_ref *ref = n ? bind_ref(b, n) : NULL;
    return ref && ref->kind == REF_COLUMN ? ref->source : NULL;
}

typedef struct node_search {
    arena *a;
    node_list found;
    node_scope scope;
} node_search;

static bool add_node(void *context, const ast *n)
{
    node_search *s = context;
    bool counts = n->kind == AST_CALL && str_equal_fold(n->text, S("count"));
    *vec_push(s->a, &s->found) = n;
    return s->scope == NODES_ALL
           || (!ast_is_query(n) && !(counts && s->scope == NODES_WEIGHED));
}

node_list relation_nodes_of(arena *a, const ast *n, node_scope scope)
{
    node_search s = {.a = a, .scope = scope};
    ast_walk(n, add_node, &s);
    return s.found;
}

typedef struct query_walk {
    const binding *b;
    query_visit *visit;
    void *context;
    vec_of(const bound_query *) seen;  // also those that are being walked
    arena *a;
    int depth;
} query_walk;

static void walk(query_walk *w, const ast *n);

static void walk_below(query_walk *w, const ast *n)
{
    int kids = w->depth < NODES_DEEP ? ast_kid_count((ast_kind)n->kind) : 0;
    w->depth++;
    for (int i = 0; i < kids; i++) {
        for (const ast *k = n->kid[i]; k; k = k->next) {
            walk(w, k);
        }
    }
    w->depth--;
}

static void walk_query(query_walk *w, const bound_query *q)
{
    for (ptrdiff_t i = 0; i < w->seen.len; i++) {
        if (w->seen.ptr[i] == q) {
            return;
        }
    }
    *vec_push(w->a, &w->seen) = q;
    if (!w->visit(w->context, q, q->node)) {
        return;
    }
    for (ptrdiff_t i = 0; q->block && i < q->block->n_sources; i++) {
        const bound_source *s = q->block->sources[i];
        if (s->kind != SOURCE_TABLE && s->query) {
            walk_query(w, s->query);
        }
    }
    walk_below(w, q->node);
}

static void walk(query_walk *w, const ast *n)
{
    const bound_query *q = ast_is_query(n) ? bind_query_at(w->b, n) : NULL;
    if (q) {
        walk_query(w, q);
    } else if (w->visit(w->context, NULL, n)) {
        walk_below(w, n);
    }
}

void relation_each_node(const binding *b,
                        query_visit *visit,
                        void *context,
                        arena scratch)
{
    query_walk w = {.b = b, .visit = visit, .context = context, .a = &scratch};
    walk_query(&w, b->query);
    assert(w.depth == 0);
}

void node_list_add(arena *a, node_list *list, const ast *n)
{
    ptrdiff_t i = 0;
    while (i < list->len && !ast_equal(list->ptr[i], n)) {
        i++;
    }
    if (i == list->len) {
        *vec_push(a, list) = n;
    }
}

str relation_without_wildcards(str pattern)
{
    while (str_starts(pattern, S("%"))) {
        pattern = str_skip(pattern, 1);
    }
    while (str_ends(pattern, S("%"))) {
        pattern.len--;
    }
    return pattern;
}

// What is between the quotes, without the wildcards at its ends.
void relation_add_texts(arena *a, const ast *n, str_list *out)
{
    node_list all = relation_nodes_of(a, n, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        const ast *one = all.ptr[i];
        str text = one->kind == AST_DOUBT ? one->text : (str){0};
        if (one->kind == AST_STRING) {
            // Who asks, for facts of spelling, asks of SQLite alone.
            lexer l = lex_begin(one->text, DIALECT_SQLITE);
            text =
                token_content(a, one->text, lex_next_solid(&l), DIALECT_SQLITE);
        }
        text = relation_without_wildcards(text);
        if (text.len > 0) {
            *vec_push(a, out) = text;
        }
    }
}

source_list relation_sources_in(arena *a, const binding *b, const ast *expr)
{
    node_list all = relation_nodes_of(a, expr, NODES_OF_BLOCK);
    source_list out = {0};
    for (ptrdiff_t i = 0; i < all.len; i++) {
        const bound_source *s = source_of(b, all.ptr[i]);
        if (s) {
            *vec_push(a, &out) = s;
        }
    }
    return out;
}

// What a query takes out by another one; NULL: nothing.
static const ast *excluded_by(const ast *n)
{
    if (n->kind == AST_IN && (n->flags & AST_FLAG_NOT)) {
        return n->kid[IN_SOURCE] ? n->kid[IN_EXPR] : NULL;
    }
    const ast *left = n->kind == AST_SETOP && n->form == SETOP_FORM_EXCEPT
                          ? n->kid[SETOP_LEFT]
                          : NULL;
    const ast *item =
        left && left->kind == AST_SELECT ? left->kid[SELECT_ITEMS] : NULL;
    return item && !item->next ? item : NULL;
}

static void note(finder *f, const ast *n)
{
    const bound_block *own =
        n->kind == AST_SELECT ? bind_block_at(f->b, n) : NULL;
    const ast *excluded = excluded_by(n);
    if (own) {
        f->block = own;
        *vec_push(f->a, &f->out.blocks) = own;
    }
    if (excluded) {
        *vec_push(f->a, &f->out.excluded) = excluded;
    }
    if (dialect_aggregates(f->b->dialect, n)) {
        *vec_push(f->a, &f->out.aggregates) =
            (met_call){n, n->kid[CALL_ARGS], f->block};
    }
    f->out.has_outer |= join_is_outer(n);
}

static void find(finder *f, const ast *n)
{
    const bound_block *around = f->block;
    if (f->depth > AST_MAX_HEIGHT) {
        return;
    }
    f->depth++;
    note(f, n);
    find_in(f, n);
    f->block = around;
    f->depth--;
}

relation_values relation_values_of(arena *a, const binding *b)
{
    assert(b->query);
    finder f = {.a = a, .b = b};
    find(&f, b->query->node);
    assert(f.depth == 0);
    return f.out;
}
