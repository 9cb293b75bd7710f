/*
 * bind_equal.c - are two bound queries one query, but for its names?
 *
 * Method      Both trees are walked side by side. What a name means counts,
 *             not how it is written: a column is the same when it is the same
 *             place of a source of the same place of a block that lies equally
 *             far out. Aliases of items and of sources are passed over; a `*`
 *             of a source counts by the columns that it stands for.
 *
 * Invariants  (1) Where a name is not bound, the answer is no.
 *             (2) A CTE equals another from where both are defined, so that a
 *                 recursive one may use itself.
 *
 * Cost        Linear in the trees, times the CTEs at each use of one.
 */
#include "schema/bind_internal.h"

#include <assert.h>

typedef struct twin_query {
    const ast *left;
    const ast *right;
} twin_query;

typedef struct twins {
    const binding *l;
    const binding *r;
    vec_of(twin_query) ctes;  // that are equal
    arena scratch;
} twins;

static bool nodes_equal(twins *c, const ast *l, const ast *r);

static bool lists_equal(twins *c, const ast *l, const ast *r)
{
    while (l && r && nodes_equal(c, l, r)) {
        l = l->next;
        r = r->next;
    }
    return !l && !r;
}

static bool kids_equal(twins *c, const ast *l, const ast *r)
{
    int kids = ast_kid_count((ast_kind)l->kind);
    for (int i = 0; i < kids; i++) {
        if (!lists_equal(c, l->kid[i], r->kid[i])) {
            return false;
        }
    }
    return true;
}

// What stands under an alias that names no columns.
static const ast *unaliased(const ast *n)
{
    return n && n->kind == AST_ALIAS && !n->kid[ALIAS_COLUMNS]
               ? n->kid[ALIAS_EXPR]
               : n;
}

static bool is_name(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_DOUBT;
}

static bool names_equal(twins *c, const ast *l, const ast *r)
{
    const bound_ref *a = bind_ref(c->l, l);
    const bound_ref *b = bind_ref(c->r, r);
    if (!a || !b || a->kind != b->kind || a->depth != b->depth) {
        return false;
    }
    switch (a->kind) {
    case REF_COLUMN:
    case REF_ROWID:
        // A whole row has names in it, which may be aliases.
        return a->source->no == b->source->no && a->column == b->column
               && a->is_merged == b->is_merged
               && (a->column >= 0 || a->kind == REF_ROWID);
    case REF_OUTPUT:
    case REF_POSITION: return a->output == b->output;
    case REF_STRING: return str_equal(l->text, r->text);
    case REF_NONE: break;
    }
    return false;
}

// Two uses of a table, a view or a CTE.
static bool tables_equal(twins *c, const ast *l, const ast *r)
{
    const bound_source *a = bind_source_at(c->l, l);
    const bound_source *b = bind_source_at(c->r, r);
    if (!a || !b || a->kind != b->kind) {
        return false;
    }
    if (a->kind == SOURCE_TABLE) {
        return a->table == b->table
               && lists_equal(c, l->kid[TABLE_HINT], r->kid[TABLE_HINT]);
    }
    if (a->kind == SOURCE_QUERY) {
        for (ptrdiff_t i = 0; i < c->ctes.len; i++) {
            bool is_left = c->ctes.ptr[i].left == a->query->node;
            bool is_right = c->ctes.ptr[i].right == b->query->node;
            if (is_left || is_right) {
                return is_left && is_right;
            }
        }
    }
    return ast_equal(l, r);
}

static bool ctes_equal(twins *c, const ast *l, const ast *r)
{
    const ast *a = l->kid[CTE_QUERY];
    const ast *b = r->kid[CTE_QUERY];
    if (ast_list_len(l->kid[CTE_COLUMNS]) != ast_list_len(r->kid[CTE_COLUMNS])
        || !a || !b || l->flags != r->flags) {
        return false;
    }
    *vec_push(&c->scratch, &c->ctes) = (twin_query){a, b};
    return nodes_equal(c, a, b);
}

