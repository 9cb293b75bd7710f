#!/bin/sh
# long.sh FOLDER SECONDS - every fuzz target of a build, for SECONDS in all, with
# other dice each time. What makes a target fail is kept in FOLDER/found, with
# the command that plays it again. Ends with 1 when one failed.
set -u
folder=$1
seeds=$(dirname "$0")/seeds
targets=$(find "$folder" -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | sort)
n=$(printf '%s\n' "$targets" | grep -c .)
if [ "$n" -eq 0 ]; then
    echo "long.sh: no fuzz targets in $folder" >&2
    exit 2
fi
each=$(($2 / n))
[ "$each" -gt 0 ] || each=1
mkdir -p "$folder/found"
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
trap 'exit 130' HUP INT TERM
failed=0
for target in $targets; do
    name=${target##*/fuzz_}
    log=$folder/found/$name.log
    mkdir -p "$corpus/$name"
    if UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$target" \
        -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/found/$name-" \
        "$corpus/$name" "$seeds/$name" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        printf 'ok    %-12s %s runs in %s s\n' "$name" "$runs" "$each"
    else
        failed=1
        printf 'FAIL  %-12s %s\n' "$name" "$log"
        sed -n "s|.*Test unit written to \(.*\)|      $target \1|p" "$log"
    fi
done
exit "$failed"
