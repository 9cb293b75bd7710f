// name.h - a name as a dialect writes it.
#ifndef ASSAY_SQL_NAME_H
#define ASSAY_SQL_NAME_H

#include "base/buf.h"
#include "sql/dialect.h"

// The name of something that exists, in double quotes only where PostgreSQL
// would take the bare word for something else.
void name_add_postgres(buf *out, str name);

// In double quotes, whatever it is.
void name_add_quoted(buf *out, str name);

#endif  // ASSAY_SQL_NAME_H
