#!/bin/sh
# duckdb.sh [get] - the path of DuckDB's library, for the tests of its engine.
#
# That is $ASSAY_DUCKDB if set, else a copy in the user's cache folder; `get`
# fetches it there with npm (a package of 24 MB). Prints nothing and ends with 1
# where there is none.
set -eu
package=@duckdb/node-bindings-linux-x64
version=1.5.6-r.1
home=${HOME:-$(getent passwd "$(id -u)" | cut -d : -f 6)}
folder=${XDG_CACHE_HOME:-$home/.cache}/assay/duckdb-$version
library=${ASSAY_DUCKDB:-$folder/libduckdb.so}

if [ ! -f "$library" ] && [ "${1:-}" = get ]; then
    if ! command -v npm >/dev/null || [ "$(uname -m)" != x86_64 ]; then
        echo "duckdb.sh: it is fetched with npm, for x86_64 only" >&2
        exit 1
    fi
    echo "duckdb.sh: fetching $package $version" >&2
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    (cd "$work" && npm pack --silent "$package@$version" >/dev/null &&
        tar xzf ./*.tgz package/libduckdb.so)
    mkdir -p "$folder"
    mv "$work/package/libduckdb.so" "$folder/libduckdb.so"
fi
test -f "$library" && echo "$library"
