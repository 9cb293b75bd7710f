/*
 * read_turned.c - see read_turned.h.
 *
 * Method      An object is a table by columns when its lists, or its maps from
 *             row to value, all have as many members (maps: the same ones),
 *             when one of them has a name that says SQL or a question, or holds
 *             SQL, and when no member says that it is one record: a single id
 *             or question. Then a list under `gold` holds the golds of as many
 *             records, not the accepted golds of one.
 *
 *             Maps whose keys are not 0, 1, 2, … give the records their ids.
 */
#include "read/read_turned.h"

#include "read/extract_scan.h"
#include "read/json_scan.h"

typedef struct turned_column {
    str key;    // with its quotes
    str value;  // in brackets, or a single value
    ptrdiff_t at;
    bool is_many;
    bool is_map;
} turned_column;

typedef struct turned {
    vec_of(turned_column) columns;
    ptrdiff_t n_many;  // columns that are no single value
    ptrdiff_t n_rows;  // -1: not known yet
    ptrdiff_t n_maps;
    hash128 keys;     // of the maps
    bool is_counted;  // the keys are 0, 1, 2, …
    bool has_sql;
    bool has_id;
    bool has_golds;  // a list under a name of golds
    bool has_each;   // a list of what a record has one of
} turned;

static bool is_sql_name(field_kind kind)
{
    return kind == FIELD_GOLD || kind == FIELD_PRED || kind == FIELD_SQL
           || kind == FIELD_QUESTION;
}

static str inner_key(str key)
{
    return key.len >= 2 ? str_sub(key, 1, key.len - 1) : key;
}

static str element(str value, ptrdiff_t *at, str *key)
{
    json_member m = {0};
    if (!json_scan_member(value, at, &m)) {
        return (str){0};
    }
    *key = m.key == m.value ? (str){0} : str_sub(value, m.key, m.value);
    ptrdiff_t end = key->len > 0 ? json_scan_value(*key, 0, NULL) : 0;
    *key = end < 0 ? *key : str_sub(*key, 0, end);
    return str_sub(value, m.value, m.end);
}

// Counts the members of a column; false where a row is itself an object, where
// the keys are not those of the other maps, or are names of members.
static bool count_rows(turned *t, const turned_column *c)
{
    hash128 keys = {0};
    ptrdiff_t n = 0;
    ptrdiff_t n_sql = 0;
    bool is_counted = true;
    str key = {0};
    ptrdiff_t at = 1;
    for (str v = element(c->value, &at, &key); v.len > 0;
         v = element(c->value, &at, &key), n++) {
        int64_t number = -1;
        hash128 h = hash_bytes(key);
        keys.low = hash_mix(keys.low, h.low);
        keys.high = hash_mix(keys.high, h.high);
        is_counted &= str_to_int(inner_key(key), &number) && number == n;
        n_sql += v.ptr[0] == '"' && extract_starts_query(str_skip(v, 1));
        if (v.ptr[0] == '{' || is_sql_name(field_find(inner_key(key)).kind)) {
            return false;
        }
    }
    bool fits = n > 0 && (t->n_rows < 0 || t->n_rows == n);
    if (c->is_map) {
        fits &= t->n_maps == 0
                || (t->keys.low == keys.low && t->keys.high == keys.high);
        t->is_counted = is_counted;
        t->keys = keys;
        t->n_maps++;
    }
    t->n_rows = n;
    t->has_sql |= n_sql * 2 > n;
    return fits;
}

static bool add_column(turned *t, arena *a, field_aliases own, turned_column c)
{
    field_kind kind = field_find_in(own, inner_key(c.key)).kind;
    bool is_sql = is_sql_name(kind);
    *vec_push(a, &t->columns) = c;
    t->n_many += c.is_many;
    t->has_sql |= is_sql && c.is_many;
    t->has_id |= kind == FIELD_ID && c.is_many;
    t->has_each |=
        (kind == FIELD_ID || kind == FIELD_DB || kind == FIELD_QUESTION)
        && c.is_many && !c.is_map;
    t->has_golds |= kind == FIELD_GOLD && c.is_many && !c.is_map;
    bool is_record =
        !c.is_many && (kind == FIELD_ID || kind == FIELD_QUESTION || is_sql);
    return !is_record && (!c.is_many || count_rows(t, &c));
}

