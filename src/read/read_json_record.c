/*
 * read_json_record.c - from the members of a JSON object to a record.
 *
 * Method      Each member's name is looked up in field.def; of several members
 *             of one kind the best rank counts, if its value is of a type that
 *             can be meant: Spider's `sql` is a parse tree and no SQL text.
 *             A string in place of an object is a bare SQL text, a list of
 *             strings several.
 */
#include "read/read_json_record.h"

#include "read/shape.h"

#include <math.h>

typedef struct members {
    const json *best[FIELD_COUNT];
    int rank[FIELD_COUNT];
    const json *query;  // called "query": a question where SQL stands elsewhere
    const json *blank;  // SQL that is empty or null: the model gave none
    str failure;        // of the request for a prediction; empty: none
} members;

static bool is_blank(str s)
{
    return str_trim(s).len == 0;
}

static bool is_sql_text(const json *j)
{
    return j->kind == JSON_KIND_STRING && !is_blank(j->text);
}

// A string, or a list with a string in it.
static bool is_sql(const json *j)
{
    if (j->kind != JSON_KIND_ARRAY) {
        return is_sql_text(j);
    }
    for (const json *m = j->child; m; m = m->next) {
        if (is_sql_text(m)) {
            return true;
        }
    }
    return false;
}

// Whether a value can be meant for a field of this kind.
static bool fits(field_kind kind, const json *j)
{
    bool is_list = j->kind == JSON_KIND_ARRAY;
    switch (kind) {
    case FIELD_GOLD:
    case FIELD_SQL: return is_sql(j);
    case FIELD_PRED: return true;
    case FIELD_INTERACTION:
        if (is_list) {
            return j->child && j->child->kind == JSON_KIND_OBJECT;
        }
        break;
    case FIELD_NONE:
    case FIELD_COUNT: return false;
    case FIELD_ID:
    case FIELD_DB:
    case FIELD_QUESTION:
    case FIELD_CATEGORY:
    case FIELD_HARDNESS:
    case FIELD_EVIDENCE:
    case FIELD_TURN: break;
    }
    return !is_list && j->kind != JSON_KIND_OBJECT && j->kind != JSON_KIND_NULL
           && !(j->kind == JSON_KIND_STRING && is_blank(j->text));
}

static bool is_no_answer(const json *j)
{
    return j->kind == JSON_KIND_NULL
           || (j->kind == JSON_KIND_STRING && is_blank(j->text));
}

static members members_of(field_aliases names, const json *object)
{
    members found = {0};
    for (const json *m = object->child; m; m = m->next) {
        field f = field_find_in(names, m->key);
        if (!fits(f.kind, m)) {
            bool is_blank_sql = f.kind == FIELD_SQL && is_no_answer(m);
            found.blank = is_blank_sql ? m : found.blank;
            continue;
        }
        if (!found.best[f.kind] || f.rank < found.rank[f.kind]) {
            found.best[f.kind] = m;
            found.rank[f.kind] = f.rank;
        }
        if (f.kind == FIELD_SQL && str_equal_fold(m->key, S("query"))
            && m->kind == JSON_KIND_STRING) {
            found.query = m;
        }
    }
    return found;
}

// Where a format of another program has them. Without an answer the model gave
// none, unless the request failed.
static members members_in_shape(const dataset *set, const json *j, arena *a)
{
    dataset_format f = set->format;
    static const json no_answer = {.kind = JSON_KIND_STRING,
                                   .text = S_INIT("")};
    members found = {0};
    for (int k = FIELD_NONE + 1; k < FIELD_COUNT; k++) {
        const json *v = shape_field(f, (field_kind)k, j, a);
        found.best[k] = v && fits((field_kind)k, v) ? v : NULL;
    }
    if (!found.best[FIELD_PRED] && !found.best[FIELD_SQL]) {
        // Where answers are in order, each has its place.
        bool has_case = found.best[FIELD_ID] || set->role == DATASET_GOLD;
        found.failure = has_case ? shape_failure(f, j, a) : (str){0};
        found.best[FIELD_PRED] = found.failure.len > 0 ? NULL : &no_answer;
    }
    const json *inner = NULL;
    for (ptrdiff_t i = 0; shape_named(f, i, j, &inner); i++) {
        members sub = inner && inner->kind == JSON_KIND_OBJECT
                          ? members_of(set->names, inner)
                          : (members){0};
        for (int k = 0; k < FIELD_COUNT; k++) {
            found.best[k] = found.best[k] ? found.best[k] : sub.best[k];
        }
        found.query = found.query ? found.query : sub.query;
    }
    return found;
}

static str scalar(arena *a, const json *j)
{
    str text = {0};
    // Ids that went through a table of floats: 17.0 is 17.
    if (j && j->kind == JSON_KIND_REAL && fabs(j->real) < 1e15
        && j->real == floor(j->real)) {
        return arena_printf(a, "%.0f", j->real);
    }
    return json_scalar_text(a, j, &text) ? str_trim(text) : (str){0};
}

