/*
 * clauses_text.c - facts in words, with tables by their names (clauses.h).
 *
 * Method      The tree is copied, each column with the table that it is bound
 *             to in place of its alias, and printed. Subqueries keep what they
 *             call their own tables.
 */
#include "intent/clauses_internal.h"
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

// A column of a source that is not one of the subqueries in `top`; else NULL.
static const bound_source *source_around(const keyer *k,
                                         const ast *top,
                                         const ast *n)
{
    const bound_ref *ref = n->kind == AST_COLUMN ? bind_ref(k->b, n) : NULL;
    if (!ref || ref->kind != REF_COLUMN || !ref->source || ref->is_merged) {
        return NULL;
    }
    const ast *block = ref->source->block->node;
    bool is_inside = block->pos >= top->pos
                     && block->pos + block->len <= top->pos + top->len;
    return is_inside || key_source_name(ref->source).len == 0 ? NULL
                                                              : ref->source;
}

static ast *named_copy(const keyer *k,
                       arena *a,
                       const ast *top,
                       const ast *n,
                       bool is_full)
{
    const bound_source *source = source_around(k, top, n);
    ast *copy = ast_new(a, (ast_kind)n->kind);
    copy->form = n->form;
    copy->flags = n->flags;
    copy->text = n->text;
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids && !source; i++) {
        ast **last = &copy->kid[i];
        for (const ast *kid = n->kid[i]; kid; kid = kid->next) {
            *last = named_copy(k, a, top, kid, is_full);
            last = &(*last)->next;
        }
    }
    if (source && is_full) {
        copy->kid[COLUMN_PATH] = name_of(a, source);
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
    buf out = buf_new(&memory);
    const ast *copy = named_copy(k, &work, n, n, is_full);
    print_sql(&out, copy, k->b->dialect, PRINT_ONE_LINE, work);
    str text = buf_str(&out);
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
