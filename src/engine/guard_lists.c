/*
 * guard_lists.c - what the queries of each system may call and may not, and
 * what they call to know the time or to throw dice.
 *
 * What is not allowed need not be refused: the lists of refused names are for
 * systems where a function may be called without parentheses.
 */
#include "engine/query_guard.h"

#define NAMES(list)           \
    {                         \
        (list), countof(list) \
    }

static const str postgres_allowed[] = {
#define ALLOW(name) S_INIT(name),
#include "engine/guard_postgres.def"
};

static const str mariadb_allowed[] = {
#define ALLOW(name) S_INIT(name),
#include "engine/guard_mariadb.def"
};

static const str duckdb_allowed[] = {
#define ALLOW(name) S_INIT(name),
#include "engine/guard_duckdb.def"
};

static const str other_allowed[] = {
#define ALLOW(name) S_INIT(name),
#include "engine/guard_other.def"
};

// PostgreSQL: what a read-only transaction lets pass.
static const str postgres_refused[] = {
    S_INIT("set_config"),
    S_INIT("pg_advisory*"),
    S_INIT("pg_try_advisory*"),
    S_INIT("pg_read_*"),
    S_INIT("pg_ls_*"),
    S_INIT("pg_stat_file"),
    S_INIT("pg_stat_reset*"),
    S_INIT("pg_file_*"),
    S_INIT("pg_logdir_ls"),
    S_INIT("pg_current_logfile"),
    S_INIT("lo_*"),
    S_INIT("loread"),
    S_INIT("lowrite"),
    S_INIT("dblink*"),
    S_INIT("*_to_xml*"),
    S_INIT("nextval"),
    S_INIT("currval"),
    S_INIT("lastval"),
    S_INIT("setval"),
    S_INIT("setseed"),
    S_INIT("txid_*"),
    S_INIT("pg_stat_get_*"),
    S_INIT("pg_current_xact_id*"),
    S_INIT("pg_sequence_*"),
    S_INIT("binary_upgrade_*"),
    S_INIT("ts_stat"),
    S_INIT("ts_rewrite"),
    S_INIT("pg_notify"),
    S_INIT("pg_terminate_backend"),
    S_INIT("pg_cancel_backend"),
    S_INIT("pg_reload_conf"),
    S_INIT("pg_rotate_logfile"),
    S_INIT("pg_switch_wal"),
    S_INIT("pg_create_*"),
    S_INIT("pg_drop_*"),
    S_INIT("pg_copy_*"),
    S_INIT("pg_backup_*"),
    S_INIT("pg_start_backup"),
    S_INIT("pg_stop_backup"),
    S_INIT("pg_promote"),
    S_INIT("pg_wal_replay_*"),
    S_INIT("pg_logical_*"),
    S_INIT("pg_replication_*"),
    S_INIT("pg_export_snapshot"),
    S_INIT("pg_log_backend_memory_contexts"),
    S_INIT("pg_import_system_collations"),
};

static const str postgres_secrets[] = {
    S_INIT("pg_authid"),         S_INIT("pg_shadow"),
    S_INIT("pg_user_mapping*"),  S_INIT("pg_subscription"),
    S_INIT("pg_hba_file_rules"), S_INIT("pg_file_settings"),
    S_INIT("pg_largeobject"),    S_INIT("pg_ident_file_mappings"),
};

static const str postgres_clocks[] = {
    S_INIT("current_date"),
    S_INIT("current_time"),
    S_INIT("current_timestamp"),
    S_INIT("localtime"),
    S_INIT("localtimestamp"),
    S_INIT("now"),
    S_INIT("clock_timestamp"),
    S_INIT("statement_timestamp"),
    S_INIT("transaction_timestamp"),
    S_INIT("timeofday"),
    S_INIT("age"),
};

static const str postgres_randoms[] = {
    S_INIT("random"),
    S_INIT("gen_random_uuid"),
    S_INIT("uuid_generate*"),
};

const query_guard guard_postgres = {
    .dialect = DIALECT_POSTGRES,
    .allowed = NAMES(postgres_allowed),
    .refused = NAMES(postgres_refused),
    .secrets = NAMES(postgres_secrets),
    .clocks = NAMES(postgres_clocks),
    .randoms = NAMES(postgres_randoms),
    .home = S_INIT("pg_catalog"),
    .has_attributes = true,
};

// MariaDB and MySQL: what a read-only transaction lets pass.
static const str mariadb_refused[] = {
    S_INIT("load_file"),       S_INIT("get_lock"),
    S_INIT("release_lock"),    S_INIT("release_all_locks"),
    S_INIT("master_pos_wait"), S_INIT("master_gtid_wait"),
    S_INIT("source_pos_wait"), S_INIT("wait_for_executed_gtid_set"),
    S_INIT("nextval"),         S_INIT("setval"),
    S_INIT("lastval"),         S_INIT("sys_exec"),
    S_INIT("sys_eval"),
};

