/*
 * blame_join.c - which joins repeat rows, and which pass a table that links.
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

enum {
    BY_VALUES = 1,  // a column that must be equal to a literal is fixed, too
};

// Is the column fixed by sources in `from` (a bit each)?
static bool fixes_column(const blame_query *q,
                         const bound_source *s,
                         int32_t column,
                         uint64_t from,
                         int how)
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
    for (ptrdiff_t i = 0; how == BY_VALUES && i < q->values.len && !found;
         i++) {
        const blame_value *v = &q->values.ptr[i];
        found = v->is_plain && v->relation == OPERATOR_EQUAL
                && v->column.table == s->table && v->column.column == column;
    }
    return found;
}

// Do the fixed columns identify a row of `s`?
static bool is_identified(const blame_query *q,
                          const bound_source *s,
                          uint64_t from,
                          int how)
{
    if (s->kind != SOURCE_TABLE) {
        return true;  // nobody knows: no evidence
    }
    const schema_table *t = &q->schema->tables[s->table];
    bool found = false;
    for (ptrdiff_t i = 0; i < t->n_uniques && !found; i++) {
        const schema_unique *u = &t->uniques[i];
        ptrdiff_t k = 0;
        while (k < u->n && fixes_column(q, s, u->columns[k], from, how)) {
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
            if (!is_identified(q, next, reached, BY_VALUES)) {
                return true;
            }
            reached |= (uint64_t)1 << next->no;
            grows = true;
        }
    }
    return false;
}

static bool refers(const schema *s, ptrdiff_t child, int32_t parent)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < s->n_keys && !found; i++) {
        found = s->keys[i].child == child && s->keys[i].parent == parent;
    }
    return found;
}

// The table that refers to both and is not read; -1: none.
static int32_t link_between(const blame_query *q, int32_t one, int32_t other)
{
    for (int32_t t = 0; t < q->schema->n_tables && one != other; t++) {
        if (refers(q->schema, t, one) && refers(q->schema, t, other)
            && !blame_reads(q, t)) {
            return t;
        }
    }
    return -1;
}

// Rows of two tables, paired by these columns: past a table that links them?
static bool is_past(const blame_query *q,
                    const bound_source *l,
                    const bound_source *r,
                    int32_t *link)
{
    bool can_tell = l != r && l->kind == SOURCE_TABLE && r->kind == SOURCE_TABLE
                    && l->no < SOURCES_MOST && r->no < SOURCES_MOST;
    *link = can_tell ? link_between(q, l->table, r->table) : -1;
    return *link >= 0;
}

// The other end of an edge at this column of the source; NULL: it has none.
static const bound_source *far_end(const blame_edge *e,
                                   const bound_source *s,
                                   int32_t column)
{
    const bound_source *found = NULL;
    for (int end = 0; end < 2 && !found; end++) {
        bool is_at = e->ends[end] == s && e->columns[end] == column;
        found = is_at ? e->ends[1 - end] : NULL;
    }
    return found;
}

// client.district = district.id and district.id = account.district pair the
// same rows as client.district = account.district.
static bool is_past_over(const blame_query *q,
                         ptrdiff_t no,
                         const bound_source *pair[2],
                         int32_t *link)
{
    const blame_edge *e = &q->edges.ptr[no];
    bool found = false;
    for (int end = 0; end < 2; end++) {
        for (ptrdiff_t i = 0; i < q->edges.len && !found; i++) {
            const bound_source *far =
                i == no
                    ? NULL
                    : far_end(&q->edges.ptr[i], e->ends[end], e->columns[end]);
            pair[0] = e->ends[1 - end];
            pair[1] = far;
            uint64_t middle = (uint64_t)1 << (e->ends[end]->no & 63);
            found = far && is_past(q, pair[0], far, link)
                    && !is_identified(q, pair[0], middle, 0)
                    && !is_identified(q, far, middle, 0);
        }
    }
    return found;
}

bool blame_passes_link(const blame_query *q,
                       const bound_source *pair[2],
                       int32_t *link)
{
    for (ptrdiff_t i = 0; i < q->edges.len; i++) {
        const blame_edge *e = &q->edges.ptr[i];
        pair[0] = e->ends[0];
        pair[1] = e->ends[1];
        if (is_past(q, pair[0], pair[1], link)
            && !is_identified(q, pair[0], (uint64_t)1 << pair[1]->no, 0)
            && !is_identified(q, pair[1], (uint64_t)1 << pair[0]->no, 0)) {
            return true;
        }
        if (is_past_over(q, i, pair, link)) {
            return true;
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
