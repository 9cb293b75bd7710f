// dialect.h - whose SQL it is. Only the lexer and the parser look at it.
#ifndef ASSAY_SQL_DIALECT_H
#define ASSAY_SQL_DIALECT_H

#include "base/str.h"

typedef enum dialect {
    DIALECT_SQLITE,
    DIALECT_POSTGRES,
    DIALECT_MYSQL,
    DIALECT_BIGQUERY,
    DIALECT_TSQL,
    DIALECT_SNOWFLAKE,
    DIALECT_DUCKDB,
    DIALECT_COUNT,
} dialect;

str dialect_word(dialect d);

// PostgreSQL's words, signs and types: DuckDB took them over. What a query
// means may differ.
static inline bool dialect_follows_postgres(dialect d)
{
    return d == DIALECT_POSTGRES || d == DIALECT_DUCKDB;
}

bool dialect_from_word(str word, dialect *out);

#endif  // ASSAY_SQL_DIALECT_H
