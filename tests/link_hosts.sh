#!/bin/sh
# link_hosts.sh SEALED WHOLE SOURCE - programs that have functions of every name
# that the library uses within link it statically, and it never calls theirs.
set -eu
sealed=$(realpath "$1")
whole=$(realpath "$2")
cd "$3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
tools/readme_code.sh c >"$folder/use.c"
nm -g --defined-only "$whole" | awk 'NF == 3 && $2 ~ /[TDRB]/ { print $3 }' |
    grep -v '^assay_' | sort -u >"$folder/names"
grep -qx json_parse "$folder/names" && grep -qx exec_by_rules "$folder/names"
{
    echo 'void abort(void);'
    sed 's/.*/void &(void);\nvoid &(void) { abort(); }/' "$folder/names"
} >"$folder/names.c"
libraries=$(PKG_CONFIG_PATH="$(dirname "$sealed")/meson-private" \
    pkg-config --libs --static assay | sed 's/-lassay//')
n=0
failed=0
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    n=$((n + 1))
    if $cc -w -fno-builtin -o "$folder/$cc" "$folder/use.c" "$folder/names.c" \
        -Iinclude "$sealed" $libraries 2>"$folder/said" && said=$("$folder/$cc") &&
        test "$said" = "0: row 1: 12 != 11"; then
        echo "ok $n - with $cc, $(wc -l <"$folder/names") names"
    else
        echo "not ok $n - with $cc"
        sed 's/^/# /' "$folder/said" | head -20
        failed=1
    fi
done
echo "1..$n"
exit $failed
