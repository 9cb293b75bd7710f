/*
 * check_pairs.c - records one by one, schemas once.
 *
 * Method      A schema is known by where it comes from (a file, a database, the
 *             text of its DDL); pairs with the same one share it. What is wrong
 *             with a schema is kept with it and becomes the verdict of its
 *             pairs. A record that is no JSON ends the reading, with its place.
 *
 * Cost        Linear in the file; each schema is read once.
 */
#include "job/check_pairs.h"

#include "base/apart.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/engine.h"
#include "engine/source_duckdb.h"
#include "engine/url.h"
#include "read/object_file.h"
#include "schema/schema_ddl.h"

// The place of a schema by where it comes from; *is_new: to be filled in.
static int32_t place_of(check_pairs *p,
                        arena *a,
                        const char *kind,
                        str speech,
                        str text,
                        bool *is_new,
                        arena scratch)
{
    str key = arena_printf(&scratch, "%s:%.*s:%.*s", kind, STR_ARG(speech),
                           STR_ARG(text));
    ptrdiff_t before = map_count(&p->keys);
    ptrdiff_t id = map_add(&p->keys, a, key);
    *is_new = id == before;
    if (*is_new) {
        vec_push(a, &p->schemas);
    }
    return (int32_t)id;
}

str check_message(const diag *d, arena *a)
{
    return d->messages.len > 0 ? diag_format(a, d->messages.ptr[0])
                               : S("it cannot be used");
}

dialect check_dialect_of(str db)
{
    return engine_driver_dialect(engine_driver_of(db));
}

bool check_is_server(str db)
{
    const engine_driver *driver = engine_driver_of(db);
    return driver && engine_driver_is_server(driver)
           && engine_driver_dialect(driver) == DIALECT_POSTGRES;
}

bool check_is_duckdb(str db)
{
    return check_dialect_of(db) == DIALECT_DUCKDB;
}

static bool check_is_typed(str db)
{
    return check_is_server(db) || check_is_duckdb(db);
}

// DuckDB runs the queries of its own tables, in memory.
static const str in_duckdb = S_INIT("duckdb:");

static void read_ddl(check_schema *out,
                     arena *a,
                     str file,
                     str ddl,
                     dialect d,
                     arena scratch)
{
    diag messages = diag_new(a);
    schema *s = arena_new(a, schema, 1);
    dialect home = d == DIALECT_DUCKDB ? d : DIALECT_SQLITE;
    if (schema_from_given(s, a, file, arena_str(a, ddl), d, home, &messages,
                          scratch)) {
        out->schema = s;
        out->url = d == DIALECT_DUCKDB ? in_duckdb : (str){0};
    } else {
        out->problem = check_message(&messages, a);
    }
}

static int32_t check_schema_ddl(check_pairs *p,
                                arena *a,
                                str ddl,
                                dialect d,
                                arena scratch)
{
    bool is_new = false;
    int32_t place =
        place_of(p, a, "ddl", dialect_word(d), ddl, &is_new, scratch);
    if (is_new) {
        read_ddl(&p->schemas.ptr[place], a, S("ddl"), ddl, d, scratch);
    }
    return place;
}

int32_t check_schema_file(check_pairs *p,
                          arena *a,
                          str path,
                          dialect d,
                          arena scratch)
{
    bool is_new = false;
    int32_t place =
        place_of(p, a, "file", dialect_word(d), path, &is_new, scratch);
    diag messages = diag_new(a);
    file_map file = {0};
    check_schema *out = &p->schemas.ptr[place];
    if (is_new && file_open(&file, &scratch, path, &messages)) {
        read_ddl(out, a, arena_str(a, path), file.bytes, d, scratch);
    } else if (is_new) {
        out->problem = check_message(&messages, a);
    }
    file_close(&file);
    return place;
}

int32_t check_schema_database(check_pairs *p, arena *a, str path, arena scratch)
{
    bool is_new = false;
    int32_t place = place_of(p, a, "db", (str){0}, path, &is_new, scratch);
    if (is_new) {
        p->schemas.ptr[place] = (check_schema){
            .problem = check_refusal(a, path),
            .database = arena_str(a, path),
            .url = check_is_typed(path) ? arena_str(a, path) : (str){0},
        };
    }
    return place;
}

