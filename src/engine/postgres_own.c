/*
 * postgres_own.c - what was made in a database and not by the system, and
 * whether a query reaches it.
 *
 * Why         The guard lets names pass. Which function a name is PostgreSQL
 *             decides by the types of the arguments: round(x, 1) may be the
 *             system's or the owner's. An operator is a function, too, and so
 *             is a cast, which no word of the query need show.
 *
 * Method      When a session begins it learns by which names and signs a query
 *             might reach what is the owner's, and whether it might without
 *             any. A query that might is shown to the server, which reads it
 *             and returns its tree (debug_print_parse) with the numbers of all
 *             functions and operators; nothing is run. What has numbers of
 *             users' is looked up in the catalogue. The tree is that of the
 *             query itself: views are still names in it.
 *
 *             The system's own have numbers below 16384 or lie in pg_catalog.
 *             What an extension brings was installed by the server's owner:
 *             in C, or made by a superuser. Whoever owns the extension could
 *             put functions of their own into it, but not such ones.
 *
 * Cost        Nothing for a query that cannot reach any; else two round trips,
 *             three when it does reach a user's.
 */
#include "base/trust.h"
#include "engine/engine_postgres.h"
#include "sql/name.h"

#include <string.h>

// Is p, a function, or o, an operator, no part of an extension?
#define NOT_BROUGHT(class, oid, owner)                                         \
    " NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend e, pg_catalog.pg_roles"   \
    " r WHERE e.classid = 'pg_catalog." class "'::pg_catalog.regclass"         \
                                              " AND e.objid = " oid            \
                                              " AND e.deptype = 'e' AND "      \
                                              "r.oid = " owner                 \
                                              " AND (r.rolsuper OR (p.oid >= " \
                                              "16384 AND p.prolang IN (12, "   \
                                              "13))))"
#define NOT_SYSTEM(oid, namespace)                                          \
    " (" oid " >= 16384 AND " namespace " <> (SELECT s.oid FROM"            \
                                        " pg_catalog.pg_namespace s WHERE " \
                                        "s.nspname = 'pg_catalog'))"
#define OWN_FUNCTION                      \
    NOT_SYSTEM("p.oid", "p.pronamespace") \
    " AND" NOT_BROUGHT("pg_proc", "p.oid", "p.proowner")
#define OWN_OPERATOR                      \
    NOT_SYSTEM("o.oid", "o.oprnamespace") \
    " AND" NOT_BROUGHT("pg_operator", "o.oid", "o.oprowner")
#define OPERATORS                                                          \
    " FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = " \
    "o.oprcode"

// Operators that words stand for, and those of ORDER BY and GROUP BY.
#define OF_WORDS \
    "'=', '<>', '<', '>', '<=', '>=', '~~', '!~~', '~~*', '!~~*', '~', '!~'"

// The names that a query of our own returns. None where a server has not all of
// PostgreSQL's catalogue; one that was stopped has not been answered.
static map ask_names(postgres_database *db, str sql)
{
    arena *a = &db->base.owner->a;
    map names = {0};
    catalogue_rows rows = {0};
    postgres_fault fault;
    postgres_do(db, sql, INT64_MAX, &rows, a, &fault);
    db->knows_own &= !str_starts(fault.state, S("57"));
    for (ptrdiff_t i = 0; i < rows.len; i += CATALOGUE_MOST_COLUMNS) {
        guard_add_name(&names, a, rows.ptr[i], DIALECT_POSTGRES);
    }
    return names;
}

// Is a name like one of the words of a list?
#define IS_AMONG(name)                                                     \
    " EXISTS (SELECT 1 FROM pg_catalog.unnest(pg_catalog.string_to_array(" \
    "'%s', ' ')) w WHERE " name " LIKE pg_catalog.replace("                \
    "pg_catalog.replace(w, '_', '\\_'), '*', '%%'))"

// Does a text hold one of these words?
#define HOLDS(text)                                                        \
    " EXISTS (SELECT 1 FROM pg_catalog.unnest(pg_catalog.string_to_array(" \
    "'%s', ' ')) w WHERE " text " ~* ('\\m' || pg_catalog.replace(w, '*'," \
    " '\\w*') || '\\M'))"
