/*
 * template_read.c - one statement of a gold, cut into text and groups.
 *
 * Method      The lexer says what is text. `{a, b}` is a group with items
 *             between commas at its own level; a bare `{}` repeats the choice
 *             of the nearest group before it. Where the bare one stands
 *             decides about aliases: only directly in a SELECT or FROM list
 *             may `expression AS name` stand; in GROUP BY, ORDER BY,
 *             PARTITION BY and all other places the name is dropped.
 *             Braces that belong to the dialect stay text: the ODBC escapes
 *             {fn ...}, {d '...'}, {t '...'}, {ts '...'}, {oj ...}, objects
 *             {'key': ...} of Snowflake, structs {key: ...} and MAP {...} of
 *             DuckDB.
 *
 * Not here    Putting variants together (template_build.c).
 */
#include "base/words.h"
#include "sql/template_parts.h"

#include <assert.h>

enum {
    MAX_DEPTH = 1024,  // of parentheses whose clauses are told apart
    TAIL = 4,
};

// What is known about the place in the statement.
typedef struct clause_state {
    bool allows_alias[MAX_DEPTH];  // by depth: in a SELECT or FROM list
    ptrdiff_t depth;
} clause_state;

// An item that is being read.
typedef struct item_state {
    token first;
    token tail[TAIL];  // its last tokens, the very last one at the end
    ptrdiff_t n;       // tokens so far, without comments
    ptrdiff_t depth;   // open parentheses and brackets
} item_state;

static bool wrong(const template_reader *r, token at, const char *what)
{
    return diag_add(r->d, diag_locate(S("gold"), r->gold, at.pos), "%s", what);
}

static bool is_op(token t, op o)
{
    return t.kind == TOKEN_OP && t.id == (int32_t)o;
}

static bool is_keyword(token t, keyword k)
{
    return (t.kind == TOKEN_KEYWORD || t.kind == TOKEN_WORD)
           && t.id == (int32_t)k;
}

static ptrdiff_t token_end(token t)
{
    return (ptrdiff_t)t.pos + t.len;
}

// Follows parentheses and clauses through the text outside of groups.
static void follow_clause(clause_state *c, token t)
{
    if (is_op(t, OP_PAREN_OPEN)) {
        c->depth++;
        if (c->depth < MAX_DEPTH) {
            c->allows_alias[c->depth] = false;
        }
        return;
    }
    if (is_op(t, OP_PAREN_CLOSE)) {
        c->depth -= c->depth > 0;
        return;
    }
    if ((t.kind != TOKEN_KEYWORD && t.kind != TOKEN_WORD)
        || c->depth >= MAX_DEPTH) {
        return;
    }
    switch (t.id) {
    case KEYWORD_SELECT:
    case KEYWORD_FROM:
    case KEYWORD_JOIN: c->allows_alias[c->depth] = true; break;
    case KEYWORD_ON:
    case KEYWORD_WHERE:
    case KEYWORD_GROUP:
    case KEYWORD_HAVING:
    case KEYWORD_QUALIFY:
    case KEYWORD_WINDOW:
    case KEYWORD_ORDER:
    case KEYWORD_PARTITION:
    case KEYWORD_LIMIT: c->allows_alias[c->depth] = false; break;
    default: break;
    }
}

static bool allows_alias(const clause_state *c)
{
    return c->depth < MAX_DEPTH && c->allows_alias[c->depth];
}

// Words that end an expression and look like its alias.
static bool ends_without_alias(token last, token before)
{
    static const struct {
        keyword last;
        keyword before;  // KEYWORD_NONE: whatever stands before
    } pairs[] = {
        {KEYWORD_END, KEYWORD_NONE},
        {KEYWORD_ASC, KEYWORD_NONE},
        {KEYWORD_DESC, KEYWORD_NONE},
        {KEYWORD_ISNULL, KEYWORD_NONE},
        {KEYWORD_NOTNULL, KEYWORD_NONE},
        {KEYWORD_FIRST, KEYWORD_NULLS},
        {KEYWORD_LAST, KEYWORD_NULLS},
        {KEYWORD_PRECISION, KEYWORD_DOUBLE},
        {KEYWORD_VARYING, KEYWORD_CHAR},
        {KEYWORD_VARYING, KEYWORD_BIT},
        {KEYWORD_VARYING, KEYWORD_CHARACTER},
        {KEYWORD_ZONE, KEYWORD_TIME},
    };
    for (ptrdiff_t i = 0; i < countof(pairs); i++) {
        if (is_keyword(last, pairs[i].last)
            && (pairs[i].before == KEYWORD_NONE
                || is_keyword(before, pairs[i].before))) {
            return true;
        }
    }
    return false;
}

