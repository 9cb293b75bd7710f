// sandbox_seccomp.h - the system calls that a worker may make. Built from
// sandbox_seccomp.c, or sandbox_no_seccomp.c where libseccomp is absent.
#ifndef ASSAY_PROCESS_SANDBOX_SECCOMP_H
#define ASSAY_PROCESS_SANDBOX_SECCOMP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct seccomp_rights {
    bool may_connect;  // sockets to servers
    bool may_load;     // libraries that are loaded later, and their threads
    uint32_t machine;  // SCMP_ARCH_*; 0: this one
} seccomp_rights;

// False when this build or this kernel cannot.
bool sandbox_enter_seccomp(seccomp_rights rights);

// Does this kernel say that it can?
bool sandbox_has_seccomp(void);

// Can the filter be made for that machine? Nothing is entered.
bool sandbox_can_filter(seccomp_rights rights);

#endif  // ASSAY_PROCESS_SANDBOX_SECCOMP_H
