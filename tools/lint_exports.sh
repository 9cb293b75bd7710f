#!/bin/sh
# lint_exports.sh LIBRARY HEADER MAP - the shared library exports exactly the
# functions that the public header declares with ASSAY_API, under the versions
# that the map has them in.
set -eu
declared=$(mktemp)
mapped=$(mktemp)
exported=$(mktemp)
trap 'rm -f "$declared" "$mapped" "$exported"' EXIT
trap 'exit 130' HUP INT TERM
sed -n 's/^ASSAY_API [^(]*[ *]\(assay_[a-z0-9_]*\)(.*/\1/p' "$2" |
    sort >"$declared"
awk '/^ASSAY_.* \{/ { version = $1 }
     /^ *assay_[a-z0-9_]*;/ { sub(";", ""); print $1 "@@" version }' "$3" |
    sort >"$mapped"
nm -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | sort >"$exported"
test -s "$declared"
sed 's/@@.*//' "$mapped" | diff "$declared" -
diff "$mapped" "$exported"
