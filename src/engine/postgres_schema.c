/*
 * postgres_schema.c - the schema of a database, from its catalogue.
 *
 * Method      One query for each list that schema_catalogue.h asks for; the
 *             rows are passed on as texts, of which schema_catalogue.c makes
 *             tables. A fingerprint sums hashes of all rows of all tables, in
 *             any order, and of the states of sequences.
 */
#include "base/hash.h"
#include "engine/engine_postgres.h"
#include "schema/schema_catalogue.h"

// Tables that a query finds by their bare names come under those; the others
// under SCHEMA.TABLE.
#define TABLE_NAME                                                   \
    "CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname" \
    " ELSE n.nspname::text || '.' || c.relname::text END"
#define FROM_TABLES               \
    " FROM pg_catalog.pg_class c" \
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
#define WHERE_TABLES                                               \
    " WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition" \
    " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"

// SELECT ... FROM parent returns the rows of its children, too, which repeat
// its keys and refer to nothing. The partitions of a table are another matter:
// its keys hold in all of them. What is declared of a foreign table nobody
// enforces.
#define IS_ALONE                                      \
    " c.relkind <> 'f' AND NOT EXISTS (SELECT 1 FROM" \
    " pg_catalog.pg_inherits h WHERE h.inhparent = c.oid)"
#define KEYS_HOLD " AND (c.relkind = 'p' OR" IS_ALONE ")"
// The tables whose rows a query of one returns.
#define FAMILY                                                               \
    "(WITH RECURSIVE family(member) AS (SELECT c.oid UNION SELECT"           \
    " h.inhrelid FROM pg_catalog.pg_inherits h JOIN family ON h.inhparent =" \
    " family.member) SELECT member FROM family)"

// Not modelled are texts that a collation calls equal though their bytes are
// not. Before version 12 there are none, nor computed columns.
static const char COLUMNS[] =
    "SELECT " TABLE_NAME ", a.attname, CASE y.typtype WHEN 'd'"
    " THEN pg_catalog.format_type(y.typbasetype, y.typtypmod)"
    " WHEN 'e' THEN 'ENUM(' || (SELECT pg_catalog.string_agg("
    "pg_catalog.quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder)"
    " FROM pg_catalog.pg_enum l WHERE l.enumtypid = y.oid) || ')'"
    " ELSE pg_catalog.format_type(a.atttypid, a.atttypmod) END,"
    " ((a.attnotnull OR y.typnotnull) AND (" IS_ALONE " OR NOT EXISTS ("
    "SELECT 1 FROM pg_catalog.pg_class o LEFT JOIN pg_catalog.pg_attribute b"
    " ON b.attrelid = o.oid AND b.attname = a.attname"
    " WHERE o.oid IN " FAMILY " AND (o.relkind = 'f'"
    " OR NOT (b.attnotnull OR y.typnotnull)))))::int, EXISTS (SELECT 1 FROM"
    " pg_catalog.pg_collation l WHERE l.oid = a.attcollation"
    " AND pg_catalog.to_jsonb(l) ->> 'collisdeterministic' = 'false')::int,"
    " pg_catalog.pg_get_expr(g.adbin, g.adrelid),"
    " CASE y.typtype WHEN 'e' THEN y.typname END" FROM_TABLES
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
    " LEFT JOIN pg_catalog.pg_attrdef g ON g.adrelid = a.attrelid"
    " AND g.adnum = a.attnum"
    " AND pg_catalog.to_jsonb(a) ->> 'attgenerated' <> ''"
    " JOIN pg_catalog.pg_type y ON y.oid = a.atttypid" WHERE_TABLES
    " AND a.attnum > 0 AND NOT a.attisdropped"
    " ORDER BY n.nspname, c.relname, c.oid, a.attnum";

// Conditions on a row: CHECKs that hold in children and were never NOT VALID,
// and what domains ask of their VALUE, which is none within quotes.
static const char CHECKS[] =
    "SELECT " TABLE_NAME
    ", pg_catalog.pg_get_expr(f.conbin, f.conrelid)" FROM_TABLES
    " JOIN pg_catalog.pg_constraint f ON f.conrelid = c.oid"
    " AND f.contype = 'c'" WHERE_TABLES
    " AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class o WHERE o.oid "
    "IN " FAMILY " AND (o.relkind = 'f' OR NOT EXISTS (SELECT 1 FROM"
    " pg_catalog.pg_constraint k WHERE k.conrelid = o.oid AND k.conname ="
    " f.conname AND k.contype = 'c' AND k.convalidated)))"
    " UNION ALL SELECT " TABLE_NAME
    ", (SELECT pg_catalog.string_agg(CASE WHEN p.place % 2 = 1 THEN"
    " pg_catalog.regexp_replace(p.part, '\\mVALUE\\M',"
    " pg_catalog.quote_ident(a.attname), 'g') ELSE p.part END, ''''"
    " ORDER BY p.place) FROM pg_catalog.regexp_split_to_table("
    "pg_catalog.pg_get_expr(f.conbin, 0), '''')"
    " WITH ORDINALITY p(part, place))" FROM_TABLES
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
    " AND a.attnum > 0 AND NOT a.attisdropped"
    " JOIN pg_catalog.pg_constraint f ON f.contypid = a.atttypid"
    " AND f.contype = 'c' AND f.convalidated" WHERE_TABLES " ORDER BY 1, 2";

