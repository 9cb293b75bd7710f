// proof.h - what a proof may assume, is asked for and says.
#ifndef ASSAY_PROVE_PROOF_H
#define ASSAY_PROVE_PROOF_H

#include "base/arena.h"
#include "base/str.h"
#include "relation/relation_assume.h"
#include "sql/dialect.h"

typedef struct prove_options {
    unsigned assume;     // ASSUME_*
    bool keeps_columns;  // the columns must be in the same order
    bool keeps_order;    // an ORDER BY of one side only counts
    bool rounds;         // results may differ by how they are rounded
    dialect elsewhere;   // whose queries these are in SQLite's words, or
                         // were; SQLITE: they are what they are
    bool explains;       // `forms` of the proof are wanted
    str without;         // a rule that is not to be used; empty: none
    const char *unsafe;  // rules that do not hold; NULL: none
    const struct proof *script;  // only its steps, in their order; NULL: any
    struct solver *solver;       // what the rules leave open is asked of it;
                                 // NULL: there is none
} prove_options;

typedef enum prove_side {
    PROVE_LEFT,
    PROVE_RIGHT,
} prove_side;

// A rule that was applied, in the order of application on its side.
typedef struct proof_step {
    prove_side side;
    str rule;     // its name in rule.def
    int32_t pos;  // of the SELECT it was applied to, in the text of its side
    int32_t len;
    str form;  // of that SELECT afterwards; empty without `explains`
} proof_step;

typedef struct proof {
    bool is_proved;
    unsigned assumptions;  // ASSUME_*: those that the proof needs
    vec_of(proof_step) steps;
    const int32_t *columns;  // column i of the left result is column
    ptrdiff_t n_columns;     // columns[i] of the right one
    bool is_permuted;        // some column is elsewhere
    bool is_rounded;         // equal within rounding only
    bool lacks_solver;       // one was to be asked, but is not there
    bool is_unnested;        // subqueries that aggregate were read as groups
    bool wants_types;        // whole numbers, as types give them, might help
    bool gave_up;            // a limit kept the solver from answering
    str obstacle;  // not proved: what of a query cannot be treated ("window
                   // frame"); empty: the forms differ
    str forms[2];  // the canonical forms, by side
} proof;

#endif  // ASSAY_PROVE_PROOF_H
