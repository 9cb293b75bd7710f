/*
 * control.c - see control.h.
 *
 * Method      Text for text, from the gold's tokens and its first SELECT; what
 *             has the gold's tokens is no control. The query that never ends
 *             comes seldom: it takes all the steps that a query may.
 */
#include "job/control.h"

#include "relation/relation_select.h"
#include "relation/relation_values.h"
#include "sql/lex.h"
#include "sql/query_text.h"

static const struct {
    str word;
    control_should should;
    str text;
} controls[] = {
#define CONTROL(constant, word, should, text) \
    {S_INIT(word), CONTROL_SHOULD_##should, S_INIT(text)},
#include "job/control.def"
};

static const str hostile[] = {
#define HOSTILE(text) S_INIT(text),
#include "job/control.def"
};

enum {
    ENDLESS_EVERY = 8,  // rounds through the hostile ones
    MOST_LITERALS = 10,
};

str control_word(control_id id)
{
    return controls[id].word;
}

control_should control_should_be(control_id id)
{
    return controls[id].should;
}

str control_text(control_id id)
{
    return controls[id].text;
}

static bool has_tokens_of(str one, str two, dialect d)
{
    lexer a = lex_begin(one, d);
    lexer b = lex_begin(two, d);
    for (;;) {
        token x = lex_next_solid(&a);
        token y = lex_next_solid(&b);
        if (x.kind != y.kind
            || !str_equal_fold(token_text(one, x), token_text(two, y))) {
            return false;
        }
        if (x.kind == TOKEN_END) {
            return true;
        }
    }
}

static str one_line(arena *a, str sql)
{
    str copy = arena_str(a, sql);
    char *text = arena_cstr(a, copy);
    for (ptrdiff_t i = 0; i < copy.len; i++) {
        text[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    }
    return (str){text, copy.len};
}

// The first of the kind in the gold, of SELECTs with a FROM; NULL: none.
static const ast *find_in(const control_case *c,
                          ast_kind kind,
                          arena *a,
                          arena scratch)
{
    const ast *tree = query_text_of(a, c->gold, c->dialect, scratch).tree;
    node_list all = {0};
    if (tree) {
        all = relation_nodes_of(a, tree, NODES_ALL);
    }
    for (ptrdiff_t i = 0; i < all.len; i++) {
        const ast *n = all.ptr[i];
        if (n->kind == kind
            && (kind != AST_SELECT || select_parts_of(n).from)) {
            return n;
        }
    }
    return NULL;
}

static str text_of(const control_case *c, const ast *n)
{
    return str_sub(c->gold, n->pos, (ptrdiff_t)n->pos + n->len);
}

// Plain columns of all rows: then everything may be right.
static bool is_all_there_is(const ast *select)
{
    select_parts parts = select_parts_of(select);
    bool is_plain =
        !parts.where && !parts.group && !parts.having && !parts.limit;
    for (const ast *n = parts.items; n && is_plain; n = n->next) {
        is_plain = n->kind == AST_COLUMN || n->kind == AST_STAR;
    }
    return is_plain;
}

static bool select_star(str *out,
                        arena *a,
                        const control_case *c,
                        arena scratch)
{
    const ast *select = find_in(c, AST_SELECT, a, scratch);
    if (!select || ast_query_has(select, QUERY_WITH)
        || is_all_there_is(select)) {
        return false;
    }
    *out = arena_printf(a, "SELECT * FROM %.*s",
                        STR_ARG(text_of(c, select_parts_of(select).from)));
    return true;
}

static bool echo(str *out, arena *a, const control_case *c)
{
    buf b = buf_new(a);
    ptrdiff_t n = 0;
    lexer l = lex_begin(c->gold, c->dialect);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        bool is_literal = t.kind == TOKEN_STRING || t.kind == TOKEN_NUMBER;
        if (is_literal && n < MOST_LITERALS) {
            buf_add(&b, n++ == 0 ? S("SELECT ") : S(", "));
            buf_add(&b, token_text(c->gold, t));
        }
    }
    *out = buf_str(&b);
    return n > 0;
}

static bool attack(str *out, arena *a, const control_case *c, arena scratch)
{
    const ast *table = find_in(c, AST_TABLE, a, scratch);
    ptrdiff_t round = c->no / countof(hostile);
    ptrdiff_t i = c->no % countof(hostile);
    bool is_endless = i == countof(hostile) - 1;
    str text = hostile[is_endless && round % ENDLESS_EVERY > 0 ? 0 : i];
    text = buf_replaced(a, text, S("{t}"), table ? text_of(c, table) : S("t"));
    *out = buf_replaced(a, text, S("{gold}"), c->gold);
    return true;
}

static bool predict(str *out,
                    arena *a,
                    control_id id,
                    const control_case *c,
                    arena scratch)
{
    switch (id) {
    case CONTROL_GOLD: *out = c->gold; return true;
    case CONTROL_OTHER: *out = c->other; return c->other.len > 0;
    case CONTROL_ONE: *out = S("SELECT 1"); return true;
    case CONTROL_EMPTY: *out = S(""); return true;
    case CONTROL_STAR: return select_star(out, a, c, scratch);
    case CONTROL_ECHO: return echo(out, a, c);
    case CONTROL_HOSTILE: return attack(out, a, c, scratch);
    case CONTROL_NEIGHBOR: *out = c->neighbor; return c->neighbor.len > 0;
    case CONTROL_COUNT: break;
    }
    return false;
}

bool control_predict(str *out,
                     arena *a,
                     control_id id,
                     const control_case *c,
                     arena scratch)
{
    if (!predict(out, a, id, c, scratch)) {
        return false;
    }
    *out = one_line(a, *out);
    return id == CONTROL_GOLD || !has_tokens_of(*out, c->gold, c->dialect);
}
