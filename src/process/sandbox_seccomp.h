// sandbox_seccomp.h - the system calls that a worker may not make. Built from
// sandbox_seccomp.c, or sandbox_no_seccomp.c where libseccomp is absent.
#ifndef ASSAY_PROCESS_SANDBOX_SECCOMP_H
#define ASSAY_PROCESS_SANDBOX_SECCOMP_H

#include <stdbool.h>

// False when this build or this kernel cannot.
bool sandbox_enter_seccomp(bool may_connect);

#endif  // ASSAY_PROCESS_SANDBOX_SECCOMP_H
