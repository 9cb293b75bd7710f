#!/bin/sh
# embed.sh TABLE FILE... - prints C source with the bytes of the files, for data
# that a program carries in itself: `const embedded_file TABLE[]` and how many
# there are, each under its name without folder and suffix.
set -eu
table=$1
shift
echo '#include "base/embedded.h"'
n=0
for file in "$@"; do
    echo "static const char bytes_$n[] = {"
    od -An -v -tx1 "$file" | sed "s/[0-9a-f][0-9a-f]/'\\\\x&',/g"
    echo "};"
    n=$((n + 1))
done
echo "const embedded_file $table[] = {"
n=0
for file in "$@"; do
    name=${file##*/}
    echo "    {\"${name%.*}\", bytes_$n, (ptrdiff_t)sizeof bytes_$n},"
    n=$((n + 1))
done
echo "};"
echo "const ptrdiff_t ${table}_count = $n;"
