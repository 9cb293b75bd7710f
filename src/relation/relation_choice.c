/*
 * relation_choice.c - see relation_choice.h.
 *
 * Method      One walk over the tree. Places that leave a choice:
 *
 *             LIMIT          unless the query is only asked whether it has rows
 *             value          a subquery in the place of a value takes its
 *                            first row; one that aggregates all has only one
 *             bare columns   of a grouped SELECT
 *             windows        functions that count rows, not values
 *             group_concat   puts values together in the order of the rows
 *             spellings      DISTINCT, GROUP BY, UNION, MIN show one of
 *                            several texts that are equal without letter case
 *
 *             What depends on the rows around it (a correlated subquery)
 *             cannot be run alone, so most of those have no test.
 */
#include "relation/relation_choice.h"

#include "relation/relation_choice_internal.h"
#include "relation/relation_told.h"
#include "sql/function.h"
#include "sql/semantics.h"

#include <assert.h>

// What is known of the place the walk is at.
typedef struct place {
    const ast *select;  // the SELECT around it
    bool is_top;        // the query itself
    bool is_value;      // a subquery in the place of a value
    bool is_asked;      // EXISTS: only whether there are rows counts
    bool is_source;     // in FROM: a subquery is a table, not a value
} place;

static void walk(engine_choice_builder *c, const ast *n, place at);

static void add(engine_choice_builder *c, engine_choice one)
{
    *vec_push(c->a, &c->out.inner) = one;
}

static const engine_choice without_test = {.kind = CHOICE_ROWS};

static bool is_correlated(const bound_query *q)
{
    if (!q) {
        return true;
    }
    return (q->block && q->block->is_correlated)
           || (q->left && is_correlated(q->left))
           || (q->right && is_correlated(q->right))
           || (q->body && is_correlated(q->body));
}

// One row at most, whatever the data: an aggregate of everything, no table.
static bool has_one_row(engine_choice_builder *c, const ast *query)
{
    const bound_query *q = bind_query_at(c->b, query);
    if (query->kind == AST_VALUES) {
        return !query->kid[VALUES_ROWS] || !query->kid[VALUES_ROWS]->next;
    }
    return query->kind == AST_SELECT && q && q->block
           && (!query->kid[SELECT_FROM]
               || (q->block->is_grouped && !query->kid[SELECT_GROUP]));
}

static void note_limit(engine_choice_builder *c, const ast *query, place at)
{
    const ast *limit = select_parts_of(query).limit;
    row_range range = row_range_of(limit);
    if (query->kind == AST_SELECT && query->kid[SELECT_ON]) {
        add(c, without_test);  // which row DISTINCT ON keeps
    }
    if (query->kind == AST_SELECT) {
        range.is_known &= !query->kid[SELECT_ON] && !query->kid[SELECT_TOP];
    }
    if (at.is_top) {
        c->out.is_ordered = select_parts_of(query).order;
        c->out.has_limit = limit != NULL;
        if (c->out.is_ordered || limit) {
            c->out.top = range.is_known
                             ? engine_choice_test_limit(c, query, range)
                             : (engine_choice){.kind = CHOICE_LIMIT};
        }
        return;
    }
    bool takes_some = limit || at.is_value;
    if (!takes_some || at.is_asked || has_one_row(c, query)) {
        return;
    }
    range.count = at.is_value && range.count != 0 ? 1 : range.count;
    bool is_alone = !is_correlated(bind_query_at(c->b, query));
    bool is_single = at.is_value && range.offset == 0 && at.select;
    add(c, !range.is_known ? without_test
           : is_alone      ? engine_choice_test_limit(c, query, range)
           : is_single     ? engine_choice_test_single(c, at.select, query)
                           : without_test);
}

// The search for bare columns of one SELECT.
typedef struct bare_search {
    engine_choice_builder *c;
    const ast *select;
    const bound_block *block;
    node_list bare;
    const ast *extreme;  // the MIN or MAX
    int n_extremes;      // different ones
    bool is_nested;      // in a subquery of the SELECT
    node_list spelled;   // keys of which one spelling is shown
} bare_search;

// What a key of GROUP BY says, be it by name or place; NULL: unknown.
static const ast *group_key(const bare_search *s, const ast *g)
{
    const bound_column *item = bind_item(s->c->b, g);
    return item ? ast_unaliased(item->expr) : g;
}

