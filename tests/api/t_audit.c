/*
 * t_audit.c - what prove/audit.h promises: a step that a rule without its side
 * condition would make does not pass, and the same step does where the
 * condition holds.
 */
#include "check.h"
#include "prove/audit.h"
#include "prove/rule_common.h"
#include "relation/build.h"
#include "relation/normal.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

static const char ddl[] =
    "CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT COLLATE NOCASE,"
    " n INTEGER NOT NULL, m INTEGER UNIQUE);"
    "CREATE TABLE u(a INTEGER PRIMARY KEY, b INTEGER,"
    " t INTEGER NOT NULL REFERENCES t(a), o INTEGER REFERENCES t(a));"
    "CREATE TABLE bag(a INTEGER, b INTEGER);";

// Steps as a rule would make them, whatever holds.
typedef void change(prover *p, block *b);

static void drop_where(prover *p, block *b)
{
    (void)p;
    b->where.len--;
}

static void drop_order(prover *p, block *b)
{
    (void)p;
    b->order.len--;
}

static void drop_grouping(prover *p, block *b)
{
    (void)p;
    b->group.len = 0;
    b->has_group = false;
    b->is_grouped = false;
}

static void group_to_distinct(prover *p, block *b)
{
    drop_grouping(p, b);
    b->distinct = true;
}

static void set_idle_distinct(prover *p, block *b)
{
    (void)p;
    b->distinct = true;
    b->is_unique = true;
}

static void make_second_inner(prover *p, block *b)
{
    make_inner(p, b, b->sources.ptr[1]);
}

static void drop_second(prover *p, block *b)
{
    (void)p;
    block_remove_source(b, b->sources.ptr[1]);
}

static const term *visit_wanted(rewrite *r, const term *t)
{
    return t == r->wanted ? r->to : NULL;
}

// The last item, a subquery, becomes the given column of an outer join.
static void look_up_column(prover *p, block *b, int32_t column)
{
    const term *item = b->select.ptr[b->select.len - 1];
    assert_int_equal(item->kind, TERM_SCALAR);
    block *in = block_copy(p, item->block);
    instance *s = in->sources.ptr[0];
    s->is_outer = true;
    s->on = in->where;
    rewrite r = {.p = p,
                 .visit = visit_wanted,
                 .wanted = item,
                 .to =
                     term_as(p, term_column(p, s, column), term_type_of(item))};
    block_rewrite(&r, b);
    block_add_source(p, b, s);
}

static void look_up(prover *p, block *b)
{
    look_up_column(p, b, 1);
}

static void look_up_another(prover *p, block *b)
{
    look_up_column(p, b, 3);
}

static void look_up_anything(prover *p, block *b)
{
    look_up(p, b);
    b->sources.ptr[b->sources.len - 1]->on.len--;
}

static void look_up_inner(prover *p, block *b)
{
    look_up(p, b);
    b->sources.ptr[b->sources.len - 1]->is_outer = false;
}

static void look_up_and_drop(prover *p, block *b)
{
    look_up(p, b);
    b->where.len--;
}

// The second is the first, the parent of the second, or the other way round.
static void unite_with_first(prover *p, block *b)
{
    instance *one = b->sources.ptr[0];
    instance *other = b->sources.ptr[1];
    for (int32_t k = -1; k < instance_columns(other); k++) {
        block_replace(p, b, other, k, term_column(p, one, k));
    }
    block_remove_source(b, other);
    tidy_where(p, b);
}

static void drop_parent(prover *p, block *b)
{
    instance *child = b->sources.ptr[0];
    instance *parent = b->sources.ptr[1];
    const term *t = b->where.ptr[0];
    const term *key = t->args[0]->source == child ? t->args[0] : t->args[1];
    block_replace(p, b, parent, 0, key);
    block_remove_source(b, parent);
    tidy_where(p, b);
}

// The first is a row of a group of the second.
static void drop_member(prover *p, block *b)
{
    instance *member = b->sources.ptr[0];
    block_replace(p, b, member, 0, term_column(p, b->sources.ptr[1], 0));
    block_remove_source(b, member);
    tidy_where(p, b);
}

