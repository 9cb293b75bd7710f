/*
 * label_set.c - see label_set.h.
 *
 * Method      Every form is brought to JSON objects, one a record, and these
 *             are read by one function: a row of CSV becomes an object from
 *             name to cell, an object from id to label a record for each pair.
 *             What is in a list has its place as the name of its person.
 */
#include "job/label_set.h"

#include "base/file.h"
#include "base/json.h"
#include "model/label.h"
#include "read/field.h"
#include "read/object_file.h"

// In the order in which they count.
static const char *const label_names[] = {
    "label",      "humanlabel", "human",     "annotation", "judgment",
    "judgement",  "verdict",    "iscorrect", "correct",    "isequivalent",
    "equivalent", "isright",    "right",     "ismatch",    "match",
    "passed",     "pass",       "decision",  "grade",      "rating",
    "score",
};
static const char *const several_names[] = {
    "annotators", "annotations", "labels", "votes", "opinions", "judgments",
};
static const char *const person_names[] = {
    "annotator", "annotatorid", "rater", "raterid", "reviewer",
    "labeler",   "person",      "user",  "name",    "by",
};
static const char *const run_names_of[] = {"run", "predictor", "model"};
static const char *const db_names_of[] = {"db", "dbid", "database"};

// Columns of one person each: "ann1", "annotator_b".
static const char *const person_prefixes[] = {
    "annotator", "ann",   "rater", "reviewer",
    "labeler",   "human", "label", "person",
};

typedef struct reading {
    label_set *s;
    diag *d;
    diag_place place;
    arena scratch;
} reading;

// In lower case, letters and digits only.
static str plain(arena *a, str name)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (is_alpha(c) || is_digit(c)) {
            buf_char(&b, to_lower(c));
        }
    }
    return buf_str(&b);
}

static const json *first_member(const json *record,
                                const char *const *names,
                                ptrdiff_t n,
                                arena scratch)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        for (const json *m = record->child; m; m = m->next) {
            arena local = scratch;
            if (str_equal(plain(&local, m->key), str_from(names[i]))) {
                return m;
            }
        }
    }
    return NULL;
}

static str id_of(const json *record, arena *a)
{
    str id = {0};
    int rank = 0;
    for (const json *m = record->child; m; m = m->next) {
        field f = field_find(m->key);
        str text = {0};
        if (f.kind == FIELD_ID && (id.len == 0 || f.rank < rank)
            && json_scalar_text(a, m, &text)) {
            id = text;
            rank = f.rank;
        }
    }
    return id;
}

static str text_of(const json *m, arena *a)
{
    str text = {0};
    return m && json_scalar_text(a, m, &text) ? text : (str){0};
}

/* --- what one record says ------------------------------------------------- */

static void add_odd(label_set *s, const json *value, arena scratch)
{
    buf b = buf_new(&scratch);
    if (value->kind == JSON_KIND_STRING) {
        buf_printf(&b, "'%.*s'", STR_ARG(value->text));
    } else {
        json_add(&b, value);
    }
    ptrdiff_t id = map_add(&s->odd, s->a, buf_str(&b));
    ++*vec_at(s->a, &s->n_odd, id);
}

static const agree_opinion *find_opinion(const label_case *c, ptrdiff_t person)
{
    for (ptrdiff_t i = 0; i < c->opinions.len; i++) {
        if (c->opinions.ptr[i].person == person) {
            return &c->opinions.ptr[i];
        }
    }
    return NULL;
}

// False when the person has said something already.
static bool add_opinion(reading *r,
                        label_case *c,
                        str person,
                        const json *value)
{
    ptrdiff_t id = map_add(&r->s->people, r->s->a, person);
    label_answer said = label_from_json(value, r->scratch);
    if (find_opinion(c, id)) {
        return false;
    }
    arena a = r->scratch;
    bool is_number = str_to_double(str_trim(text_of(value, &a)), NULL);
    r->s->n_numbers += is_number;
    r->s->n_odd_numbers += is_number && said == LABEL_ODD;
    if (said == LABEL_ODD) {
        add_odd(r->s, value, r->scratch);
    } else if (said != LABEL_NONE) {
        *vec_push(r->s->a, &c->opinions) =
            (agree_opinion){id, said == LABEL_YES ? ANSWER_YES : ANSWER_NO};
    }
    return true;
}

// [1, 0], {"ann": 1, "bob": 0}, [{"annotator": "ann", "label": 1}].
static bool add_several(reading *r, label_case *c, const json *list)
{
    arena *a = r->s->a;
    bool ok = true;
    ptrdiff_t place = 1;
    for (const json *m = list->child; m; m = m->next, place++) {
        const json *value = m;
        str person = m->key;
        if (m->kind == JSON_KIND_OBJECT) {
            value =
                first_member(m, label_names, countof(label_names), r->scratch);
            person = text_of(first_member(m, person_names,
                                          countof(person_names), r->scratch),
                             a);
        }
        person = person.len > 0 ? person : arena_printf(a, "#%td", place);
        ok = add_opinion(r, c, person, value) && ok;
    }
    return ok;
}

