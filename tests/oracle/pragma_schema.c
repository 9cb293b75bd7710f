/*
 * pragma_schema.c - the schema of a database, in the order of sqlite_master,
 * as SQLite itself describes it: what its pragmas know, so no checks, views
 * or computed columns.
 */
#include "oracle/pragma_schema.h"

#include "schema/schema_build.h"

#include <string.h>

typedef vec_of(schema_column) column_list;

typedef vec_of(int32_t) place_list;

typedef vec_of(schema_unique) unique_list;

typedef vec_of(schema_table) table_list;

typedef vec_of(key_draft) draft_list;

// What is asked, of a table or an index by its name.
typedef enum question {
    ASK_TABLES,
    ASK_INDEXED,
    ASK_ROWID,
    ASK_COLUMNS,
    ASK_PRIMARY,
    ASK_UNIQUES,
    ASK_UNIQUE,
    ASK_KEYS,
    ASK_KEY,
    QUESTIONS,
} question;

static const char *const questions[QUESTIONS] = {
    [ASK_TABLES] = "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    [ASK_INDEXED] = "SELECT DISTINCT tbl_name FROM sqlite_master"
                    " WHERE type = 'index' AND sql IS NOT NULL",
    [ASK_ROWID] = "SELECT NOT EXISTS (SELECT 1 FROM pragma_index_info(?1))",
    [ASK_COLUMNS] = "SELECT name, type, \"notnull\""
                    " FROM pragma_table_xinfo(?) WHERE hidden <> 1",
    [ASK_PRIMARY] = "SELECT name, (SELECT x.coll FROM pragma_index_list(?1) l,"
                    " pragma_index_xinfo(l.name) x WHERE l.origin = 'pk'"
                    " AND x.key AND x.name = c.name)"
                    " FROM pragma_table_xinfo(?1) c WHERE pk > 0 ORDER BY pk",
    [ASK_UNIQUES] = "SELECT name FROM pragma_index_list(?) WHERE \"unique\""
                    " AND NOT partial AND origin <> 'pk' ORDER BY seq DESC",
    [ASK_UNIQUE] = "SELECT name, coll FROM pragma_index_xinfo(?)"
                   " WHERE key ORDER BY seqno",
    [ASK_KEYS] = "SELECT id, \"table\" FROM pragma_foreign_key_list(?)"
                 " WHERE seq = 0 ORDER BY id DESC",
    [ASK_KEY] = "SELECT \"from\", \"to\" FROM pragma_foreign_key_list(?1)"
                " WHERE id = ?2 ORDER BY seq",
};

// What the text of a table mentions. What it does not mention it has not, and
// SQLite, which looks through long lists for each answer, is not asked.
typedef struct mentions {
    bool collations;
    bool rowid;
    bool primary;
    bool uniques;
    bool keys;
} mentions;

// Each is prepared once for all tables: that takes longer than its answer.
typedef struct asker {
    sqlite_database *db;
    sqlite3_stmt *asked[QUESTIONS];
    vec_of(mentions) mentions;  // by table
    map indexed;                // names of tables with a CREATE INDEX
} asker;

// What lacked memory once is no schema, however it went on.
static void note(sqlite_database *db, int rc)
{
    db->lacked_memory |= rc == SQLITE_NOMEM;
}

static str column_text(sqlite3_stmt *row, int i, arena *a)
{
    const char *text = (const char *)sqlite3_column_text(row, i);
    return arena_str(a, str_from(text));
}

// NULL when it cannot be prepared. Who has read the rows resets them.
static sqlite3_stmt *ask(asker *q, question what, str argument)
{
    sqlite3_stmt **rows = &q->asked[what];
    if (!*rows) {
        note(q->db,
             sqlite3_prepare_v2(q->db->db, questions[what], -1, rows, NULL));
    }
    if (*rows) {
        sqlite3_bind_text(*rows, 1, argument.ptr, (int)argument.len,
                          SQLITE_STATIC);
    }
    return *rows;
}

static bool next(asker *q, sqlite3_stmt *rows)
{
    // Of a text of the row before.
    note(q->db, sqlite3_errcode(q->db->db));
    int rc = rows ? sqlite3_step(rows) : SQLITE_DONE;
    note(q->db, rc);
    return rc == SQLITE_ROW;
}

