/*
 * relation_term.h - what a query is made of once it is understood: expressions,
 * of which equal ones are one pointer, the SELECTs that they stand in, and the
 * state of who reads it or proves something of it.
 *
 * A term is never changed. It is made by the functions of normal.h, which
 * bring it into a local normal form, or by term_make() as it is. What a term
 * is made from and when decides nothing: order among terms is by content.
 *
 * A column belongs to an instance, one occurrence of a table in a FROM (or of
 * a block in its place); a subquery in a term is a block. Instances and blocks
 * are changed by the rules; see relation_block.h.
 */
#ifndef ASSAY_RELATION_TERM_H
#define ASSAY_RELATION_TERM_H

#include "base/buf.h"
#include "relation/relation_assume.h"
#include "schema/bind.h"

typedef struct instance instance;
typedef struct block block;
typedef struct prover prover;
typedef struct term term;

typedef enum term_kind {
#define TERM(name, word) TERM_##name,
#include "relation/term.def"
    TERM_KIND_COUNT,
} term_kind;

// What holds of a term or of anything in it, subqueries left out.
enum {
    HAS_COLUMN = 1,
    HAS_AGGREGATE = 2,
    HAS_WINDOW = 4,
    HAS_BLOCK = 8,  // a subquery
    HAS_OUTPUT = 16,
};

struct term {
    uint8_t kind;  // term_kind
    bool flag;     // AGGREGATE: DISTINCT; arithmetic: of REAL numbers;
                   // INTEGER: TRUE or FALSE, where that is a type
    uint16_t has;  // HAS_*
    int16_t height;
    int32_t column;    // COLUMN: of the instance, -1 the rowid; OUTPUT: of the
                       // set block; CAST: its schema_affinity; AS: its type
    int32_t no;        // the how manieth made
    int32_t n;         // of args
    int64_t number;    // INTEGER
    str text;          // TEXT, REAL, OPAQUE: a name; AGGREGATE, CALL: likewise
    instance *source;  // COLUMN
    block *block;      // IN, EXISTS, SCALAR
    uint64_t hash;
    const term *const *args;
};

typedef vec_of(const term *) term_list;

enum {
    REWRITES_MAX = 40,       // rule applications of a block
    PERMUTATIONS_MAX = 720,  // orders of equal tables
    HEIGHT_MAX = 400,        // of a term
    DEPTH_MAX = 60,          // of blocks in blocks
    WORK_MAX = 200000,       // terms visited, for a query
    LIST_MAX = 1000,         // branches of a condition
    SOURCES_MAX = 40,        // of a block
    FORM_MAX = 1 << 22,      // bytes of forms written, for a query
};

// Columns that hold the same value in every row of the block.
typedef struct term_class {
    term_list members;
    str name;  // in the form at hand: that of its representative
} term_class;

struct instance {
    int32_t no;                      // in the order of making
    int32_t table;                   // of the schema; -1: a block
    const schema_table *columns_of;  // NULL: a block
    block *body;                     // NULL: a table
    bool is_outer;  // on the side of a LEFT JOIN that is padded
    term_list on;   // its conditions then
    // For a while:
    instance *twin;        // while copying
    int32_t number;        // in the form at hand
    bool is_in_form;       // of a block that it is of, or is around that
    str name;              // what it is in the form at hand
    const str *items;      // of a block: what its columns are there
    int32_t slot;          // of its first column in a closure
    int place;             // among its equals
    term_class **classes;  // by column + 1; NULL: not computed
};

typedef struct sort_term {
    const term *term;
    bool is_descending;
    bool nulls_last;
} sort_term;

typedef vec_of(sort_term) sort_list;

// Where the engine puts NULL unless it is told.
bool sort_puts_nulls_last(const prover *p, bool is_descending);

// What becomes of rows that are equal.
typedef enum repeats {
    REPEATS_KEPT,
    REPEATS_NONE,     // there are none: DISTINCT changes nothing
    REPEATS_DROPPED,  // DISTINCT
} repeats;

