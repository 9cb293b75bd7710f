/*
 * pragmatic_intent.c - see pragmatic_intent.h.
 *
 * Method      One walk over the bound tree. Subqueries of IN and EXISTS,
 *             derived tables and the sides of set operations add what they
 *             keep and read to the same sets, so that a join, an IN and an
 *             INTERSECT that ask for the same are written the same. What
 *             stands under NOT IN, NOT EXISTS or EXCEPT is absent, what is one
 *             of several ways is any.
 */
#include "metric/pragmatic_internal.h"
#include "relation/relation_values.h"

// Where in the query we are.
typedef struct place {
    bool is_top;     // what it shows is shown
    bool is_absent;  // under NOT IN, NOT EXISTS, EXCEPT
    bool is_any;     // one of several ways
} place;

static void read_query(intent_reader *r, const bound_query *q, place at);
static void read_link(intent_reader *r,
                      const ast *left,
                      const ast *right,
                      place at);

/* Ranking. */

static str measure_of(str what)
{
    if (str_starts(what, S("count"))) {
        return S("count");
    }
    str column = str_skip(what, str_find(what, S(" "), 0) + 1);
    bool is_plain =
        str_find(column, S("."), 0) > 0 && str_find(column, S(" "), 0) < 0;
    return is_plain ? what : (str){0};
}

// "1 max singer.age": `how` is "top" for LIMIT, "all" for = MAX.
static void add_rank(intent_reader *r,
                     const ast *e,
                     bool is_max,
                     const char *how,
                     str count)
{
    bool merges = intent_passes(r, LENIENCY_BIT(TIES));
    str what = intent_show(r, e);
    str end = arena_printf(r->a, "%s%.*s %s ", merges ? "" : how,
                           STR_ARG(count), is_max ? "max" : "min");
    str text = arena_printf(r->a, "%.*s%.*s", STR_ARG(end), STR_ARG(what));
    intent_add_fact(r, INTENT_RANKS,
                    (intent_fact){.text = text,
                                  .table = -1,
                                  .relation = end,
                                  .value = measure_of(what)});
}

static void read_order(intent_reader *r, const select_parts *parts, place at)
{
    const ast *order = parts->order;
    str count = parts->count ? intent_show(r, parts->count) : (str){0};
    if (parts->offset) {
        str offset = intent_show(r, parts->offset);
        count = arena_printf(r->a, "%.*s from %.*s", STR_ARG(count),
                             STR_ARG(offset));
    }
    if (parts->limit && order) {
        add_rank(r, ast_unaliased(order), order->form == SORT_FORM_DESC, "top ",
                 count);
    } else if (parts->limit) {
        intent_add(r, INTENT_RANKS,
                   arena_printf(r->a, "%.*s%.*s", STR_ARG(intent_any_rows),
                                STR_ARG(count)));
    }
    for (const ast *o = order; o && at.is_top && !parts->limit; o = o->next) {
        str what = intent_show(r, ast_unaliased(o));
        bool is_down = o->form == SORT_FORM_DESC;
        intent_add(r, INTENT_SORTS,
                   arena_printf(r->a, "%s %.*s", is_down ? "down" : "up",
                                STR_ARG(what)));
    }
}

/* Conditions. */

static void keep(intent_reader *r, place at, intent_fact k)
{
    k.is_absent = at.is_absent;
    k.is_any = at.is_any;
    *vec_push(r->a, &r->out->facts[INTENT_KEEPS]) = k;
}

// What stands in both ways of an OR, of a UNION, is no way but holds for all:
// those from `from` on are of the one, those from `middle` on of the other.
static void keep_common(intent_reader *r,
                        ptrdiff_t from,
                        ptrdiff_t middle,
                        place at)
{
    for (ptrdiff_t i = from; i < middle && !at.is_any; i++) {
        intent_fact *one = &r->out->facts[INTENT_KEEPS].ptr[i];
        for (ptrdiff_t k = middle; k < r->out->facts[INTENT_KEEPS].len; k++) {
            intent_fact *other = &r->out->facts[INTENT_KEEPS].ptr[k];
            if (one->is_any && other->is_any
                && one->is_absent == other->is_absent
                && str_equal(one->text, other->text)) {
                one->is_any = false;
                other->is_any = false;
            }
        }
    }
}

static void add_kept(intent_reader *r, place at, str text)
{
    keep(r, at, (intent_fact){.text = text, .table = -1});
}

