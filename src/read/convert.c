/*
 * convert.c - reads records from one format and hands them to the writer of
 * another.
 *
 * Method      One record at a time: its text is built in scratch memory and
 *             put into the sink, so files of any size pass through. A file of
 *             predictions beside the cases is joined to them by its pairing.
 *             Where the gold does not tell, blank lines in a text file of
 *             predictions end sessions.
 */
#include "read/convert.h"

#include "read/reader.h"
#include "read/writer.h"

#include <assert.h>

static const char *const losses[CONVERT_LOSSES] = {
    [CONVERT_BREAKS] = "line breaks in SQL became blanks",
    [CONVERT_LITERALS] = "line breaks inside quotes became blanks, which "
                         "changes what the SQL means",
    [CONVERT_COMMENTS] = "comments up to the end of a line were left out",
    [CONVERT_EMPTY] = "an empty prediction is written as NO PREDICTION",
    [CONVERT_GOLDS] = "several golds are written as one text, ; between them; "
                      "assay reads it as alternatives, other programs do not",
    [CONVERT_PREDS] = "of several predictions only the first is written",
    [CONVERT_BLANKS] = "blank lines were read as ends of sessions, not as "
                       "empty predictions; give the gold file, too, to "
                       "distinguish them",
    [CONVERT_BYTES] = "bytes that are not UTF-8 became U+FFFD",
    [CONVERT_NO_PRED] = "the predictions were left out; run convert with "
                        "--pred alone to write them to a separate file",
    [CONVERT_NO_ID] = "ids were left out; only the order tells which case is "
                      "which",
    [CONVERT_NO_DB] = "the name of the database was left out",
    [CONVERT_NO_QUESTION] = "the question was left out",
    [CONVERT_NO_CATEGORY] = "the category was left out",
    [CONVERT_NO_HARDNESS] = "the hardness was left out",
    [CONVERT_NO_EVIDENCE] = "the evidence was left out",
    [CONVERT_NO_RESULT] = "the result that serves as the gold was left out",
    [CONVERT_NO_TOLD] = "tokens, cost, time or confidence were left out",
    [CONVERT_NO_OF] = "the question that it is a change of was left out",
};

str convert_loss_text(arena *a, convert_loss loss, ptrdiff_t n)
{
    return arena_printf(a, "%td record%s: %s", n, plural(n), losses[loss]);
}

str writer_golds(writing *w, const record *r)
{
    if (r->n_golds == 1) {
        return r->golds[0];
    }
    w->result->lost[CONVERT_GOLDS] += r->n_golds > 1 ? 1 : 0;
    buf b = buf_new(&w->scratch);
    for (ptrdiff_t i = 0; i < r->n_golds; i++) {
        str gold = str_trim(r->golds[i]);
        buf_add(&b, i > 0 ? S("; ") : S(""));
        buf_add(&b,
                str_ends(gold, S(";")) ? str_sub(gold, 0, gold.len - 1) : gold);
    }
    return buf_str(&b);
}

str writer_pred(writing *w, const record *r)
{
    w->result->lost[CONVERT_PREDS] += r->n_preds > 1 ? 1 : 0;
    return r->n_preds > 0 ? r->preds[0].sql : (str){0};
}

const field_kind writer_parts[WRITER_PARTS] = {
    FIELD_ID,          FIELD_DB,       FIELD_QUESTION, FIELD_GOLD,
    FIELD_PRED,        FIELD_CATEGORY, FIELD_HARDNESS, FIELD_EVIDENCE,
    FIELD_INTERACTION, FIELD_TURN,
};

static const char *const names_of[FORMAT_COUNT][FIELD_COUNT] = {
    [FORMAT_JSONL] = {[FIELD_ID] = "id",
                      [FIELD_DB] = "db",
                      [FIELD_QUESTION] = "question",
                      [FIELD_GOLD] = "gold",
                      [FIELD_PRED] = "pred",
                      [FIELD_CATEGORY] = "category",
                      [FIELD_HARDNESS] = "hardness",
                      [FIELD_EVIDENCE] = "evidence",
                      [FIELD_INTERACTION] = "interaction",
                      [FIELD_TURN] = "turn",
                      [FIELD_OF] = "of",
                      [FIELD_COST] = "cost"},
    [FORMAT_SQL_EVAL] = {[FIELD_ID] = "id",
                         [FIELD_DB] = "db_name",
                         [FIELD_QUESTION] = "question",
                         [FIELD_GOLD] = "answer",
                         [FIELD_PRED] = "generation",
                         [FIELD_CATEGORY] = "query_category",
                         [FIELD_EVIDENCE] = "instructions"},
    [FORMAT_SPIDER_JSON] = {[FIELD_DB] = "db_id",
                            [FIELD_QUESTION] = "question",
                            [FIELD_GOLD] = "query"},
    [FORMAT_BIRD] = {[FIELD_ID] = "question_id",
                     [FIELD_DB] = "db_id",
                     [FIELD_QUESTION] = "question",
                     [FIELD_GOLD] = "SQL",
                     [FIELD_HARDNESS] = "difficulty",
                     [FIELD_EVIDENCE] = "evidence"},
    [FORMAT_CSV] = {[FIELD_ID] = "id",
                    [FIELD_DB] = "db",
                    [FIELD_QUESTION] = "question",
                    [FIELD_GOLD] = "gold",
                    [FIELD_PRED] = "pred",
                    [FIELD_CATEGORY] = "category",
                    [FIELD_HARDNESS] = "hardness",
                    [FIELD_EVIDENCE] = "evidence",
                    [FIELD_INTERACTION] = "interaction",
                    [FIELD_TURN] = "turn"},
    [FORMAT_DEFOG_CSV] = {[FIELD_DB] = "db_name",
                          [FIELD_QUESTION] = "question",
                          [FIELD_GOLD] = "query",
                          [FIELD_PRED] = "generated_query",
                          [FIELD_CATEGORY] = "query_category",
                          [FIELD_EVIDENCE] = "instructions"},
    [FORMAT_SPIDER_TEXT] = {[FIELD_DB] = "", [FIELD_GOLD] = ""},
};

