// sandbox_no_seccomp.c - for builds without libseccomp.
#include "process/sandbox_seccomp.h"

bool sandbox_enter_seccomp(bool may_connect)
{
    (void)may_connect;
    return false;
}
