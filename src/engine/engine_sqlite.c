/*
 * engine_sqlite.c - databases as read-only images, opened once and kept.
 *
 * Invariants  (1) No file is opened but by sqlite_image.c, read-only.
 *             (2) A database that could be opened stays open until the engine
 *                 is closed; one that could not is tried again when asked for.
 *             (3) The image outlives the connection on it.
 */
#include "engine/engine_sqlite.h"

#include <string.h>

// Address space for the engine's own tables; a database takes some 200 bytes.
static const ptrdiff_t STORE_BYTES = (ptrdiff_t)64 << 20;

str engine_version(arena *a)
{
    return arena_printf(a, "SQLite %s", sqlite3_libversion());
}

engine *engine_open_sqlite(const engine_options *options, diag *d)
{
    arena_store store;
    if (!arena_store_open(&store, STORE_BYTES)) {
        diag_add(d, (diag_place){0}, "no address space for the SQLite engine");
        return NULL;
    }
    arena a = arena_store_clear(&store);
    engine *e = arena_new(&a, engine, 1);
    e->options = *options;
    if (e->options.seed == 0) {
        e->options.seed = 1;
    }
    e->store = store;
    e->a = a;
    // Memory statistics cost a tenth of all time; RLIMIT_AS does their work.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_initialize() != SQLITE_OK || !sqlite_vfs_register(e)) {
        diag_add(d, (diag_place){0}, "SQLite cannot be set up");
        arena_store_close(&store);
        return NULL;
    }
    return e;
}

static void database_close(database *db)
{
    sqlite3_close(db->db);
    sqlite_image_close(db);
}

void engine_close(engine *e)
{
    if (!e) {
        return;
    }
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        if (e->databases.ptr[i]) {
            database_close(e->databases.ptr[i]);
        }
    }
    sqlite_vfs_unregister(e);
    arena_store store = e->store;
    arena_store_close(&store);
}

void engine_set_tick(engine *e, void (*tick)(void *context), void *context)
{
    e->tick = tick;
    e->tick_context = context;
}

int64_t engine_mapped_bytes(const engine *e)
{
    return e->mapped_bytes;
}

// Opens a connection on the image and reads the schema, so that a corrupt file
// is found now and not blamed on a query.
static bool database_connect(database *db, str path, diag *d)
{
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(":memory:", &db->db, flags, db->owner->vfs_name);
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
    if (rc != SQLITE_OK) {
        return diag_add(d, (diag_place){.file = path}, "cannot be read: %s",
                        db->db ? sqlite3_errmsg(db->db) : sqlite3_errstr(rc));
    }
    sqlite_guard(db);
    return true;
}

bool engine_has_database(const engine *e, str path)
{
    ptrdiff_t id = map_find(&e->paths, path);
    return id >= 0 && e->databases.ptr[id];
}

database *engine_database(engine *e, str path, diag *d, arena scratch)
{
    ptrdiff_t id = map_find(&e->paths, path);
    if (id >= 0 && e->databases.ptr[id]) {
        return e->databases.ptr[id];
    }
    if (id < 0) {
        id = map_add(&e->paths, &e->a, path);
        vec_push(&e->a, &e->databases);
    }
    database *db = arena_new(&e->a, database, 1);
    db->owner = e;
    if (!sqlite_image_open(db, path, d, scratch)
        || !database_connect(db, path, d)) {
        database_close(db);
        return NULL;
    }
    e->mapped_bytes += db->size;
    e->databases.ptr[id] = db;
    return db;
}
