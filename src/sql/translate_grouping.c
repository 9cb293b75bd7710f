/*
 * translate_grouping.c - GROUPING SETS, ROLLUP and CUBE as a UNION ALL: a
 * SELECT for each set, with NULL for the keys that are not in it.
 *
 * Method      Keys are known by their words. What is shown may be made of keys,
 *             aggregates and literals; a name that is no key is refused, and so
 *             is a window, which sees the rows of all sets.
 */
#include "sql/ast_rewrite.h"
#include "sql/translate_internal.h"

#include <assert.h>

enum {
    SETS_MOST = 16,
    KEYS_MOST = 12,
};

typedef struct grouping_set {
    const ast *keys[KEYS_MOST];
    int n;
} grouping_set;

typedef struct grouping {
    translator *t;
    grouping_set sets[SETS_MOST];
    int n;
    grouping_set all;
    const grouping_set *at;  // the set at hand
} grouping;

static bool has_key(const grouping_set *s, const ast *n)
{
    bool found = false;
    for (int i = 0; i < s->n && !found; i++) {
        found = ast_equal(s->keys[i], n);
    }
    return found;
}

static bool add_key(grouping_set *s, const ast *n)
{
    bool ok = n->kind == AST_COLUMN && s->n < KEYS_MOST;
    if (ok && !has_key(s, n)) {
        s->keys[s->n++] = n;
    }
    return ok;
}

// One key, or a row of them.
static bool add_keys(grouping_set *s, const ast *n)
{
    bool ok = true;
    if (n->kind != AST_ROW) {
        return add_key(s, n);
    }
    for (const ast *i = n->kid[ROW_ITEMS]; ok && i; i = i->next) {
        ok = add_key(s, i);
    }
    return ok;
}

static bool take_sets(grouping *g, const ast *n, const grouping_set *plain)
{
    const ast *elements = n->kid[GROUPING_SETS];
    int count = ast_list_len(elements);
    bool is_sets = n->form == GROUPING_FORM_SETS;
    bool is_cube = n->form == GROUPING_FORM_CUBE;
    int n_sets = is_sets ? count : is_cube ? 1 << (count & 7) : count + 1;
    bool ok = n_sets <= SETS_MOST && n->form != GROUPING_FORM_DISTINCT
              && (!is_cube || count <= 4);
    for (int k = 0; ok && k < n_sets; k++) {
        grouping_set *s = &g->sets[g->n++];
        *s = *plain;
        int at = 0;
        for (const ast *e = elements; ok && e; e = e->next, at++) {
            bool is_in = is_sets   ? at == k
                         : is_cube ? !(k >> at & 1)
                                   : at < count - k;
            ok = !is_in || add_keys(s, e);
        }
        for (int i = 0; ok && i < s->n; i++) {
            ok = add_key(&g->all, s->keys[i]);
        }
    }
    return ok;
}

// The expression as the set at hand shows it.
static ast *in_set(void *context, ast *n)
{
    const grouping *g = context;
    translator *t = g->t;
    if (has_key(&g->all, n)) {
        return has_key(g->at, n) ? n : translate_expression(t, S("NULL"), NULL);
    }
    if (n->kind == AST_CALL && str_equal_fold(n->text, S("grouping"))) {
        const ast *key = n->kid[CALL_ARGS];
        bool ok = key && !key->next && has_key(&g->all, key);
        return ok ? translate_expression(
                   t, has_key(g->at, key) ? S("0") : S("1"), NULL)
                  : translate_refuse(t, n, S("GROUPING of several keys"));
    }
    if (dialect_aggregates(DIALECT_SQLITE, n)) {
        return n;
    }
    if (n->kind == AST_COLUMN || n->kind == AST_STAR || ast_is_query(n)
        || (n->kind == AST_CALL && n->kid[CALL_OVER])) {
        return translate_refuse(t, n, S("what these GROUPING SETS show"));
    }
    ast_replace_kids(n, in_set, context);
    return n;
}

