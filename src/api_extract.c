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

static void fill(void *answer, api_texts *t, const void *from)
{
    const str *texts = from;
    *(assay_extraction *)answer =
        (assay_extraction){api_keep(t, texts[0]), api_keep(t, texts[1])};
}

static void *extract(api_work *w)
{
    const str *answer = w->asked;
    str texts[2] = {0};
    texts[0] = extract_sql(&w->memory[0], *answer, &texts[1]);
    return api_answer(sizeof(assay_extraction), fill, texts);
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
    str text = api_str(answer);
    api_work w = {.asked = &text, .err = err};
    *out = api_once(&w, extract, LEAST_BYTES + TIMES_ANSWER * text.len);
    return w.status;
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
