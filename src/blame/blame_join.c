/*
 * blame_join.c - which joins repeat rows.
 *
 * Method      A FROM is a graph: sources, and equalities between their columns.
 *             A source that is reached by columns that identify its rows adds
 *             no rows; one that is not may repeat what is there.
 */
#include "blame/blame_read.h"

#include <assert.h>

enum {
    SOURCES_MOST = 64,
};

// Is the column fixed by sources in `from` (a bit each), or by a literal?
static bool fixes_column(const blame_query *q,
                         const bound_source *s,
                         int32_t column,
                         uint64_t from)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->edges.len && !found; i++) {
        const blame_edge *e = &q->edges.ptr[i];
        for (int end = 0; end < 2 && !found; end++) {
            found = e->ends[end] == s && e->columns[end] == column
                    && e->ends[1 - end]->no < SOURCES_MOST
                    && (from >> e->ends[1 - end]->no & 1);
        }
    }
    for (ptrdiff_t i = 0; i < q->values.len && !found; i++) {
        const blame_value *v = &q->values.ptr[i];
        found = v->is_plain && v->relation == OPERATOR_EQUAL
                && v->column.table == s->table && v->column.column == column;
    }
    return found;
}

// Do the fixed columns identify a row of `s`?
static bool is_identified(const blame_query *q,
                          const bound_source *s,
                          uint64_t from)
{
    if (s->kind != SOURCE_TABLE) {
        return true;  // nobody knows: no evidence
    }
    const schema_table *t = &q->schema->tables[s->table];
    bool found = false;
    for (ptrdiff_t i = 0; i < t->n_uniques && !found; i++) {
        const schema_unique *u = &t->uniques[i];
        ptrdiff_t k = 0;
        while (k < u->n && fixes_column(q, s, u->columns[k], from)) {
            k++;
        }
        found = k == u->n;
    }
    return found;
}

static bool are_joined(const blame_query *q,
                       const bound_source *s,
                       uint64_t from)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->edges.len && !found; i++) {
        const blame_edge *e = &q->edges.ptr[i];
        for (int end = 0; end < 2 && !found; end++) {
            found = e->ends[end] == s && e->ends[1 - end]->block == s->block
                    && e->ends[1 - end]->no < SOURCES_MOST
                    && (from >> e->ends[1 - end]->no & 1);
        }
    }
    return found;
}

bool blame_is_repeated(const blame_query *q, const bound_source *s)
{
    const bound_block *b = s->block;
    if (!b || b->n_sources > SOURCES_MOST) {
        return false;
    }
    assert(s->no < SOURCES_MOST);
    uint64_t reached = (uint64_t)1 << s->no;
    bool grows = true;
    while (grows) {
        grows = false;
        for (ptrdiff_t i = 0; i < b->n_sources; i++) {
            const bound_source *next = b->sources[i];
            if ((reached >> next->no & 1) || !are_joined(q, next, reached)) {
                continue;
            }
            if (!is_identified(q, next, reached)) {
                return true;
            }
            reached |= (uint64_t)1 << next->no;
            grows = true;
        }
    }
    return false;
}

typedef struct use_search {
    const blame_query *q;
    const bound_source *s;
    bool is_used;
} use_search;

static bool visit_use(void *context, const ast *n)
{
    use_search *u = context;
    bool is_join = n->kind == AST_BINARY && n->form == OPERATOR_EQUAL
                   && blame_source(u->q, n->kid[BINARY_LEFT])
                   && blame_source(u->q, n->kid[BINARY_RIGHT]);
    u->is_used |=
        n->kind == AST_STAR && n->pos >= 0 && blame_source(u->q, n) == u->s;
    u->is_used |= blame_source(u->q, n) == u->s;
    return !is_join;
}

bool blame_uses(const blame_query *q, const bound_source *s)
{
    use_search u = {q, s, false};
    ast_walk(q->tree, visit_use, &u);
    return u.is_used;
}
