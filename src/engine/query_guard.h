/*
 * query_guard.h - what may be sent to a server: one plain query that calls
 * nothing that reaches beyond it.
 *
 * Why         SQLite asks us about each thing that a query does. Servers do
 *             not: there the fences are a read-only transaction and a role
 *             without rights, and this, a look at the text for what those two
 *             let pass (settings, locks that outlive a transaction, queries
 *             inside a text, waking other sessions).
 *
 * Promise     What is sent was read: the parser made one query of all of it,
 *             with the lexer that ends comments and strings where the server
 *             does, and each function in it is on the list of the system.
 */
#ifndef ASSAY_ENGINE_QUERY_GUARD_H
#define ASSAY_ENGINE_QUERY_GUARD_H

#include "base/map.h"
#include "engine/engine.h"

// A name of the owner's, in the letters of any language, as the server cuts it.
void guard_add_name(map *names, arena *a, str name, dialect d);

// What a system says of a function that is on no list.
typedef enum guard_said {
    GUARD_SAYS_NOTHING,
    GUARD_SAYS_NONE,      // there is none of that name, nor will it be called
    GUARD_SAYS_COMPUTES,  // it is the system's own, and does nothing but that
    GUARD_SAYS_MORE,
} guard_said;

// What the owner of a database made, and what its catalogue says.
typedef struct guard_own {
    // Of a function, by the schema before it, or empty, and its name, which has
    // quotes or none; or of an operator. May be NULL.
    guard_said (
        *ask)(void *context, str home, str name, bool is_quoted, arena scratch);
    void *context;
    map attributes;    // functions that x.f might call
    map overloads;     // functions and operators that a name or a sign
                       // might mean, though a list allows it
    map telling;       // views that lead to what a query may not name
    bool is_implicit;  // others, which no word of a query shows: casts,
                       // the = of IN
} guard_own;

// Lists of names have a blank between two and may be NULL. One with '*' at the
// end stands for all that begin so, one with '*' at its start and end for all
// that hold it.
typedef struct query_guard {
    dialect dialect;
    const char *verbs;      // what else a query may begin with
    const char *systems;    // letters: it may call the functions that they have
                            // (function.def)
    const char *refused;    // functions by name: known, and never called; they
                            // are no attributes either
    const char *banned;     // likewise, whatever the catalogue says; but they
                            // may be attributes, and what is allowed by its
                            // whole name is not banned
    const char *growing;    // functions whose third argument must be a short
                            // literal: they repeat it, without a bound
    const char *gathering;  // aggregates of texts without a bound: only plain
                            // columns of one table may be gathered
    const char *secrets;   // may not stand anywhere: what holds passwords, what
                           // writes files
    const char *schemas;   // the server's own: no table of theirs may be named
    str home;              // the schema of functions, when one is named
    bool bounds_growth;    // no engine does: guard_growth.c
    bool runs_comments;    // /*! these */
    bool has_attributes;   // x.f may call f(x), signs may be functions
    bool has_methods;      // x.f() is f(x)
    bool has_own_grammar;  // that assay reads in part only, inside the sandbox:
                           // the words alone are looked at
    bool is_unicode;       // blanks beyond ASCII are blanks
    bool has_braces;       // {fn x} is rewritten on the way to the server
    bool is_script;        // on a copy of its own: statements that write pass
} query_guard;

// What asks MariaDB or MySQL whether the login may do anything, or read and
// write the server's files: 1 or 0. Quotes are left out on both sides, for a
// name may hold an @, and only the whole tells where the host begins.
#define MARIADB_ASKS_POWER                                                  \
    "SELECT IF(COUNT(*) > 0, 1, 0) FROM information_schema.USER_PRIVILEGES" \
    " WHERE PRIVILEGE_TYPE IN ('SUPER', 'FILE') AND"                        \
    " REPLACE(GRANTEE, CHAR(39), '')"                                       \
    " = REPLACE(CURRENT_USER(), CHAR(39), '')"

// The databases of MariaDB and MySQL that hold what the server knows.
#define MARIADB_OWN_DATABASES \
    "'mysql', 'information_schema', 'performance_schema', 'sys'"

// What shows, line by line, what roles add to that, and whether a line does.
#define MARIADB_SHOWS_GRANTS "SHOW GRANTS"
bool guard_grants_power(str grant);

// guard_lists.c: of the systems that assay knows, and of all others.
extern const query_guard guard_postgres;
extern const query_guard guard_mariadb;
extern const query_guard guard_duckdb;
extern const query_guard guard_other;

typedef enum guard_answer {
    GUARD_SENDS,
    // When the server, asked, reads nothing of the owner's in it:
    GUARD_ASKS,
    GUARD_REFUSES,
    // Not understood, and not run. The server is shown it, who may know that it
    // is wrong:
    GUARD_CANNOT_READ,
    GUARD_NOT_LISTED,  // a function that is on no list
} guard_answer;

// `own` may be NULL. Sets reads_clock and reads_random of *x, or status and
// message.
guard_answer query_guard_check(const query_guard *g,
                               const guard_own *own,
                               str sql,
                               execution *x,
                               arena *a);

// Does a definition, in which each table has its schema before it, name or call
// what a query may not?
bool guard_tells(const query_guard *g, const guard_own *own, str sql, arena *a);

// Can the text be read in any of our dialects?
bool query_guard_reads(str sql, arena *a);

// guard_calls.c: the words of a text that was read, `query` its tree (NULL:
// the text is looked at as another system would read it).
guard_answer guard_check_calls(const query_guard *g,
                               const guard_own *own,
                               str sql,
                               const struct ast *query,
                               execution *x,
                               arena *a);
bool guard_is_among(str name, const char *list);

// guard_growth.c: is no value large by the literals of the text?
bool guard_bounds_growth(const query_guard *g,
                         str sql,
                         const struct ast *query,
                         execution *x,
                         arena *a);
// Did the user allow the function? The name may have its schema before it.
bool guard_is_trusted(str name);

#endif  // ASSAY_ENGINE_QUERY_GUARD_H