static bool find_columns(turned *t, arena *a, field_aliases own, str object)
{
    json_member m = {0};
    t->n_rows = -1;
    bool fits = true;
    for (ptrdiff_t at = 1; fits && json_scan_member(object, &at, &m);) {
        str key = str_sub(object, m.key, m.value);
        ptrdiff_t end = json_scan_value(key, 0, NULL);
        char first = object.ptr[m.value];
        fits = end > 0
               && add_column(t, a, own,
                             (turned_column){
                                 .key = str_sub(key, 0, end),
                                 .value = str_sub(object, m.value, m.end),
                                 .at = 1,
                                 .is_many = first == '[' || first == '{',
                                 .is_map = first == '{',
                             });
    }
    // One map alone has rows for keys, not the names of models; one list of
    // golds alone is what a case accepts.
    return fits && t->has_sql && t->n_rows > 0
           && (t->n_maps != 1 || t->is_counted)
           && !(t->n_many == 1 && t->has_golds);
}

static void add_value(buf *out, str key, str value)
{
    json_next(out);
    buf_add(out, key);
    buf_char(out, ':');
    buf_add(out, value);
}

static str by_column(turned *t, arena *a)
{
    buf out = buf_new(a);
    for (ptrdiff_t row = 0; row < t->n_rows; row++) {
        buf_char(&out, '{');
        for (ptrdiff_t i = 0; i < t->columns.len; i++) {
            turned_column *c = &t->columns.ptr[i];
            str key = {0};
            str v = c->is_many ? element(c->value, &c->at, &key) : c->value;
            bool is_first_map = c->is_map && t->n_maps > 0;
            if (is_first_map && !t->is_counted && !t->has_id
                && out.ptr[out.len - 1] == '{') {
                add_value(&out, S("\"id\""), key);
            }
            add_value(&out, c->key, v);
        }
        buf_add(&out, S("}\n"));
    }
    return buf_str(&out);
}

// {"columns": [...], "index": [...], "data": [[...], ...]}
static str by_split(str object, arena *a)
{
    str names = {0};
    str rows = {0};
    json_member m = {0};
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &m);) {
        str key = str_sub(object, m.key, m.value);
        str value = str_sub(object, m.value, m.end);
        names = str_starts(key, S("\"columns\"")) ? value : names;
        rows = str_starts(key, S("\"data\"")) ? value : rows;
    }
    if (!str_starts(names, S("[")) || !str_starts(rows, S("["))) {
        return (str){0};
    }
    buf out = buf_new(a);
    str none = {0};
    ptrdiff_t at = 1;
    for (str row = element(rows, &at, &none); row.len > 0;
         row = element(rows, &at, &none)) {
        ptrdiff_t name_at = 1;
        ptrdiff_t cell_at = 1;
        buf_char(&out, '{');
        for (str name = element(names, &name_at, &none); name.len > 0;
             name = element(names, &name_at, &none)) {
            str cell =
                row.ptr[0] == '[' ? element(row, &cell_at, &none) : (str){0};
            if (name.ptr[0] != '"' || cell.len == 0) {
                return (str){0};
            }
            add_value(&out, name, cell);
        }
        buf_add(&out, S("}\n"));
    }
    return buf_str(&out);
}

str read_turned(str object, field_aliases own, arena *a)
{
    turned t = {0};
    str split = by_split(object, a);
    if (split.len > 0) {
        return split;
    }
    return find_columns(&t, a, own, object) ? by_column(&t, a) : (str){0};
}

str read_turned_lines(str text, field_aliases own, arena *a)
{
    buf out = buf_new(a);
    ptrdiff_t at = json_scan_space(text, 0);
    for (ptrdiff_t n = 0; at < text.len; n++) {
        turned t = {0};
        ptrdiff_t end =
            text.ptr[at] == '{' ? json_scan_value(text, at, NULL) : -1;
        bool fits = end > 0 && find_columns(&t, a, own, str_sub(text, at, end))
                    && t.has_each && (n > 0 || t.n_rows > 1);
        if (!fits) {
            return (str){0};
        }
        buf_add(&out, by_column(&t, a));
        at = json_scan_space(text, end);
    }
    return buf_str(&out);
}
