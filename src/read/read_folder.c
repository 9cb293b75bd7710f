/*
 * read_folder.c - a folder of ID.sql files, as Spider 2.0 wants them.
 *
 * Method      The folder is listed once, names sorted by bytes, and its files
 *             are read and kept: a worker that is locked in reads a record
 *             later, and could not open its file any more. Only names ending
 *             in .sql count; a folder of results (.csv) is said to be one.
 *
 * Cost        Memory for all texts.
 */
#include "read/encoding.h"
#include "read/reader.h"

#include <assert.h>

typedef struct folder_file {
    str name;
    str text;
} folder_file;

struct folder_list {
    folder_file *ptr;  // sorted by name
    ptrdiff_t len;
    ptrdiff_t cap;
    ptrdiff_t n_csv;
};

static bool folder_names(struct folder_list *list, arena *a, str path, diag *d)
{
    str_list names = {0};
    bool ok = file_names(&names, a, path, d);
    for (ptrdiff_t i = 0; i < names.len; i++) {
        if (str_ends_fold(names.ptr[i], S(".sql"))) {
            *vec_push(a, list) = (folder_file){.name = names.ptr[i]};
        }
        list->n_csv += str_ends_fold(names.ptr[i], S(".csv"));
    }
    return ok;
}

// False with a message.
static bool folder_text(folder_file *f,
                        str folder,
                        str encoding,
                        arena *a,
                        diag *d,
                        arena scratch)
{
    str path =
        arena_printf(&scratch, "%.*s/%.*s", STR_ARG(folder), STR_ARG(f->name));
    file_map file = {0};
    if (!file_open(&file, &scratch, path, d)) {
        return false;
    }
    str text = {0};
    ptrdiff_t n_replaced = 0;
    bool ok = encoding_read(&text, &n_replaced, a, &file, encoding, d);
    f->text = ok ? arena_str(a, text) : (str){0};
    file_close(&file);
    return ok;
}

static const json *folder_value(const dataset *set, ptrdiff_t i, arena *a)
{
    assert(i >= 0 && i < set->files->len);
    const folder_file *f = &set->files->ptr[i];
    str id = str_sub(f->name, 0, f->name.len - S(".sql").len);
    return reader_text_value(f->text, id, a);
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
        folder_text(&set->files->ptr[i], set->file.path, set->given.encoding, a,
                    d, temp);
        record r = reader_record(set, folder_value(set, i, &temp), &temp);
        r.line = 1;
        reader_add(set, a, &r, i, 0);
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

const reader reader_folder = {folder_open, folder_value};
