// sandbox_no_seccomp.c - for builds without libseccomp.
#include "run/sandbox_seccomp.h"

bool sandbox_enter_seccomp(void)
{
    return false;
}
