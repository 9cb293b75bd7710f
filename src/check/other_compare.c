/*
 * other_compare.c - what two values that meet mean elsewhere, by their types;
 * see other_meaning.h.
 */
#include "base/clock.h"
#include "check/other_internal.h"
#include "check/spell.h"
#include "sample/type_value.h"

#include <math.h>

static bool is_string(schema_kind k)
{
    return k == KIND_TEXT || k == KIND_BYTES;
}

// One of them a text or bytes, the other a number, or a truth that is one?
bool other_is_mixed(const other_look *l, schema_kind one, schema_kind other)
{
    schema_kind k = is_string(one) ? other : one;
    return is_string(one) != is_string(other)
           && (schema_kind_is_number(k)
               || (k == KIND_BOOLEAN && !l->means.truths_are_typed));
}

static bool spells_number(const ast *n)
{
    double d = 0;
    ptrdiff_t len = n->kind == AST_STRING ? n->text.len : 0;
    return len > 2 && str_to_double(str_sub(n->text, 1, len - 1), &d);
}

// '2020-01-31', with or without more behind it; '2020-02-30' is no day.
bool other_is_dashed(const ast *literal)
{
    str s = literal->text;
    int64_t ms = 0;
    return s.len >= 12 && s.ptr[5] == '-' && s.ptr[8] == '-'
           && clock_parse(str_sub(s, 1, 11), &ms);
}

// Is it how the time shows that it is, without a zone? One that is written
// otherwise ('10:00', '2020-01-01T10:00:00', '10:00:00.50') is the same time
// where times have a type, and another text in SQLite.
static bool is_plain_time(const ast *literal, schema_kind kind)
{
    str s = str_sub(literal->text, 1, literal->text.len - 1);
    ptrdiff_t day = kind == KIND_TIME ? 0 : 11;
    ptrdiff_t end = day + 8;
    bool is_whole = s.len == end
                    || (s.len > end + 1 && s.len <= end + 7 && s.ptr[end] == '.'
                        && s.ptr[s.len - 1] != '0');
    return kind == KIND_DATE
               ? s.len == 10 && other_is_dashed(literal)
               : is_whole
                     && (day == 0
                         || (other_is_dashed(literal) && s.ptr[10] == ' '))
                     && type_is_time(str_skip(s, day));
}

// A time and the text of one, as it shows; but for a moment also its day, or
// its minute, where what is cut off sorts alike.
static bool is_other_time(const ast *n, schema_kind time, const ast *text)
{
    const ast *of = text->kind == AST_TYPED ? text->kid[TYPED_VALUE] : text;
    if (of->kind != AST_STRING || !other_is_time(time)) {
        return false;
    }
    ptrdiff_t len = of->text.len - 2;
    bool sorts_alike = time == KIND_TIMESTAMP && other_is_dashed(of) && len < 19
                       && (len == 10 || of->text.ptr[11] == ' ')
                       && spell_is_bound(n, text);
    return !sorts_alike && !is_plain_time(of, time);
}

// What the system may refuse, unless it converts what it is given.
void other_add_strict(other_look *l, const char *what, const ast *n)
{
    if (l->means.values == VALUES_STRICT) {
        other_add(l, what, n);
        l->out.is_absent = true;
    }
}

// What is looked for by an index of whole numbers may be rounded first where
// values convert: MariaDB finds 3 where c = 2.5, and where c IN (2.5).
void other_add_rounded(other_look *l, const ast *n)
{
    if (l->means.values == VALUES_CONVERTS) {
        other_add(l, "a fraction among whole numbers", n);
        l->out.is_absent = true;
    }
}

// 2.5, '2.5', -2.5, but not 2.0.
static bool spells_fraction(const ast *n)
{
    n = n->kind == AST_UNARY ? n->kid[UNARY_EXPR] : n;
    bool is_text = n->kind == AST_STRING && n->text.len > 2;
    str s = is_text ? str_sub(n->text, 1, n->text.len - 1) : n->text;
    double d = 0;
    return (is_text || n->kind == AST_NUMBER) && str_to_double(s, &d)
           && d != floor(d);
}

