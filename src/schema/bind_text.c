// bind_text.c - see bind_text.h.
#include "schema/bind_text.h"

#include "sql/parse.h"

binding *bind_text(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    parse_result r = parse_sql(a, sql, d, scratch);
    bool is_query = r.errors.len == 0 && r.statements && !r.statements->next
                    && ast_is_query(r.statements);
    return is_query ? bind_query(a, r.statements, s, d, scratch) : NULL;
}
