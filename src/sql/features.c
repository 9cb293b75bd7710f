/*
 * features.c - features counted in one walk over the tree.
 *
 * Method      count_node adds what a node is; what depends on the parent (is a
 *             query nested, is a sort key an ORDER BY of a query) is counted
 *             when the walk goes down. `*` in COUNT(*) is taken back by the
 *             call, since the walk counts every STAR.
 *
 * Invariant   Counts are about what is written: no schema, no dialect, so two
 *             texts with equal trees have equal features.
 *
 * Cost        Linear in the nodes, times the number of aggregates for a call; a
 *             join looks through the sources on its left for its own table.
 */
#include "sql/features.h"

#include "base/words.h"
#include "sql/parse.h"
#include "sql/semantics.h"

#include <assert.h>

static const struct {
    str word;
    str text;
} features[] = {
#define FEATURE(constant, word, text) {S_INIT(word), S_INIT(text)},
#include "sql/features.def"
};

str sql_feature_word(sql_feature f)
{
    assert(f < FEATURE_COUNT);
    return features[f].word;
}

str sql_feature_text(sql_feature f)
{
    assert(f < FEATURE_COUNT);
    return features[f].text;
}

bool sql_feature_from_word(str word, sql_feature *out)
{
    str one = str_ends(word, S("s")) ? str_sub(word, 0, word.len - 1) : word;
    for (int f = 0; f < FEATURE_COUNT; f++) {
        if (str_equal(word, features[f].word)
            || str_equal(one, features[f].word)) {
            *out = (sql_feature)f;
            return true;
        }
    }
    return false;
}

static void count_call(int32_t *n, const ast *call)
{
    const ast *first = call->kid[CALL_ARGS];
    n[FEATURE_FILTER] += call->kid[CALL_FILTER] != NULL;
    n[FEATURE_DISTINCT] += (call->flags & AST_FLAG_DISTINCT) != 0;
    n[FEATURE_STAR] -= first && first->kind == AST_STAR;
    if (call->kid[CALL_OVER]) {
        n[FEATURE_WINDOW]++;
    } else if (dialect_aggregates(DIALECT_SQLITE, call)) {
        n[FEATURE_AGGREGATE]++;
    } else {
        n[FEATURE_FUNCTION]++;
    }
}

static sql_feature feature_of_operator(int o)
{
    switch (o) {
    case OPERATOR_AND: return FEATURE_AND;
    case OPERATOR_OR: return FEATURE_OR;
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE:
    case OPERATOR_SIMILAR:
    case OPERATOR_GLOB:
    case OPERATOR_REGEXP:
    case OPERATOR_RLIKE: return FEATURE_LIKE;
    case OPERATOR_EQUAL:
    case OPERATOR_EQUAL_EQUAL:
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL:
    case OPERATOR_NULL_SAFE:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_IS_DISTINCT: return FEATURE_COMPARE;
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
    case OPERATOR_DIV:
    case OPERATOR_MOD: return FEATURE_ARITHMETIC;
    case OPERATOR_CONCAT: return FEATURE_CONCAT;
    default: return FEATURE_COUNT;
    }
}

static void count_binary(int32_t *n, const ast *binary)
{
    assert(binary->kid[BINARY_RIGHT]);
    sql_feature f = feature_of_operator(binary->form);
    if (binary->form == OPERATOR_IS) {
        bool null = binary->kid[BINARY_RIGHT]->kind == AST_NULL;
        f = null ? FEATURE_IS_NULL : FEATURE_COMPARE;
    }
    if (f < FEATURE_COUNT) {
        n[f]++;
    }
    bool not_null = f == FEATURE_IS_NULL;
    n[FEATURE_NOT] += (binary->flags & AST_FLAG_NOT) && !not_null;
}

static const ast *table_of(const ast *source)
{
    while (source->kind == AST_ALIAS || source->kind == AST_RESTRICTED) {
        source = source->kid[0];
    }
    return source->kind == AST_TABLE ? source : NULL;
}

_Static_assert((int)ALIAS_EXPR == 0 && (int)RESTRICTED_SOURCE == 0,
               "what they are around comes first");

