/*
 * native.c - see native.h.
 *
 * Method      One look at each node of the query, by a list of what all of it
 *             may be; in the parts of a SELECT and the arguments of a call also
 *             for aggregates and windows, which may not stand everywhere, and
 *             for keys, which may not be everything.
 *
 * Invariant   Operators, casts, joins and functions that are not listed are not
 *             taken.
 *
 * Cost        Linear in the query, times the depth of what is looked at in
 *             parts.
 */
#include "check/native.h"

#include "relation/relation_choice.h"
#include "relation/relation_select.h"
#include "relation/relation_values.h"
#include "sql/semantics.h"

// What may stand within a part of a query.
typedef enum native_part {
    PART_ROW,    // neither aggregates nor windows: of WHERE, ON, GROUP BY
    PART_GROUP,  // no windows: of HAVING, the arguments of a window
} native_part;

typedef struct look {
    const binding *b;
    dialect d;
    arena scratch;
    bool is_taken;
} look;

static void take_part(look *l, const ast *list, native_part part)
{
    for (const ast *at = list; at && l->is_taken; at = at->next) {
        arena a = l->scratch;
        node_list all = relation_nodes_of(&a, at, NODES_OF_BLOCK);
        for (ptrdiff_t i = 0; i < all.len; i++) {
            const ast *n = all.ptr[i];
            bool is_window = n->kind == AST_CALL && n->kid[CALL_OVER];
            bool is_total = dialect_aggregates(l->d, n);
            l->is_taken =
                l->is_taken && !is_window && !(is_total && part == PART_ROW);
        }
    }
}

// EXTRACT(YEAR FROM x) and the like have words for arguments; with a path it is
// somebody's own.
static bool is_known(dialect d, const ast *call)
{
    const ast *args = call->kid[CALL_ARGS];
    const ast *second = args ? args->next : NULL;
    bool has_words = (args && args->kind == AST_TAGGED)
                     || (second && second->kind == AST_TAGGED);
    bool is_spoken =
        has_words
        && str_among_fold(call->text, "extract substring substr trim position");
    return !call->kid[CALL_PATH]
           && (is_spoken
               || dialect_call(d, call->text, ast_list_len(args), ARGUMENT_ANY)
                      != CALL_UNKNOWN);
}

static void take_call(look *l, const ast *n)
{
    bool is_total = dialect_aggregates(l->d, n);
    l->is_taken = l->is_taken && is_known(l->d, n);
    if (is_total || n->kid[CALL_OVER]) {
        native_part part = is_total ? PART_ROW : PART_GROUP;
        take_part(l, n->kid[CALL_ARGS], part);
        take_part(l, n->kid[CALL_FILTER], part);
    }
}

// Of operators those that all systems have; IS stands before a literal.
static bool is_plain_sign(const ast *n)
{
    int right = n->kid[BINARY_RIGHT] ? n->kid[BINARY_RIGHT]->kind : AST_NULL;
    switch ((int)n->form) {
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_EQUAL:
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
    case OPERATOR_CONCAT:
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE:
    case OPERATOR_IS_DISTINCT: return true;
    case OPERATOR_IS:
        return right == AST_NULL || right == AST_TRUE || right == AST_FALSE;
    default: return false;
    }
}

// A cast to a type that PostgreSQL and DuckDB have, and that keeps no blanks.
static bool is_plain_cast(const ast *n)
{
    str type = n->kid[CAST_TYPE] ? n->kid[CAST_TYPE]->text : S("");
    return str_among_fold(type, "int integer bigint smallint int2 int4 int8 "
                                "real float4 float8 numeric decimal text "
                                "varchar date timestamp bool boolean")
           || str_equal_fold(type, S("double precision"));
}

static bool is_plain_join(const ast *n)
{
    return n->form == JOIN_FORM_INNER || n->form == JOIN_FORM_COMMA
           || n->form == JOIN_FORM_LEFT || n->form == JOIN_FORM_RIGHT
           || n->form == JOIN_FORM_FULL || n->form == JOIN_FORM_CROSS;
}

