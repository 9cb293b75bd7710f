/*
 * spell.c - see spell.h.
 *
 * Method      What meets at each node is looked for in meaning.def; what is to
 *             be said otherwise is noted by its place in the tree. Stars under
 *             QUALIFY and the like become the columns that they stand for, and
 *             names of the select list in it what they are names of.
 *
 *             What is said so may be another table's column, of another type
 *             now: so once more, until nothing is left to be said.
 */
#include "check/spell.h"

#include "base/clock.h"
#include "base/map.h"
#include "check/meets.h"
#include "check/spell_lateral.h"
#include "check/spell_words.h"
#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "sample/moment.h"
#include "sample/type_value.h"
#include "schema/bind.h"
#include "sql/ast_rewrite.h"
#include "sql/semantics.h"
#include "sql/translate.h"

// What spellings are read in: it has spans of any number and names between `. A
// tree does not say whose it is.
static const dialect GRAMMAR = DIALECT_BIGQUERY;

static const int64_t HOUR_US = (int64_t)3600 * 1000000;

// What stands in a node's place.
typedef struct spelling {
    str as;
    const ast *args[5];
    ast *tree;  // instead of `as`
    bool is_said;
} spelling;

typedef struct speller {
    const binding *b;
    dialect from;
    semantics means;
    arena *a;
    arena scratch;
    map nodes;  // that are said otherwise, by their addresses; beside `found`
    vec_of(spelling) found;
    str said;         // by what a row asks
    const ast *cast;  // what the last CAST AS DATE is of
} speller;

static str address_of(const ast *const *n)
{
    return (str){(const char *)n, sizeof *n};
}

static void say(speller *s, const ast *node, spelling as)
{
    if (map_add(&s->nodes, s->a, address_of(&node)) == s->found.len) {
        *vec_push(s->a, &s->found) = as;
    }
}

// Not what is said already.
static void say_as(speller *s, const ast *node, str as)
{
    spelling said = {.as = as, .args = {node}};
    const ast *arg = node->kind == AST_CALL ? node->kid[CALL_ARGS] : NULL;
    for (int i = 1; i < countof(said.args); i++) {
        bool is_side = node->kind == AST_BINARY && i <= 2;
        said.args[i] =
            is_side ? node->kid[i == 1 ? BINARY_LEFT : BINARY_RIGHT] : arg;
        arg = arg ? arg->next : NULL;
    }
    arena temp = s->scratch;
    arena half = arena_half(&temp);
    if (!ast_equal(ast_expression(&half, as, GRAMMAR, said.args, temp), node)) {
        say(s, node, said);
    }
}

/* Digits. */

// A column of days, or the first or last of them?
static bool is_plain_day(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_DOUBT
           || (n->kind == AST_CALL && !n->kid[CALL_OVER]
               && str_among_fold(n->text, "min max"));
}

// Whether a day compares with the number as its digits do. What is no day
// equals none either way; whether it is less, MySQL and MariaDB do not agree.
static bool compares_as_digits(speller *s, const ast *n, const ast *number)
{
    int64_t ms = 0;
    str t = number->text;
    str day = t.len == 8 ? arena_printf(s->a, "%.4s-%.2s-%.2s", t.ptr,
                                        t.ptr + 4, t.ptr + 6)
                         : t;
    return (n->kind == AST_BINARY && n->form == OPERATOR_EQUAL)
           || (number->kind == AST_NUMBER && clock_parse(day, &ms));
}

// Which kinds of numbers a text is read as, and not refused beside? MySQL reads
// each as a float, the others as of the type that the number has.
static unsigned numbers_read(const speller *s)
{
    bool reads = s->means.values == VALUES_CONVERTS || s->from == DIALECT_TSQL;
    return s->from == DIALECT_MYSQL ? IS_NUMBER : reads ? IS_WHOLE : 0;
}

static bool is_number_read(const speller *s, const ast *n)
{
    return 1u << bind_type(s->b, n).kind & numbers_read(s);
}