static void drop_body_order(prover *p, block *b)
{
    (void)p;
    b->sources.ptr[0]->body->order.len = 0;
}

static void drop_body_distinct(prover *p, block *b)
{
    (void)p;
    b->sources.ptr[0]->body->distinct = false;
}

static void merge_body(prover *p, block *b)
{
    instance *s = b->sources.ptr[0];
    block_replace_outputs(p, b, s);
    block_remove_source(b, s);
    block_absorb(p, b, s->body);
}

static void having_to_where(prover *p, block *b)
{
    term_conjoin(p, &b->where, b->having.ptr[0]);
    b->having.len--;
}

static void count_rows(prover *p, block *b)
{
    b->select.ptr[0] = term_aggregate(p, S("count"), false, NULL, 0);
}

// The condition of the first CASE goes to WHERE.
static void case_to_where(prover *p, block *b)
{
    const term *call = b->select.ptr[0];
    term_conjoin(p, &b->where, call->args[0]->args[0]);
    b->select.ptr[0] =
        term_aggregate(p, call->text, false, &call->args[0]->args[1], 1);
}

static void drop_limit(prover *p, block *b)
{
    (void)p;
    b->limit = NULL;
    b->order.len = 0;
}

// Whatever the sides ask for.
static void become_left(prover *p, block *b)
{
    (void)p;
    *b = *b->left;
    b->distinct = true;
}

// The first item or condition that is a subquery becomes what it shows.
static const term *visit_value(rewrite *r, const term *t)
{
    if (t->kind != TERM_SCALAR) {
        return NULL;
    }
    const block *in = t->block;
    return term_as(r->p, in->set ? in->left->select.ptr[0] : in->select.ptr[0],
                   term_type_of(t));
}

static void lift_values(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_value};
    term_list_rewrite(&r, &b->select);
    term_list_rewrite(&r, &b->where);
}

static void lift_and_drop(prover *p, block *b)
{
    lift_values(p, b);
    b->where.len--;
}

// A subquery becomes the MAX or MIN of its rows.
typedef struct extreme {
    rewrite r;
    const char *name;
    bool drops;  // a condition of it
} extreme;

static const term *visit_extreme(rewrite *r, const term *t)
{
    const extreme *e = (const extreme *)r;
    prover *p = r->p;
    if (t->kind != TERM_SCALAR) {
        return NULL;
    }
    instance *rows = instance_new(p);
    rows->body = block_copy(p, t->block);
    rows->body->order.len = 0;
    rows->body->limit = NULL;
    rows->body->offset = NULL;
    rows->body->distinct = false;
    rows->body->where.len -= e->drops;
    block *all = block_new(p);
    all->is_grouped = true;
    block_add_source(p, all, rows);
    const term *shown = term_column(p, rows, 0);
    term_list_push(p, &all->select,
                   term_aggregate(p, str_from(e->name), false, &shown, 1));
    return term_as(p, term_make(p, (term){.kind = TERM_SCALAR, .block = all}),
                   term_type_of(t));
}

static void take_extreme(prover *p, block *b, const char *name, bool drops)
{
    extreme e = {{.p = p, .visit = visit_extreme}, name, drops};
    block_rewrite(&e.r, b);
}

static void take_max(prover *p, block *b)
{
    take_extreme(p, b, "max", false);
}

static void take_min(prover *p, block *b)
{
    take_extreme(p, b, "min", false);
}

static void take_max_of_more(prover *p, block *b)
{
    take_extreme(p, b, "max", true);
}

static void take_max_and_order(prover *p, block *b)
{
    take_max(p, b);
    b->order.len--;
}

// The derived table loses a column; what used the others uses them where they
// are now.
static const term *visit_moved(rewrite *r, const term *t)
{
    bool is_moved = t->kind == TERM_COLUMN && t->source == r->from;
    return !is_moved ? NULL
                     : term_column(r->p, r->to->source,
                                   t->column - (t->column > r->column));
}

