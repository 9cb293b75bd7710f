/*
 * spell.c - see spell.h.
 *
 * Method      Each comparison is looked at by the types of its sides, and what
 *             is to be said otherwise is noted by its place in the tree.
 *
 *             moments     '2024-12-31' beside a moment becomes '2024-12-31
 *                         00:00:00', and so do DATE '2024-12-31' and casts of
 *                         such a text; the day alone where that sorts alike.
 *             days        beside a moment are CAST(d AS DATETIME), also where
 *                         others are added to them.
 *             spans       that a function adds stand behind a + or -; of days
 *                         beside a moment they are hours.
 *             joins       T-SQL's + of texts is ||.
 *             begins      of the months of days that are days, too, are said to
 *                         be: CAST(DATE_TRUNC(d, MONTH) AS DATE).
 *             quotients   of decimals, 1 among them, are 1.0 * x / y: SQLite
 *                         keeps such a 1 as a whole number. Where a quotient
 *                         has digits enough it is the same.
 *             stars       under QUALIFY and the like are the columns that they
 *                         stand for.
 *             digits      Where days in a computation are digits
 *                         (semantics.def), 20200131 is what 1 is added to, and
 *                         what a number is compared with: MySQL's d + 1 is
 *                         CAST(DATE_FORMAT(d, '%Y%m%d') AS SIGNED) + 1.
 *
 *             What is said so may be another table's column, of another type
 *             now: so once more, until nothing is left to be said.
 */
#include "check/spell.h"

#include "base/clock.h"
#include "base/map.h"
#include "check/meets.h"
#include "check/spell_words.h"
#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "sample/moment.h"
#include "sample/type_value.h"
#include "schema/bind.h"
#include "sql/ast_rewrite.h"
#include "sql/query_text.h"
#include "sql/semantics.h"
#include "sql/translate.h"

static const int64_t HOUR_US = (int64_t)3600 * 1000000;

// What stands in a node's place. Inside it is what `of` becomes, which is the
// node or lies in it.
typedef struct spelling {
    ast *as;
    ast **place;  // a copy of `of`, in `as`; NULL: there is none
    const ast *of;
    bool is_said;
} spelling;

typedef struct speller {
    const binding *b;
    dialect from;
    arena *a;
    map nodes;  // that are said otherwise, by their addresses; beside `found`
    vec_of(spelling) found;
    bool joins;       // a + is ||
    const ast *cast;  // what the last CAST AS DATE is of
} speller;

static str address_of(const ast *const *n)
{
    return (str){(const char *)n, sizeof *n};
}

// Once, for both bounds of BETWEEN have the same beside them; not what is said
// already.
static void say(speller *s, const ast *node, spelling as)
{
    if (!ast_equal(as.as, node)
        && map_add(&s->nodes, s->a, address_of(&node)) == s->found.len) {
        *vec_push(s->a, &s->found) = as;
    }
}

static void say_cast(speller *s, const ast *node, str type)
{
    ast *cast = spell_cast(s->a, ast_copy(s->a, node), type);
    say(s, node, (spelling){cast, &cast->kid[CAST_EXPR], node, false});
}

/* Digits. */

// A column of days, or the first or last of them.
static bool is_day(const speller *s, const ast *n)
{
    bool passes = n->kind == AST_COLUMN || n->kind == AST_DOUBT
                  || (n->kind == AST_CALL && !n->kid[CALL_OVER]
                      && str_among_fold(n->text, "min max"));
    return passes && bind_type(s->b, n).kind == KIND_DATE;
}

static void say_digits(speller *s, const ast *day)
{
    ast *call = ast_new(s->a, AST_CALL);
    call->text = S("DATE_FORMAT");
    call->kid[CALL_ARGS] = ast_copy(s->a, day);
    call->kid[CALL_ARGS]->next = spell_text(s->a, S("'%Y%m%d'"));
    ast *cast = spell_cast(s->a, call, S("SIGNED"));
    say(s, day, (spelling){cast, &call->kid[CALL_ARGS], day, false});
}

// Whether a day compares with the number as its digits do. What is no day
// equals none either way; whether it is less, MySQL and MariaDB do not agree.
static bool compares_as_digits(speller *s, sql_operator how, const ast *number)
{
    int64_t ms = 0;
    str t = number->text;
    str day = t.len == 8 ? arena_printf(s->a, "%.4s-%.2s-%.2s", t.ptr,
                                        t.ptr + 4, t.ptr + 6)
                         : t;
    return how == OPERATOR_EQUAL
           || (number->kind == AST_NUMBER && clock_parse(day, &ms));
}

