/*
 * oracle_defog_tables.c - the rules `defog` against recorded verdicts of the
 * reference program on random pairs of typed tables.
 *
 * Reads $ASSAY_DATA/defog/oracle/tables_fuzz.jsonl. A recorded null is an
 * exception of the reference; both verdicts must then be COMPARE_ERROR. At
 * least 99.9 % of the pairs must agree.
 */
#include "base/file.h"
#include "base/json.h"
#include "evaluators/evaluator.h"
#include "oracle/table_json.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    EXIT_SKIPPED = 77,
    MAX_SHOWN = 5,
};

typedef struct tally {
    ptrdiff_t n;
    ptrdiff_t n_agree;
} tally;

static bool verdict_agrees(verdict v, const json *recorded)
{
    if (!recorded) {
        return false;
    }
    switch (recorded->kind) {
    case JSON_KIND_TRUE: return v.v == ANSWER_YES;
    case JSON_KIND_FALSE:
        return v.v == ANSWER_NO && v.reason != REASON_COMPARE_ERROR;
    case JSON_KIND_NULL:
        return v.v == ANSWER_NO && v.reason == REASON_COMPARE_ERROR;
    case JSON_KIND_INT:
    case JSON_KIND_REAL:
    case JSON_KIND_STRING:
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT: break;
    }
    return false;
}

static bool pair_agrees(const json *pair, arena *a, arena scratch)
{
    diag d = diag_new(a);
    table gold;
    table pred;
    if (!table_from_json(&gold, a, json_get(pair, S("gold")), &d)
        || !table_from_json(&pred, a, json_get(pair, S("gen")), &d)) {
        return false;
    }
    const compare_options o = {
        .question = json_get_text(pair, S("question")),
        .category = json_get_text(pair, S("query_category")),
        .gold_sql = json_get_text(pair, S("sql_gold")),
        .pred_sql = json_get_text(pair, S("sql_gen")),
    };
    verdict exec = compare_exec(RULES_DEFOG, &gold, &pred, &o, a, scratch);
    verdict subset = compare_subset(RULES_DEFOG, &gold, &pred, &o, a, scratch);
    return verdict_agrees(exec, json_get(pair, S("reference_exact")))
           && verdict_agrees(subset, json_get(pair, S("reference_subset")));
}

static void judge_line(tally *t, str line, arena a, arena scratch)
{
    const json *pair = json_parse(&a, line, NULL);
    bool agrees = pair && pair_agrees(pair, &a, scratch);
    t->n++;
    t->n_agree += agrees;
    if (!agrees && t->n - t->n_agree <= MAX_SHOWN) {
        printf("differs: %.*s\n", STR_ARG(line));
    }
}

int main(void)
{
    arena_store stores[2];
    if (!arena_store_open(&stores[0], (ptrdiff_t)1 << 30)
        || !arena_store_open(&stores[1], (ptrdiff_t)1 << 30)) {
        return 1;
    }
    arena a = arena_store_clear(&stores[0]);
    arena scratch = arena_store_clear(&stores[1]);
    const char *folder = getenv("ASSAY_DATA");
    str path = arena_printf(&a, "%s/defog/oracle/tables_fuzz.jsonl",
                            folder ? folder : "../shared/data");
    diag d = diag_new(&a);
    file_map file;
    if (!file_exists(path.ptr) || !file_open(&file, &a, path, &d)) {
        printf("skipped: no data\n");
        return EXIT_SKIPPED;
    }
    tally t = {0};
    str rest = file.bytes;
    while (rest.len > 0) {
        str line = str_cut(&rest, '\n');
        if (line.len > 0) {
            judge_line(&t, line, a, scratch);
        }
    }
    printf("%td of %td pairs agree\n", t.n_agree, t.n);
    return t.n > 0 && t.n_agree * 1000 >= t.n * 999 ? 0 : 1;
}
