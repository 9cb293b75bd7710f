// other_internal.h - what the files of other_meaning.h share.
#ifndef ASSAY_CHECK_OTHER_INTERNAL_H
#define ASSAY_CHECK_OTHER_INTERNAL_H

#include "check/other_meaning.h"
#include "sql/semantics.h"

typedef struct other_look {
    const binding *b;
    dialect d;
    semantics means;
    bool is_plain;  // both queries have letters of ASCII only, and no parts of
                    // seconds
    arena *a;
    arena scratch;
    other_meaning out;
    const ast *rounded;        // the quotient whose digits nobody sees
    const ast *computed;       // the span whose day the translator knows
    bool is_order;             // does a comparison ask which is less?
    const ast *select;         // whose names are looked at
    const bound_block *block;  // its own
    semantics_alias place;     // what an alias here takes
    bool is_whole;             // the name is all that there is of the key
} other_look;

// Notes what `n` is that means something else.
void other_add(other_look *l, const char *what, const ast *n);

// The same of what the dialect may refuse.
void other_add_open(other_look *l, const char *what, const ast *n);

// A fraction that becomes a text, in `n`; nothing of any other value.
void other_as_text(other_look *l, const ast *n, const ast *of);

// The same of a number of this type.
void other_padded(other_look *l, const ast *n, const bound_column *c);

// The same of two values that meet.
void other_add_pair(other_look *l,
                    const char *what,
                    const ast *one,
                    const ast *other);

// The same of what refutes as SQLite has it, and shows in a proof only.
void other_add_shown(other_look *l, const char *what, const ast *n);

// other_compare.c:

#define OTHER_SINGLE "a number of single precision"

// Notes what the system may refuse, unless it converts what it is given; what
// may be rounded before it is looked for in an index of whole numbers.
void other_add_strict(other_look *l, const char *what, const ast *n);
void other_add_rounded(other_look *l, const ast *n);

// A number of 24 binary digits, or computed from such; of two numbers, whether
// one has fewer than SQLite gives it.
bool other_is_single(const other_look *l, const ast *n);
bool other_has_fewer_digits(const other_look *l,
                            const ast *one,
                            const ast *other);

// One of them a text or bytes, the other a number, or a truth that is one?
bool other_is_mixed(const other_look *l, schema_kind one, schema_kind other);

// '2020-01-31', with or without more behind it; '2020-02-30' is no day.
bool other_is_dashed(const ast *literal);

// Notes a time beside what is none like it: does a time meet one, a number or a
// truth?
bool other_times(other_look *l,
                 const ast *n,
                 schema_kind one,
                 schema_kind other);

// Of values that are equal, are some not the same?
bool other_equals_unlike(dialect d,
                         const bound_column *l,
                         const bound_column *r);

// other_value.c:

schema_kind other_kind(const other_look *l, const ast *n);
bool other_is_fraction(schema_kind k);
bool other_is_time(schema_kind k);

// Two values that are compared; one that is sorted; a condition, or NULL; two
// of the values that one place may have, or NULL; any other expression but a
// call.
void other_compared(other_look *l,
                    const ast *n,
                    const ast *left,
                    const ast *right);
void other_sorted(other_look *l, const ast *n, const ast *what);
void other_merged(other_look *l, const bound_block *b);  // by USING
void other_condition(other_look *l, const ast *n);
void other_united(other_look *l,
                  const ast *n,
                  const ast *one,
                  const ast *other);
void other_value(other_look *l, const ast *n);

#endif  // ASSAY_CHECK_OTHER_INTERNAL_H
