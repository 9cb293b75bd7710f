/*
 * sandbox.h - what a worker process gives up before it runs foreign SQL.
 *
 * The engine already refuses to open files; this is the fence behind that one,
 * for the day when an engine has a hole: no file but below the databases can
 * be read, none written, no socket opened, no program started. SQL that a
 * server runs never meets the worker, only its results do: a worker of a server
 * may open sockets. Kernels that lack a means are taken as they are.
 */
#ifndef ASSAY_PROCESS_SANDBOX_H
#define ASSAY_PROCESS_SANDBOX_H

#include "base/str.h"

typedef struct sandbox {
    int64_t base_bytes;   // address space taken when the limit was armed
    int64_t limit_bytes;  // what may be added to it; 0: no limit
} sandbox;

// What a locked-in process may still do.
typedef struct sandbox_rights {
    const char *readable;     // the file or folder that it may read; or NULL
    const char *const *also;  // further ones, NULL at the end; or NULL
    const char *suite;        // a folder of databases to score on; or NULL
    // Connect to a server: sockets, and reading what finds it and proves who we
    // are (names of hosts, certificates, files of passwords).
    bool may_connect;
} sandbox_rights;

void sandbox_enter(sandbox_rights rights);

// From here on the process may take `bytes` of memory more than it has; more
// makes allocations fail. Not under the address sanitizer, which needs its own
// address space.
void sandbox_limit_memory(sandbox *s, int64_t bytes);

// Address space that is not to count (a mapped database): lift the limit, map,
// set it again with all that was mapped.
void sandbox_lift_memory(const sandbox *s);
void sandbox_restore_memory(const sandbox *s, int64_t mapped_bytes);

#endif  // ASSAY_PROCESS_SANDBOX_H
