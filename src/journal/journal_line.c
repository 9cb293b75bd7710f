/*
 * journal_line.c - one line of a journal: a case, a prediction, the verdicts.
 *
 * Method      The record of the case first, then what was found out. Members
 *             come in a fixed order. Those of the format's first version are
 *             always written, null where nothing is known; later ones only
 *             where they have something to say, so that a run that does not use
 *             them gives the same bytes as before. Times are null unless asked
 *             for: they alone would differ from run to run.
 *
 * Cost        linear in what is written.
 */
#include "journal/journal_line.h"

#include "base/json_write.h"
#include "base/places.h"

#include <assert.h>

static json_item number_or_null(str key, ptrdiff_t n)
{
    return member_or_null(n >= 0, member_int(key, n));
}

static json_item ms(str key, int64_t ns, journal_times times)
{
    return member_or_null(times == JOURNAL_WITH_TIMES && ns > 0,
                          member_fixed(key, (double)ns / 1e6, 3));
}

// Results that stand as gold are no SQL: a comment says which ones.
static str result_names(arena *a, const record *gold)
{
    buf names = buf_new(a);
    for (ptrdiff_t i = 0; i < gold->n_results; i++) {
        str name = gold->results[i].name;
        buf_add(&names, i == 0 ? S("-- the result: ") : S(", "));
        buf_add(&names, name.len > 0 ? name : S("gold_result"));
    }
    return buf_str(&names);
}

static json_item golds(arena *a, const record *gold)
{
    return gold->n_results > 0 ? member_text(S("gold"), result_names(a, gold))
           : gold->n_golds == 1
               ? member_text(S("gold"), gold->golds[0])
               : member_texts(S("gold"), gold->golds, gold->n_golds);
}

// The files whose results stand as gold; "" for one in the record.
static void add_results(buf *b, const record *gold)
{
    json_write(b, member_open(S("gold_results"), '['));
    for (ptrdiff_t i = 0; i < gold->n_results; i++) {
        json_write(b, json_text(gold->results[i].name));
    }
    buf_char(b, ']');
}

static void add_notes(buf *b, uint64_t notes)
{
    json_write(b, member_open(S("notes"), '['));
    for (int r = NOTE_FIRST; r < REASON_COUNT; r++) {
        if (notes & NOTE_BIT(r)) {
            json_write(b, json_text(reason_word((reason)r)));
        }
    }
    buf_char(b, ']');
}

// {"select":1.0,...} and, for the means that Spider prints, which components
// each side has at all.
static void add_parts(buf *b, const verdict *v)
{
    json_write(b, member_open(S("parts"), '{'));
    for (ptrdiff_t i = 0; i < v->n_parts; i++) {
        json_write(b, member_fixed(v->parts[i].word, v->parts[i].is_right, 1));
    }
    buf_char(b, '}');
    static const str sides[] = {S_INIT("in_gold"), S_INIT("in_pred")};
    for (int side = 0; side < 2; side++) {
        json_write(b, member_open(sides[side], '['));
        for (ptrdiff_t i = 0; i < v->n_parts; i++) {
            if (side == 0 ? v->parts[i].in_gold : v->parts[i].in_pred) {
                json_write(b, json_text(v->parts[i].word));
            }
        }
        buf_char(b, ']');
    }
}

// What told the prediction from the gold: the database, where it is not the
// case's own, and both results.
static void add_evidence(buf *b, const verdict *v)
{
    const shown_result *gold = &v->results[0];
    const shown_result *pred = &v->results[1];
    json_write(b, member_text_if_any(S("database"), v->database),
               member_if(v->n_databases > 0,
                         member_int(S("killed_by"), v->n_databases)),
               member_text_if_any(S("neighbor"), v->neighbor),
               member_text_if_any(S("gold_result"), gold->rows),
               member_text_if_any(S("pred_result"), pred->rows),
               member_text_if_any(S("rows"), v->rows),
               member_if(gold->n_columns > 0,
                         member_texts(S("gold_columns"), gold->columns,
                                      gold->n_columns)),
               member_if(pred->n_columns > 0,
                         member_texts(S("pred_columns"), pred->columns,
                                      pred->n_columns)),
               member_text_if_any(S("plugged"), v->plugged));
}

