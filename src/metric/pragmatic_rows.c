/*
 * pragmatic_rows.c - cells softened, then compared as always.
 *
 * Method      A leniency about cells (letter case, NULL and the empty text,
 *             rounding) rewrites the cells of both results; one about rows or
 *             columns becomes an option of the comparison.
 *
 * Cost        A copy of both results where cells are rewritten.
 */
#include "metric/pragmatic_rows.h"

#include "evaluators/evaluator.h"
#include "metric/leniency.h"
#include "sql/outline.h"

static const double ROUNDED = 0.005;  // 3.7 for 3.69

static value soften(value v, arena *a, const void *context)
{
    uint32_t bits = *(const uint32_t *)context;
    str text = value_bytes(v);
    if (v.kind != VALUE_TEXT) {
        return v;
    }
    if (text.len == 0 && (bits & LENIENCY_BIT(NULLS))) {
        return value_null();
    }
    int64_t n = 0;
    if ((bits & LENIENCY_BIT(ROUNDING)) && str_to_int(text, &n)
        && str_equal(text, arena_printf(a, "%lld", (long long)n))) {
        return value_int(n);  // '3', which a cast would make of 3
    }
    if (bits & LENIENCY_BIT(LETTER_CASE)) {
        return value_text(arena_lower(a, text));
    }
    return v;
}

static table soften_all(const table *t, uint32_t bits, arena *a)
{
    uint32_t of_cells = LENIENCY_BIT(NULLS) | LENIENCY_BIT(LETTER_CASE)
                        | LENIENCY_BIT(ROUNDING);
    return bits & of_cells ? table_change(a, t, soften, &bits) : *t;
}

bool pragmatic_rows_match(str gold_sql,
                          const table *gold,
                          const table *pred,
                          dialect d,
                          uint32_t bits,
                          arena scratch)
{
    if (gold->is_cut || pred->is_cut) {
        return false;
    }
    arena a = scratch;
    arena rest = arena_half(&a);
    table g = soften_all(gold, bits, &a);
    table p = soften_all(pred, bits, &a);
    bool has_order = sql_outline_of(gold_sql, d).has_outer_order;
    compare_options o = {
        .is_ordered =
            has_order && !(bits & LENIENCY_BIT(ROW_ORDER)) && g.n_rows > 1,
        .same_column_order = !(bits & LENIENCY_BIT(COLUMN_ORDER)),
        .rows_are_sets = (bits & LENIENCY_BIT(DUPLICATES)) != 0,
        .has_tolerance = (bits & LENIENCY_BIT(ROUNDING)) != 0,
        .tolerance = ROUNDED,
        .gold_sql = gold_sql,
    };
    verdict v = bits & LENIENCY_BIT(EXTRA_COLUMNS)
                    ? compare_subset(RULES_ASSAY, &g, &p, &o, &a, rest)
                    : compare_exec(RULES_ASSAY, &g, &p, &o, &a, rest);
    return v.v == ANSWER_YES;
}