static schema_collation collation_of(sqlite_database *db, str owner, str column)
{
    const char *name = NULL;
    note(db, sqlite3_table_column_metadata(db->db, NULL, owner.ptr, column.ptr,
                                           NULL, &name, NULL, NULL, NULL));
    return name ? schema_collation_of(str_from(name)) : COLLATION_BINARY;
}

// The place of a column that an index or a key names; -1: none.
static int32_t place_of(const schema_table *t, sqlite3_stmt *row, int i)
{
    const char *name = (const char *)sqlite3_column_text(row, i);
    return name ? schema_find_column(t, str_from(name)) : -1;
}

// The words behind the last parenthesis of CREATE TABLE.
static bool says_strict(const char *sql)
{
    const char *end = sql ? strrchr(sql, ')') : NULL;
    return end && str_find_fold(str_from(end), S("STRICT"), 0) >= 0;
}

// PRAGMA table_list knows it, but compiles every view of the database first,
// which takes seconds where views double one another. A table without a rowid
// is an index.
static bool has_rowid(asker *q, const schema_table *t)
{
    sqlite3_stmt *rows = ask(q, ASK_ROWID, t->name);
    bool has = !next(q, rows) || sqlite3_column_int(rows, 0) != 0;
    sqlite3_reset(rows);
    return has;
}

// What is in the list of tables, which is read once: it has no index.
static schema_table listed(asker *q, sqlite3_stmt *row, arena *a)
{
    schema_table t = {.name = column_text(row, 0, a)};
    const char *sql = (const char *)sqlite3_column_text(row, 1);
    str text = str_from(sql ? sql : "");
    t.is_virtual = str_starts_fold(text, S("CREATE VIRTUAL"));
    t.is_strict = !t.is_virtual && says_strict(sql);
    t.is_indexed = map_find(&q->indexed, t.name) >= 0;
    bool may_all = !sql || t.is_virtual;
    *vec_push(a, &q->mentions) = (mentions){
        .collations = may_all || str_find_fold(text, S("COLLATE"), 0) >= 0,
        .rowid = may_all || str_find_fold(text, S("WITHOUT"), 0) >= 0,
        .primary = may_all || str_find_fold(text, S("PRIMARY"), 0) >= 0,
        .uniques =
            may_all || t.is_indexed || str_find_fold(text, S("UNIQUE"), 0) >= 0,
        .keys = may_all || str_find_fold(text, S("REFERENCES"), 0) >= 0,
    };
    return t;
}

static schema_column *read_columns(asker *q,
                                   schema_table *t,
                                   const mentions *m,
                                   arena *a)
{
    column_list columns = {0};
    t->has_rowid = !m->rowid || has_rowid(q, t);
    sqlite3_stmt *rows = ask(q, ASK_COLUMNS, t->name);
    while (next(q, rows)) {
        schema_column c =
            schema_column_of(column_text(rows, 0, a), column_text(rows, 1, a));
        c.is_not_null = sqlite3_column_int(rows, 2) != 0;
        c.collation = m->collations ? collation_of(q->db, t->name, c.name)
                                    : COLLATION_BINARY;
        *vec_push(a, &columns) = c;
    }
    sqlite3_reset(rows);
    t->columns = columns.ptr;
    t->n_columns = columns.len;
    schema_index(t, a);
    return columns.ptr;
}

typedef vec_of(schema_collation) collation_list;

// The columns that the rows of a query name, with the collation of the index;
// nothing when one is an expression.
static void add_unique(asker *q,
                       const schema_table *t,
                       unique_list *uniques,
                       sqlite3_stmt *names,
                       bool is_primary,
                       arena *a)
{
    place_list places = {0};
    collation_list collations = {0};
    bool is_whole = true;
    while (next(q, names)) {
        int32_t c = place_of(t, names, 0);
        is_whole = is_whole && c >= 0;
        *vec_push(a, &places) = c;
        bool has_own = c >= 0 && sqlite3_column_type(names, 1) != SQLITE_NULL;
        *vec_push(a, &collations) =
            has_own  ? schema_collation_of(column_text(names, 1, a))
            : c >= 0 ? t->columns[c].collation
                     : COLLATION_BINARY;
    }
    sqlite3_reset(names);
    if (is_whole && places.len > 0) {
        *vec_push(a, uniques) =
            (schema_unique){places.ptr, places.len, is_primary, collations.ptr};
    }
}

