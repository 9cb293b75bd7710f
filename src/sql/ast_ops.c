/*
 * ast_ops.c - what can be done with any tree, made from the table of nodes.
 *
 * Method      ast.def gives each kind the run of its fields in one array; every
 *             function here is a loop over that run.
 *
 * Cost        Linear in the tree; ast_dump_pretty is linear times the depth.
 */
#include "sql/ast_rewrite.h"

#include <assert.h>
#include <string.h>

typedef enum text_role {
    TEXT_NONE,
    TEXT_NAME,
    TEXT_AS_TYPED,
} text_role;

typedef enum field_many {
    MANY_ONE,
    MANY_LIST,
    MANY_PATH,
} field_many;

// Counts all fields; at each kind it notes the number and steps back.
enum {
#define NODE(kind, word, text) \
    FIELDS_OF_##kind, BACK_##kind = FIELDS_OF_##kind - 1,
#define FIELD(kind, name, label, many) FIELD_NUMBER_##kind##_##name,
#include "sql/ast.def"
    FIELDS_END,
};

static const struct {
    str label;
    field_many many;
} fields[] = {
#define FIELD(kind, name, label, many) {S_INIT(label), MANY_##many},
#include "sql/ast.def"
};

static const struct {
    str word;
    text_role text;
    uint8_t first;  // of its fields
} kinds[] = {
#define NODE(kind, word, text) {S_INIT(word), TEXT_##text, FIELDS_OF_##kind},
#include "sql/ast.def"
    {S_INIT(""), TEXT_NONE, FIELDS_END},
};

static const str flag_words[] = {
#define FLAG(name, word) S_INIT(word),
#include "sql/ast.def"
};

enum {
#define NODE(kind, word, text) \
    FORMS_OF_##kind, FORMS_BACK_##kind = FORMS_OF_##kind - 1,
#define FORM(kind, name, word) FORM_NUMBER_##kind##_##name,
#include "sql/ast.def"
    FORMS_END,
};

static const str form_words[] = {
#define FORM(kind, name, word) S_INIT(word),
#include "sql/ast.def"
};

static const uint8_t first_forms[] = {
#define NODE(kind, word, text) FORMS_OF_##kind,
#include "sql/ast.def"
    FORMS_END,
};

static const str operator_texts[] = {
    S_INIT(""),
#define SIGN(constant, text, op, lite, pg, my, bq, ts)      S_INIT(text),
#define VERB(constant, text, keyword, lite, pg, my, bq, ts) S_INIT(text),
#define PREFIX(constant, text, lite, pg, my, bq, ts)        S_INIT(text),
#define POSTFIX(constant, lite, pg, my, bq, ts)             S_INIT("IS DISTINCT FROM"),
#include "sql/operator.def"
};

str ast_kind_word(ast_kind kind)
{
    assert(kind < AST_KIND_COUNT);
    return kinds[kind].word;
}

int ast_kid_count(ast_kind kind)
{
    assert(kind < AST_KIND_COUNT);
    return kinds[kind + 1].first - kinds[kind].first;
}

str ast_form_word(ast_kind kind, int form)
{
    assert(kind < AST_KIND_COUNT);
    assert(form >= 0 && form < first_forms[kind + 1] - first_forms[kind]);
    return form_words[first_forms[kind] + form];
}

str ast_field_word(ast_kind kind, int field)
{
    assert(field >= 0 && field < ast_kid_count(kind));
    return fields[kinds[kind].first + field].label;
}

bool ast_has_name(ast_kind kind)
{
    return kinds[kind].text == TEXT_NAME;
}

bool operator_orders(int o)
{
    return o == OPERATOR_LESS || o == OPERATOR_LESS_EQUAL
           || o == OPERATOR_GREATER || o == OPERATOR_GREATER_EQUAL
           || o == OPERATOR_NOT_LESS || o == OPERATOR_NOT_GREATER;
}

bool operator_compares(int o)
{
    return o == OPERATOR_EQUAL || o == OPERATOR_EQUAL_EQUAL
           || o == OPERATOR_LESS_GREATER || o == OPERATOR_BANG_EQUAL
           || (operator_orders(o) && o != OPERATOR_NOT_LESS
               && o != OPERATOR_NOT_GREATER);
}

bool operator_weighs(int o)
{
    return operator_compares(o) || operator_orders(o) || o == OPERATOR_NULL_SAFE
           || o == OPERATOR_IS || o == OPERATOR_IS_DISTINCT;
}

bool operator_likes(int o)
{
    return o == OPERATOR_LIKE || o == OPERATOR_ILIKE || o == OPERATOR_GLOB;
}

str operator_text(sql_operator o)
{
    assert(o < OPERATOR_COUNT);
    return operator_texts[o];
}

