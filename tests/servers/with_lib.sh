# with_lib.sh - what the starters of private servers share; read in by them.

# temporary_place: where the folder shall be. In memory, where a database is made in
# a quarter of the time, if there is room for servers and programs may run there.
temporary_place() {
    room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    free=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    if [ -z "${TMPDIR:-}" ] && [ "${room:-0}" -ge 2048 ] && [ "${free:-0}" -ge 4096 ] &&
        probe=$(mktemp /dev/shm/assay-probe.XXXXXX 2>/dev/null); then
        printf '#!/bin/sh\n' >"$probe"
        chmod +x "$probe"
        "$probe" 2>/dev/null && TMPDIR=/dev/shm
        rm -f "$probe"
    fi
    echo "${TMPDIR:-/tmp}"
}

# folder_begin NAME: a fresh temporary folder, $folder, which is gone in the end.
# Before that end_server runs, in this shell when it ends, and in a process of
# its own when this shell was killed.
#
# The command beside the server has its temporary files in the folder, too. The
# path of a socket is at most 107 bytes long, so names are short.
folder_begin() {
    folder=$(mktemp -d "$(temporary_place)/assay-$1.XXXXXX")
    trap 'folder_end' EXIT
    trap 'exit 130' HUP INT TERM
    (
        trap '' INT TERM HUP
        exec setsid sh -c 'while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
            if [ -d "$2" ]; then
                "$2/end"; umount "$2/full"; rm -rf "$2"
            fi' - $$ "$folder"
    ) <&- >/dev/null 2>&1 &
    mkdir -m 755 "$folder/t" "$folder/full"
    script small <<END
# small SIZE: the folder full holds no more than that, if it may be mounted.
exec mount -t tmpfs -o size="\$1",mode=1777 none "$folder/full"
END
}

folder_end() {
    "$folder/end" >/dev/null 2>&1 || :
    umount "$folder/full" 2>/dev/null || :
    rm -rf "$folder"
}

# script NAME: a program in the folder, from standard input.
script() {
    { echo '#!/bin/sh'; cat; } >"$folder/$1"
    chmod +x "$folder/$1"
}

# encoded PATH: as the host of a URL.
encoded() {
    printf %s "$1" | sed 's,/,%2F,g'
}

# beside COMMAND...: runs what shall run beside the server.
beside() {
    TMPDIR=$folder/t
    export TMPDIR
    "$@"
}
