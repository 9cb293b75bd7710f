/*
 * clauses_block.c - the facts of a block and the key of a query.
 *
 * Method      Sources are numbered in the order of what they are. Where a
 *             table is used more than once every numbering of its uses is
 *             tried (KEY_PAIRINGS at most), and the one with the smallest key
 *             is kept, or, for the outermost block, the one that has most in
 *             common with another query.
 */
#include "relation/clauses_internal.h"

#include <assert.h>
#include <stdlib.h>

const str clause_words[CLAUSE_COUNT] = {
#define CLAUSE(constant, word) S_INIT(word),
#include "relation/clause.def"
};

// One use of a source, while they are put in order.
typedef struct numbered {
    str base;  // what it is
    ptrdiff_t no;
    const int32_t *ranks;
} numbered;

typedef struct block_work {
    const bound_block *block;
    key_use use;
    bool is_limited;
    key_joins joins;
    numbered *sources;  // in order
    ptrdiff_t n;
} block_work;

static const ast *limit_of(const ast *query)
{
    const ast *limit = ast_query_has(query, QUERY_LIMIT);
    return limit || query->kind != AST_SELECT ? limit : query->kid[SELECT_TOP];
}

static bool is_limited(const ast *limit)
{
    const ast *count = limit ? limit->kid[LIMIT_COUNT] : NULL;
    return limit
           && (limit->kid[LIMIT_OFFSET] || !count || count->kind != AST_WORD);
}

static str derived_key(keyer *k,
                       key_frame *around,
                       const bound_source *s,
                       const int32_t **ranks);

static str base_key(keyer *k,
                    key_frame *own,
                    const bound_source *s,
                    const int32_t **ranks)
{
    bool is_view = s->kind == SOURCE_QUERY && s->node->kind == AST_TABLE
                   && schema_find_table(k->b->schema, s->node->text) >= 0;
    if (s->kind == SOURCE_QUERY && s->is_recursive) {
        return S("recursive");
    }
    if (s->kind == SOURCE_QUERY && !is_view) {
        return derived_key(k, own->around, s, ranks);
    }
    str name = s->kind == SOURCE_TABLE ? k->b->schema->tables[s->table].name
                                       : s->node->text;
    buf out = buf_new(k->a);
    buf_add(&out, arena_lower(k->a, name));
    if (s->node->kind == AST_CALL) {
        buf_add(&out, key_of(k, own, s->node));
    }
    return buf_str(&out);
}

static int by_base(const void *x, const void *y)
{
    const numbered *l = x;
    const numbered *r = y;
    int order = str_compare(l->base, r->base);
    return order != 0 ? order : (int)(l->no - r->no);
}

static block_work begin_block(keyer *k,
                              key_frame *around,
                              const bound_block *block,
                              key_use use)
{
    block_work w = {.block = block,
                    .use = use,
                    .n = block->n_sources,
                    .is_limited = is_limited(limit_of(block->node)),
                    .joins = key_joins_of(k, block)};
    key_frame own = {.around = around, .block = block};  // no labels yet
    k->is_joined |= w.n > 1 || block->is_correlated;
    w.sources = arena_new(k->a, numbered, w.n + 1);
    for (ptrdiff_t i = 0; i < w.n && !key_is_cut(k); i++) {
        w.sources[i].no = i;
        w.sources[i].base =
            base_key(k, &own, block->sources[i], &w.sources[i].ranks);
    }
    qsort(w.sources, (size_t)w.n, sizeof *w.sources, by_base);
    return w;
}

static bool is_same_as_next(const block_work *w, ptrdiff_t i)
{
    return i + 1 < w->n
           && str_equal(w->sources[i].base, w->sources[i + 1].base);
}

// How many numberings there are; 1 when there are too many.
static int64_t count_numberings(const block_work *w)
{
    int64_t n = 1;
    int64_t run = 1;
    for (ptrdiff_t i = 0; i < w->n && n <= KEY_PAIRINGS; i++) {
        run = is_same_as_next(w, i) ? run + 1 : 1;
        n *= run;
    }
    return n <= KEY_PAIRINGS ? n : 1;
}

