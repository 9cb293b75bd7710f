/*
 * bind_internal.h - what the files of the binder share; for them alone.
 *
 * A scope is what a block is while names are looked up in it: its public half
 * comes first, so that a scope is found from its block.
 *
 * Reading order  bind_cte, bind_with, bind_scope, binder
 */
#ifndef ASSAY_SCHEMA_BIND_INTERNAL_H
#define ASSAY_SCHEMA_BIND_INTERNAL_H

#include "schema/bind.h"

typedef struct bind_scope bind_scope;
typedef struct bind_with bind_with;

typedef enum cte_state {
    CTE_UNUSED,  // SQLite looks at a CTE only when it is used
    CTE_OPEN,    // being bound: a use of it now is a recursive one
    CTE_DONE,
} cte_state;

typedef struct bind_cte {
    const ast *node;
    bind_with *home;
    cte_state state;
    bool has_columns;  // of a recursive one, once its first part is bound
    bound_query *query;
    const bound_column *columns;
    ptrdiff_t n_columns;
} bind_cte;

struct bind_with {
    bind_with *outer;
    bind_scope *scope;   // what the names of its CTEs may mean
    bind_scope *around;  // the block it stands in
    bind_cte *ctes;
    ptrdiff_t n;
    bool sees_all;   // a CTE may use those after it, too
    bool sees_self;  // and itself
};

typedef enum bind_clause {
    CLAUSE_ITEMS,
    CLAUSE_FROM,  // ON, arguments of functions
    CLAUSE_WHERE,
    CLAUSE_GROUP,
    CLAUSE_HAVING,
    CLAUSE_ORDER,
    CLAUSE_LIMIT,  // no column at all
    CLAUSES,
} bind_clause;

// An alias around a join in parentheses: another name for all its sources.
typedef struct bind_group {
    str name;
    ptrdiff_t from;
    ptrdiff_t to;
} bind_group;

// A condition or a call of a FROM, bound once all its sources are known.
typedef struct bind_later {
    const ast *expr;
    ptrdiff_t from;  // the sources that it may use, but in SQLite
    ptrdiff_t to;
} bind_later;

struct bind_scope {
    bound_block block;   // first: see bind_scope_of()
    bind_scope *outer;   // where to look next; NULL: nowhere
    bind_scope *around;  // the block it stands in
    bind_with *with;
    int32_t level;  // how many are outer
    bind_clause clause;
    ptrdiff_t from;  // of its sources, those that can be seen
    ptrdiff_t to;
    const ast *key;  // the expression of ORDER BY or GROUP BY that is bound
    bool *is_alias;  // by output: its name was given, not found
    vec_of(bound_source *) sources;
    const ast *on;  // the ON at hand; NULL: another clause
    vec_of(bound_merge) merges;
    vec_of(bind_group) groups;
    vec_of(bind_later) later;
    bool has_right_join;  // or a full one
    bool is_open;         // `*` of what is unknown
};

// Where a query stands.
typedef struct bind_place {
    bind_scope *outer;
    bind_scope *around;
    bind_with *with;
    bind_cte *cte;  // whose first part it is; NULL: none
} bind_place;

typedef struct binder {
    arena *a;
    arena *scratch;
    binding *b;
    const bound_column **tables;  // columns by table of the schema
    bound_query **views;          // by table of the schema
    bool *is_open_view;           // being bound
    int quiet;                    // > 0: problems are passed over
    int height;                   // of the recursion
    // The aggregate that is being bound: its level, and the innermost level
    // not above it that its arguments use (-1: none). It belongs there.
    int32_t call_level;
    int32_t call_deepest;
    bool in_call;  // directly: a unit of time may stand here
} binder;

static inline bind_scope *bind_scope_of(const bound_block *block)
{
    return (bind_scope *)(uintptr_t)block;  // made by us, not const
}

static inline bool bind_is_sqlite(const binder *b)
{
    return b->b->dialect == DIALECT_SQLITE;
}

// bind_name.c
bool bind_name_is(const binder *b, str stored, const ast *name);
int32_t bind_find_column(const binder *b,
                         const bound_source *s,
                         const ast *name);
const bound_ref *bind_column(binder *b, bind_scope *s, const ast *n);
int32_t bind_find_output(const binder *b, const bind_scope *s, const ast *name);
void bind_set_ref(binder *b, const ast *n, bound_ref ref);
// May what is bound now name columns of the source?
bool bind_sees(const bind_scope *s, const bound_source *source);
bool bind_is_whole_source(const binder *b,
                          const bind_scope *s,
                          const bound_source *source,
                          ptrdiff_t place,
                          const ast *qualifier);

// bind_equal.c: the same expression, once names are known: T1.id and id.
bool bind_same_expr(const binding *b,
                    const ast *x,
                    const ast *y,
                    arena scratch);

// bind_from.c
void bind_from(binder *b, bind_scope *s, const ast *from);
bool bind_merged_away(const bind_scope *s,
                      const bound_source *source,
                      int32_t column,
                      const bound_merge **merge);

// bind_source.c
bound_source *bind_source(binder *b,
                          bind_scope *s,
                          const ast *node,
                          const ast *alias,
                          bool is_lateral);
bind_with *bind_with_of(binder *b, const ast *with, bind_place place);
void bind_unused(binder *b, bind_with *with);
void bind_anchor(binder *b, bind_cte *cte, const bound_query *query);

// bind_query.c
bound_query *bind_form(binder *b, const ast *n, bind_place place);
void bind_expr(binder *b, bind_scope *s, const ast *n);
void bind_exprs(binder *b, bind_scope *s, const ast *list);

// bind_items.c
void bind_items(binder *b, bind_scope *s, const ast *items);

// bind_order.c
void bind_keys(binder *b, bind_scope *s, const ast *keys, bind_clause clause);
void bind_set_order(binder *b, const bound_query *q, const ast *order);

// bind_problem.c
void bind_problem_add(binder *b,
                      bind_problem_kind kind,
                      const ast *at,
                      const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
void bind_no_column(binder *b, const bind_scope *s, const ast *n);
void bind_no_table(binder *b, const bind_scope *s, const ast *n);
void bind_is_ambiguous(binder *b,
                       const ast *n,
                       const bound_source *first,
                       const bound_source *second);

// bind_type.c
bound_column bind_column_of(const schema_column *stored);  // NULL: unknown
bound_column bind_computed(bound_column c);
// Of values of either, what is known of numbers.
void bind_unite(bound_column *c, const bound_column *other);

// bind_number.c
void bind_number(binder *b, ast *n);

#endif  // ASSAY_SCHEMA_BIND_INTERNAL_H
