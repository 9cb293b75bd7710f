/*
 * case_lines.h - the lines of a journal, one after the other.
 *
 * Order of    case_lines_open(), or case_lines_of()
 * calls         case_lines_next()  until it is false
 *             case_lines_close()   also when it could not be opened
 */
#ifndef ASSAY_REPORT_CASE_LINES_H
#define ASSAY_REPORT_CASE_LINES_H

#include "base/file.h"
#include "report/case_line.h"

typedef struct case_lines {
    file_map file;
    str rest;
    diag *d;
    bool may_be_cut;      // the last line, of a run that was stopped: no case
    diag_place place;     // of the line
    case_line_kind kind;  // after the last line CASE_LINE_OTHER
    str text;
    case_line line;  // of a case
    arena a;         // what is left of the memory given for it
} case_lines;

// False with a message.
bool case_lines_open(case_lines *l, arena *a, str path, diag *d);

// Of a journal that is open; closing it is for whoever opened it.
case_lines case_lines_of(file_map file, diag *d);

// The next line that is not blank, read into `a`. False after the last one, and
// with a message where the line is broken, or another journal begins; one may
// go on behind a broken one.
bool case_lines_next(case_lines *l, arena a);

// The same, but the lines between that are no cases are passed over.
bool case_lines_next_case(case_lines *l, arena a);

void case_lines_close(case_lines *l);

#endif  // ASSAY_REPORT_CASE_LINES_H