// Of files of predictions alone, where they are unlike those of cases.
static const char *const bird_object[FIELD_COUNT] =
    {[FIELD_ID] = "", [FIELD_DB] = "", [FIELD_PRED] = ""};
static const char *const text_lines[FIELD_COUNT] = {[FIELD_PRED] = ""};

const char *writer_name(const writing *w, field_kind kind)
{
    bool is_csv = w->format == FORMAT_CSV || w->format == FORMAT_DEFOG_CSV;
    bool is_left_out = is_csv
                       && ((kind == FIELD_ID && !w->has_ids)
                           || (kind == FIELD_GOLD && w->side == WRITER_PRED)
                           || (kind == FIELD_PRED && w->side == WRITER_GOLD)
                           || ((kind == FIELD_INTERACTION || kind == FIELD_TURN)
                               && !w->has_sessions));
    return is_left_out ? NULL : w->names[kind];
}

str writer_part(writing *w, const record *r, field_kind kind)
{
    const str texts[FIELD_COUNT] = {
        [FIELD_ID] = r->id,
        [FIELD_DB] = r->db,
        [FIELD_QUESTION] = r->question,
        [FIELD_CATEGORY] = r->category,
        [FIELD_HARDNESS] = r->hardness,
        [FIELD_EVIDENCE] = r->evidence,
        [FIELD_OF] = r->of,
    };
    bool is_number = kind == FIELD_TURN || kind == FIELD_INTERACTION;
    ptrdiff_t n = kind == FIELD_TURN ? r->turn : r->interaction;
    return kind == FIELD_GOLD   ? writer_golds(w, r)
           : kind == FIELD_PRED ? writer_pred(w, r)
           : is_number          ? arena_printf(&w->scratch, "%td", n)
                                : texts[kind];
}

static const char *const *names_for(dataset_format to, writer_side side)
{
    bool is_alone = side == WRITER_PRED;
    return is_alone && to == FORMAT_BIRD ? bird_object
           : to == FORMAT_LINES || (is_alone && to == FORMAT_SPIDER_TEXT)
               ? (is_alone ? text_lines : names_of[FORMAT_LINES])
               : names_of[to];
}

static const writer *writer_for(dataset_format to, writer_side side)
{
    static const writer *const writers[FORMAT_COUNT] = {
        [FORMAT_SPIDER_TEXT] = &writer_text,
        [FORMAT_LINES] = &writer_text,
        [FORMAT_BIRD] = &writer_json_array,
        [FORMAT_SPIDER_JSON] = &writer_json_array,
        [FORMAT_SQL_EVAL] = &writer_json_array,
        [FORMAT_JSONL] = &writer_json_lines,
        [FORMAT_DEFOG_CSV] = &writer_csv,
        [FORMAT_CSV] = &writer_csv,
    };
    return to == FORMAT_BIRD && side == WRITER_PRED ? &writer_bird_object
                                                    : writers[to];
}

bool convert_writes(dataset_format to)
{
    return writer_for(to, WRITER_GOLD) != NULL;
}

static writer_side side_of(const convert_job *job)
{
    if (!job->gold) {
        return WRITER_PRED;
    }
    bool has_pred = job->pred || job->gold->n_with_pred > 0;
    bool has_gold = job->gold->n_with_gold > 0;
    return has_gold && has_pred ? WRITER_BOTH
           : has_pred           ? WRITER_PRED
                                : WRITER_GOLD;
}

// The i-th record to write; false when there is none at that place.
static bool record_at(const convert_job *job, ptrdiff_t i, record *r, arena *a)
{
    assert(i >= 0);
    if (!job->gold) {
        bool is_blank = reader_is_blank(job->pred, i);
        *r = is_blank ? (record){0} : dataset_record(job->pred, i, a);
        r->preds = dataset_extract(r->preds, r->n_preds, true, a);
        return !is_blank;
    }
    *r = dataset_record(job->gold, i, a);
    if (job->pred) {
        int32_t p = job->pred_of[i];
        record answer = p < 0 ? (record){0} : dataset_record(job->pred, p, a);
        r->preds = answer.preds;
        r->n_preds = answer.n_preds;
    }
    r->preds = dataset_extract(r->preds, r->n_preds, true, a);
    return true;
}

