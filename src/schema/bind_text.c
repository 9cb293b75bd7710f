// bind_text.c - see bind_text.h.
#include "schema/bind_text.h"

#include "sql/query_text.h"

binding *bind_text(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    query_text t = query_text_of(a, sql, d, scratch);
    return t.tree ? bind_query(a, t.tree, s, d, scratch) : NULL;
}

binding *bind_text_known(arena *a,
                         str sql,
                         const schema *s,
                         dialect d,
                         arena scratch)
{
    binding *b = bind_text(a, sql, s, d, scratch);
    return b && b->problems.len == 0 ? b : NULL;
}
