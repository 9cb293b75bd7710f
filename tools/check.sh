#!/bin/sh
# check.sh [CHECK...] - everything that must hold before a change is merged and
# that is too slow for `make test`. Without arguments: all checks below but
# `tidy_deep`.
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
    folder=$out/$1
    shift
    test -f "$folder/build.ninja" || meson setup "$folder" "$@"
}

run_tests() { # FOLDER MESON-OPTION...
    folder=$out/$1
    shift
    meson test -C "$folder" --print-errorlogs "$@"
}

# gcc finds nothing to warn about, in benchmarks neither, and every optional
# feature is there. Its tests are those of `make test`.
check_gcc() {
    setup gcc --werror -Dauto_features=enabled &&
        ninja -C "$out/gcc" all meson-benchmark-prereq
}

# Nor does clang. Its tests are those of the sanitizers.
check_clang() {
    CC=clang-14 setup clang --werror && ninja -C "$out/clang"
}

# No test reads or writes where it may not, leaks, or leaves defined behaviour.
# The page in a browser is no C: `make test` opens it.
check_sanitizers() {
    CC=clang-14 setup asan -Db_sanitize=address,undefined -Db_lundef=false &&
        ninja -C "$out/asan" &&
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
            run_tests asan --no-suite lint --no-suite exercise --no-suite browser \
            --timeout-multiplier 3
}

# A release without assertions and without the optional features.
check_release() {
    setup release --werror --buildtype=release -Db_ndebug=true \
        -Dauto_features=disabled -Ddefault_library=static &&
        ninja -C "$out/release" && run_tests release --no-suite lint --no-suite exercise \
            --no-suite browser
}

check_lint() {
    setup gcc --werror -Dauto_features=enabled &&
        ninja -C "$out/gcc" libassay.a && run_tests gcc --suite lint
}

check_tidy() {
    CC=clang-14 setup clang --werror && tools/tidy.sh "$out/clang"
}

# The same, with an analyzer that follows calls: before a release.
check_tidy_deep() {
    CC=clang-14 setup clang --werror && DEEP=yes tools/tidy.sh "$out/clang"
}

# A short run of each fuzz target; `fuzz/smoke.sh TARGET SEEDS 0` goes on.
check_fuzz() {
    CC=clang-14 setup fuzz -Dfuzz=true -Db_sanitize=address,undefined \
        -Db_lundef=false &&
        ninja -C "$out/fuzz" && run_tests fuzz --suite fuzz
}

# What is installed can be used: program, header, both libraries, pkg-config.
check_install() {
    setup gcc --werror -Dauto_features=enabled && ninja -C "$out/gcc" &&
        tools/try_install.sh "$out/gcc"
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
