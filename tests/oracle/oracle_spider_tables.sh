#!/bin/sh
# oracle_spider_tables.sh ASSAY - the tables of `--like spider`, digit for
# digit: Spider's published example of an output, and the golds of SParC and
# CoSQL against themselves. Leaves with 77 when there is no data.
set -eu
assay=$1
data=${ASSAY_DATA:-../shared/data}
spider=$data/spider
example=$spider/official_example
if ! [ -f "$example/eval_result_example.txt" ]; then
    echo "skipped: no data (ASSAY_DATA)"
    exit 77
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/oracle_spider_tables.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM
failed=0

# score GOLD PRED [OPTION]: the tables, and our own summary after them.
score()
{
    gold=$1
    pred=$2
    shift 2
    "$assay" score --like spider --metrics set --no-times "$@" \
        --gold "$gold" --pred "$pred" --db "$spider/database" \
        --tables "$spider/tables.json"
}

# same NAME: is $tmp/got what $tmp/want is?
same()
{
    if diff "$tmp/want" "$tmp/got"; then
        echo "$1: $(wc -l < "$tmp/want") rows agree"
    else
        echo "$1: differs"
        failed=1
    fi
}

# The first release did not compare single tables; all later ones do.
sed -n '/^ *easy  *medium/,$p' "$example/eval_result_example.txt" |
    awk '/^exact match / {
            printf "%-20s %-20s %-20s %-20s %-20s %-20s\n", "exact match",
                "0.852", "0.720", "0.718", "0.388", "0.697"
            next
        }
        { print }' > "$tmp/want"
score "$spider/gold_2020.txt" "$example/pred_example.txt" > "$tmp/all"
head -n "$(wc -l < "$tmp/want")" "$tmp/all" > "$tmp/got"
same "official example"

# The cases before the tables. That the first release did not compare single
# tables is 29 easy questions: (0.968 - 0.852) x 250.
grep -v '^eval_err_num' "$example/eval_result_example.txt" |
    sed '/^ *easy  *medium/,$d' > "$tmp/want"
score "$spider/gold_2020.txt" "$example/pred_example.txt" --verbose |
    sed '/^ *easy  *medium/,$d' > "$tmp/got"
diff "$tmp/want" "$tmp/got" > "$tmp/changes" || true
if grep -q '^<' "$tmp/changes" ||
    [ "$(grep -c '^> easy pred: ' "$tmp/changes")" -ne 29 ] ||
    [ "$(grep -c '^>' "$tmp/changes")" -ne 87 ]; then
    cat "$tmp/changes"
    echo "cases of the official example: differ"
    failed=1
else
    echo "cases of the official example: $(wc -l < "$tmp/want") lines agree"
fi

# row LABEL CELL...: a row of a table.
row()
{
    printf '%-20s' "$1"
    shift
    printf ' %-20s' "$@"
    echo
}

# Counts of turns 1, 2, 3, 4 and later in a file of sessions.
turns()
{
    awk 'NF == 0 { turn = 0; next }
        { n[++turn > 4 ? 5 : turn]++ }
        END { for (i = 1; i <= 5; i++) { printf "%d ", n[i] } }' "$1"
}

# self NAME COUNT...: gold against itself; the counts of levels and sessions.
self()
{
    gold=$data/$1/dev_gold.txt
    name=$1
    shift
    score "$gold" "$gold" > "$tmp/all"
    grep -E '^(count|exact match) ' "$tmp/all" > "$tmp/got"
    {
        row count "$@"
        row "exact match" 1.000 1.000 1.000 1.000 1.000 1.000
        # shellcheck disable=SC2046 # one word a cell
        row count $(turns "$gold")
        row "exact match" 1.000 1.000 1.000 1.000 1.000
    } > "$tmp/want"
    same "$name"
}

self sparc 483 441 145 134 1203 422
self cosql 417 320 163 107 1007 293
exit $failed
