#!/bin/sh
# servers_parallel.sh ASSAY - the line of docs/cluster.md for GNU parallel on two
# hosts. A task is killed on one, and the other dies with its task: what is joined
# is the run that was not cut. Runs under with_sshd.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/cluster_lib.sh"

# What runs on a host, but for sshd itself.
processes_of() { # HOST
    grep -lzx "SSH_HOST=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

# A login by ssh has a PATH of its own.
documented host1 | sed "s/seq 0 99/seq 0 6/; s,/100,/7,; s,16/host,1/host,g
    s,^ *assay,$work/bin/assay," >shards.sh
sh shards.sh >parallel.log 2>"$work/err" &
running=$!
if meet_a_shard host1; then
    check "a task is killed in the middle" kill -9 "$process"
else
    not_met "a task is killed in the middle"
fi
if meet_a_shard host2; then
    check "a host dies with its task in the middle" \
        kill -9 "$(cat "$SSH_FOLDER/host2.pid")" "$process"
    kill -9 $(processes_of host2) 2>"$work/err"  # some have ended since
    check "nobody answers for it" not $PARALLEL_SSH host2 true
else
    not_met "a host dies with its task in the middle"
fi
wait $running || sh shards.sh >parallel.log 2>"$work/err"
check "all tasks end well, if need be by the same command again" test $? -eq 0
is_whole_run
echo "1..$count"
