/*
 * normal_case.c - CASE, and what is never NULL; see normal.h.
 */
#include "relation/normal.h"
#include "relation/normal_internal.h"
#include "relation/relation_block.h"
#include "relation/relation_class.h"

bool term_is_decided(const term *t)
{
    bool is_made =
        t->kind == TERM_AND || t->kind == TERM_OR || t->kind == TERM_NOT;
    return is_made ? term_args_all(t, 0, term_is_decided)
                   : t->kind == TERM_EXISTS || t->kind == TERM_IS;
}

// CASE WHEN EXISTS (...) THEN 1 ELSE 0 END; of other tests a SUM of them is
// known by its CASE.
static bool is_test_of_rows(const prover *p, const term_list *args)
{
    return args->len == 3 && (args->ptr[0]->has & HAS_BLOCK)
           && term_is_decided(args->ptr[0]) && term_is_number(args->ptr[1], 1)
           && term_is_number(args->ptr[2], 0) && !prover_is_typed(p);
}

// Where types are strict, a branch that is never taken still is of the type of
// the CASE: CASE WHEN FALSE THEN 1.5 ELSE a END is no INTEGER, nor is a text of
// any type but TEXT there.
static bool drops_type(prover *p, const term *const *args, int32_t n)
{
    bool drops = false;
    for (int32_t i = 0; i + 1 < n; i += 2) {
        const term *when = term_condition(p, args[i]);
        drops |= when->kind == TERM_NULL || when->kind == TERM_INTEGER;
    }
    bool is_only = n == 2 && args[1]->kind != TERM_TEXT
                   && args[1]->kind != TERM_OPAQUE
                   && !term_is_number(args[0], 0);
    return drops && !is_only && prover_is_typed(p);
}

// The branches with those of the CASE in ELSE behind them.
static const term *const *with_branches(prover *p,
                                        const term *const *args,
                                        const term *other,
                                        int32_t n)
{
    const term **all = arena_new(p->a, const term *, n + other->n);
    for (int32_t i = 0; i < n - 1 + other->n; i++) {
        all[i] = i < n - 1 ? args[i] : other->args[i - n + 1];
    }
    return all;
}

// Whether the test compares with a literal what makes x NULL when it is NULL.
// A column beside an aggregate is that of one row, and says nothing of others.
static bool weighs(const term *t, const term *x)
{
    bool found = false;
    for (int k = 0; term_compares(t) && !found && k < 2; k++) {
        const term *y = term_bare(t->args[k]);
        bool is_of_rows = (x->has & ~y->has & HAS_AGGREGATE) != 0;
        found = !is_of_rows && term_is_literal(t->args[1 - k])
                && know_null_when(x, y, NULL);
    }
    return found;
}

// CASE WHEN y <> 0 THEN x / y END is x / y: dividing by 0 gives NULL anyway.
static bool guards_division(prover *p, const term_list *args)
{
    const term *x = args->ptr[1];
    return args->len == 2 && x->kind == TERM_DIVIDE && !prover_is_typed(p)
           && term_is_not_zero(args->ptr[0], x->args[1])
           && local_allowed(p, LOCAL_DIVISOR);
}

// The branches that may be taken, those with one result as one; `other`: what
// is left for the rest.
static term_list branches_taken(prover *p,
                                const term *const *args,
                                int32_t n,
                                const term **other)
{
    term_list kept = {0};
    for (int32_t i = 0; i + 1 < n; i += 2) {
        const term *when = term_condition(p, args[i]);
        if (when->kind == TERM_NULL || term_is_number(when, 0)) {
            continue;
        }
        if (when->kind == TERM_INTEGER) {
            *other = args[i + 1];
            break;
        }
        const term *then = term_bare(args[i + 1]);
        const term *either[] = {kept.len > 0 ? kept.ptr[kept.len - 2] : NULL,
                                when};
        if (kept.len > 0 && kept.ptr[kept.len - 1] == then
            && !prover_is_typed(p)) {
            kept.ptr[kept.len - 2] = term_all(p, TERM_OR, either, 2);
            continue;
        }
        term_list_push(p, &kept, when);
        term_list_push(p, &kept, then);
    }
    return kept;
}

const term *term_case(prover *p, const term *const *args, int32_t n)
{
    if (drops_type(p, args, n)) {
        return term_make(p, (term){.kind = TERM_CASE, .n = n, .args = args});
    }
    const term *other = n % 2 == 1 ? args[n - 1] : NULL;
    if (other && other->kind == TERM_CASE && !prover_is_typed(p)) {
        return term_case(p, with_branches(p, args, other, n), n - 1 + other->n);
    }
    term_list kept = branches_taken(p, args, n, &other);
    local_allowed(p, LOCAL_IIF);
    if (kept.len == 0) {
        return other ? term_untyped(p, other) : term_null(p);
    }
    other = other && other->kind != TERM_NULL ? term_bare(other) : NULL;
    if (kept.len == 2 && other && kept.ptr[1]->kind == TERM_NULL
        && weighs(kept.ptr[0], other)) {
        kept.ptr[0] = term_not(p, kept.ptr[0]);
        kept.ptr[1] = other;
    } else if (other) {
        term_list_push(p, &kept, other);
    }
    if (is_test_of_rows(p, &kept) || guards_division(p, &kept)) {
        return kept.ptr[kept.len == 2];
    }
    if (kept.len == 2 && term_tested_not_null(kept.ptr[0]) == kept.ptr[1]
        && !prover_is_typed(p)) {
        return term_untyped(p, kept.ptr[1]);
    }
    return term_make(
        p, (term){.kind = TERM_CASE, .n = (int32_t)kept.len, .args = kept.ptr});
}

bool term_is_some(const term *t)
{
    bool is_some_of = t->kind == TERM_CALL && str_equal(t->text, S("coalesce"));
    bool found = term_is_literal(t) || term_is_decided(t) || term_counts(t);
    for (int32_t i = 0; is_some_of && !found && i < t->n; i++) {
        found = term_is_literal(term_bare(t->args[i]));
    }
    return found;
}

const term *term_no_rows(prover *p, const term *scalar)
{
    const block *in = scalar->kind == TERM_SCALAR ? scalar->block : NULL;
    bool is_first = in && in->limit && in->limit->kind == TERM_INTEGER
                    && in->limit->number > 0;
    if (!in || in->set || in->is_grouped || in->offset
        || !(is_first || (!in->limit && !prover_is_typed(p)))
        || !term_is_some(term_bare(in->select.ptr[0]))
        || !local_allowed(p, LOCAL_NEVER)) {
        return NULL;
    }
    block *rows = block_copy(p, in);
    rows->limit = NULL;
    rows->order.len = 0;
    rows->repeats = REPEATS_KEPT;
    return term_not(p,
                    term_make(p, (term){.kind = TERM_EXISTS, .block = rows}));
}
