/*
 * sql_eval_group.c - the top-level groups of a query, as sqlparse 0.4.2 makes
 * them. [rules/evaluators.md 4.4]
 *
 * Method      Fifteen passes, in an order that must stay: each joins
 *             neighbors into a group that later passes see as one item. Which
 *             items join depends only on what stands at the same level, so
 *             every level (the text, the inside of each nesting group, of each
 *             WHERE) is done by itself, from a list of levels still to do.
 *
 *             A joining pass (join_table) looks at the items as they stood
 *             before it. After a join the absorbed right item is looked at
 *             once more, standing where the group stands: with its own kind it
 *             is the left neighbor of what follows. That is how a = b = c
 *             becomes one group although comparisons are no operands.
 *
 * Invariants  (1) Items are in order and cover their level.
 *             (2) A level is compacted in place: writing never passes reading.
 *
 * Cost        Linear: a token is in one level, or in two when under a WHERE.
 *
 * Not here    Pairs of delimiters (sql_eval_nest.c).
 */
#include "metric/sql_eval_item.h"
#include "sql/sqlparse_word.h"

typedef struct item {
    item_kind kind;
    int32_t first;  // tokens
    int32_t last;
} item;

typedef struct level {
    int32_t first;  // tokens
    int32_t last;
    bool is_top;
    bool is_nest;       // its ends are the delimiters of a nesting group
    bool in_where;      // it is the inside of a WHERE
    bool no_functions;  // of a WHERE: it stands in a CREATE TABLE
} level;

typedef struct grouper {
    sql_eval_text *t;
    const int32_t *partner;
    item *items;  // of the level at work
    ptrdiff_t n;
    struct {
        level *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } to_do;
    arena scratch;
} grouper;

static bool is_in(item_kind kind, item_set set)
{
    return (((item_set)1 << kind) & set) != 0;
}

// The first item from i on that is no blank; g->n when there is none.
static ptrdiff_t skip_blanks(const grouper *g, ptrdiff_t i)
{
    while (i < g->n && g->items[i].kind == ITEM_BLANK) {
        i++;
    }
    return i;
}

/* --- passes 4, 5, 8 to 12, 14: joins ----------------------------------- */

typedef enum join_extent {
    JOIN_BOTH,     // left, item, right
    JOIN_DOT,      // the same, or left and item when right does not fit
    JOIN_LEFT,     // left and item
    JOIN_FORWARD,  // item and right; something must stand at the left
} join_extent;

typedef struct join {
    item_set match;
    item_set left;
    item_set right;
    item_kind result;
    join_extent extent;
} join;

#define NAMES (ITEM(NAME) | ITEM(SYMBOL))

#define PLAIN_KEYWORDS                                                      \
    (ITEM(KEYWORD) | ITEM(NULL) | ITEM(AS) | ITEM(NOW) | ITEM(TIMESTAMP)    \
     | ITEM(UNIT) | ITEM(WHERE_WORD) | ITEM(WHERE_STOP) | ITEM(VALUES_WORD) \
     | ITEM(TABLE))

#define KEYWORDS                                                      \
    (PLAIN_KEYWORDS | ITEM(ORDER) | ITEM(DML) | ITEM(DDL) | ITEM(CTE) \
     | ITEM(TIMEZONE))

#define OPERANDS                                                             \
    (ITEM(PARENTHESIS) | ITEM(FUNCTION) | ITEM(IDENTIFIER) | ITEM(OPERATION) \
     | ITEM(TYPED) | ITEM(NUMBER) | ITEM(STRING) | ITEM(PLACEHOLDER))

#define TERMS (OPERANDS | ITEM(BRACKETS) | ITEM(NOW))

#define SIDES (OPERANDS | ITEM(NULL))

#define LISTABLE                                                       \
    (ITEM(FUNCTION) | ITEM(CASE) | ITEM(IDENTIFIER) | ITEM(COMPARISON) \
     | ITEM(LIST) | ITEM(OPERATION) | ITEM(NUMBER) | ITEM(STRING)      \
     | ITEM(PLACEHOLDER) | ITEM(WILDCARD) | PLAIN_KEYWORDS)

static const join JOIN_DOTS = {
    ITEM(DOT), ITEM(BRACKETS) | ITEM(IDENTIFIER) | NAMES,
    ITEM(BRACKETS) | ITEM(FUNCTION) | NAMES | ITEM(WILDCARD), ITEM_IDENTIFIER,
    JOIN_DOT};

static const join JOIN_ARRAYS = {
    ITEM(BRACKETS), ITEM(BRACKETS) | ITEM(IDENTIFIER) | ITEM(FUNCTION) | NAMES,
    0, ITEM_IDENTIFIER, JOIN_LEFT};