static bool spells_whole(const ast *n, int64_t *out)
{
    n = n->kind == AST_UNARY ? n->kid[UNARY_EXPR] : n;
    return n->kind == AST_NUMBER && str_to_int(n->text, out);
}

// A number of 24 binary digits, or computed from such?
bool other_is_single(const other_look *l, const ast *n)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    return bind_type(l->b, n).is_single
           || (type && schema_cast_is_single(type, l->d));
}

// A literal that has no more digits is the same number for both.
static bool is_short(const ast *n)
{
    double d = 0;
    n = n->kind == AST_UNARY ? n->kid[UNARY_EXPR] : n;
    return n->kind == AST_NULL
           || (n->kind == AST_NUMBER && str_to_double(n->text, &d)
               && (double)(float)d == d);
}

// Of two numbers that meet, one has fewer binary digits than SQLite gives it:
// which of them is cut, or neither, is the system's own.
bool other_has_fewer_digits(const other_look *l,
                            const ast *one,
                            const ast *other)
{
    bool is_first = other_is_single(l, one);
    return is_first != other_is_single(l, other)
           && !is_short(is_first ? other : one);
}

// Has the whole number more binary digits than the float has? Beside that it is
// another one.
static bool is_cut(const other_look *l, const ast *real, const ast *whole)
{
    bound_column c = bind_type(l->b, real);
    int digits = other_is_single(l, real) ? 24 : 53;
    int64_t n = 0;
    bool is_whole = c.kind == KIND_REAL && spells_whole(whole, &n);
    while (n != 0 && n % 2 == 0) {
        n /= 2;
    }
    return is_whole && n >> digits != 0;
}

static void look_at_numbers(other_look *l,
                            const ast *n,
                            const ast *left,
                            const ast *right)
{
    schema_kind one = other_kind(l, left);
    schema_kind other = other_kind(l, right);
    if ((one == KIND_BOOLEAN && schema_kind_is_number(other))
        || (other == KIND_BOOLEAN && schema_kind_is_number(one))) {
        int64_t truth = 0;
        bool is_truth = spells_whole(one == KIND_BOOLEAN ? right : left, &truth)
                        && (truth == 0 || truth == 1);
        other_add_strict(l, "a truth beside a number", n);
        if (!is_truth) {
            other_add_open(l, "a truth beside a number", n);
        }
    }
    if (is_cut(l, left, right) || is_cut(l, right, left)) {
        other_add(l, "a large number beside a float", n);
    }
    if (other_has_fewer_digits(l, left, right)) {
        other_add_pair(l, OTHER_SINGLE, left, right);
    }
}

// A blank within a text may be the end of a part of it.
static bool may_cut_at_blank(const ast *call)
{
    bool cuts =
        call->kind == AST_CALL
        && str_among_fold(call->text, "left right substr substring mid");
    const ast *of = cuts ? call->kid[CALL_ARGS] : NULL;
    return of && of->kind == AST_STRING && str_find(of->text, S(" "), 0) >= 0;
}

// Also of what is chosen or computed; under CONCAT a blank is seldom the end.
static bool look_for_folds(void *context, const ast *n)
{
    other_look *l = context;
    str s =
        n->kind == AST_STRING ? str_sub(n->text, 1, n->text.len - 1) : (str){0};
    if (text_may_fold_more(s) || may_cut_at_blank(n)
        || (l->is_order && text_has_sign_before_a(s))) {
        other_add(l, "how a text compares", n);
    }
    return !ast_is_query(n)
           && !(n->kind == AST_CALL && str_starts_fold(n->text, S("concat")));
}

// Does what is compared there ask which is less?
static bool asks_order(const ast *n)
{
    return n->kind == AST_BETWEEN
           || (n->kind == AST_BINARY && operator_orders(n->form))
           || (n->kind == AST_CALL
               && str_among_fold(n->text, "greatest least"));
}