void check_schema_on_server(check_pairs *p, arena *a, int32_t place, str url)
{
    check_schema *s = &p->schemas.ptr[place];
    if (s->schema) {
        schema *kept = arena_new(a, schema, 1);
        *kept = *s->schema;
        kept->dialect = check_dialect_of(url);
        s->schema = kept;
        s->url = arena_str(a, url);
    }
}

str check_source(arena *a, str db, arena scratch)
{
    db = url_own(a, db);
    str found = engine_driver_of(db) == engine_driver_named(S("sqlite"))
                    ? source_as_duckdb(a, db, false, scratch)
                    : (str){0};
    return found.len > 0 ? found : db;
}

str check_refusal(arena *a, str db)
{
    const engine_driver *driver = engine_driver_of(db);
    bool is_other = driver && driver != engine_driver_named(S("sqlite"))
                    && !check_is_typed(db);
    return is_other ? arena_printf(a,
                                   "check needs a SQLite, DuckDB or PostgreSQL "
                                   "database; '%.*s' is none of these",
                                   STR_ARG(db))
                    : (str){0};
}

// Of the file of pairs at `path`; "" is the current one.
static str folder_of(str path)
{
    return str_find(path, S("/"), 0) < 0 ? (str){0} : path_folder(path);
}

// The file that the file of pairs at `path` names; with --any-path also one
// that is somewhere else. Empty, and what is wrong in *problem.
static str beside(const check_pairs *p,
                  str path,
                  str name,
                  str *problem,
                  arena *a)
{
    str folder = folder_of(path);
    diag d = diag_new(a);
    str found = {0};
    if (p->takes_any_path) {
        str near = file_in_folder(a, folder, name);
        return file_exists(near.ptr) ? near : name;
    }
    if (!file_below(&found, a, folder, name, &d)) {
        *problem = check_message(&d, a);
    }
    return found;
}

// The schema in the file that the file of pairs at `path` names. It may lie
// anywhere: only its tables become known. What is wrong with a file outside the
// folder could quote it, so without --any-path that is not said.
static int32_t schema_beside(check_pairs *p,
                             arena *a,
                             str path,
                             str name,
                             dialect d,
                             str *problem,
                             arena scratch)
{
    str near = beside(p, path, name, problem, a);
    str far = near.len > 0 ? near : file_in_folder(a, folder_of(path), name);
    if (file_exists(far.ptr) && !file_is_regular(far.ptr)) {
        *problem = arena_printf(a, "%.*s: not a regular file", STR_ARG(name));
        return -1;
    }
    if (near.len > 0) {
        return check_schema_file(p, a, near, d, scratch);
    }
    if (!file_exists(far.ptr)) {
        return -1;
    }
    int32_t place = check_schema_file(p, a, far, d, scratch);
    bool is_read = p->schemas.ptr[place].problem.len == 0;
    *problem = is_read ? (str){0}
                       : arena_printf(a,
                                      "%.*s: cannot be read as CREATE "
                                      "statements (--any-path shows why)",
                                      STR_ARG(name));
    return place;
}

// The same of a database; duckdb:FILE names one, too.
static str beside_as_source(const check_pairs *p,
                            str path,
                            str name,
                            str *problem,
                            arena *a,
                            arena scratch)
{
    bool says_it = check_is_duckdb(name);
    str file = says_it ? str_skip(name, in_duckdb.len) : name;
    str near = beside(p, path, file, problem, a);
    return says_it && near.len > 0
               ? arena_printf(a, "%.*s%.*s", STR_ARG(in_duckdb), STR_ARG(near))
               : check_source(a, near, scratch);
}

static str text_of(const json *record, const char *names)
{
    str rest = str_from(names);
    while (rest.len > 0) {
        const json *m = json_get(record, str_cut(&rest, ' '));
        if (m && m->kind == JSON_KIND_STRING) {
            return m->text;
        }
    }
    return (str){0};
}

