/*
 * neighbor_leaf.c - a table at the end of a chain of joins becomes a subquery.
 *
 * Why         FROM a JOIN b ON a.x = b.y JOIN c ON ... WHERE a.name = 'v' asks
 *             for all of that name; WHERE b.y = (SELECT x FROM a WHERE name =
 *             'v') takes the first, and IN takes each row of b once.
 */
#include "suite/neighbor_change.h"

#include <assert.h>

// One table of a left-deep chain of joins, and what is left without it.
typedef struct leaf {
    const bound_source *source;
    ast *table;     // of FROM
    const ast *on;  // what connects it
    ast **place;    // where its join hangs
    ast *rest;      // what comes there
} leaf;

static bool is_inner(const ast *n)
{
    return n && n->kind == AST_JOIN && n->form == JOIN_FORM_INNER
           && n->kid[JOIN_ON] && n->kid[JOIN_ON]->kind == AST_BINARY
           && n->kid[JOIN_ON]->form == OPERATOR_EQUAL;
}

// Of the first and of the last table; false when the chain has another form.
static bool find_leaf(ast *select, const bound_block *block, bool last, leaf *l)
{
    assert(block->n_sources >= 2);  // one source alone is no join
    ast **place = &select->kid[SELECT_FROM];
    for (ast *n = *place; n->kind == AST_JOIN; n = n->kid[JOIN_LEFT]) {
        if (!is_inner(n) || n->kid[JOIN_RIGHT]->kind == AST_JOIN) {
            return false;
        }
    }
    while (!last && (*place)->kid[JOIN_LEFT]->kind == AST_JOIN) {
        place = &(*place)->kid[JOIN_LEFT];
    }
    ast *join = *place;
    *l = (leaf){
        .source = block->sources[last ? block->n_sources - 1 : 0],
        .table = join->kid[last ? JOIN_RIGHT : JOIN_LEFT],
        .on = join->kid[JOIN_ON],
        .place = place,
        .rest = join->kid[last ? JOIN_LEFT : JOIN_RIGHT],
    };
    return true;
}

// Does nothing but the leaf's own conditions and its ON read it?
static bool is_apart(const changer *c,
                     const ast *select,
                     const ast *others,
                     const leaf *l)
{
    static const int clauses[] = {SELECT_ITEMS, SELECT_GROUP, SELECT_HAVING,
                                  SELECT_ORDER};
    bool apart = !others || !changer_reads(c, others, l->source);
    for (ptrdiff_t i = 0; apart && i < countof(clauses); i++) {
        apart = !changer_some_read(c, select->kid[clauses[i]], l->source);
    }
    return apart && !changer_reads(c, l->rest, l->source);
}

static void put_subquery(changer *c, ast *select, const leaf *l)
{
    ast *where = select->kid[SELECT_WHERE];
    ast *own = NULL;
    ast *others = NULL;
    changer_part(c, where, changer_belongs, l->source, &own, &others);
    const ast *sides[2];
    changer_sides(c, l->on, l->source, sides);
    if (!own || !is_apart(c, select, others, l)
        || !changer_belongs(c, sides[0], l->source)
        || changer_reads(c, sides[1], l->source)) {
        return;
    }
    ast *inner = changer_new(
        c, (node_draft){.kind = AST_SELECT,
                        .kids = {[SELECT_ITEMS] = changer_copy(c, sides[0]),
                                 [SELECT_FROM] = changer_copy(c, l->table),
                                 [SELECT_WHERE] = own}});
    ast *conditions[] = {
        changer_binary(c, OPERATOR_EQUAL, changer_copy(c, sides[1]),
                       changer_subquery(c, inner)),
        changer_in(c, changer_copy(c, sides[1]), inner, false),
    };
    for (ptrdiff_t i = 0; i < countof(conditions); i++) {
        changer_set(c, l->place, l->rest);
        changer_child(c, NEIGHBOR_NESTING, &select->kid[SELECT_WHERE],
                      changer_and(c, others, conditions[i]));
    }
}

void leaf_to_subquery(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    const ast *from = n->kid[SELECT_FROM];
    if (!block || block->n_sources < 2 || !from || from->kind != AST_JOIN) {
        return;
    }
    for (int last = 0; last < 2; last++) {
        leaf l;
        if (find_leaf(n, block, last != 0, &l)) {
            put_subquery(c, n, &l);
        }
    }
}
