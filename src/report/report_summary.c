/*
 * report_summary.c - the totals as JSON (--summary).
 *
 * {"runs":[{"run":...,"cases":...,"gold_ok":...,"gold_status":{...},
 *   "gold_failed":[id,...],"gold_unstable":[id,...],"unanswerable":...,
 *   "abstained":...,"without_gold":...,"pred_status":{...},
 *   "metrics":{"exec":{"cases":...,"yes":...,"no":...,"unknown":...,
 *   "percent":...,"decides":...,"percent_of_decided":...,"low":...,"high":...,
 *   "mean":...,"mean_low":...,"mean_high":...,"distance":...,"both_empty":...,
 *   "abstain":{...},"told":{...},"confidence":{...},"reasons":{...},
 *   "by_hardness":{"easy":{...}},"by_category":{...},"by_db":{...},
 *   "by_feature":{"join":{...}},"by_join":{"0":{...}}}}}],
 *  "shard":"3/7","wall_s":...}
 *
 * percent, low and high are of 100, with two decimals; mean (metrics with a
 * score) is of 1, distance (edit) is a sum. Members that do not apply are left
 * out.
 */
#include "base/json_write.h"
#include "report/report.h"
#include "report/report_bill.h"
#include "report/wilson.h"

static json_item percent(str key, double percent)
{
    return member_fixed(key, percent, 2);
}

// The members that a metric and each of its groups have in common.
static void add_numbers(buf *b, const tally_count *c, bool has_score)
{
    double yes = (double)c->answers[ANSWER_YES];
    interval i = wilson_interval(yes, tally_total(c));
    interval of_mean = wilson_interval(c->score, tally_total(c));
    json_write(
        b, member_int(S("cases"), tally_total(c)),
        member_int(S("yes"), c->answers[ANSWER_YES]),
        member_int(S("no"), c->answers[ANSWER_NO]),
        member_int(S("unknown"), c->answers[ANSWER_UNKNOWN]),
        percent(S("percent"), tally_percent(c)), percent(S("low"), i.low * 100),
        percent(S("high"), i.high * 100),
        member_if(has_score, member_fixed(S("mean"), tally_mean(c), 4)),
        member_if(has_score, member_fixed(S("mean_low"), of_mean.low, 4)),
        member_if(has_score, member_fixed(S("mean_high"), of_mean.high, 4)));
}

static void add_words(buf *b,
                      const tally *t,
                      str key,
                      const tally_numbers *numbers)
{
    json_write(b, member_open(key, '{'));
    for (ptrdiff_t word = 0; word < numbers->len; word++) {
        json_write(b, member_if(numbers->ptr[word] > 0,
                                member_int(map_key_at(&t->words, word),
                                           numbers->ptr[word])));
    }
    buf_char(b, '}');
}

static void add_groups(buf *b,
                       const tally *t,
                       const tally_metric *m,
                       tally_by by,
                       arena scratch)
{
    static const char *const keys[] = {
        [TALLY_BY_DB] = "by_db",
        [TALLY_BY_CATEGORY] = "by_category",
        [TALLY_BY_HARDNESS] = "by_hardness",
        [TALLY_BY_FEATURE] = "by_feature",
        [TALLY_BY_NUMBER] = "by_",  // and the feature's name
    };
    _Static_assert(countof(keys) == TALLY_BY_COUNT, "a key for each grouping");
    if (m->by[by].len == 0) {
        return;
    }
    const int32_t *order = report_group_order(t, by, &scratch);
    str key = str_from(keys[by]);
    json_key(b, by == TALLY_BY_NUMBER ? arena_printf(
                    &scratch, "%.*s%.*s", STR_ARG(key), STR_ARG(t->feature))
                                      : key);
    buf_char(b, '{');
    for (ptrdiff_t i = 0; i < map_count(&t->groups[by]); i++) {
        tally_count count = tally_count_at(&m->by[by], order[i]);
        if (tally_total(&count) > 0) {
            json_write(b,
                       member_open(map_key_at(&t->groups[by], order[i]), '{'));
            add_numbers(b, &count, m->has_score);
            buf_char(b, '}');
        }
    }
    buf_char(b, '}');
}

