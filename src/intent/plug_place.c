/*
 * plug_place.c - finds the constants of a query and names their places.
 *
 * Method      One walk over the tree. The place of a constant is what it is
 *             compared with, in words that do not depend on how the query is
 *             written: columns by their table, aliases and derived tables
 *             looked through, operators and calls as text around them. The role
 *             is how it is compared: as an equal, a lower or an upper bound, a
 *             pattern, a member of a list.
 *
 * Invariants  (1) A place has no names of the query's own, except where nothing
 *                 is known of a name: then the name must do.
 *             (2) The walk ends: VALUES_MAX constants are kept, a place is
 *                 looked through DEPTH_MAX deep and stops growing at PLACE_MAX
 *                 bytes.
 *
 * Cost        linear in the nodes, and for each constant the size of its place.
 */
#include "intent/plug_place.h"

#include <assert.h>

enum {
    VALUES_MAX = 200,  // of a query
    DEPTH_MAX = 200,   // of what is looked through
    PLACE_MAX = 300,   // bytes
};

bool plug_is_constant(const binding *b, const ast *n)
{
    if (!n) {
        return false;
    }
    if (n->kind == AST_UNARY && n->form == OPERATOR_NEGATE) {
        return n->kid[UNARY_EXPR] && n->kid[UNARY_EXPR]->kind == AST_NUMBER;
    }
    const bound_ref *ref =
        n->kind == AST_DOUBT || n->kind == AST_NUMBER ? bind_ref(b, n) : NULL;
    return (n->kind == AST_NUMBER && !ref) || n->kind == AST_STRING
           || n->kind == AST_PARAMETER || (ref && ref->kind == REF_STRING);
}

typedef struct finder {
    arena *a;
    const binding *b;
    plug_values values;
    int depth;
} finder;

static void add_lower(buf *out, str s)
{
    buf_add(out, arena_lower(out->a, s));
}

static void add_place(finder *f, buf *out, const ast *n, int depth);

static void add_column(finder *f,
                       buf *out,
                       const bound_source *s,
                       int32_t column,
                       int depth)
{
    if (column < 0) {
        add_lower(out, s->name);
        return;
    }
    assert(column < s->n_columns);
    const bound_column *c = &s->columns[column];
    if (s->kind == SOURCE_TABLE) {
        add_lower(out, f->b->schema->tables[s->table].name);
        buf_char(out, '.');
        add_lower(out, c->name);
    } else if (c->source && depth < DEPTH_MAX) {
        add_column(f, out, c->source, c->column, depth + 1);
    } else if (c->expr && depth < DEPTH_MAX) {
        add_place(f, out, c->expr, depth + 1);
    } else {
        add_lower(out, c->name);
    }
}

static void add_ref(finder *f, buf *out, const ast *n, int depth)
{
    const bound_ref *ref = bind_ref(f->b, n);
    bool is_column = ref && ref->kind == REF_COLUMN;
    bool is_output =
        ref && (ref->kind == REF_OUTPUT || ref->kind == REF_POSITION);
    if (is_column) {
        add_column(f, out, ref->source, ref->column, depth);
        return;
    }
    // An alias of this block; of one further out its name must do.
    const bound_query *q = is_output ? f->b->query : NULL;
    const bound_block *block = q ? q->block : NULL;
    const ast *expr =
        block && ref->depth == 0 && ref->output < block->n_outputs
                && str_equal_fold(block->outputs[ref->output].name, n->text)
            ? block->outputs[ref->output].expr
            : NULL;
    if (expr) {
        add_place(f, out, expr, depth + 1);
    } else {
        add_lower(out, n->text);
    }
}

static void add_place(finder *f, buf *out, const ast *n, int depth)
{
    if (!n || depth > DEPTH_MAX || out->len > PLACE_MAX) {
        return;
    }
    if (plug_is_constant(f->b, n)) {
        buf_char(out, '?');
        return;
    }
    if (n->kind == AST_COLUMN || n->kind == AST_DOUBT) {
        add_ref(f, out, n, depth);
        return;
    }
    if (ast_is_query(n)) {
        buf_add(out, S("query"));
        return;
    }
    if (n->kind == AST_STAR) {
        buf_char(out, '*');
        return;
    }
    bool is_operator = n->kind == AST_BINARY || n->kind == AST_UNARY;
    add_lower(out, is_operator       ? operator_text((sql_operator)n->form)
                   : n->text.len > 0 ? n->text
                                     : ast_kind_word((ast_kind)n->kind));
    buf_add(out, n->flags & AST_FLAG_DISTINCT ? S("!(") : S("("));
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        for (const ast *kid = n->kid[i]; kid; kid = kid->next) {
            add_place(f, out, kid, depth + 1);
            buf_char(out, ' ');
        }
    }
    buf_char(out, ')');
}

