#!/bin/sh
# static.sh [FOLDER [MACHINE]] - the program as one file for any Linux on MACHINE
# (x86_64 or aarch64; without it, this one): FOLDER/assay (build-static), with
# SQLite and all else inside.
#
# The libraries are those of Debian's development packages, whose versions are
# written to FOLDER/libraries.txt: with the same ones, the bytes are the same.
# It is optimized as a whole when it is linked, as is all that is installed.
# It judges SQLite databases; PostgreSQL, MariaDB, ODBC, DuckDB, models and Z3
# need libraries that a static program cannot load.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build-static}
here=$(uname -m)
machine=${2:-$here}
cross=
tool=
architecture=
compiler=gcc
if [ "$machine" != "$here" ]; then
    cross="--cross-file=tools/$machine.ini"
    tool=$machine-linux-gnu-
    architecture=:arm64
    compiler=gcc-$machine-linux-gnu
fi
test -f "$out/build.ninja" || meson setup "$out" --buildtype=release \
    -Db_ndebug=true -Db_lto=true -Ddefault_library=static -Dstatic=true \
    -Dauto_features=disabled -Dseccomp=enabled -Dbench=false $cross \
    >"$out.log" || {
    tail "$out.log" >&2
    exit 1
}
rm -f "$out.log"
ninja -C "$out" assay
"${tool}strip" "$out/assay"
{
    dpkg-query -W "$compiler"
    for package in libc6-dev libsqlite3-dev libutf8proc-dev zlib1g-dev \
        libxxhash-dev libseccomp-dev; do
        dpkg-query -W "$package$architecture"
    done
} >"$out/libraries.txt"
ls -l "$out/assay"
