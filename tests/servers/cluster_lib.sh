# cluster_lib.sh - what the tests of docs/cluster.md share; read in by them, with
# $assay set. In $work, where they then are, lies what its scripts name: dev.json,
# two files in runs, and database.
. "$(dirname "$0")/servers_lib.sh"
assay=$(realpath "$assay")
documentation=$PWD/docs/cluster.md
cp -r examples/shop "$work/database"
cd "$work" || exit 1

# Each case is some milliseconds of work, so that shards can be met at it.
mkdir runs bin
i=0
while [ $i -lt 210 ]; do
    i=$((i + 1))
    counting="WITH RECURSIVE n(i) AS (SELECT $i UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
    echo "{\"id\":\"$i\",\"db\":\"shop\",\"gold\":\"$counting SELECT count(*) FROM n\"}"
    echo "$counting SELECT max(i) - $i + 1 FROM n" >>runs/a.sql
    echo "SELECT $((30000 - i))" >>runs/b.sql
done >dev.json

# The assay of the scripts leaves word of where it is: a file at.HOST.PROCESS
# with the number of a job and the name of the journal.
cat >bin/assay <<END
#!/bin/sh
for last; do :; done
host=\${SLURMD_NODENAME:-\${SSH_HOST:-here}}
echo "\${SLURM_JOB_ID:-0} \$last" >begun.\$\$
mv begun.\$\$ at.\$host.\$\$
exec "$assay" "\$@"
END
chmod +x bin/assay
PATH=$work/bin:$PATH

documented() { # WORDS: the script of the documentation that has them
    awk -v words="$1" '/^```sh/ { inside = 1; text = ""; next }
        /^```/ { if (inside && index(text, words)) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' "$documentation"
}

# Stops a shard that has judged some predictions and has more to do: of seven
# each has more than 44. It goes on where it was later than that.
stops() { # PROCESS JOURNAL
    test -s "$2" && test "$(wc -l <"$2")" -ge 4 && kill -STOP "$1" || return 1
    test "$(wc -l <"$2")" -le 40 || { kill -CONT "$1"; return 1; }
}

# Stops a shard in the middle: $host, $process and $job are its. False where all
# were quicker than that.
meet_a_shard() { # HOST, or * for any
    tries=0
    while [ $tries -lt 1000 ] && kill -0 "$running" 2>/dev/null; do
        tries=$((tries + 1))
        for file in at.$1.*; do
            process=${file##*.}
            host=${file#at.}
            host=${host%.*}
            read -r job journal <"$file" && stops "$process" "$journal" &&
                return 0
        done 2>/dev/null
        sleep 0.02
    done
    return 1
}
not_met() { # DESCRIPTION
    count=$((count + 1))
    echo "ok $count - $1 # SKIP all shards were quicker than this test"
}

is_whole_run() {
    "$assay" merge run.*.jsonl -o run.jsonl 2>"$work/err"
    check "the shards are joined" test $? -eq 0
    "$assay" score --gold dev.json --pred runs/*.sql --db database --quiet \
        --now 2026-11-20 --no-times --work auto --out whole.jsonl 2>"$work/err"
    check "what is joined is the whole run" cmp run.jsonl whole.jsonl
    right=$(grep -c '"exec":{"v":"yes"' run.jsonl)
    wrong=$(grep -c '"exec":{"v":"no"' run.jsonl)
    check "with a verdict for each prediction" test "$right $wrong" = "210 210"
}
