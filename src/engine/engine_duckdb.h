/*
 * engine_duckdb.h - what the files of the DuckDB engine share.
 *
 * The library is loaded when the engine is opened (duckdb_load.c). Handles are
 * plain pointers here; they belong to the library and are given back to it.
 *
 * Types that begin with duck_ mirror DuckDB's C interface ("C API", 1.x).
 */
#ifndef ASSAY_ENGINE_ENGINE_DUCKDB_H
#define ASSAY_ENGINE_ENGINE_DUCKDB_H

#include "engine/engine_driver.h"
#include "engine/query_timer.h"
#include "engine/script.h"

typedef int duck_state;  // 0: it went well

typedef struct duck_result {
    uint64_t old_counts[3];
    void *old_columns;
    char *old_error;
    void *internal;
} duck_result;

typedef union duck_string {
    uint32_t length;
    struct {
        uint32_t length;
        char bytes[12];
    } here;  // of up to 12 bytes
    struct {
        uint32_t length;
        char prefix[4];
        const char *bytes;
    } there;
} duck_string;

typedef struct duck_huge {
    uint64_t low;
    int64_t high;
} duck_huge;

typedef struct duck_interval {
    int32_t months;
    int32_t days;
    int64_t us;
} duck_interval;

typedef struct duck_list {
    uint64_t offset;  // into the child vector
    uint64_t length;
} duck_list;

typedef enum duck_type {
    DUCK_BOOLEAN = 1,
    DUCK_TINYINT = 2,
    DUCK_SMALLINT = 3,
    DUCK_INTEGER = 4,
    DUCK_BIGINT = 5,
    DUCK_UTINYINT = 6,
    DUCK_USMALLINT = 7,
    DUCK_UINTEGER = 8,
    DUCK_UBIGINT = 9,
    DUCK_FLOAT = 10,
    DUCK_DOUBLE = 11,
    DUCK_TIMESTAMP = 12,
    DUCK_DATE = 13,
    DUCK_TIME = 14,
    DUCK_INTERVAL = 15,
    DUCK_HUGEINT = 16,
    DUCK_VARCHAR = 17,
    DUCK_BLOB = 18,
    DUCK_DECIMAL = 19,
    DUCK_TIMESTAMP_S = 20,
    DUCK_TIMESTAMP_MS = 21,
    DUCK_TIMESTAMP_NS = 22,
    DUCK_ENUM = 23,
    DUCK_LIST = 24,
    DUCK_STRUCT = 25,
    DUCK_MAP = 26,
    DUCK_UUID = 27,
    DUCK_TIMESTAMP_TZ = 31,
    DUCK_UHUGEINT = 32,
    DUCK_ARRAY = 33,
} duck_type;

enum {
    DUCK_PENDING_READY = 0,
    DUCK_PENDING_ERROR = 2,
    DUCK_STATEMENT_SELECT = 1,
    DUCK_STATEMENT_INSERT = 2,
    DUCK_STATEMENT_UPDATE = 3,
    DUCK_STATEMENT_DELETE = 5,
    DUCK_STATEMENT_CREATE = 7,
    DUCK_STATEMENT_ALTER = 9,
    DUCK_STATEMENT_TRANSACTION = 10,
    DUCK_STATEMENT_DROP = 15,
    DUCK_STATEMENT_MERGE = 30,
    DUCK_RETURNS_ROWS = 3,
};

typedef struct duckdb_api {
#define DUCKDB(result, name, parameters) result(*name) parameters;
#include "engine/duckdb_api.def"
#undef DUCKDB
} duckdb_api;

typedef struct duckdb_database {
    database base;
    void *db;
    void *conn;
    str file;        // of DuckDB, or a dump; empty: it was made of `sql`
    str sql;         // ends with a NUL byte
    bool is_broken;  // an error of the library's own: nothing runs any more
} duckdb_database;

typedef struct duckdb_engine {
    engine base;
    duckdb_api api;
    query_timer timer;
} duckdb_engine;

const duckdb_api *duckdb_api_of(const duckdb_database *db);

// The library's messages go on with a picture of the query.
str duckdb_first_line(str message);

// duckdb_load.c
extern const library_spec duckdb_library;
bool duckdb_start(engine *e, diag *d);

// engine_duckdb.c: runs statements of our own, which end with a NUL byte;
// `place` is named in the message when one fails.
bool duckdb_execute(duckdb_database *db, str place, str sql, diag *d);
// A database in memory that these statements make, locked as one of a file is.
// They end with a NUL byte and stay where they are as long as it is open. False
// with a message; duckdb_close_all() is called in either case.
bool duckdb_open_memory(duckdb_database *db, str sql, diag *d, arena scratch);
// In memory, and nothing else is in reach. False with a message, as above.
bool duckdb_open_copy(duckdb_database *copy,
                      const duckdb_database *of,
                      diag *d,
                      arena scratch);
void duckdb_close_all(duckdb_database *db);
// When it is broken: closed, and opened as it was at first.
bool duckdb_mend(duckdb_database *db, diag *d, arena scratch);

// duckdb_value.c: the cell in a row of a vector. `type` is the vector's.
// *is_unknown is set when only a part of the value could be understood.
value duckdb_cell(const duckdb_api *api,
                  void *vector,
                  void *type,
                  uint64_t row,
                  bool *is_unknown,
                  arena *a);

// duckdb_run.c, duckdb_schema.c: the driver's functions.
execution duckdb_run(database *base, str sql, engine_stop stop, arena *a);
// One statement of a script, stopped at deadline_ns of clock_limit_ns(). A
// result without columns: it returns no rows.
execution duckdb_run_statement(database *base,
                               str sql,
                               int64_t deadline_ns,
                               arena *a);
// Every look at chance from now on gives the same.
void duckdb_seed(duckdb_database *db, arena *a);
extern const script_driver script_duckdb;
// Would the query run? Its columns are then x->result's; else why not.
bool duckdb_compile(duckdb_database *db, str sql, execution *x, arena *a);
bool duckdb_rows(database *base,
                 str sql,
                 catalogue_rows *rows,
                 arena *a,
                 str *why);
extern const str duckdb_catalogue[CATALOGUE_PARTS];

// A query of our own, without guard and limit; false when it failed. Rows are
// x->result.
bool duckdb_ask(duckdb_database *db, str sql, execution *x, arena *a);

#endif  // ASSAY_ENGINE_ENGINE_DUCKDB_H