// The sources in their order, uses of the same one permuted: permutation
// `turn` of all there are.
static void number_sources(keyer *k,
                           const block_work *w,
                           int64_t turn,
                           key_frame *f)
{
    ptrdiff_t *order = arena_new(k->a, ptrdiff_t, w->n + 1);
    str *labels = arena_new(k->a, str, w->n + 1);
    const int32_t **ranks = (const int32_t **)arena_alloc(
        k->a, sizeof *ranks, _Alignof(max_align_t), w->n + 1);
    ptrdiff_t start = 0;
    for (ptrdiff_t i = 0; i < w->n; i++) {
        start = i > 0 && is_same_as_next(w, i - 1) ? start : i;
        ptrdiff_t size = i - start + 1;
        // Insert the next one at one of `size` places.
        ptrdiff_t at = i - (ptrdiff_t)(turn % size);
        turn /= size;
        for (ptrdiff_t m = i; m > at; m--) {
            order[m] = order[m - 1];
        }
        order[at] = i;
    }
    assert(turn == 0);  // it was one of count_numberings()
    for (ptrdiff_t i = 0; i < w->n; i++) {
        const numbered *s = &w->sources[order[i]];
        bool is_single =
            !is_same_as_next(w, i) && !(i > 0 && is_same_as_next(w, i - 1));
        bool is_query = w->block->sources[s->no]->kind == SOURCE_QUERY;
        labels[s->no] =
            is_query    ? arena_printf(k->a, "#%td", i)
            : is_single ? s->base
                        : arena_printf(k->a, "%.*s#%td", STR_ARG(s->base), i);
        ranks[s->no] = s->ranks;
    }
    f->labels = labels;
    f->ranks = ranks;
}

static void add_items(keyer *k,
                      key_frame *f,
                      const block_work *w,
                      fact_list *out)
{
    for (ptrdiff_t i = 0; i < w->block->n_outputs; i++) {
        const bound_column *c = &w->block->outputs[i];
        clause_text text =
            c->expr ? key_print(k, c->expr) : key_same_text(c->name);
        key_add_fact(k, out, CLAUSE_SELECT,
                     key_of_output(k, f, w->block, (int32_t)i), text);
    }
}

static void add_tables(keyer *k, const block_work *w, fact_list *out)
{
    for (ptrdiff_t i = 0; i < w->n; i++) {
        const bound_source *s = w->block->sources[w->sources[i].no];
        key_add_fact(k, out, CLAUSE_TABLES, w->sources[i].base,
                     key_print(k, s->node));
    }
}

static void add_list(keyer *k,
                     key_frame *f,
                     clause_kind kind,
                     const ast *list,
                     fact_list *out)
{
    for (; list; list = list->next) {
        key_add_fact(k, out, kind, key_of(k, f, list), key_print(k, list));
    }
}

static void add_condition(keyer *k, key_frame *f, const ast *n, fact_list *out)
{
    condition_list list = {0};
    key_split(k, n, &list);
    key_add_conditions(k, f, CLAUSE_HAVING, &list, out);
}

// What comes after the rows of a query: their order where it counts, and LIMIT.
static void add_tail(keyer *k,
                     key_frame *f,
                     const ast *query,
                     key_use use,
                     fact_list *out)
{
    const ast *limit = limit_of(query);
    if (use == KEY_ROWS || is_limited(limit)) {
        add_list(k, f, CLAUSE_ORDER, ast_query_has(query, QUERY_ORDER), out);
    }
    static const char *const words[] = {
        [LIMIT_COUNT] = "limit",
        [LIMIT_OFFSET] = "offset",
    };
    for (int i = 0; is_limited(limit) && i < countof(words); i++) {
        if (limit->kid[i]) {
            str n = key_of(k, f, limit->kid[i]);
            key_add_fact(k, out, CLAUSE_LIMIT,
                         arena_printf(k->a, "%s %.*s", words[i], STR_ARG(n)),
                         i == LIMIT_COUNT ? key_print(k, limit)
                                          : key_same_text(S("OFFSET")));
        }
    }
}

