/*
 * json_root.c - see json_root.h.
 *
 * Method      The members of one object are counted by what they hold, and by
 *             whether their names are those of members of records. A list of
 *             objects is wrapped; texts that are SQL, under names that say
 *             nothing, stand under ids; what has a question or an id of its own
 *             is a record.
 */
#include "read/json_root.h"

#include "read/abstention.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/read_sentences.h"
#include "read/read_turned.h"
#include "read/reader.h"
#include "read/shape.h"

#include <string.h>

enum {
    MEMBERS_LOOKED_AT = 64,
    WRAPPED = 1,        // objects around the members of a case
    MOST_WRAPPERS = 3,  // around cases
    ANY_RANK = 1000,
};

// Whether the object has a member of that name, whose value begins with one of
// the bytes in `begin`.
static bool has_member(str object, str name, const char *begin)
{
    str value = json_scan_get(object, name);
    return value.len > 0 && strchr(begin, value.ptr[0]);
}

// Has the object SQL, a question or an answer under a name of a rank below
// `most`, or an object in it, down to `depth`?
static bool has_own_fields(str object, int most, int depth)
{
    json_member m = {0};
    ptrdiff_t at = 1;
    for (int n = 0; n < MEMBERS_LOOKED_AT; n++) {
        if (!json_scan_member(object, &at, &m)) {
            break;
        }
        field f = field_find(json_scan_name(object, m));
        bool is_ours = f.rank < most && field_is_said(f.kind);
        char first = object.ptr[m.value];
        if ((is_ours && strchr("\"[", first))
            || (depth > 0 && first == '{'
                && has_own_fields(str_sub(object, m.value, m.end), most,
                                  depth - 1))) {
            return true;
        }
    }
    return false;
}

typedef struct root_look {
    const dataset *set;
    str text;
    arena scratch;
} root_look;

// What the members of an object are called.
typedef struct object_names {
    str at[MEMBERS_LOOKED_AT];
    int n;
} object_names;

static object_names names_of(str object)
{
    object_names all = {.n = 0};
    json_member m = {0};
    for (ptrdiff_t at = 1;
         all.n < MEMBERS_LOOKED_AT && json_scan_member(object, &at, &m);) {
        all.at[all.n++] = json_scan_name(object, m);
    }
    return all;
}

static bool share_a_name(const object_names *x, const object_names *y)
{
    bool found = false;
    for (int i = 0; i < x->n && !found; i++) {
        for (int k = 0; k < y->n && !found; k++) {
            found = str_equal(x->at[i], y->at[k]);
        }
    }
    return found;
}

// The members of one object, counted by what they hold.
typedef struct root_count {
    ptrdiff_t all;
    ptrdiff_t known;  // with names of members of records
    ptrdiff_t named;  // of these the ones that are objects
    ptrdiff_t words;  // texts and numbers that make it a record
    ptrdiff_t dbs;    // names of databases
    ptrdiff_t objects;
    ptrdiff_t nulls;
    ptrdiff_t own;     // of these the ones with SQL or a question in them
    ptrdiff_t alike;   // of those the ones that share a name with the first
    ptrdiff_t lists;   // of objects, but for the turns of a session
    ptrdiff_t cases;   // of these the ones with SQL or a question in them
    ptrdiff_t texts;   // or lists of texts, or null
    ptrdiff_t sql;     // of these the ones that begin as SQL
    ptrdiff_t blank;   // "", or that no query answers the question
    ptrdiff_t birds;   // texts with BIRD's separator
    json_member list;  // the last list of objects, or of cases
    object_names first;
} root_count;

// Does the text, or the first of the list, begin as SQL?
static bool is_sql_value(const root_look *w, str value)
{
    ptrdiff_t used = 0;
    arena temp = w->scratch;
    value = str_starts(value, S("["))
                ? str_skip(value, json_scan_space(value, 1))
                : value;
    const json *j = json_parse_prefix(&temp, value, &used, NULL);
    bool is_text = j && j->kind == JSON_KIND_STRING;
    return is_text
           && (extract_starts_sql(j->text)
               || (w->set->role == DATASET_PRED
                   && extract_is_wrapped(j->text)));
}

