/*
 * clauses_text.c - facts in words, with tables by their names (clauses.h).
 *
 * Method      The tree is copied, each column with the table that it is bound
 *             to in place of its alias, and printed. Subqueries keep what they
 *             call their own tables.
 */
#include "relation/clauses_internal.h"
#include "sql/ast_rewrite.h"
#include "sql/print.h"

clause_text key_same_text(str text)
{
    return (clause_text){text, text};
}

str key_source_name(const bound_source *s)
{
    return s->node && s->node->kind == AST_TABLE ? s->node->text : s->name;
}

static ast *name_of(arena *a, const bound_source *s)
{
    ast *name = ast_new(a, AST_NAME);
    name->text = key_source_name(s);
    name->form = s->node && s->node->kind == AST_TABLE ? s->node->form
                                                       : (uint8_t)QUOTE_NONE;
    return name;
}

typedef struct naming {
    const keyer *k;
    arena *a;
    const ast *top;
    bool is_full;
} naming;

// A column of a source that is not one of the subqueries in `top`.
static ast *named(void *context, const ast *n)
{
    const naming *in = context;
    const bound_ref *ref = n->kind == AST_COLUMN ? bind_ref(in->k->b, n) : NULL;
    if (!ref || ref->kind != REF_COLUMN || !ref->source || ref->is_merged) {
        return NULL;
    }
    const ast *block = ref->source->block->node;
    bool is_inside = block->pos >= in->top->pos
                     && block->pos + block->len <= in->top->pos + in->top->len;
    if (is_inside || key_source_name(ref->source).len == 0) {
        return NULL;
    }
    ast *copy = ast_new(in->a, AST_COLUMN);
    copy->form = n->form;
    copy->text = n->text;
    if (in->is_full) {
        copy->kid[COLUMN_PATH] = name_of(in->a, ref->source);
    }
    return copy;
}

static str print_one(keyer *k, const ast *n, bool is_full)
{
    enum {
        SHOWN_MAX = 70
    };
    arena memory = k->scratch;
    arena work = arena_half(&memory);
    naming in = {k, &work, n, is_full};
    const ast *copy = ast_rewrite(&work, n, named, &in);
    str text = print_line(&memory, copy, k->b->dialect, work);
    if (text.len <= SHOWN_MAX) {
        return arena_str(k->a, text);
    }
    ptrdiff_t end = SHOWN_MAX - 3;
    while (end > 0 && ((unsigned char)text.ptr[end] & 0xc0) == 0x80) {
        end--;
    }
    return arena_printf(k->a, "%.*s...", (int)end, text.ptr);
}

clause_text key_print(keyer *k, const ast *n)
{
    return (clause_text){print_one(k, n, false), print_one(k, n, true)};
}
