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

static const struct {
    need_holds *holds;
    str says;
} needs[] = {
#define NEED(name, says) {need_##name, S_INIT(says)},
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
        holds = needs[at].holds(&step);
        *why = needs[at].says;
    }
    p->touched = touched;
    return holds;
}
