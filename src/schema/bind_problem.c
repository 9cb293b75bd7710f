/*
 * bind_problem.c - what is wrong with a name, in words.
 *
 * Method      The hint is the nearest name that would have been right there;
 *             where none is near, it says where the name that was written can
 *             be found.
 *
 * Cost        One edit distance for each of up to CANDIDATES_MAX names; nothing
 *             while problems are kept quiet or BIND_PROBLEMS_MAX are known.
 */
#include "base/diag.h"
#include "base/edit_distance.h"
#include "schema/bind_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static bool is_heard(const binder *b)
{
    return b->quiet == 0 && b->b->problems.len < BIND_PROBLEMS_MAX;
}

static void add_text(binder *b, bind_problem_kind kind, const ast *at, str text)
{
    assert(at && text.len > 0);
    bind_problem *p = vec_push(b->a, &b->b->problems);
    *p = (bind_problem){kind, at->pos, at->len, text};
}

void bind_problem_add(binder *b,
                      bind_problem_kind kind,
                      const ast *at,
                      const char *format,
                      ...)
{
    char text[200];
    va_list args;
    if (!is_heard(b)) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_text(b, kind, at, arena_str(b->a, str_from(text)));
}

enum {
    SHOWN_MAX = 4,         // sources that are listed
    CANDIDATES_MAX = 400,  // names that are compared
};

static void add_name(str_list *names, arena *a, str name)
{
    if (names->len < CANDIDATES_MAX && name.len > 0) {
        str *place = vec_push(a, names);
        *place = name;
    }
}

static void add_columns(str_list *names, arena *a, const bound_source *s)
{
    for (ptrdiff_t i = 0; i < s->n_columns; i++) {
        add_name(names, a, s->columns[i].name);
    }
}

static void add_hint(binder *b, buf *out, str word, const str_list *names)
{
    enum {
        LONGEST = 100
    };
    arena scratch = *b->scratch;
    str near = word.len <= LONGEST
                   ? diag_nearest(word, names->ptr, names->len, scratch)
                   : (str){0};
    // name for nmae, but not for age
    ptrdiff_t most = word.len < 2   ? 0
                     : word.len < 4 ? 1
                     : word.len < 6 ? 2
                                    : word.len / 3;
    if (near.len > 0
        && (edit_distance(word, near, scratch) <= most
            || str_equal_fold(word, near))) {
        buf_printf(out, "; did you mean '%.*s'?", STR_ARG(near));
    }
}

// "singer", "T1 (singer)", "a subquery"
static void add_source(const binder *b, buf *out, const bound_source *s)
{
    bool is_table = s->kind == SOURCE_TABLE;
    str table = is_table ? b->b->schema->tables[s->table].name : (str){0};
    if (is_table && str_equal_fold(table, s->name)) {
        buf_add(out, table);
    } else if (is_table) {
        buf_printf(out, "%.*s (%.*s)", STR_ARG(s->name), STR_ARG(table));
    } else if (s->name.len > 0) {
        buf_add(out, s->name);
    } else {
        buf_add(out, S("a subquery"));
    }
}

static void add_sources(const binder *b, buf *out, const bind_scope *s)
{
    ptrdiff_t n = s->sources.len;
    if (n > SHOWN_MAX) {
        buf_printf(out, "in any of %td tables", n);
        return;
    }
    buf_add(out, S("in "));
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, i == 0 ? S("") : i == n - 1 ? S(" or ") : S(", "));
        add_source(b, out, s->sources.ptr[i]);
    }
}

// A table of the schema or a source of the scope that has the column.
static void add_elsewhere(const binder *b,
                          buf *out,
                          const bind_scope *s,
                          const ast *name)
{
    for (ptrdiff_t i = 0; s && i < s->sources.len; i++) {
        if (bind_find_column(b, s->sources.ptr[i], name) >= 0) {
            buf_add(out, S("; "));
            add_source(b, out, s->sources.ptr[i]);
            buf_add(out, S(" has one"));
            return;
        }
    }
    const schema *all = b->b->schema;
    for (ptrdiff_t i = 0; i < all->n_tables; i++) {
        const schema_table *t = &all->tables[i];
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            if (bind_name_is(b, t->columns[c].name, name)) {
                buf_printf(out, "; %.*s has one", STR_ARG(t->name));
                return;
            }
        }
    }
}

static void add_column_hint(binder *b,
                            buf *out,
                            const bind_scope *s,
                            const ast *name,
                            const str_list *names)
{
    ptrdiff_t before = out->len;
    add_hint(b, out, name->text, names);
    if (out->len == before) {
        add_elsewhere(b, out, s, name);
    }
}

static const bind_scope *nearest_scope(const bind_scope *s)
{
    while (s && s->sources.len == 0 && s->outer) {
        s = s->outer;
    }
    return s;
}

