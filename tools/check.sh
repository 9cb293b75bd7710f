#!/bin/sh
# check.sh [CHECK...] - everything that must hold before a change is merged and
# that is too slow for `make test`. Without arguments: all checks below but
# `tidy_deep` and `threads`.
#
# Prints a line per check and, last, `N passed, N failed`; the output of each
# check is build-check/NAME.log. Ends with 1 when one failed.
set -u
cd "$(dirname "$0")/.."
out=build-check
summary=$out/summary.txt
mkdir -p "$out"

# Fresh or not: a build folder that is there is reused.
setup() { # FOLDER MESON-OPTION...
    folder=$1
    shift
    test -f "$folder/build.ninja" || meson setup "$folder" "$@"
}

run_tests() { # FOLDER MESON-OPTION...
    folder=$1
    shift
    meson test -C "$folder" --print-errorlogs "$@"
}

# A build's own tests: not those that look at sources and texts, or are of the suite
# `once`, which every build would tell the same. `make test` runs those. Nor those of
# the suites in LEAVE_OUT.
run_own_tests() { # FOLDER MESON-OPTION...
    for suite in lint exercise browser ci once ${LEAVE_OUT:-}; do
        set -- "$@" --no-suite "$suite"
    done
    run_tests "$@"
}

# Every optional feature is there, and no warning. CI makes the build of
# `make test` so and names it in GCC_BUILD.
gcc=${GCC_BUILD:-$out/gcc}
setup_gcc() {
    setup "$gcc" --werror -Dauto_features=enabled
}

# The one build of clang is that of the sanitizers, whose reports need lines and no
# more of what a debugger reads.
clang=$out/clang
setup_clang() {
    CC=clang-14 CFLAGS=-gline-tables-only setup "$clang" --werror -Db_sanitize=address,undefined \
        -Db_lundef=false
}

# gcc finds nothing to warn about, in benchmarks neither. Its tests are those of
# `make test`.
check_gcc() {
    setup_gcc && ninja -C "$gcc" all meson-benchmark-prereq
}

# Nor does clang.
check_clang() {
    setup_clang && ninja -C "$clang"
}

# No test reads or writes where it may not, leaks, or leaves defined behaviour.
check_sanitizers() {
    check_clang &&
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
            run_own_tests "$clang" --timeout-multiplier 3
}

# A release without assertions and without the optional features. Injected faults and
# Python are left to the sanitizers.
check_release() {
    setup "$out/release" --werror --buildtype=release -Db_ndebug=true \
        -Dauto_features=disabled -Ddefault_library=static &&
        ninja -C "$out/release" &&
        run_own_tests "$out/release" --no-suite fault --no-suite python
}

check_lint() {
    setup_gcc && ninja -C "$gcc" libassay.a && run_tests "$gcc" --suite lint
}

check_tidy() {
    setup_clang && tools/tidy.sh "$clang"
}

# The same, with an analyzer that follows calls: before a release.
check_tidy_deep() {
    setup_clang && DEEP=yes tools/tidy.sh "$clang"
}

# No two threads touch the same memory unseen: before a release. Threads watch
# queries of ODBC and DuckDB, and callers share a scorer; the rest is processes.
check_threads() {
    CC=clang-14 setup "$out/threads" --werror -Db_sanitize=thread \
        -Db_lundef=false && ninja -C "$out/threads" &&
        TSAN_OPTIONS="halt_on_error=1:suppressions=$PWD/tests/tsan.supp" \
            run_tests "$out/threads" \
            --timeout-multiplier 10 t_scorer t_sandbox serve odbc-hostile \
            postgres-odbc mariadb-odbc duckdb-cases
}

# A short run of each fuzz target; `fuzz/smoke.sh TARGET SEEDS 0` goes on.
check_fuzz() {
    CC=clang-14 setup "$out/fuzz" -Dfuzz=true -Db_sanitize=address,undefined \
        -Db_lundef=false &&
        ninja -C "$out/fuzz" $(ls fuzz/fuzz_*.c | sed 's/\.c$//') &&
        run_tests "$out/fuzz" --no-rebuild --suite fuzz
}

# What is installed can be used: program, header, both libraries, pkg-config. As
# `make install` builds it; CI names the release that it has in INSTALL_BUILD.
install=${INSTALL_BUILD:-$out/install}
check_install() {
    setup "$install" --werror --buildtype=release -Db_ndebug=true \
        -Db_lto=true -Dtests=disabled -Dbench=false &&
        ninja -C "$install" installed && tools/try_install.sh "$install"
}

all='gcc lint clang release sanitizers fuzz install tidy'
passed=0
failed=0
: >"$summary"
for name in ${*:-$all}; do
    start=$(date +%s)
    if "check_$name" >"$out/$name.log" 2>&1; then
        passed=$((passed + 1))
        word=ok
    else
        failed=$((failed + 1))
        word=FAIL
        tail -n 60 "$out/$name.log"
    fi
    printf '%-5s %-11s %4d s   %s\n' "$word" "$name" \
        $(($(date +%s) - start)) "$out/$name.log" | tee -a "$summary"
done
echo "$passed passed, $failed failed" | tee -a "$summary"
test "$failed" -eq 0