#define BODY                                                    \
    "CASE WHEN p.oid >= 16384 AND NOT EXISTS (SELECT 1 FROM"    \
    " pg_catalog.pg_aggregate g WHERE g.aggfnoid = p.oid) THEN" \
    " pg_catalog.pg_get_functiondef(p.oid) END"

// Views that call what a query may not, what names it, or a function of C by
// which an extension shows what it keeps in memory; that read tables which a
// query may not name, or other such views. Their rules hold their numbers.
static void learn_telling(postgres_database *db, arena scratch)
{
    str sql = arena_printf(
        &scratch,
        "WITH RECURSIVE rules(view, kind, num) AS (SELECT DISTINCT r.ev_class,"
        " m[1], m[2]::pg_catalog.oid FROM pg_catalog.pg_rewrite r,"
        " pg_catalog.regexp_matches(r.ev_action::text,"
        " ':(relid|funcid) ([1-9][0-9]*)', 'g') m WHERE r.ev_class >= 16384"
        " AND m[2]::pg_catalog.oid <> r.ev_class),"
        " telling(num) AS (SELECT view FROM rules JOIN pg_catalog.pg_class c"
        " ON kind = 'relid' AND num = c.oid AND c.relnamespace = 11"
        " AND" IS_AMONG(
            "c.relname::text") " UNION SELECT view FROM rules JOIN "
                               "pg_catalog.pg_proc p"
                               " ON kind = 'funcid' AND num = p.oid AND "
                               "(" IS_AMONG("p.proname::text") " OR" HOLDS(
                                   BODY) " OR (p.oid >= 16384 AND p.prolang = "
                                         "13 AND p.provolatile = 'v'"
                                         " AND p.proretset))"
                                         " UNION SELECT r.view FROM rules r "
                                         "JOIN telling t ON r.kind = 'relid'"
                                         " AND r.num = t.num) SELECT c.relname "
                                         "FROM telling t JOIN"
                                         " pg_catalog.pg_class c ON c.oid = "
                                         "t.num",
        guard_postgres.secrets, guard_postgres.refused, guard_postgres.secrets);
    db->own.telling = ask_names(db, sql);
}

// The system's functions of that name, those of extensions among them: does one
// write, or is there none but the owner's? Labels are believed of these only.
static guard_said ask(void *context,
                      str home,
                      str name,
                      bool is_quoted,
                      arena scratch)
{
    buf texts[2] = {buf_new(&scratch), buf_new(&scratch)};
    name_add_between(&texts[0], is_quoted ? name : arena_lower(&scratch, name),
                     '\'', '\'');
    name_add_between(&texts[1], arena_lower(&scratch, home), '\'', '\'');
    str names[] = {buf_str(&texts[0]), buf_str(&texts[1])};
    str sql = name_statement(
        &scratch,
        "SELECT pg_catalog.bool_or(writes AND NOT own) OR CASE WHEN #1 = '' "
        "THEN"
        " pg_catalog.bool_and(own) ELSE pg_catalog.bool_or(own) END"
        " FROM (SELECT p.provolatile = 'v' AS writes, (" OWN_FUNCTION
        ") AS own, p.proname AS name, p.pronamespace AS space"
        " FROM pg_catalog.pg_proc p UNION ALL"
        " SELECT p.provolatile = 'v', (" OWN_OPERATOR
        "), o.oprname, o.oprnamespace" OPERATORS ") f WHERE name = #0"
        " AND (#1 = '' OR space = (SELECT n.oid FROM pg_catalog.pg_namespace n"
        " WHERE n.nspname = #1))",
        names, DIALECT_POSTGRES);
    str writes = engine_ask_text(context, sql.ptr, &scratch);
    return writes.len == 0             ? GUARD_SAYS_NOTHING
           : str_equal(writes, S("t")) ? GUARD_SAYS_MORE
                                       : GUARD_SAYS_COMPUTES;
}

