/*
 * bind_type.c - what is known of the values of an expression: affinity and
 * collation as SQLite has them ("Datatypes In SQLite", 3 and 7), what people
 * mean by it (kind), and of a number its digits and whether it is whole.
 *
 * Method      From the leaves up, on demand. A column that is shown as it is
 *             keeps all of it; most operators have no affinity and collation.
 *             Function results are a table (function.def). A product has the
 *             digits of both factors, a quotient some more than its dividend,
 *             the rest as many as the operand that has most.
 *
 * Cost        Linear in the expression down to DEPTH_MAX levels; below them
 *             nothing is known, which is always a safe answer.
 */
#include "schema/bind_internal.h"
#include "sql/function.h"
#include "sql/semantics.h"
#include "sql/translate.h"

#include <assert.h>

enum {
    DEPTH_MAX = 50,  // of what is looked at; deeper: nothing is known
};

static bound_column type_at(const binding *b, const ast *n, int depth);

static int most(int a, int b)
{
    return a == DIGITS_OPEN || b == DIGITS_OPEN ? DIGITS_OPEN : a > b ? a : b;
}

static bound_column of_kind(schema_kind kind)
{
    bool is_whole = kind == KIND_INTEGER || kind == KIND_BOOLEAN;
    bool is_fraction = kind == KIND_REAL || kind == KIND_DECIMAL;
    return (bound_column){
        .column = -1,
        .kind = kind,
        .digits = is_whole ? 0 : DIGITS_OPEN,
        .whole = kind == KIND_ANY ? WHOLE_PERHAPS
                 : is_fraction    ? WHOLE_NEVER
                                  : WHOLE_ALWAYS,
    };
}

// Of NULL: it adds nothing to others.
static bound_column of_nothing(void)
{
    return (bound_column){.column = -1};
}

static int digits_said(str number)
{
    enum {
        DIGITS_MAX = 1000  // no system has more
    };
    int64_t n = 0;
    return str_to_int(str_trim(number), &n) && n >= 0 && n <= DIGITS_MAX
               ? (int)n
               : DIGITS_OPEN;
}

// Behind the point of a declared DECIMAL(p, s); the p of a FLOAT(p) is of
// binary digits.
static int declared_digits(str type, schema_kind kind)
{
    ptrdiff_t comma = str_find(type, S(","), 0);
    ptrdiff_t end = str_find(type, S(")"), 0);
    bool is_open = end < 0 || comma > end || (comma < 0 && kind == KIND_REAL);
    return is_open     ? DIGITS_OPEN
           : comma < 0 ? 0
                       : digits_said(str_sub(type, comma + 1, end));
}

bound_column bind_column_of(const schema_column *stored)
{
    bound_column c = of_kind(stored ? stored->kind : KIND_ANY);
    if (stored) {
        c.name = stored->name;
        c.declared = stored->type;
        c.affinity = stored->affinity;
        c.collation = stored->collation;
        c.is_single = stored->is_single;
        c.digits = c.digits == 0 ? 0 : declared_digits(stored->type, c.kind);
        c.whole = c.kind == KIND_DECIMAL ? WHOLE_PERHAPS : c.whole;
    }
    return c;
}

// One value for all of a set.
static unsigned one_of(unsigned whole)
{
    whole &= ~(unsigned)WHOLE_ZERO;
    bool is_one = (whole & (whole - 1)) == 0;
    return whole == 0 ? WHOLE_ALWAYS : is_one ? whole : WHOLE_PERHAPS;
}

// 0 stays what it is when it is multiplied or divided.
static unsigned whole_of_both(unsigned l, unsigned r, bool adds)
{
    unsigned zero = adds ? 0 : (l | r) & WHOLE_ZERO;
    l = one_of(adds && l & WHOLE_ZERO ? l | WHOLE_ALWAYS : l);
    r = one_of(adds && r & WHOLE_ZERO ? r | WHOLE_ALWAYS : r);
    return zero | (l > r ? l : r);
}

// Of values of which one is taken.
void bind_unite(bound_column *c, const bound_column *other)
{
    c->is_single |= other->is_single;
    c->whole |= other->whole;
    c->digits = most(c->digits, other->digits);
}

// Of an exact number and of whole ones.
static schema_kind fraction_of(const binding *b, schema_kind kind)
{
    bool is_exact =
        kind == KIND_INTEGER || kind == KIND_DECIMAL || kind == KIND_BOOLEAN;
    bool is_decimal =
        is_exact && dialect_semantics(b->dialect).decimals != DECIMALS_FLOATS;
    return is_decimal ? KIND_DECIMAL : KIND_REAL;
}

