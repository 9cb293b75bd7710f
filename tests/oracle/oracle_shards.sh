#!/bin/sh
# oracle_shards.sh ASSAY - two models on Spider dev: seven shards, joined, are
# the run; also when one of them was killed and goes on.
set -eu
assay=$1
data=${ASSAY_DATA:-../shared/data}/spider
test -f "$data/dev_gold.sql" || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# Takes the place of its shell, so that a kill is assay's.
exec_score() {
    exec "$assay" score --gold "$data/dev_gold.sql" --db "$data/database" \
        --pred "$data/predictions/dail_gpt4.sql" \
        "$data/predictions/c3_chatgpt.sql" \
        --metrics string,set,exec --now 2026-06-30 --no-times -q "$@"
}
score() {
    (exec_score "$@")
}

score --out "$work/whole.jsonl"
for i in 0 1 2 3 4 5 6; do
    score --shard "$i/7" --out "$work/shard.$i.jsonl" --jobs 1
done
"$assay" merge "$work"/shard.*.jsonl -o "$work/run.jsonl"
cmp "$work/run.jsonl" "$work/whole.jsonl"
echo "ok: 7 shards are the run"

# Killed once it has written something; resumed, with more workers.
rm "$work/shard.4.jsonl"
exec_score --shard 4/7 --out "$work/shard.4.jsonl" --jobs 1 &
pid=$!
tries=0
while test "$(cat "$work/shard.4.jsonl" 2>/dev/null | wc -l)" -lt 3 &&
    test $tries -lt 3000; do
    sleep 0.01
    tries=$((tries + 1))
done
kill -9 "$pid" 2>/dev/null || true
wait "$pid" || true
cp "$work/shard.4.jsonl" "$work/killed.jsonl"
# Where it was quicker than the kill, a part of it is what a kill leaves.
if "$assay" merge "$work"/shard.*.jsonl -o "$work/run.jsonl" 2>/dev/null; then
    head -c 50000 "$work/killed.jsonl" > "$work/shard.4.jsonl"
fi
if "$assay" merge "$work"/shard.*.jsonl -o "$work/run.jsonl"; then
    echo "not ok: a torn shard is taken"
    exit 1
fi
score --shard 4/7 --resume --out "$work/shard.4.jsonl" --jobs 2
"$assay" merge "$work"/shard.*.jsonl -o "$work/run.jsonl"
cmp "$work/run.jsonl" "$work/whole.jsonl"
echo "ok: a shard that was killed goes on"
