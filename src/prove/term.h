/*
 * term.h - expressions of the prover: equal terms are one pointer.
 *
 * A term is never changed. It is made by the functions of normal.h, which
 * bring it into a local normal form, or by term_make() as it is. What a term
 * is made from and when decides nothing: order among terms is by content.
 *
 * A column belongs to an instance, one occurrence of a table in a FROM (or of
 * a block in its place); a subquery in a term is a block. Instances and blocks
 * are changed by the rules; see block.h.
 */
#ifndef ASSAY_PROVE_TERM_H
#define ASSAY_PROVE_TERM_H

#include "base/buf.h"
#include "schema/schema.h"

typedef struct instance instance;
typedef struct block block;
typedef struct prover prover;
typedef struct term term;

typedef enum term_kind {
#define TERM(name, word) TERM_##name,
#include "prove/term.def"
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
    bool flag;     // AGGREGATE: DISTINCT; arithmetic: of REAL numbers
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

typedef struct term_list {
    const term **ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} term_list;

// The one term that is as `like` says; its `has`, `no`, `height` and `hash`
// do not count.
const term *term_make(prover *p, term like);

const term *term_integer(prover *p, int64_t n);
const term *term_text(prover *p, str text);
const term *term_null(prover *p);
const term *term_column(prover *p, instance *source, int32_t column);
const term *term_rowid(prover *p, instance *source);
const term *term_of(prover *p, term_kind kind, const term *a, const term *b);

bool term_is_literal(const term *t);  // INTEGER, REAL, TEXT
bool term_is_number(const term *t, int64_t n);
bool term_is_truth(const term *t);  // gives 0, 1 or NULL only

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

bool term_list_has(const term_list *l, const term *t);
void term_list_add(prover *p, term_list *l, const term *t);   // if it is new
void term_list_push(prover *p, term_list *l, const term *t);  // anyway
void term_list_remove(term_list *l, ptrdiff_t i);

/*
 * Replacing what lies in a term. `visit` gives what stands in place of a term,
 * or NULL to go on with its parts. Subqueries are changed in place; with
 * `copies` they are copied, and what is copied may be changed by `visit`.
 */
typedef struct rewrite rewrite;
struct rewrite {
    prover *p;
    const term *(*visit)(rewrite *r, const term *t);
    bool copies;
    instance *from;  // for `visit`
    int32_t column;
    const term *to;
    const term *const *outputs;
    bool of_groups;
    const int32_t *places;
    const term *wanted;
};

const term *term_rewrite(rewrite *r, const term *t);
void term_list_rewrite(rewrite *r, term_list *l);

// Calls `visit` for the term and all in it, subqueries too.
typedef bool term_visit(void *context, const term *t);
void term_walk(const term *t, term_visit *visit, void *context);

#endif  // ASSAY_PROVE_TERM_H
