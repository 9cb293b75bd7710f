// api_said.c - see api_said.h.
#include "api_said.h"

#include <math.h>

void *api_said_new(size_t bytes, api_fill *fill, const api_line *from)
{
    size_t n = (size_t)from->c.verdicts.len;
    return api_answer(bytes + n * sizeof(api_verdict), fill, from);
}

void api_said_fill(api_said *to, void *end, api_texts *t, const api_line *from)
{
    static const assay_answer answers[] = {
        [ANSWER_UNKNOWN] = ASSAY_UNKNOWN,
        [ANSWER_NO] = ASSAY_NO,
        [ANSWER_YES] = ASSAY_YES,
    };
    to->json = api_keep(t, from->text);
    to->verdicts = end;
    to->n = (size_t)from->c.verdicts.len;
    for (int i = 0; i < LINE_TEXTS; i++) {
        to->texts[i] = api_keep(t, case_line_text(&from->c, line_text_word(i)));
    }
    for (size_t i = 0; i < to->n; i++) {
        const line_verdict *v = &from->c.verdicts.ptr[i];
        to->verdicts[i] = (api_verdict){
            .key = api_keep(t, v->key),
            .answer = answers[v->v],
            .reason = api_keep(t, v->reason),
            .detail = api_keep(t, v->detail),
            .score = isnan(v->score) ? v->v == ANSWER_YES : v->score,
        };
    }
}

assay_str api_said_text(const api_said *s, str name)
{
    for (int i = 0; s && i < LINE_TEXTS; i++) {
        if (str_equal(line_text_word(i), name)) {
            return s->texts[i];
        }
    }
    return (assay_str){0};
}

const api_verdict *api_said_verdict(const api_said *s, const char *key)
{
    static const api_verdict none;
    for (size_t i = 0; s && key && i < s->n; i++) {
        if (str_equal(api_str(s->verdicts[i].key), str_from(key))) {
            return &s->verdicts[i];
        }
    }
    return &none;
}
