#!/bin/sh
# with_duckdb.sh COMMAND [ARGUMENT...] - runs a command that finds DuckDB's
# library, or says, as a test in TAP would, that there is none.
set -eu
if ! ASSAY_DUCKDB=$("$(dirname "$0")/../../tools/duckdb.sh"); then
    echo "1..0 # SKIP no DuckDB library here (tools/duckdb.sh get)"
    exit 0
fi
export ASSAY_DUCKDB
export ASSAY_TEST_DUCKDB=yes
exec "$@"
