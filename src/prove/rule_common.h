// rule_common.h - what several rules ask about a block.
#ifndef ASSAY_PROVE_RULE_COMMON_H
#define ASSAY_PROVE_RULE_COMMON_H

#include "prove/rule.h"
#include "relation/normal.h"
#include "relation/relation_told.h"

// Its columns become those of the tables of `of`, one by one; false: it has
// other tables.
bool block_speaks_of(prover *p, block *b, const block *of);

// A copy of `side` that speaks of the tables of `of`; NULL: it has others.
block *block_over_tables_of(prover *p, const block *side, const block *of);

// Whether every key of ORDER BY is an item, too.
bool orders_by_items(const block *b);

// A walk that ends at a term.
term_visit search_wanted;

// Whether a condition is false that each of its rows would satisfy.
bool has_no_rows(const block *b);

// Whether a single group shows a column, which is NULL where there are no rows,
// and what is made of it is not NULL there anyway, as a quotient by COUNT is.
bool shows_no_rows(prover *p, const block *b);

// Whether no row of the block satisfies the other conditions, too.
bool exclude_each_other(prover *p, const block *b, const term_list *others);

// Whether one of the conditions is this one, or implies it.
bool conditions_imply(prover *p, const term_list *l, const term *t);

// c IS NOT NULL
const term *not_null_test(prover *p, const term *c);

// The argument of an aggregate with one of the names, DISTINCT or not; NULL: it
// is something else.
const term *aggregated(const term *t, const char *names);

bool counts_rows(const term *t);  // COUNT(*)

// AGG(x) OVER (PARTITION BY p), of all rows of the partition.
bool window_is_whole(const term *window);

// CASE WHEN p THEN x END: NULL where p is not true.
bool is_when(const term *t);

// Whether each row of a group has its own value there.
bool group_rows_differ_in(prover *p, const block *b, const term *c);

// COUNT(CASE WHEN p THEN 1 END), and p of that; NULL: it is none.
const term *count_when(prover *p, const term *test);
const term *counted_when(const term *t);

// x of COALESCE(x, 0); NULL: it is none.
const term *or_zero(const term *t);

// Whether an aggregate, or a CAST of it, is NULL or 0 where there are no rows,
// so that dividing by it gives NULL; in others than SQLite only dividing by
// NULL does.
bool vanishes(prover *p, const term *t);

// Whether no row of the block comes twice, by the columns that count: what it
// groups by where it shows all of that, or else all.
bool comes_once(const block *b);
bool counts_for_rows(const block *b, int32_t column);

// The block whose rows are all that is read; NULL: something else is.
block *only_body(const block *b);

// All of the conditions in one.
const term *term_all_of(prover *p, const term_list *l);

// A comparison of a term with a literal.
typedef struct bound {
    const term *x;
    const term *literal;
    unsigned allows;  // ALLOWS_*
} bound;

enum {
    ALLOWS_LESS = 1,  // x that is less than the literal
    ALLOWS_EQUAL = 2,
    ALLOWS_GREATER = 4,
    ALLOWS_UNLIKE = ALLOWS_LESS | ALLOWS_GREATER,
    ALLOWS_ALL = ALLOWS_UNLIKE | ALLOWS_EQUAL,
};

bool read_bound(const term *t, bound *out);

// The same with an integer; whether it takes a number.
bool read_threshold(const term *t, bound *out);
bool bound_takes(const bound *b, int64_t n);

// The number of rows that is compared with a literal in such a way that this
// says one thing of `least` rows and of any more, another of one row less;
// NULL: it is no such comparison.
const term *asked_for_rows(const term *t, int64_t least, bool *from_there);

// EXISTS of the rows of the block, whatever it shows.
const term *term_exists(prover *p, block *rows);

// NOT t, also where t is NULL.
const term *not_true(prover *p, const block *b, const term *t);

// The condition with something else for parts that only matter when they are
// true: itself, or what stands under AND and OR alone. `change` gives what is
// true when that part is, or NULL.
const term *change_part(prover *p,
                        const block *b,
                        const term *t,
                        rewrite_visit *change);

