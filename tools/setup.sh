#!/bin/sh
# setup.sh SET... - installs the Debian packages of these sets that are missing.
#
#   build   to build assay and to run its tests
#   servers  database servers for the tests of suite `servers`
#   cluster  Slurm and an ssh server, for the tests of docs/cluster.md
#   check   what `make check` needs besides
#   docs    what `make docs` needs
#   deb     what `make deb` needs besides
#   arm64   to build the static program for 64-bit ARM, and to run it here
#   image   to make the image for containers
#
# Says what it does; does nothing, and needs no rights, when all are there.
# Elsewhere than on Debian and its children it says what to install instead.
set -eu

build='gcc libc6-dev meson ninja-build pkg-config libsqlite3-dev zlib1g-dev
    libxxhash-dev libutf8proc-dev libseccomp-dev libcmocka-dev libpq-dev
    libmariadb-dev unixodbc-dev libcurl4-openssl-dev libyaml-dev
    libmicrohttpd-dev libz3-4 jq libxml2-utils parallel'
servers='postgresql mariadb-server odbc-postgresql odbc-mariadb'
cluster='slurmctld slurmd slurm-client munge procps openssh-server python3-distributed
    openssh-client parallel'
check='git clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev binutils
    chromium mypy mkdocs'
docs='python3 mkdocs'
deb='debhelper dh-python dpkg-dev lintian'
arm64='gcc-aarch64-linux-gnu qemu-user libc6-dev:arm64 libsqlite3-dev:arm64
    libutf8proc-dev:arm64 zlib1g-dev:arm64 libxxhash-dev:arm64
    libseccomp-dev:arm64'
image='debootstrap umoci skopeo'

wanted=
for set in "$@"; do
    case $set in
    build) wanted="$wanted $build" ;;
    servers) wanted="$wanted $servers" ;;
    cluster) wanted="$wanted $cluster" ;;
    check) wanted="$wanted $check" ;;
    docs) wanted="$wanted $docs" ;;
    deb) wanted="$wanted $deb" ;;
    arm64) wanted="$wanted $arm64" ;;
    image) wanted="$wanted $image" ;;
    *)
        echo "setup.sh: unknown set '$set'; known: build servers cluster check docs deb arm64 image" >&2
        exit 2
        ;;
    esac
done

is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null |
        grep -qx installed
}

if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; make sure to have:" $wanted
    exit 0
fi

missing=
for package in $wanted; do
    is_installed "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: missing, and no sudo to install them:$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup.sh: installing$missing"
case $missing in
*:arm64*) $as_root dpkg --add-architecture arm64 ;;
esac
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends $missing >/dev/null