static void root_add(root_count *n, const root_look *w, json_member m)
{
    str value = str_sub(w->text, m.value, m.end);
    field_kind kind =
        field_find_in(w->set->names, json_scan_name(w->text, m)).kind;
    char c = value.len > 0 ? value.ptr[0] : '\0';
    ptrdiff_t second = json_scan_space(value, 1);
    str first = str_skip(value, second);
    bool is_list = c == '[' && str_starts(first, S("{"))
                   && !has_member(first, S("role"), "\"")
                   && !has_member(first, S("from"), "\"");
    bool is_text = !is_list && (c == '"' || c == '[' || c == 'n');
    n->all++;
    n->known += kind != FIELD_NONE;
    n->named += kind != FIELD_NONE && c == '{';
    n->words += c != '{' && c != '[' && kind != FIELD_NONE && kind != FIELD_DB;
    n->dbs += kind == FIELD_DB;
    n->objects += c == '{';
    n->nulls += c == 'n';
    if (c == '{' && has_own_fields(value, ANY_RANK, 0)) {
        object_names names = names_of(value);
        n->first = n->own == 0 ? names : n->first;
        n->own++;
        n->alike += share_a_name(&names, &n->first);
    }
    n->lists += is_list && kind != FIELD_INTERACTION;
    n->texts += is_text;
    n->blank += str_among(value, "\"\" []") || abstention_is_word(value);
    n->sql += is_text && is_sql_value(w, value);
    n->birds += c == '"' && str_find(value, S("----- bird -----"), 0) > 0;
    bool is_cases = is_list && kind != FIELD_INTERACTION
                    && has_own_fields(first, FIELD_WEAK, WRAPPED);
    n->cases += is_cases;
    n->list = is_cases || (is_list && n->cases == 0) ? m : n->list;
}

static root_count root_members(const root_look *w, ptrdiff_t from)
{
    root_count n = {0};
    json_member m = {0};
    for (ptrdiff_t at = from + 1; json_scan_member(w->text, &at, &m);) {
        root_add(&n, w, m);
    }
    return n;
}

// Ids and SQL: golds all of them, of answers at least half.
static bool is_map_of_sql(const root_look *w, const root_count *n)
{
    ptrdiff_t said = n->texts - n->blank;
    ptrdiff_t least = w->set->role == DATASET_PRED ? (said + 1) / 2 : said;
    return n->texts == n->all && n->sql >= least && n->all > 0;
}

// How many lists or maps of cases the objects of the object at `from` hold, or
// theirs; `out` is the last.
static ptrdiff_t count_below(const root_look *w,
                             ptrdiff_t from,
                             int depth,
                             json_root *out)
{
    static const json_root_shape keyed = JSON_ROOT_KEYED;
    ptrdiff_t found = 0;
    json_member m = {0};
    for (ptrdiff_t at = from + 1; json_scan_member(w->text, &at, &m);) {
        if (w->text.ptr[m.value] != '{') {
            continue;
        }
        root_count n = root_members(w, m.value);
        bool is_map = n.known == 0 && n.all > 0
                      && (is_map_of_sql(w, &n)
                          || (n.objects == n.all && n.alike == n.all));
        if (is_map) {
            found++;
            ptrdiff_t most = n.all > out->most ? n.all : out->most;
            *out = (json_root){keyed, m.value, m.end, most};
        } else if (n.words == 0 && n.known <= n.lists + n.named) {
            *out = n.cases > 0 ? (json_root){JSON_ROOT_VALUES, n.list.value,
                                             n.list.end, out->most}
                               : *out;
            found += n.cases;
            found += depth > 0 ? count_below(w, m.value, depth - 1, out) : 0;
        }
    }
    return found;
}

// What the object at `from` is, which ends at `end`.
static json_root root_at(const root_look *w, ptrdiff_t from, ptrdiff_t end)
{
    static const json_root_shape keyed = JSON_ROOT_KEYED;
    json_root below = {0};
    root_count n = root_members(w, from);
    json_root values = {JSON_ROOT_VALUES, from, end, 0};
    // Even "id" may be a key, when all values are BIRD's.
    bool are_birds = n.birds == n.all && n.all > 1;
    bool may_wrap = n.words + n.dbs + n.lists + n.own == 0 && n.objects > 0;
    ptrdiff_t n_below =
        may_wrap ? count_below(w, from, MOST_WRAPPERS, &below) : 0;
    if (n_below == 1) {
        return below;
    }
    if (n_below > 1 && below.most > 1) {
        return (json_root){JSON_ROOT_SEVERAL, from, end, below.most};
    }
    if (n.words == 0 && n.objects == 1 && n.lists == 0) {
        return values;
    }
    bool is_wrapper = n.lists > 0 && n.words == 0;
    if (n.known > 0 && !are_birds && !is_wrapper) {
        return values;
    }
    if (n.lists == 1 || n.cases == 1) {
        return (json_root){JSON_ROOT_VALUES, n.list.value, n.list.end, 0};
    }
    // Objects of which each has something else are the parts of one record.
    bool are_parts = n.own > 1 && n.alike == 1;
    bool is_keyed =
        n.all > 0
        && ((n.objects + n.nulls == n.all && n.objects > 0 && !are_parts)
            || is_map_of_sql(w, &n));
    return is_keyed ? (json_root){keyed, from, end, 0} : values;
}