static void set_golds(record *r, arena *a, const json *j)
{
    bool is_list = j->kind == JSON_KIND_ARRAY;
    str *golds = arena_new(a, str, is_list ? j->n : 1);
    r->golds_are_final = is_list;
    for (const json *m = is_list ? j->child : j; m; m = is_list ? m->next : 0) {
        if (is_sql_text(m)) {
            golds[r->n_golds++] = reader_cut_bird(m->text, &r->db);
        }
    }
    r->golds = golds;
}

// One answer of a model: a text, or an object that holds it.
static str pred_text(arena *a, const json *j, str *db)
{
    if (j->kind == JSON_KIND_OBJECT) {
        members inner = members_of((field_aliases){0}, j);
        const json *sql = inner.best[FIELD_PRED] ? inner.best[FIELD_PRED]
                                                 : inner.best[FIELD_SQL];
        return sql && sql->kind == JSON_KIND_STRING ? sql->text : (str){0};
    }
    str text = {0};
    bool is_text = j->kind != JSON_KIND_ARRAY && json_scalar_text(a, j, &text);
    return is_text ? reader_cut_bird(text, db) : (str){0};
}

// A text, a list of texts, one object with a text in it, or an object of
// models with their answers [the IBM toolkit].
static void set_preds(record *r, arena *a, const json *j)
{
    members inner = j->kind == JSON_KIND_OBJECT
                        ? members_of((field_aliases){0}, j)
                        : (members){0};
    bool is_models = j->kind == JSON_KIND_OBJECT && !inner.best[FIELD_PRED]
                     && !inner.best[FIELD_SQL];
    bool is_many = is_models || j->kind == JSON_KIND_ARRAY;
    record_pred *preds = arena_new(a, record_pred, is_many ? j->n : 1);
    const json *m = is_many ? j->child : j;
    while (m) {
        record_pred *p = &preds[r->n_preds++];
        p->run = is_models ? m->key : (str){0};
        p->raw = pred_text(a, m, &r->db);
        m = is_many ? m->next : NULL;
    }
    r->preds = preds;
}

static void set_sql(record *r, arena *a, const dataset *set, const members *m)
{
    const json *gold = m->best[FIELD_GOLD];
    const json *bare = m->best[FIELD_SQL];
    const json *pred = m->best[FIELD_PRED];
    if (set->bare_is_pred) {
        pred = bare;
    } else if (!gold) {
        gold = bare;
    }
    if (gold) {
        set_golds(r, a, gold);
    }
    if (pred) {
        set_preds(r, a, pred);
    }
}

static json_found from_object(const dataset *set, const json *j, arena *a)
{
    members m = shape_is(set->format) ? members_in_shape(set, j, a)
                                      : members_of(set->names, j);
    bool is_answer = set->role == DATASET_PRED;
    if (is_answer && !m.best[FIELD_SQL]) {
        m.best[FIELD_SQL] = m.blank;
    }
    const json *bare = m.best[FIELD_SQL];
    const json *named = m.best[is_answer ? FIELD_PRED : FIELD_GOLD];
    bool has_sql = named || (bare && bare != m.query);
    if (!m.best[FIELD_QUESTION] && m.query && has_sql) {
        m.best[FIELD_QUESTION] = m.query;
        m.best[FIELD_SQL] = bare == m.query ? NULL : bare;
    }
    const json *session = m.best[FIELD_INTERACTION];
    bool has_turns = session && session->kind == JSON_KIND_ARRAY;
    json_found f = {
        .r = {.id = scalar(a, m.best[FIELD_ID]),
              .question = scalar(a, m.best[FIELD_QUESTION]),
              .category = scalar(a, m.best[FIELD_CATEGORY]),
              .hardness = scalar(a, m.best[FIELD_HARDNESS]),
              .evidence = scalar(a, m.best[FIELD_EVIDENCE])},
        .has_bare = m.best[FIELD_SQL] != NULL,
        .has_turns = has_turns,
        .interaction = has_turns ? (str){0} : scalar(a, session),
        .turn = scalar(a, m.best[FIELD_TURN]),
        .failure = m.failure,
    };
    set_sql(&f.r, a, set, &m);
    str db = scalar(a, m.best[FIELD_DB]);
    f.r.db = db.len > 0 ? db : f.r.db;
    f.is_known = f.r.question.len > 0 || f.r.n_golds > 0 || f.r.n_preds > 0
                 || has_turns || (is_answer && f.has_bare) || f.failure.len > 0;
    return f;
}

json_found read_json_record(const dataset *set, const json *j, arena *a)
{
    if (j->kind == JSON_KIND_OBJECT) {
        return from_object(set, j, a);
    }
    json_found f = {.is_known = true, .has_bare = true};
    if (set->role == DATASET_PRED) {
        set_preds(&f.r, a, j);
    } else if (is_sql(j)) {
        set_golds(&f.r, a, j);
    }
    return f;
}