// COUNT >= 2 is COUNT > 1.
static str count_bound(intent_reader *r, str what, str *how, str text)
{
    int64_t n = 0;
    bool is_least = str_equal(*how, S(">="));
    bool is_most = str_equal(*how, S("<="));
    if (!str_starts(what, S("count")) || !(is_least || is_most)
        || !str_to_int(text, &n) || n < 1 || n > INT32_MAX) {
        return text;
    }
    *how = is_least ? S(">") : S("<");
    return arena_printf(r->a, "%lld", (long long)(is_least ? n - 1 : n + 1));
}

// column relation value
static void add_relation(intent_reader *r,
                         place at,
                         const ast *left,
                         str how,
                         const ast *right)
{
    str text = intent_show(r, right);
    const ast *plain = intent_plain(r, left);
    intent_mark_role(r, plain);
    const bound_ref *ref = bind_ref(r->b, plain);
    bound_place c = intent_place(r, plain);
    str l = intent_show(r, left);
    if (str_ends(how, S("like"))
        && intent_passes(r, LENIENCY_BIT(TEXT_MATCH))) {
        how = str_starts(how, S("not")) ? S("!=") : S("=");
        text = relation_without_wildcards(text);
    }
    text = count_bound(r, l, &how, text);
    bool is_any_row = (str_equal(l, S("count")) || str_equal(l, S("count *")))
                      && str_equal(text, S("0")) && str_equal(how, S(">"));
    if (is_any_row && !at.is_any && !at.is_absent) {
        return;  // a group has rows
    }
    keep(r, at,
         (intent_fact){
             .text = arena_printf(r->a, "%.*s %.*s %.*s", STR_ARG(l),
                                  STR_ARG(how), STR_ARG(text)),
             .table = c.table,
             .column = c.column,
             .source = ref ? ref->source : NULL,
             .relation = how,
             .value = text,
             .is_text = right->kind == AST_STRING || right->kind == AST_DOUBT,
         });
}

// How it is said; empty: it is of no simple form.
static str relation(sql_operator how, bool is_denied)
{
    switch ((int)how) {
    case OPERATOR_LESS_GREATER: return S("!=");
    case OPERATOR_LIKE: return is_denied ? S("not like") : S("like");
    case OPERATOR_IS: return is_denied ? S("is not") : S("is");
    default: return operator_compares((int)how) ? operator_text(how) : (str){0};
    }
}

// x of MAX(x) or MIN(x); NULL: it is neither.
static const ast *extreme_of(const ast *e)
{
    str word;
    const ast *of = ast_calls(e, "max min") ? operand_within(e, &word) : NULL;
    return of && !of->next ? of : NULL;
}

static void add_extreme(intent_reader *r, const ast *e, const char *how)
{
    add_rank(r, extreme_of(e), ast_calls(e, "max"), how, S("1"));
}

// The only thing that a query shows; NULL when there are more.
static const ast *only_item(const ast *q)
{
    const ast *item = select_parts_of(q).items;
    return item && !item->next ? ast_unaliased(item) : NULL;
}

// x = (SELECT MAX(x) ...), x = (SELECT x ... ORDER BY y LIMIT 1), x > (SELECT
// AVG(x) ...).
static void compare_with_query(intent_reader *r,
                               const ast *left,
                               str how,
                               const ast *q,
                               place at)
{
    const ast *item = only_item(q);
    bool is_equal = str_equal(how, S("="));
    bool counts = r->in.counts_rows;
    if (is_equal && extreme_of(item)) {
        add_extreme(r, item, "all ");
    } else if (item && !is_equal) {
        add_relation(r, at, left, how, item);
    } else if (item) {
        read_link(r, left, item, (place){.is_absent = at.is_absent});
        bool may_be_many = q->kind == AST_SELECT && !select_parts_of(q).limit;
        if (may_be_many && !intent_passes(r, LENIENCY_BIT(TIES))) {
            intent_add(r, INTENT_MARKS, S("one of several"));
        }
    }
    r->in.counts_rows = counts;  // what the subquery shows is its own matter
    read_query(r, bind_query_at(r->b, q),
               (place){.is_absent = at.is_absent, .is_any = at.is_any});
}

