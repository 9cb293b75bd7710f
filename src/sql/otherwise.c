/*
 * otherwise.c - see otherwise.h and otherwise.def.
 *
 * Method      A row is looked for by the word its pattern begins with, or the
 *             operator in it. The pattern is read as the system would read it,
 *             and compared with the node, field by field; what stands where it
 *             has a number is copied to where the result has it.
 *
 * Cost        Rows for each node; what is copied, which is bounded.
 */
#include "sql/otherwise.h"

#include "sql/ast_rewrite.h"
#include "sql/semantics.h"

enum {
    ARGS_MAX = 64,  // of a construct
    FEW_MAX = 6,
    COPIES_MAX = 200000,  // nodes
    OWN_MAX = 30000,      // those that are asked again
    SAID_REFUSED = 8,
};

typedef enum condition {
    WHEN_ALWAYS,
    WHEN_FEW,
    WHEN_FLAT,
    WHEN_LIKENED,
    WHEN_SPAN,
    WHEN_QUERY,
    WHEN_NESTED,
    WHEN_NUMBER,
    WHEN_VALUE,
    WHEN_LETTER,
    WHEN_ISO,
} condition;

typedef struct row {
    int kind;
    str where;
    str pattern;
    str as;  // REFUSED: why
    condition when;
} row;

