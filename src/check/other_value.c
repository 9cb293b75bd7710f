/*
 * other_value.c - what values mean elsewhere: compared, converted, computed;
 * see other_meaning.h.
 */
#include "base/clock.h"
#include "check/other_internal.h"
#include "check/spell.h"
#include "sample/type_value.h"

#include <math.h>

#define SINGLE "a number of single precision"

// A text that is computed with is a number where values convert.
static bool is_converted(const other_look *l, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    return l->means.values == VALUES_CONVERTS && other_computes(n->form) && left
           && right && left->kind != AST_INTERVAL && right->kind != AST_INTERVAL
           && (bind_type(l->b, left).kind == KIND_TEXT
               || bind_type(l->b, right).kind == KIND_TEXT);
}

schema_kind other_kind(const other_look *l, const ast *n)
{
    schema_kind kind = bind_type(l->b, n).kind;
    bool is_number =
        kind == KIND_ANY && n->kind == AST_BINARY && is_converted(l, n);
    return is_number ? KIND_REAL : kind;
}

bool other_is_fraction(schema_kind k)
{
    return k == KIND_REAL || k == KIND_DECIMAL;
}

static bool is_string(schema_kind k)
{
    return k == KIND_TEXT || k == KIND_BYTES;
}

// One of them a text or bytes, the other a number, or a truth that is one?
static bool is_mixed(const other_look *l, schema_kind one, schema_kind other)
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

bool other_is_time(schema_kind k)
{
    return k == KIND_DATE || k == KIND_TIME || k == KIND_TIMESTAMP;
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
static bool is_plain_time(const ast *literal, schema_kind kind)
{
    str s = str_sub(literal->text, 1, literal->text.len - 1);
    ptrdiff_t day = kind == KIND_TIME ? 0 : 11;
    ptrdiff_t end = day + 8;
    bool is_whole = s.len == end
                    || (s.len > end + 1 && s.len <= end + 7 && s.ptr[end] == '.'
                        && s.ptr[s.len - 1] != '0');
    return kind == KIND_DATE
               ? s.len == 10 && is_dashed(literal)
               : is_whole
                     && (day == 0 || (is_dashed(literal) && s.ptr[10] == ' '))
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
    bool sorts_alike = time == KIND_TIMESTAMP && is_dashed(of) && len < 19
                       && (len == 10 || of->text.ptr[11] == ' ')
                       && spell_is_bound(n, text);
    return !sorts_alike && !is_plain_time(of, time);
}

// What the system may refuse, unless it converts what it is given.
static void add_strict(other_look *l, const char *what, const ast *n)
{
    if (l->means.values == VALUES_STRICT) {
        other_add(l, what, n);
        l->out.is_absent = true;
    }
}

// What is looked for by an index of whole numbers may be rounded first where
// values convert: MariaDB finds 3 where c = 2.5, and where c IN (2.5).
static void add_rounded(other_look *l, const ast *n)
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
    n = n->kind == AST_UNARY ? n->kid[UNARY_EXPR] : n;
    return n->kind == AST_NULL
           || (n->kind == AST_NUMBER && str_to_double(n->text, &d)
               && (double)(float)d == d);
}

// Of two numbers that meet, one has fewer binary digits than SQLite gives it:
// which of them is cut, or neither, is the system's own.
static bool has_fewer_digits(const other_look *l,
                             const ast *one,
                             const ast *other)
{
    bool is_first = is_single(l, one);
    return is_first != is_single(l, other) && !is_short(is_first ? other : one);
}