// A join that follows a foreign key, or a column to itself, says nothing; any
// other is a condition, and so is one of several ways to join.
static void read_join(intent_reader *r,
                      const ast *left,
                      const ast *right,
                      place at)
{
    bound_place a = intent_place(r, left);
    bound_place b = intent_place(r, right);
    intent_mark_role(r, left);
    intent_mark_role(r, right);
    bool is_same = a.table == b.table && a.column == b.column && a.table >= 0;
    if (is_same && !at.is_any) {
        return;
    }
    str x = is_same ? intent_show_own(r, left) : intent_show(r, left);
    str y = is_same ? intent_show_own(r, right) : intent_show(r, right);
    bool in_order = str_compare(x, y) <= 0;
    add_kept(r, at,
             arena_printf(r->a, "%.*s = %.*s", STR_ARG(in_order ? x : y),
                          STR_ARG(in_order ? y : x)));
}

// x IN (SELECT y ...), x = (SELECT y ...): a join, when both are columns.
static void read_link(intent_reader *r,
                      const ast *left,
                      const ast *right,
                      place at)
{
    const bound_ref *ref = bind_ref(r->b, right);
    if (ref && ref->kind == REF_COLUMN && ref->depth > 0) {
        // SELECT y, but y is a column of the query around it.
        intent_add(r, INTENT_MARKS, intent_unjoined);
    } else if (intent_place(r, left).table >= 0
               && intent_place(r, right).table >= 0) {
        read_join(r, left, right, at);
    }
}

// What is of no simple form: all of it, with its NOT.
static void keep_opaque(intent_reader *r, condition c, place at)
{
    bool is_denied = c.kind == CONDITION_PAIR ? c.is_denied : c.has_not;
    str text = intent_show(r, c.node);
    add_kept(
        r, at,
        arena_printf(r->a, "%s%.*s", is_denied ? "not " : "", STR_ARG(text)));
}

static bool is_measured(intent_reader *r, const ast *e)
{
    return e->kind == AST_CALL || intent_place(r, e).table >= 0;
}

static void read_comparison(intent_reader *r, condition c, place at)
{
    c.left = intent_plain(r, c.left);
    c.right = intent_plain(r, c.right);
    bool left = is_measured(r, c.left);
    bool right = is_measured(r, c.right);
    if (!operand_query(c.right)
        && (operand_query(c.left) || (!left && right))) {
        const ast *other = c.left;
        c.left = c.right;
        c.right = other;
        c.how = operator_turned(c.how);
    }
    str how = relation(c.how, c.is_denied);
    if (how.len == 0) {
        keep_opaque(r, c, at);
    } else if (operand_query(c.right)) {
        compare_with_query(r, c.left, how, operand_query(c.right), at);
    } else if (left && right && c.how == OPERATOR_EQUAL) {
        read_join(r, c.left, c.right, at);
    } else if (!intent_passes(r, LENIENCY_BIT(NULLS))
               || c.right->kind != AST_NULL || str_equal(how, S("is"))
               || c.how == OPERATOR_EQUAL) {
        add_relation(r, at, c.left, how, c.right);
    }
}

// x IN (SELECT ...), EXISTS (SELECT ...).
static void read_member(intent_reader *r, condition c, place at)
{
    const ast *q = operand_query(c.right);
    const ast *item = only_item(q);
    const bound_query *bound = bind_query_at(r->b, q);
    place below = {.is_absent = at.is_absent != c.is_denied,
                   .is_any = at.is_any};
    if (c.left && item) {
        read_link(r, c.left, item, (place){.is_absent = below.is_absent});
    } else if (c.left) {
        intent_mark_items(r, bound);
    } else if (bound && bound->block && !bound->block->is_correlated) {
        intent_add(r, INTENT_MARKS, intent_unjoined);
    }
    read_query(r, bound, below);
}

static void read_condition(intent_reader *r, condition c, place at);

static void read_parts(intent_reader *r, condition c, place at)
{
    place each = at;
    each.is_any |= c.kind == CONDITION_ANY;
    ptrdiff_t from = r->out->facts[INTENT_KEEPS].len;
    ptrdiff_t middle = from;
    for (condition part = {0}; condition_next(&c, &part);) {
        read_condition(r, part, each);
        middle = part.no == 1 ? r->out->facts[INTENT_KEEPS].len : middle;
    }
    if (c.node->kind == AST_BINARY) {
        keep_common(r, from, middle, at);
    }
}

