/*
 * engine.c - engines of all kinds: their drivers, and their open databases.
 *
 * Method      A driver is a table of functions (engine_driver.h). What is the
 *             same for all lies here: the list of open databases by path,
 *             waiting for servers, late results.
 *
 * Invariants  (1) A database that could be opened stays open until the engine
 *                 is trimmed or closed; one that could not is tried again when
 *                 asked for.
 *             (2) What a driver opened it closes, whatever failed in between.
 *             (3) A server that is away is waited for once in a run, up to the
 *                 patience of the options.
 *             (4) No more than MOST_STUCK queries of an engine go on in the
 *                 server against its will, and each of them is waited for, as
 *                 long, before another connection is made.
 */
#include "engine/engine.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "base/words.h"
#include "engine/engine_driver.h"
#include "engine/url.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

// Address space for the engine's own tables, where a database takes some 300
// bytes, and for schemas: some thousand bytes, or 70 MB of one with 2,000
// tables of 50 columns.
static const ptrdiff_t OWN_BYTES = (ptrdiff_t)64 << 20;
static const ptrdiff_t SCHEMA_BYTES = (ptrdiff_t)4 << 30;

// What stays between two pieces of work. A connection of SQLite to a small
// database holds 60 KB.
enum {
    MOST_OPEN = 512,
    MOST_HELD_BYTES = 256 << 20,
    MOST_SCHEMA_BYTES = 32 << 20,
};

// Of servers.
enum {
    MOST_STUCK = 2,
    MOST_CONNECTIONS = 8,
    TICK_MS = 25,
};

static const engine_driver *const drivers[] = {
    &driver_sqlite, &driver_postgres, &driver_mariadb,
    &driver_duckdb, &driver_odbc,
};

// Does it begin as a URL does?
static bool has_scheme(str path)
{
    ptrdiff_t n = 0;
    while (n < path.len
           && (is_alpha(path.ptr[n]) || is_digit(path.ptr[n])
               || path.ptr[n] == '+' || path.ptr[n] == ':')) {
        n++;
    }
    return str_starts_fold(path, S("jdbc:"))
           || (n > 1 && str_starts(str_skip(path, n), S("//"))
               && path.ptr[n - 1] == ':');
}

const engine_driver *engine_driver_of(str path)
{
    for (ptrdiff_t i = 0; i < countof(drivers); i++) {
        for (int k = 0; k < DRIVER_MAX_SCHEMES; k++) {
            str scheme = drivers[i]->schemes[k];
            if (scheme.len > 0 && str_starts_fold(path, scheme)) {
                return drivers[i];
            }
        }
    }
    return has_scheme(path) ? NULL : &driver_sqlite;
}

const engine_driver *engine_driver_named(str word)
{
    for (ptrdiff_t i = 0; i < countof(drivers); i++) {
        if (str_equal(word, drivers[i]->word)) {
            return drivers[i];
        }
    }
    return NULL;
}

dialect engine_driver_dialect(const engine_driver *driver)
{
    return driver ? driver->dialect : DIALECT_SQLITE;
}

bool engine_driver_has_own_clock(const engine_driver *driver)
{
    return driver->has_own_clock;
}

bool engine_driver_is_server(const engine_driver *driver)
{
    return driver->is_server;
}

const char *const *engine_driver_files(const engine_driver *driver)
{
    return driver ? driver->files : NULL;
}

static bool load(engine *e, diag *d)
{
    const engine_driver *driver = e->driver;
    void *slots = (char *)e + driver->api;
    return !driver->library
           || library_load(&e->library, slots, driver->library, d);
}