// The SELECT of one set.
static ast *select_of_set(grouping *g, const ast *select)
{
    translator *t = g->t;
    ast *n = ast_copy(t->words.a, select);
    bool aggregates = false;
    for (ast **at = &n->kid[SELECT_ITEMS]; *at; at = &(*at)->next) {
        ast *next = (*at)->next;
        ast *item = *at;
        item->next = NULL;
        aggregates |= translate_aggregates(item);
        bool is_named = item->kind == AST_COLUMN;
        str name = item->text;
        ast *shown = in_set(g, item);
        shown = is_named ? ast_named(t->words.a, shown, name) : shown;
        shown->next = next;
        *at = shown;
    }
    if (n->kid[SELECT_HAVING]) {
        n->kid[SELECT_HAVING] = in_set(g, n->kid[SELECT_HAVING]);
    }
    n->kid[SELECT_GROUP] = NULL;
    ast **end = &n->kid[SELECT_GROUP];
    for (int i = 0; i < g->at->n; i++) {
        *end = ast_copy(t->words.a, g->at->keys[i]);
        end = &(*end)->next;
    }
    return g->at->n > 0 || aggregates
               ? n
               : translate_refuse(t, n, S("a set of no keys"));
}

static bool names_item(const ast *select, const ast *key)
{
    bool found = key->kind == AST_NUMBER;
    for (const ast *i = select->kid[SELECT_ITEMS]; i && !found; i = i->next) {
        found = key->kind == AST_COLUMN
                && (ast_equal(i, key)
                    || (!key->kid[COLUMN_PATH]
                        && (i->kind == AST_ALIAS || i->kind == AST_COLUMN)
                        && str_equal_fold(i->text, key->text)));
    }
    return found;
}

// Keys of ORDER BY as names of what is shown.
static void order_by_names(translator *t, ast *select)
{
    for (ast *n = select->kid[SELECT_ORDER]; n; n = n->next) {
        ast *key = n->kind == AST_SORT ? n->kid[SORT_EXPR] : n;
        if (!names_item(select, key)) {
            translate_refuse(t, select, S("this order of GROUPING SETS"));
        } else if (key->kind == AST_COLUMN) {
            key->kid[COLUMN_PATH] = NULL;
            key->form = QUOTE_BACK;
        }
    }
}

ast *translate_grouping_sets(translator *t, ast *select)
{
    grouping g = {.t = t};
    grouping_set plain = {0};
    const ast *sets = NULL;
    bool ok = true;
    for (const ast *n = select->kid[SELECT_GROUP]; n; n = n->next) {
        ok = ok && (n->kind == AST_GROUPING ? !sets : add_key(&plain, n));
        sets = n->kind == AST_GROUPING ? n : sets;
    }
    if (!sets) {
        return select;
    }
    if (!ok || !take_sets(&g, sets, &plain)
        || (select->flags & AST_FLAG_DISTINCT) || select->kid[SELECT_WINDOWS]) {
        return translate_refuse(t, select,
                                S("these GROUPING SETS, CUBE or ROLLUP"));
    }
    order_by_names(t, select);
    ast *outer = translate_around(t, NULL);
    static const int parts[] = {SELECT_WITH, SELECT_ORDER, SELECT_LIMIT};
    for (int i = 0; i < countof(parts); i++) {
        outer->kid[parts[i]] = select->kid[parts[i]];
        select->kid[parts[i]] = NULL;
    }
    ast *all = NULL;
    for (int i = 0; i < g.n; i++) {
        g.at = &g.sets[i];
        ast *one = select_of_set(&g, select);
        ast *both = all ? ast_new(t->words.a, AST_SETOP) : one;
        if (all) {
            both->form = SETOP_FORM_UNION;
            both->flags = AST_FLAG_ALL;
            both->kid[SETOP_LEFT] = all;
            both->kid[SETOP_RIGHT] = one;
        }
        all = both;
    }
    outer->kid[SELECT_FROM]->kid[SUBQUERY_QUERY] = all;
    return outer;
}