static void read_condition(intent_reader *r, condition c, place at)
{
    if (c.kind == CONDITION_ALL || c.kind == CONDITION_ANY) {
        read_parts(r, c, at);
        return;
    }
    intent_link_sources(r, &c);
    if (c.kind == CONDITION_PAIR) {
        read_comparison(r, c, at);
    } else if (operand_query(c.right)) {
        read_member(r, c, at);
    } else {
        keep_opaque(r, c, at);
    }
}

static void read_conditions(intent_reader *r, const ast *e, place at)
{
    if (e) {
        read_condition(r, condition_of(e, false), at);
    }
}

/* Queries. */

static void read_source(intent_reader *r, const bound_source *s, place at)
{
    if (s->kind == SOURCE_TABLE) {
        str name = arena_lower(r->a, r->s->tables[s->table].name);
        intent_add_fact(r, INTENT_READS,
                        (intent_fact){.text = name,
                                      .table = s->table,
                                      .is_absent = at.is_absent});
    } else if (s->query) {
        read_query(r, s->query, (place){.is_absent = at.is_absent});
    } else {
        r->out->is_known = false;
    }
}

static void read_from(intent_reader *r, place at)
{
    const bound_block *b = r->in.block;
    join_list joins = select_joins_of(r->a, r->in.parts.from);
    for (ptrdiff_t i = 0; b && i < b->n_sources; i++) {
        read_source(r, b->sources[i], at);
    }
    for (ptrdiff_t i = 0; i < joins.len; i++) {
        const ast *join = joins.ptr[i];
        read_conditions(r, join_condition(join),
                        (place){.is_absent = at.is_absent});
        if (join_is_outer(join)
            && !intent_passes(r, LENIENCY_BIT(OUTER_JOIN))) {
            intent_add(r, INTENT_MARKS, S("outer join"));
        }
    }
}

static void add_output(intent_reader *r, const ast *e)
{
    const ast *plain = intent_plain(r, e);
    bound_place c = intent_place(r, plain);
    str text = intent_show(r, e);
    *vec_push(r->a, &r->out->facts[INTENT_SHOWS]) = (intent_fact){
        .text = text,
        .role = intent_role(r, plain),
        .table = c.table,
        .column = c.column,
    };
}

// a || ' ' || b shows a and b.
static void add_outputs_of(intent_reader *r, const ast *e)
{
    bool is_split = intent_passes(r, LENIENCY_BIT(CONCATENATION));
    condition pair = condition_of(e, false);
    bool is_joined = pair.node == e && pair.how == OPERATOR_CONCAT;
    if (is_split && is_joined) {
        add_outputs_of(r, pair.left);
        add_outputs_of(r, pair.right);
    } else if (!is_split || e->kind != AST_STRING) {
        add_output(r, e);
    }
}

// `*` and t.*: the columns that the binding spelled out.
static void read_outputs(intent_reader *r)
{
    const bound_block *block = r->in.block;
    for (ptrdiff_t i = 0; block && i < block->n_outputs; i++) {
        const bound_column *c = &block->outputs[i];
        if (c->expr) {
            add_outputs_of(r, c->expr);
            continue;
        }
        bound_place at = bind_stored(c->source, c->column);
        if (at.table < 0) {
            r->out->is_known = false;
            return;
        }
        at = intent_root(r->s, at);
        *vec_push(r->a, &r->out->facts[INTENT_SHOWS]) =
            (intent_fact){.text = intent_show_place(r, at),
                          .table = at.table,
                          .column = at.column};
    }
    r->out->is_known &= block != NULL;
}

// The one MAX or MIN of a SELECT without groups that shows nothing else, or
// nothing but columns: those are of the row that ranks highest (SQLite).
static const ast *find_extreme(intent_reader *r)
{
    const ast *found = NULL;
    for (const ast *i = r->in.parts.items; i; i = i->next) {
        const ast *e = ast_unaliased(i);
        if (r->in.parts.group
            || (extreme_of(e) ? found != NULL
                              : bind_stored_at(r->b, e).table < 0)) {
            return NULL;
        }
        found = extreme_of(e) ? e : found;
    }
    return found;
}