// More than the dividend has.
static int digits_of_quotient(const binding *b, int dividend)
{
    semantics_decimals decimals = dialect_semantics(b->dialect).decimals;
    int more = decimals == DECIMALS_FOUR  ? 4
               : decimals == DECIMALS_SIX ? 6
                                          : DIGITS_OPEN;
    return dividend == DIGITS_OPEN || more == DIGITS_OPEN ? DIGITS_OPEN
                                                          : dividend + more;
}

// The argument that a call passes on, or what all of those have that it chooses
// among.
static bound_column type_of_passed(const binding *b, const ast *n, int depth)
{
    const ast *first = n->kid[CALL_ARGS];
    const sql_function *f = function_of(n->text);
    bool asks = first && f->result == RESULT_CHOSEN;
    first = asks ? first->next : first;
    bound_column c = type_at(b, first, depth);
    bool is_null = first && first->kind == AST_NULL;
    for (const ast *arg = first ? first->next : NULL; arg; arg = arg->next) {
        bound_column other = type_at(b, arg, depth);
        c.is_single |= other.is_single;
        if (f->chooses) {
            bind_unite(&c, &other);
        }
        if (!f->chooses || arg->kind == AST_NULL) {
            continue;
        }
        c.kind = is_null                        ? other.kind
                 : asks && c.kind != other.kind ? KIND_ANY
                                                : c.kind;
        is_null = false;
    }
    c.kind = asks && first && !first->next ? KIND_ANY : c.kind;
    return c;
}

// What the second of ROUND(x, 2), DECIMAL(10, 2) says.
static int digits_beside(const ast *first)
{
    const ast *places = first ? first->next : NULL;
    return !places                      ? 0
           : places->kind == AST_NUMBER ? digits_said(places->text)
                                        : DIGITS_OPEN;
}

// PostgreSQL's seconds are a numeric with six digits behind the point.
static bool is_part_of_second(const binding *b, const ast *n)
{
    const ast *unit = n->kid[CALL_ARGS];
    return b->dialect == DIALECT_POSTGRES && unit
           && str_equal_fold(n->text, S("extract"))
           && str_among_fold(unit->text, "second epoch");
}

// The month of a day is one, but on PostgreSQL, whose functions take it for a
// moment. `passed`: the type of the first argument.
static bool is_day_begun(const binding *b,
                         const ast *n,
                         schema_kind passed,
                         int depth)
{
    const ast *other = NULL;
    bool keeps = b->dialect == DIALECT_BIGQUERY || b->dialect == DIALECT_TSQL
                 || b->dialect == DIALECT_SNOWFLAKE;
    bool is_begin = keeps && str_among_fold(n->text, "date_trunc datetrunc");
    const ast *time =
        is_begin ? translate_time_of(b->dialect, n, &other) : NULL;
    return time
           && (time == n->kid[CALL_ARGS] ? passed
                                         : type_at(b, time, depth).kind)
                  == KIND_DATE;
}

static schema_kind kind_of_result(const binding *b,
                                  function_result result,
                                  schema_kind passed)
{
    static const schema_kind kinds[] = {
        [RESULT_ANY] = KIND_ANY,         [RESULT_INTEGER] = KIND_INTEGER,
        [RESULT_REAL] = KIND_REAL,       [RESULT_TEXT] = KIND_TEXT,
        [RESULT_BOOLEAN] = KIND_BOOLEAN, [RESULT_DATE] = KIND_DATE,
        [RESULT_TIME] = KIND_TIME,       [RESULT_TIMESTAMP] = KIND_TIMESTAMP,
    };
    return result == RESULT_FRACTION ? fraction_of(b, passed)
           : result < countof(kinds) ? kinds[result]
                                     : passed;
}

