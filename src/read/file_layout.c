/*
 * file_layout.c - see file_layout.h.
 *
 * Method      An object is looked at once, member by member: by what they hold,
 *             and by whether their names are those of members of records. It is
 *             a table, a map by id, or a record, which has a question, SQL or
 *             an id of its own; what is none of these may hold such places, and
 *             is gone into. One place is where the cases are. Lists of objects
 *             count where they have SQL or a question, else only alone and at
 *             the top.
 *
 *             An object is a table by columns when its lists, or its maps from
 *             row to value, with names that say SQL or a question, or with SQL
 *             in them, all have as many cells (maps: the same keys), and when
 *             no member says that it is one record. Lists and maps of other
 *             lengths are left out; three lists or more of ids, questions and
 *             SQL are a table that misses cells. A list under `gold` of a table
 *             holds the golds of as many records, not the accepted golds of
 *             one. Maps whose keys are not 0, 1, 2, … give the records their
 *             ids.
 *
 *             Of several such objects a list of what a record has one of says
 *             that they are batches of a table, for a list of golds is also
 *             what one case accepts.
 */
#include "read/file_layout.h"

#include "read/abstention.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/read_sentences.h"
#include "read/reader.h"
#include "read/shape.h"

#include <string.h>

enum {
    MEMBERS_LOOKED_AT = 64,
    MOST_COLUMNS = 512,
    WRAPPED = 1,        // objects around the members of a case
    MOST_WRAPPERS = 4,  // around cases
    ANY_RANK = 1000,
};

// The first value in a list.
static str first_in(str list)
{
    return str_skip(list, json_scan_space(list, 1));
}

// Has a record one of these, and one alone?
static bool is_of_record(field_kind kind)
{
    return kind == FIELD_ID || field_is_said(kind);
}

bool layout_has_fields(str object, int most, int depth)
{
    json_member m;
    ptrdiff_t at = 1;
    bool is_found = false;
    for (int n = 0; n < MEMBERS_LOOKED_AT && !is_found; n++) {
        if (!json_scan_member(object, &at, &m)) {
            break;
        }
        field f = field_find(m.name);
        bool is_ours = f.rank < most && field_is_said(f.kind);
        is_found = (is_ours && (m.form == '"' || m.form == '['))
                   || (depth > 0 && m.form == '{'
                       && layout_has_fields(m.value, most, depth - 1));
    }
    return is_found;
}

/* Tables. */

typedef struct column {
    json_member m;  // a list or a map of cells, or one value for all rows
    field_kind kind;
    ptrdiff_t at;     // of the next cell
    ptrdiff_t n;      // cells; -1: what is in it are none
    hash128 keys;     // of a map
    bool is_counted;  // the keys are 0, 1, 2, …
    bool has_sql;
} column;

typedef struct table {
    vec_of(column) columns;
    ptrdiff_t n_rows;
    ptrdiff_t n_many;     // columns that are no single value
    const column *first;  // of these; NULL: none
    const column *map;    // the first map; NULL: none
    bool is_told;         // by the name of one
    bool has_each;        // a list of what a record has one of
    bool has_ids;
    bool is_uneven;  // lists of a table, but not of one length
} table;

static bool is_many(const column *c)
{
    return c->m.form == '[' || c->m.form == '{';
}

// A cell is no object, and the keys of a map are no names of members.
static column column_of(const json_member *m, field_aliases own)
{
    column c = {.m = *m,
                .kind = field_find_in(own, m->name).kind,
                .at = 1,
                .is_counted = true};
    json_member cell;
    ptrdiff_t n_sql = 0;
    for (ptrdiff_t at = 1;
         is_many(&c) && c.n >= 0 && json_scan_member(m->value, &at, &cell);) {
        int64_t number = -1;
        hash128 h = hash_bytes(cell.name);
        c.keys.low = hash_mix(c.keys.low, h.low);
        c.keys.high = hash_mix(c.keys.high, h.high);
        c.is_counted &= str_to_int(cell.name, &number) && number == c.n;
        n_sql +=
            cell.form == '"' && extract_starts_query(str_skip(cell.value, 1));
        bool is_none =
            cell.form == '{' || field_is_said(field_find(cell.name).kind);
        c.n = is_none ? -1 : c.n + 1;
    }
    c.has_sql = c.n > 0 && n_sql * 2 > c.n;
    return c;
}