static void add_columns(buf *b, const verdict *v)
{
    json_write(b, member_open(S("columns"), '['));
    for (ptrdiff_t i = 0; i < v->n_columns; i++) {
        json_write(b, json_int(v->columns[i]));
    }
    buf_char(b, ']');
}

static void add_verdict(buf *b, str key, const verdict *v)
{
    json_write(b, member_open(key, '{'), member_text(S("v"), answer_word(v->v)),
               member_if(v->reason != REASON_NONE,
                         member_text(S("reason"), reason_word(v->reason))),
               member_if(v->class != CLASS_NONE,
                         member_text(S("class"), verdict_class_word(v->class))),
               member_text_if_any(S("detail"), v->detail));
    if (v->notes) {
        add_notes(b, v->notes);
    }
    json_write(b, member_if(v->variant >= 0 && v->v == ANSWER_YES,
                            member_int(S("variant"), v->variant)));
    add_evidence(b, v);
    // Columns that match in place say nothing; a permutation is worth a word.
    if (v->v == ANSWER_YES && !places_stay(v->columns, v->n_columns)) {
        add_columns(b, v);
    }
    json_write(
        b, member_if(v->distance >= 0, member_int(S("distance"), v->distance)));
    if (v->n_parts > 0) {
        add_parts(b, v);
    }
    str score = v->distance >= 0 ? S("similarity") : S("score");
    json_write(b, member_if(v->has_score, member_double(score, v->score)),
               json_end("}"));
}

// {"join":2,...}: what the gold uses; null when it is not known.
static void add_features(buf *b, const sql_features *features)
{
    json_write(
        b, member_or_null(features->is_known, member_open(S("features"), '{')));
    for (int f = 0; features->is_known && f < FEATURE_COUNT; f++) {
        json_write(b, member_if(features->n[f] > 0,
                                member_int(sql_feature_word((sql_feature)f),
                                           features->n[f])));
    }
    json_write(b, member_if(features->is_known, json_end("}")));
}

static json_item status(str key, reason r)
{
    return member_text(key, r == REASON_NONE ? S("ok") : reason_word(r));
}

static json_item message(str key, reason r, str text)
{
    return member_if(r != REASON_NONE, member_text_if_any(key, text));
}

static void add_verdicts(buf *b, const scored_pred *judged)
{
    json_write(b, member_open(S("verdicts"), '{'));
    for (ptrdiff_t i = 0; i < judged->n_verdicts; i++) {
        add_verdict(b, judged->verdicts[i].key, &judged->verdicts[i].verdict);
    }
    buf_char(b, '}');
}

// One text: where it stands among the samples, and what became of it.
static void add_sample(buf *b,
                       const scored_case *scored,
                       const journal_samples *s,
                       ptrdiff_t first)
{
    assert(first >= 0 && first < s->samples->n);
    int32_t text = s->samples->texts[first];
    const scored_pred *judged = &scored->preds[text];
    json_write(b, json_begin('{'), member_open(S("at"), '['));
    for (ptrdiff_t i = first; i < s->samples->n; i++) {
        if (s->samples->texts[i] == text) {
            json_write(b, json_int(i));
        }
    }
    int32_t group = s->vote ? s->vote->groups[first] : -1;
    json_write(b, json_end("]"),
               member_text_or_null(S("pred"), scored->texts[text].sql),
               status(S("pred_status"), judged->status),
               message(S("pred_message"), judged->status, judged->message),
               member_if(group >= 0, member_int(S("same_as"), group)));
    add_verdicts(b, judged);
    buf_char(b, '}');
}

