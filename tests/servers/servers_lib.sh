# servers_lib.sh - what tests of servers share; read in by them, with $assay set.
# They run beside a server (with_*.sh) and speak TAP. $work is a folder.
count=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

check() { # DESCRIPTION COMMAND...
    count=$((count + 1))
    what=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        echo "ok $count - $what"
    else
        echo "not ok $count - $what"
        sed 's/^/# /' "$work/check.log" "$work/err" 2>/dev/null | head -n 40
    fi
}

# Runs assay; standard output, error and exit code lie in $work.
score() {
    rm -f "$work/journal"
    "$assay" score --gold "$work/cases" --out "$work/journal" --metrics exec \
        --jobs 2 "$@" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}

exited() { test "$(cat "$work/code")" -eq "$1" || { cat "$work/code"; false; }; }
says() { grep -q -e "$1" "$work/err" "$work/out"; }
not() { ! "$@"; }

verdicts() { # N TEXT: so many lines of the journal hold the text
    n=$(grep -c -e "$2" "$work/journal")
    test "$n" -eq "$1" || { echo "$n lines with $2"; false; }
}

verdict() { # ID TEXT: the line of the case holds the text
    grep "\"id\":\"$1\"" "$work/journal" >"$work/line"
    grep -q -e "$2" "$work/line" || { cut -c 1-700 "$work/line"; false; }
}

# Adds a case of database shop: ID PRED [GOLD]
add() {
    printf '{"id":"%s","db":"shop","gold":"%s","pred":"%s"}\n' "$1" \
        "${3:-SELECT 1}" "$2" >>"$work/cases"
}

# Waits for what shall be so, a minute at most: COMMAND...
until_so() {
    n=0
    until "$@" >/dev/null 2>&1 || [ $n -eq 600 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    "$@"
}

many_cases() { # N GOLD PRED: cases of database shop; % stands for the number
    i=0
    while [ $i -lt "$1" ]; do
        i=$((i + 1))
        echo "{\"id\":\"%\",\"db\":\"shop\",\"gold\":\"$2\",\"pred\":\"$3\"}" |
            sed "s/%/$i/g"
    done >"$work/cases"
}
