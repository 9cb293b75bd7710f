/*
 * bind_from.c - the sources of a block and how joins merge their columns.
 *
 * Method      Sources are collected in the order of the text; conditions and
 *             arguments of functions wait until all are known. SQLite lets an
 *             ON use every source of the FROM, the others only what it joins.
 *             A column that USING or NATURAL joins is noted with its partner;
 *             names and `*` take one of the two.
 */
#include "schema/bind_internal.h"

#include <assert.h>

bool bind_merged_away(const bind_scope *s,
                      const bound_source *source,
                      int32_t column,
                      const bound_merge **merge)
{
    assert(source && column >= 0);
    for (ptrdiff_t i = 0; i < s->merges.len; i++) {
        const bound_merge *m = &s->merges.ptr[i];
        if (m->right == source && m->right_column == column) {
            *merge = m;
            return true;
        }
    }
    return false;
}

static void add_later(binder *b,
                      bind_scope *s,
                      const ast *expr,
                      ptrdiff_t from,
                      ptrdiff_t to)
{
    if (expr) {
        bind_later *l = vec_push(b->a, &s->later);
        *l = (bind_later){expr, from, to};
    }
}

// The first source of a part of the FROM that has the column; *second is one
// more that it is not merged with.
static bound_source *find_left(const binder *b,
                               const bind_scope *s,
                               ptrdiff_t from,
                               ptrdiff_t to,
                               const ast *name,
                               int32_t *column,
                               bound_source **second)
{
    assert(from >= 0 && from <= to && to <= s->sources.len);
    bound_source *found = NULL;
    *second = NULL;
    for (ptrdiff_t i = from; i < to; i++) {
        bound_source *source = s->sources.ptr[i];
        int32_t c = bind_find_column(b, source, name);
        const bound_merge *m;
        if (c < 0) {
            continue;
        }
        if (!found) {
            found = source;
            *column = c;
        } else if (!bind_merged_away(s, source, c, &m)) {
            *second = source;
        }
    }
    return found;
}

static bool has_unknown(const bind_scope *s, ptrdiff_t from, ptrdiff_t to)
{
    assert(from >= 0 && from <= to && to <= s->sources.len);
    for (ptrdiff_t i = from; i < to; i++) {
        const bound_source *source = s->sources.ptr[i];
        if (source->kind == SOURCE_UNKNOWN
            || (source->query && source->query->is_open)) {
            return true;
        }
    }
    return false;
}

typedef struct join_range {
    ptrdiff_t from;
    ptrdiff_t middle;
    ptrdiff_t to;
} join_range;

// PostgreSQL gives the joined column the type that both have in common.
static bool becomes_another(const binder *b, const bound_merge *m)
{
    str left = m->left->columns[m->left_column].declared;
    str right = m->right->columns[m->right_column].declared;
    return b->b->dialect == DIALECT_POSTGRES
           && (left.len == 0 || !str_equal_fold(left, right));
}

static void add_merge(binder *b, bind_scope *s, bound_merge m)
{
    assert(m.join && m.left && m.right);
    m.is_united = m.join->form == JOIN_FORM_FULL || becomes_another(b, &m);
    bound_merge *kept = vec_push(b->a, &s->merges);
    *kept = m;
}

static void merge_name(binder *b,
                       bind_scope *s,
                       const ast *join,
                       const ast *name,
                       join_range r)
{
    bound_merge m = {.join = join, .name = name->text};
    bound_source *second;
    m.left = find_left(b, s, r.from, r.middle, name, &m.left_column, &second);
    // Without RIGHT and FULL joins SQLite takes the first.
    if (m.left && second && (s->has_right_join || !bind_is_sqlite(b))) {
        bind_is_ambiguous(b, name, m.left, second);
    }
    m.right = find_left(b, s, r.middle, r.to, name, &m.right_column, &second);
    if (m.right && second && !bind_is_sqlite(b)) {
        bind_is_ambiguous(b, name, m.right, second);
    }
    if (m.left && m.right) {
        add_merge(b, s, m);
        return;
    }
    bool is_open = (!m.left && has_unknown(s, r.from, r.middle))
                   || (!m.right && has_unknown(s, r.middle, r.to));
    if (!is_open) {
        bind_problem_add(b, BIND_NO_COLUMN, name,
                         "no column '%.*s' on %s of the join",
                         STR_ARG(name->text),
                         m.left    ? "the right side"
                         : m.right ? "the left side"
                                   : "either side");
    }
}

// NATURAL: every name that both sides have; of several columns on the right
// that have it the first, as with USING.
static void merge_common(binder *b,
                         bind_scope *s,
                         const ast *join,
                         join_range r)
{
    for (ptrdiff_t i = r.middle; i < r.to; i++) {
        const bound_source *right = s->sources.ptr[i];
        for (ptrdiff_t c = 0; c < right->n_columns; c++) {
            ast name = {.kind = AST_NAME, .text = right->columns[c].name};
            name.pos = join->pos;
            name.len = join->len;
            int32_t at;
            bound_source *second;
            bool is_first =
                name.text.len > 0
                && find_left(b, s, r.middle, r.to, &name, &at, &second) == right
                && at == c;
            if (is_first
                && find_left(b, s, r.from, r.middle, &name, &at, &second)) {
                merge_name(b, s, join, &name, r);
            }
        }
    }
}

