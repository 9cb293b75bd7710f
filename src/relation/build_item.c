/*
 * build_item.c - literals where they leave a SELECT.
 *
 * Why         PostgreSQL and DuckDB: '1' has no type until it meets what has
 *             one. So a = '1' compares integers. The column of (SELECT '1') is
 *             text, and a = (SELECT '1') an error; beside a char(5) the one
 *             ignores blanks at the end, the other does not. NULL is likewise
 *             a text there.
 *
 * Method      A bare literal in a select list becomes what it is outside: a
 *             CAST to text. In a side of a set operation it gets the type of
 *             the other side, a call named by that type.
 *             Rules move terms, and with them what they are.
 *
 * Invariant   In these dialects no select list holds a bare text. NULL remains
 *             in set operations: it is NULL in all types.
 */
#include "relation/build_internal.h"
#include "relation/relation_block.h"
#include "relation/relation_type.h"

#include <assert.h>

static const term *as_text(prover *p, const term *t)
{
    // DuckDB's NULL is an INTEGER.
    bool is_number =
        t->kind == TERM_NULL && p->bound->dialect == DIALECT_DUCKDB;
    return term_call(p, is_number ? S("cast integer") : S("cast text"), &t, 1);
}

static void settle_select(prover *p, block *b)
{
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        if (type_is_open(t) || t->kind == TERM_NULL) {
            b->select.ptr[i] = as_text(p, t);
        }
    }
}

/* Set operations. */

static bool is_literal_output(const block *b, int32_t column)
{
    return !b->set && type_is_open(b->select.ptr[column]);
}

// The literal of one side is of the type that the other side has.
static void unite(prover *p, block *side, const block *other, int32_t column)
{
    str type = type_of_output(p, other, column);
    const term **at = &side->select.ptr[column];
    *at = term_call(p, arena_printf(p->a, "united %.*s", STR_ARG(type)), at, 1);
}

static void settle_sides(prover *p, block *l, block *r, int32_t column)
{
    bool is_left = is_literal_output(l, column);
    bool is_right = is_literal_output(r, column);
    if (is_left && is_right) {
        l->select.ptr[column] = as_text(p, l->select.ptr[column]);
        r->select.ptr[column] = as_text(p, r->select.ptr[column]);
    } else if (is_left) {
        unite(p, l, r, column);
    } else if (is_right) {
        unite(p, r, l, column);
    }
}

static void settle_set(prover *p, block *b)
{
    if (!b->set) {
        return;
    }
    settle_set(p, b->left);
    settle_set(p, b->right);
    for (int32_t i = 0; i < block_outputs(b); i++) {
        settle_sides(p, b->left, b->right, i);
    }
}

// The last row of VALUES; there all rows together have a type.
static const block *last_row(const block *rows)
{
    return rows->set ? rows->right : rows;
}

bool build_agrees(builder *b, const block *rows, const block *row)
{
    const block *last = last_row(rows);
    for (ptrdiff_t i = 0; prover_is_typed(b->p) && i < row->select.len; i++) {
        if (type_is_open(row->select.ptr[i])
            != type_is_open(last->select.ptr[i])) {
            prover_stop(b->p, S("VALUES of texts and others"));
            return false;
        }
    }
    return true;
}

block *build_settle(builder *b, block *body)
{
    if (!body || !prover_is_typed(b->p)) {
        return body;
    }
    if (body->set) {
        settle_set(b->p, body);
    } else {
        settle_select(b->p, body);
    }
    return prover_stopped(b->p) ? NULL : body;
}