// The condition number `at` of WHERE becomes that; false: it is that.
bool where_becomes(prover *p, block *b, ptrdiff_t at, const term *with);

// The condition with changed parts, as above.
bool change_where(prover *p, block *b, ptrdiff_t at, rewrite_visit *change);

// Whether it is a derived table that moves into the query around it first,
// where it only selects.
bool moves_up(const block *b);

// Whether an aggregate does not count how often a row comes; whether the groups
// look the same however often each of their rows comes, or but for COUNT(*); or
// all that the block returns does, for it is DISTINCT or under EXISTS.
bool aggregate_forgets_repeats(const term *t);
bool groups_count_rows(const block *b);
bool groups_forget_repeats(const block *b);
bool forgets_repeats(const block *b);

// Other terms in its items, HAVING and ORDER BY, or also in WHERE and GROUP BY.
// False: they are as they were.
bool rewrite_results(rewrite *r, block *b);
bool rewrite_terms(rewrite *r, block *b);

// The block, each group of which is one row, with what aggregates are of that
// row, where it can be said without them.
block results_of_single(prover *p, const block *b);

// (SELECT MAX(x) ...) of a subquery that shows the first x by itself; NULL: it
// shows something else.
const term *extreme_shown(prover *p, const block *in);

// As few columns that tell the groups apart as will do; false: there are none.
bool group_keys(prover *p, const block *b, term_list *keys);

// Whether no two groups show the same items.
bool items_tell_groups(prover *p, const block *b);

// The column of another source that is the same as this one, by a condition of
// WHERE; NULL: none.
const term *shown_elsewhere(prover *p, const block *b, const term *c);

// Another term for a column, but not in WHERE.
void replace_but_where(prover *p,
                       block *b,
                       instance *s,
                       int32_t column,
                       const term *to);

// Writes columns of the source as columns of others that they equal, but not
// in WHERE.
void show_others(prover *p, block *b, instance *s);

// The same if then nothing but WHERE uses the source; else the block is left as
// it is.
bool leave_to_where(prover *p, block *b, instance *s);

// Whether a column of a set operation compares as those of all its sides do.
bool compares_as_sides(prover *p, const block *b, int32_t column);

// Whether every row before the join finds at most one partner in the source.
bool has_one_partner(prover *p, const block *b, const instance *s);

// Takes the conditions that use the source out of WHERE.
term_list take_conditions(prover *p, block *b, const instance *s);

// Whether a condition of the list is not true where the source is padded.
bool any_rejects(const term_list *l, const instance *s);

// Whether a sound foreign key leads to the column.
bool is_key_target(prover *p, const instance *parent, int32_t column);

// Whether the conditions are a foreign key of a child in the block, whose
// columns are not NULL there and among some others (NULL: any), and no more. So
// each row of the block has one parent.
bool has_parent(prover *p,
                const block *b,
                const term_list *on,
                instance *parent,
                const term_list *among);

// Whether each row of the block finds a partner in the source by the
// conditions: a parent, its own group, or a row of its group.
bool finds_partner(prover *p, const block *b, const term_list *on, instance *s);

// Whether EXISTS in WHERE says that the outer source has a partner.
bool exists_finds_partner(prover *p, const block *b, instance *s);

// The outer join becomes an inner one.
void make_inner(prover *p, block *b, instance *source);

// Whether the column of a source is not NULL where it has a partner, if it were
// padded, or is.
bool never_null_inside(prover *p, instance *s, const term *c);

// COUNT of the first column that only padding makes NULL; NULL: there is none.
const term *count_of_partners(prover *p, instance *s);

// The block with other terms in what is computed for groups.
block block_results_rewritten(rewrite *r, const block *b);

// Adds what tells the rows of all sources but one apart; false: nothing does.
bool add_identities(prover *p,
                    const block *b,
                    const instance *but,
                    term_list *out);

#endif  // ASSAY_PROVE_RULE_COMMON_H
