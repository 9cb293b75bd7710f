#!/bin/sh
# reproduce.sh [WHAT...] - builds HEAD twice, in two folders, and compares bytes.
#
#   wheel   program, library and Python package (`make wheel`)
#   static  the static program (`make static`)
#   deb     the Debian packages (`make deb`)
#
# Without arguments all of them. Prints a line for each file; ends with 1 when
# two differ. Some ten minutes on two cores: compilers run without a cache.
set -eu
cd "$(dirname "$0")/.."
test $# -gt 0 || set -- wheel static deb
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
export CCACHE_DISABLE=1
# Somebody may commit in the meantime.
COMMIT=$(git rev-parse HEAD)
export COMMIT

sources() { # COPY
    mkdir -p "$1"
    git archive "$COMMIT" | tar -x -C "$1"
}

build() { # WHAT COPY RESULTS
    case $1 in
    wheel)
        sources "$2"
        make -s -C "$2" wheel
        cp "$2"/build-wheel/assay "$2"/build-wheel/libassay.so.0 \
            "$2"/build-wheel/*.whl "$3"
        ;;
    static)
        sources "$2"
        make -s -C "$2" static
        cp "$2"/build-static/assay "$3"
        ;;
    deb)
        tools/deb.sh "$2"
        cp "$2"/*.deb "$3"
        ;;
    *)
        echo "reproduce.sh: unknown '$1'; known: wheel static deb" >&2
        exit 2
        ;;
    esac
}

status=0
for what in "$@"; do
    for copy in one another-one; do
        mkdir -p "$folder/$what-$copy-made"
        build "$what" "$folder/$what-$copy" "$folder/$what-$copy-made" \
            >"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2; exit 1; }
    done
    for file in "$folder/$what-one-made"/*; do
        name=${file##*/}
        if cmp "$file" "$folder/$what-another-one-made/$name"; then
            echo "same $(sha256sum <"$file" | cut -c 1-16) $what $name"
        else
            status=1
        fi
    done
done
exit $status