static void lose_item(block *b, int32_t column)
{
    if (b->set) {
        lose_item(b->left, column);
        lose_item(b->right, column);
        return;
    }
    for (ptrdiff_t i = column; i + 1 < b->select.len; i++) {
        b->select.ptr[i] = b->select.ptr[i + 1];
    }
    b->select.len--;
}

static void lose_column(prover *p, block *b, int32_t column, int32_t moved_by)
{
    instance *was = b->sources.ptr[0];
    instance *is = instance_new(p);
    is->body = was->body;
    is->is_outer = was->is_outer;
    is->on = was->on;
    b->sources.ptr[0] = is;
    lose_item(is->body, column);
    rewrite r = {.p = p,
                 .visit = visit_moved,
                 .from = was,
                 .to = term_column(p, is, 0),
                 .column = column + moved_by};
    block_rewrite(&r, b);
}

static void lose_second(prover *p, block *b)
{
    lose_column(p, b, 1, 0);
}

static void lose_first_unmoved(prover *p, block *b)
{
    lose_column(p, b, 0, 1);
}

static void lose_second_and_distinct(prover *p, block *b)
{
    lose_second(p, b);
    b->sources.ptr[0]->body->distinct = false;
}

static void lose_second_and_where(prover *p, block *b)
{
    lose_second(p, b);
    b->sources.ptr[0]->body->where.len--;
}

typedef struct trial {
    const char *rule;
    change *step;
    const char *passes;  // a query of which the step may be made
    const char *fails;
} trial;