static void look_for_digits(speller *s, const ast *n)
{
    bool is_sign = n->kind == AST_UNARY && meet_computes(n->form);
    if (is_sign && is_day(s, n->kid[UNARY_EXPR])) {
        say_digits(s, n->kid[UNARY_EXPR]);
    }
    condition c = condition_of(n, false);
    if (n->kind != AST_BINARY || c.kind != CONDITION_PAIR || !c.left || !c.right
        || c.left->kind == AST_INTERVAL || c.right->kind == AST_INTERVAL) {
        return;
    }
    const ast *sides[] = {c.left, c.right};
    bool computes = meet_computes(n->form);
    bool may = computes || operator_weighs(n->form);
    for (int i = 0; i < 2; i++) {
        if (may && is_day(s, sides[i])
            && (computes
                || (schema_kind_is_number(bind_type(s->b, sides[1 - i]).kind)
                    && compares_as_digits(s, (sql_operator)n->form,
                                          sides[1 - i])))) {
            say_digits(s, sides[i]);
        }
    }
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

// What a literal means beside a moment or a day, as a plain text.
static void look_at_literal(speller *s,
                            const ast *n,
                            const ast *literal,
                            schema_kind other)
{
    str day;
    str time;
    schema_kind kind;
    const ast *text = typed_text(literal, &kind);
    if (!text || !read_moment(text, &day, &time)) {
        return;
    }
    bool is_typed = text != literal;
    str rest = time.len == 0   ? S("00:00:00")
               : time.len == 5 ? arena_printf(s->a, "%.*s:00", STR_ARG(time))
                               : time;
    bool is_midnight = str_equal(rest, S("00:00:00"));
    bool fits = kind == KIND_TEXT || kind == KIND_TIMESTAMP
                || (kind == KIND_DATE && time.len == 0);
    bool is_short =
        other == KIND_DATE || (is_midnight && spell_is_bound(n, literal));
    bool may = other == KIND_TIMESTAMP
                   ? type_is_time(rest)
                   : is_typed && kind == KIND_DATE && other == KIND_DATE;
    str said = is_short ? arena_printf(s->a, "'%.*s'", STR_ARG(day))
                        : arena_printf(s->a, "'%.*s %.*s'", STR_ARG(day),
                                       STR_ARG(rest));
    if (fits && may && (is_typed || !str_equal(said, text->text))) {
        say(s, literal, (spelling){.as = spell_text(s->a, said)});
    }
}

// The day that it is, or that days are added to; NULL: it is none.
static const ast *day_in(const speller *s, const ast *n)
{
    bool adds = n->kind == AST_BINARY
                && (n->form == OPERATOR_ADD || n->form == OPERATOR_SUBTRACT)
                && n->kid[BINARY_RIGHT]->kind == AST_INTERVAL;
    const ast *of = adds ? n->kid[BINARY_LEFT] : n;
    return bind_type(s->b, of).kind == KIND_DATE ? of : NULL;
}

// `n` as it is written has both of them.
static void look_at_sides(speller *s,
                          const ast *n,
                          const ast *left,
                          const ast *right)
{
    const ast *sides[] = {left, right};
    schema_kind ignored;
    for (int i = 0; i < 2; i++) {
        schema_kind other = bind_type(s->b, sides[1 - i]).kind;
        bool is_literal = typed_text(sides[i], &ignored) != NULL;
        if (is_literal && !typed_text(sides[1 - i], &ignored)) {
            look_at_literal(s, n, sides[i], other);
        } else if (!is_literal && other == KIND_TIMESTAMP) {
            const ast *day = day_in(s, sides[i]);
            if (day) {
                say_cast(s, day, S("DATETIME"));
            }
        }
    }
}

static void look_at_rows(speller *s,
                         const ast *n,
                         const ast *left,
                         const ast *right)
{
    bool are_rows = left->kind == AST_ROW && right->kind == AST_ROW;
    const ast *one = are_rows ? left->kid[ROW_ITEMS] : NULL;
    const ast *other = are_rows ? right->kid[ROW_ITEMS] : NULL;
    for (; one && other; one = one->next) {
        look_at_sides(s, n, one, other);
        other = other->next;
    }
    if (!are_rows) {
        look_at_sides(s, n, left, right);
    }
}

static void look_for_moments(speller *s, const ast *n)
{
    condition c = condition_of(n, false);
    bool is_pair = n->kind == AST_BINARY && c.kind == CONDITION_PAIR
                   && operator_weighs(n->form) && c.left && c.right;
    if (is_pair) {
        look_at_rows(s, n, c.left, c.right);
    }
    bool has_parts = n->kind == AST_BETWEEN || n->kind == AST_IN;
    for (condition part = {0}; has_parts && condition_next(&c, &part);) {
        if (part.kind == CONDITION_PAIR && part.left && part.right
            && !ast_is_query(part.right)) {
            look_at_rows(s, n, part.left, part.right);
        }
    }
}

static ast *interval_of(speller *s, ast *number, str unit)
{
    ast *span = ast_new(s->a, AST_INTERVAL);
    span->text = unit;
    span->kid[INTERVAL_VALUE] = number;
    return span;
}

static void say_sum(speller *s,
                    const ast *n,
                    const ast *time,
                    ast *by,
                    bool minus)
{
    ast *sum = ast_new(s->a, AST_BINARY);
    sum->form = minus ? OPERATOR_SUBTRACT : OPERATOR_ADD;
    sum->kid[BINARY_LEFT] = ast_copy(s->a, time);
    sum->kid[BINARY_RIGHT] = by;
    say(s, n, (spelling){sum, &sum->kid[BINARY_LEFT], time, false});
}

// A call that adds a span to a time, as the sum that it is: ADDDATE(x, 2),
// DATE_ADD(x, INTERVAL 2 DAY), DATEADD(day, 2, x).
static void look_for_sums(speller *s, const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    const ast *second = first ? first->next : NULL;
    const ast *third = second ? second->next : NULL;
    bool adds =
        str_among_fold(n->text, "date_add adddate datetime_add timestamp_add");
    bool minus =
        str_among_fold(n->text, "date_sub subdate datetime_sub timestamp_sub");
    if ((adds || minus) && second && !third) {
        ast *by = ast_copy(s->a, second);
        by = by->kind == AST_INTERVAL ? by : interval_of(s, by, S("DAY"));
        say_sum(s, n, first, by, minus);
    } else if (third && !third->next && str_equal_fold(n->text, S("dateadd"))) {
        bool is_text = first->kind == AST_STRING && first->text.len > 2;
        str word = is_text ? str_sub(first->text, 1, first->text.len - 1)
                           : first->text;
        str unit = translate_unit(s->from, word);
        bool falls =
            second->kind == AST_UNARY && second->form == OPERATOR_NEGATE;
        const ast *number = falls ? second->kid[UNARY_EXPR] : second;
        if (number->kind == AST_NUMBER && unit.len > 0) {
            say_sum(s, n, third, interval_of(s, ast_copy(s->a, number), unit),
                    falls);
        }
    }
}

// Hours on the clock; where it has a zone a day may have 23.
static void look_for_spans(speller *s, const ast *n)
{
    const ast *first = n->kind == AST_BINARY ? n->kid[BINARY_LEFT] : NULL;
    const ast *span = first ? n->kid[BINARY_RIGHT] : NULL;
    moment_span by = {0};
    bool is_span = span && span->kind == AST_INTERVAL
                   && moment_interval(span, &by) && by.months == 0
                   && by.us % HOUR_US == 0 && by.us >= 24 * HOUR_US;
    bound_column of = is_span ? bind_type(s->b, first) : (bound_column){0};
    if (!is_span || of.kind != KIND_TIMESTAMP || has_zone(of.declared)) {
        return;
    }
    str hours = arena_printf(s->a, "'%lld'", (long long)(by.us / HOUR_US));
    ast *as = interval_of(s, spell_text(s->a, hours), S("HOUR"));
    say(s, span, (spelling){.as = as});
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

static void look_for_quotients(speller *s, const ast *n)
{
    const ast *left = n->kind == AST_BINARY && n->form == OPERATOR_DIVIDE
                          ? n->kid[BINARY_LEFT]
                          : NULL;
    if (!left || bind_type(s->b, n).whole == WHOLE_NEVER || is_scaled(left)) {
        return;
    }
    bool is_exact =
        bind_type(s->b, left).kind == KIND_DECIMAL
        || bind_type(s->b, n->kid[BINARY_RIGHT]).kind == KIND_DECIMAL
        || ast_find(n, find_large_sum, s->b);
    if (is_exact) {
        ast *product = ast_new(s->a, AST_BINARY);
        product->form = OPERATOR_MULTIPLY;
        product->kid[BINARY_LEFT] = ast_new(s->a, AST_NUMBER);
        product->kid[BINARY_LEFT]->text = S("1.0");
        product->kid[BINARY_RIGHT] = ast_copy(s->a, left);
        say(s, left,
            (spelling){product, &product->kid[BINARY_RIGHT], left, false});
    }
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
            *end = ast_new(s->a, AST_COLUMN);
            (*end)->text = c->name;
            (*end)->form = QUOTE_BACK;
            (*end)->kid[COLUMN_PATH] = ast_new(s->a, AST_NAME);
            (*end)->kid[COLUMN_PATH]->text = c->source->name;
            (*end)->kid[COLUMN_PATH]->form = QUOTE_BACK;
        } else if (item) {
            *end = ast_copy(s->a, item);
            item = item->next;
        } else {
            return;
        }
        end = &(*end)->next;
    }
    *end = NULL;
    say(s, n, (spelling){.as = copy});
}

