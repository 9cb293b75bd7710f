/*
 * audit.c - what changed of a block, against what a rule may change.
 *
 * Method      The block is compared part by part with what it was; the row of
 *             the rule in audit.def says which parts may differ, and which
 *             side conditions (audit_need.h) must hold then.
 *
 * Invariants  (1) A rule without a row passes nothing.
 *             (2) A part that is not in the row is as it was, term by term.
 *
 * Cost        Linear in the block for a step, and what its conditions cost.
 */
#include "prove/audit.h"

#include "prove/audit_need.h"
#include "prove/audit_same.h"
#include "relation/relation_type.h"

// The parts of a block.
enum {
    SOURCES = 1,    // which there are
    PADDING = 2,    // which are outer ones, and their ON
    BODY = 4,       // what derived tables are
    WHERE = 8,      // its conditions
    TERMS = 16,     // items, GROUP BY, HAVING, ORDER BY
    GROUPS = 32,    // whether it groups
    DISTINCT = 64,  // whether DISTINCT, and whether that does anything
    LIMIT = 128,    // and OFFSET
    SET = 256,      // whether it is a set operation, and of what
    ALL = 511,
    SAME = 1,
    MOVE = 0,
};

enum {
    NEEDS_MAX = 6  // of a rule
};

typedef struct audit_row {
    str rule;
    unsigned may;
    uint8_t needs[NEEDS_MAX];  // each + 1; 0: no more
    bool keeps_calls;
} audit_row;

static const audit_row rows[] = {
#define N(name)                             NEED_##name + 1,
#define AUDIT(rule, may, needs, how, calls) {S_INIT(rule), may, {needs}, calls},
#include "prove/audit.def"
#undef N
};

// One of the functions is not NULL.
typedef struct need_row {
    need_of_step *of_step;
    need_of_gone *of_gone;
    need_of_inner *of_inner;
    need_of_dropped *of_dropped;
    need_of_body *of_body;
    str says;
} need_row;

static const need_row needs[] = {
#define NEED(place, name, text) {.place = need_##name, .says = S_INIT(text)},
#include "prove/need.def"
};

_Static_assert(NEED_COUNT < UINT8_MAX, "the needs of a rule are bytes");

static const audit_row *row_of(str rule)
{
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        if (str_equal(rows[i].rule, rule)) {
            return &rows[i];
        }
    }
    return NULL;
}

bool audit_has(str rule)
{
    return row_of(rule) != NULL;
}

bool audit_keeps_calls(str rule)
{
    const audit_row *row = row_of(rule);
    return row && row->keeps_calls;
}

static unsigned part_if(bool differs, unsigned part)
{
    return differs ? part : 0;
}

static unsigned changed_parts(const block *a, const block *b)
{
    return part_if(!term_lists_equal(&a->where, &b->where), WHERE)
           | part_if(!term_lists_equal(&a->select, &b->select)
                         || !term_lists_equal(&a->group, &b->group)
                         || !term_lists_equal(&a->having, &b->having)
                         || !same_orders(a, b),
                     TERMS)
           | part_if(a->is_grouped != b->is_grouped
                         || a->has_group != b->has_group,
                     GROUPS)
           | part_if(a->distinct != b->distinct || a->is_unique != b->is_unique,
                     DISTINCT)
           | part_if(a->limit != b->limit || a->offset != b->offset, LIMIT)
           | part_if(a->set != b->set || a->is_all != b->is_all
                         || a->left != b->left || a->right != b->right,
                     SET);
}

static bool bodies_differ(const block *a, const block *b)
{
    bool differ = a->sources.len != b->sources.len || changed_parts(a, b) != 0;
    for (ptrdiff_t i = 0; !differ && i < a->sources.len; i++) {
        differ = a->sources.ptr[i] != b->sources.ptr[i];
    }
    return differ;
}

