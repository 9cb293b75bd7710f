/*
 * bind.h - which table and which column every name of a query means.
 *
 * Binding a query walks its tree once, with a schema, by the scope rules of
 * its dialect: aliases, CTEs, views, derived tables, USING and NATURAL,
 * subqueries that use columns of the queries around them, SQLite's rules for
 * aliases in ORDER BY, GROUP BY, WHERE and HAVING, `"x"` as a column or else a
 * string. What is unknown or ambiguous becomes a problem in words; the rest is
 * bound all the same, so that messages and metrics work on broken predictions.
 *
 * Answers are kept beside the tree, by the number of the node (ast.id), which
 * bind_query() gives out: a tree has one binding at a time.
 *
 * Reading order  bound_source, bound_block, bound_query, bound_ref, binding
 */
#ifndef ASSAY_SCHEMA_BIND_H
#define ASSAY_SCHEMA_BIND_H

#include "schema/schema.h"
#include "sql/dialect.h"

typedef struct bound_block bound_block;
typedef struct bound_query bound_query;
typedef struct bound_source bound_source;

enum {
    DIGITS_OPEN = -1,  // nobody knows
};

// Whether a number is whole, where that says how it is divided: a set of what
// it may be, empty of NULL.
enum {
    WHOLE_ZERO = 1,  // 0, which says nothing where it is divided
    WHOLE_ALWAYS = 2,
    WHOLE_PERHAPS = 4,  // SQLite may keep it so, as 1 of a DECIMAL(10, 2), and
                        // the system may not
    WHOLE_NEVER = 8,
};

// A column of a source or of a result.
typedef struct bound_column {
    str name;         // empty: an expression without a name
    const ast *expr;  // the item of the select list it is, without its alias;
                      // NULL: a column of a table, or one `*` stands for
    const bound_source *source;  // where it comes from when it is nothing but
    int32_t column;              // a column of a source; else NULL and -1
    schema_affinity affinity;    // of the expression, as the engine sees it:
    schema_collation collation;  // AFFINITY_BLOB for what has none
    schema_kind kind;
    str declared;    // its type, of a stored column
    bool is_single;  // a number of single precision, or computed from such
    unsigned whole;  // WHOLE_*
    int digits;      // of an exact number behind its point
} bound_column;

typedef enum bound_source_kind {
    SOURCE_TABLE,    // a table of the schema
    SOURCE_QUERY,    // a derived table, a CTE, a view
    SOURCE_UNKNOWN,  // no such table, or a function: any column may be in it
} bound_source_kind;

// One entry of a FROM: an instance of a table.
struct bound_source {
    bound_source_kind kind;
    const ast *node;           // the TABLE, the query, ... without its alias
    const bound_block *block;  // in whose FROM it stands
    int32_t no;                // its place in that FROM, from 0
    str name;                  // what qualifies its columns; empty: nothing
    int32_t table;             // SOURCE_TABLE: in the schema; else -1
    const bound_query *query;  // SOURCE_QUERY; one for all uses of a CTE
    bool is_recursive;         // the use of a CTE inside itself
    bool is_lateral;           // may use the sources before it
    const ast *half_on;        // the ON of the SEMI or ANTI JOIN whose right
                               // side it is: nothing else sees it; else NULL
    const bound_column *columns;
    ptrdiff_t n_columns;
};

// A pair of columns that USING or NATURAL joins. Without qualifier the name
// means the left one (of a RIGHT JOIN the right one, of a FULL JOIN neither).
typedef struct bound_merge {
    const ast *join;
    str name;
    const bound_source *left;
    int32_t left_column;
    const bound_source *right;
    int32_t right_column;
    bool is_united;  // a value of its own: of a FULL JOIN, or of a type that
                     // both columns become
} bound_merge;

// One SELECT or VALUES.
struct bound_block {
    const ast *node;
    const bound_block *outer;  // the block around a subquery; NULL: none
    const bound_source *const *sources;  // in the order of the text
    ptrdiff_t n_sources;
    const bound_merge *merges;
    ptrdiff_t n_merges;
    const bound_column *outputs;  // its result, `*` spelled out
    ptrdiff_t n_outputs;
    bool is_grouped;     // GROUP BY, HAVING (but on MySQL), or an aggregate
    bool is_correlated;  // it, or what lies in it, uses columns from outside
};

