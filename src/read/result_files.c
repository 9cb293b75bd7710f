/*
 * result_files.c - see result_files.h.
 *
 * Method      The folder is listed once and its files are mapped, so that only
 *             what is looked at takes memory. A record finds its own by their
 *             names, in the order a to z; that is the order in which nested
 *             condition_cols are given.
 */
#include "read/result_files.h"

#include "base/hash.h"
#include "read/csv_scan.h"
#include "read/member_value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_RESULTS = 27,  // ID, ID_a to ID_z
};

static result_file *add_file(result_files *f, arena *a, str name)
{
    map_add(&f->names, a, name);
    result_file *file = vec_push(a, &f->list);
    *file = (result_file){0};
    return file;
}

static bool is_result(str name)
{
    return str_ends_fold(name, S(".csv")) || str_ends_fold(name, S(".parquet"));
}

// The one line of a diag that holds a failure.
static str said(arena *a, const diag *d)
{
    return d->messages.len > 0 ? diag_format(a, d->messages.ptr[0]) : (str){0};
}

static void open_file(result_file *to, arena *a, str path)
{
    diag why = diag_new(a);
    if (!file_open(&to->file, a, path, &why)) {
        to->error = said(a, &why);
    } else if (str_ends_fold(path, S(".parquet"))) {
        to->is_parquet = to->file.bytes.len > 0;
        to->error = to->is_parquet
                        ? S("a Parquet file, which only assay score reads")
                        : S("an empty file");
    }
}

static bool open_all(result_files *f, arena *a, diag *d)
{
    str_list names = {0};
    bool ok = file_names(&names, a, f->folder, d);
    for (ptrdiff_t i = 0; i < names.len; i++) {
        str name = names.ptr[i];
        if (is_result(name)) {
            open_file(add_file(f, a, name), a,
                      file_in_folder(a, f->folder, name));
        }
    }
    return ok
           && (f->list.len > 0
               || diag_add(d, (diag_place){.file = f->folder},
                           "there is no ID.csv and no ID.parquet in this "
                           "folder"));
}

// The file of conditions in the folder: the first *eval*.jsonl; empty: none.
static str conditions_path(arena *a, str path)
{
    str_list names = {0};
    diag unsaid = diag_new(a);
    str found = {0};
    file_names(&names, a, path, &unsaid);
    for (ptrdiff_t i = 0; i < names.len && found.len == 0; i++) {
        bool is = str_ends_fold(names.ptr[i], S(".jsonl"))
                  && str_find(names.ptr[i], S("eval"), 0) >= 0;
        found = is ? file_in_folder(a, path, names.ptr[i]) : found;
    }
    return found;
}

static bool read_conditions(result_files *f,
                            arena *a,
                            str path,
                            diag *d,
                            arena scratch)
{
    file_map file;
    if (!file_open(&file, &scratch, path, d)) {
        return false;
    }
    f->conditions_hash = hash64(file.bytes);
    str rest = file.bytes;
    bool ok = true;
    for (int64_t line = 1; rest.len > 0 && ok; line++) {
        str text = str_trim(str_cut(&rest, '\n'));
        json_error error = {0};
        const json *j =
            text.len > 0 ? json_parse(a, arena_str(a, text), &error) : NULL;
        str id = json_get_text(j, S("instance_id"));
        ok = text.len == 0 || id.len > 0
             || diag_add(d, (diag_place){.file = path, .line = line}, "%s",
                         j ? "no instance_id" : error.message);
        if (id.len > 0 && map_find(&f->ids, id) < 0) {
            map_add(&f->ids, a, id);
            *vec_push(a, &f->conditions) = j;
        }
    }
    file_close(&file);
    return ok;
}

bool result_files_open(result_files *f,
                       arena *a,
                       str folder,
                       diag *d,
                       arena scratch)
{
    str inner = file_in_folder(a, folder, S("exec_result"));
    bool is_whole = file_is_folder(arena_cstr(&scratch, inner));
    f->folder = is_whole ? inner : arena_str(a, folder);
    str path = is_whole ? conditions_path(a, folder) : (str){0};
    return open_all(f, a, d)
           && (path.len == 0 || read_conditions(f, a, path, d, scratch));
}

void result_files_close(result_files *f)
{
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        file_close(&f->list.ptr[i].file);
    }
    *f = (result_files){0};
}

void result_files_add(result_files *f, arena *a, str folder, const record *r)
{
    for (ptrdiff_t i = 0; i < r->n_results; i++) {
        str name = r->results[i].name;
        if (name.len == 0 || map_find(&f->names, name) >= 0) {
            continue;
        }
        name = arena_str(a, name);
        result_file *file = add_file(f, a, name);
        file->is_taken = true;  // by this record
        diag why = diag_new(a);
        str path = {0};
        if (str_starts(name, S("/")) || str_find(name, S(".."), 0) >= 0) {
            file->error =
                S("a result lies in the folder of its cases or below it");
        } else if (!file_below(&path, a, folder, name, &why)) {
            file->error = said(a, &why);
        } else {
            open_file(file, a, path);
        }
    }
}

// Gives the result the bytes of its file.
static void find_bytes(const result_files *f, record_result *r)
{
    ptrdiff_t at = map_find(&f->names, r->name);
    if (r->error.len > 0) {
        return;
    }
    if (at < 0) {
        r->error = S("a file can be named in a file of cases only");
        return;
    }
    result_file *file = &f->list.ptr[at];
    file->is_taken = true;
    r->csv = file->file.bytes;
    r->rows = file->rows;
    r->error = file->error;
}

