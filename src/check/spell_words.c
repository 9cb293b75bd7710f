/*
 * spell_words.c - see spell_words.h.
 *
 * Method      tables      have their own name alone: public.t is t, where
 *                         nothing else is called so: no other schema's, no CTE.
 *             casts       T-SQL's CONVERT(DATE, x) is CAST(x AS DATE), with a
 *                         style FORMAT(x, ...).
 *
 *             Both by the words alone: names that cannot be bound would be in
 *             the way of binding.
 */
#include "check/spell_words.h"

#include "sql/ast_rewrite.h"
#include "sql/print.h"
#include "sql/query_text.h"

typedef struct rewording {
    const schema *tables;
    dialect from;
    arena *a;
    arena scratch;
} rewording;

static ast *reworded(void *context, const ast *n);

str spell_printed(arena *a, const ast *n, dialect d, arena scratch)
{
    buf text = buf_new(a);
    print_sql(&text, n, d, PRINT_ONE_LINE, scratch);
    return buf_str(&text);
}

// The last of the names that a dotted one has: of `project.set.orders`.
static str last_name(str name)
{
    ptrdiff_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.') {
        dot--;
    }
    return str_skip(name, dot);
}

// A table of the schema, or what is of one, with the names of what it lies in?
static bool is_qualified(const schema *s, const ast *n)
{
    const ast *path = n->kind == AST_TABLE    ? n->kid[TABLE_PATH]
                      : n->kind == AST_COLUMN ? n->kid[COLUMN_PATH]
                      : n->kind == AST_STAR   ? n->kid[STAR_PATH]
                                              : NULL;
    const ast *last = path;
    while (last && last->next) {
        last = last->next;
    }
    str name = last_name(n->text);
    return n->kind == AST_TABLE
               ? schema_find_table(s, name) >= 0
                     && (path || name.len < n->text.len)
               : path && path->next && schema_find_table(s, last->text) >= 0;
}

typedef struct table_paths {
    const schema *tables;
    const ast *query;
    str *of;  // the table, the longest path it was named by
    arena *a;
    bool is_open;
} table_paths;

// The names of what the table lies in, a dot behind each.
static str path_of(arena *a, const ast *n)
{
    buf path = buf_new(a);
    for (const ast *of = n->kid[TABLE_PATH]; of; of = of->next) {
        buf_add(&path, of->text);
        buf_char(&path, '.');
    }
    buf_add(&path, str_sub(n->text, 0, n->text.len - last_name(n->text).len));
    return buf_str(&path);
}

static bool is_named_query(const void *name, const ast *n)
{
    return n->kind == AST_CTE && str_equal_fold(n->text, *(const str *)name);
}

// The end of the longer one, from a dot on?
static bool ends_alike(str longer, str path)
{
    ptrdiff_t at = longer.len - path.len;
    return path.len == 0
           || (str_equal_fold(str_skip(longer, at), path)
               && (at == 0 || longer.ptr[at - 1] == '.'));
}

static bool look_at_path(void *context, const ast *n)
{
    table_paths *p = context;
    str name = n->kind == AST_TABLE ? last_name(n->text) : (str){0};
    int32_t at = name.len > 0 ? schema_find_table(p->tables, name) : -1;
    str path = at >= 0 ? path_of(p->a, n) : (str){0};
    if (path.len > 0) {
        bool is_longer = path.len > p->of[at].len;
        str longer = is_longer ? path : p->of[at];
        p->is_open |= !ends_alike(longer, is_longer ? p->of[at] : path)
                      || ast_find(p->query, is_named_query, &name);
        p->of[at] = longer;
    }
    return true;
}

bool spell_tells_tables(const str queries[2],
                        const schema *s,
                        dialect d,
                        arena scratch)
{
    arena temp = arena_half(&scratch);
    table_paths p = {
        .tables = s,
        .of = arena_new(&scratch, str, s->n_tables),
        .a = &scratch,
    };
    for (int i = 0; i < 2; i++) {
        p.query = query_text_of(&scratch, queries[i], d, temp).tree;
        if (p.query) {
            ast_walk(p.query, look_at_path, &p);
        }
    }
    return !p.is_open;
}

static ast *unqualified(rewording *s, const ast *n)
{
    ast *copy = ast_copy(s->a, n);
    if (n->kind == AST_TABLE) {
        copy->text = last_name(n->text);
        copy->kid[TABLE_PATH] = NULL;
        return copy;
    }
    ast **path =
        n->kind == AST_COLUMN ? &copy->kid[COLUMN_PATH] : &copy->kid[STAR_PATH];
    while ((*path)->next) {
        *path = (*path)->next;
    }
    return copy;
}

// The text FORMAT makes as CONVERT does with a style of YYYY-MM-DD HH:MM:SS, so
// many letters of it; empty: it is another style.
static str format_of_style(const ast *type, const ast *style)
{
    static const str whole = S_INIT("'yyyy-MM-dd HH:mm:ss'");
    const ast *size = type->kind == AST_CALL ? type->kid[CALL_ARGS] : NULL;
    int64_t n = 0;
    bool is_known = size && size->kind == AST_NUMBER
                    && str_to_int(size->text, &n)
                    && str_among_fold(type->text, "varchar nvarchar char")
                    && str_among_fold(style->text, "20 21 23 120 121 126")
                    && (n == 4 || n == 7 || n == 10);
    return is_known ? str_sub(whole, 0, (ptrdiff_t)n + 1) : (str){0};
}

// T-SQL's CONVERT(VARCHAR(10), x) is a CAST; with a style it is a format.
static ast *converted(rewording *s, const ast *n)
{
    const ast *type = n->kind == AST_CALL && s->from == DIALECT_TSQL
                              && str_equal_fold(n->text, S("convert"))
                          ? n->kid[CALL_ARGS]
                          : NULL;
    const ast *of = type ? type->next : NULL;
    if (!of || (type->kind != AST_CALL && type->kind != AST_COLUMN)) {
        return NULL;
    }
    const ast *time = ast_rewrite(s->a, of, reworded, s);
    if (!of->next) {
        ast *cast = ast_expression(s->a, S("CAST(?1 AS INT)"), s->from, &time,
                                   s->scratch);
        ast *to = cast->kid[CAST_TYPE];
        to->text = type->text;
        to->kid[TYPE_ARGS] = type->kind == AST_CALL
                                 ? ast_copy(s->a, type)->kid[CALL_ARGS]
                                 : NULL;
        return cast;
    }
    str format = format_of_style(type, of->next);
    str as = arena_printf(s->a, "FORMAT(?1, %.*s')", STR_ARG(format));
    return format.len > 0 ? ast_expression(s->a, as, s->from, &time, s->scratch)
                          : NULL;
}

static ast *reworded(void *context, const ast *n)
{
    rewording *s = context;
    return is_qualified(s->tables, n) ? unqualified(s, n) : converted(s, n);
}

str spell_words(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    arena trees = arena_half(&scratch);
    ast *query = query_text_of(&trees, sql, d, scratch).tree;
    rewording words = {s, d, &trees, scratch};
    ast *said = query ? ast_rewrite(&trees, query, reworded, &words) : NULL;
    return said && !ast_equal(said, query) ? spell_printed(a, said, d, scratch)
                                           : sql;
}
