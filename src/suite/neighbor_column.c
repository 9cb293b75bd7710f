/*
 * neighbor_column.c - another column in the place of one.
 *
 * Method      Candidates are the columns of all tables of the same FROM: of the
 *             same table, then columns of the same name elsewhere, then others;
 *             those of the same type before those of another. Of each group a
 *             few are drawn, so that wide tables do not drown everything else.
 */
#include "sql/lex.h"
#include "suite/neighbor_change.h"

#include <assert.h>

enum {
    SAME_TABLE_ALIKE = 16,   // columns of the same type
    SAME_TABLE_OTHER = 8,    // of another type
    OTHER_TABLE_ALIKE = 10,  // in all other tables together
    OTHER_TABLE_OTHER = 6,
    OTHER_TABLES = 8,  // in the place of one in FROM
};

typedef struct candidate {
    const bound_source *source;
    int32_t column;
} candidate;

typedef vec_of(candidate) candidate_list;

// The quotes that the dialect wants around the name.
static name_quote quotes_for(const changer *c, str name)
{
    dialect d = c->options->dialect;
    lexer l = lex_begin(name, d);
    token t = lex_next(&l);
    bool is_plain = t.len == name.len && t.pos == 0
                    && (t.kind == TOKEN_NAME || t.kind == TOKEN_WORD);
    bool is_back = d == DIALECT_MYSQL || d == DIALECT_BIGQUERY;
    return is_plain ? QUOTE_NONE : is_back ? QUOTE_BACK : QUOTE_DOUBLE;
}

ast *changer_name(changer *c, ast_kind kind, str name)
{
    return changer_new(c, (node_draft){.kind = kind,
                                       .text = name,
                                       .form = (int)quotes_for(c, name)});
}

ast *changer_path(changer *c, str table, str column)
{
    ast *n = changer_name(c, AST_COLUMN, column);
    n->kid[COLUMN_PATH] = changer_name(c, AST_NAME, table);
    return n;
}

static bool has_column(const bound_source *s, str name)
{
    bool found = s->kind == SOURCE_UNKNOWN;
    for (ptrdiff_t i = 0; !found && i < s->n_columns; i++) {
        found = str_equal_fold(s->columns[i].name, name);
    }
    return found;
}

// Does the bare name mean this source's column?
static bool is_only_one(const bound_block *block,
                        const bound_source *source,
                        str name)
{
    bool only = true;
    for (ptrdiff_t i = 0; only && i < block->n_sources; i++) {
        only =
            block->sources[i] == source || !has_column(block->sources[i], name);
    }
    return only;
}

ast *changer_column(changer *c,
                    const bound_source *source,
                    int32_t column,
                    const bound_block *block)
{
    assert(column >= 0 && column < source->n_columns);
    str name = source->columns[column].name;
    bool is_only = is_only_one(block, source, name);
    if (name.len == 0 || (source->name.len == 0 && !is_only)) {
        return NULL;
    }
    return block->n_sources > 1 && source->name.len > 0
               ? changer_path(c, source->name, name)
               : changer_name(c, AST_COLUMN, name);
}

static void put_candidates(changer *c,
                           const site *s,
                           const bound_ref *ref,
                           candidate_list *list,
                           ptrdiff_t most)
{
    const ast *old = *s->slot;
    for (ptrdiff_t n = 0; n < most && list->len > 0; n++) {
        ptrdiff_t at = rng_below(&c->rng, list->len);
        candidate to = list->ptr[at];
        list->ptr[at] = list->ptr[--list->len];
        ast *node = changer_column(c, to.source, to.column, s->block);
        bool is_same = to.source == ref->source;
        neighbor_kind kind = s->in_on  ? NEIGHBOR_JOIN_KEY
                             : is_same ? NEIGHBOR_COLUMN
                                       : NEIGHBOR_INSTANCE;
        if (node && is_same && old->kind == AST_COLUMN
            && (old->kid[COLUMN_PATH]
                || is_only_one(s->block, to.source, node->text))) {
            node->kid[COLUMN_PATH] = old->kid[COLUMN_PATH];
        }
        if (node) {
            changer_put(c, kind, s->slot, node);
        }
    }
}

// Of which columns some are drawn.
typedef struct column_group {
    bool same_table;
    enum {
        NAMESAKES,
        ALIKE,
        UNLIKE,
    } how;
    ptrdiff_t most;
} column_group;

// In the place of column `to`.
static bool is_in(const bound_column *to,
                  const column_group *g,
                  const bound_column *c)
{
    bool is_alike = c->kind == to->kind || c->affinity == to->affinity;
    return g->how == NAMESAKES
               ? to->name.len > 0 && str_equal_fold(c->name, to->name)
               : is_alike == (g->how == ALIKE);
}

// The columns of the group, without the column itself.
static candidate_list collect(changer *c,
                              const site *s,
                              const bound_ref *ref,
                              const column_group *g)
{
    candidate_list list = {0};
    for (ptrdiff_t i = 0; i < s->block->n_sources; i++) {
        const bound_source *source = s->block->sources[i];
        bool is_same = source == ref->source;
        for (ptrdiff_t k = 0; is_same == g->same_table && k < source->n_columns;
             k++) {
            bool is_itself = is_same && k == ref->column;
            if (!is_itself
                && is_in(&ref->source->columns[ref->column], g,
                         &source->columns[k])) {
                *vec_push(&c->trees, &list) = (candidate){source, (int32_t)k};
            }
        }
    }
    return list;
}

void change_column(changer *c, const site *s, ast *n)
{
    const bound_ref *ref = bind_ref(c->binding, n);
    if (n->kind == AST_DOUBT && (!ref || ref->kind == REF_STRING)) {
        change_string(c, s, n);
        return;
    }
    if (!ref || ref->kind != REF_COLUMN || !s->block || ref->column < 0
        || ref->column >= ref->source->n_columns) {
        return;
    }
    static const column_group groups[] = {
        {false, NAMESAKES, PTRDIFF_MAX},    {true, ALIKE, SAME_TABLE_ALIKE},
        {true, UNLIKE, SAME_TABLE_OTHER},   {false, ALIKE, OTHER_TABLE_ALIKE},
        {false, UNLIKE, OTHER_TABLE_OTHER},
    };
    for (ptrdiff_t g = 0; g < countof(groups); g++) {
        candidate_list list = collect(c, s, ref, &groups[g]);
        put_candidates(c, s, ref, &list, groups[g].most);
    }
}

// Another table of the schema in its place; most will not compile.
void change_table(changer *c, const site *s, ast *n)
{
    (void)s;
    const schema *all = c->binding->schema;
    int32_t own = schema_find_table(all, n->text);
    ptrdiff_t n_tried = 0;
    ptrdiff_t start = all->n_tables > 0 ? rng_below(&c->rng, all->n_tables) : 0;
    for (ptrdiff_t i = 0; own >= 0 && i < all->n_tables; i++) {
        ptrdiff_t t = (start + i) % all->n_tables;
        if (t != own && n_tried < OTHER_TABLES) {
            n_tried++;
            changer_edit(c, n)->text = all->tables[t].name;
            n->form = (uint8_t)quotes_for(c, n->text);
            changer_emit(c, NEIGHBOR_TABLE);
        }
    }
}
