#!/bin/sh
# lint_exports.sh LIBRARY HEADER - the shared library exports exactly the
# functions that the public header declares with ASSAY_API.
set -eu
declared=$(mktemp)
exported=$(mktemp)
trap 'rm -f "$declared" "$exported"' EXIT
trap 'exit 130' HUP INT TERM
sed -n 's/^ASSAY_API [^(]*[ *]\(assay_[a-z0-9_]*\)(.*/\1/p' "$2" |
    sort >"$declared"
nm -D --defined-only "$1" | awk '{ print $NF }' | sort >"$exported"
test -s "$declared"
diff "$declared" "$exported"
