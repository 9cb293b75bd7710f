/*
 * parse_join.c - how sources of rows are joined.
 *
 * Method      Joins are read from left to right. A condition that comes when
 *             the last join has one already is that of an earlier join, as in
 *             `a JOIN b JOIN c ON x ON y`; the tree is turned then: the earlier
 *             join becomes the root, and what was read after it its right side.
 *             A comma binds more weakly than JOIN, but not in SQLite.
 *
 * Invariant   A chain of joins grows in a loop; parse_grow counts its height.
 *
 * Cost        Linear in the tokens; a late condition walks up the left side.
 */
#include "sql/parse_internal.h"

#include <assert.h>

enum {
    WITHOUT_COMMAS,
    WITH_COMMAS,
};

static ast *parse_joins(parser *p, int commas);

enum {
    JOIN_WORDS_MAX = 3,
};

// SQLite: LEFT RIGHT is FULL.
static void add_side(ast *join, int side)
{
    assert(side == JOIN_FORM_LEFT || side == JOIN_FORM_RIGHT);
    bool other = join->form == JOIN_FORM_LEFT || join->form == JOIN_FORM_RIGHT;
    bool full = join->form == JOIN_FORM_FULL || (other && join->form != side);
    join->form = (uint8_t)(full ? JOIN_FORM_FULL : side);
}

// Whether the words of a join say what this one does, and it is taken.
static bool take_join_word(ast *join, keyword k, bool *outer)
{
    switch ((int)k) {
    case KEYWORD_NATURAL: join->flags |= AST_FLAG_NATURAL; return true;
    case KEYWORD_INNER: return true;
    case KEYWORD_OUTER: *outer = true; return true;
    case KEYWORD_LEFT: add_side(join, JOIN_FORM_LEFT); return true;
    case KEYWORD_RIGHT: add_side(join, JOIN_FORM_RIGHT); return true;
    case KEYWORD_FULL: join->form = JOIN_FORM_FULL; return true;
    case KEYWORD_CROSS: join->form = JOIN_FORM_CROSS; return true;
    case KEYWORD_SEMI: join->form = JOIN_FORM_SEMI; return true;
    case KEYWORD_ANTI: join->form = JOIN_FORM_ANTI; return true;
    case KEYWORD_ASOF: join->form = JOIN_FORM_ASOF; return true;
    default: return false;
    }
}

// The join whose words begin here, in any order as SQLite has it; counts them,
// and 0 when there is none.
static int join_words(const parser *p, ast *join)
{
    const token *t = p->at;
    keyword k = key_of(t);
    bool apply = str_equal_fold(
        token_text(p->sql, t->kind == TOKEN_END ? *t : t[1]), S("apply"));
    if ((k == KEYWORD_CROSS || k == KEYWORD_OUTER) && apply) {
        join->form =
            k == KEYWORD_CROSS ? JOIN_FORM_CROSS_APPLY : JOIN_FORM_OUTER_APPLY;
        return 2;
    }
    if (k == KEYWORD_STRAIGHT_JOIN) {
        join->form = JOIN_FORM_STRAIGHT;
        return 1;
    }
    bool outer = false;
    for (int n = 0; n < JOIN_WORDS_MAX; n++) {
        t += take_join_word(join, key_of(t), &outer);
    }
    bool sided = join->form == JOIN_FORM_LEFT || join->form == JOIN_FORM_RIGHT
                 || join->form == JOIN_FORM_FULL;
    return token_is_key(t, KEYWORD_JOIN) && (!outer || sided)
               ? (int)(t - p->at) + 1
               : 0;
}

static bool comma_binds_weakly(const parser *p)
{
    return p->dialect != DIALECT_SQLITE;
}

