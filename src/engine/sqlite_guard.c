/*
 * sqlite_guard.c - what a query may do, and for how long.
 *
 * Method      Four fences, each enough for most attacks: the image is
 *             read-only; the VFS opens no file; the authorizer knows a list of
 *             what is allowed and refuses the rest when a statement is
 *             prepared; SQLite's own limits bound sizes and depths. Time is
 *             watched by the progress handler. What none of them can stop (one
 *             call of one function that runs on) is the business of the
 *             process that holds this one (worker.h).
 */
#include "base/clock.h"
#include "engine/engine_sqlite.h"
#include "sql/function.h"

#include <assert.h>
#include <string.h>

enum {
    // Virtual machine steps between two looks at the clock: some 50 us.
    STEPS_PER_LOOK = 4000,
    // The longest text or blob: more than any sane result holds, and little
    // enough that one function call over it ends soon.
    LONGEST_VALUE = 256 << 20,
};

static const struct {
    int which;
    int most;
} limits[] = {
    {SQLITE_LIMIT_LENGTH, LONGEST_VALUE},
    {SQLITE_LIMIT_SQL_LENGTH, 1000000},
    {SQLITE_LIMIT_EXPR_DEPTH, 1000},
    {SQLITE_LIMIT_COMPOUND_SELECT, 500},
    {SQLITE_LIMIT_FUNCTION_ARG, 127},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50000},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 10},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Functions that reach outside the database, or into the engine.
bool sqlite_refuses_function(const char *name)
{
    return str_among_fold(str_from(name),
                          "load_extension fts3_tokenizer readfile writefile "
                          "edit fsdir lsmode zipfile");
}

// Functions of which the table says more.
static void note_function(sqlite_database *db, const char *name)
{
    const sql_function *f = function_of(str_from(name));
    db->reads_clock |= f->clock && strchr(f->clock, 'S');
    db->reads_random |= f->random && strchr(f->random, 'S');
    db->reads_state |= f->tells_state;
}

// What a script may do to its copy, and which table it is done to; empty for
// what is done to none.
static bool is_write(int action, const char *first, const char *second, str *to)
{
    switch (action) {
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TEMP_TABLE: *to = str_from(first); return true;
    case SQLITE_ALTER_TABLE:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER: *to = str_from(second); return true;
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_TEMP_TRIGGER:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
    case SQLITE_REINDEX:
    case SQLITE_ANALYZE: return true;
    default: return false;
    }
}

static int authorize(void *context,
                     int action,
                     const char *first,
                     const char *second,
                     const char *third,
                     const char *fourth)
{
    (void)third;
    (void)fourth;
    sqlite_database *db = context;
    if (db->is_own) {
        // Our own statements hold others' expressions: CHECK, DEFAULT.
        return action == SQLITE_FUNCTION && sqlite_refuses_function(second)
                   ? SQLITE_DENY
                   : SQLITE_OK;
    }
    str written = {0};
    if (db->touched && is_write(action, first, second, &written)) {
        if (written.len > 0) {
            map_add(db->touched, db->notes, written);
        }
        return SQLITE_OK;
    }
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
        db->reads_state |= first && sqlite3_strnicmp(first, "sqlite_", 7) == 0;
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        if (sqlite_refuses_function(second)) {
            break;
        }
        note_function(db, second);
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        // FTS5 asks this when it searches; it changes nothing.
        if (db->running && !second
            && sqlite3_stricmp(first, "data_version") == 0) {
            return SQLITE_OK;
        }
        break;
    default: break;
    }
    db->was_refused = true;
    return SQLITE_DENY;
}

// Virtual tables declare their columns when they connect, at their first use,
// which the authorizer would take for a CREATE TABLE of the query. So those
// that a query may read connect before it is there: the ones that need no
// CREATE, and what the database holds itself.
void sqlite_connect_virtual(sqlite_database *db)
{
    static const char mine[] = "SELECT 1 FROM json_each, json_tree";
    static const char others[] =
        "SELECT printf('SELECT * FROM \"%w\"', name) FROM sqlite_schema"
        " WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'";
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(db->db, mine, -1, &s, NULL);
    sqlite3_finalize(s);
    sqlite3_stmt *names = NULL;
    sqlite3_prepare_v2(db->db, others, -1, &names, NULL);
    while (names && sqlite3_step(names) == SQLITE_ROW) {
        const char *sql = (const char *)sqlite3_column_text(names, 0);
        // A module that is not there is the query's error, when it comes.
        bool fails = sqlite3_prepare_v2(db->db, sql, -1, &s, NULL) != SQLITE_OK;
        const char *why = sqlite3_errmsg(db->db);
        if (fails && !strstr(why, "no such module")) {
            db->broken = sqlite3_mprintf("%z%s\n", db->broken, why);
        }
        sqlite3_finalize(s);
    }
    sqlite3_finalize(names);
}

// A query that took a hundredth of what it may is looked into: it ends here
// when it is bound to take more.
static bool is_hopeless(const sqlite_database *db, int64_t most)
{
    return db->text.len > 0 && !db->reads_random && most > 0
           && db->looks == most / 100 / STEPS_PER_LOOK + 1
           && sqlite_least_work(db, db->text) > most;
}

static int look_at_clock(void *context)
{
    sqlite_database *db = context;
    const engine *owner = db->base.owner;
    if (owner->tick) {
        owner->tick(owner->tick_context);
    }
    int64_t most = owner->options.limits.work;
    db->looks++;
    if (is_hopeless(db, most)) {
        db->looks = most / STEPS_PER_LOOK + 1;
    }
    db->timed_out = clock_limit_ns() > db->deadline_ns
                    || (most > 0 && db->looks * STEPS_PER_LOOK > most);
    return db->timed_out;
}

// SQLite's own count is exact, but of 32 bits and without the statements that
// a virtual table runs of its own. The looks see those, too: what ends a query
// and what is told of it agree.
int64_t sqlite_work(const sqlite_database *db)
{
    assert(db->running);
    int64_t seen = db->looks * STEPS_PER_LOOK;
    int64_t exact = (uint32_t)sqlite3_stmt_status(db->running,
                                                  SQLITE_STMTSTATUS_VM_STEP, 0);
    return seen > exact ? seen : exact;
}

void sqlite_guard(sqlite_database *db)
{
    for (ptrdiff_t i = 0; i < countof(limits); i++) {
        sqlite3_limit(db->db, limits[i].which, limits[i].most);
    }
    int was = 0;
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, &was);
    // Spider's golds say "France" and mean a text: keep SQLite's old reading.
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_DQS_DML, 1, &was);
    sqlite3_db_config(db->db, SQLITE_DBCONFIG_DQS_DDL, 1, &was);
    sqlite3_set_authorizer(db->db, authorize, db);
    sqlite3_progress_handler(db->db, STEPS_PER_LOOK, look_at_clock, db);
}