// Do only such numbers stand beside it?
static bool meets_numbers(const speller *s, const ast *n, const ast *text)
{
    bool meets = true;
    switch ((int)n->kind) {
    case AST_BINARY: return true;
    case AST_BETWEEN:
        return n->kid[BETWEEN_EXPR] == text
               && is_number_read(s, n->kid[BETWEEN_LOW])
               && is_number_read(s, n->kid[BETWEEN_HIGH]);
    case AST_IN:
        for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
            meets &= is_number_read(s, i);
        }
        return meets && n->kid[IN_EXPR] == text;
    default: return false;
    }
}

static bool is_column(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_COLUMN;
}

// Words of an ENUM have numbers of their own; a literal becomes what the column
// beside it is, and MySQL rounds it.
static bool is_read_as_number(const speller *s,
                              const ast *n,
                              const operand *text,
                              const operand *number)
{
    str type = text->type.declared;
    return number->kind & numbers_read(s)
           && ast_find(text->node, is_column, NULL)
           && meets_numbers(s, n, text->node)
           && (type.len == 0 || type_form_named(type, s->from) == FORM_NONE);
}

/* Moments. */

// How x compares with the text of a comparison; NONE: not by order.
static sql_operator beside(const ast *n, const ast *text)
{
    switch ((int)n->kind) {
    case AST_BINARY:
        return n->kid[BINARY_RIGHT] == text ? (sql_operator)n->form
               : n->kid[BINARY_LEFT] == text
                   ? operator_turned((sql_operator)n->form)
                   : OPERATOR_NONE;  // of a row
    case AST_BETWEEN:
        return n->kid[BETWEEN_LOW] == text ? OPERATOR_GREATER_EQUAL
                                           : OPERATOR_NONE;
    default: return OPERATOR_NONE;
    }
}

bool spell_is_bound(const ast *comparison, const ast *text)
{
    sql_operator how = beside(comparison, text);
    return how == OPERATOR_GREATER_EQUAL || how == OPERATOR_LESS;
}

static bool has_zone(str type)
{
    return str_find_fold(type, S("tz"), 0) >= 0
           || str_find_fold(type, S("zone"), 0) >= 0;
}

// The text of DATE '...', CAST('...' AS DATE) and the like; NULL: it is none.
static const ast *typed_text(const ast *n, schema_kind *kind)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    const ast *of = n->kind == AST_TYPED ? n->kid[TYPED_VALUE]
                    : type               ? n->kid[CAST_EXPR]
                                         : n;
    str word = type ? type->text : n->kind == AST_TYPED ? n->text : (str){0};
    *kind = word.len > 0 ? schema_kind_of(word) : KIND_TEXT;
    return of && of->kind == AST_STRING && of->text.len >= 2 && !has_zone(word)
               ? of
               : NULL;
}

// 'YYYY-MM-DD', with or without HH:MM or HH:MM:SS behind it; a year of four
// digits, for others sort otherwise.
static bool read_moment(const ast *literal, str *day, str *time)
{
    str s = str_sub(literal->text, 1, literal->text.len - 1);
    int64_t ms = 0;
    *day = str_sub(s, 0, s.len < 10 ? s.len : 10);
    *time = str_skip(s, s.len < 11 ? s.len : 11);
    bool is_day = s.len >= 10 && s.ptr[4] == '-' && s.ptr[7] == '-'
                  && clock_parse(*day, &ms);
    return is_day
           && (s.len == 10
               || ((s.ptr[10] == ' ' || s.ptr[10] == 'T') && time->len >= 5));
}

// A literal that means something beside a moment or a day: `said`, as a plain
// text.
static bool means_moment(speller *s,
                         const ast *n,
                         const ast *literal,
                         const operand *other)
{
    str day;
    str time;
    schema_kind kind;
    const ast *text = typed_text(literal, &kind);
    if (!text || typed_text(other->node, &(schema_kind){0})
        || !read_moment(text, &day, &time)) {
        return false;
    }
    bool is_typed = text != literal;
    str rest = time.len == 0   ? S("00:00:00")
               : time.len == 5 ? arena_printf(s->a, "%.*s:00", STR_ARG(time))
                               : time;
    bool is_midnight = str_equal(rest, S("00:00:00"));
    bool fits = kind == KIND_TEXT || kind == KIND_TIMESTAMP
                || (kind == KIND_DATE && time.len == 0);
    bool is_short =
        other->kind == IS_DAY || (is_midnight && spell_is_bound(n, literal));
    bool may = other->kind == IS_MOMENT ? type_is_time(rest)
                                        : is_typed && kind == KIND_DATE;
    s->said = is_short ? arena_printf(s->a, "'%.*s'", STR_ARG(day))
                       : arena_printf(s->a, "'%.*s %.*s'", STR_ARG(day),
                                      STR_ARG(rest));
    return fits && may;
}