static const char UNIQUES[] =
    "SELECT " TABLE_NAME
    ", i.indexrelid, a.attname, i.indisprimary::int" FROM_TABLES
    " JOIN pg_catalog.pg_index i ON i.indrelid = c.oid"
    " CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY "
    "k(num, place)"
    " JOIN pg_catalog.pg_attribute a"
    " ON a.attrelid = c.oid AND a.attnum = k.num" WHERE_TABLES
    " AND i.indisunique AND i.indisvalid" KEYS_HOLD
    " AND i.indpred IS NULL AND i.indexprs IS NULL"
    " AND k.place <= i.indnkeyatts"
    " ORDER BY n.nspname, c.relname, i.indisprimary DESC, i.indexrelid, "
    "k.place";

// Where NULLs are not distinct one row may have NULL there. Of several columns
// that is not said.
static const char INDEXES[] =
    "SELECT " TABLE_NAME
    ", pg_catalog.pg_get_indexdef(i.indexrelid)" FROM_TABLES
    " JOIN pg_catalog.pg_index i ON i.indrelid = c.oid" WHERE_TABLES
    " AND i.indisunique AND i.indisvalid" KEYS_HOLD
    " AND (i.indpred IS NOT NULL OR i.indexprs IS NOT NULL)"
    " UNION ALL SELECT " TABLE_NAME
    ", pg_catalog.format('CREATE UNIQUE INDEX ON t ((%1$I IS NULL))"
    " WHERE %1$I IS NULL', a.attname)" FROM_TABLES
    " JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indnkeyatts = 1"
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
    " AND a.attnum = i.indkey[0]" WHERE_TABLES
    " AND i.indisunique AND i.indisvalid" KEYS_HOLD
    " AND pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct' = 'true'"
    " AND i.indpred IS NULL AND i.indexprs IS NULL ORDER BY 1, 2";

static const char KEYS[] =
    "SELECT " TABLE_NAME ", f.oid, a.attname, (SELECT CASE WHEN"
    " pg_catalog.pg_table_is_visible(p.oid) THEN p.relname"
    " ELSE m.nspname::text || '.' || p.relname::text END FROM "
    "pg_catalog.pg_class p"
    " JOIN pg_catalog.pg_namespace m ON m.oid = p.relnamespace"
    " WHERE p.oid = f.confrelid), b.attname" FROM_TABLES
    " JOIN pg_catalog.pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f'"
    " CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY"
    " k(child, parent, place)"
    " JOIN pg_catalog.pg_attribute a"
    " ON a.attrelid = f.conrelid AND a.attnum = k.child"
    " JOIN pg_catalog.pg_attribute b"
    " ON b.attrelid = f.confrelid AND b.attnum = k.parent" WHERE_TABLES
    " AND f.convalidated" KEYS_HOLD " AND NOT EXISTS (SELECT 1 FROM"
    " pg_catalog.pg_class p JOIN pg_catalog.pg_inherits h ON h.inhparent ="
    " p.oid WHERE p.oid = f.confrelid AND p.relkind <> 'p')"
    " ORDER BY n.nspname, c.relname, f.conname, f.oid, k.place";

// Views, and the parts of tables.
static const char OTHERS[] =
    "SELECT c.relname" FROM_TABLES
    " WHERE (c.relkind IN ('v', 'm') OR c.relispartition)"
    " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
    " ORDER BY 1";

const str postgres_catalogue[CATALOGUE_PARTS] = {
    [CATALOGUE_COLUMNS] = S_INIT(COLUMNS),
    [CATALOGUE_UNIQUES] = S_INIT(UNIQUES),
    [CATALOGUE_INDEXES] = S_INIT(INDEXES),
    [CATALOGUE_CHECKS] = S_INIT(CHECKS),
    [CATALOGUE_KEYS] = S_INIT(KEYS),
    [CATALOGUE_OTHERS] = S_INIT(OTHERS),
};

// Sequences, too: nextval() leaves no other trace.
const char postgres_names[] =
    "SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)" FROM_TABLES
    " WHERE c.relkind IN ('r', 'm', 'S')"
    " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
    " ORDER BY 1";

const char postgres_sums[] =
    "SELECT pg_catalog.count(*), "
    "pg_catalog.sum(pg_catalog.hashtextextended(t::text, 0)::numeric)"
    " FROM #0 t";

bool postgres_rows(database *base,
                   str sql,
                   catalogue_rows *rows,
                   arena *a,
                   str *why)
{
    postgres_fault fault;
    bool ok =
        postgres_do((postgres_database *)base, sql, INT64_MAX, rows, a, &fault);
    *why = fault.words;
    return ok;
}

bool postgres_copy_in(database *base, str sql, str rows, arena *a, str *why)
{
    postgres_database *db = (postgres_database *)base;
    const postgres_api *pq = postgres_api_of(db);
    PGresult *r = pq->PQexec(db->conn, sql.ptr);
    if (pq->PQresultStatus(r) == PGRES_COPY_IN) {
        pq->PQclear(r);
        while (rows.len > 0) {
            str piece = str_sub(rows, 0, 1 << 20);
            pq->PQputCopyData(db->conn, piece.ptr, (int)piece.len);
            rows = str_skip(rows, piece.len);
        }
        pq->PQputCopyEnd(db->conn, NULL);
        r = pq->PQgetResult(db->conn);
        pq->PQclear(pq->PQgetResult(db->conn));
    }
    bool ok = pq->PQresultStatus(r) == PGRES_COMMAND_OK;
    *why = arena_str(
        a, str_from(pq->PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY)));
    pq->PQclear(r);
    return ok;
}