static bool is_unit(token t)
{
    static const keyword units[] = {
        KEYWORD_YEAR, KEYWORD_QUARTER, KEYWORD_MONTH,  KEYWORD_WEEK,
        KEYWORD_DAY,  KEYWORD_HOUR,    KEYWORD_MINUTE, KEYWORD_SECOND,
    };
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        if (is_keyword(t, units[i])) {
            return true;
        }
    }
    return false;
}

static bool is_name(token t)
{
    return t.kind == TOKEN_NAME || t.kind == TOKEN_WORD
           || t.kind == TOKEN_QUOTED_NAME || t.kind == TOKEN_STRING_OR_NAME;
}

// Where the item ends when its alias is left out: `a AS x`, `a x` end after a.
static ptrdiff_t end_of_bare(const item_state *item)
{
    assert(item->n > 0);
    const token *t = item->tail;
    token last = t[TAIL - 1];
    token before = t[TAIL - 2];
    ptrdiff_t whole = token_end(last);
    if (item->n >= 3 && is_keyword(before, KEYWORD_AS)) {
        return token_end(t[TAIL - 3]);
    }
    if (item->n < 2 || !is_name(last) || !token_ends_operand(before)
        || ends_without_alias(last, before)) {
        return whole;
    }
    // INTERVAL '1' DAY
    bool is_amount = before.kind == TOKEN_NUMBER || before.kind == TOKEN_STRING;
    // x AT TIME ZONE tz
    bool is_zone = is_keyword(before, KEYWORD_ZONE)
                   && is_keyword(t[TAIL - 3], KEYWORD_TIME)
                   && is_keyword(t[TAIL - 4], KEYWORD_AT);
    return (is_amount && is_unit(last)) || is_zone ? whole : token_end(before);
}

static void add_item(const template_reader *r,
                     template_group *g,
                     const item_state *item)
{
    assert(item->n > 0);
    ptrdiff_t from = item->first.pos;
    str text = str_sub(r->gold, from, token_end(item->tail[TAIL - 1]));
    if (words_of(g->items.ptr, g->items.len, text, text) >= 0) {
        return;
    }
    if (g->items.len == TEMPLATE_MAX_ITEMS) {
        g->overflows = true;
        return;
    }
    *vec_push(r->a, &g->items) = (template_item){
        .text = text,
        .bare = str_sub(r->gold, from, end_of_bare(item)),
    };
}

static void follow_item(item_state *item, token t)
{
    if (is_op(t, OP_PAREN_OPEN) || is_op(t, OP_BRACKET_OPEN)) {
        item->depth++;
    } else if (is_op(t, OP_PAREN_CLOSE) || is_op(t, OP_BRACKET_CLOSE)) {
        item->depth--;
    }
    if (item->n == 0) {
        item->first = t;
    }
    for (int i = 1; i < TAIL; i++) {
        item->tail[i - 1] = item->tail[i];
    }
    item->tail[TAIL - 1] = t;
    item->n++;
}

// {'a': 1}, {a: 1} and MAP {1: 2}: `before` stands before the brace.
static bool is_object(const template_reader *r,
                      token before,
                      token key,
                      token next)
{
    bool is_key = key.kind == TOKEN_STRING;
    if (r->options.dialect == DIALECT_DUCKDB) {
        bool is_map = token_is_word(before)
                      && str_equal_fold(token_text(r->gold, before), S("map"));
        if (is_map) {
            return true;
        }
        is_key = is_key || is_name(key) || token_is_word(key);
    } else if (r->options.dialect != DIALECT_SNOWFLAKE) {
        return false;
    }
    return is_key && is_op(next, OP_COLON);
}

// Whether the brace before the lexer's place belongs to the dialect.
static bool is_dialect_brace(const template_reader *r, token before)
{
    lexer ahead = r->lex;
    token word = lex_next_solid(&ahead);
    token next = lex_next_solid(&ahead);
    if (is_object(r, before, word, next)) {
        return true;
    }
    if (!token_is_word(word)) {
        return false;
    }
    str text = token_text(r->gold, word);
    if (str_among_fold(text, "fn oj")) {
        return token_is_word(next) || next.kind == TOKEN_QUOTED_NAME;
    }
    bool is_time = str_among_fold(text, "d t ts");
    return is_time && next.kind == TOKEN_STRING
           && is_op(lex_next_solid(&ahead), OP_BRACE_CLOSE);
}

// Reads up to the brace that closes `open`, and takes it.
static bool skip_braces(template_reader *r, token open, token *last)
{
    ptrdiff_t depth = 1;
    while (depth > 0) {
        *last = lex_next_solid(&r->lex);
        if (last->kind == TOKEN_END) {
            return wrong(r, open, "'{' is never closed");
        }
        depth += is_op(*last, OP_BRACE_OPEN);
        depth -= is_op(*last, OP_BRACE_CLOSE);
    }
    return true;
}

