/*
 * other_value.c - what values that meet mean elsewhere: meaning.def, and what
 * its rows ask of values beyond their kinds; see other_meaning.h.
 */
#include "base/clock.h"
#include "check/other_internal.h"
#include "check/spell.h"
#include "sample/moment.h"
#include "sample/type_value.h"
#include "sql/translate.h"

#include <math.h>

#define OTHER_SINGLE "a number of single precision"

/* Literals. */

static str content(const ast *n)
{
    bool is_text = n->kind == AST_STRING && n->text.len > 2;
    return is_text ? str_sub(n->text, 1, n->text.len - 1) : (str){0};
}

static const ast *unsigned_of(const ast *n)
{
    return n->kind == AST_UNARY ? n->kid[UNARY_EXPR] : n;
}

// 1, -2.5, 1e3, but not 0x1 and inf, which are texts.
static bool spells_number(const ast *n)
{
    str s = content(n);
    bool is_decimal = str_to_double(s, NULL);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        is_decimal &= !is_alpha(s.ptr[i]) || to_lower(s.ptr[i]) == 'e';
    }
    return is_decimal;
}

static bool spells_whole(const ast *n, int64_t *out)
{
    n = unsigned_of(n);
    return n->kind == AST_NUMBER && str_to_int(n->text, out);
}

static bool spells_truth(const ast *n)
{
    int64_t truth = -1;
    return spells_whole(n, &truth) && (truth == 0 || truth == 1);
}

// 2.5, '2.5', -2.5.
static bool spells_double(const ast *n, double *out)
{
    n = unsigned_of(n);
    return str_to_double(n->kind == AST_NUMBER ? n->text : content(n), out);
}

// But not 2.0.
static bool spells_fraction(const ast *n)
{
    double d = 0;
    return spells_double(n, &d) && d != floor(d);
}

static bool ends_in_blank(const ast *n)
{
    return str_ends(content(n), S(" "));
}

// '2020-01-31', with or without more behind it; '2020-02-30' is no day.
static bool is_dashed(const ast *literal)
{
    str s = literal->text;
    int64_t ms = 0;
    return s.len >= 12 && s.ptr[5] == '-' && s.ptr[8] == '-'
           && clock_parse(str_sub(s, 1, 11), &ms);
}

// Is it how the time shows that it is, without a zone? One that is written
// otherwise ('10:00', '2020-01-01T10:00:00', '10:00:00.50') is the same time
// where times have a type, and another text in SQLite.
static bool is_plain_time(const ast *literal, unsigned kind)
{
    str s = content(literal);
    ptrdiff_t day = kind & (IS_DAY | IS_MOMENT) ? 11 : 0;
    ptrdiff_t end = day + 8;
    bool is_whole = s.len == end
                    || (s.len > end + 1 && s.len <= end + 7 && s.ptr[end] == '.'
                        && s.ptr[s.len - 1] != '0');
    return kind == IS_DAY
               ? s.len == 10 && is_dashed(literal)
               : is_whole
                     && (day == 0 || (is_dashed(literal) && s.ptr[10] == ' '))
                     && type_is_time(str_skip(s, day));
}

// A time and the text of one, as it shows; but for a moment also its day, or
// its minute, where what is cut off sorts alike.
static bool is_other_time(const ast *n, const operand *time, const ast *text)
{
    const ast *of = text->kind == AST_TYPED ? text->kid[TYPED_VALUE] : text;
    if (of->kind != AST_STRING) {
        return false;
    }
    ptrdiff_t len = of->text.len - 2;
    bool sorts_alike = time->kind == IS_MOMENT && is_dashed(of) && len < 19
                       && (len == 10 || of->text.ptr[11] == ' ')
                       && spell_is_bound(n, text);
    return !sorts_alike && !is_plain_time(of, time->kind);
}

// INTERVAL 1 MONTH, INTERVAL '1 year', INTERVAL n MONTH
static bool has_months(const other_look *l, const ast *span)
{
    arena scratch = l->scratch;
    str one = arena_printf(&scratch, "1 %.*s", STR_ARG(span->text));
    moment_span by = {0};
    return span->kid[INTERVAL_VALUE]
           && (moment_interval(span, &by) || moment_span_read(one, &by))
           && by.months != 0;
}

/* Numbers. */

static bool is_call(const ast *n, const char *names)
{
    return str_among_fold(n->text, names);
}

// A number of 24 binary digits, or computed from such?
static bool is_single(const other_look *l, const ast *n)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    return bind_type(l->b, n).is_single
           || (type && schema_cast_is_single(type, l->d));
}

// A literal that has no more digits is the same number for both.
static bool is_short(const ast *n)
{
    double d = 0;
    n = unsigned_of(n);
    return n->kind == AST_NULL
           || (n->kind == AST_NUMBER && str_to_double(n->text, &d)
               && (double)(float)d == d);
}

// Of two numbers that meet, one has fewer binary digits than SQLite gives it:
// which of them is cut, or neither, is the system's own.
static bool has_fewer_digits(const other_look *l,
                             const operand *one,
                             const operand *other)
{
    return is_single(l, one->node) && !is_single(l, other->node)
           && !is_short(other->node);
}