static void add_select(keyer *k,
                       key_frame *f,
                       const block_work *w,
                       fact_list *out)
{
    const ast *n = w->block->node;
    bool is_distinct = (n->flags & AST_FLAG_DISTINCT)
                       && !k->options.ignores_distinct
                       && (w->use < KEY_SET || w->is_limited);
    if (is_distinct) {
        key_add_fact(k, out, CLAUSE_DISTINCT, S("distinct"),
                     key_same_text(S("DISTINCT")));
    }
    add_list(k, f, CLAUSE_DISTINCT, n->kid[SELECT_ON], out);
    key_add_joins(k, f, &w->joins, out);
    add_list(k, f, CLAUSE_GROUP, n->kid[SELECT_GROUP], out);
    add_condition(k, f, n->kid[SELECT_HAVING], out);
    add_condition(k, f, n->kid[SELECT_QUALIFY], out);
}

static void add_facts(keyer *k,
                      key_frame *f,
                      const block_work *w,
                      fact_list *out)
{
    f->equals.len = 0;
    f->classes.len = 0;
    key_equate(k, f, &w->joins);
    const ast *n = w->block->node;
    if (w->use != KEY_EXISTS) {
        add_items(k, f, w, out);
    }
    add_tables(k, w, out);
    if (n->kind == AST_SELECT) {
        add_select(k, f, w, out);
    } else {
        add_list(k, f, CLAUSE_SELECT, n->kid[VALUES_ROWS], out);
    }
    add_tail(k, f, n, w->use, out);
}

// By kind and key; ORDER BY keeps its order.
static int compare_facts(const clause_fact *x, const clause_fact *y)
{
    return x->kind != y->kind        ? (int)x->kind - (int)y->kind
           : x->kind == CLAUSE_ORDER ? 0
                                     : str_compare(x->key, y->key);
}

static int by_kind_and_key(const void *x, const void *y)
{
    const clause_fact *l = x;
    const clause_fact *r = y;
    int order = compare_facts(l, r);
    return order != 0 ? order : l->no - r->no;
}

static void sort_facts(fact_list *l)
{
    if (l->len > 0) {
        qsort(l->ptr, (size_t)l->len, sizeof *l->ptr, by_kind_and_key);
    }
}

static str whole_key(keyer *k, const fact_list *facts)
{
    buf out = buf_new(k->a);
    buf_char(&out, '{');
    for (ptrdiff_t i = 0; i < facts->len; i++) {
        const clause_fact *f = &facts->ptr[i];
        bool repeats = i > 0 && facts->ptr[i - 1].kind == f->kind;
        if (!repeats) {
            buf_printf(&out, " %.*s ", STR_ARG(clause_words[f->kind]));
        } else {
            buf_char(&out, ';');
        }
        buf_add(&out, f->key);
    }
    buf_char(&out, '}');
    k->bytes_left -= out.len;
    return buf_str(&out);
}

// How many facts both have.
static ptrdiff_t count_common(const fact_list *x, const clauses *y)
{
    ptrdiff_t n = 0;
    ptrdiff_t j = 0;
    for (ptrdiff_t i = 0; i < x->len; i++) {
        const clause_fact *f = &x->ptr[i];
        while (j < y->n && compare_facts(&y->facts[j], f) < 0) {
            j++;
        }
        if (j < y->n && y->facts[j].kind == f->kind
            && str_equal(y->facts[j].key, f->key)) {
            n++;
            j++;
        }
    }
    return n;
}

// The facts of a block under one numbering of its sources.
typedef struct block_facts {
    fact_list facts;
    str key;
    int64_t turn;
} block_facts;

// Under the one that has most in common with `like`, then the smallest key; the
// frame is left with it.
static block_facts best_facts(keyer *k,
                              key_frame *f,
                              const block_work *w,
                              const clauses *like)
{
    block_facts best = {0};
    ptrdiff_t most = -1;
    int64_t n = count_numberings(w);
    for (int64_t turn = 0; turn < n && !key_is_cut(k); turn++) {
        block_facts b = {.turn = turn};
        number_sources(k, w, turn, f);
        add_facts(k, f, w, &b.facts);
        sort_facts(&b.facts);
        b.key = whole_key(k, &b.facts);
        ptrdiff_t common = like ? count_common(&b.facts, like) : 0;
        if (common > most
            || (common == most && str_compare(b.key, best.key) < 0)) {
            best = b;
            most = common;
        }
    }
    if (n > 1) {
        number_sources(k, w, best.turn, f);
    }
    return best;
}