engine *engine_open(const engine_options *options, diag *d)
{
    assert(options && d);
    const engine_driver *driver =
        options->driver ? options->driver : &driver_sqlite;
    arena_store store = {0};
    arena_store schemas = {0};
    if (!driver->run) {
        diag_add(d, (diag_place){0},
                 "this build of assay has no engine for %.*s",
                 STR_ARG(driver->title));
        return NULL;
    }
    if (!arena_store_open(&store, OWN_BYTES)
        || !(options->is_small || arena_store_open(&schemas, SCHEMA_BYTES))) {
        arena_store_close(&store);
        diag_add(d, (diag_place){0},
                 "no address space (see `ulimit -v`) for the %.*s engine",
                 STR_ARG(driver->title));
        return NULL;
    }
    arena a = arena_store_clear(&store);
    engine *e = arena_alloc(&a, driver->engine_size, _Alignof(max_align_t), 1);
    e->driver = driver;
    e->options = *options;
    e->options.driver = driver;
    if (e->options.seed == 0) {
        e->options.seed = 1;
    }
    e->store = store;
    e->a = a;
    e->schema_store = schemas;
    if (schemas.base) {
        e->schemas = arena_store_clear(&e->schema_store);
    }
    if (!load(e, d) || (driver->start && !driver->start(e, d))) {
        arena_store_close(&schemas);
        arena_store_close(&store);
        return NULL;
    }
    return e;
}

void engine_close(engine *e)
{
    if (!e) {
        return;
    }
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        e->driver->disconnect(e->databases.ptr[i].db);
    }
    if (e->driver->stop) {
        e->driver->stop(e);
    }
    library_close(e->library);
    arena_store_close(&e->schema_store);
    arena_store store = e->store;
    arena_store_close(&store);
}

void engine_set_tick(engine *e, void (*tick)(void *context), void *context)
{
    assert(e);
    e->tick = tick;
    e->tick_context = context;
}

void engine_set_work(engine *e, int64_t work)
{
    assert(e && work >= 0);
    e->options.limits.work = work;
}

void engine_set_timeout(engine *e, int64_t timeout_ms)
{
    assert(e && timeout_ms > 0);
    e->options.limits.timeout_ms = timeout_ms;
}

str engine_version(const engine *e, arena *a)
{
    return (e ? e->driver : &driver_sqlite)->version(e, a);
}

bool engine_is_server(const engine *e)
{
    return e->driver->is_server;
}

dialect engine_dialect(const engine *e)
{
    return e->driver->dialect;
}

const engine_driver *engine_driver_at(const database *db)
{
    return db->owner->driver;
}

int64_t engine_dump_bytes(const engine *e, str path, arena scratch)
{
    return e->driver->dump_bytes ? e->driver->dump_bytes(path, scratch) : 0;
}

str engine_image_of(const engine_images *images, str path)
{
    ptrdiff_t i = images ? words_of(images->ptr, images->len, path, path) : -1;
    return i < 0 ? (str){0} : images->ptr[i].bytes;
}

int64_t engine_data_bytes(const database *db)
{
    return db->data_bytes;
}

int64_t engine_mapped_bytes(const engine *e)
{
    return e->mapped_bytes;
}

// The open database at `path`; NULL: there is none.
static struct open_database *find_open(const engine *e, str path)
{
    hash128 key = hash_bytes(path);
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        struct open_database *o = &e->databases.ptr[i];
        if (hash128_equal(o->path, key)) {
            return o;
        }
    }
    return NULL;
}

bool engine_has_database(const engine *e, str path)
{
    return find_open(e, path) != NULL;
}

// What is left of a database that was closed serves another one.
static database *new_database(engine *e)
{
    database *db = e->spare.len > 0
                       ? memset(e->spare.ptr[--e->spare.len], 0,
                                (size_t)e->driver->database_size)
                       : arena_alloc(&e->a, e->driver->database_size,
                                     _Alignof(max_align_t), 1);
    db->owner = e;
    return db;
}

// One that was opened, or could not be.
static void drop_database(engine *e, database *db)
{
    e->driver->disconnect(db);
    if (!e->driver->is_server) {
        *vec_push(&e->a, &e->spare) = db;
    }
}

static void close_oldest(engine *e)
{
    struct open_database *all = e->databases.ptr;
    ptrdiff_t oldest = 0;
    for (ptrdiff_t i = 1; i < e->databases.len; i++) {
        oldest = all[i].asked_for < all[oldest].asked_for ? i : oldest;
    }
    e->mapped_bytes -= all[oldest].db->mapped_bytes;
    e->held_bytes -= all[oldest].db->held_bytes;
    drop_database(e, all[oldest].db);
    all[oldest] = all[--e->databases.len];
}

