#!/bin/sh
# deb_chroot.sh FOLDER - installs the packages in FOLDER into a fresh Debian
# and does the main job there (debian/tests/main-job), then removes them. Needs
# root, debootstrap and apt sources that work here; about two minutes.
set -eu
cd "$(dirname "$0")/.."
debs=$1
root=$(mktemp -d)
finish() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM

. /etc/os-release
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' |
    awk -v release="$VERSION_CODENAME" \
        '$2 == release && $3 == "main" { print $1; exit }')
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$root.log" ||
    { tail "$root.log" >&2; exit 1; }
rm "$root.log"
chmod 755 "$root"
mount -t proc proc "$root/proc"
inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
mkdir "$root/packages"
cp "$debs"/*.deb debian/tests/main-job "$root/packages/"
rm -f "$root/packages/"*-dbgsym_*
inside apt-get -qq update
inside sh -c 'apt-get -qq install -y --no-install-recommends ./packages/*.deb gcc libc6-dev pkg-config' \
    >/dev/null 2>&1
inside dpkg-query -W -f '${Package} ${Version} ${Installed-Size} kB\n' \
    assay libassay0 libassay-dev python3-assay
inside sh /packages/main-job
inside apt-get -qq purge -y assay libassay0 libassay-dev python3-assay >/dev/null 2>&1
left=$(inside find / -xdev -name '*assay*' -not -path '/packages/*' -not -path '/proc/*' \
    -not -path '/var/log/*' -not -path '/var/lib/apt/*')
test -z "$left" || { echo "deb_chroot.sh: left behind: $left" >&2; exit 1; }
echo 'installed, did the main job, and was removed'
