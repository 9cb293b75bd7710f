#!/bin/sh
# try_chroot.sh [FOLDER] - uses the wheel and what `make install` installs in a
# fresh Debian, as a stranger would: the examples of README.md in Python, C and
# C++ (pkg-config finds the library), and the program.
#
# FOLDER is where the chroot is made, or one that this script made before; without
# it a temporary one. Needs root and debootstrap, which fetches 150 MB by the
# mirror that it knows; ten minutes the first time. `make try-chroot`.
set -eu
cd "$(dirname "$0")/.."
fail() {
    echo "try_chroot.sh: $*" >&2
    exit 1
}
test "$(id -u)" = 0 || fail "only root can make a chroot"
command -v debootstrap >/dev/null || fail "no debootstrap: apt-get install debootstrap"

# What assay.pc asks for; the program and the wheel need only what these need.
packages=libsqlite3-dev,libxxhash-dev,libutf8proc-dev,zlib1g-dev,libseccomp-dev

root=${1-}
made=
if test -z "$root"; then
    root=$(mktemp -d)
    made=$root
fi
finish() {
    umount "$root/proc" 2>/dev/null || true
    test -z "$made" || rm -rf --one-file-system "$made"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM
if ! test -x "$root/usr/bin/python3"; then
    . /etc/os-release
    debootstrap --variant=minbase \
        --include=python3-venv,gcc,g++,libc6-dev,pkg-config,"$packages" \
        "$VERSION_CODENAME" "$root" >"$root.log" || fail "see $root.log"
    rm -f "$root.log"
fi

mount -t proc proc "$root/proc"

# What a stranger gets: nothing of the sources but the README's examples.
make wheel >/dev/null
make install DESTDIR="$root" >/dev/null
home=$root/srv/assay
rm -rf "$home"
mkdir -p "$home/examples"
cp build-wheel/assay-*.whl "$home"
cp -r examples/shop "$home/examples"
tools/readme_code.sh python >"$home/use.py"
tools/readme_code.sh c >"$home/use.c"

chroot "$root" /bin/sh -eux <<'END'
cd /srv/assay
ldconfig
assay --version
assay score --gold examples/shop/questions.jsonl --pred examples/shop/model_a.jsonl --db examples/shop --now 2026-06-30 -q

cc use.c $(pkg-config --cflags --libs assay) -o use-c
test "$(./use-c)" = "0: row 1: 12 != 11"
c++ -x c++ -Wall -Wextra -Werror use.c -x none $(pkg-config --cflags --libs assay) -o use-c++
test "$(./use-c++)" = "0: row 1: 12 != 11"

python3 -m venv venv
venv/bin/pip install --quiet --no-index --disable-pip-version-check assay-*.whl
mkdir -p alone/examples && cp -r examples/shop alone/examples && cd alone
env -i HOME=/srv/assay ../venv/bin/python ../use.py
env -i HOME=/srv/assay ../venv/bin/assay --version
END
echo "try_chroot.sh: Python, C and C++ work in $root"
