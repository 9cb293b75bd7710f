/*
 * read_turned.c - see read_turned.h.
 *
 * Method      An object is a table by columns when its lists, or its maps from
 *             row to value, with names that say SQL or a question, or with SQL
 *             in them, all have as many members (maps: the same ones), and when
 *             no member says that it is one record: a single id or question.
 *             Lists and maps of other lengths are left out. Then a list under
 *             `gold` holds the golds of as many records, not the accepted golds
 *             of one.
 *
 *             Maps whose keys are not 0, 1, 2, … give the records their ids.
 */
#include "read/read_turned.h"

#include "read/extract_scan.h"
#include "read/json_scan.h"

typedef struct turned_column {
    str key;    // with its quotes
    str value;  // in brackets, or a single value
    field_kind kind;
    ptrdiff_t at;
    bool is_many;
    bool is_map;
    ptrdiff_t n;      // rows; -1: what is in it are no rows
    hash128 keys;     // of a map
    bool is_counted;  // the keys are 0, 1, 2, ...
    bool has_sql;
} turned_column;

typedef struct turned {
    vec_of(turned_column) columns;
    ptrdiff_t n_many;  // columns that are no single value
    ptrdiff_t n_rows;
    const turned_column *map;  // the first; NULL: none
    bool has_id;
    bool has_golds;  // a list under a name of golds
    bool has_each;   // a list of what a record has one of
} turned;

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

// Counts the members of a column. A row is no object, and the keys of a map are
// no names of members.
static void count_rows(turned_column *c)
{
    ptrdiff_t n_sql = 0;
    str key = {0};
    ptrdiff_t at = 1;
    c->is_counted = true;
    for (str v = element(c->value, &at, &key); v.len > 0;
         v = element(c->value, &at, &key), c->n++) {
        int64_t number = -1;
        hash128 h = hash_bytes(key);
        c->keys.low = hash_mix(c->keys.low, h.low);
        c->keys.high = hash_mix(c->keys.high, h.high);
        c->is_counted &= str_to_int(inner_key(key), &number) && number == c->n;
        n_sql += v.ptr[0] == '"' && extract_starts_query(str_skip(v, 1));
        if (v.ptr[0] == '{' || field_is_said(field_find(inner_key(key)).kind)) {
            c->n = -1;
            return;
        }
    }
    c->has_sql = n_sql * 2 > c->n;
}

static turned_column column_of(str object, json_member m, field_aliases own)
{
    str key = str_sub(object, m.key, m.value);
    key = str_sub(key, 0, json_scan_value(key, 0, NULL));
    char first = object.ptr[m.value];
    turned_column c = {.key = key,
                       .value = str_sub(object, m.value, m.end),
                       .kind = field_find_in(own, inner_key(key)).kind,
                       .at = 1,
                       .is_many = first == '[' || first == '{',
                       .is_map = first == '{'};
    if (c.is_many) {
        count_rows(&c);
    }
    return c;
}

// Is it a single value, or has it as many rows as the others, and the same?
static bool fits(const turned *t, const turned_column *c)
{
    return !c->is_many
           || (c->n == t->n_rows
               && (!c->is_map || !t->map
                   || (c->keys.low == t->map->keys.low
                       && c->keys.high == t->map->keys.high)));
}

static void add_column(turned *t, const turned_column *c)
{
    bool is_list = c->is_many && !c->is_map;
    t->map = c->is_map && !t->map ? c : t->map;
    t->n_many += c->is_many;
    t->has_id |= c->kind == FIELD_ID && c->is_many;
    t->has_each |= is_list
                   && (c->kind == FIELD_ID || c->kind == FIELD_DB
                       || c->kind == FIELD_QUESTION);
    t->has_golds |= is_list && c->kind == FIELD_GOLD;
}

// What does not fit is left out, unless it is of what a table is told by.
static bool find_columns(turned *t, arena *a, field_aliases own, str object)
{
    json_member m = {0};
    bool is_table = true;
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &m);) {
        turned_column c = column_of(object, m, own);
        bool is_sql = field_is_said(c.kind);
        *vec_push(a, &t->columns) = c;
        is_table &=
            c.key.len > 0 && (c.is_many || (c.kind != FIELD_ID && !is_sql));
        t->n_rows = t->n_rows == 0 && c.is_many && (is_sql || c.has_sql)
                        ? c.n
                        : t->n_rows;
    }
    ptrdiff_t n = 0;
    ptrdiff_t n_maps = 0;
    for (ptrdiff_t i = 0; i < t->columns.len && is_table; i++) {
        turned_column *c = &t->columns.ptr[i];
        bool does_fit = fits(t, c);
        is_table &= does_fit || !field_is_said(c->kind);
        if (does_fit) {
            t->columns.ptr[n] = *c;
            add_column(t, &t->columns.ptr[n++]);
            n_maps += c->is_map;
        }
    }
    t->columns.len = n;
    // One map alone has rows for keys, not the names of models; one list of
    // golds alone is what a case accepts.
    return is_table && t->n_rows > 0 && (n_maps != 1 || t->map->is_counted)
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
            if (c == t->map && !c->is_counted && !t->has_id) {
                add_value(&out, S("\"id\""), key);
            }
            add_value(&out, c->key, v);
        }
        buf_add(&out, S("}\n"));
    }
    return buf_str(&out);
}

// Is it a list of names, of which one says what is asked or answered?
static bool are_names(str list, field_aliases own)
{
    str none = {0};
    ptrdiff_t at = 1;
    bool is_found = false;
    for (str name = element(list, &at, &none); name.len > 0;
         name = element(list, &at, &none)) {
        if (name.ptr[0] != '"') {
            return false;
        }
        is_found |= field_is_said(field_find_in(own, inner_key(name)).kind);
    }
    return is_found;
}

// A row as an object; false where it has not as many cells as there are names.
static bool add_row(buf *out, str names, str row)
{
    str none = {0};
    ptrdiff_t name_at = 1;
    ptrdiff_t cell_at = 1;
    str name = element(names, &name_at, &none);
    str cell = element(row, &cell_at, &none);
    buf_char(out, '{');
    while (name.len > 0 && cell.len > 0) {
        add_value(out, name, cell);
        name = element(names, &name_at, &none);
        cell = element(row, &cell_at, &none);
    }
    buf_add(out, S("}\n"));
    return name.len == 0 && cell.len == 0;
}

// {"columns": [...], "index": [...], "data": [[...], ...]}, whatever its
// members are called.
static str by_split(str object, field_aliases own, arena *a)
{
    str names = {0};
    str rows = {0};
    json_member m = {0};
    for (ptrdiff_t at = 1; json_scan_member(object, &at, &m);) {
        str value = str_sub(object, m.value, m.end);
        bool is_list = str_starts(value, S("["));
        char first =
            is_list ? object.ptr[json_scan_space(object, m.value + 1)] : '\0';
        names = first == '"' && are_names(value, own) ? value : names;
        rows = first == '[' ? value : rows;
    }
    buf out = buf_new(a);
    str none = {0};
    ptrdiff_t at = 1;
    bool is_table = names.len > 0 && rows.len > 0;
    for (str row = is_table ? element(rows, &at, &none) : (str){0};
         row.len > 0 && is_table; row = element(rows, &at, &none)) {
        is_table = row.ptr[0] == '[' && add_row(&out, names, row);
    }
    return is_table ? buf_str(&out) : (str){0};
}

str read_turned(str object, field_aliases own, arena *a)
{
    turned t = {.n_rows = 0};
    str split = by_split(object, own, a);
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
