/*
 * shape.c - see shape.h.
 *
 * Method      A path is walked twice over: in bytes, to tell formats apart and
 *             to find the list of records in a file of any size, and in the
 *             parsed record (member_value.h).
 *
 * Cost        A walk in bytes is linear in what lies before the value.
 */
#include "read/shape.h"

#include "read/json_scan.h"
#include "read/member_value.h"

typedef enum row_kind {
    ROW_SIGN,
    ROW_ROOT,
    ROW_PATH,
    ROW_FAILED,
    ROW_NAMED,
} row_kind;

typedef struct shape_row {
    dataset_format format;
    row_kind is;
    field_kind kind;  // of a PATH
    str path;
    str also;  // of a SIGN; the word of a FAILED
} shape_row;

static const shape_row rows[] = {
#define SIGN(format, path, also) \
    {FORMAT_##format, ROW_SIGN, FIELD_NONE, S_INIT(path), S_INIT(also)},
#define ROOT(format, path) \
    {FORMAT_##format, ROW_ROOT, FIELD_NONE, S_INIT(path), {0}},
#define PATH(format, kind, path) \
    {FORMAT_##format, ROW_PATH, FIELD_##kind, S_INIT(path), {0}},
#define FAILED(format, path, word) \
    {FORMAT_##format, ROW_FAILED, FIELD_NONE, S_INIT(path), S_INIT(word)},
#define NAMED(format, path) \
    {FORMAT_##format, ROW_NAMED, FIELD_NONE, S_INIT(path), {0}},
#include "read/shape.def"
};

// The next row of that kind after `last`, the first one after NULL; NULL: none.
// FORMAT_COUNT: of any format.
static const shape_row *next_row(const shape_row *last,
                                 row_kind is,
                                 dataset_format f)
{
    const shape_row *row = last ? last + 1 : rows;
    const shape_row *end = rows + countof(rows);
    while (row < end
           && (row->is != is || (f != FORMAT_COUNT && row->format != f))) {
        row++;
    }
    return row < end ? row : NULL;
}

// The value at a path of names, of which `*` is any member of an object and 0
// the first element of a list; empty: there is none.
static str scan_path(str value, str path)
{
    while (path.len > 0 && value.len > 0) {
        str step = str_cut(&path, '.');
        json_member first = {.form = '\0'};
        ptrdiff_t at = 1;
        bool is_first = str_starts(value, str_equal(step, S("*"))   ? S("{")
                                          : str_equal(step, S("0")) ? S("[")
                                                                    : S("none"))
                        && json_scan_member(value, &at, &first);
        value = is_first ? first.value : json_scan_get(value, step);
    }
    return value;
}

dataset_format shape_of(str first_object, bool is_ours)
{
    for (const shape_row *row = NULL;
         (row = next_row(row, ROW_SIGN, FORMAT_COUNT)) != NULL;) {
        if (scan_path(first_object, row->path).len > 0
            && scan_path(first_object, row->also).len > 0
            && (!is_ours || !shape_is(row->format))) {
            return row->format;
        }
    }
    return FORMAT_COUNT;
}

bool shape_is(dataset_format f)
{
    return next_row(NULL, ROW_PATH, f) != NULL;
}

str shape_root(dataset_format f, str object)
{
    const shape_row *row = next_row(NULL, ROW_ROOT, f);
    return row ? scan_path(object, row->path) : (str){0};
}

void shape_count(dataset_format f,
                 file_columns *c,
                 arena *a,
                 field_aliases own,
                 const json *object,
                 arena scratch)
{
    c->n_records++;
    int n = 0;  // of a kind; the first that is there counts
    for (const shape_row *row = NULL, *last = NULL;
         (row = next_row(row, ROW_PATH, f)) != NULL; last = row) {
        arena temp = scratch;
        n = last && last->kind == row->kind ? n + 1 : 0;
        const json *v = value_at(object, row->path, &temp);
        if (v) {
            columns_add_value(c, a, row->path,
                              (field){row->kind, n, FIELD_BY_FORMAT}, v, temp);
        }
    }
    for (const json *m = object->child; m; m = m->next) {
        field named = field_find_in(own, m->key);
        if (named.why == FIELD_BY_USER || field_is_figure(named.kind)) {
            columns_add_value(c, a, m->key, named, m, scratch);
        }
    }
    for (const shape_row *row = NULL;
         (row = next_row(row, ROW_NAMED, f)) != NULL;) {
        const json *inner = value_at(object, row->path, &scratch);
        if (inner && inner->kind == JSON_KIND_OBJECT) {
            columns_add_inside(c, a, own, row->path, inner, scratch);
        }
    }
}

// An error in a few words: what it is called, else what it says.
static str error_text(const json *j, arena *a)
{
    static const str names[] = {S_INIT("code"), S_INIT("type"),
                                S_INIT("message")};
    str text = {0};
    for (ptrdiff_t i = 0; j->kind == JSON_KIND_OBJECT && i < countof(names);
         i++) {
        const json *m = json_get(j, names[i]);
        if (m && json_scalar_text(a, m, &text) && text.len > 0) {
            return text;
        }
    }
    json_scalar_text(a, j, &text);
    return j->kind == JSON_KIND_OBJECT ? S("failed") : text;
}

str shape_failure(dataset_format f, const json *object, arena *a)
{
    for (const shape_row *row = NULL;
         (row = next_row(row, ROW_FAILED, f)) != NULL;) {
        const json *why = value_at(object, row->path, a);
        str text = why ? error_text(why, a) : (str){0};
        if (text.len > 0 && !str_equal(text, row->also)) {
            return text;
        }
    }
    return (str){0};
}
