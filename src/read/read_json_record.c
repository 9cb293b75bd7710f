/*
 * read_json_record.c - from the members of a JSON object to a record.
 *
 * Method      Which member is what, the reading of the file says
 *             (file_reading.h); of several of one kind the first whose value
 *             can be meant counts. A string in place of an object is a bare SQL
 *             text, a list of strings several.
 */
#include "read/read_json_record.h"

#include "read/abstention.h"
#include "read/extract.h"
#include "read/extract_scan.h"
#include "read/member_value.h"
#include "read/result_files.h"
#include "read/shape.h"

typedef struct members {
    const json *best[FIELD_COUNT];
    bool is_null;   // a gold, or SQL, is null
    bool is_known;  // there is what makes it a record, be it empty
    str failure;    // of the request for a prediction; empty: none
} members;

// Whether a value can be meant for a field of this kind.
static bool fits(field_kind kind, const json *j)
{
    bool is_list = j->kind == JSON_KIND_ARRAY;
    bool is_blank = value_is_blank(j);
    return kind == FIELD_PRED     ? true
           : kind == FIELD_GOLD   ? value_is_sql(j)
           : kind == FIELD_SQL    ? is_blank || value_is_sql(j)
           : kind == FIELD_RESULT ? is_list || !is_blank
           : kind == FIELD_INTERACTION && is_list
               ? j->child && j->child->kind == JSON_KIND_OBJECT
               : !is_blank;
}

// Is there SQL in one of its texts?
static bool gives_sql(const json *v, arena scratch)
{
    value_texts texts = {0};
    str word = {0};
    bool is_found = false;
    value_collect(&texts, &scratch, v, &word);
    for (ptrdiff_t i = 0; i < texts.len && !is_found; i++) {
        str sql = extract_sql(&scratch, texts.ptr[i].raw, &word);
        is_found = extract_starts_sql(sql);
    }
    return is_found;
}

// Null is nothing where a format says where to look.
static const json *value_of(const reading_row *row,
                            const json *object,
                            arena *a)
{
    const json *m = value_at(object, row->path, a);
    bool is_null = m && m->kind == JSON_KIND_NULL;
    return is_null && row->why == FIELD_BY_FORMAT ? NULL : m;
}

// Is the second a better value than what stands under a surer path? A model may
// say a word before it calls a tool.
static bool is_better(const reading_row *row,
                      const json *best,
                      const json *m,
                      arena scratch)
{
    return !best
           || (row->kind == FIELD_SQL && value_is_blank(best)
               && !value_is_blank(m))
           || (row->kind == FIELD_PRED && row->why == FIELD_BY_FORMAT
               && !gives_sql(best, scratch) && gives_sql(m, scratch));
}

// Does a member of that kind, whatever it holds, make an object a record?
static bool is_of_record(field_kind kind)
{
    return field_is_said(kind) || kind == FIELD_RESULT
           || kind == FIELD_IMPOSSIBLE || kind == FIELD_ANSWERABLE;
}

static members members_of(const reading *how, const json *object, arena *a)
{
    members found = {0};
    for (ptrdiff_t i = 0; i < how->rows.len; i++) {
        const reading_row *row = &how->rows.ptr[i];
        const json *m = value_of(row, object, a);
        found.is_known |= m && is_of_record(row->kind);
        found.is_null |= m && m->kind == JSON_KIND_NULL
                         && (row->kind == FIELD_GOLD || row->kind == FIELD_SQL);
        if (m && fits(row->kind, m)
            && is_better(row, found.best[row->kind], m, *a)) {
            found.best[row->kind] = m;
        }
    }
    return found;
}

// In formats of other programs, without an answer the model gave none, unless
// the request failed.
static void settle_answer(members *m,
                          const dataset *set,
                          const json *j,
                          arena *a)
{
    static const json no_answer = {.kind = JSON_KIND_STRING,
                                   .text = S_INIT("")};
    if (!m->best[FIELD_PRED] && !m->best[FIELD_SQL]) {
        // Where answers are in order, each has its place.
        bool has_case = m->best[FIELD_ID] || set->given.role == DATASET_GOLD;
        m->failure = has_case ? shape_failure(set->format, j, a) : (str){0};
        m->best[FIELD_PRED] = m->failure.len > 0 ? NULL : &no_answer;
    }
}

// Those of the value that are not blank, behind the *n that were there.
static const str *add_texts(arena *a,
                            const str *had,
                            ptrdiff_t *n,
                            const json *j,
                            str *db)
{
    value_texts texts = {0};
    value_collect(&texts, a, j, db);
    str *all = arena_copy(a, had, *n, texts.len);
    for (ptrdiff_t i = 0; i < texts.len; i++) {
        if (str_trim(texts.ptr[i].raw).len > 0) {
            all[(*n)++] = texts.ptr[i].raw;
        }
    }
    return all;
}

static void set_golds(record *r, arena *a, const json *j)
{
    talk t = value_talk(j);
    if (!t.is_open) {
        r->golds = add_texts(a, r->golds, &r->n_golds, j, &r->db);
        r->golds_are_final |= j->kind == JSON_KIND_ARRAY && !t.is_one;
    }
}

static void set_preds(record *r, arena *a, const json *j)
{
    value_texts texts = {0};
    value_collect(&texts, a, j, &r->db);
    r->preds = texts.ptr;
    r->n_preds = texts.len;
}