// Has it as many cells as the others, and under the same keys?
static bool fits(const table *t, const column *c)
{
    bool is_map = c->m.form == '{' && t->map;
    return !is_many(c)
           || (c->n == t->n_rows
               && (!is_map
                   || memcmp(&c->keys, &t->map->keys, sizeof c->keys) == 0));
}

static void add_column(table *t, const column *c)
{
    t->n_many += is_many(c);
    t->first = is_many(c) && !t->first ? c : t->first;
    t->map = c->m.form == '{' && !t->map ? c : t->map;
    t->is_told |= is_many(c) && field_is_said(c->kind);
    t->has_ids |= c->kind == FIELD_ID;
}

// One map alone has rows for keys, not the names of models; one list of golds
// is what a case accepts; one row under names that say nothing is a map.
static bool is_table(const table *t)
{
    return t->n_rows > 0 && (t->is_told || t->n_rows > 1)
           && (t->n_many > 1
               || (t->map ? t->map->is_counted : t->first->kind != FIELD_GOLD));
}

// What does not fit is left out, unless it is of what a table is told by.
static bool is_by_column(table *t, str object, field_aliases own, arena *a)
{
    json_member m;
    bool is_one = false;  // record
    bool is_told = true;
    for (ptrdiff_t at = 1; !is_one && json_scan_member(object, &at, &m);) {
        column c = column_of(&m, own);
        bool tells = is_many(&c) && (field_is_said(c.kind) || c.has_sql);
        is_one = m.key.len == 0 || t->columns.len == MOST_COLUMNS
                 || (!is_many(&c) && is_of_record(c.kind));
        t->n_rows = t->n_rows == 0 && tells ? c.n : t->n_rows;
        *vec_push(a, &t->columns) = c;
    }
    ptrdiff_t n = t->columns.len;
    ptrdiff_t n_lists = 0;
    bool is_even = true;
    t->columns.len = 0;
    for (ptrdiff_t i = 0; i < n && !is_one; i++) {
        column *c = &t->columns.ptr[t->columns.len];
        *c = t->columns.ptr[i];
        bool is_each = c->kind == FIELD_ID || c->kind == FIELD_DB
                       || c->kind == FIELD_QUESTION;
        t->has_each |= c->m.form == '[' && is_each;
        n_lists += c->m.form == '[' && is_of_record(c->kind);
        if (fits(t, c)) {
            add_column(t, c);
            t->columns.len++;
        } else {
            is_even &= !is_of_record(c->kind);
            is_told &= !field_is_said(c->kind);
        }
    }
    t->is_uneven = !is_even && t->has_each && n_lists > 2;
    return !is_one && is_told && !t->is_uneven && is_table(t);
}

static void add_value(buf *out, str key, str value)
{
    json_next(out);
    buf_add(out, key);
    buf_char(out, ':');
    buf_add(out, value);
}

static void write_columns(buf *out, table *t)
{
    for (ptrdiff_t row = 0; row < t->n_rows; row++) {
        buf_char(out, '{');
        for (ptrdiff_t i = 0; i < t->columns.len; i++) {
            column *c = &t->columns.ptr[i];
            json_member cell = c->m;
            if (is_many(c)) {
                json_scan_member(c->m.value, &c->at, &cell);
            }
            if (c == t->map && !c->is_counted && !t->has_ids) {
                add_value(out, S("\"id\""), cell.key);
            }
            add_value(out, c->m.key, cell.value);
        }
        buf_add(out, S("}\n"));
    }
}

// A list of texts, of which one says what is asked or answered?
static bool are_names(str list, field_aliases own)
{
    json_member m;
    bool are_texts = true;
    bool is_told = false;
    for (ptrdiff_t at = 1; are_texts && json_scan_member(list, &at, &m);) {
        are_texts = m.form == '"';
        str name = str_sub(m.value, 1, m.value.len - 1);
        is_told |= are_texts && field_is_said(field_find_in(own, name).kind);
    }
    return are_texts && is_told;
}