static void add_value(finder *f,
                      const ast *n,
                      plug_role role,
                      const ast *beside,
                      str place)
{
    if (f->values.len >= VALUES_MAX) {
        return;
    }
    plug_value v = {.node = n, .role = role, .place = place};
    if (beside) {
        buf out = buf_new(f->a);
        add_place(f, &out, beside, 0);
        v.place = buf_str(&out);
        v.kind = bind_type(f->b, beside).kind;
    }
    plug_value *kept = vec_push(f->a, &f->values);
    *kept = v;
}

static void find(finder *f, const ast *n);

static void find_all(finder *f, const ast *list)
{
    for (; list; list = list->next) {
        find(f, list);
    }
}

static bool role_of(int o, bool is_left, plug_role *role)
{
    switch (o) {
    case OPERATOR_EQUAL:
    case OPERATOR_EQUAL_EQUAL:
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL:
    case OPERATOR_IS: *role = PLUG_EQUAL; return true;
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        *role = is_left ? PLUG_LOW : PLUG_HIGH;
        return true;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        *role = is_left ? PLUG_HIGH : PLUG_LOW;
        return true;
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE:
    case OPERATOR_GLOB:
    case OPERATOR_SIMILAR:
    case OPERATOR_REGEXP: *role = PLUG_LIKE; return true;
    default: *role = PLUG_OTHER; return false;
    }
}

static void find_in_binary(finder *f, const ast *n)
{
    const ast *sides[] = {n->kid[BINARY_LEFT], n->kid[BINARY_RIGHT]};
    for (int i = 0; i < 2; i++) {
        plug_role role;
        bool compares = role_of(n->form, i == 0, &role);
        if (!plug_is_constant(f->b, sides[i])) {
            find(f, sides[i]);
        } else if (compares) {
            add_value(f, sides[i], role, sides[1 - i], (str){0});
        } else {
            add_value(f, sides[i], PLUG_OTHER, n, (str){0});
        }
    }
}

static bool are_constants(const finder *f, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        if (!plug_is_constant(f->b, n)) {
            return false;
        }
    }
    return list != NULL;
}

static void find_in_in(finder *f, const ast *n)
{
    find(f, n->kid[IN_EXPR]);
    find(f, n->kid[IN_SOURCE]);
    if (are_constants(f, n->kid[IN_LIST])) {
        add_value(f, n, PLUG_LIST, n->kid[IN_EXPR], (str){0});
    } else {
        find_all(f, n->kid[IN_LIST]);
    }
}

static void find_one(finder *f,
                     const ast *n,
                     plug_role role,
                     const ast *beside,
                     str place)
{
    if (plug_is_constant(f->b, n)) {
        add_value(f, n, role, beside, place);
    } else {
        find(f, n);
    }
}

static void find_in_call(finder *f, const ast *n)
{
    int no = 0;
    for (const ast *arg = n->kid[CALL_ARGS]; arg; arg = arg->next, no++) {
        find_one(f, arg, PLUG_OTHER, NULL,
                 arena_printf(f->a, "%.*s#%d", STR_ARG(n->text), no));
    }
    find_all(f, n->kid[CALL_ORDER]);
    find_all(f, n->kid[CALL_WITHIN]);
    find(f, n->kid[CALL_FILTER]);
    find(f, n->kid[CALL_OVER]);
}

static void find(finder *f, const ast *n)
{
    if (!n || ++f->depth > AST_MAX_HEIGHT) {
        f->depth -= n != NULL;
        return;
    }
    switch ((int)n->kind) {
    case AST_BINARY: find_in_binary(f, n); break;
    case AST_IN: find_in_in(f, n); break;
    case AST_CALL: find_in_call(f, n); break;
    case AST_BETWEEN:
        find(f, n->kid[BETWEEN_EXPR]);
        find_one(f, n->kid[BETWEEN_LOW], PLUG_LOW, n->kid[BETWEEN_EXPR],
                 (str){0});
        find_one(f, n->kid[BETWEEN_HIGH], PLUG_HIGH, n->kid[BETWEEN_EXPR],
                 (str){0});
        break;
    case AST_LIMIT:
        find_one(f, n->kid[LIMIT_COUNT], PLUG_LIMIT, NULL, S("limit"));
        find_one(f, n->kid[LIMIT_OFFSET], PLUG_OFFSET, NULL, S("offset"));
        break;
    default:
        if (plug_is_constant(f->b, n)) {
            add_value(f, n, PLUG_OTHER, NULL, S("alone"));
            break;
        }
        for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
            find_all(f, n->kid[i]);
        }
        break;
    }
    f->depth--;
}

plug_values plug_values_of(arena *a, const binding *b)
{
    assert(b->query);
    finder f = {.a = a, .b = b};
    find(&f, b->query->node);
    assert(f.depth == 0 && f.values.len <= VALUES_MAX);
    return f.values;
}
