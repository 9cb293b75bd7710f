#!/bin/sh
# help_pages.sh ASSAY PAGE - prints a page of docs/ with the help texts in it as
# the program ASSAY gives them now. They stand in fences that open with
# "```text assay help TOPIC". To bring the pages up to date:
#     for page in docs/cli/*.md docs/audit.md docs/reasons.md; do
#         tools/help_pages.sh build/assay $page > new && cp new $page
#     done; rm new
# tests/cases/cli/help.test fails where that changes something.
set -eu
awk -v assay="$1" '
    /^```$/ { inside = 0 }
    !inside { print }
    /^```text assay help / {
        inside = 1
        command = assay " help " $4
        while ((command | getline line) > 0) {
            print line
        }
        close(command)
    }
' "$2"
