/*
 * postgres_script.c - scripts of PostgreSQL: each on a database of its own.
 *
 * Method      --setup makes of each dump a second database, to which nobody
 *             connects (script_make_model); a script's own is copied from that,
 *             opened as any other but for writing, and dropped. So no lock and
 *             no row of one script is another's, and nothing that people made
 *             is ever written to. Each statement passes the guard of queries
 *             but for its verb. A login that may do anything is refused.
 *
 *             Nothing tells which tables were written to. It is one that the
 *             script names, or that a key writes to; where there are triggers,
 *             rules or tables that inherit, it may be any.
 *
 * Invariant   Only a database whose name this file made is dropped here. What a
 *             worker leaves that was killed has the name of the database that
 *             its run made before its own, and is dropped with that.
 */
#include "base/clock.h"
#include "engine/engine_postgres.h"
#include "engine/url.h"
#include "sql/function.h"

#include <string.h>
#include <unistd.h>

// For the statements that make and drop databases.
static const ptrdiff_t SCRATCH_BYTES = (ptrdiff_t)64 << 10;

// clang-format off
#define NAMED(name) \
    "CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || " name
#define IS_THEIRS \
    " AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
#define RELATIONS \
    " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n" \
    " ON n.oid = c.relnamespace" IS_THEIRS
#define OR(kind, name) " UNION ALL SELECT '" kind "', " NAMED(name)

// Of a table the last column says: 1 keys of it refer to others, 2 and are
// written to with those.
static const char objects_sql[] =
    "SELECT 'table', " NAMED("c.relname") ", '', 'CREATE TABLE ' ||"
    " quote_ident(c.relname) || ' (' || (SELECT string_agg("
    " quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)"
    " || coalesce((SELECT ' COLLATE ' || quote_ident(collname) FROM"
    " pg_catalog.pg_collation k WHERE k.oid = attcollation"
    " AND collname <> 'default'), '')"
    " || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END"
    " || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')"
    " || CASE WHEN attidentity <> '' THEN ' IDENTITY ' || attidentity::text"
    " ELSE '' END || CASE WHEN attgenerated <> '' THEN ' STORED' ELSE '' END,"
    " ', ' ORDER BY attnum) FROM pg_catalog.pg_attribute LEFT JOIN"
    " pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum"
    " WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) || ')'"
    " || CASE c.relpersistence WHEN 'u' THEN ' UNLOGGED' ELSE '' END"
    " || CASE WHEN c.relrowsecurity THEN ' ROW SECURITY' ELSE '' END"
    " || coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), ''),"
    " (SELECT max(CASE WHEN confdeltype IN ('a', 'r') AND"
    " confupdtype IN ('a', 'r') THEN '1' ELSE '2' END) FROM"
    " pg_catalog.pg_constraint WHERE conrelid = c.oid AND contype = 'f')"
    RELATIONS " WHERE c.relkind IN ('r', 'p')"
    OR("view", "c.relname") ", '', concat_ws(' ', CASE c.relkind WHEN 'm' THEN"
    " 'MATERIALIZED' END, array_to_string(c.reloptions, ' '), 'CREATE VIEW x"
    " AS ') || pg_get_viewdef(c.oid), ''" RELATIONS
    " WHERE c.relkind IN ('v', 'm')"
    OR("index", "c.relname") ", indrelid::text, pg_get_indexdef(indexrelid),"
    " ''" RELATIONS " JOIN pg_catalog.pg_index ON indexrelid = c.oid"
    " WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint"
    " WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))"
    OR("constraint", "c.relname") " || ' ' || pg_get_constraintdef(k.oid),"
    " c.relname, '', ''" RELATIONS " JOIN pg_catalog.pg_constraint k"
    " ON conrelid = c.oid AND contype IN ('p', 'u', 'x', 'f', 'c')";
static const char other_objects_sql[] =
    OR("sequence", "c.relname") ", '', concat_ws(' ', format_type(seqtypid,"
    " NULL), seqstart, seqincrement, seqmin, seqmax, seqcycle, (SELECT"
    " 'OWNED BY ' || refobjid::regclass || ' ' || refobjsubid FROM"
    " pg_catalog.pg_depend WHERE objid = c.oid AND deptype = 'a' AND"
    " classid = 'pg_catalog.pg_class'::regclass)), ''" RELATIONS
    " JOIN pg_catalog.pg_sequence ON seqrelid = c.oid"
    OR("trigger", "c.relname") " || ' ' || tgname, c.relname,"
    " pg_get_triggerdef(g.oid), ''" RELATIONS " JOIN pg_catalog.pg_trigger g"
    " ON tgrelid = c.oid AND NOT tgisinternal"
    OR("type", "t.typname") ", '', coalesce("
    "(SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder)"
    " FROM pg_catalog.pg_enum WHERE enumtypid = t.oid),"
    " (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod),"
    " ', ' ORDER BY attnum) FROM pg_catalog.pg_attribute WHERE"
    " attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped),"
    " format_type(t.typbasetype, t.typtypmod)), '' FROM pg_catalog.pg_type t"
    " JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace" IS_THEIRS
    " LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid"
    " WHERE t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c'"
    " UNION ALL SELECT 'schema', n.nspname, '', '', '' FROM"
    " pg_catalog.pg_namespace n WHERE true" IS_THEIRS " ORDER BY 1, 2, 4";
// clang-format on

