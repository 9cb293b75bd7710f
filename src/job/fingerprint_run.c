/*
 * fingerprint_run.c - see fingerprint_run.h.
 *
 * Method      One isolated call, without a limit of time: a look at all tables
 *             may take as long as it likes.
 */
#include "job/fingerprint_run.h"

#include "job/message.h"
#include "plan/rights.h"
#include "process/supervisor.h"

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)4 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

// A number a database, and what is to be said.
typedef struct print_answer {
    codec_list prints;
    codec_list said;
} print_answer;

const codec_shape message_fingerprints =
    CODEC_SHAPE(print_answer,
                CODEC_LIST_IN(print_answer, prints, &codec_number),
                CODEC_LIST_IN(print_answer, said, &message_one_said));

static void serve(worker *port, const work_request *r, void *reply)
{
    (void)r;
    const plan *p = port->call->context;
    print_answer *out = reply;
    arena *a = &port->memory[0];
    diag d = diag_new(a);
    uint64_t *prints = plan_fingerprints(p, a, &d, port->memory[1]);
    out->prints = (codec_list){prints, p->n_dbs + 1};
    out->said = message_said(&d, a);
}

const uint64_t *fingerprint_run(const plan *p, arena *a, diag *d, arena scratch)
{
    if (!engine_driver_is_server(p->source.driver)) {
        return plan_fingerprints(p, a, d, scratch);
    }
    const worker_call call = {.context = p,
                              .answer = &message_fingerprints,
                              .rights = rights_at(&p->source),
                              .n_arenas = 2,
                              .arena_bytes = STORE_BYTES,
                              .serve = serve};
    print_answer reply = {0};
    work_death death;
    bool ok = isolate(&call, (isolate_limits){.bytes = WORKER_BYTES}, &reply,
                      &death, a, d, scratch)
              && reply.prints.n == p->n_dbs + 1;
    if (!ok && death.why != REASON_NONE) {
        diag_add(d, (diag_place){0},
                 "--verify-unchanged: the process that looked at the tables %s",
                 death.why == REASON_MEMORY ? "took too much memory" : "died");
    }
    message_take_said(d, reply.said, a);
    return ok ? reply.prints.ptr : arena_new(a, uint64_t, p->n_dbs + 1);
}
