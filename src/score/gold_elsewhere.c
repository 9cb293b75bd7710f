/*
 * gold_elsewhere.c - see gold_elsewhere.h.
 *
 * Method      A judging of its own, whose scorer has the engine, the dialect
 *             and the path of the gold for as long as that runs. Its results
 *             then take the place of the texts, as results from files do
 *             (result_gold.h): times are read out of texts on both sides, for
 *             one system keeps them as texts and the other does not.
 */
#include "score/gold_elsewhere.h"

#include "score/score_gold.h"
#include "score/score_run.h"

bool gold_is_elsewhere(const judging *j)
{
    return j->s->elsewhere != NULL;
}

static void run_there(judging *j, family_id f)
{
    score_open_database(j);
    score_expand(j, f);
    if (j->db) {
        score_run_gold(j, f);
    } else {
        j->families[f] = (gold_set){.error = j->db_error};
    }
}

void score_run_gold_elsewhere(judging *j, family_id f)
{
    scorer *s = j->s;
    const score_options *options = s->options;
    engine *own = s->engine;
    score_task task = *j->task;
    task.path = task.gold_path;
    task.path_error = task.gold_path_error;
    judging there = {.s = s,
                     .task = &task,
                     .needs = j->needs,
                     .asks_order = j->asks_order,
                     .a = j->a};
    s->options = options->elsewhere;
    s->engine = s->elsewhere;
    s->elsewhere = own;
    run_there(&there, f);
    s->elsewhere = s->engine;
    s->engine = own;
    s->options = options;
    gold_set *set = &j->families[f];
    *set = there.families[f];
    result_gold *results = arena_new(j->a, result_gold, set->n);
    family_text *variants = arena_new(j->a, family_text, set->n);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        results[i] = result_gold_of(j->a, &set->runs[i].result);
        variants[i] =
            (family_text){.has_order = set->variants[i].has_order,
                          .returns_nothing = set->variants[i].returns_nothing};
        set->runs[i].result = results[i].read;
    }
    set->results = results;
    set->variants = variants;
}
