/*
 * translate_kept.c - which rows a SELECT keeps once its windows are known:
 * QUALIFY, DISTINCT ON, LIMIT with ties.
 *
 * Method      What is computed becomes a derived table, and the condition its
 *             WHERE. A window in it, or a column that is not shown, is one more
 *             column of the derived table; so is a key of ORDER BY. DISTINCT ON
 *             (k) keeps the rows where ROW_NUMBER() OVER (PARTITION BY k ORDER
 *             BY ...) is 1, LIMIT n WITH TIES those where RANK() is n at most.
 *
 * Invariant   What has no name gets one that begins with a blank: none that a
 *             column of a table or of the select list has.
 *
 * Cost        Keys and parts of the condition times columns.
 */
#include "sql/ast_rewrite.h"
#include "sql/translate.h"
#include "sql/translate_internal.h"

typedef struct keeper {
    translator *t;
    ast *inner;
    int n_extra;
    bool is_lost;
} keeper;

static ast *column(keeper *k, str name)
{
    return ast_column(k->t->words.a, name, (str){0});
}

static ast **end_of(ast **list)
{
    while (*list) {
        list = &(*list)->next;
    }
    return list;
}

// Every column of the result under a name of its own; false: they have not.
static bool name_items(keeper *k)
{
    int no = 0;
    bool ok = true;
    for (ast **at = &k->inner->kid[SELECT_ITEMS]; *at; at = &(*at)->next) {
        ast *item = *at;
        no++;
        ok = ok && item->kind != AST_STAR;
        if (item->kind != AST_ALIAS) {
            bool is_column = item->kind == AST_COLUMN;
            *at = ast_named(k->t->words.a, item,
                            is_column ? item->text
                                      : arena_printf(k->t->words.a, " %d", no));
            (*at)->next = item->next;
            item->next = NULL;
        }
        for (const ast *other = k->inner->kid[SELECT_ITEMS]; other != *at;
             other = other->next) {
            ok = ok && !str_equal_fold(other->text, (*at)->text);
        }
    }
    return ok;
}

// The item that the expression is, or whose name it is; NULL: none.
static const ast *item_of(const keeper *k, const ast *n)
{
    const ast *found = NULL;
    for (const ast *i = k->inner->kid[SELECT_ITEMS]; i; i = i->next) {
        bool is_name = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH]
                       && str_equal_fold(n->text, i->text);
        if (!found && (is_name || ast_equal(i->kid[ALIAS_EXPR], n))) {
            found = i;
        }
    }
    return found;
}

// What the select list calls so; NULL: nothing, or the column of that name.
static ast *unnamed(void *context, const ast *n)
{
    const keeper *k = context;
    const ast *item = NULL;
    if (n->kind == AST_COLUMN && !n->kid[COLUMN_PATH]) {
        item = item_of(k, n);
    }
    return item && !ast_equal(item->kid[ALIAS_EXPR], n)
               ? ast_copy(k->t->words.a, item->kid[ALIAS_EXPR])
               : NULL;
}

static ast *add_column(keeper *k, const ast *n)
{
    str name = arena_printf(k->t->words.a, " kept %d", ++k->n_extra);
    ast *copy = ast_copy(k->t->words.a, n);
    *end_of(&k->inner->kid[SELECT_ITEMS]) =
        ast_named(k->t->words.a, copy, name);
    return column(k, name);
}

static ast *lifting(void *context, const ast *n)
{
    keeper *k = context;
    const ast *item = item_of(k, n);
    if (item && n->kind != AST_NUMBER) {
        return column(k, item->text);
    }
    if (n->kind == AST_COLUMN || dialect_aggregates(DIALECT_SQLITE, n)
        || (n->kind == AST_CALL && n->kid[CALL_OVER])) {
        return add_column(k, n);
    }
    k->is_lost |= ast_is_query(n);
    return NULL;
}

// The expression over the columns of the derived table.
static ast *lifted(keeper *k, const ast *n)
{
    return ast_rewrite(k->t->words.a, n, lifting, k);
}

static bool is_among(const ast *key, const ast *list)
{
    key = key->kind == AST_SORT ? key->kid[SORT_EXPR] : key;
    while (list && !ast_equal(list, key)) {
        list = list->next;
    }
    return list != NULL;
}

// Where there is one row for all values of the keys, no others sort it; keys
// come first, in any order.
static ast *lifted_order(keeper *k, ast *order, const ast *keys)
{
    ast *out = NULL;
    ast **end = &out;
    int n_others = ast_list_len(keys);
    for (; order; order = order->next) {
        bool is_key = is_among(order, keys);
        n_others -= is_key;
        k->is_lost |= !is_key && n_others > 0;
        if (!keys || is_key) {
            *end = lifted(k, order);
            end = &(*end)->next;
        }
    }
    return out;
}

