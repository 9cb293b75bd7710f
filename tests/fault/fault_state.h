/*
 * fault_state.h - what the harness of faults (fault.py) and the program that it
 * tries share: a file that both map.
 *
 * fault.py knows the layout: change both.
 */
#ifndef ASSAY_TESTS_FAULT_STATE_H
#define ASSAY_TESTS_FAULT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// The kinds of calls, in the order of fault.py.
typedef enum fault_kind {
    FAULT_FORK,
    FAULT_PIPE,  // socketpair, signalfd, dup
    FAULT_MMAP,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_OPEN,
    FAULT_CONNECT,
    FAULT_MALLOC,
    FAULT_ARENA,
    FAULT_POLL,
    FAULT_RENAME,
    FAULT_CLOCK,
    FAULT_KIND_COUNT,
} fault_kind;

typedef struct fault_state {
    int64_t kind;     // the kind that fails; -1: none does
    int64_t at;       // its n-th call, from 1
    int64_t goes_on;  // 1: and all that follow
    int64_t jump_s;   // FAULT_CLOCK: by how much the clock jumps
    _Atomic int64_t counts[FAULT_KIND_COUNT];  // of parent and workers
} fault_state;

// Counts a call; true when it is to fail.
bool fault_hits(fault_kind kind);

#endif  // ASSAY_TESTS_FAULT_STATE_H
