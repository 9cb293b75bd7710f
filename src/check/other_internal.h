// other_internal.h - what the files of other_meaning.h share.
#ifndef ASSAY_CHECK_OTHER_INTERNAL_H
#define ASSAY_CHECK_OTHER_INTERNAL_H

#include "check/meets.h"
#include "check/other_meaning.h"

typedef struct other_look {
    const binding *b;
    dialect d;
    semantics means;
    meeting meets;  // told to other_met()
    bool is_plain;  // both queries have letters of ASCII only, and no parts of
                    // seconds
    arena *a;
    arena scratch;
    other_meaning out;
    const ast *rounded;        // the quotient whose digits nobody sees
    bool is_order;             // does a comparison ask which is less?
    const ast *select;         // whose names are looked at
    const bound_block *block;  // its own
    semantics_alias place;     // what an alias here takes
    bool is_whole;             // the name is all that there is of the key
} other_look;

// Notes what `n` is that means something else.
void other_add(other_look *l, const char *what, const ast *n);

// The same of two values that meet, whichever is written first.
void other_add_pair(other_look *l,
                    const char *what,
                    const ast *one,
                    const ast *other);

// The same of what refutes as SQLite has it, and shows in a proof only.
void other_add_shown(other_look *l, const char *what, const ast *n);

// The same of a column whose digits show in texts.
void other_add_scale(other_look *l, const char *what, const operand *column);

// IS_*; NONE of NULL.
unsigned other_kind(const other_look *l, const ast *n);

// What meets at a node, by meaning.def: a meet_visit of an other_look.
void other_met(void *context,
               meet_place place,
               const ast *n,
               const operand *one,
               const operand *other);

#endif  // ASSAY_CHECK_OTHER_INTERNAL_H