// False where the row has not as many cells as there are names.
static bool write_row(buf *out, str names, str row)
{
    json_member name;
    json_member cell;
    ptrdiff_t name_at = 1;
    ptrdiff_t cell_at = 1;
    buf_char(out, '{');
    while (json_scan_member(names, &name_at, &name)
           && json_scan_member(row, &cell_at, &cell)) {
        add_value(out, name.value, cell.value);
    }
    buf_add(out, S("}\n"));
    return name.value.len == 0 && !json_scan_member(row, &cell_at, &cell);
}

// Names in one list and rows in another, whatever the two are called. False
// where the object has not both.
static bool write_rows(buf *out, str object, field_aliases own)
{
    json_member m;
    str names = {0};
    str rows = {0};
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &m);) {
        str first = m.form == '[' ? first_in(m.value) : (str){0};
        bool are_texts = str_starts(first, S("\""));
        names = are_texts && are_names(m.value, own) ? m.value : names;
        rows = str_starts(first, S("[")) ? m.value : rows;
    }
    bool is_table = names.len > 0 && rows.len > 0;
    for (ptrdiff_t at = 1; is_table && json_scan_member(rows, &at, &m);) {
        is_table = m.form == '[' && write_row(out, names, m.value);
    }
    return is_table;
}

// What an object is if it stands for several records: a table of them.
static file_layout as_records(str object,
                              field_aliases own,
                              arena *a,
                              arena scratch)
{
    table t = {.n_rows = 0};
    str cases = read_sentences(object, a, scratch);
    if (cases.len > 0) {
        return (file_layout){LAYOUT_TABLE, cases, true,
                             "a case for each sentence, its variables put in"};
    }
    buf out = buf_new(a);
    bool are_rows = write_rows(&out, object, own);
    out.len = are_rows ? out.len : 0;
    if (!are_rows && is_by_column(&t, object, own, &scratch)) {
        write_columns(&out, &t);
    }
    return (file_layout){out.len > 0   ? LAYOUT_TABLE
                         : t.is_uneven ? LAYOUT_UNEVEN
                                       : LAYOUT_RECORDS,
                         buf_str(&out), are_rows || t.has_each,
                         "a table by columns, read record by record"};
}

// The same of objects in a list or one after another, all of which are such;
// one that misses cells counts behind others that do not.
static file_layout all_as_records(str text,
                                  field_aliases own,
                                  arena *a,
                                  arena scratch)
{
    buf out = buf_new(a);
    arena half = arena_half(&scratch);
    file_layout all = {.is_sure = true};
    for (ptrdiff_t at = 0; at >= 0 && at < text.len && all.is_sure;) {
        arena temp = scratch;
        char c = text.ptr[at];
        ptrdiff_t end = c == '{' ? json_scan_value(text, at, NULL) : at + 1;
        if (c == '{') {
            all = as_records(str_sub(text, at, end), own, &temp, half);
            all.is_sure &= all.kind == LAYOUT_TABLE;
            buf_add(&out, all.place);
        }
        all.is_sure &= c == '{' || is_space(c) || memchr(",[]", c, 3);
        at = end;
    }
    all.place = buf_str(&out);
    bool is_it = out.len > 0 && (all.is_sure || all.kind == LAYOUT_UNEVEN);
    return is_it ? all : (file_layout){LAYOUT_RECORDS, text, false, NULL};
}

/* Objects that are no table. */

typedef enum held {
    HELD_OTHER,  // numbers, truth values, the turns of a session
    HELD_BLANK,  // null, "", or that no query answers the question
    HELD_TEXT,   // or a list of texts
    HELD_SQL,    // likewise
    HELD_BIRD,   // with BIRD's separator
    HELD_LIST,   // of objects
    HELD_CASES,  // with SQL or a question in them
    HELD_OBJECT,
    HELD_FIELDS,  // an object with SQL or a question in it
    HELD_COUNT,
} held;

