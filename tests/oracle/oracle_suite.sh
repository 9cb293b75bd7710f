#!/bin/sh
# oracle_suite.sh ASSAY - suites of three Spider schemas: nearly all neighbors
# die, and each gold passes its own suite.
set -eu
assay=$1
data=${ASSAY_DATA:-../shared/data}/spider
test -f "$data/dev_gold.sql" || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
tab=$(printf '\t')
grep -E "${tab}(orchestra|singer|real_estate_properties)\$" \
    "$data/dev_gold.sql" > "$work/gold.sql"
"$assay" distill --gold "$work/gold.sql" --db "$data/database" \
    --out "$work/suite" --no-times --tries 300 > "$work/totals"
killed=$(sed -n 's/^killed .*, \([0-9]*\)\.[0-9]* %.*/\1/p' "$work/totals")
if test "$killed" -lt 99; then
    cat "$work/totals"
    echo "not ok: less than 99 % of the neighbors are dead"
    exit 1
fi
cut -f 1 "$work/gold.sql" > "$work/pred.sql"
"$assay" score --gold "$work/gold.sql" --pred "$work/pred.sql" \
    --db "$data/database" --suite "$work/suite" --metrics suite \
    --out "$work/run.jsonl" --no-times -q --fail-under suite=100
echo "ok: $killed % killed"
