/*
 * engine_duckdb.c - the driver of DuckDB: files of its own, and dumps.
 *
 * duckdb:FILE opens a database read-only; duckdb:FILE.sql loads a dump into
 * memory.
 *
 * Method      One thread, bounded memory, no files but the database: SQL can
 *             reach nothing else, and the settings are locked before foreign
 *             SQL is seen. Only SELECT statements are run.
 *
 *             After an error of its own (INTERNAL, FATAL) the library refuses
 *             all that comes later; the database is then opened anew.
 */
#include "engine/engine_duckdb.h"

#include "base/clock.h"
#include "base/file.h"
#include "engine/parquet.h"
#include "engine/scratch_driver.h"
#include "sql/name.h"

const duckdb_api *duckdb_api_of(const duckdb_database *db)
{
    return &((const duckdb_engine *)db->base.owner)->api;
}

str duckdb_first_line(str message)
{
    return str_cut(&message, '\n');
}

static void duckdb_stop(engine *e)
{
    query_timer_end(&((duckdb_engine *)e)->timer);
}

static str duckdb_version(const engine *e, arena *a)
{
    str version = str_from(((const duckdb_engine *)e)->api.library_version());
    return arena_printf(
        a, "DuckDB %.*s",
        STR_ARG(str_skip(version, str_starts(version, S("v")))));
}

// A third of a worker's memory stays for the library and the result.
static long long memory_megabytes(const duckdb_database *db)
{
    return (db->base.owner->options.limits.max_bytes / 3 * 2 >> 20) + 1;
}

// What is opened: a file, memory that statements fill, or memory that takes a
// copy of a file and reads nothing after that.
typedef enum opening {
    OPEN_FILE,
    OPEN_MEMORY,
    OPEN_COPY,
} opening;

static bool configure(const duckdb_database *db, void *config, opening how)
{
    const duckdb_api *api = duckdb_api_of(db);
    arena words = arena_on_stack(32);
    str limit = arena_printf(&words, "%lldMB", memory_megabytes(db));
    const struct {
        const char *name;
        const char *value;
    } settings[] = {
        {"threads", "1"},
        {"memory_limit", limit.ptr},
        {"temp_directory", ""},
        {"autoinstall_known_extensions", "false"},
        {"autoload_known_extensions", "false"},
        {"enable_external_access", how == OPEN_COPY ? "true" : "false"},
        {"access_mode", how == OPEN_FILE ? "READ_ONLY" : "AUTOMATIC"},
    };
    for (ptrdiff_t i = 0; i < countof(settings); i++) {
        if (api->set_config(config, settings[i].name, settings[i].value)) {
            return false;
        }
    }
    return true;
}

static bool open_database(duckdb_database *db, str file, opening how, diag *d)
{
    const duckdb_api *api = duckdb_api_of(db);
    void *config = NULL;
    char *error = NULL;
    const char *path = how == OPEN_FILE ? file.ptr : NULL;
    bool ok = api->create_config(&config) == 0 && configure(db, config, how);
    ok = ok && api->open_ext(path, &db->db, config, &error) == 0
         && api->connect(db->db, &db->conn) == 0;
    if (!ok) {
        str why = error ? arena_str(d->a, str_from(error))
                        : S("DuckDB does not accept its settings");
        diag_add(d, (diag_place){.file = file}, "%.*s",
                 STR_ARG(duckdb_first_line(why)));
    }
    if (error) {
        api->free(error);
    }
    api->destroy_config(&config);
    return ok;
}

bool duckdb_execute(duckdb_database *db, str place, str sql, diag *d)
{
    const duckdb_api *api = duckdb_api_of(db);
    duck_result result = {0};
    bool ok = api->query(db->conn, sql.ptr, &result) == 0;
    if (!ok) {
        str why = str_from(api->result_error(&result));
        diag_add(d, (diag_place){.file = place}, "%.*s",
                 STR_ARG(duckdb_first_line(why)));
    }
    api->destroy_result(&result);
    return ok;
}

static bool load_dump(duckdb_database *db, str file, diag *d, arena scratch)
{
    file_map dump;
    if (!file_open(&dump, &scratch, file, d)) {
        return false;
    }
    bool ok =
        duckdb_execute(db, file, str_from(arena_cstr(&scratch, dump.bytes)), d);
    file_close(&dump);
    return ok;
}