ast *ast_new(arena *a, ast_kind kind)
{
    ptrdiff_t kids = ast_kid_count(kind);
    ptrdiff_t size = (ptrdiff_t)sizeof(ast) + kids * (ptrdiff_t)sizeof(ast *);
    ast *n = arena_alloc(a, size, _Alignof(ast), 1);
    n->kind = (uint8_t)kind;
    return n;
}

bool ast_is_query(const ast *n)
{
    return n->kind == AST_SELECT || n->kind == AST_SETOP
           || n->kind == AST_VALUES || n->kind == AST_NESTED;
}

ast **ast_query_part(ast *query, query_part part)
{
    assert(ast_is_query(query));
    assert(part <= QUERY_LIMIT);
    static const uint8_t places[AST_KIND_COUNT][3] = {
        [AST_SELECT] = {SELECT_WITH, SELECT_ORDER, SELECT_LIMIT},
        [AST_SETOP] = {SETOP_WITH, SETOP_ORDER, SETOP_LIMIT},
        [AST_VALUES] = {VALUES_WITH, VALUES_ORDER, VALUES_LIMIT},
        [AST_NESTED] = {NESTED_WITH, NESTED_ORDER, NESTED_LIMIT},
    };
    return &query->kid[places[query->kind][part]];
}

const ast *ast_query_has(const ast *query, query_part part)
{
    return ast_is_query(query) ? *ast_query_part((ast *)(uintptr_t)query, part)
                               : NULL;
}

const ast *ast_last(const ast *first)
{
    while (first && first->next) {
        first = first->next;
    }
    return first;
}

bool ast_whole(const ast *n, int64_t *out)
{
    bool is_minus = n->kind == AST_UNARY && n->form == OPERATOR_NEGATE;
    const ast *digits = is_minus ? n->kid[UNARY_EXPR] : n;
    bool ok =
        digits && digits->kind == AST_NUMBER && str_to_int(digits->text, out);
    *out = ok && is_minus ? -*out : *out;
    return ok;
}

int ast_list_len(const ast *first)
{
    int n = 0;
    for (; first; first = first->next) {
        n++;
    }
    return n;
}

const ast *ast_unaliased(const ast *n)
{
    return n && n->kind == AST_ALIAS  ? n->kid[ALIAS_EXPR]
           : n && n->kind == AST_SORT ? n->kid[SORT_EXPR]
                                      : n;
}

bool ast_calls(const ast *n, const char *names)
{
    return n && n->kind == AST_CALL && str_among_fold(n->text, names);
}

str ast_string(arena *a, const ast *n)
{
    str typed = n->text;
    if (typed.len < 2 || (typed.ptr[0] != '\'' && typed.ptr[0] != '"')) {
        return (str){0};
    }
    str inside = {typed.ptr + 1, typed.len - 2};
    if (inside.len == 0
        || !memchr(inside.ptr, typed.ptr[0], (size_t)inside.len)) {
        return inside;
    }
    buf out = buf_new(a);
    for (ptrdiff_t i = 1; i + 1 < typed.len; i++) {
        buf_char(&out, typed.ptr[i]);
        i += typed.ptr[i] == typed.ptr[0];  // a quote stands twice
    }
    return buf_str(&out);
}

void ast_walk(const ast *n, ast_visit *visit, void *context)
{
    assert(n && visit);
    if (!visit(context, n)) {
        return;
    }
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        for (const ast *kid = n->kid[i]; kid; kid = kid->next) {
            ast_walk(kid, visit, context);
        }
    }
}

void ast_each(ast *n, ast_edit *edit, void *context)
{
    edit(context, n);
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        for (ast *kid = n->kid[i]; kid; kid = kid->next) {
            ast_each(kid, edit, context);
        }
    }
}

const ast *ast_find(const ast *n, ast_test *test, const void *about)
{
    const ast *found = test(about, n) ? n : NULL;
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids && !found; i++) {
        for (const ast *kid = n->kid[i]; kid && !found; kid = kid->next) {
            found = ast_find(kid, test, about);
        }
    }
    return found;
}

static ast *keep(void *context, const ast *n)
{
    (void)context;
    (void)n;
    return NULL;
}

ast *ast_copy(arena *a, const ast *n)
{
    return ast_rewrite(a, n, keep, NULL);
}

static bool lists_equal(const ast *a, const ast *b)
{
    while (a && b && ast_equal(a, b)) {
        a = a->next;
        b = b->next;
    }
    return !a && !b;
}

bool ast_equal(const ast *a, const ast *b)
{
    if (!a || !b) {
        return a == b;
    }
    if (a->kind != b->kind || a->form != b->form || a->flags != b->flags
        || !str_equal(a->text, b->text)) {
        return false;
    }
    int kids = ast_kid_count((ast_kind)a->kind);
    for (int i = 0; i < kids; i++) {
        if (!lists_equal(a->kid[i], b->kid[i])) {
            return false;
        }
    }
    return true;
}

