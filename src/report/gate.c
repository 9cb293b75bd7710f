/*
 * gate.c - floors for the percentages (--fail-under).
 *
 * Invariants  (1) A percentage equal to the floor passes: both sides are the
 *                 doubles nearest to their exact values, so 707 of 1000
 *                 against 70.7 compares equal.
 */
#include "report/gate.h"

#include "base/words.h"

#include <math.h>

static bool parse_percent(str text, double *out)
{
    str number = str_trim(text);
    if (str_ends(number, S("%"))) {
        number = str_trim(str_sub(number, 0, number.len - 1));
    }
    return str_to_double(number, out) && isfinite(*out) && *out >= 0
           && *out <= 100;
}

// 0.75 where 75 is meant would let everything pass.
static bool is_share(str text, double percent)
{
    return percent > 0 && percent <= 1 && !str_ends(str_trim(text), S("%"));
}

static bool unknown_metric(str metric,
                           const str *metrics,
                           ptrdiff_t n,
                           diag *d,
                           arena scratch)
{
    str nearest = diag_nearest(metric, metrics, n, scratch);
    if (nearest.len > 0) {
        return diag_add(d, (diag_place){0},
                        "option '--fail-under' names '%.*s', which is not "
                        "scored; did you mean '%.*s'?",
                        STR_ARG(metric), STR_ARG(nearest));
    }
    buf known = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_list(&known, metrics[i]);
    }
    return diag_add(d, (diag_place){0},
                    "option '--fail-under' names '%.*s', which is not scored "
                    "(--metrics); these are: %.*s",
                    STR_ARG(metric), STR_ARG(buf_str(&known)));
}

bool gate_parse(gate *g,
                str text,
                const str *metrics,
                ptrdiff_t n,
                diag *d,
                arena scratch)
{
    str rest = text;
    *g = (gate){.metric = str_trim(str_cut(&rest, '='))};
    if (g->metric.len == 0 || !parse_percent(rest, &g->percent)) {
        return diag_add(d, (diag_place){0},
                        "option '--fail-under' needs METRIC=PERCENT, with a "
                        "percentage from 0 to 100, as in exec=75; found '%.*s'",
                        STR_ARG(text));
    }
    if (is_share(rest, g->percent)) {
        return diag_add(d, (diag_place){0},
                        "option '--fail-under' takes percent, from 0 to 100: "
                        "'%.*s' is at most one of a hundred; write %g, or %g%% "
                        "if you mean that little",
                        STR_ARG(text), 100 * g->percent, g->percent);
    }
    return words_in(metrics, n, g->metric) >= 0
           || unknown_metric(g->metric, metrics, n, d, scratch);
}

// Enough decimals to see the difference.
static int decimals(double value, double floor)
{
    double apart = floor - value;
    return apart >= 0.1 ? 1 : apart >= 0.01 ? 2 : 4;
}

// Nothing passes a gate on unknown verdicts alone.
static bool is_undecided(const tally_count *c)
{
    return c->answers[ANSWER_YES] + c->answers[ANSWER_NO] == 0;
}

bool gate_check(const gate *g, const tally *t, diag *d)
{
    bool passes = true;
    ptrdiff_t metric = map_find(&t->metrics, g->metric);
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        const tally_metric *m = tally_metric_at(t, run, metric);
        double value = m ? tally_value(m, &m->all) : 0;
        str name = map_key_at(&t->runs, run);
        bool is_only = map_count(&t->runs) == 1;
        if (m && is_undecided(&m->all)) {
            passes = diag_add(
                d, (diag_place){0},
                "%.*s%s%.*s decided nothing: all %lld verdicts are "
                "unknown",
                STR_ARG(g->metric), is_only ? "" : " of ",
                is_only ? 0 : (int)name.len, name.len > 0 ? name.ptr : "",
                (long long)tally_total(&m->all));
            continue;
        }
        if (value >= g->percent) {
            continue;
        }
        passes =
            diag_add(d, (diag_place){0}, "%.*s%s%.*s is %.*f %%, below %.*f %%",
                     STR_ARG(g->metric), is_only ? "" : " of ",
                     is_only ? 0 : (int)name.len, name.len > 0 ? name.ptr : "",
                     decimals(value, g->percent), value,
                     decimals(value, g->percent), g->percent);
    }
    return passes;
}