// The clock stands still: macros of the session stand in for the functions that
// tell the time, which keep their names and types.
static bool stop_clock(duckdb_database *db, str file, diag *d, arena scratch)
{
    static const struct {
        const char *function;
        const char *type;
    } clocks[] = {
        {"current_date", "DATE"},
        {"today", "DATE"},
        {"now", "TIMESTAMPTZ"},
        {"get_current_timestamp", "TIMESTAMPTZ"},
        {"transaction_timestamp", "TIMESTAMPTZ"},
        {"current_localtimestamp", "TIMESTAMP"},
        {"current_localtime", "TIME"},
        {"get_current_time", "TIMETZ"},
    };
    int64_t clock_ms = db->base.owner->options.clock_ms;
    if (clock_ms == 0) {
        return true;
    }
    str now = clock_format(&scratch, clock_ms);
    buf sql = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < countof(clocks); i++) {
        buf_printf(&sql,
                   "CREATE TEMP MACRO %s() AS CAST(TIMESTAMP '%.*s' AS %s);",
                   clocks[i].function, STR_ARG(now), clocks[i].type);
    }
    buf_printf(&sql,
               "CREATE TEMP MACRO age(t) AS system.main.age("
               "CAST(TIMESTAMP '%.*s' AS DATE), t),"
               " (s, t) AS system.main.age(s, t)",
               STR_ARG(now));
    return duckdb_execute(db, file,
                          str_from(arena_cstr(&scratch, buf_str(&sql))), d);
}

// What foreign SQL finds, and cannot change. A dump may have set the limits to
// others.
static bool lock(duckdb_database *db, str file, diag *d, arena scratch)
{
    str limits =
        arena_printf(&scratch, "SET memory_limit = '%lldMB'; SET threads = 1",
                     memory_megabytes(db));
    return duckdb_execute(db, file, limits, d)
           && duckdb_execute(db, file, S("SET TimeZone = 'UTC'"), d)
           && stop_clock(db, file, d, scratch)
           && duckdb_execute(db, file, S("SET lock_configuration = true"), d);
}

static bool open_file(duckdb_database *db, diag *d, arena scratch)
{
    str file = db->file;
    bool is_dump = str_ends_fold(file, S(".sql"));
    return (file_exists(file.ptr)
            || diag_add(d, (diag_place){.file = file}, "no such file"))
           && open_database(db, file, is_dump ? OPEN_MEMORY : OPEN_FILE, d)
           && (!is_dump || load_dump(db, file, d, scratch))
           && lock(db, file, d, scratch);
}

// As it was at first: of a file, or of statements.
static bool open_again(duckdb_database *db, diag *d, arena scratch)
{
    return db->file.len > 0 ? open_file(db, d, scratch)
                            : open_database(db, (str){0}, OPEN_MEMORY, d)
                                  && duckdb_execute(db, (str){0}, db->sql, d)
                                  && lock(db, (str){0}, d, scratch);
}

static bool duckdb_connect(database *base, diag *d, arena scratch)
{
    duckdb_database *db = (duckdb_database *)base;
    db->file = str_skip(base->path, S("duckdb:").len);
    db->is_broken = !open_again(db, d, scratch);
    return !db->is_broken;
}

bool duckdb_open_memory(duckdb_database *db, str sql, diag *d, arena scratch)
{
    db->sql = sql;
    return open_again(db, d, scratch);
}

// The path as a pattern of which it alone is a case.
static str as_glob(str path, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < path.len; i++) {
        bool is_special = memchr("*?[", path.ptr[i], 3);
        buf_add(&b, is_special ? S("[") : S(""));
        buf_char(&b, path.ptr[i]);
        buf_add(&b, is_special ? S("]") : S(""));
    }
    return buf_str(&b);
}

bool parquet_read(engine *duckdb,
                  str path,
                  execution *rows,
                  arena *a,
                  diag *d,
                  arena scratch)
{
    duckdb_database db = {.base.owner = duckdb};
    str file = name_literal(&scratch, as_glob(path, &scratch));
    str sql = name_statement(
        &scratch, "SELECT * FROM read_parquet(#0, binary_as_string = true)",
        &file, DIALECT_DUCKDB);
    bool ok = open_database(&db, path, OPEN_COPY, d);
    if (ok && !duckdb_ask(&db, sql, rows, a)) {
        ok = diag_add(d, (diag_place){.file = path}, "%.*s",
                      STR_ARG(rows->message));
    }
    duckdb_close_all(&db);
    return ok;
}

bool duckdb_mend(duckdb_database *db, diag *d, arena scratch)
{
    if (db->is_broken) {
        duckdb_close_all(db);
        db->is_broken = !open_again(db, d, scratch);
    }
    return !db->is_broken;
}