static const row rows[] = {
#define OWN(where, pattern, as, when) \
    {SAID_IN_OWN, S_INIT(where), S_INIT(pattern), S_INIT(as), WHEN_##when},
#define SQLITE(where, pattern, as, when) \
    {SAID_IN_SQLITE, S_INIT(where), S_INIT(pattern), S_INIT(as), WHEN_##when},
#define TRUTH(where, pattern, as, when) \
    {SAID_AS_TRUTH, S_INIT(where), S_INIT(pattern), S_INIT(as), WHEN_##when},
#define REFUSED(where, pattern, why, when)                          \
    {SAID_IN_SQLITE | SAID_REFUSED, S_INIT(where), S_INIT(pattern), \
     S_INIT(why), WHEN_##when},
#include "sql/otherwise.def"
};

typedef struct match {
    dialect from;
    const ast *root;
    const ast *args[ARGS_MAX];
    int n_args;
} match;

static bool alike(match *m, const ast *pattern, const ast *n);

static bool is_rest(const ast *pattern)
{
    return pattern->kind == AST_PARAMETER && pattern->text.len == 1;
}

static bool take(match *m, int no, const ast *n)
{
    bool is_free = no < ARGS_MAX && n->kind != AST_TAGGED;
    bool is_first = is_free && !m->args[no];
    if (is_first) {
        m->args[no] = n;
        m->n_args = no < m->n_args ? m->n_args : no + 1;
    }
    return is_first || (is_free && ast_equal(m->args[no], n));
}

static bool lists_alike(match *m, const ast *pattern, const ast *n)
{
    bool is_alike = true;
    for (; pattern && !is_rest(pattern) && is_alike; pattern = pattern->next) {
        is_alike = n && alike(m, pattern, n);
        n = n ? n->next : NULL;
    }
    for (; pattern && n && is_alike; n = n->next) {
        is_alike = take(m, m->n_args, n);
    }
    return is_alike && !n;
}

// The class of its first word; those that the pattern names are such.
static str class_of(dialect from, str type)
{
    static const struct {
        str where;
        const char *words;
        str is;
    } types[] = {
#define TYPE(where, words, class) {S_INIT(where), words, S_INIT(class)},
#include "sql/otherwise.def"
    };
    str rest = type;
    str word = str_cut(&rest, ' ');
    word = str_starts(word, S("[")) ? str_sub(word, 1, word.len - 1) : word;
    ptrdiff_t i = 0;
    while (i < countof(types)
           && !(dialect_is_among(from, types[i].where, true)
                && str_among_fold(word, types[i].words))) {
        i++;
    }
    bool is_padded = i < countof(types) && str_equal(types[i].is, S("padded"));
    bool varies = is_padded && str_find_fold(rest, S("varying"), 0) >= 0;
    return i == countof(types) ? (str){0} : varies ? S("text") : types[i].is;
}

// An array of a type is another one.
static bool types_alike(match *m, const ast *pattern, const ast *n)
{
    bool is_array = false;
    for (const ast *word = n->kid[TYPE_AFTER]; word; word = word->next) {
        is_array |= str_starts(word->text, S("["));
    }
    return !is_array
           && str_equal_fold(class_of(m->from, n->text), pattern->text)
           && lists_alike(m, pattern->kid[TYPE_ARGS], n->kid[TYPE_ARGS]);
}

static int plain_form(const ast *n)
{
    switch ((int)n->kind) {
    case AST_CALL:
    case AST_CAST: return 0;
    case AST_QUANTIFIED: return n->form == QUANTIFIED_FORM_ALL;
    case AST_BINARY:
        return n->form == OPERATOR_BANG_EQUAL ? OPERATOR_LESS_GREATER : n->form;
    default: return n->form;
    }
}

static bool heads_alike(const ast *pattern, const ast *n)
{
    static const unsigned unsaid =
        AST_FLAG_WORD | AST_FLAG_COMMA | AST_FLAG_ALL;
    return pattern->kind == n->kind
           && ((unsigned)(pattern->flags ^ n->flags) & ~unsaid) == 0
           && plain_form(pattern) == plain_form(n)
           && (n->kind == AST_STRING ? str_equal(pattern->text, n->text)
                                     : str_equal_fold(pattern->text, n->text));
}

static bool is_any_operator(const ast *n)
{
    return n->kind == AST_BINARY && n->form == OPERATOR_ASSIGN;
}

static bool alike(match *m, const ast *pattern, const ast *n)
{
    if (pattern->kind == AST_PARAMETER) {
        return take(m, pattern->text.ptr[1] - '1', n);
    }
    if (pattern->kind == AST_TYPE && n->kind == AST_TYPE) {
        return types_alike(m, pattern, n);
    }
    bool is_any = is_any_operator(pattern) && n->kind == AST_BINARY;
    bool is_alike = is_any || heads_alike(pattern, n);
    for (int i = 0; is_alike && i < ast_kid_count((ast_kind)n->kind); i++) {
        const ast *kid = n->kid[i];
        bool is_text = !kid || kid->kind == AST_STRING;
        bool is_kept = is_any ? i == BINARY_ESCAPE && is_text
                              : n == m->root && n->kind == AST_CALL
                                    && (i == CALL_FILTER || i == CALL_OVER);
        is_alike = is_kept || lists_alike(m, pattern->kid[i], kid);
    }
    return is_alike;
}

static bool holds(const match *m, condition when)
{
    const ast *one = m->args[0];
    const ast *two = m->args[1];
    switch (when) {
    case WHEN_ALWAYS: return true;
    case WHEN_FEW: return m->n_args <= FEW_MAX;
    case WHEN_FLAT: return two->kind != AST_ARRAY;
    case WHEN_LIKENED:
        return two->kind != AST_ARRAY && !ast_is_query(two)
               && !(m->root->flags & AST_FLAG_NOT)
               && (m->root->form == OPERATOR_LIKE
                   || m->root->form == OPERATOR_ILIKE);
    case WHEN_SPAN: return two->kind == AST_INTERVAL;
    case WHEN_QUERY:
        return ast_is_query(two) && operator_compares(m->root->form);
    case WHEN_NESTED: return two->kind == AST_SUBQUERY;
    case WHEN_VALUE:
        return two->kind == AST_NUMBER || two->kind == AST_STRING
               || two->kind == AST_COLUMN;
    case WHEN_NUMBER: return two->kind == AST_NUMBER;
    case WHEN_LETTER: return one->kind == AST_STRING && one->text.len == 3;
    case WHEN_ISO: break;
    }
    return str_among_fold(two->text, "20 21 23 120 121 126");
}

/* What it is said as. */

// How many arguments the braces that begin there take.
static int taken_at(str form, ptrdiff_t at)
{
    int taken = 0;
    for (; form.ptr[at] != '}' && form.ptr[at] != ']'; at++) {
        taken += form.ptr[at] == '+';
    }
    return taken;
}

// The expression for so many arguments, each with its number.
static str spread(arena *a, str form, const match *m)
{
    buf out = buf_new(a);
    ptrdiff_t begin = 0;
    int next = 1;
    int no = 1;
    bool is_text = false;
    for (ptrdiff_t i = 0; i < form.len; i++) {
        char c = form.ptr[i];
        bool is_asked = i > 0 && form.ptr[i - 1] == '?';
        bool begins = !is_text && (c == '{' || c == '[');
        begin = begins ? i : begin;
        is_text ^= c == '\'';
        if (is_text) {
            buf_char(&out, c);
        } else if (begins || c == '}') {
            bool goes_on = next + taken_at(form, begin) - 1 <= m->n_args;
            no += c == '}';
            i = goes_on ? begin : i;
            while (!goes_on && form.ptr[i] != '}' && form.ptr[i] != ']') {
                i++;
            }
        } else if (is_asked && c == '+') {
            buf_printf(&out, "%d", next++);
        } else if (is_asked && c == '=') {
            buf_printf(&out, "%d", next - 1);
        } else if (c == '#') {
            buf_printf(&out, "%d", no);
        } else if (c != ']') {
            next = is_asked && c - '0' >= next ? c - '0' + 1 : next;
            buf_char(&out, c);
        }
    }
    return buf_str(&out);
}

static void refuse(otherwise *o, str why)
{
    o->why = o->why.len > 0 ? o->why : why;
}

// What := stands for, with what it escapes.
static void compare_as(void *root, ast *n)
{
    const ast *as = root;
    if (is_any_operator(n)) {
        n->form = as->form;
        n->flags = as->flags;
        n->kid[BINARY_ESCAPE] = as->kid[BINARY_ESCAPE];
    }
}

static bool count_node(void *context, const ast *n)
{
    (void)n;
    ++*(ptrdiff_t *)context;
    return true;
}

static ast *filled(otherwise *o, const ast *form, const ast *const *args)
{
    bool is_deep = o->n_copied > COPIES_MAX;
    ast *out = ast_fill(o->a, form, is_deep ? NULL : args);
    ast_walk(out, count_node, &o->n_copied);
    if (is_deep) {
        refuse(o, S("calls nested this deep"));
    }
    return out;
}

ast *otherwise_expression(otherwise *o,
                          str text,
                          dialect d,
                          const ast *const *args)
{
    return filled(o, ast_expression(o->a, text, d, NULL, o->scratch), args);
}

static ast *said_as(otherwise *o, const row *r, const match *m)
{
    const ast *n = m->root;
    if (r->kind & SAID_REFUSED) {
        refuse(o, r->as);
        return NULL;
    }
    dialect d = r->kind == SAID_IN_OWN ? o->from : DIALECT_SQLITE;
    ast *form =
        ast_expression(o->a, spread(o->a, r->as, m), d, NULL, o->scratch);
    ast_each(form, compare_as, (void *)(uintptr_t)n);
    ast *out = filled(o, form, m->args);
    bool keeps =
        n->kind == AST_CALL && (n->kid[CALL_FILTER] || n->kid[CALL_OVER]);
    if (o->why.len > 0 || (keeps && !dialect_aggregates(DIALECT_SQLITE, out))) {
        return NULL;
    }
    if (!keeps) {
        return out;
    }
    const ast *copy = ast_copy(o->a, n);
    out->kid[CALL_FILTER] = copy->kid[CALL_FILTER];
    out->kid[CALL_OVER] = copy->kid[CALL_OVER];
    return out;
}

// Before it is read: may it be such a node?
static bool begins_as(str pattern, const ast *n)
{
    str word = n->kind == AST_CAST    ? S("CAST")
               : n->kind == AST_UNARY ? operator_text((sql_operator)n->form)
                                      : n->text;
    bool is_quoted = pattern.ptr[0] == '"' || pattern.ptr[0] == '`';
    str rest = str_skip(pattern, is_quoted);
    switch ((int)n->kind) {
    case AST_CALL:
    case AST_CAST:
        return str_starts_fold(rest, word)
               && rest.ptr[word.len] == (is_quoted ? pattern.ptr[0] : '(');
    case AST_WORD: return str_equal_fold(pattern, word);
    case AST_UNARY: return str_starts(pattern, word);
    case AST_BINARY:
        return pattern.ptr[0] == '?'
               && (str_find(pattern, operator_text((sql_operator)n->form), 0)
                       >= 0
                   || str_find(pattern, S(":="), 0) >= 0);
    case AST_IN:
        return pattern.ptr[0] == '?' && str_find(pattern, S(" IN "), 0) >= 0;
    default: return false;
    }
}

static bool fits(const otherwise *o, const row *r, const ast *n, match *m)
{
    arena scratch = o->scratch;
    arena patterns = arena_half(&scratch);
    *m = (match){.from = o->from, .root = n};
    return alike(m,
                 ast_expression(&patterns, r->pattern, o->from, NULL, scratch),
                 n)
           && holds(m, r->when);
}

ast *otherwise_said(otherwise *o, otherwise_kind kind, const ast *n)
{
    match m;
    bool may =
        (n->kind == AST_CALL || n->kind == AST_CAST || n->kind == AST_WORD
         || n->kind == AST_UNARY || n->kind == AST_BINARY || n->kind == AST_IN)
        && (kind != SAID_IN_OWN || o->n_copied < OWN_MAX);
    for (ptrdiff_t i = 0; may && i < countof(rows); i++) {
        if (rows[i].kind & (int)kind && begins_as(rows[i].pattern, n)
            && dialect_is_among(o->from, rows[i].where, true)
            && fits(o, &rows[i], n, &m)) {
            return said_as(o, &rows[i], &m);
        }
    }
    return NULL;
}
