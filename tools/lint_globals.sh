#!/bin/sh
# lint_globals.sh FILE... - finds variables that live as long as the process and
# can change, in object files and archives. Constant tables whose addresses the
# linker fills in (.data.rel.ro) are none.
#
# Allowed, each for its reason:
#   signal_pending   what a signal handler may do is set one variable
#   way_out          of a thread: where a call goes on when memory is full
#   followed         the clock of a worker process, set once when it begins
#   when_full        what arenas without a hook call, set once when a program begins
#   thrown_type      how the C++ runtime of a library says what was thrown, set once
#   parts            files that this process writes and that have no name yet
#   trusted          what the user allows, said once before any engine is opened
set -eu
allowed='^(signal_pending|followed|when_full|thrown_type|parts|trusted|way_out)$'

objdump -t "$@" | awk -v allowed="$allowed" '
    /:     file format/ { object = $1 }
    / (\.(data|bss|tdata|tbss)[^ \t]*|\*COM\*)\t/ {
        if ($0 ~ / \.data\.rel\.ro/ || $NF ~ /^\./ || $NF ~ allowed) {
            next
        }
        print object " a variable of the process: " $NF
        found = 1
    }
    END { exit found }
'