static bool is_grouped_by(const bare_search *s, const ast *n)
{
    const bound_ref *ref = bind_ref(s->c->b, n);
    for (const ast *g = s->select->kid[SELECT_GROUP]; g; g = g->next) {
        const ast *spelled = group_key(s, g);
        if (!spelled) {
            continue;
        }
        const bound_ref *key = bind_ref(s->c->b, spelled);
        bool same_column =
            ref && key && ref->kind == REF_COLUMN && key->kind == REF_COLUMN
            && ref->source == key->source && ref->column == key->column;
        if (same_column || ast_equal(spelled, n)) {
            return true;
        }
    }
    return false;
}

static bool is_extreme(const ast *call)
{
    return str_among_fold(call->text, "min max");
}

static bool is_spelled(engine_choice_builder *c, const ast *n)
{
    return bind_type(c->b, n).collation != COLLATION_BINARY;
}

static void look_below(bare_search *s, const ast *n);

static bool look_for_bare(void *context, const ast *n)
{
    bare_search *s = context;
    bool is_aggregate = relation_totals(s->c->b, n);
    if (ast_is_query(n) && !s->is_nested) {
        s->is_nested = true;
        look_below(s, n);
        s->is_nested = false;
        return false;
    }
    // An aggregate in a subquery is that one's own. (Of columns of the query
    // around it, it would be ours: then these count as bare, which is safe.)
    if (is_aggregate && !s->is_nested) {
        if (is_extreme(n) && !(s->extreme && ast_equal(s->extreme, n))) {
            s->extreme = n;
            s->n_extremes++;
        }
        return false;
    }
    if (is_grouped_by(s, n)) {
        if (is_spelled(s->c, n)) {
            node_list_add(s->c->a, &s->spelled, n);
        }
        return false;
    }
    const bound_ref *ref = n->kind == AST_COLUMN || n->kind == AST_DOUBT
                               ? bind_ref(s->c->b, n)
                               : NULL;
    bool is_own = ref && (ref->kind == REF_COLUMN || ref->kind == REF_ROWID)
                  && ref->source && ref->source->block == s->block;
    if (is_own) {
        node_list_add(s->c->a, &s->bare, n);
    }
    return true;
}

// `*` in a grouped SELECT shows all columns bare; we only know that it is so.
static bool has_star(const ast *items)
{
    for (const ast *i = items; i; i = i->next) {
        if (ast_unaliased(i)->kind == AST_STAR) {
            return true;
        }
    }
    return false;
}

static void walk_list(const ast *list, ast_visit *visit, void *context)
{
    for (const ast *n = list; n; n = n->next) {
        ast_walk(n, visit, context);
    }
}

static void look_below(bare_search *s, const ast *n)
{
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        walk_list(n->kid[i], look_for_bare, s);
    }
}

// Does each group tell the row that its bare columns come from? GROUP BY t.id
// does, where id is a key; so does a column that a join equates with it, and
// HAVING COUNT(*) = 1.
static bool is_told(engine_choice_builder *c, const ast *select)
{
    if (!c->read) {
        c->read = relation_of(&c->trees, c->b, ASSUME_KEYS | ASSUME_ENFORCED);
    }
    const block *b = relation_block_at(c->read, select);
    return b
           && (know_lone_groups(&c->read->p, b)
               || !know_results(&c->read->p, b).is_bare);
}

// Has GROUP BY the primary key of the table?
static bool has_key(const bare_search *s, const bound_source *of)
{
    const binding *b = s->c->b;
    const schema_unique *key =
        of->table >= 0 ? schema_primary(&b->schema->tables[of->table]) : NULL;
    bool has_all = key != NULL;
    for (ptrdiff_t i = 0; has_all && i < key->n; i++) {
        bool has_one = false;
        for (const ast *g = s->select->kid[SELECT_GROUP]; g; g = g->next) {
            const bound_ref *ref = bind_ref(b, group_key(s, g));
            has_one |= ref && ref->kind == REF_COLUMN && ref->source == of
                       && ref->column == key->columns[i];
        }
        has_all = has_one;
    }
    return has_all;
}

static bool is_refused(const bare_search *s)
{
    bool fails = s->c->bare == BARE_REFUSED;
    if (s->c->bare != BARE_KEY) {
        return fails;
    }
    for (ptrdiff_t i = 0; i < s->block->n_outputs; i++) {
        const bound_column *c = &s->block->outputs[i];
        fails |= !c->expr && (!c->source || !has_key(s, c->source));
    }
    for (ptrdiff_t i = 0; i < s->bare.len; i++) {
        fails |= !has_key(s, bind_ref(s->c->b, s->bare.ptr[i])->source);
    }
    return fails;
}

