#!/bin/sh
# files.sh SUFFIX... - the project's own files with these suffixes, one a line.
# What git knows; in a source archive, whatever lies outside of build folders.
set -eu
cd "$(dirname "$0")/.."
pattern="\\.($(echo "$*" | tr ' ' '|'))\$"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files
else
    find . -path './build*' -prune -o -type f -print | sed 's,^\./,,' | sort
fi | grep -E "$pattern" | while IFS= read -r file; do
    if [ -f "$file" ]; then
        printf '%s\n' "$file"
    fi
done
