// bind_text.h - a text as one bound query (sql/query_text.h).
#ifndef ASSAY_SCHEMA_BIND_TEXT_H
#define ASSAY_SCHEMA_BIND_TEXT_H

#include "schema/bind.h"

// NULL: it is not one query that can be read.
binding *bind_text(arena *a,
                   str sql,
                   const schema *s,
                   dialect d,
                   arena scratch);

// The same; NULL, too, where a name of it is not known.
binding *bind_text_known(arena *a,
                         str sql,
                         const schema *s,
                         dialect d,
                         arena scratch);

#endif  // ASSAY_SCHEMA_BIND_TEXT_H
