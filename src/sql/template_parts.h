/*
 * template_parts.h - what the files of template.h share: a statement cut into
 * pieces, and the way from pieces to variants.
 */
#ifndef ASSAY_SQL_TEMPLATE_PARTS_H
#define ASSAY_SQL_TEMPLATE_PARTS_H

#include "sql/lex.h"
#include "sql/template.h"

enum {
    TEMPLATE_MAX_ITEMS = 62,        // of one group: a choice is a 64-bit set
    TEMPLATE_MAX_PIECES = 8192,     // of one statement
    TEMPLATE_MAX_BYTES = 64 << 20,  // of all variants of one statement
    TEMPLATE_DEFAULT_MAX = 4096,
};

typedef struct template_item {
    str text;
    str bare;  // without its alias
} template_item;

typedef struct template_group {
    vec_of(template_item) items;
    ptrdiff_t pos;   // of its `{`
    bool overflows;  // it had more than TEMPLATE_MAX_ITEMS items
} template_group;

typedef enum piece_kind {
    PIECE_TEXT,
    PIECE_GROUP,   // {a,b}
    PIECE_REPEAT,  // {}
} piece_kind;

typedef struct template_piece {
    piece_kind kind;
    str text;         // PIECE_TEXT
    ptrdiff_t group;  // PIECE_GROUP, PIECE_REPEAT: whose choice
    bool drops_alias;
} template_piece;

typedef struct template_statement {
    vec_of(template_piece) pieces;
    vec_of(template_group) groups;
    ptrdiff_t pos;   // of its first token
    bool has_token;  // it is more than blanks and comments
} template_statement;

typedef struct template_reader {
    str gold;
    lexer lex;
    template_options options;
    diag *d;
    arena *a;             // of pieces and groups
    ptrdiff_t text_from;  // where the piece of text that is being read begins
} template_reader;

// The next statement of the gold, up to its `;` or the end. False with a
// message when a group in it is wrong.
bool template_read(template_reader *r, template_statement *s, bool *is_last);

// Adds the variants of the statement, first group varying slowest. False with
// a message when they are too many or too big.
bool template_build(str_list *out,
                    arena *a,
                    const template_reader *r,
                    const template_statement *s,
                    arena scratch);

// All non-empty subsets of n things as bit sets: singles first, then pairs and
// so on, each size in listed order.
uint64_t *template_choices(arena *a, ptrdiff_t n);

// Adds what Defog's program makes of the gold of the reader.
bool template_reference(str_list *out,
                        arena *a,
                        const template_reader *r,
                        arena scratch);

// Both add a message about byte `pos` of the gold and return false.
bool template_too_many(diag *d, str gold, ptrdiff_t pos, ptrdiff_t max);
bool template_too_big(diag *d, str gold, ptrdiff_t pos);

#endif  // ASSAY_SQL_TEMPLATE_PARTS_H
