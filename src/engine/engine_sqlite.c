/*
 * engine_sqlite.c - the driver of SQLite: databases as read-only images, opened
 * once and kept.
 *
 * Method      The file is mapped by sqlite_image.c and handed to a connection
 *             in memory (sqlite3_deserialize), so SQLite itself opens no file.
 *             The schema is read at once: a corrupt file is found when it is
 *             opened and not blamed on a query.
 *
 * Invariants  (1) No file is opened but by sqlite_image.c, read-only.
 *             (2) The image outlives the connection on it.
 *
 * Not here    What a query may do (sqlite_guard.c), the clock (sqlite_vfs.c).
 */
#include "engine/engine_sqlite.h"

#include "engine/scratch_driver.h"

// Of an open connection, beside its schema.
enum {
    CONNECTION_BYTES = 64 << 10,
};

static str sqlite_version(const engine *e, arena *a)
{
    (void)e;
    return arena_printf(a, "SQLite %s", sqlite3_libversion());
}

static bool sqlite_start(engine *e, diag *d)
{
    // Memory statistics cost a tenth of all time; RLIMIT_AS does their work.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return (sqlite3_initialize() == SQLITE_OK
            && sqlite_vfs_register((sqlite_engine *)e))
           || diag_add(d, (diag_place){0}, "SQLite cannot be set up");
}

static void sqlite_stop(engine *e)
{
    sqlite_vfs_unregister((sqlite_engine *)e);
}

static void sqlite_disconnect(database *base)
{
    sqlite_database *db = (sqlite_database *)base;
    // Not what sqlite3_next_stmt() lists: virtual tables have statements, too.
    sqlite_finish(db);
    sqlite3_close(db->db);
    sqlite3_free(db->broken);
    db->broken = NULL;
    sqlite_image_close(db);
}

int sqlite_connect_image(sqlite_database *db)
{
    const sqlite_engine *owner = (const sqlite_engine *)db->base.owner;
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(":memory:", &db->db, flags, owner->vfs_name);
    if (rc == SQLITE_OK) {
        rc = sqlite3_deserialize(db->db, "main", db->image, db->size, db->size,
                                 SQLITE_DESERIALIZE_READONLY);
    }
    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(db->db,
                          "PRAGMA temp_store=MEMORY;"
                          "PRAGMA mmap_size=1099511627776;"
                          "SELECT count(*) FROM sqlite_master",
                          NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK) {
        sqlite_connect_virtual(db);
        sqlite_guard(db);
    }
    return rc;
}

static bool sqlite_connect(database *base, diag *d, arena scratch)
{
    sqlite_database *db = (sqlite_database *)base;
    if (!sqlite_image_open(db, base->path, d, scratch)) {
        return false;
    }
    int rc = sqlite_connect_image(db);
    if (rc != SQLITE_OK) {
        return diag_add(d, (diag_place){.file = base->path},
                        "cannot be read: %s",
                        db->db ? sqlite3_errmsg(db->db) : sqlite3_errstr(rc));
    }
    int of_schema = 0;
    int most = 0;
    sqlite3_db_status(db->db, SQLITE_DBSTATUS_SCHEMA_USED, &of_schema, &most,
                      0);
    base->held_bytes =
        CONNECTION_BYTES + of_schema + (db->is_mapped ? 0 : db->size);
    base->data_bytes = db->size;
    base->mapped_bytes = base->held_bytes + (db->is_mapped ? db->size : 0);
    return true;
}

const engine_driver driver_sqlite = {
    .word = S_INIT("sqlite"),
    .title = S_INIT("SQLite"),
    .dialect = DIALECT_SQLITE,
    .engine_size = sizeof(sqlite_engine),
    .database_size = sizeof(sqlite_database),
    .start = sqlite_start,
    .stop = sqlite_stop,
    .version = sqlite_version,
    .connect = sqlite_connect,
    .dump_bytes = sqlite_dump_bytes,
    .disconnect = sqlite_disconnect,
    .read_schema = sqlite_read_schema,
    .run = sqlite_run,
    .run_reversed = sqlite_run_reversed,
    .script = &script_sqlite,
    .scratch = &scratch_sqlite,
};