bool engine_trim(engine *e)
{
    while (
        !e->driver->is_server && e->databases.len > 1
        && (e->databases.len > MOST_OPEN || e->held_bytes > MOST_HELD_BYTES)) {
        close_oldest(e);
    }
    const char *start = e->schema_store.base;
    // One that is large alone would be read again for each case.
    if (!start || e->n_schemas < 2
        || e->schemas.next - start < MOST_SCHEMA_BYTES) {
        return false;
    }
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        e->databases.ptr[i].db->schema = NULL;
        e->databases.ptr[i].db->schema_error = (str){0};
    }
    e->schemas = arena_store_clear(&e->schema_store);
    e->n_schemas = 0;
    return true;
}

diag *engine_side_diag(arena *scratch)
{
    enum {
        SIZE = 32 << 10
    };
    typedef struct side {
        diag d;
        arena words;
        char bytes[SIZE];
    } side;
    side *s = arena_new(scratch, side, 1);
    s->words = (arena){.next = s->bytes, .end = s->bytes + SIZE};
    s->d = diag_new(&s->words);
    return &s->d;
}

str engine_said(arena *a, str message)
{
    enum {
        MOST = 4 << 10
    };
    str head =
        str_sub(message, 0, utf8_prefix(str_sub(message, 0, 4 * MOST), MOST));
    return head.len < message.len ? arena_printf(a, "%.*s...", STR_ARG(head))
                                  : arena_str(a, message);
}

bool engine_is_stuck(const engine *e)
{
    return e->n_stuck > e->n_borne;
}

// A server that is away is waited for once; until it is back, one try is
// enough for each that asks.
static int64_t patience_end(const engine *e)
{
    return clock_ns()
           + (e->is_server_away ? 0 : e->options.patience_ms * 1000000);
}

static bool waits(engine *e, int64_t until_ns)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    if (clock_ns() > until_ns) {
        bool is_borne = engine_is_stuck(e) && e->n_stuck < MOST_STUCK;
        e->n_borne = is_borne ? e->n_stuck : e->n_borne;
        e->is_server_away = !is_borne;
        return is_borne;
    }
    if (e->tick) {
        e->tick(e->tick_context);
    }
    nanosleep(&pause, NULL);
    return true;
}

static database *connect_new(engine *e, str path, diag *d, arena scratch)
{
    arena before = e->a;
    database *db = new_database(e);
    db->path =
        e->driver->may_be_lost ? str_from(arena_cstr(&e->a, path)) : path;
    if (e->driver->connect(db, d, scratch)) {
        e->is_server_away = false;
        e->mapped_bytes += db->mapped_bytes;
        e->held_bytes += db->held_bytes;
        return db;
    }
    drop_database(e, db);
    if (e->driver->is_server) {
        e->a = before;  // it may be tried for a long time
    }
    return NULL;
}

static database *connect_again(engine *e, database *db, diag *d, arena scratch)
{
    e->driver->disconnect(db);
    bool ok = e->driver->connect(db, d, scratch);
    e->is_server_away = e->is_server_away && !ok;
    return ok ? db : NULL;
}

// A new database, or one that was lost; waits for a server that is away.
static database *reach(engine *e,
                       str path,
                       database *lost,
                       diag *d,
                       arena scratch)
{
    int64_t until = patience_end(e);
    for (;;) {
        arena local = scratch;
        diag *why = engine_side_diag(&local);
        database *db = lost ? connect_again(e, lost, why, local)
                            : connect_new(e, path, why, local);
        if (db || !(lost || e->driver->is_server) || !waits(e, until)) {
            for (ptrdiff_t i = 0; !db && i < why->messages.len; i++) {
                diag_message m = why->messages.ptr[i];
                diag_add(d, m.place, "%.*s", STR_ARG(m.text));
            }
            return db;
        }
    }
}