// The day that it is, or that days are added to; NULL: it is none, or is
// written as one.
static const ast *day_in(const speller *s, const ast *n)
{
    bool adds = n->kind == AST_BINARY
                && (n->form == OPERATOR_ADD || n->form == OPERATOR_SUBTRACT)
                && n->kid[BINARY_RIGHT]->kind == AST_INTERVAL;
    const ast *of = adds ? n->kid[BINARY_LEFT] : n;
    return bind_type(s->b, of).kind == KIND_DATE
                   && !typed_text(n, &(schema_kind){0})
               ? of
               : NULL;
}

static bool is_moved(const ast *n)
{
    const ast *span = n->kind == AST_BINARY ? n->kid[BINARY_RIGHT] : NULL;
    return span && span->kind == AST_INTERVAL && !meet_has_hours(span);
}

// '2024-01-31', DATE '2024-01-31' or DATE('2024-01-31') with spans: `said`, of
// this type; the text of a day may be none. Of other years the calendars do not
// agree.
static bool means_later(speller *s,
                        const ast *n,
                        const char *type,
                        bool takes_text)
{
    schema_kind ignored;
    value day = {0};
    const ast *of = n;
    while (is_moved(of)) {
        of = of->kid[BINARY_LEFT];
    }
    bool is_day = bind_type(s->b, of).kind == KIND_DATE;
    bool is_date = of->kind == AST_CALL && str_equal_fold(of->text, S("date"))
                   && ast_list_len(of->kid[CALL_ARGS]) == 1;
    bool is_sum = of != n && (is_day || takes_text)
                  && (is_date || typed_text(of, &ignored))
                  && moment_of(n, 0, &day, s->a);
    str text = is_sum ? value_bytes(day) : (str){0};
    s->said = arena_printf(s->a, "%s'%.*s'", type, STR_ARG(text));
    return text.len == 10 && str_compare(text, S("1900")) > 0
           && str_compare(text, S("3000")) < 0;
}

// d + 30, 30 + d, d - 30: a day, too
static bool means_days(speller *s, const ast *n, const ast *day)
{
    bool is_first = n->kind == AST_BINARY && n->kid[BINARY_LEFT] == day;
    bool adds = n->form == OPERATOR_ADD;
    const ast *number = n->kid[is_first ? BINARY_RIGHT : BINARY_LEFT];
    s->said = arena_printf(
        s->a,
        number->kind == AST_NUMBER ? "CAST(?%d %s INTERVAL ?%d DAY AS DATE)"
                                   : "`days later`(?%d, %s?%d)",
        is_first ? 2 : 3, adds ? "+" : "-", is_first ? 3 : 2);
    return dialect_is_among(s->from, S("PBS"), true)
           && (adds || (is_first && n->form == OPERATOR_SUBTRACT));
}

static bool means_day(speller *s, const ast *text)
{
    int64_t ms = 0;
    str t = text->kind == AST_STRING ? text->text : (str){0};
    s->said = arena_printf(s->a, "DATE(%.*s')", t.len > 13 ? 11 : 0, t.ptr);
    return t.len > 13 && t.ptr[11] == ' ' && !is_digit(t.ptr[12])
           && clock_parse(str_sub(t, 1, 11), &ms);
}