// A query of any form; exactly one of block, left and right, or body is set.
struct bound_query {
    const ast *node;  // SELECT, VALUES, SETOP, NESTED
    const bound_block *block;
    const bound_query *left;
    const bound_query *right;
    const bound_query *body;
    const bound_column *outputs;  // of a set operation: those of its left
    ptrdiff_t n_outputs;
    bool is_open;  // there may be more: `*` of what is unknown
};

typedef enum bound_ref_kind {
    REF_NONE,      // unknown: there is a problem at this node
    REF_COLUMN,    // a column of a source
    REF_ROWID,     // SQLite's rowid, where it is no declared column; of a
                   // derived table or a view it is NULL
    REF_OUTPUT,    // a column of the select list, by its alias
    REF_POSITION,  // the same by its number: ORDER BY 2
    REF_STRING,    // a DOUBT that no column answers to
} bound_ref_kind;

typedef struct bound_ref {
    bound_ref_kind kind;
    const bound_source *source;  // REF_COLUMN, REF_ROWID
    int32_t column;  // REF_COLUMN: of the source; -1: of a SOURCE_UNKNOWN, or
                     // (not in SQLite) the whole row
    int32_t output;  // REF_OUTPUT, REF_POSITION: of the block
    const bound_block *of;  // which; NULL: of a set operation
    int32_t depth;   // so many blocks further out (bound_block.outer); 0: own
    bool is_merged;  // of a bound_merge that is_united: the first of the
                     // joined columns that is not NULL
} bound_ref;

typedef enum bind_problem_kind {
    BIND_NO_TABLE,
    BIND_NO_COLUMN,
    BIND_AMBIGUOUS,
    BIND_NO_POSITION,     // ORDER BY 9
    BIND_COLUMN_COUNT,    // sides of a set operation, CTE or alias columns
    BIND_DUPLICATE_NAME,  // two CTEs or (not in SQLite) sources of one name
} bind_problem_kind;

enum {
    BIND_PROBLEMS_MAX = 20,   // so many are kept
    BIND_COLUMNS_MAX = 2000,  // of a result, as in SQLite; the rest is cut off
    BIND_SOURCES_MAX = 500,   // of a FROM; likewise
};

typedef struct bind_problem {
    bind_problem_kind kind;
    int32_t pos;  // in the text of the tree
    int32_t len;
    str text;  // "no column 'agee' in singer; did you mean 'age'?"
} bind_problem;

typedef struct binding {
    const schema *schema;
    dialect dialect;
    const bound_query *query;
    vec_of(bind_problem) problems;  // in the order of the text
    // By ast.id, from 1, for bind_*():
    const bound_ref **refs;
    const bound_query **queries;
    const bound_source **sources;
    int32_t n_nodes;
} binding;

// Binds one query (any node of which ast_is_query() holds) and numbers its
// nodes. Never fails; depth is bounded as the tree's is.
binding *bind_query(arena *a,
                    ast *query,
                    const schema *s,
                    dialect d,
                    arena scratch);

// What a COLUMN, a DOUBT, or a NUMBER of ORDER BY or GROUP BY means; NULL for
// other nodes.
const bound_ref *bind_ref(const binding *b, const ast *node);

// The item of a select list that a name means, by its alias or its place; NULL:
// it means none.
const bound_column *bind_item(const binding *b, const ast *name);

// What is known of a query node below the bound one; NULL for other nodes.
const bound_query *bind_query_at(const binding *b, const ast *node);

// The block of a SELECT or VALUES node; NULL for other nodes.
const bound_block *bind_block_at(const binding *b, const ast *node);

// The SELECT or VALUES that comes first in the text of a query, which names the
// columns of a set operation; NULL: there is none.
const bound_block *bind_leftmost(const bound_query *q);

// The source that a TABLE, a derived table or a function in FROM is.
const bound_source *bind_source_at(const binding *b, const ast *node);

// A column of a table of the schema; -1, -1: none.
typedef struct bound_place {
    int32_t table;
    int32_t column;
} bound_place;

// Where a column of a source is stored, through derived tables and views.
bound_place bind_stored(const bound_source *source, int32_t column);

// The same of a name of the query; -1, -1, too, of any other node, or of NULL.
bound_place bind_stored_at(const binding *b, const ast *name);

// What is known of any expression of the query, as of a column that is nothing
// but it; name stays empty.
bound_column bind_type(const binding *b, const ast *expr);

// Are both one query, apart from layout, aliases and the way its names are
// written? They are bound with the same schema.
bool bind_equal(const binding *l, const binding *r, arena scratch);

#endif  // ASSAY_SCHEMA_BIND_H
