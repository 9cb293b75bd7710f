# scratch_lib.sh - what tests of scratch tables on PostgreSQL share; read in by
# them under with_postgres.sh, with $assay set and $table, the user's own table.
. "$(dirname "$0")/servers_lib.sh"
PATH=$PG_BIN:$PATH
export PGDATABASE=postgres

# The user's rows, and how many relations there are that are not temporary.
state() {
    psql -qAt shop -c "SELECT md5(string_agg(t::text, chr(10) ORDER BY id)),
        (SELECT count(*) FROM pg_class WHERE relpersistence <> 't') FROM $table t"
}
same_data() { test "$(state)" = "$before" || { state; false; }; }

# What a server drops when it sees that a connection is gone.
nothing_left() {
    for i in $(seq 600); do
        left=$(psql -qAt shop -c \
            "SELECT count(*) FROM pg_class WHERE relpersistence = 't'")
        test "$left" -eq 0 && return 0
        sleep 0.1
    done
    echo "$left temporary relations"
    return 1
}
