/*
 * guard_marks.h - what the tree of a query tells about the words of its text.
 */
#ifndef ASSAY_ENGINE_GUARD_MARKS_H
#define ASSAY_ENGINE_GUARD_MARKS_H

#include "base/arena.h"
#include "engine/query_guard.h"

typedef enum guard_mark {
    MARK_NONE,
    MARK_NO_CALL,  // what begins here is not called
    MARK_CALL,     // it is, though it may be a word of the grammar
    MARK_TABLE,    // the last name of a table
    MARK_BOUNDED,  // it is called, and gathers no more than a table holds
} guard_mark;

typedef struct guard_marks {
    char *at;               // guard_mark, by byte of the text: a word's is at
                            // its first byte, a quoted one's at the next
    vec_of(str) nicknames;  // names that stand for tables in this query alone
    vec_of(str) quoted_tables;  // those whose names hold quotes
    bool is_read;               // there is a tree
    bool writes;
    bool locks;  // rows, until the query ends
    str grown;   // the function of a call that may grow without a bound
} guard_marks;

// `query` may be NULL: nothing is marked. The value lives in *a.
guard_marks guard_mark_tree(const query_guard *g,
                            str sql,
                            const struct ast *query,
                            arena *a);

#endif  // ASSAY_ENGINE_GUARD_MARKS_H
