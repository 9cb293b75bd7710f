/*
 * sql_eval_group.c - the top-level groups of a query, as sqlparse 0.4.2 makes
 * them. [definitions/sql_eval.md#groups]
 *
 * Method      Fifteen passes, in an order that must stay: each joins
 *             neighbors into a group that later passes see as one item. Which
 *             items join depends only on what stands at the same level, so
 *             every level (the text, the inside of each nesting group, of each
 *             WHERE) is done by itself, from a list of levels still to do.
 *
 * Invariants  (1) Items are in order and cover their level.
 *             (2) A level is compacted in place: writing never passes reading.
 *
 * Cost        Linear: a token is in one level, or in two when under a WHERE.
 *
 * Not here    Pairs of delimiters (sql_eval_nest.c), joins by table
 *             (sql_eval_join.c), marks for layout (sql_eval_mark.c).
 */
#include "evaluators/sql_eval_item.h"

#include <assert.h>

// What an alias without AS may follow.
#define ALIASED                                                         \
    (ITEM(PARENTHESIS) | ITEM(FUNCTION) | ITEM(CASE) | ITEM(IDENTIFIER) \
     | ITEM(OPERATION) | ITEM(COMPARISON) | ITEM(NUMBER) | ITEM(HEX))

ptrdiff_t item_skip_blanks(const grouper *g, ptrdiff_t i)
{
    while (i < g->n && g->items[i].kind == ITEM_BLANK) {
        i++;
    }
    return i;
}

/* --- passes 2, 6, 7, 13, 15 -------------------------------------------- */

static bool makes_table(const grouper *g)
{
    bool creates = false;
    bool table = false;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        creates = creates
                  || (at.kind == ITEM_DDL
                      && str_equal_fold(g->t->ptr[at.first].text, S("CREATE")));
        table = table || at.kind == ITEM_TABLE;
    }
    return creates && table;
}

static void name_identifiers(grouper *g)
{
    for (ptrdiff_t i = 0; i < g->n; i++) {
        if (item_is(g->items[i].kind, ITEM_NAMES)) {
            g->items[i].kind = ITEM_IDENTIFIER;
        }
    }
}

// Items that `joins` takes become the end of the one before them.
static void join_left(grouper *g,
                      bool (*joins)(grouper *g, ptrdiff_t i, item *left))
{
    ptrdiff_t n = 0;
    ptrdiff_t left = -1;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        if (left >= 0 && joins(g, i, &g->items[left])) {
            g->items[left].last = at.last;
            n = left + 1;
            continue;
        }
        left = at.kind == ITEM_BLANK ? left : n;
        g->items[n++] = at;
    }
    g->n = n;
}

// ASC and DESC belong to the identifier or number before them.
static bool is_order_of(grouper *g, ptrdiff_t i, item *left)
{
    bool joins =
        g->items[i].kind == ITEM_ORDER
        && item_is(left->kind, ITEM(IDENTIFIER) | ITEM(NUMBER) | ITEM(HEX));
    left->kind = joins ? ITEM_IDENTIFIER : left->kind;
    return joins;
}

// A comment joins the group before it, unless nothing follows.
static bool is_comment_on(grouper *g, ptrdiff_t i, item *left)
{
    bool joins = g->items[i].kind == ITEM_COMMENT && left->kind >= ITEM_BRACKETS
                 && item_skip_blanks(g, i + 1) < g->n;
    if (joins) {
        mark_token(g, g->items[i].first, SQL_EVAL_KEEP);
    }
    if (joins && left->kind == ITEM_PARENTHESIS) {
        mark_token(g, left->last, SQL_EVAL_LOOSE);
    }
    return joins;
}

