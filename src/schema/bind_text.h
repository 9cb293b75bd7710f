// bind_text.h - a text as one bound query.
#ifndef ASSAY_SCHEMA_BIND_TEXT_H
#define ASSAY_SCHEMA_BIND_TEXT_H

#include "schema/bind.h"

// NULL: it cannot be read, or is not one query.
binding *bind_text(arena *a,
                   str sql,
                   const schema *s,
                   dialect d,
                   arena scratch);

#endif  // ASSAY_SCHEMA_BIND_TEXT_H
