// check_verdict.h - what a check is asked and what it says.
#ifndef ASSAY_CHECK_CHECK_VERDICT_H
#define ASSAY_CHECK_CHECK_VERDICT_H

#include "prove/prove.h"
#include "table/table.h"

typedef enum check_answer {
    CHECK_UNKNOWN,
    CHECK_EQUIVALENT,
    CHECK_DIFFERENT,
} check_answer;

typedef enum check_evidence {
    EVIDENCE_BOUND,  // unknown: what was tried
    EVIDENCE_PROOF,
    EVIDENCE_WITNESS,
    EVIDENCE_COLUMNS,  // different numbers of columns
    EVIDENCE_ERROR,    // exactly one query does not compile
} check_evidence;

typedef enum cause {
#define CAUSE(constant, word, text) CAUSE_##constant,
#include "check/cause.def"
    CAUSE_COUNT,
} cause;

// Does a witness obey what the data show?
typedef enum check_realism {
    REALISM_OPEN,  // there are no facts, or it was not found out
    REALISM_NO,
    REALISM_YES,
} check_realism;

// From which tolerance on numbers that differ in how they were rounded are
// equal.
#define ROUNDING_TOLERANCE 1e-10

typedef struct check_options {
    unsigned assume;   // ASSUME_*
    bool by_position;  // columns must be in the same order
    double tolerance;  // relative, for floating-point numbers
    int32_t max_rows;  // of a table; 0: as the queries need
    int64_t databases;
    int64_t timeout_ms;  // of a pair: a safety net; 0: none
    // Called when a part begins that may take as long as the pair (the search,
    // the minimising), and with false when it ends, so that a watcher can kill
    // what one endless call of a function holds up. May be NULL.
    void (*step)(void *context, bool begins);
    void *step_context;
    int64_t seed;
    int64_t clock_ms;  // what the queries take for now
    unsigned ignored;  // 1 << cause: a witness with no other causes does not
                       // count
    bool rounds;       // what is equal within rounding is equivalent, and
                       // the verdict says so
    bool explains;     // the proof keeps the form after each step
    bool only_proves;  // what is not proved is unknown: nothing is searched
    bool tries_all;    // also tries what is proved on all databases
    str without;       // a rule that the prover may not use; empty: none
    str scratch_url;  // of a schema that PostgreSQL keeps: the server that runs
                      // the queries; of one of DuckDB's: duckdb:, in memory;
                      // else empty: SQLite, in memory
    struct solver *solver;  // for what rules and databases leave open; NULL:
                            // none
    const struct facts
        *facts;         // of the data, about the tables of the checker; they
                        // live as long as it does; NULL: none
    bool is_realistic;  // the verdict is about data that obey the facts
} check_options;

// A table as it is in a witness: the columns that the queries read.
typedef struct check_table {
    str name;
    table rows;
} check_table;

typedef struct check_witness {
    str sql;  // CREATE and INSERT statements
    check_table *tables;
    ptrdiff_t n_tables;
    table left;
    table right;
    str left_error;  // FINDING_ERROR: of the one that fails
    str right_error;
    struct instance_table *rows;  // all of them, by table of the schema
} check_witness;

typedef struct check_verdict {
    check_answer answer;
    check_evidence evidence;
    str reason;       // a published word; empty: none
    str detail;       // for people
    unsigned causes;  // 1 << cause
    bool is_stable;   // differs in every order of rows tried; else certain
    check_witness witness;
    proof proof;
    check_realism realism;  // of a refutation
    str_list breaks;        // facts that the only witness found breaks
    str_list needs;         // facts under which the queries are equivalent:
                            // the answer in the realistic world, a remark on
                            // it in the declared one
    unsigned assumed;       // ASSUME_*: what every database tried satisfies
    str broken;             // equiv: what is declared and assumed nowhere, for
                            // the data at hand break it; empty: all was
    bool is_translated;     // the queries were written in SQLite's words first
    bool has_used_types;    // columns have the types that the queries take
                            // them for
    int64_t databases;      // tried
    int64_t unstable;       // on which the results differed, but need not have
    int64_t illegal;        // that broke a constraint: a fault of the sampler
    int64_t most_rows;      // of a table of theirs
    bool is_vacuous;        // neither query returned a row on any of them
    bool fails[2];          // left, right: it does not compile
    bool is_contradicted;   // proved, and yet there is a witness
    int64_t searched;       // databases that the proof stood
    bool cannot_replay;     // tries_all: the steps of the proof do not give it
    int64_t ns;             // processor time
} check_verdict;

str check_answer_word(check_answer a);
str check_evidence_word(check_evidence e);
str cause_word(cause v);
str cause_text(cause c);
bool cause_from_word(str word, cause *out);

check_options check_default_options(void);

#endif  // ASSAY_CHECK_CHECK_VERDICT_H