static bound_column type_of_call(const binding *b, const ast *n, int depth)
{
    const sql_function *f = function_of(n->text);
    bound_column passed = type_of_passed(b, n, depth);
    schema_kind kind = kind_of_result(b, f->result, passed.kind);
    bool is_sum = str_equal_fold(n->text, S("sum")) && kind == KIND_BOOLEAN;
    bound_column c =
        of_kind(is_sum                                   ? KIND_INTEGER
                : is_part_of_second(b, n)                ? KIND_DECIMAL
                : is_day_begun(b, n, passed.kind, depth) ? KIND_DATE
                                                         : kind);
    c.is_single = passed.is_single;
    if (f->may_be_whole) {
        // A float, a numeric of whole numbers on PostgreSQL.
        c.whole = WHOLE_PERHAPS;
    } else if (f->result == RESULT_ARGUMENT || f->result == RESULT_CHOSEN) {
        c.whole = passed.whole;
        c.digits = passed.digits;
    } else if (str_equal_fold(n->text, S("avg"))) {
        c.digits = digits_of_quotient(b, passed.digits);
    } else if (str_equal_fold(n->text, S("round"))) {
        c.digits = digits_beside(n->kid[CALL_ARGS]);
    }
    return c;
}

static bound_column type_of_number(const binding *b, str text)
{
    ptrdiff_t point = str_find(text, S("."), 0);
    bool is_hex = text.len > 1 && to_lower(text.ptr[1]) == 'x';
    bool is_real = !is_hex && str_find_fold(text, S("e"), 0) >= 0;
    bound_column c = of_kind(is_real      ? KIND_REAL
                             : point >= 0 ? fraction_of(b, KIND_INTEGER)
                                          : KIND_INTEGER);
    c.digits = point < 0 ? 0 : (int)(text.len - point - 1);
    c.whole = str_equal(text, S("0")) ? WHOLE_ZERO : c.whole;
    return c;
}

static schema_kind kind_of_sum(schema_kind left, schema_kind right)
{
    if (!schema_kind_is_number(left) || !schema_kind_is_number(right)) {
        return KIND_ANY;
    }
    return left == right                             ? left
           : left == KIND_REAL || right == KIND_REAL ? KIND_REAL
           : left == KIND_INTEGER                    ? right
                                                     : left;
}

// A truth is a number where it has no type of its own.
static schema_kind computed_as(const binding *b, schema_kind kind)
{
    bool is_number =
        kind == KIND_BOOLEAN && !dialect_semantics(b->dialect).truths_are_typed;
    return is_number ? KIND_INTEGER : kind;
}

static bound_column type_of_arithmetic(const binding *b,
                                       const ast *n,
                                       bound_column l,
                                       bound_column r)
{
    bool divides = n->form == OPERATOR_DIVIDE;
    bool scales = divides || n->form == OPERATOR_MULTIPLY;
    schema_kind kind =
        kind_of_sum(computed_as(b, l.kind), computed_as(b, r.kind));
    bool is_real = kind == KIND_INTEGER && divides
                   && dialect_semantics(b->dialect).division_is_real;
    bound_column c = of_kind(is_real ? fraction_of(b, kind) : kind);
    int digits = most(l.digits, r.digits);
    c.whole = whole_of_both(l.whole, r.whole, !scales);
    c.digits = divides ? digits_of_quotient(b, l.digits)
               : scales && digits != DIGITS_OPEN ? l.digits + r.digits
                                                 : digits;
    return c;
}

static bound_column type_of_binary(const binding *b, const ast *n, int depth)
{
    bound_column l = type_at(b, n->kid[BINARY_LEFT], depth);
    bound_column r = type_at(b, n->kid[BINARY_RIGHT], depth);
    bound_column c = of_kind(KIND_BOOLEAN);
    switch ((int)n->form) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: c = type_of_arithmetic(b, n, l, r); break;
    case OPERATOR_CONCAT:  // MySQL's OR
        c = of_kind(b->dialect == DIALECT_MYSQL ? KIND_BOOLEAN : KIND_TEXT);
        break;
    case OPERATOR_ARROW_TEXT: c = of_kind(KIND_TEXT); break;
    case OPERATOR_DIV:
    case OPERATOR_BAR:
    case OPERATOR_AMPERSAND:
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: c = of_kind(KIND_INTEGER); break;
    case OPERATOR_ARROW: c = of_kind(KIND_ANY); break;
    default: break;
    }
    c.is_single = l.is_single || r.is_single;
    return c;
}

// It is computed, and nothing but a column no more.
bound_column bind_computed(bound_column c)
{
    c.declared = (str){0};
    c.source = NULL;
    c.column = -1;
    return c;
}