// What the first members of an object are called.
typedef struct name_list {
    str at[MEMBERS_LOOKED_AT];
    int n;
} name_list;

static name_list names_of(str object)
{
    name_list all = {.n = 0};
    json_member m;
    ptrdiff_t at = 1;
    while (all.n < MEMBERS_LOOKED_AT && json_scan_member(object, &at, &m)) {
        all.at[all.n++] = m.name;
    }
    return all;
}

static bool share_a_name(const name_list *x, const name_list *y)
{
    bool is_found = false;
    for (int i = 0; i < x->n * y->n && !is_found; i++) {
        is_found = str_equal(x->at[i % x->n], y->at[i / x->n]);
    }
    return is_found;
}

// The members of one object, counted by what they hold.
typedef struct look {
    ptrdiff_t n[HELD_COUNT];
    ptrdiff_t all;
    ptrdiff_t known;  // with names of members of records
    ptrdiff_t told;   // of these the ones that make it a record
    ptrdiff_t nulls;
    ptrdiff_t alike;  // objects with fields that share a name with the first
    str list;         // the last list of cases, else of objects
    name_list first;  // object with fields: what it has
} look;

// Where the cases may stand.
typedef struct layout_search {
    const dataset *set;
    arena *a;
    arena scratch;
    file_layout at;  // the last place
    ptrdiff_t n;     // places
    ptrdiff_t most;  // cases in one of them
} layout_search;

// Does the text, or the first of the list, begin as SQL?
static bool is_sql_value(const layout_search *f, str value)
{
    ptrdiff_t used = 0;
    arena temp = f->scratch;
    value = str_starts(value, S("[")) ? first_in(value) : value;
    const json *j = json_parse_prefix(&temp, value, &used, NULL);
    bool is_text = j && j->kind == JSON_KIND_STRING;
    return is_text
           && (extract_starts_sql(j->text)
               || (f->set->given.role == DATASET_PRED
                   && extract_is_wrapped(j->text)));
}

static bool has_role(str message)
{
    return str_starts(json_scan_get(message, S("role")), S("\""))
           || str_starts(json_scan_get(message, S("from")), S("\""));
}

static held held_by(const layout_search *f,
                    const json_member *m,
                    field_kind kind)
{
    str first = m->form == '[' ? first_in(m->value) : (str){0};
    bool is_list = str_starts(first, S("{")) && !has_role(first);
    if (m->form == '{') {
        return layout_has_fields(m->value, ANY_RANK, 0) ? HELD_FIELDS
                                                        : HELD_OBJECT;
    }
    if (is_list && kind == FIELD_INTERACTION) {
        return HELD_OTHER;
    }
    if (is_list) {
        return layout_has_fields(first, FIELD_WEAK, WRAPPED) ? HELD_CASES
                                                             : HELD_LIST;
    }
    if (str_among(m->value, "\"\" [] null") || abstention_is_word(m->value)) {
        return HELD_BLANK;
    }
    bool is_bird = str_find(m->value, S("----- bird -----"), 0) > 0;
    return m->form == '"' && is_bird          ? HELD_BIRD
           : m->form != '"' && m->form != '[' ? HELD_OTHER
           : is_sql_value(f, m->value)        ? HELD_SQL
                                              : HELD_TEXT;
}

static look look_at(const layout_search *f, str object)
{
    look n = {0};
    json_member m;
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &m); n.all++) {
        field_kind kind = field_find_in(f->set->given.names, m.name).kind;
        held h = held_by(f, &m, kind);
        bool is_better =
            h == HELD_CASES || (h == HELD_LIST && n.n[HELD_CASES] == 0);
        if (h == HELD_FIELDS) {
            // The first may be long: it is not gone over for each one.
            name_list own = names_of(m.value);
            n.first = n.n[h] == 0 ? own : n.first;
            n.alike += share_a_name(&own, &n.first);
        }
        n.list = is_better ? m.value : n.list;
        n.known += kind != FIELD_NONE;
        n.told += is_of_record(kind) && h < HELD_LIST;
        n.nulls += m.form == 'n';
        n.n[h]++;
    }
    return n;
}

