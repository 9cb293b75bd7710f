/*
 * sqlite_image.c - the bytes of a database, without opening it as one.
 *
 * Why         SQLite writes beside the files it opens (journals, locks, -shm),
 *             and a crash in the wrong moment changes them. So the file is
 *             only ever mapped, privately: connections work on the image in
 *             memory, and the pages are shared by all processes that map it.
 *
 * Method      A file in WAL mode says so in bytes 18 and 19 of its header;
 *             SQLite would then look for the log and fail. The log must be
 *             empty for the file to be whole, so we refuse one that is not,
 *             and put the bytes back to 1 in our private copy of the page.
 *             A .sql dump is run into an empty database, whose serialised form
 *             is the image. A database that others write to may have been
 *             copied already (sqlite_wal.c).
 */
#define _DEFAULT_SOURCE  // MAP_PRIVATE of a file needs nothing more; madvise
#include "base/file.h"
#include "base/file_kind.h"
#include "engine/engine_sqlite.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEADER_SIZE = 100,
    HEADER_WRITE_VERSION = 18,
    HEADER_READ_VERSION = 19,
    VERSION_ROLLBACK = 1,
    VERSION_WAL = 2,
};

// A side file that holds part of the database means that the main file alone
// is not the database. It lies beside the file, not beside a link to it.
static bool check_side_file(str path, str suffix, diag *d, arena scratch)
{
    str side = arena_printf(&scratch, "%s%.*s", file_target(&scratch, path),
                            STR_ARG(suffix));
    struct stat st;
    if (stat(side.ptr, &st) != 0 || st.st_size == 0) {
        return true;
    }
    return diag_add(d, (diag_place){.file = path},
                    "changes are still in '%.*s' (%lld bytes): close the "
                    "program that uses the database, or open it once with "
                    "sqlite3 to bring it up to date%s",
                    STR_ARG(side), (long long)st.st_size,
                    str_equal(suffix, S("-wal"))
                        ? "; assay score --wal copy reads both"
                        : "");
}

// So that SQLite looks for no log.
void sqlite_image_end_log(unsigned char *header)
{
    if (header[HEADER_READ_VERSION] == VERSION_WAL) {
        header[HEADER_WRITE_VERSION] = VERSION_ROLLBACK;
        header[HEADER_READ_VERSION] = VERSION_ROLLBACK;
    }
}

static bool is_database(const sqlite_database *db, str path, diag *d)
{
    static const char magic[16] = "SQLite format 3";
    diag_place place = {.file = path};
    if (memcmp((const char *)db->image + 8, "DUCK", 4) == 0) {
        return diag_add(d, place,
                        "not a SQLite database but a DuckDB database");
    }
    if (db->size >= HEADER_SIZE
        && memcmp(db->image, magic, sizeof magic) == 0) {
        return true;
    }
    str kind = file_kind_text(file_kind_of((str){db->image, db->size}));
    return diag_add(d, place, "not a SQLite database%s%.*s",
                    kind.len > 0             ? ": the file "
                    : db->size < HEADER_SIZE ? ": the file is too short"
                                             : "",
                    STR_ARG(kind));
}

static bool image_map(sqlite_database *db, int fd, str path, diag *d)
{
    assert(fd >= 0 && !db->image);
    diag_place place = {.file = path};
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return diag_add(d, place, "not a file%s",
                        S_ISDIR(st.st_mode) ? " but a folder: name one of the "
                                              "databases in it"
                                            : "");
    }
    if (st.st_size == 0) {
        return diag_add(d, place, "not a SQLite database: the file is empty");
    }
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED) {
        return diag_add(d, place, "cannot map: %s", strerror(errno));
    }
    db->image = p;
    db->size = st.st_size;
    db->is_mapped = true;
    if (!is_database(db, path, d)) {
        return false;
    }
    sqlite_image_end_log(p);
    return true;
}

// Modules of virtual tables that keep all they have in the database.
static bool is_safe_module(const char *name)
{
    return str_among_fold(str_from(name), "fts3 fts4 fts5 rtree rtree_i32");
}

// While a dump is loaded, everything that stays inside the new database is
// allowed, but for what reaches into the engine.
static int allow_loading(void *context,
                         int action,
                         const char *first,
                         const char *second,
                         const char *third,
                         const char *fourth)
{
    (void)context;
    (void)third;
    (void)fourth;
    bool leaves =
        action == SQLITE_ATTACH || action == SQLITE_DETACH
        || (action == SQLITE_FUNCTION && sqlite_refuses_function(second))
        || (action == SQLITE_CREATE_VTABLE && !is_safe_module(second))
        || (action == SQLITE_PRAGMA && first
            && sqlite3_stricmp(first, "writable_schema") == 0);
    // Without a value it only asks, as R-Trees do when they are made.
    bool grows = action == SQLITE_PRAGMA && first && second
                 && (sqlite3_stricmp(first, "max_page_count") == 0
                     || sqlite3_stricmp(first, "page_size") == 0);
    return leaves ? SQLITE_DENY : grows ? SQLITE_IGNORE : SQLITE_OK;
}

