/*
 * server_reason.h - what the codes of servers mean for who wrote the query.
 */
#ifndef ASSAY_ENGINE_SERVER_REASON_H
#define ASSAY_ENGINE_SERVER_REASON_H

#include "table/verdict.h"

// Of an SQLSTATE: the standard's, PostgreSQL's, ODBC's.
reason server_reason(str state, str message);

// Of an error number of MariaDB or MySQL, or of their library.
reason server_reason_mysql(int64_t code, str state, str message);

#endif  // ASSAY_ENGINE_SERVER_REASON_H