// Ids and SQL: golds all of them, of answers at least half. Even "id" may be a
// key, when all values are BIRD's.
static bool is_map_of_sql(const layout_search *f, const look *n, int depth)
{
    ptrdiff_t sql = n->n[HELD_SQL] + n->n[HELD_BIRD];
    ptrdiff_t said = sql + n->n[HELD_TEXT];
    ptrdiff_t least =
        f->set->given.role == DATASET_PRED ? (said + 1) / 2 : said;
    return (n->n[HELD_BIRD] == n->all && n->all > 1)
           || (n->known == 0 && said + n->n[HELD_BLANK] == n->all
               && sql >= least && n->all > 0 && (sql > 0 || depth == 0));
}

// Ids and objects that are alike; at the top one of them may have failed, but
// objects of which each has something else are the parts of one record.
static bool is_map_of_records(const look *n, int depth)
{
    ptrdiff_t fields = n->n[HELD_FIELDS];
    ptrdiff_t objects = fields + n->n[HELD_OBJECT];
    return n->known == 0 && objects > 0
           && (depth > 0 ? n->alike == n->all
                         : objects > 1 && objects + n->nulls == n->all
                               && (fields < 2 || n->alike > 1));
}

static void add_places(layout_search *f,
                       ptrdiff_t n,
                       file_layout at,
                       ptrdiff_t n_cases)
{
    f->n += n;
    f->at = n > 0 ? at : f->at;
    f->most = n > 0 && n_cases > f->most ? n_cases : f->most;
}

static void find_in(layout_search *f, str object, int depth)
{
    file_layout many =
        as_records(object, f->set->given.names, f->a, f->scratch);
    if (many.kind != LAYOUT_RECORDS) {
        add_places(f, 1, many, 1 + many.is_sure);
        return;
    }
    look n = look_at(f, object);
    if (is_map_of_sql(f, &n, depth)) {
        add_places(f, 1, (file_layout){LAYOUT_TEXTS, .place = object}, n.all);
        return;
    }
    if (n.told > 0) {
        return;
    }
    layout_search below = {.set = f->set, .a = f->a, .scratch = f->scratch};
    json_member m;
    add_places(&below, n.n[HELD_CASES],
               (file_layout){LAYOUT_RECORDS, .place = n.list}, 2);
    for (ptrdiff_t at = 1;
         depth < MOST_WRAPPERS && json_scan_member(object, &at, &m);) {
        if (m.form == '{') {
            find_in(&below, m.value, depth + 1);
        }
    }
    // Several maps of one member each are the models that answered, several
    // lists of golds what each case accepts.
    if (below.n == 1 || below.most > 1) {
        add_places(f, below.n, below.at, below.most);
    } else if (is_map_of_records(&n, depth)) {
        add_places(f, 1, (file_layout){LAYOUT_MAP, .place = object}, n.all);
    } else if (depth == 0 && n.n[HELD_LIST] + n.n[HELD_CASES] == 1) {
        add_places(f, 1, (file_layout){LAYOUT_RECORDS, .place = n.list}, 1);
    }
}

file_layout layout_of(dataset *set, arena *a, arena scratch)
{
    file_layout at = {LAYOUT_RECORDS, .place = set->text};
    str text = str_trim(set->text);
    bool is_alone =
        str_starts(text, S("{")) && json_scan_value(text, 0, NULL) == text.len;
    if (set->given.is_record || shape_is(set->format)) {
        str list = is_alone ? shape_root(set->format, text) : (str){0};
        at.place = list.len > 0 ? list : at.place;
        return at;
    }
    layout_search f = {.set = set, .a = a, .scratch = scratch};
    if (is_alone) {
        find_in(&f, text, 0);
    } else {
        at = all_as_records(set->text, set->given.names, a, scratch);
    }
    at = f.n == 1 ? f.at : at;
    at.kind = f.n > 1 ? LAYOUT_SEVERAL : at.kind;
    if (at.kind == LAYOUT_TABLE) {
        set->text = at.place;
        reader_note(set, a, "%s", at.how);
    }
    return at;
}
