/*
 * kind_bind.c - kinds of what queries mean, on a schema made by `ddl`.
 *
 *   bind     sql: its blocks with their sources and columns, what each name
 *            means, and what is wrong
 *   clauses  gold, pred: "same" or "different", then the differences in words;
 *            `keys: yes` adds the keys of both
 *   values   gold, pred: the texts that --plug-values tries, the likeliest
 *            first; `most` is the cap
 */
#include "kind.h"
#include "relation/clauses.h"
#include "relation/plug.h"
#include "schema/bind.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

static bool read_dialect(test_case *c, dialect *d)
{
    str word = case_key(c, "dialect");
    *d = DIALECT_SQLITE;
    if (word.len > 0 && !dialect_from_word(word, d)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return false;
    }
    return true;
}

static bool read_schema(test_case *c, schema *s, dialect d)
{
    diag messages = diag_new(case_arena(c));
    bool ok =
        schema_from_ddl(s, case_arena(c), S("ddl"), case_section(c, "ddl"), d,
                        DIALECT_SQLITE, &messages, case_scratch(c));
    if (!ok && messages.messages.len > 0) {
        str text = diag_format(case_arena(c), messages.messages.ptr[0]);
        case_broken(c, "%.*s", STR_ARG(text));
    }
    return ok;
}

// The scratch in two: for what is made, and for those who make it.
static void split_scratch(test_case *c, arena *a, arena *scratch)
{
    *a = case_scratch(c);
    *scratch = *a;
    scratch->next += (a->end - a->next) / 2;
    a->end = scratch->next;
}

static binding *bind_text(test_case *c,
                          const schema *s,
                          const char *section,
                          dialect d)
{
    arena scratch = case_scratch(c);
    parse_result r =
        parse_sql(case_arena(c), case_section(c, section), d, scratch);
    if (!r.statements || !ast_is_query(r.statements)) {
        case_broken(c, "%s is no query", section);
        return NULL;
    }
    return bind_query(case_arena(c), r.statements, s, d, scratch);
}

typedef struct dump {
    buf *out;
    const binding *b;
    const bound_block *blocks[100];
    int n_blocks;
} dump;

static int number_of(dump *d, const bound_block *block)
{
    for (int i = 0; i < d->n_blocks; i++) {
        if (d->blocks[i] == block) {
            return i + 1;
        }
    }
    if (d->n_blocks < countof(d->blocks)) {
        d->blocks[d->n_blocks++] = block;
    }
    return d->n_blocks;
}

static void dump_source(dump *d, const bound_source *s)
{
    buf_printf(d->out, "  %.*s", STR_ARG(s->name));
    if (s->kind == SOURCE_TABLE) {
        buf_printf(d->out, " = table %.*s",
                   STR_ARG(d->b->schema->tables[s->table].name));
    } else if (s->kind == SOURCE_UNKNOWN) {
        buf_add(d->out, S(" = unknown"));
    } else if (s->query->block) {
        buf_printf(d->out, " = block %d", number_of(d, s->query->block));
    } else {
        buf_add(d->out, S(" = query"));
    }
    buf_add(d->out, s->is_recursive ? S(", recursive") : S(""));
    buf_add(d->out, s->is_lateral ? S(", lateral") : S(""));
    buf_char(d->out, '\n');
}

static void dump_block(dump *d, const bound_block *block)
{
    buf_printf(d->out, "block %d", number_of(d, block));
    if (block->outer) {
        buf_printf(d->out, " in %d", number_of(d, block->outer));
    }
    buf_add(d->out, block->is_grouped ? S(", grouped") : S(""));
    buf_add(d->out, block->is_correlated ? S(", correlated") : S(""));
    buf_add(d->out, S(":"));
    for (ptrdiff_t i = 0; i < block->n_outputs; i++) {
        const bound_column *c = &block->outputs[i];
        buf_printf(d->out, "%s %.*s", i > 0 ? "," : "",
                   c->name.len > 0 ? (int)c->name.len : 1,
                   c->name.len > 0 ? c->name.ptr : "-");
        if (c->source) {
            buf_printf(d->out, "=%.*s.%.*s", STR_ARG(c->source->name),
                       STR_ARG(c->source->columns[c->column].name));
        }
    }
    buf_char(d->out, '\n');
    for (ptrdiff_t i = 0; i < block->n_sources; i++) {
        dump_source(d, block->sources[i]);
    }
    for (ptrdiff_t i = 0; i < block->n_merges; i++) {
        const bound_merge *m = &block->merges[i];
        buf_printf(d->out, "  joined: %.*s.%.*s and %.*s.%.*s\n",
                   STR_ARG(m->left->name), STR_ARG(m->name),
                   STR_ARG(m->right->name), STR_ARG(m->name));
    }
}

