# `make demo` and `make test` are enough to meet assay; `make check` is what CI
# adds. The real build is Meson's: this file only sets up and calls it.
B := build

.PHONY: all demo test check release install deb static wheel dist try-chroot hostile soak fuzz bench findings undecided mutants docs bless fmt help setup

all: setup  ## install what the build needs, build; the program is build/assay
	ninja -C $(B)

demo: all  ## build, then the main job on a small example with real output
	tools/demo.sh $(B)/assay

test: all  ## build, then every test; with servers where they can be installed
	@tools/setup.sh servers || echo "make test: without servers"
	@tools/duckdb.sh get >/dev/null || echo "make test: without DuckDB"
	meson test -C $(B) --print-errorlogs --timeout-multiplier 2 --no-suite fuzz

check:  ## both compilers, sanitizers, variants, clang-tidy, lint, fuzzing
	tools/setup.sh build servers check
	@tools/duckdb.sh get >/dev/null || echo "make check: without DuckDB"
	tools/check.sh $(CHECKS)

# Where the linker and pkg-config of a Debian look. Meson asks dpkg-architecture
# for that and, where dpkg-dev is missing, takes lib64, where nobody looks.
MULTIARCH := $(shell cc -print-multiarch 2>/dev/null)
LIBDIR := $(if $(and $(MULTIARCH),$(wildcard /usr/lib/$(MULTIARCH))),--libdir=lib/$(MULTIARCH))
PREFIX := /usr/local
release:
	@tools/setup.sh build
	@test -f $(B)-release/build.ninja || meson setup $(B)-release \
		--buildtype=release -Db_ndebug=true -Db_lto=true --prefix=$(PREFIX)

install: release  ## program, library, manual page, completions under PREFIX=/usr/local; DESTDIR
	meson configure $(B)-release --prefix=$(PREFIX) $(LIBDIR)
	ninja -C $(B)-release installed
	meson install -C $(B)-release --no-rebuild --quiet

deb:  ## the Debian packages of what is committed, build-deb/*.deb
	@tools/setup.sh build deb
	tools/deb.sh

static:  ## one file for any Linux, with its own SQLite, build-static/assay
	@tools/setup.sh build
	tools/static.sh

dist:  ## all that a release has, with its sums, into build-dist; root, a quarter of an hour
	@tools/setup.sh build deb arm64 image
	tools/dist.sh

try-chroot:  ## the wheel and the installed files used in a fresh Debian; root, debootstrap, ten minutes
	tools/try_chroot.sh

wheel:  ## the Python package with library and program in it, build-wheel/*.whl
	@tools/setup.sh build
	@test -f $(B)-wheel/build.ninja || meson setup $(B)-wheel \
		--buildtype=release -Db_ndebug=true -Db_lto=true -Dbundled=true
	meson compile -C $(B)-wheel assay:executable assay:shared_library
	tools/wheel.py $(B)-wheel/libassay.so.0 $(B)-wheel/assay $(B)-wheel

hostile: all  ## attacks on SQLite and files that mean harm, with their times; best on an idle machine
	tests/hostile/hostile_sqlite.py $(B)/assay --timed
	tests/hostile/hostile_files.py $(B)/assay --long

KILLS := 500
SEED := 1
soak: all  ## calls that fail, runs that are killed, proofs that may not hold, many more than in `make test`
	tests/fault/kills.py $(B)/assay --kills $(KILLS)
	tests/fault/fault.py $(B)/tests/fault/assay-fault --runs 100
	tests/fault/serve.py $(B)/assay slow_loris many_requests
	tests/hostile/hostile_worker.py $(B)/tests/hostile/assay-liar $(B)/assay --messages 1000000
	tests/sound/sound.py $(B)/assay $(SEED) 3600
	tests/servers/with_postgres.sh tests/sound/sound.py $(B)/assay $(SEED) 1800
	tests/servers/with_duckdb.sh tests/sound/sound.py $(B)/assay $(SEED) 1800
	tests/servers/with_postgres.sh tests/sound/away.py $(B)/assay $(SEED) 600
	tests/servers/with_mariadb.sh tests/sound/away.py $(B)/assay $(SEED) 600

SECONDS := 600
fuzz:  ## every fuzz target, SECONDS=600 in all, with other dice each time
	tools/setup.sh build check
	tools/check.sh fuzz
	fuzz/long.sh $(B)-check/fuzz/fuzz $(SECONDS)

bench: release  ## speed and memory of the program as it is installed, against SQLite alone
	meson test -C $(B)-release --benchmark --verbose

ASSAY_DATA ?= ../shared/data
findings: all  ## docs/findings.md: what assay finds in real runs, from the data in ASSAY_DATA
	tools/findings.py $(B)/assay $(ASSAY_DATA) docs/findings.md

undecided: all  ## what assay check leaves open of the pairs in ASSAY_DATA, and why
	tools/undecided.py $(B)/assay $(ASSAY_DATA) $(B)/undecided

mutants:  ## which rules of proofs, and which of their conditions, no case notices when they are taken out; ten minutes
	tools/mutants.py

docs:  ## the documentation as a site, build-docs/README.html
	tools/setup.sh docs
	tools/docs_site.py $(B)-docs

bless: all  ## write what the tests now print into their `want` sections
	ninja -C $(B) bless

fmt:  ## lay out all C files with clang-format
	tools/fmt.sh

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*##/ { printf "make %-8s %s\n", $$1, $$2 }' \
		Makefile

setup:
	@tools/setup.sh build
	@test -f $(B)/build.ninja || meson setup $(B) $(MESON_OPTIONS)