// condition -> [ON expr | USING names]
static void parse_condition(parser *p, ast *join)
{
    if (parse_take_key(p, KEYWORD_ON)) {
        join->kid[JOIN_ON] = parse_expr(p);
    } else if (parse_take_key(p, KEYWORD_USING)) {
        join->kid[JOIN_USING] = parse_names(p);
        if (p->dialect == DIALECT_POSTGRES && parse_take_key(p, KEYWORD_AS)) {
            join->kid[JOIN_NAME] = parse_name(p);
        }
    }
}

// join -> joins (, | [NATURAL] [LEFT | RIGHT | ...] JOIN) source [condition]
static ast *parse_join(parser *p, ast *left, ast *join, int words)
{
    assert(words > 0 && left);
    join->pos = left->pos;
    join->kid[JOIN_LEFT] = left;
    p->at += words;
    bool comma = join->form == JOIN_FORM_COMMA;
    join->kid[JOIN_RIGHT] = comma && comma_binds_weakly(p)
                                ? parse_joins(p, WITHOUT_COMMAS)
                                : parse_source(p);
    parse_condition(p, join);
    return node_end(p, join);
}

static bool takes_condition(const ast *n)
{
    assert(n->kind == AST_JOIN);
    return n->form != JOIN_FORM_COMMA && n->form != JOIN_FORM_CROSS
           && n->form != JOIN_FORM_CROSS_APPLY
           && n->form != JOIN_FORM_OUTER_APPLY
           && !(n->flags & AST_FLAG_NATURAL);
}

// The nearest join on the left side that still has no condition, or NULL.
static ast **open_join(ast **top)
{
    while ((*top)->kind == AST_JOIN) {
        ast *n = *top;
        if (takes_condition(n) && !n->kid[JOIN_ON] && !n->kid[JOIN_USING]) {
            return top;
        }
        top = &n->kid[JOIN_LEFT];
    }
    return NULL;
}

// nested -> source JOIN source JOIN source condition condition
// The second condition belongs to the first join: what was read after it
// becomes its right side.
static ast *parse_late_condition(parser *p, ast *top)
{
    ast **hole = open_join(&top);
    if (!hole || *hole == top || !parse_grow(p)) {
        return NULL;
    }
    ast *join = *hole;
    ast *right = join->kid[JOIN_RIGHT];
    for (ast *n = top; n != join; n = n->kid[JOIN_LEFT]) {
        n->len -= right->pos - n->pos;
        n->pos = right->pos;
    }
    *hole = right;
    join->kid[JOIN_RIGHT] = top;
    parse_condition(p, join);
    return node_end(p, join);
}

// restricted -> source [ON expr]; SQLite allows it before the first join
static ast *parse_restricted(parser *p)
{
    ast *source = parse_source(p);
    bool on = p->dialect == DIALECT_SQLITE && at_key(p, KEYWORD_ON);
    if (p->lost || !on || !parse_grow(p)) {
        return source;
    }
    ast *n = node_around(p, AST_RESTRICTED, RESTRICTED_SOURCE, source);
    parse_skip(p);
    n->kid[RESTRICTED_ON] = parse_expr(p);
    return node_end(p, n);
}

static ast *parse_joins(parser *p, int commas)
{
    ast *left = parse_restricted(p);
    while (!p->lost) {
        bool late = at_key(p, KEYWORD_ON) || at_key(p, KEYWORD_USING);
        ast *nested = late ? parse_late_condition(p, left) : NULL;
        if (nested) {
            left = nested;
            continue;
        }
        bool comma = commas == WITH_COMMAS && at_op(p, OP_COMMA);
        keyword k = key_of(p->at);
        if (!comma && k == KEYWORD_NONE) {
            break;
        }
        ast *join = ast_new(p->a, AST_JOIN);
        int words = comma ? 1 : join_words(p, join);
        if (words == 0 || !parse_grow(p)) {
            break;
        }
        if (comma) {
            join->form = JOIN_FORM_COMMA;
        }
        left = parse_join(p, left, join, words);
    }
    return left;
}

// joins -> source { join }
ast *parse_from(parser *p)
{
    return parse_joins(p, WITH_COMMAS);
}
