// translate_internal.h - what the files that translate a query share.
#ifndef ASSAY_SQL_TRANSLATE_INTERNAL_H
#define ASSAY_SQL_TRANSLATE_INTERNAL_H

#include "sql/otherwise.h"
#include "sql/semantics.h"

typedef struct translator {
    otherwise words;
    semantics means;   // its queries
    bool is_compared;  // the node at hand, so that a day and its midnight are
                       // one
} translator;

// Remembers the first reason; returns the node as it is.
ast *translate_refuse(translator *t, ast *n, str why);
// The expression of SQLite with these arguments for ?1, ?2, ...
ast *translate_expression(translator *t, str text, ast *const *args);

// SELECT * FROM (query)
ast *translate_around(translator *t, ast *query);
// Does one of the list aggregate the rows of its own query?
bool translate_aggregates(const ast *list);

ast *translate_like(translator *t, ast *n);
void translate_place_nulls(translator *t, ast **list);

// translate_time.c: a date and the interval that is added or taken from it; a
// function of times, NULL: it is none.
ast *translate_shift(translator *t, ast *n, ast *date, ast *by, bool minus);
ast *translate_timed(translator *t, ast *n, int n_args);

// "3" and "month" of INTERVAL '3' MONTHS; false: of something else.
bool translate_interval(const ast *n, str *number, str *unit);
ast *translate_decimals(translator *t, ast *n);
void translate_half_joins(translator *t, ast *select);
// A SELECT of a derived table in place of one with QUALIFY or DISTINCT ON.
ast *translate_kept(translator *t, ast *select);
// A UNION ALL in place of a SELECT with such; else the SELECT.
ast *translate_grouping_sets(translator *t, ast *select);
ast *translate_column_names(translator *t, ast *alias);

#endif  // ASSAY_SQL_TRANSLATE_INTERNAL_H
