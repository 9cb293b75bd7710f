#!/bin/sh
# with_slurm.sh COMMAND [ARGUMENT...] - runs a command beside a Slurm of its own:
# a controller and four nodes, n1 to n4, all of them this machine. Ends with what
# the command ended with.
#
# Ports are free ones, all else is in a fresh temporary folder, which is gone
# afterwards. $SLURM_CONF leads sbatch and the like there; $SLURM_FOLDER/node N
# starts node nN. A node that is away for four seconds is down, and what ran on
# it may begin again after another five. Where there is no Slurm, or nobody who
# may start it, says so as a test in TAP would.
set -eu
PATH=$PATH:/usr/sbin:/sbin

for program in slurmctld slurmd sbatch munged pgrep; do
    command -v $program >/dev/null || {
        echo "1..0 # SKIP no $program here (Debian: slurmctld, slurmd," \
            "slurm-client, munge, procps)"
        exit 0
    }
done
if [ "$(id -u)" -ne 0 ]; then
    echo "1..0 # SKIP slurmd is started by root only"
    exit 0
fi

. "$(dirname "$0")/with_lib.sh"
folder_begin slurm
chmod 755 "$folder"
ports=$(python3 -c '
import socket
s = [socket.create_server(("127.0.0.1", 0)) for _ in range(5)]
print(*[x.getsockname()[1] for x in s])')
port() { echo "$ports" | cut -d ' ' -f "$1"; }
host=$(uname -n | cut -d . -f 1)

mkdir -m 700 "$folder/munge"
mkdir "$folder/state" "$folder/log"
head -c 128 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"
cat >"$folder/slurm.conf" <<END
ClusterName=assay
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(port 5)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdPidFile=$folder/%n.pid
SlurmdSpoolDir=$folder/spool.%n
SlurmdLogFile=$folder/log/%n
SlurmdParameters=config_overrides
SlurmdTimeout=4
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
$(for n in 1 2 3 4; do
    echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$(port $n)"
done)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf" SLURM_FOLDER="$folder"
script node <<END
exec slurmd -f "$folder/slurm.conf" -N "n\$1" -c
END
script end <<END
scancel --quiet --user=root --signal=KILL --full || :
pkill -f '$folder/(slurm.conf|munge)' || :
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    pgrep -f '$folder/(slurm.conf|munge)' || break
    sleep 0.2
done
END
{
    munged --force --num-threads=2 --socket="$folder/munge.socket" \
        --key-file="$folder/munge/key" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" &&
        slurmctld -c -f "$folder/slurm.conf" &&
        for n in 1 2 3 4; do "$folder/node" $n; done
} >"$folder/start.log" 2>&1 || {
    cat "$folder/start.log" "$folder"/log/* >&2
    exit 1
}
beside "$@"