// DATEADD(day, 2, x)
static bool means_sum(speller *s, const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    const ast *second = first ? first->next : NULL;
    if (ast_list_len(first) != 3) {
        return false;
    }
    bool is_text = first->kind == AST_STRING && first->text.len > 2;
    str unit = translate_unit(
        s->from,
        is_text ? str_sub(first->text, 1, first->text.len - 1) : first->text);
    bool falls = second->kind == AST_UNARY && second->form == OPERATOR_NEGATE;
    const ast *number = falls ? second->kid[UNARY_EXPR] : second;
    s->said = arena_printf(s->a, "?4 %s INTERVAL %.*s %.*s", falls ? "-" : "+",
                           STR_ARG(number->text), STR_ARG(unit));
    return number->kind == AST_NUMBER && unit.len > 0;
}

// Hours on the clock; where it has a zone a day may have 23.
static bool means_hours(speller *s, const operand *of, const ast *span)
{
    moment_span by = {0};
    bool is_span = moment_interval(span, &by) && by.months == 0
                   && by.us % HOUR_US == 0 && by.us >= 24 * HOUR_US;
    s->said = arena_printf(s->a, "INTERVAL '%lld' HOUR",
                           (long long)(by.us / HOUR_US));
    return is_span && !has_zone(of->type.declared);
}

/* Quotients. */

// Of whole numbers so large that their sum is none of PostgreSQL's whole ones?
static bool is_large(const binding *b, const ast *n)
{
    bound_column c = bind_type(b, n);
    const ast *expr =
        c.source && c.source->kind == SOURCE_QUERY && !c.source->is_recursive
            ? c.source->query->outputs[c.column].expr
            : n;
    return c.declared.len > 0
               ? str_among_fold(c.declared, "bigint int8 bigserial")
               : expr && expr->kind == AST_CALL
                     && str_among_fold(expr->text, "count sum row_number rank");
}

static bool find_large_sum(const void *about, const ast *n)
{
    const ast *of = n->kind == AST_CALL && str_equal_fold(n->text, S("sum"))
                        ? n->kid[CALL_ARGS]
                        : NULL;
    return of && is_large(about, of);
}

static bool is_scaled(const ast *n)
{
    const ast *by = n->kind == AST_BINARY && n->form == OPERATOR_MULTIPLY
                        ? n->kid[BINARY_LEFT]
                        : NULL;
    return by && by->kind == AST_NUMBER && str_equal(by->text, S("1.0"));
}

static bool is_exact(const speller *s, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    return bind_type(s->b, n).whole != WHOLE_NEVER && !is_scaled(left)
           && (bind_type(s->b, left).kind == KIND_DECIMAL
               || bind_type(s->b, n->kid[BINARY_RIGHT]).kind == KIND_DECIMAL
               || ast_find(n, find_large_sum, s->b));
}

/* Stars. */

// Where rows are kept once they are known every column has to have a name; a
// star that leaves some out is spelled, too.
static void look_for_stars(speller *s, const ast *n)
{
    const bound_block *of = bind_block_at(s->b, n);
    const ast *limit = n->kid[SELECT_LIMIT];
    bool keeps = n->kid[SELECT_ON] || n->kid[SELECT_QUALIFY]
                 || (limit && limit->flags & AST_FLAG_TIES);
    bool has_star = false;
    for (const ast *i = n->kid[SELECT_ITEMS]; i; i = i->next) {
        has_star |= i->kind == AST_STAR;
        keeps |= i->kind == AST_STAR && i->kid[STAR_EXCEPT];
    }
    if (!keeps || !has_star || !of || of->n_merges > 0) {
        return;
    }
    ast *copy = ast_copy(s->a, n);
    const ast *item = n->kid[SELECT_ITEMS];
    ast **end = &copy->kid[SELECT_ITEMS];
    for (ptrdiff_t i = 0; i < of->n_outputs; i++) {
        const bound_column *c = &of->outputs[i];
        bool is_of_star = !c->expr && c->source;
        while (item && !is_of_star && item->kind == AST_STAR) {
            item = item->next;
        }
        if (is_of_star) {
            *end = ast_column(s->a, c->name, c->source->name);
        } else if (item) {
            *end = ast_copy(s->a, item);
            item = item->next;
        } else {
            return;
        }
        end = &(*end)->next;
    }
    *end = NULL;
    say(s, n, (spelling){.tree = copy});
}