static bound_column type_of_ref(const binding *b, const ast *n)
{
    const bound_ref *ref = bind_ref(b, n);
    if (ref && ref->kind == REF_COLUMN && ref->column >= 0) {
        assert(ref->column < ref->source->n_columns);
        bound_column c = ref->source->columns[ref->column];
        c.name = (str){0};
        c.source = ref->source;
        c.column = ref->column;
        return ref->is_merged ? bind_computed(c) : c;
    }
    if (ref && ref->of) {
        return ref->of->outputs[ref->output];
    }
    bool is_rowid = ref && ref->kind == REF_ROWID;
    bound_column c = of_kind(is_rowid                         ? KIND_INTEGER
                             : ref && ref->kind == REF_STRING ? KIND_TEXT
                                                              : KIND_ANY);
    c.affinity = is_rowid ? AFFINITY_INTEGER : c.affinity;
    return c;
}

static void add_branch(const binding *b,
                       bound_column *c,
                       const ast *n,
                       int depth)
{
    bound_column of = type_at(b, n, depth);
    c->kind = c->kind == KIND_ANY ? of.kind : c->kind;
    bind_unite(c, &of);
}

// What chooses among values (WHEN) has no part in them.
static bound_column type_of_case(const binding *b, const ast *n, int depth)
{
    bound_column c = of_nothing();
    for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
        add_branch(b, &c, w->kid[WHEN_THEN], depth);
    }
    if (n->kid[CASE_ELSE]) {
        add_branch(b, &c, n->kid[CASE_ELSE], depth);
    }
    return c;
}

// A column of a derived table always has a collation, a scalar query none.
static bound_column type_of_query(const binding *b, const ast *n)
{
    const bound_query *q = n ? bind_query_at(b, n) : NULL;
    if (!q || q->n_outputs == 0) {
        return of_kind(KIND_ANY);
    }
    bound_column c = bind_computed(q->outputs[0]);
    c.collation = COLLATION_BINARY;
    return c;
}

static bound_column type_of_cast(const binding *b, const ast *n, int depth)
{
    const ast *type = n->kid[CAST_TYPE];
    bool is_known = type && type->kind == AST_TYPE;
    bound_column of = type_at(b, n->kid[CAST_EXPR], depth);
    bound_column c = of_kind(is_known ? schema_kind_of(type->text) : KIND_ANY);
    c.affinity = is_known ? schema_affinity_of(type->text) : c.affinity;
    c.collation = of.collation;
    c.is_single = of.is_single;
    c.digits = digits_beside(is_known ? type->kid[TYPE_ARGS] : NULL);
    return c;
}

// Unary + keeps the collation; both signs drop the affinity.
static bound_column type_of_unary(const binding *b, const ast *n, int depth)
{
    bound_column c = bind_computed(type_at(b, n->kid[UNARY_EXPR], depth));
    c.kind = n->form == OPERATOR_NOT ? KIND_BOOLEAN : c.kind;
    c.affinity = AFFINITY_BLOB;
    if (n->form != OPERATOR_POSITIVE) {
        c.collation = COLLATION_BINARY;
    }
    return c;
}

static bound_column type_at(const binding *b, const ast *n, int depth)
{
    bound_column c = of_kind(KIND_ANY);
    if (!n || ++depth > DEPTH_MAX) {
        return c;
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: return type_of_ref(b, n);
    case AST_COLLATE:
        c = bind_computed(type_at(b, n->kid[COLLATE_EXPR], depth));
        c.collation = schema_collation_of(n->text);
        return c;
    case AST_CAST: return type_of_cast(b, n, depth);
    case AST_UNARY: return type_of_unary(b, n, depth);
    case AST_CASE: return type_of_case(b, n, depth);
    case AST_SUBQUERY: return type_of_query(b, n->kid[SUBQUERY_QUERY]);
    case AST_CALL: return type_of_call(b, n, depth);
    case AST_WORD:  // CURRENT_DATE
        return of_kind(
            kind_of_result(b, function_of(n->text)->result, KIND_ANY));
    case AST_BINARY: return type_of_binary(b, n, depth);
    case AST_NUMBER:  // of GROUP BY and ORDER BY: the place of an item
        return bind_item(b, n) ? type_of_ref(b, n) : type_of_number(b, n->text);
    case AST_STRING: return of_kind(KIND_TEXT);
    case AST_TYPED: return of_kind(schema_kind_of(n->text));
    case AST_BETWEEN:
    case AST_IN:
    case AST_EXISTS:
    case AST_TRUE:
    case AST_FALSE: return of_kind(KIND_BOOLEAN);
    case AST_NULL: return of_nothing();
    default: return c;
    }
}

bound_column bind_type(const binding *b, const ast *expr)
{
    bound_column c = type_at(b, expr, 0);
    c.name = (str){0};
    c.expr = expr;
    return c;
}
