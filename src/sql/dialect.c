/*
 * dialect.c - the names of dialects, ours and those of data sets.
 *
 * Method      One table, searched from the top; the first row of a dialect has
 *             the name that we print, later rows are only understood.
 */
#include "sql/dialect.h"

#include "base/words.h"

#include <assert.h>

static const struct {
    str word;
    dialect dialect;
} words[] = {
    {{"sqlite", 6}, DIALECT_SQLITE},
    {{"postgres", 8}, DIALECT_POSTGRES},
    {{"mysql", 5}, DIALECT_MYSQL},
    {{"bigquery", 8}, DIALECT_BIGQUERY},
    {{"tsql", 4}, DIALECT_TSQL},
    {{"snowflake", 9}, DIALECT_SNOWFLAKE},
    {{"duckdb", 6}, DIALECT_DUCKDB},
    {{"postgresql", 10}, DIALECT_POSTGRES},
    {{"mariadb", 7}, DIALECT_MYSQL},
    {{"sqlserver", 9}, DIALECT_TSQL},
    // Names of data sets; the nearest of ours.
    {{"ansi", 4}, DIALECT_POSTGRES},
    {{"calcite", 7}, DIALECT_POSTGRES},
};

str dialect_word(dialect d)
{
    assert(d < DIALECT_COUNT);
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        if (words[i].dialect == d) {
            return words[i].word;
        }
    }
    return (str){0};
}

bool dialect_from_word(str word, dialect *out)
{
    ptrdiff_t i = words_at_fold(words, word, word);
    if (i >= 0) {
        *out = words[i].dialect;
    }
    return i >= 0;
}