// In their order, after names have become identifiers.
static const join JOINS[] = {
    {ITEM(CAST), ITEM_ANY, ITEM_ANY, ITEM_IDENTIFIER, JOIN_BOTH},
    {ITEM(TIMEZONE), ITEM_ANY, ITEM_ANY, ITEM_IDENTIFIER, JOIN_BOTH},
    {ITEM(TYPE) | ITEM(TIMESTAMP), ITEM_ANY, ITEM(STRING), ITEM_TYPED,
     JOIN_FORWARD},
    {ITEM(TYPED), ITEM_ANY, ITEM(UNIT), ITEM_TYPED, JOIN_FORWARD},
    {ITEM(OPERATOR) | ITEM(WILDCARD), TERMS, TERMS, ITEM_OPERATION, JOIN_BOTH},
    {ITEM(COMPARE), SIDES, SIDES, ITEM_COMPARISON, JOIN_BOTH},
    {ITEM(AS), ~KEYWORDS | ITEM(NULL), ~(ITEM(DML) | ITEM(DDL) | ITEM(CTE)),
     ITEM_IDENTIFIER, JOIN_BOTH},
};

static const join JOIN_LISTS = {ITEM(COMMA), LISTABLE, LISTABLE, ITEM_LIST,
                                JOIN_BOTH};

// How far the join of item i would reach: the right item, i itself when left
// and item join alone, or -1 for no join.
static ptrdiff_t join_reach(const grouper *g,
                            const join *j,
                            ptrdiff_t i,
                            item_kind left)
{
    if (!is_in(left, j->left)) {
        return -1;
    }
    const ptrdiff_t right = skip_blanks(g, i + 1);
    const bool fits = right < g->n && is_in(g->items[right].kind, j->right);
    if (j->extent == JOIN_LEFT || (j->extent == JOIN_DOT && !fits)) {
        return i;
    }
    return fits ? right : -1;
}

static void mark(grouper *g, int32_t token, sql_eval_mark m)
{
    g->t->ptr[token].marks |= (uint16_t)m;
}

static void mark_link(grouper *g, int32_t token, sql_eval_mark m, int32_t link)
{
    mark(g, token, m);
    g->t->ptr[token].link = link;
}

// Where a joining pass stands.
typedef struct cursor {
    ptrdiff_t n;          // items written
    ptrdiff_t left;       // where the left neighbor stands, or -1
    item_kind left_kind;  // what it counts as
} cursor;

// Joins item i, which was written last, as long as what it becomes joins.
// The last item that was read.
static ptrdiff_t join_item(grouper *g, const join *j, ptrdiff_t i, cursor *c)
{
    ptrdiff_t place = c->n - 1;
    item at = g->items[place];
    while (c->left >= 0 && is_in(at.kind, j->match)) {
        const ptrdiff_t reach = join_reach(g, j, i, c->left_kind);
        if (reach < 0) {
            break;
        }
        const item right = reach == i ? at : g->items[reach];
        place = j->extent == JOIN_FORWARD ? place : c->left;
        if (c->left_kind == ITEM_COMMENT) {
            mark(g, g->items[place].first, SQL_EVAL_GLUE);
        }
        if (j == &JOIN_LISTS) {
            mark_link(g, at.first, SQL_EVAL_LIST_COMMA, g->items[place].first);
        }
        g->items[place].kind = j->result;
        g->items[place].last = right.last;
        *c = (cursor){place + 1, place, j->result};
        if (reach == i) {
            return i;
        }
        at = right;
        i = reach;
    }
    c->left = place;
    c->left_kind = at.kind;
    return i;
}

static void run_join(grouper *g, const join *j)
{
    cursor c = {0, -1, ITEM_BLANK};
    for (ptrdiff_t i = 0; i < g->n; i++) {
        g->items[c.n++] = g->items[i];
        if (g->items[i].kind != ITEM_BLANK) {
            i = join_item(g, j, i, &c);
        }
    }
    g->n = c.n;
}

/* --- passes 2, 6, 7, 13, 15 -------------------------------------------- */

static void join_functions(grouper *g)
{
    const item_set callable = ITEM(NAME) | ITEM(TYPE) | ITEM(PLACEHOLDER);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        item at = g->items[i];
        const ptrdiff_t next = skip_blanks(g, i + 1);
        if (is_in(at.kind, callable) && next < g->n
            && g->items[next].kind == ITEM_PARENTHESIS) {
            mark(g, g->items[next].first, SQL_EVAL_CALL);
            at.kind = ITEM_FUNCTION;
            at.last = g->items[next].last;
            i = next;
        }
        g->items[n++] = at;
    }
    g->n = n;
}

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
        if (is_in(g->items[i].kind, NAMES)) {
            g->items[i].kind = ITEM_IDENTIFIER;
        }
    }
}

