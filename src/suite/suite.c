/*
 * suite.c - small questions asked of a suite.
 */
#include "suite/suite.h"

#include "base/words.h"

#include <assert.h>

static const struct {
    str word;
} suite_causes_known[] = {
    {S_INIT("null_handling")},
    {S_INIT("orphan")},
    {S_INIT("letter_case")},
    {S_INIT("empty_input")},
};

WORDS_OF(suite_cause, suite_cause, suite_causes_known)

unsigned suite_causes(const suite *s, ptrdiff_t no)
{
    assert(no >= 0 && no < s->n_databases);
    return s->strict ? s->strict[no] : 0;
}

str suite_show_causes(unsigned causes, arena *a)
{
    buf text = buf_new(a);
    for (int c = 0; c < SUITE_CAUSE_COUNT; c++) {
        if (causes & 1u << c) {
            buf_list(&text, suite_cause_word((suite_cause)c));
        }
    }
    return buf_str(&text);
}

ptrdiff_t suite_find(const suite *s, str sql)
{
    return map_find(&s->by_sql, sql);
}

suite_count suite_count_gold(const suite_gold *g)
{
    suite_count n = {0};
    for (int k = 0; k < NEIGHBOR_KIND_COUNT; k++) {
        n.neighbors += g->made[k];
        n.killed += g->killed[k];
    }
    for (ptrdiff_t i = 0; i < g->survivors.len; i++) {
        n.equivalent += g->survivors.ptr[i].is_proved;
        n.alive += !g->survivors.ptr[i].is_proved;
    }
    return n;
}

void suite_add_curve(suite_curve *to,
                     arena *a,
                     suite_point from,
                     const suite_curve *more)
{
    for (ptrdiff_t i = 0; i < more->len; i++) {
        *vec_push(a, to) = (suite_point){from.tries + more->ptr[i].tries,
                                         from.killed + more->ptr[i].killed};
    }
}

ptrdiff_t suite_rows(const instance *i)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t t = 0; t < i->schema->n_tables; t++) {
        n += i->tables[t].n_rows;
    }
    return n;
}
