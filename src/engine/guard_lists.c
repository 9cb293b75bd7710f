/*
 * guard_lists.c - what the queries of each system may call and may not, and
 * what they call to know the time or to throw dice.
 *
 * What is not allowed need not be refused: the lists of refused names are for
 * systems where a function may be called without parentheses.
 */
#include "engine/query_guard.h"

// PostgreSQL: what a read-only transaction lets pass.
const query_guard guard_postgres = {
    .dialect = DIALECT_POSTGRES,
    .systems = "P",
    .refused = "set_config pg_advisory* pg_try_advisory* pg_read_* pg_ls_* "
               "pg_stat_file pg_stat_reset* pg_file_* pg_logdir_ls "
               "pg_current_logfile lo_* loread lowrite dblink* *_to_xml* "
               "nextval currval lastval setval setseed txid_* pg_stat_get_* "
               "pg_current_xact_id* pg_sequence_* binary_upgrade_* ts_stat "
               "ts_rewrite pg_notify pg_terminate_backend pg_cancel_backend "
               "pg_reload_conf pg_rotate_logfile pg_switch_wal pg_create_* "
               "pg_drop_* pg_copy_* pg_backup_* pg_start_backup "
               "pg_stop_backup pg_promote pg_wal_replay_* pg_logical_* "
               "pg_replication_* pg_export_snapshot "
               "pg_log_backend_memory_contexts pg_import_system_collations",
    // Of the server's own affairs, of queries in a text, of what nothing stops,
    // and what changes its session whatever its label says.
    .banned = "pg_* domain_in domain_recv xpath* xslt_process xmlexists "
              "xmltable crosstab* connectby crypt inet_client_* "
              "inet_server_* isn_weak",
    .bounds_growth = true,
    // Statistics hold values of columns, also of passwords. What others run is
    // also what another worker of ours does: the gold.
    .secrets = "pg_authid pg_shadow *user_mapping* pg_subscription "
               "pg_hba_file_rules pg_file_settings pg_largeobject "
               "pg_ident_file_mappings pg_statistic* pg_stats* "
               "pg_stat_activity pg_stat_statements* pg_stat_monitor* "
               "pg_stat_replication* pg_stat_wal_receiver "
               "pg_stat_subscription* pg_stat_progress_* pg_stat_ssl "
               "pg_stat_gssapi pg_prepared_* pg_cursors pg_store_plans* "
               "pg_active_session_history pg_wait_sampling_* pg_qualstats*",
    .home = S_INIT("pg_catalog"),
    .has_attributes = true,
};

// MariaDB and MySQL: what a read-only transaction lets pass.
const query_guard guard_mariadb = {
    .dialect = DIALECT_MYSQL,
    .systems = "M",
    .refused = "load_file get_lock release_lock release_all_locks "
               "master_pos_wait master_gtid_wait source_pos_wait "
               "wait_for_executed_gtid_set nextval setval lastval sys_exec "
               "sys_eval",
    .banned = "is_used_lock is_free_lock last_insert_id row_count found_rows "
              "name_const extractvalue updatexml wsrep_* binlog_gtid_pos "
              "trt_* encrypt kdf",
    .growing = "regexp_replace",
    .gathering = "json_objectagg",
    .bounds_growth = true,
    .secrets = "outfile dumpfile global_priv processlist innodb_trx "
               "innodb_lock* innodb_ft_* innodb_buffer_page* "
               "query_cache_info metadata_lock_info",
    .schemas = "mysql performance_schema sys",
    .runs_comments = true,
};

// DuckDB, which reaches no file. FROM t SELECT x, PIVOT t ON y, SUMMARIZE t are
// its own; query() and json_execute_serialized_sql() run SQL in a text, which
// the guard cannot see.
const query_guard guard_duckdb = {
    .dialect = DIALECT_DUCKDB,
    .verbs = "FROM PIVOT PIVOT_WIDER UNPIVOT PIVOT_LONGER SUMMARIZE",
    .systems = "D",
    .refused = "query query_table getenv setseed write_log read_* glob "
               "sniff_csv parquet_* nextval pragma_database_list "
               "duckdb_secrets duckdb_databases json_execute_serialized_sql "
               "enable_logging disable_logging checkpoint force_checkpoint "
               "which_secret",
    .banned = "duckdb_* pragma_* test_* truncate_* getvariable currval "
              "current_query* json_serialize_plan txid_current stats enable_* "
              "disable_* sql_auto_complete",
    .has_methods = true,
    .has_own_grammar = true,
    .is_unicode = true,
};

// Systems that assay knows nothing of, beside the names above.
const query_guard guard_other = {
    .dialect = DIALECT_POSTGRES,
    .systems = "PMDO",
    .refused = "openrowset openquery opendatasource url file remote*",
    .has_attributes = true,
    .has_braces = true,
};
