/*
 * schema.h - the tables, columns, keys and conditions of a database, as plain
 * data.
 *
 * Names are as the database spells them, tables in the order in which it
 * lists them. Tables and columns are known by their place in these lists; -1
 * stands for none. Who makes a schema: schema_spider.h (tables.json: names
 * and keys only), schema_ddl.h (CREATE statements), engine_schema().
 *
 * Reading order  schema_column, schema_table, schema
 */
#ifndef ASSAY_SCHEMA_SCHEMA_H
#define ASSAY_SCHEMA_SCHEMA_H

#include "base/map.h"
#include "sql/ast.h"
#include "sql/dialect.h"

// How SQLite decides what a declared type stores ("Datatypes In SQLite",
// 3.1). Other engines' types fall into the same classes.
typedef enum schema_affinity {
    AFFINITY_BLOB,  // no declared type: a value is kept as it comes
    AFFINITY_TEXT,
    AFFINITY_NUMERIC,
    AFFINITY_INTEGER,
    AFFINITY_REAL,
} schema_affinity;

// What equal means for text.
typedef enum schema_collation {
    COLLATION_BINARY,
    COLLATION_NOCASE,
    COLLATION_RTRIM,
    COLLATION_OTHER,  // of a name that SQLite does not know
} schema_collation;

// What people mean by a declared type, beyond its affinity: DATE and BOOLEAN
// are NUMERIC to SQLite.
typedef enum schema_kind {
    KIND_ANY,  // no type, or one that says nothing
    KIND_INTEGER,
    KIND_REAL,
    KIND_DECIMAL,
    KIND_TEXT,
    KIND_DATE,
    KIND_TIME,
    KIND_TIMESTAMP,
    KIND_BOOLEAN,
    KIND_BYTES,
} schema_kind;

typedef struct schema_column {
    str name;
    str type;  // as declared; empty: none
    schema_affinity affinity;
    schema_collation collation;
    schema_kind kind;
    bool is_single;         // of a catalogue or a dialect that is not
                            // run: a number of single precision
    str enum_name;          // what PostgreSQL calls an ENUM('a', 'b'), whose
                            // order is its own; empty: it is none
    bool is_not_null;       // declared so; see also schema_never_null()
    bool is_rowid;          // SQLite's INTEGER PRIMARY KEY
    bool has_one_spelling;  // of facts: no two texts of it differ in letter
                            // case or outer blanks only; see facts_apply()
    bool is_off_type;       // of data: holds values that do not fit its type;
                            // see satisfied_schema()
    bool is_held_to_type;   // of assumptions: the engine is to refuse values
                            // that do not fit its type; see legal_schema()
    const ast *fallback;    // DEFAULT; NULL: none
    const ast *generated;   // what it is computed from; NULL: it is stored
} schema_column;

// Columns whose values together are not repeated among rows without NULL.
typedef struct schema_unique {
    const int32_t *columns;  // of the table
    ptrdiff_t n;
    bool is_primary;                     // at most one a table; it is the first
    const schema_collation *collations;  // of the key; NULL: of its columns
} schema_unique;

// A unique index that is no key: of expressions, or of some rows only. Engines
// enforce it; nothing is concluded from it.
typedef struct schema_unique_index {
    const ast *keys;   // SORTs
    const ast *where;  // NULL: all rows
} schema_unique_index;

// The columns of a child refer to columns of its parent, pair by pair.
typedef struct schema_key {
    int32_t child;           // table
    int32_t parent;          // table; -1: there is none of that name
    const int32_t *columns;  // of the child
    const int32_t *targets;  // of the parent; -1: no such column. Where the
                             // declaration left them out: the primary key
    ptrdiff_t n;             // pairs
    str parent_name;         // as declared
    bool is_sound;           // the targets are a key of the parent, as engines
                             // demand of a foreign key, and it is enforced
    bool is_unenforced;      // declared so (NOT VALID, DISABLE): a hint only
} schema_key;

