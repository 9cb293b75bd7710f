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

typedef struct grouping {
    translator *t;
    const ast *keys[KEYS_MOST];  // of all sets
    int n_keys;
    unsigned sets[SETS_MOST];  // keys by bits
    int n;
    unsigned at;  // the set at hand
    bool is_lost;
} grouping;

// The bit of a key, 0: it is none.
static unsigned key_bit(const grouping *g, const ast *n)
{
    int at = 0;
    while (at < g->n_keys && !ast_equal(g->keys[at], n)) {
        at++;
    }
    return at < g->n_keys ? 1u << at : 0;
}

static unsigned add_key(grouping *g, const ast *n)
{
    g->is_lost |= n->kind != AST_COLUMN;
    if (!key_bit(g, n) && g->n_keys < KEYS_MOST) {
        g->keys[g->n_keys++] = n;
    }
    g->is_lost |= !key_bit(g, n);
    return key_bit(g, n);
}

// One key, or a row of them.
static unsigned add_keys(grouping *g, const ast *n)
{
    unsigned bits = n->kind == AST_ROW ? 0 : add_key(g, n);
    const ast *row = n->kind == AST_ROW ? n->kid[ROW_ITEMS] : NULL;
    for (; row; row = row->next) {
        bits |= add_key(g, row);
    }
    return bits;
}

static void take_sets(grouping *g, const ast *n, unsigned plain)
{
    int count = ast_list_len(n->kid[GROUPING_SETS]);
    bool is_sets = n->form == GROUPING_FORM_SETS;
    bool is_cube = n->form == GROUPING_FORM_CUBE;
    int n_sets = is_sets ? count : is_cube ? 1 << (count & 7) : count + 1;
    g->is_lost |= n_sets > SETS_MOST || n->form == GROUPING_FORM_DISTINCT
                  || (is_cube && count > 4);
    for (int k = 0; !g->is_lost && k < n_sets; k++) {
        g->sets[g->n++] = plain;
        const ast *e = n->kid[GROUPING_SETS];
        for (int at = 0; e; e = e->next, at++) {
            bool is_in = is_sets   ? at == k
                         : is_cube ? !(k >> at & 1)
                                   : at < count - k;
            g->sets[k] |= is_in ? add_keys(g, e) : 0;
        }
    }
}

// The expression as the set at hand shows it.
static ast *in_set(void *context, ast *n)
{
    const grouping *g = context;
    translator *t = g->t;
    if (key_bit(g, n)) {
        return key_bit(g, n) & g->at ? n
                                     : translate_expression(t, S("NULL"), NULL);
    }
    if (n->kind == AST_CALL && str_equal_fold(n->text, S("grouping"))) {
        const ast *key = n->kid[CALL_ARGS];
        bool ok = key && !key->next && key_bit(g, key);
        return ok ? translate_expression(
                   t, key_bit(g, key) & g->at ? S("0") : S("1"), NULL)
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
    for (int i = 0; i < g->n_keys; i++) {
        if (g->at >> i & 1) {
            *end = ast_copy(t->words.a, g->keys[i]);
            end = &(*end)->next;
        }
    }
    return g->at || aggregates ? n
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
    unsigned plain = 0;
    const ast *sets = NULL;
    for (const ast *n = select->kid[SELECT_GROUP]; n; n = n->next) {
        bool is_sets = n->kind == AST_GROUPING;
        g.is_lost |= is_sets && sets;
        plain |= is_sets ? 0 : add_key(&g, n);
        sets = is_sets ? n : sets;
    }
    if (!sets) {
        return select;
    }
    take_sets(&g, sets, plain);
    if (g.is_lost || (select->flags & AST_FLAG_DISTINCT)
        || select->kid[SELECT_WINDOWS]) {
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
        g.at = g.sets[i];
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
