#!/bin/sh
# oracle_worker.sh ASSAY - a model's answers to Spider dev, as a file for `assay
# score` and as requests for `assay worker`: the verdicts are the same.
set -eu
assay=$1
data=${ASSAY_DATA:-../shared/data}/spider
test -f "$data/dev.json" || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

"$assay" convert "$data/dev.json" --pred "$data/predictions/dail_gpt4.sql" \
    -o "$work/cases.jsonl"
set -- --db "$data/database" --metrics string,set,exec,subset \
    --rules assay,spider,bird --now 2026-06-30 --no-times --jobs 2 -q
"$assay" score --gold "$work/cases.jsonl" --out "$work/run.jsonl" "$@"
"$assay" worker --ordered "$@" <"$work/cases.jsonl" >"$work/answers.jsonl"

found() {
    sed -nE 's/.*("verdicts":.*"pred_ms":null).*/\1/p'
}
found <"$work/run.jsonl" >"$work/by_score"
found <"$work/answers.jsonl" >"$work/by_worker"
test "$(wc -l <"$work/by_worker")" -eq 1034
cmp "$work/by_score" "$work/by_worker"
echo "ok: 1034 answers of worker are those of score"
