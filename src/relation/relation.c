// relation.c - see relation.h.
#include "relation/relation.h"

#include "relation/build.h"

relation *relation_of(arena *a, const binding *b, unsigned assume)
{
    relation *r = arena_new(a, relation, 1);
    r->p = (prover){.a = a, .bound = b, .assume = assume};
    r->top = build_query(&r->p);
    r->obstacle = r->p.obstacle;
    return r;
}

const block *relation_block_at(const relation *r, const ast *query)
{
    for (ptrdiff_t i = 0; r->top && i < r->p.read.len; i++) {
        if (r->p.read.ptr[i]->node == query) {
            return r->p.read.ptr[i];
        }
    }
    return NULL;
}