typedef enum set_operator {
    SET_NONE,
    SET_UNION,
    SET_INTERSECT,
    SET_EXCEPT,
} set_operator;

struct block {
    int32_t no;
    int32_t pos;  // of the SELECT in the text
    int32_t len;
    const ast *node;  // it; NULL: no query of the text
    set_operator set;
    bool is_all;  // of a set operation
    block *left;
    block *right;
    vec_of(instance *) sources;
    term_list where;
    term_list select;
    bool is_grouped;  // one row for each group, or for all rows
    bool has_group;   // a GROUP BY, perhaps of nothing
    term_list group;
    term_list having;
    term_list extremes;  // every MIN and MAX that was written: of SQLite's rows
                         // of a group it says from which bare columns come
    sort_list order;
    const term *limit;   // NULL: none
    const term *offset;  // NULL: none
    repeats repeats;
    bool is_source;  // a derived table
    bool is_test;    // under EXISTS: only whether there are rows counts
    bool is_result;  // the query itself: nothing compares its columns
};

struct prover {
    arena *a;
    const binding *bound;
    unsigned assume;          // ASSUME_*: what may be taken for granted
    bool rounds;              // results may differ by how they are rounded
    dialect elsewhere;        // whose query it is in SQLite's words: its bare
                              // columns mean nothing there, its literals may
                              // compare otherwise; SQLITE: nobody else's
    str without;              // a rule that is not to be used; empty: none
    const char *unsafe;       // rules that do not hold; NULL: none
    struct proving *proving;  // what rules do with it; NULL: none are applied
    bool picks;               // the system picks what a group of the text shows
    bool uses_types;      // thresholds of whole numbers, only where they help
    bool wants_types;     // they would have
    bool has_collations;  // a table at hand has one but BINARY and NOCASE,
                          // under which a number as text is another
    str obstacle;         // not empty: nothing can be proved
    unsigned used;        // ASSUME_*
    uint64_t locals;      // bits of local_rule that were used
    unsigned touched;     // ASSUME_* that the rule at hand relies on
    int32_t n_terms;
    int32_t n_instances;
    int32_t n_blocks;
    int32_t work;
    int32_t depth;       // of the form at hand
    bool forms_whole;    // of a whole query: no column is of what is around it
    term_list extremes;  // of the SELECT that is being built
    int32_t n_averages;  // calls of AVG in the text
    int32_t n_failing;   // what in it fails when numbers grow too large, or is
                         // another error where types are strict
    int32_t n_sums;      // those of them that are SUM as an aggregate
    vec_of(block *) read;  // the queries of the text, inner ones first
    const term **slots;    // of all terms; open addressing
    ptrdiff_t n_slots;
    ptrdiff_t form_bytes;
};

// The obstacle of a query that `elsewhere` stops.
#define OBSTACLE_BARE "a column that is neither grouped nor aggregated"

// Remembers the first obstacle; always returns NULL.
void *prover_stop(prover *p, str obstacle);
bool prover_stopped(const prover *p);

// Whether an assumption may be used; the rule at hand then relies on it.
bool prover_assumes(prover *p, unsigned bits);

// Whether values of the column may be taken to fit its type: ASSUME_TYPES,
// where no data are known that break it.
bool prover_assumes_type(prover *p, const schema_column *c);

// Whether values count as what types say (uses_types). Asked last: where they
// do not, it is noted that this was wanted, and forgotten what was relied on to
// see so, since `touched`.
bool prover_takes_types(prover *p, unsigned touched);

// Is the rule not to be used?
bool prover_may_not(const prover *p, str rule);

// Are the queries PostgreSQL's or DuckDB's? There LIKE tells letters apart,
// texts have the order of a collation, a CAST is to one of many types.
bool prover_is_typed(const prover *p);

// The one term that is as `like` says; its `has`, `no`, `height` and `hash`
// do not count.
const term *term_make(prover *p, term like);

