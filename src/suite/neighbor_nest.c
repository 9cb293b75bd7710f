/*
 * neighbor_nest.c - subqueries for joins and set operations, and the other way
 * round, as models choose them.
 *
 * Why         Two queries that say the same of every name that occurs once say
 *             something else where a name occurs twice, a partner is missing
 *             or there are two of them. The sides of a set operation compare
 *             what is shown; a subquery usually compares a key.
 */
#include "suite/neighbor_change.h"

#include <assert.h>
#include <string.h>

ast *changer_inner(changer *c, const ast *n, ast *items)
{
    assert(n->kind == AST_SELECT);
    node_draft inner = {.kind = AST_SELECT};
    memcpy(inner.kids, n->kid, sizeof inner.kids);
    inner.kids[SELECT_ITEMS] = items;
    return changer_new(c, inner);
}

ast *changer_and(changer *c, ast *left, ast *right)
{
    return !left    ? right
           : !right ? left
                    : changer_binary(c, OPERATOR_AND, left, right);
}

ast *changer_copy(changer *c, const ast *n)
{
    return n ? ast_copy(&c->trees, n) : NULL;
}

ast *changer_in(changer *c, ast *left, ast *query, bool is_not)
{
    return changer_new(
        c, (node_draft){.kind = AST_IN,
                        .flags = is_not ? AST_FLAG_NOT : 0,
                        .kids = {[IN_EXPR] = left, [IN_SOURCE] = query}});
}

static ast *table_named(changer *c, const schema_table *t)
{
    return changer_name(c, AST_TABLE, t->name);
}

// Names the table of each column, so that another table may come beside it.
static void qualify(void *context, ast *n)
{
    changer *c = context;
    bool is_bare = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH];
    const bound_ref *ref = is_bare ? bind_ref(c->binding, n) : NULL;
    if (ref && ref->kind == REF_COLUMN && ref->source->name.len > 0) {
        changer_set(c, &n->kid[COLUMN_PATH],
                    changer_name(c, AST_NAME, ref->source->name));
    }
}

static ast *join_of(changer *c, ast *left, ast *right, ast *on)
{
    return changer_new(
        c, (node_draft){
               AST_JOIN, .form = JOIN_FORM_INNER,
               .kids = {
                   [JOIN_LEFT] = left, [JOIN_RIGHT] = right, [JOIN_ON] = on}});
}

// A SELECT of nothing but items, FROM and WHERE.
static bool is_plain(const changer *c, const ast *n)
{
    const bound_block *block =
        n && n->kind == AST_SELECT ? bind_block_at(c->binding, n) : NULL;
    return block && !block->is_grouped && !n->kid[SELECT_WITH]
           && !n->kid[SELECT_ON] && !n->kid[SELECT_ORDER]
           && !n->kid[SELECT_LIMIT] && n->kid[SELECT_FROM];
}

static bool has_one_column(const ast *select)
{
    const ast *item = select->kid[SELECT_ITEMS];
    return item && !item->next && item->kind == AST_COLUMN;
}

// x IN (SELECT y FROM b WHERE c) becomes x = y AND c, with a JOIN of b; x NOT
// IN becomes x = y AND NOT c: right where each has one partner.
void change_in_to_join(changer *c, const site *s, ast *in)
{
    ast *inner = in->kid[IN_SOURCE];
    ast *outer = s->select;
    if (!outer || s->in_on || !outer->kid[SELECT_FROM] || !is_plain(c, inner)
        || !has_one_column(inner)) {
        return;
    }
    bool is_not = in->flags & AST_FLAG_NOT;
    ast_each(outer, qualify, c);
    ast **from = &outer->kid[SELECT_FROM];
    changer_set(
        c, from,
        join_of(c, *from, changer_copy(c, inner->kid[SELECT_FROM]), NULL));
    ast *condition = changer_copy(c, inner->kid[SELECT_WHERE]);
    bool opposes = is_not && !condition;
    condition = condition && is_not ? changer_not(c, condition) : condition;
    sql_operator o = opposes ? OPERATOR_BANG_EQUAL : OPERATOR_EQUAL;
    ast *same = changer_binary(c, o, changer_copy(c, in->kid[IN_EXPR]),
                               changer_copy(c, inner->kid[SELECT_ITEMS]));
    changer_put(c, NEIGHBOR_NESTING, s->slot, changer_and(c, same, condition));
}

