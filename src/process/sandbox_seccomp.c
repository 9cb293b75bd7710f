// sandbox_seccomp.c - see sandbox_seccomp.h.
#include "process/sandbox_seccomp.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>

bool sandbox_enter_seccomp(bool may_connect)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) {
        return false;
    }
    static const int refused[] = {
        SCMP_SYS(bind),
        SCMP_SYS(listen),
        SCMP_SYS(execve),
        SCMP_SYS(execveat),
        SCMP_SYS(ptrace),
        SCMP_SYS(kill),
        SCMP_SYS(tkill),
        SCMP_SYS(fork),
        SCMP_SYS(vfork),
        SCMP_SYS(mount),
        SCMP_SYS(chroot),
        SCMP_SYS(truncate),
        SCMP_SYS(process_vm_writev),
    };
    static const int connecting[] = {SCMP_SYS(socket), SCMP_SYS(connect)};
    bool ok = true;
    for (size_t i = 0;
         !may_connect && i < sizeof connecting / sizeof *connecting; i++) {
        ok =
            ok
            && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), connecting[i], 0)
                   == 0;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ok = ok
             && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0)
                    == 0;
    }
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}
