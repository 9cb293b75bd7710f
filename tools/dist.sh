#!/bin/sh
# dist.sh [FOLDER] - all that a release has, in FOLDER (build-dist): the sources of
# HEAD, the static program for x86-64 and 64-bit ARM, the Python wheel, the Debian
# packages, the image for containers, and the SHA-256 sums of them.
#
# Each is tried when it is made: the programs score the example (that for the other
# machine under qemu). On an x86-64 Debian, as root; some fifteen minutes.
set -eu
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build-dist}")
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build)
rm -rf "$out"
mkdir -p "$out"

tries() { # COMMAND... that stands for assay
    "$@" score --gold examples/shop/questions.jsonl --db examples/shop \
        --pred examples/shop/model_a.jsonl --now 2026-06-30 --no-times \
        --out "$out/run.jsonl" | grep -q '^exec ' || {
        echo "dist.sh: $* does not score the example" >&2
        exit 1
    }
    rm "$out/run.jsonl"
}

git archive --prefix="assay-$version/" HEAD | gzip -n9 \
    >"$out/assay-$version.tar.gz"

tools/static.sh build-static x86_64
tries build-static/assay
cp build-static/assay "$out/assay-$version-linux-x86_64"
cp build-static/libraries.txt "$out/assay-$version-linux-x86_64.libraries.txt"

tools/static.sh build-static-aarch64 aarch64
tries qemu-aarch64 build-static-aarch64/assay
cp build-static-aarch64/assay "$out/assay-$version-linux-aarch64"
cp build-static-aarch64/libraries.txt \
    "$out/assay-$version-linux-aarch64.libraries.txt"

make -s wheel
cp build-wheel/assay-"$version"-py3-none-manylinux_*.whl "$out"

tools/deb.sh build-deb
cp build-deb/*.deb "$out"

# The program of the wheel has all within that the image lacks.
tools/image.sh build-wheel/assay "$out/assay-$version-image.tar"

(cd "$out" && sha256sum -- * >"$out.sums" && mv "$out.sums" SHA256SUMS && ls -l)
