// front_reply.c - what clients get that is not a verdict: refusals, figures,
// the version.
#include "base/clock.h"
#include "base/version.h"
#include "serve/front_internal.h"

enum MHD_Result front_reply(front_request *r,
                            unsigned status,
                            const char *type,
                            struct MHD_Response *response)
{
    front *f = r->f;
    if (!response) {
        return MHD_NO;
    }
    f->mhd.add_response_header(response, "Content-Type", type);
    f->mhd.add_response_header(response, "Cache-Control", "no-store");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE
        || status == MHD_HTTP_TOO_MANY_REQUESTS) {
        f->mhd.add_response_header(response, "Retry-After", "1");
    }
    if (status == MHD_HTTP_UNAUTHORIZED) {
        f->mhd.add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        f->mhd.add_response_header(response, "Allow", endpoint_method(r->what));
    }
    if (f->is_stopping || f->is_lost) {
        f->mhd.add_response_header(response, "Connection", "close");
    }
    enum MHD_Result done =
        f->mhd.queue_response(r->connection, status, response);
    f->mhd.destroy_response(response);
    return done;
}

enum MHD_Result front_reply_text(front_request *r,
                                 unsigned status,
                                 const char *type,
                                 str text)
{
    // The library copies it, and takes it for one that it may change.
    struct MHD_Response *response = r->f->mhd.create_response_from_buffer(
        (size_t)text.len, (void *)(uintptr_t)text.ptr, MHD_RESPMEM_MUST_COPY);
    return front_reply(r, status, type, response);
}

enum MHD_Result front_refuse(front_request *r, front_refusal refusal)
{
    arena a = arena_on_stack(200);
    r->f->n_refused++;
    str line = arena_printf(&a, "{\"error\":\"%s\"}\n", refusal.why);
    return front_reply_text(r, refusal.status, "application/json", line);
}

enum MHD_Result front_reply_metrics(front_request *r)
{
    const front *f = r->f;
    const exchange *x = f->options->lines;
    const struct {
        const char *name;
        const char *kind;
        double value;
    } figures[] = {
        {"requests_total", "counter", (double)f->n_calls},
        {"refused_total", "counter", (double)f->n_refused},
        {"clients_gone_total", "counter", (double)f->n_gone},
        {"lines_total", "counter", (double)f->n_lines},
        {"answers_total", "counter", (double)f->n_answers},
        {"errors_total", "counter", (double)f->n_errors},
        {"queue_length", "gauge", (double)exchange_n_waiting(x)},
        {"in_flight", "gauge", (double)exchange_n_flight(x)},
        {"uptime_seconds", "gauge", (double)(clock_ns() - f->began_ns) / 1e9},
    };
    arena a = arena_on_stack(2048);
    buf b = buf_new(&a);
    for (ptrdiff_t i = 0; i < countof(figures); i++) {
        buf_printf(&b, "# TYPE assay_%s %s\nassay_%s %.15g\n", figures[i].name,
                   figures[i].kind, figures[i].name, figures[i].value);
    }
    return front_reply_text(r, MHD_HTTP_OK, "text/plain; version=0.0.4",
                            buf_str(&b));
}

enum MHD_Result front_reply_version(front_request *r)
{
    arena a = arena_on_stack(200);
    str line =
        arena_printf(&a, "{\"assay\":\"%.*s\"}\n", STR_ARG(version_text()));
    return front_reply_text(r, MHD_HTTP_OK, endpoint_type(r->what), line);
}