/* Joins and begins. */

static bool is_joined(const speller *s, const ast *n)
{
    return bind_type(s->b, n).kind == KIND_TEXT
           || (n->kind == AST_BINARY && n->form == OPERATOR_ADD
               && n->kid[BINARY_LEFT] && is_joined(s, n->kid[BINARY_LEFT])
               && is_joined(s, n->kid[BINARY_RIGHT]));
}

static bool is_join(const speller *s, const ast *n)
{
    return s->from == DIALECT_TSQL && n->kind == AST_BINARY
           && n->form == OPERATOR_ADD && is_joined(s, n);
}

// Those that SQLite gives as moments; not again what is cast so.
static void look_for_begins(speller *s, const ast *n)
{
    bool is_day = n != s->cast && n->kind == AST_CALL
                  && str_among_fold(n->text, "date_trunc datetrunc")
                  && bind_type(s->b, n).kind == KIND_DATE;
    if (is_day) {
        say_cast(s, n, S("DATE"));
    }
    if (n->kind == AST_CAST && n->kid[CAST_TYPE]
        && schema_kind_of(n->kid[CAST_TYPE]->text) == KIND_DATE) {
        s->cast = n->kid[CAST_EXPR];
    }
}

static ast *spelled(void *context, const ast *n)
{
    speller *s = context;
    if (s->joins && is_join(s, n)) {
        ast *join = ast_new(s->a, AST_BINARY);
        join->form = OPERATOR_CONCAT;
        for (int i = BINARY_LEFT; i <= BINARY_RIGHT; i++) {
            join->kid[i] = ast_rewrite(s->a, n->kid[i], spelled, s);
        }
        return join;
    }
    ptrdiff_t at = map_find(&s->nodes, address_of(&n));
    if (at < 0 || s->found.ptr[at].is_said) {
        return NULL;
    }
    s->found.ptr[at].is_said = true;
    spelling as = s->found.ptr[at];
    if (as.place) {
        ast *next = (*as.place)->next;
        *as.place = ast_rewrite(s->a, as.of, spelled, s);
        (*as.place)->next = next;
    }
    return as.as;
}

