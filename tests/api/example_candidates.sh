#!/bin/sh
# example_candidates.sh PROGRAM - examples/candidates.c prints what its comments promise.
set -eu
want='DELETE FROM customers: no forbidden
I would say: ```sql
SELECT 11
```: no rows_differ
SELECT count(id) FROM customers: yes '
got=$("$1" | LC_ALL=C sort -s -t: -k1,1)
want=$(printf '%s\n' "$want" | LC_ALL=C sort -s -t: -k1,1)
test "$got" = "$want" || {
    printf '%s\n' "$got"
    exit 1
}
