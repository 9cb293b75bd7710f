// read_query.c - see read_query.h.
#include "check/read_query.h"

#include "sql/print.h"
#include "sql/query_text.h"

read_query read_query_of(arena *a, str sql, dialect d, arena scratch)
{
    return (read_query){sql, query_text_of(a, sql, d, scratch).tree};
}

read_query read_query_printed(arena *a,
                              const ast *query,
                              dialect d,
                              arena scratch)
{
    return read_query_of(a, print_line(a, query, d, scratch), d, scratch);
}