// "samples":[{"at":[0,2],...},...],"vote":{"sample":0,"votes":2,"of":3}
static void add_samples(buf *b,
                        const scored_case *scored,
                        const journal_samples *s)
{
    json_write(b, member_open(S("samples"), '['));
    int32_t seen = -1;  // texts are numbered as they appear
    for (ptrdiff_t i = 0; i < s->samples->n; i++) {
        if (s->samples->texts[i] > seen) {
            seen = s->samples->texts[i];
            add_sample(b, scored, s, i);
        }
    }
    buf_char(b, ']');
    if (s->vote) {
        json_write(b, member_open(S("vote"), '{'),
                   member_int(S("sample"), s->vote->chosen),
                   member_int(S("votes"), s->vote->n_votes),
                   member_int(S("of"), s->samples->n), json_end("}"));
    }
}

// What became of the queries.
static void add_outcome(buf *b,
                        const scored_case *scored,
                        const scored_pred *judged,
                        journal_times times)
{
    add_verdicts(b, judged);
    bool counts =
        scored->counts_work && (scored->gold_work > 0 || judged->work > 0);
    json_write(
        b, status(S("gold_status"), scored->gold_status),
        message(S("gold_message"), scored->gold_status, scored->gold_message),
        status(S("pred_status"), judged->status),
        message(S("pred_message"), judged->status, judged->message),
        ms(S("gold_ms"), scored->gold_ns, times),
        ms(S("pred_ms"), judged->ns, times),
        member_if(counts, member_int(S("gold_work"), scored->gold_work)),
        member_if(counts, member_int(S("pred_work"), judged->work)));
}

// What only some cases have.
static void add_more(buf *b,
                     const record *gold,
                     const record_pred *pred,
                     const scored_case *scored,
                     const scored_pred *judged,
                     const journal_samples *samples)
{
    if (gold->n_results > 0) {
        add_results(b, gold);
    }
    json_write(
        b,
        member_if(scored->hardness_is_ours && gold->hardness.len == 0,
                  member_text(S("hardness_from"), S("tree"))),
        member_texts_if_any(S("clauses"), judged->clauses, judged->n_clauses),
        member_text_if_any(S("of"), gold->of));
    if (pred) {
        told_json(b, &pred->told);
    }
    if (samples->samples->n > 1) {
        add_samples(b, scored, samples);
    }
}

static void add_hardness(buf *b, const record *gold, const scored_case *scored)
{
    json_write(b, member_text_or_null(S("hardness"), gold->hardness.len > 0
                                                         ? gold->hardness
                                                         : scored->hardness));
    add_features(b, &scored->features);
}

void journal_answer_add(buf *b,
                        const record *gold,
                        const record_pred *pred,
                        const scored_case *scored,
                        const scored_pred *judged,
                        const journal_samples *samples,
                        journal_times times)
{
    add_outcome(b, scored, judged, times);
    if (pred && pred->note.len > 0) {
        json_write(b, member_text(S("pred"), pred->sql),
                   member_text(S("pred_note"), pred->note));
    }
    add_hardness(b, gold, scored);
    add_more(b, gold, pred, scored, judged, samples);
}

void journal_line_add(buf *b,
                      str run,
                      const record *gold,
                      const record_pred *pred,
                      const scored_case *scored,
                      const scored_pred *judged,
                      const journal_samples *samples,
                      journal_times times)
{
    static const record_pred none;
    const record_pred *it = pred ? pred : &none;
    json_write(b, json_begin('{'), member_text(S("run"), run),
               member_text(S("id"), gold->id),
               member_text_or_null(S("db"), gold->db),
               member_text_or_null(S("category"), gold->category));
    add_hardness(b, gold, scored);
    json_write(b, member_text_or_null(S("question"), gold->question),
               golds(b->a, gold), member_text_or_null(S("pred"), it->sql),
               member_text_if_any(S("pred_note"), it->note));
    add_outcome(b, scored, judged, times);
    json_write(b, number_or_null(S("interaction"), gold->interaction),
               number_or_null(S("turn"), gold->turn),
               member_int(S("line"), gold->line));
    add_more(b, gold, pred, scored, judged, samples);
    buf_add(b, S("}\n"));
}