bool postgres_learn_own(postgres_database *db, arena scratch)
{
    db->knows_own = true;
    db->own.ask = ask;
    db->own.context = db;
    // By which x.f might be f(x): those that are volatile, and all that others
    // made, unless a column has that name.
    db->own.attributes = ask_names(
        db, S("SELECT DISTINCT pg_catalog.lower(p.proname::text) COLLATE \"C\""
              " FROM pg_catalog.pg_proc p WHERE p.pronargs >= 1"
              " AND p.pronargs - p.pronargdefaults <= 1"
              " AND (p.provolatile = 'v' OR p.pronamespace <> 11)"
              " AND (p.pronamespace = 11 OR NOT EXISTS (SELECT 1 FROM"
              " pg_catalog.pg_attribute a WHERE a.attname = p.proname"
              " AND a.attnum > 0 AND a.attrelid >= 16384))"));
    db->own.overloads = ask_names(
        db, S("SELECT pg_catalog.lower(p.proname::text) COLLATE \"C\" FROM"
              " pg_catalog.pg_proc p WHERE" OWN_FUNCTION
              " AND p.prorettype NOT IN ('pg_catalog.trigger'"
              "::pg_catalog.regtype, 'pg_catalog.event_trigger'"
              "::pg_catalog.regtype)"
              " UNION SELECT o.oprname::text COLLATE \"C\"" OPERATORS
              " WHERE" OWN_OPERATOR));
    map implicit =
        ask_names(db, S("SELECT '' WHERE EXISTS (SELECT 1 FROM"
                        " pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p"
                        " ON p.oid = c.castfunc WHERE" OWN_FUNCTION ")"
                        " OR EXISTS (SELECT 1" OPERATORS " WHERE" OWN_OPERATOR
                        " AND o.oprname IN (" OF_WORDS "))"));
    db->own.is_implicit = map_count(&implicit) > 0;
    learn_telling(db, scratch);
    return db->knows_own;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

// The next word: a key, a number, anything else. Blanks inside names have a
// backslash before them, so no name can hide a key.
static str next_word(str *rest)
{
    ptrdiff_t from = 0;
    while (from < rest->len && is_blank(rest->ptr[from])) {
        from++;
    }
    ptrdiff_t to = from;
    while (to < rest->len && !is_blank(rest->ptr[to])) {
        to++;
    }
    str word = str_sub(*rest, from, to);
    *rest = str_sub(*rest, to, rest->len);
    return word;
}

// Which kind of number stands after a key: 'f'unctions, 'o'perators, or none.
static char kind_of(str key)
{
    static const str functions[] = {S_INIT("funcid"), S_INIT("fnoid"),
                                    S_INIT("Func"), S_INIT("tsmhandler")};
    static const str operators[] = {S_INIT("op"), S_INIT("opno"),
                                    S_INIT("opnos")};
    for (ptrdiff_t i = 0; i < countof(functions); i++) {
        if (str_ends(key, functions[i])) {
            return 'f';
        }
    }
    for (ptrdiff_t i = 0; i < countof(operators); i++) {
        if (str_ends(key, operators[i])) {
            return 'o';
        }
    }
    return 0;
}

// `:funcid 16388`, `:opnos (o 97 97)`.
static void read_tree(postgres_tree *t, str tree)
{
    char kind = 0;
    while (tree.len > 0) {
        str word = next_word(&tree);
        int64_t number = 0;
        while (str_ends(word, S(")")) || str_ends(word, S("}"))) {
            word = str_sub(word, 0, word.len - 1);
        }
        if (str_starts(word, S(":"))) {
            kind = kind_of(word);
        } else if (kind && str_to_int(word, &number)
                   && number >= POSTGRES_FIRST_OWN
                   && t->n_numbers++ < POSTGRES_MOST_OWN) {
            buf_printf(kind == 'f' ? &t->functions : &t->operators, "%lld,",
                       (long long)number);
        }
    }
}

static void hear(void *context, const PGresult *notice)
{
    postgres_tree *t = context;
    const char *what =
        t->pq->PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    const char *tree =
        t->pq->PQresultErrorField(notice, PG_DIAG_MESSAGE_DETAIL);
    if (what && tree && strcmp(what, "parse tree:") == 0) {
        t->n_trees++;
        read_tree(t, str_from(tree));
    }
}

// What a server says by the way is dropped, but that it had nothing to end.
static void drop(void *context, const PGresult *notice)
{
    postgres_database *db = context;
    const char *state =
        postgres_api_of(db)->PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    db->was_left |= state && str_equal(str_from(state), S("25P01"));
}

void postgres_show_tree(postgres_database *db, postgres_tree *tree, arena *a)
{
    const postgres_api *pq = postgres_api_of(db);
    arena words = arena_on_stack(4096);
    *tree = (postgres_tree){
        .pq = pq, .functions = buf_new(a), .operators = buf_new(a)};
    bool ok = engine_tell(
        &db->base,
        S(POSTGRES_BEGIN
          ";SELECT pg_catalog.set_config('debug_print_rewritten', 'off', true)"
          ", pg_catalog.set_config('debug_pretty_print', 'off', true),"
          " pg_catalog.set_config('debug_print_parse', 'on', true),"
          " pg_catalog.set_config('client_min_messages', 'log', true)"),
        words);
    if (ok) {
        pq->PQsetNoticeReceiver(db->conn, hear, tree);
    }
}

void postgres_drop_notices(postgres_database *db)
{
    if (db->conn) {
        postgres_api_of(db)->PQsetNoticeReceiver(db->conn, drop, db);
    }
}

// What asks what the owner made of these, by name; allowed or not.
static str look_up(const postgres_tree *t, arena *a)
{
    return arena_printf(
        a,
        "SELECT n.nspname, p.proname, '' FROM pg_catalog.pg_proc p JOIN"
        " pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE p.oid ="
        " ANY ('{%.*s0}'::pg_catalog.oid[]) AND" OWN_FUNCTION
        " UNION ALL SELECT n.nspname, p.proname, o.oprname" OPERATORS
        " JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
        " WHERE o.oid = ANY ('{%.*s0}'::pg_catalog.oid[]) AND" OWN_OPERATOR
        " ORDER BY 3 DESC, 1, 2",
        STR_ARG(buf_str(&t->functions)), STR_ARG(buf_str(&t->operators)));
}

// One of them: its schema, its name, and the operator that calls it.
static bool is_allowed(const str *own, execution *x, arena *a)
{
    str name = own[1];
    str sign = own[2];
    str whole = arena_printf(a, "%.*s.%.*s", STR_ARG(own[0]), STR_ARG(name));
    return guard_is_trusted(name) || guard_is_trusted(whole)
           || engine_fails(
               x, REASON_FORBIDDEN,
               sign.len > 0
                   ? arena_printf(a,
                                  "the operator %.*s is not allowed: "
                                  "it calls %.*s",
                                  STR_ARG(sign), STR_ARG(whole))
                   : arena_printf(a, "the function %.*s is not allowed",
                                  STR_ARG(whole)));
}

bool postgres_tree_is_safe(postgres_database *db,
                           const postgres_tree *tree,
                           execution *x,
                           arena *a)
{
    bool is_full = tree->n_numbers > POSTGRES_MOST_OWN;
    if (tree->n_trees != 1 || is_full) {
        return engine_fails(x, REASON_FORBIDDEN,
                            is_full ? S("too many user-defined functions")
                                    : S("the server does not show which "
                                        "user-defined functions are called"));
    }
    if (tree->n_numbers == 0) {
        return true;
    }
    catalogue_rows own = {0};
    str ignored;
    bool ok =
        postgres_rows(&db->base, look_up(tree, a), &own, a, &ignored)
        || engine_fails(x, REASON_FORBIDDEN, S("the catalogue cannot be read"));
    for (ptrdiff_t i = 0; ok && i < own.len; i += CATALOGUE_MOST_COLUMNS) {
        ok = is_allowed(&own.ptr[i], x, a);
    }
    return ok;
}
