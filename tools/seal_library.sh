#!/bin/sh
# seal_library.sh WHOLE SEALED - makes of a static library one that shows others
# the functions of the public header and nothing else.
#
# In an archive every function that two files share is a name in the program that
# links it: one that has its own json_parse does not link, or calls ours, or ours
# calls its. All members become one object, in which other names are its own.
# The compiler's own code goes, too: objects for optimization at link time hold
# two codes, the machine's, and one that a single version of a single compiler can
# read. Whoever links against the library may have another.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
ld -r --whole-archive -o "$folder/joined.o" "$1"
objcopy --wildcard --keep-global-symbol='assay_*' \
    -R '.gnu.lto_*' -R '.gnu.debuglto_*' -N __gnu_lto_slim -N __gnu_lto_v1 \
    "$folder/joined.o" "$folder/assay.o"
rm -f "$2"
ar rcsD "$2" "$folder/assay.o"
