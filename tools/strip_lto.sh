#!/bin/sh
# strip_lto.sh FILE - takes the compiler's own code out of an installed static
# library, below $DESTDIR where that is set. Run by `meson install`.
#
# Objects for optimization at link time hold two codes: the machine's, and one
# that a single version of a single compiler can read. Whoever links against the
# library may have another.
set -eu
objcopy --enable-deterministic-archives -R '.gnu.lto_*' -R '.gnu.debuglto_*' \
    -N __gnu_lto_slim -N __gnu_lto_v1 "${DESTDIR:-}$1"