// Has the whole number more binary digits than the float has? Beside that it is
// another one.
static bool is_cut(const other_look *l, const ast *real, const ast *whole)
{
    bound_column c = bind_type(l->b, real);
    int digits = is_single(l, real) ? 24 : 53;
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
        add_strict(l, "a truth beside a number", n);
        if (!is_truth) {
            other_add_open(l, "a truth beside a number", n);
        }
    }
    if (is_cut(l, left, right) || is_cut(l, right, left)) {
        other_add(l, "a large number beside a float", n);
    }
    if (has_fewer_digits(l, left, right)) {
        other_add_pair(l, SINGLE, left, right);
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
static bool look_at_times(other_look *l,
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
static bool has_equals_unlike(dialect d,
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
            && has_equals_unlike(l->d, &m->left->columns[m->left_column],
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
        add_rounded(l, n);
    }
    // Beside a column of numbers '1' is 1 everywhere, but that SQLite's
    // functions compare values as they are, and its IN what stands before it.
    bool is_read = n->kind != AST_CALL
                   && ((reads_numbers(l, left) && spells_number(right))
                       || (n->kind != AST_IN && reads_numbers(l, right)
                           && spells_number(left)));
    if (is_mixed(l, one, other) && !is_read) {
        other_add_open(l, "a text beside a number", n);
        // '01' equals 1 or TRUE, and rules would show one for the other.
        l->out.is_absent |= bind_stored_at(l->b, left).table < 0
                            && bind_stored_at(l->b, right).table < 0;
    }
    if (!asks_order(n)
        && (is_exact_computed(l, left) || is_exact_computed(l, right))) {
        other_add(l, "an exact number that is computed", n);
    }
    look_at_times(l, n, one, other);
    if (!asks_order(n) && left->kind == AST_COLUMN
        && right->kind == AST_COLUMN) {
        bound_column l_type = bind_type(l->b, left);
        bound_column r_type = bind_type(l->b, right);
        l->out.is_absent |= has_equals_unlike(l->d, &l_type, &r_type);
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

static bool is_to_text(const ast *cast)
{
    const ast *type = cast->kid[CAST_TYPE];
    return type && schema_kind_of(type->text) == KIND_TEXT;
}

static void look_at_cast(other_look *l, const ast *n)
{
    const ast *type = n->kid[CAST_TYPE];
    schema_kind from = other_kind(l, n->kid[CAST_EXPR]);
    if (is_single(l, n)) {
        other_add(l, SINGLE, n);
    }
    if (type && l->means.cast_rounds && other_is_fraction(from)
        && schema_kind_of(type->text) == KIND_INTEGER) {
        other_add(l, "a fraction that becomes whole", n);
    }
    schema_kind to = type ? schema_kind_of(type->text) : KIND_ANY;
    bool is_literal = n->kid[CAST_EXPR]->kind == AST_STRING;
    // An error where it is none, as a division by 0 is, or read more freely.
    if (from == KIND_TEXT && to != KIND_TEXT
        && (other_is_time(to) ? !is_literal || !is_dashed(n->kid[CAST_EXPR])
                              : !is_literal && l->means.zero_is_other)) {
        other_add(l, "a text that becomes something else", n);
    }
    if (is_to_text(n)) {
        bound_column of = bind_type(l->b, n->kid[CAST_EXPR]);
        other_padded(l, n, &of);
        if (other_is_fraction(from)) {
            other_add(l, "a REAL as text", n);
        }
    }
}

void other_condition(other_look *l, const ast *n)
{
    if (n && schema_kind_is_number(other_kind(l, n))) {
        add_strict(l, "a number as a condition", n);
    }
}

// A literal takes the type that is asked for.
static void look_at_operand(other_look *l, const ast *n, const ast *operand)
{
    schema_kind kind = other_kind(l, operand);
    if (is_single(l, operand)) {
        other_add(l, SINGLE, n);
    }
    if (other_is_time(kind)) {
        other_add(l, "a time in a computation", n);
    } else if (kind == KIND_BOOLEAN
               || (kind == KIND_TEXT && operand->kind != AST_STRING
                   && l->d != DIALECT_TSQL)) {
        add_strict(l, "what is computed of no numbers", n);
    }
}

bool other_computes(int op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUBTRACT
           || op == OPERATOR_MULTIPLY || op == OPERATOR_DIVIDE
           || op == OPERATOR_REMAINDER || op == OPERATOR_DIV
           || op == OPERATOR_BAR || op == OPERATOR_AMPERSAND
           || op == OPERATOR_CARET || op == OPERATOR_SHIFT_LEFT
           || op == OPERATOR_SHIFT_RIGHT || op == OPERATOR_NEGATE
           || op == OPERATOR_INVERT;
}

// Of a number that is not negative, & leaves the bits that both kinds have.
static void look_at_bits(other_look *l,
                         const ast *n,
                         const ast *left,
                         const ast *right)
{
    bool keeps = n->form == OPERATOR_AMPERSAND
                 && (left->kind == AST_NUMBER || right->kind == AST_NUMBER);
    bool shifts =
        n->form == OPERATOR_SHIFT_LEFT || n->form == OPERATOR_SHIFT_RIGHT;
    bool is_bits = n->form == OPERATOR_AMPERSAND || n->form == OPERATOR_BAR
                   || n->form == OPERATOR_INVERT;
    bool is_whole = other_kind(l, left) == KIND_INTEGER
                    && (!right || other_kind(l, right) == KIND_INTEGER);
    if (shifts) {
        other_add(l, "bits that are shifted", n);
    } else if (is_bits
               && (!is_whole || (l->means.bits_are_unsigned && !keeps))) {
        other_add(l, "bits of a number", n);
    }
}

// The translator adds to '2020-01-31', DATE '2020-01-31', DATE('2020-01-31').
static bool is_literal_day(const ast *n)
{
    const ast *of = n->kind == AST_CALL && str_equal_fold(n->text, S("date"))
                        ? n->kid[CALL_ARGS]
                    : n->kind == AST_CAST  ? n->kid[CAST_EXPR]
                    : n->kind == AST_TYPED ? n->kid[TYPED_VALUE]
                                           : n;
    return of && of->kind == AST_STRING;
}

// INTERVAL 3 HOUR, INTERVAL '3 hours'
static bool has_hours(const ast *span)
{
    static const str units[] = {S_INIT("hour"), S_INIT("min"), S_INIT("sec")};
    const ast *of = span->kid[INTERVAL_VALUE];
    bool found = false;
    for (int i = 0; i < countof(units); i++) {
        found |= str_starts_fold(span->text, units[i])
                 || (of && str_find_fold(of->text, units[i], 0) >= 0);
    }
    return found;
}

// The translator adds to a day, and gives one, or a moment in another spelling.
static void look_at_span(other_look *l,
                         const ast *n,
                         const ast *of,
                         const ast *span)
{
    schema_kind kind = other_kind(l, of);
    bool is_short = has_hours(span);
    bool is_known = kind == KIND_TIMESTAMP ? is_short && l->is_plain
                                           : kind == KIND_DATE && !is_short;
    if (is_literal_day(of)) {
        l->computed = span;
    } else if (!is_known && (kind != KIND_ANY || is_short)) {
        other_add(l, "a moment that is computed", n);
    }
}

static void look_at_operands(other_look *l,
                             const ast *n,
                             const ast *left,
                             const ast *right)
{
    schema_kind one = other_kind(l, left);
    schema_kind other = other_kind(l, right);
    if (n->form == OPERATOR_AND || n->form == OPERATOR_OR) {
        other_condition(l, left);
        other_condition(l, right);
    } else if (n->form == OPERATOR_CONCAT && schema_kind_is_number(one)
               && schema_kind_is_number(other)) {
        add_strict(l, "numbers that are joined", n);
    } else if (right->kind == AST_INTERVAL || left->kind == AST_INTERVAL) {
        bool is_first = left->kind == AST_INTERVAL;
        look_at_span(l, n, is_first ? right : left, is_first ? left : right);
    } else if (l->d == DIALECT_TSQL && n->form == OPERATOR_ADD
               && (one == KIND_TEXT) != (other == KIND_TEXT)
               && left->kind != AST_NULL && right->kind != AST_NULL) {
        // A sum, unless the other is a text, too.
        other_add_open(l, "a text that something is added to", n);
    } else if (other_computes(n->form)) {
        look_at_operand(l, n, left);
        look_at_operand(l, n, right);
    }
}

// SQLite keeps 1 of a DECIMAL(10, 2) as whole, and divides it so.
static void look_at_quotient(other_look *l, const ast *n)
{
    if (!l->means.division_is_real
        && bind_type(l->b, n).whole & WHOLE_PERHAPS) {
        other_add(l, "a quotient of decimals", n);
    }
}

static void look_at_column(other_look *l,
                           const ast *n,
                           const ast *sought,
                           const bound_column *column);

// x > ANY (SELECT ...)
static void look_at_quantified(other_look *l,
                               const ast *n,
                               const ast *left,
                               const ast *right)
{
    const bound_query *of =
        right->kind == AST_QUANTIFIED
            ? bind_query_at(l->b, right->kid[QUANTIFIED_EXPR])
            : NULL;
    if (of && of->n_outputs == 1) {
        look_at_column(l, n, left, &of->outputs[0]);
    }
}

static void look_at_binary(other_look *l, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    if (!left || !right) {
        return;
    }
    look_at_quantified(l, n, left, right);
    look_at_operands(l, n, left, right);
    look_at_bits(l, n, left, right);
    bool has_fraction = other_is_fraction(other_kind(l, left))
                        || other_is_fraction(other_kind(l, right));
    if (operator_weighs(n->form)) {
        other_compared(l, n, left, right);
    } else if (!l->is_plain
               && (n->form == OPERATOR_ILIKE
                   || (n->form == OPERATOR_LIKE
                       && l->means.texts_are_folded))) {
        other_add(l, "a pattern of other letters than A to Z", n);
    } else if (n->form == OPERATOR_DIVIDE) {
        look_at_quotient(l, n);
    } else if (n->form == OPERATOR_REMAINDER && has_fraction) {
        other_add(l, "a fraction under %", n);
    } else if (n->form == OPERATOR_CONCAT) {
        other_as_text(l, n, left);
        other_as_text(l, n, right);
    }
}

// What is of a type of its own there, where values have none; of unknown types
// it is not known that the rules take one for another of its type.
void other_united(other_look *l, const ast *n, const ast *one, const ast *other)
{
    if (!one || !other || one->kind == AST_NULL || other->kind == AST_NULL) {
        return;
    }
    schema_kind a = other_kind(l, one);
    schema_kind b = other_kind(l, other);
    bool is_open = a == KIND_ANY || b == KIND_ANY;
    if (has_fewer_digits(l, one, other)) {
        other_add_pair(l, SINGLE, one, other);
    }
    if (is_mixed(l, a, b)) {
        other_add_open(l, "a text beside a number", n);
    } else if (!is_open && a != b && (other_is_time(a) || other_is_time(b))) {
        other_add_open(l, "values of unlike types that are united", n);
    } else if (is_open && a != b && l->means.values == VALUES_CONVERTS) {
        other_add_shown(l, "values of unknown types that are united", n);
    }
}

static void look_at_case(other_look *l, const ast *n)
{
    const ast *first = n->kid[CASE_WHENS];
    const ast *then = first ? first->kid[WHEN_THEN] : NULL;
    for (const ast *w = first; w; w = w->next) {
        if (n->kid[CASE_EXPR]) {
            other_compared(l, n, n->kid[CASE_EXPR], w->kid[WHEN_IF]);
        } else {
            other_condition(l, w->kid[WHEN_IF]);
        }
        other_united(l, n, then, w->kid[WHEN_THEN]);
    }
    other_united(l, n, then, n->kid[CASE_ELSE]);
}

// Whole numbers among fractions, or a fraction among them.
static void look_at_item(other_look *l,
                         const ast *n,
                         schema_kind one,
                         schema_kind other)
{
    if ((one == KIND_INTEGER && other_is_fraction(other))
        || (n->kid[IN_SOURCE] && other == KIND_INTEGER
            && other_is_fraction(one))) {
        add_rounded(l, n);
    }
}

// What is looked for in the column of a subquery.
static void look_at_column(other_look *l,
                           const ast *n,
                           const ast *sought,
                           const bound_column *column)
{
    bound_column type = bind_type(l->b, sought);
    schema_kind one = other_kind(l, sought);
    schema_kind other = column->kind;
    look_at_item(l, n, one, other);
    if (is_mixed(l, one, other)) {
        other_add_open(l, "a text beside a number", n);
    }
    bool is_moment = look_at_times(l, n, one, other);
    if (is_moment || sought->kind == AST_COLUMN) {
        l->out.is_absent |= has_equals_unlike(l->d, &type, column);
    }
    if (!is_moment
        && ((other_is_time(one) && other == KIND_TEXT)
            || (other_is_time(other) && one == KIND_TEXT))) {
        other_add_open(l, "a time beside a text", n);
    }
}

static void look_at_list(other_look *l, const ast *n)
{
    schema_kind one = other_kind(l, n->kid[IN_EXPR]);
    for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
        other_compared(l, n, n->kid[IN_EXPR], i);
        look_at_item(l, n, one, other_kind(l, i));
    }
    const bound_query *in =
        n->kid[IN_SOURCE] ? bind_query_at(l->b, n->kid[IN_SOURCE]) : NULL;
    const ast *sought = n->kid[IN_EXPR];
    bool is_row = sought->kind == AST_ROW;
    sought = is_row ? sought->kid[ROW_ITEMS] : sought;
    for (ptrdiff_t i = 0; in && sought && i < in->n_outputs; i++) {
        look_at_column(l, n, sought, &in->outputs[i]);
        sought = is_row ? sought->next : NULL;
    }
}

// Columns of a union have one type, where values have none of their own.
static void look_at_union(other_look *l, const ast *n)
{
    const bound_query *left = bind_query_at(l->b, n->kid[SETOP_LEFT]);
    const bound_query *right = bind_query_at(l->b, n->kid[SETOP_RIGHT]);
    for (ptrdiff_t i = 0;
         left && right && i < left->n_outputs && i < right->n_outputs; i++) {
        schema_kind one = left->outputs[i].kind;
        schema_kind other = right->outputs[i].kind;
        bool is_unlike = (other_is_time(one) || other_is_time(other))
                         && one != other && one != KIND_ANY
                         && other != KIND_ANY;
        if (is_mixed(l, one, other) || is_unlike) {
            other_add_open(l, "columns of unlike types that are united", n);
        }
        l->out.is_absent |=
            has_equals_unlike(l->d, &left->outputs[i], &right->outputs[i]);
    }
}

void other_value(other_look *l, const ast *n)
{
    switch ((int)n->kind) {
    case AST_BINARY: look_at_binary(l, n); break;
    case AST_UNARY:
        if (other_computes(n->form)) {
            look_at_operand(l, n, n->kid[UNARY_EXPR]);
            look_at_bits(l, n, n->kid[UNARY_EXPR], NULL);
        }
        break;
    case AST_CAST: look_at_cast(l, n); break;
    case AST_SORT: other_sorted(l, n, n->kid[SORT_EXPR]); break;
    case AST_JOIN: other_condition(l, n->kid[JOIN_ON]); break;
    case AST_CASE: look_at_case(l, n); break;
    case AST_IN: look_at_list(l, n); break;
    case AST_SETOP: look_at_union(l, n); break;
    case AST_INTERVAL:
        if (n != l->computed && str_among_fold(n->text, "month year quarter")) {
            other_add(l, "a span of months", n);
        }
        break;
    case AST_BETWEEN:
        other_compared(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW]);
        other_compared(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH]);
        break;
    default: break;
    }
}