static bool is_plain_select(const ast *n)
{
    return !n->kid[SELECT_ON] && !n->kid[SELECT_TOP] && !n->kid[SELECT_QUALIFY]
           && !(n->flags & AST_FLAG_ROLLUP);
}

// What is said of no other part.
static bool is_plain(const ast *n)
{
    switch ((int)n->kind) {
    case AST_BINARY: return is_plain_sign(n);
    case AST_CAST: return is_plain_cast(n);
    case AST_JOIN: return is_plain_join(n);
    case AST_TABLE: return !n->kid[TABLE_HINT];
    case AST_SELECT: return is_plain_select(n);
    case AST_LIMIT: return !(n->flags & (AST_FLAG_PERCENT | AST_FLAG_TIES));
    case AST_GROUPING:
    case AST_QUANTIFIED:
    case AST_LATERAL: return false;
    default: return true;
    }
}

// Whether the key is a position or a name of one item, or something else than a
// literal.
static bool is_plain_key(const bound_ref *ref, const ast *key)
{
    bool is_output = ref && ref->kind == REF_OUTPUT && ref->of;
    int named = 0;
    for (ptrdiff_t i = 0; is_output && i < ref->of->n_outputs; i++) {
        named += str_equal_fold(ref->of->outputs[i].name, key->text);
    }
    bool is_literal = key->kind == AST_STRING || key->kind == AST_NUMBER
                      || key->kind == AST_NULL || key->kind == AST_TRUE
                      || key->kind == AST_FALSE || key->kind == AST_TYPED;
    return named <= 1 && (!is_literal || (ref && ref->kind == REF_POSITION));
}

// Whether the key is among the items, by a name, a position or word by word.
static bool is_shown(const bound_ref *ref, const ast *key, const ast *items)
{
    bool is = ref && (ref->kind == REF_OUTPUT || ref->kind == REF_POSITION);
    for (const ast *i = items; i && !is; i = i->next) {
        is = ast_equal(ast_unaliased(i), key)
             || (i->kind == AST_STAR && !i->kid[STAR_PATH]
                 && key->kind == AST_COLUMN);
    }
    return is;
}

static void take_keys(look *l, select_parts parts)
{
    const ast *lists[] = {parts.group, parts.order};
    for (int i = 0; i < countof(lists); i++) {
        bool must_show = parts.is_distinct && lists[i] == parts.order;
        for (const ast *n = lists[i]; n; n = n->next) {
            const ast *key = ast_unaliased(n);
            const bound_ref *ref = bind_ref(l->b, key);
            l->is_taken = l->is_taken && is_plain_key(ref, key)
                          && (!must_show || is_shown(ref, key, parts.items));
        }
    }
}

static void take_node(look *l, const ast *n)
{
    l->is_taken = l->is_taken && is_plain(n);
    switch ((int)n->kind) {
    case AST_CALL: take_call(l, n); break;
    case AST_JOIN: take_part(l, join_condition(n), PART_ROW); break;
    case AST_SELECT:
        take_part(l, select_parts_of(n).where, PART_ROW);
        take_part(l, select_parts_of(n).group, PART_ROW);
        take_part(l, select_parts_of(n).having, PART_GROUP);
        take_keys(l, select_parts_of(n));
        break;
    default: break;
    }
}

bool native_takes(const binding *b, arena scratch)
{
    arena a = arena_half(&scratch);
    look l = {b, b->dialect, scratch, .is_taken = true};
    node_list all = relation_nodes_of(&a, b->query->node, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len && l.is_taken; i++) {
        take_node(&l, all.ptr[i]);
    }
    semantics_bare bare = dialect_semantics(b->dialect).bare;
    return l.is_taken && !engine_choices_of(&a, b, bare, scratch).is_refused;
}