static str block_key(keyer *k,
                     key_frame *around,
                     const bound_block *block,
                     key_use use,
                     key_frame *f)
{
    block_work w = begin_block(k, around, block, use);
    *f = (key_frame){.around = around, .block = block};
    return best_facts(k, f, &w, NULL).key;
}

static str setop_word(const ast *n, arena *a)
{
    str word = ast_form_word(
        AST_SETOP, n->form == SETOP_FORM_MINUS ? SETOP_FORM_EXCEPT : n->form);
    const char *all = n->flags & AST_FLAG_ALL ? " ALL" : "";
    return arena_printf(a, "%.*s%s", STR_ARG(word), all);
}

static void operand_keys(keyer *k,
                         key_frame *around,
                         const bound_query *q,
                         const ast *top,
                         key_use use,
                         key_list *out)
{
    bool is_same =
        q->left && q->node->form == top->form && q->node->flags == top->flags
        && (q->node == top
            || (!ast_query_has(q->node, QUERY_ORDER) && !limit_of(q->node)));
    if (is_same) {
        operand_keys(k, around, q->left, top, use, out);
        operand_keys(k, around, q->right, top, use, out);
        return;
    }
    key_add(k, out, key_of_query(k, around, q, use));
}

static str tail_key(keyer *k,
                    key_frame *around,
                    const bound_query *q,
                    key_use use)
{
    key_frame f = {
        .around = around, .block = bind_leftmost(q), .is_tail = true};
    fact_list facts = {0};
    add_tail(k, &f, q->node, use, &facts);
    return facts.len > 0 ? whole_key(k, &facts) : S("");
}

static str setop_key(keyer *k,
                     key_frame *around,
                     const bound_query *q,
                     key_use use)
{
    key_list operands = {0};
    const ast *n = q->node;
    bool commutes =
        n->form == SETOP_FORM_UNION || n->form == SETOP_FORM_INTERSECT;
    bool is_all = n->flags & AST_FLAG_ALL;
    if (commutes) {
        operand_keys(k, around, q, n, is_all ? KEY_BAG : KEY_SET, &operands);
    } else {
        key_use each = is_all ? KEY_BAG : KEY_SET;
        key_add(k, &operands, key_of_query(k, around, q->left, each));
        key_add(k, &operands, key_of_query(k, around, q->right, each));
    }
    str word = setop_word(n, k->a);
    str key = key_join(k, arena_cstr(k->a, word), &operands, commutes);
    str tail = tail_key(k, around, q, use);
    return arena_printf(k->a, "%.*s%.*s", STR_ARG(key), STR_ARG(tail));
}

str key_of_query(keyer *k, key_frame *around, const bound_query *q, key_use u)
{
    if (!q || --k->steps_left < 0 || k->bytes_left < 0) {
        return S("-");
    }
    if (k->kind != CLAUSE_KEY_FACT) {
        return S("query");
    }
    if (q->body) {
        str body = key_of_query(k, around, q->body, KEY_ROWS);
        str tail = tail_key(k, around, q, u);
        return arena_printf(k->a, "%.*s%.*s", STR_ARG(body), STR_ARG(tail));
    }
    if (q->left) {
        return setop_key(k, around, q, u);
    }
    key_frame f;
    return q->block ? block_key(k, around, q->block, u, &f) : S("-");
}

// The key of a derived table, and which place its columns have among all when
// they are sorted.
static str derived_key(keyer *k,
                       key_frame *around,
                       const bound_source *s,
                       const int32_t **ranks)
{
    const bound_query *q = s->query;
    if (!q->block || q->n_outputs == 0) {
        return key_of_query(k, around, q, KEY_BAG);
    }
    key_frame f;
    str key = block_key(k, around, q->block, KEY_BAG, &f);
    ptrdiff_t n = q->n_outputs;
    str *keys = arena_new(k->a, str, n);
    int32_t *places = arena_new(k->a, int32_t, n);
    for (ptrdiff_t i = 0; i < n && !key_is_cut(k); i++) {
        keys[i] = key_of_output(k, &f, q->block, (int32_t)i);
        k->steps_left -= n;  // for the comparisons below
    }
    for (ptrdiff_t i = 0; i < n && !key_is_cut(k); i++) {
        for (ptrdiff_t o = 0; o < n; o++) {
            places[i] += str_compare(keys[o], keys[i]) < 0;
        }
    }
    *ranks = places;
    return key;
}

