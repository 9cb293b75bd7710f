#!/bin/sh
# static_chroot.sh PROGRAM - runs PROGRAM in a root folder that holds nothing but
# it and the example: the main job, a proof, a counterexample. Needs root.
set -eu
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 130' HUP INT TERM
cp "$1" "$root/assay"
cp -r examples/shop "$root/shop"
inside() {
    chroot "$root" "$@"
}
inside /assay --version
inside /assay score --gold shop/questions.jsonl --pred shop/model_a.jsonl \
    --db shop --now 2026-06-30 --no-times --require-sandbox --out here.jsonl \
    >"$root/said"
grep '^exec  *38  *40  *95.0 %' "$root/said"
inside /assay score --gold shop/questions.jsonl --pred shop/model_a.jsonl \
    --db shop 2>&1 | grep '^assay: cannot write a temporary file'
inside /assay check --db shop/shop.sql 'SELECT count(id) FROM customers' \
    'SELECT count(*) FROM customers' | grep -x equivalent
inside /assay check --db shop/shop.sql 'SELECT count(email) FROM customers' \
    'SELECT count(*) FROM customers' | grep '^different' || test $? -eq 1
inside /assay check --db postgresql://localhost/x 'SELECT 1' 'SELECT 1' ||
    test $? -eq 3
