#!/bin/sh
# action.sh install|run - the two steps of the GitHub Action (action.yml).
#
#   install  fetches the static program of release $ASSAY_VERSION from
#            $ASSAY_RELEASES, compares its SHA-256 sum with that of the release,
#            and puts it on the PATH of the steps that follow ($GITHUB_PATH)
#   run      runs assay $ASSAY_COMMAND with $ASSAY_ARGS; score also annotates the
#            pull request, and leaves run file and report in $RUNNER_TEMP
#
# Ends as assay does: 0 done, 1 a gate failed, 2 wrong use, 3 bad input.
set -eu
fail() {
    echo "::error::assay: $*"
    exit 3
}
home=$RUNNER_TEMP/assay

install() {
    version=${ASSAY_VERSION#v}
    test -n "$version" ||
        fail "no version: use the action by a tag, or name one with 'version'"
    test "$(uname -s)" = Linux || fail "runs on Linux; this is $(uname -s)"
    case $(uname -m) in
    x86_64 | aarch64) name=assay-$version-linux-$(uname -m) ;;
    *) fail "no program for the machine $(uname -m)" ;;
    esac
    mkdir -p "$home/bin"
    for file in "$name" SHA256SUMS; do
        curl --fail --silent --show-error --location --retry 3 \
            --output "$home/$file" "$ASSAY_RELEASES/v$version/$file" ||
            fail "cannot fetch $file of release $version"
    done
    # A name stands once: not the sum of another file that begins the same.
    (cd "$home" && grep " $name\$" SHA256SUMS | sha256sum --check --quiet -) ||
        fail "$name is not what SHA256SUMS of the release says"
    chmod +x "$home/$name"
    mv "$home/$name" "$home/bin/assay"
    "$home/bin/assay" --version
    echo "$home/bin" >>"$GITHUB_PATH"
}

# Whether one of the words is OPTION, or gives it a value.
has() { # OPTION WORD...
    option=$1
    shift
    for word; do
        case $word in
        "$option" | "$option="*) return 0 ;;
        esac
    done
    return 1
}

run() {
    set --
    # xargs reads words and quotes, and nothing else that a shell would.
    words=$(printf '%s\n' "${ASSAY_ARGS-}" | xargs -n 1 printf '%s\n') ||
        fail "cannot read 'args': a quote is open"
    if [ -n "$words" ]; then
        while IFS= read -r word; do
            set -- "$@" "$word"
        done <<END
$words
END
    fi
    if [ "$ASSAY_COMMAND" = score ]; then
        mkdir -p "$home/report"
        has --github "$@" || set -- --github "$@"
        has --out "$@" || has -o "$@" ||
            set -- --out "$home/report/run.jsonl" "$@"
        has --html "$@" || set -- --html "$home/report/report.html" "$@"
    fi
    exec assay "$ASSAY_COMMAND" "$@"
}

case ${1-} in
install | run) "$1" ;;
*)
    echo "usage: action.sh install|run" >&2
    exit 2
    ;;
esac
