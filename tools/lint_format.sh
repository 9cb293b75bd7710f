#!/bin/sh
# lint_format.sh [FILE...] - C files (default: all) that clang-format 14 would
# change. Another version lays out other files, so without it: skipped (77).
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format-14 >/dev/null; then
    echo "no clang-format-14"
    exit 77
fi
if [ $# -eq 0 ]; then
    set -- $(tools/files.sh c h)
fi
exec clang-format-14 --dry-run -Werror "$@"