static unsigned changed_sources(const stage *s, const block *after)
{
    unsigned changed = part_if(s->n != after->sources.len, SOURCES);
    for (ptrdiff_t i = 0; i < after->sources.len; i++) {
        const instance *is = after->sources.ptr[i];
        const stage_source *old = stage_find(s, is);
        if (!old) {
            changed |= SOURCES;
            continue;
        }
        changed |=
            part_if(old->was.is_outer != is->is_outer
                        || !term_lists_equal(&old->was.on, &is->on),
                    PADDING)
            | part_if(old->was.body != is->body
                          || (is->body && bodies_differ(&old->body, is->body)),
                      BODY);
    }
    return changed;
}

// The query itself without rows: prove.c compares the types that it had.
static bool is_empty_result(const block *b)
{
    return b->is_result && !b->set && b->sources.len == 0 && b->where.len == 1
           && term_is_number(b->where.ptr[0], 0);
}

// The law of type.h: whoever reads the columns of the block finds the types
// that were there. EXISTS reads none.
static bool keeps_types(prover *p, const stage *before, const block *after)
{
    ptrdiff_t n = block_outputs(after);
    bool reads =
        prover_is_typed(p) && !after->is_test && !is_empty_result(after);
    bool keeps = !reads || n == block_outputs(&before->b);
    const str *types = reads && keeps ? type_outputs(p, after) : NULL;
    for (ptrdiff_t i = 0; types && keeps && i < n; i++) {
        keeps = str_equal(types[i], before->types[i]);
    }
    return keeps;
}

// All conditions of a list are among others, an AND in parts.
static bool holds_all(const term_list *in, const term *const *of, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const term *t = of[i];
        bool found = term_list_has(in, t)
                     || (t->kind == TERM_AND && holds_all(in, t->args, t->n));
        if (!found) {
            return false;
        }
    }
    return true;
}

// Of the conditions that are gone from WHERE; was there any?
static bool holds_of_dropped(const need_row *row, const need_step *s)
{
    ptrdiff_t n = 0;
    bool holds = true;
    for (ptrdiff_t i = 0; holds && i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        bool is_gone = !term_list_has(&s->is->where, t);
        n += is_gone;
        holds = !is_gone || row->of_dropped(s, t);
    }
    return holds && n > 0;
}

// What is asked of a source that changed so; of others it holds.
static bool holds_of_source(const need_row *row,
                            const need_step *s,
                            const stage_source *was,
                            bool is_meant)
{
    return !is_meant      ? true
           : row->of_gone ? row->of_gone(s, was)
           : row->of_inner
               ? holds_all(&s->is->where, was->was.on.ptr, was->was.on.len)
                     && row->of_inner(s, was)
               : row->of_body(s, was, was->is->body);
}

// Of the sources that changed; was there any?
static bool holds_of_sources(const need_row *row, const need_step *s)
{
    ptrdiff_t n = 0;
    bool holds = true;
    for (ptrdiff_t i = 0; holds && i < s->was->n; i++) {
        const stage_source *was = &s->was->sources[i];
        bool is_meant = row->of_gone ? !block_owns(s->is, was->is)
                        : row->of_inner
                            ? was->was.is_outer && !was->is->is_outer
                            : was->was.body && was->is->body == was->was.body;
        n += is_meant;
        holds = holds_of_source(row, s, was, is_meant);
    }
    return holds && n > 0;
}

bool audit_passes(prover *p,
                  str rule,
                  const stage *before,
                  const block *after,
                  str *why)
{
    const audit_row *row = row_of(rule);
    unsigned changed =
        changed_parts(&before->b, after) | changed_sources(before, after);
    if (!row || (changed & ~row->may) != 0) {
        *why = S("it changed what it may not");
        return false;
    }
    if (!keeps_types(p, before, after)) {
        *why = S("it changed the type of a column");
        return false;
    }
    unsigned touched = p->touched;
    bool holds = true;
    need_step step = {p, before, after};
    for (int i = 0; holds && i < NEEDS_MAX && row->needs[i] > 0; i++) {
        int at = row->needs[i] - 1;
        const need_row *asked = &needs[at];
        holds = asked->of_step      ? asked->of_step(&step)
                : asked->of_dropped ? holds_of_dropped(asked, &step)
                                    : holds_of_sources(asked, &step);
        *why = needs[at].says;
    }
    p->touched = touched;
    return holds;
}