static bool is_char(const other_look *l, const ast *n)
{
    return schema_type_is_char(bind_type(l->b, n).declared);
}

static bool ends_in_blank(const ast *n)
{
    return n->kind == AST_STRING && n->text.len > 2
           && n->text.ptr[n->text.len - 2] == ' ';
}

static void compared_rows(other_look *l,
                          const ast *n,
                          const ast *left,
                          const ast *right)
{
    const ast *other = right->kid[ROW_ITEMS];
    for (const ast *one = left->kid[ROW_ITEMS]; one && other; one = one->next) {
        other_compared(l, n, one, other);
        other = other->next;
    }
}

// Is it an exact number that SQLite computes as a float? 3 * 0.1 is 0.3.
static bool is_exact_computed(const other_look *l, const ast *n)
{
    bool is_computed =
        (n->kind == AST_BINARY && other_computes(n->form))
        || (n->kind == AST_CALL && str_equal_fold(n->text, S("sum")))
        || (n->kind == AST_COLUMN && bind_stored_at(l->b, n).table < 0);
    return is_computed && l->means.decimals != DECIMALS_FLOATS
           && other_kind(l, n) == KIND_DECIMAL;
}

// Does what stands beside it become a number in SQLite, too? EXTRACT is a CAST
// there.
static bool reads_numbers(const other_look *l, const ast *n)
{
    return bind_stored_at(l->b, n).table >= 0
           || (n->kind == AST_CALL && str_equal_fold(n->text, S("extract")));
}

// A time that meets one, a number or a truth?
bool other_times(other_look *l,
                 const ast *n,
                 schema_kind one,
                 schema_kind other)
{
    schema_kind k = other_is_time(one) ? other : one;
    bool is_unlike =
        (other_is_time(one) || other_is_time(other))
        && (other_is_time(k) || schema_kind_is_number(k) || k == KIND_BOOLEAN);
    if (is_unlike && one != other) {
        other_add_open(l, "a time beside what is none like it", n);
    }
    return is_unlike;
}

// Whole numbers, unless they are bits or a year.
static bool is_plain_whole(const bound_column *c)
{
    return c->kind == KIND_INTEGER && !str_starts_fold(c->declared, S("bit"))
           && !str_starts_fold(c->declared, S("year"));
}

// Of values that are equal, are some not the same? A moment with parts of its
// second or with a zone is not one without, 1.0 has other digits than 1, 'a' of
// one collation equals 'A' and of another does not. Rules take one for the
// other. A day has no parts.
bool other_equals_unlike(dialect d,
                         const bound_column *l,
                         const bound_column *r)
{
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
               || type_form_named(l->declared, d)
                      != type_form_named(r->declared, d)
               || schema_type_is_char(l->declared)
                      != schema_type_is_char(r->declared);
    default: return !str_equal_fold(l->declared, r->declared);
    }
}

void other_merged(other_look *l, const bound_block *b)
{
    for (ptrdiff_t i = 0; i < b->n_merges; i++) {
        const bound_merge *m = &b->merges[i];
        bool is_known = m->left_column >= 0 && m->right_column >= 0
                        && m->left->columns && m->right->columns;
        l->out.is_absent |=
            is_known
            && other_equals_unlike(l->d, &m->left->columns[m->left_column],
                                   &m->right->columns[m->right_column]);
    }
}

// The form of the texts that stand for what SQLite has no type for.
static type_form form_at(const other_look *l, const ast *n)
{
    bound_column c = bind_type(l->b, n);
    return c.declared.len > 0 ? type_form_named(c.declared, l->d) : FORM_NONE;
}

void other_sorted(other_look *l, const ast *n, const ast *what)
{
    type_form form = form_at(l, what);
    if (form != FORM_NONE && form != FORM_UUID && form != FORM_BITS) {
        other_add(l, "how values of this type are sorted", n);
    }
}