static void find_in_folder(const result_files *f, arena *a, record *r)
{
    record_result *found = arena_new(a, record_result, MOST_RESULTS);
    ptrdiff_t n = 0;
    for (int k = 0; k < MOST_RESULTS; k++) {
        str stem =
            k == 0 ? r->id
                   : arena_printf(a, "%.*s_%c", STR_ARG(r->id), 'a' + k - 1);
        str name = arena_printf(a, "%.*s.csv", STR_ARG(stem));
        if (map_find(&f->names, name) < 0) {
            name = arena_printf(a, "%.*s.parquet", STR_ARG(stem));
        }
        if (map_find(&f->names, name) >= 0) {
            found[n++] = (record_result){.name = name};
        }
        if (k == 0 && n > 0) {
            break;  // alone where it exists
        }
    }
    r->results = found;
    r->n_results = n;
    ptrdiff_t at = map_find(&f->ids, r->id);
    if (at >= 0 && !r->which && !r->any_order) {
        r->which = json_get(f->conditions.ptr[at], S("condition_cols"));
        r->any_order = json_get(f->conditions.ptr[at], S("ignore_order"));
    }
}

// The list of columns for result i of several: null, [], [[]] and [null] are
// all columns, a flat list holds for each result, else there is a list for
// each.
static const json *columns_for(const json *which, ptrdiff_t i)
{
    const json *first = which ? which->child : NULL;
    bool is_nested =
        first
        && (first->kind == JSON_KIND_ARRAY || first->kind == JSON_KIND_NULL);
    if (!is_nested || which->n == 1) {
        return is_nested ? first : which;
    }
    for (; first && i > 0; i--) {
        first = first->next;
    }
    return first ? first : which;
}

static void set_columns(record_result *r, arena *a, const json *list)
{
    bool is_list = list && list->kind == JSON_KIND_ARRAY;
    ptrdiff_t n = is_list ? list->n : 0;
    int32_t *which = arena_new(a, int32_t, n);
    const json *m = n > 0 ? list->child : NULL;
    bool ok = !list || is_list || list->kind == JSON_KIND_NULL;
    for (ptrdiff_t i = 0; i < n; i++, m = m->next) {
        bool is_place = m->kind == JSON_KIND_INT && m->i > -CSV_MOST_CELLS
                        && m->i < CSV_MOST_CELLS;
        which[i] = is_place ? (int32_t)m->i : 0;
        ok = ok && is_place;
    }
    if (!ok) {
        r->error = S("condition_cols needs positions of columns: one list, or "
                     "a list for each result");
    }
    r->which = which;
    r->n_which = n;
}

void result_files_find(const result_files *f, arena *a, record *r)
{
    if (f->folder.len > 0 && r->id.len > 0 && r->n_results == 0) {
        find_in_folder(f, a, r);
    }
    record_result *all = arena_new(a, record_result, r->n_results);
    str order = value_word(a, r->any_order);
    bool is_ordered = str_among_fold(order, "false 0 0.0 no");
    bool is_truth = is_ordered || order.len == 0
                    || str_among_fold(order, "true 1 1.0 yes null");
    for (ptrdiff_t i = 0; i < r->n_results; i++) {
        all[i] = r->results[i];
        if (all[i].name.len > 0) {
            find_bytes(f, &all[i]);
        }
        set_columns(&all[i], a, columns_for(r->which, i));
        all[i].is_ordered = is_ordered;
        if (!is_truth) {
            all[i].error = arena_printf(
                a, "ignore_order is true or false, not '%.*s'", STR_ARG(order));
        }
    }
    r->results = all;
}

ptrdiff_t result_files_unused(const result_files *f, str *name)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < f->list.len; i++) {
        if (!f->list.ptr[i].is_taken && n++ == 0) {
            *name = map_key_at(&f->names, i);
        }
    }
    return n;
}

// One text: CSV where it has a line end, else the name of a file.
static record_result from_text(str text)
{
    if (str_find(text, S("\n"), 0) >= 0) {
        return (record_result){.csv = text};
    }
    if (is_result(str_trim(text))) {
        return (record_result){.name = str_trim(text)};
    }
    return (record_result){
        .error = S("a result is rows, CSV with a row of names, or the name of "
                   "a .csv or .parquet file")};
}

static bool is_whole(const json *j)
{
    const json *rows = json_get(j, S("rows"));
    return j->kind == JSON_KIND_STRING
           || (rows && rows->kind == JSON_KIND_ARRAY);
}

static record_result from_member(const json *j)
{
    return j->kind == JSON_KIND_STRING ? from_text(j->text)
                                       : (record_result){.inside = j};
}

void result_read(record *r, arena *a, const json *member)
{
    bool is_list = member->kind == JSON_KIND_ARRAY && member->n > 0;
    for (const json *m = is_list ? member->child : NULL; m; m = m->next) {
        is_list &= is_whole(m);
    }
    ptrdiff_t n = is_list ? member->n : 1;
    record_result *all = arena_new(a, record_result, n);
    const json *m = is_list ? member->child : member;
    for (ptrdiff_t i = 0; i < n; i++, m = m->next) {
        assert(m);
        all[i] = from_member(m);
    }
    r->results = all;
    r->n_results = n;
}
