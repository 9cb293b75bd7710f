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

#include "base/json.h"

#include <assert.h>

static void add_number_or_null(buf *b, str key, ptrdiff_t n)
{
    json_key(b, key);
    if (n >= 0) {
        buf_int(b, n);
    } else {
        buf_add(b, S("null"));
    }
}

static void add_ms(buf *b, str key, int64_t ns, journal_times times)
{
    json_key(b, key);
    if (times == JOURNAL_WITH_TIMES && ns > 0) {
        buf_printf(b, "%.3f", (double)ns / 1e6);
    } else {
        buf_add(b, S("null"));
    }
}

// Results that stand as gold are no SQL: a comment says which ones.
static void add_result_names(buf *b, const record *gold)
{
    buf names = buf_new(b->a);
    for (ptrdiff_t i = 0; i < gold->n_results; i++) {
        str name = gold->results[i].name;
        buf_add(&names, i == 0 ? S("-- the result: ") : S(", "));
        buf_add(&names, name.len > 0 ? name : S("gold_result"));
    }
    str text = arena_str(b->a, buf_str(&names));
    json_add_text(b, text);
}

static void add_golds(buf *b, const record *gold)
{
    json_key(b, S("gold"));
    if (gold->n_results > 0) {
        add_result_names(b, gold);
        return;
    }
    if (gold->n_golds == 1) {
        json_add_text(b, gold->golds[0]);
        return;
    }
    json_add_texts(b, gold->golds, gold->n_golds);
}

// The files whose results stand as gold; "" for one in the record.
static void add_results(buf *b, const record *gold)
{
    json_member_open(b, S("gold_results"), '[');
    for (ptrdiff_t i = 0; i < gold->n_results; i++) {
        json_next(b);
        json_add_text(b, gold->results[i].name);
    }
    buf_char(b, ']');
}

static void add_notes(buf *b, uint64_t notes)
{
    json_member_open(b, S("notes"), '[');
    for (int r = NOTE_FIRST; r < REASON_COUNT; r++) {
        if (notes & NOTE_BIT(r)) {
            json_next(b);
            json_add_text(b, reason_word((reason)r));
        }
    }
    buf_char(b, ']');
}

// Columns that match in place say nothing; only a permutation is worth a word.
static bool is_permuted(const verdict *v)
{
    for (ptrdiff_t i = 0; v->columns && i < v->n_columns; i++) {
        if (v->columns[i] != i) {
            return true;
        }
    }
    return false;
}

// {"select":1.0,...} and, for the means that Spider prints, which components
// each side has at all.
static void add_parts(buf *b, const verdict *v)
{
    json_member_open(b, S("parts"), '{');
    for (ptrdiff_t i = 0; i < v->n_parts; i++) {
        json_key(b, v->parts[i].word);
        buf_add(b, v->parts[i].is_right ? S("1.0") : S("0.0"));
    }
    buf_char(b, '}');
    static const str sides[] = {S_INIT("in_gold"), S_INIT("in_pred")};
    for (int side = 0; side < 2; side++) {
        json_member_open(b, sides[side], '[');
        for (ptrdiff_t i = 0; i < v->n_parts; i++) {
            if (side == 0 ? v->parts[i].in_gold : v->parts[i].in_pred) {
                json_next(b);
                json_add_text(b, v->parts[i].word);
            }
        }
        buf_char(b, ']');
    }
}

// What told the prediction from the gold: the database, where it is not the
// case's own, and both results.
static void add_evidence(buf *b, const verdict *v)
{
    if (v->database.len > 0) {
        json_member_text(b, S("database"), v->database);
    }
    if (v->n_databases > 0) {
        json_member_int(b, S("killed_by"), v->n_databases);
    }
    const struct {
        str key;
        str text;
    } texts[] = {
        {S("neighbor"), v->neighbor},
        {S("gold_result"), v->results[0].rows},
        {S("pred_result"), v->results[1].rows},
        {S("rows"), v->rows},
    };
    for (ptrdiff_t i = 0; i < countof(texts); i++) {
        if (texts[i].text.len > 0) {
            json_member_text(b, texts[i].key, texts[i].text);
        }
    }
    static const str columns[] = {S_INIT("gold_columns"),
                                  S_INIT("pred_columns")};
    for (int side = 0; side < countof(columns); side++) {
        const shown_result *r = &v->results[side];
        if (r->n_columns > 0) {
            json_key(b, columns[side]);
            json_add_texts(b, r->columns, r->n_columns);
        }
    }
}

static void add_verdict(buf *b, const verdict *v)
{
    buf_char(b, '{');
    json_member_text(b, S("v"), answer_word(v->v));
    if (v->reason != REASON_NONE) {
        json_member_text(b, S("reason"), reason_word(v->reason));
    }
    if (v->class != CLASS_NONE) {
        json_member_text(b, S("class"), verdict_class_word(v->class));
    }
    if (v->detail.len > 0) {
        json_member_text(b, S("detail"), v->detail);
    }
    if (v->notes) {
        add_notes(b, v->notes);
    }
    if (v->variant >= 0 && v->v == ANSWER_YES) {
        json_member_int(b, S("variant"), v->variant);
    }
    add_evidence(b, v);
    if (v->plugged.len > 0) {
        json_member_text(b, S("plugged"), v->plugged);
    }
    if (v->v == ANSWER_YES && is_permuted(v)) {
        json_member_open(b, S("columns"), '[');
        for (ptrdiff_t i = 0; i < v->n_columns; i++) {
            json_next(b);
            buf_int(b, v->columns[i]);
        }
        buf_char(b, ']');
    }
    if (v->distance >= 0) {
        json_member_int(b, S("distance"), v->distance);
    }
    if (v->n_parts > 0) {
        add_parts(b, v);
    }
    if (v->has_score) {
        json_member_double(b, v->distance >= 0 ? S("similarity") : S("score"),
                           v->score);
    }
    buf_char(b, '}');
}