str spell_types(arena *a, str sql, const schema *s, dialect d, arena scratch)
{
    enum {
        ROUNDS_MAX = 32
    };
    semantics means = dialect_semantics(d);
    bool speaks = means.values != VALUES_DYNAMIC;
    for (int i = 0; speaks && i < ROUNDS_MAX; i++) {
        arena trees = scratch;
        arena temp = arena_half(&trees);
        ast *query = query_text_of(&trees, sql, d, temp).tree;
        speller more = {.a = &trees, .from = d};
        more.b = query ? bind_query(&trees, query, s, d, temp) : NULL;
        node_list all = {0};
        if (more.b && more.b->problems.len == 0) {
            all = relation_nodes_of(&trees, query, NODES_ALL);
        }
        for (ptrdiff_t k = 0; k < all.len; k++) {
            if (means.days_are_digits) {
                look_for_digits(&more, all.ptr[k]);
            }
            if (means.decimals == DECIMALS_ENOUGH) {
                look_for_quotients(&more, all.ptr[k]);
            }
            look_for_moments(&more, all.ptr[k]);
            look_for_spans(&more, all.ptr[k]);
            look_for_begins(&more, all.ptr[k]);
            more.joins |= is_join(&more, all.ptr[k]);
            if (all.ptr[k]->kind == AST_CALL) {
                look_for_sums(&more, all.ptr[k]);
            } else if (all.ptr[k]->kind == AST_SELECT) {
                look_for_stars(&more, all.ptr[k]);
            }
        }
        if (more.found.len == 0 && !more.joins) {
            return sql;
        }
        ast *said = ast_rewrite(&trees, query, spelled, &more);
        sql = spell_printed(a, said, d, temp);
    }
    return speaks ? (str){0} : sql;
}
