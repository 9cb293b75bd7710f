// isolate.c - a job of one item: one call, its answer or its death.
#include "process/supervisor.h"

typedef struct isolated {
    const codec_shape *shape;
    void *answer;
    bool is_answered;
    work_death *death;
    arena *a;
} isolated;

static bool take(void *context, int32_t item, const void *reply)
{
    isolated *i = context;
    (void)item;
    codec_copy(i->shape, reply, i->answer, i->a);
    i->is_answered = true;
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    isolated *i = context;
    (void)r;
    *i->death = *death;
    return false;
}

bool isolate(const worker_call *call,
             isolate_limits limits,
             void *reply,
             work_death *death,
             arena *a,
             diag *d,
             arena scratch)
{
    isolated i = {
        .shape = call->answer, .answer = reply, .death = death, .a = a};
    const supervisor_job one = {
        .call = *call,
        .context = &i,
        .n_items = 1,
        .n_workers = 1,
        .item_ms = limits.ms,
        .most_bytes = limits.bytes,
        .take = take,
        .died = died,
    };
    arena lasting = arena_half(&scratch);
    *death = (work_death){0};
    if (supervisor_run(&one, NULL, d, &lasting, scratch)
        == SUPERVISOR_INTERRUPTED) {
        diag_add(d, (diag_place){0}, "interrupted");
        return false;
    }
    return i.is_answered;
}