ast *changer_key_of_first(changer *c, const ast *n, const bound_block *block)
{
    const ast *item = n->kid[SELECT_ITEMS];
    const bound_ref *ref =
        item && item->kind == AST_COLUMN ? bind_ref(c->binding, item) : NULL;
    if (!ref || ref->kind != REF_COLUMN || !block
        || ref->source->kind != SOURCE_TABLE) {
        return NULL;
    }
    const schema_table *t = &c->binding->schema->tables[ref->source->table];
    const schema_unique *key = schema_primary(t);
    if (!key || key->n != 1 || key->columns[0] == ref->column) {
        return NULL;
    }
    return changer_column(c, ref->source, key->columns[0], block);
}

ast *changer_source(changer *c, const bound_source *source)
{
    const schema_table *t = &c->binding->schema->tables[source->table];
    ast *table = table_named(c, t);
    if (str_equal_fold(source->name, t->name)) {
        return table;
    }
    ast *alias = changer_name(c, AST_ALIAS, source->name);
    alias->kid[ALIAS_EXPR] = table;
    return alias;
}

// SELECT a.x FROM a JOIN b ... becomes SELECT a.x FROM a WHERE a.key IN (SELECT
// a.key FROM a JOIN b ...): each row of a once.
void join_to_semi_join(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    bool fits = !s->is_set && block && block->n_sources > 1
                && !block->is_grouped && !n->kid[SELECT_WITH]
                && !n->kid[SELECT_ON] && !n->kid[SELECT_ORDER]
                && !n->kid[SELECT_LIMIT];
    ast *key = fits ? changer_key_of_first(c, n, block) : NULL;
    const bound_ref *ref =
        key ? bind_ref(c->binding, n->kid[SELECT_ITEMS]) : NULL;
    if (!ref || !changer_all_belong(c, n->kid[SELECT_ITEMS], ref->source)) {
        return;
    }
    ast *inner = changer_inner(c, n, key);
    changer_set(c, &n->kid[SELECT_FROM], changer_source(c, ref->source));
    changer_child(c, NEIGHBOR_NESTING, &n->kid[SELECT_WHERE],
                  changer_in(c, changer_copy(c, key), inner, false));
}

void changer_append(ast **list, ast *n)
{
    while (*list) {
        list = &(*list)->next;
    }
    *list = n;
}

static ast *copy_list(changer *c, const ast *list)
{
    ast *copy = NULL;
    for (; list; list = list->next) {
        changer_append(&copy, changer_copy(c, list));
    }
    return copy;
}

// Does a side show columns of one table?
static bool shows_one_table(const changer *c, const ast *side)
{
    const ast *items = side->kid[SELECT_ITEMS];
    const bound_ref *ref = bind_ref(c->binding, items);
    return items->kind == AST_COLUMN && ref && ref->kind == REF_COLUMN
           && changer_all_belong(c, items, ref->source);
}

// The key of the table of each side; both sides must begin with the same column
// of the same table.
static bool keys_of_sides(changer *c,
                          const ast *left,
                          const ast *right,
                          ast *keys[2])
{
    const ast *sides[] = {left, right};
    const bound_ref *refs[2] = {0};
    for (int i = 0; i < 2; i++) {
        refs[i] = bind_ref(c->binding, sides[i]->kid[SELECT_ITEMS]);
        keys[i] = changer_key_of_first(c, sides[i],
                                       bind_block_at(c->binding, sides[i]));
    }
    return keys[0] && keys[1]
           && refs[0]->source->table == refs[1]->source->table
           && refs[0]->column == refs[1]->column;
}

// The side with its key for its items.
static ast *side_of_key(changer *c, const ast *side, ast *key)
{
    ast *n = changer_copy(c, side);
    n->kid[SELECT_ITEMS] = key;
    return n;
}