// "ann1", "annotator_b", "label 2": a column of one person.
static bool is_of_person(str key, arena scratch)
{
    str name = plain(&scratch, key);
    for (ptrdiff_t i = 0; i < countof(person_prefixes); i++) {
        str prefix = str_from(person_prefixes[i]);
        str rest = str_skip(name, str_starts(name, prefix) ? prefix.len : 0);
        bool has_number =
            rest.len > 0 && rest.len <= 2 && is_digit(rest.ptr[0]);
        bool has_letter = rest.len == 1 && key.len > prefix.len + 1;
        if (rest.len < name.len && (has_number || has_letter)) {
            return true;
        }
    }
    return false;
}

static bool add_columns(reading *r, label_case *c, const json *record)
{
    bool ok = true;
    for (const json *m = record->child; m; m = m->next) {
        if (is_of_person(m->key, r->scratch)) {
            ok = add_opinion(r, c, m->key, m) && ok;
        }
    }
    return ok;
}

static bool has_columns(const json *record, arena scratch)
{
    for (const json *m = record->child; m; m = m->next) {
        if (is_of_person(m->key, scratch)) {
            return true;
        }
    }
    return false;
}

static bool add_labels(reading *r, label_case *c, const json *record)
{
    const json *list =
        first_member(record, several_names, countof(several_names), r->scratch);
    const json *one =
        first_member(record, label_names, countof(label_names), r->scratch);
    list = list && list->n > 0 ? list : one && one->n > 0 ? one : NULL;
    if (list) {
        return add_several(r, c, list);
    }
    if (!one && has_columns(record, r->scratch)) {
        return add_columns(r, c, record);
    }
    str person = text_of(
        first_member(record, person_names, countof(person_names), r->scratch),
        r->s->a);
    r->s->n_none += label_from_json(one, r->scratch) == LABEL_NONE;
    return add_opinion(r, c, person.len > 0 ? person : S("label"), one);
}

static label_case *case_of(label_set *s, label_place place)
{
    ptrdiff_t at = map_add(&s->ids, s->a, place.id);
    ptrdiff_t last = -1;
    if (at == s->first.len) {
        *vec_push(s->a, &s->first) = s->cases.len;
    } else {
        for (ptrdiff_t i = s->first.ptr[at]; i >= 0; i = s->cases.ptr[i].next) {
            if (str_equal(s->cases.ptr[i].at.run, place.run)
                && str_equal(s->cases.ptr[i].at.db, place.db)) {
                return &s->cases.ptr[i];
            }
            last = i;
        }
    }
    if (last >= 0) {
        s->cases.ptr[last].next = s->cases.len;
    }
    label_case *c = vec_push(s->a, &s->cases);
    *c = (label_case){.at = {.id = map_key_at(&s->ids, at),
                             .run = arena_str(s->a, place.run),
                             .db = arena_str(s->a, place.db)},
                      .next = -1};
    return c;
}

static void add_record(reading *r, const json *record)
{
    arena *a = r->s->a;
    arena b = r->scratch;
    label_place at = {0};
    if (record && record->kind == JSON_KIND_OBJECT) {
        at.id = id_of(record, a);
    }
    if (at.id.len == 0) {
        diag_add(r->d, r->place, "expected {id, label}");
        return;
    }
    at.run = text_of(
        first_member(record, run_names_of, countof(run_names_of), b), a);
    at.db =
        text_of(first_member(record, db_names_of, countof(db_names_of), b), a);
    if (!add_labels(r, case_of(r->s, at), record)) {
        diag_add(r->d, r->place, "'%.*s' has a label already", STR_ARG(at.id));
    }
}

/* --- the forms of a file -------------------------------------------------- */

static void read_lines(reading *r, str text)
{
    while (text.len > 0) {
        reading inner = *r;
        str line = str_trim(str_cut(&text, '\n'));
        r->place.line++;
        inner.place = r->place;
        if (line.len > 0) {
            add_record(&inner, json_parse(&inner.scratch, line, NULL));
        }
    }
}

static void read_array(reading *r, const json *array)
{
    for (const json *m = array->child; m; m = m->next) {
        add_record(r, m);
    }
}

// {"q1": 1, "q2": [1, 0]}
static void read_map(reading *r, const json *object)
{
    for (const json *m = object->child; m; m = m->next) {
        json id = {.kind = JSON_KIND_STRING, .key = S("id"), .text = m->key};
        json label = *m;
        label.key = S("label");
        label.next = NULL;
        id.next = &label;
        json record = {.kind = JSON_KIND_OBJECT, .child = &id, .n = 2};
        add_record(r, &record);
    }
}

