// leniency.c - the table of leniencies, and profiles of them.
#include "metric/leniency.h"

#include "base/words.h"

typedef enum wish {
    ACCEPT,
    ASK,
    REJECT,
} wish;

static const struct {
    str word;
    wish of_norm[NORM_COUNT];
    people_counts people;
} leniencies[] = {
#define LENIENCY(constant, word, data, intent, yes, no, text) \
    {S_INIT(word), {data, intent}, {yes, no}},
#include "metric/leniency.def"
#undef LENIENCY
};

static const str wishes[] = {
    [ACCEPT] = S_INIT("accept"),
    [ASK] = S_INIT("ask"),
    [REJECT] = S_INIT("reject"),
};

static const struct {
    str word;
} norms[] = {
    [NORM_DATA] = {S_INIT("data")},
    [NORM_INTENT] = {S_INIT("intent")},
};

WORDS_OF(norm, norm, norms)

WORDS_OF(leniency, leniency, leniencies)

people_counts leniency_people(leniency l)
{
    return leniencies[l].people;
}

static void set(pragmatic_profile *p, int l, wish w)
{
    uint32_t bit = 1U << l;
    p->accepts = w == ACCEPT ? p->accepts | bit : p->accepts & ~bit;
    p->asks = w == ASK ? p->asks | bit : p->asks & ~bit;
}

pragmatic_profile pragmatic_profile_of(norm n)
{
    pragmatic_profile p = {.norm = n};
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        set(&p, l, leniencies[l].of_norm[n]);
    }
    return p;
}

static bool read_line(pragmatic_profile *p, str line, diag_place place, diag *d)
{
    str said = line;
    str word = str_trim(str_cut(&said, ':'));
    said = str_trim(said);
    norm n = NORM_DATA;
    if (str_equal(word, S("norm")) && norm_from_word(said, &n)) {
        *p = pragmatic_profile_of(n);
        return true;
    }
    ptrdiff_t w = words_find(wishes, countof(wishes), sizeof(str), said);
    if (w < 0) {
        return diag_add(d, place,
                        "expected 'LENIENCY: accept', 'LENIENCY: reject', "
                        "'LENIENCY: ask', 'norm: data' or 'norm: intent'");
    }
    leniency l = LENIENCY_COUNT;
    if (!leniency_from_word(word, &l)) {
        return diag_add(d, place, "no leniency '%.*s'", STR_ARG(word));
    }
    set(p, (int)l, (wish)w);
    return true;
}

bool pragmatic_profile_read(pragmatic_profile *p, str file, str text, diag *d)
{
    diag_place place = {.file = file};
    bool ok = true;
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        line = str_trim(str_cut(&line, '#'));
        place.line++;
        ok = (line.len == 0 || read_line(p, line, place, d)) && ok;
    }
    return ok;
}