static void note_bare(engine_choice_builder *c, const ast *select, place at)
{
    const bound_query *q = bind_query_at(c->b, select);
    if (!q || !q->block || !q->block->is_grouped) {
        return;
    }
    bare_search s = {.c = c, .select = select, .block = q->block};
    // SQLite's choice for the only MIN or MAX counts wherever that stands.
    if (!at.is_asked) {
        walk_list(select->kid[SELECT_ITEMS], look_for_bare, &s);
        walk_list(select->kid[SELECT_ORDER], look_for_bare, &s);
    }
    walk_list(select->kid[SELECT_HAVING], look_for_bare, &s);
    c->out.is_of_spelling |= s.spelled.len > 0;
    bool is_alone = !q->block->is_correlated;
    if (s.spelled.len > 0) {
        add(c, is_alone ? engine_choice_test_bare(c, select, &s.spelled,
                                                  EXTREME_NONE, NULL)
                        : without_test);
    }
    bool shows_all = has_star(select->kid[SELECT_ITEMS]);
    if (s.bare.len > 0 || shows_all) {
        c->out.is_refused |= is_refused(&s);
        if (is_told(c, select)) {
            return;
        }
    }
    if (s.bare.len == 0 && !shows_all) {
        return;
    }
    // We compare texts by bytes.
    bool is_single = c->bare == BARE_PICKED && s.n_extremes == 1
                     && s.extreme->kid[CALL_ARGS]
                     && bind_type(c->b, s.extreme->kid[CALL_ARGS]).collation
                            == COLLATION_BINARY;
    engine_choice_extreme extreme = !is_single ? EXTREME_NONE
                                    : str_equal_fold(s.extreme->text, S("min"))
                                        ? EXTREME_MIN
                                        : EXTREME_MAX;
    const ast *argument = is_single ? s.extreme->kid[CALL_ARGS] : NULL;
    add(c, shows_all || !is_alone ? without_test
                                  : engine_choice_test_bare(c, select, &s.bare,
                                                            extreme, argument));
}

// Can its rows be read alone? `select` may be NULL.
static bool is_alone(const engine_choice_builder *c,
                     const ast *select,
                     bool is_grouped)
{
    const bound_block *b = bind_block_at(c->b, select);
    return b && b->is_grouped == is_grouped && !b->is_correlated;
}

static bool counts_rows(const ast *call, const ast *window)
{
    if (function_of(call->text)->tells_ties) {
        return true;
    }
    const ast *frame = window->kid[WINDOW_FRAME];
    return frame && frame->form == FRAME_FORM_ROWS;
}

static void note_window(engine_choice_builder *c, const ast *call, place at)
{
    const ast *window = select_window(at.select, call->kid[CALL_OVER]);
    if (window && !counts_rows(call, window)) {
        return;
    }
    bool has_test =
        is_alone(c, at.select, false) && window && !window->kid[WINDOW_BASE];
    add(c, has_test ? engine_choice_test_window(c, at.select, window)
                    : without_test);
}

// Aggregates that put values together in the order of the rows. One that sorts
// by what it puts together leaves no choice.
static bool joins_texts(const ast *call, dialect d)
{
    const ast *order = call->kid[CALL_ORDER];
    const ast *key = ast_unaliased(order);
    bool is_sorted =
        key && call->kid[CALL_ARGS] && ast_equal(key, call->kid[CALL_ARGS]);
    const sql_function *f = function_of(call->text);
    bool joins = f->collects || str_equal_fold(call->text, S("mode"));
    return (joins || (d == DIALECT_DUCKDB && f->picks)) && !is_sorted;
}

// The first side that has a collation decides: only of a table's column is it
// known that BINARY is its own.
static bool has_collation(const bound_query *q,
                          int32_t output,
                          schema_collation *how)
{
    if (q->left && q->right) {
        return has_collation(q->left, output, how)
               || has_collation(q->right, output, how);
    }
    if (q->body) {
        return has_collation(q->body, output, how);
    }
    if (output >= q->n_outputs) {
        return false;
    }
    const bound_column *column = &q->outputs[output];
    *how = column->collation;
    return column->collation != COLLATION_BINARY
           || (column->source && column->source->kind == SOURCE_TABLE);
}

schema_collation engine_choice_collation(const bound_query *q, int32_t output)
{
    schema_collation how = COLLATION_BINARY;
    assert(output >= 0 && output < q->n_outputs);
    has_collation(q, output, &how);
    return how;
}