static const trial trials[] = {
    {"isnotnull", drop_where, "SELECT b FROM t WHERE n IS NOT NULL",
     "SELECT n FROM t WHERE b IS NOT NULL"},
    {"isnotnull", drop_where, "SELECT b FROM t WHERE a IS NOT NULL",
     "SELECT a FROM t WHERE b > 1"},
    {"order-fd", drop_order, "SELECT b FROM t ORDER BY a, b",
     "SELECT b FROM t ORDER BY b, a"},
    {"order-fd", drop_order, "SELECT b FROM t WHERE b = n ORDER BY b, n",
     "SELECT a FROM t WHERE c = 'x' ORDER BY b, c || ''"},
    {"group-key", drop_grouping, "SELECT a, b FROM t GROUP BY a",
     "SELECT b FROM t GROUP BY b"},
    {"group-key", drop_grouping, "SELECT m FROM t WHERE m > 1 GROUP BY m",
     "SELECT m FROM t GROUP BY m"},
    {"group-distinct", group_to_distinct, "SELECT b FROM t GROUP BY b",
     "SELECT c FROM t GROUP BY c"},
    {"group-distinct", group_to_distinct, "SELECT b, n FROM t GROUP BY n, b",
     "SELECT b FROM t GROUP BY n, b"},
    {"distinct-key", set_idle_distinct, "SELECT a, b FROM t",
     "SELECT b FROM t"},
    {"distinct-key", set_idle_distinct, "SELECT b, COUNT(*) FROM t GROUP BY b",
     "SELECT COUNT(*) FROM t GROUP BY b"},
    {"left-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b > 1",
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b IS NULL"},
    {"left-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b = 1 OR u.t > 2",
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b = 1 OR t.b > 2"},
    {"fk-left-inner", make_second_inner,
     "SELECT u.b FROM u LEFT JOIN t ON u.t = t.a",
     "SELECT u.b FROM u LEFT JOIN t ON u.o = t.a"},
    {"fk-left-inner", make_second_inner,
     "SELECT u.b FROM u LEFT JOIN t ON t.a = u.t",
     "SELECT u.b FROM u LEFT JOIN t ON t.a = u.t AND t.b = 1"},
    {"having-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING SUM(u.b) > 1",
     "SELECT t.b FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.b "
     "HAVING SUM(u.b) > 1"},
    {"having-inner", make_second_inner,
     "SELECT x.b FROM bag x LEFT JOIN u ON u.t = x.a GROUP BY x.a, x.b "
     "HAVING SUM(u.b) > 1",
     "SELECT x.b FROM bag x LEFT JOIN u ON u.t = x.a GROUP BY x.b "
     "HAVING SUM(u.b) > 1"},
    {"having-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING COUNT(*) > 1",
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING COUNT(*) >= 1"},
    {"having-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING COUNT(*) = 2 OR COUNT(*) > 4",
     "SELECT t.b FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.b "
     "HAVING COUNT(*) > 1"},
    {"having-inner", make_second_inner,
     "SELECT x.b FROM bag x LEFT JOIN u ON u.t = x.a GROUP BY x.rowid "
     "HAVING COUNT(*) > 1",
     "SELECT x.b FROM bag x LEFT JOIN u ON u.t = x.a GROUP BY x.a, x.b "
     "HAVING COUNT(*) > 1"},
    {"having-inner", make_second_inner,
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING COUNT(*) = 2 OR COUNT(*) > 4 OR COUNT(*) < 1",
     "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a "
     "HAVING COUNT(*) = 2 OR COUNT(*) > 4 OR COUNT(*) < 2"},
    {"aggregate-inner", make_second_inner,
     "SELECT MAX(u.b) FROM t LEFT JOIN u ON u.t = t.a WHERE t.b = 5",
     "SELECT MAX(u.b) FROM t LEFT JOIN u ON u.t = t.a WHERE t.b = 5 "
     "HAVING t.b > 1"},
    {"aggregate-inner", make_second_inner,
     "SELECT SUM(u.b), COUNT(u.o) FROM t LEFT JOIN u ON u.t = t.a",
     "SELECT SUM(u.b), COUNT(*) FROM t LEFT JOIN u ON u.t = t.a"},
    {"aggregate-inner", make_second_inner,
     "SELECT MAX(u.b + t.b) FROM t LEFT JOIN u ON u.t = t.a",
     "SELECT MAX(u.b) FROM t LEFT JOIN u ON u.t = t.a GROUP BY t.a"},
    {"aggregate-inner", make_second_inner,
     "SELECT MAX(u.b) FROM t LEFT JOIN u ON u.t = t.a HAVING COUNT(u.b) > 1",
     "SELECT MAX(u.b) FROM t LEFT JOIN u ON u.t = t.a HAVING COUNT(t.b) > 1"},
    {"outer-unused", drop_second, "SELECT t.b FROM t LEFT JOIN u ON u.a = t.b",
     "SELECT t.b FROM t LEFT JOIN u ON u.b = t.b"},
    {"outer-unused", drop_second,
     "SELECT DISTINCT t.b FROM t LEFT JOIN u ON u.b = t.b",
     "SELECT t.b FROM t JOIN u ON u.a = t.b"},
    {"outer-unused", drop_second, "SELECT t.b FROM t LEFT JOIN u ON u.a = t.b",
     "SELECT u.b FROM t LEFT JOIN u ON u.a = t.b"},
    {"self-join-key", unite_with_first,
     "SELECT x.b, y.n FROM t x JOIN t y ON x.a = y.a",
     "SELECT x.b, y.n FROM t x JOIN t y ON x.b = y.b"},
    {"self-join-key", unite_with_first,
     "SELECT x.b FROM t x JOIN t y ON x.rowid = y.rowid",
     "SELECT x.b FROM bag x JOIN bag y ON x.a = y.a AND x.b = y.b"},
    {"fk-parent", drop_parent, "SELECT u.b FROM u JOIN t ON u.t = t.a",
     "SELECT u.b FROM u JOIN t ON u.b = t.a"},
    {"fk-parent", drop_parent, "SELECT u.b FROM u JOIN t ON u.o = t.a",
     "SELECT u.b, t.n FROM u JOIN t ON u.t = t.a"},
    {"group-partner", drop_member,
     "SELECT DISTINCT x.a FROM bag x JOIN (SELECT a FROM bag GROUP BY a) g "
     "ON x.a = g.a",
     "SELECT x.a FROM bag x JOIN (SELECT a FROM bag GROUP BY a) g "
     "ON x.a = g.a"},
    {"group-partner", drop_member,
     "SELECT MAX(x.a) FROM bag x JOIN (SELECT a FROM bag GROUP BY a) g "
     "ON x.a = g.a",
     "SELECT DISTINCT x.a FROM bag x JOIN (SELECT a FROM u GROUP BY a) g "
     "ON x.a = g.a"},
    {"group-partner", drop_member,
     "SELECT t.a FROM t JOIN (SELECT a FROM t GROUP BY a) g ON t.a = g.a",
     "SELECT DISTINCT t.a, t.b FROM t JOIN (SELECT a FROM t GROUP BY a) g "
     "ON t.a = g.a"},
    {"order-derived", drop_body_order,
     "SELECT x.b FROM (SELECT b FROM t ORDER BY a) x",
     "SELECT x.b FROM (SELECT b FROM t ORDER BY a LIMIT 1) x"},
    {"distinct-source", drop_body_distinct,
     "SELECT DISTINCT x.b FROM (SELECT DISTINCT b FROM t) x",
     "SELECT x.b FROM (SELECT DISTINCT b FROM t) x"},
    {"distinct-source", drop_body_distinct,
     "SELECT DISTINCT x.b FROM (SELECT DISTINCT b FROM t) x",
     "SELECT DISTINCT x.c FROM (SELECT DISTINCT c FROM t) x"},
    {"derived-merge", merge_body, "SELECT x.b FROM (SELECT b FROM t) x",
     "SELECT x.b FROM (SELECT b FROM t LIMIT 1) x"},
    {"derived-merge", merge_body,
     "SELECT x.a FROM (SELECT DISTINCT a FROM t WHERE b > 1) x",
     "SELECT x.b FROM (SELECT DISTINCT b FROM t) x"},
    {"having-where", having_to_where,
     "SELECT COUNT(*) FROM t GROUP BY b HAVING b || '' > 'x'",
     "SELECT COUNT(*) FROM t GROUP BY c HAVING c || '' > 'x'"},
    {"having-where", having_to_where,
     "SELECT COUNT(*) FROM t GROUP BY a HAVING b > 1",
     "SELECT COUNT(*) FROM t GROUP BY b HAVING COUNT(n) > 1"},
    {"count-notnull", count_rows, "SELECT COUNT(n) FROM t",
     "SELECT COUNT(b) FROM t"},
    {"count-distinct-key", count_rows, "SELECT COUNT(DISTINCT a) FROM t",
     "SELECT COUNT(DISTINCT n) FROM t"},
    {"case-where", case_to_where,
     "SELECT SUM(CASE WHEN b > 1 THEN n END) FROM t",
     "SELECT SUM(CASE WHEN b > 1 THEN n END), COUNT(*) FROM t"},
    {"case-where", case_to_where,
     "SELECT SUM(CASE WHEN b > 1 THEN n END), MAX(CASE WHEN b > 1 AND n = 2 "
     "THEN m END) FROM t",
     "SELECT SUM(CASE WHEN b > 1 THEN n ELSE 0 END) FROM t"},
    {"case-where", case_to_where,
     "SELECT COUNT(CASE WHEN b > 1 THEN n END) FROM t",
     "SELECT COUNT(CASE WHEN b > 1 THEN n END) FROM t GROUP BY m"},
    {"one-row", drop_limit, "SELECT COUNT(*) FROM t ORDER BY 1 LIMIT 2",
     "SELECT COUNT(*) FROM t ORDER BY 1 LIMIT 0"},
    {"one-row", drop_limit, "SELECT COUNT(*) FROM t ORDER BY 1 LIMIT 2",
     "SELECT a FROM t ORDER BY a LIMIT 2"},
    {"one-row", drop_limit, "SELECT b FROM t WHERE a = 3 LIMIT 2",
     "SELECT b FROM t WHERE b = 3 LIMIT 2"},
    {"one-row", drop_limit,
     "SELECT t.b FROM u JOIN t ON t.a = u.b WHERE u.a = 1 LIMIT 1",
     "SELECT t.b FROM u JOIN t ON t.a = u.b WHERE t.a = 1 LIMIT 1"},
    {"one-row", drop_limit, "SELECT b FROM t WHERE a = 3 LIMIT 2",
     "SELECT b FROM t WHERE a > 3 LIMIT 2"},
    {"union-or", become_left, "SELECT b FROM t UNION SELECT b FROM t",
     "SELECT b FROM t UNION ALL SELECT b FROM t"},
    {"union-or", become_left, "SELECT a FROM u UNION SELECT a FROM u",
     "SELECT a FROM u UNION SELECT a FROM t"},
    {"union-or", become_left, "SELECT n FROM t UNION SELECT n FROM t",
     "SELECT c FROM t UNION SELECT c FROM t"},
    {"union-or", become_left, NULL,
     "SELECT t.b FROM u LEFT JOIN t ON u.o = t.a "
     "UNION SELECT t.b FROM u LEFT JOIN t ON u.o = t.a"},
    {"scalar-join", look_up,
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o) FROM u WHERE b > 1",
     "SELECT a, (SELECT t.b FROM t WHERE t.n = u.o) FROM u WHERE b > 1"},
    {"scalar-join", look_up,
     "SELECT a, (SELECT t.b FROM t WHERE t.m = u.o AND t.n > 2) FROM u",
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o LIMIT 0) FROM u"},
    {"scalar-join", look_up, NULL,
     "SELECT a, (SELECT t.b FROM t LEFT JOIN bag ON bag.a = t.n "
     "WHERE t.a = u.o) FROM u"},
    {"scalar-join", look_up, NULL,
     "SELECT MAX(b), (SELECT t.b FROM t WHERE t.a = 1) FROM u"},
    {"scalar-join", look_up_another, NULL,
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o) FROM u"},
    {"scalar-join", look_up_anything, NULL,
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o) FROM u"},
    {"scalar-join", look_up_inner, NULL,
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o) FROM u"},
    {"scalar-join", look_up_and_drop, NULL,
     "SELECT a, (SELECT t.b FROM t WHERE t.a = u.o) FROM u WHERE b > 1"},
    {"scalar-item", lift_values, "SELECT a, (SELECT b) FROM t",
     "SELECT a, (SELECT b WHERE n > 1) FROM t"},
    {"scalar-item", lift_values, "SELECT a FROM t WHERE (SELECT b) = n",
     "SELECT a FROM t WHERE (SELECT 1 LIMIT 0) = n"},
    {"scalar-item", lift_values, "SELECT COUNT(*), (SELECT 1) FROM t",
     "SELECT COUNT(*), (SELECT t.b) FROM t"},
    {"scalar-item", lift_values, NULL, "SELECT a, (SELECT u.b FROM u) FROM t"},
    {"scalar-item", lift_values, NULL, "SELECT a, (SELECT MAX(1)) FROM t"},
    {"scalar-item", lift_values, NULL,
     "SELECT a, (SELECT b UNION SELECT n) FROM t"},
    {"scalar-item", lift_and_drop, NULL,
     "SELECT a, (SELECT b) FROM t WHERE n > 1"},
    {"scalar-extreme", take_max,
     "SELECT (SELECT b FROM t ORDER BY b DESC LIMIT 1)",
     "SELECT (SELECT b FROM t ORDER BY n DESC LIMIT 1)"},
    {"scalar-extreme", take_max,
     "SELECT a FROM u WHERE b = (SELECT n FROM t WHERE t.b = u.b "
     "ORDER BY n DESC LIMIT 1)",
     "SELECT a FROM u WHERE b = (SELECT n FROM t WHERE t.b = u.b "
     "ORDER BY n DESC LIMIT 1 OFFSET 1)"},
    {"scalar-extreme", take_max,
     "SELECT (SELECT COUNT(*) FROM t GROUP BY b ORDER BY COUNT(*) DESC LIMIT "
     "1)",
     "SELECT (SELECT n FROM t GROUP BY b ORDER BY n DESC LIMIT 1)"},
    {"scalar-extreme", take_max, NULL,
     "SELECT (SELECT c FROM t ORDER BY c DESC LIMIT 1)"},
    {"scalar-extreme", take_max, NULL,
     "SELECT (SELECT b FROM t ORDER BY b DESC LIMIT 2)"},
    {"scalar-extreme", take_max, NULL,
     "SELECT (SELECT n FROM t ORDER BY n LIMIT 1)"},
    {"scalar-extreme", take_min, "SELECT (SELECT n FROM t ORDER BY n LIMIT 1)",
     "SELECT (SELECT b FROM t ORDER BY b LIMIT 1)"},
    {"scalar-extreme", take_max_of_more, NULL,
     "SELECT (SELECT b FROM t WHERE n > 1 ORDER BY b DESC LIMIT 1)"},
    {"scalar-extreme", take_max_and_order, NULL,
     "SELECT a, (SELECT b FROM t ORDER BY b DESC LIMIT 1) FROM u ORDER BY a"},
    {"unused-column", lose_second,
     "SELECT x.a, x.n FROM (SELECT a, b, n FROM t) x",
     "SELECT x.a, x.b FROM (SELECT a, b, n FROM t) x"},
    {"unused-column", lose_second,
     "SELECT x.a FROM (SELECT a, b FROM t UNION ALL SELECT a, o FROM u) x",
     "SELECT x.a FROM (SELECT a, b FROM t UNION SELECT a, o FROM u) x"},
    {"unused-column", lose_second,
     "SELECT x.a FROM (SELECT DISTINCT a, 1 FROM t) x",
     "SELECT x.b FROM (SELECT DISTINCT b, n FROM t) x"},
    {"unused-column", lose_second, NULL,
     "SELECT x.b FROM (SELECT b, n FROM t ORDER BY n LIMIT 1) x"},
    {"unused-column", lose_second, NULL,
     "SELECT x.a FROM (SELECT a, b FROM t UNION ALL SELECT a, o FROM u "
     "LIMIT 2) x"},
    {"unused-column", lose_first_unmoved, NULL,
     "SELECT x.b FROM (SELECT a, b, n FROM t) x"},
    {"unused-column", lose_second_and_distinct,
     "SELECT x.a FROM (SELECT DISTINCT a, b FROM t) x",
     "SELECT x.n FROM (SELECT DISTINCT n, b FROM t) x"},
    {"unused-column", lose_second_and_where, NULL,
     "SELECT x.a FROM (SELECT a, b FROM t WHERE n > 1) x"},
    // What the rule has no business with.
    {"isnotnull", drop_where, "SELECT b FROM t WHERE n IS NOT NULL", NULL},
    {"order-fd", drop_where, NULL, "SELECT b FROM t WHERE n IS NOT NULL"},
    {"no-such-rule", drop_where, NULL, "SELECT b FROM t WHERE n IS NOT NULL"},
};

static bool passes(check_memory *m, const trial *t, const char *sql)
{
    arena a = m->a;
    diag d = diag_new(&a);
    schema s = {0};
    assert_true(schema_from_ddl(&s, &a, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                                &d, m->scratch));
    parse_result r = parse_sql(&a, str_from(sql), DIALECT_SQLITE, m->scratch);
    prover p = {
        .a = &a,
        .bound = bind_query(&a, r.statements, &s, DIALECT_SQLITE, m->scratch),
        .assume = ASSUME_DEFAULT,
    };
    block *b = build_query(&p);
    assert_non_null(b);
    stage before = stage_of(&p, b);
    t->step(&p, b);
    str why = {0};
    return audit_passes(&p, str_from(t->rule), &before, b, &why);
}

static void lets_pass_what_holds_and_nothing_else(void **state)
{
    for (ptrdiff_t i = 0; i < countof(trials); i++) {
        const trial *t = &trials[i];
        if (t->passes && !passes(*state, t, t->passes)) {
            fail_msg("%s does not pass: %s", t->rule, t->passes);
        }
        if (t->fails && passes(*state, t, t->fails)) {
            fail_msg("%s passes: %s", t->rule, t->fails);
        }
    }
}

static void knows_every_rule(void **state)
{
    (void)state;
    for (ptrdiff_t i = 0; i < rule_count; i++) {
        assert_true(audit_has(rules[i].name));
    }
    assert_false(audit_has(S("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(lets_pass_what_holds_and_nothing_else),
        CHECK_TEST(knows_every_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