// Has the whole number more binary digits than the float has? Beside that it is
// another one.
static bool is_cut(const operand *real, const ast *whole)
{
    int digits = real->type.is_single ? 24 : 53;
    int64_t n = 0;
    bool is_whole = spells_whole(whole, &n);
    while (n != 0 && n % 2 == 0) {
        n /= 2;
    }
    return is_whole && n >> digits != 0;
}

static bool is_stored(const other_look *l, const operand *o)
{
    return bind_stored_at(l->b, o->node).table >= 0;
}

// What a column of a derived table is there; NULL: it is none.
static const ast *derived_as(const other_look *l, const ast *column)
{
    bound_column c = bind_type(l->b, column);
    bool is_derived = c.source && c.source->kind == SOURCE_QUERY
                      && c.source->query->block && !c.source->is_recursive;
    return is_derived ? c.source->query->outputs[c.column].expr : NULL;
}

static bool is_picked(const other_look *l, const ast *n);

static bool are_picked(const other_look *l, const ast *list)
{
    bool picked = true;
    for (const ast *n = list; n && picked; n = n->next) {
        picked = is_picked(l, n->kind == AST_WHEN ? n->kid[WHEN_THEN] : n);
    }
    return picked;
}

// Is it one of the values that are stored or written, whichever?
static bool is_picked(const other_look *l, const ast *n)
{
    const ast *of = n->kind == AST_COLUMN ? derived_as(l, n) : NULL;
    switch ((int)n->kind) {
    case AST_NULL:
    case AST_NUMBER: return true;
    case AST_COLUMN:
        return bind_stored_at(l->b, n).table >= 0 || (of && is_picked(l, of));
    case AST_CASE:
        return are_picked(l, n->kid[CASE_WHENS])
               && are_picked(l, n->kid[CASE_ELSE]);
    case AST_CALL:
        return is_call(n, "min max lag lead first_value last_value coalesce "
                          "ifnull nullif")
               && are_picked(l, n->kid[CALL_ARGS]);
    default: return false;
    }
}

// Is it an exact number that SQLite computes as a float? 3 * 0.1 is 0.3.
static bool is_computed(const other_look *l, const ast *n)
{
    return (n->kind == AST_BINARY && meet_computes(n->form))
           || (n->kind == AST_CALL && str_equal_fold(n->text, S("sum")))
           || (n->kind == AST_COLUMN && !is_picked(l, n));
}

// Beside a column of numbers '1' is 1 everywhere, but that SQLite's functions
// compare values as they are, and its IN what stands before it. EXTRACT is a
// CAST there.
static bool is_read(const other_look *l,
                    const ast *n,
                    const operand *text,
                    const operand *number)
{
    bool reads = is_stored(l, number)
                 || (number->node->kind == AST_CALL
                     && str_equal_fold(number->node->text, S("extract")));
    return n->kind != AST_CALL && reads && spells_number(text->node)
           && (n->kind != AST_IN || n->kid[IN_EXPR] == number->node);
}

static bool is_list_of(const ast *n, const operand *sought)
{
    return n->kind == AST_IN && n->kid[IN_EXPR] == sought->node;
}

// MySQL's ZEROFILL shows 00001 for 1, but not for what is computed of it.
static bool is_padded(const operand *o)
{
    return str_find_fold(o->type.declared, S("zerofill"), 0) >= 0;
}

// CAST(x AS UNSIGNED) of what may be negative.
static bool drops_sign(const operand *o, const ast *type)
{
    bool has_none = o->node->kind == AST_NUMBER
                    || str_find_fold(o->type.declared, S("unsigned"), 0) >= 0
                    || (o->node->kind == AST_CALL
                        && str_equal_fold(o->node->text, S("count")));
    return type && str_starts_fold(type->text, S("unsigned")) && !has_none;
}

// Of a number that is not negative, & leaves the bits that both kinds have.
static bool keeps_bits(const ast *n)
{
    return n->kind == AST_BINARY && n->form == OPERATOR_AMPERSAND
           && (n->kid[BINARY_LEFT]->kind == AST_NUMBER
               || n->kid[BINARY_RIGHT]->kind == AST_NUMBER);
}

/* Types of their own. */

// The form of the texts that stand for what SQLite has no type for.
static type_form form_of(const other_look *l, const operand *o)
{
    str type = o->type.declared;
    return type.len > 0 ? type_form_named(type, l->d) : FORM_NONE;
}

// Values of a form are alike as their texts are where these are written in one
// way: as the system shows them, and as rows have them here. Literals need not
// be.
static bool is_unlike_form(const other_look *l,
                           const operand *one,
                           const operand *other)
{
    type_form form = form_of(l, one);
    bool is_word = form == FORM_WORDS && other->node->kind == AST_STRING;
    bool is_alike =
        form == form_of(l, other) && one->node->kind == other->node->kind;
    return form != FORM_NONE && !is_word && !is_alike;
}

static bool is_sorted_otherwise(const other_look *l, const operand *o)
{
    type_form form = form_of(l, o);
    return form != FORM_NONE && form != FORM_UUID && form != FORM_BITS;
}

