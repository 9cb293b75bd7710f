/*
 * neighbor_change.h - what the files that change a tree share. Internal to
 * src/suite/neighbor*.c.
 *
 * Method      A change is made in the tree itself, by changer_set() and
 *             changer_edit(), which remember what was there; changer_emit()
 *             prints the whole and takes all of it back. So nothing is copied,
 *             a text that was seen before costs no more than its hash, and who
 *             describes a change need not say how to undo it.
 */
#ifndef ASSAY_SUITE_NEIGHBOR_CHANGE_H
#define ASSAY_SUITE_NEIGHBOR_CHANGE_H

#include "base/map.h"
#include "base/rng.h"
#include "suite/neighbor.h"

typedef struct changed changed;

typedef struct changer {
    arena *a;          // for the neighbors
    arena trees;       // for new nodes; walk() gives them back
    changed *changed;  // since the last neighbor, the latest first
    arena scratch;     // for the printer
    ast *root;         // of the query; changes may exchange it
    const binding *binding;
    const neighbor_options *options;
    rng rng;
    map seen;           // printed texts; the first is the gold's
    ptrdiff_t n_bytes;  // printed so far
    neighbor_list out;
    str spelled;  // of what is emitted; see neighbor
} changer;

// Where a node hangs.
typedef struct site {
    ast **slot;              // what points to it: a child of its parent, or the
                             // `next` before it in a list
    const ast *parent;       // NULL: the query itself
    int kid;                 // which child of the parent it is, or is in
    const bound_block *own;  // of the SELECT that it is; NULL: it is none
    const bound_block *block;  // in whose clauses it stands; NULL: unknown
    ast *select;               // the nearest SELECT around it; NULL: none
    bool in_on;                // in the condition of a join
    bool in_limit;
    bool is_scalar;   // in the LIMIT of a query that gives one value: it takes
                      // the first row whatever LIMIT says
    bool is_pattern;  // right of LIKE
    bool is_set;      // a query whose repeated rows do not count: below IN,
                      // EXISTS, UNION
} site;

// What follows is a change: until the next changer_emit().
void changer_set(changer *c, ast **slot, ast *node);
ast *changer_edit(changer *c, ast *n);  // its text, form, flags and children

// Prints the tree as it stands, keeps the text when it is new, and takes back
// what was changed.
void changer_emit(changer *c, neighbor_kind kind);

// The same with another child, or none.
void changer_child(changer *c, neighbor_kind kind, ast **slot, ast *node);

// The same with `node` in the place of the one at the site.
void changer_put(changer *c, neighbor_kind kind, ast **slot, ast *node);

// The same with a string at the site.
void changer_text(changer *c, neighbor_kind kind, const site *s, str text);

// The same without the child, if it is there; of a list without all of it.
void changer_without(changer *c, neighbor_kind kind, ast **kid);

// The same without each member of a list that has several.
void changer_drop_each(changer *c, neighbor_kind kind, ast **list);

// The same with other flags, or another form, of the node.
void changer_flags(changer *c, neighbor_kind kind, ast *n, uint16_t flags);
void changer_form(changer *c, neighbor_kind kind, ast *n, int form);

// The same with two nodes in each other's place.
void changer_swap(changer *c, neighbor_kind kind, ast **slot, ast **other);

// New nodes: of any kind, from what is not zero in them, with each child under
// its constant (SELECT_FROM); below those that are made most often.
typedef struct node_draft {
    ast_kind kind;
    int form;
    int flags;
    str text;
    ast *kids[SELECT_LOCK + 1];  // no kind has more
} node_draft;

ast *changer_new(changer *c, node_draft d);
ast *changer_number(changer *c, str text);  // with its sign
ast *changer_string(changer *c, str content);
ast *changer_binary(changer *c, sql_operator o, ast *left, ast *right);
ast *changer_not(changer *c, ast *n);
ast *changer_is_null(changer *c, const ast *n);  // of a copy
ast *changer_call(changer *c, str name, ast *argument);
ast *changer_first(changer *c);  // LIMIT 1
ast *changer_count(changer *c);  // COUNT(*)
ast *changer_subquery(changer *c, ast *query);

ast *changer_name(changer *c, ast_kind kind, str name);  // a node that is one
ast *changer_path(changer *c, str table, str column);    // table.column
ast *changer_copy(changer *c, const ast *n);             // NULL for NULL
ast *changer_and(changer *c, ast *left, ast *right);     // one may be NULL
ast *changer_in(changer *c, ast *left, ast *query, bool is_not);

// The table of a source, with its alias, anew.
ast *changer_source(changer *c, const bound_source *source);

// A SELECT of the same clauses, without DISTINCT, that shows `items`.
ast *changer_inner(changer *c, const ast *n, ast *items);

// Does the expression name columns of the source, and no others? Do all of a
// list together?
bool changer_belongs(const changer *c, const ast *n, const bound_source *s);
bool changer_all_belong(const changer *c,
                        const ast *list,
                        const bound_source *s);

// The sides of an equation, that of the source first, if one is.
void changer_sides(const changer *c,
                   const ast *on,
                   const bound_source *s,
                   const ast *sides[2]);

// Does the node stand for the one value that it gives?
bool changer_is_scalar(const site *s, const ast *n);

// Is it LIMIT 1?
bool changer_is_first(const ast *limit);

// Does the expression read the source, in a subquery at least?
bool changer_reads(const changer *c, const ast *n, const bound_source *s);
bool changer_some_read(const changer *c,
                       const ast *list,
                       const bound_source *s);

// Parts conditions joined by AND: those that pass, and the others.
typedef bool source_test(const changer *c, const ast *n, const bound_source *s);
void changer_part(changer *c,
                  ast *n,
                  source_test *passes,
                  const bound_source *s,
                  ast **own,
                  ast **others);

// At the end of a list that is being made.
void changer_append(ast **list, ast *n);

// Does each row have exactly one partner by a foreign key between the columns?
bool changer_has_partner(const changer *c, const ast *child, const ast *parent);

// The key of the table that the first item comes from, as a column; NULL: none
// that is one column, or it is the item.
ast *changer_key_of_first(changer *c, const ast *n, const bound_block *block);

// A column of a source as the block can name it; NULL when it cannot.
ast *changer_column(changer *c,
                    const bound_source *source,
                    int32_t column,
                    const bound_block *block);

// What the string says; false when the node is none.
bool changer_content(changer *c, const ast *n, str *out);

// Of a string that PostgreSQL reads as a time; false when it is none.
bool change_time(changer *c, const site *s, str text);

// Each looks at the node at the site and nothing below.
typedef void change(changer *c, const site *s, ast *n);
#define CALL(node, function) change function;
#include "suite/neighbor_step.def"

#endif  // ASSAY_SUITE_NEIGHBOR_CHANGE_H
