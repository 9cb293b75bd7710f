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
        j->e.families[f] = (gold_set){.error = j->e.db_error};
    }
}

void score_run_gold_elsewhere(judging *j, family_id f)
{
    scorer *s = j->s;
    const scorer_engines *engines = s->engines;
    const scorer_engines of_golds = {.own = *engines->golds};
    const score_options *options = s->options;
    score_options as_golds = *options;
    engine *own = s->engine;
    score_task task = *j->task;
    as_golds.dialect = engine_driver_dialect(engines->golds->driver);
    task.path = task.gold_path;
    task.path_error = task.gold_path_error;
    s->options = &as_golds;
    s->engines = &of_golds;
    s->engine = s->elsewhere;
    s->elsewhere = own;
    judging there = {.s = s, .task = &task, .e = j->e};
    there.e.options = &as_golds;
    there.e.db_error = (str){0};
    there.e.of = &there;
    run_there(&there, f);
    s->elsewhere = s->engine;
    s->engine = own;
    s->engines = engines;
    s->options = options;
    gold_set *set = &j->e.families[f];
    *set = there.e.families[f];
    result_gold *results = arena_new(j->e.a, result_gold, set->n);
    family_text *variants = arena_new(j->e.a, family_text, set->n);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        results[i] = result_gold_read(
            j->e.a, &(record_result){.rows = &set->runs[i].result});
        variants[i] =
            (family_text){.has_order = set->variants[i].has_order,
                          .returns_nothing = set->variants[i].returns_nothing};
        set->runs[i].result = results[i].read;
    }
    set->results = results;
    set->variants = variants;
}