const term *term_integer(prover *p, int64_t n);
const term *term_boolean(prover *p, bool is_true);  // 0 or 1 in SQLite
const term *term_text(prover *p, str text);
const term *term_real(prover *p, double d);
const term *term_null(prover *p);
const term *term_column(prover *p, instance *source, int32_t column);
const term *term_rowid(prover *p, instance *source);
const term *term_of(prover *p, term_kind kind, const term *a, const term *b);

bool term_is_literal(const term *t);  // INTEGER, REAL, TEXT
bool term_is_number(const term *t, int64_t n);
bool term_is_truth(const term *t);  // gives 0, 1 or NULL only
bool term_counts(const term *t);    // COUNT, of whatever
bool term_compares(const term *t);  // by =, <>, <, <=, > or >=

// How b compares with a where a compares with b so; how, where it does not.
term_kind term_turned(term_kind comparison);
term_kind term_denied(term_kind comparison);

// x of x IS NULL, of x IS NOT NULL; NULL: it says something else.
const term *term_tested_null(const term *t);
const term *term_tested_not_null(const term *t);

/*
 * How a term compares, as SQLite sees it. It belongs to the term as its value
 * does: what stands in place of another term has its value and its type.
 *
 * A column without a declared type has AFFINITY_BLOB, an expression has none;
 * beside TEXT they are not the same. A column of a derived table always has a
 * collation, the rowid never.
 */
typedef struct term_type {
    bool has_affinity;
    schema_affinity affinity;  // AFFINITY_BLOB where it has none
    bool has_collation;
    schema_collation collation;  // COLLATION_BINARY where it has none
    bool is_unlike;  // of a set operation whose sides differ: engines do not
                     // agree
} term_type;

term_type term_type_of(const term *t);
term_type term_type_of_output(const block *b, int32_t column);
bool term_types_equal(term_type a, term_type b);

// The parts of it. AFFINITY_BLOB: none, or of a column without a type.
schema_affinity term_affinity(const term *t);

// The column that the values come from; NULL: they are computed.
const schema_column *term_stored(const term *t);

// The column of a table that the term is; NULL: it is something else, or the
// rowid.
const schema_column *term_declared(const term *t);
bool term_collation(const term *t, schema_collation *out);

// The value of `t` with another type; with none, as CASE and COALESCE give.
const term *term_as(prover *p, const term *t, term_type type);
const term *term_untyped(prover *p, const term *t);

// What will do for `t` where its type does not matter; where only its
// collation does, as in GROUP BY; and as an item of a subquery, whose columns
// have a collation anyway.
const term *term_bare(const term *t);
const term *term_key(prover *p, const term *t);
const term *term_item(prover *p, const term *t);

// Whether it compares by bytes.
bool term_is_binary(const term *t);

// Whether x IN (y) compares as x = y does: IN by the left side's collation, =
// by the right side's where the left one has none.
bool term_in_is_equal(const term *x, const term *y);

// Whether argument i of a CASE is a condition, no value.
bool term_is_test(const term *t, int32_t i);

// Whether all arguments from this one on are so.
bool term_args_all(const term *t, int32_t from, bool (*is)(const term *t));

// Item i of a row; of any other term itself.
const term *term_part(const term *t, ptrdiff_t i);

ptrdiff_t term_list_at(const term_list *l, const term *t);  // -1: it is not in
bool term_list_has(const term_list *l, const term *t);
bool term_list_has_all(const term_list *l, const term_list *wanted);
bool term_list_has_false(const term_list *l);  // 0, as a condition
// The same terms in the same places.
bool term_lists_equal(const term_list *a, const term_list *b);
void term_list_add(prover *p, term_list *l, const term *t);   // if it is new
void term_list_push(prover *p, term_list *l, const term *t);  // anyway
term_list term_list_of_args(prover *p, const term *t);  // a list of its own
void term_list_push_all(prover *p, term_list *l, const term_list *from);
term_list term_list_copy(prover *p, const term_list *l);
void term_list_remove(term_list *l, ptrdiff_t i);

#endif  // ASSAY_RELATION_TERM_H