typedef struct schema_table {
    str name;
    const schema_column *columns;
    ptrdiff_t n_columns;
    const map *places;  // of many columns: by name; else NULL
    const schema_unique *uniques;
    ptrdiff_t n_uniques;
    const schema_unique_index *indexes;
    ptrdiff_t n_indexes;
    const ast *const *checks;  // conditions on a row
    ptrdiff_t n_checks;
    ptrdiff_t n_unheld;  // constraints that are not enforced, or not modelled
    const ast *view;     // the query of a view; NULL: a table of its own
    bool is_other_view;  // in the words of another system than keeps the rows:
                         // a query that names it is spelled with its query
    bool has_rowid;      // SQLite: not WITHOUT ROWID, and no view
    bool is_strict;      // SQLite: STRICT
    bool is_indexed;     // SQLite: by a CREATE INDEX
    bool is_filled;      // of facts: never empty; see facts_apply()
    bool is_ambiguous;   // a name of several tables, of which the first is read
    bool is_altered;     // what a declaration says was taken back later
    bool is_virtual;     // not modelled. SQLite: a module makes up its rows;
                         // DuckDB, PostgreSQL: a query does, or it has computed
                         // columns, or texts that are equal and not the same;
                         // others: a column compares by a collation of its own
} schema_table;

typedef struct schema {
    const schema_table *tables;  // and views
    ptrdiff_t n_tables;
    const map
        *places;  // of many tables: by name. NULL, or of another number of
                  // tables: of no use
    const schema_key *keys;  // foreign keys, in the order of their tables
    ptrdiff_t n_keys;
    const str *others;  // names of views and the like that are not modelled
    ptrdiff_t n_others;
    dialect dialect;     // of the system that keeps its rows: what it enforces,
                         // and in whose words CREATE and INSERT are written
    dialect stands_for;  // the system in whose place SQLite keeps the rows:
                         // its types say what a column holds; SQLITE: none
} schema;

// By name, without regard to the case of ASCII letters; -1: not there.
int32_t schema_find_table(const schema *s, str name);
int32_t schema_find_column(const schema_table *t, str name);

// The table that the schema knows as SCHEMA.TABLE; -1: none.
int32_t schema_find_qualified(const schema *s, str first, str second);

// The same of a node of an expression of the table: of a check, of an index.
// -1, too: it is no name.
int32_t schema_column_named(const schema_table *t, const ast *n);

// NULL when the table has none.
const schema_unique *schema_primary(const schema_table *t);

// The primary key or UNIQUE of just these columns, in any order; NULL: there is
// none.
const schema_unique *schema_find_unique(const schema_table *t,
                                        const int32_t *columns,
                                        ptrdiff_t n);

// How many foreign keys lead from one table to another?
int schema_references(const schema *s, int32_t child, int32_t parent);

// Does the column by itself tell the rows of its table apart, as declared? Is
// it by itself a foreign key?
bool schema_is_key(const schema_table *t, int32_t column);
bool schema_is_reference(const schema *s, int32_t table, int32_t column);

// All tables but the views, parents before their children as far as sound
// foreign keys have no cycles.
typedef struct table_order {
    int32_t *tables;
    ptrdiff_t n;
    int32_t *places;  // by table, where it stands
} table_order;

table_order schema_order(arena *a, const schema *s);

// Does the key lead to a table that comes later, as one of each cycle does?
bool schema_key_is_late(const table_order *o, const schema_key *k);

// Does every column of the foreign key have its column of the parent?
bool schema_key_is_complete(const schema_key *k);

// By which collation the key compares its column number `at`.
schema_collation schema_unique_collation(const schema_table *t,
                                         const schema_unique *key,
                                         ptrdiff_t at);

// Declared NOT NULL or part of the primary key: what the assumption not-null
// of `assay check` grants (SQLite itself lets most keys be NULL).
bool schema_never_null(const schema_table *t, int32_t column);

schema_affinity schema_affinity_of(str type);
schema_kind schema_kind_of(str type);
bool schema_type_is_known(str type);  // or is the kind a guess by its letters?
str schema_type_word(str type);       // "int4" of "int4[]": it begins with that
bool schema_type_is_array(str type);  // int[], INTEGER ARRAY

// Whether its values are numbers; of an affinity, whether it makes them so.
bool schema_kind_is_number(schema_kind kind);
bool schema_affinity_is_number(schema_affinity a);

// CHAR(5): some systems fill it up with blanks, which then do not count.
bool schema_type_is_char(str type);

// REAL, FLOAT(24): does the dialect keep 24 binary digits of its numbers?
bool schema_type_is_single(str type, dialect d);
bool schema_cast_is_single(const ast *type, dialect d);
schema_collation schema_collation_of(str name);

#endif  // ASSAY_SCHEMA_SCHEMA_H
