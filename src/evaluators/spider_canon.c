/*
 * spider_canon.c - what Spider's evaluator does to both queries before exact
 * match, its oddities included.
 *
 * Method      Three steps (definitions/spider.md#exact-set-match): (a)
 *             values go, but for subqueries; (b) columns linked by foreign keys
 *             become one, the first of their group in tables.json, where their
 *             table is in the FROM list of the outermost query; (c) DISTINCT is
 *             cleared. Step (a) makes the copy, (b) and (c) then change it in
 *             place. Groups are made by the one scan that the evaluator makes,
 *             see key_group.
 *
 * Invariants  (1) The query that is given is not changed: spider_bare copies
 *                 each list that a later step writes to.
 *             (2) Conditions and the words AND and OR alternate in a list; only
 *                 the even places are conditions.
 *
 * Cost        linear in the query times the tables of the outer FROM; the keys
 *             quadratic in the groups, once per schema.
 */
#include "evaluators/spider_canon.h"

#include <assert.h>

typedef struct folding {
    const schema *s;
    const spider_keys *keys;
    const spider_units *outer;  // the FROM list of the outermost query
} folding;

/*
 * Groups are made by scanning the pairs in order: a pair joins the first group
 * that holds either of its columns, else it opens one; groups are never
 * merged. Each column maps to the group's smallest; the later group wins.
 */
typedef vec_of(int32_t) key_group;

typedef vec_of(key_group) group_list;

static bool group_has(const key_group *g, int32_t id)
{
    for (ptrdiff_t i = 0; i < g->len; i++) {
        if (g->ptr[i] == id) {
            return true;
        }
    }
    return false;
}

static void group_add(key_group *g, arena *a, int32_t id)
{
    if (!group_has(g, id)) {
        *vec_push(a, g) = id;
    }
}

static void group_pair(group_list *groups,
                       arena *a,
                       int32_t child,
                       int32_t parent)
{
    key_group *home = NULL;
    for (ptrdiff_t g = 0; g < groups->len && !home; g++) {
        if (group_has(&groups->ptr[g], child)
            || group_has(&groups->ptr[g], parent)) {
            home = &groups->ptr[g];
        }
    }
    if (!home) {
        home = vec_push(a, groups);
    }
    group_add(home, a, child);
    group_add(home, a, parent);
}

// The place of a column in the list of tables.json, which decides which one
// stands for its group.
static ptrdiff_t listed_place(const schema *keys, const schema *s, int32_t id)
{
    int32_t t = spider_column_table(s, id);
    if (t < 0) {
        return 0;
    }
    return spider_column_id(keys, s->tables[t].name, spider_column_name(s, id));
}

// Pair `i` of a key of `keys`, looked up in `s` by the names.
static void pair_key(group_list *groups,
                     arena *a,
                     const schema *s,
                     const schema *keys,
                     const schema_key *key,
                     ptrdiff_t i)
{
    assert(i >= 0 && i < key->n);
    if (key->parent < 0 || key->targets[i] < 0) {
        return;
    }
    const schema_table *child = &keys->tables[key->child];
    const schema_table *parent = &keys->tables[key->parent];
    int32_t from =
        spider_column_id(s, child->name, child->columns[key->columns[i]].name);
    int32_t to = spider_column_id(s, parent->name,
                                  parent->columns[key->targets[i]].name);
    if (from > 0 && to > 0) {
        group_pair(groups, a, from, to);
    }
}

spider_keys spider_keys_of(arena *a,
                           const schema *s,
                           const schema *keys,
                           arena scratch)
{
    ptrdiff_t n = 1;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        n += s->tables[t].n_columns;
    }
    int32_t *canonical = arena_new(a, int32_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        canonical[i] = (int32_t)i;
    }
    group_list groups = {0};
    for (ptrdiff_t k = 0; keys && k < keys->n_keys; k++) {
        for (ptrdiff_t i = 0; i < keys->keys[k].n; i++) {
            pair_key(&groups, &scratch, s, keys, &keys->keys[k], i);
        }
    }
    for (ptrdiff_t g = 0; g < groups.len; g++) {
        const key_group *group = &groups.ptr[g];
        int32_t least = group->ptr[0];
        ptrdiff_t first = listed_place(keys, s, least);
        for (ptrdiff_t i = 1; i < group->len; i++) {
            ptrdiff_t place = listed_place(keys, s, group->ptr[i]);
            if (place < first) {
                least = group->ptr[i];
                first = place;
            }
        }
        for (ptrdiff_t i = 0; i < group->len; i++) {
            assert(group->ptr[i] > 0
                   && group->ptr[i] < n);  // 0 is no column of a table
            canonical[group->ptr[i]] = least;
        }
    }
    return (spider_keys){canonical, n};
}