static void dump_ref(dump *d, const ast *n, const bound_ref *ref)
{
    buf_printf(d->out, "%d %.*s ->", n->pos + 1, STR_ARG(n->text));
    switch (ref->kind) {
    case REF_NONE: buf_add(d->out, S(" nothing")); break;
    case REF_STRING: buf_add(d->out, S(" a string")); break;
    case REF_ROWID:
        buf_printf(d->out, " rowid of %.*s", STR_ARG(ref->source->name));
        break;
    case REF_OUTPUT: buf_printf(d->out, " output %d", ref->output + 1); break;
    case REF_POSITION:
        buf_printf(d->out, " position %d", ref->output + 1);
        break;
    case REF_COLUMN: {
        str column =
            ref->column >= 0 ? ref->source->columns[ref->column].name : S("?");
        buf_printf(d->out, " %.*s.%.*s", STR_ARG(ref->source->name),
                   STR_ARG(column));
        break;
    }
    }
    if (ref->depth > 0) {
        buf_printf(d->out, ", %d out", ref->depth);
    }
    buf_add(d->out, ref->is_merged ? S(", merged\n") : S("\n"));
}

static bool visit_block(void *context, const ast *n)
{
    dump *d = context;
    const bound_query *q = bind_query_at(d->b, n);
    if (q && q->block) {
        dump_block(d, q->block);
    }
    return true;
}

static bool visit_ref(void *context, const ast *n)
{
    dump *d = context;
    const bound_ref *ref = bind_ref(d->b, n);
    if (ref) {
        dump_ref(d, n, ref);
    }
    return true;
}

static void run_bind(test_case *c)
{
    dialect d;
    schema s;
    if (!read_dialect(c, &d) || !read_schema(c, &s, d)) {
        return;
    }
    const binding *b = bind_text(c, &s, "sql", d);
    if (!b) {
        return;
    }
    arena a;
    arena scratch;
    split_scratch(c, &a, &scratch);
    buf out = buf_new(&a);
    dump all = {.out = &out, .b = b};
    ast_walk(b->query->node, visit_block, &all);
    ast_walk(b->query->node, visit_ref, &all);
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        const bind_problem *p = &b->problems.ptr[i];
        buf_printf(&out, "! %d %.*s\n", p->pos + 1, STR_ARG(p->text));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_bind = {
    .name = "bind",
    .sections = "ddl sql",
    .keys = "dialect",
    .run = run_bind,
};

static void add_keys(buf *out, const char *side, const clauses *all)
{
    buf_printf(out, "%s\n", side);
    for (ptrdiff_t i = 0; i < all->n; i++) {
        const clause_fact *f = &all->facts[i];
        buf_printf(out, "  %.*s  %.*s\n", STR_ARG(clause_words[f->kind]),
                   STR_ARG(f->key));
    }
}

static void run_clauses(test_case *c)
{
    dialect d;
    schema s;
    if (!read_dialect(c, &d) || !read_schema(c, &s, d)) {
        return;
    }
    const binding *gold = bind_text(c, &s, "gold", d);
    const binding *pred = bind_text(c, &s, "pred", d);
    if (!gold || !pred) {
        return;
    }
    clause_options o = {.ignores_distinct =
                            str_equal(case_key(c, "distinct"), S("ignore"))};
    arena a;
    arena scratch;
    split_scratch(c, &a, &scratch);
    clauses x = clauses_of(&a, gold, o, NULL, scratch);
    clauses y = clauses_of(&a, pred, o, &x, scratch);
    clause_diff diff = clauses_compare(&a, &x, &y);
    arena text_memory = scratch;
    buf out = buf_new(&text_memory);
    buf_add(&out, x.is_cut || y.is_cut ? S("too large\n")
                  : diff.is_same       ? S("same\n")
                                       : S("different\n"));
    for (ptrdiff_t i = 0; i < diff.words.len; i++) {
        buf_printf(&out, "%.*s\n", STR_ARG(diff.words.ptr[i]));
    }
    if (str_equal(case_key(c, "keys"), S("yes"))) {
        add_keys(&out, "gold", &x);
        add_keys(&out, "pred", &y);
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_clauses = {
    .name = "clauses",
    .sections = "ddl gold pred",
    .keys = "dialect distinct keys",
    .run = run_clauses,
};

static void run_values(test_case *c)
{
    dialect d;
    schema s;
    if (!read_dialect(c, &d) || !read_schema(c, &s, d)) {
        return;
    }
    const binding *gold = bind_text(c, &s, "gold", d);
    const binding *pred = bind_text(c, &s, "pred", d);
    if (!gold || !pred) {
        return;
    }
    arena a;
    arena scratch;
    split_scratch(c, &a, &scratch);
    plug p = plug_of(case_arena(c), gold, pred,
                     case_key_int(c, "most", PLUG_MOST), scratch);
    buf out = buf_new(&a);
    buf_printf(&out, "%td places, %lld texts%s\n", p.n_slots,
               (long long)p.n_texts, plug_is_cut(&p) ? ", cut" : "");
    str text;
    for (;;) {
        arena each = case_scratch(c);
        each.next = scratch.next;
        arena work = each;
        work.next += (each.end - each.next) / 2;
        each.end = work.next;
        if (!plug_next(&p, &each, &text, work)) {
            break;
        }
        buf_printf(&out, "%.*s\n", STR_ARG(text));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_values = {
    .name = "values",
    .sections = "ddl gold pred",
    .keys = "dialect most",
    .run = run_values,
};
