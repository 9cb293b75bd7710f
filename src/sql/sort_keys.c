// sort_keys.c - see sort_keys.h.
#include "sql/sort_keys.h"

#include "sql/parse.h"
#include "sql/print.h"

static ast *item_at(ast *items, int64_t place)
{
    while (items && place > 1) {
        items = items->next;
        place--;
    }
    return items;
}

static const ast *without_alias(const ast *item)
{
    return item->kind == AST_ALIAS ? item->kid[ALIAS_EXPR] : item;
}

// The item whose alias is this bare name, if any.
static const ast *aliased(const ast *items, const ast *key)
{
    bool is_bare = key->kind == AST_COLUMN && !key->kid[COLUMN_PATH];
    for (const ast *i = items; is_bare && i; i = i->next) {
        if (i->kind == AST_ALIAS && str_equal_fold(i->text, key->text)) {
            return i->kid[ALIAS_EXPR];
        }
    }
    return NULL;
}

static bool has_star(const ast *items)
{
    for (; items; items = items->next) {
        if (without_alias(items)->kind == AST_STAR) {
            return true;
        }
    }
    return false;
}

// What a key of ORDER BY means: a place among the items, an alias, or itself.
static const ast *key_meaning(ast *items, const ast *key)
{
    int64_t place = 0;
    if (key->kind == AST_NUMBER) {
        bool is_place = str_to_int(key->text, &place) && place >= 1;
        ast *item = is_place && !has_star(items) ? item_at(items, place) : NULL;
        return item ? without_alias(item) : NULL;
    }
    const ast *other = aliased(items, key);
    return other ? other : key;
}

static bool is_among(const ast *items, const ast *expr)
{
    for (; items; items = items->next) {
        if (ast_equal(without_alias(items), expr)) {
            return true;
        }
    }
    return false;
}

static bool is_plain(const ast *q)
{
    const ast *limit = q->kid[SELECT_LIMIT];
    return q->kind == AST_SELECT && !q->next && q->kid[SELECT_ORDER]
           && q->kid[SELECT_ITEMS] && !q->kid[SELECT_TOP] && !q->kid[SELECT_ON]
           && (!limit || !limit->kid[LIMIT_OFFSET]);
}

bool sort_keys_of(sort_keys *out, arena *a, str sql, dialect d, arena scratch)
{
    *out = (sort_keys){0};
    parse_result parsed = parse_sql(a, sql, d, scratch);
    ast *q = parsed.statements;
    if (!q || parsed.errors.len > 0 || q->kind != AST_SELECT || !is_plain(q)) {
        return false;
    }
    ast *items = q->kid[SELECT_ITEMS];
    ast *keys = NULL;
    ast **end = &keys;
    for (const ast *s = q->kid[SELECT_ORDER]; s; s = s->next) {
        const ast *meaning = key_meaning(items, s->kid[SORT_EXPR]);
        bool is_distinct = q->flags & AST_FLAG_DISTINCT;
        if (!meaning || (is_distinct && !is_among(items, meaning))) {
            return false;
        }
        *end = ast_copy(a, meaning);
        end = &(*end)->next;
        out->n_keys++;
    }
    while (items->next) {
        items = items->next;
    }
    items->next = keys;
    out->had_limit = q->kid[SELECT_LIMIT] != NULL;
    q->kid[SELECT_LIMIT] = NULL;
    buf text = buf_new(a);
    print_sql(&text, q, d, PRINT_ONE_LINE, scratch);
    out->sql = buf_str(&text);
    return true;
}