static bool is_column(const operand *o)
{
    return o->node && o->node->kind == AST_COLUMN;
}

static bool is_year(const bound_column *c)
{
    return str_starts_fold(c->declared, S("year"));
}

// A literal that a YEAR takes for one of 1970 to 2069.
static bool is_short_year(const operand *o, const ast *n)
{
    double number = 0;
    return n && is_year(&o->type) && spells_double(n, &number) && number < 100;
}

// Whole numbers, unless they are bits or a year.
static bool is_plain_whole(const bound_column *c)
{
    return c->kind == KIND_INTEGER && !str_starts_fold(c->declared, S("bit"))
           && !is_year(c);
}

// Of values that are equal, are some not the same? A moment with parts of its
// second or with a zone is not one without, 1.0 has other digits than 1, 'a' of
// one collation equals 'A' and of another does not. Rules take one for the
// other. A day has no parts.
static bool equals_unlike(const other_look *look,
                          const operand *one,
                          const operand *other)
{
    const bound_column *l = &one->type;
    const bound_column *r = &other->type;
    bool is_open = (l->kind == KIND_ANY && l->declared.len == 0)
                   || (r->kind == KIND_ANY && r->declared.len == 0);
    if (is_open || (is_plain_whole(l) && is_plain_whole(r))) {
        return false;
    }
    if (l->kind != r->kind) {
        return true;
    }
    switch ((int)l->kind) {
    case KIND_DATE:
    case KIND_BOOLEAN: return false;
    case KIND_REAL: return l->is_single != r->is_single;
    case KIND_TEXT:
        return l->collation != r->collation
               || type_form_named(l->declared, look->d)
                      != type_form_named(r->declared, look->d)
               || schema_type_is_char(l->declared)
                      != schema_type_is_char(r->declared);
    default: return !str_equal_fold(l->declared, r->declared);
    }
}

/* Calls. */

// May the whole number be less? What is computed is taken to be large enough,
// a column is not.
static bool may_be_less(const ast *n, int64_t least)
{
    int64_t number = least;
    return n
           && (n->kind == AST_UNARY || n->kind == AST_COLUMN
               || (n->kind == AST_NUMBER && str_to_int(n->text, &number)
                   && number < least));
}

// A function of times, of what is known to be none?
static bool takes_no_time(const other_look *l, const ast *call)
{
    const ast *other = NULL;
    const ast *time = translate_time_of(l->d, call, &other);
    bool is_part = is_call(call, "year month day hour minute second dayofmonth "
                                 "dayofyear");
    time = is_part ? call->kid[CALL_ARGS] : time;
    return (other_kind(l, time) | other_kind(l, other)) & (SOME - IS_TIME);
}

/* Texts without case. */

static bool has_blank(const void *about, const ast *n)
{
    (void)about;
    return str_find(content(n), S(" "), 0) >= 0;
}

// A blank within a text may be the end of a part of it.
static bool may_cut_at_blank(const ast *n)
{
    return n->kind == AST_CALL
           && is_call(n, "left right substr substring mid trim ltrim rtrim "
                         "replace")
           && ast_find(n, has_blank, NULL);
}

// Also of what is chosen or computed; under CONCAT a blank is seldom the end.
static bool look_for_folds(void *context, const ast *n)
{
    other_look *l = context;
    str s = content(n);
    if (text_may_fold_more(s) || may_cut_at_blank(n)
        || (l->is_order && text_has_sign_before_a(s))) {
        other_add(l, "how a text compares", n);
    }
    return !ast_is_query(n)
           && !(n->kind == AST_CALL && str_starts_fold(n->text, S("concat")));
}

/* Rows. */

enum {
    SAID = 1,
    SHOWN = 2,
    PAIR = 4,
    ABSENT = 8,
    SCALE = 16,
    OPEN = 32 | SAID,
    TRIED = 64,
};

static void note(other_look *l,
                 int how,
                 const char *why,
                 const ast *n,
                 const operand *one,
                 const operand *other)
{
    l->out.is_absent |= how & ABSENT;
    l->out.is_tried |= how & TRIED;
    l->out.is_open |= (how & OPEN) == OPEN;
    if (how & SAID) {
        other_add(l, why, n);
    }
    if (how & SHOWN) {
        other_add_shown(l, why, n);
    }
    if (how & PAIR) {
        other_add_pair(l, why, one->node, other->node);
    }
    if (how & SCALE) {
        other_add_scale(l, why, one);
    }
}

void other_met(void *context,
               meet_place place,
               const ast *n,
               const operand *one,
               const operand *other)
{
    other_look *l = context;
#define OTHER(places, of_one, of_other, when, how, why)                      \
    if (place & (places) && one->kind & (of_one) && other->kind & (of_other) \
        && (when)) {                                                         \
        note(l, how, why, n, one, other);                                    \
    }
#include "check/meaning.def"
    if (place & COMPARED && l->means.texts_are_folded) {
        l->is_order = meet_orders(n);
        ast_walk(one->node, look_for_folds, l);
    }
}