static bool is_record(str line, arena scratch)
{
    arena a = scratch;
    const json *j = json_parse(&a, str_trim(line), NULL);
    return j && j->kind == JSON_KIND_OBJECT && id_of(j, &a).len > 0;
}

static bool has_id_name(const str *names, ptrdiff_t n)
{
    bool has_id = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        has_id |= field_find(names[i]).kind == FIELD_ID;
    }
    return has_id;
}

static const object_table label_table = {
    has_id_name,
    "expected JSON {id, label}, or CSV whose first row names the columns id "
    "and label",
    false,
};

static bool read_text(reading *r, str bytes, str encoding)
{
    str text = {0};
    arena *a = &r->scratch;
    if (!object_file_text(&text, a, bytes, r->s->path, encoding, &label_table,
                          r->d, arena_half(a))) {
        return false;
    }
    bool is_table = str_starts(text, S("\n"));
    str rest = str_trim(text);
    bool has_lines = is_table || is_record(str_cut(&rest, '\n'), r->scratch);
    reading inner = *r;
    const json *all = has_lines ? NULL : json_parse(&inner.scratch, text, NULL);
    if (all && all->kind == JSON_KIND_ARRAY) {
        read_array(&inner, all);
    } else if (all && id_of(all, &inner.scratch).len == 0) {
        read_map(&inner, all);
    } else if (all) {
        add_record(&inner, all);
    } else {
        read_lines(r, text);
    }
    return true;
}

/* --- the whole ------------------------------------------------------------ */

static void say_odd(const label_set *s, diag *d, arena scratch)
{
    enum {
        NAMED_MAX = 5
    };
    int64_t n = 0;
    buf b = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < s->n_odd.len; i++) {
        str value = map_key_at(&s->odd, i);
        n += s->n_odd.ptr[i];
        if (i < NAMED_MAX) {
            buf_printf(&b, "%s%.*s (%lld)", i > 0 ? ", " : "", STR_ARG(value),
                       (long long)s->n_odd.ptr[i]);
        }
    }
    buf_add(&b, s->n_odd.len > NAMED_MAX ? S(", ...") : S(""));
    if (n > 0) {
        diag_add(d, (diag_place){.file = s->path},
                 "%lld label%s left out, neither yes nor no: %.*s; read are 1 "
                 "and 0, true and false, yes and no, right and wrong, correct "
                 "and incorrect, pass and fail, equivalent and inequivalent",
                 (long long)n, plural(n), STR_ARG(buf_str(&b)));
    }
    if (s->n_none > 0) {
        diag_add(d, (diag_place){.file = s->path},
                 "%lld record%s without a label", (long long)s->n_none,
                 plural(s->n_none));
    }
}

bool label_set_open(label_set *s,
                    arena *a,
                    str path,
                    str encoding,
                    diag *d,
                    diag *notes,
                    arena scratch)
{
    *s = (label_set){.a = a, .path = path};
    file_map file;
    if (!file_open(&file, a, path, d)) {
        return false;
    }
    reading r = {.s = s, .d = d, .place = {.file = path}, .scratch = scratch};
    bool ok = read_text(&r, file.bytes, encoding);
    file_close(&file);
    say_odd(s, notes, scratch);
    // Marks from 1 to 5 have a 1 that is no yes.
    if (2 * s->n_odd_numbers > s->n_numbers) {
        *s = (label_set){.a = a, .path = path};
        return diag_add(
            d, (diag_place){.file = path},
            "most of these numbers are neither 1 nor 0: say which "
            "marks mean yes by writing 1 for them, and 0 for others");
    }
    return ok;
}

static bool is_about(str named, str found)
{
    return named.len == 0 || str_equal(named, found);
}

const label_case *label_set_find(const label_set *s, label_place at)
{
    ptrdiff_t k = map_find(&s->ids, at.id);
    const label_case *best = NULL;
    // What names more is more exact, in whatever order it stands.
    ptrdiff_t named = -1;
    for (ptrdiff_t i = k < 0 ? -1 : s->first.ptr[k]; i >= 0;
         i = s->cases.ptr[i].next) {
        const label_case *c = &s->cases.ptr[i];
        ptrdiff_t n = (c->at.run.len > 0) + (c->at.db.len > 0);
        if (n > named && is_about(c->at.run, at.run)
            && is_about(c->at.db, at.db)) {
            best = c;
            named = n;
        }
    }
    return best;
}

answer label_case_answer(const label_case *c)
{
    ptrdiff_t over = 0;
    for (ptrdiff_t i = 0; i < c->opinions.len; i++) {
        over += c->opinions.ptr[i].answer == ANSWER_YES ? 1 : -1;
    }
    return over > 0 ? ANSWER_YES : over < 0 ? ANSWER_NO : ANSWER_UNKNOWN;
}