static void add_lower(buf *out, str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        buf_char(out, s.ptr[i] == ' ' ? '-' : to_lower(s.ptr[i]));
    }
}

static void dump_head(buf *out, const ast *n)
{
    ast_kind kind = (ast_kind)n->kind;
    str word = kinds[kind].word;
    if (kind == AST_BINARY || kind == AST_UNARY) {
        word = operator_texts[n->form];
    } else if (first_forms[kind] < first_forms[kind + 1]
               && form_words[first_forms[kind] + n->form].len > 0) {
        word = form_words[first_forms[kind] + n->form];
    }
    add_lower(out, word);
    for (ptrdiff_t i = 0; i < countof(flag_words); i++) {
        if (n->flags >> i & 1) {
            buf_printf(out, " %.*s", STR_ARG(flag_words[i]));
        }
    }
}

static void dump_name(buf *out, const ast *n)
{
    static const char open[] = {0, '"', '`', '[', '\'', 0};
    static const char shut[] = {0, '"', '`', ']', '\'', 0};
    assert(n->form < countof(open));
    if (open[n->form]) {
        buf_char(out, open[n->form]);
    }
    buf_add(out, n->text);
    if (shut[n->form]) {
        buf_char(out, shut[n->form]);
    }
}

// The names before the dots, then the node's own.
static void dump_text(buf *out, const ast *n)
{
    bool empty =
        kinds[n->kind].text == TEXT_AS_TYPED ? n->text.len == 0 : !n->text.ptr;
    if (kinds[n->kind].text == TEXT_NONE || empty) {
        return;
    }
    buf_char(out, ' ');
    if (kinds[n->kind].text == TEXT_AS_TYPED) {
        buf_add(out, n->text);
        return;
    }
    int first = kinds[n->kind].first;
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        if (fields[first + i].many == MANY_PATH) {
            for (const ast *name = n->kid[i]; name; name = name->next) {
                dump_name(out, name);
                buf_char(out, '.');
            }
        }
    }
    dump_name(out, n);
}

enum {
    DUMP_WIDTH = 80,
    DUMP_INDENT = 2,
    DUMP_FLAT = -1,  // instead of a column: on one line
};

static void dump_at(buf *out, const ast *n, int at, arena scratch);

static void dump_list(buf *out, const ast *list, int at, arena scratch)
{
    for (const ast *n = list; n; n = n->next) {
        buf_char(out, at == DUMP_FLAT ? ' ' : '\n');
        buf_repeat(out, ' ', at == DUMP_FLAT ? 0 : at);
        dump_at(out, n, at, scratch);
    }
}

// Whether the list, written on one line from that column, stays within it.
static bool list_fits(const ast *list, int at, arena scratch)
{
    buf flat = buf_new(&scratch);
    dump_list(&flat, list, DUMP_FLAT, scratch);
    return at + flat.len + 8 <= DUMP_WIDTH;  // with a label of five letters
}

static void dump_field(buf *out, str label, const ast *list, int at, arena s)
{
    if (label.len == 0) {
        dump_list(out, list, at, s);
        return;
    }
    if (at != DUMP_FLAT) {
        buf_char(out, '\n');
        buf_repeat(out, ' ', at - 1);
        at = list_fits(list, at, s) ? DUMP_FLAT : at + DUMP_INDENT;
    }
    buf_printf(out, " (%.*s", STR_ARG(label));
    dump_list(out, list, at, s);
    buf_char(out, ')');
}

static void dump_node(buf *out, const ast *n, int at, arena scratch)
{
    if (n->kind == AST_NAME) {
        dump_name(out, n);
        return;
    }
    buf_char(out, '(');
    dump_head(out, n);
    dump_text(out, n);
    int first = kinds[n->kind].first;
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        if (n->kid[i] && fields[first + i].many != MANY_PATH) {
            dump_field(out, fields[first + i].label, n->kid[i], at, scratch);
        }
    }
    buf_char(out, ')');
}

static bool fits(const ast *n, int at, arena scratch)
{
    buf flat = buf_new(&scratch);
    dump_node(&flat, n, DUMP_FLAT, scratch);
    return at + flat.len <= DUMP_WIDTH;
}

static void dump_at(buf *out, const ast *n, int at, arena scratch)
{
    assert(at >= DUMP_FLAT);
    bool is_flat = at == DUMP_FLAT || fits(n, at, scratch);
    dump_node(out, n, is_flat ? DUMP_FLAT : at + DUMP_INDENT, scratch);
}

void ast_dump(buf *out, const ast *n)
{
    dump_at(out, n, DUMP_FLAT, (arena){0});
}

void ast_dump_pretty(buf *out, const ast *n, arena scratch)
{
    dump_at(out, n, 0, scratch);
}
