#!/bin/sh
# readme_code.sh python|c - prints the code of "From Python" in README.md, or of
# "From C" in docs/c.md, as a file that runs: the tests of an installation use it.
set -eu
cd "$(dirname "$0")/.."
block() {
    awk -v title="## $1" '$0 == title { on = 1; next } /^## / { on = 0 } on && /^    /' "$2"
}
case $1 in
c) block "From C" docs/c.md | sed 's/^    //' ;;
python)
    # A session: what was typed, and what must be printed, as a doctest.
    echo 'import doctest, sys'
    printf 'session = r"""\n'
    block "From Python" README.md
    printf '"""\n'
    cat <<'END'
test = doctest.DocTestParser().get_doctest(session, {}, "README.md", None, 0)
assert test.examples
sys.exit(doctest.DocTestRunner().run(test).failed)
END
    ;;
esac
