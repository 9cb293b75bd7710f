#!/bin/sh
# servers_parallel.sh ASSAY - the line of docs/cluster.md for GNU parallel on two
# hosts. A task is killed on one, and the other dies with its task: what is joined
# is the run that was not cut. Runs under with_sshd.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/cluster_lib.sh"

# The processes of a host, but for sshd's own.
processes_of() { # HOST
    grep -lzx "SSH_HOST=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

# Prints the process of a shard on this host that is in the middle.
meet_a_shard() { # HOST
    tries=0
    while [ $tries -lt 600 ]; do
        tries=$((tries + 1))
        for process in $(processes_of "$1"); do
            journal=$(tr '\0' '\n' <"/proc/$process/cmdline" |
                grep -x 'run\.[0-9]*\.jsonl') &&
                test "$(cat "/proc/$process/comm")" = assay &&
                stop_in_the_middle "$process" "$journal" &&
                echo "$process" && return 0
        done 2>/dev/null
        sleep 0.05
    done
    return 1
}

# A login by ssh has a PATH of its own.
documented host1 | sed "s/seq 0 99/seq 0 6/; s,/100,/7,; s,16/host,1/host,g
    s,^ *assay,$assay," >shards.sh
sh shards.sh >parallel.log 2>"$work/err" &
running=$!
task=$(meet_a_shard host1)
check "a task is met in the middle" test -n "$task"
check "it dies" kill -9 "$task"
check "another is met on another host" test -n "$(meet_a_shard host2)"
check "the host dies with all that runs there" \
    kill -9 "$(cat "$SSH_FOLDER/host2.pid")" $(processes_of host2)
wait $running || sh shards.sh >parallel.log 2>"$work/err"
check "all tasks end well, if need be by the same command again" test $? -eq 0
check "nobody answers for the host" not $PARALLEL_SSH host2 true
is_whole_run
echo "1..$count"
