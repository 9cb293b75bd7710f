/*
 * object_file.c - a text is a table unless it begins as JSON does. Each row
 * becomes an object in the line that it has in the table. The text is read
 * once, and kept once more as JSON.
 */
#include "read/object_file.h"

#include "base/json_write.h"
#include "read/csv_table.h"
#include "read/encoding.h"

const char pair_lefts[] = "left q1 gold query1 sql1";
const char pair_rights[] = "right q2 pred query2 sql2";

static bool has_pairs(const str *names, ptrdiff_t n)
{
    bool has_left = false;
    bool has_right = false;
    for (ptrdiff_t i = 0; i < n; i++) {
        has_left |= str_among_fold(names[i], pair_lefts);
        has_right |= str_among_fold(names[i], pair_rights);
    }
    return has_left && has_right;
}

const object_table pair_table = {
    has_pairs,
    "pairs are objects of JSON, or a table with the columns left and right (or "
    "q1 and q2, gold and pred)",
    .is_strict = true,
};

static ptrdiff_t has_names(csv_table *t, const void *with, arena scratch)
{
    const object_table *how = with;
    (void)scratch;
    return how->has_names(t->names, t->n_names);
}

// Names in lower case.
static void fold_names(csv_table *t, arena *a)
{
    str *names = arena_copy(a, t->names, t->n_names, 0);
    for (ptrdiff_t i = 0; i < t->n_names; i++) {
        names[i] = arena_lower(a, names[i]);
    }
    t->names = names;
}

static void add_object(buf *lines, const json *object, bool is_strict)
{
    json_write(lines, json_begin('{'));
    for (const json *m = object->child; m; m = m->next) {
        json_write(lines, member_if(m->text.len > 0 || !is_strict,
                                    member_text(m->key, m->text)));
    }
    buf_char(lines, '}');
}

// Each row in the line that it has in the table, so that messages can name it.
static bool add_rows(buf *lines,
                     const csv_table *t,
                     bool is_strict,
                     diag *d,
                     arena scratch)
{
    csv_row row = {0};
    csv_status status;
    ptrdiff_t seen = 0;
    ptrdiff_t at = t->from;
    while ((status = csv_table_next(t, &at, &row, d, &scratch)) == CSV_ROW) {
        arena temp = scratch;
        for (; seen < row.from; seen++) {
            buf_repeat(lines, '\n', t->text.ptr[seen] == '\n');
        }
        if (is_strict && !csv_table_fits(t, &row, d)) {
            return false;
        }
        add_object(lines, csv_table_object(t, &row, &temp), is_strict);
    }
    return status == CSV_END;
}

static bool add_table(buf *lines,
                      const object_table *how,
                      str path,
                      str text,
                      diag *d,
                      arena scratch)
{
    csv_table t = {0};
    diag_place first = {.file = path, .line = 1};
    if (!csv_table_find(&t, path, text, 0, has_names, how, &scratch)) {
        return diag_add(d, first, "%s", how->expected);
    }
    if (how->is_strict) {
        fold_names(&t, &scratch);
    }
    str twice = how->is_strict ? csv_table_twice(&t) : (str){0};
    if (twice.len > 0) {
        return diag_add(d, first, "two columns are called %.*s",
                        STR_ARG(twice));
    }
    return add_rows(lines, &t, how->is_strict, d, scratch);
}

bool object_file_text(str *text,
                      arena *a,
                      str bytes,
                      str path,
                      str encoding,
                      const object_table *table,
                      diag *d,
                      arena scratch)
{
    ptrdiff_t n_replaced = 0;
    const file_map file = {.bytes = bytes, .path = path};
    if (!encoding_read(text, &n_replaced, a, &file, encoding, d)) {
        return false;
    }
    str first = str_sub(str_trim(*text), 0, 1);
    if (first.len == 0 || str_find(S("{["), first, 0) >= 0) {
        return true;
    }
    buf lines = buf_new(a);
    bool ok = add_table(&lines, table, path, *text, d, scratch);
    *text = buf_str(&lines);
    return ok;
}