// A INTERSECT B becomes A with AND key IN (keys of B); and all of the table
// whose key is in both.
static void set_by_key(changer *c,
                       const site *s,
                       const ast *n,
                       ast *left,
                       ast *right)
{
    ast *keys[2];
    if (shows_one_table(c, left) && shows_one_table(c, right)
        && keys_of_sides(c, left, right, keys)) {
        bool is_not = n->form != SETOP_FORM_INTERSECT;
        ast *in_right = changer_in(c, changer_copy(c, keys[0]),
                                   side_of_key(c, right, keys[1]), is_not);
        ast *first = changer_copy(c, left);
        first->kid[SELECT_WHERE] =
            changer_and(c, first->kid[SELECT_WHERE], in_right);
        changer_put(c, NEIGHBOR_SET_CONDITION, s->slot, first);
        const bound_ref *ref = bind_ref(c->binding, left->kid[SELECT_ITEMS]);
        ast *in_left =
            changer_in(c, changer_copy(c, keys[0]),
                       side_of_key(c, left, changer_copy(c, keys[0])), false);
        const node_draft all = {
            .kind = AST_SELECT,
            .kids = {[SELECT_ITEMS] = copy_list(c, left->kid[SELECT_ITEMS]),
                     [SELECT_FROM] = changer_source(c, ref->source),
                     [SELECT_WHERE] = changer_and(c, in_left, in_right)}};
        changer_put(c, NEIGHBOR_SET_CONDITION, s->slot, changer_new(c, all));
    }
}

// One query with both conditions: of the same FROM, what AND, OR and AND NOT
// would do.
static void set_by_conditions(changer *c,
                              const site *s,
                              const ast *n,
                              ast *left,
                              ast *right)
{
    ast *where[] = {left->kid[SELECT_WHERE], right->kid[SELECT_WHERE]};
    bool is_except =
        n->form == SETOP_FORM_EXCEPT || n->form == SETOP_FORM_MINUS;
    if (where[1] && is_except) {
        ast *rest = changer_copy(c, right);
        rest->kid[SELECT_WHERE] = changer_not(c, rest->kid[SELECT_WHERE]);
        changer_put(c, NEIGHBOR_SET_CONDITION, s->slot, rest);
    }
    if (where[0] && where[1]
        && ast_equal(left->kid[SELECT_FROM], right->kid[SELECT_FROM])) {
        ast *one = changer_copy(c, left);
        ast *mine = one->kid[SELECT_WHERE];
        ast *other = changer_copy(c, where[1]);
        static const uint8_t connectives[] = {OPERATOR_AND, OPERATOR_OR};
        for (ptrdiff_t i = 0; i < countof(connectives); i++) {
            one->kid[SELECT_WHERE] =
                changer_binary(c, connectives[i], mine, other);
            changer_put(c, NEIGHBOR_SET_CONDITION, s->slot, one);
        }
        one->kid[SELECT_WHERE] = changer_and(c, mine, changer_not(c, other));
        changer_put(c, NEIGHBOR_SET_CONDITION, s->slot, one);
    }
}

void set_to_conditions(changer *c, const site *s, ast *n)
{
    ast *left = n->kid[SETOP_LEFT];
    ast *right = n->kid[SETOP_RIGHT];
    if (n->kid[SETOP_WITH] || n->kid[SETOP_ORDER] || n->kid[SETOP_LIMIT]
        || !is_plain(c, left) || !is_plain(c, right)) {
        return;
    }
    set_by_conditions(c, s, n, left, right);
    if (n->form != SETOP_FORM_UNION) {
        set_by_key(c, s, n, left, right);
    }
}

void changer_part(changer *c,
                  ast *n,
                  source_test *passes,
                  const bound_source *s,
                  ast **own,
                  ast **others)
{
    if (n && n->kind == AST_BINARY && n->form == OPERATOR_AND) {
        changer_part(c, n->kid[BINARY_LEFT], passes, s, own, others);
        changer_part(c, n->kid[BINARY_RIGHT], passes, s, own, others);
    } else if (n) {
        ast **to = passes(c, n, s) ? own : others;
        *to = changer_and(c, *to, n);
    }
}