// What a line of text cannot do without.
static bool check_record(const dataset *set,
                         const writing *w,
                         const record *r,
                         diag *d)
{
    diag_place place = {.file = set->file.path, .line = r->line};
    bool is_text = w->format == FORMAT_SPIDER_TEXT || w->format == FORMAT_LINES;
    const char *lacks =
        !is_text || w->side != WRITER_GOLD ? NULL
        : r->n_golds == 0
            ? "this record has no gold SQL, and a line cannot be empty"
        : w->format == FORMAT_SPIDER_TEXT && r->db.len == 0
            ? "this record names no database; format lines holds SQL alone"
            : NULL;
    return !lacks || diag_add(d, place, "%s", lacks);
}

static bool check_format(const convert_job *job,
                         const writer *to,
                         writer_side *side,
                         diag *d)
{
    str word = dataset_format_word(job->to);
    if (!to) {
        return diag_add(d, (diag_place){0},
                        "format %.*s cannot be written; there are spider, "
                        "lines, spider_json, bird, jsonl, sql_eval, defog, csv",
                        STR_ARG(word));
    }
    if (*side == WRITER_PRED && job->to == FORMAT_SPIDER_JSON) {
        return diag_add(d, (diag_place){0},
                        "format %.*s holds cases, not predictions",
                        STR_ARG(word));
    }
    bool holds_both =
        names_of[job->to][FIELD_GOLD] && names_of[job->to][FIELD_PRED];
    if (*side != WRITER_BOTH || holds_both) {
        return true;
    }
    if (job->pred) {
        return diag_add(d, (diag_place){0},
                        "format %.*s holds either gold or predictions, not "
                        "both",
                        STR_ARG(word));
    }
    *side = WRITER_GOLD;
    return true;
}

// What the record has and the format has no place for.
static void count_dropped(const writing *w, const record *r)
{
    static const struct {
        field_kind kind;
        convert_loss loss;
    } parts[] = {
        {FIELD_ID, CONVERT_NO_ID},
        {FIELD_DB, CONVERT_NO_DB},
        {FIELD_QUESTION, CONVERT_NO_QUESTION},
        {FIELD_CATEGORY, CONVERT_NO_CATEGORY},
        {FIELD_HARDNESS, CONVERT_NO_HARDNESS},
        {FIELD_EVIDENCE, CONVERT_NO_EVIDENCE},
        {FIELD_OF, CONVERT_NO_OF},
    };
    ptrdiff_t *lost = w->result->lost;
    writing one = *w;
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        lost[parts[i].loss] += writer_part(&one, r, parts[i].kind).len > 0
                               && !writer_name(w, parts[i].kind);
    }
    lost[CONVERT_NO_PRED] += r->n_preds > 0 && !writer_name(w, FIELD_PRED);
    lost[CONVERT_NO_RESULT] += r->n_results > 0;
    lost[CONVERT_NO_TOLD] +=
        r->n_preds > 0 && r->preds[0].told.has && !writer_name(w, FIELD_COST);
}

static bool convert_records(const convert_job *job,
                            const writer *to,
                            writing *w,
                            convert_sink sink,
                            diag *d)
{
    const dataset *set = job->gold ? job->gold : job->pred;
    ptrdiff_t n = set->entries.len;
    for (ptrdiff_t i = 0; i < n && (job->limit == 0 || w->n < job->limit);
         i++) {
        arena temp = w->scratch;
        writing one = *w;
        record r = {0};
        if (!record_at(job, i, &r, &temp)) {
            w->result->lost[CONVERT_BLANKS]++;
            continue;
        }
        one.scratch = temp;
        if (!check_record(set, &one, &r, d)) {
            return false;
        }
        // The buf grows in one half of what is left, the writer's scratch is
        // the other.
        arena half = arena_half(&one.scratch);
        buf out = buf_new(&half);
        to->record(&one, &r, &out);
        count_dropped(w, &r);
        if (!sink.put(sink.context, buf_str(&out))) {
            return false;
        }
        w->last_session = r.interaction;
        w->n++;
    }
    return true;
}

bool convert_dataset(const convert_job *job,
                     convert_sink sink,
                     convert_result *result,
                     diag *d,
                     arena scratch)
{
    *result = (convert_result){0};
    const dataset *set = job->gold ? job->gold : job->pred;
    writer_side side = side_of(job);
    const writer *to = writer_for(job->to, side);
    if (!check_format(job, to, &side, d)) {
        return false;
    }
    to = writer_for(job->to, side);
    writing w = {.format = job->to,
                 .side = side,
                 .names = names_for(job->to, side),
                 .has_ids = set->has_ids,
                 .has_sessions = set->n_interactions > 0,
                 .last_session = -1,
                 .result = result,
                 .scratch = scratch};
    bool ok = sink.put(sink.context, str_from(to->begin))
              && convert_records(job, to, &w, sink, d);
    result->n_records = w.n;
    return ok && sink.put(sink.context, str_from(to->end));
}