// Where the whole file is one object: its offset; else -1.
static ptrdiff_t root_object(const dataset *set, ptrdiff_t *end)
{
    str text = set->file.bytes;
    ptrdiff_t from = json_scan_space(text, reader_start(set));
    bool is_object = from < text.len && text.ptr[from] == '{';
    *end = is_object ? json_scan_value(text, from, NULL) : -1;
    bool is_alone = *end >= 0 && json_scan_space(text, *end) == text.len;
    return is_alone && !set->is_record ? from : -1;
}

json_root json_root_of(const dataset *set, arena scratch)
{
    str text = set->file.bytes;
    ptrdiff_t end = 0;
    ptrdiff_t from = root_object(set, &end);
    if (from < 0) {
        from = json_scan_space(text, reader_start(set));
        return (json_root){JSON_ROOT_VALUES, from, text.len, 0};
    }
    str list = shape_root(set->format, str_sub(text, from, end));
    if (list.len > 0) {
        from = list.ptr - text.ptr;
        return (json_root){JSON_ROOT_VALUES, from, from + list.len, 0};
    }
    root_look look = {set, text, scratch};
    return shape_is(set->format) ? (json_root){JSON_ROOT_VALUES, from, end, 0}
                                 : root_at(&look, from, end);
}

// Questions with variables become cases with values.
static bool turn_sentences(dataset *set, arena *a, arena scratch)
{
    str text = str_skip(set->file.bytes, reader_start(set));
    ptrdiff_t at = str_find(text, S("{"), 0);
    ptrdiff_t end = at < 0 ? -1 : json_scan_value(text, at, NULL);
    if (end < 0 || !read_sentences_is(str_sub(text, at, end))) {
        return false;
    }
    str cases = read_sentences(text, a, scratch);
    if (cases.len > 0) {
        reader_replace(set, cases);
        reader_note(set, a, "a case for each sentence, its variables put in");
    }
    return cases.len > 0;
}

// The table by columns that the object is, or that one object in it is; empty:
// none.
static str turned_in(str object, field_aliases names, arena *a, int depth)
{
    str found = read_turned(object, names, a);
    ptrdiff_t n_found = found.len > 0;
    bool may_wrap =
        n_found == 0 && depth > 0 && !has_own_fields(object, ANY_RANK, 0);
    json_member m = {0};
    for (ptrdiff_t at = 1; may_wrap && json_scan_member(object, &at, &m);) {
        str value = str_sub(object, m.value, m.end);
        str inner = str_starts(value, S("{"))
                        ? turned_in(value, names, a, depth - 1)
                        : (str){0};
        n_found += inner.len > 0;
        found = inner.len > 0 ? inner : found;
    }
    return n_found == 1 ? found : (str){0};
}

void json_root_turn(dataset *set, arena *a, arena scratch)
{
    ptrdiff_t end = 0;
    if (set->is_record || turn_sentences(set, a, scratch)
        || shape_is(set->format)) {
        return;
    }
    ptrdiff_t from = root_object(set, &end);
    str text = set->file.bytes;
    str turned = from < 0 ? read_turned_lines(str_skip(text, reader_start(set)),
                                              set->names, a)
                          : turned_in(str_sub(text, from, end), set->names, a,
                                      MOST_WRAPPERS);
    if (turned.len > 0) {
        reader_replace(set, turned);
        reader_note(set, a, "a table by columns, read record by record");
    }
}

// An object of texts under names that say nothing: predictions by id.
static bool is_keyed_object(str object)
{
    json_member m = {0};
    ptrdiff_t at = 1;
    for (int n = 0; n < MEMBERS_LOOKED_AT; n++) {
        if (!json_scan_member(object, &at, &m)) {
            return n > 0;
        }
        char c = object.ptr[m.value];
        if ((c != '"' && c != 'n')
            || field_find(json_scan_name(object, m)).kind != FIELD_NONE) {
            return false;
        }
    }
    return true;
}

dataset_format reader_json_format(str first)
{
    if (first.len == 0 || first.ptr[0] != '{') {
        return FORMAT_JSONL;
    }
    dataset_format shape = shape_of(first);
    if (shape != FORMAT_COUNT && !has_own_fields(first, FIELD_WEAK, 0)) {
        return shape;
    }
    if (has_member(first, S("predictions"), "{")) {
        return FORMAT_IBM;
    }
    if (has_member(first, S("answer"), "\"")
        && has_member(first, S("generation"), "\"n")) {
        return FORMAT_SQL_EVAL;
    }
    if (has_member(first, S("question_id"), "0123456789\"")
        && has_member(first, S("SQL"), "\"")) {
        return FORMAT_BIRD;
    }
    if (has_member(first, S("db_id"), "\"")
        && has_member(first, S("question"), "\"")
        && has_member(first, S("query"), "\"")) {
        return FORMAT_SPIDER_JSON;
    }
    return is_keyed_object(first) ? FORMAT_BIRD : FORMAT_JSONL;
}
