#!/bin/sh
# try_install.sh BUILD - installs into an empty folder and uses what is there:
# the program answers, and a C program that knows only pkg-config links against
# the static and the shared library; the manual page and the completions are in
# their places, and those who read them find nothing wrong.
set -eu
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 130' HUP INT TERM
DESTDIR=$root meson install -C "$1" --no-rebuild --quiet
prefix=$(meson introspect "$1" --buildoptions |
    python3 -c 'import json, sys
print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
pc=$(find "$root" -name assay.pc)
test -n "$pc"
export PKG_CONFIG_PATH="${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$root"
"$root$prefix/bin/assay" --version

header=$root$prefix/include/assay/assay.h
test -f "$header"
tools/readme_code.sh c >"$root/use.c"
says() {
    said=$("$@")
    test "$said" = "0: row 1: 12 != 11" || {
        echo "try_install.sh: the example of README.md prints: $said" >&2
        exit 1
    }
}
cc -o "$root/shared" "$root/use.c" $(pkg-config --cflags --libs assay)
says env "LD_LIBRARY_PATH=${pc%/pkgconfig/*}" "$root/shared"
cc -o "$root/static" "$root/use.c" $(pkg-config --cflags assay) \
    "${pc%/pkgconfig/*}/libassay.a" $(pkg-config --libs --static assay |
        sed 's/-lassay//')
says "$root/static"

share=$root$prefix/share
for reads in 'bash -n %share/bash-completion/completions/assay' \
    'zsh -n %share/zsh/site-functions/_assay' \
    'fish -n %share/fish/vendor_completions.d/assay.fish' \
    'mandoc -Tlint -Wwarning %share/man/man1/assay.1' \
    'groff -ww -man -Tutf8 -z %share/man/man1/assay.1'; do
    test -s "$share/${reads##*%share/}"
    command -v "${reads%% *}" >/dev/null || continue
    said=$(${reads%%%*} "$share/${reads##*%share/}" 2>&1) && test -z "$said" || {
        echo "try_install.sh: $reads: $said" >&2
        exit 1
    }
done