// Rows that are equal but for their spelling, of which one is shown.
static void note_spelling(engine_choice_builder *c, const ast *query, place at)
{
    bool merges_rows =
        (query->kind == AST_SELECT && (query->flags & AST_FLAG_DISTINCT))
        || (query->kind == AST_SETOP && !(query->flags & AST_FLAG_ALL));
    const bound_query *q = bind_query_at(c->b, query);
    for (int32_t i = 0; merges_rows && !at.is_asked && q && i < q->n_outputs;
         i++) {
        if (engine_choice_collation(q, i) == COLLATION_BINARY) {
            continue;
        }
        c->out.is_of_spelling = true;
        add(c, is_correlated(q) ? without_test
               : q->block       ? engine_choice_test_distinct(c, query)
                                : engine_choice_test_set(c, query));
        return;
    }
}

// One of several spellings of a MIN or MAX.
static void note_extreme(engine_choice_builder *c, const ast *call, place at)
{
    bool has_test = is_alone(c, at.select, true) && !call->kid[CALL_OVER];
    c->out.is_of_spelling = true;
    const ast *argument = call->kid[CALL_ARGS];
    add(c, has_test ? engine_choice_test_extreme(c, at.select, argument)
                    : without_test);
}

static void note_call(engine_choice_builder *c, const ast *call, place at)
{
    const ast *first = call->kid[CALL_ARGS];
    bool is_aggregate =
        call->kid[CALL_OVER] || dialect_aggregates(c->b->dialect, call);
    if (call->kid[CALL_OVER]) {
        note_window(c, call, at);
    }
    if (joins_texts(call, c->b->dialect)) {
        add(c, without_test);
    } else if (is_aggregate && is_extreme(call) && first
               && is_spelled(c, first)) {
        note_extreme(c, call, at);
    }
}

// Is what lies there a source of rows?
static bool reads_from(const ast *n, int kid, place at)
{
    return (n->kind == AST_SELECT && kid == SELECT_FROM)
           || (at.is_source
               && (n->kind == AST_ALIAS
                   || (n->kind == AST_JOIN && kid != JOIN_ON)));
}

static void walk_lists(engine_choice_builder *c, const ast *n, place at)
{
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        place below = at;
        below.is_source = reads_from(n, i, at);
        for (const ast *kid = n->kid[i]; kid; kid = kid->next) {
            walk(c, kid, below);
        }
    }
}

static void walk_query(engine_choice_builder *c, const ast *query, place at)
{
    const ast *with = ast_query_has(query, QUERY_WITH);
    note_limit(c, query, at);
    note_spelling(c, query, at);
    ptrdiff_t depth = c->with.len;
    if (with) {
        *vec_push(c->a, &c->with) = with;
    }
    place below = {.select = query->kind == AST_SELECT ? query : at.select};
    if (query->kind == AST_SELECT) {
        note_bare(c, query, at);
    }
    walk_lists(c, query, below);
    c->with.len = depth;
}

static void walk(engine_choice_builder *c, const ast *n, place at)
{
    const ast *select = at.is_source ? NULL : at.select;
    if (ast_is_query(n)) {
        walk_query(c, n, (place){.select = at.select});
    } else if (n->kind == AST_SUBQUERY && n->kid[SUBQUERY_QUERY]) {
        walk_query(c, n->kid[SUBQUERY_QUERY],
                   (place){.select = select, .is_value = !at.is_source});
    } else if (n->kind == AST_EXISTS && n->kid[EXISTS_QUERY]) {
        walk_query(c, n->kid[EXISTS_QUERY],
                   (place){.select = at.select, .is_asked = true});
    } else {
        if (n->kind == AST_CALL) {
            note_call(c, n, at);
        }
        walk_lists(c, n, at);
    }
}

engine_choices engine_choices_outermost(arena *a,
                                        const binding *b,
                                        arena scratch)
{
    engine_choice_builder c = {.a = a, .b = b, .trees = scratch};
    note_limit(&c, b->query->node, (place){.is_top = true});
    return c.out;
}

engine_choices engine_choices_of(arena *a,
                                 const binding *b,
                                 semantics_bare bare,
                                 arena scratch)
{
    engine_choice_builder c = {
        .a = a,
        .b = b,
        .bare = bare,
        .trees = scratch,
    };
    walk_query(&c, b->query->node, (place){.is_top = true});
    return c.out;
}