// Of a dump that loads: some steps for each byte of it, and what it takes to
// fill a large table from nothing. One that goes on and on must end, too.
enum {
    LOAD_LOOK = 1 << 20,  // steps between two looks
    LOAD_LOOKS = 96,      // seconds, on a machine that is busy
    LOAD_BYTES_A_LOOK = 1 << 10,
};

// What a dump may become: a few times its length, and what it takes to fill
// large tables from nothing.
enum {
    LOAD_PAGE = 4096,
    LOAD_PAGES = 1 << 16,    // 256 MB
    LOAD_TIMES = 8,          // its length
    LOAD_VALUE = 256 << 20,  // bytes of one value
};

static bool is_dump(str path)
{
    return str_ends_fold(path, S(".sql"));
}

static int64_t pages_of(int64_t length)
{
    return LOAD_PAGES + length * LOAD_TIMES / LOAD_PAGE;
}

// Its bytes, mapped and copied; the tables, those of TEMP and the image.
int64_t sqlite_dump_bytes(str path, arena scratch)
{
    struct stat st;
    if (!is_dump(path) || stat(arena_cstr(&scratch, path), &st) != 0) {
        return 0;
    }
    return 2 * (int64_t)st.st_size
           + 3 * (pages_of((int64_t)st.st_size) * LOAD_PAGE);
}

static void limit_size(sqlite3 *loader, ptrdiff_t length)
{
    int64_t pages = pages_of(length);
    char *sql = sqlite3_mprintf("PRAGMA page_size=%d;"
                                "PRAGMA main.max_page_count=%lld;"
                                "PRAGMA temp.max_page_count=%lld",
                                LOAD_PAGE, (long long)pages, (long long)pages);
    sqlite3_exec(loader, sql ? sql : "", NULL, NULL, NULL);
    sqlite3_free(sql);
    sqlite3_limit(loader, SQLITE_LIMIT_LENGTH, LOAD_VALUE);
}

#define REMEDY_OF(system, scheme)                                \
    "; this is a dump of " system ", for a server: --db " scheme \
    "://USER@HOST/{db} --setup FILE"
#define REMEDY                                                             \
    "; if that is intended, load the dump with sqlite3 once, and use the " \
    "file "                                                                \
    "that "                                                                \
    "it makes"

static int count_looks(void *context)
{
    int64_t *left = context;
    return --*left < 0;
}

// A dump that was made for a server, and that SQLite does not read.
static const char *remedy_for(str dump)
{
    static const struct {
        str mark;
        const char *remedy;
    } marks[] = {
        {S_INIT("MySQL dump"), REMEDY_OF("MySQL", "mysql")},
        {S_INIT("MariaDB dump"), REMEDY_OF("MariaDB", "mariadb")},
        {S_INIT("ENGINE=InnoDB"), REMEDY_OF("MySQL", "mysql")},
        {S_INIT("ENGINE=MyISAM"), REMEDY_OF("MySQL", "mysql")},
        {S_INIT("AUTO_INCREMENT"), REMEDY_OF("MySQL", "mysql")},
        {S_INIT("/*!40"), REMEDY_OF("MySQL", "mysql")},
        {S_INIT("PostgreSQL database dump"),
         REMEDY_OF("PostgreSQL", "postgresql")},
        {S_INIT("FROM stdin;"), REMEDY_OF("PostgreSQL", "postgresql")},
    };
    for (ptrdiff_t i = 0; i < countof(marks); i++) {
        if (str_find(dump, marks[i].mark, 0) >= 0) {
            return marks[i].remedy;
        }
    }
    return "";
}

// `at` is in `text`, the copy of the dump.
static bool cannot_load(const file_map *dump,
                        const char *text,
                        const char *at,
                        const char *why,
                        diag *d)
{
    while (is_space(*at)) {
        at++;
    }
    return diag_add(d, diag_locate(dump->path, dump->bytes, at - text),
                    "cannot load the dump: %s%s", why, remedy_for(dump->bytes));
}

// Which limit the statement has passed, and what to do; NULL: none.
static const char *limit_passed(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_INTERRUPT: return "this statement takes too many steps" REMEDY;
    case SQLITE_NOMEM: return "this statement takes too much memory" REMEDY;
    case SQLITE_FULL:
        return "its database has more than 256 MB plus eight times its "
               "length" REMEDY;
    default: return NULL;
    }
}