static bool is_window(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_CALL && n->kid[CALL_OVER];
}

// The text over a window of these keys, in this order but for them.
static ast *over(keeper *k, str text, ast *keys, const ast *order)
{
    ast *condition = translate_expression(k->t, text, NULL);
    ast *window = condition->kid[BINARY_LEFT]->kid[CALL_OVER];
    window->kid[WINDOW_PARTITION] = keys;
    window->kid[WINDOW_ORDER] = NULL;
    ast **end = &window->kid[WINDOW_ORDER];
    for (; order; order = order->next) {
        k->is_lost |= ast_find(order, is_window, NULL) != NULL;
        if (!is_among(order, keys)) {
            *end = ast_copy(k->t->words.a, order);
            end = &(*end)->next;
        }
    }
    return condition;
}

// The first row of each group of the same keys; the first rows and what is tied
// with the last of them.
static ast *kept_when(keeper *k)
{
    ast *n = k->inner;
    ast *limit = n->kid[SELECT_LIMIT];
    bool has_ties = limit && limit->flags & AST_FLAG_TIES;
    if (n->kid[SELECT_ON]) {
        k->is_lost |= has_ties;
        return over(k, S("row_number() OVER (ORDER BY 1) = 1"),
                    n->kid[SELECT_ON], n->kid[SELECT_ORDER]);
    }
    if (has_ties) {
        ast *first = over(k, S("rank() OVER (ORDER BY 1) <= 1"), NULL,
                          n->kid[SELECT_ORDER]);
        first->kid[BINARY_RIGHT] = limit->kid[LIMIT_COUNT];
        k->is_lost |= limit->kid[LIMIT_OFFSET] || n->kid[SELECT_QUALIFY]
                      || n->flags & AST_FLAG_DISTINCT;
        n->kid[SELECT_LIMIT] = NULL;
        return first;
    }
    return ast_rewrite(k->t->words.a, n->kid[SELECT_QUALIFY], unnamed, k);
}

// A place of the select list, or the name of one, as what stands there.
static void spell_key(keeper *k, ast **key)
{
    const ast *n = *key;
    int64_t place = 0;
    bool is_place = n->kind == AST_NUMBER && str_to_int(n->text, &place);
    bool is_name = n->kind == AST_COLUMN && !n->kid[COLUMN_PATH];
    const ast *item = k->inner->kid[SELECT_ITEMS];
    while (item
           && (is_place ? --place > 0 : !str_equal_fold(item->text, n->text))) {
        item = item->next;
    }
    if (item && (is_place || is_name)) {
        ast *next = (*key)->next;
        *key = ast_copy(k->t->words.a, item->kid[ALIAS_EXPR]);
        (*key)->next = next;
    }
}

static void spell_keys(keeper *k, ast **list)
{
    for (ast **at = list; *at; at = &(*at)->next) {
        spell_key(k, (*at)->kind == AST_SORT ? &(*at)->kid[SORT_EXPR] : at);
    }
}

ast *translate_kept(translator *t, ast *n)
{
    keeper k = {.t = t, .inner = n};
    bool is_first = n->kid[SELECT_ON] != NULL;
    if ((is_first && n->kid[SELECT_QUALIFY]) || !name_items(&k)) {
        return translate_refuse(
            t, n, S("this DISTINCT ON, QUALIFY or LIMIT with ties"));
    }
    ast *items = NULL;
    ast **end = &items;
    for (const ast *i = n->kid[SELECT_ITEMS]; i; i = i->next) {
        *end = column(&k, i->text);
        end = &(*end)->next;
    }
    spell_keys(&k, &n->kid[SELECT_ON]);
    spell_keys(&k, &n->kid[SELECT_ORDER]);
    ast *outer = translate_around(t, n);
    outer->kid[SELECT_ITEMS] = items;
    outer->kid[SELECT_WHERE] = lifted(&k, kept_when(&k));
    outer->kid[SELECT_ORDER] =
        lifted_order(&k, n->kid[SELECT_ORDER], n->kid[SELECT_ON]);
    outer->kid[SELECT_LIMIT] = n->kid[SELECT_LIMIT];
    outer->kid[SELECT_WITH] = n->kid[SELECT_WITH];
    outer->flags = is_first ? 0 : n->flags & AST_FLAG_DISTINCT;
    n->flags &= (uint16_t)~AST_FLAG_DISTINCT;
    static const int gone[] = {SELECT_ON, SELECT_QUALIFY, SELECT_ORDER,
                               SELECT_LIMIT, SELECT_WITH};
    for (int i = 0; i < countof(gone); i++) {
        n->kid[gone[i]] = NULL;
    }
    return k.is_lost ? translate_refuse(
               t, outer, S("this DISTINCT ON, QUALIFY or LIMIT with ties"))
                     : outer;
}
