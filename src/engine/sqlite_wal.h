// sqlite_wal.h - a database that others write to, as of one moment.
#ifndef ASSAY_ENGINE_SQLITE_WAL_H
#define ASSAY_ENGINE_SQLITE_WAL_H

#include "base/diag.h"

// Copies a SQLite file and the changes in its write-ahead log into memory that
// lasts as long as the process, and that processes forked later share, but for
// what one of them writes there. An empty `out` when there is no log, or
// nothing in it: the file is the database. False with a message.
bool sqlite_wal_copy(str path, str *out, diag *d, arena scratch);

#endif  // ASSAY_ENGINE_SQLITE_WAL_H
