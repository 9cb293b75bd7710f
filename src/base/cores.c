/*
 * cores.c - see cores.h.
 *
 * Why         sysconf() counts the processors of the machine. In a container
 *             with two of them on a machine of 64 there would be 64 workers.
 *
 * Method      The affinity mask, then the quotas of control groups, version 2:
 *             from the group of this process, as /proc/self/cgroup names it, up
 *             to the root. Groups of version 1 have no such file: they count as
 *             without a quota.
 *
 * Source      sched_setaffinity(2), cgroups(7).
 */
#define _GNU_SOURCE  // CPU_COUNT
#include "base/cores.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096,
};

ptrdiff_t cores_of_quota(str cpu_max)
{
    str rest = str_trim(cpu_max);
    str quota = str_cut(&rest, ' ');
    int64_t us = 0;
    int64_t period_us = 0;
    bool is_quota = str_to_int(quota, &us) && str_to_int(rest, &period_us)
                    && us > 0 && period_us > 0 && us < INT64_MAX - period_us;
    return is_quota ? (ptrdiff_t)((us + period_us - 1) / period_us) : 0;
}

// What fits of a small file; empty when it cannot be read.
static str read_small(const char *path, char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, size) : -1;
    if (fd >= 0) {
        close(fd);
    }
    return n > 0 ? (str){bytes, n} : (str){0};
}

// "/a/b" of the line "0::/a/b", which is that of version 2.
static str own_group(str groups)
{
    while (groups.len > 0) {
        str line = str_cut(&groups, '\n');
        if (str_starts(line, S("0::/"))) {
            return str_skip(line, S("0::").len);
        }
    }
    return (str){0};
}

static ptrdiff_t least_quota(ptrdiff_t a, ptrdiff_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

ptrdiff_t cores_of_groups(str groups, const char *root)
{
    char path[PATH_BYTES];
    char text[64];
    str group = own_group(groups);
    ptrdiff_t least = 0;
    while (group.len > 0) {
        snprintf(path, sizeof path, "%s%.*s/cpu.max", root, STR_ARG(group));
        least = least_quota(
            least, cores_of_quota(read_small(path, text, sizeof text)));
        // One group further out: up to the slash before its name.
        do {
            group.len--;
        } while (group.len > 1 && group.ptr[group.len] != '/');
    }
    return least;
}

ptrdiff_t cores_usable(void)
{
    char bytes[PATH_BYTES];
    cpu_set_t mask;
    long n = sched_getaffinity(0, sizeof mask, &mask) == 0
                 ? CPU_COUNT(&mask)
                 : sysconf(_SC_NPROCESSORS_ONLN);  // more than 1,024 of them
    str groups = read_small("/proc/self/cgroup", bytes, sizeof bytes);
    // Beside version 1, version 2 is in a folder of its own.
    ptrdiff_t quota =
        least_quota(cores_of_groups(groups, "/sys/fs/cgroup"),
                    cores_of_groups(groups, "/sys/fs/cgroup/unified"));
    ptrdiff_t least = least_quota((ptrdiff_t)n, quota);
    return least < 1 ? 1 : least;
}