static void read_uniques(asker *q, schema_table *t, const mentions *m, arena *a)
{
    unique_list uniques = {0};
    if (m->primary) {
        add_unique(q, t, &uniques, ask(q, ASK_PRIMARY, t->name), true, a);
    }
    // Not those with a condition.
    sqlite3_stmt *rows = m->uniques ? ask(q, ASK_UNIQUES, t->name) : NULL;
    while (next(q, rows)) {
        add_unique(q, t, &uniques, ask(q, ASK_UNIQUE, column_text(rows, 0, a)),
                   false, a);
    }
    sqlite3_reset(rows);
    t->uniques = uniques.ptr;
    t->n_uniques = uniques.len;
}

static void read_table(asker *q, schema_table *t, const mentions *m, arena *a)
{
    schema_column *columns = read_columns(q, t, m, a);
    read_uniques(q, t, m, a);
    const schema_unique *primary = schema_primary(t);
    if (primary && schema_is_rowid_key(t, primary)) {
        columns[primary->columns[0]].is_rowid = true;
    }
}

// The pairs of one foreign key.
static void add_draft(asker *q,
                      const schema_table *t,
                      key_draft draft,
                      int id,
                      draft_list *drafts,
                      arena *a)
{
    place_list columns = {0};
    str_list targets = {0};
    bool has_targets = true;
    sqlite3_stmt *rows = ask(q, ASK_KEY, t->name);
    if (rows) {
        sqlite3_bind_int(rows, 2, id);
    }
    while (next(q, rows)) {
        int32_t c = place_of(t, rows, 0);
        if (c >= 0) {
            *vec_push(a, &columns) = c;
            *vec_push(a, &targets) = column_text(rows, 1, a);
            has_targets =
                has_targets && sqlite3_column_type(rows, 1) != SQLITE_NULL;
        }
    }
    sqlite3_reset(rows);
    draft.columns = columns.ptr;
    draft.targets = has_targets ? targets.ptr : NULL;
    draft.n = columns.len;
    if (draft.n > 0) {
        *vec_push(a, drafts) = draft;
    }
}

static void read_drafts(asker *q,
                        const schema_table *t,
                        int32_t child,
                        draft_list *drafts,
                        arena *a)
{
    // The last one declared is number 0.
    sqlite3_stmt *rows = ask(q, ASK_KEYS, t->name);
    while (next(q, rows)) {
        key_draft draft = {.child = child, .parent = column_text(rows, 1, a)};
        add_draft(q, t, draft, sqlite3_column_int(rows, 0), drafts, a);
    }
    sqlite3_reset(rows);
}

schema pragma_schema(sqlite_database *db, arena *a)
{
    asker q = {.db = db, .indexed.ignores_case = true};
    table_list tables = {0};
    sqlite3_stmt *rows = ask(&q, ASK_INDEXED, S(""));
    while (next(&q, rows)) {
        map_add(&q.indexed, a, column_text(rows, 0, a));
    }
    sqlite3_reset(rows);
    rows = ask(&q, ASK_TABLES, S(""));
    while (next(&q, rows)) {
        *vec_push(a, &tables) = listed(&q, rows, a);
    }
    sqlite3_reset(rows);
    draft_list drafts = {0};
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        const mentions *m = &q.mentions.ptr[i];
        read_table(&q, &tables.ptr[i], m, a);
        if (m->keys) {
            read_drafts(&q, &tables.ptr[i], (int32_t)i, &drafts, a);
        }
    }
    for (int i = 0; i < QUESTIONS; i++) {
        sqlite3_finalize(q.asked[i]);
    }
    schema s = {.tables = tables.ptr, .n_tables = tables.len};
    schema_set_keys(&s, a, drafts.ptr, drafts.len);
    return s;
}