static hash128 key_of(const void *records, ptrdiff_t n, size_t size)
{
    return hash_bytes((str){records, n * (ptrdiff_t)size});
}

#define LIST_KEY(list) key_of((list).ptr, (list).len, sizeof *(list).ptr)

static hash128 branch_key(const spider_query *q)
{
    return q ? spider_query_key(q) : (hash128){0};
}

hash128 spider_query_key(const spider_query *q)
{
    const bool flags[] = {q->is_distinct, q->has_order, q->is_descending,
                          q->has_limit};
    const hash128 parts[] = {
        key_of(flags, countof(flags), sizeof *flags),
        LIST_KEY(q->select),
        LIST_KEY(q->from),
        LIST_KEY(q->on),
        LIST_KEY(q->where),
        LIST_KEY(q->group),
        LIST_KEY(q->having),
        LIST_KEY(q->order),
        branch_key(q->branches[SPIDER_INTERSECT]),
        branch_key(q->branches[SPIDER_UNION]),
        branch_key(q->branches[SPIDER_EXCEPT]),
    };
    return key_of(parts, countof(parts), sizeof *parts);
}

static spider_value bare_value(spider_value v)
{
    return v.kind == SPIDER_VALUE_QUERY
               ? (spider_value){.kind = v.kind, .key = v.bare}
               : (spider_value){0};
}

// Only what stands at even places is taken for a condition.
static spider_conds bare_conds(arena *a, spider_conds list)
{
    list.ptr = arena_copy(a, list.ptr, list.len, 0);
    for (ptrdiff_t i = 0; i < list.len; i += 2) {
        list.ptr[i].first = bare_value(list.ptr[i].first);
        list.ptr[i].second = bare_value(list.ptr[i].second);
    }
    return list;
}

spider_query *spider_bare(arena *a, const spider_query *q)
{
    spider_query *out = arena_copy(a, q, 1, 0);
    out->select.ptr = arena_copy(a, q->select.ptr, q->select.len, 0);
    out->on = bare_conds(a, q->on);
    out->where = bare_conds(a, q->where);
    out->group.ptr = arena_copy(a, q->group.ptr, q->group.len, 0);
    out->having = bare_conds(a, q->having);
    out->order.ptr = arena_copy(a, q->order.ptr, q->order.len, 0);
    for (int b = 0; b < SPIDER_SET_OPS; b++) {
        if (q->branches[b]) {
            out->branches[b] = spider_bare(a, q->branches[b]);
        }
    }
    return out;
}

static void fold_col(const folding *f, spider_col *col)
{
    int32_t table = spider_column_table(f->s, col->column);
    bool is_outer = false;
    for (ptrdiff_t i = 0; i < f->outer->len; i++) {
        is_outer |= table >= 0 && f->outer->ptr[i].table == table;
    }
    if (is_outer && col->column < f->keys->n) {
        col->column = f->keys->canonical[col->column];
    }
    col->is_distinct = false;
}

static void fold_val(const folding *f, spider_val *val)
{
    fold_col(f, &val->first);
    fold_col(f, &val->second);
}

static void fold_conds(const folding *f, spider_conds *list)
{
    for (ptrdiff_t i = 0; i < list->len; i += 2) {
        if (list->ptr[i].link == SPIDER_LINK_NONE) {
            fold_val(f, &list->ptr[i].left);
        }
    }
}

// Steps b and c, in place.
static void fold_query(const folding *f, spider_query *q)
{
    q->is_distinct = false;
    for (ptrdiff_t i = 0; i < q->select.len; i++) {
        fold_val(f, &q->select.ptr[i].val);
    }
    fold_conds(f, &q->on);
    fold_conds(f, &q->where);
    for (ptrdiff_t i = 0; i < q->group.len; i++) {
        fold_col(f, &q->group.ptr[i]);
    }
    for (ptrdiff_t i = 0; i < q->order.len; i++) {
        fold_val(f, &q->order.ptr[i]);
    }
    fold_conds(f, &q->having);
    for (int b = 0; b < SPIDER_SET_OPS; b++) {
        if (q->branches[b]) {
            fold_query(f, q->branches[b]);
        }
    }
}

spider_query *spider_canon(arena *a,
                           const spider_query *q,
                           const schema *s,
                           const spider_keys *keys)
{
    spider_query *out = spider_bare(a, q);
    folding f = {.s = s, .keys = keys, .outer = &q->from};
    fold_query(&f, out);
    return out;
}