// ASC and DESC belong to the identifier or number before them.
static void join_orders(grouper *g)
{
    ptrdiff_t n = 0;
    ptrdiff_t left = -1;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        if (at.kind == ITEM_ORDER && left >= 0
            && is_in(g->items[left].kind,
                     ITEM(IDENTIFIER) | ITEM(NUMBER) | ITEM(HEX))) {
            g->items[left].kind = ITEM_IDENTIFIER;
            g->items[left].last = at.last;
            n = left + 1;
            continue;
        }
        left = at.kind == ITEM_BLANK ? left : n;
        g->items[n++] = at;
    }
    g->n = n;
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

// An alias without AS: an identifier behind a term.
static void join_aliases(grouper *g)
{
    const item_set named = ITEM(PARENTHESIS) | ITEM(FUNCTION) | ITEM(CASE)
                           | ITEM(IDENTIFIER) | ITEM(OPERATION)
                           | ITEM(COMPARISON) | ITEM(NUMBER) | ITEM(HEX);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        item at = g->items[i];
        const ptrdiff_t next = skip_blanks(g, i + 1);
        if (is_in(at.kind, named) && next < g->n
            && g->items[next].kind == ITEM_IDENTIFIER) {
            mark_swallowed_comma(g, at);
            at.kind = ITEM_IDENTIFIER;
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
    g->items[from].kind = kind;
    g->items[from].last = g->items[to].last;
    const ptrdiff_t gone = to - from;
    for (ptrdiff_t i = to + 1; i < g->n; i++) {
        g->items[i - gone] = g->items[i];
    }
    g->n -= gone;
}

// Marks the rows of VALUES and the commas between them.
static void mark_rows(grouper *g, ptrdiff_t from, ptrdiff_t to)
{
    for (ptrdiff_t i = from; i <= to; i++) {
        const item at = g->items[i];
        if (at.kind == ITEM_PARENTHESIS) {
            mark(g, at.first, SQL_EVAL_VALUES);
        } else if (at.kind == ITEM_COMMA
                   && g->items[skip_blanks(g, i + 1)].kind
                          == ITEM_PARENTHESIS) {
            mark_link(g, at.first, SQL_EVAL_ROW_COMMA, g->items[from].first);
        }
    }
}

// VALUES to the last parenthesis behind it.
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
        ptrdiff_t right = skip_blanks(g, i + 1);
        if (at.kind != ITEM_ASSIGN || left < 0 || right >= g->n
            || is_in(g->items[left].kind, KEYWORDS)
            || is_in(g->items[right].kind, KEYWORDS)) {
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

// A comment joins the group before it, unless nothing follows.
static void join_comments(grouper *g)
{
    ptrdiff_t n = 0;
    ptrdiff_t left = -1;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        if (at.kind == ITEM_COMMENT && left >= 0
            && g->items[left].kind >= ITEM_BRACKETS
            && skip_blanks(g, i + 1) < g->n) {
            mark(g, at.first, SQL_EVAL_KEEP);
            if (g->items[left].kind == ITEM_PARENTHESIS) {
                mark(g, g->items[left].last, SQL_EVAL_LOOSE);
            }
            g->items[left].last = at.last;
            n = left + 1;
            continue;
        }
        left = at.kind == ITEM_BLANK ? left : n;
        g->items[n++] = at;
    }
    g->n = n;
}

/* --- levels ------------------------------------------------------------ */

static void push_level(grouper *g, level l)
{
    *vec_push(&g->scratch, &g->to_do) = l;
}

static bool has_query_word(const grouper *g)
{
    for (ptrdiff_t i = 0; i < g->n; i++) {
        if (is_in(g->items[i].kind, ITEM(DML) | ITEM(DDL))) {
            return true;
        }
    }
    return false;
}

// The items of a level as its tokens and nesting groups; these become levels.
static void fill_level(grouper *g, level l)
{
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

// Marks the ends of a level that is a parenthesis or a CASE.
static void mark_ends(grouper *g, level l)
{
    const str open = g->t->ptr[l.first].text;
    if (!l.is_nest) {
        return;
    }
    if (str_equal(open, S("("))) {
        mark_link(g, l.first, SQL_EVAL_PAIRED, l.last);
        mark(g, l.last, SQL_EVAL_PAIRED);
        if (has_query_word(g)) {
            mark(g, l.first, SQL_EVAL_BREAK);
        }
        if (g->n > 2 && g->items[g->n - 2].kind == ITEM_WHERE) {
            mark(g, l.last, SQL_EVAL_LOOSE);
        }
    } else if (str_equal_fold(open, S("CASE"))) {
        mark_link(g, l.first, SQL_EVAL_CASE, l.last);
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
            mark(g, at.first, SQL_EVAL_BREAK);
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

// Parts of keywords that begin a line.
static const str BREAK_PARTS[] = {
    S_INIT("FROM"),     S_INIT("AND"),    S_INIT("OR"),     S_INIT("GROUP BY"),
    S_INIT("ORDER BY"), S_INIT("UNION"),  S_INIT("VALUES"), S_INIT("SET"),
    S_INIT("EXCEPT"),   S_INIT("HAVING"), S_INIT("LIMIT"),
};

static bool is_break_keyword(str word)
{
    for (ptrdiff_t i = 0; i < countof(BREAK_PARTS); i++) {
        if (str_find(word, BREAK_PARTS[i], 0) >= 0) {
            return true;
        }
    }
    return str_ends(word, S("JOIN"));
}

static bool is_parenthesis(const grouper *g, level l)
{
    return l.is_nest && str_equal(g->t->ptr[l.first].text, S("("));
}

// Marks the words of a level that begin lines. The AND of a BETWEEN does not,
// nor does the second SELECT of a parenthesis.
static void mark_breaks(grouper *g, level l)
{
    const item_set verbs = is_parenthesis(g, l) ? 0 : ITEM(DML) | ITEM(DDL);
    bool between = false;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        const str word = g->t->ptr[at.first].text;
        bool breaks = is_in(at.kind, verbs);
        if (is_in(at.kind, PLAIN_KEYWORDS)) {
            const bool is_between = str_equal(word, S("BETWEEN"));
            const bool splits = is_between || is_break_keyword(word);
            const bool is_its_and = between && str_equal(word, S("AND"));
            breaks = breaks || (is_between ? between : splits && !is_its_and);
            between = is_between || (between && !splits);
        }
        if (breaks) {
            mark(g, at.first, SQL_EVAL_BREAK);
        }
    }
}

// The words of a CASE that begin lines.
static void mark_case_words(grouper *g, level l)
{
    if (!l.is_nest || !str_equal_fold(g->t->ptr[l.first].text, S("CASE"))) {
        return;
    }
    for (ptrdiff_t i = 1; i < g->n; i++) {
        const str word = g->t->ptr[g->items[i].first].text;
        if (g->items[i].kind == ITEM_KEYWORD
            && (str_equal_fold(word, S("WHEN"))
                || str_equal_fold(word, S("ELSE"))
                || str_equal_fold(word, S("END")))) {
            mark(g, g->items[i].first, SQL_EVAL_BREAK);
        }
    }
}

static void group_level(grouper *g, level l)
{
    fill_level(g, l);
    const bool no_functions = l.in_where ? l.no_functions : makes_table(g);
    if (!no_functions) {
        join_functions(g);
    }
    if (!l.in_where) {
        join_wheres(g, l, no_functions);
    }
    mark_ends(g, l);
    mark_breaks(g, l);
    mark_case_words(g, l);
    run_join(g, &JOIN_DOTS);
    if (l.is_top) {
        run_join(g, &JOIN_ARRAYS);
    }
    name_identifiers(g);
    if (l.is_top) {
        join_orders(g);
    }
    for (ptrdiff_t i = 0; i < countof(JOINS); i++) {
        run_join(g, &JOINS[i]);
    }
    join_aliases(g);
    join_assignments(g);
    join_comments(g);
    run_join(g, &JOIN_LISTS);
    if (l.is_top) {
        join_values(g);
    }
}

static sql_eval_groups top_groups(arena *a, const grouper *g)
{
    sql_eval_groups groups = {0};
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        if (at.kind != ITEM_BLANK) {
            const bool ends_blank =
                g->t->ptr[at.last].class == SQLPARSE_BLANK;  // of a WHERE
            *vec_push(a, &groups) =
                (sql_eval_span){at.first, at.last - ends_blank};
        }
    }
    return groups;
}

sql_eval_groups sql_eval_group(arena *a, sql_eval_text *t, arena scratch)
{
    if (t->len == 0) {
        return (sql_eval_groups){0};
    }
    grouper g = {.t = t};
    g.items = arena_new(&scratch, item, t->len);
    int32_t *partner = arena_new(&scratch, int32_t, t->len);
    sql_eval_pairs(partner, t, scratch);
    g.partner = partner;
    g.scratch = scratch;
    group_level(
        &g, (level){.first = 0, .last = (int32_t)t->len - 1, .is_top = true});
    const sql_eval_groups groups = top_groups(a, &g);
    while (g.to_do.len > 0) {
        g.to_do.len--;
        group_level(&g, g.to_do.ptr[g.to_do.len]);
    }
    return groups;
}
