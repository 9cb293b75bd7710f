#!/bin/sh
# demo.sh ASSAY - what `make demo` shows: the main job on examples/shop, with
# real output. Its journal stays in the folder demo beside ASSAY, to be looked
# at. Ends with 0 when everything ran as it should.
set -eu
cd "$(dirname "$0")/.."
assay=$1
shop=examples/shop
out=$(dirname "$assay")/demo
mkdir -p "$out"

say() {
    printf '\n%s\n' "$*"
}

# Prints a command as a user would type it, then runs it.
run() {
    printf '\n$ assay'
    for word in "$@"; do
        case $word in
        *' '*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n\n'
    "$assay" "$@"
}

# The line of the journal for one run and case.
show() {
    grep "^{\"run\":\"$1\",\"id\":\"$2\"" "$out/shop.jsonl"
}

say "40 questions about an invented shop and a library, each with gold SQL, and
the answers of two models: a good one, and one that makes every kind of mistake.
assay runs gold and prediction on the databases and compares the results. (--now
freezes the clock; --timeout stops the query that would run forever.)"
run score --gold $shop/questions.jsonl \
    --pred $shop/model_a.jsonl --pred $shop/model_b.sql --db $shop \
    --now 2026-06-30 --timeout 1 --out "$out/shop.jsonl" --force

say "Every no comes with a reason and evidence. Three lines of the run file:"
say "model_b forgets that UNION drops repeated rows, but UNION ALL does not:"
show model_b l06
say "model_a returns the columns in reverse order, under each other's names; the
values are right, and a note says what happened:"
show model_a s21
say "The gold of s26 reads a table that does not exist. That is not the model's
fault, so the verdict is unknown, and the summary names the maximum score:"
show model_b s26

say "model_b under the rules of other evaluators, including their faults:"
run score --gold $shop/questions.jsonl --pred $shop/model_b.sql --db $shop \
    --now 2026-06-30 --timeout 1 --metrics exec --rules assay,spider,bird |
    sed '/^why answers failed/,/^$/d'

say "A gate for CI. It ends with exit code 1, as it should:"
status=0
run score --gold $shop/questions.jsonl --pred $shop/model_b.sql --db $shop \
    --now 2026-06-30 --timeout 1 --quiet --fail-under exec=75 2>&1 || status=$?
echo "(exit code $status)"
test "$status" -eq 1

say "Read on: README.md, assay help score, assay help reasons, docs/README.md"