static void say_no_column(binder *b,
                          buf *out,
                          const bind_scope *s,
                          const ast *n,
                          arena *work)
{
    s = nearest_scope(s);
    buf_printf(out, "no column '%.*s'", STR_ARG(n->text));
    if (!s || s->sources.len == 0) {
        buf_add(out, S(" without FROM"));
        add_elsewhere(b, out, NULL, n);
        return;
    }
    str_list names = {0};
    for (ptrdiff_t i = 0; i < s->sources.len; i++) {
        add_columns(&names, work, s->sources.ptr[i]);
    }
    buf_char(out, ' ');
    add_sources(b, out, s);
    add_column_hint(b, out, s, n, &names);
}

// What a source of a scope, or of one around it, is looked for by.
typedef struct sought {
    const ast *qualifier;  // it is called so; NULL: or otherwise
    const ast *column;     // it has this one; NULL: or not
    const ast *table;      // it is this table; NULL: or another
} sought;

static const bound_source *find_source(const binder *b,
                                       const bind_scope *s,
                                       sought by)
{
    for (; s; s = s->outer) {
        for (ptrdiff_t i = 0; i < s->sources.len; i++) {
            const bound_source *source = s->sources.ptr[i];
            if ((!by.qualifier
                 || bind_is_whole_source(b, s, source, i, by.qualifier))
                && (!by.column || bind_find_column(b, source, by.column) >= 0)
                && (!by.table
                    || (source->node->kind == AST_TABLE
                        && bind_name_is(b, source->node->text, by.table)))) {
                return source;
            }
        }
    }
    return NULL;
}

static void say_no_qualifier(binder *b,
                             buf *out,
                             const bind_scope *s,
                             const ast *qualifier,
                             arena *work)
{
    buf_printf(out, "no table '%.*s' in FROM", STR_ARG(qualifier->text));
    const bound_source *renamed =
        find_source(b, s, (sought){.table = qualifier});
    if (renamed) {
        buf_printf(out, "; it is called '%.*s' there", STR_ARG(renamed->name));
        return;
    }
    str_list names = {0};
    for (; s; s = s->outer) {
        for (ptrdiff_t i = 0; i < s->sources.len; i++) {
            add_name(&names, work, s->sources.ptr[i]->name);
        }
    }
    add_hint(b, out, qualifier->text, &names);
}

void bind_no_column(binder *b, const bind_scope *s, const ast *n)
{
    if (!is_heard(b)) {
        return;
    }
    arena texts = *b->scratch;
    arena work = arena_half(&texts);
    binder inner = *b;
    arena rest = arena_half(&work);
    inner.scratch = &rest;
    buf out = buf_new(&texts);
    const ast *qualifier =
        n->kind == AST_COLUMN ? ast_last(n->kid[COLUMN_PATH]) : NULL;
    const bound_source *source =
        qualifier ? find_source(b, s, (sought){.qualifier = qualifier}) : NULL;
    const bound_source *there =
        find_source(&inner, s, (sought){.qualifier = qualifier, .column = n});
    if (there) {  // but not for this clause
        buf_printf(&out, "column '%.*s' of ", STR_ARG(n->text));
        add_source(b, &out, there);
        buf_add(&out, S(" cannot be used here"));
    } else if (qualifier && !source) {
        say_no_qualifier(&inner, &out, s, qualifier, &work);
    } else if (source) {
        str_list names = {0};
        add_columns(&names, &work, source);
        buf_printf(&out, "no column '%.*s' in ", STR_ARG(n->text));
        add_source(b, &out, source);
        add_column_hint(&inner, &out, s, n, &names);
    } else {
        say_no_column(&inner, &out, s, n, &work);
    }
    add_text(b, BIND_NO_COLUMN, n, arena_str(b->a, buf_str(&out)));
}

void bind_no_table(binder *b, const bind_scope *s, const ast *n)
{
    if (!is_heard(b)) {
        return;
    }
    arena texts = *b->scratch;
    arena work = arena_half(&texts);
    arena lists = work;
    work = arena_half(&lists);
    binder inner = *b;
    inner.scratch = &work;
    buf out = buf_new(&texts);
    str_list names = {0};
    if (n->kind != AST_NAME) {
        buf_printf(&out, "no table '%.*s'", STR_ARG(n->text));
        for (const bind_with *w = s->with; w; w = w->outer) {
            for (ptrdiff_t i = 0; i < w->n; i++) {
                add_name(&names, &lists, w->ctes[i].node->text);
            }
        }
        for (ptrdiff_t i = 0; i < b->b->schema->n_tables; i++) {
            add_name(&names, &lists, b->b->schema->tables[i].name);
        }
        add_hint(&inner, &out, n->text, &names);
    } else {
        say_no_qualifier(&inner, &out, s, n, &lists);
    }
    add_text(b, BIND_NO_TABLE, n, arena_str(b->a, buf_str(&out)));
}

void bind_is_ambiguous(binder *b,
                       const ast *n,
                       const bound_source *first,
                       const bound_source *second)
{
    assert(first && second);
    if (!is_heard(b)) {
        return;
    }
    arena texts = *b->scratch;
    buf out = buf_new(&texts);
    buf_printf(&out, "column '%.*s' is in ", STR_ARG(n->text));
    add_source(b, &out, first);
    buf_add(&out, S(" and in "));
    add_source(b, &out, second);
    add_text(b, BIND_AMBIGUOUS, n, arena_str(b->a, buf_str(&out)));
}
