/*
 * query_text.h - a text as one query, or why it is none.
 *
 * Whoever wants one query asks here, so that all agree on what is one.
 */
#ifndef ASSAY_SQL_QUERY_TEXT_H
#define ASSAY_SQL_QUERY_TEXT_H

#include "sql/parse.h"

typedef enum query_obstacle {
    QUERY_READ,
    QUERY_BROKEN,    // it cannot be read
    QUERY_TOO_DEEP,  // for us
    QUERY_SEVERAL,   // more than one statement
    QUERY_NONE,      // not a query
} query_obstacle;

typedef struct query_text {
    ast *tree;  // NULL: there is an obstacle
    query_obstacle obstacle;
    parse_error error;  // the first one
    parse_result parsed;
} query_text;

query_text query_text_of(arena *a, str sql, dialect d, arena scratch);

// A text as one expression; NULL: it is none that can be read.
ast *expression_text_of(arena *a, str text, dialect d, arena scratch);

#endif  // ASSAY_SQL_QUERY_TEXT_H
