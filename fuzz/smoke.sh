#!/bin/sh
# smoke.sh TARGET SEEDS [RUNS] - a short run of a libFuzzer target that leaves
# the seeds as they are. Always the same random seed: CI must not roll dice.
set -eu
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
trap 'exit 130' HUP INT TERM
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$1" -runs="${3:-10000}" -seed=1 -error_exitcode=1 -max_len=2048 -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 "$found" "$2"
