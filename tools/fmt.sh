#!/bin/sh
# fmt.sh - lays out all C files of the project with clang-format 14.
set -eu
cd "$(dirname "$0")/.."
tools/files.sh c h | xargs clang-format-14 -i
