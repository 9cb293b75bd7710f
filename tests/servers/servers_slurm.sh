#!/bin/sh
# servers_slurm.sh ASSAY - the script of docs/cluster.md as a job array on four
# nodes, one of which dies with its task: what is joined is the run that was not
# cut. Runs under with_slurm.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/cluster_lib.sh"

# Prints "ARRAY_INDEX JOB_ID NODE STEP_DAEMON PROCESS" of a task in the middle.
meet_a_task() {
    tries=0
    while [ $tries -lt 600 ]; do
        tries=$((tries + 1))
        squeue -h -t RUNNING -o '%K %A %N' >running
        while read -r index job node; do
            step=$(pgrep -f "^slurmstepd: \[$job\.batch\]") &&
                process=$(pgrep -P "$step" -x assay) &&
                stop_in_the_middle "$process" "run.$index.jsonl" &&
                echo "$index $job $node $step $process" && return 0
        done <running
        sleep 0.05
    done
    return 1
}

documented '#SBATCH' >shards.sh
sbatch --wait --array=0-6 --cpus-per-task=1 shards.sh >sbatch.log 2>"$work/err" &
waiting=$!
meet_a_task >met
read -r index job node step process <met
check "a task is met in the middle" test -n "$process"
check "its node dies with it" kill -9 "$(cat "$SLURM_FOLDER/$node.pid")" "$step" "$process"
wait $waiting
check "the array ends, and ends well" test $? -eq 0
scontrol -o show job "$job" >job.txt
check "the task was begun twice" grep -q ' Restarts=1 ' job.txt
check "at last on another node" not grep -q " BatchHost=$node " job.txt
is_whole_run
echo "1..$count"
