// dialect.c - see dialect.h.
#include "sql/dialect.h"

static const struct {
    str word;
    dialect dialect;
} words[] = {
    // The first word of a dialect is its name, the others are understood.
    {{"sqlite", 6}, DIALECT_SQLITE},
    {{"postgres", 8}, DIALECT_POSTGRES},
    {{"mysql", 5}, DIALECT_MYSQL},
    {{"bigquery", 8}, DIALECT_BIGQUERY},
    {{"tsql", 4}, DIALECT_TSQL},
    {{"snowflake", 9}, DIALECT_SNOWFLAKE},
    {{"postgresql", 10}, DIALECT_POSTGRES},
    {{"mariadb", 7}, DIALECT_MYSQL},
    {{"sqlserver", 9}, DIALECT_TSQL},
    // Names of data sets; the nearest of ours.
    {{"ansi", 4}, DIALECT_POSTGRES},
    {{"calcite", 7}, DIALECT_POSTGRES},
};

str dialect_word(dialect d)
{
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        if (words[i].dialect == d) {
            return words[i].word;
        }
    }
    return (str){0};
}

bool dialect_from_word(str word, dialect *out)
{
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        if (str_equal_fold(word, words[i].word)) {
            *out = words[i].dialect;
            return true;
        }
    }
    return false;
}