// Runs the statements one by one, so that an error has its place in the file.
// `text` is the dump, ended by a NUL: of a text with a length the engine would
// copy all that is left, for each statement.
static bool load_statements(sqlite3 *loader,
                            const file_map *dump,
                            const char *text,
                            diag *d)
{
    int64_t looks = LOAD_LOOKS + dump->bytes.len / LOAD_BYTES_A_LOOK;
    sqlite3_progress_handler(loader, LOAD_LOOK, count_looks, &looks);
    const char *at = text;
    while (*at) {
        sqlite3_stmt *statement = NULL;
        const char *next = at;
        int rc = sqlite3_prepare_v2(loader, at, -1, &statement, &next);
        while (rc == SQLITE_OK && statement
               && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
            rc = SQLITE_OK;
        }
        sqlite3_finalize(statement);
        const char *passed = limit_passed(rc);
        if (passed) {
            return cannot_load(dump, text, at, passed, d);
        }
        if (!next || (rc != SQLITE_OK && rc != SQLITE_DONE)) {
            return cannot_load(dump, text, at, sqlite3_errmsg(loader), d);
        }
        at = next;
    }
    return at - text == dump->bytes.len
           || cannot_load(dump, text, at, "there is a NUL byte in it", d);
}

static bool image_load(sqlite_database *db, str path, diag *d, arena scratch)
{
    file_map dump;
    if (!file_open(&dump, &scratch, path, d)) {
        return false;
    }
    str kind = file_kind_text(file_kind_of(dump.bytes));
    if (kind.len > 0) {
        file_close(&dump);
        return diag_add(d, (diag_place){.file = path}, "no dump: the file %.*s",
                        STR_ARG(kind));
    }
    sqlite3 *loader = NULL;
    char *text = sqlite3_malloc64((sqlite3_uint64)dump.bytes.len + 1);
    if (text) {
        memcpy(text, dump.bytes.ptr ? dump.bytes.ptr : "",
               (size_t)dump.bytes.len);
        text[dump.bytes.len] = '\0';
    }
    int rc = text ? sqlite3_open_v2(":memory:", &loader,
                                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                        | SQLITE_OPEN_NOMUTEX,
                                    ((sqlite_engine *)db->base.owner)->vfs_name)
                  : SQLITE_NOMEM;
    bool ok = rc == SQLITE_OK;
    if (!ok) {
        diag_add(d, (diag_place){.file = path}, "%s", sqlite3_errstr(rc));
    } else {
        sqlite3_exec(loader, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL);
        limit_size(loader, dump.bytes.len);
        int was = 0;
        sqlite3_db_config(loader, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);
        sqlite3_db_config(loader, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);
        sqlite3_set_authorizer(loader, allow_loading, NULL);
        ok = load_statements(loader, &dump, text, d);
    }
    if (ok) {
        sqlite3_int64 size = 0;
        db->image = sqlite3_serialize(loader, "main", &size, 0);
        db->size = (ptrdiff_t)size;
        ok = db->image
             || diag_add(d, (diag_place){.file = path},
                         size > 0 ? "out of memory"
                                  : "the dump creates no table");
    }
    sqlite3_close(loader);
    sqlite3_free(text);
    file_close(&dump);
    return ok;
}

bool sqlite_image_open(sqlite_database *db, str path, diag *d, arena scratch)
{
    if (is_dump(path)) {
        return image_load(db, path, d, scratch);
    }
    str made = engine_image_of(db->base.owner->options.images, path);
    if (made.len > 0) {
        db->image = (void *)(uintptr_t)made.ptr;  // nobody writes to it
        db->size = made.len;
        db->is_borrowed = true;
        return is_database(db, path, d);
    }
    if (!check_side_file(path, S("-wal"), d, scratch)
        || !check_side_file(path, S("-journal"), d, scratch)) {
        return false;
    }
    // Nobody may ever write into a pipe; image_map() refuses it.
    int fd =
        open(arena_cstr(&scratch, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return diag_add(d, (diag_place){.file = path}, "cannot open: %s",
                        strerror(errno));
    }
    bool ok = image_map(db, fd, path, d);
    close(fd);
    return ok;
}

void sqlite_image_close(sqlite_database *db)
{
    assert(!db->is_mapped || !db->is_borrowed);  // it has one owner
    if (db->image && db->is_mapped) {
        munmap(db->image, (size_t)db->size);
    } else if (db->image && !db->is_borrowed) {
        sqlite3_free(db->image);
    }
    db->image = NULL;
}