database *engine_database(engine *e, str path, diag *d, arena scratch)
{
    assert(path.len > 0);
    struct open_database *known = find_open(e, path);
    if (known) {
        known->asked_for = ++e->n_asked;
        return known->db;
    }
    database *db = reach(e, path, NULL, d, scratch);
    if (db) {
        *vec_push(&e->a, &e->databases) =
            (struct open_database){hash_bytes(path), db, ++e->n_asked};
    }
    return db;
}

bool engine_reconnect(database *db, diag *d, arena scratch)
{
    return db->owner->driver->may_be_lost
           && reach(db->owner, (str){0}, db, d, scratch);
}

void engine_make_room(engine *e)
{
    database *oldest = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < e->databases.len; i++) {
        database *db = e->databases.ptr[i].db;
        if (db->last_use_ns > 0) {
            n++;
            oldest =
                oldest && oldest->last_use_ns <= db->last_use_ns ? oldest : db;
        }
    }
    if (n >= MOST_CONNECTIONS) {
        e->driver->disconnect(oldest);
    }
}

bool engine_look(const engine *e,
                 int socket,
                 short events,
                 int64_t until_ns,
                 bool *is_ready)
{
    int64_t left_ms = (until_ns - clock_ns()) / 1000000;
    if (left_ms < 0) {
        return false;
    }
    struct pollfd fd = {.fd = socket, .events = events};
    int n = poll(&fd, 1, left_ms < TICK_MS ? (int)left_ms + 1 : TICK_MS);
    if (n <= 0 && e->tick) {
        e->tick(e->tick_context);
    }
    *is_ready = n > 0;
    return n >= 0 || errno == EINTR;
}

bool engine_wait(const engine *e, int socket, short events, int64_t until_ns)
{
    bool is_ready = false;
    while (!is_ready && engine_look(e, socket, events, until_ns, &is_ready)) {
    }
    return is_ready;
}

str engine_remark(const database *db, arena *a)
{
    return db->owner->driver->remark ? db->owner->driver->remark(db, a)
                                     : (str){0};
}

bool engine_fingerprint(database *db, uint64_t *out, diag *d, arena scratch)
{
    const engine_driver *driver = db->owner->driver;
    return driver->fingerprint
               ? driver->fingerprint(db, out, d, scratch)
               : diag_add(d, (diag_place){0},
                          "%.*s cannot tell whether a database was changed",
                          STR_ARG(driver->title));
}

const schema *engine_schema(database *db)
{
    if (!db->schema) {
        arena *a = &db->owner->schemas;
        assert(a->next);  // not of an engine that reads none
        schema *s = arena_new(a, schema, 1);
        diag d = diag_new(a);
        db->owner->n_schemas++;
        if (!db->owner->driver->read_schema(db, s, a, &d)) {
            *s = (schema){0};
            db->schema_error = diag_first(&d);
        }
        db->schema = s;
    }
    return db->schema;
}

str engine_schema_error(database *db)
{
    engine_schema(db);
    return db->schema_error;
}

const schema *engine_schema_or_say(database *db, diag *d)
{
    str why = engine_schema_error(db);
    if (why.len > 0) {
        diag_add(d, (diag_place){0}, "%.*s", STR_ARG(why));
        return NULL;
    }
    assert(db->schema);
    return db->schema;
}

execution engine_run(database *db, str sql, engine_stop stop, arena *a)
{
    assert(db && a);
    const engine *e = db->owner;
    execution x = e->driver->run(db, sql, stop, a);
    // A function that a server interrupts may return something all the same:
    // benchmark() of MariaDB does.
    bool is_late = x.ns > e->options.limits.timeout_ms * 1000000;
    if (e->driver->is_server && is_late && x.status == REASON_NONE
        && !x.result.is_cut) {
        engine_fails(&x, REASON_TIMEOUT, S("it ran into the time limit"));
    }
    return engine_within(&x, e->options.limits.work);
}

execution engine_run_reversed(database *db, str sql, arena *a)
{
    const engine *e = db->owner;
    if (!e->driver->run_reversed) {
        return (execution){.status = REASON_NOT_RUN, .offset = -1};
    }
    execution x = e->driver->run_reversed(db, sql, a);
    return engine_within(&x, e->options.limits.work);
}
