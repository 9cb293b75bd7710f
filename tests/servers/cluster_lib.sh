# cluster_lib.sh - what the tests of docs/cluster.md share; read in by them, with
# $assay set. In $work, where they then are, lies what its scripts name: dev.json,
# two files in runs, and database.
. "$(dirname "$0")/servers_lib.sh"
assay=$(realpath "$assay")
PATH=$(dirname "$assay"):$PATH
documentation=$PWD/docs/cluster.md
cp -r examples/shop "$work/database"
cd "$work" || exit 1

# Each case is some ten milliseconds of work, so that shards can be met at it.
mkdir runs
i=0
while [ $i -lt 210 ]; do
    i=$((i + 1))
    counting="WITH RECURSIVE n(i) AS (SELECT $i UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    echo "{\"id\":\"$i\",\"db\":\"shop\",\"gold\":\"$counting SELECT count(*) FROM n\"}"
    echo "$counting SELECT max(i) - $i + 1 FROM n" >>runs/a.sql
    echo "SELECT $((20000 - i))" >>runs/b.sql
done >dev.json

documented() { # WORDS: the script of the documentation that has them
    awk -v words="$1" '/^```sh/ { inside = 1; text = ""; next }
        /^```/ { if (inside && index(text, words)) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' "$documentation"
}

# Stops assay where it has judged some predictions and has most to do: of seven
# shards each has more than 40. It goes on where it was later than that.
stop_in_the_middle() { # PROCESS JOURNAL
    test -s "$2" && test "$(wc -l <"$2")" -ge 4 && kill -STOP "$1" 2>/dev/null ||
        return 1
    test "$(wc -l <"$2")" -le 30 || { kill -CONT "$1"; return 1; }
}

is_whole_run() {
    assay merge run.*.jsonl -o run.jsonl 2>"$work/err"
    check "the shards are joined" test $? -eq 0
    assay score --gold dev.json --pred runs/*.sql --db database --quiet \
        --now 2026-11-20 --no-times --out whole.jsonl 2>"$work/err"
    check "what is joined is the whole run" cmp run.jsonl whole.jsonl
    right=$(grep -c '"exec":{"v":"yes"' run.jsonl)
    wrong=$(grep -c '"exec":{"v":"no"' run.jsonl)
    check "with a verdict for each prediction" test "$right $wrong" = "210 210"
}
