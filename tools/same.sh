#!/bin/sh
# same.sh record ASSAY FOLDER | compare FOLDER FOLDER - do two builds of assay
# say the same?
#
# `record` writes into FOLDER what the program ASSAY says of the visible data
# ($ASSAY_DATA, default ../shared/data): journals of all metrics and rules,
# suites, checks, neighbors, lints, help texts. Nothing in them depends on the
# clock or on the load of the machine: the queries on wta_1, some of which run
# into their time limit, are left out.
# `compare` names each file that differs, and counts its lines that do. It ends
# with 1 when there is one.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
data=${ASSAY_DATA:-$here/../shared/data}
now=2026-11-20T12:00:00Z

usage() {
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

say() { # NAME COMMAND...: both streams and the exit code, without the places
    said=$out/$1.txt
    shift
    "$@" >"$said" 2>&1 </dev/null
    echo "[exit $?]" >>"$said"
    sed -i -e "s|$data|DATA|g; s|$out|OUT|g" -e '/^[0-9,]* verdicts\? in /d' \
        -e 's/ in [0-9.]* s$//' "$said"
}

score() { # NAME OPTION...
    journal=$out/score_$1.jsonl
    said_as=score_$1
    shift
    say "$said_as" "$assay" score --no-times --now "$now" --jobs 2 \
        --timeout 60 --out "$journal" "$@"
    sed -i "s|$data|DATA|g; s|$out|OUT|g; s|\"assay\": *\"[^\"]*\"|\"assay\":\"\"|" \
        "$journal"
}

all_metrics=string,edit,set,exec,subset,soft_f1,cell_f1,pragmatic,equiv
all_rules=assay,strict,spider,bird,spider2,defog,sql_eval

record_spider() {
    spider=$data/spider
    set -- --gold "$spider/dev_gold.sql" --db "$spider/database" \
        --tables "$spider/tables.json" --filter 'db!=wta_1'
    say distill "$assay" distill --no-times --now "$now" --jobs 2 \
        --gold "$spider/dev_gold.sql" --db "$spider/database" --out "$out/suite" \
        --limit 200
    (cd "$out/suite" && find . -type f | sort | xargs sha256sum) \
        >"$out/suite.sums.txt"
    for pred in dail_gpt4 chatgpt_zero_shot dbgpt_lora tse_dev_01 tse_dev_21; do
        score "spider_$pred" "$@" --pred "$spider/predictions/$pred.sql" \
            --metrics $all_metrics,suite --rules $all_rules --suite "$out/suite"
    done
    set -- "$@" --filter db=concert_singer,pets_1  # the slow ones: few cases
    score spider_plug "$@" --pred "$spider/predictions/tse_dev_03.sql" \
        --plug-values --metrics exec,subset --rules assay,spider
    score spider_like "$@" --like spider \
        --pred "$spider/predictions/c3_chatgpt.sql"
    say lint_spider "$assay" lint --gold "$spider/dev_gold.sql" \
        --db "$spider/database" --filter 'db!=wta_1'
    say neighbors "$assay" neighbors --json --limit 100 \
        --gold "$spider/dev_gold.sql" --db "$spider/database"
    test_set=$data/spider_test
    for pred in C3 dts_mistral; do
        score "test_$pred" --gold "$test_set/test_gold.sql" \
            --db "$test_set/database" --tables "$test_set/tables.json" \
            --pred "$test_set/predictions/$pred.sql" \
            --metrics $all_metrics --rules assay,spider,bird
    done
}

record_others() {
    bird=$data/bird
    score bird --gold "$bird/bird_mini_dev_sqlite.json" --db "$bird/database" \
        --filter db=superhero --like bird \
        --pred "$bird/predictions/sql_output_kg__predict_mini_dev_gpt-4_sqlite.json"
    for set in questions_gen instruct_basic instruct_advanced; do
        score "defog_$set" --gold "$data/defog/questions/${set}_sqlite.csv" \
            --pred "$data/defog/questions/${set}_sqlite.csv" \
            --db "$data/defog/database" --metrics string,edit,exec,subset \
            --rules $all_rules --allow-missing
    done
    say judge "$assay" judge --replay "$data"/judge/recorded/*.jsonl
}

record_checks() {
    for pairs in "$data"/equivalence/*.jsonl; do
        name=check_$(basename "$pairs" .jsonl)
        say "$name" "$assay" check --pairs "$pairs" --no-times --solver none \
            --seconds 60 --jobs 2 --out "$out/$name.jsonl"
    done
}

record_help() {
    say help "$assay" help
    for topic in score check convert distill neighbors lint fmt judge generate \
        agree metrics rules formats reasons exit-codes proofs features; do
        say "help_$topic" "$assay" help $topic
    done
}

record() {
    assay=$1
    mkdir -p "$2"
    out=$(cd "$2" && pwd)
    case $assay in */*) assay=$(cd "$(dirname "$assay")" && pwd)/${assay##*/} ;; esac
    test -d "$data" || { echo "no data: $data (ASSAY_DATA)" >&2; exit 3; }
    for part in ${SAME_PARTS:-help checks spider others}; do
        "record_$part"
    done
}

compare() {
    differ=0
    for file in "$1"/* "$2"/*; do
        name=$(basename "$file")
        test -f "$file" || continue
        cmp -s "$1/$name" "$2/$name" && continue
        case $file in "$2"/*) test -e "$1/$name" && continue ;; esac
        differ=$((differ + 1))
        printf '%s: %s lines differ\n' "$name" \
            "$(diff "$1/$name" "$2/$name" 2>/dev/null | grep -c '^[<>]')"
    done
    echo "$differ files differ"
    test "$differ" -eq 0
}

case "${1-} $#" in
"record 3") record "$2" "$3" ;;
"compare 3") compare "$2" "$3" ;;
*) usage ;;
esac