// After AS has taken a comma for an alias ("x AS , y"), the comma still joins AS
// and what follows, inside the group.
static void mark_swallowed_comma(grouper *g, item at)
{
    const sql_eval_token *tokens = g->t->ptr;
    int32_t i = at.last;
    if (i <= at.first || item_kind_of(tokens[i]) != ITEM_COMMA) {
        return;
    }
    i -= 1 + (tokens[i - 1].class == SQLPARSE_BLANK);
    if (i > at.first && item_kind_of(tokens[i]) == ITEM_AS) {
        mark_link(g, at.last, SQL_EVAL_LIST_COMMA, i);
    }
}

// An item of these kinds and the next one, if it is of that kind, become one:
// of a function with its arguments, of an alias without AS with its term.
static void join_next(grouper *g,
                      item_set kinds,
                      item_kind next_kind,
                      item_kind result)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        item at = g->items[i];
        const ptrdiff_t next = item_skip_blanks(g, i + 1);
        if (item_is(at.kind, kinds) && next < g->n
            && g->items[next].kind == next_kind) {
            if (result == ITEM_FUNCTION) {
                mark_token(g, g->items[next].first, SQL_EVAL_CALL);
            } else {
                mark_swallowed_comma(g, at);
            }
            at.kind = result;
            at.last = g->items[next].last;
            i = next;
        }
        g->items[n++] = at;
    }
    g->n = n;
}

// Makes one item of items from..to.
static void merge(grouper *g, ptrdiff_t from, ptrdiff_t to, item_kind kind)
{
    assert(from >= 0 && from <= to && to < g->n);
    g->items[from].kind = kind;
    g->items[from].last = g->items[to].last;
    const ptrdiff_t gone = to - from;
    for (ptrdiff_t i = to + 1; i < g->n; i++) {
        g->items[i - gone] = g->items[i];
    }
    g->n -= gone;
}

// Marks the rows of VALUES: the first comma after each begins a line.
static void mark_rows(grouper *g, ptrdiff_t from, ptrdiff_t to)
{
    mark_link(g, g->items[from].first, SQL_EVAL_VALUES, g->items[to].last);
    int32_t row = -1;
    for (ptrdiff_t i = from; i <= to; i++) {
        const item at = g->items[i];
        if (at.kind == ITEM_PARENTHESIS) {
            row = at.first;
        } else if (at.kind == ITEM_COMMA && row >= 0) {
            mark_link(g, at.first, SQL_EVAL_ROW_COMMA, row);
            row = -1;
        }
    }
}

// VALUES to the last parenthesis after it.
static void join_values(grouper *g)
{
    ptrdiff_t from = -1;
    ptrdiff_t to = -1;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        if (from < 0 && g->items[i].kind == ITEM_VALUES_WORD) {
            from = i;
        } else if (from >= 0 && g->items[i].kind == ITEM_PARENTHESIS) {
            to = i;
        }
    }
    if (to >= 0) {
        mark_rows(g, from, to);
        merge(g, from, to, ITEM_VALUES);
    }
}

// `:=` between two sides that are no keywords, to the next semicolon if there
// is one.
static void join_assignments(grouper *g)
{
    ptrdiff_t n = 0;
    ptrdiff_t left = -1;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        ptrdiff_t right = item_skip_blanks(g, i + 1);
        if (at.kind != ITEM_ASSIGN || left < 0 || right >= g->n
            || item_is(g->items[left].kind, ITEM_KEYWORDS)
            || item_is(g->items[right].kind, ITEM_KEYWORDS)) {
            left = at.kind == ITEM_BLANK ? left : n;
            g->items[n++] = at;
            continue;
        }
        for (ptrdiff_t k = right; k < g->n; k++) {
            if (g->items[k].kind == ITEM_SEMICOLON) {
                right = k;
                break;
            }
        }
        g->items[left].kind = ITEM_ASSIGNMENT;
        g->items[left].last = g->items[right].last;
        n = left + 1;
        i = right;
    }
    g->n = n;
}

/* --- levels ------------------------------------------------------------ */

static void push_level(grouper *g, level l)
{
    *vec_push(&g->scratch, &g->to_do) = l;
}

