/*
 * oracle_schema.c - schemas read from CREATE statements against what SQLite
 * itself says of the same tables, on all schemas and databases there are.
 *
 * Leaves with 77 when there is no data.
 */
#include "base/file.h"
#include "base/json.h"
#include "oracle/pragma_schema.h"
#include "schema/schema_ddl.h"
#include "schema/schema_spider.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SKIPPED = 77
};

typedef struct oracle {
    arena *a;
    arena scratch;
    str root;
    engine *e;
    ptrdiff_t n_databases;
    ptrdiff_t n_schemas;  // from statements
    ptrdiff_t n_tables;
    ptrdiff_t n_listed;  // of tables.json
    ptrdiff_t n_wrong;
} oracle;

static void wrong(oracle *o, str where, str what)
{
    o->n_wrong++;
    printf("%.*s: %.*s\n", STR_ARG(where), STR_ARG(what));
}

static bool has_unique(const schema_table *t, const schema_unique *u)
{
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        bool same = t->uniques[i].n == u->n;
        for (ptrdiff_t k = 0; same && k < u->n; k++) {
            same = t->uniques[i].columns[k] == u->columns[k];
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static bool same_uniques(const schema_table *a, const schema_table *b)
{
    for (ptrdiff_t i = 0; i < a->n_uniques; i++) {
        if (!has_unique(b, &a->uniques[i])) {
            return false;
        }
    }
    return !schema_primary(a) == !schema_primary(b);
}

static bool same_column(const schema_column *a, const schema_column *b)
{
    return str_equal(a->name, b->name) && a->affinity == b->affinity
           && a->kind == b->kind && a->collation == b->collation
           && a->is_not_null == b->is_not_null && a->is_rowid == b->is_rowid;
}

static bool same_table(const schema_table *a, const schema_table *b)
{
    bool same = str_equal(a->name, b->name) && a->n_columns == b->n_columns
                && a->has_rowid == b->has_rowid && a->is_strict == b->is_strict
                && same_uniques(a, b) && same_uniques(b, a);
    for (ptrdiff_t c = 0; same && c < a->n_columns; c++) {
        same = same_column(&a->columns[c], &b->columns[c]);
    }
    return same;
}

static bool same_key(const schema_key *a, const schema_key *b)
{
    bool same = a->child == b->child && a->parent == b->parent && a->n == b->n
                && a->is_sound == b->is_sound;
    for (ptrdiff_t i = 0; same && i < a->n; i++) {
        same = a->columns[i] == b->columns[i] && a->targets[i] == b->targets[i];
    }
    return same;
}

static ptrdiff_t count_views(const schema *s)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        n += s->tables[i].view != NULL;
    }
    return n;
}

// `read` against the pragmas of a database with the same tables.
static void compare(oracle *o, str where, const schema *read, const schema *own)
{
    if (read->n_tables - count_views(read) != own->n_tables) {
        wrong(o, where, S("another number of tables"));
        return;
    }
    for (ptrdiff_t i = 0; i < own->n_tables; i++) {
        o->n_tables++;
        int32_t at = schema_find_table(read, own->tables[i].name);
        if (at < 0 || !same_table(&read->tables[at], &own->tables[i])) {
            wrong(o, where, own->tables[i].name);
        }
    }
    bool same = read->n_keys == own->n_keys;
    for (ptrdiff_t i = 0; same && i < own->n_keys; i++) {
        same = same_key(&read->keys[i], &own->keys[i]);
    }
    if (!same) {
        wrong(o, where, S("other foreign keys"));
    }
}

// What SQLite makes of the statements.
static bool describe(oracle *o, schema *out, str ddl, str where)
{
    char *error = NULL;
    sqlite_database db = {.base = {.owner = o->e}};
    sqlite3_open(":memory:", &db.db);
    char *sql = arena_cstr(o->a, ddl);
    bool ok = sqlite3_exec(db.db, sql, NULL, NULL, &error) == SQLITE_OK;
    if (ok) {
        *out = pragma_schema(&db, o->a);
    } else {
        wrong(o, where, str_from(error));
    }
    sqlite3_free(error);
    sqlite3_close(db.db);
    return ok;
}

static str to_ddl(oracle *o, const schema *s, bool keeps_keys)
{
    buf out = buf_new(o->a);
    schema_to_ddl(&out, s, keeps_keys, o->scratch);
    return buf_str(&out);
}

// SQLite takes both forms of a schema, and reads the first one as we do.
static void check_written(oracle *o, str where, const schema *s)
{
    schema own;
    schema again;
    diag d = diag_new(o->a);
    str ddl = to_ddl(o, s, true);
    describe(o, &own, to_ddl(o, s, false), where);
    if (describe(o, &own, ddl, where)) {
        schema_from_ddl(&again, o->a, where, ddl, DIALECT_SQLITE,
                        DIALECT_SQLITE, &d, o->scratch);
        compare(o, where, &again, &own);
    }
}

