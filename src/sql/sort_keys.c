/*
 * sort_keys.c - a query rewritten so that its sort keys are in the result.
 *
 * Method      A SELECT gets copies of its keys as more items, after its own;
 *             its LIMIT and OFFSET go. A key that is a number or an alias is
 *             first replaced by the item it means. A set operation can have no
 *             more items, so its keys must be among the columns of its first
 *             branch, and their places are reported.
 *
 *             Refused is what would change the rows: a DISTINCT with a key that
 *             it does not show, DISTINCT ON, TOP, and a number as a key after
 *             `*`, where nobody knows which column it is.
 *
 * Cost        One parse and one print; for each key a scan over the items.
 */
#include "sql/sort_keys.h"

#include "sql/parse.h"
#include "sql/print.h"

#include <assert.h>

static const ast *item_at(const ast *items, int64_t place)
{
    assert(place >= 1);
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

const ast *sort_key_meaning(const ast *items, const ast *key)
{
    int64_t place = 0;
    if (key->kind == AST_NUMBER) {
        bool is_place = str_to_int(key->text, &place) && place >= 1;
        const ast *item =
            is_place && !has_star(items) ? item_at(items, place) : NULL;
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

// OFFSET as a number; 0 where there is none.
static bool read_offset(const ast *limit, int64_t *offset)
{
    const ast *n = limit ? limit->kid[LIMIT_OFFSET] : NULL;
    *offset = 0;
    return !n
           || (n->kind == AST_NUMBER && str_to_int(n->text, offset)
               && *offset >= 0);
}

// The place of a key among the columns of a set operation, whose names are
// those of its first part; -1: none.
static ptrdiff_t place_of(ast *items, const ast *key)
{
    int64_t number = 0;
    ptrdiff_t place = 0;
    if (has_star(items)) {
        return -1;
    }
    if (key->kind == AST_NUMBER) {
        bool is_place = str_to_int(key->text, &number) && number >= 1;
        return is_place && item_at(items, number) ? (ptrdiff_t)number - 1 : -1;
    }
    bool is_bare = key->kind == AST_COLUMN && !key->kid[COLUMN_PATH];
    for (const ast *i = items; is_bare && i; i = i->next, place++) {
        bool has_name = i->kind == AST_ALIAS || i->kind == AST_COLUMN;
        if (has_name && str_equal_fold(i->text, key->text)) {
            return place;
        }
    }
    return -1;
}

static bool read_set_keys(sort_keys *out, arena *a, const ast *q)
{
    assert(q->kind == AST_SETOP);
    const ast *first = q;
    while (first && first->kind == AST_SETOP) {
        first = first->kid[SETOP_LEFT];
    }
    if (!first || first->kind != AST_SELECT) {
        return false;
    }
    ptrdiff_t n = 0;
    for (const ast *s = q->kid[SETOP_ORDER]; s; s = s->next) {
        n++;
    }
    ptrdiff_t *places = arena_new(a, ptrdiff_t, n);
    if (n == 0) {
        return false;
    }
    for (const ast *s = q->kid[SETOP_ORDER]; s; s = s->next) {
        ptrdiff_t place = place_of(first->kid[SELECT_ITEMS], s->kid[SORT_EXPR]);
        if (place < 0) {
            return false;
        }
        places[out->n_keys++] = place;
    }
    assert(out->n_keys == n);
    out->places = places;
    return true;
}

static bool add_select_keys(sort_keys *out, arena *a, ast *q)
{
    assert(q->kind == AST_SELECT);
    ast *items = q->kid[SELECT_ITEMS];
    ast *keys = NULL;
    ast **end = &keys;
    if (!q->kid[SELECT_ORDER] || !items || q->kid[SELECT_TOP]
        || q->kid[SELECT_ON]) {
        return false;
    }
    for (const ast *s = q->kid[SELECT_ORDER]; s; s = s->next) {
        const ast *meaning = sort_key_meaning(items, s->kid[SORT_EXPR]);
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
    return true;
}

bool sort_keys_of(sort_keys *out, arena *a, str sql, dialect d, arena scratch)
{
    *out = (sort_keys){0};
    parse_result parsed = parse_sql(a, sql, d, scratch);
    ast *q = parsed.statements;
    bool is_known = q && !q->next && parsed.errors.len == 0
                    && (q->kind == AST_SELECT || q->kind == AST_SETOP);
    if (!is_known) {
        return false;
    }
    ast **limit = ast_query_part(q, QUERY_LIMIT);
    bool ok = read_offset(*limit, &out->offset)
              && (q->kind == AST_SELECT ? add_select_keys(out, a, q)
                                        : read_set_keys(out, a, q));
    if (!ok) {
        return false;
    }
    out->had_limit = *limit != NULL;
    *limit = NULL;
    buf text = buf_new(a);
    print_sql(&text, q, d, PRINT_ONE_LINE, scratch);
    out->sql = buf_str(&text);
    return true;
}

bool sort_keys_plain(sort_keys *out,
                     arena *a,
                     str sql,
                     dialect d,
                     arena scratch)
{
    return sort_keys_of(out, a, sql, d, scratch) && !out->places
           && out->offset == 0;
}