// The facts of the outermost block, with their constants.
static block_facts whole_facts(keyer *k,
                               const bound_block *block,
                               const clauses *like)
{
    key_frame f = {.block = block};
    block_work w = begin_block(k, NULL, block, KEY_ROWS);
    block_facts best = best_facts(k, &f, &w, like);
    fact_list whole = {0};
    k->has_constants = true;
    w = begin_block(k, NULL, block, KEY_ROWS);
    number_sources(k, &w, best.turn, &f);
    add_facts(k, &f, &w, &whole);
    k->has_constants = false;
    for (ptrdiff_t i = 0; i < best.facts.len; i++) {
        clause_fact *x = &best.facts.ptr[i];
        bool fits =
            best.facts.len == whole.len && whole.ptr[x->no].kind == x->kind;
        x->whole = fits ? whole.ptr[x->no].key : x->key;
    }
    return best;
}

static const bound_query *plain_query(const bound_query *q)
{
    while (q && q->body && !ast_query_has(q->node, QUERY_ORDER)
           && !limit_of(q->node)) {
        q = q->body;
    }
    return q;
}

static clauses collect(keyer *k, const bound_query *q, const clauses *like)
{
    clauses c = {0};
    q = plain_query(q);
    if (q && q->block) {
        block_facts b = whole_facts(k, q->block, like);
        c.key = b.key;
        c.facts = b.facts.ptr;
        c.n = b.facts.len;
        return c;
    }
    c.key = key_of_query(k, NULL, q, KEY_ROWS);
    fact_list facts = {0};
    if (q && q->left) {
        str word = setop_word(q->node, k->a);
        key_add_fact(k, &facts, CLAUSE_SETOP, word, key_same_text(word));
        clauses *left = arena_new(k->a, clauses, 1);
        clauses *right = arena_new(k->a, clauses, 1);
        *left = collect(k, q->left, like ? like->left : NULL);
        *right = collect(k, q->right, like ? like->right : NULL);
        c.left = left;
        c.right = right;
    }
    if (q) {
        add_tail(k, NULL, q->node, KEY_ROWS, &facts);
    }
    sort_facts(&facts);
    for (ptrdiff_t i = 0; i < facts.len; i++) {
        facts.ptr[i].whole = facts.ptr[i].key;
    }
    c.facts = facts.ptr;
    c.n = facts.len;
    return c;
}

static clauses keep(arena *a, const clauses *c)
{
    clauses kept = *c;
    clause_fact *facts = arena_new(a, clause_fact, c->n);
    for (ptrdiff_t i = 0; i < c->n; i++) {
        facts[i] = c->facts[i];
        facts[i].key = arena_str(a, facts[i].key);
        facts[i].whole = arena_str(a, facts[i].whole);
        facts[i].text.bare = arena_str(a, facts[i].text.bare);
        facts[i].text.full = arena_str(a, facts[i].text.full);
    }
    kept.facts = facts;
    kept.key = arena_str(a, c->key);
    if (c->left && c->right) {
        clauses *sides = arena_new(a, clauses, 2);
        sides[0] = keep(a, c->left);
        sides[1] = keep(a, c->right);
        kept.left = &sides[0];
        kept.right = &sides[1];
    }
    return kept;
}

clauses clauses_of(arena *a,
                   const binding *b,
                   clause_options options,
                   const clauses *like,
                   arena scratch)
{
    arena work = arena_cut(&scratch, arena_room(&scratch) / 4 * 3);
    keyer k = {.a = &work,
               .scratch = scratch,
               .b = b,
               .options = options,
               .steps_left = KEY_STEPS,
               .bytes_left = KEY_BYTES};
    clauses c = collect(&k, b->query, like);
    if (key_is_cut(&k)) {
        return (clauses){.is_cut = true};
    }
    c.is_joined = k.is_joined;
    return keep(a, &c);
}
