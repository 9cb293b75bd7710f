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

bool case_lines_next(case_lines *l, arena a)
{
    l->kind = CASE_LINE_OTHER;
    do {
        if (!file_line(&l->file, &l->rest, &l->text)) {
            l->text = (str){0};
            return false;
        }
        l->text = str_trim(l->text);
        l->place.line++;
    } while (l->text.len == 0);
    l->a = a;
    l->kind = case_line_read(&l->line, &l->a, l->text);
    if (l->kind == CASE_LINE_BROKEN && l->may_be_cut && l->rest.len == 0) {
        l->text = (str){0};
        return false;
    }
    return l->kind == CASE_LINE_BROKEN
               ? case_line_refuse(l->place, l->d)
               : l->kind == CASE_LINE_CASE
                     || case_line_is_of_one_journal(l->text, l->place, l->d);
}

bool case_lines_next_case(case_lines *l, arena a)
{
    while (case_lines_next(l, a)) {
        if (l->kind == CASE_LINE_CASE) {
            return true;
        }
    }
    return false;
}

void case_lines_close(case_lines *l)
{
    file_close(&l->file);
}
