// case_lines.c - see case_lines.h.
#include "report/case_lines.h"

bool case_lines_open(case_lines *l, arena *a, str path, diag *d)
{
    *l = (case_lines){.d = d, .place = {.file = path}};
    bool ok = file_open(&l->file, a, path, d);
    l->rest = ok ? l->file.bytes : (str){0};
    return ok;
}

bool case_lines_next(case_lines *l, arena a)
{
    l->kind = CASE_LINE_OTHER;
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
