#!/bin/sh
# judge_mock.sh ASSAY MOCK [PAIRS [IN_FLIGHT [FAULTS_PERCENT]]] - assay judge
# against a server full of faults, killed in the middle and resumed: every pair
# is answered, and no answer that was written down is asked for again.
set -eu
assay=$(realpath "$1")
mock=$(realpath "$2")
pairs=${3:-400}
in_flight=${4:-32}
faults=${5:-30}

folder=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM
cd "$folder"

fail() {
    echo "judge_mock: $*" >&2
    exit 1
}

awk -v n="$pairs" 'BEGIN {
    for (i = 0; i < n; i++)
        printf "{\"id\":\"%d\",\"left\":\"SELECT %d\",\"right\":\"SELECT %d + 0\"}\n", i, i, i
}' >pairs.jsonl

"$mock" port stats "$faults" 1 $((pairs / 3)) &
server=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -s port ] || break
    sleep 0.2
done
ASSAY_API_BASE=http://127.0.0.1:$(cat port)/v1
OPENAI_API_KEY=secret-of-the-test
export ASSAY_API_BASE OPENAI_API_KEY
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY 2>/dev/null || true

set -- judge --pairs pairs.jsonl --model mock --concurrency "$in_flight" \
    --record record.jsonl --out

# Killed once a quarter of the answers is there, and a line cut in half. The
# server holds back what follows the first third, so the run cannot be faster.
"$assay" "$@" first.jsonl >/dev/null 2>&1 &
judge=$!
for i in $(seq 600); do
    [ ! -f record.jsonl ] || [ "$(wc -l <record.jsonl)" -lt $((pairs / 4)) ] || break
    sleep 0.02
done
kill -9 $judge 2>/dev/null || true
wait $judge 2>/dev/null || true
[ ! -e first.jsonl ] || fail "finished before it was killed"
kill -USR1 "$server"
recorded=$(wc -l <record.jsonl)
printf '{"key":"0","id":"x","resp' >>record.jsonl

"$assay" "$@" second.jsonl 2>err >summary || fail "the second run failed: $(cat err)"
[ "$(grep -c '"decision":"\(in\)\?equivalent"' second.jsonl)" -eq "$pairs" ] ||
    fail "not every pair was answered"
[ "$(sed 's/.*"id":"\([0-9]*\)".*/\1/' second.jsonl | sort -n | uniq | wc -l)" -eq "$pairs" ] ||
    fail "ids are missing"

# What was on its way when the kill came may be answered again, nothing else.
kill "$server"
wait "$server" 2>/dev/null || true
server=
again=$(sed -n 's/^again //p' stats)
[ "$again" -le "$in_flight" ] || fail "$again texts were paid twice"
grep -q "$((pairs - recorded)) calls" err || fail "not resumed: $(cat err)"

# From the record alone: no server, the same bytes.
"$assay" judge --pairs pairs.jsonl --model mock --replay record.jsonl --out third.jsonl -q
cmp second.jsonl third.jsonl || fail "replayed to other bytes"
if grep -q secret-of-the-test record.jsonl second.jsonl err summary; then
    fail "the key was written down"
fi
echo "ok: $pairs pairs, $recorded before the kill, $again on their way then"