// What is told of an answer. Several models of one record share no cost.
static void set_told(record *r, const members *m, arena *a)
{
    answer_told t = {0};
    for (int k = FIELD_TOKENS_IN; k <= FIELD_LATENCY_S; k++) {
        bool is_seconds = k == FIELD_LATENCY_S;
        told_kind what =
            is_seconds ? TOLD_LATENCY_MS : (told_kind)(k - FIELD_TOKENS_IN);
        double value = 0;
        if (m->best[k] && !told_has(&t, what)
            && str_to_double(value_word(a, m->best[k]), &value)) {
            value *= is_seconds ? 1000 : 1;
            if (told_is_sound(what, value)) {
                told_set(&t, what, value);
            }
        }
    }
    if (t.has && r->n_preds > 0 && r->preds[0].run.len == 0) {
        record_pred *preds = arena_copy(a, r->preds, r->n_preds, 0);
        preds[0].told = t;
        r->preds = preds;
    }
}

// The golds in all members that the user names.
static bool set_own_golds(record *r,
                          arena *a,
                          const reading *how,
                          const json *object)
{
    for (ptrdiff_t i = 0; i < how->rows.len; i++) {
        const reading_row *row = &how->rows.ptr[i];
        const json *m = row->kind == FIELD_GOLD && row->why == FIELD_BY_USER
                            ? value_at(object, row->path, a)
                            : NULL;
        if (m && value_is_sql(m)) {
            set_golds(r, a, m);
        }
    }
    return r->n_golds > 0;
}

// A gold that is null, or says so in words, is one: no query answers the
// question.
static void settle_gold(const dataset *set,
                        record *r,
                        const members *m,
                        arena *a)
{
    if (r->n_golds == 0 && m->is_null) {
        r->golds = abstention_gold;
        r->n_golds = 1;
    }
    abstention_settle(r, value_word(a, m->best[FIELD_IMPOSSIBLE]),
                      value_word(a, m->best[FIELD_ANSWERABLE]));
    if (r->n_golds == 1 && set->reading.golds_are_sql
        && !str_equal(str_trim(r->golds[0]), r->question)
        && abstention_is_said(r->golds[0], *a)) {
        r->golds = abstention_gold;
    }
}

static json_found from_object(const dataset *set, const json *j, arena *a)
{
    members m = members_of(&set->reading, j, a);
    if (shape_is(set->format)) {
        settle_answer(&m, set, j, a);
    }
    const json *bare = m.best[FIELD_SQL];
    bool is_pred = set->reading.bare_is_pred;
    const json *pred = is_pred && bare ? bare : m.best[FIELD_PRED];
    const json *gold = m.best[FIELD_GOLD];
    gold = gold || is_pred ? gold : bare;
    const json *session = m.best[FIELD_INTERACTION];
    json_found f = {
        .r = {.id = value_word(a, m.best[FIELD_ID]),
              .question = value_word(a, m.best[FIELD_QUESTION]),
              .category = value_word(a, m.best[FIELD_CATEGORY]),
              .hardness = value_word(a, m.best[FIELD_HARDNESS]),
              .evidence = value_word(a, m.best[FIELD_EVIDENCE]),
              .of = value_word(a, m.best[FIELD_OF])},
        .interaction = session && session->kind != JSON_KIND_ARRAY
                           ? value_word(a, session)
                           : (str){0},
        .turn = value_word(a, m.best[FIELD_TURN]),
        .failure = m.failure,
    };
    if (!set_own_golds(&f.r, a, &set->reading, j) && gold) {
        set_golds(&f.r, a, gold);
    }
    if (pred) {
        set_preds(&f.r, a, pred);
        set_told(&f.r, &m, a);
    }
    if (m.best[FIELD_BEFORE]) {
        f.r.before =
            add_texts(a, NULL, &f.r.n_before, m.best[FIELD_BEFORE], &f.r.db);
    }
    f.r.which = m.best[FIELD_WHICH];
    f.r.any_order = m.best[FIELD_ANY_ORDER];
    if (m.best[FIELD_RESULT]) {
        result_read(&f.r, a, m.best[FIELD_RESULT]);
    }
    if (set->given.role == DATASET_GOLD) {
        settle_gold(set, &f.r, &m, a);
    }
    str db = value_word(a, m.best[FIELD_DB]);
    f.r.db = db.len > 0 ? db : f.r.db;
    f.is_known = m.is_known || f.r.n_preds > 0 || f.failure.len > 0
                 || set->results.folder.len > 0;
    return f;
}

static json_found from_value(const dataset *set, const json *j, arena *a)
{
    json_found f = {.is_known = true};
    bool is_missing = j->kind == JSON_KIND_NULL && set->reading.rows.len > 0;
    if (set->given.role == DATASET_PRED) {
        // Where others are objects, it depends on these what a name means.
        if (!is_missing) {
            set_preds(&f.r, a, j);
        }
    } else if (j->kind == JSON_KIND_NULL) {
        f.r.golds = abstention_gold;
        f.r.n_golds = 1;
    } else if (value_is_sql(j)) {
        set_golds(&f.r, a, j);
    }
    return f;
}

json_found read_json_record(const dataset *set, const json *j, arena *a)
{
    json_found f = j->kind == JSON_KIND_OBJECT ? from_object(set, j, a)
                                               : from_value(set, j, a);
    f.r.id = j->key.len > 0 ? j->key : f.r.id;
    if (set->reading.has_float_ids) {
        f.r.id = column_word(f.r.id);
        f.r.of = column_word(f.r.of);
    }
    f.r.interaction = f.r.turn = -1;
    return f;
}

record reader_record(const dataset *set, const json *value, arena *a)
{
    return value ? read_json_record(set, value, a).r : (record){0};
}