// {"join":2,...}: what the gold uses; null when it is not known.
static void add_features(buf *b, const sql_features *features)
{
    json_key(b, S("features"));
    if (!features->is_known) {
        buf_add(b, S("null"));
        return;
    }
    buf_char(b, '{');
    for (int f = 0; f < FEATURE_COUNT; f++) {
        if (features->n[f] > 0) {
            json_member_int(b, sql_feature_word((sql_feature)f),
                            features->n[f]);
        }
    }
    buf_char(b, '}');
}

static str status_word(reason r)
{
    return r == REASON_NONE ? S("ok") : reason_word(r);
}

static void add_status(buf *b,
                       str key,
                       reason status,
                       str message_key,
                       str message)
{
    json_member_text(b, key, status_word(status));
    if (status != REASON_NONE && message.len > 0) {
        json_member_text(b, message_key, message);
    }
}

static void add_clauses(buf *b, const scored_pred *judged)
{
    json_key(b, S("clauses"));
    json_add_texts(b, judged->clauses, judged->n_clauses);
}

static void add_verdicts(buf *b, const scored_pred *judged)
{
    json_member_open(b, S("verdicts"), '{');
    for (ptrdiff_t i = 0; i < judged->n_verdicts; i++) {
        json_key(b, judged->verdicts[i].key);
        add_verdict(b, &judged->verdicts[i].verdict);
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
    buf_char(b, '{');
    json_member_open(b, S("at"), '[');
    for (ptrdiff_t i = first; i < s->samples->n; i++) {
        if (s->samples->texts[i] == text) {
            json_next(b);
            buf_int(b, i);
        }
    }
    buf_char(b, ']');
    json_member_text_or_null(b, S("pred"), scored->texts[text].sql);
    add_status(b, S("pred_status"), judged->status, S("pred_message"),
               judged->message);
    if (s->vote && s->vote->groups[first] >= 0) {
        json_member_int(b, S("same_as"), s->vote->groups[first]);
    }
    add_verdicts(b, judged);
    buf_char(b, '}');
}

// "samples":[{"at":[0,2],...},...],"vote":{"sample":0,"votes":2,"of":3}
static void add_samples(buf *b,
                        const scored_case *scored,
                        const journal_samples *s)
{
    json_member_open(b, S("samples"), '[');
    int32_t seen = -1;  // texts are numbered as they appear
    for (ptrdiff_t i = 0; i < s->samples->n; i++) {
        if (s->samples->texts[i] > seen) {
            seen = s->samples->texts[i];
            json_next(b);
            add_sample(b, scored, s, i);
        }
    }
    buf_char(b, ']');
    if (s->vote) {
        json_key(b, S("vote"));
        buf_printf(b, "{\"sample\":%d,\"votes\":%d,\"of\":%td}",
                   s->vote->chosen, s->vote->n_votes, s->samples->n);
    }
}

// What became of the queries.
static void add_outcome(buf *b,
                        const scored_case *scored,
                        const scored_pred *judged,
                        journal_times times)
{
    add_verdicts(b, judged);
    add_status(b, S("gold_status"), scored->gold_status, S("gold_message"),
               scored->gold_message);
    add_status(b, S("pred_status"), judged->status, S("pred_message"),
               judged->message);
    add_ms(b, S("gold_ms"), scored->gold_ns, times);
    add_ms(b, S("pred_ms"), judged->ns, times);
    bool ran = scored->gold_work > 0 || judged->work > 0;
    if (scored->counts_work && ran) {
        json_member_int(b, S("gold_work"), scored->gold_work);
        json_member_int(b, S("pred_work"), judged->work);
    }
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
    if (scored->hardness_is_ours && gold->hardness.len == 0) {
        json_member_text(b, S("hardness_from"), S("tree"));
    }
    if (judged->n_clauses > 0) {
        add_clauses(b, judged);
    }
    json_member_text_if_any(b, S("of"), gold->of);
    if (pred) {
        told_json(b, &pred->told);
    }
    if (samples->samples->n > 1) {
        add_samples(b, scored, samples);
    }
}

static void add_hardness(buf *b, const record *gold, const scored_case *scored)
{
    json_member_text_or_null(b, S("hardness"),
                             gold->hardness.len > 0 ? gold->hardness
                                                    : scored->hardness);
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
        json_member_text(b, S("pred"), pred->sql);
        json_member_text(b, S("pred_note"), pred->note);
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
    buf_char(b, '{');
    json_member_text(b, S("run"), run);
    json_member_text(b, S("id"), gold->id);
    json_member_text_or_null(b, S("db"), gold->db);
    json_member_text_or_null(b, S("category"), gold->category);
    add_hardness(b, gold, scored);
    json_member_text_or_null(b, S("question"), gold->question);
    add_golds(b, gold);
    json_member_text_or_null(b, S("pred"), pred ? pred->sql : (str){0});
    if (pred && pred->note.len > 0) {
        json_member_text(b, S("pred_note"), pred->note);
    }
    add_outcome(b, scored, judged, times);
    add_number_or_null(b, S("interaction"), gold->interaction);
    add_number_or_null(b, S("turn"), gold->turn);
    json_member_int(b, S("line"), gold->line);
    add_more(b, gold, pred, scored, judged, samples);
    buf_add(b, S("}\n"));
}
