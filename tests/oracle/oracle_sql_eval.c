/*
 * oracle_sql_eval.c - string match and edit distance of --like sql_eval against
 * the recorded numbers of the program behind [001] on real pairs.
 *
 * Reads $ASSAY_DATA/sql_eval/oracle_pairs.jsonl. All pairs must agree on both.
 */
#include "base/file.h"
#include "base/json.h"
#include "evaluators/sql_eval.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    EXIT_SKIPPED = 77,
    MAX_SHOWN = 5,
};

typedef struct tally {
    ptrdiff_t n;
    ptrdiff_t n_string;
    ptrdiff_t n_edit;
    ptrdiff_t n_skipped;  // predictions with nothing in them
} tally;

static int64_t number_of(const json *pair, str key)
{
    const json *j = json_get(pair, key);
    return j && j->kind == JSON_KIND_INT ? j->i : -1;
}

static void judge_line(tally *t, str line, arena a, arena scratch)
{
    const json *pair = json_parse(&a, line, NULL);
    const str gold = json_get_text(pair, S("answer"));
    const str pred = json_get_text(pair, S("generation"));
    const verdict string = metric_string_sql_eval(gold, pred, &a, scratch);
    const verdict edit = metric_edit_sql_eval(gold, pred, &a, scratch);
    const bool is_exact = number_of(pair, S("exact")) == 1;
    const bool is_skipped = number_of(pair, S("skipped")) == 1;
    const bool same_string = (string.v == ANSWER_YES) == is_exact;
    const bool same_edit =
        edit.distance == number_of(pair, S("edit"))
        && (edit.reason == REASON_NO_PREDICTION) == is_skipped;
    t->n++;
    t->n_string += same_string;
    t->n_edit += same_edit;
    t->n_skipped += is_skipped;
    const ptrdiff_t off = 2 * t->n - t->n_string - t->n_edit;
    if ((!same_string || !same_edit) && off <= MAX_SHOWN) {
        printf("differs: %s, distance %td: %.*s\n",
               string.v == ANSWER_YES ? "yes" : "no", edit.distance,
               STR_ARG(line));
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
    const arena scratch = arena_store_clear(&stores[1]);
    const char *folder = getenv("ASSAY_DATA");
    const str path = arena_printf(&a, "%s/sql_eval/oracle_pairs.jsonl",
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
        const str line = str_cut(&rest, '\n');
        if (line.len > 0) {
            judge_line(&t, line, a, scratch);
        }
    }
    printf("of %td pairs agree: string match %td, edit distance %td "
           "(%td without a prediction)\n",
           t.n, t.n_string, t.n_edit, t.n_skipped);
    return t.n > 0 && t.n_string == t.n && t.n_edit == t.n ? 0 : 1;
}
