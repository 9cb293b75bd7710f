// sandbox_no_seccomp.c - for builds without libseccomp.
#include "process/sandbox_seccomp.h"

bool sandbox_enter_seccomp(seccomp_rights rights)
{
    (void)rights;
    return false;
}

bool sandbox_has_seccomp(void)
{
    return false;
}

bool sandbox_can_filter(seccomp_rights rights)
{
    (void)rights;
    return false;
}