static void walk(binder *b, bind_scope *s, const ast *n, bool is_lateral);

static void walk_join(binder *b, bind_scope *s, const ast *n)
{
    assert(n->kind == AST_JOIN);
    join_range r = {.from = s->sources.len};
    walk(b, s, n->kid[JOIN_LEFT], false);
    r.middle = s->sources.len;
    bool applies =
        n->form == JOIN_FORM_CROSS_APPLY || n->form == JOIN_FORM_OUTER_APPLY;
    walk(b, s, n->kid[JOIN_RIGHT], applies);
    r.to = s->sources.len;
    assert(r.from <= r.middle && r.middle <= r.to);
    bool is_half = n->form == JOIN_FORM_SEMI || n->form == JOIN_FORM_ANTI;
    for (ptrdiff_t i = r.middle; is_half && i < r.to; i++) {
        s->sources.ptr[i]->half_on = n->kid[JOIN_ON];
    }
    add_later(b, s, n->kid[JOIN_ON], r.from, r.to);
    for (const ast *name = n->kid[JOIN_USING]; name; name = name->next) {
        merge_name(b, s, n, name, r);
    }
    if (n->flags & AST_FLAG_NATURAL) {
        merge_common(b, s, n, r);
    }
}

// A source below its LATERAL, TABLESAMPLE and alias.
static void walk_source(binder *b, bind_scope *s, const ast *n, bool is_lateral)
{
    const ast *alias = NULL;
    for (;;) {
        if (n->kind == AST_ALIAS) {
            alias = alias ? alias : n;
            n = n->kid[ALIAS_EXPR];
        } else if (n->kind == AST_SAMPLE) {
            n = n->kid[SAMPLE_SOURCE];
        } else if (n->kind == AST_LATERAL) {
            is_lateral = true;
            n = n->kid[LATERAL_SOURCE];
        } else {
            break;
        }
    }
    if (n->kind == AST_JOIN || n->kind == AST_RESTRICTED) {
        ptrdiff_t from = s->sources.len;
        walk(b, s, n, false);
        bind_group *group = vec_push(b->a, &s->groups);
        *group =
            (bind_group){alias ? alias->text : (str){0}, from, s->sources.len};
        return;
    }
    if (s->sources.len >= BIND_SOURCES_MAX) {
        return;
    }
    s->to = s->sources.len;
    bound_source *source = bind_source(b, s, n, alias, is_lateral);
    bound_source **place = vec_push(b->a, &s->sources);
    *place = source;
    if (n->kind == AST_CALL || source->kind == SOURCE_UNKNOWN) {
        bool is_plain = n->kind == AST_TABLE || n->kind == AST_ERROR;
        add_later(b, s, is_plain ? NULL : n, 0, BIND_SOURCES_MAX);
    }
}

static void walk(binder *b, bind_scope *s, const ast *n, bool is_lateral)
{
    if (!n) {
        return;
    }
    if (n->kind == AST_JOIN) {
        walk_join(b, s, n);
    } else if (n->kind == AST_RESTRICTED) {
        ptrdiff_t from = s->sources.len;
        walk(b, s, n->kid[RESTRICTED_SOURCE], is_lateral);
        add_later(b, s, n->kid[RESTRICTED_ON], from, s->sources.len);
    } else {
        walk_source(b, s, n, is_lateral);
    }
}

// Two sources of one name: SQLite minds only when the name is used.
static void check_names(binder *b, const bind_scope *s)
{
    for (ptrdiff_t i = 1; !bind_is_sqlite(b) && i < s->sources.len; i++) {
        const bound_source *source = s->sources.ptr[i];
        for (ptrdiff_t j = 0; j < i && source->name.len > 0; j++) {
            if (str_equal_fold(s->sources.ptr[j]->name, source->name)) {
                bind_problem_add(b, BIND_DUPLICATE_NAME, source->node,
                                 "two tables of FROM are called '%.*s'",
                                 STR_ARG(source->name));
                break;
            }
        }
    }
}

void bind_from(binder *b, bind_scope *s, const ast *from)
{
    assert(s->sources.len == 0);
    s->clause = CLAUSE_FROM;
    for (const ast *n = from; n && n->kind == AST_JOIN; n = n->kid[JOIN_LEFT]) {
        s->has_right_join |=
            n->form == JOIN_FORM_RIGHT || n->form == JOIN_FORM_FULL;
    }
    walk(b, s, from, false);
    s->block.sources = (const bound_source *const *)s->sources.ptr;
    s->block.n_sources = s->sources.len;
    s->block.merges = s->merges.ptr;
    s->block.n_merges = s->merges.len;
    check_names(b, s);
    s->from = 0;
    s->to = s->sources.len;
}
