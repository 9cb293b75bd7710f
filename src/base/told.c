// told.c - see told.h.
#include "base/told.h"

#include "base/json_write.h"

#include <assert.h>
#include <math.h>

static const double MOST_WHOLE = 1e15;
static const double MOST = 1e12;  // sums of millions stay whole numbers

str told_word(told_kind k)
{
    static const str words[TOLD_COUNT] = {
        [TOLD_TOKENS_IN] = S_INIT("tokens_in"),
        [TOLD_TOKENS_OUT] = S_INIT("tokens_out"),
        [TOLD_COST] = S_INIT("cost"),
        [TOLD_LATENCY_MS] = S_INIT("latency_ms"),
        [TOLD_CONFIDENCE] = S_INIT("confidence"),
    };
    assert(k < TOLD_COUNT);
    return words[k];
}

bool told_is_sound(told_kind k, double is)
{
    return k == TOLD_CONFIDENCE ? isfinite(is) : is >= 0 && is <= MOST;
}

// What one of them does not tell is not known of all.
void told_add(answer_told *sum, const answer_told *more)
{
    for (int k = TOLD_TOKENS_IN; k <= TOLD_COST; k++) {
        sum->at[k] += more->at[k];
        sum->has &= more->has | ~(1U << k);
    }
}

void told_json(buf *out, const answer_told *t)
{
    for (int k = 0; k < TOLD_COUNT; k++) {
        double is = t->at[k];
        bool is_whole = is == floor(is) && fabs(is) < MOST_WHOLE;
        if (told_has(t, (told_kind)k) && is_whole) {
            json_write(out, member_int(told_word((told_kind)k), (int64_t)is));
        } else if (told_has(t, (told_kind)k)) {
            json_write(out, member_double(told_word((told_kind)k), is));
        }
    }
}
