/*
 * kind.h - kinds of test cases: pure functions from named text sections to
 * named text sections. Each kind is registered by a line in kinds.def and
 * lives in a tests/kind_*.c.
 */
#ifndef ASSAY_TESTS_KIND_H
#define ASSAY_TESTS_KIND_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

typedef struct test_case test_case;

// The body of the input section `name`; empty when it is absent.
str case_section(const test_case *c, const char *name);
bool case_has_section(const test_case *c, const char *name);

// The i-th section `name`, counted from 0, for sections that may stand several
// times with different arguments (`--- files NAME`). False past the last one;
// argument and body may be NULL.
bool case_section_at(const test_case *c,
                     const char *name,
                     ptrdiff_t i,
                     str *argument,
                     str *body);

// The value of the `key: value` line; empty when it is absent.
str case_key(const test_case *c, const char *key);
int64_t case_key_int(const test_case *c, const char *key, int64_t fallback);

// The engine of the case: "sqlite" when it names none; and, of a server, the URL
// that tests may make databases at.
str case_engine(const test_case *c);
str case_server(const test_case *c);

// Memory of this case: results, and scratch that the kind may use freely.
arena *case_arena(test_case *c);
arena case_scratch(test_case *c);

// What the kind found out: the text of section `want` (name "") or of
// `want NAME`. A kind whose input holds its outputs (cli) gives that section's
// name and its whole text. Blank lines at the end do not count.
void case_output(test_case *c, const char *name, str text);

// Ends the case as failed: the case file itself is wrong.
void case_broken(test_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Ends the case as skipped: this machine lacks what it needs.
void case_skip(test_case *c, str why);

typedef struct test_kind {
    const char *name;
    const char *sections;  // input sections it knows, separated by blanks
    const char *keys;      // keys it knows, separated by blanks
    void (*run)(test_case *c);
} test_kind;

#endif  // ASSAY_TESTS_KIND_H
