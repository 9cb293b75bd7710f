#!/bin/sh
# image.sh PROGRAM ARCHIVE - an OCI image of PROGRAM with the client libraries of
# PostgreSQL, MariaDB and ODBC, Z3 and libcurl, as ARCHIVE: what
# `podman load -i ARCHIVE` or `skopeo copy oci-archive:ARCHIVE …` reads.
#
# It is made of Debian's packages, without a daemon and without a registry. Needs
# root (for debootstrap), debootstrap and umoci.
set -eu
cd "$(dirname "$0")/.."
fail() {
    echo "image.sh: $*" >&2
    exit 1
}
test $# -eq 2 || fail "usage: image.sh PROGRAM ARCHIVE"
test "$(id -u)" = 0 || fail "only root can make the folder of a system"
program=$1
archive=$2
version=$("$program" --version | sed -n '1s/^assay \([^ ]*\).*/\1/p')
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM

. /etc/os-release
debootstrap --variant=minbase \
    --include=libpq5,libmariadb3,libodbc2,odbc-postgresql,odbc-mariadb,libcurl4,libyaml-0-2,libmicrohttpd12,libz3-4,ca-certificates \
    "$VERSION_CODENAME" "$work/root" >"$work/log" || {
    tail "$work/log" >&2
    fail "debootstrap failed"
}
cp "$program" "$work/root/usr/bin/assay"
mkdir -p "$work/root/data" "$work/root/usr/share/assay"
cp LICENSE "$work/root/usr/share/assay"
# What only apt, and who reads manuals, would want.
for folder in var/cache/apt var/lib/apt/lists usr/share/man usr/share/locale; do
    find "$work/root/$folder" -mindepth 1 -delete
done

umoci init --layout "$work/image"
umoci new --image "$work/image:$version"
umoci insert --image "$work/image:$version" "$work/root" /
# No account of the host: nothing in /data has to be writable but --out.
umoci config --image "$work/image:$version" --config.user 65534:65534 \
    --config.workingdir /data --config.entrypoint /usr/bin/assay \
    --config.label "org.opencontainers.image.version=$version" \
    --config.label org.opencontainers.image.licenses=Apache-2.0
umoci gc --layout "$work/image"
tar -C "$work/image" -cf "$archive" .
ls -l "$archive"