// What USING and NATURAL join, which is found by names.
static bool merges_equal(const bound_block *l, const bound_block *r)
{
    if (l->n_merges != r->n_merges) {
        return false;
    }
    for (ptrdiff_t i = 0; i < l->n_merges; i++) {
        const bound_merge *a = &l->merges[i];
        const bound_merge *b = &r->merges[i];
        if (a->left->no != b->left->no || a->left_column != b->left_column
            || a->right->no != b->right->no
            || a->right_column != b->right_column) {
            return false;
        }
    }
    return true;
}

// The columns that the items show, above all those of a `*`.
static bool outputs_equal(twins *c, const ast *l, const ast *r)
{
    const bound_query *a = bind_query_at(c->l, l);
    const bound_query *b = bind_query_at(c->r, r);
    if (!a || !b || a->is_open || b->is_open || a->n_outputs != b->n_outputs
        || !merges_equal(a->block, b->block)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < a->n_outputs; i++) {
        const bound_column *x = &a->outputs[i];
        const bound_column *y = &b->outputs[i];
        if (!x->expr != !y->expr || !x->source != !y->source
            || (x->source && x->source->no != y->source->no)
            || x->column != y->column) {
            return false;
        }
    }
    return true;
}

static bool items_equal(twins *c, const ast *l, const ast *r)
{
    for (; l && r; l = l->next, r = r->next) {
        const ast *a = unaliased(l);
        const ast *b = unaliased(r);
        bool are_stars = a->kind == AST_STAR && b->kind == AST_STAR;
        if (are_stars ? a->kid[STAR_EXCEPT] || b->kid[STAR_EXCEPT]
                            || a->kid[STAR_REPLACE] || b->kid[STAR_REPLACE]
                      : !nodes_equal(c, a, b)) {
            return false;
        }
    }
    return !l && !r;
}

static bool selects_equal(twins *c, const ast *l, const ast *r)
{
    // WITH comes first: the rest uses what it defines.
    for (int i = 0; i < ast_kid_count(AST_SELECT); i++) {
        if (i != SELECT_ITEMS && !lists_equal(c, l->kid[i], r->kid[i])) {
            return false;
        }
    }
    return items_equal(c, l->kid[SELECT_ITEMS], r->kid[SELECT_ITEMS])
           && outputs_equal(c, l, r);
}

// Elsewhere "C" and "c" are two.
static bool collations_equal(const twins *c, str l, str r)
{
    return c->l->dialect == DIALECT_SQLITE ? str_equal_fold(l, r)
                                           : str_equal(l, r);
}

static bool nodes_equal(twins *c, const ast *l, const ast *r)
{
    l = unaliased(l);
    r = unaliased(r);
    if (!l || !r) {
        return l == r;
    }
    if (is_name(l) && is_name(r)) {
        return names_equal(c, l, r);
    }
    if (l->kind != r->kind || l->flags != r->flags) {
        return false;
    }
    switch (l->kind) {
    case AST_TABLE: return tables_equal(c, l, r);
    case AST_CTE: return ctes_equal(c, l, r);
    case AST_SELECT: return selects_equal(c, l, r);
    case AST_STAR: return ast_equal(l, r) && !l->kid[STAR_PATH];
    case AST_PIVOT: return ast_equal(l, r);
    case AST_ALIAS:
        return ast_list_len(l->kid[ALIAS_COLUMNS])
                   == ast_list_len(r->kid[ALIAS_COLUMNS])
               && nodes_equal(c, l->kid[ALIAS_EXPR], r->kid[ALIAS_EXPR]);
    case AST_COLLATE:
        return collations_equal(c, l->text, r->text) && kids_equal(c, l, r);
    case AST_CALL:
        return l->form == r->form && str_equal_fold(l->text, r->text)
               && kids_equal(c, l, r);
    default:
        return l->form == r->form && str_equal(l->text, r->text)
               && kids_equal(c, l, r);
    }
}

bool bind_same_expr(const binding *b, const ast *x, const ast *y, arena scratch)
{
    return nodes_equal(&(twins){.l = b, .r = b, .scratch = scratch}, x, y);
}

bool bind_equal(const binding *l, const binding *r, arena scratch)
{
    assert(l->schema == r->schema && l->dialect == r->dialect);
    twins c = {.l = l, .r = r, .scratch = scratch};
    return ast_equal(l->query->node, r->query->node)
           || (l->problems.len == 0 && r->problems.len == 0
               && nodes_equal(&c, l->query->node, r->query->node));
}
