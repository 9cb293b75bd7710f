/*
 * read_folder.c - a folder of ID.sql files, as Spider 2.0 wants them.
 *
 * Method      The folder is listed once, names sorted by bytes. Files are
 *             opened when their record is wanted. Only names ending in .sql
 *             count; a folder of results (.csv) is said to be one.
 */
#include "read/reader.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct folder_list {
    str *ptr;  // file names, sorted
    ptrdiff_t len;
    ptrdiff_t cap;
    ptrdiff_t n_csv;
};

static int by_name(const void *left, const void *right)
{
    return str_compare(*(const str *)left, *(const str *)right);
}

static bool folder_names(struct folder_list *list, arena *a, str path, diag *d)
{
    DIR *folder = opendir(arena_cstr(a, path));
    if (!folder) {
        return diag_add(d, (diag_place){.file = path}, "cannot list: %s",
                        strerror(errno));
    }
    for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        str name = str_from(e->d_name);
        if (str_ends_fold(name, S(".sql")) && name.ptr[0] != '.') {
            *vec_push(a, list) = arena_str(a, name);
        }
        list->n_csv += str_ends_fold(name, S(".csv")) ? 1 : 0;
    }
    closedir(folder);
    if (list->len > 0) {
        qsort(list->ptr, (size_t)list->len, sizeof *list->ptr, by_name);
    }
    return true;
}

// The text of file i, without a byte order mark; false with a message.
static bool folder_text(const dataset *set,
                        ptrdiff_t i,
                        arena *a,
                        str *text,
                        diag *d)
{
    str path = arena_printf(a, "%.*s/%.*s", STR_ARG(set->file.path),
                            STR_ARG(set->files->ptr[i]));
    file_map file = {0};
    if (!file_open(&file, a, path, d)) {
        return false;
    }
    ptrdiff_t start = str_starts(file.bytes, S("\xEF\xBB\xBF")) ? 3 : 0;
    *text = arena_str(a, str_skip(file.bytes, start));
    file_close(&file);
    return true;
}

static record folder_record(const dataset *set, ptrdiff_t i, arena *a, diag *d)
{
    str name = set->files->ptr[i];
    record r = {.id = str_sub(name, 0, name.len - S(".sql").len)};
    str text = {0};
    if (!folder_text(set, i, a, &text, d)) {
        return r;
    }
    if (set->role == DATASET_PRED) {
        r.preds = reader_one_pred(a, text);
        r.n_preds = 1;
    } else if (str_trim(text).len > 0) {
        r.golds = reader_one_gold(a, text);
        r.n_golds = 1;
    }
    return r;
}

static bool folder_open(dataset *set, arena *a, diag *d, arena scratch)
{
    set->files = arena_new(a, struct folder_list, 1);
    if (!folder_names(set->files, a, set->file.path, d)) {
        return false;
    }
    ptrdiff_t before = d->count;
    for (ptrdiff_t i = 0; i < set->files->len; i++) {
        arena temp = scratch;
        reader_item item = {
            .r = folder_record(set, i, &temp, d),
            .where = {.offset = i, .line = 1, .interaction = -1, .turn = -1},
        };
        reader_add(set, a, &item);
    }
    ptrdiff_t n = set->files->n_csv;
    if (set->files->len == 0) {
        return diag_add(d, (diag_place){.file = set->file.path},
                        "there is no ID.sql file in this folder%s",
                        n > 0 ? ", only results (.csv)" : "");
    }
    if (n > 0) {
        reader_note(set, a, "%td .csv file%s left out", n, reader_was(n));
    }
    return d->count == before;
}

static record folder_read(const dataset *set, ptrdiff_t i, arena *a)
{
    diag ignored = diag_new(a);
    return folder_record(set, i, a, &ignored);
}

const reader reader_folder = {folder_open, folder_read};