// Some data sets call standard SQL just that.
static dialect dialect_of(str word, dialect fallback, bool *ok)
{
    bool is_any = str_equal_fold(word, S("sql"));
    dialect d = is_any ? DIALECT_POSTGRES : fallback;
    *ok = word.len == 0 || is_any || dialect_from_word(word, &d);
    return d;
}

static void add_item(check_pairs *p,
                     arena *a,
                     str path,
                     const json *record,
                     int32_t place,
                     dialect fallback,
                     arena scratch)
{
    bool knows = true;
    str problem = {0};
    str word = json_get_text(record, S("dialect"));
    check_item item = {.schema = place, .position = p->items.len};
    item.dialect = dialect_of(word, fallback, &knows);
    if (!json_scalar_text(a, json_get(record, S("id")), &item.id)) {
        item.id = arena_printf(a, "%td", p->items.len);
    }
    item.id = arena_str(a, item.id);
    item.left = arena_str(a, text_of(record, pair_lefts));
    item.right = arena_str(a, text_of(record, pair_rights));
    if (json_scalar_text(a, json_get(record, S("label")), &item.label)) {
        item.label = arena_str(a, item.label);
    }
    str ddl = json_get_text(record, S("ddl"));
    str file = json_get_text(record, S("schema"));
    str db = json_get_text(record, S("db"));
    if (ddl.len > 0) {
        item.schema = check_schema_ddl(p, a, ddl, item.dialect, scratch);
    } else if (file.len > 0) {
        item.schema =
            schema_beside(p, a, path, file, item.dialect, &problem, scratch);
    } else if (db.len > 0 && place < 0) {
        bool is_url = check_is_server(db) || check_refusal(a, db).len > 0;
        str near =
            is_url ? db : beside_as_source(p, path, db, &problem, a, scratch);
        item.schema =
            near.len > 0 ? check_schema_database(p, a, near, scratch) : -1;
    }
    if (word.len == 0 && item.schema >= 0
        && p->schemas.ptr[item.schema].url.len > 0) {
        item.dialect = check_dialect_of(p->schemas.ptr[item.schema].url);
    }
    item.problem = !knows            ? S("unknown dialect")
                   : problem.len > 0 ? problem
                   : item.schema < 0 ? S("no schema: give schema, ddl or db")
                                     : p->schemas.ptr[item.schema].problem;
    *vec_push(a, &p->items) = item;
}

bool check_pairs_parse(check_pairs *p,
                       arena *a,
                       str path,
                       str text,
                       int32_t place,
                       dialect d,
                       diag *messages,
                       arena scratch)
{
    str rest = text;
    while (str_trim(rest).len > 0) {
        arena record_arena = scratch;
        json_error error;
        ptrdiff_t used = 0;
        json *record = json_parse_prefix(&record_arena, rest, &used, &error);
        bool is_list = record && record->kind == JSON_KIND_ARRAY;
        const json *m = is_list ? record->child : record;
        for (; m && m->kind == JSON_KIND_OBJECT; m = is_list ? m->next : NULL) {
            add_item(p, a, path, m, place, d, record_arena);
        }
        if (m || !record) {
            ptrdiff_t at = rest.ptr - text.ptr;
            return diag_add(
                messages,
                diag_locate(path, text, at + (record ? 0 : error.offset)),
                "expected a pair as a JSON object: %s",
                record ? "found another value" : error.message);
        }
        rest = str_skip(rest, used);
    }
    return true;
}

bool check_pairs_read(check_pairs *p,
                      arena *a,
                      str path,
                      int32_t place,
                      dialect d,
                      diag *messages,
                      arena scratch)
{
    file_map file;
    if (!file_open(&file, &scratch, path, messages)) {
        return false;
    }
    str text = {0};
    bool ok = object_file_text(&text, a, file.bytes, path, p->encoding,
                               &pair_table, messages, scratch);
    ok = ok && check_pairs_parse(p, a, path, text, place, d, messages, scratch);
    file_close(&file);
    return ok;
}

void check_pairs_take_shard(check_pairs *p, shard s)
{
    ptrdiff_t n = p->items.len;
    p->items.len = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (shard_has(s, p->items.ptr[i].id, (str){0})) {
            p->items.ptr[p->items.len++] = p->items.ptr[i];
        }
    }
}
