/*
 * request_run.c - see request_run.h.
 *
 * Method      A worker opens what the widest request needs; which options count
 *             is the request's matter: a pair, one sample or several.
 */
#include "job/request_run.h"

#include "job/request_worker.h"

#include <time.h>

static bool serve(const run_options *o,
                  const plan *p,
                  request_queue *q,
                  request_outcome *out,
                  arena *a,
                  diag *d,
                  arena scratch)
{
    score_options several = o->score;
    if (several.n_pass_at == 0) {
        several.pass_at = &run_one_sample;
        several.n_pass_at = 1;
    }
    score_options pair = o->score;
    pair.metrics = metrics_needing(NEEDS_CHECKER);  // equiv
    pair.n_pass_at = 0;
    pair.golds_are_queries = true;
    score_options widest = o->score;
    widest.metrics |= pair.metrics;
    const request_context context = {
        .single = {.plan = p,
                   .options = &o->score,
                   .engines = &o->engines,
                   .times = o->times},
        .several = {.plan = p,
                    .options = &several,
                    .engines = &o->engines,
                    .times = o->times},
        .pair = {.plan = p,
                 .options = &pair,
                 .engines = &o->engines,
                 .times = o->times},
        .widest = {.plan = p,
                   .options = &widest,
                   .engines = &o->engines,
                   .times = o->times},
        .names = o->plan.names,
    };
    const supervisor_job job =
        run_job(o, (supervisor_job){.call = request_worker_call(&context),
                                    .stream = &request_queue_stream,
                                    .context = q,
                                    .is_sound = request_queue_is_sound,
                                    .take = request_queue_take,
                                    .died = request_queue_died});
    out->end = supervisor_run(&job, NULL, d, a, scratch);
    out->was_stopped = request_queue_was_stopped(q);
    out->is_broken = request_queue_is_broken(q);
    return out->end != SUPERVISOR_FAILED;
}

bool request_run(run_options *options,
                 request_queue_options way,
                 request_outcome *out,
                 arena *a,
                 diag *d,
                 arena scratch)
{
    *out = (request_outcome){0};
    if (!options->has_clock) {
        options->engines.own.clock_ms = (int64_t)time(NULL) * 1000;
    }
    plan p;
    bool ok = plan_open_worlds(&p, a, &options->plan, d, scratch);
    if (ok) {
        run_set_source(options, &p);
        way.n_workers = options->jobs;
        request_queue *q = request_queue_open(way, a);
        ok = q ? serve(options, &p, q, out, a, d, scratch)
               : diag_add(d, (diag_place){0},
                          "no address space (see `ulimit -v`) for requests");
        if (q) {
            request_queue_close(q);
        }
    }
    plan_close(&p);
    return ok;
}