// A token inside the group that opened at `open`, other than what parts items.
static bool read_item_token(template_reader *r,
                            item_state *item,
                            token open,
                            token t)
{
    if (t.kind == TOKEN_END) {
        return wrong(r, open, "'{' is never closed");
    }
    if (is_op(t, OP_SEMICOLON)) {
        return wrong(r, t, "';' inside '{...}'");
    }
    if (is_op(t, OP_BRACE_CLOSE)) {
        return wrong(r, t, "'}' before the parenthesis in '{...}' is closed");
    }
    if (is_op(t, OP_BRACE_OPEN)) {
        if (!is_dialect_brace(r, item->tail[TAIL - 1])) {
            return wrong(r, t, "'{' inside '{...}'");
        }
        follow_item(item, t);
        if (!skip_braces(r, t, &t)) {
            return false;
        }
    }
    follow_item(item, t);
    if (item->depth < 0) {
        return wrong(r, t,
                     "a parenthesis is closed in '{...}' that was opened "
                     "before it");
    }
    return true;
}

// Reads the items after `open`, and the closing brace, into `g`.
static bool read_items(template_reader *r,
                       template_group *g,
                       token open,
                       token t)
{
    item_state item = {0};
    for (;; t = lex_next_solid(&r->lex)) {
        bool closes = is_op(t, OP_BRACE_CLOSE) && item.depth == 0;
        bool parts = is_op(t, OP_COMMA) && item.depth == 0;
        if (!closes && !parts) {
            if (!read_item_token(r, &item, open, t)) {
                return false;
            }
            continue;
        }
        if (item.n == 0) {
            return wrong(r, t, "an item of '{...}' is empty");
        }
        add_item(r, g, &item);
        if (closes) {
            return true;
        }
        item = (item_state){0};
    }
}

static void add_text(template_reader *r, template_statement *s, ptrdiff_t to)
{
    str text = str_sub(r->gold, r->text_from, to);
    if (text.len > 0) {
        *vec_push(r->a, &s->pieces) =
            (template_piece){.kind = PIECE_TEXT, .text = text};
    }
}

// Reads a group or a repetition whose `{` was just read.
static bool read_group(template_reader *r,
                       template_statement *s,
                       token open,
                       const clause_state *clause)
{
    add_text(r, s, open.pos);
    template_piece piece = {.kind = PIECE_REPEAT, .group = s->groups.len - 1};
    token t = lex_next_solid(&r->lex);
    if (!is_op(t, OP_BRACE_CLOSE)) {
        template_group *g = vec_push(r->a, &s->groups);
        g->pos = open.pos;
        piece =
            (template_piece){.kind = PIECE_GROUP, .group = s->groups.len - 1};
        if (!read_items(r, g, open, t)) {
            return false;
        }
    } else if (s->groups.len == 0) {
        return wrong(r, open, "'{}' with no group before it");
    } else {
        piece.drops_alias = !allows_alias(clause);
    }
    *vec_push(r->a, &s->pieces) = piece;
    r->text_from = r->lex.at;
    if (s->pieces.len > TEMPLATE_MAX_PIECES) {
        return wrong(r, open, "too many groups in one statement");
    }
    return true;
}

// Takes the blanks off both ends of the statement.
static void trim_ends(template_statement *s)
{
    if (s->pieces.len == 0) {
        return;
    }
    template_piece *first = &s->pieces.ptr[0];
    template_piece *last = &s->pieces.ptr[s->pieces.len - 1];
    while (first->text.len > 0 && is_space(first->text.ptr[0])) {
        first->text = str_skip(first->text, 1);
    }
    while (last->text.len > 0 && is_space(last->text.ptr[last->text.len - 1])) {
        last->text.len--;
    }
}

bool template_read(template_reader *r, template_statement *s, bool *is_last)
{
    clause_state clause = {0};
    token before = {0};
    r->text_from = r->lex.at;
    for (token t;; before = t) {
        t = lex_next_solid(&r->lex);
        *is_last = t.kind == TOKEN_END;
        if (*is_last || (is_op(t, OP_SEMICOLON) && !r->options.keep_whole)) {
            add_text(r, s, t.pos);
            trim_ends(s);
            return true;
        }
        if (!s->has_token) {
            s->has_token = true;
            s->pos = t.pos;
        }
        if (is_op(t, OP_BRACE_CLOSE)) {
            return wrong(r, t, "'}' without '{'");
        }
        if (!is_op(t, OP_BRACE_OPEN)) {
            follow_clause(&clause, t);
        } else if (is_dialect_brace(r, before)) {
            if (!skip_braces(r, t, &t)) {
                return false;
            }
        } else if (!read_group(r, s, t, &clause)) {
            return false;
        }
    }
}