static void add_metric(buf *b,
                       const tally *t,
                       ptrdiff_t run,
                       ptrdiff_t metric,
                       arena scratch)
{
    const tally_metric *m = tally_metric_at(t, run, metric);
    const bill_answers *answers = &t->by_run.ptr[run].answers;
    bill cost = bill_of(answers, metric, scratch);
    buf_char(b, '{');
    add_numbers(b, &m->all, m->has_score);
    bool is_open = m->all.answers[ANSWER_UNKNOWN] > 0;
    json_write(
        b, member_if(is_open, percent(S("decides"), tally_decides(&m->all))),
        member_if(is_open,
                  percent(S("percent_of_decided"), tally_of_decided(&m->all))),
        member_if(m->has_distance, member_int(S("distance"), m->distance)),
        member_if(m->n_both_empty > 0,
                  member_int(S("both_empty"), m->n_both_empty)));
    abstained_json(b, &m->abstained);
    bill_json(b, &cost);
    sureness sure = bill_sureness(answers, metric, &scratch);
    sureness_json(b, &sure);
    add_words(b, t, S("reasons"), &m->reasons[ANSWER_NO]);
    if (m->reasons[ANSWER_UNKNOWN].len > 0) {
        add_words(b, t, S("unknown_reasons"), &m->reasons[ANSWER_UNKNOWN]);
    }
    static const tally_by groups[] = {TALLY_BY_HARDNESS, TALLY_BY_CATEGORY,
                                      TALLY_BY_DB, TALLY_BY_FEATURE,
                                      TALLY_BY_NUMBER};
    for (ptrdiff_t i = 0; i < countof(groups); i++) {
        add_groups(b, t, m, groups[i], scratch);
    }
    buf_char(b, '}');
}

static void add_run(buf *b, const tally *t, ptrdiff_t run, arena scratch)
{
    const tally_run *r = &t->by_run.ptr[run];
    json_write(b, json_begin('{'),
               member_text(S("run"), map_key_at(&t->runs, run)),
               member_int(S("cases"), r->n_cases),
               member_int(S("gold_ok"), tally_gold_ok(t, run)));
    add_words(b, t, S("gold_status"), &r->gold_status);
    bool has_no_answer = r->n_unanswerable > 0;
    json_write(
        b,
        member_texts_if_any(S("gold_failed"), r->gold_failed.ptr,
                            r->gold_failed.len),
        member_texts_if_any(S("gold_unstable"), r->gold_unstable.ptr,
                            r->gold_unstable.len),
        member_if(has_no_answer,
                  member_int(S("unanswerable"), r->n_unanswerable)),
        member_if(has_no_answer, member_int(S("abstained"), r->n_abstained)),
        member_if(r->n_without_gold > 0,
                  member_int(S("without_gold"), r->n_without_gold)));
    add_words(b, t, S("pred_status"), &r->pred_status);
    json_write(b, member_open(S("metrics"), '{'));
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        if (tally_metric_at(t, run, m)) {
            json_key(b, map_key_at(&t->metrics, m));
            add_metric(b, t, run, m, scratch);
        }
    }
    buf_add(b, S("}}"));
}

void report_summary(buf *out,
                    const tally *t,
                    str shard,
                    double wall_s,
                    arena scratch)
{
    json_write(out, json_begin('{'), member_open(S("runs"), '['));
    for (ptrdiff_t run = 0; run < map_count(&t->runs); run++) {
        add_run(out, t, run, scratch);
    }
    json_write(out, json_end("]"), member_text_if_any(S("shard"), shard),
               member_fixed(S("wall_s"), wall_s, 3), json_end("}\n"));
}