/* Copies. */

static bool attach_source(duckdb_database *copy, diag *d, arena scratch)
{
    str file = name_literal(&scratch, copy->file);
    str sql =
        name_statement(&scratch,
                       "ATTACH #0 AS assay_source (READ_ONLY);"
                       "COPY FROM DATABASE assay_source TO memory (SCHEMA)",
                       &file, DIALECT_DUCKDB);
    return duckdb_execute(copy, copy->file, sql, d);
}

static bool copy_rows(duckdb_database *copy, str name, diag *d, arena scratch)
{
    str sql = name_statement(
        &scratch, "INSERT INTO memory.@0 SELECT * FROM assay_source.@0", &name,
        DIALECT_DUCKDB);
    return duckdb_execute(copy, copy->file, sql, d);
}

// Rows that others refer to go in first: a table that waits for another one
// fails, and comes again. False when none of those that are left goes in.
static bool copy_tables(duckdb_database *copy, diag *d, arena scratch)
{
    catalogue_rows tables = {0};
    str why;
    if (!duckdb_rows(&copy->base,
                     S("SELECT schema_name || '.' || table_name"
                       " FROM duckdb_tables()"
                       " WHERE database_name = 'assay_source'"),
                     &tables, &scratch, &why)) {
        return diag_add(d, (diag_place){.file = copy->file}, "%.*s",
                        STR_ARG(why));
    }
    ptrdiff_t n = tables.len / CATALOGUE_MOST_COLUMNS;
    bool *is_done = arena_new(&scratch, bool, n);
    ptrdiff_t n_done = 0;
    for (ptrdiff_t n_before = -1; n_done < n;) {
        bool is_stuck = n_done == n_before;
        n_before = n_done;
        for (ptrdiff_t i = 0; i < n; i++) {
            arena side = scratch;
            diag *say = is_stuck ? d : engine_side_diag(&side);
            if (!is_done[i]) {
                str name = tables.ptr[i * CATALOGUE_MOST_COLUMNS];
                is_done[i] = copy_rows(copy, name, say, side);
                n_done += is_done[i];
            }
        }
        if (is_stuck && n_done < n) {
            return false;
        }
    }
    return true;
}

static bool fill_copy(duckdb_database *copy, diag *d, arena scratch)
{
    return attach_source(copy, d, scratch) && copy_tables(copy, d, scratch)
           && duckdb_execute(copy, copy->file,
                             S("DETACH assay_source;"
                               "SET enable_external_access = false"),
                             d);
}

bool duckdb_open_copy(duckdb_database *copy,
                      const duckdb_database *of,
                      diag *d,
                      arena scratch)
{
    bool is_dump = str_ends_fold(of->file, S(".sql"));
    copy->base.owner = of->base.owner;
    copy->file = of->file;
    return open_database(copy, copy->file, is_dump ? OPEN_MEMORY : OPEN_COPY, d)
           && (is_dump ? load_dump(copy, copy->file, d, scratch)
                       : fill_copy(copy, d, scratch))
           && lock(copy, copy->file, d, scratch);
}

void duckdb_close_all(duckdb_database *db)
{
    const duckdb_api *api = duckdb_api_of(db);
    if (db->conn) {
        api->disconnect(&db->conn);
    }
    if (db->db) {
        api->close(&db->db);
    }
}

static void duckdb_disconnect(database *base)
{
    duckdb_close_all((duckdb_database *)base);
}

// How much memory there is; the library gives up when it cannot know.
static const char *const machine_files[] = {
    "/proc/self/cgroup",
    "/proc/meminfo",
    "/sys/fs/cgroup",
    NULL,
};

const engine_driver driver_duckdb = {
    .word = S_INIT("duckdb"),
    .title = S_INIT("DuckDB"),
    .schemes = {S_INIT("duckdb:")},
    .dialect = DIALECT_DUCKDB,
    .files = machine_files,
    .engine_size = sizeof(duckdb_engine),
    .database_size = sizeof(duckdb_database),
    .library = &duckdb_library,
    .api = offsetof(duckdb_engine, api),
    .start = duckdb_start,
    .stop = duckdb_stop,
    .version = duckdb_version,
    .connect = duckdb_connect,
    .disconnect = duckdb_disconnect,
    .may_be_lost = true,
    .ask = duckdb_rows,
    .catalogue = duckdb_catalogue,
    .read_schema = engine_read_catalogue,
    .run = duckdb_run,
    .script = &script_duckdb,
    .scratch = &scratch_duckdb,
};
