// case_lines.c - see case_lines.h.
#include "report/case_lines.h"

bool case_lines_open(case_lines *l, arena *a, str path, diag *d)
{
    file_map file;
    bool ok = file_open(&file, a, path, d);
    *l = case_lines_of(file, d);
    return ok;
}

case_lines case_lines_of(file_map file, diag *d)
{
    return (case_lines){
        .file = file, .rest = file.bytes, .d = d, .place = {.file = file.path}};
}

enum {
    READ_BYTES = 8 << 20,  // are kept of what was read
};

static void forget(case_lines *l)
{
    ptrdiff_t read = l->file.bytes.len - l->rest.len;
    if (read - l->forgotten >= READ_BYTES) {
        l->forgotten = read;
        file_forget(&l->file, read);
    }
}

bool case_lines_next(case_lines *l, arena a)
{
    l->kind = CASE_LINE_OTHER;
    forget(l);
    do {
        l->text = str_trim(str_cut(&l->rest, '\n'));
        l->place.line++;
    } while (l->text.len == 0 && l->rest.len > 0);
    if (l->text.len == 0) {
        return false;
    }
    l->a = a;
    l->kind = case_line_read(&l->line, &l->a, l->text);
    return l->kind == CASE_LINE_BROKEN
               ? case_line_refuse(l->place, l->d)
               : l->kind == CASE_LINE_CASE
                     || case_line_is_of_one_journal(l->text, l->place, l->d);
}

void case_lines_close(case_lines *l)
{
    file_close(&l->file);
}