// SELECT MAX(x) without groups shows the x that ranks highest.
static bool read_extreme(intent_reader *r)
{
    const ast *extreme = find_extreme(r);
    for (const ast *i = r->in.parts.items; extreme && i; i = i->next) {
        const ast *e = ast_unaliased(i);
        add_output(r, e == extreme ? extreme_of(e) : e);
    }
    if (extreme) {
        add_extreme(r, extreme, "max ");
    }
    return extreme != NULL;
}

// A column whose table's key is grouped by, too, makes no finer groups.
static bool is_determined(intent_reader *r, const ast *e)
{
    bound_place own = bind_stored_at(r->b, e);
    bool found = false;
    for (const ast *g = r->in.parts.group; g && own.table >= 0 && !found;
         g = g->next) {
        bound_place by = intent_place(r, intent_meant(r, g));
        found = by.table == own.table && !intent_is_key(r->s, own)
                && intent_is_key(r->s, by);
    }
    return found;
}

static void read_groups(intent_reader *r)
{
    bool has_names = intent_passes(r, LENIENCY_BIT(ENTITY_NAME));
    for (const ast *g = r->in.parts.group; g; g = g->next) {
        const ast *by = intent_meant(r, g);
        if (is_determined(r, by)) {
            continue;
        }
        bound_place c = intent_place(r, by);
        intent_mark_role(r, by);
        bool is_entity =
            c.table >= 0
            && (intent_is_key(r->s, c)
                || (has_names
                    && intent_is_identifying(r->s, c.table, c.column)));
        str text = is_entity ? arena_lower(r->a, r->s->tables[c.table].name)
                             : intent_show(r, g);
        intent_add(r, INTENT_GROUPS, text);
    }
}

static void read_select(intent_reader *r, const bound_block *b, place at)
{
    intent_select around = r->in;
    select_parts parts = select_parts_of(b->node);
    r->in = (intent_select){.block = b, .parts = parts};
    read_from(r, at);
    read_conditions(r, parts.where, at);
    read_conditions(r, parts.having, at);
    if (at.is_top) {
        if (parts.is_distinct && !intent_passes(r, LENIENCY_BIT(DUPLICATES))) {
            intent_add(r, INTENT_MARKS, S("distinct"));
        }
        if (!read_extreme(r)) {
            read_outputs(r);
        }
    }
    if (at.is_top || parts.having || parts.limit) {
        read_groups(r);
    }
    // One row of sums has no order, and LIMIT leaves it.
    if (!b->is_grouped || parts.group) {
        read_order(r, &parts, at);
    }
    intent_end_block(r, at.is_top);
    r->in = around;
}

static void read_set(intent_reader *r, const bound_query *q, place at)
{
    place left = at;
    place right = at;
    right.is_top = false;
    if (q->node->form == SETOP_FORM_UNION) {
        left.is_any = true;
        right.is_any = true;
    } else if (q->node->form != SETOP_FORM_INTERSECT) {
        right.is_absent = !right.is_absent;
    }
    ptrdiff_t from = r->out->facts[INTENT_KEEPS].len;
    read_query(r, q->left, left);
    ptrdiff_t middle = r->out->facts[INTENT_KEEPS].len;
    intent_mark_items(r, q->right);
    read_query(r, q->right, right);
    keep_common(r, from, middle, at);
}

static void read_query(intent_reader *r, const bound_query *q, place at)
{
    // A WITH that is read twice by the next, and so on: twice as many each.
    bool is_too_much = r->n_queries++ > INTENT_QUERIES_MAX;
    if (!q || r->depth > INTENT_DEPTH_MAX || is_too_much) {
        r->out->is_known = false;
        return;
    }
    r->depth++;
    select_parts parts = select_parts_of(q->node);
    if (q->block && q->node->kind == AST_SELECT) {
        read_select(r, q->block, at);
    } else if (q->left) {
        read_set(r, q, at);
    } else if (q->body) {
        read_query(r, q->body, at);
    } else {
        r->out->is_known = false;
    }
    if (q->left || q->body) {
        read_order(r, &parts, at);
    }
    r->depth--;
}

intent intent_of(arena *a, const binding *b, uint32_t leniencies, arena scratch)
{
    intent out = {0};
    if (!b) {
        return out;
    }
    intent_reader r = {.a = a,
                       .s = b->schema,
                       .b = b,
                       .lenient = leniencies,
                       .out = &out,
                       .scratch = scratch};
    out.is_known = b->problems.len == 0;
    read_query(&r, b->query, (place){.is_top = true});
    intent_end(&r);
    return out;
}
