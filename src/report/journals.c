/*
 * journals.c - see journals.h.
 *
 * Method      A line of a case begins with its run, which is all that is read
 *             of it to name the runs.
 */
#include "report/journals.h"

#include "base/apart.h"
#include "base/json_pull.h"

void journals_add(journals *j, arena *a, file_map file)
{
    str rest = file.bytes;
    const json *head = json_parse(a, str_cut(&rest, '\n'), NULL);
    bool is_head = head && json_get(head, S("journal"));
    *vec_push(a, &j->files) =
        (journal_file){.file = file, .head = is_head ? head : NULL};
}

bool journals_open(journals *j, arena *a, const str_list *paths, diag *d)
{
    file_map file;
    bool ok = true;
    for (ptrdiff_t i = 0; i < paths->len; i++) {
        if (file_open(&file, a, paths->ptr[i], d)) {
            journals_add(j, a, file);
        } else {
            ok = false;
        }
    }
    return ok;
}

void journals_close(journals *j)
{
    for (ptrdiff_t i = 0; i < j->files.len; i++) {
        file_close(&j->files.ptr[i].file);
    }
}

// Empty when the line is none of a case.
static str run_of_line(str line, arena *scratch)
{
    json_pull s = json_pull_begin(line);
    json_pull_open(&s, '{');
    while (json_pull_next(&s, '}')) {
        str key = json_pull_key(&s, scratch);
        char next = json_pull_peek(&s);
        if (str_equal(key, S("run")) && next == '"') {
            return json_pull_scalar(&s, scratch);
        }
        json_pull_skip(&s);
    }
    return (str){0};
}

void journals_name_runs(journals *j, arena *a, arena_store *lines)
{
    str_list paths = {0};  // by run
    for (ptrdiff_t i = 0; i < j->files.len && j->files.len > 1; i++) {
        journal_file *f = &j->files.ptr[i];
        f->first = j->names.len;
        for (str line, rest = f->file.bytes;
             file_line(&f->file, &rest, &line);) {
            arena scratch = arena_store_clear(lines);
            str run = run_of_line(line, &scratch);
            ptrdiff_t n = map_count(&f->runs);
            if (run.len > 0 && map_add(&f->runs, a, run) == n) {
                *vec_push(a, &j->names) = map_key_at(&f->runs, n);
                *vec_push(a, &paths) = f->file.path;
            }
        }
        file_forget(&f->file, f->file.bytes.len);
    }
    names_tell_apart(j->names.ptr, paths.ptr, paths.len, a,
                     arena_store_clear(lines));
}

str journals_run_name(const journals *j, ptrdiff_t file, str run)
{
    const journal_file *f = &j->files.ptr[file];
    ptrdiff_t i = map_find(&f->runs, run);
    return i < 0 ? run : j->names.ptr[f->first + i];
}
