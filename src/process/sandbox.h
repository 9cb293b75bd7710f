/*
 * sandbox.h - what a worker process gives up before it runs foreign SQL.
 *
 * The engine already refuses to open files; this is the fence behind that one,
 * for the day when an engine has a hole: no file but below the databases can
 * be read, none written, no socket opened, no process or program started, no
 * other process touched. SQL that a server runs never meets the worker, only
 * its results do: a worker of a server may open sockets. It goes on doing so
 * after it has connected, for a query is cancelled over a second connection,
 * and a lost one is made again. Kernels that lack a means are taken as they
 * are; sandbox_missing() says what they lack.
 *
 * Under sanitizers the same filter holds; only the limit of memory does not,
 * and a sanitizer's report has no names, for no symbolizer can be started.
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
    const char *golds;        // databases of golds that run elsewhere; or NULL
    const char *const *also_golds;  // further files of these, likewise
    const char *suite;  // a folder of databases to score on; or NULL
    // Connect to a server: sockets, and reading what finds it and proves who we
    // are (names of hosts, certificates, files of passwords).
    bool may_connect;
    // Load libraries and let them make threads: DuckDB, a solver. Whoever may
    // connect may do so, too.
    bool may_load;
} sandbox_rights;

// What a kernel, a container or a build may lack.
enum {
    SANDBOX_LANDLOCK = 1,
    SANDBOX_SECCOMP = 2,
};

// For good. What is missing is told, and the rest holds.
unsigned sandbox_enter(sandbox_rights rights);

// What a worker will lack here, as the kernel says; or, some milliseconds
// later, as a process found that tried it and ended.
unsigned sandbox_missing(bool tries);

// From here on the process may take `bytes` of memory more than it has; more
// makes allocations fail. Not under the address sanitizer, which needs its own
// address space.
void sandbox_limit_memory(sandbox *s, int64_t bytes);

// Address space that is not to count (a mapped database): lift the limit, map,
// set it again with all that was mapped.
void sandbox_lift_memory(const sandbox *s);
void sandbox_restore_memory(const sandbox *s, int64_t mapped_bytes);

#endif  // ASSAY_PROCESS_SANDBOX_H
