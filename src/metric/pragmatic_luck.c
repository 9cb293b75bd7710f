/*
 * pragmatic_luck.c - equal results of queries that are after other things.
 *
 * Method      Of both intents, only what hides best behind equal results is
 *             looked at: by which measure the one row was picked, and texts
 *             that only the prediction looks for.
 */
#include "metric/pragmatic.h"
#include "metric/pragmatic_internal.h"

// Are both of them the only rank of their query, from the same end?
static bool have_measures(const intent both[2])
{
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        const intent_facts *ranks = &both[i].facts[INTENT_RANKS];
        ok = both[i].is_known && ranks->len == 1 && ranks->ptr->value.len > 0;
    }
    return ok
           && str_equal(both[0].facts[INTENT_RANKS].ptr->relation,
                        both[1].facts[INTENT_RANKS].ptr->relation);
}

static bool is_in(const intent_fact *f, const void *facts)
{
    return intent_has(facts, f);
}

static bool share_text(const intent_facts *x, const intent_facts *y)
{
    return x->len == 0 || y->len == 0 || intent_any(x, is_in, y);
}

bool pragmatic_picks_by_luck(const pragmatic_pair *u,
                             pragmatic_profile profile,
                             str *why)
{
    const intent both[2] = {
        intent_of(u->a, u->gold.b, profile.accepts, u->scratch),
        intent_of(u->a, u->pred.b, profile.accepts, u->scratch)};
    if (!have_measures(both)) {
        return false;
    }
    const str measures[] = {both[0].facts[INTENT_RANKS].ptr->value,
                            both[1].facts[INTENT_RANKS].ptr->value};
    if (!str_equal(measures[0], measures[1])) {
        *why =
            arena_printf(u->a, "the gold ranks by %.*s, the prediction by %.*s",
                         STR_ARG(measures[0]), STR_ARG(measures[1]));
        return true;
    }
    bool is_luck = str_equal(measures[0], S("count"))
                   && !share_text(&both[0].facts[INTENT_GRAIN],
                                  &both[1].facts[INTENT_GRAIN]);
    if (is_luck) {
        *why = arena_printf(u->a, "the gold counts %.*s, the prediction %.*s",
                            STR_ARG(both[0].facts[INTENT_GRAIN].ptr[0].text),
                            STR_ARG(both[1].facts[INTENT_GRAIN].ptr[0].text));
    }
    return is_luck;
}

static bool is_of_column(const intent_fact *f, const void *other)
{
    const intent_fact *k = other;
    return f->table == k->table && f->column == k->column;
}

pragmatic_filters pragmatic_own_filters(const pragmatic_pair *u)
{
    pragmatic_filters out = {0};
    intent g = intent_of(u->a, u->gold.b, 0, u->scratch);
    intent p = intent_of(u->a, u->pred.b, 0, u->scratch);
    for (ptrdiff_t i = 0;
         g.is_known && p.is_known && i < p.facts[INTENT_KEEPS].len; i++) {
        const intent_fact *k = &p.facts[INTENT_KEEPS].ptr[i];
        bool is_own = k->table >= 0 && !k->is_absent && !k->is_any
                      && str_equal(k->relation, S("=")) && k->value.len > 0
                      && k->is_text && !str_to_double(k->value, NULL)
                      && !intent_any(&g.facts[INTENT_KEEPS], is_of_column, k);
        if (is_own) {
            *vec_push(u->a, &out) =
                (pragmatic_filter){k->table, k->column, k->value};
        }
    }
    return out;
}
