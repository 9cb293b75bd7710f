#!/bin/sh
# servers_slurm.sh ASSAY - the script of docs/cluster.md as a job array on four
# nodes, one of which dies with its task: what is joined is the run that was not
# cut. Runs under with_slurm.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/cluster_lib.sh"

documented '#SBATCH' >shards.sh
sbatch --wait --array=0-6 --cpus-per-task=1 shards.sh >sbatch.log 2>"$work/err" &
running=$!
if meet_a_shard '*'; then
    step=$(ps -o ppid= -p "$process")
    check "a node dies with its task in the middle" \
        kill -9 "$(cat "$SLURM_FOLDER/$host.pid")" $step "$process"
    wait $running
    check "the array ends, and ends well" test $? -eq 0
    scontrol -o show job "$job" >job.txt
    check "the task was begun again" grep -q ' Restarts=[1-9]' job.txt
    check "at last on another node" not grep -q " BatchHost=$host " job.txt
else
    wait $running
    not_met "a node dies with its task in the middle"
fi
is_whole_run
echo "1..$count"