// The items of a level as its tokens and nesting groups; these become levels.
static void fill_level(grouper *g, level l)
{
    assert(l.first >= 0 && l.first <= l.last && l.last < g->t->len);
    g->n = 0;
    for (int32_t i = l.first; i <= l.last; i++) {
        const int32_t end = g->partner[i];
        const sql_eval_token token = g->t->ptr[i];
        if (end <= i || (l.is_nest && i == l.first)) {
            g->items[g->n++] = (item){item_kind_of(token), i, i};
            continue;
        }
        g->items[g->n++] = (item){item_kind_of_group(token), i, end};
        if (!l.in_where) {
            push_level(g, (level){.first = i, .last = end, .is_nest = true});
        }
        i = end;
    }
}

// WHERE and what follows up to a clause that ends it; its inside becomes a
// level. The END of a CASE or block is swallowed, a ")" is not.
static void join_wheres(grouper *g, level l, bool no_functions)
{
    const bool is_closed =
        l.is_nest && g->t->ptr[l.last].class == SQLPARSE_PUNCTUATION;
    const ptrdiff_t end = g->n - is_closed;
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        item at = g->items[i];
        if (at.kind == ITEM_WHERE_WORD) {
            while (i + 1 < end && g->items[i + 1].kind != ITEM_WHERE_STOP) {
                i++;
            }
            at = (item){ITEM_WHERE, at.first, g->items[i].last};
            mark_token(g, at.first, SQL_EVAL_BREAK);
            mark_link(g, at.first, SQL_EVAL_WHERE, at.last);
            push_level(g, (level){.first = at.first,
                                  .last = at.last,
                                  .in_where = true,
                                  .no_functions = no_functions});
        }
        g->items[n++] = at;
    }
    g->n = n;
}

static void group_level(grouper *g, level l)
{
    fill_level(g, l);
    const bool no_functions = l.in_where ? l.no_functions : makes_table(g);
    if (!no_functions) {
        join_next(g, ITEM(NAME) | ITEM(TYPE) | ITEM(PLACEHOLDER),
                  ITEM_PARENTHESIS, ITEM_FUNCTION);
    }
    if (!l.in_where) {
        join_wheres(g, l, no_functions);
    }
    mark_ends(g, l);
    mark_breaks(g, l);
    join_dots(g);
    if (l.is_top) {
        join_arrays(g);
    }
    name_identifiers(g);
    if (l.is_top) {
        join_left(g, is_order_of);
    }
    join_terms(g);
    join_next(g, ALIASED, ITEM_IDENTIFIER, ITEM_IDENTIFIER);
    join_assignments(g);
    join_left(g, is_comment_on);
    join_lists(g);
    if (l.is_top) {
        join_values(g);
    }
    mark_lost_where(g, l);
}

static ptrdiff_t list_groups(sql_eval_span *groups, const grouper *g)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        if (at.kind != ITEM_BLANK) {
            const bool ends_blank =
                g->t->ptr[at.last].class == SQLPARSE_BLANK;  // of a WHERE
            groups[n++] = (sql_eval_span){at.first, at.last - ends_blank};
        }
    }
    return n;
}

ptrdiff_t sql_eval_group(sql_eval_span *groups, sql_eval_text *t, arena scratch)
{
    if (t->len == 0) {
        return 0;
    }
    grouper g = {.t = t};
    g.items = arena_new(&scratch, item, t->len);
    int32_t *partner = arena_new(&scratch, int32_t, t->len);
    sql_eval_pairs(partner, t, scratch);
    g.partner = partner;
    g.scratch = scratch;
    group_level(
        &g, (level){.first = 0, .last = (int32_t)t->len - 1, .is_top = true});
    const ptrdiff_t n = list_groups(groups, &g);
    while (g.to_do.len > 0) {
        g.to_do.len--;
        group_level(&g, g.to_do.ptr[g.to_do.len]);
    }
    return n;
}