// The last table of a join forgotten, and what is asked of it with it.
void join_less(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    ast *join = n->kid[SELECT_FROM];
    const bound_source *last = block && block->n_sources > 1
                                   ? block->sources[block->n_sources - 1]
                                   : NULL;
    if (!last || join->kind != AST_JOIN
        || join->kid[JOIN_RIGHT]->kind == AST_JOIN) {
        return;
    }
    ast **where = &n->kid[SELECT_WHERE];
    ast *gone = NULL;
    ast *rest = NULL;
    changer_part(c, *where, changer_reads, last, &gone, &rest);
    changer_set(c, &n->kid[SELECT_FROM], join->kid[JOIN_LEFT]);
    changer_child(c, NEIGHBOR_JOIN, where, rest);
}

enum {
    MORE_TABLES = 6
};

// Has each row of the child one partner for sure?
static bool is_certain(const schema *s, const schema_key *key)
{
    bool certain = key->is_sound;
    for (ptrdiff_t i = 0; i < key->n; i++) {
        certain = certain
                  && schema_never_null(&s->tables[key->child], key->columns[i]);
    }
    return certain;
}

bool changer_has_partner(const changer *c, const ast *child, const ast *parent)
{
    const bound_ref *from = bind_ref(c->binding, child);
    const bound_ref *to = bind_ref(c->binding, parent);
    const schema *s = c->binding->schema;
    bool found = false;
    for (ptrdiff_t k = 0; from && to && !found && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        found = key->n == 1 && from->kind == REF_COLUMN
                && to->kind == REF_COLUMN && from->source->table == key->child
                && to->source->table == key->parent
                && from->column == key->columns[0]
                && to->column == key->targets[0] && is_certain(s, key);
    }
    return found;
}

// The columns of the key on both sides, for ON.
static ast *on_key(changer *c,
                   const schema_key *key,
                   const bound_source *source,
                   const schema_table *other,
                   bool is_child)
{
    ast *on = NULL;
    for (ptrdiff_t i = 0; i < key->n; i++) {
        int32_t own = is_child ? key->columns[i] : key->targets[i];
        int32_t theirs = is_child ? key->targets[i] : key->columns[i];
        if (own < 0 || theirs < 0) {
            return NULL;
        }
        ast *same = changer_binary(
            c, OPERATOR_EQUAL,
            changer_path(c, source->name, source->columns[own].name),
            changer_path(c, other->name, other->columns[theirs].name));
        on = changer_and(c, on, same);
    }
    return on;
}

static bool has_table(const bound_block *block, int32_t table)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < block->n_sources; i++) {
        found = block->sources[i]->table == table;
    }
    return found;
}

// One more table, joined by a foreign key: rows without partner go, rows with
// several come several times.
void join_more(changer *c, const site *s, ast *n)
{
    const bound_block *block = s->own;
    const schema *all = c->binding->schema;
    int n_added = 0;
    for (ptrdiff_t i = 0; block && i < block->n_sources; i++) {
        const bound_source *source = block->sources[i];
        bool fits = source->kind == SOURCE_TABLE && source->name.len > 0;
        for (ptrdiff_t k = 0; fits && k < 2 * all->n_keys; k++) {
            const schema_key *key = &all->keys[k / 2];
            bool is_child = k % 2 == 0;
            int32_t own = is_child ? key->child : key->parent;
            int32_t other = is_child ? key->parent : key->child;
            if (own != source->table || other < 0 || has_table(block, other)
                || (is_child && is_certain(all, key))
                || n_added >= MORE_TABLES) {
                continue;
            }
            const schema_table *t = &all->tables[other];
            ast *on = on_key(c, key, source, t, is_child);
            if (on) {
                n_added++;
                ast **from = &n->kid[SELECT_FROM];
                ast_each(n, qualify, c);
                changer_child(c, NEIGHBOR_JOIN, from,
                              join_of(c, *from, table_named(c, t), on));
            }
        }
    }
}