// A name of the select list that another item of it uses, where it may: what
// stands there.
static void look_for_names(speller *s, const ast *select)
{
    for (const ast *i = select->kid[SELECT_ITEMS]; i; i = i->next) {
        node_list in = relation_nodes_of(s->a, i, NODES_OF_BLOCK);
        for (ptrdiff_t k = 0; k < in.len; k++) {
            const bound_ref *r = bind_ref(s->b, in.ptr[k]);
            if (r && r->kind == REF_OUTPUT && r->of) {
                const ast *is = r->of->outputs[r->output].expr;
                say(s, in.ptr[k], (spelling){.as = S("?1"), .args = {is}});
            }
        }
    }
}

/* All. */

static bool is_joined(const speller *s, const ast *n)
{
    return bind_type(s->b, n).kind == KIND_TEXT
           || (n->kind == AST_BINARY && n->form == OPERATOR_ADD
               && n->kid[BINARY_LEFT] && is_joined(s, n->kid[BINARY_LEFT])
               && is_joined(s, n->kid[BINARY_RIGHT]));
}

static void met(void *context,
                meet_place place,
                const ast *n,
                const operand *one,
                const operand *other)
{
    speller *s = context;
    if (n->kind == AST_CALL && place & COMPARED) {
        return;  // it gives one of them
    }
#define SPELLED(places, of_one, of_other, when, at, as)                      \
    if (place & (places) && one->kind & (of_one) && other->kind & (of_other) \
        && (when)) {                                                         \
        say_as(s, at, as);                                                   \
    }
#include "check/meaning.def"
}

static ast *spelled(void *context, const ast *n)
{
    speller *s = context;
    ptrdiff_t at = map_find(&s->nodes, address_of(&n));
    if (at < 0 || s->found.ptr[at].is_said) {
        return NULL;
    }
    spelling *as = &s->found.ptr[at];
    as->is_said = true;
    if (as->tree) {
        return as->tree;
    }
    bool is_whole = str_find(as->as, S("?1"), 0) >= 0;
    const ast *args[countof(as->args)] = {0};
    for (int i = is_whole ? 0 : 1; i < (is_whole ? 1 : countof(args)); i++) {
        args[i] =
            as->args[i] ? ast_rewrite(s->a, as->args[i], spelled, s) : NULL;
    }
    return ast_expression(s->a, as->as, GRAMMAR, args, s->scratch);
}

static void look_at(speller *s, const ast *n)
{
    bool is_day = n->kind == AST_CAST && n->kid[CAST_TYPE]
                  && schema_kind_of(n->kid[CAST_TYPE]->text) == KIND_DATE;
    meet_at(&(meeting){s->b, s->means, met, s}, n);
    if (n->kind == AST_SELECT) {
        ast *without = spell_lateral(s->a, s->b, n, s->scratch);
        if (without) {
            say(s, n, (spelling){.tree = without});
        }
        look_for_stars(s, n);
        look_for_names(s, n);
    }
    s->cast = is_day ? n->kid[CAST_EXPR] : s->cast;
}

read_query spell_types(arena *a,
                       read_query query,
                       const schema *s,
                       dialect d,
                       arena scratch)
{
    enum {
        ROUNDS_MAX = 32
    };
    semantics means = dialect_semantics(d);
    bool speaks = means.values != VALUES_DYNAMIC && query.tree;
    for (int i = 0; speaks && i < ROUNDS_MAX; i++) {
        arena trees = scratch;
        arena temp = arena_half(&trees);
        speller more = {
            .from = d, .means = means, .a = &trees, .scratch = temp};
        more.b = bind_query(&trees, query.tree, s, d, temp);
        node_list all = {0};
        if (more.b && more.b->problems.len == 0) {
            all = relation_nodes_of(&trees, query.tree, NODES_ALL);
        }
        for (ptrdiff_t k = 0; k < all.len; k++) {
            look_at(&more, all.ptr[k]);
        }
        if (more.found.len == 0) {
            return query;
        }
        const ast *said = ast_rewrite(&trees, query.tree, spelled, &more);
        query = read_query_printed(a, said, d, temp);
    }
    return speaks ? (read_query){0} : query;
}