static const char reaches_far_sql[] =
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_trigger WHERE NOT"
    " tgisinternal) OR EXISTS (SELECT FROM pg_catalog.pg_rewrite WHERE ev_class"
    " >= 16384) OR EXISTS (SELECT FROM pg_catalog.pg_inherits)";

// The database of one script.
typedef struct postgres_copy {
    postgres_database db;
    str source;  // the URL of what it is a copy of
    str name;
    bool reaches_far;  // what is written may be in any table
} postgres_copy;

static bool reaches_far(database *base, arena *a)
{
    return !str_equal(engine_ask_text(base, reaches_far_sql, a), S("f"));
}

// Does a name in the script, or in the definition of a table that it may have
// written to, tell the time?
static bool tells_time(const map *names)
{
    bool tells = false;
    for (ptrdiff_t i = 0; function_at(i) && !tells; i++) {
        const sql_function *f = function_at(i);
        tells =
            f->clock && strchr(f->clock, 'P') && map_find(names, f->name) >= 0;
    }
    return tells;
}

// Of a table, whether its keys write comes in the cell that says whether it may
// have been written to.
static bool look(database *base,
                 const script *s,
                 script_outcome *out,
                 catalogue_rows *rows,
                 arena *a)
{
    // A temporary table hides one of the same name.
    engine_tell(base, S("ROLLBACK"), *a);
    engine_tell(base, S("DISCARD TEMP"), *a);
    str ask = arena_printf(a, "%s%s", objects_sql, other_objects_sql);
    str ignored;
    bool ok = postgres_rows(base, ask, rows, a, &ignored);
    map named = {.ignores_case = true};
    script_names(&named, s, DIALECT_POSTGRES, a);
    map clocks = {.ignores_case = true};
    bool cascades = map_find(&named, S("cascade")) >= 0;
    // A schema that takes another one's name takes its tables' names, too.
    bool may_be_any = ((postgres_copy *)base)->reaches_far
                      || reaches_far(base, a)
                      || map_find(&named, S("schema")) >= 0;
    for (ptrdiff_t i = 0; i < rows->len; i += CATALOGUE_MOST_COLUMNS) {
        str *of = &rows->ptr[i];
        str *keys = &of[SCRIPT_IS_WRITTEN];
        bool is_written = str_equal(of[0], S("table"))
                          && (may_be_any || str_equal(*keys, S("2"))
                              || (str_equal(*keys, S("1")) && cascades)
                              || script_has_name(&named, of[1]));
        *keys = is_written ? S("1") : (str){0};
        if (is_written) {
            script_names(&clocks, &(script){.texts = &of[3], .n = 1},
                         DIALECT_POSTGRES, a);
        }
    }
    out->tells_time = tells_time(&named) || tells_time(&clocks);
    return ok;
}

static void close_copy(database *base, arena scratch)
{
    const postgres_copy *copy = (postgres_copy *)base;
    postgres_close(base);
    engine_drop_database(base->owner, copy->source, copy->name, scratch);
}

// A database of that name, open for writing; false with the reason.
static bool open_to_write(postgres_copy *copy, str model, diag *d, arena *a)
{
    database *base = &copy->db.base;
    const engine_options *o = &base->owner->options;
    engine_dump dump = {.name = copy->name,
                        .model = arena_printf(a, "%.*s.model", STR_ARG(model))};
    arena scratch = arena_cut(a, SCRATCH_BYTES);
    if (!engine_make_database(base->owner, copy->source, &dump, &base->path, a,
                              d, scratch)) {
        return false;
    }
    base->path = str_from(arena_cstr(a, base->path));
    if (!postgres_open(base, d, scratch)) {
        close_copy(base, scratch);
        return false;
    }
    engine_tell(base,
                arena_printf(&scratch,
                             "SET default_transaction_read_only=off;"
                             "SELECT pg_catalog.setseed(%.3f)",
                             (double)(o->seed % 1000) / 1000),
                scratch);
    copy->reaches_far = reaches_far(base, a);
    return true;
}

static database *open_copy(database *base, execution *x, arena *a)
{
    const postgres_database *from = (const postgres_database *)base;
    diag *why = engine_side_diag(a);
    url_parts parts = {0};
    url_parse(&parts, a, base->path, why);
    postgres_copy *copy = arena_new(a, postgres_copy, 1);
    *copy = (postgres_copy){
        .db = {.base.owner = base->owner,
               .knows_own = from->knows_own,
               .own = from->own},
        .source = base->path,
        .name = arena_printf(a, "%.*s.%d", STR_ARG(parts.database), getpid()),
    };
    str words = {0};
    if (!str_starts(parts.database, S("assay_scratch_"))) {
        words = S("on PostgreSQL scripts need --setup DUMPS, so that "
                  "each gets its own database");
    } else if (from->is_superuser) {
        words = S("the login is a superuser, whom nothing can restrict; "
                  "scripts need one that may only create databases (CREATEDB)");
    } else if (!open_to_write(copy, parts.database, why, a)) {
        words = arena_printf(a, "the database cannot be copied: %.*s",
                             STR_ARG(diag_first(why)));
    }
    return words.len == 0 || engine_fails(x, REASON_NO_REFERENCE, words)
               ? &copy->db.base
               : NULL;
}

const script_driver script_postgres = {
    .open = open_copy,
    .close = close_copy,
    .now = clock_ns,
    .run = postgres_run_statement,
    .look = look,
    .home = S_INIT("public."),
};
