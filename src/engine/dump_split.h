/*
 * dump_split.h - a .sql dump, statement by statement.
 *
 *     dump_split d = dump_split_new(text, DIALECT_POSTGRES);
 *     dump_statement s;
 *     while (dump_split_next(&d, &s)) ...
 *
 * Lines of psql's own (\connect, \restrict) are left out, and the rows after
 * COPY ... FROM stdin come with their statement.
 */
#ifndef ASSAY_ENGINE_DUMP_SPLIT_H
#define ASSAY_ENGINE_DUMP_SPLIT_H

#include "sql/dialect.h"

typedef struct dump_split {
    str text;
    dialect dialect;
    ptrdiff_t at;
} dump_split;

typedef struct dump_statement {
    str sql;           // without its semicolon
    ptrdiff_t offset;  // in the text of the dump
    bool is_optional;  // says who owns what, or sets what the server may not
                       // know: a dump is good without it
    bool has_rows;
    str rows;  // the lines up to "\."
} dump_statement;

dump_split dump_split_new(str text, dialect d);
bool dump_split_next(dump_split *d, dump_statement *out);

#endif  // ASSAY_ENGINE_DUMP_SPLIT_H
