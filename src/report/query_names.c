/*
 * query_names.c - see query_names.h.
 *
 * Method      One walk over the tree collects the SELECTs with their sources
 *             and the names that they give results; a second one looks up the
 *             qualifier of each column, from the innermost SELECT around it
 *             outwards. Nodes are found among the tokens by their bytes.
 */
#include "report/query_names.h"

#include "base/words.h"
#include "sql/parse.h"

typedef struct block {
    int32_t from;  // bytes of its SELECT
    int32_t to;
    int32_t depth;
} block;

typedef struct naming {
    query_names out;
    const token *tokens;
    ptrdiff_t n;
    vec_of(block) blocks;
    str_list outputs;  // names, in the order of the text
    arena *a;
} naming;

static int32_t end_of(const ast *n)
{
    return n->pos + n->len;
}

// The first token at or after a byte.
static ptrdiff_t token_at(const naming *w, int32_t pos)
{
    ptrdiff_t low = 0;
    ptrdiff_t high = w->n;
    while (low < high) {
        ptrdiff_t middle = (low + high) / 2;
        if (w->tokens[middle].pos < pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// `AS x` at the end of the node: its last words.
static void set_aside(naming *w, const ast *alias)
{
    ptrdiff_t name = token_at(w, end_of(alias)) - 1;
    if (alias->kid[ALIAS_COLUMNS] || name < 1) {
        return;
    }
    w->out.words[name].is_aside = true;
    if (w->tokens[name - 1].kind == TOKEN_KEYWORD
        && w->tokens[name - 1].id == KEYWORD_AS) {
        w->out.words[name - 1].is_aside = true;
    }
}

static void add_source(naming *w, const ast *of, str name)
{
    int32_t last = (int32_t)w->blocks.len - 1;
    named_source s = {.base = of->kind == AST_TABLE ? of->text : (str){0},
                      .name = name,
                      .block = last,
                      .depth = w->blocks.ptr[last].depth};
    for (ptrdiff_t i = 0; i < w->out.sources.len; i++) {
        const named_source *other = &w->out.sources.ptr[i];
        s.no += other->block == s.block && str_equal_fold(other->base, s.base);
    }
    *vec_push(w->a, &w->out.sources) = s;
}

static void add_sources(naming *w, const ast *n)
{
    if (!n) {
        return;
    }
    if (n->kind == AST_JOIN) {
        add_sources(w, n->kid[JOIN_LEFT]);
        add_sources(w, n->kid[JOIN_RIGHT]);
    } else if (n->kind == AST_ALIAS) {
        set_aside(w, n);
        add_source(w, n->kid[ALIAS_EXPR], n->text);
    } else if (n->kind == AST_TABLE) {
        add_source(w, n, n->text);
    }
}

static void add_outputs(naming *w, const ast *item)
{
    for (; item; item = item->next) {
        if (item->kind == AST_ALIAS) {
            set_aside(w, item);
            *vec_push(w->a, &w->outputs) = item->text;
        }
    }
}

static bool collect(void *context, const ast *n)
{
    naming *w = context;
    if (n->kind == AST_SELECT) {
        block b = {n->pos, end_of(n), 0};
        for (ptrdiff_t i = 0; i < w->blocks.len; i++) {
            b.depth +=
                w->blocks.ptr[i].from <= b.from && b.to <= w->blocks.ptr[i].to;
        }
        *vec_push(w->a, &w->blocks) = b;
        add_sources(w, n->kid[SELECT_FROM]);
        add_outputs(w, n->kid[SELECT_ITEMS]);
    }
    return true;
}

// In the innermost SELECT around the byte that has such a source.
static int32_t find_source(const naming *w, str name, int32_t pos)
{
    int32_t found = -1;
    int32_t depth = -1;
    for (ptrdiff_t i = 0; i < w->out.sources.len; i++) {
        const named_source *s = &w->out.sources.ptr[i];
        const block *b = &w->blocks.ptr[s->block];
        if (str_equal_fold(s->name, name) && b->from <= pos && pos < b->to
            && b->depth > depth) {
            found = (int32_t)i;
            depth = b->depth;
        }
    }
    return found;
}

static bool resolve(void *context, const ast *n)
{
    naming *w = context;
    bool is_column = n->kind == AST_COLUMN || n->kind == AST_STAR;
    ptrdiff_t last = is_column ? token_at(w, end_of(n)) - 1 : -1;
    if (last < 0 || n->len == 0) {
        return true;
    }
    word_name *word = &w->out.words[last];
    const ast *path =
        n->kind == AST_STAR ? n->kid[STAR_PATH] : n->kid[COLUMN_PATH];
    word->output =
        (int32_t)words_in_fold(w->outputs.ptr, w->outputs.len, n->text);
    if (!path || (n->kind == AST_STAR && n->kid[STAR_EXCEPT])) {
        return true;
    }
    while (path->next) {
        path = path->next;
    }
    ptrdiff_t first = token_at(w, n->pos);
    word->source = find_source(w, path->text, n->pos);
    if (word->source >= 0) {
        word->first = (int32_t)first;
        for (ptrdiff_t i = first; i < last; i++) {
            w->out.words[i].is_aside = true;
        }
    }
    return true;
}

query_names query_names_of(arena *a,
                           str text,
                           const token *tokens,
                           ptrdiff_t n,
                           dialect d,
                           arena scratch)
{
    naming w = {.tokens = tokens, .n = n, .a = a};
    w.out.words = arena_new(a, word_name, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        w.out.words[i] =
            (word_name){.source = -1, .output = -1, .first = (int32_t)i};
    }
    parse_result r = parse_sql(a, text, d, scratch);
    if (r.errors.len == 0 && r.statements && !r.statements->next) {
        ast_walk(r.statements, collect, &w);
        ast_walk(r.statements, resolve, &w);
    }
    return w.out;
}