static const str mariadb_secrets[] = {
    S_INIT("outfile"),
    S_INIT("dumpfile"),
    S_INIT("global_priv"),
};

static const str mariadb_schemas[] = {
    S_INIT("mysql"),
};

static const str mariadb_clocks[] = {
    S_INIT("now"),
    S_INIT("sysdate"),
    S_INIT("curdate"),
    S_INIT("curtime"),
    S_INIT("current_date"),
    S_INIT("current_time"),
    S_INIT("localtime"),
    S_INIT("current_timestamp"),
    S_INIT("localtimestamp"),
    S_INIT("unix_timestamp"),
    S_INIT("utc_*"),
};

static const str mariadb_randoms[] = {
    S_INIT("rand"),
    S_INIT("uuid*"),
};

const query_guard guard_mariadb = {
    .dialect = DIALECT_MYSQL,
    .allowed = NAMES(mariadb_allowed),
    .refused = NAMES(mariadb_refused),
    .secrets = NAMES(mariadb_secrets),
    .schemas = NAMES(mariadb_schemas),
    .clocks = NAMES(mariadb_clocks),
    .randoms = NAMES(mariadb_randoms),
    .runs_comments = true,
};

// DuckDB, which reaches no file.
// FROM t SELECT x, PIVOT t ON y: DuckDB's own.
static const str duckdb_verbs[] = {
    S_INIT("FROM"),
    S_INIT("PIVOT"),
};

static const str duckdb_refused[] = {
    S_INIT("query"),  // SQL in a text, which the guard cannot see
    S_INIT("query_table"),
    S_INIT("getenv"),
    S_INIT("setseed"),
    S_INIT("write_log"),
    S_INIT("read_*"),
    S_INIT("glob"),
    S_INIT("sniff_csv"),
    S_INIT("parquet_*"),
    S_INIT("nextval"),
    S_INIT("pragma_database_list"),
    S_INIT("duckdb_secrets"),
    S_INIT("duckdb_databases"),
    S_INIT("json_execute_serialized_sql"),  // likewise
    S_INIT("enable_logging"),
    S_INIT("disable_logging"),
    S_INIT("checkpoint"),
    S_INIT("force_checkpoint"),
    S_INIT("which_secret"),
};

static const str duckdb_clocks[] = {
    S_INIT("now"),
    S_INIT("today"),
    S_INIT("current_date"),
    S_INIT("current_time"),
    S_INIT("current_timestamp"),
    S_INIT("localtime"),
    S_INIT("localtimestamp"),
    S_INIT("get_current_timestamp"),
    S_INIT("get_current_time"),
    S_INIT("transaction_timestamp"),
};

static const str duckdb_randoms[] = {
    S_INIT("random"),
    S_INIT("uuid*"),
    S_INIT("gen_random_uuid"),
};

const query_guard guard_duckdb = {
    .dialect = DIALECT_POSTGRES,
    .verbs = NAMES(duckdb_verbs),
    .allowed = NAMES(duckdb_allowed),
    .refused = NAMES(duckdb_refused),
    .clocks = NAMES(duckdb_clocks),
    .randoms = NAMES(duckdb_randoms),
    .has_methods = true,
    .has_own_grammar = true,
    .is_unicode = true,
};

// Systems that assay knows nothing of, beside the names above.
static const str other_refused[] = {
    S_INIT("openrowset"), S_INIT("openquery"), S_INIT("opendatasource"),
    S_INIT("url"),        S_INIT("file"),      S_INIT("remote*"),
};

static const str other_clocks[] = {
    S_INIT("now"),          S_INIT("current_date"),
    S_INIT("current_time"), S_INIT("current_timestamp"),
    S_INIT("getdate"),      S_INIT("sysdatetime"),
    S_INIT("getutcdate"),   S_INIT("curdate"),
    S_INIT("sysdate"),      S_INIT("today"),
};

static const str other_randoms[] = {
    S_INIT("rand"),  S_INIT("random"), S_INIT("newid"),
    S_INIT("uuid*"), S_INIT("randn"),
};

const query_guard guard_other = {
    .dialect = DIALECT_POSTGRES,
    .allowed = NAMES(other_allowed),
    .refused = NAMES(other_refused),
    .clocks = NAMES(other_clocks),
    .randoms = NAMES(other_randoms),
    .has_attributes = true,
    .has_braces = true,
    .knows_all = true,
};
