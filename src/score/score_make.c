/*
 * score_make.c - what statements leave behind, and how long queries take.
 *
 * Method      The gold's statements run once a case, each prediction's once,
 *             all on copies (engine/script.h). Right predictions are timed in
 *             turn with their gold, as often as --ves-runs says.
 *
 * Source      BIRD-CRITIC, LiveSQLBench; definitions/state.md; of times BIRD,
 *             definitions/bird.md#valid-efficiency-score
 */
#include "score/score_make.h"

#include "engine/script.h"
#include "metric/metric_ves.h"
#include "score/score_run.h"

#include <math.h>

// What runs first on both copies, and then the texts.
static const script_outcome *run_script(judging *j,
                                        const str *texts,
                                        ptrdiff_t n,
                                        int32_t pred_no)
{
    const record *gold = j->task->gold;
    const script s = {gold->before, gold->n_before, texts, n};
    script_outcome *out = arena_new(j->e.a, script_outcome, 1);
    const watch_death *death = score_death_of(j->task, pred_no);
    if (death) {
        out->run.status = death->status;
        return out;
    }
    watch_outer outer = watch_begin(j->s->watch, pred_no, WATCH_QUERY);
    engine_set_work(j->s->engine, j->e.most_work);
    *out = engine_run_script(j->db, &s, j->e.a);
    watch_end(j->s->watch, outer);
    return out;
}

void score_make_gold_script(judging *j)
{
    const record *gold = j->task->gold;
    if (j->db) {
        j->e.most_work = j->s->options->most_work;
        j->e.gold_script =
            run_script(j, gold->golds, gold->n_golds, WATCH_GOLD);
    }
}

void score_make_script(judging *j)
{
    const script_outcome *gold = j->e.gold_script;
    if (gold && gold->run.status == REASON_NONE && j->e.pred->sql.len > 0) {
        score_limit_work(j, gold->run.work);
        j->e.script = run_script(j, &j->e.pred->sql, 1, j->e.pred_no);
    }
}

// Without the ratios at three standard deviations from the mean or further.
// Where all are equal none is left and the mean is 0, as in BIRD's program.
static double clipped_mean(const double *ratios, int64_t n)
{
    double mean = 0;
    double square = 0;
    for (int64_t i = 0; i < n; i++) {
        mean += ratios[i] / (double)n;
        square += ratios[i] * ratios[i] / (double)n;
    }
    double spread = sqrt(fmax(square - mean * mean, 0));
    double sum = 0;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        if (fabs(ratios[i] - mean) < 3 * spread) {
            sum += ratios[i];
            kept++;
        }
    }
    return kept > 0 ? sum / (double)kept : 0;
}

void score_make_times(judging *j)
{
    evidence *e = &j->e;
    int64_t n = e->options->ves_runs;
    family_id f;
    verdict v = n > 0 ? ves_of_rows(e, &f) : (verdict){0};
    if (n == 0 || v.v != ANSWER_YES) {
        return;
    }
    double *ratios = arena_new(e->a, double, n);
    e->times = (time_ratio){0};
    for (int64_t i = 0; i < n; i++) {
        arena kept = *e->a;
        execution pred = score_run_once(j, e->pred->sql, e->pred_no);
        execution gold = score_run_once(
            j, e->families[f].variants[v.variant].sql, WATCH_GOLD);
        *e->a = kept;
        if (pred.status != REASON_NONE || gold.status != REASON_NONE) {
            e->times.failed = pred.status ? pred.status : gold.status;
            return;
        }
        ratios[i] = (double)gold.ns / fmax((double)pred.ns, 1);
    }
    e->times.ratio = clipped_mean(ratios, n);
}
