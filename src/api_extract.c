/*
 * api_extract.c - assay_extract() and what belongs to it: include/assay/assay.h
 * on top of src/read.
 */
#include "api_call.h"
#include "base/arena.h"
#include "read/extract.h"

#include <stdlib.h>

// Address space, of which little is used.
static const ptrdiff_t LEAST_BYTES = (ptrdiff_t)64 << 20;
enum {
    TIMES_ANSWER = 16,
};
static const size_t MOST_ANSWER = (size_t)1 << 30;

struct assay_extraction {
    assay_str sql;
    assay_str note;
};

typedef struct extract_call {
    arena_store store;
    str answer;
    assay_extraction *out;  // NULL: no memory
} extract_call;

static void extract(void *context)
{
    extract_call *call = context;
    arena a = arena_store_clear(&call->store);
    str note = {0};
    str sql = extract_sql(&a, call->answer, &note);
    size_t bytes = (size_t)(sql.len + note.len);
    call->out = calloc(1, sizeof *call->out + bytes);
    if (call->out) {
        char *end = (char *)(call->out + 1);
        call->out->sql = api_keep(&end, sql);
        call->out->note = api_keep(&end, note);
    }
}

assay_status assay_extract(assay_extraction **out,
                           assay_str answer,
                           assay_error *err)
{
    if (!out) {
        return api_fail(err, ASSAY_ERR_USAGE, S("out must not be NULL"));
    }
    *out = NULL;
    if (answer.len > MOST_ANSWER) {
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("an answer is longer than 1 GiB"));
    }
    extract_call call = {.answer = api_str(answer)};
    ptrdiff_t bytes = LEAST_BYTES + TIMES_ANSWER * call.answer.len;
    bool ok = arena_store_open(&call.store, bytes) && api_call(extract, &call);
    arena_store_close(&call.store);
    *out = call.out;
    return ok && call.out ? ASSAY_OK
                          : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
}

void assay_extraction_free(assay_extraction *e)
{
    free(e);
}

assay_str assay_extraction_sql(const assay_extraction *e)
{
    return e->sql;
}

assay_str assay_extraction_note(const assay_extraction *e)
{
    return e->note;
}
