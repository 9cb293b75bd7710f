// evaluator.c - the table of evaluator.def.
#include "evaluators/evaluator.h"

#include "base/utf8.h"
#include "base/words.h"

#include <assert.h>

static const evaluator evaluators[] = {
#define EVALUATOR(constant, name, family_name, order_name, bits, options, \
                  sentence)                                               \
    [RULES_##constant] = {                                                \
        .word = S_INIT(#name),                                            \
        .text = S_INIT(sentence),                                         \
        .family = FAMILY_##family_name,                                   \
        .order = ORDER_##order_name,                                      \
        .traits = (bits),                                                 \
        .honours = (options),                                             \
        .compare = compare_##name,                                        \
        .need = compare_need_##name,                                      \
    },
#include "evaluators/evaluator.def"
#undef EVALUATOR
};

const evaluator *evaluator_of(rules r)
{
    assert(r < RULES_COUNT);
    return &evaluators[r];
}

bool evaluator_has(rules r, evaluator_trait t)
{
    return evaluator_of(r)->traits & t;
}

rules evaluator_with(evaluator_trait t)
{
    int r = 0;
    while (!evaluator_has((rules)r, t)) {
        r++;
    }
    assert(r < RULES_COUNT);
    return (rules)r;
}

WORDS_OF(rules, rules, evaluators)

str rules_text(rules r)
{
    return evaluator_of(r)->text;
}

verdict compare_results(rules r,
                        comparison what,
                        const table *gold,
                        const table *pred,
                        const compare_options *o,
                        arena *a,
                        arena scratch)
{
    verdict v = evaluator_of(r)->compare(what, gold, pred, o, a, scratch);
    return compare_note_empty(v, gold, pred);
}

verdict compare_exec(rules r,
                     const table *gold,
                     const table *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch)
{
    return compare_results(r, COMPARE_EXEC, gold, pred, o, a, scratch);
}

verdict compare_subset(rules r,
                       const table *gold,
                       const table *pred,
                       const compare_options *o,
                       arena *a,
                       arena scratch)
{
    return compare_results(r, COMPARE_SUBSET, gold, pred, o, a, scratch);
}

verdict compare_column_missing(const table *gold,
                               ptrdiff_t column,
                               const table *pred,
                               arena *a)
{
    assert(column >= 0 && column < gold->n_columns);
    if (gold->n_rows != pred->n_rows) {
        return verdict_no(gold->n_rows < pred->n_rows ? REASON_EXTRA_ROWS
                                                      : REASON_MISSING_ROWS,
                          arena_printf(a, "%td rows against %td in the gold",
                                       pred->n_rows, gold->n_rows));
    }
    str name = gold->names[column];
    return verdict_no(
        REASON_COLUMNS_DIFFER,
        arena_printf(a, "gold column %td '%.*s' is not found in the prediction",
                     column + 1, STR_ARG(name)));
}

static bool has_word(str text, str word)
{
    for (ptrdiff_t at = str_find_fold(text, word, 0); at >= 0;
         at = str_find_fold(text, word, at + 1)) {
        ptrdiff_t end = at + word.len;
        ptrdiff_t size = 0;
        bool joined_left = at > 0 && utf8_is_word(utf8_char_before(text, at));
        bool joined_right =
            end < text.len && utf8_is_word(utf8_char_at(text, end, &size));
        if (!joined_left && !joined_right) {
            return true;
        }
    }
    return false;
}

bool evaluator_asks_order(str category, str question)
{
    return str_equal(category, S("order_by")) || has_word(question, S("order"))
           || has_word(question, S("sort")) || has_word(question, S("arrange"));
}