// Whether the sources under `from` read the table, but for `self`.
static bool reads_again(const ast *from, const ast *self)
{
    if (from->kind == AST_JOIN) {
        return reads_again(from->kid[JOIN_LEFT], self)
               || reads_again(from->kid[JOIN_RIGHT], self);
    }
    const ast *table = table_of(from);
    return table && table != self && str_equal_fold(table->text, self->text);
}

// A table in a chain of joins counts once for each earlier one of its name.
static void count_join(int32_t *n, const ast *join)
{
    assert(join->kind == AST_JOIN);
    n[FEATURE_JOIN]++;
    n[FEATURE_OUTER_JOIN] += join->form == JOIN_FORM_LEFT
                             || join->form == JOIN_FORM_RIGHT
                             || join->form == JOIN_FORM_FULL;
    const ast *right = table_of(join->kid[JOIN_RIGHT]);
    n[FEATURE_SELF_JOIN] += right && reads_again(join->kid[JOIN_LEFT], right);
}

static void count_select(int32_t *n, const ast *select)
{
    n[FEATURE_DISTINCT] += (select->flags & AST_FLAG_DISTINCT) != 0;
    n[FEATURE_WHERE] += select->kid[SELECT_WHERE] != NULL;
    n[FEATURE_HAVING] += select->kid[SELECT_HAVING] != NULL;
    n[FEATURE_GROUP_BY] += ast_list_len(select->kid[SELECT_GROUP]);
}

static void count_node(int32_t *n, const ast *node)
{
    switch ((int)node->kind) {
    case AST_SELECT: count_select(n, node); break;
    case AST_SETOP: n[FEATURE_SET_OP]++; break;
    case AST_WITH:
        n[FEATURE_RECURSIVE] += (node->flags & AST_FLAG_RECURSIVE) != 0;
        break;
    case AST_CTE: n[FEATURE_CTE]++; break;
    case AST_LIMIT:
        n[FEATURE_LIMIT] += node->kid[LIMIT_COUNT] != NULL;
        n[FEATURE_OFFSET] += node->kid[LIMIT_OFFSET] != NULL;
        break;
    case AST_TABLE: n[FEATURE_TABLES]++; break;
    case AST_JOIN: count_join(n, node); break;
    case AST_CALL: count_call(n, node); break;
    case AST_BINARY: count_binary(n, node); break;
    case AST_UNARY: n[FEATURE_NOT] += node->form == OPERATOR_NOT; break;
    case AST_BETWEEN:
        n[FEATURE_BETWEEN]++;
        n[FEATURE_NOT] += (node->flags & AST_FLAG_NOT) != 0;
        break;
    case AST_IN:
        n[FEATURE_IN]++;
        n[FEATURE_NOT] += (node->flags & AST_FLAG_NOT) != 0;
        break;
    case AST_EXISTS: n[FEATURE_EXISTS]++; break;
    case AST_CASE: n[FEATURE_CASE]++; break;
    case AST_CAST: n[FEATURE_CAST]++; break;
    case AST_STAR: n[FEATURE_STAR]++; break;
    case AST_NUMBER:
    case AST_STRING: n[FEATURE_LITERAL]++; break;
    default: break;
    }
}

// Queries of a set operation lie beside each other, others within.
static bool is_within(const ast *node, const ast *kid)
{
    return ast_is_query(kid) && !ast_is_query(node) && node->kind != AST_INSERT;
}

static void count(int32_t *n, const ast *node, int depth)
{
    count_node(n, node);
    bool order = ast_is_query(node);
    int kids = ast_kid_count((ast_kind)node->kind);
    for (int i = 0; i < kids; i++) {
        for (const ast *kid = node->kid[i]; kid; kid = kid->next) {
            bool within = is_within(node, kid);
            n[FEATURE_SUBQUERY] += within && node->kind != AST_CTE;
            n[FEATURE_ORDER_BY] += order && kid->kind == AST_SORT;
            count(n, kid, depth + within);
        }
    }
    if (depth > n[FEATURE_NESTING]) {
        n[FEATURE_NESTING] = depth;
    }
}

sql_features sql_features_of(const ast *query)
{
    assert(query);
    sql_features out = {.is_known = true};
    count(out.n, query, 0);
    return out;
}

sql_features sql_features_of_text(str sql, dialect d, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, sql, d, scratch);
    return r.errors.len == 0 && r.statements ? sql_features_of(r.statements)
                                             : (sql_features){0};
}
