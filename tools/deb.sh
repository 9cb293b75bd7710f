#!/bin/sh
# deb.sh [FOLDER] - the Debian packages of HEAD, or of $COMMIT, in FOLDER
# (build-deb).
#
# Only what is committed is in them: built from `git archive`, beside the
# sources. The time in them is that of debian/changelog, so that one commit
# gives the same bytes in any folder. Prints what lintian, where it is
# installed, finds; ends with 1 on an error or a warning.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build-deb}
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
rm -rf "$out"
mkdir -p "$out/assay-$version"
git archive "${COMMIT:-HEAD}" | tar -x -C "$out/assay-$version"
cd "$out/assay-$version"
dpkg-buildpackage -b -us -uc >../build.log 2>&1 || {
    tail -n 20 ../build.log >&2
    exit 1
}
cd ..
rm -r "assay-$version"
ls *.deb
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning *.changes
fi
