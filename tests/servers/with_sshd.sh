#!/bin/sh
# with_sshd.sh COMMAND [ARGUMENT...] - runs a command beside two ssh servers of its
# own, host1 and host2, both of them this machine. Ends with what the command
# ended with.
#
# Ports are free ones of the loopback, keys and all else are in a fresh temporary
# folder, which is gone afterwards. $PARALLEL_SSH leads GNU parallel there. What
# runs there has its host in $SSH_HOST; the process of a server is in
# $SSH_FOLDER/host1.pid. Where there is no server, says so as a test in TAP would.
set -eu
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v parallel >/dev/null || {
    echo "1..0 # SKIP no sshd and parallel here (Debian: openssh-server, parallel)"
    exit 0
}

. "$(dirname "$0")/with_lib.sh"
folder_begin ssh
test "$(id -u)" -ne 0 || mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
cp "$folder/user.pub" "$folder/users"
ports=$(python3 -c '
import socket
s = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*[x.getsockname()[1] for x in s])')
n=0
for port in $ports; do
    n=$((n + 1))
    cat >"$folder/host$n" <<END
ListenAddress 127.0.0.1:$port
HostKey $folder/host
AuthorizedKeysFile $folder/users
PidFile none
SetEnv SSH_HOST=host$n
StrictModes no
UsePAM no
PasswordAuthentication no
END
    cat >>"$folder/ssh" <<END
Host host$n
  HostName 127.0.0.1
  Port $port
  IdentityFile $folder/user
  StrictHostKeyChecking no
  UserKnownHostsFile $folder/known
  LogLevel ERROR
END
done
script end <<END
for file in "$folder"/*.pid; do
    test ! -f "\$file" || kill "\$(cat "\$file")"
done
END
for n in 1 2; do
    "$sshd" -D -f "$folder/host$n" -E "$folder/log" </dev/null >/dev/null 2>&1 &
    echo $! >"$folder/host$n.pid"
done
for n in 1 2; do
    tries=0
    until ssh -F "$folder/ssh" "host$n" true 2>>"$folder/log"; do
        tries=$((tries + 1))
        test $tries -lt 100 || {
            cat "$folder/log" >&2
            exit 1
        }
        sleep 0.1
    done
done
mkdir "$folder/home"
export SSH_FOLDER="$folder" PARALLEL_HOME="$folder/home"
export PARALLEL_SSH="ssh -F $folder/ssh"
beside "$@"
