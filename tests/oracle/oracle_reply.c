/*
 * oracle_reply.c - decisions read out of the recorded answers of judges.
 *
 * Reads $ASSAY_DATA/judge/recorded. A decision must be found in 97 % of the
 * answers of each file; where the recorders' own pattern found one, ours must
 * be the same unless the answer contradicts itself; and the decisions of the
 * Spider file must agree with execution as the rules page counts it by hand.
 */
#include "base/file.h"
#include "base/json.h"
#include "model/reply.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    EXIT_SKIPPED = 77,
    MAX_SHOWN = 5,
};

typedef struct tally {
    int64_t n;
    int64_t n_found;
    int64_t n_other;     // than the recorded pattern found
    int64_t exec[2][2];  // [execution][judge], yes is 1
} tally;

static void read_line(tally *t, str line, arena a, arena scratch)
{
    const json *j = json_parse(&a, line, NULL);
    reply_reading r =
        reply_read(json_get_text(j, S("response")), REPLY_END_WHOLE, scratch);
    str recorded = json_get_text(j, S("verdict"));
    bool is_found = r.decision != DECISION_UNCLEAR;
    bool is_other = recorded.len > 0 && !r.contradicts_self
                    && !str_equal(recorded, decision_word(r.decision));
    t->n++;
    t->n_found += is_found;
    t->n_other += is_other;
    if (is_other && t->n_other <= MAX_SHOWN) {
        printf("differs: %.*s\n", STR_ARG(line));
    }
    const json *match = json_get(j, S("execution_match"));
    if (match && is_found) {
        t->exec[match->kind == JSON_KIND_TRUE]
               [r.decision == DECISION_EQUIVALENT]++;
    }
}

static bool read_recorded(const char *folder,
                          const char *name,
                          tally *t,
                          arena a,
                          arena scratch)
{
    *t = (tally){0};
    diag d = diag_new(&a);
    file_map file;
    str path = arena_printf(&a, "%s/judge/recorded/%s.jsonl", folder, name);
    if (!file_open(&file, &a, path, &d)) {
        return false;
    }
    for (str rest = file.bytes; rest.len > 0;) {
        str line = str_cut(&rest, '\n');
        if (line.len > 0) {
            read_line(t, line, a, scratch);
        }
    }
    file_close(&file);
    printf("%s: %lld answers, %lld decisions, %lld unlike the pattern\n", name,
           (long long)t->n, (long long)t->n_found, (long long)t->n_other);
    return true;
}

int main(void)
{
    static const char *const names[] = {
        "classic_rewrite_bugs__inequalResults_gpt4_MiniatureAndMull",
        "dail_inequivalent__CounterExample_GPT35_DAIL_Inequals",
        "dail_inequivalent__MM_GPT4turbo_DAIL_Inequals",
        "esm_false_negatives__MM_GPT35_MoreEquals",
        "esm_false_negatives__MM_GPT4turbo_MoreEquals",
        "spider_dev__chatgpt_zero_shot__GPT4Turbo__relaxed",
    };
    const char *folder = getenv("ASSAY_DATA");
    folder = folder ? folder : "../shared/data";
    arena_store stores[2];
    if (!arena_store_open(&stores[0], (ptrdiff_t)1 << 30)
        || !arena_store_open(&stores[1], (ptrdiff_t)1 << 30)) {
        return 1;
    }
    bool ok = true;
    tally t = {0};
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        arena a = arena_store_clear(&stores[0]);
        if (!read_recorded(folder, names[i], &t, a,
                           arena_store_clear(&stores[1]))) {
            printf("skipped: no judge/recorded in %s\n", folder);
            return EXIT_SKIPPED;
        }
        ok = ok && t.n_found * 100 >= t.n * 97 && t.n_other == 0;
    }
    printf("execution and judge: %lld %lld %lld %lld\n",
           (long long)t.exec[1][1], (long long)t.exec[1][0],
           (long long)t.exec[0][1], (long long)t.exec[0][0]);
    ok = ok && t.exec[1][1] == 656 && t.exec[0][1] == 172 && t.exec[1][0] == 69
         && t.exec[0][0] == 137;
    return ok ? 0 : 1;
}
