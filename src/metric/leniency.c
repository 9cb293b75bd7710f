// leniency.c - the table of leniencies, and profiles of them.
#include "metric/leniency.h"

static const struct {
    str word;
    bool is_accepted;
} leniencies[] = {
#define ACCEPT                               true
#define REJECT                               false
#define LENIENCY(constant, word, wish, text) {S_INIT(word), wish},
#include "metric/leniency.def"
#undef LENIENCY
#undef ACCEPT
#undef REJECT
};

str leniency_word(leniency l)
{
    return leniencies[l].word;
}

pragmatic_profile pragmatic_profile_default(void)
{
    pragmatic_profile p = {0};
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        p.accepts |= leniencies[l].is_accepted ? 1U << l : 0;
    }
    return p;
}

static bool read_line(pragmatic_profile *p, str line, diag_place place, diag *d)
{
    str wish = line;
    str word = str_trim(str_cut(&wish, ':'));
    wish = str_trim(wish);
    bool accepts = str_equal(wish, S("accept"));
    bool asks = str_equal(wish, S("ask"));
    if (!accepts && !asks && !str_equal(wish, S("reject"))) {
        return diag_add(d, place,
                        "expected 'LENIENCY: accept', 'LENIENCY: reject' or "
                        "'LENIENCY: ask'");
    }
    for (int l = 0; l < LENIENCY_COUNT; l++) {
        if (str_equal(word, leniencies[l].word)) {
            uint32_t bit = 1U << l;
            p->accepts = accepts ? p->accepts | bit : p->accepts & ~bit;
            p->asks = asks ? p->asks | bit : p->asks & ~bit;
            return true;
        }
    }
    return diag_add(d, place, "no leniency '%.*s'", STR_ARG(word));
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