static void check_text(oracle *o, str where, str sql, dialect from)
{
    schema s;
    schema own;
    diag d = diag_new(o->a);
    o->n_schemas++;
    if (!schema_from_ddl(&s, o->a, where, sql, from, DIALECT_SQLITE, &d,
                         o->scratch)) {
        wrong(o, where, d.messages.ptr[0].text);
    }
    if (from == DIALECT_SQLITE && describe(o, &own, sql, where)) {
        compare(o, where, &s, &own);
    }
    check_written(o, where, &s);
}

static void check_file(oracle *o, str path, dialect from)
{
    file_map f;
    diag d = diag_new(o->a);
    if (file_open(&f, o->a, path, &d)) {
        check_text(o, path, f.bytes, from);
    }
}

static void check_database(oracle *o, str path)
{
    diag d = diag_new(o->a);
    database *db = engine_database(o->e, path, &d, o->scratch);
    if (!db) {
        return;
    }
    o->n_databases++;
    const schema *s = engine_schema(db);
    sqlite_database *own_db = (sqlite_database *)db;
    sqlite3_set_authorizer(own_db->db, NULL, NULL);
    schema own = pragma_schema(own_db, o->a);
    sqlite_guard(own_db);
    compare(o, path, s, &own);
    check_written(o, path, s);
}

// All files below a folder, at most three deep.
static void walk(oracle *o, str folder, int depth)
{
    char *name = arena_cstr(o->a, folder);
    DIR *d = opendir(name);
    if (!d) {
        return;
    }
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        str path = arena_printf(o->a, "%.*s/%s", STR_ARG(folder), e->d_name);
        if (e->d_name[0] == '.') {
            continue;
        }
        if (str_ends(path, S(".sqlite"))) {
            check_database(o, path);
        } else if (str_ends(path, S("calcite232.sql"))) {
            check_file(o, path, DIALECT_MYSQL);
        } else if (str_ends(path, S(".sql"))) {
            bool pg = str_find(path, S("/defog/"), 0) >= 0;
            check_file(o, path, pg ? DIALECT_POSTGRES : DIALECT_SQLITE);
        } else if (depth > 0) {
            walk(o, path, depth - 1);
        }
    }
    closedir(d);
}

static str read_file(oracle *o, const char *name)
{
    file_map f = {0};
    diag d = diag_new(o->a);
    str path = arena_printf(o->a, "%.*s/%s", STR_ARG(o->root), name);
    return file_open(&f, o->a, path, &d) ? f.bytes : (str){0};
}

// Pairs that bring their tables with them.
static void check_pairs(oracle *o, const char *name)
{
    str text = read_file(o, name);
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        arena memory = o->scratch;
        memory.next += (memory.end - memory.next) / 2;
        const json *pair = json_parse(&memory, line, NULL);
        str ddl = pair ? json_get_text(pair, S("ddl")) : (str){0};
        if (ddl.len > 0) {
            check_text(o, json_get_text(pair, S("id")), arena_str(o->a, ddl),
                       DIALECT_SQLITE);
        }
    }
}

static void check_listed(oracle *o)
{
    schema_list list;
    diag d = diag_new(o->a);
    str text = read_file(o, "spider/tables.json");
    if (!schema_list_read(&list, o->a, S("tables.json"), text, &d,
                          o->scratch)) {
        return;
    }
    for (ptrdiff_t i = 0; i < list.schemas.len; i++) {
        o->n_listed++;
        check_written(o, map_key_at(&list.names, i), &list.schemas.ptr[i]);
    }
}

int main(void)
{
    arena_store store;
    arena_store scratch;
    if (!arena_store_open(&store, (ptrdiff_t)8 << 30)
        || !arena_store_open(&scratch, (ptrdiff_t)1 << 30)) {
        return 1;
    }
    arena a = arena_store_clear(&store);
    oracle o = {.a = &a, .scratch = arena_store_clear(&scratch)};
    const char *data = getenv("ASSAY_DATA");
    o.root = str_from(data ? data : "../shared/data");
    diag d = diag_new(&a);
    engine_options options = {.limits = {.timeout_ms = 10000,
                                         .max_rows = 1000,
                                         .max_bytes = 1 << 20}};
    o.e = engine_open(&options, &d);
    static const char *const folders[] = {"equivalence/schemas",
                                          "defog/schemas", "defog/database",
                                          "spider/database"};
    for (ptrdiff_t i = 0; o.e && i < countof(folders); i++) {
        walk(&o, arena_printf(&a, "%.*s/%s", STR_ARG(o.root), folders[i]), 2);
    }
    check_pairs(&o, "equivalence/literature64.jsonl");
    check_listed(&o);
    engine_close(o.e);
    if (o.n_schemas == 0) {
        puts("skipped: no data (ASSAY_DATA)");
        return SKIPPED;
    }
    printf("%td databases, %td scripts, %td listed schemas, %td tables: "
           "%td wrong\n",
           o.n_databases, o.n_schemas, o.n_listed, o.n_tables, o.n_wrong);
    return o.n_wrong == 0 ? 0 : 1;
}