// Values of a form are alike as their texts are where these are written in one
// way: as the system shows them, and as rows have them here. Literals need not
// be.
static void look_at_forms(other_look *l,
                          const ast *n,
                          const ast *left,
                          const ast *right)
{
    type_form one = form_at(l, left);
    type_form other = form_at(l, right);
    bool is_alike = one == other && left->kind == right->kind;
    bool is_word = (one == FORM_WORDS && right->kind == AST_STRING)
                   || (other == FORM_WORDS && left->kind == AST_STRING);
    if (one == FORM_NONE && other == FORM_NONE) {
        return;
    }
    if (!is_alike && !is_word) {
        other_add(l, "a value of a type of its own", n);
    } else if (asks_order(n)) {
        other_sorted(l, n, one != FORM_NONE ? left : right);
    }
}

void other_compared(other_look *l,
                    const ast *n,
                    const ast *left,
                    const ast *right)
{
    if (left->kind == AST_ROW && right->kind == AST_ROW) {
        compared_rows(l, n, left, right);
        return;
    }
    if (left->kind == AST_NULL || right->kind == AST_NULL) {
        return;  // whatever a value is
    }
    schema_kind one = other_kind(l, left);
    schema_kind other = other_kind(l, right);
    look_at_numbers(l, n, left, right);
    look_at_forms(l, n, left, right);
    if ((one == KIND_BYTES && other == KIND_TEXT)
        || (one == KIND_TEXT && other == KIND_BYTES)) {
        other_add(l, "bytes beside a text", n);
    }
    bool is_equation = n->kind == AST_BINARY && n->form == OPERATOR_EQUAL;
    if (is_equation
        && ((one == KIND_INTEGER && spells_fraction(right))
            || (other == KIND_INTEGER && spells_fraction(left)))) {
        other_add_rounded(l, n);
    }
    // Beside a column of numbers '1' is 1 everywhere, but that SQLite's
    // functions compare values as they are, and its IN what stands before it.
    bool is_read = n->kind != AST_CALL
                   && ((reads_numbers(l, left) && spells_number(right))
                       || (n->kind != AST_IN && reads_numbers(l, right)
                           && spells_number(left)));
    if (other_is_mixed(l, one, other) && !is_read) {
        other_add_open(l, "a text beside a number", n);
        // '01' equals 1 or TRUE, and rules would show one for the other.
        l->out.is_absent |= bind_stored_at(l->b, left).table < 0
                            && bind_stored_at(l->b, right).table < 0;
    }
    if (!asks_order(n)
        && (is_exact_computed(l, left) || is_exact_computed(l, right))) {
        other_add(l, "an exact number that is computed", n);
    }
    other_times(l, n, one, other);
    if (!asks_order(n) && left->kind == AST_COLUMN
        && right->kind == AST_COLUMN) {
        bound_column l_type = bind_type(l->b, left);
        bound_column r_type = bind_type(l->b, right);
        l->out.is_absent |= other_equals_unlike(l->d, &l_type, &r_type);
    }
    bool is_text =
        (other_is_time(one) && other == KIND_TEXT && right->kind != AST_STRING)
        || (other_is_time(other) && one == KIND_TEXT
            && left->kind != AST_STRING);
    bool is_spelled =
        is_other_time(n, one, right) || is_other_time(n, other, left);
    if (is_text || is_spelled) {
        other_add_open(l, "a time beside a text", n);
        // A moment equals its day, and rules would show one for the other.
        l->out.is_absent |= is_spelled && !asks_order(n);
    }
    if (l->means.chars_drop_blanks
        && ((is_char(l, left) && ends_in_blank(right))
            || (is_char(l, right) && ends_in_blank(left)))) {
        other_add(l, "blanks beside a CHAR", n);
    }
    if (l->means.texts_are_folded) {
        l->is_order = asks_order(n);
        ast_walk(left, look_for_folds, l);
        ast_walk(right, look_for_folds, l);
    }
}
